"""Comparisons of a row's time with that of the row before it: the gap that they mean."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction

import sqlglot
from sqlglot import exp

from dbt_event_windows.convert.gaps import (
    note_of_clock,
    note_of_exact,
    note_of_rounding_up,
    note_of_whole_units,
)
from dbt_event_windows.convert.problems import not_understood
from dbt_event_windows.convert.same import bare, number_of, same
from dbt_event_windows.plain_sql.durations import read_duration

MICROS = {
    "MICROSECOND": 1,
    "MILLISECOND": 1_000,
    "SECOND": 1_000_000,
    "MINUTE": 60_000_000,
    "HOUR": 3_600_000_000,
    "DAY": 86_400_000_000,
}
_UNITS = {Fraction(micros): unit for unit, micros in MICROS.items()}
_POINTS: dict[type, str] = {
    exp.UnixSeconds: "SECOND",
    exp.UnixMillis: "MILLISECOND",
    exp.UnixMicros: "MICROSECOND",
}
_TAKEN_OFF = (exp.DateSub, exp.TimestampSub, exp.DatetimeSub)
# No `date_add(time, 1)` of Spark, which is the midnight at the end of a day.
_ADDED = (exp.DateAdd, exp.TimestampAdd, exp.DatetimeAdd, *_TAKEN_OFF)
_EPOCH = {"EPOCH": "SECOND", "EPOCH_SECOND": "SECOND", "EPOCH_MILLISECOND": "MILLISECOND"}
_MEND = (
    "write it as time > lag(time) over (...) + interval 30 minutes, or as timestampdiff(second, "
    "lag(time) over (...), time) > 1800"
)
# What sqlglot adds to `unix_timestamp(time)`.
_DEFAULT_FORMAT = sqlglot.parse_one("unix_timestamp(a)", read="databricks").args.get("format")
BY_CLOCK = (
    "in a session zone whose clocks change the old model counts by the clock, also across a "
    "change; the gap is the time that has passed"
)
DAYS = "a day of the gap is 24 hours, also where clocks change"
BY_CALENDAR = (
    "Spark adds whole days by the calendar, also those of '24 hours'; the gap is the time that has "
    "passed"
)
# Two expressions of one row: is the first the row's time, and the second that of the row before?
IsStep = Callable[[exp.Expression, exp.Expression], bool]


@dataclass(frozen=True)
class Gap:
    """The longest time, in microseconds, after which a row is still of the session.

    `adds` is what adds it to a time in whole days, which may be a DATE then; none if nothing does.
    """

    micros: int
    notes: tuple[str, ...] = ()
    adds: type[exp.Expression] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class _Length:
    """A time between two rows: `rounding` says what `micros` per unit is lost."""

    unit: str
    # exact, down (to whole units passed), up (to units begun), clock (units of the clock)
    rounding: str
    factor: Fraction = Fraction(1)


def gap_of(comparison: exp.Expression, is_step: IsStep) -> Gap:
    """The gap of `time - time before > limit`, in the ways in which it is written.

    Raises:
        NotUnderstoodError: this is none of them.
    """
    node = bare(comparison)
    if isinstance(node, exp.LT | exp.LTE):
        swapped = exp.GT if isinstance(node, exp.LT) else exp.GTE
        node = swapped(this=node.expression, expression=node.this)
    if not isinstance(node, exp.GT | exp.GTE):
        raise _refused(comparison)
    strict = isinstance(node, exp.GT)
    left, right = bare(node.this), bare(node.expression)
    shifted = _shifted(left, right, is_step)
    if shifted is not None:
        side, micros = shifted
        if not _adds_days(side, micros):
            return _exactly(micros, strict)
        return replace(_exactly(micros, strict, DAYS, BY_CALENDAR), adds=type(side))
    limit = _interval(right)
    if limit is not None and isinstance(left, exp.Sub) and is_step(left.this, left.expression):
        return _exactly(limit, strict, BY_CLOCK)
    number, length = number_of(right), _length(left, is_step)
    if number is None or length is None:
        raise _refused(comparison)
    return _gap(length, number, strict)


def is_distance(node: exp.Expression, is_step: IsStep) -> bool:
    """Whether this is the time since the row before, in any unit or as an interval."""
    node = bare(node)
    is_interval = isinstance(node, exp.Sub) and is_step(node.this, node.expression)
    return is_interval or _length(node, is_step) is not None


def _exactly(limit: int, strict: bool, *notes: str) -> Gap:
    return Gap(limit, notes) if strict else Gap(limit - 1, (note_of_exact(limit), *notes))


def _gap(length: _Length, number: Fraction, strict: bool) -> Gap:
    unit, limit = MICROS[length.unit], number / length.factor
    name = length.unit.lower()
    if length.rounding == "down":
        # whole units > n are n + 1 or more
        least = (math.floor(limit) + 1 if strict else math.ceil(limit)) * unit
        return Gap(least - 1, (note_of_whole_units(name, least, unit), BY_CLOCK))
    if length.rounding == "up":
        # units begun are n or more where more than n - 1 have passed
        most = math.floor(limit) if strict else math.ceil(limit) - 1
        return Gap(most * unit, (note_of_rounding_up(name),))
    micros = math.floor(limit * unit) if strict else math.ceil(limit * unit)
    gap = _exactly(micros, strict)
    return Gap(gap.micros, (note_of_clock(name),)) if length.rounding == "clock" else gap


def _shifted(
    left: exp.Expression, right: exp.Expression, is_step: IsStep
) -> tuple[exp.Expression, int] | None:
    """The sum and the limit of `time > time before + limit` and `time - limit > time before`."""
    for side, other, sign in ((right, left, 1), (left, right, -1)):
        base, micros = _moved(side)
        if base is None or micros is None:
            continue
        later, earlier = (other, base) if sign == 1 else (base, other)
        if is_step(later, earlier):
            return side, micros * sign
    return None


def _moved(node: exp.Expression) -> tuple[exp.Expression | None, int | None]:
    """A time and what is added to it."""
    if isinstance(node, exp.Add | exp.Sub):
        micros = _interval(node.expression)
        sign = 1 if isinstance(node, exp.Add) else -1
        return node.this, None if micros is None else sign * micros
    if isinstance(node, _ADDED):
        number, unit = number_of(_unquoted(node.expression)), _unit(node)
        # others than whole numbers are rounded in one warehouse and cut off in another
        if number is not None and number.denominator == 1 and unit in MICROS:
            micros = int(number) * MICROS[unit]
            return node.this, -micros if isinstance(node, _TAKEN_OFF) else micros
    return None, None


def _length(node: exp.Expression, is_step: IsStep) -> _Length | None:
    node = _rounded_up(bare(node), is_step)
    if isinstance(node, exp.Ceil):
        inner = _length(node.this, is_step)
        if inner is None or (inner.unit, inner.rounding) != ("SECOND", "clock"):
            return None
        unit = None if node.args.get("decimals") else _UNITS.get(MICROS["SECOND"] / inner.factor)
        return None if unit is None else _Length(unit, "up")
    if isinstance(node, exp.Mul | exp.Div):
        factor, inner = number_of(node.expression), _length(node.this, is_step)
        # times a negative number the later row would be the earlier one
        if factor is not None and factor > 0 and inner is not None:
            times = factor if isinstance(node, exp.Mul) else 1 / factor
            return _Length(inner.unit, inner.rounding, inner.factor * times)
        return None
    if isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.NUMERIC_TYPES):
        inner = _length(node.this, is_step)
        if inner is None or node.to.is_type("double"):
            return inner
        # to a whole number Spark cuts off what others round, a decimal may have too few places
        is_whole = inner.rounding != "exact" and inner.factor.denominator == 1
        return inner if is_whole else None
    if isinstance(node, exp.DateDiff | exp.TimestampDiff | exp.DatetimeDiff):
        unit = _unit(node)
        if unit not in MICROS or unit == "DAY" or not is_step(node.this, node.expression):
            return None
        on_the_clock = node.args.get("date_part_boundary") or isinstance(node, exp.DatetimeDiff)
        return _Length(unit, "clock" if on_the_clock else "down")
    if isinstance(node, exp.Sub):
        later, earlier = _point(node.this), _point(node.expression)
        if later and earlier and later[1:] == earlier[1:] and is_step(later[0], earlier[0]):
            return _Length(later[1], later[2])
    return None


def _rounded_up(node: exp.Expression, is_step: IsStep) -> exp.Expression:
    """What is rounded away from zero, as the datediff of dbt-spark is, where it is not below it."""
    branches = node.args["ifs"] if isinstance(node, exp.Case) and node.this is None else []
    down = node.args.get("default")
    if len(branches) != 1 or not isinstance(down, exp.Floor):
        return node
    is_later, up = bare(branches[0].this), branches[0].args["true"]
    is_of_step = isinstance(is_later, exp.LT) and is_step(is_later.expression, is_later.this)
    is_alike = isinstance(up, exp.Ceil) and same(up.this, down.this)
    return up if is_of_step and is_alike else node


def time_of(node: exp.Expression) -> exp.Expression:
    """The time that a number such as `unix_timestamp(time)` is of; the node if it is none."""
    point = _point(node)
    return node if point is None else point[0]


def _point(node: exp.Expression) -> tuple[exp.Expression, str, str] | None:
    """A time as a number: the time, the unit and how it is rounded."""
    node = bare(node)
    lag = node.this if isinstance(node, exp.Window) else None
    if isinstance(lag, exp.Lag) and lag.args.get("default") is None:
        found = _point(lag.this)
        if found is None:
            return None
        # the number of the row before is that of its time
        before = node.copy()
        before.this.set("this", found[0].copy())
        return before, *found[1:]
    if type(node) in _POINTS:
        unit = _POINTS[type(node)]
        return node.this, unit, "exact" if unit == "MICROSECOND" else "clock"
    if isinstance(node, exp.StrToUnix | exp.TimeToUnix | exp.TsOrDsToTimestamp):
        # a text that is read with a format is no time
        is_time = node.args.get("format") in (None, _DEFAULT_FORMAT)
        return (node.this, "SECOND", "clock") if is_time else None
    if isinstance(node, exp.Extract) and node.this.name.upper() in _EPOCH:
        return node.expression, _EPOCH[node.this.name.upper()], "clock"
    if isinstance(node, exp.Cast) and node.to.is_type("double", *exp.DataType.INTEGER_TYPES):
        return node.this, "SECOND", "exact" if node.to.is_type("double") else "clock"
    return None


def _interval(node: exp.Expression) -> int | None:
    """The microseconds of an interval of a fixed length."""
    node = bare(node)
    if not isinstance(node, exp.Interval) or not isinstance(_unquoted(node.this), exp.Literal):
        return None
    value = str(_unquoted(node.this).this)
    unit = str(node.args["unit"].name).upper().removesuffix("S") if node.args.get("unit") else ""
    duration = read_duration(f"{value} {unit.lower()}s" if unit else value)
    if duration is None or duration.months:
        return None
    return duration.total


def _adds_days(added: exp.Expression, micros: int) -> bool:
    """Whether days are added, which are longer or shorter where clocks change.

    Of an interval Spark adds whole days by the calendar, whatever the unit; `timestampadd` hours.
    """
    return _unit(added) == "DAY" if isinstance(added, _ADDED) else micros >= MICROS["DAY"]


def _unit(node: exp.Expression) -> str:
    unit = node.args.get("unit")
    return str(unit.name).upper().removesuffix("S") if isinstance(unit, exp.Expression) else "DAY"


def _unquoted(node: exp.Expression) -> exp.Expression:
    node = bare(node)
    while isinstance(node, exp.Cast):
        node = bare(node.this)
    if isinstance(node, exp.Literal) and node.is_string:
        text = str(node.this).strip()
        return exp.Literal.number(text) if text.isdigit() else node
    return node


def _refused(node: exp.Expression) -> Exception:
    problem = "this is not understood as a time since the row before that is above a limit"
    return not_understood("start of a session", node, problem, _MEND)
