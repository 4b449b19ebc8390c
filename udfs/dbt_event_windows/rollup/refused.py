"""What a rollup cannot have: clauses, and expressions that a group's own rows do not settle."""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import BELOW, clauses_of
from dbt_event_windows.plain_sql.expressions import (
    NO_COLUMN,
    counts_rows,
    kind_of_call,
    refused,
    refused_unknown,
)
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.places import clause_places
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.reads import star_of
from dbt_event_windows.plain_sql.references import below, call_name, lowered, parts_of
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.statement import NotReadError, is_of_sets
from dbt_event_windows.rollup.relations import Layer

Tables = Collection[tuple[str, ...]]
# What names mean, and those that may be aliases of items, in lower case.
Names = tuple[Scope | None, frozenset[str]]

# What to write where more is done below the groups than taking rows as they are.
IN_FROM = (
    "write what it does with the windowed model in a rollup that this one reads; what it does with "
    "other tables may be a model"
)
_ORDER = (
    "a table that is kept up to date has no order",
    "leave it out, and order where it is read",
)
_SOME = (
    "it takes some groups of all, and which ones changes when windows change",
    f"filter with HAVING, or {refusals.READS_ON}",
)
_CLAUSES = {
    "DISTINCT": ("groups are compared with all others", f"leave it out, or {refusals.READS_ON}"),
    "LIMIT": _SOME,
    "OFFSET": _SOME,
    "ORDER BY": _ORDER,
    "SORT BY": _ORDER,
    "CLUSTER BY": _ORDER,
    "DISTRIBUTE BY": _ORDER,
    "QUALIFY": refusals.OVER,
    "WINDOW": refusals.OVER,
    "LATERAL VIEW": ("LATERAL VIEW makes several rows of one", refusals.READS_ON),
}
_CLAUSES_BELOW = _CLAUSES | {
    "GROUP BY": ("rows are put together below the groups", IN_FROM),
    "HAVING": ("rows are put together below the groups", IN_FROM),
    "DISTINCT": ("DISTINCT compares a row with all others", IN_FROM),
    "LIMIT": ("LIMIT takes some rows of all", IN_FROM),
    "OFFSET": ("OFFSET leaves out some rows of all", IN_FROM),
    "ORDER BY": ("an order below the groups means nothing to them", "leave it out"),
}
_KEPT_BELOW = {"with", "expressions", "from", "joins", "where", "hint"}
_KEPT = {*_KEPT_BELOW, "group", "having"}
_HAVING_ALONE = (
    "HAVING stands without GROUP BY",
    "filter windows with WHERE, or group by what tells the rows of the result apart",
)
_SETS = ("grouping sets give one row to several groups", "write one model for each grouping")
_NO_GROUP = (
    "() is the group of all rows",
    "leave GROUP BY out: aggregates without it are those of all rows",
)
_STAR_OF_GROUPS = ("a star stands beside GROUP BY", "name the columns")
# What is read here are windows, or groups, below which a text has no place for its other steps.
_FUNCTIONS: dict[Kind, refusals.Words] = refusals.FUNCTIONS | {
    Kind.AGGREGATE: ("{name} puts rows together below the groups", IN_FROM),
    Kind.OVER: ("{name} looks at other rows", refusals.READS_ON),
    Kind.GENERATOR: ("{name} makes several rows of one", refusals.READS_ON),
    Kind.RANDOM: ("{name} gives another value each time", refusals.READS_ON),
    Kind.CLOCK: ("{name} gives another value in each run", refusals.READS_ON),
    Kind.OUTSIDE: (refusals.FUNCTIONS[Kind.OUTSIDE][0], refusals.READS_ON),
    Kind.UNKNOWN: (refusals.FUNCTIONS[Kind.UNKNOWN][0], refusals.READS_ON),
    Kind.GROUPING: (
        "{name} belongs to grouping sets, which are not kept here",
        "write one model for each grouping",
    ),
    Kind.TIME_WINDOW: (
        "{name} cannot be a group here",
        "group by date_trunc(...) or by a column of the model",
    ),
}
# What is said in place of words about models whose rows are read one by one.
WORDS = {
    BELOW["PIVOT"]: (BELOW["PIVOT"][0], refusals.READS_ON),
    refusals.SUBQUERY: (
        "a subquery in an expression is not read here",
        "join its table instead: LEFT SEMI JOIN for IN and EXISTS, LEFT ANTI JOIN for NOT EXISTS",
    ),
    refusals.NOT_UNDERSTOOD: (
        refusals.NOT_UNDERSTOOD[0],
        f"write it in another way, or {refusals.READS_ON}",
    ),
    refusals.METADATA: (refusals.METADATA[0], "leave it out"),
    NO_COLUMN: (
        "this is no column of what is read here, could be several, or has its name from Spark "
        "alone: it may be a variable, whose value the text does not say, or say where a row lies "
        "in its file, which changes",
        f"{NO_COLUMN[1]}; give what a CTE or subquery computes an alias",
    ),
}
_OWN = (
    "a column _ew_ of the model above is bookkeeping, which changes with each run",
    "leave it out",
)
_WITH_SCHEMA = (
    "a column has its schema in front of its table",
    "write table.column, or give the table an alias",
)


