"""Values of type TIME that are cast to a timestamp, for which Spark takes the day of the run.

The source of this is SPARK-52617.
"""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql.called import called_by
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.references import call_name, parts_of
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.text import children
from dbt_event_windows.plain_sql.text_types import type_of

# What gives a TIME, and what takes one and gives what is no more made of it.
_GIVE_TIMES = word_set("current_time make_time time time_trunc to_time try_to_time")
_TAKE_TIMES = word_set(
    "date_format hour make_timestamp make_timestamp_ltz make_timestamp_ntz minute second time_diff"
)


def takes_the_day(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether this may give a time of day the date of the run: `to_time(x)::timestamp_ntz`."""
    if not isinstance(node, exp.Cast):
        return False
    is_to_it = any(
        one.is_type(*exp.DataType.TEMPORAL_TYPES) and not one.is_type("time")
        for one in node.to.find_all(exp.DataType)
    )
    return is_to_it and _has_a_time(node.this, scope, set())


def _has_a_time(node: exp.Expression, scope: Scope | None, seen: set[str]) -> bool:
    """Whether an expression is made of a value of type TIME, also by the name of an item.

    `seen` are names that have been followed.
    """
    if call_name(node) in _GIVE_TIMES or (isinstance(node, exp.Cast) and node.to.is_type("time")):
        return True
    if call_name(node) in _TAKE_TIMES:
        return False
    parts = parts_of(node)
    if parts is not None:
        column, name = type_of(node, scope), parts[-1].lower()
        if column is not None or name in seen:
            return "time(" in (column or "")
        seen.add(name)
        return any(_has_a_time(one, scope, seen) for one in called_by(name, node.root()))
    return any(_has_a_time(one, scope, seen) for one in children(node))
