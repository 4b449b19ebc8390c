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
    if isinstance(node, exp.Coalesce) and all(_truth(one) is not None for one in node.expressions):
        return conditions_of(_with_else(node), is_null_first)
    if isinstance(node, exp.Or):
        sides = (node.this, node.expression)
        return [one for side in sides for one in conditions_of(side, is_null_first)]
    if isinstance(node, exp.Not) and not isinstance(bare(node.this), exp.Is):
        return [opposite(node.this)]
    return [node]


def _with_else(coalesce: exp.Coalesce) -> exp.Expression:
    """The flag of `coalesce(flag, 1)`, with this as its ELSE if it is a CASE without one."""
    inner = bare(coalesce.this)
    while isinstance(inner, exp.Cast):
        inner = bare(inner.this)
    name = "default" if isinstance(inner, exp.Case) else "false"
    has_else = not isinstance(inner.args.get(name), exp.Null | None)
    if not isinstance(inner, exp.Case | exp.If) or has_else:
        return bare(coalesce.this)
    inner = inner.copy()
    inner.set(name, next((one for one in coalesce.expressions if _truth(one)), None))
    return inner


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
    default = _truth(case.args.get("default"))
    if default is None:
        raise not_understood(CLAUSE, case, "its ELSE is neither 1 nor 0", _MEND)
    starts: list[exp.Expression] = []
    is_first_known = False
    for branch in case.args["ifs"]:
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
    if default and not starts:
        raise not_understood(CLAUSE, case, "each row starts a session, by its ELSE", _MEND)
    for one in starts:
        yield opposite(one)


def is_null_test(node: exp.Expression, is_null_first: IsNullFirst) -> bool:
    """Whether this asks if there is a row before: the first row starts a session in any case."""
    node = bare(node)
    is_null = isinstance(node, exp.Is) and isinstance(node.expression, exp.Null)
    return is_null and is_null_first(node.this)


def is_true_of_null(flag: exp.Expression) -> bool:
    """Whether a flag without a test for null is 1 or true where its comparisons are null."""
    node = _asked(bare(flag))
    if isinstance(node, exp.Cast):
        return is_true_of_null(node.this)
    if isinstance(node, exp.Coalesce):
        return any(_truth(one) for one in node.expressions)
    tests = node.find_all(exp.Is)
    return not any(tests) and bool(_truth(node.args.get("default") or node.args.get("false")))


def _asked(node: exp.Expression) -> exp.Expression:
    """The flag in `flag = 1`, which is true where the flag is."""
    if not isinstance(node, exp.EQ):
        return node
    for flag, other in ((node.this, node.expression), (node.expression, node.this)):
        if _truth(other) and isinstance(bare(flag), _FLAGS):
            return bare(flag)
    return node


def _truth(node: exp.Expression | None) -> bool | None:
    """What 1, 0, true, false or null say of a start; none for anything else."""
    if node is None or isinstance(node, exp.Null):
        return False
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    number = number_of(node)
    return bool(number) if number in (0, 1) else None
