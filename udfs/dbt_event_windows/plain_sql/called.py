"""What a query calls by a name: by an alias, by a list of columns, as another side of a UNION."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp

from dbt_event_windows.plain_sql.reads import names_of_item, renamed, star_of
from dbt_event_windows.plain_sql.text import nodes

# A name in lower case, and what it is given to.
Called = tuple[str, exp.Expression]


def called(query: Any) -> Iterator[Called]:
    """Each name that a query gives, wherever in it; fields of structs have names too."""
    for node in nodes(query):
        if isinstance(node, exp.Alias):
            yield node.alias.lower(), node.this
        elif isinstance(node, exp.Lateral):
            yield from ((name, node.this) for name in renamed(node))
        elif isinstance(node, (exp.CTE, exp.Subquery)):
            for select in _sides(node.this):
                yield from _side_by_side([[name] for name in renamed(node)], select.expressions)
        elif isinstance(node, exp.Union):
            sides = _sides(node)
            names = [_names(item) for side in sides[:1] for item in side.expressions]
            for select in sides[1:]:
                yield from _side_by_side(names, select.expressions)


def called_by(name: str, query: Any) -> list[exp.Expression]:
    """What a query gives this name to, which is in lower case."""
    return [given for one, given in called(query) if one == name]


def _sides(query: exp.Expression) -> list[exp.Select]:
    """The SELECTs whose rows a query gives, from left to right."""
    if isinstance(query, exp.Select):
        return [query]
    return [select for part in _below(query) for select in _sides(part)]


def _below(query: exp.Expression) -> list[exp.Expression]:
    if isinstance(query, exp.Union):
        return [query.this, query.expression]
    return [query.this] if isinstance(query, (exp.Subquery, exp.Paren)) else []


def _names(item: exp.Expression) -> list[str] | None:
    """The names of an item; none where a star stands for any number of columns."""
    return None if star_of(item) is not None else names_of_item(item)


def _side_by_side(
    names: Sequence[list[str] | None], items: Sequence[exp.Expression]
) -> Iterator[Called]:
    """Items by the names in their places, counted from both ends up to the first star."""
    for one_way in (1, -1):
        for name, item in zip(names[::one_way], items[::one_way], strict=False):
            if name is None or star_of(item) is not None:
                break
            value = item.this if isinstance(item, exp.Alias) else item
            yield from ((one, value) for one in name)
