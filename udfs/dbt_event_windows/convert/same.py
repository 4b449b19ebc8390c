"""Whether two expressions say the same, and small questions about expressions."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from sqlglot import exp

from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.references import Canonical, Parts, call_name
from dbt_event_windows.plain_sql.scope import Resolved, Scope
from dbt_event_windows.plain_sql.text import children

# Types with a day and a time of it.
TIMES = {
    exp.DataType.Type[name]
    for name in ("TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMPLTZ", "TIMESTAMPNTZ", "DATETIME")
}
# Exponents of more digits are numbers that nothing is compared with.
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?", re.IGNORECASE)
_COMPUTED: dict[type, Callable[[Fraction, Fraction], Fraction]] = {
    exp.Add: operator.add,
    exp.Sub: operator.sub,
    exp.Mul: operator.mul,
    exp.Div: operator.truediv,
}


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


def is_aggregate(node: exp.Expression) -> bool:
    """Whether this is the call of an aggregate."""
    return isinstance(node, exp.AggFunc) or kind_of(call_name(node)) is Kind.AGGREGATE


def is_over(node: exp.Expression) -> bool:
    """Whether an expression looks at other rows, with OVER."""
    return node.find(exp.Window) is not None


def identifier(name: str) -> exp.Identifier:
    """A name, in quotes where it is a word or has signs that need them."""
    return exp.to_identifier(name, quoted=quoted(name).startswith("`"))


def is_date(node: exp.Expression) -> bool:
    """Whether an expression is for sure a DATE, and no time, in the warehouses that are read."""
    node = bare(node)
    if isinstance(node, exp.Cast):
        return bool(node.to.is_type("date"))
    if isinstance(node, exp.AnyValue | exp.DateTrunc | exp.Max | exp.Min | exp.TimestampTrunc):
        return is_date(node.this)
    return isinstance(node, exp.CurrentDate | exp.Date | exp.TsOrDsToDate)


def number_of(node: exp.Expression) -> Fraction | None:
    """The value of a constant such as `30 * 60`."""
    node = bare(node)
    if isinstance(node, exp.Cast):
        number = number_of(node.this)
        is_kept = number is None or number.denominator == 1 or node.to.is_type("double")
        return number if is_kept else None
    if isinstance(node, exp.Literal):
        text = str(node.this).strip()
        return Fraction(text) if _NUMBER.fullmatch(text) else None
    if type(node) not in _COMPUTED:
        return None
    left, right = number_of(node.this), number_of(node.expression)
    if left is None or right is None or (isinstance(node, exp.Div) and not right):
        return None
    return _COMPUTED[type(node)](left, right)


def without_constant(node: exp.Expression) -> exp.Expression:
    """What a constant is added to, as in `1 + number`; other values of it make other sums."""
    node = bare(node)
    if isinstance(node, exp.Add) and number_of(node.this) is not None:
        return bare(node.expression)
    is_moved = isinstance(node, exp.Add | exp.Sub) and number_of(node.expression) is not None
    return bare(node.this) if is_moved else node


def outer_windows(node: exp.Expression) -> Iterator[exp.Window]:
    """The calls with OVER that stand in no other."""
    if isinstance(node, exp.Window):
        yield node
        return
    for child in children(node):
        yield from outer_windows(child)


def replaced(
    node: exp.Expression, new: Callable[[exp.Expression], exp.Expression | None]
) -> exp.Expression:
    """A copy in which some expressions, from the top, are replaced by new ones."""
    found = new(node)
    if found is not None:
        return found
    copy = node.copy()
    pairs = list(zip(node.iter_expressions(), copy.iter_expressions(), strict=True))
    for old, child in pairs:
        changed = replaced(old, new)
        if changed != old or changed.meta != old.meta:
            child.replace(changed)
    return copy
