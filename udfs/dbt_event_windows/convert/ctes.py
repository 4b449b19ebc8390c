"""Which CTE a name in FROM is, and which of them a SELECT needs."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from dbt_event_windows.convert.problems import BEFORE, NotUnderstoodError, not_understood
from dbt_event_windows.plain_sql.clauses import clauses_of
from dbt_event_windows.plain_sql.ctes import Cte, Ctes, known_in, recursive_with


def ctes_of(query: exp.Expression, outer: Ctes) -> Ctes:
    """The CTEs that the FROM of a query can read.

    Raises:
        NotUnderstoodError: one reads itself.
    """
    recursive = recursive_with(query)
    if recursive is not None:
        if _reads_itself(recursive):
            raise not_understood("WITH", recursive, "a recursive CTE reads its own rows", BEFORE)
        recursive.set("recursive", False)
    return known_in(query, outer)


def _reads_itself(with_: exp.With) -> bool:
    """Whether a CTE reads itself, or one behind it, which RECURSIVE allows and need not be."""
    behind = [cte.alias.lower() for cte in with_.expressions]
    return any(
        table.name.lower() in behind[place:]
        for place, cte in enumerate(with_.expressions)
        for table in _tables(cte.this)
        if not table.args.get("db")
    )


def cte_of(table: exp.Table, ctes: Ctes) -> Cte | None:
    """The CTE that a name in FROM is; none where it is a table."""
    return None if table.args.get("db") else ctes.get(table.name.lower())


def needed(model: exp.Select, select: exp.Select, ctes: Ctes) -> list[exp.CTE]:
    """The CTEs that a SELECT needs in front of it, in the order in which the model has them.

    Args:
        model: where the CTEs are written.
        select: a SELECT without a WITH of its own.
        ctes: what its FROM can read.

    Raises:
        NotUnderstoodError: side by side they would not be what they are in the model.
    """
    read: dict[int, Cte] = {}
    waiting: list[tuple[exp.Expression, Ctes]] = [(select, ctes)]
    while waiting:
        query, around = waiting.pop()
        for table in _tables(query):
            cte = cte_of(table, around)
            if cte is not None and id(cte.node) not in read:
                read[id(cte.node)] = cte
                waiting.append((cte.node.this, cte.around))
    found = [read[id(one)] for one in model.find_all(exp.CTE, bfs=False) if id(one) in read]
    before: Ctes = {}
    for cte in found:
        _check(cte.node.this, cte.around, before)
        if cte.node.alias.lower() in before:
            raise _of_one_name(cte.node)
        before = {**before, cte.node.alias.lower(): cte}
    _check(select, ctes, before)
    return [cte.node for cte in found]


def _check(query: exp.Expression, was: Ctes, now: Ctes) -> None:
    """Check that names in FROM are the same CTEs as they were."""
    for table in _tables(query):
        cte = cte_of(table, was)
        if cte is not cte_of(table, now):
            raise _of_one_name(cte.node if cte is not None else table)


def _of_one_name(node: exp.Expression) -> NotUnderstoodError:
    problem = "two relations of one name are read, of which one would hide the other"
    return not_understood("WITH", node, problem, "give them names of their own")


def _tables(node: exp.Expression, own: frozenset[str] = frozenset()) -> Iterator[exp.Table]:
    """The names in FROM that are not those of CTEs within an expression."""
    if isinstance(node, exp.Table) and (node.args.get("db") or node.name.lower() not in own):
        yield node
    with_ = clauses_of(node).get("with")
    for cte in with_.expressions if isinstance(with_, exp.With) else ():
        yield from _tables(cte.this, own)
        own |= {cte.alias.lower()}
    for child in node.iter_expressions():
        if child is not with_:
            yield from _tables(child, own)
