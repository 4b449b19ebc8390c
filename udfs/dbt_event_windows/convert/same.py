"""Whether two expressions say the same, and small questions about expressions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.references import Canonical, Parts
from dbt_event_windows.plain_sql.scope import Resolved, Scope
from dbt_event_windows.plain_sql.text import children


def bare(node: exp.Expression) -> exp.Expression:
    """An expression without brackets around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


@dataclass(frozen=True)
class _Unasked(Scope):
    """Names as they are written: no Spark says which columns there are, and of what types."""

    def resolve(self, parts: Parts) -> Resolved:
        """A column in any letters; behind a dot can stand the key of a map, in those it has."""
        return Resolved(0, parts[0].lower(), parts[1:], parts, None)


_SCOPE = _Unasked()


def key_of(node: exp.Expression) -> Canonical:
    """Equal for expressions that say the same in other letters or brackets, and for no others."""
    return _SCOPE.canonical_of(node)


def same(left: exp.Expression, right: exp.Expression) -> bool:
    return key_of(left) == key_of(right)


def is_over(node: exp.Expression) -> bool:
    """Whether an expression looks at other rows, with OVER."""
    return node.find(exp.Window) is not None


def identifier(name: str) -> exp.Identifier:
    """A name, in quotes where it is a word or has signs that need them."""
    return exp.to_identifier(name, quoted=quoted(name).startswith("`"))


def number_of(node: exp.Expression) -> float | None:
    """The value of a constant such as `30 * 60`."""
    node = bare(node)
    if isinstance(node, exp.Cast):
        return number_of(node.this)
    if isinstance(node, exp.Literal):
        try:
            return float(str(node.this))
        except ValueError:
            return None
    if not isinstance(node, exp.Mul | exp.Div | exp.Add | exp.Sub):
        return None
    left, right = number_of(node.this), number_of(node.expression)
    if left is None or right is None:
        return None
    if isinstance(node, exp.Mul):
        return left * right
    if isinstance(node, exp.Add):
        return left + right
    if isinstance(node, exp.Sub):
        return left - right
    return left / right if right else None


def outer_windows(node: exp.Expression) -> Iterator[exp.Window]:
    """The calls with OVER that stand in no other."""
    if isinstance(node, exp.Window):
        yield node
        return
    for child in children(node):
        yield from outer_windows(child)
