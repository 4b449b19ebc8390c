"""Groups by time that need no other rows: date_trunc, date_bin and their like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlglot import exp

from dbt_event_windows.convert.dialects import Dialect
from dbt_event_windows.convert.differences import MICROS
from dbt_event_windows.convert.problems import not_understood
from dbt_event_windows.convert.same import bare, is_date, number_of
from dbt_event_windows.plain_sql.durations import read_duration, write_duration

_CALENDAR = ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
_SHORT = {"DD": "DAY", "MM": "MONTH", "MON": "MONTH", "YY": "YEAR", "YYYY": "YEAR"}
_EPOCH = re.compile(r"1970-01-01(?:[T ]00:00(?::00(?:\.0+)?)?)?(?: ?UTC|Z|\+00(?::?00)?)?")
# BigQuery counts buckets from 1950-01-01, so many microseconds before windows of Spark's begin.
_BUCKETS_BEGIN = -7305 * MICROS["DAY"]
_LENGTHS = ("MILLISECOND", "MICROSECOND", "SECOND", "MINUTE", "HOUR")
# Each of them is made of whole ones of those before it; weeks are of days.
_NESTED = (*MICROS, "MONTH", "QUARTER", "YEAR")
# Of Spark, as sqlglot reads them; what is truncated to one is the same in it.
_TIMESTAMPS = ("timestamp", "timestamptz", "timestampltz")
_TRUNCATED = (exp.TimestampTrunc, exp.DateTrunc, exp.DatetimeTrunc, exp.TsOrDsToDate)
ZONE = (
    "calendar_window counts days in time_zone, UTC if it is not given: fill in the zone in which "
    "the model was run"
)

UTC_DAYS = (
    "days, weeks and months of a TIMESTAMP are those of UTC in BigQuery where it names no zone: "
    "keep spark.sql.session.timeZone at UTC, by which a date is taken of the window's start"
)
_OF_NTZ = (
    "date_trunc makes a TIMESTAMP of a TIMESTAMP_NTZ, and the start of a window stays one: there "
    "write cast(... as timestamp) around it"
)
_OF_DATE = (
    "the old model's value was a DATE where the time is one: there write cast(... as date) around "
    "the start of the window"
)
_WEEKS = "weeks begin on Monday, as in Snowflake where the parameter WEEK_START is 0 or 1"
_HOURS = (
    "window counts hours from UTC: in a session zone that is half hours from it, such as "
    "Asia/Kolkata, the old model's hours began at others"
)
_ORIGIN = (
    "window counts from the midnight of UTC: where the old model counted from that of a session "
    "zone that is hours from it, windows can begin at others"
)


@dataclass(frozen=True)
class TimeGroup:
    """A time window: the call, without the time, and the name of its struct.

    `is_date`: the model's own value is a DATE, of the zone if there is one. `is_cast`: it is cast
    to a TIMESTAMP. `unit` is the smallest that is made of whole windows; nothing where they can be
    parts of several.
    """

    time: exp.Expression
    call: str
    struct: str
    is_date: bool = False
    notes: tuple[str, ...] = ()
    zone: str | None = None
    unit: str = ""
    is_cast: bool = False

    @property
    def start(self) -> exp.Expression:
        """What the model has for a group, over the window's struct."""
        start: exp.Expression = exp.column("start", table=self.struct)
        if self.zone is not None and self.is_date:
            # the day of the zone, whatever that of the session is
            arguments = [exp.Literal.string(self.zone), start]
            start = exp.Anonymous(this="convert_timezone", expressions=arguments)
        start = exp.cast(start, "date") if self.is_date else start
        return exp.cast(start, "timestamp") if self.is_cast else start


def time_group_of(node: exp.Expression, dialect: Dialect) -> TimeGroup | None:
    """The window that an expression truncates a time to; none if it does not truncate.

    Raises:
        NotUnderstoodError: it does so in a way that no window has.
    """
    node = bare(node)
    group = _group_of(node, dialect)
    if group is None:
        return None
    if ZONE in group.notes and dialect.name == "bigquery":
        group = replace(group, notes=(UTC_DAYS,))
    return replace(group, notes=(*group.notes, *_notes_of_truncated(node, group, dialect)))


def _notes_of_truncated(node: exp.Expression, group: TimeGroup, dialect: Dialect) -> Iterator[str]:
    """What to know of a truncated time: the first day of weeks, and the type that it had."""
    if not isinstance(node, _TRUNCATED):
        return
    if dialect.name == "snowflake" and group.unit == "WEEK":
        yield _WEEKS
    if group.is_date:
        return
    if dialect.is_spark:
        yield _OF_NTZ
    elif (
        group.struct == "calendar_window" and group.zone is None and _may_be_of_date(node, dialect)
    ):
        yield _OF_DATE


def _makes_date(node: exp.Expression, dialect: Dialect) -> bool:
    """Whether a truncated time is a DATE for sure."""
    if dialect.is_spark:
        return isinstance(node, exp.DateTrunc)
    return _may_be_of_date(node, dialect) and is_date(node.this)


