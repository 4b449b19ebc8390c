"""Brackets where Spark's grammar would otherwise bind operators in another way.

sqlglot makes operators of some functions, as of BigQuery's `div(a, b)` and Snowflake's
`bitand(a, b)`, and writes operators one beside the other, without the brackets of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from dbt_event_windows.plain_sql.dialect import SeveralUnits, parse, tokenize
from dbt_event_windows.plain_sql.text import children, nodes

_PREDICATES = (
    *(exp.Is, exp.In, exp.Between, exp.Like, exp.ILike, exp.RegexpLike, exp.Escape),
    *(exp.NullSafeEQ, exp.NullSafeNEQ),
)
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
# Operators as Spark's grammar binds them, from those that bind least (SqlBaseParser.g4,
# booleanExpression and valueExpression).
_LEVELS: Sequence[tuple[type[exp.Expression], ...]] = (
    (exp.Or,),
    (exp.And,),
    (exp.Not,),
    _PREDICATES,
    _COMPARISONS,
    (exp.BitwiseOr,),
    (exp.BitwiseXor,),
    (exp.BitwiseAnd,),
    (exp.BitwiseLeftShift, exp.BitwiseRightShift),
    (exp.Add, exp.Sub, exp.DPipe),
    (exp.Mul, exp.Div, exp.Mod, exp.IntDiv),
    (exp.Unary,),
)
_PREDICATE, _COMPARISON = _LEVELS.index(_PREDICATES), _LEVELS.index(_COMPARISONS)
# Those that sqlglot makes of no function.
_SIGNS = (*_PREDICATES, *_COMPARISONS, exp.Add, exp.Sub)
# Of what binds more than any operator.
_WHOLE = len(_LEVELS)
# What sqlglot writes as a call or as an operator.
_CALLS = (exp.Func, exp.BitwiseLeftShift, exp.BitwiseRightShift)
Text = Callable[[exp.Expression], str]


def in_brackets(node: exp.Expression, text: Text) -> exp.Expression:
    """A copy with brackets around operands that bind less than what they are operands of.

    Args:
        text: writes an expression; of a call it can write an operator.
    """

    def needs(operand: exp.Expression, least: int) -> bool:
        level = _level(operand)
        if isinstance(operand, _CALLS):
            level = _level(_item(text(operand)) or operand)
        return level < least

    return _with_brackets(node, needs, _operands)


def as_it_binds(node: exp.Expression, text: Text) -> exp.Expression | None:
    """What must be read of a text of an expression: that of one with all brackets there can be.

    None where sqlglot does not read it.
    """
    full = _with_brackets(node, lambda *_: True, _all_operands)
    return read(text(full))


def read(sql: str) -> exp.Expression | None:
    """A statement as Spark reads it, without brackets; none if it is not read."""
    try:
        (statement,) = parse(tokenize(sql), sql)
    except (ParseError, TokenError, ValueError):
        return None
    for brackets in [one for one in nodes(statement) if isinstance(one, exp.Paren)]:
        brackets.replace(brackets.this)
    return statement


def not_told(node: exp.Expression) -> exp.Expression | None:
    """A part in which warehouses may bind operators without brackets in other ways than sqlglot.

    That is `a = b in (c)` or `a || b + c`, of which Snowflake's manual says nothing.
    """
    for one in nodes(node):
        if isinstance(one, (exp.DPipe, *_SIGNS)):
            for operand, least in _operands(one):
                is_behind = operand.arg_key == "expression" and isinstance(operand, _SIGNS)
                if is_behind and _level(operand) < least:
                    return one
    return None


def _with_brackets(
    node: exp.Expression,
    needs: Callable[[exp.Expression, int], bool],
    operands: Callable[[exp.Expression], Iterator[tuple[exp.Expression, int]]],
) -> exp.Expression:
    copy = node.copy()
    for one in reversed([*nodes(copy)]):  # from below
        for operand, least in list(operands(one)):
            if needs(operand, least):
                operand.replace(exp.Paren(this=operand.copy()))
    return copy


def _level(node: exp.Expression) -> int:
    if isinstance(node, exp.Paren | SeveralUnits):
        return _WHOLE
    found = (level for level, kinds in enumerate(_LEVELS) if isinstance(node, kinds))
    return next(found, _WHOLE)


def _operands(node: exp.Expression) -> Iterator[tuple[exp.Expression, int]]:
    """The operands of an operator, each with the level that it needs at least."""
    level = _level(node)
    this, other = node.args.get("this"), node.args.get("expression")
    if isinstance(node, exp.Escape):
        return  # of a LIKE, with which it is one
    if isinstance(node, exp.Bracket | exp.Dot | exp.Interval):
        wanted = [(this, _WHOLE)]
    elif level == _WHOLE:
        return
    elif isinstance(node, exp.BitwiseNot):
        wanted = [(this, level + 1)]  # sqlglot reads `~~` as LIKE
    elif isinstance(node, exp.Unary | exp.And | exp.Or):
        wanted = [(this, level), (other, level)]
    elif level == _PREDICATE:
        sides = [] if isinstance(node, exp.Is) else [other, *map(node.args.get, ("low", "high"))]
        wanted = [(this, _COMPARISON), *((side, _COMPARISON + 1) for side in sides)]
    else:
        wanted = [(this, level), (other, level + 1)]
    yield from ((one, least) for one, least in wanted if isinstance(one, exp.Expression))


def _all_operands(node: exp.Expression) -> Iterator[tuple[exp.Expression, int]]:
    """Operators, and calls, in what sqlglot may write as an operator."""
    for operand, least in _operands(node):
        # AND and OR may be put together in any order
        is_more = isinstance(node, exp.Connector) and type(operand) is type(node)
        if not is_more and (_level(operand) < _WHOLE or isinstance(operand, exp.Func)):
            yield operand, least
    if isinstance(node, exp.Func) and _level(node) == _WHOLE:
        yield from ((child, 0) for child in children(node) if _level(child) < _WHOLE)


def _item(sql: str) -> exp.Expression | None:
    select = read(f"select {sql}")
    return select.expressions[0] if isinstance(select, exp.Select) else None
