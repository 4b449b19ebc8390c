"""What a rollup cannot have: clauses, and expressions that a group's own rows do not settle."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import clauses_of, first_of, name_of
from dbt_event_windows.plain_sql.expressions import counts_rows, refused
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.places import clause_places
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import below, call_name, lowered, parts_of
from dbt_event_windows.plain_sql.statement import NotReadError, Statement
from dbt_event_windows.rollup.relations import Relation

Tables = Collection[tuple[str, ...]]

_ORDER = (
    "a table that is kept up to date has no order",
    "leave it out, and order where it is read",
)
_SOME = (
    "it takes some groups of all, and which ones changes when windows change",
    f"filter with HAVING, or {refusals.READS_ON}",
)
_CLAUSES = {
    "WITH": ("a CTE is not read here", "write the tables into FROM, or put the CTE into a model"),
    "DISTINCT": ("groups are compared with all others", f"leave it out, or {refusals.READS_ON}"),
    "LIMIT": _SOME,
    "OFFSET": _SOME,
    "ORDER BY": _ORDER,
    "SORT BY": _ORDER,
    "CLUSTER BY": _ORDER,
    "DISTRIBUTE BY": _ORDER,
    "QUALIFY": refusals.OVER,
    "WINDOW": refusals.OVER,
    "LATERALS": ("LATERAL VIEW makes rows of one row", refusals.BEFORE),
}
_KEPT = {"expressions", "from", "joins", "where", "group", "having", "hint"}
_HAVING_ALONE = (
    "HAVING stands without GROUP BY",
    "filter windows with WHERE, or group by what tells the rows of the result apart",
)
_SETS = ("grouping sets give one row to several groups", "write one model for each grouping")
_TIME_WINDOW = (
    "{name} cannot be a group here",
    "group by date_trunc(...) or by a column of the model",
)
_STAR_OF_GROUPS = ("a star stands beside GROUP BY", "name the columns")
_WITH_SCHEMA = (
    "a column has its schema in front of its table",
    "write table.column, or give the table an alias",
)


def refuse_clauses(reading: Reading, select: exp.Select) -> None:
    """Refuse what stands around the groups, or around a SELECT without GROUP BY.

    Raises:
        NotReadError: GROUP BY is not understood.
    """
    text = reading.text
    for argument, value in clauses_of(select).items():
        if argument not in _KEPT:
            name = name_of(argument)
            span = text.clause(select, name, first_of(value)) or text.near(select)
            reading.refuse_span(name, span, _CLAUSES.get(name, refusals.NOT_UNDERSTOOD))
    places, group = clause_places(text), select.args.get("group")
    if not isinstance(group, exp.Group):
        if select.args.get("having"):
            reading.refuse_span("HAVING", text.near(select.args["having"]), _HAVING_ALONE)
        return
    if clauses_of(group).keys() - {"expressions", "all"}:
        reading.refuse_span("GROUP BY", places["group by"], _SETS)
        raise NotReadError


def refuse_expressions(
    reading: Reading, statement: Statement, relations: Sequence[Relation]
) -> None:
    """Refuse what gives another value next time, or for other rows than those of the group."""
    grouped = isinstance(statement.select.args.get("group"), exp.Group)
    pieces = []
    for item in statement.items:
        if not is_star(item.node):
            pieces.append(("SELECT", item.node))
        elif grouped:
            reading.refuse_span("SELECT", item.span, _STAR_OF_GROUPS)
        elif len(reading.text.slice(item.span).split(".")) > 2:
            reading.refuse_span("SELECT", item.span, _WITH_SCHEMA)
    pieces += [("GROUP BY", node) for node, _ in statement.groups]
    where = statement.select.args.get("where")
    if isinstance(where, exp.Where):
        pieces.append(("WHERE", where.this))
    if statement.having is not None:
        pieces.append(("HAVING", statement.having[0]))
    for relation in relations:
        on = relation.join.args.get("on") if relation.join is not None else None
        if isinstance(on, exp.Expression):
            pieces.append(("JOIN", on))
    tables = {tuple(part.lower() for part in relation.parts) for relation in relations}
    for clause, node in pieces:
        _check(reading, clause, node, tables)


def is_star(node: exp.Expression) -> bool:
    """Whether this is `*` or `t.*`, all of it or with EXCEPT."""
    star = node.this if isinstance(node, exp.Column) else node
    return isinstance(star, exp.Star) and not clauses_of(star).keys() - {"except"}


def has_aggregate(node: exp.Expression) -> bool:
    """Whether an expression takes the rows of a group together."""
    calls = node.find_all(exp.Anonymous)
    return any(kind_of(call_name(call)) is Kind.AGGREGATE for call in calls)


def _check(reading: Reading, clause: str, node: exp.Expression, tables: Tables) -> None:
    words = _refused(node, tables)
    if words is not None:
        reading.refuse(clause, node, words)
    elif not counts_rows(node):
        for child in below(node):
            _check(reading, clause, child, tables)


def _refused(node: exp.Expression, tables: Tables) -> refusals.Words | None:
    parts = lowered(parts_of(node) or ())
    if any(len(table) > 1 and parts[: len(table)] == table for table in tables):
        return _WITH_SCHEMA
    if not isinstance(node, exp.Anonymous):
        return refused(node)
    name = call_name(node)
    kind = kind_of(name)
    if name == "unix_timestamp" and not node.expressions:
        kind = Kind.CLOCK
    if kind in (Kind.ROW, Kind.AGGREGATE):
        return None
    if kind is Kind.TIME_WINDOW:
        problem, mend = _TIME_WINDOW
        return problem.format(name=name), mend
    return refusals.function(kind, name)
