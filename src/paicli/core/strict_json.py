"""JSON as it is written or not at all: no repeated keys, no NaN, nothing after the value; faults carry their place."""

import json
import re
from typing import Any, NoReturn


class JsonFault(ValueError):
    """The text is no strict JSON. `line` and `column` count from 1."""

    def __init__(self, what: str, *, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {what}")
        self.what = what
        self.line = line
        self.column = column


class _RepeatedKey(Exception):
    pass


class _NoNumber(Exception):
    pass


def parse_strict(text: str) -> Any:
    """The value. Raises JsonFault; a text nested too deep to read is a fault too, never a RecursionError."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise JsonFault(error.msg, line=error.lineno, column=error.colno) from None
    except _RepeatedKey as error:
        key = str(error)
        raise _fault_at(text, _second_place(text, key), f"repeated key {key!r}") from None
    except _NoNumber as error:
        constant = str(error)
        found = re.search(rf"(?<![\w\"]){re.escape(constant)}(?![\w\"])", text)
        raise _fault_at(text, found.start() if found else 0, f"{constant} is no JSON number") from None
    except RecursionError:
        raise JsonFault("nested too deep", line=1, column=1) from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise JsonFault(str(error), line=1, column=1) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _RepeatedKey(key)
        result[key] = value
    return result


def _refuse_constant(constant: str) -> NoReturn:
    raise _NoNumber(constant)


def _second_place(text: str, key: str) -> int:
    # The parser tells no position here; the second spelling of the key is the best guess.
    spelled = re.compile(re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:")
    places = [match.start() for match in spelled.finditer(text)]
    return places[1] if len(places) > 1 else 0


def _fault_at(text: str, position: int, what: str) -> JsonFault:
    line_start = text.rfind("\n", 0, position) + 1
    return JsonFault(what, line=text.count("\n", 0, position) + 1, column=position - line_start + 1)
