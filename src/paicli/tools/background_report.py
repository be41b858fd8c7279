"""What a model reads of a background command: its state and what is new."""

from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import CommandRun, ToolResult
from paicli.system.background import BackgroundLook
from paicli.system.running_command import CommandStatus
from paicli.tools.command_report import OutputReader, body, exit_words, remarks, seconds_text


def background_result(look: BackgroundLook, reader: OutputReader, call_id: str) -> ToolResult:
    """The state of the command and its output since the last look. Its exit code is no failure of this call."""
    output = reader.read(look.output, f"{look.id}-{call_id}")
    outcome = look.outcome
    lines = [_state(look)]
    if outcome is not None:
        lines += remarks(outcome, output)
    content = body(lines, output, empty="command.no_new_output", heading="command.new_output")
    detail = CommandRun(
        reader.mask(look.command),
        outcome.exit_code if outcome is not None else None,
        look.duration_s,
        outcome.stage_codes if outcome is not None else (),
        background_id=look.id,
        tail=output.tail,
    )
    return ToolResult(reader.mask(content), detail)


def _state(look: BackgroundLook) -> str:
    seconds = seconds_text(look.duration_s)
    if look.outcome is None:
        return model_text("command.background_running", id=look.id, seconds=seconds)
    if look.outcome.status is CommandStatus.CANCELLED:
        return model_text("command.background_stopped", id=look.id, seconds=seconds)
    return model_text("command.background_ended", id=look.id, how=exit_words(look.outcome))
