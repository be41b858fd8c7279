"""Puts a session together: every part is made here, from the settings, and handed what it needs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from paicli.agent.approval import ApprovalDesk
from paicli.agent.asking.questions import QuestionDesk
from paicli.agent.desk import PersonDesk
from paicli.agent.engine import Engine, ModeSwitch
from paicli.agent.gating.turn_policies import TurnPolicies
from paicli.agent.mentions.attachments import MentionReader
from paicli.agent.react import ReActAgent
from paicli.agent.tool_gate import GateRules, ToolGate
from paicli.agent.tool_loop import LoopParts
from paicli.agent.turn import TextQueue, prepared
from paicli.agent.turns import SessionTurns, TaskConversations
from paicli.app.settings import SessionKind, Settings
from paicli.app.wiring.beginning.collecting import collect_again
from paicli.app.wiring.beginning.front import Front, open_front
from paicli.app.wiring.guarding.audit import write_audit
from paicli.app.wiring.guarding.commands import command_guard
from paicli.app.wiring.guarding.places import rule_book
from paicli.app.wiring.guarding.sandbox import open_sandbox, sandbox_faults
from paicli.app.wiring.knowledge.session_knowledge import SessionKnowledge
from paicli.app.wiring.knowledge.tool_knowledge import ToolKnowledge
from paicli.app.wiring.model.fallback import with_fallbacks
from paicli.app.wiring.model.recording import Wrap, recording_of
from paicli.app.wiring.model.reviewer import open_reviewing
from paicli.app.wiring.model.spending import open_spending
from paicli.app.wiring.snapshots.session_snapshots import SessionSnapshots, noting_restores
from paicli.app.wiring.starting import begin_session, closing, follows_knowledge, journal_fault
from paicli.app.wiring.toolbox import Toolbox, open_toolbox
from paicli.app.wiring.warm_up import WarmUp, loads_for
from paicli.context.assembly import PromptMode, SystemPrompts
from paicli.context.introduction import ProjectIntroduction
from paicli.context.prompt_library import PromptLibrary
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_stream import EventStream
from paicli.core.events import Notice, NoticeLevel, Origin, SessionStarted
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.ops import Op, TurnKind
from paicli.llm.asking import ModelAsker
from paicli.llm.switching_client import SwitchingClient
from paicli.policy.path_guard import PathGuard
from paicli.policy.rule_book import RuleBook
from paicli.session.folder import SessionFolder
from paicli.session.journal import Journal
from paicli.session.results import ResultFiles
from paicli.session.stored.plans import PlanHistory
from paicli.tools.executor import ToolExecutor
from paicli.tools.files.digests import digest_of_file
from paicli.tools.ledger import FileLocks
from paicli.tools.registry import ToolRegistry
from paicli.tools.schemas import load_schemas
from paicli.ui.facts import SessionFacts
from paicli.version import VERSION

if TYPE_CHECKING:
    from paicli.agent.planning.plan_execute import PlanExecuteAgent
    from paicli.app.wiring.resume import Resumption
    from paicli.session.stored.opening import OpenedSession
    from paicli.system.sandbox.sandbox import Sandbox
    from paicli.ui.queries import SessionQueries


@dataclass(frozen=True, slots=True)
class Assembly:
    """A running session: ops go in by `submit`, events come out of `events`."""

    engine: Engine
    events: EventStream
    facts: SessionFacts
    texts: Texts
    results_folder: Path
    warnings: tuple[Fault, ...]
    """What the person should hear before the first turn."""
    queries: "SessionQueries | None"
    """None: no person is there to ask."""
    _offered_tools: Callable[[], tuple[str, ...]]
    _close: Callable[[], None]

    def submit(self, op: Op) -> None:
        self.engine.submit(op)

    def offered_tools(self) -> tuple[str, ...]:
        """Names, in the order in which the model sees them: all but what is withheld or the turn's policy hides."""
        return self._offered_tools()

    def settle(self) -> None:
        """Everything stands; only the garbage collector waited until nothing more is loaded."""
        collect_again()

    def close(self) -> None:
        """Cancels what runs, ends every command, closes journal and connections."""
        self._close()


class _Ground(NamedTuple):
    """What every other part of a session is made from."""

    settings: Settings
    kind: SessionKind
    texts: Texts
    masker: SecretMasker
    folder: SessionFolder
    stream: EventStream
    desk: PersonDesk
    client: SwitchingClient
    """What answers; a switch of models happens in it."""
    recorded: Wrap
    """Around every client whose requests belong to the conversation."""
    earlier: "Resumption | None"
    """What a stored session brings back."""
    plans: PlanHistory
    """What became of the session's plans."""

    def warn(self, fault: Fault) -> None:
        self.stream.publish(Notice(fault, NoticeLevel.WARNING), Origin())


