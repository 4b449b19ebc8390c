"""What lies below the windows: the FROM and WHERE of the last SELECT, its CTEs and subqueries.

All of it must be row by row: a row of a source gives its rows here by itself, so that a refresh can
read new rows alone. Joined tables are the exception, read as they stand at the refresh.
"""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import BELOW, clauses_of, first_of, name_of
from dbt_event_windows.plain_sql.expressions import check_row_by_row, refused_call
from dbt_event_windows.plain_sql.from_clause import Ctes, FromClause, renamed
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.notes import FAN_OUT, note_zone
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import Relation, Scope, call_name, parts_of

_READ = {"with", "from", "joins", "laterals", "where", "expressions", "hint", "kind"}


class Below:
    """Reads what is below the windows, and refuses what is not row by row.

    `sources` are the tables that are read, as the text writes them, by their names in lower case.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.sources: dict[str, str] = {}
        self.from_clause = FromClause(reading, self.sources, self.query, self.expression)

    @property
    def joins(self) -> bool:
        return self.from_clause.joins

    def last_select(self, select: exp.Select) -> Scope:
        """What the SELECT with the windows reads."""
        scope = self.from_clause.scope(select, self.ctes(select, {}), "FROM")
        self._where(select, "WHERE")
        return scope

    # queries

    def ctes(self, query: exp.Expression, outer: Ctes) -> Ctes:
        """The CTEs of a query, each with its columns, and those around it."""
        with_ = clauses_of(query).get("with")
        if not isinstance(with_, exp.With):
            return outer
        if with_.args.get("recursive"):
            words = ("a recursive CTE reads its own rows again and again", refusals.BEFORE)
            self.reading.refuse("WITH", with_, words)
        ctes = dict(outer)
        for cte in with_.expressions:
            relation = self.query(cte.this, ctes, f"WITH {cte.alias}")
            ctes[cte.alias.lower()] = renamed(relation, cte.args.get("alias"))
        return ctes

    def query(self, query: exp.Expression, outer: Ctes, clause: str) -> Relation:
        """The columns and sources of a query that must be row by row."""
        if isinstance(query, exp.Subquery):
            self.reading.refuse_others(clause, query, {"this", "alias", "with"})
            return self.query(query.this, self.ctes(query, outer), clause)
        if isinstance(query, exp.Union):
            return self._union(query, outer, clause)
        if not isinstance(query, exp.Select):
            self.reading.refuse(clause, query, _not_a_query(query))
            return Relation(frozenset(), None)
        ctes = self.ctes(query, outer)
        self._refuse_clauses(query, clause)
        scope = self.from_clause.scope(query, ctes, clause)
        self._where(query, clause)
        columns = [self._names(item, scope, clause) for item in query.expressions]
        return Relation(
            frozenset(),
            None if None in columns else frozenset().union(*(names or () for names in columns)),
            frozenset().union(*(relation.sources for relation in scope.relations)),
        )

    def _union(self, union: exp.Union, outer: Ctes, clause: str) -> Relation:
        ctes = self.ctes(union, outer)
        self.reading.refuse_others(clause, union, {"this", "expression", "with", "distinct"})
        if union.args.get("distinct"):
            words = (
                "UNION compares a row with all others, also those read before",
                f"use UNION ALL, or {refusals.BEFORE}",
            )
            self.reading.refuse(clause, union, words)
        elif not self.reading.settings.partition:
            words = (
                "UNION ALL reads two sources, and each has its own order of arrival",
                "give both a column that tells them apart, and name it in the config as partition",
            )
            self.reading.refuse(clause, union, words)
        left, right = (self.query(side, ctes, clause) for side in (union.this, union.expression))
        return Relation(frozenset(), left.columns, left.sources | right.sources)

    def _refuse_clauses(self, select: exp.Select, clause: str) -> None:
        for argument, value in clauses_of(select).items():
            if argument in _READ or _takes_no_rows(value):
                continue
            name = name_of(argument)
            span = self.reading.text.clause(select, name, first_of(value))
            words = BELOW.get(name, refusals.NOT_UNDERSTOOD)
            span = span or self.reading.text.near(select)
            self.reading.refuse_span(f"{name} in {clause}", span, words)

    def _names(self, item: exp.Expression, scope: Scope, clause: str) -> frozenset[str] | None:
        """The names that an item of a SELECT list adds; none where the text does not say them."""
        if isinstance(item, exp.Star):
            if any(item.args.get(name) for name in ("replace", "rename")):
                self.reading.refuse(clause, item, refusals.NOT_UNDERSTOOD)
            return None if clauses_of(item) else scope.columns
        if isinstance(item, exp.Column) and item.is_star:
            return None
        aliased = isinstance(item, exp.Alias | exp.Aliases)
        self.expression(item.this if aliased else item, clause, generators=True)
        if isinstance(item, exp.Alias):
            return frozenset([item.alias.lower()])
        if isinstance(item, exp.Aliases):
            return frozenset(alias.name.lower() for alias in item.expressions)
        parts = parts_of(item)
        if parts is not None:
            return frozenset([parts[-1].lower()])
        return None if kind_of(call_name(item)) is Kind.GENERATOR else frozenset()

    # expressions

    def _where(self, select: exp.Expression, clause: str) -> None:
        where = select.args.get("where")
        if isinstance(where, exp.Where):
            self.expression(where.this, clause)

    def expression(self, node: exp.Expression, clause: str, generators: bool = False) -> None:
        """Refuse what is not row by row; with `generators` the expression may make several rows."""

        def call(one: exp.Expression) -> refusals.Words | None:
            if generators and one is node and kind_of(call_name(one)) is Kind.GENERATOR:
                self.reading.note(FAN_OUT)
                return None
            return refused_call(one)

        check_row_by_row(node, lambda found, words: self.reading.refuse(clause, found, words), call)
        note_zone(self.reading, node)


def _takes_no_rows(value: object) -> bool:
    """Whether this is LIMIT 0, with which dbt builds empty tables (`--empty`)."""
    rows = value.expression if isinstance(value, exp.Limit) else None
    return isinstance(rows, exp.Literal) and str(rows.this) == "0"


def _not_a_query(query: exp.Expression) -> refusals.Words:
    name = type(query).__name__.upper()
    if name in ("INTERSECT", "EXCEPT"):
        return (f"{name} compares a row with all others, also those read before", refusals.BEFORE)
    return refusals.NOT_UNDERSTOOD
