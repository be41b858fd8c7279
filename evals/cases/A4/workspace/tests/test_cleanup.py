from app.cleanup import too_old


def test_the_variable_counts(monkeypatch) -> None:
    monkeypatch.setenv("RETENTION_DAYS", "7")
    assert too_old(8)