def assemble(settings: Settings, *, session_kind: SessionKind, resumed: "OpenedSession | None" = None) -> Assembly:
    """Everything for one session, its engine running. Raises SettingsError for what the person must mend.

    `resumed`: a stored session that goes on.
    """
    return assemble_behind(open_front(settings, session_kind, resumed))


def assemble_behind(front: Front) -> Assembly:
    """The rest of a session whose `front` stands already; as `assemble`."""
    ground = _prepare(front)
    settings, resumed, paths = front.settings, front.resumed, front.paths
    stream, texts, folder = ground.stream, ground.texts, ground.folder
    library = PromptLibrary(settings.home / "prompts")
    knowledge = SessionKnowledge(settings, packaged_skills=library.packaged / "skills")
    prompts = SystemPrompts(library, knowledge.rules, appended=settings.append_system_prompt)
    results = ResultFiles(folder.results)
    readable = (folder.results, *(resumed.earlier_results if resumed else ()), *knowledge.skill_folders)
    paths.allow_reading(knowledge.skill_folders)
    sandbox = open_sandbox(settings, lambda: paths.folders, readable=readable)
    snapshots = SessionSnapshots(
        settings, folder.id, resumed.origins if resumed else {}, paths=paths, masker=ground.masker, stream=stream
    )
    toolbox = _open_tools(ground, results, sandbox=sandbox, snapshots=snapshots, knowledge=knowledge)
    registry = ToolRegistry(
        toolbox.tools, schemas=load_schemas(), describe=library.describe_tool, unoffered=toolbox.unoffered
    )
    stream.subscribe(WarmUp([*loads_for(toolbox.tools), lambda: _clean_storage(ground), snapshots.expire_old]))
    knowledge.serve(prompts, registry)
    book = rule_book(settings, registry)
    wiring = _Wiring(ground, book=book, library=library, snapshots=snapshots, reload_knowledge=knowledge.reload)
    engine = wiring.engine(registry, paths, prompts=prompts, results=results)
    stream.subscribe(noting_restores(wiring.react.remember_restore))
    if ground.earlier is not None:
        ground.earlier.bring_back(engine, wiring.react, registry)
    queries = None
    if front.kind is SessionKind.INTERACTIVE:
        # start-up: 12 ms, and nobody asks or changes anything where no person is
        from paicli.app.wiring.session_control import ControlledParts, control_session

        parts = ControlledParts(
            settings, texts, ground.masker, ground.client, book, paths, toolbox, registry, prompts, knowledge, folder,
            snapshots, wiring.policies, wiring.spending.totals, ground.plans, resumed.stored.events if resumed else (),
        )  # fmt: skip
        queries = control_session(engine, parts)
    write_audit(settings, stream, registry, masker=ground.masker)
    # Last of what can fail: wrong settings leave no empty session behind.
    journal = _open_journal(ground)
    stream.subscribe(follows_knowledge(knowledge))
    faults = (*knowledge.faults, *front.faults, *sandbox_faults(sandbox))
    warnings = begin_session(engine, journal, ground.earlier, faults=faults, client=ground.client)
    close = closing(engine, snapshots, toolbox, ground.client, wiring.reviewing.client, wiring.spending, journal)
    offered = partial(wiring.policies.offered, registry)
    return Assembly(engine, stream, front.facts, texts, folder.results, warnings, queries, offered, close)


def _prepare(front: Front) -> _Ground:
    settings, stream = front.settings, front.stream
    client = SwitchingClient(with_fallbacks(front.client, settings, stream=stream))
    recorded = recording_of(settings, client, masker=front.masker, warn=front.warn)
    plans = front.earlier.plans if front.earlier is not None else PlanHistory()
    stream.subscribe(plans)
    return _Ground(
        settings, front.kind, front.texts, front.masker, front.folder, stream, PersonDesk(), client, recorded,
        front.earlier, plans,
    )  # fmt: skip


def _open_tools(
    ground: _Ground,
    results: ResultFiles,
    *,
    sandbox: "Sandbox | None",
    snapshots: SessionSnapshots,
    knowledge: SessionKnowledge,
) -> Toolbox:
    is_attended = ground.kind is SessionKind.INTERACTIVE
    ask = QuestionDesk(ground.stream, ground.desk, ground.masker).ask if is_attended else None
    return open_toolbox(
        ground.settings,
        masker=ground.masker,
        results=results,
        ask=ask,
        sandbox=sandbox,
        restore=snapshots.tool,
        knowledge=ToolKnowledge(knowledge, ground.stream, masker=ground.masker).tools,
    )


def _open_journal(ground: _Ground) -> Journal:
    folder = ground.folder
    journal = Journal(
        folder.journal,
        masker=ground.masker,
        on_fault=lambda error: ground.warn(journal_fault(folder.journal, error)),
        file=ground.earlier.opened.file if ground.earlier else None,
    )
    ground.stream.subscribe(journal)
    return journal


