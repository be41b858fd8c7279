"""`paicli demo`: the whole main job on a sample project, with prepared replies in place of a model."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from paicli.app.attended import run_one_turn
from paicli.app.command_line import CommandLine
from paicli.app.commands import Assemble, Call, assembled, progress_of
from paicli.app.config.environment import error_language, wants_color
from paicli.app.config.model_settings import key_variables
from paicli.app.config.resolution import known_secrets
from paicli.app.options import ExitStatus
from paicli.app.settings import ReplaySettings, SessionKind, Settings
from paicli.app.streams import Streams
from paicli.app.unattended.print_mode import Review, UnattendedTurn, run_unattended
from paicli.app.unattended.turn_output import TextOutput
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.ops import Submit, TurnKind
from paicli.llm.providers import PROVIDERS

_HERE = Path(__file__).parent
_PROJECT = "orders"
_SHOWN_VARIABLES = 4


def run_demo(line: CommandLine, environ: Mapping[str, str], *, streams: Streams, assemble: Assemble) -> int:
    """Plans, reviews and runs in a temporary copy, which is gone afterwards. Reads no configuration and no key.

    Everything goes to stdout: the demo is what there is to see.
    """
    texts = Texts(error_language(line.language, environ))
    streams.answer(texts.screen("demo.first_line") + "\n")
    folder = Path(tempfile.mkdtemp(prefix="paicli-demo-")).resolve()
    try:
        shutil.copytree(_HERE / "demo_project", folder / _PROJECT)
        call = Call(line, _settings(texts.language, folder, environ), texts, streams, environ, assemble)
        status = _run(call)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    names = [profile.key_variables[0] for profile in PROVIDERS.values() if profile.key_variables]
    code = "demo.last_lines" if status == ExitStatus.DONE else "demo.last_lines_unfinished"
    is_told = streams.answer(texts.screen(code, variables=", ".join(names[:_SHOWN_VARIABLES])) + "\n")
    return status if is_told else status or ExitStatus.FAILED


def _run(call: Call) -> int:
    op = Submit(call.texts.screen("demo.goal"), TurnKind.PLAN)
    if not call.line.is_yes:
        with assembled(call, SessionKind.INTERACTIVE) as session:
            return run_one_turn(session, op, streams=call.streams, environ=call.environ)
    shown = call._replace(streams=call.streams._replace(stderr=call.streams.stdout))
    with assembled(shown, SessionKind.UNATTENDED) as session:
        output = TextOutput(shown.streams)
        return run_unattended(session, UnattendedTurn(op, Review.ACCEPT), output=output, progress=progress_of(shown))


def _settings(language: Language, folder: Path, environ: Mapping[str, str]) -> Settings:
    return Settings(
        language=language,
        home=folder / "home",
        project_root=folder / _PROJECT,
        model=ReplaySettings(_HERE / f"demo_conversation.{language.value}.jsonl"),
        color=wants_color(environ),
        secrets=known_secrets(environ),
        secret_variables=key_variables(),
    )
