"""Whether what is joined is only looked up: new rows are those of another table."""

from __future__ import annotations

import re

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.arrival import Arrival
from dbt_event_windows.plain_sql.given_names import below_the_items, may_give, relation_names
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import lowered, parts_in
from dbt_event_windows.plain_sql.scope import Scope

Tables = frozenset[str]

_KEEPS_ROWS: refusals.Words = (
    "a LEFT JOIN keeps rows of the first table that no row of the joined one has met so far, and a "
    "later row can meet them: arrival_order is made of a column of the joined one",
    "write the table that gets new rows first, and take arrival_order from it alone",
)


class LookedUp:
    """What must only be looked up, and what is wrong if it is not.

    `sources` are the tables as the text writes them, by their names in lower case.
    """

    def __init__(self, reading: Reading, sources: dict[str, str]) -> None:
        self.reading = reading
        self.sources = sources
        self._expected: list[tuple[exp.Expression, Tables, refusals.Words]] = []
        self._of_left_joins: Tables = frozenset()

    def expect(self, joined: exp.Expression, tables: Tables, words: refusals.Words) -> None:
        """Of what is read whole, or joined twice: the tables below it."""
        self._expected.append((joined, tables, words))

    def expect_no_arrival(self, tables: Tables) -> None:
        """Of the right side of a LEFT JOIN: the tables on both sides."""
        self._of_left_joins |= tables

    def refuse_others(self, select: exp.Select) -> None:
        """Refuse what may get new rows.

        It gets none where no table below it has a column of the name by which rows arrive, and
        nothing below the last SELECT's own items may give that name.
        """
        parts = parts_in(self.reading.settings.arrival_order or "") or ("",)
        given = lowered(parts)
        relations = relation_names(select)
        is_sure = re.fullmatch(r"\w+", given[-1]) is not None
        is_sure = is_sure and (len(given) == 1 or given[-2] in relations)
        read = below_the_items(select)
        is_sure = is_sure and not any(may_give(part, given[-1], relations) for part in read)
        # all at once, since each question is a plan more
        self._columns_of(
            frozenset().union(
                *(tables for _, tables, _ in self._expected if is_sure),
                self._of_left_joins,
            )
        )
        for joined, tables, words in self._expected:
            if not is_sure or given[-1] in self._columns_of(tables):
                self.reading.refuse("JOIN", joined, words)

    def refuse_arrival(self, select: exp.Select, scope: Scope) -> None:
        """Refuse a LEFT JOIN through whose right side the column comes by which rows arrive.

        Of a name that is no column in the scope another message says so.
        """
        parts = parts_in(self.reading.settings.arrival_order or "") or ("",)
        is_asked = self.reading.questions.answers is not None
        if self._of_left_joins and is_asked and scope.resolve(parts) is not None:
            arrival = Arrival(self.reading, lambda table: self._columns_of(frozenset([table])))
            for joined in arrival.right_sides(select, parts):
                self.reading.refuse("JOIN", joined, _KEEPS_ROWS)

    def _columns_of(self, tables: Tables) -> set[str]:
        """The names of their columns; none where there is nobody to ask."""
        questions = self.reading.questions
        if questions.answers is None:
            return set()
        asked = (f"select * from {self.sources[name]}" for name in sorted(tables))
        found = questions.columns(*asked)
        return {column.name.lower() for columns in found for column in columns}
