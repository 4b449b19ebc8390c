"""Names below the last SELECT that are no columns, which Spark can know all the same."""

from __future__ import annotations

import re

from sqlglot import exp

from dbt_event_windows.plain_sql.expressions import NO_COLUMN, refused
from dbt_event_windows.plain_sql.given_names import may_give, relation_names, seen_from
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import references
from dbt_event_windows.plain_sql.text import nodes


class NamesBelow:
    """Judges the first word of each name: of what it is made no scope is known there.

    `sources` are the tables that are read, as the text writes them, by their names in lower case.
    """

    def __init__(self, reading: Reading, sources: dict[str, str]) -> None:
        self.reading = reading
        self.sources = sources
        self._found: list[tuple[str, exp.Expression, str]] = []

    def add(self, clause: str, node: exp.Expression) -> None:
        """The names in an expression that stands in a clause."""
        for reference, parts in references(node):
            if refused(reference) is None:  # else it has been
                self._found.append((clause, reference, parts[0].lower()))

    def questions(self, select: exp.Select) -> list[str]:
        """What Spark must be asked: nothing where the text itself gives each of the names."""
        return [self._of_all_tables] if self._not_given(select) else []

    def refuse_unknown(self, select: exp.Select) -> None:
        """Refuse the names that are columns of no table, and that the text gives to nothing."""
        found = self._not_given(select)
        if not found or self.reading.questions.answers is None:
            return
        (columns,) = self.reading.questions.columns(self._of_all_tables)
        known = {column.name.lower() for column in columns}
        for clause, reference, name in found:
            if name not in known:
                self.reading.refuse(clause, reference, NO_COLUMN)

    @property
    def _of_all_tables(self) -> str:
        return f"select * from {' cross join '.join(self.sources.values())}"

    def _not_given(self, select: exp.Select) -> list[tuple[str, exp.Expression, str]]:
        relations = relation_names(select)
        schemas = {
            table.text(part).lower()
            for table in nodes(select)
            if isinstance(table, exp.Table)
            for part in ("db", "catalog")
        }
        values = any(isinstance(node, exp.Values) for node in nodes(select))
        named = {name for _, _, name in self._found} - relations - schemas
        given = {
            name
            for name in named
            # Spark makes other names of expressions
            if not re.fullmatch(r"\w+", name) or (values and re.fullmatch(r"col\d+", name))
        }
        # looked for first, since most are given nowhere
        anywhere = {name for name in named - given if may_give(select, name, relations)}

        def is_given(reference: exp.Expression, name: str) -> bool:
            return name in anywhere and any(
                may_give(part, name, relations) for part in seen_from(reference)
            )

        return [one for one in self._found if one[2] in named - given and not is_given(*one[1:])]
