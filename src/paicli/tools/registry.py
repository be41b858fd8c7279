"""Finds tools by name and says what they are to a model."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind, ToolDeclaration, ToolEffect
from paicli.tools.tool import Tool


class ToolRegistry:
    """The tools of a session, in the order in which a model sees them."""

    def __init__(
        self,
        tools: Iterable[Tool],
        *,
        schemas: Mapping[str, dict[str, Any]],
        describe: Callable[[str], str],
        unoffered: Collection[str] = (),
    ) -> None:
        """`schemas`: name → JSON schema of the arguments. `describe`: name → description for the model.

        `unoffered`: tools that are there and answer, but that no model is told of (a search without a service).
        """
        self._tools = {tool.name: tool for tool in tools}
        self._withheld = set(unoffered)
        self._all = tuple(ToolDeclaration(name, describe(name), schemas[name]) for name in self._tools)
        self._declarations = self._offered()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._tools)

    @property
    def declarations(self) -> tuple[ToolDeclaration, ...]:
        return self._declarations

    def offer(self, name: str) -> None:
        """Models are told of it from now on."""
        self._withheld.discard(name)
        self._declarations = self._offered()

    def withhold(self, name: str) -> None:
        """No model is told of it from now on; called all the same, it answers."""
        self._withheld.add(name)
        self._declarations = self._offered()

    def _offered(self) -> tuple[ToolDeclaration, ...]:
        return tuple(declaration for declaration in self._all if declaration.name not in self._withheld)

    def find(self, name: str) -> Tool:
        """Raises ToolFailed that lists the names there are."""
        tool = self._tools.get(name)
        if tool is None:
            known = ", ".join(self._tools)
            raise ToolFailed("tool.unknown", kind=ErrorKind.NOT_FOUND, name=name[:80], known=known)
        return tool

    def is_offered(self, name: str) -> bool:
        """Whether a model is told of the tool at all; a turn's policy may still hide it."""
        return any(declaration.name == name for declaration in self._declarations)

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    def effect_of(self, name: str) -> ToolEffect | None:
        """None for a name that is no tool's."""
        tool = self._tools.get(name)
        return tool.effect if tool is not None else None
