"""Through which LEFT JOINs the column comes by which rows arrive.

Its way is followed by name, from the last SELECT to the tables. What it is made of on the right
side of a LEFT JOIN belongs to rows that a row of the left side may meet later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from sqlglot import exp

from dbt_event_windows.plain_sql.clauses import renames_columns
from dbt_event_windows.plain_sql.ctes import Ctes, ctes_of
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.reads import (
    Read,
    left_out,
    names_of_item,
    reads_of,
    renamed,
    star_of,
)
from dbt_event_windows.plain_sql.references import Parts, lowered, references
from dbt_event_windows.plain_sql.relation_names import identifiers_of, names_of

# A column by its name in lower case, or by its place where an alias renames it.
_Column = str | int
# The right sides that a column comes through; none where there is no such column.
_Found = list[exp.Expression] | None


class Arrival:
    """Follows names; `columns_of` tells the columns of a table by its name in lower case."""

    def __init__(self, reading: Reading, columns_of: Callable[[str], Collection[str]]) -> None:
        self.reading = reading
        self._columns_of = columns_of

    def right_sides(self, select: exp.Select, parts: Parts) -> list[exp.Expression]:
        """Those that a column which the last SELECT reads comes through.

        A name may be one that only Spark gives, to a column without an alias: it may come through
        any of them.
        """
        reads, ctes = list(reads_of(select)), ctes_of(self.reading, select, {})
        found = self._of_name(reads, ctes, parts)
        return found if found is not None else self._all_of(reads, ctes)

    def _of_name(self, reads: Sequence[Read], ctes: Ctes, parts: Parts) -> _Found:
        lower = lowered(parts)
        named = [
            (read, lower[length])
            for length in range(len(parts) - 1, 0, -1)
            for read in reads
            if lower[:length] in names_of(read.node)
        ]
        # of several that have the column USING has made one, which is that of the first
        return self._of_reads(reads, [*named[:1], *((read, lower[0]) for read in reads)], ctes)

    def _of_reads(
        self, reads: Sequence[Read], wanted: Sequence[tuple[Read, _Column]], ctes: Ctes
    ) -> _Found:
        """The first of several columns that is there."""
        for read, column in wanted:
            if isinstance(read.node, exp.Lateral):
                before = reads[: reads.index(read)]
                found = self._of_lateral(read.node, before, ctes, column)
            else:
                found = self._of_relation(read.node, ctes, column)
            if found is not None:
                return [*found, *([read.right] if read.right is not None else [])]
        return None

    def _of_lateral(
        self, lateral: exp.Lateral, before: Sequence[Read], ctes: Ctes, column: _Column
    ) -> _Found:
        if column not in renamed(lateral):
            return None
        return self._of_expression(lateral.this, before, ctes, [])

    def _of_expression(
        self,
        node: exp.Expression,
        reads: Sequence[Read],
        ctes: Ctes,
        items: Sequence[exp.Expression],
    ) -> list[exp.Expression]:
        """Those of all names in an expression, of which one may be an alias of `items` before."""
        found: list[exp.Expression] = []
        for _, parts in references(node):
            of_name = self._of_name(reads, ctes, parts)
            if of_name is None:
                of_name = self._of_alias(parts, reads, ctes, items)
            found += self._all_of(reads, ctes) if of_name is None else of_name
        return found

    def _of_alias(
        self, parts: Parts, reads: Sequence[Read], ctes: Ctes, items: Sequence[exp.Expression]
    ) -> _Found:
        for place, item in enumerate(items):
            if parts[0].lower() in names_of_item(item):
                return self._of_expression(item, reads, ctes, items[:place])
        return None

    def _all_of(self, reads: Sequence[Read], ctes: Ctes) -> list[exp.Expression]:
        """All right sides that anything which is read may come through."""
        found: list[exp.Expression] = []
        for read in reads:
            found += [] if read.right is None else [read.right]
            found += self._all_below(read.node, ctes)
        return found

    def _all_below(self, node: exp.Expression, outer: Ctes) -> list[exp.Expression]:
        ctes = ctes_of(self.reading, node, outer)
        if isinstance(node, exp.Table):
            cte = ctes.get(".".join(part.name.lower() for part in identifiers_of(node)))
            return self._all_below(cte.node, cte.around) if cte is not None else []
        if isinstance(node, exp.Subquery | exp.CTE):
            return self._all_below(node.this, ctes)
        if isinstance(node, exp.Union):
            return self._all_below(node.this, ctes) + self._all_below(node.expression, ctes)
        return self._all_of(list(reads_of(node)), ctes) if isinstance(node, exp.Select) else []

    def _of_relation(self, node: exp.Expression, ctes: Ctes, column: _Column) -> _Found:
        """A column of a table, a CTE, or a subquery."""
        if renames_columns(node.args.get("alias")) and isinstance(column, str):
            names = renamed(node)
            if column not in names:
                return None
            column = names.index(column)
        if isinstance(node, exp.Subquery | exp.CTE):
            return self._of_query(node.this, ctes_of(self.reading, node, ctes), column)
        if not isinstance(node, exp.Table):
            return None
        name = ".".join(part.name.lower() for part in identifiers_of(node))
        if name in ctes:
            cte = ctes[name]
            return self._of_relation(cte.node, cte.around, column)
        return [] if isinstance(column, int) or column in self._columns_of(name) else None

    def _of_query(self, query: exp.Expression, outer: Ctes, column: _Column) -> _Found:
        ctes = ctes_of(self.reading, query, outer)
        if isinstance(query, exp.Subquery):
            return self._of_relation(query, ctes, column)
        if isinstance(query, exp.Union):
            wanted = [(query.this, column), (query.expression, _place(query.this, column))]
            sides = [self._of_query(side, ctes, of_side) for side, of_side in wanted]
            known = [side for side in sides if side is not None]
            return [one for side in known for one in side] if known else None
        if not isinstance(query, exp.Select):
            return None
        reads = list(reads_of(query))
        for place, item in enumerate(query.expressions):
            star = star_of(item)
            if star is not None:
                front = item.text("table").lower()
                found = self._of_star(star, front, reads, ctes, column)
                if found is not None:
                    return found
            elif column == place or column in names_of_item(item):
                return self._of_expression(item, reads, ctes, query.expressions[:place])
        return None

    def _of_star(
        self, star: exp.Star, front: str, reads: Sequence[Read], ctes: Ctes, column: _Column
    ) -> _Found:
        if column in [parts[-1] for parts in left_out(star)]:
            return None
        of = [read for read in reads if not front or (front,) in names_of(read.node)]
        return self._of_reads(reads, [(read, column) for read in of], ctes)


def _place(query: exp.Expression, column: _Column) -> _Column:
    """A column of the first side of a UNION by its place, if the text tells it."""
    while isinstance(query, exp.Union):
        query = query.this
    items = query.expressions if isinstance(query, exp.Select) and not query.is_star else []
    places = (place for place, item in enumerate(items) if column in names_of_item(item))
    return next(places, column)
