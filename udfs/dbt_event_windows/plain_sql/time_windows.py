"""The time window in a GROUP BY: Spark's `session_window` and `window`, and three of our own."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from dbt_event_windows.plain_sql.durations import Duration, write_duration
from dbt_event_windows.plain_sql.functions import OWN_WINDOWS, SPARK_WINDOWS
from dbt_event_windows.plain_sql.notes import CALENDAR_GAP
from dbt_event_windows.plain_sql.own_windows import (
    TYPES,
    read_length,
    read_own_arguments,
    read_text,
)
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import Canonical, call_name
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.text import Span

FORMS = {
    "session_window": "session_window(time, '30 minutes')",
    "window": "window(time, '1 hour') or window(time, '1 hour', '15 minutes')",
    "sliding_window": "sliding_window(time, '10 minutes')",
    "cumulate_window": "cumulate_window(time, '1 day', '1 hour')",
    "calendar_window": "calendar_window(time, 'month')",
}


@dataclass(frozen=True)
class TimeWindow:
    """A time window as the text asks for it.

    `struct` is the column that Spark makes of it, `session_window` or `window`. `arguments` are in
    the words of the window constructors. `gap` is the expression of a gap per row, `length` the
    text of a gap that is the same for all rows.
    """

    struct: str
    type: str
    span: Span
    time: exp.Expression
    arguments: dict[str, str] = field(default_factory=dict)
    gap: exp.Expression | None = None
    length: str | None = None

    def same(self, scope: Scope) -> Canonical:
        """Equal for calls that Spark takes for one window."""
        gap = scope.canonical_of(self.gap) if self.gap is not None else None
        time = scope.canonical_of(self.time)
        return (self.struct, self.type, time, gap, tuple(sorted(self.arguments.items())))


def is_time_window(node: exp.Expression) -> bool:
    return call_name(node) in SPARK_WINDOWS | OWN_WINDOWS


def read_time_window(
    reading: Reading, call: exp.Expression, span: Span, clause: str
) -> TimeWindow | None:
    """The window that a call asks for; none if a problem says why it cannot be had."""
    name = call_name(call)
    number = len(call.expressions)
    if (
        not number
        or (name == "session_window" and number != 2)
        or (name == "window" and not 2 <= number <= 4)
    ):
        words = (f"{name} has too few or too many arguments", f"write {FORMS[name]}")
        reading.refuse_span(clause, span, words)
        return None
    if name == "session_window":
        return _session(reading, call, span, clause)
    if name == "window":
        return _window(reading, call, span, clause)
    arguments = read_own_arguments(reading, call, clause)
    if arguments is None:
        return None
    return TimeWindow(name, TYPES[name], span, call.expressions[0], arguments)


def is_window_again(
    reading: Reading, scope: Scope, call: exp.Expression, window: TimeWindow, clause: str
) -> bool:
    """Whether a call is the same window as the one that was read before."""
    other = read_time_window(reading, call, window.span, clause)
    return other is not None and other.same(scope) == window.same(scope)


def _session(reading: Reading, call: exp.Expression, span: Span, clause: str) -> TimeWindow | None:
    time, gap = call.expressions
    if isinstance(gap, exp.Literal) and gap.is_string:
        return _session_of_one_gap(reading, time, gap, span, clause)
    if isinstance(gap, exp.Interval | exp.Literal | exp.Null):
        words = (
            "Spark takes the gap of session_window as a text, not as an interval or a number",
            f"write it as text: {FORMS['session_window']}",
        )
        reading.refuse(clause, gap, words)
        return None
    return TimeWindow("session_window", "session", span, time, gap=gap)


def _session_of_one_gap(
    reading: Reading, time: exp.Expression, gap: exp.Literal, span: Span, clause: str
) -> TimeWindow | None:
    duration = read_text(reading, gap, clause)
    if duration is None:
        return None
    parts = (duration.months, duration.days, duration.micros)
    if max(parts) <= 0:
        words = (
            f"a gap of '{gap.this}' leaves every row out, in Spark too",
            f"give a gap above zero: {FORMS['session_window']}",
        )
        reading.refuse(clause, gap, words)
        return None
    # Where these add up to more than zero, as if they were of one unit, Spark leaves no row out.
    # Clocks change by a day at most, where a zone goes over the date line.
    days = duration.days + duration.months * (28 if duration.months > 0 else 31)
    if min(parts) < 0 < sum(parts) and Duration(0, days - 1, duration.micros).total <= 0:
        words = (
            f"where a gap of '{gap.this}' is below zero Spark ends sessions before they begin",
            f"write it without a minus: {FORMS['session_window']}",
        )
        reading.refuse(clause, gap, words)
        return None
    if duration.months or duration.days:
        # Spark adds the gap as an interval of the calendar.
        reading.note(CALENDAR_GAP)
        if sum(parts) <= 0:
            return TimeWindow("session_window", "session", span, time, gap=gap)
        arguments = {"gap_by": f"cast('{gap.this}' as interval)"}
        return TimeWindow("session_window", "session", span, time, arguments)
    length = write_duration(duration.micros, days=False)
    return TimeWindow("session_window", "session", span, time, {"gap": length}, length=length)


def _window(reading: Reading, call: exp.Expression, span: Span, clause: str) -> TimeWindow | None:
    time, *rest = call.expressions
    lengths = [read_length(reading, one, clause) for one in rest]
    known = [length for length in lengths if length is not None]
    if len(known) < len(rest):
        return None
    size = known[0]
    slide = known[1] if len(known) > 1 else size
    start = known[2] if len(known) > 2 else 0
    problem = _fault(size, slide, start)
    if problem:
        reading.refuse_span(clause, span, (problem, "Spark refuses it too: give other durations"))
        return None
    arguments = {"size": write_duration(size)}
    if slide != size:
        arguments["advance_by"] = write_duration(slide)
    if start:
        arguments["offset"] = write_duration(start)
    kind = "tumbling" if slide == size else "hopping"
    return TimeWindow("window", kind, span, time, arguments)


def _fault(size: int, slide: int, start: int) -> str:
    """What is wrong with the durations of `window`, as Spark's TimeWindow checks them."""
    if size <= 0 or slide <= 0:
        return "the size and the slide of a window must be above zero"
    if slide > size:
        return "the slide of a window must not be above its size"
    if abs(start) >= slide:
        return "the start of a window must be nearer to zero than its slide"
    return ""
