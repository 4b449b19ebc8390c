"""Names of columns: as SQL, and new ones that clash with none."""

from __future__ import annotations

import re
from collections.abc import Iterable


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Delta and Iceberg do not store a column with one of these in its name.
_NOT_STORED = re.compile(r"[ ,;{}()\n\t=`.]+")
_LONGEST = 40
# Plain words that Spark does not take as a name everywhere.
_WORDS = word_set(
    """
    all and anti any as between both case cast cross distinct else end except exists false filter
    from full group having in inner intersect interval is join lateral leading left like limit
    minus natural not null on or order outer over right select semi table then trailing true union
    unique using values when where window with
    """
)


def quoted(name: str) -> str:
    """A name as SQL."""
    if _PLAIN.fullmatch(name) and name.lower() not in _WORDS:
        return name
    return "`" + name.replace("`", "``") + "`"


def stored(name: str) -> str:
    """A name with an underscore for what a table cannot store in it."""
    return _NOT_STORED.sub("_", name).strip("_") or "column"


def from_sql(sql: str) -> str:
    """A readable name from the words of an expression: `sum(amount)` gives `sum_amount`."""
    words = re.findall(r"\w+", sql.replace("*", " all "))
    return stored("_".join(words).lower()[:_LONGEST])


class Names:
    """Names given out once each, whatever the case."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {name.lower() for name in taken}

    def is_free(self, name: str) -> bool:
        return name.lower() not in self._taken and not name.lower().startswith("_ew_")

    def take(self, *wishes: str) -> str:
        """The first wish that is free, else the last one with a number."""
        name = next((wish for wish in wishes if self.is_free(wish)), "")
        number = 2
        while not name:
            numbered = f"{wishes[-1].lstrip('_')}_{number}"
            name = numbered if self.is_free(numbered) else ""
            number += 1
        self._taken.add(name.lower())
        return name
