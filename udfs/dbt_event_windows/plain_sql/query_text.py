"""The text as Spark runs it over a part of its rows, with columns that tell its windows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

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
    histogram_numeric kll_sketch_agg_bigint kll_sketch_agg_double kll_sketch_agg_float max_by
    min_by mode percentile_approx theta_intersection_agg theta_sketch_agg theta_union_agg
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


def undecided(aggregates: Mapping[str, str], shown: Mapping[str, str | None]) -> list[str]:
    """Which of these expressions over windows hold an aggregate that Spark leaves open."""
    kinds = _UNDECIDED | TAKE_ONE_ROW | KEEP_ROWS
    names = [
        quoted(name)
        for name, sql in aggregates.items()
        if re.split(r"\s*\(", sql.lower(), maxsplit=1)[0] in kinds
    ]
    return [one for one, sql in shown.items() if sql and any(_holds(sql, name) for name in names)]


def _holds(sql: str, name: str) -> bool:
    """Whether an expression holds a column, and not just how many values it has, or sorted."""
    escaped = re.escape(name)
    without = re.sub(_IN_ANY_ORDER.format(name=escaped), "", sql, flags=re.IGNORECASE)
    return re.search(rf"(?<![\w`]){escaped}(?![\w`(])", without, re.IGNORECASE) is not None
