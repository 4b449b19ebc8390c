"""Items that stand by their names in the same SELECT: `lag(at) over w as before, at - before`."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from sqlglot import exp

from dbt_event_windows.convert.layers import Layer, fitted, is_column
from dbt_event_windows.convert.same import is_aggregate, replaced
from dbt_event_windows.plain_sql.references import parts_of
from dbt_event_windows.plain_sql.text import children

_TAKEN = (
    "'{name}' in '{item}' is taken for the item before it: where {source} has a column of this "
    "name, the old model took that"
)


def spell_out(layers: list[Layer]) -> Iterator[str]:
    """Put what items stand for in the place of their names in items behind them.

    A column goes before an item. Yields what to know where it is not known which columns there are.
    """
    for layer, below in zip(layers, [*layers[1:], None], strict=True):
        # BigQuery knows no items there
        if layer.dialect.name != "bigquery":
            yield from _spell_out(layer, below)


def _spell_out(layer: Layer, below: Layer | None) -> Iterator[str]:
    columns = set(below.items) if below is not None else set()
    # beside GROUP BY no name alone is a column, but for those that are grouped by
    is_known = bool(layer.select.args.get("group")) or (below is not None and not below.has_star)
    source = layer.source.alias_or_name if layer.source is not None else "what is read"
    before: dict[str, exp.Expression] = {}
    if layer.where is not None and layer.dialect.is_spark:
        columns |= {*_names(layer.where)}
    for item in layer.select.expressions:
        if not isinstance(item, exp.Alias):
            continue
        name, names = item.alias.lower(), {*_names(item.this, layer)}
        for used in sorted(names & before.keys()):
            if not is_known:
                yield _TAKEN.format(name=used, item=item.alias, source=source)
        if names & before.keys():
            item.set("this", _spelled(item.this, before, layer))
            layer.items[name] = item.this
        # what is read before it is an item is a column
        columns |= names - before.keys()
        if name not in columns:
            before[name] = item.this
    where = layer.select.args.get("where")
    if where is not None and layer.dialect.name == "snowflake":
        if below is None or below.has_star:
            for used in sorted({*_names(where.this)} & before.keys()):
                yield _TAKEN.format(name=used, item="WHERE", source=source)
        where.set("this", _spelled(where.this, before, None))


def spelled_in_having(node: exp.Expression, layer: Layer, keys: Container[str]) -> exp.Expression:
    """A condition of HAVING without names of items; columns that are grouped by go before them."""
    items = {name: value for name, value in layer.items.items() if name not in keys}
    return _spelled(node, items, layer)


def _spelled(
    node: exp.Expression, items: Mapping[str, exp.Expression], layer: Layer | None
) -> exp.Expression:
    def new(one: exp.Expression) -> exp.Expression | None:
        if _is_of_its_own(one, layer):
            return one.copy()
        value = items.get(_name(one))
        return None if value is None else fitted(value.copy(), one)

    return replaced(node, new)


def _names(node: exp.Expression, layer: Layer | None = None) -> Iterator[str]:
    """The names alone, without a table in front of them, that can be those of items."""
    if _is_of_its_own(node, layer):
        return
    if name := _name(node):
        yield name
    for child in children(node):
        yield from _names(child, layer)


def _name(node: exp.Expression) -> str:
    parts = parts_of(node)
    return parts[0].lower() if parts and len(parts) == 1 and is_column(node, parts) else ""


def _is_of_its_own(node: exp.Expression, layer: Layer | None) -> bool:
    """Whether names in this are none of items: those of a query, and of an aggregate's rows."""
    is_grouped = layer is not None and bool(layer.select.args.get("group"))
    return isinstance(node, exp.Query) or (is_grouped and is_aggregate(node))
