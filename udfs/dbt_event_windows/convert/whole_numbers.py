"""Whole numbers have 64 bits or more in other warehouses; in Spark constants are INT."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from sqlglot import exp

from dbt_event_windows.convert.same import bare, is_date, number_of
from dbt_event_windows.plain_sql.text import nodes

# Behind a whole number that is a BIGINT; a cast of it would make longer decimals than the number.
LONG = "L"
_LARGEST_SMALLINT, _LARGEST_INT = 2**15 - 1, 2**31 - 1
_DAYS_OF_A_YEAR = 366
# What is a BIGINT in Spark whatever it is made of, or no whole number.
_LONGER = (exp.Avg, exp.Count, exp.CountIf, exp.Div, exp.Interval, exp.Sum, exp.TimestampDiff)
_NO_DATE = (*_LONGER, exp.Extract, exp.Literal, exp.Mod, exp.Mul)


def compute_with_64_bits(select: exp.Expression) -> None:
    """Mark constants of a SELECT as BIGINT, as far as what is computed of them needs it."""
    for node in reversed([*nodes(select)]):  # from below
        if isinstance(node, exp.Mul | exp.Add | exp.Sub):
            _widen(node)


def _widen(node: exp.Expression) -> None:
    """Make a constant of a product, a sum or a difference a BIGINT, where this may go beyond INT.

    Small constants that are added stay: they are days that are added to a date, or go beyond INT
    from its very end alone.
    """
    sides = [bare(node.this), bare(node.expression)]
    value, numbers = number_of(node), [one for one in map(_small_number, sides) if one is not None]
    if any(_is_longer(side) for side in sides) or _is_of_days(node, numbers):
        return
    is_sum = isinstance(node, exp.Add | exp.Sub)
    if value is not None:
        is_short = abs(value) <= _LARGEST_INT
    else:
        is_short = is_sum and all(int(one.name) <= _LARGEST_SMALLINT for one in numbers)
    if numbers and not is_short:
        numbers[-1].set("this", f"{numbers[-1].name}{LONG}")


def _is_of_days(node: exp.Expression, numbers: Sequence[exp.Literal]) -> bool:
    """Whether this is a number of days that is added to a date, an INT in Spark.

    Of few days in a product it is enough that nothing tells that the other side is no date.
    """
    are_few = all(int(one.name) <= _DAYS_OF_A_YEAR for one in numbers)
    above, below = node, None
    while isinstance(above, exp.Paren | exp.Neg | exp.Mul | exp.Add | exp.Sub):
        sides = [above.args.get("this"), above.args.get("expression")]
        others = [one for one in sides if isinstance(one, exp.Expression) and one is not below]
        if any(map(is_date, others)):
            return True
        if below is not None and are_few and isinstance(above, exp.Add | exp.Sub):
            return not any(isinstance(bare(one), _NO_DATE) for one in others)
        if not isinstance(above.parent, exp.Expression):
            return False
        above, below = above.parent, above
    return isinstance(above, exp.DateAdd | exp.DateSub | exp.TsOrDsAdd)


def _small_number(side: exp.Expression) -> exp.Literal | None:
    """The last whole number that a constant is made of."""
    side = bare(side.this) if isinstance(side, exp.Neg) else side
    if number_of(side) is None:
        return None
    numbers = [one for one in nodes(side) if _is_whole(one)]
    return numbers[-1] if numbers else None


def _is_whole(node: exp.Expression) -> TypeGuard[exp.Literal]:
    """Whether this is a whole number without a mark, of which sqlglot 30.15 makes an error."""
    return isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit()


def _is_longer(node: exp.Expression) -> bool:
    """Whether this is for sure no INT in Spark."""
    node = bare(node)
    if isinstance(node, exp.Mul | exp.Add | exp.Sub):
        return _is_longer(node.this) or _is_longer(node.expression)
    if isinstance(node, exp.Neg):
        return _is_longer(node.this)
    if isinstance(node, exp.Literal):
        return not _is_whole(node) or int(node.name) > _LARGEST_INT
    if isinstance(node, exp.Cast):
        return not node.to.is_type("int", "smallint", "tinyint")
    return isinstance(node, _LONGER)
