from pathlib import Path

import pytest

from paicli.context.introduction import ProjectIntroduction
from paicli.context.prompt_library import PromptLibrary
from paicli.core.errors import UserFacingError
from paicli.core.input_syntax.mentions import find_mentions


def test_the_prepared_text_is_asked_for_with_what_the_person_adds(tmp_path: Path) -> None:
    (tmp_path / "init.md").write_text("LOOK AROUND")
    introduction = ProjectIntroduction(PromptLibrary(tmp_path), tmp_path)
    assert introduction.request("") == "LOOK AROUND"
    assert introduction.request(" mind the tests ") == "LOOK AROUND\n\nmind the tests"


def test_a_pai_md_that_is_there_is_only_rewritten_when_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "PAI.md").write_text("rules")
    introduction = ProjectIntroduction(PromptLibrary(), tmp_path)
    with pytest.raises(UserFacingError) as refused:
        introduction.request("mind the tests")
    assert (refused.value.code, refused.value.fields) == ("init.exists", {"path": str(tmp_path / "PAI.md")})
    assert introduction.request("--force mind the tests").endswith("\n\nmind the tests")
    assert "PAI.md" in introduction.request("--force")


def test_the_prepared_text_attaches_no_file_of_its_own(tmp_path: Path) -> None:
    assert find_mentions(ProjectIntroduction(PromptLibrary(), tmp_path).request("")) == []
