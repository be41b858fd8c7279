import json
from pathlib import Path

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    CompactionFinished,
    ConversationCleared,
    ConversationRewound,
    EventBody,
    Fault,
    MessageAppended,
    ModelChanged,
    Origin,
    SessionRenamed,
    SessionResumed,
    SessionStarted,
    TurnFinished,
    TurnStarted,
    TurnStatus,
)
from paicli.core.masking import SecretMasker
from paicli.core.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, UserMessage
from paicli.core.ops import Mode, TurnKind
from paicli.session.journal import Journal
from paicli.session.transcript import SaidMessage, Transcript, as_json, as_markdown, read_transcript

FENCES = "```\nrm\n```"
TURNS: list[tuple[Origin, EventBody]] = [
    (Origin(), SessionStarted("0.1", "glm", "glm-5", Mode.AUTO, "/w/p", "en")),
    (Origin("turn_1"), TurnStarted(TurnKind.REACT, "read it", Mode.AUTO)),
    (Origin("turn_1", "react"), MessageAppended(SystemMessage("SYSTEM"))),
    (Origin("turn_1", "react"), MessageAppended(UserMessage("read it, key sk-canary-123456789"))),
    (
        Origin("turn_1", "react"),
        MessageAppended(AssistantMessage("Looking.", "hm", (ToolCall("c1", "read_file", '{"path": "a`b"}'),))),
    ),
    (Origin("turn_1", "react"), MessageAppended(ToolMessage("c1", "read_file", FENCES))),
    (Origin("turn_1", "task_1"), MessageAppended(AssistantMessage("a task's own"))),
    (Origin("turn_1", "react"), MessageAppended(AssistantMessage("It removes."))),
    (Origin("turn_1"), TurnFinished(TurnStatus.COMPLETED, "It removes.")),
    (Origin("turn_2"), TurnStarted(TurnKind.SHELL, "ls", Mode.AUTO)),
    (Origin("turn_2"), TurnFinished(TurnStatus.COMPLETED, "a.txt")),
    (Origin("turn_3"), TurnStarted(TurnKind.REACT, "no", Mode.AUTO)),
    (Origin("turn_3", "react"), MessageAppended(UserMessage("no"))),
    (Origin(), ConversationRewound("turn_3", TurnKind.REACT, "no")),
    (Origin(), ModelChanged("deepseek", "v4")),
    (Origin(), SessionRenamed("Reading")),
]


def journal_of(folder: Path) -> Path:
    path = folder / "s-1.jsonl"
    stream = EventStream("s-1", clock=lambda: 5.0)
    journal = Journal(path, masker=SecretMasker())
    stream.subscribe(journal)
    for origin, body in TURNS:
        stream.publish(body, origin)
    journal.close()
    with path.open("ab") as file:
        file.write(b'{"type":"message_appended","actor":"react","message":[]}\nnot json\n[1]\n{"type":"mess')
    return path


def said_in(folder: Path, happened: list[tuple[Origin, EventBody]], *, damage: bytes = b"") -> list[tuple[str, str]]:
    """(role, content) of each message in the transcript of a journal with these events."""
    folder.mkdir(exist_ok=True)
    stream = EventStream("s-1", clock=lambda: 5.0)
    journal = Journal(folder / "s-1.jsonl", masker=SecretMasker())
    stream.subscribe(journal)
    for origin, body in happened:
        stream.publish(body, origin)
    journal.close()
    with journal.path.open("ab") as file:
        file.write(damage)
    return [(said.role, said.content) for said in read_transcript(journal.path).messages]


def test_what_a_compaction_keeps_stands_once_and_what_it_summed_up_stands_in_full(tmp_path: Path) -> None:
    one, two = Origin("turn_1", "react"), Origin("turn_2", "react")
    said = [MessageAppended(UserMessage("a")), MessageAppended(AssistantMessage("b"))]
    retold = [MessageAppended(UserMessage("summary")), MessageAppended(AssistantMessage("b"))]
    finished = CompactionFinished(90, is_summarised=True, message_count=len(retold))
    failed = CompactionFinished(900, is_summarised=False, fault=Fault("llm.unreachable"))
    happened: list[tuple[Origin, EventBody]] = [
        *((one, body) for body in said),
        *((two, body) for body in (failed, finished, *retold, MessageAppended(UserMessage("c")))),
    ]
    assert said_in(tmp_path, happened) == [("user", "a"), ("assistant", "b"), ("user", "c")]


