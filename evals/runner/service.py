"""What a case's `service.py` tells the runner: values for its texts, or that something is not on this machine."""

from collections.abc import Mapping
from pathlib import Path

from evals.runner.case import Case


class Missing(Exception):
    """`start` raises it: the case is skipped, and the text says what is missing and how to bring it."""


def placeholders_of(service: object) -> Mapping[str, str]:
    """`service.placeholders`: name → value, known only once the service runs (a port, a folder); empty without."""
    found: Mapping[str, str] = getattr(service, "placeholders", {})
    return found


def filled(text: str, values: Mapping[str, str]) -> str:
    """Each `{name}` of `values` becomes its value; every other brace stays as it is."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def filled_case(case: Case, values: Mapping[str, str]) -> Case:
    """The case with its config, its options and the person's words filled."""
    return case._replace(
        turns=tuple(filled(turn, values) for turn in case.turns),
        options=tuple(filled(option, values) for option in case.options),
        config=filled(case.config, values),
    )


def filled_model(model: str, folder: Path, values: Mapping[str, str]) -> str:
    """A recording is filled as a copy in the run's folder; any other model stays as it is."""
    recording = model.removeprefix("replay:")
    if recording == model or not values:
        return model
    copy = folder / "conversation.jsonl"
    copy.write_text(filled(Path(recording).read_text(encoding="utf-8"), values), encoding="utf-8")
    return f"replay:{copy}"
