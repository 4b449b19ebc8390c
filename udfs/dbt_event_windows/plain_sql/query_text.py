"""The text as Spark runs it over a part of its rows, with columns that tell its windows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from dbt_event_windows.plain_sql.call import Call
from dbt_event_windows.plain_sql.columns import Column
from dbt_event_windows.plain_sql.functions import KEEP_ROWS, OWN_WINDOWS, TAKE_ONE_ROW
from dbt_event_windows.plain_sql.naming import quoted, word_set
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.statement import Statement
from dbt_event_windows.plain_sql.time_windows import TimeWindow

# Of these Spark may give one value or another: by the order in which it reads, by ties, by merges.
_UNDECIDED = word_set(
    """
    approx_count_distinct approx_percentile approx_top_k approx_top_k_accumulate
    approx_top_k_combine collect_set count_min_sketch hll_sketch_agg hll_union_agg
    histogram_numeric kll_merge_agg_bigint kll_merge_agg_double kll_merge_agg_float
    kll_sketch_agg_bigint kll_sketch_agg_double kll_sketch_agg_float max_by min_by mode
    percentile_approx theta_intersection_agg theta_sketch_agg theta_union_agg
    """
)
# Of these a value that comes twice makes no difference.
_ONCE_IS_ENOUGH = word_set(
    """
    any approx_count_distinct bit_and bit_or bool_and bool_or collect_set every max min some
    """
)
_IN_ANY_ORDER = r"\b(?:array_size|array_sort|cardinality|size|sort_array)\({name}\)"
_COLUMNS, _CONDITION = "\x00", "\x01"


def query_text(
    reading: Reading,
    statement: Statement,
    window: TimeWindow,
    own_aggregates: Sequence[exp.Expression],
    columns: Sequence[Column],
) -> dict[str, Any]:
    """The text in pieces, and what can be written between them.

    `pieces`: more columns go after the first, a condition beside the text's own after the second.
    `columns`: SQL over the FROM of each column of the relation. `window`: the call. `not_spark`:
    what of it Spark cannot run.
    """
    text = reading.text
    items = (statement.from_[0] - 1, statement.from_[0] - 1)
    replaced = {items: f"{text.slice(items)}\n    , {_COLUMNS}"}
    if statement.where is not None:
        where = text.slice(statement.where)
        replaced[statement.where] = f"(\n{where}\n) and (\n{_CONDITION}\n)"
    else:
        end = (statement.from_[1], statement.from_[1])
        replaced[end] = f"{text.slice(end)}\nwhere (\n{_CONDITION}\n)"
    last = max(
        statement.group_all[1] if statement.group_all else 0,
        *(span[1] for _, span in statement.groups),
        statement.having[1][1] if statement.having else 0,
        statement.from_[1],
    )
    not_spark = [text.shown(span) for call in own_aggregates if (span := text.span(call))]
    if window.struct in OWN_WINDOWS:
        not_spark.insert(0, text.shown(window.span))
    spliced = text.spliced((0, last), replaced.items())
    return {
        "pieces": re.split(f"{_COLUMNS}|{_CONDITION}", spliced),
        "columns": {column.name: column.sql for column in columns},
        "window": text.slice(window.span),
        "not_spark": not_spark,
    }


def undecided(
    calls: Mapping[str, Call], window: TimeWindow, shown: Mapping[str, str | None]
) -> list[str]:
    """Which of these expressions over windows hold an aggregate that Spark leaves open, or wrong.

    `shown`: SQL by the name of what it makes, null where there is none.
    """
    kinds = _UNDECIDED | TAKE_ONE_ROW | KEEP_ROWS
    open_ = [quoted(name) for name, call in calls.items() if call["function"] in kinds]
    wrong = [quoted(name) for name in _counted_twice(calls)] if window.type == "session" else []
    return [
        one
        for one, sql in shown.items()
        if sql and (_hold(_sorted_or_counted(sql, open_), open_) or _hold(sql, wrong))
    ]


def _counted_twice(calls: Mapping[str, Call]) -> list[str]:
    """Aggregates of whose values Spark's sessions may have one twice.

    Where it plans several DISTINCT, or one with a FILTER, it merges the sessions of each value by
    themselves (RewriteDistinctAggregates before MergingSessions): rows with the same value that
    only rows with others join stay apart, and both are counted.
    """
    found = {
        name: call
        for name, call in calls.items()
        if call["distinct"] and call["function"] not in _ONCE_IS_ENOUGH
    }
    # of equal arguments, too: Spark casts those of stddev, and compares them then
    return list(found) if len(found) > 1 or any(call["filter"] for call in found.values()) else []


def _sorted_or_counted(sql: str, names: Sequence[str]) -> str:
    """An expression without those columns of which it has the number of values, or sorts them."""
    for name in names:
        pattern = _IN_ANY_ORDER.format(name=re.escape(name))
        sql = re.sub(pattern, "", sql, flags=re.IGNORECASE)
    return sql


def _hold(sql: str, names: Sequence[str]) -> bool:
    return any(
        re.search(rf"(?<![\w`]){re.escape(name)}(?![\w`(])", sql, re.IGNORECASE) for name in names
    )