def test_what_follows_a_compaction_that_was_killed_stands_in_it(tmp_path: Path) -> None:
    one, two = Origin("turn_1", "react"), Origin("turn_2", "react")
    happened: list[tuple[Origin, EventBody]] = [
        (one, MessageAppended(UserMessage("a"))),
        (one, CompactionFinished(90, is_summarised=True, message_count=3)),
        (one, MessageAppended(UserMessage("summary"))),
        (Origin(), SessionResumed(3)),
        (two, MessageAppended(UserMessage("b"))),
    ]
    assert said_in(tmp_path, happened) == [("user", "a"), ("user", "b")]


def test_what_was_cleared_is_not_in_it(tmp_path: Path) -> None:
    react = Origin("turn_1", "react")
    happened: list[tuple[Origin, EventBody]] = [
        (react, MessageAppended(UserMessage("a"))),
        (Origin(), ConversationCleared()),
        (react, MessageAppended(UserMessage("b"))),
    ]
    assert said_in(tmp_path, happened) == [("user", "b")]


def test_a_record_out_of_shape_costs_itself_only(tmp_path: Path) -> None:  # C72
    react: list[tuple[Origin, EventBody]] = [(Origin("turn_1", "react"), MessageAppended(UserMessage("a")))]
    whole = {"seq": 2, "time": 5.0, "session_id": "s-1", "turn_id": "turn_1", "actor": "react"}
    for number, damage in enumerate(
        (
            {"type": "message_appended", "message": None},
            {"type": "message_appended", "message": {"type": "user_message", "content": "x"}, "time": None},
            {"type": "message_appended", "message": {"type": "assistant_message", "tool_calls": [1, None]}},
            {"type": "session_started", "time": "x"},
        )
    ):
        raw = json.dumps(whole | damage).encode()
        glued = json.dumps(whole | {"type": "message_appended", "message": {"type": "user_message", "content": "b"}})
        said = said_in(tmp_path / str(number), react, damage=raw + glued.encode())
        assert said == [("user", "a"), ("user", "b")], damage


def test_json_holds_the_conversation_in_the_shape_of_model_apis(tmp_path: Path) -> None:
    record = json.loads(as_json(read_transcript(journal_of(tmp_path))))
    assert record == {
        "session_id": "s-1",
        "title": "Reading",
        "version": "0.1",
        "provider": "deepseek",
        "model": "v4",
        "project": "/w/p",
        "started_at": 5.0,
        "messages": [
            {"role": "user", "content": "read it, key ***", "time": 5.0},
            {
                "role": "assistant",
                "content": "Looking.",
                "time": 5.0,
                "reasoning_content": "hm",
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "read_file", "arguments": '{"path": "a`b"}'},
                    }
                ],
            },
            {"role": "tool", "content": FENCES, "time": 5.0, "tool_call_id": "c1", "name": "read_file"},
            {"role": "assistant", "content": "It removes.", "time": 5.0},
            {"role": "user", "content": "!ls", "time": 5.0},
            {"role": "tool", "content": "a.txt", "time": 5.0, "tool_call_id": "", "name": "!"},
        ],
    }


def test_who_looks_at_the_markdown_with_cat_runs_no_sequence() -> None:
    said = SaidMessage("user", "a\x1b[31mb\r\n\tc\x00\x7f\x9bd", "turn_1", 5.0)
    assert as_markdown(Transcript("s-1", messages=[said]), Texts(Language.EN)).endswith(
        "\n\na\u241b[31mb\n\tc\u2400\u2421\ufffdd\n"
    )


def test_markdown_reads_as_it_was_said_and_nothing_ends_a_fence(tmp_path: Path) -> None:
    assert as_markdown(read_transcript(journal_of(tmp_path)), Texts(Language.EN)) == (
        "# Reading\n\ndeepseek/v4 · /w/p\n\n## User\n\nread it, key ***\n\n## paicli\n\nLooking.\n\n"
        '- `read_file` `` {"path": "a`b"} ``\n\nTool read_file:\n\n````\n```\nrm\n```\n````\n\n'
        "It removes.\n\n## User\n\n!ls\n\n## paicli\n\nTool !:\n\n```\na.txt\n```\n"
    )
