"""Everything a run is configured with, resolved once at start: what wiring builds from."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from paicli.app.trust.project_trust import NOTHING_BROUGHT, ProjectTrust
from paicli.core.catalogue.lookup import Language
from paicli.core.messages import Price
from paicli.core.ops import Mode
from paicli.system.sandbox.confinement import SandboxMode
from paicli.tools.web.search.providers import SearchChoice
from paicli.ui.facts import NotifyBy

if TYPE_CHECKING:
    from paicli.policy.network.guard import AllowedHost


class SessionKind(StrEnum):
    """Whether someone can be asked."""

    INTERACTIVE = "interactive"
    UNATTENDED = "unattended"


class ModelSettings(NamedTuple):
    """One model behind an endpoint."""

    provider: str
    """A row of the provider table in `llm`."""
    model: str
    base_url: str
    api_key: str = ""
    """Stripped; empty for servers that want none."""
    headers: tuple[tuple[str, str], ...] = ()
    """Extra request headers."""
    extra_body: tuple[tuple[str, Any], ...] = ()
    """Extra fields of the request's JSON body."""
    temperature: float | None = None
    is_thinking: bool = True
    window_tokens: int | None = None
    """None: the provider table knows, or the default."""
    connect_timeout_s: float = 15.0
    read_timeout_s: float = 300.0
    """Longest silence between bytes."""
    request_timeout_s: float = 1_800.0
    vision: bool | None = None
    """Whether the model sees images. None: the provider table knows."""
    price: Price | None = None
    """The person's own word. None: the provider table may know."""


class ReplaySettings(NamedTuple):
    """Replies come from a recorded conversation: no network, no key."""

    path: Path


class Settings(NamedTuple):
    language: Language
    home: Path
    """PAICLI_HOME or ~/.paicli; it need not exist yet."""
    project_root: Path
    """The folder paicli works in, resolved."""
    model: ModelSettings | ReplaySettings
    mode: Mode = Mode.AUTO
    plan_parallel: int = 4
    """1..4 tasks at once."""
    plan_max_replans: int = 2
    """0: never."""
    max_steps: int | None = None
    """Model replies a turn; None: no limit."""
    max_budget_tokens: int | None = None
    """Tokens a turn, as the server counts them; None: no limit."""
    max_budget_usd: float | None = None
    """What a run of the program may cost; None: no limit."""
    verbose: bool = False
    added_folders: tuple[Path, ...] = ()
    """Resolved folders outside the root that file tools may use."""
    tool_names: tuple[str, ...] | None = None
    """Which tools exist; None: the default set."""
    append_system_prompt: str = ""
    is_ascii: bool = False
    color: bool = True
    """False: NO_COLOR or TERM=dumb is set, or the configuration says so."""
    is_color_forced: bool = False
    """True: FORCE_COLOR asks for colours where no terminal is either."""
    theme: str = "dark"
    """dark | light | none"""
    snapshots_enabled: bool = True
    """Whether the project's files are kept before turns that may write."""
    sandbox: SandboxMode = SandboxMode.OFF
    """What commands are confined to."""
    notify: NotifyBy = NotifyBy.BELL
    """How a person who looks elsewhere is called back."""
    review_model: ModelSettings | None = None
    """Reviews commands; None: the session's model does."""
    small_model: ModelSettings | None = None
    """Sums conversations up; None: the session's model does."""
    fallback_models: tuple[ModelSettings, ...] = ()
    """Asked in this order when the model can't be reached for good."""
    allow_rules: tuple[str, ...] = ()
    """As written: `execute_command(git diff:*)`, `*`."""
    ask_rules: tuple[str, ...] = ()
    deny_rules: tuple[str, ...] = ()
    rule_origins: tuple[tuple[str, str], ...] = ()
    """(rule, the option or the file and key that brought it)"""
    record: Path | None = None
    """Where the conversation with the model is recorded, a file that does not exist yet."""
    web_search: SearchChoice = SearchChoice()
    """Which service web_search asks."""
    web_allow_hosts: "tuple[AllowedHost, ...]" = ()
    """Places that web_fetch may reach although they are not public."""
    skills_off: tuple[str, ...] = ()
    """Names of skills that no model is told of."""
    keep_days: int = 30
    """Sessions and what belongs to them are removed when nobody changed them for so long; 0: never."""
    secrets: tuple[str, ...] = ()
    """Values that are masked on every way out."""
    secret_variables: frozenset[str] = frozenset()
    """Environment variables that no child process gets."""
    trust: ProjectTrust = NOTHING_BROUGHT
    """What may be used of the folder's own files."""
