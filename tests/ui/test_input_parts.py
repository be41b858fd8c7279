import asyncio
import threading
from collections.abc import Sequence

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.ops import AppendRule, Mode, Submit, TurnKind
from paicli.ui.command_desk import CommandDesk
from paicli.ui.facts import SessionFacts
from paicli.ui.input_sources import FoundPath, InputSources
from paicli.ui.live.completion import InputCompleter, completes_while_typing, shell_word
from paicli.ui.live.editor_visit import Chord
from paicli.ui.live.history_file import ENTRY_CHARACTERS, KeptHistory
from paicli.ui.live.pasting.pastes import PasteShelf, Typed
from paicli.ui.routing import InputState, Say, Send, route
from tests.patience import PATIENCE_S

EN = Texts(Language.EN)
FACTS = SessionFacts("0.1", "/w/p", "glm", "glm-5", 10_000, Mode.AUTO, "en")


class Files:
    """Finds what contains the typed text."""

    def __init__(self, *found: FoundPath) -> None:
        self._found = found
        self.asked: list[str] = []

    def mentioned(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        self.asked.append(typed)
        return tuple(found for found in self._found if typed in found.path)[:limit]

    def below(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        self.asked.append(typed)
        return tuple(found for found in self._found if found.path.startswith(typed))[:limit]


class Programs:
    def programs(self, prefix: str, limit: int) -> tuple[str, ...]:
        return tuple(name for name in ("git", "grep") if name.startswith(prefix))


FILES = (
    FoundPath("src", is_folder=True),
    FoundPath("src/my file.py"),
    FoundPath("文档", is_folder=True),
    FoundPath("a\nb\udcff.txt"),
    FoundPath("~/notes one.txt"),
    FoundPath("-rf"),
)


def completed(typed: str, files: Files | None = None) -> list[tuple[str, int, str]]:
    desk = CommandDesk(None, submit=lambda op: None, texts=EN, facts=FACTS)
    completer = InputCompleter(desk, EN, InputSources(paths=files or Files(*FILES), programs=Programs()))
    found = completer.get_completions(Document(typed), CompleteEvent())
    return [(each.text, each.start_position, each.display_text) for each in found]


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("look at @sr", [("@src/", -3, "src/"), ('@"src/my file.py"', -3, '"src/my file.py"')]),
        ('@"src/my', [('@"src/my file.py"', -8, '"src/my file.py"')]),
        ("看@文", [("@文档/", -2, "文档/")]),
        ("@a\nb", []),
        ("@rf", [("@-rf", -3, "-rf")]),
        ("@b", [('@"a\\nb\\xff.txt"', -2, '"a\\nb\\xff.txt"')]),
        ("me@sr", []),
        ("!g", [("git", -1, "git"), ("grep", -1, "grep")]),
        ("!ls; gi", [("git", -2, "git")]),
        ("!cat sr", [("src/", -2, "src/"), ("'src/my file.py'", -2, '"src/my file.py"')]),
        ("!cat 'src/my", [("'src/my file.py'", -7, '"src/my file.py"')]),
        ("!cat src/my\\ f", [("'src/my file.py'", -9, '"src/my file.py"')]),
        ("!cat ~/no", [("~/'notes one.txt'", -4, '"~/notes one.txt"')]),
        ("!rm -", [("./-rf", -1, "-rf")]),
        ("#", [("# ", -1, "#text")]),
        ("# x", []),
        ("", []),
        ("hello", []),
    ],
)
def test_what_can_be_typed_on(typed: str, found: list[tuple[str, int, str]]) -> None:
    assert completed(typed) == found


def test_a_slash_lists_commands_with_their_one_line_help() -> None:
    assert ("/mode", -3, "/mode [auto|plan|ask]") in completed("/mo")
    assert completed("/zzz") == []


@pytest.mark.parametrize(
    ("typed", "opens"),
    [
        ("/", True),
        ("/mode a", True),
        ("/mode\n", False),
        ("see @", True),
        ("@a b", False),
        ("me@x", False),
        ("#", True),
        ("#a", False),
        ("!ls", False),
        ("!cat @a", False),
        ("", False),
    ],
)
def test_when_the_menu_opens_by_itself(typed: str, opens: bool) -> None:
    assert completes_while_typing(typed) is opens


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("!git status && ca", (15, "ca", True)),
        ("!x=1 ./ru", (5, "./ru", False)),
        ("!./ru", (1, "./ru", False)),
        ("!cat ", (5, "", False)),
        ("!", (1, "", True)),
        ("!cat a|gr", (7, "gr", True)),
        ('!cat "a b', (5, "a b", False)),
        ("!cat <in", (6, "in", False)),
    ],
)
def test_the_word_of_a_command_at_the_cursor(typed: str, word: tuple[int, str, bool]) -> None:
    assert shell_word(typed) == word


