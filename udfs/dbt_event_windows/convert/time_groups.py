"""Groups by time that need no other rows: date_trunc, date_bin and their like."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from dbt_event_windows.convert.differences import MICROS
from dbt_event_windows.convert.problems import not_understood
from dbt_event_windows.convert.same import bare, number_of
from dbt_event_windows.plain_sql.durations import read_duration, write_duration

_CALENDAR = ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
_LENGTHS = ("MILLISECOND", "MICROSECOND", "SECOND", "MINUTE", "HOUR")
_TRUNCATED = (exp.TimestampTrunc, exp.DateTrunc, exp.DatetimeTrunc, exp.TsOrDsToDate)
ZONE = (
    "calendar_window counts days in time_zone, UTC if it is not given: fill in the zone in which "
    "the model was run"
)


@dataclass(frozen=True)
class TimeGroup:
    """A time window: the call, without the time, and the name of its struct.

    `call` has `{time}` where the time stands. `is_date`: the model's own value is a DATE.
    """

    time: exp.Expression
    call: str
    struct: str
    is_date: bool = False
    notes: tuple[str, ...] = ()


def time_group_of(node: exp.Expression, dialect: str) -> TimeGroup | None:
    """The window that an expression truncates a time to; none if it does not truncate.

    Raises:
        NotUnderstoodError: it does so in a way that no window has.
    """
    node = bare(node)
    if isinstance(node, exp.Cast) and node.to.is_type("date"):
        inner = time_group_of(node.this, dialect)
        if inner is not None:
            return TimeGroup(inner.time, inner.call, inner.struct, True, inner.notes)
        return _calendar(node.this, "DAY", True)
    if isinstance(node, exp.Date | exp.TsOrDsToDate) and node.this is not None:
        return _calendar(node.this, "DAY", True)
    if isinstance(node, _TRUNCATED):
        return _truncated(node, dialect)
    if isinstance(node, exp.TimeSlice | exp.DateBin) or _name(node) == "timestamp_bucket":
        return _binned(node)
    return None


def _truncated(node: exp.Expression, dialect: str) -> TimeGroup:
    unit = node.args.get("unit")
    name = str(unit.name).upper() if isinstance(unit, exp.Expression) else ""
    is_date = isinstance(node, exp.DateTrunc)
    if isinstance(unit, exp.WeekStart):
        return _calendar(node.this, "WEEK", is_date, str(unit.name).lower())
    if name == "ISOWEEK":
        return _calendar(node.this, "WEEK", is_date)
    if name == "WEEK" and dialect == "bigquery":
        return _calendar(node.this, "WEEK", is_date, "sunday")
    if name in _CALENDAR:
        return _calendar(node.this, name, is_date)
    if name in _LENGTHS:
        return _window(node.this, MICROS[name])
    problem = f"there is no window of a {name.lower() or 'unit that is not named'}"
    units = ", ".join([*_LENGTHS[2:], *_CALENDAR]).lower()
    raise not_understood("GROUP BY", node, problem, f"use one of {units}")


def _calendar(
    time: exp.Expression, unit: str, is_date: bool, week_start: str = "monday"
) -> TimeGroup:
    options = f", week_start => '{week_start}'" if week_start != "monday" else ""
    call = f"calendar_window({{time}}, '{unit.lower()}'{options})"
    return TimeGroup(time, call, "calendar_window", is_date, (ZONE,))


def _window(time: exp.Expression, micros: int) -> TimeGroup:
    return TimeGroup(time, f"window({{time}}, '{write_duration(micros)}')", "window")


def _binned(node: exp.Expression) -> TimeGroup:
    mend = "write window(time, '15 minutes')"
    if isinstance(node, exp.TimeSlice):
        time, micros = node.this, _length(number_of(node.expression), node.args.get("unit"))
        if node.args.get("kind"):
            micros = None
    elif isinstance(node, exp.DateBin):
        time, origin = node.expression, node.args.get("unit")
        micros = _micros(node.this)
        if origin is not None and "1970-01-01" not in origin.sql():
            raise not_understood("GROUP BY", node, "its origin is not 1970-01-01", mend)
    else:
        time, micros = node.expressions[0], _micros(node.expressions[1])
        if len(node.expressions) > 2:
            raise not_understood("GROUP BY", node, "an origin is not converted", mend)
    if micros is None or micros <= 0:
        raise not_understood("GROUP BY", node, "its length is not understood", mend)
    return _window(time, micros)


def _micros(node: exp.Expression) -> int | None:
    if isinstance(node, exp.Interval):
        unit = node.args.get("unit")
        if unit is not None:
            return _length(float(str(node.this.this)), unit)
        node = node.this
    text = str(node.this) if isinstance(node, exp.Literal) else ""
    duration = read_duration(text)
    return duration.total if duration is not None and not duration.months else None


def _length(number: float | None, unit: exp.Expression | None) -> int | None:
    name = str(unit.name).upper().removesuffix("S") if unit is not None else ""
    return round(number * MICROS[name]) if number is not None and name in MICROS else None


def _name(node: exp.Expression) -> str:
    return str(node.this).lower() if isinstance(node, exp.Anonymous) else ""
