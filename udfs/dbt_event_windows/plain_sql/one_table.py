"""The one table whose rows a query gives, row by row, and a column of it under its own name.

It is asked for a relation of any model, also one that was not planned: what is not plainly one
table below filters, expressions, CTEs and subqueries is not told.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp
from sqlglot.errors import SqlglotError

from dbt_event_windows.plain_sql.clauses import clauses_of, renames_columns
from dbt_event_windows.plain_sql.column_below import column_below
from dbt_event_windows.plain_sql.dialect import parse, tokenize
from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.relation_names import identifiers_of

Ctes = Mapping[str, "_Cte"]
Found = tuple[str, str]  # a table and its column, as SQL
_Found = tuple[list[str], str]  # the parts of a table's name, and the column
_Cte = tuple[exp.Expression, "Ctes"]

_OF_A_SELECT = {"with", "expressions", "from", "laterals", "where", "hint"}
_OF_A_TABLE = {"this", "db", "catalog", "alias"}


def one_table(text: str, column: str, namespace: str = "") -> Found | None:
    """The table that a query reads and the column there that is `column` of the query.

    `namespace` completes its name, where that is shorter: `catalog.schema`.

    None where there are several tables, where rows are put together, left out by their number or
    read as of a version, or where the column is anything but a column of the table.
    """
    try:
        statements = parse(tokenize(text), text)
    except (SqlglotError, ValueError):
        return None
    found = _of_query(statements[0], column, {}) if len(statements) == 1 else None
    if found is None:
        return None
    parts, own_column = found
    around = [part.strip("`") for part in namespace.split(".")] if namespace else []
    whole = [*around[: max(len(around) + 1 - len(parts), 0)], *parts]
    return ".".join(map(quoted, whole)), quoted(own_column)


def _of_query(query: exp.Expression, column: str, outer: Ctes) -> _Found | None:
    clauses = clauses_of(query)
    ctes = _ctes(clauses.get("with"), outer)
    if ctes is None:
        return None
    if isinstance(query, exp.Subquery | exp.Paren):
        alias = clauses.get("alias")
        if clauses.keys() - {"this", "alias", "with"} or renames_columns(alias):
            return None
        return _of_query(query.this, column, ctes)
    from_ = clauses.get("from")
    if (
        not isinstance(query, exp.Select)
        or not isinstance(from_, exp.From)
        or clauses.keys() - _OF_A_SELECT
        or _reads_another(query)
    ):
        return None
    below = column_below(query, column, str(from_.this.alias_or_name), alone=True)
    if below and any(_may_be_called(view, below) for view in query.args.get("laterals") or []):
        return None
    return _of_relation(from_.this, below, ctes) if below else None


def _of_relation(relation: exp.Expression, column: str, ctes: Ctes) -> _Found | None:
    if isinstance(relation, exp.Subquery) and not isinstance(relation.this, exp.Table):
        return _of_query(relation, column, ctes)
    clauses = clauses_of(relation)
    if not isinstance(relation, exp.Table) or clauses.keys() - _OF_A_TABLE:
        return None
    parts = [name.name for name in identifiers_of(relation)]
    # a file by its path is no table that can be described
    if (
        not isinstance(relation.this, exp.Identifier)
        or renames_columns(clauses.get("alias"))
        or any("/" in part for part in parts)
    ):
        return None
    if len(parts) == 1 and parts[0].lower() in ctes:
        query, around = ctes[parts[0].lower()]
        return _of_query(query, column, around)
    return parts, column


def _ctes(with_: object, outer: Ctes) -> Ctes | None:
    """The CTEs that a query can read, each with those that it can read itself."""
    if not isinstance(with_, exp.With):
        return outer
    if with_.args.get("recursive"):
        return None
    ctes = dict(outer)
    for cte in with_.expressions:
        if renames_columns(cte.args.get("alias")):
            return None
        ctes[cte.alias.lower()] = (cte.this, dict(ctes))
    return ctes


def _may_be_called(view: exp.Expression, column: str) -> bool:
    """Whether a lateral view may have a column of this name."""
    alias = view.args.get("alias")
    names = [name.name.lower() for name in alias.args.get("columns") or []] if alias else []
    return not names or column.lower() in names


def _reads_another(select: exp.Select) -> bool:
    """Whether an expression reads a query of its own, such as `id in (select ...)`."""
    where = select.args.get("where")
    nodes = [*select.expressions, *([where] if where is not None else [])]
    return any(node.find(exp.Select, exp.Subquery) is not None for node in nodes)
