"""Whether what is joined is only looked up: new rows are those of another table."""

from __future__ import annotations

import re

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.given_names import may_give, relation_names
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import references
from dbt_event_windows.plain_sql.text import children

Tables = frozenset[str]

_KEEPS_ROWS: refusals.Words = (
    "a LEFT JOIN keeps rows of the first table that no row of the joined one has met so far, and a "
    "later row can meet them: new rows are those of the joined one, which has arrival_order",
    "write it as a LEFT JOIN, with the table that gets new rows first",
)


class LookedUp:
    """What must only be looked up, and what is wrong if it is not.

    `sources` are the tables as the text writes them, by their names in lower case.
    """

    def __init__(self, reading: Reading, sources: dict[str, str]) -> None:
        self.reading = reading
        self.sources = sources
        self._expected: list[tuple[exp.Expression, Tables, refusals.Words]] = []
        self._right: list[tuple[exp.Expression, Tables, Tables]] = []

    def expect(self, joined: exp.Expression, tables: Tables, words: refusals.Words) -> None:
        """Of what is read whole, or joined twice: the tables below it."""
        self._expected.append((joined, tables, words))

    def expect_right(self, joined: exp.Expression, left: Tables, right: Tables) -> None:
        """Of the right side of a LEFT JOIN: the tables on both sides."""
        self._right.append((joined, left, right))

    def refuse_others(self, select: exp.Select) -> None:
        """Refuse what may get new rows.

        It gets none where no table below it has a column of the name by which rows arrive, and
        nothing below the last SELECT's own items may give that name.
        """
        given = (self.reading.settings.arrival_order or "").lower().split(".")
        relations = relation_names(select)
        read = [
            part for part in children(select) if all(part is not one for one in select.expressions)
        ]
        is_sure = re.fullmatch(r"\w+", given[-1]) is not None
        is_sure = is_sure and (len(given) == 1 or given[-2] in relations)
        is_sure = is_sure and not any(may_give(part, given[-1], relations) for part in read)
        # all at once, since each question is a plan more
        self._columns_of(
            frozenset().union(
                *(tables for _, tables, _ in self._expected if is_sure),
                *(left | right for _, left, right in self._right),
            )
        )
        for joined, tables, words in self._expected:
            if not is_sure or given[-1] in self._columns_of(tables):
                self.reading.refuse("JOIN", joined, words)
        names = {given[-1], *_taken_by(read, given[-1])}
        for joined, left, right in self._right:
            if names & self._columns_of(right) and not names & self._columns_of(left):
                self.reading.refuse("JOIN", joined, _KEEPS_ROWS)

    def _columns_of(self, tables: Tables) -> set[str]:
        """The names of their columns; none where there is nobody to ask."""
        questions = self.reading.questions
        if questions.answers is None:
            return set()
        asked = (f"select * from {self.sources[name]}" for name in sorted(tables))
        found = questions.columns(*asked)
        return {column.name.lower() for columns in found for column in columns}


def _taken_by(read: list[exp.Expression], name: str) -> set[str]:
    """The columns that are named in what is given a name."""
    aliases = [one for part in read for one in part.find_all(exp.Alias)]
    return {
        parts[-1].lower()
        for alias in aliases
        if alias.alias.lower() == name
        for _, parts in references(alias.this)
    }
