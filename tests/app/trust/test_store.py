from pathlib import Path

import pytest

from paicli.app.trust.project_trust import BroughtFile, BroughtKind
from paicli.app.trust.store import Answered, Changes, StoredAnswer, TrustStore, changes_since
from paicli.core.errors import UserFacingError

FILES = (BroughtFile(BroughtKind.ENV, ".env", "d1"), BroughtFile(BroughtKind.MCP, ".paicli/mcp.json", "d2"))
ROOT = Path("/work/项目")


@pytest.fixture
def store(tmp_path: Path) -> TrustStore:
    return TrustStore(tmp_path / "home" / "trust.json")


def test_an_answer_is_kept_for_that_path_alone_and_privately(store: TrustStore) -> None:
    store.keep(ROOT, StoredAnswer.YES, FILES)
    store.keep(Path("/other"), StoredAnswer.NEVER)
    assert TrustStore(store.path).answers() == {
        str(ROOT): Answered(StoredAnswer.YES, {".env": "d1", ".paicli/mcp.json": "d2"}),
        "/other": Answered(StoredAnswer.NEVER),
    }
    assert store.answer(ROOT.parent) is None  # a parent's or a child's answer is none
    assert store.answer(ROOT / "sub") is None
    assert store.path.stat().st_mode & 0o777 == 0o600
    store.forget(ROOT)
    assert store.answer(ROOT) is None


def test_a_folder_whose_name_is_no_utf8_has_its_answer_too(store: TrustStore) -> None:
    root = Path("/work/\udcff")
    store.keep(root, StoredAnswer.NEVER)
    assert store.answer(root) == Answered(StoredAnswer.NEVER)


def test_a_byte_order_mark_is_accepted(store: TrustStore) -> None:  # C75
    store.path.parent.mkdir()
    store.path.write_text('\ufeff{"folders": {"/b": {"answer": "never"}}}', "utf-8")
    store.keep(ROOT, StoredAnswer.NEVER)
    assert store.answers() == dict.fromkeys(("/b", str(ROOT)), Answered(StoredAnswer.NEVER))


# C75: no comma
@pytest.mark.parametrize("text", ['{"version": 1 "folders": {}}', "{", "[]", "{}", '{"folders": 3}', "", "\0"])
def test_a_broken_file_is_no_answer_and_stays_as_it_is(store: TrustStore, text: str) -> None:
    store.path.parent.mkdir()
    store.path.write_text(text)
    assert store.answers() == {}
    with pytest.raises(UserFacingError) as raised:
        store.keep(ROOT, StoredAnswer.YES, FILES)
    assert raised.value.code == "trust.not_kept"
    assert store.path.read_text() == text


@pytest.mark.parametrize("record", ["3", '{"answer": "yes"}', '{"answer": "maybe", "files": {}}', "null"])
def test_a_record_that_says_nothing_clear_is_no_answer(store: TrustStore, record: str) -> None:
    store.path.parent.mkdir()
    store.path.write_text(f'{{"folders": {{"/a": {record}, "/b": {{"answer": "never"}}}}}}')
    assert store.answers() == {"/b": Answered(StoredAnswer.NEVER)}


def test_what_changed_is_named() -> None:
    answered = Answered(StoredAnswer.YES, {".env": "d0", "gone": "d"})
    assert changes_since(answered, FILES) == Changes((".paicli/mcp.json",), (".env",), ("gone",))
