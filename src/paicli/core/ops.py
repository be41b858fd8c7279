"""Everyone → engine: the union of all operations, and the choices they carry."""

from enum import StrEnum
from typing import NamedTuple


class Mode(StrEnum):
    """Shift+Tab cycles in this order."""

    AUTO = "auto"
    PLAN = "plan"
    ASK = "ask"

    def next(self) -> "Mode":
        modes = list(Mode)
        return modes[(modes.index(self) + 1) % len(modes)]


class TurnKind(StrEnum):
    REACT = "react"
    PLAN = "plan"
    PLAN_ONLY = "plan_only"
    """Make a plan and stop: `paicli plan GOAL`."""
    PLAN_FILE = "plan_file"
    """Review and run a stored plan: `text` is its JSON."""
    SHELL = "shell"
    """The person's own `!command`."""
    INIT = "init"
    """Look at the project and write PAI.md: `text` is what to mind."""
    PLAN_RESUME = "plan_resume"
    """Go on with the plan that a crash or a cancel left unfinished."""
    COMPACT = "compact"
    """Make the conversation smaller: `text` is what the summary should keep in view."""


class ApprovalDecision(StrEnum):
    ALLOW = "allow"
    ALLOW_SESSION = "allow_session"
    DENY = "deny"
    SKIP = "skip"
    EDIT = "edit"
    """Allow with the op's `arguments` in place of the model's; they are validated again."""
    CANCEL = "cancel"
    """No, and cancel the turn."""


class ReviewDecision(StrEnum):
    EXECUTE = "execute"
    CANCEL = "cancel"
    REVISE = "revise"
    """Change the plan by the op's `feedback`."""
    STOP = "stop"
    """Nobody is there to review (`-p` without `-y`): run nothing, exit status 3."""


class Submit(NamedTuple):
    """Starts a turn, or waits for the running one to end."""

    text: str
    """The person's own words."""
    kind: TurnKind | None = None
    """None: the session's mode decides when the turn starts."""
    attachments: str = ""
    """Content of mentioned files and long pastes, bounded: joins the first message, never the policy's words."""
    words: str | None = None
    """What of `text` the person typed, where not all of it: the policy hears nothing else. None: all."""


class Queue(NamedTuple):
    """Text typed while a turn runs: joins it before its next request (ReAct) or starts the next turn (plan)."""

    text: str
    words: str | None = None
    """As in `Submit`."""


class RecallQueue(NamedTuple):
    """Takes queued texts back; they come as `QueueTaken(into="input")`."""


class Cancel(NamedTuple):
    """Cancels the running turn; nothing when idle. Takes effect on the caller's thread."""


class DecideApproval(NamedTuple):
    request_id: str
    decision: ApprovalDecision
    reason: str = ""
    arguments: str = ""
    """JSON text, with EDIT."""
    by: str = "user"
    """As in `ApprovalDecided`."""


class DecideReview(NamedTuple):
    request_id: str
    decision: ReviewDecision
    feedback: str = ""
    by: str = "user"
    """As in `PlanReviewed`."""


class AnswerQuestion(NamedTuple):
    request_id: str
    answer: str
    by: str = "user"
    """user | nobody (no person there: the model is told so)"""


class RewindScope(StrEnum):
    CONVERSATION = "conversation"
    """The files stay as they are."""
    FILES = "files"
    """The conversation stays as it is."""
    BOTH = "both"


class Rewind(NamedTuple):
    """Takes conversation, files or both back to before that turn; it waits for a running one to end."""

    turn_id: str
    scope: RewindScope = RewindScope.CONVERSATION


class RestoreFiles(NamedTuple):
    """Brings the files back to a snapshot; it waits for a running turn to end. Comes as `FilesRestored`."""

    snapshot: str


class UndoTurns(NamedTuple):
    """Takes back what turns did to files; other changes stay. It waits for a running turn to end."""

    turn_count: int = 1
    """The last turns that wrote."""
    from_turn: str = ""
    """That turn_id and all since, whatever `turn_count` says."""


class TakeSnapshot(NamedTuple):
    """One snapshot more, at the person's word; it waits for a running turn to end."""


class SetMode(NamedTuple):
    """Tightening holds from the next tool call, loosening from the next turn."""

    mode: Mode


class RunShell(NamedTuple):
    """The person's own `!command`: no review, but the guards hold; joins the conversation."""

    command: str


class ClearConversation(NamedTuple):
    pass


class Storing(StrEnum):
    SESSION = "session"
    """For this session only."""
    SAVED = "saved"
    """Written to config.toml too."""


class RuleChange(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"
    REMOVE = "remove"


class ExportFormat(StrEnum):
    MARKDOWN = "md"
    JSON = "json"
    PLAN = "plan"
    """The plan that was made last, as a file that `paicli run` takes; what is completed stays so."""
    MERMAID = "mermaid"
    """A graph of the plan that was made last."""


class SetModel(NamedTuple):
    """Another model from the next request on; the conversation stays. Comes as `ModelChanged`."""

    name: str
    """[PROVIDER/]MODEL, or a provider alone for its default model."""
    storing: Storing = Storing.SESSION


class ChangeRule(NamedTuple):
    """A permission rule more or less, from the next tool call on."""

    change: RuleChange
    rule: str
    """`execute_command(git diff:*)`"""
    storing: Storing = Storing.SESSION


class AddFolder(NamedTuple):
    """One more folder for the file tools, from the next tool call on."""

    path: str


class StopCommand(NamedTuple):
    """Ends a background command: TERM, then KILL."""

    id: str


class Rename(NamedTuple):
    """Gives the session a title. Comes as `SessionRenamed`."""

    title: str


class SetLanguage(NamedTuple):
    language: str
    """zh | en"""


class CopyAnswer(NamedTuple):
    """The last answer to the clipboard."""


class ExportSession(NamedTuple):
    """The conversation so far into a new file."""

    format: ExportFormat
    path: str = ""
    """Empty: a name of its own in the project's folder."""


class AbandonPlan(NamedTuple):
    """Gives up what is left of an unfinished plan. Comes as `PlanAbandoned`."""

    plan_id: str


class AppendRule(NamedTuple):
    """Adds a line to PAI.md; the next conversation follows it."""

    text: str


class SaveMemory(NamedTuple):
    """Adds a line to the memory file; the next conversation knows it."""

    text: str


class ForgetMemory(NamedTuple):
    """Takes a line out of the memory file."""

    line: str
    """As it is shown."""


class SwitchSkill(NamedTuple):
    """Offers a skill or hides it, from the next conversation on."""

    name: str
    is_on: bool


class Shutdown(NamedTuple):
    """Cancels what runs, ends background commands, closes the session."""


SessionOp = (
    AbandonPlan
    | AppendRule
    | SetModel
    | ChangeRule
    | AddFolder
    | StopCommand
    | Rename
    | SetLanguage
    | CopyAnswer
    | ExportSession
    | SaveMemory
    | ForgetMemory
    | SwitchSkill
)
"""Taken at any time, on the caller's thread; what came of it is said by events."""

FileOp = RestoreFiles | UndoTurns | TakeSnapshot
"""Wait for a running turn to end: nothing writes meanwhile."""

Op = (
    Submit
    | Queue
    | RecallQueue
    | Cancel
    | DecideApproval
    | DecideReview
    | AnswerQuestion
    | Rewind
    | FileOp
    | SetMode
    | RunShell
    | ClearConversation
    | SessionOp
    | Shutdown
)