def _may_be_of_date(node: exp.Expression, dialect: Dialect) -> bool:
    """Whether this truncates a DATE to a DATE, and a time to a time."""
    return dialect.name == "snowflake" or isinstance(node, exp.DateTrunc)


def _group_of(node: exp.Expression, dialect: Dialect) -> TimeGroup | None:
    if isinstance(node, exp.Cast) and node.to.is_type("date"):
        return _date(node, dialect)
    if isinstance(node, exp.Cast) and dialect.is_spark and node.to.is_type(*_TIMESTAMPS):
        inner = _group_of(bare(node.this), dialect)
        return None if inner is None else replace(inner, is_cast=True)
    if isinstance(node, exp.Date | exp.TsOrDsToDate) and node.this is not None:
        if node.args.get("format"):
            problem = "a text that is read with a format is no time"
            mend = "make it a time below: to_timestamp(text, format); and group by its date"
            raise not_understood("GROUP BY", node, problem, mend)
        return _date(node, dialect)
    if isinstance(node, exp.Extract) and node.this.name.upper() == "DATE":
        return _date(_date_of(node.expression), dialect)
    if isinstance(node, _TRUNCATED):
        group = _truncated(node, dialect)
        _check_nested(node, group, dialect)
        return group
    if isinstance(node, exp.TimeSlice | exp.DateBin) or _name(node) == "timestamp_bucket":
        return _binned(node)
    return None


def _date_of(time: exp.Expression) -> exp.Expression:
    """The date of a time, of the zone that stands behind it if there is one."""
    if isinstance(time, exp.AtTimeZone):
        return exp.Date(this=time.this, zone=time.args["zone"])
    return exp.Date(this=time)


def _date(node: exp.Expression, dialect: Dialect) -> TimeGroup:
    """The day of a time; of a time that is truncated to days or longer units it is that unit."""
    zone, inner = _zone(node), _cut_before(node.this, dialect)
    if inner is None:
        return _calendar(node.this, "DAY", True, zone=zone)
    if inner.is_date or (inner.struct == "calendar_window" and _is_zone(inner.zone, zone)):
        return replace(inner, is_date=True, is_cast=False)
    if inner.unit not in _LENGTHS:
        problem = "a day of windows that are no parts of days"
        raise not_understood("GROUP BY", node, problem, "group by the date of the time")
    return _calendar(inner.time if zone is None else node.this, "DAY", True, zone=zone)


def _cut_before(time: exp.Expression, dialect: Dialect) -> TimeGroup | None:
    """What a time is truncated to before its day or another unit is taken of it."""
    node = bare(time)
    is_read = isinstance(node, exp.Date | exp.TsOrDsToDate) and node.args.get("format")
    return None if is_read else _group_of(node, dialect)


def _check_nested(node: exp.Expression, group: TimeGroup, dialect: Dialect) -> None:
    """Check what is truncated: the start of a longer unit lies far before its rows.

    Raises:
        NotUnderstoodError: it is truncated already, and not to parts of this unit.
    """
    inner = _cut_before(group.time, dialect)
    if inner is None or inner.call == group.call:
        return
    unit = "DAY" if group.unit == "WEEK" else group.unit
    is_of_one_clock = inner.struct == "window" or _is_zone(inner.zone, group.zone)
    if not is_of_one_clock or inner.unit not in _NESTED[: _NESTED.index(unit) + 1]:
        problem = "this is truncated before, to windows that are no parts of those here"
        raise not_understood("GROUP BY", node, problem, "truncate the time of the row alone")


def _truncated(node: exp.Expression, dialect: Dialect) -> TimeGroup:
    unit = node.args.get("unit")
    name = str(unit.name).upper() if isinstance(unit, exp.Expression) else ""
    name = _SHORT.get(name, name)
    makes_date = _makes_date(node, dialect)
    if dialect.is_spark and makes_date and name in ("DAY", *_LENGTHS):
        problem = f"trunc of Spark is null for the unit {name.lower()}"
        mend = f"write date_trunc('{name.lower()}', time), or date(time) for days"
        raise not_understood("GROUP BY", node, problem, mend)
    time, zone = _time_and_zone(node)
    if name not in _LENGTHS:
        time = _without_date(time)
    if isinstance(unit, exp.WeekStart):
        return _calendar(time, "WEEK", makes_date, str(unit.name).lower(), zone)
    if name == "ISOWEEK":
        return _calendar(time, "WEEK", makes_date, zone=zone)
    if name == "WEEK":
        return _calendar(time, "WEEK", makes_date, dialect.first_day, zone)
    if name in _CALENDAR:
        return _calendar(time, name, makes_date, zone=zone)
    if name in _LENGTHS and zone in (None, "UTC"):
        notes = (_HOURS,) if name == "HOUR" and zone is None else ()
        return replace(_window(time, MICROS[name]), notes=notes, unit=name)
    if name in _LENGTHS:
        problem = f"windows of one {name.lower()} are counted in UTC, and not in {zone}"
        mend = "leave the zone out, if its clock is whole hours from UTC, or group by days"
        raise not_understood("GROUP BY", node, problem, mend)
    problem = f"there is no window of a {name.lower() or 'unit that is not named'}"
    units = ", ".join([*_LENGTHS[2:], *_CALENDAR]).lower()
    raise not_understood("GROUP BY", node, problem, f"use one of {units}")


