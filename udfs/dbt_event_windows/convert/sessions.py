"""Session ids made by hand: running counts of starts, and the last start carried on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from dbt_event_windows.convert.differences import Gap, gap_of, is_distance, time_of
from dbt_event_windows.convert.problems import NotUnderstoodError, not_understood, shown
from dbt_event_windows.convert.same import TIMES, bare, is_over, key_of, number_of, same
from dbt_event_windows.convert.starts import (
    CLAUSE,
    branches,
    conditions_of,
    else_of,
    is_null_test,
    value_of,
)
from dbt_event_windows.plain_sql.references import Canonical

_NULL_FIRST = (
    "the old flag is null in the first row of a key, which then was a session of its own; now it "
    "is of the session that follows within the gap"
)
_NO_ID_FIRST = (
    "where the old flag is not true in the first row of a key, the first session had no id in the "
    "old model; it has one now"
)
_NO_NUMBER_FIRST = (
    "a sum of nulls is null: where the flag of the first row of a key is, the first session had no "
    "number in the old model, and an id that is put together with it was null, for all keys"
)
_UNIQUE = (
    "sessions were told apart by {id}, and by the key where that is grouped by: it must be another "
    "one for each of them, and never null"
)
_TIES = (
    "of several first rows at one time the one that arrived first gives the id, whatever ORDER BY "
    "says after the time"
)
_OTHER_TIES = (
    "rows of one time, the first of a session: the old model can leave some of them in the session "
    "before, since {count} need not take them in the order of lag(); now all are of one session"
)
_OTHER_ORDER = (
    "the old model takes rows in the order of {by}, sessions now are in that of {time}: where one "
    "of these is a text it need not sort as a time"
)
_EVENT = "conditional_true_event"
# Spark's times of a number, which sqlglot does not know in all dialects.
_OF_NUMBERS = ("timestamp_micros", "timestamp_millis", "timestamp_seconds")
_MEND = (
    "write sum(is_start) over (partition by key order by time), where is_start is 1 for a row "
    "that comes more than a gap after the row before"
)


@dataclass(frozen=True)
class Session:
    """A session by hand: rows of a key, each at most a gap after the one before.

    `time` has the cast that makes it one, if the model has it. `carried` is the expression whose
    value at the start of a session is its id; none where the id is a running number.
    """

    keys: list[exp.Expression]
    time: exp.Expression
    gap: Gap
    carried: exp.Expression | None
    notes: tuple[str, ...] = ()

    @property
    def is_start(self) -> bool:
        """Whether the id is the time at which the session starts, whatever type it has."""
        return self.carried is not None and _same_time(self.carried, self.time)

    def is_like(self, other: Session) -> bool:
        """Whether these are the same sessions, whatever tells them apart."""
        keys = {key_of(key) for key in self.keys}
        is_one = keys == {key_of(key) for key in other.keys} and self.gap == other.gap
        return is_one and _same_time(self.time, other.time)


def session_of(window: exp.Window) -> Session:
    """What makes a session id: one call with OVER, over the columns that are read below.

    Raises:
        NotUnderstoodError: it is not one of the known ways.
    """
    flag, carried = _flag(window)
    _check_frame(window)
    keys = list(window.args.get("partition_by") or [])
    steps: list[exp.Expression] = []

    def is_step(later: exp.Expression, earlier: exp.Expression) -> bool:
        time = _time_before(earlier, keys)
        if time is None or not _same_time(later, time):
            return False
        steps.extend([time, bare(later)])
        return True

    def is_null_first(node: exp.Expression) -> bool:
        time = _time_before(time_of(node), keys, or_else=False)
        if time is not None:
            steps.append(time)
        return time is not None or is_distance(node, is_step)

    conditions = conditions_of(flag, is_null_first)
    limits = [one for one in conditions if not is_null_test(one, is_null_first)]
    gaps = [gap_of(one, is_step) for one in limits]
    if not gaps:
        raise not_understood(
            CLAUSE, flag, "no limit is compared with the time since the row before", _MEND
        )
    # a text is a time where it is cast to one
    time = next((one for one in steps if isinstance(one, exp.Cast)), steps[0])
    if any(not _same_time(time, other) for other in steps) or any(
        isinstance(other, exp.Cast) and not same(time, other) for other in steps
    ):
        raise not_understood(CLAUSE, flag, "two columns are compared as the time of a row", _MEND)
    _check_order(window, keys, time)
    known = {key_of(one) for one in limits}

    def in_session(condition: exp.Expression) -> bool:
        return not isinstance(condition, exp.Is) and key_of(condition) not in known

    later = value_of(flag, in_session)
    if later:
        problem = "each row starts a session, by its ELSE or by what stands for null"
        raise not_understood(CLAUSE, flag, problem, _MEND)
    gap = min(gaps, key=lambda one: one.micros)
    # of texts the last in their own order need not be the last start
    if isinstance(window.this, exp.Max) and not same(carried or time, time):
        raise _unknown_id(window)

    def in_first(condition: exp.Expression) -> bool | None:
        if isinstance(condition, exp.Is):
            return True
        other = _time_of_first(condition)
        return None if other is None else _is_long_ago(other) == (key_of(condition) in known)

    notes = _notes(window, carried, value_of(flag, in_first), later)
    if carried is not None and not _same_time(carried, time):
        notes = (*notes, _UNIQUE.format(id=shown(carried)))
        if len(_ordered_by(window)) > 1:
            notes = (*notes, _TIES)
    for by in _first_of_orders(window):
        if not same(by, time):
            words = {"by": shown(by), "time": shown(time)}
            notes = (*notes, _OTHER_ORDER.format(**words))
            break
    if _takes_ties_otherwise(window, flag):
        count = "the running count" if carried is None else "what carries the id on"
        notes = (*notes, _OTHER_TIES.format(count=count))
    return Session(keys, time, gap, carried, notes)


def _notes(
    window: exp.Window,
    carried: exp.Expression | None,
    first: bool | None,
    later: bool | None,
) -> tuple[str, ...]:
    """What became of the first row of a key, by its flag and that of later rows of a session."""
    if first:
        return ()
    if carried is not None:
        return (_NO_ID_FIRST,)
    if not isinstance(window.this, exp.Sum) or first is not None:
        return ()  # what counts rows takes a null for no start
    other = _instead_of_null(window)
    number = None if other is None else number_of(other)
    if number is not None and number > 0:
        problem = "what stands for the number of the first session is that of another one, too"
        raise not_understood("session id", window, problem, "write coalesce(number, 0)")
    if later is None:
        return (_NO_NUMBER_FIRST,) if other is None else ()
    return () if number == 0 else (_NULL_FIRST,)


def _instead_of_null(node: exp.Expression) -> exp.Expression | None:
    """What stands for an expression where it is null, in a coalesce around it; none without one."""
    while isinstance(node.parent, exp.Window | exp.IgnoreNulls | exp.Paren | exp.Cast):
        node = node.parent
    around = node.parent.expressions if isinstance(node.parent, exp.Coalesce) else []
    return next((one for one in around if not isinstance(one, exp.Null)), None)


def _time_of_first(comparison: exp.Expression) -> exp.Expression | None:
    """What stands for the time before in the first row of a key, in lag() or around it."""
    for lag in comparison.find_all(exp.Lag):
        default = lag.args.get("default")
        if isinstance(default, exp.Expression) and not isinstance(default, exp.Null):
            return default
        other = _instead_of_null(lag)
        if other is not None:
            return other
    return None


def _is_long_ago(time: exp.Expression) -> bool:
    """Whether this is a time before 2000, as the one that stands for none is."""
    while isinstance(time, exp.Paren | exp.Cast):
        time = time.this
    return isinstance(time, exp.Literal) and time.is_string and str(time.this).strip() < "2"


def _takes_ties_otherwise(window: exp.Window, flag: exp.Expression) -> bool:
    """Whether rows of one time may be counted before the one among them that starts the session.

    Not where the frame ends with all rows of a time, as RANGE does; nor where both are in one order
    that goes on after the time, or is that of numbered rows.
    """
    spec, order = window.args.get("spec"), _order_of(window)
    if len(order) == 1 and not is_over(window.args["order"]):
        is_of_rows = spec is not None and str(spec.args.get("kind")).upper() == "ROWS"
        return is_of_rows or _is_event(window.this)  # which counts row by row
    before = [one for one in flag.find_all(exp.Window) if one.find(exp.Lag) is not None]
    return any(_order_of(one) != order for one in before)


def _order_of(window: exp.Window) -> list[tuple[Canonical, bool, bool]]:
    return [
        (key_of(one.this), bool(one.args.get("desc")), bool(one.args.get("nulls_first")))
        for one in _ordered_by(window)
    ]


def _first_of_orders(window: exp.Window) -> Iterator[exp.Expression]:
    """What the orders within a session id begin with, but for numbers of rows."""
    for one in window.find_all(exp.Window):
        for order in _ordered_by(one)[:1]:
            if not is_over(order.this):
                yield bare(order.this)


def _ordered_by(window: exp.Window) -> list[exp.Expression]:
    order = window.args.get("order")
    return [] if order is None else list(order.expressions)


def _unknown_id(window: exp.Window) -> NotUnderstoodError:
    problem = "this way to make a session id is not known"
    return not_understood("session id", window, problem, _MEND)


def _flag(window: exp.Window) -> tuple[exp.Expression, exp.Expression | None]:
    """The flag that is counted, or of the starts that are carried on, and what is carried."""
    call = window.this
    ignores_nulls = isinstance(call, exp.IgnoreNulls)
    call = call.this if ignores_nulls else call
    if isinstance(call, exp.Sum | exp.CountIf):
        return call.this, None
    if isinstance(call, exp.Count):
        flag = _counted(bare(call.this))
        if flag is not None:
            return flag, None
    if _is_event(call) and call.expressions:
        return call.expressions[0], None
    is_last = isinstance(call, exp.LastValue | exp.Last) and ignores_nulls
    value = bare(call.this) if is_last or isinstance(call, exp.Max) else None
    if isinstance(value, exp.Case | exp.If):
        first, *others = branches(value)
        if not others and _else_is_null(value):
            return first.this, first.args["true"]
    raise _unknown_id(window)


def _is_event(call: exp.Expression) -> bool:
    return isinstance(call, exp.Anonymous) and str(call.this).lower() == _EVENT


def _counted(value: exp.Expression) -> exp.Expression | None:
    """The flag in `count(case when start then 1 end)`, which counts what is not null."""
    if not isinstance(value, exp.Case | exp.If) or not _else_is_null(value):
        return None
    first, *others = branches(value)
    is_one = not others and isinstance(first.args["true"], exp.Literal | exp.Boolean)
    condition: exp.Expression = first.this
    return condition if is_one else None


def _else_is_null(value: exp.Expression) -> bool:
    return isinstance(else_of(value), exp.Null | None)


def _plain_time(node: exp.Expression) -> exp.Expression:
    """A time without casts that leave a time what it is."""
    node = bare(node)
    while isinstance(node, exp.Cast) and _is_whole_time(node.to):
        node = bare(node.this)
    return node


def _is_whole_time(type_: exp.DataType) -> bool:
    """Whether a type has a day and a time of it, and no fewer places than others."""
    return type_.this in TIMES and not type_.expressions


def _same_time(left: exp.Expression, right: exp.Expression) -> bool:
    return same(_plain_time(left), _plain_time(right))


def _time_before(
    node: exp.Expression, keys: list[exp.Expression], or_else: bool = True
) -> exp.Expression | None:
    """The time whose value in the row before of the same key this is.

    Args:
        or_else: whether it may be another one where there is no row before.
    """
    node = _plain_time(node)
    if isinstance(node, exp.Coalesce) and or_else:
        node = _plain_time(node.this)
    call = node.this if isinstance(node, exp.Window) else None
    call = call.this if isinstance(call, exp.IgnoreNulls) else call
    if not isinstance(node, exp.Window) or not isinstance(call, exp.Lag):
        return None
    offset = call.args.get("offset")
    if (offset is not None and number_of(offset) != 1) or not (
        or_else or call.args.get("default") is None
    ):
        return None
    _check_keys(node, keys)
    _check_order(node, keys, call.this)
    return bare(call.this)


def _check_keys(window: exp.Window, keys: list[exp.Expression]) -> None:
    own = {key_of(key) for key in window.args.get("partition_by") or []}
    if own != {key_of(key) for key in keys}:
        names = ", ".join(map(shown, keys)) or "nothing"
        problem = f"the rows before are not those of the key whose sessions are counted: {names}"
        mend = "partition both by the same columns, under the same names"
        raise not_understood("PARTITION BY", window, problem, mend)


def _check_order(window: exp.Window, keys: list[exp.Expression], time: exp.Expression) -> None:
    """The order must be that of time; further columns only settle ties."""
    order = _ordered_by(window)
    if not order:
        raise not_understood("ORDER BY", window, "there is no order of rows", "order by the time")
    first = order[0]
    by = _plain_time(first.this)
    number = by if isinstance(by, exp.Window) and isinstance(by.this, exp.RowNumber) else None
    # the numbers of times, as in `timestamp_micros(x)`, are in the same order
    others = [time]
    if isinstance(time, exp.UnixToTime):
        others.append(time.this)
    elif isinstance(time, exp.Anonymous) and time.name.lower() in _OF_NUMBERS:
        others += time.expressions
    if first.args.get("desc") or (
        number is None and not any(_same_time(by, one) for one in others)
    ):
        problem = "sessions here are in the order of the time that is compared, from the first on"
        mend = f"order by that time, {shown(time)}, ascending"
        raise not_understood("ORDER BY", first, problem, mend)
    if number is not None:
        # rows numbered by time are in the order of time
        _check_keys(number, keys)
        _check_order(number, keys, time)


def _check_frame(window: exp.Window) -> None:
    spec = window.args.get("spec")
    if spec is None:
        return
    start = (str(spec.args.get("start")).upper(), str(spec.args.get("start_side")).upper())
    end = str(spec.args.get("end") or "CURRENT ROW").upper()
    if start != ("UNBOUNDED", "PRECEDING") or end != "CURRENT ROW":
        problem = "a session id takes all rows up to this one"
        mend = "write rows between unbounded preceding and current row"
        raise not_understood("frame", window, problem, mend)
