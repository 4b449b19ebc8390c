"""The SELECTs of a model one below the other, and what a column is in terms of those below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from dbt_event_windows.convert.ctes import cte_of, ctes_of
from dbt_event_windows.convert.dialects import Dialect
from dbt_event_windows.convert.problems import not_understood
from dbt_event_windows.convert.same import identifier, replaced
from dbt_event_windows.convert.template import COMPILED, is_placeholder
from dbt_event_windows.plain_sql.clauses import NAMES, clauses_of, first_of, renames_columns
from dbt_event_windows.plain_sql.ctes import Ctes
from dbt_event_windows.plain_sql.functions import HARDLY_COLUMNS
from dbt_event_windows.plain_sql.references import (
    Parts,
    call_name,
    is_unit,
    lowered,
    names_its_fields,
    parts_of,
    references,
    variables_of,
)

# What can bind an operand in other ways than what stands for it.
_OPERATORS = (
    exp.Binary,
    exp.Unary,
    exp.Between,
    exp.In,
    exp.Bracket,
    exp.AtTimeZone,
    exp.Interval,
)
_ALONE = "name the columns, in the SELECT where they are made"


@dataclass(frozen=True)
class Layer:
    """One SELECT that reads one relation below it, or, as the last one, tables.

    `name` is how the SELECT above calls it, `ctes` are those that its FROM can read.
    """

    select: exp.Select
    name: str
    dialect: Dialect
    items: dict[str, exp.Expression] = field(default_factory=dict)
    ctes: Ctes = field(default_factory=dict)

    @classmethod
    def of(cls, select: exp.Select, name: str, dialect: Dialect, ctes: Ctes) -> Layer:
        named = [one for item in select.expressions for one in _named(item)]
        items = {name_of_item(one).lower(): unnamed(one) for one in named}
        return cls(select, name, dialect, items, ctes)

    @property
    def has_star(self) -> bool:
        return any(star_of(one) for one in self.select.expressions)

    @property
    def source(self) -> exp.Expression | None:
        """The relation that it reads, if it reads no other."""
        clauses = clauses_of(self.select)
        from_ = clauses.get("from")
        if not isinstance(from_, exp.From) or clauses.get("joins") or clauses.get("laterals"):
            return None
        this: exp.Expression = from_.this
        return this

    @property
    def where(self) -> exp.Expression | None:
        where = self.select.args.get("where")
        return where.this if isinstance(where, exp.Where) else None

    def refuse_clauses(self, known: set[str]) -> None:
        """Refuse clauses of the SELECT that are not known."""
        for argument, value in clauses_of(self.select).items():
            if argument not in known:
                name = NAMES.get(argument, argument.upper())
                node = first_of(value) or self.select
                problem = f"{name} is not understood between the sessions and what is read"
                raise not_understood(name, node, problem, "leave it out, or write it below")


def name_of_item(item: exp.Expression) -> str:
    """The name of an item that has one for sure."""
    if isinstance(item, exp.Alias):
        return item.alias
    return parts[-1] if (parts := parts_of(item)) else ""


def _named(item: exp.Expression) -> list[exp.Expression]:
    """The columns whose names an item says; a star says those that it makes or gives new names."""
    star = star_of(item)
    if star is None:
        return [item] if name_of_item(item) else []
    return [*(star.args.get("replace") or []), *(star.args.get("rename") or [])]


def star_of(item: exp.Expression) -> exp.Star | None:
    """The star that an item is: `*` or `e.*`."""
    found = item.this if isinstance(item, exp.Column) else item
    return found if isinstance(found, exp.Star) else None


def unnamed(item: exp.Expression) -> exp.Expression:
    """An item without its name."""
    node: exp.Expression = item.this if isinstance(item, exp.Alias) else item
    return node


def layers_of(select: exp.Select, dialect: Dialect) -> list[Layer]:
    """The SELECTs from the last one down, as long as each reads one relation alone.

    Raises:
        NotUnderstoodError: what is below one of them is not known by the names that it has.
    """
    layers = [Layer.of(select, "", dialect, ctes_of(select, {}))]
    while True:
        source = layers[-1].source
        below, around = _below(source, layers[-1].ctes)
        if source is None or below is None:
            return layers
        layers.append(
            Layer.of(below, source.alias_or_name.lower(), dialect, ctes_of(below, around))
        )


def _below(source: exp.Expression | None, ctes: Ctes) -> tuple[exp.Select | None, Ctes]:
    """The SELECT that a relation is, and the CTEs that are known around it."""
    cte = cte_of(source, ctes) if isinstance(source, exp.Table) else None
    query = source.this if isinstance(source, exp.Subquery) else cte.node.this if cte else None
    if source is None or not isinstance(query, exp.Select):
        return None, {}
    for alias in (source.args.get("alias"), cte.node.args.get("alias") if cte else None):
        if renames_columns(alias):
            if query.find(exp.Group, exp.Window) is None:
                return None, {}  # it can stay as it is written
            problem = "a list of names behind a relation is not followed"
            mend = "give the columns these names in the SELECT that makes them"
            raise not_understood("FROM", source, problem, mend)
    return query, cte.around if cte else ctes


def inlined(node: exp.Expression, layers: list[Layer]) -> exp.Expression:
    """An expression of the first layer over the columns that the last layer reads.

    Raises:
        NotUnderstoodError: a column is made by none of the layers.
    """
    top, *below = layers
    node = _with_windows_named(node, top.select)
    if not below:
        return _unqualified(node, top.source) if top.source is not None else node.copy()
    return replaced(node, lambda one: _column(one, below))


def _column(node: exp.Expression, layers: list[Layer]) -> exp.Expression | None:
    parts = parts_of(node)
    if parts is None or not is_column(node, parts):
        return None
    if any(is_placeholder(part) for part in parts):
        problem = "this Jinja may name columns that a SELECT below makes, and is not followed there"
        raise not_understood("Jinja", node, problem, COMPILED)
    layer = layers[0]
    names = parts[1:] if len(parts) > 1 and parts[0].lower() == layer.name else parts
    item = layer.items.get(names[0].lower())
    if item is None and not layer.has_star:
        problem = f"'{names[0]}' is no column of {layer.name or 'the SELECT below'}"
        raise not_understood("SELECT", node, problem, _ALONE)
    if item is None:
        column = _of_star(layer, _names_in(node)[len(parts) - len(names)])
        column.meta.update({"line": _line(node)} if _line(node) else {})
        found = inlined(column, layers)
    else:
        found = inlined(item, layers)
    if names[1:]:
        return _with_fields(_in_brackets(found), names[1:])
    return fitted(found, node)


def _of_star(layer: Layer, name: exp.Identifier) -> exp.Column:
    """A column that `e.*` gives: with its table, as others can have a column of this name.

    Without it where the SELECT itself writes the name alone.
    """
    items = layer.select.expressions
    (star, *others) = [item for item in items if star_of(item) is not None]
    is_alone = any(
        lowered(parts) == (name.name.lower(),) for item in items for _, parts in references(item)
    )
    if others or is_alone or not isinstance(star, exp.Column):
        return _alone(name)
    column = star.copy()
    column.set("this", _alone(name).this)
    return column


def _names_in(node: exp.Expression) -> list[exp.Identifier]:
    """The names of which `parts_of` has the texts."""
    if isinstance(node, exp.Dot):
        return [*_names_in(node.this), node.expression]
    assert isinstance(node, exp.Column)
    return [one for one in node.parts if isinstance(one, exp.Identifier)]


def _alone(name: exp.Identifier) -> exp.Column:
    """A column without what stood in front: in quotes if it had them, or is another word now."""
    column = exp.Column(this=identifier(name.name))
    if name.args.get("quoted"):
        column.this.set("quoted", True)
    return column


def is_column(node: exp.Expression, parts: Parts) -> bool:
    """Whether a name is that of a column, and no unit and no variable."""
    return not is_unit(node, _parent(node)) and not _is_variable(node, parts[0])


def fitted(found: exp.Expression, node: exp.Expression) -> exp.Expression:
    """What stands for a column in its place: beside an operator, or as a field of its name.

    Raises:
        NotUnderstoodError: the field would have another name.
    """
    parent = _parent(node)
    if isinstance(parent, _OPERATORS) and not isinstance(parent, exp.Paren):
        return _in_brackets(found)
    is_bare = not isinstance(parent, exp.Paren)
    while isinstance(parent, exp.Paren):
        parent = _parent(parent)
    if parent is None or not (isinstance(parent, exp.Struct) or names_its_fields(parent)):
        return found
    name = (parts_of(node) or ("",))[-1]
    if (parts_of(found) or ("",))[-1] == name or isinstance(parent.parent, _OPERATORS):
        return found
    if is_bare and (isinstance(parent, exp.Struct) or call_name(parent) == "struct"):
        return exp.Alias(this=found, alias=identifier(name))
    problem = f"a field here has the name of '{name}', which is made by a SELECT below"
    raise not_understood("SELECT", parent, problem, "write struct(...) with `as` and its name")


def _in_brackets(node: exp.Expression) -> exp.Expression:
    """An expression that can stand beside any operator."""
    is_whole = not isinstance(node, _OPERATORS) or isinstance(node, exp.Paren | exp.Dot)
    return node if is_whole or isinstance(node, exp.Bracket) else exp.paren(node, copy=False)


def _with_fields(node: exp.Expression, names: Sequence[str]) -> exp.Expression:
    for name in names:
        node = exp.Dot(this=node, expression=identifier(name))
    return node


def _parent(node: exp.Expression) -> exp.Expression | None:
    return node.parent if isinstance(node.parent, exp.Expression) else None


def _is_variable(node: exp.Expression, name: str) -> bool:
    """Whether a name is that of a variable in `x -> ...`."""
    above = _parent(node)
    while above is not None:
        if isinstance(above, exp.Lambda) and name.lower() in variables_of(above):
            return True
        above = _parent(above)
    return False


def _line(node: exp.Expression) -> int | None:
    return next((one.meta["line"] for one in node.walk() if "line" in one.meta), None)


def _with_windows_named(node: exp.Expression, select: exp.Select) -> exp.Expression:
    """`over w` with what the WINDOW clause says of w."""
    named = {one.this.name.lower(): one for one in select.args.get("windows") or []}

    def spelled(one: exp.Expression) -> exp.Expression | None:
        window = named.get(one.alias.lower()) if isinstance(one, exp.Window) else None
        if window is None:
            return None
        # beside the name can stand an order and a frame, as in `over (w rows 1 preceding)`
        parts = ("partition_by", "order", "spec")
        words = {part: one.args.get(part) or window.args.get(part) for part in parts}
        return exp.Window(this=one.this.copy(), over="OVER", **words).copy()

    return replaced(node, spelled)


def _unqualified(node: exp.Expression, source: exp.Expression) -> exp.Expression:
    """Columns of the one relation that is read, without its name; fields stay behind the dot."""
    own = source.args["db"].name if source.args.get("db") and not source.alias else None
    names = [(source.alias_or_name,), *([(own, source.name)] if own else [])]

    def plain(one: exp.Expression) -> exp.Expression | None:
        parts = parts_of(one) if isinstance(one, exp.Column) else None
        for name in names:
            if parts and len(parts) > len(name) and lowered(parts)[: len(name)] == lowered(name):
                if lowered(parts)[len(name)] in HARDLY_COLUMNS:
                    return None  # alone it would be the function
                column = _alone(_names_in(one)[len(name)])
                column.meta.update(one.meta)
                return _with_fields(column, parts[len(name) + 1 :])
        return None

    return replaced(node, plain)