def _time_and_zone(node: exp.Expression) -> tuple[exp.Expression, str | None]:
    """What is truncated, and the zone whose clock it is truncated by, if the model names one."""
    inner = bare(node.this)
    if isinstance(inner, exp.Date) and inner.args.get("zone"):
        return inner.this, _zone(inner)
    return node.this, _zone(node)


def _without_date(time: exp.Expression) -> exp.Expression:
    """The time of which a date is taken, which makes no difference to days and longer units."""
    inner = bare(time)
    is_whole = isinstance(inner, exp.Cast | exp.Date | exp.TsOrDsToDate) and is_date(inner)
    return (
        inner.this if is_whole and inner.this is not None and not inner.args.get("format") else time
    )


def _zone(node: exp.Expression) -> str | None:
    zone = node.args.get("zone")
    if zone is None or (isinstance(zone, exp.Literal) and zone.is_string):
        return None if zone is None else str(zone.this)
    problem = "the time zone is not the same for all rows"
    raise not_understood("GROUP BY", node, problem, "name one zone, such as 'Europe/Berlin'")


def _is_zone(zone: str | None, other: str | None) -> bool:
    """Whether two zones are one; only BigQuery's functions take any, and without one it is UTC."""
    return (zone or "UTC") == (other or "UTC")


def _calendar(
    time: exp.Expression,
    unit: str,
    is_date: bool,
    week_start: str = "monday",
    zone: str | None = None,
) -> TimeGroup:
    options = f", week_start => '{week_start}'" if week_start != "monday" else ""
    options += f", time_zone => '{zone}'" if zone is not None else ""
    call = f"calendar_window('{unit.lower()}'{options})"
    notes = (ZONE,) if zone is None else ()
    return TimeGroup(time, call, "calendar_window", is_date, notes, zone, unit)


def _window(time: exp.Expression, micros: int, offset: int = 0) -> TimeGroup:
    length = f"'{write_duration(micros)}'"
    places = f"{length}, {length}, '{write_duration(offset)}'" if offset else length
    return TimeGroup(time, f"window({places})", "window")


def _binned(node: exp.Expression) -> TimeGroup:
    mend, offset, origin = "write window(time, '15 minutes')", 0, None
    if isinstance(node, exp.TimeSlice):
        time, micros = node.this, _length(number_of(node.expression), node.args.get("unit"))
        kind = node.args.get("kind")
        if kind is not None and kind.name.upper() != "START":
            problem = "this is the end of a slice, which is not in it"
            raise not_understood("GROUP BY", node, problem, f"{mend}, and show window.end")
    elif isinstance(node, exp.DateBin):
        time, origin = node.expression, node.args.get("unit")
        micros = _micros(node.this)
        begins = origin.find(exp.Literal) if origin is not None else None
        if origin is not None and (begins is None or not _EPOCH.fullmatch(str(begins.this))):
            raise not_understood("GROUP BY", node, "its origin is not 1970-01-01", mend)
    else:
        if len(node.expressions) > 2:
            raise not_understood("GROUP BY", node, "an origin is not converted", mend)
        if len(node.expressions) < 2:
            raise not_understood("GROUP BY", node, "its length is not understood", mend)
        time, micros = node.expressions[0], _micros(node.expressions[1])
        offset = _BUCKETS_BEGIN
    if micros is None or micros <= 0:
        raise not_understood("GROUP BY", node, "its length is not understood", mend)
    # hours have as many parts of this length, so that whole hours make no difference
    is_of_utc = origin is None and not isinstance(node, exp.TimeSlice)
    notes = () if is_of_utc or MICROS["HOUR"] % micros == 0 else (_ORIGIN,)
    unit = "HOUR" if MICROS["HOUR"] % micros == 0 else ""
    return replace(_window(time, micros, offset % micros), notes=notes, unit=unit)


def _micros(node: exp.Expression) -> int | None:
    if isinstance(node, exp.Interval):
        unit = node.args.get("unit")
        if unit is not None:
            return _length(number_of(node.this), unit)
        node = node.this
    text = str(node.this) if isinstance(node, exp.Literal) else ""
    duration = read_duration(text)
    return duration.total if duration is not None and not duration.months else None


def _length(number: Fraction | None, unit: exp.Expression | None) -> int | None:
    name = str(unit.name).upper().removesuffix("S") if unit is not None else ""
    return round(number * MICROS[name]) if number is not None and name in MICROS else None


def _name(node: exp.Expression) -> str:
    return str(node.this).lower() if isinstance(node, exp.Anonymous) else ""
