"""Flags that say whether a row starts a session, as the conditions under which they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from dbt_event_windows.convert.problems import not_understood
from dbt_event_windows.convert.same import bare, number_of

CLAUSE = "start of a session"
_OPPOSITE: dict[type, type[exp.Binary]] = {
    exp.GT: exp.LTE,
    exp.GTE: exp.LT,
    exp.LT: exp.GTE,
    exp.LTE: exp.GT,
}
# What a flag is made of, so that it is no column of the rows.
_FLAGS = (exp.Case, exp.Cast, exp.Coalesce, exp.If, exp.Not, exp.Or, *_OPPOSITE)
# Whether an expression is null for a row that has no row before it, and for no other.
IsNullFirst = Callable[[exp.Expression], bool]
# Whether a comparison or a test for null is true in a row; none where it is null.
Holds = Callable[[exp.Expression], bool | None]
_MEND = (
    "write the flag as case when time > lag(time) over (...) + interval 30 minutes "
    "then 1 else 0 end"
)


def conditions_of(flag: exp.Expression, is_null_first: IsNullFirst) -> list[exp.Expression]:
    """Conditions of which one is enough for a flag to be 1 or true.

    Raises:
        NotUnderstoodError: the flag is something else.
    """
    node = _asked(bare(flag))
    if isinstance(node, exp.Case) and node.this is None:
        return list(_of_case(node, is_null_first))
    if isinstance(node, exp.If):
        case = exp.Case(ifs=[node], default=node.args.get("false"))
        return list(_of_case(case, is_null_first))
    if isinstance(node, exp.Cast | exp.CountIf):
        return conditions_of(node.this, is_null_first)
    if _is_filled(node):
        return conditions_of(_filled(node, exp.Null()), is_null_first)
    if isinstance(node, exp.Or):
        sides = (node.this, node.expression)
        return [one for side in sides for one in conditions_of(side, is_null_first)]
    if isinstance(node, exp.Not) and not isinstance(bare(node.this), exp.Is):
        return [opposite(node.this)]
    return [node]


def _is_filled(node: exp.Expression) -> bool:
    """Whether this is `coalesce(flag, 1)`, with constants alone behind the flag."""
    constants = node.expressions if isinstance(node, exp.Coalesce) else []
    return bool(constants) and all(_truth(one) is not None for one in constants)


def _filled(flag: exp.Expression, value: exp.Expression) -> exp.Expression:
    """The flag of `coalesce(flag, value)`, with the value for each null that it gives."""
    node = _asked(bare(flag))
    if _is_filled(node):
        known = (one for one in node.expressions if not isinstance(one, exp.Null))
        return _filled(node.this, next(known, value))
    if isinstance(node, exp.Cast):
        return _filled(node.this, value)
    if isinstance(node, exp.Or):
        sides = [_filled(one, value).copy() for one in (node.this, node.expression)]
        return exp.Or(this=sides[0], expression=sides[1])
    if isinstance(node, exp.Case | exp.If):
        node = node.copy()
        other = _else_name(node)
        places = [(node, other), *((branch, "true") for branch in branches(node))]
        for place, name in places:
            given = place.args.get(name)
            if isinstance(given, exp.Null | None):
                place.set(name, value.copy())
            elif _truth(given) is None:
                place.set(name, _filled(given, value).copy())
    return node


def branches(value: exp.Expression) -> list[exp.Expression]:
    """What has a condition and a THEN: the branches of a CASE, or an IF itself."""
    return list(value.args["ifs"]) if isinstance(value, exp.Case) else [value]


def else_of(value: exp.Expression) -> exp.Expression | None:
    """The ELSE of a CASE or an IF; none where it has none."""
    other: exp.Expression | None = value.args.get(_else_name(value))
    return other


def _else_name(value: exp.Expression) -> str:
    return "default" if isinstance(value, exp.Case) else "false"


def opposite(node: exp.Expression) -> exp.Expression:
    """A comparison that holds where the given one does not.

    Raises:
        NotUnderstoodError: it is no comparison.
    """
    node = bare(node)
    if isinstance(node, exp.Not):
        return bare(node.this)
    if type(node) not in _OPPOSITE:
        problem = "only the opposite of a comparison is understood here"
        raise not_understood(CLAUSE, node, problem, _MEND)
    opposed = _OPPOSITE[type(node)](this=node.this.copy(), expression=node.expression.copy())
    return exp.paren(opposed, copy=False)


def _of_case(case: exp.Case, is_null_first: IsNullFirst) -> Iterator[exp.Expression]:
    other, found = else_of(case), list(case.args["ifs"])
    default = _truth(other)
    if other is not None and default is None and isinstance(bare(other), _FLAGS):
        # a flag in the ELSE is as good as in one more WHEN
        found.append(exp.If(this=other.copy(), true=exp.true()))
        default = False
    if default is None:
        raise not_understood(CLAUSE, case, "its ELSE is neither 1 nor 0", _MEND)
    starts: list[exp.Expression] = []
    is_first_known = False
    for branch in found:
        truth = _truth(branch.args["true"])
        if truth is None:
            raise not_understood(CLAUSE, branch, "its THEN is neither 1 nor 0", _MEND)
        if truth:
            # behind an exception ELSE says it, too
            for one in conditions_of(branch.this, is_null_first) if not starts else ():
                if not (is_first_known and is_null_test(one, is_null_first)):
                    yield one
        elif is_null_test(branch.this, is_null_first):
            is_first_known = True
        elif not default:
            # what is 0 here would be tested by what follows
            raise not_understood(CLAUSE, branch, "an exception to what starts a session", _MEND)
        else:
            starts.append(branch.this)
    if len(starts) > 1:
        raise not_understood(CLAUSE, case, "several exceptions to what starts a session", _MEND)
    for one in starts:
        yield opposite(one)


def is_null_test(node: exp.Expression, is_null_first: IsNullFirst) -> bool:
    """Whether this asks if there is a row before: the first row starts a session in any case."""
    node = bare(node)
    is_null = isinstance(node, exp.Is) and isinstance(node.expression, exp.Null)
    return is_null and is_null_first(node.this)


def value_of(flag: exp.Expression, holds: Holds) -> bool | None:
    """What a flag, whose conditions are understood, is in a row; none for null."""
    node = _asked(bare(flag))
    if isinstance(node, exp.Cast | exp.CountIf):
        return value_of(node.this, holds)
    if isinstance(node, exp.Coalesce):
        values = [value_of(node.this, holds), *map(_constant, node.expressions)]
        return next((one for one in values if one is not None), None)
    if isinstance(node, exp.Case | exp.If):
        for branch in branches(node):
            if value_of(branch.this, holds):
                return _constant(branch.args["true"])
        other = else_of(node)
        if other is not None and _truth(other) is None:
            return value_of(other, holds)
        return _constant(other)
    if isinstance(node, exp.Or):
        sides = [value_of(one, holds) for one in (node.this, node.expression)]
        return True if any(sides) else None if None in sides else False
    if isinstance(node, exp.Not):
        value = value_of(node.this, holds)
        return None if value is None else not value
    return holds(node)


def _asked(node: exp.Expression) -> exp.Expression:
    """The flag in `flag = 1`, which is true where the flag is."""
    if not isinstance(node, exp.EQ):
        return node
    for flag, other in ((node.this, node.expression), (node.expression, node.this)):
        if _truth(other) and isinstance(bare(flag), _FLAGS):
            return bare(flag)
    return node


def _constant(node: exp.Expression | None) -> bool | None:
    """What a constant says of a start; none for null."""
    return None if isinstance(node, exp.Null | None) else _truth(node)


def _truth(node: exp.Expression | None) -> bool | None:
    """What 1, 0, true, false or null say of a start; none for anything else."""
    if node is None or isinstance(node, exp.Null):
        return False
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    number = number_of(node)
    return bool(number) if number in (0, 1) else None
