from pathlib import Path

from paicli.agent.gating.turn_policies import TurnPolicies
from paicli.agent.turn import QueuedText, TextQueue, Turn, TurnEnding, prepared
from paicli.core.cancellation import CancellationToken
from paicli.core.event_stream import EventStream
from paicli.core.events import Origin, PolicyTightened, TurnStatus, UrlTrusted
from paicli.core.messages import ToolEffect
from paicli.core.ops import Submit, TurnKind
from paicli.policy.turn_policy import OutsideContent
from paicli.policy.words.restriction import Restriction
from tests.fakes.recording_listener import RecordingListener

A, B = "https://example.com/a", "https://example.com/b"


class Bench:
    def __init__(self) -> None:
        self.stream = EventStream("session")
        self.heard = RecordingListener()
        self.stream.subscribe(self.heard)
        self.policies = TurnPolicies(self.stream, root=Path("/w"))

    @property
    def said(self) -> list[tuple[str, str, object]]:
        return [(event.origin.turn_id, event.origin.task_id, event.body) for event in self.heard.events]


def test_a_turn_is_told_by_events_and_later_words_only_tell_what_is_new() -> None:
    bench = Bench()
    bench.policies.begin_turn("t1", f"不要联网,看 {A}", OutsideContent())
    bench.policies.hear(f"也不要改代码,不要联网,再看 {A} 和 {B}")
    assert bench.said == [
        ("t1", "", PolicyTightened(("no_network",))),
        ("t1", "", UrlTrusted(A, "user")),
        ("t1", "", PolicyTightened(("read_only",))),
        ("t1", "", UrlTrusted(B, "user")),
    ]


def test_each_turn_begins_anew_and_the_last_one_stays_to_be_looked_at() -> None:
    bench = Bench()
    bench.policies.begin_turn("t1", f"只读,看 {A}", OutsideContent())
    assert (bench.policies.current.restrictions, bench.policies.current.trusts(A)) == ((Restriction.READ_ONLY,), True)
    bench.policies.begin_turn("t2", "继续", OutsideContent())
    assert (bench.policies.current.restrictions, bench.policies.current.trusts(A)) == ((), False)


def test_a_stored_plans_goal_tightens_and_trusts_nothing() -> None:
    bench = Bench()
    bench.policies.begin_turn("t1", "", OutsideContent())
    bench.policies.tighten(f"离线。看 {A}")
    assert bench.policies.current.restrictions == (Restriction.NO_NETWORK,)
    assert not bench.policies.current.trusts(A)


def test_siblings_never_share_and_a_new_plan_inherits_nothing() -> None:
    bench = Bench()
    bench.policies.begin_turn("t1", "目标", OutsideContent())
    one, other = Origin("t1", "task_1", "p1", 1, "task_1"), Origin("t1", "task_2", "p1", 1, "task_2")
    bench.policies.share_urls(one, ())
    bench.policies.share_urls(other, (A,))
    first, second = bench.policies.of_task(one), bench.policies.of_task(other)
    first.note_found([B])
    first.begin_step()
    assert [policy.trusts(A) for policy in (first, second)] == [False, True]
    assert [policy.trusts(B) for policy in (first, second)] == [True, False]
    replanned = one._replace(plan_id="p2")
    assert not bench.policies.of_task(replanned).trusts(B)
    assert bench.said == [("t1", "task_2", UrlTrusted(A, "dependency"))]


def test_words_said_in_a_review_reach_tasks_that_have_begun() -> None:
    bench = Bench()
    bench.policies.begin_turn("t1", "目标", OutsideContent())
    task = Origin("t1", "task_1", "p1", 1, "task_1")
    bench.policies.share_urls(task, ())
    policy = bench.policies.of_task(task)
    bench.policies.hear(f"不要改代码,参考 {A}")
    assert policy.restrictions == (Restriction.READ_ONLY,)
    assert policy.trusts(A)
    assert policy.hides("write_file", ToolEffect.WRITE) == "read_only"


def test_text_made_from_the_persons_words_is_not_their_words() -> None:
    seen: list[Turn] = []

    def run(turn: Turn) -> TurnEnding:
        seen.append(turn)
        return TurnEnding(TurnStatus.COMPLETED)

    submitted = Submit("看测试", TurnKind.INIT)
    turn = Turn("t", TurnKind.INIT, submitted, CancellationToken(), EventStream("s").emitter(Origin("t")))
    prepared(run, lambda words: f"写 PAI.md,不要修改代码。重点: {words}")(turn)
    assert (seen[0].submitted.text, seen[0].words) == ("写 PAI.md,不要修改代码。重点: 看测试", "看测试")


def test_a_paste_in_a_queued_text_is_no_word_of_the_person() -> None:
    queue = TextQueue()
    queue.add(f"看这个 [pasted {A}]", "看这个 [paste #1]")
    queue.add("还有")
    assert queue.take() == (QueuedText(f"看这个 [pasted {A}]", "看这个 [paste #1]"), QueuedText("还有", "还有"))
    assert queue.take() == ()
