from pathlib import Path

import pytest

from paicli.system.programs.editor import EditorFailed, NoEditor, edit_file, editor_command


def test_visual_goes_before_editor_and_both_may_have_options(tmp_path: Path) -> None:
    assert editor_command({"VISUAL": "code --wait 'a b'", "EDITOR": "vi"}) == ["code", "--wait", "a b"]
    assert editor_command({"VISUAL": " ", "EDITOR": "emacs -nw"}) == ["emacs", "-nw"]
    (tmp_path / "vim").write_text("")
    (tmp_path / "vim").chmod(0o755)
    assert editor_command({"PATH": str(tmp_path)}) == [str(tmp_path / "vim")]
    with pytest.raises(NoEditor):
        editor_command({"PATH": str(tmp_path / "none")})


def test_the_editor_gets_the_file_and_a_failure_names_it(tmp_path: Path) -> None:
    path = tmp_path / "a file"
    environment = {"PATH": "/usr/bin:/bin"}
    edit_file(path, environment | {"EDITOR": "sh -c 'echo edited >\"$0\"'"})
    assert path.read_text() == "edited\n"
    for editor, name in (("false", "false"), ("/no/such/editor", "/no/such/editor"), ("vi 'open", "vi 'open")):
        with pytest.raises(EditorFailed) as failed:
            edit_file(path, environment | {"EDITOR": editor})
        assert failed.value.args[0] == name
