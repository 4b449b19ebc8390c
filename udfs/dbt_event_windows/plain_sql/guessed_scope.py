"""A scope for those who have no Spark to ask, as the converter: names mean what they likely do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dbt_event_windows.plain_sql.functions import HARDLY_COLUMNS, OWN_WINDOWS, SPARK_WINDOWS
from dbt_event_windows.plain_sql.references import Parts, lowered
from dbt_event_windows.plain_sql.scope import Resolved, Scope

_OTHERS = SPARK_WINDOWS | OWN_WINDOWS | {"_metadata"}


@dataclass(frozen=True)
class GuessedScope(Scope):
    """A name is that of an item if there is one, else of a column of any relation.

    Good to find what is wrong with a text, not to plan by.
    """

    is_complete: ClassVar[bool] = False

    items: frozenset[str] = frozenset()

    def resolve(self, parts: Parts) -> Resolved | None:
        """A column of the relation in front of it; without one of the only relation, or of any."""
        lower = lowered(parts)
        for length in range(len(parts) - 1, 0, -1):
            for place, relation in enumerate(self.relations):
                if lower[:length] in relation.qualifiers and lower[length] != "_metadata":
                    rest = lower[length + 1 :]
                    return Resolved(place, lower[length], rest, parts[length:], None)
        if lower[0] in _OTHERS or lower[0] in self.items:
            return None
        if len(parts) == 1 and lower[0] in HARDLY_COLUMNS:
            return None
        return Resolved(0 if len(self.relations) == 1 else -1, lower[0], lower[1:], parts, None)
