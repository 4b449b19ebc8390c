"""Which names a text may give to columns that are not columns of a table with that name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from dbt_event_windows.plain_sql.clauses import clauses_of
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.references import Parts, call_name, parts_of
from dbt_event_windows.plain_sql.text import children, nodes

# What Spark calls the columns of a function that makes rows, where the text does not name them.
_OF_GENERATORS = re.compile(r"col\d*|key|value|pos|c\d+")


def relation_names(query: exp.Expression) -> frozenset[str]:
    """What may stand before the dot of a column: names of tables, CTEs and subqueries."""
    kinds = (exp.Table, exp.Subquery, exp.Values, exp.Lateral)
    found = (node.alias_or_name for node in nodes(query) if isinstance(node, kinds))
    return frozenset(name.lower() for name in found if name)


def below_the_items(select: exp.Select) -> list[exp.Expression]:
    """What a SELECT is made of but its own items, whose names nothing below it can see."""
    items = {id(item) for item in select.expressions}
    return [part for part in children(select) if id(part) not in items]


def seen_from(node: exp.Expression) -> Iterator[exp.Expression]:
    """What may give an expression its names: its SELECT, and the CTEs that this can read."""
    part: Any = node
    while not isinstance(part.parent, exp.Select):
        part = part.parent
    select = part.parent
    # an item can name items before it
    is_item = any(part is item for item in select.expressions)
    yield from [select] if is_item else below_the_items(select)
    around: Any = select
    while around.parent is not None:
        if isinstance(around, exp.CTE):
            ctes = around.parent.expressions
            yield from ctes[: [one is around for one in ctes].index(True)]
        elif not isinstance(around, exp.With):
            yield from filter(None, [clauses_of(around.parent).get("with")])
        around = around.parent


def may_give(query: exp.Expression, name: str, relations: frozenset[str]) -> bool:
    """Whether something in a query may give a name, in lower case, to what is no such column.

    An alias does, a field of a struct, a star over one, a function that makes rows. `relations`
    are the names before a dot that are surely no structs.
    """
    return any(_gives(node, name, relations) for node in nodes(query))


def _gives(node: exp.Expression, name: str, relations: frozenset[str]) -> bool:
    if isinstance(node, exp.TableAlias):
        return name in [one.name.lower() for one in node.args.get("columns") or []]
    if isinstance(node, exp.Aliases):
        return name in [str(alias).lower() for alias in node.aliases]
    # elsewhere an alias is the name of a field
    if isinstance(node, exp.Alias) and isinstance(node.parent, exp.Select):
        return node.alias.lower() == name and not _is_column(node.this, name, relations)
    if isinstance(node, exp.Lateral):
        alias = node.args.get("alias")
        named = isinstance(alias, exp.TableAlias) and alias.args.get("columns")
        return not named and _makes(node.this, name)
    if isinstance(node, exp.Select):
        return any(_item_gives(item, name, relations) for item in node.expressions)
    return False


def _item_gives(item: exp.Expression, name: str, relations: frozenset[str]) -> bool:
    """Whether an item without an alias does; those with one are nodes of their own."""
    if isinstance(item, exp.Column) and item.is_star:
        return item.text("table").lower() not in relations
    parts = parts_of(item)
    if parts is not None:
        return parts[-1].lower() == name and not _is_column(item, name, relations)
    return _makes(item, name)


def _is_column(node: exp.Expression, name: str, relations: frozenset[str]) -> bool:
    parts: Parts = parts_of(node) or ()
    last = [part.lower() for part in parts[-2:]]
    return last == [name] or (len(last) == 2 and last[1] == name and last[0] in relations)


def _makes(node: exp.Expression, name: str) -> bool:
    call = call_name(node)
    if kind_of(call) is not Kind.GENERATOR:
        return False
    return call.startswith("inline") or _OF_GENERATORS.fullmatch(name) is not None
