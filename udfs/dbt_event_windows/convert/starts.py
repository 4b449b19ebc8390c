"""Flags that say whether a row starts a session, as the conditions under which they do."""

from __future__ import annotations

from collections.abc import Iterator

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
_DISTANCES = (exp.DateDiff, exp.Sub, exp.TimestampDiff)
_MEND = (
    "write the flag as case when time > lag(time) over (...) + interval 30 minutes "
    "then 1 else 0 end"
)


def conditions_of(flag: exp.Expression) -> list[exp.Expression]:
    """Conditions of which one is enough for a flag to be 1 or true.

    Raises:
        NotUnderstoodError: the flag is something else.
    """
    node = bare(flag)
    if isinstance(node, exp.Case) and node.this is None:
        return list(_of_case(node))
    if isinstance(node, exp.If):
        return list(_of_case(exp.Case(ifs=[node], default=node.args.get("false"))))
    if isinstance(node, exp.Cast | exp.CountIf):
        return conditions_of(node.this)
    if isinstance(node, exp.Coalesce) and _truth(node.expressions[0]) is not None:
        return conditions_of(node.this)
    if isinstance(node, exp.Or):
        return [*conditions_of(node.this), *conditions_of(node.expression)]
    if isinstance(node, exp.Not) and not isinstance(bare(node.this), exp.Is):
        return [opposite(node.this)]
    return [node]


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


def _of_case(case: exp.Case) -> Iterator[exp.Expression]:
    default = _truth(case.args.get("default"))
    if default is None:
        raise not_understood(CLAUSE, case, "its ELSE is neither 1 nor 0", _MEND)
    starts: list[exp.Expression] = []
    for branch in case.args["ifs"]:
        truth = _truth(branch.args["true"])
        if truth is None:
            raise not_understood(CLAUSE, branch, "its THEN is neither 1 nor 0", _MEND)
        if truth:
            # behind an exception ELSE says it, too
            yield from conditions_of(branch.this) if not starts else ()
        elif not default and not is_null_test(branch.this):
            # what is 0 here would be tested by what follows
            raise not_understood(CLAUSE, branch, "an exception to what starts a session", _MEND)
        elif default and not is_null_test(branch.this):
            starts.append(branch.this)
    if len(starts) > 1:
        raise not_understood(CLAUSE, case, "several exceptions to what starts a session", _MEND)
    for one in starts:
        yield opposite(one)


def is_null_test(node: exp.Expression) -> bool:
    """Whether this asks if there is a row before: the first row starts a session in any case."""
    node = bare(node)
    return (
        isinstance(node, exp.Is)
        and isinstance(node.expression, exp.Null)
        and _is_null_without_a_row_before(node.this)
    )


def _is_null_without_a_row_before(node: exp.Expression) -> bool:
    """Whether this is `lag(...)`, or how far from it a time is."""
    node = bare(node)
    if isinstance(node, _DISTANCES):
        return any(
            _is_null_without_a_row_before(side) for side in (node.this, node.expression) if side
        )
    return isinstance(node, exp.Window)


def _truth(node: exp.Expression | None) -> bool | None:
    """What 1, 0, true, false or null say of a start; none for anything else."""
    if node is None or isinstance(node, exp.Null):
        return False
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    number = number_of(node)
    return bool(number) if number in (0, 1) else None
