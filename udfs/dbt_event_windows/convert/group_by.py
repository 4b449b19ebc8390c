"""What a GROUP BY says, with what positions and names in it stand for."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from dbt_event_windows.convert.layers import Layer
from dbt_event_windows.convert.problems import not_understood
from dbt_event_windows.convert.same import number_of
from dbt_event_windows.plain_sql.references import references

_TAKEN = (
    "'{name}' in GROUP BY is taken for the item: where {source} has a column of this name, the old "
    "model took that"
)


def group_expressions(layers: list[Layer], at: int) -> Iterator[exp.Expression]:
    """The expressions that the SELECT at this place groups by.

    Raises:
        NotUnderstoodError: it groups in several ways at once.
    """
    layer = layers[at]
    group = layer.select.args["group"]
    extended = [
        name for name, value in group.args.items() if value and name not in ("expressions", "all")
    ]
    several = [one for one in group.expressions if _name(one) in ("rollup", "cube", "groupingsets")]
    if extended or several:
        problem = "ROLLUP, CUBE and GROUPING SETS count a row in several groups"
        raise not_understood("GROUP BY", layer.select, problem, "write one model for each grouping")
    if group.args.get("all"):
        for item in layer.select.expressions:
            if layer.dialect.typed(item.unalias()).find(exp.AggFunc) is None:
                yield item.unalias()
    for one in group.expressions:
        number = number_of(one) if isinstance(one, exp.Literal) else None
        if number is not None and 0 < number <= len(layer.select.expressions):
            yield layer.select.expressions[int(number) - 1].unalias()
            continue
        yield _item_of(one, layers, at) or one


def names_taken(layers: list[Layer], at: int) -> Iterator[str]:
    """What to know of names in GROUP BY where it is not known which columns there are."""
    layer, below = layers[at], layers[at + 1] if at + 1 < len(layers) else None
    if layer.dialect.name == "bigquery" or (below is not None and not below.has_star):
        return
    source = layer.source.alias_or_name if layer.source is not None else "what is read"
    for one in layer.select.args["group"].expressions:
        if _item_of(one, layers, at) is not None:
            yield _TAKEN.format(name=one.name, source=source)


def _item_of(node: exp.Expression, layers: list[Layer], at: int) -> exp.Expression | None:
    """The item that a name in GROUP BY stands for."""
    is_name = isinstance(node, exp.Column) and not node.table
    item = layers[at].items.get(node.name.lower()) if is_name else None
    return None if item is None or _is_column(node.name, item, layers, at) else item


def _is_column(name: str, item: exp.Expression, layers: list[Layer], at: int) -> bool:
    """Whether GROUP BY takes a name for a column, where an item has it too.

    BigQuery takes the item; the others the column, as that which `lower(e.url) as url` reads.
    """
    if layers[at].dialect.name == "bigquery":
        return False
    below = layers[at + 1].items if at + 1 < len(layers) else {}
    return name.lower() in below or reads(item, name)


def reads(item: exp.Expression, name: str) -> bool:
    """Whether an item reads a column of this name, as `lower(e.url) as url` reads `url`."""
    found = (parts[-1] for _, parts in references(item) if len(parts) < 3)
    return any(one.lower() == name.lower() for one in found)


def _name(node: exp.Expression) -> str:
    return str(node.this).lower() if isinstance(node, exp.Anonymous) else node.key
