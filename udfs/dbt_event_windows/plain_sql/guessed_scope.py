"""A scope for those who have no Spark to ask, as the converter: names mean what they likely do."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_event_windows.plain_sql.functions import OWN_WINDOWS, SPARK_WINDOWS, WITHOUT_BRACKETS
from dbt_event_windows.plain_sql.references import Parts, lowered
from dbt_event_windows.plain_sql.scope import Resolved, Scope

_OTHERS = SPARK_WINDOWS | OWN_WINDOWS | WITHOUT_BRACKETS


@dataclass(frozen=True)
class GuessedScope(Scope):
    """A name is that of an item if there is one, else of a column of any relation.

    Good to find what is wrong with a text, not to plan by.
    """

    items: frozenset[str] = frozenset()

    def resolve(self, parts: Parts) -> Resolved | None:
        """A column by its own name, whatever stands in front of it."""
        lower = lowered(parts)
        for length in range(len(parts) - 1, 0, -1):
            if any(lower[:length] in relation.qualifiers for relation in self.relations):
                return Resolved(0, lower[length], lower[length + 1 :], parts[length:], None)
        if lower[0] in _OTHERS or (len(parts) == 1 and lower[0] in self.items):
            return None
        return Resolved(0, lower[0], lower[1:], parts, None)
