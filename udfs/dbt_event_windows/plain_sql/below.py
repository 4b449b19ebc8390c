"""What lies below the windows: the FROM and WHERE of the last SELECT, its CTEs and subqueries.

All of it must be row by row: a row of a source gives its rows here by itself, so that a refresh can
read new rows alone. What is joined is the exception, read as it stands at the refresh.
"""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import BELOW, clauses_of, takes_no_rows
from dbt_event_windows.plain_sql.ctes import Ctes, ctes_of
from dbt_event_windows.plain_sql.expressions import check_row_by_row, refused_call
from dbt_event_windows.plain_sql.from_clause import FromClause
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.names_below import NamesBelow
from dbt_event_windows.plain_sql.notes import FAN_OUT, note_zone
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import call_name, parts_in
from dbt_event_windows.plain_sql.scope import Relation, Scope
from dbt_event_windows.plain_sql.told_apart import told_apart

_READ = {"with", "from", "joins", "laterals", "where", "expressions", "hint", "kind"}


class Below:
    """Reads what is below the windows, and refuses what is not row by row.

    `sources` are the tables that are read, as the text writes them, by their names in lower case.
    `names` are those in expressions below the last SELECT. `apart` are the UNION ALLs, by id(),
    whose sides the partition tells apart.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.sources: dict[str, str] = {}
        self.names = NamesBelow(reading, self.sources)
        self.apart: frozenset[int] = frozenset()
        self.from_clause = FromClause(reading, self.sources, self.query, self.expression)

    @property
    def joins(self) -> bool:
        return self.from_clause.joins

    def relations(self, select: exp.Select) -> list[Relation]:
        """What the SELECT with the windows reads, without the columns."""
        given = [parts_in(name) for name in self.reading.settings.partition]
        self.apart = frozenset().union(*(told_apart(select, parts) for parts in given if parts))
        relations = self.from_clause.relations(select, ctes_of(self.reading, select, {}), "FROM")
        if not self.reading.problems:
            self.from_clause.looked_up.refuse_others(select)
        return relations

    # queries

    def query(self, query: exp.Expression, outer: Ctes, clause: str) -> frozenset[str]:
        """The tables below a query, which must be row by row."""
        if isinstance(query, exp.Subquery):
            self.reading.refuse_others(clause, query, {"this", "alias", "with"})
            return self.query(query.this, ctes_of(self.reading, query, outer), clause)
        if isinstance(query, exp.Union):
            return self._union(query, outer, clause)
        if not isinstance(query, exp.Select):
            self.reading.refuse(clause, query, _not_a_query(query))
            return frozenset()
        ctes = ctes_of(self.reading, query, outer)
        empty = {name for name, value in clauses_of(query).items() if takes_no_rows(value)}
        self.reading.refuse_clauses(query, _READ | empty, BELOW, where=clause)
        relations = self.from_clause.relations(query, ctes, clause)
        self.where(query, clause)
        for item in query.expressions:
            self._item(item, clause)
        return frozenset().union(*(relation.sources for relation in relations))

    def _union(self, union: exp.Union, outer: Ctes, clause: str) -> frozenset[str]:
        ctes = ctes_of(self.reading, union, outer)
        self.reading.refuse_others(clause, union, {"this", "expression", "with", "distinct"})
        if union.args.get("distinct"):
            words = (
                "UNION compares a row with all others, also those read before",
                f"use UNION ALL, or {refusals.BEFORE}",
            )
            self.reading.refuse(clause, union, words)
        elif id(union) not in self.apart:
            words = (
                "UNION ALL reads two sources, and each has its own order of arrival",
                "give both a column that tells them apart, and name it in the config as partition: "
                "'a' as source here and 'b' as source there, or concat_ws('-', 'a', part) where a "
                "source has partitions of its own; where both are only looked up join them, behind "
                "the table that gets new rows",
            )
            self.reading.refuse(clause, union, words)
        left, right = (self.query(side, ctes, clause) for side in (union.this, union.expression))
        return left | right

    def _item(self, item: exp.Expression, clause: str) -> None:
        """Refuse an item of a SELECT list that is not row by row."""
        if isinstance(item, exp.Star):
            if any(item.args.get(name) for name in ("replace", "rename")):
                self.reading.refuse(clause, item, refusals.NOT_UNDERSTOOD)
        elif not (isinstance(item, exp.Column) and item.is_star):
            aliased = isinstance(item, exp.Alias | exp.Aliases)
            self.expression(item.this if aliased else item, clause, generators=True)

    # expressions

    def where(self, select: exp.Expression, clause: str, scope: Scope | None = None) -> None:
        where = select.args.get("where")
        if isinstance(where, exp.Where):
            self.expression(where.this, clause, scope=scope)

    def expression(
        self,
        node: exp.Expression,
        clause: str,
        generators: bool = False,
        scope: Scope | None = None,
    ) -> None:
        """Refuse what is not row by row; with `generators` the expression may make several rows."""

        def call(one: exp.Expression) -> refusals.Words | None:
            if generators and one is node and kind_of(call_name(one)) is Kind.GENERATOR:
                self.reading.note(FAN_OUT)
                return None
            return refused_call(one)

        def refuse(found: exp.Expression, words: refusals.Words) -> None:
            words = refusals.OVER_BELOW if words is refusals.OVER else words
            self.reading.refuse(clause, found, words)

        check_row_by_row(node, refuse, call, scope)
        if scope is None:
            self.names.add(clause, node)
        note_zone(self.reading, node, scope)


def _not_a_query(query: exp.Expression) -> refusals.Words:
    name = type(query).__name__.upper()
    if name in ("INTERSECT", "EXCEPT"):
        return (f"{name} compares a row with all others, also those read before", refusals.BEFORE)
    return refusals.NOT_UNDERSTOOD