def refuse_clauses(reading: Reading, select: exp.Select) -> None:
    """Refuse what stands around the groups, or around a SELECT without GROUP BY.

    Raises:
        NotReadError: GROUP BY is not understood.
    """
    reading.refuse_clauses(select, _KEPT, _CLAUSES)
    places, group = clause_places(reading.text), select.args.get("group")
    if not isinstance(group, exp.Group):
        if select.args.get("having"):
            reading.refuse_span("HAVING", reading.text.near(select.args["having"]), _HAVING_ALONE)
        return
    if is_of_sets(group):
        reading.refuse_span("GROUP BY", places["group by"], _SETS)
        raise NotReadError
    if any(isinstance(node, exp.Tuple) and not node.expressions for node in group.expressions):
        reading.refuse_span("GROUP BY", places["group by"], _NO_GROUP)


def refuse_clauses_below(reading: Reading, select: exp.Select, where: str) -> None:
    """Refuse what a CTE or a subquery does with rows other than taking each by itself."""
    reading.refuse_clauses(select, _KEPT_BELOW, _CLAUSES_BELOW, where)


def refuse_expressions(
    reading: Reading, layer: Layer, where: str, scope: Scope | None, of_joins: Scope | None
) -> None:
    """Refuse what gives another value next time, or for other rows than those of the group.

    `where` is the CTE or subquery that the SELECT is, in words; empty for the last one. The scopes
    are that of the SELECT and that of the conditions of its joins, none where it is not known.
    """
    select = layer.select
    # of the items: those before an item, in the end all
    aliases: frozenset[str] = frozenset()
    pieces: list[tuple[str, exp.Expression, Names]] = []
    group, having = select.args.get("group"), select.args.get("having")
    for item in select.expressions:
        node = item.unalias()
        if not is_star(node):
            pieces.append(("SELECT", node, (scope, aliases)))
            aliases |= {item.alias.lower()} if isinstance(item, exp.Alias) else set()
        elif isinstance(group, exp.Group):
            reading.refuse("SELECT", node, _STAR_OF_GROUPS)
        elif node.args.get("db"):
            reading.refuse("SELECT", node, _WITH_SCHEMA)
    if isinstance(group, exp.Group):
        pieces += [("GROUP BY", node, (scope, aliases)) for node in group.expressions]
    condition = select.args.get("where")
    if isinstance(condition, exp.Where):
        pieces.append(("WHERE", condition.this, (scope, frozenset())))
    if isinstance(having, exp.Having):
        pieces.append(("HAVING", having.this, (scope, aliases)))
    for relation in layer.relations:
        on = relation.join.args.get("on") if relation.join is not None else None
        if isinstance(on, exp.Expression):
            pieces.append(("JOIN", on, (of_joins, frozenset())))
    tables = {tuple(part.lower() for part in relation.parts) for relation in layer.relations}
    kinds = (Kind.ROW,) if where else (Kind.ROW, Kind.AGGREGATE)
    for clause, node, names in pieces:
        _check(reading, f"{clause} in {where}" if where else clause, node, tables, kinds, names)


def is_star(node: exp.Expression) -> bool:
    """Whether this is `*` or `t.*`, all of it or with EXCEPT."""
    star = star_of(node)
    return star is not None and not clauses_of(star).keys() - {"except"}


def has_aggregate(node: exp.Expression) -> bool:
    """Whether an expression takes the rows of a group together."""
    calls = node.find_all(exp.Anonymous)
    return any(kind_of(call_name(call)) is Kind.AGGREGATE for call in calls)


def _check(
    reading: Reading,
    clause: str,
    node: exp.Expression,
    tables: Tables,
    kinds: Collection[Kind],
    names: Names,
) -> None:
    words = _refused(node, tables, kinds, names)
    if words is not None:
        reading.refuse(clause, node, words)
    elif not counts_rows(node):
        for child in below(node):
            _check(reading, clause, child, tables, kinds, names)


def _refused(
    node: exp.Expression, tables: Tables, kinds: Collection[Kind], names: Names
) -> refusals.Words | None:
    parts = lowered(parts_of(node) or ())
    if any(len(table) > 1 and parts[: len(table)] == table for table in tables):
        return _WITH_SCHEMA
    if parts and parts[-1].startswith("_ew_"):
        return _OWN
    kind = kind_of_call(node) if isinstance(node, exp.Anonymous) else None
    if kind is not None and kind not in kinds:
        problem, mend = _FUNCTIONS[kind]
        return problem.format(name=call_name(node)), mend
    return refused(node, names[0]) or refused_unknown(node, *names)
