"""The arguments of our own time windows, by name or in order, and of any duration in text."""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.durations import Duration, read_duration, write_duration
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import call_name

# What each takes after the time: what it needs, then what may be left out.
ARGUMENTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sliding_window": (("difference",), ("resolution",)),
    "cumulate_window": (("size", "step"), ()),
    "calendar_window": (("unit",), ("every", "time_zone", "week_start")),
}
TYPES = {
    "sliding_window": "sliding",
    "cumulate_window": "cumulating",
    "calendar_window": "calendar",
}

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_UNITS = ("day", "week", "month", "quarter", "year")
_ALLOWED = {
    "unit": "one of " + ", ".join(f"'{unit}'" for unit in _UNITS),
    "every": "a whole number above zero, such as 2",
    "time_zone": "the name of a time zone in quotes, such as 'Europe/Berlin'",
    "week_start": "a day in quotes, such as 'sunday'",
}


def read_own_arguments(
    reading: Reading, call: exp.Expression, clause: str
) -> dict[str, str] | None:
    """The arguments by name, as text; none if one is missing, too many or not understood."""
    name = call_name(call)
    needed, optional = ARGUMENTS[name]
    allowed = [*needed, *optional]
    given: dict[str, exp.Expression] = {}
    for place, value in enumerate(call.expressions[1:]):
        argument = allowed[place] if place < len(allowed) else ""
        if isinstance(value, exp.Kwarg):
            argument, value = value.this.name.lower(), value.expression
        if argument not in allowed or argument in given:
            words = (
                f"{name} takes {', '.join(allowed)} after the time, each once",
                "take away what it does not take",
            )
            reading.refuse(clause, value, words)
            return None
        given[argument] = value
    missing = [argument for argument in needed if argument not in given]
    if missing:
        words = (f"{name} needs {' and '.join(missing)} after the time", "add it")
        reading.refuse(clause, call, words)
        return None
    read = {name: _read(reading, name, value, clause) for name, value in given.items()}
    texts = {name: text for name, text in read.items() if text is not None}
    return texts if len(texts) == len(read) else None


def _read(reading: Reading, name: str, value: exp.Expression, clause: str) -> str | None:
    if name not in _ALLOWED:
        length = read_length(reading, value, clause)
        if length is not None and length <= 0:
            reading.refuse(clause, value, (f"{name} must be above zero", "give a duration"))
            return None
        return None if length is None else write_duration(length)
    text = str(value.this) if isinstance(value, exp.Literal) else ""
    is_text = isinstance(value, exp.Literal) and bool(value.is_string)
    valid = {
        "unit": is_text and text.lower() in _UNITS,
        "every": not is_text and text.isdigit() and int(text) > 0,
        "time_zone": is_text and bool(text.strip()),
        "week_start": is_text and text.lower() in _DAYS,
    }
    if not valid[name]:
        reading.refuse(clause, value, (f"{name} must be {_ALLOWED[name]}", "write it so"))
        return None
    return text if name == "time_zone" else text.lower()


def read_length(reading: Reading, node: exp.Expression, clause: str) -> int | None:
    """A duration of one length in microseconds: a text, or a number of them, as Spark takes it."""
    if isinstance(node, exp.Literal) and not node.is_string and str(node.this).isdigit():
        return int(str(node.this))
    if isinstance(node, exp.Kwarg):
        reading.refuse(clause, node, refusals.BY_NAME)
        return None
    if not (isinstance(node, exp.Literal) and node.is_string):
        words = (
            "a duration must be one text in quotes here",
            "write it as it is, such as '1 hour'",
        )
        reading.refuse(clause, node, words)
        return None
    duration = read_text(reading, node, clause)
    if duration is not None and duration.months:
        words = (
            "a month and a year have no fixed length",
            "use calendar_window(time, 'month') or calendar_window(time, 'year')",
        )
        reading.refuse(clause, node, words)
        return None
    return None if duration is None else duration.total


def read_text(reading: Reading, node: exp.Literal, clause: str) -> Duration | None:
    """The duration that a text says."""
    duration = read_duration(str(node.this))
    if duration is None:
        words = (
            f"'{node.this}' is not understood as a duration",
            "write numbers and units, such as '30 minutes' or '1 hour 30 minutes'",
        )
        reading.refuse(clause, node, words)
    return duration
