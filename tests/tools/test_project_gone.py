from pathlib import Path
from typing import Any

import pytest

from tests.tools.workshop import Workshop


@pytest.mark.parametrize(
    ("tool", "arguments", "path"),
    [
        ("read_file", {"path": "f"}, "f"),
        ("write_file", {"path": "new/f", "content": "x"}, "new/f"),
        ("edit_file", {"path": "f", "old_text": "a", "new_text": "b"}, "f"),
        ("list_dir", {"path": "."}, "."),
        ("glob_files", {"pattern": "*"}, "."),
        ("grep_code", {"pattern": "x"}, "."),
    ],
)
def test_a_project_that_has_gone_is_said_by_every_file_tool_and_not_made_anew(  # C41
    tmp_path: Path, tool: str, arguments: dict[str, Any], path: str
) -> None:
    shop = Workshop(tmp_path / "project")
    shop.put("f", "a")
    shop.run("read_file", {"path": "f"})
    (shop.root / "f").unlink()
    shop.root.rmdir()
    assert shop.refusal(tool, arguments) == (
        "files.base_gone",
        "not_found",
        f"项目目录已不存在(被删除或移动),无法访问 {path}。不要换名字重试;请告诉用户。",
    )
    assert not shop.root.exists()
