"""The relations of a FROM: tables, CTEs, subqueries, joins and lateral views."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import clauses_of
from dbt_event_windows.plain_sql.ctes import Cte, Ctes
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.looked_up import LookedUp
from dbt_event_windows.plain_sql.notes import JOINS
from dbt_event_windows.plain_sql.read_whole import WholeQuery
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import call_name
from dbt_event_windows.plain_sql.relation_names import identifiers_of, names_of
from dbt_event_windows.plain_sql.scope import Relation
from dbt_event_windows.plain_sql.text import children

_UNKNOWN = Relation(frozenset())
_NO_FROM: refusals.Words = (
    "there is no FROM, so that no row can be new",
    "read a table; write values where they are used",
)
_MAY_GET_NEW_ROWS: refusals.Words = (
    "this is not read row by row, and new rows may be those of a table that it reads: that has a "
    "column of the name of arrival_order, or something in the text may give it that name",
    "where it is only looked up put it into a view, and join that; what gets new rows is filtered "
    "and joined here, and put together in the model that is read",
)


class FromClause:
    """Reads relations; `query` reads a subquery, `expression` the condition of a join."""

    def __init__(
        self,
        reading: Reading,
        sources: dict[str, str],
        query: Callable[[exp.Expression, Ctes, str], frozenset[str]],
        expression: Callable[[exp.Expression, str, bool], None],
    ) -> None:
        self.reading = reading
        self.sources = sources
        self.joins = False
        self.looked_up = LookedUp(reading, sources)
        self._query = query
        self._whole = WholeQuery(reading, self._tables_read_whole)
        self._expression = expression

    def relations(self, select: exp.Expression, ctes: Ctes, clause: str) -> list[Relation]:
        """The relations that a SELECT reads, without their columns."""
        from_ = clauses_of(select).get("from")
        if not isinstance(from_, exp.From):
            self.reading.refuse(clause, select, _NO_FROM)
            return []
        relations = self._relations(from_.this, ctes, clause)
        for join in select.args.get("joins") or []:
            self._join(join, relations, ctes, clause)
        for lateral in select.args.get("laterals") or []:
            relations.append(self._lateral(lateral, clause))
        return relations

    def _relations(self, node: exp.Expression, ctes: Ctes, clause: str) -> list[Relation]:
        """A table, a subquery, or several in brackets: `(a join b on ...)`."""
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
            self.reading.refuse_others(clause, node, {"this"})
            return self._relations(node.this, ctes, clause)
        if isinstance(node, exp.Lateral):
            return [self._lateral(node, clause)]
        if isinstance(node, exp.Table):
            relation = self._table(node, ctes, clause)
        elif isinstance(node, exp.Subquery):
            relation = self._subquery(node, ctes)
        else:
            self.reading.refuse(clause, node, _not_a_table(node))
            relation = _UNKNOWN
        relations = [relation]
        for join in node.args.get("joins") or []:
            self._join(join, relations, ctes, clause)
        return relations

    def _subquery(self, node: exp.Subquery, ctes: Ctes) -> Relation:
        alias = node.alias
        sources = self._query(node, ctes, f"FROM (...) {alias}".rstrip())
        return Relation(names_of(node), sources)

    def _table(self, table: exp.Table, ctes: Ctes, clause: str) -> Relation:
        def cte(one: Cte) -> frozenset[str]:
            return self._query(one.query, one.around, f"WITH {one.name}")

        return Relation(names_of(table), self._tables(table, ctes, clause, cte))

    def _tables(
        self,
        table: exp.Table,
        ctes: Ctes,
        clause: str,
        cte: Callable[[Cte], frozenset[str]],
        others: Collection[str] = (),
    ) -> frozenset[str]:
        """A table by its name, or those below the CTE that it is, which `cte` reads.

        `others` are clauses that may say more of it.
        """
        said = {"this", "db", "catalog", "alias", "joins", *others}
        self.reading.refuse_others(clause, table, said)
        identifiers = identifiers_of(table)
        parts = tuple(name.name.lower() for name in identifiers)
        alias = table.args.get("alias")
        # `from stream t` is no table with an alias for Spark
        is_stream = parts == ("stream",) and bool(alias) and not table.this.args.get("quoted")
        if not isinstance(table.this, exp.Identifier) or is_stream:
            self.reading.refuse(clause, table, _not_a_table(table))
            return frozenset()
        if len(parts) == 1 and parts[0] in ctes:
            return cte(ctes[parts[0]])
        name = ".".join(parts)
        self.sources.setdefault(name, self._written(identifiers))
        return frozenset([name])

    def _tables_read_whole(
        self, table: exp.Table, ctes: Ctes, clause: str, cte: Callable[[Cte], frozenset[str]]
    ) -> frozenset[str]:
        # as of one version it gets no new rows, which what is joined need not get
        return self._tables(table, ctes, clause, cte, others=["version"])

    def _written(self, identifiers: list[exp.Identifier]) -> str:
        """A table's name as the text has it."""
        text = self.reading.text
        places = [text.around(name) for name in identifiers]
        known = [place for place in places if place is not None]
        return text.slice((known[0][0], known[-1][1])) if known else ""

    def _join(self, join: exp.Join, known: list[Relation], ctes: Ctes, clause: str) -> None:
        is_table = not isinstance(join.this, exp.Lateral)
        if is_table:
            self.joins = True
            self.reading.note(JOINS)
        before = frozenset().union(*(relation.sources for relation in known))
        relations = self._joined(join.this, ctes, clause)
        joined = frozenset().union(*(relation.sources for relation in relations))
        again = {(one, other) for one in before for other in joined if _can_be_one(one, other)}
        words = self._refused_join(join, is_table)
        if again:
            tables = frozenset().union(*again)
            itself = self._joined_with_itself(min(tables))
            self.looked_up.expect(join.this, tables, itself)
            if self.reading.questions.answers is None and any(
                one in known[0].sources for one, _ in again
            ):
                # nobody can say that it gets no new rows
                self.reading.refuse("JOIN", join.this, itself)
        if join.text("side").upper() == "LEFT" and is_table:
            self.looked_up.expect_no_arrival(before | joined)
        if words is not None:
            self.reading.refuse("JOIN", join.this, words)
        using = frozenset(column.name.lower() for column in join.args.get("using") or [])
        # of the right side of these nothing is left to be read
        if str(join.args.get("kind") or "").upper() not in ("SEMI", "ANTI"):
            known += [replace(one, using=one.using | using) for one in relations]
        said = {"this", "on", "using", "side", "kind", "method", "expressions"}
        self.reading.refuse_others(clause, join, said)
        on = join.args.get("on")
        if isinstance(on, exp.Expression):
            self._expression(on, "JOIN ... ON", False)

    def _joined(self, node: exp.Expression, ctes: Ctes, clause: str) -> list[Relation]:
        """What is joined: where it is not row by row it is only looked up, and read whole."""
        with self.reading.problems.apart() as problems:
            relations = self._relations(node, ctes, clause)
        is_query = isinstance(node, exp.Subquery | exp.Table | exp.Values)
        is_bracket = isinstance(node.this, exp.Table) or node.args.get("joins")
        if problems and is_query and not is_bracket:
            with self.reading.problems.apart() as problems:
                tables = self._whole.tables(node, ctes, f"JOIN {node.alias}".rstrip())
            relations = [Relation(names_of(node), tables)]
            self.looked_up.expect(node, tables, _MAY_GET_NEW_ROWS)
        self.reading.problems.extend(problems)
        return relations

    def _joined_with_itself(self, table: str) -> refusals.Words:
        return (
            f"{self.sources[table]} is joined with itself, or with a table that its name can mean "
            "too: where it gets new rows, one would add rows for those that were read before",
            f"{refusals.BEFORE}; a table that is only looked up twice can be joined by a view of "
            "it the second time",
        )

    def _refused_join(self, join: exp.Join, is_table: bool) -> refusals.Words | None:
        side, kind, method = (
            str(join.args.get(part) or "").upper() for part in ("side", "kind", "method")
        )
        if is_table and self.reading.settings.joins == "refuse":
            return (
                "a join is refused by the config (joins='refuse'): the joined table is read as it "
                "stands at the refresh",
                f"{refusals.BEFORE}, or leave joins='refuse' out of the config",
            )
        if side in ("RIGHT", "FULL"):
            return (
                f"a {side} JOIN keeps rows of the joined table that no row of the first one has "
                "met so far, and a later row can meet them",
                "write it as a LEFT JOIN, with the table that gets new rows first",
            )
        if method or kind not in ("", "INNER", "OUTER", "CROSS", "SEMI", "ANTI"):
            return (
                f"{' '.join(filter(None, (method, side, kind)))} JOIN is not understood here",
                "write it as JOIN ... ON or LEFT JOIN ... ON",
            )
        return None

    def _lateral(self, lateral: exp.Lateral, clause: str) -> Relation:
        """LATERAL VIEW, or a join with LATERAL: what a function makes of each row by itself."""
        self.reading.refuse_others(clause, lateral, {"this", "view", "outer", "alias"})
        if kind_of(call_name(lateral.this)) is not Kind.GENERATOR:
            words = (
                "of lateral relations only a function of Spark's own that makes rows is understood "
                "here, such as LATERAL VIEW explode(items) t AS item",
                refusals.BEFORE,
            )
            self.reading.refuse("LATERAL", lateral.this, words)
        else:
            self._expression(lateral.this, "LATERAL", True)
        return Relation(names_of(lateral))


def _can_be_one(table: str, other: str) -> bool:
    """Whether two names can be those of one table: of one the schema may not be said."""
    return f".{table}".endswith(f".{other}") or f".{other}".endswith(f".{table}")


def _not_a_table(node: exp.Expression) -> refusals.Words:
    if any(isinstance(found, exp.Values) for found in [node, *children(node)]):
        return ("VALUES in FROM gets no new rows", "read a table; a small one can be a seed")
    return ("only tables, CTEs and subqueries are read here", refusals.BEFORE)
