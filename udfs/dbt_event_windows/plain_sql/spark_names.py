"""The names that Spark gives to columns without an alias.

Spark writes the expression out again, after it has found what its names mean, with many exceptions:
a cast disappears, `date + 1` becomes `date_add(date, 1)`. So only those expressions have a name
here whose name cannot be another one; a test asks Spark for each of them.
"""

from __future__ import annotations

import re

from sqlglot import exp

from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.references import Scope, call_name, parts_of

# Spark writes these as fn(arguments), whatever the types.
_SAME_CALL = word_set(
    """
    any any_value approx_count_distinct avg bit_and bit_or bit_xor bool_and bool_or collect_list
    collect_set corr count count_if covar_pop covar_samp every first first_value kurtosis last
    last_value max max_by mean median min min_by mode regr_avgx regr_avgy regr_count regr_intercept
    regr_r2 regr_slope regr_sxx regr_sxy regr_syy skewness some std stddev stddev_pop stddev_samp
    sum var_pop var_samp variance
    abs coalesce concat greatest hour ifnull least length lower minute month nullif nvl second size
    upper year
    """
)
_ONE_ARGUMENT = word_set("any_value approx_count_distinct first first_value last last_value mode")
# Their value is a number, never an interval: Spark puts an interval first in a product.
_NUMBERS = word_set("approx_count_distinct count count_if length size year month hour minute")
_SUMS = _NUMBERS | {"avg", "mean", "sum"}
_SIGNS: dict[type[exp.Expression], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
}
_PLAIN_TEXT = re.compile(r"[\w ,.:;/+-]*")


def spark_name(node: exp.Expression, scope: Scope) -> str | None:
    """The name of an expression, or none where it is not sure."""
    if isinstance(node, exp.Paren):
        return spark_name(node.this, scope)
    parts = parts_of(node)
    if parts is not None:
        return parts[-1]
    return _written(node, scope)


def _written(node: exp.Expression, scope: Scope) -> str | None:
    if isinstance(node, exp.Paren):
        return _written(node.this, scope)
    parts = parts_of(node)
    if parts is not None:
        # in a larger expression a field of a struct has its path
        return ".".join(scope.split(parts)[1])
    if isinstance(node, exp.Literal):
        return _literal(node)
    if isinstance(node, exp.Anonymous):
        return _call(node, scope)
    sign = _SIGNS.get(type(node))
    if sign is None or not _keeps_its_order(node, sign):
        return None
    left, right = _written(node.this, scope), _written(node.expression, scope)
    return None if left is None or right is None else f"({left} {sign} {right})"


def _call(node: exp.Anonymous, scope: Scope) -> str | None:
    name = call_name(node)
    arguments = node.expressions
    if name not in _SAME_CALL or (name in _ONE_ARGUMENT and len(arguments) != 1):
        return None
    distinct = ""
    if len(arguments) == 1 and isinstance(arguments[0], exp.Distinct):
        distinct, arguments = "DISTINCT ", arguments[0].expressions
    if len(arguments) == 1 and isinstance(arguments[0], exp.Star):
        return f"{name}({distinct}1)" if name == "count" and not distinct else None
    written = [_written(argument, scope) for argument in arguments]
    if not written or any(one is None for one in written):
        return None
    return f"{name}({distinct}{', '.join(one or '' for one in written)})"


def _literal(node: exp.Literal) -> str | None:
    text = str(node.this)
    if node.is_string:
        return text if _PLAIN_TEXT.fullmatch(text) else None
    return text if re.fullmatch(r"\d+|\d+\.\d+", text) else None


def _keeps_its_order(node: exp.Expression, sign: str) -> bool:
    """Whether Spark writes an operation as it stands, whatever the types of its columns."""
    if sign in "+-":
        return _is_call(node.this, _SUMS) and _is_call(node.expression, _SUMS)
    if sign == "*":
        return not _is_number(node.this) or _is_number(node.expression)
    return True


def _is_number(node: exp.Expression) -> bool:
    return _is_call(node, _NUMBERS)


def _is_call(node: exp.Expression, names: frozenset[str]) -> bool:
    """Whether the value is that of one of these calls, a number, or made of them alone."""
    if isinstance(node, exp.Paren):
        return _is_call(node.this, names)
    if isinstance(node, exp.Literal):
        return not node.is_string
    if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div | exp.Mod):
        return _is_call(node.this, names) and _is_call(node.expression, names)
    return call_name(node) in names
