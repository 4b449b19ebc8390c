"""What only Spark knows: the columns of queries, asked for by whoever called the planner.

The planner runs where there is no way to Spark. Where it needs columns it stops and says of which
queries; the caller asks DESCRIBE QUERY and plans again with the answers. Of a user's aggregates it
needs the names: that question is PYTHON_AGGREGATES, no query.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

PYTHON_AGGREGATES = "show user functions"


@dataclass(frozen=True)
class Described:
    """A column of a query: its name and type as Spark gives them."""

    name: str
    type: str


class UnansweredError(Exception):
    """There are queries whose columns must be known to go on."""

    def __init__(self, queries: Sequence[str]) -> None:
        super().__init__(*queries)
        self.queries = list(queries)


@dataclass(frozen=True)
class Questions:
    """Answers by the text of the query: [[name, type], ...]; none where there is nobody to ask."""

    answers: Mapping[str, Sequence[Sequence[str]]] | None = None

    def columns(self, *queries: str) -> list[list[Described]]:
        """The columns of each query.

        Raises:
            UnansweredError: some of them are not known yet.
        """
        answers = self.answers or {}
        missing = [query for query in queries if query not in answers]
        if missing:
            raise UnansweredError(missing)
        return [
            [Described(str(name), str(type_)) for name, type_ in answers[query]]
            for query in queries
        ]

    def python_aggregates(self) -> list[str]:
        """Names of the user's aggregates in this session; none where there is nobody to ask."""
        if self.answers is None:
            return []
        (functions,) = self.columns(PYTHON_AGGREGATES)
        return [function.name for function in functions]