class _Wiring:
    """The parts that are made from other parts."""

    def __init__(
        self,
        ground: _Ground,
        *,
        book: RuleBook,
        library: PromptLibrary,
        snapshots: SessionSnapshots,
        reload_knowledge: Callable[[], None],
    ) -> None:
        self._snapshots = snapshots
        self._reload_knowledge = reload_knowledge
        self._ground = ground
        self._book = book
        self._introduction = ProjectIntroduction(library, ground.settings.project_root)
        self._settings = ground.settings
        self._stream = ground.stream
        self._texts = ground.texts
        self._masker = ground.masker
        self._client = ground.recorded(ground.client)
        self.reviewing = open_reviewing(
            ground.settings,
            ground.kind,
            session=self._client,
            recorded=ground.recorded,
            stream=ground.stream,
            masker=ground.masker,
            prompt_text=library.text,
        )
        self.spending = open_spending(
            ground.settings,
            ground.kind,
            session=self._client,
            recorded=ground.recorded,
            stream=ground.stream,
            masker=ground.masker,
            prompt_text=library.text,
            earlier=ground.earlier.opened.stored.events if ground.earlier else (),
        )
        self._desk = ground.desk
        self._modes = ModeSwitch(ground.settings.mode)
        self.policies = TurnPolicies(ground.stream, root=ground.settings.project_root)

    def engine(
        self, registry: ToolRegistry, paths: PathGuard, *, prompts: SystemPrompts, results: ResultFiles
    ) -> Engine:
        approvals = ApprovalDesk(self._desk, self._book.grants)
        gate = self._gate(registry, paths, approvals=approvals, results=results)
        asker = ModelAsker(self._client, masker=self._masker)
        limits, _, compaction = self.spending
        mentions = MentionReader(paths, masker=self._masker, sees_images=lambda: self._client.capabilities.vision)
        parts = LoopParts(asker, gate, ToolExecutor(), self._texts, limits, mentions.attached_to, compaction, results)
        tasks = TaskConversations(parts, self._stream, digest_of=digest_of_file, policies=self.policies)
        self.react = react = ReActAgent(
            parts,
            system_prompt=lambda: prompts.assemble(PromptMode.REACT),
            before_renewal=self._reload_knowledge,
        )
        plans = cache(lambda: self._plans(asker, tasks, prompts=prompts, results=results))
        queued = TextQueue()
        turns = SessionTurns(
            react,
            plans,
            tasks=tasks,
            gate=gate,
            queued=queued,
            stream=self._stream,
            texts=self._texts,
            mentions=mentions,
        )
        runners = turns.runners()
        runners[TurnKind.INIT] = prepared(runners[TurnKind.REACT], self._introduction.request)
        return Engine(
            self._stream,
            started=self._ground.earlier.started if self._ground.earlier else self._started(registry),
            modes=self._modes,
            desk=self._desk,
            queued=queued,
            run_turn={kind: self._snapshots.around(run) for kind, run in runners.items()},
            masker=self._masker,
            conversation=react,
        )

    def _gate(
        self, registry: ToolRegistry, paths: PathGuard, *, approvals: ApprovalDesk, results: ResultFiles
    ) -> ToolGate:
        settings = self._settings
        rules = GateRules(
            mode=self._modes.in_turn,
            command_guard=command_guard(settings),
            decide_by_rule=self._book.decide,
            approvals=approvals,
            review=self.reviewing.review,
            before_change=self._snapshots.before_change,
        )
        return ToolGate(registry, paths=paths, locks=FileLocks(), rules=rules, results=results, masker=self._masker)

    def _plans(
        self, asker: ModelAsker, tasks: TaskConversations, *, prompts: SystemPrompts, results: ResultFiles
    ) -> "PlanExecuteAgent":
        # start-up: 8 ms, and a session plans only when it is asked to
        from paicli.app.wiring.planning.plans import PlanningParts, open_plans

        ground = self._ground
        return open_plans(
            PlanningParts(
                self._settings,
                self._stream,
                self._desk,
                self._masker,
                asker,
                tasks,
                prompts,
                results,
                self.policies,
                ground.plans,
            )
        )

    def _started(self, registry: ToolRegistry) -> SessionStarted:
        settings = self._settings
        return SessionStarted(
            VERSION,
            self._client.provider,
            self._client.model,
            settings.mode,
            str(settings.project_root),
            settings.language.value,
            registry.names,
            self._client.capabilities.window_tokens,
        )


def _clean_storage(ground: _Ground) -> None:
    from paicli.session.stored.cleaning import clean_storage  # start-up: nobody waits for it

    settings, earlier = ground.settings, ground.earlier
    origins = earlier.opened.origins if earlier is not None else ()
    clean_storage(settings.home, keep_days=settings.keep_days, current=ground.folder.journal, origins=origins)
