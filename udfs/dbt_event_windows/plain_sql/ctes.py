"""The CTEs that a query can read, each with those that it can read itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import clauses_of
from dbt_event_windows.plain_sql.reading import Reading

# By their names in lower case.
Ctes = Mapping[str, "Cte"]


@dataclass(frozen=True)
class Cte:
    """A CTE as it is written. What its query may be, where it is read says."""

    node: exp.CTE
    around: Ctes

    @property
    def name(self) -> str:
        return str(self.node.alias)

    @property
    def query(self) -> exp.Expression:
        query: exp.Expression = self.node.this
        return query


def ctes_of(reading: Reading, query: exp.Expression, outer: Ctes) -> Ctes:
    """The CTEs of a query, and those around it."""
    recursive = recursive_with(query)
    if recursive is not None:
        words = ("a recursive CTE reads its own rows again and again", refusals.BEFORE)
        reading.refuse("WITH", recursive, words)
    return known_in(query, outer)


def recursive_with(query: exp.Expression) -> exp.With | None:
    """The WITH of a query, if its CTEs may read themselves."""
    with_ = clauses_of(query).get("with")
    return with_ if isinstance(with_, exp.With) and with_.args.get("recursive") else None


def known_in(query: exp.Expression, outer: Ctes) -> Ctes:
    """The CTEs that a query can read: an inner one before an outer, and none that comes later."""
    with_ = clauses_of(query).get("with")
    ctes = dict(outer)
    for cte in with_.expressions if isinstance(with_, exp.With) else ():
        ctes[cte.alias.lower()] = Cte(cte, dict(ctes))
    return ctes
