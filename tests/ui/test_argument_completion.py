"""What may stand behind a command: turns, snapshots, folders and files."""

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.events import TurnStarted
from paicli.core.ops import Mode, TurnKind
from paicli.ui.command_completion import Proposal, command_proposals
from paicli.ui.command_desk import CommandDesk
from paicli.ui.facts import SessionFacts
from paicli.ui.input_sources import FoundPath, InputSources
from tests.fakes.canned_queries import CannedQueries
from tests.ui.fake_engine import event_of

EN = Texts(Language.EN)


class Paths:
    """A folder with a folder and two files; one has a name that steers terminals."""

    def mentioned(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        return ()

    def below(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        head, slash, _ = typed.rpartition("/")
        names = (("My 文档", True), ("notes.md", False), ("evil\x1b[2J.md", False))
        return tuple(FoundPath(head + slash + name, is_folder) for name, is_folder in names)


def desk() -> CommandDesk:
    facts = SessionFacts("0", "/p", "glm", "m", 0, Mode.AUTO, "en", sources=InputSources(paths=Paths()))
    made = CommandDesk(CannedQueries(), submit=lambda op: None, texts=EN, facts=facts)
    for text in ("first", "second\nline"):
        made.history.accept(event_of(TurnStarted(TurnKind.REACT, text, Mode.AUTO)))
    return made


def proposed(typed: str) -> list[Proposal]:
    return list(command_proposals(typed, desk(), EN))


def test_rewind_proposes_the_turns_latest_first_and_then_what_goes_back() -> None:
    assert proposed("/rewind ") == [
        Proposal("/rewind 2", "2", "second"),
        Proposal("/rewind 1", "1", "first"),
    ]
    assert [each.text for each in proposed("/rewind 2 ")] == ["/rewind 2 files", "/rewind 2 both"]
    assert [each.text for each in proposed("/rewind 2 b")] == ["/rewind 2 both"]


def test_undo_and_restore_propose_numbers_with_the_words_of_their_turns() -> None:
    assert proposed("/undo ") == [Proposal("/undo 1", "1", "second")]
    assert proposed("/restore ") == [Proposal("/restore 2", "2", "second"), Proposal("/restore 1", "1")]


def test_add_dir_proposes_folders_as_they_are_written() -> None:
    assert [each.text for each in proposed("/add-dir ../m")] == ["/add-dir ../My 文档/"]


def test_export_proposes_formats_and_behind_one_of_them_paths_that_are_safe_to_show() -> None:
    assert [each.text for each in proposed("/export m")] == ["/export md", "/export mermaid"]
    assert [each.text for each in proposed("/export md /tmp/")] == [
        "/export md /tmp/My 文档/",
        "/export md /tmp/notes.md",
    ]
