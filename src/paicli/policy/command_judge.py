"""Goes through a parsed command and everything inside it, and says what is wrong. Loaded with the first command."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain

from paicli.core.unicode import clipped, well_formed
from paicli.policy.shell.calls import Call
from paicli.policy.shell.carried import changes_what_runs, env_variables, variable_text
from paicli.policy.shell.code import evaluates_a_word, findings_in_code
from paicli.policy.shell.dangers import danger_of, danger_of_writing
from paicli.policy.shell.hidden.tool_scripts import reads_script_from_input, shell_texts_in
from paicli.policy.shell.hidden.unlisted import hidden_commands, hidden_texts
from paicli.policy.shell.places import Ground
from paicli.policy.shell.programs import SHELLS
from paicli.policy.shell.script import Assignment, Script, SimpleCommand, parse
from paicli.policy.shell.source import LONGEST, Unparsable
from paicli.policy.shell.sources import Sources, is_connected
from paicli.policy.shell.verdicts import FETCHED_CODE, FORK_BOMB, PRIVILEGE, UNKNOWN_PART, Danger
from paicli.policy.shell.words import HOME, UNKNOWN, WORKING_FOLDER, Word
from paicli.policy.shell.wrappers import Inner, Program, inner_commands, name_of, shell_texts
from paicli.policy.verdict import CommandVerdict, VerdictKind

_MATCHED_CHARACTERS = 200
_MOST_WRAPPERS = 10
_MOST_CHARACTERS = 3 * LONGEST
"""Of texts inside texts (`sh -c "sh -c …"`) that one check reads."""
_MOST_FUNCTIONS = 60
"""Who calls whom is followed up to here."""
_COST_OF_A_TEXT = 500

_ON_FOUND = frozenset({"rm", "shred", "unlink", "rmdir", "rimraf", "chmod", "chown", "chgrp", "setfacl", "chattr"})
"""What these do to all that find finds counts as done to the folders it starts from."""
_SETTERS = frozenset({"env", "export", "declare", "typeset", "readonly", "local", "time", "!", "coproc"})
_FOLDER_CHANGERS = frozenset({"cd", "pushd", "chdir"})


def judge_command(command: str, ground: Ground, branches: tuple[str, ...]) -> CommandVerdict:
    """REFUSED for what can't be meant, UNPARSED for what only running it would tell, else ALLOWED."""
    doubt: CommandVerdict | None = None
    for danger, matched in Judge(ground, branches).findings(command):
        verdict = CommandVerdict(danger.kind, danger.code, _presentable(matched))
        if danger.kind is VerdictKind.REFUSED:
            return verdict
        doubt = doubt or verdict
    return doubt or CommandVerdict(VerdictKind.ALLOWED)


class Judge:
    """One check: counts what it reads, so that texts inside texts stay bounded."""

    def __init__(self, ground: Ground, branches: tuple[str, ...]) -> None:
        self.ground = ground
        self.branches = branches
        self.characters_left = _MOST_CHARACTERS

    def findings(self, text: str) -> Iterator[tuple[Danger, str]]:
        yield from self.findings_in(text, self.ground.root)

    def findings_in(self, text: str, folder: str | None) -> Iterator[tuple[Danger, str]]:
        """What is wrong in a text that runs in `folder` (None: unknown), each with the command it stands in."""
        self.characters_left -= len(text) + _COST_OF_A_TEXT
        if self.characters_left < 0:
            yield UNKNOWN_PART, text
            return
        try:
            script = parse(text)
        except Unparsable as error:
            code = "too_long" if error.args == ("length",) else "unparsed"
            yield Danger(VerdictKind.UNPARSED, f"policy.command_{code}"), text
            return
        yield from _ScriptReading(self, script, folder).findings()


