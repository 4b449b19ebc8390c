"""The SELECTs of a text, one over the other, down to its tables.

Below the groups each takes rows as they are: filters, expressions, joins. So the text can be run
over some of the model's rows as over all, and what it gives for them is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import clauses_of, renames_columns
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.rollup.names import Tables, scope_of
from dbt_event_windows.rollup.refused import (
    IN_FROM,
    refuse_clauses,
    refuse_clauses_below,
    refuse_expressions,
)
from dbt_event_windows.rollup.relations import Layer, Relation

# CTEs by their names in lower case; none where one is refused.
_Ctes = Mapping[str, Layer | None]

_OF_A_TABLE = {"this", "db", "catalog", "alias"}
_OF_A_QUERY = {"this", "alias", "with"}
_OF_A_JOIN = {"this", "on", "using", "side", "kind", "method"}
_NO_TABLE = ("only tables, CTEs and subqueries are read in FROM", IN_FROM)
_NATURAL = ("NATURAL joins by whatever columns both have", "write JOIN ... USING (...)")
_LATERAL = ("LATERAL makes several rows of one", refusals.READS_ON)
_RENAMED = ("the columns get other names", "name them in the SELECT")
_RECURSIVE = ("a recursive CTE reads its own rows again and again", IN_FROM)
_TWICE = ("two CTEs have this name", "give one of them another name")
_NO_SELECT = ("only a SELECT is read here", IN_FROM)


def layers_of(reading: Reading, select: exp.Select, tables: Tables) -> Layer:
    """The last SELECT with all that it reads; what cannot be followed is refused.

    `tables` are those whose columns are known.

    Raises:
        NotReadError: GROUP BY is not understood.
    """
    refuse_clauses(reading, select)
    return _layer(reading, select, _ctes(reading, select, {}, tables), "", tables)


def _layer(reading: Reading, select: exp.Select, ctes: _Ctes, where: str, tables: Tables) -> Layer:
    layer = Layer(select, tuple(_relations(reading, select, ctes, tables)))
    scopes = scope_of(layer, tables), scope_of(layer, tables, of_joins=True)
    refuse_expressions(reading, layer, where, *scopes)
    return layer


def _ctes(reading: Reading, query: exp.Expression, outer: _Ctes, tables: Tables) -> _Ctes:
    """The CTEs that a query can read: its own, and those around it."""
    with_ = clauses_of(query).get("with")
    if not isinstance(with_, exp.With):
        return outer
    if with_.args.get("recursive"):
        reading.refuse("WITH", with_, _RECURSIVE)
    ctes, own = dict(outer), set()
    for cte in with_.expressions:
        where = f"WITH {cte.alias}"
        if cte.alias.lower() in own:
            reading.refuse(where, cte, _TWICE)
        own.add(cte.alias.lower())
        _refuse_renamed(reading, cte, where)
        ctes[cte.alias.lower()] = _below(reading, cte.this, ctes, where, tables)
    return ctes


def _below(
    reading: Reading, query: exp.Expression, outer: _Ctes, where: str, tables: Tables
) -> Layer | None:
    ctes = _ctes(reading, query, outer, tables)
    if isinstance(query, exp.Subquery):
        reading.refuse_others(where, query, _OF_A_QUERY)
        return _below(reading, query.this, ctes, where, tables)
    if not isinstance(query, exp.Select):
        reading.refuse(where, query, _NO_SELECT)
        return None
    refuse_clauses_below(reading, query, where)
    return _layer(reading, query, ctes, where, tables)


def _relations(
    reading: Reading, select: exp.Select, ctes: _Ctes, tables: Tables
) -> Iterator[Relation]:
    clauses = clauses_of(select)
    from_, joins = clauses.get("from"), clauses.get("joins") or []
    found: list[tuple[exp.Expression, exp.Join | None]] = []
    if isinstance(from_, exp.From):
        found.append((from_.this, None))
    assert isinstance(joins, list)
    for join in joins:
        reading.refuse_others("JOIN", join, _OF_A_JOIN)
        if join.method:
            words = _NATURAL if join.method.upper() == "NATURAL" else refusals.NOT_UNDERSTOOD
            reading.refuse("JOIN", join, words)
        found.append((join.this, join))
    return (_relation(reading, table, join, ctes, tables) for table, join in found)


def _relation(
    reading: Reading,
    table: exp.Expression,
    join: exp.Join | None,
    ctes: _Ctes,
    tables: Tables,
) -> Relation:
    table = _without_brackets(table)
    _refuse_renamed(reading, table, "FROM")
    if isinstance(table, exp.Subquery) and not isinstance(table.this, exp.Table):
        where = f"FROM (...) {table.alias}".rstrip()
        return Relation(table, join, _below(reading, table, ctes, where, tables))
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
        reading.refuse("FROM", table, _LATERAL if isinstance(table, exp.Lateral) else _NO_TABLE)
        return Relation(table, join)  # whose columns are not known, so that no name is refused
    reading.refuse_others("FROM", table, _OF_A_TABLE)
    parts = Relation(table, join).parts
    return Relation(table, join, ctes.get(parts[0].lower()) if len(parts) == 1 else None)


def _without_brackets(table: exp.Expression) -> exp.Expression:
    """The table of `from (visits)`: with a name of its own, `from (visits) as v`, it is a query."""
    inner = table.this
    is_table = isinstance(table, exp.Subquery) and isinstance(inner, exp.Table | exp.Subquery)
    return _without_brackets(inner) if is_table and clauses_of(table).keys() == {"this"} else table


def _refuse_renamed(reading: Reading, relation: exp.Expression, where: str) -> None:
    if renames_columns(relation.args.get("alias")):
        reading.refuse(where, relation, _RENAMED)
