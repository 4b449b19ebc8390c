"""What a rollup cannot have: clauses, and expressions that a group's own rows do not settle."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import clauses_of, first_of, name_of
from dbt_event_windows.plain_sql.expressions import counts_rows, kind_of_call, refused
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.places import clause_places
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import below, call_name, lowered, parts_of
from dbt_event_windows.plain_sql.statement import NotReadError, Statement
from dbt_event_windows.rollup.relations import IN_FROM, Relation

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
    "WITH": ("a CTE is not read here", IN_FROM),
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
_BY_DBT = "__dbt__cte__"
_KEPT = {"expressions", "from", "joins", "where", "group", "having", "hint"}
_HAVING_ALONE = (
    "HAVING stands without GROUP BY",
    "filter windows with WHERE, or group by what tells the rows of the result apart",
)
_SETS = ("grouping sets give one row to several groups", "write one model for each grouping")
_STAR_OF_GROUPS = ("a star stands beside GROUP BY", "name the columns")
# What is read here are windows, or groups, below which a text has no place for its other steps.
_FUNCTIONS: dict[Kind, refusals.Words] = refusals.FUNCTIONS | {
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
_WORDS = {
    refusals.SUBQUERY: (
        "a subquery in an expression is not read here",
        "join its table instead: LEFT SEMI JOIN for IN and EXISTS, LEFT ANTI JOIN for NOT EXISTS",
    ),
    refusals.NOT_UNDERSTOOD: (
        refusals.NOT_UNDERSTOOD[0],
        f"write it in another way, or {refusals.READS_ON}",
    ),
    refusals.METADATA: (refusals.METADATA[0], "leave it out"),
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
    text = reading.text
    for argument, value in clauses_of(select).items():
        if argument not in _KEPT:
            name = name_of(argument)
            span = text.clause(select, name, first_of(value)) or text.near(select)
            words = _CLAUSES.get(name, _WORDS[refusals.NOT_UNDERSTOOD])
            ephemeral = _ephemeral(value) if name == "WITH" else None
            if ephemeral is not None:
                words = (
                    f"the ephemeral model {ephemeral} is a CTE, which is not read here",
                    IN_FROM,
                )
            reading.refuse_span(name, span, words)
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


def _ephemeral(with_: object) -> str | None:
    """The model that dbt has put before the text as a CTE; none if the CTEs are the text's own."""
    ctes = with_.expressions if isinstance(with_, exp.With) else []
    names = [str(cte.alias) for cte in ctes]
    return next((name.removeprefix(_BY_DBT) for name in names if name.startswith(_BY_DBT)), None)


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
    if parts and parts[-1].startswith("_ew_"):
        return _OWN
    if not isinstance(node, exp.Anonymous):
        words = refused(node)
        return _WORDS.get(words, words) if words is not None else None
    kind = kind_of_call(node)
    if kind in (Kind.ROW, Kind.AGGREGATE):
        return None
    problem, mend = _FUNCTIONS[kind]
    return problem.format(name=call_name(node)), mend