class _ScriptReading:
    """One parsed text, gone through in its order with the folder each command runs in."""

    def __init__(self, judge: Judge, script: Script, folder: str | None) -> None:
        self.judge = judge
        self.script = script
        self.sources = Sources(script)
        self.folders: dict[tuple[int, ...], str | None] = {(): folder}

    def findings(self) -> Iterator[tuple[Danger, str]]:
        for command in self.script.commands:
            folder = self._folder_of(command.scope)
            for danger in self._dangers(command, folder):
                yield danger, command.source
            self._follow(command, folder)
        if len(self.script.functions) > _MOST_FUNCTIONS:
            yield UNKNOWN_PART, next(iter(self.script.functions))
            return
        yield from ((FORK_BOMB, name) for name in self.script.functions if self._is_fork_bomb(name))

    def _dangers(self, command: SimpleCommand, folder: str | None) -> Iterator[Danger]:
        redirected = [r.target for r in command.redirects if ">" in r.operator and not r.target.text.isdigit()]
        found = danger_of_writing(Call((), self.judge.ground, folder), redirected)
        if found is not None:
            yield found
        if is_connected(command) and name_of(command.words) in SHELLS:
            yield FETCHED_CODE
        for assignment in command.assignments:
            yield from self._variable(assignment, (command, folder))
        if command.words:
            yield from self._examine(Inner(tuple(command.words)), (command, folder), 0)

    def _examine(self, inner: Inner, around: tuple[SimpleCommand, str | None], depth: int) -> Iterator[Danger]:
        """The call itself, what it wraps, and the code it hands to a shell or interpreter."""
        command, folder = around
        self.judge.characters_left -= len(inner.words)  # wrappers that add input are gone through in two forms
        if depth > _MOST_WRAPPERS or self.judge.characters_left < 0:
            yield UNKNOWN_PART
            return
        words = self._with_input(inner, command) if inner.takes_input else inner.words
        if inner.folder is not None:
            folder = self._moved(folder, inner.folder)
        # without any input xargs runs the command as it stands; with input it runs it longer
        forms = [words] if words == inner.words else [inner.words, words]
        for form in forms:
            found = danger_of(Call(form, self.judge.ground, folder, self.judge.branches))
            if found is not None:
                yield found
        if words[0].text in self.script.renamed or evaluates_a_word(words):
            yield UNKNOWN_PART
        if name_of(words) in _ON_FOUND and (inner.takes_input or not all(word.is_known for word in words)):
            yield from self._done_to_found(inner, command, folder)
        if self.sources.is_fetched_file(words[0]):
            yield FETCHED_CODE
        if "/" in words[0].text:
            yield from self._written_code(Program("sh"), words[0], (command, folder))
        if name_of(words) in _SETTERS:
            for variable in env_variables([word for word in words[1:] if _is_variable(word)]):
                name, _, value = variable.text.partition("=")
                yield from self._variable(Assignment(name, variable._replace(text=value)), around)
        for program in shell_texts(words):
            yield from self._code(program, command, folder)
        if reads_script_from_input(words):
            yield from self._tool_input(words, command, folder)
        wrapped_commands = [each for form in forms for each in inner_commands(form)]
        for wrapped in wrapped_commands:
            for danger in self._examine(wrapped, (command, folder), depth + 1):
                yield danger if not wrapped.is_remote or danger != PRIVILEGE else UNKNOWN_PART
        if not wrapped_commands and self._hides_a_danger(words, (command, folder), depth):
            yield UNKNOWN_PART

    def _hides_a_danger(self, words: Sequence[Word], around: tuple[SimpleCommand, str | None], depth: int) -> bool:
        """Whether an argument of a program nobody listed would be refused as a command, a text or code of its own."""
        commands = (Inner(tuple(hidden)) for hidden in hidden_commands(words))
        found = (danger for hidden in commands for danger in self._examine(hidden, around, depth + 1))
        if any(danger.kind is VerdictKind.REFUSED for danger in found):
            return True
        for text in hidden_texts(words):
            code = Program(name_of(words), text=text, is_shell=False)
            dangers = chain(self._text(code._replace(is_shell=True), text, around), self._text(code, text, around))
            if any(danger.kind is VerdictKind.REFUSED for danger in dangers):
                return True
        return False

    def _tool_input(self, words: Sequence[Word], command: SimpleCommand, folder: str | None) -> Iterator[Danger]:
        """A tool that reads its script from a here-document or a pipe: the shell texts in it."""
        inputs = [redirect.target for redirect in command.redirects if redirect.operator in {"<<", "<<<"}]
        printed = self.sources.printed_text(command.pipe) if command.pipe and not inputs else None
        script = inputs[-1] if inputs else Word(printed) if printed is not None else None
        if script is None:
            return
        for text in shell_texts_in(name_of(words), script):
            yield from self._text(Program(name_of(words), text=text), text, (command, folder))

    def _variable(self, assignment: Assignment, around: tuple[SimpleCommand, str | None]) -> Iterator[Danger]:
        """A variable that programs run, or that changes which code runs."""
        name, value = assignment.name, assignment.value
        text = variable_text(name, value)
        if text is not None:
            yield from self._text(Program(name, text=text), text, around)
        if changes_what_runs(name, value):
            yield UNKNOWN_PART

    def _done_to_found(self, inner: Inner, command: SimpleCommand, folder: str | None) -> Iterator[Danger]:
        """`find / … | xargs rm` is `find / … -exec rm {} ;`, and so is a loop that reads what find printed."""
        for number in command.pipe or ():
            words = self.script.commands[number].words
            found = (
                danger_of(Call((*words, Word("-exec"), *inner.words, Word(";")), self.judge.ground, folder))
                if words
                else None
            )
            if name_of(words) == "find" and found is not None:
                yield found

    def _with_input(self, inner: Inner, command: SimpleCommand) -> tuple[Word, ...]:
        """The arguments xargs adds: those that stand in the text, else an unknown one."""
        texts = [r.target.text for r in command.redirects if r.operator == "<<<"]
        text = texts[-1] if texts else self.sources.printed_text(command.pipe or ()) if command.pipe else None
        added = [Word(piece) for piece in text.split()] if text else [Word(UNKNOWN, is_plain=False)]
        filled = [word._replace(text=word.text.replace("{}", UNKNOWN)) for word in inner.words]
        return (*filled, *added) if filled == list(inner.words) else tuple(filled)

    def _code(self, program: Program, command: SimpleCommand, folder: str | None) -> Iterator[Danger]:
        given = program.text or program.file
        if given is not None and self.sources.come_from_fetch([given]):
            yield FETCHED_CODE
        elif program.text is not None:
            yield from self._text(program, program.text, (command, folder))
        elif program.is_from_input:
            yield from self._input(program, command, folder)
        elif program.file is not None:
            if self.sources.is_fetched_file(program.file):
                yield FETCHED_CODE
            elif program.file.text.startswith(UNKNOWN):
                yield UNKNOWN_PART
            else:
                yield from self._written_code(program, program.file, (command, folder))

    def _written_code(self, program: Program, file: Word, around: tuple[SimpleCommand, str | None]) -> Iterator[Danger]:
        """A script that the same text wrote before it runs it."""
        written = self.sources.written_text(file)
        if written is not None:
            yield from self._text(program, Word(written), around)

    def _text(self, program: Program, text: Word, around: tuple[SimpleCommand, str | None]) -> Iterator[Danger]:
        command, folder = around
        if not program.is_shell:
            yield from self._foreign_code(program, text, around)
            return
        source = text.text.replace(HOME, "$HOME").replace(WORKING_FOLDER, "$PWD").replace(UNKNOWN, "$__")
        yield from (danger for danger, _ in self.judge.findings_in(source, folder))
        said = source.replace(";", " ").replace("|", " ").replace("&", " ").split()
        if any(name in said and self._stands_in(command, name) for name in self.script.functions):
            yield UNKNOWN_PART  # a function that calls itself in a text
        if not text.is_known:
            yield FETCHED_CODE if self._reads_fetched(command) else UNKNOWN_PART

    def _foreign_code(self, program: Program, text: Word, around: tuple[SimpleCommand, str | None]) -> Iterator[Danger]:
        """Code in another language: what it starts is judged as shell text, what else it does stays unknown."""
        command, folder = around
        code = text.text.replace(HOME, self.judge.ground.home)
        found = findings_in_code(program.runner, code)
        if found.is_fork_bomb:
            yield FORK_BOMB
        for started in found.started:
            dangers = [danger for danger, _ in self.judge.findings_in(started, folder)]
            yield from (danger for danger in dangers if danger.kind is VerdictKind.REFUSED)
        call = Call((), self.judge.ground, folder)
        files = [_at_home(path) for path in found.written]
        deletions = [Word("rm"), Word("-rf"), *map(_at_home, found.deleted)]
        dangers = (danger_of_writing(call, files), danger_of(call._replace(words=deletions)) if found.deleted else None)
        yield from (danger for danger in dangers if danger is not None)
        maybe = danger_of_writing(call, [_at_home(path) for path in found.maybe_written])
        if found.starts_programs or maybe is not None or text.text == UNKNOWN:
            yield FETCHED_CODE if self._reads_fetched(command) else UNKNOWN_PART

    def _reads_fetched(self, command: SimpleCommand) -> bool:
        return any(number in self.sources.fetched for number in command.pipe or ())

    def _input(self, program: Program, command: SimpleCommand, folder: str | None) -> Iterator[Danger]:
        """A shell or interpreter that reads its program from a here-document, a file or a pipe."""
        inputs = [redirect for redirect in command.redirects if redirect.operator in {"<", "<<", "<<<"}]
        if inputs:
            last = inputs[-1]
            if self.sources.come_from_fetch([last.target]) or self.sources.is_fetched_file(last.target):
                yield FETCHED_CODE
            elif last.operator != "<":
                yield from self._text(program, last.target, (command, folder))
            elif not last.target.is_known:
                yield UNKNOWN_PART
            return
        if command.pipe is None:
            return
        if any(number in self.sources.fetched for number in command.pipe):
            yield FETCHED_CODE
            return
        printed = self.sources.printed_text(command.pipe)
        if printed is not None:
            yield from self._text(program, Word(printed), (command, folder))
        elif not self.sources.are_local_files(command.pipe):
            yield UNKNOWN_PART

    def _folder_of(self, scope: tuple[int, ...]) -> str | None:
        for length in range(len(scope), -1, -1):
            if scope[:length] in self.folders:
                return self.folders[scope[:length]]
        return None

    def _follow(self, command: SimpleCommand, folder: str | None) -> None:
        """What `cd` changes for the commands after it."""
        words = command.words
        while words and name_of(words) in {"builtin", "command"}:
            words = words[1:]
        name = name_of(words)
        if name in _FOLDER_CHANGERS:
            goals = [word for word in words[1:] if not word.text.startswith("-") or word.text == "-"]
            self.folders[command.scope] = self._moved(folder, goals[0] if goals else Word(HOME))
        elif name == "popd":
            self.folders[command.scope] = None

    def _moved(self, folder: str | None, goal: Word) -> str | None:
        target = self.judge.ground.target(goal, folder)
        return target.path if target.is_known and goal.text != "-" else None

    def _is_fork_bomb(self, name: str) -> bool:
        """A function that starts itself, straight or through others, twice at once or in the background."""
        circle = self._circle_of(name)
        calls = {
            number
            for number, command in enumerate(self.script.commands)
            if command.name in circle and any(self._stands_in(command, member) for member in circle)
        }
        return any(
            self.script.commands[number].in_background or not calls.isdisjoint(self.script.commands[number].pipe or ())
            for number in calls
        )

    def _circle_of(self, name: str) -> set[str]:
        """The functions that `name` calls and that lead back to it; empty when none does."""
        reached = {each: self._reached_from(each) for each in self._reached_from(name)}
        return {each for each, further in reached.items() if name in further}

    def _reached_from(self, name: str) -> set[str]:
        found: set[str] = set()
        waiting = [name]
        while waiting:
            for called in self.calls[waiting.pop()] - found:
                found.add(called)
                waiting.append(called)
        return found

    @cached_property
    def calls(self) -> dict[str, set[str]]:
        """Function → functions it calls."""
        functions = self.script.functions
        commands = [command for command in self.script.commands if command.name in functions]
        return {name: {command.name for command in commands if self._stands_in(command, name)} for name in functions}

    def _stands_in(self, command: SimpleCommand, function: str) -> bool:
        scope = self.script.functions[function]
        return command.scope[: len(scope)] == scope


def _at_home(path: str) -> Word:
    return Word(path.replace("~", HOME, 1) if path.startswith("~") else path, has_glob="*" in path)


def _is_variable(word: Word) -> bool:
    """`NAME=value` as it will be; a declaration's own words come as source, and their values were looked at before."""
    return "=" in word.text and (word.is_plain or "$" not in word.text)


def _presentable(text: str) -> str:
    return clipped(well_formed(text).strip(), _MATCHED_CHARACTERS)