def test_a_slow_file_system_holds_up_no_other_key() -> None:
    is_released = threading.Event()

    class Slow(Files):
        def mentioned(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
            if typed == "slow":
                assert is_released.wait(PATIENCE_S)
            return super().mentioned(typed, limit)

    desk = CommandDesk(None, submit=lambda op: None, texts=EN, facts=FACTS)
    completer = InputCompleter(desk, EN, InputSources(paths=Slow(FoundPath("slow"), FoundPath("fast"))))

    async def texts_of(typed: str) -> list[str]:
        return [each.text async for each in completer.get_completions_async(Document(typed), CompleteEvent())]

    async def both() -> tuple[list[str], list[str]]:
        slow = asyncio.create_task(texts_of("@slow"))
        fast = await texts_of("@fast")
        is_released.set()
        return fast, await slow

    assert asyncio.run(both()) == (["@fast"], ["@slow"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#use tabs", Send(AppendRule("use tabs"))),
        ("#  two  words ", Send(AppendRule("two  words"))),
        ("#", Say("rule.empty")),
        ("##", Say("rule.empty")),
        ("# Title\n\ntext", Send(Submit("# Title\n\ntext"))),
    ],
)
def test_a_line_behind_a_hash_joins_the_rules(text: str, found: object) -> None:
    assert route(text, InputState()) == found


@pytest.mark.parametrize("text", ["/exit", "!rm x", "/plan a\nb", "#rule"])
def test_a_pasted_page_is_words_whatever_it_looks_like(text: str) -> None:  # C50
    assert route(text, InputState(is_page=True)) == Send(Submit(text))
    assert route(text, InputState(is_page=True, is_plan_armed=True)) == Send(Submit(text, TurnKind.PLAN))


def test_pastes_fold_at_twenty_lines_and_come_back_in_order() -> None:
    shelf = PasteShelf(EN)
    assert shelf.shown("\r\n".join("abc")) == "a\nb\nc"
    assert shelf.shown("x\n" * 20) == "x\n" * 20
    first, second = shelf.shown("x\n" * 21), shelf.shown("y" * 10_001)
    assert (first, second) == ("[Paste #1: 21 lines]", "[Paste #2: 10001 characters]")
    assert shelf.expanded(f"{second} and {first}") == "y" * 10_001 + " and " + "x\n" * 21
    assert shelf.split(f"{second} and {first}") == Typed(
        f"{second} and {first}", f"{second}\n{'y' * 10_001}\n\n{first}\n" + "x\n" * 21
    )
    assert shelf.split("no paste") == Typed("no paste", "")


def test_a_placeholder_inside_of_a_paste_is_its_text() -> None:
    shelf = PasteShelf(EN)
    inner = shelf.shown("x\n" * 21)
    outer = shelf.shown(f"{inner}\n" * 21)
    assert shelf.expanded(outer) == f"{inner}\n" * 21
    assert shelf.split(outer) == Typed(outer, f"{outer}\n" + f"{inner}\n" * 21)


def test_a_picture_is_a_mention_of_its_file_which_the_policy_does_not_hear() -> None:
    shelf = PasteShelf(EN)
    text, first, second = shelf.shown("x\n" * 21), shelf.picture("/s/001-a.png"), shelf.picture("/my s/2.png")
    assert (first, second) == ("[Image #1]", "[Image #2]")
    typed = f"see{first}和{second} {text}"
    expanded = f'see @/s/001-a.png 和 @"/my s/2.png" {text}'
    split = shelf.split(typed)
    assert split == Typed(typed, f"{text}\n" + "x\n" * 21)
    assert shelf.completed(Submit(typed), split) == Submit(expanded, words=typed, attachments=split.attachments)
    assert shelf.completed(Submit(typed, words="own"), split).words == "own"
    assert shelf.completed(Submit("none"), shelf.split("none")) == Submit("none")
    assert shelf.expanded(first) == "@/s/001-a.png"
    assert [*map(shelf.placeholder_at_end, (f"x {first}", f"{text}", f"{first} "))] == [first, text, ""]


@pytest.mark.parametrize(
    ("before", "pasted", "text", "is_page"),
    [
        ("", "/exit\n", "/exit\n", True),  # C50
        ("", "/exit\nnow", "/exit\nnow and", True),
        ("  ", "/exit\r\n", "  /exit\n", True),
        ("", "/exit", "/exit", False),
        ("say ", "/exit\n", "say /exit\n", False),
        ("", "/exit\n", "typed instead", False),
    ],
)
def test_a_paste_of_several_lines_at_the_beginning_is_a_page(
    before: str, pasted: str, text: str, is_page: bool
) -> None:
    shelf = PasteShelf(EN)
    shelf.shown(pasted, before=before)
    assert shelf.split(text).is_page is is_page
    assert shelf.split(text).is_page is False


class Kept:
    def __init__(self, entries: Sequence[str] = ()) -> None:
        self.kept = list(entries)

    def entries(self) -> list[str]:
        return self.kept

    def append(self, entry: str) -> None:
        self.kept.insert(0, entry)


def test_history_keeps_a_short_paste_whole_and_a_long_one_folded() -> None:
    store = Kept(["older"])
    expansions = {"a [short]": "a " + "s" * 100, "a [long]": "l" * (ENTRY_CHARACTERS + 1)}
    history = KeptHistory(store, expand=lambda text: expansions.get(text, text))
    for text in ("a [short]", "a [long]", " secret", "  ", "l1\nl2"):
        history.append_string(text)
    assert store.kept == ["l1\nl2", "a [long]", "a " + "s" * 100, "older"]


def test_a_chord_waits_two_seconds_for_its_second_key() -> None:
    now = [10.0]
    chord = Chord(lambda: now[0])
    assert not chord.is_begun()
    chord.begin()
    now[0] = 12.0
    assert chord.is_begun()
    now[0] = 12.1
    assert not chord.is_begun()
