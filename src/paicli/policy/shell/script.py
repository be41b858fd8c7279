"""Every simple command in a shell text, wherever it stands, with its words, redirections and what it reads from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from paicli.policy.shell.source import (
    Unparsable,
    check_characters,
    check_tree,
    is_quoted_heredoc,
    read_tree,
    without_continuations,
)
from paicli.policy.shell.words import UNKNOWN, Word, expand, source_of

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_DEEPEST = 60
"""Subshells and substitutions inside each other; real texts need three."""

_ROUNDS_OF_JOINING = 4
_VALUE_ALTERNATIVES = 8

_COMMANDS = frozenset({"command", "test_command", "declaration_command", "unset_command"})
_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
_INPUTS = frozenset({"<", "<<", "<<-", "<<<"})
_VARIABLE_WRITERS = frozenset({"read", "mapfile", "readarray", "getopts", "printf", "unset", "let"})


class Redirect(NamedTuple):
    operator: str
    """">", ">>", "<", "&>", ">&", "<<", "<<<", …"""
    target: Word
    """File, file number, or for `<<` and `<<<` the text itself."""


class Assignment(NamedTuple):
    name: str
    value: Word


@dataclass(slots=True)
class SimpleCommand:
    """One program call, builtin or test; or a bare assignment or redirection (then without words)."""

    source: str
    words: list[Word] = field(default_factory=list[Word])
    assignments: list[Assignment] = field(default_factory=list[Assignment])
    redirects: list[Redirect] = field(default_factory=list[Redirect])
    """Its own, and the input of a loop or group it stands in."""
    pipe: list[int] | None = None
    """Numbers of the commands whose output it reads through a pipe; None: no pipe."""
    scope: tuple[int, ...] = ()
    """The subshells it stands in: what `cd` does there ends with them."""
    in_background: bool = False

    @property
    def name(self) -> str:
        return self.words[0].text if self.words else ""


@dataclass(slots=True)
class Script:
    """A parsed shell text."""

    commands: list[SimpleCommand] = field(default_factory=list[SimpleCommand])
    """In the order of the text; those inside a substitution follow the one they stand in."""
    functions: dict[str, tuple[int, ...]] = field(default_factory=dict[str, "tuple[int, ...]"])
    """Defined functions, and the scope of their bodies."""
    renamed: set[str] = field(default_factory=set[str])
    """Names that mean another program after an `alias` or `hash -p`."""


class _Place(NamedTuple):
    """Where in the text a node stands."""

    scope: tuple[int, ...] = ()
    pipe: list[int] | None = None
    groups: tuple[list[int], ...] = ()
    """Lists that collect the numbers of the commands found here."""
    tail: "tuple[Node, ...]" = ()
    """Redirections of a statement: they belong to its last command."""
    inputs: tuple[Redirect, ...] = ()
    """What a group or loop around reads from."""
    in_background: bool = False


@lru_cache(maxsize=32)
def parse(text: str) -> Script:
    """Raises Unparsable when bash may read the text differently from the tree. The script is only to be read.

    Guard, deny rules and allow rules each ask about the same command: parsing it costs 0.3 ms.
    """
    check_characters(text)
    raw = text.encode("utf-8")
    tree = read_tree(raw)
    for _ in range(_ROUNDS_OF_JOINING):
        joined = without_continuations(raw, tree)
        if joined == raw:
            break
        raw = joined
        tree = read_tree(raw)
    check_tree(raw, tree)
    return _Collector().collect(tree)


class _Collector:
    """Walks the tree without recursion (a list of 8,000 commands is a tree 8,000 deep), in the order of the text."""

    def __init__(self) -> None:
        self.script = Script()
        self.values: dict[str, list[str] | None] = {}
        self.feeds: dict[str, tuple[list[int], ...]] = {}
        """Commands whose output a variable holds."""
        self.scopes = 0
        self.waiting: list[tuple[Node, _Place]] = []

    def collect(self, tree: "Tree") -> Script:
        self.waiting.append((tree.root_node, _Place()))
        while self.waiting:
            self._visit(*self.waiting.pop())
        return self.script

    def _visit(self, node: "Node", place: _Place) -> None:
        kind = node.type
        if kind in _COMMANDS or kind in {"variable_assignment", "variable_assignments"}:
            self._add_command(node, place)
        elif kind == "redirected_statement":
            self._enter_redirected(node, place)
        elif kind == "pipeline":
            self._enter_pipeline(node, place)
        elif kind == "list":
            self._enter_list(node, place)
        elif kind == "negated_command":
            self._enter_children(node, place)
        elif place.tail:
            self._enter_fed(node, place)
        elif kind == "function_definition":
            self._enter_function(node, place)
        elif kind == "subshell" or kind in _SUBSTITUTIONS:
            self._enter_children(node, self._inner(place))
        elif kind == "for_statement":
            self._note_loop_values(node)
            self._enter_children(node, place)
        elif node.child_count:
            self._enter_children(node, place)

    def _inner(self, place: _Place) -> _Place:
        if len(place.scope) >= _DEEPEST:
            raise Unparsable("nesting")
        self.scopes += 1
        return place._replace(scope=(*place.scope, self.scopes))

    def _enter_children(self, node: "Node", place: _Place) -> None:
        children = node.children
        entered: list[tuple[Node, _Place]] = []
        for at, child in enumerate(children):
            if child.is_named:
                is_sent_back = at + 1 < len(children) and children[at + 1].type == "&"
                entered.append((child, place._replace(in_background=True) if is_sent_back else place))
        self.waiting.extend(reversed(entered))

    def _enter_list(self, node: "Node", place: _Place) -> None:
        """`a | b && c` comes as `a | (b && c)`: only its first reads the pipe, only its last has the tail."""
        named = [child for child in node.children if child.is_named]
        is_stage = node.parent is not None and node.parent.type == "pipeline"
        inner = place._replace(tail=(), pipe=None if is_stage else place.pipe)
        places = [inner] * len(named)
        places[0] = places[0]._replace(pipe=place.pipe)
        places[-1] = places[-1]._replace(tail=place.tail)
        self.waiting.extend(reversed(list(zip(named, places, strict=True))))

    def _enter_pipeline(self, node: "Node", place: _Place) -> None:
        stages = [child for child in node.children if child.is_named]
        entered: list[tuple[Node, _Place]] = []
        pipe = place.pipe
        for stage in stages:
            group: list[int] = []
            inner = place if stage.type == "list" else self._inner(place)
            entered.append((stage, inner._replace(pipe=pipe, groups=(*place.groups, group), tail=())))
            pipe = group
        entered[-1] = (stages[-1], entered[-1][1]._replace(tail=place.tail))
        self.waiting.extend(reversed(entered))

    def _enter_redirected(self, node: "Node", place: _Place) -> None:
        body = node.child_by_field_name("body")
        redirects = tuple(child for child in node.children if child.type.endswith("_redirect"))
        inner = place._replace(tail=(*redirects, *place.tail))
        if body is None:
            self._add_command(node, inner)
        else:
            self.waiting.append((body, inner))

    def _enter_fed(self, node: "Node", place: _Place) -> None:
        """A group, loop or subshell with redirections: checked on their own, and its input reaches who is inside."""
        group = self._add_command(None, place)
        inputs = tuple(redirect for redirect in group.redirects if redirect.operator in _INPUTS)
        self.waiting.append((node, place._replace(tail=(), inputs=(*place.inputs, *inputs))))

    def _enter_function(self, node: "Node", place: _Place) -> None:
        inner = self._inner(place)
        name = node.child_by_field_name("name")
        if name is not None:
            self.script.functions[source_of(name)] = inner.scope
        redirects = tuple(node.children_by_field_name("redirect"))
        if redirects:
            self._add_command(None, place._replace(tail=redirects))
        body = node.child_by_field_name("body")
        if body is not None:
            self.waiting.append((body, inner))

    def _add_command(self, node: "Node | None", place: _Place) -> SimpleCommand:
        """A command of the script; without `node`, one that holds the redirections of `place` only."""
        number = len(self.script.commands)
        source = source_of(node) if node is not None else " ".join(map(source_of, place.tail))
        command = SimpleCommand(source, pipe=place.pipe, scope=place.scope, in_background=place.in_background)
        self.script.commands.append(command)
        for group in place.groups:
            group.append(number)
        if node is not None and node.type == "redirected_statement":
            node = None
        if node is not None and node.type != "command":
            self._add_statement(node, command, place)
        elif node is not None:
            for child in node.children:
                following = child.next_sibling
                is_prefix = following is not None and following.start_byte == child.end_byte  # of $"a translated text"
                if child.type == "$" and not is_prefix:
                    command.words.append(Word("$"))
                self._take(child, command, place)
        inner = place._replace(tail=())
        for redirect in place.tail:
            self._take(redirect, command, inner)
        command.redirects.extend(place.inputs)
        if command.name == "alias":
            self.script.renamed.update(word.text.partition("=")[0] for word in command.words[1:] if "=" in word.text)
        if command.name == "hash" and len(command.words) > 3:
            self.script.renamed.add(command.words[-1].text)
        if command.name in _VARIABLE_WRITERS:
            self.values.update({word.text: None for word in command.words[1:]})
        return command

    def _add_statement(self, node: "Node", command: SimpleCommand, place: _Place) -> None:
        """Tests, `export X=1`, `unset X`, and bare assignments, whose key words are no words of the tree."""
        if node.type == "variable_assignment":
            self._take_assignment(node, command, place)
            self._note_values(command.assignments)
            return
        first = node.children[0]
        if not first.is_named:
            command.words.append(Word(first.type))
        for child in node.children:
            if child.type == "variable_assignment":
                self._take_assignment(child, command, place)
                if command.words:
                    command.words.append(Word(source_of(child), is_plain=command.assignments[-1].value.is_plain))
            elif child.is_named:
                self._take(child, command, place)
        self._note_values(command.assignments, command.words)

    def _take(self, child: "Node", command: SimpleCommand, place: _Place) -> None:
        """Adds what a child node means to `command`."""
        match child.type:
            case "variable_assignment":
                self._take_assignment(child, command, place)
            case "file_redirect":
                self._take_file_redirect(child, command, place)
            case "heredoc_redirect":
                self._take_heredoc(child, command, place)
            case "herestring_redirect":
                words = [word for part in child.children if part.is_named for word in self._words(part, place)]
                command.redirects.extend(Redirect("<<<", word) for word in words)
            case "comment":
                pass
            case "subshell":  # `time ( … )`: the tree takes it for an argument
                self.waiting.append((child, place))
            case _ if child.is_named:
                command.words.extend(self._words(child, place))
            case _:
                pass

    def _take_assignment(self, node: "Node", command: SimpleCommand, place: _Place) -> None:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        words = self._words(value, place) if value is not None else [Word("")]
        is_whole = name is not None and name.type == "variable_name" and any(c.type == "=" for c in node.children)
        word = words[0] if is_whole and len(words) == 1 else Word(UNKNOWN, is_plain=False)
        command.assignments.append(Assignment(source_of(name) if name is not None else "", word))
        if name is not None and name.type != "variable_name":
            self._words(name, place)

    def _take_file_redirect(self, node: "Node", command: SimpleCommand, place: _Place) -> None:
        """`>f b c` gives the file and two more arguments: the tree takes all of them for files."""
        operator = next((child.type for child in node.children if not child.is_named), ">")
        words = [word for part in node.children_by_field_name("destination") for word in self._words(part, place)]
        command.redirects.extend(Redirect(operator, word) for word in words[:1])
        command.words.extend(words[1:])

    def _take_heredoc(self, node: "Node", command: SimpleCommand, place: _Place) -> None:
        number = next(at for at in range(len(self.script.commands) - 1, -1, -1) if self.script.commands[at] is command)
        for child in node.children:
            if child.type == "heredoc_body":
                command.redirects.append(Redirect("<<", self._heredoc_text(node, child, place)))
            elif child.type == "file_redirect":
                self._take_file_redirect(child, command, place)
            elif child.type == "pipeline":
                self._enter_pipeline(child, place._replace(pipe=[number]))
            elif child.type not in {"heredoc_start", "heredoc_end", "file_descriptor"} and child.is_named:
                self.waiting.append((child, place))

    def _heredoc_text(self, redirect: "Node", body: "Node", place: _Place) -> Word:
        feeds = self._enter_substitutions(body, place)
        if is_quoted_heredoc(redirect):
            return Word(source_of(body))
        raw, start = body.text or b"", body.start_byte
        pieces: list[str] = []
        done = 0
        for child in body.children:
            pieces.append(raw[done : child.start_byte - start].decode("utf-8", "replace"))
            pieces.append(source_of(child) if child.type == "heredoc_content" else UNKNOWN)
            done = child.end_byte - start
        pieces.append(raw[done:].decode("utf-8", "replace"))
        text = "".join(pieces)
        return Word(text, is_plain=UNKNOWN not in text, feeds=feeds)

    def _words(self, node: "Node", place: _Place) -> list[Word]:
        feeds = self._enter_substitutions(node, place)
        return expand(node, self.values, feeds or self.feeds.get(_variable_alone(node), ()))

    def _enter_substitutions(self, node: "Node", place: _Place) -> tuple[list[int], ...]:
        """Lets the commands inside a word be visited next; one list of their numbers per substitution."""
        feeds: list[list[int]] = []
        nodes = [node]
        while nodes:
            current = nodes.pop()
            if current.type not in _SUBSTITUTIONS:
                nodes.extend(reversed(current.children))
                continue
            group: list[int] = []
            owner = len(self.script.commands) - 1
            writes = current.children[0].type == ">("
            inner = place._replace(groups=(*place.groups, group), tail=(), in_background=False)
            self.waiting.append((current, inner._replace(pipe=[owner]) if writes else inner))
            feeds.append(group)
        return tuple(feeds)

    def _note_loop_values(self, node: "Node") -> None:
        variable = node.child_by_field_name("variable")
        values = node.children_by_field_name("value")
        if variable is not None:
            words = [word for value in values for word in expand(value, self.values)]
            self._note(source_of(variable), words or [Word(UNKNOWN)])

    def _note_values(self, assignments: Sequence[Assignment], words: Sequence[Word] = ()) -> None:
        is_reference = any(word.text[:1] == "-" and "n" in word.text for word in words)  # `declare -n name=other`
        for assignment in assignments:
            if is_reference:
                self.values[assignment.name] = None
                continue
            self._note(assignment.name, [assignment.value])

    def _note(self, name: str, words: Sequence[Word]) -> None:
        """What the variable may hold from here on: this, or what it may have held before."""
        before = self.values.get(name, [])
        texts = [word.text for word in words]
        is_known = before is not None and not any(word.text == UNKNOWN or word.has_glob for word in words)
        known = [*(before or []), *texts]
        self.feeds[name] = tuple(feed for word in words for feed in word.feeds)
        self.values[name] = known if is_known and len(known) <= _VALUE_ALTERNATIVES else None


def _variable_alone(node: "Node") -> str:
    """The name of the variable a word consists of (`$x`, `"${x}"`), else ""."""
    text = source_of(node).strip('"').removeprefix("$").removeprefix("{").removesuffix("}")
    return text if node.type in {"string", "simple_expansion", "expansion"} and text.isidentifier() else ""
