"""The SELECT that groups by sessions or by time, and what it groups by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from dbt_event_windows.convert.between import (
    check_between,
    filters_between,
    readable,
    refuse_filters,
)
from dbt_event_windows.convert.dialects import Dialect
from dbt_event_windows.convert.group_by import group_expressions, names_taken
from dbt_event_windows.convert.identity import check_identity, may_be_null, notes_of_keys
from dbt_event_windows.convert.layers import Layer, inlined
from dbt_event_windows.convert.not_found import not_found
from dbt_event_windows.convert.problems import NotUnderstoodError, not_understood
from dbt_event_windows.convert.same import is_aggregate, is_over, key_of, outer_windows
from dbt_event_windows.convert.sessions import Session, session_of
from dbt_event_windows.convert.starts import CLAUSE
from dbt_event_windows.convert.time_groups import TimeGroup, time_group_of
from dbt_event_windows.plain_sql.references import Canonical
from dbt_event_windows.plain_sql.text import children

_NULL_KEY = (
    "an id that is put together is null where a part of it is: rows of a key that is null were one "
    "row then, and are one for each session now"
)


@dataclass
class Grouped:
    """`layers[at]` groups, `layers[last]` is the lowest that is put into it.

    `keys` are over what the lowest reads. `ids` are the sessions that calls with OVER tell apart,
    by `key_of` of the call; the first of them is `session`. `group` is the expression that
    truncates a time. `written` is the time, and `carried` what such a call carries on as an id, as
    the model writes them. `filters` are those above the lowest. `notes` are what to know of the
    groups.
    """

    at: int
    last: int
    keys: list[exp.Expression] = field(default_factory=list)
    session: Session | None = None
    ids: dict[Canonical, Session] = field(default_factory=dict)
    time: TimeGroup | None = None
    group: exp.Expression | None = None
    written: exp.Expression | None = None
    carried: dict[Canonical, exp.Expression] = field(default_factory=dict)
    filters: list[exp.Expression] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def find_groups(layers: list[Layer]) -> Grouped:
    """What the model groups by, in the first SELECT from above that groups by time.

    Raises:
        NotUnderstoodError: none does, how is not understood, or its windows are grouped again.
    """
    places = [at for at, layer in enumerate(layers) if layer.select.args.get("group")]
    if len(places) > 1 and _of_time(layers, places[-1]) is not None:
        raise _grouped_again("GROUP BY", layers[places[0]].select.args["group"])
    for at in places:
        found = _of_time(layers, at)
        if found is not None:
            for layer in layers[:at]:
                _refuse_aggregates(layer)
            found.notes.extend(names_taken(layers, at))
            return found
    raise not_found(layers)


def _refuse_aggregates(layer: Layer) -> None:
    """Refuse aggregates of a SELECT without GROUP BY: they make one row of all windows."""
    for item in layer.select.expressions:
        for call in _calls(layer.dialect.typed(item)):
            if is_aggregate(call):
                raise _grouped_again("SELECT", item)


def _calls(node: exp.Expression) -> Iterator[exp.Expression]:
    """What takes the rows of the SELECT itself together: no call with OVER, nor of a query."""
    if isinstance(node, exp.Window | exp.Query):
        return
    yield node
    for child in children(node):
        yield from _calls(child)


def _of_time(layers: list[Layer], at: int) -> Grouped | None:
    return _by_session(layers, at) or _by_time(layers, at)


def _grouped_again(clause: str, node: exp.Expression) -> NotUnderstoodError:
    problem = "the windows that a SELECT below makes are grouped again here"
    mend = (
        "convert that SELECT in a model of its own, and write this one over it, with "
        "materialized='rollup'"
    )
    return not_understood(clause, node, problem, mend)


def _by_session(layers: list[Layer], at: int) -> Grouped | None:
    """Sessions, over the highest SELECT below in whose columns all of them can be written."""
    refused: NotUnderstoodError | None = None
    for last in readable(layers, at):
        try:
            groups = _over_base(layers, at, last)
            ids = [one for one in groups if is_over(one)]
            if not ids:
                continue
            grouped = _sessions(at, last, ids, layers[at].dialect)
        except NotUnderstoodError as error:
            # further down there may be what makes it a session
            refused = error
            continue
        written = list(group_expressions(layers, at))
        typed_groups = [layers[at].dialect.typed(one) for one in groups]
        check_identity(list(grouped.ids.values()), list(zip(typed_groups, written, strict=True)))
        check_between(layers, at, last)
        refuse_filters(layers, at, last)
        assert grouped.session is not None
        if may_be_null(typed_groups, grouped.session.keys):
            grouped.notes.append(_NULL_KEY)
        grouped.notes.extend(notes_of_keys(typed_groups, grouped.session.keys))
        return grouped
    if refused is not None:
        raise _join_between(layers[-1], refused) or refused
    return None


def _join_between(lowest: Layer, refused: NotUnderstoodError) -> NotUnderstoodError | None:
    """What is said where a join hides what is below it."""
    joins = lowest.select.args.get("joins")
    if not joins or refused.problems[0].clause not in (CLAUSE, "session id"):
        return None
    problem = "what stands below a join is not followed, and the sessions are not all made above it"
    mend = "join below lag(), or in a model that reads the converted one"
    return not_understood("JOIN", joins[0], problem, mend)


def _sessions(at: int, last: int, ids: list[exp.Expression], dialect: Dialect) -> Grouped:
    windows = {key_of(one): one for group in ids for one in outer_windows(dialect.typed(group))}
    sessions = {key: session_of(one) for key, one in windows.items()}
    session = next(iter(sessions.values()))
    for key, other in sessions.items():
        if not other.is_like(session):
            problem = "the model groups by sessions of two kinds"
            raise not_understood("GROUP BY", windows[key], problem, "group by one of them")
    keys = [dialect.written_in(ids, key) for key in session.keys]
    written = dialect.written_in(ids, session.time)
    carried = {
        key: dialect.written_in(ids, one.carried)
        for key, one in sessions.items()
        if one.carried is not None
    }
    return Grouped(at, last, keys, session, sessions, written=written, carried=carried)


def _by_time(layers: list[Layer], at: int) -> Grouped | None:
    dialect = layers[at].dialect
    places = [at, *readable(layers, at)]
    for last in places:
        groups = [inlined(one, layers[at : last + 1]) for one in group_expressions(layers, at)]
        read = [(one, time_group_of(dialect.typed(one), dialect)) for one in groups]
        by_key = {key_of(one): (one, time) for one, time in read if time is not None}
        found = list(by_key.values())
        if not found:
            continue
        if len(found) > 1:
            problem = "the model groups by several units of time"
            mend = "group by the smallest; the others follow from its start"
            raise not_understood("GROUP BY", found[1][0], problem, mend)
        ((group, time),) = found
        if _is_cut_below(group, time, layers, places[places.index(last) :]):
            continue
        check_between(layers, at, last)
        keys = [one for one, other in read if other is None]
        written = dialect.written_in([group], time.time)
        filters = filters_between(layers, at, last)
        return Grouped(at, last, keys, time=time, group=group, written=written, filters=filters)
    return None


def _is_cut_below(
    group: exp.Expression, time: TimeGroup, layers: list[Layer], places: list[int]
) -> bool:
    """Whether the time of a group is itself truncated below, and these are other windows."""
    dialect = layers[0].dialect
    for place in places[1:]:
        try:
            below = inlined(group, layers[places[0] : place + 1])
        except NotUnderstoodError:
            return False  # what cannot be followed stays as it is written
        found = time_group_of(dialect.typed(below), dialect)
        if found is not None and found.call != time.call:
            return True
    return False


def _over_base(layers: list[Layer], at: int, last: int) -> list[exp.Expression]:
    groups = group_expressions(layers, at)
    return [inlined(one, layers[at : last + 1]) for one in groups]
