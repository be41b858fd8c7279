"""From a fault's code to words; whatever comes, something readable stands there."""

from paicli.core.catalogue.lookup import MODEL, Texts, model_text
from paicli.core.faults import Fault


def fault_text(fault: Fault, texts: Texts) -> str:
    """The catalogue's text with the fault's fields; a code without a text shows itself and its fields."""
    return code_text(fault.code, dict(fault.fields), texts)


def reason_text(reason: str, command: str, texts: Texts) -> str:
    """A reason is either prose (a reviewer's) or a catalogue code (a guard's), whose text may name the command."""
    is_code = texts.has(reason) or reason in MODEL
    return code_text(reason, {"matched": " ".join(command.split())}, texts) if is_code else reason


def code_text(code: str, fields: dict[str, str], texts: Texts) -> str:
    try:
        if texts.has(code):
            return texts.screen(code, **fields)
        if code in MODEL:
            return model_text(code, **fields)
    except KeyError:
        pass  # a field that the template wants is not there: the plain form below loses nothing
    return " ".join([code, *(f"{name}={value}" for name, value in fields.items())])
