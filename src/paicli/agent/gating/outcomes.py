"""What a call's end means for the turn's policy: URLs that may be fetched from now on, content from outside."""

from typing import TYPE_CHECKING

from paicli.agent.actor import Actor
from paicli.agent.gating.decision import DecidedBy
from paicli.core.errors import PolicyDenied
from paicli.core.events import UrlRefused, UrlTrusted
from paicli.core.masking import SecretMasker
from paicli.core.messages import ToolEffect, ToolOutcome, ToolResult
from paicli.policy.rules import COMMAND_TOOL, SERVER_TOOLS
from paicli.tools.tool import Tool

if TYPE_CHECKING:
    from pydantic import BaseModel


def note_outcome(tool: Tool, arguments: "BaseModel", result: ToolResult, *, actor: Actor) -> None:
    """Of a call that ran, with whatever outcome: its text is in the conversation from now on."""
    if tool.name == COMMAND_TOOL:
        actor.policy.note_command(str(arguments.model_dump()["command"]))
    if tool.effect is ToolEffect.NETWORK or tool.name.startswith(SERVER_TOOLS):
        actor.policy.note_outside(tool.name)
    if result.found_urls and result.outcome is ToolOutcome.OK:
        for url in actor.policy.note_found(result.found_urls):
            actor.emit(UrlTrusted(url, "web_search"))


def note_refusal(error: PolicyDenied, actor: Actor, masker: SecretMasker) -> None:
    """Says which URL was refused, where it was about one."""
    url = error.fields.get("url")
    if isinstance(url, str):
        actor.emit(UrlRefused(masker.mask(url), error.code))


def refused_in_tool(error: PolicyDenied) -> DecidedBy:
    """Whose word it is when a tool itself says no: the policy's about a URL, else a guard's."""
    return DecidedBy.POLICY if "url" in error.fields else DecidedBy.GUARD
