"""Which UNION ALLs the partition tells apart: no row of one side has a value that the other gives.

Each side has its own order of arrival: how far one was read must say nothing of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from sqlglot import exp

from dbt_event_windows.plain_sql.clauses import clauses_of
from dbt_event_windows.plain_sql.ctes import Ctes, known_in
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.reads import (
    Read,
    left_out,
    names_of_item,
    reads_of,
    renamed,
    star_of,
)
from dbt_event_windows.plain_sql.references import Parts, call_name, lowered, parts_of, plain
from dbt_event_windows.plain_sql.relation_names import identifiers_of, names_of

# Behind a value that is known in full: no other one begins with it.
_END = "\0"
# Where the numbers of a type end.
_ENDS = {"TINYINT": 2**7, "SMALLINT": 2**15, "INT": 2**31, "BIGINT": 2**63}


@dataclass(frozen=True)
class _Value:
    """What a column may be: of this kind, with this start, by way of these sides of UNIONs.

    A UNION is named by its place among those that were read, since one that is read twice has rows
    of the same source on two ways.
    """

    kind: str = ""
    start: str = ""
    way: tuple[tuple[int, int], ...] = ()

    def differs_from(self, other: _Value) -> bool:
        """Whether no value is both."""
        starts = (self.start, other.start)
        is_one = starts[0].startswith(starts[1]) or starts[1].startswith(starts[0])
        return self.kind == other.kind and not is_one

    def begins(self) -> _Value:
        """What a text may be that begins with this."""
        return replace(self, start=self.start.removesuffix(_END) if self.kind == "text" else "")


@dataclass(frozen=True)
class _Column:
    """A column of a query: its name in lower case, and what it may be."""

    name: str
    values: tuple[_Value, ...] = (_Value(),)


# None are columns that the text does not tell, however many.
_Columns = Sequence[_Column | None]
# The columns of a relation, and how they can name it.
_Relation = tuple[_Columns, frozenset[Parts]]


def told_apart(select: exp.Select, partition: Parts) -> frozenset[int]:
    """The UNION ALLs below a SELECT, by id(), whose sides a column that it reads tells apart.

    One that is read several times must be told apart each time: above one of them the column may
    be another one.
    """
    reader = _Reader()
    values = _named(partition, reader.relations(select, known_in(select, {}))).values
    apart: dict[int, bool] = {}
    for one, other in combinations(values, 2):
        sides = dict(other.way)
        for union, side in one.way:
            if sides.get(union, side) != side:
                apart[union] = apart.get(union, True) and one.differs_from(other)
    unions = enumerate(reader.unions)
    may_be_one = {union for place, union in unions if not apart.get(place, False)}
    return frozenset(reader.unions) - may_be_one


class _Reader:
    """Reads what columns of queries may be. `unions` are the UNIONs that it came by, by id()."""

    def __init__(self) -> None:
        self.unions: list[int] = []

    def relations(self, select: exp.Expression, ctes: Ctes) -> list[_Relation]:
        return [(self._of_read(read, ctes), names_of(read.node)) for read in reads_of(select)]

    def _of_read(self, read: Read, ctes: Ctes) -> _Columns:
        """The columns of what is read, but for what a join makes of them.

        They are null where a LEFT JOIN finds no row. What USING makes one of both is that of the
        relation before, which may only be compared as the same.
        """
        return [
            _Column(column.name)
            if column and (read.right is not None or column.name in read.using)
            else column
            for column in self._of_relation(read.node, ctes)
        ]

    def _of_relation(self, node: exp.Expression, ctes: Ctes) -> _Columns:
        """The columns of a table, a CTE, a subquery, or a lateral view."""
        columns: _Columns = [None]
        if isinstance(node, exp.Subquery | exp.CTE):
            columns = self._of_query(node.this, known_in(node, ctes))
        elif isinstance(node, exp.Table):
            cte = ctes.get(".".join(part.name.lower() for part in identifiers_of(node)))
            columns = self._of_relation(cte.node, cte.around) if cte is not None else [None]
        names = [_Column(name) for name in renamed(node)]
        return [
            replace(column, values=_in_its_place(place, names, columns))
            for place, column in enumerate(names)
        ] or columns

    def _of_query(self, query: exp.Expression, outer: Ctes) -> _Columns:
        ctes = known_in(query, outer)
        if isinstance(query, exp.Subquery):
            return self._of_relation(query, ctes)
        if isinstance(query, exp.Union):
            union = len(self.unions)
            self.unions.append(id(query))
            first, second = (self._of_query(side, ctes) for side in (query.this, query.expression))
            return [
                column and _of_both(union, column, _in_its_place(place, first, second))
                for place, column in enumerate(first)
            ]
        if not isinstance(query, exp.Select):
            return [None]
        relations = self.relations(query, ctes)
        return [column for item in query.expressions for column in _of_item(item, relations)]


def _named(parts: Parts, relations: Sequence[_Relation]) -> _Column:
    lower = lowered(parts)
    for columns, names in relations:
        if len(lower) == 1 or lower[:-1] in names:
            for column in columns:
                if column is not None and column.name == lower[-1]:
                    return column
    return _Column(lower[-1])


def _of_both(union: int, column: _Column, others: tuple[_Value, ...]) -> _Column:
    values = (
        replace(value, way=(*value.way, (union, side)))
        for side, of_side in enumerate((column.values, others))
        for value in of_side
    )
    return replace(column, values=tuple(values))


def _in_its_place(place: int, columns: _Columns, others: _Columns) -> tuple[_Value, ...]:
    """What that of the others may be which stands where one of the columns stands.

    Both are as many, but for those that the text does not tell.
    """
    for before, at in (
        ((*columns[:place], *others[: place + 1]), place),
        ((*columns[place:], *others[place - len(columns) :]), place - len(columns)),
    ):
        if None not in before and -len(others) <= at < len(others):
            found = others[at]
            return found.values if found is not None else (_Value(),)
    return (_Value(),)


def _of_item(item: exp.Expression, relations: Sequence[_Relation]) -> Iterator[_Column | None]:
    star = star_of(item)
    if star is not None:
        yield from _of_star(star, item.text("table").lower(), relations)
    elif isinstance(item, exp.Aliases) or kind_of(call_name(item)) is Kind.GENERATOR:
        yield None
    else:
        name = next(iter(names_of_item(item)), "")
        yield _Column(name, _values(item.this if isinstance(item, exp.Alias) else item, relations))


def _of_star(star: exp.Star, front: str, relations: Sequence[_Relation]) -> _Columns:
    if clauses_of(star).keys() - {"except"}:
        return [None]
    of = [columns for columns, names in relations if not front or (front,) in names]
    names = [parts[-1] for parts in left_out(star)]
    if len(of) == 1 and not names:
        return of[0]
    # USING moves columns to the front
    kept = [one for columns in of for one in columns if one is None or one.name not in names]
    return [None, *kept, None]


def _values(node: exp.Expression, relations: Sequence[_Relation]) -> tuple[_Value, ...]:
    """What an expression may be.

    `concat_ws` leaves out what is null; of `concat` and `||` the value is null then, on both sides.
    """
    node = plain(node)
    parts = parts_of(node)
    if parts:
        return _named(parts, relations).values
    if call_name(node) == "concat_ws" and len(node.expressions) > 1:
        separator, first = node.expressions[:2]
        if _text(separator) is not None:
            return tuple(value.begins() for value in _values(first, relations))
    return (_constant(node),)


def _constant(node: exp.Expression) -> _Value:
    for kind, known in (("text", _text(node)), ("number", _number(node))):
        if known is not None:
            return _Value(kind, f"{known}{_END}")
    return _Value()


def _text(node: exp.Expression) -> str | None:
    node = plain(node)
    if isinstance(node, exp.Cast) and node.to.sql().upper() in ("STRING", "TEXT"):
        return _text(node.this)
    if call_name(node) == "string" and len(node.expressions) == 1:
        return _text(node.expressions[0])
    return str(node.this) if isinstance(node, exp.Literal) and node.is_string else None


def _number(node: exp.Expression) -> int | None:
    """A whole number, as it is written: `1`, `-1`, `1L`, which is a cast here."""
    node = plain(node)
    if isinstance(node, exp.Neg):
        number = _number(node.this)
        # of the least number of a type there is no negative one
        return -number if number is not None and number > 0 else None
    if isinstance(node, exp.Cast):
        number = _number(node.this)
        end = _ENDS.get(node.to.sql().upper(), 0)
        # beyond its type it is another number, or null
        return number if number in range(-end, end) else None
    return int(str(node.this)) if isinstance(node, exp.Literal) and node.is_int else None
