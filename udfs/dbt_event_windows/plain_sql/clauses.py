"""The clauses of a SELECT that are not kept, and why: below the windows, and over them."""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.refusals import Words

# sqlglot's names of arguments, and the words in SQL.
NAMES = {
    "group": "GROUP BY",
    "having": "HAVING",
    "laterals": "LATERAL VIEW",
    "distinct": "DISTINCT",
    "order": "ORDER BY",
    "sort": "SORT BY",
    "cluster": "CLUSTER BY",
    "distribute": "DISTRIBUTE BY",
    "limit": "LIMIT",
    "offset": "OFFSET",
    "qualify": "QUALIFY",
    "windows": "WINDOW",
    "sample": "TABLESAMPLE",
    "pivots": "PIVOT",
    "version": "VERSION AS OF",
}

_NO_ORDER: Words = ("an order below the windows means nothing to them", "leave it out")

BELOW: dict[str, Words] = {
    "GROUP BY": (
        "an aggregation below the windows: new rows would change rows that were read before",
        f"{refusals.BEFORE}; the windowed GROUP BY must be in the last SELECT",
    ),
    "HAVING": ("HAVING belongs to an aggregation below the windows", refusals.BEFORE),
    "DISTINCT": (
        "DISTINCT below the windows compares a row with all others, also those read before",
        f"{refusals.BEFORE}, or count with count(distinct ...)",
    ),
    "ORDER BY": _NO_ORDER,
    "SORT BY": _NO_ORDER,
    "CLUSTER BY": _NO_ORDER,
    "DISTRIBUTE BY": ("how rows are distributed means nothing to windows", "leave it out"),
    "LIMIT": (
        "LIMIT takes some rows of all, and which ones changes when new rows come",
        "filter by a condition, with WHERE",
    ),
    "OFFSET": (
        "OFFSET leaves out some rows of all, and which ones changes when new rows come",
        "filter by a condition, with WHERE",
    ),
    "QUALIFY": refusals.OVER_BELOW,
    "WINDOW": refusals.OVER_BELOW,
    "TABLESAMPLE": (
        "TABLESAMPLE takes other rows each time",
        "filter by a condition on a column, with WHERE",
    ),
    "PIVOT": ("PIVOT and UNPIVOT turn rows into columns or back", refusals.BEFORE),
    "VERSION AS OF": (
        "a table as of one version gets no new rows",
        "read the table itself",
    ),
}

_NO_ORDER_ABOVE: Words = (
    "a table that is kept up to date has no order",
    "leave it out, and order where the model is read",
)

ABOVE: dict[str, Words] = {
    "DISTINCT": (
        "DISTINCT after the aggregation compares a window with all others",
        f"leave it out where the SELECT list has the key and the window, which give one row; else "
        f"{refusals.READS_ON}",
    ),
    "ORDER BY": _NO_ORDER_ABOVE,
    "SORT BY": _NO_ORDER_ABOVE,
    "CLUSTER BY": _NO_ORDER_ABOVE,
    "DISTRIBUTE BY": (
        "how rows are distributed means nothing to a table that is kept up to date",
        "leave it out",
    ),
    "LIMIT": (
        "LIMIT takes some windows of all, and which ones changes when new rows come",
        f"filter by a condition, with HAVING, or {refusals.READS_ON}",
    ),
    "OFFSET": (
        "OFFSET leaves out some windows of all, and which ones changes when new rows come",
        f"filter by a condition, with HAVING, or {refusals.READS_ON}",
    ),
    "QUALIFY": refusals.OVER,
    "WINDOW": refusals.OVER,
}


def clauses_of(query: exp.Expression) -> dict[str, object]:
    """The arguments that are there, by sqlglot's names without the underscore of some versions.

    LIMIT ALL says nothing, and is not among them.
    """
    found = {name.rstrip("_"): value for name, value in query.args.items() if value}
    return {name: value for name, value in found.items() if not takes_all_rows(value)}


def takes_no_rows(value: object) -> bool:
    """Whether this is LIMIT 0, with which dbt builds empty tables (`--empty`)."""
    rows = value.expression if isinstance(value, exp.Limit) else None
    return isinstance(rows, exp.Literal) and str(rows.this) == "0"


def takes_all_rows(value: object) -> bool:
    """Whether this is LIMIT ALL."""
    rows = value.expression if isinstance(value, exp.Limit) else None
    return isinstance(rows, exp.Var) and rows.name.upper() == "ALL"


def renames_columns(alias: object) -> bool:
    """Whether an alias gives the columns of a relation other names: `t(a, b)`."""
    return isinstance(alias, exp.TableAlias) and bool(alias.args.get("columns"))


def name_of(argument: str) -> str:
    """A clause in the words of SQL."""
    return NAMES.get(argument, argument.upper())


def first_of(value: object) -> exp.Expression | None:
    """The expression that an argument is, or the first of several."""
    one = value[0] if isinstance(value, list) and value else value
    return one if isinstance(one, exp.Expression) else None
