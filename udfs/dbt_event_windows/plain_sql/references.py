"""Columns that an expression names, as the text writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp
from sqlglot.errors import SqlglotError

from dbt_event_windows.plain_sql.dialect import parse, tokenize
from dbt_event_windows.plain_sql.functions import TAKE_A_UNIT, UNITS
from dbt_event_windows.plain_sql.text import children

# What stands between the dots of a column, as written, without quotes.
Parts = tuple[str, ...]
Canonical = tuple[object, ...]

# What compares values with others, for which Spark makes all of them one type.
COMPARISONS = (
    *(exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ, exp.GT, exp.GTE, exp.LT, exp.LTE),
    *(exp.In, exp.Between),
)
# What may stand around the call of an aggregate and belongs to it.
WRAPPERS = (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)


def lowered(parts: Parts) -> Parts:
    return tuple(part.lower() for part in parts)


def parts_of(node: exp.Expression) -> Parts | None:
    """The parts of a column, or of a field of one: `a.b.c`; none for any other expression."""
    if isinstance(node, exp.Column):
        names = [node.args.get(name) for name in ("catalog", "db", "table", "this")]
        if isinstance(names[-1], exp.Identifier):
            return tuple(name.name for name in names if isinstance(name, exp.Identifier))
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        base = parts_of(node.this)
        return (*base, node.expression.name) if base else None
    return None


def parts_in(name: str) -> Parts | None:
    """The parts of a column that a setting names."""
    try:
        (select,) = parse(tokenize(f"select {name}"), f"select {name}")
        (column,) = select.expressions
    except (SqlglotError, ValueError):
        return None
    return parts_of(column)


def call_name(node: exp.Expression) -> str:
    """The name of a function call, in lower case; nothing for any other expression."""
    if not isinstance(node, exp.Anonymous):
        return ""
    name = node.this.name if isinstance(node.this, exp.Identifier) else node.this
    return str(name).lower()


def is_unit(node: exp.Expression, parent: exp.Expression | None) -> bool:
    """Whether this is the unit of `timestampadd(minute, 5, t)`, which looks like a column."""
    if parent is None or call_name(parent) not in TAKE_A_UNIT:
        return False
    parts = parts_of(node)
    arguments = parent.expressions
    return (
        len(arguments) == 3
        and arguments[0] is node
        and parts is not None
        and (len(parts) == 1 and parts[0].lower() in UNITS)
    )


def variables_of(node: exp.Lambda) -> frozenset[str]:
    return frozenset(variable.name.lower() for variable in node.expressions)


def is_captured(node: exp.Expression, sql: str) -> bool:
    """Whether SQL in the place of an expression would name a variable of a lambda around it.

    Inside a lambda its variables come before all columns.
    """
    around = node.find_ancestor(exp.Lambda)
    if around is None:
        return False
    words = [re.escape(variable.replace("`", "``")) for variable in variables_of(around)]
    named = any(re.search(rf"(?<!\w){word}(?!\w)", sql.lower()) for word in words)
    return named or is_captured(around, sql)


def below(node: exp.Expression) -> Iterator[exp.Expression]:
    """The expressions right below one that can hold columns."""
    for child in children(node):
        if isinstance(child, exp.Identifier | exp.DataType | exp.Var) or is_unit(child, node):
            continue
        yield child


def references(node: exp.Expression) -> Iterator[tuple[exp.Expression, Parts]]:
    """The columns that an expression names, each as a whole; variables of lambdas are none."""
    parts = parts_of(node)
    if parts is not None:
        yield node, parts
        return
    for child in below(node):
        yield from references(child)


def plain(node: exp.Expression) -> exp.Expression:
    """An expression without brackets around it."""
    return plain(node.this) if isinstance(node, exp.Paren) else node


def names_its_fields(node: exp.Expression | None) -> bool:
    """Whether the columns in an expression give their names to fields of a struct."""
    if isinstance(node, exp.Tuple):
        return not isinstance(node.parent, exp.Any | exp.All)
    return node is not None and call_name(node) in ("struct", "arrays_zip")


def is_field(node: exp.Expression) -> bool:
    """Whether an expression is a field of a struct, with the name of the column that it is.

    Spark's parser keeps no brackets: in `struct((a))` the field is called a, too.
    """
    around = node.parent
    while isinstance(around, exp.Paren):
        around = around.parent
    return isinstance(around, exp.Expression) and names_its_fields(around)
