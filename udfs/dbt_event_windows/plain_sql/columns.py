"""The columns of the relation: what is needed, each once, under a name that clashes with none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dbt_event_windows.plain_sql.naming import Names, from_sql, quoted, stored
from dbt_event_windows.plain_sql.references import Canonical, Parts, lowered
from dbt_event_windows.plain_sql.scope import Resolved, Scope

# Columns of the windows table, and those of the table of dropped rows.
WINDOW_COLUMNS = ("window_start", "window_end")
# The key where the text groups by the window alone.
ALL_ROWS = "_ew_all"
DROPPED_COLUMNS = ("reason", "stream_time", "run_id", "source_row")


@dataclass(frozen=True)
class Column:
    """One column of the relation: SQL over what the FROM offers, and its name."""

    sql: str
    name: str

    @property
    def item(self) -> str:
        name = quoted(self.name)
        return name if self.sql == name else f"{self.sql} as {name}"


@dataclass
class Columns:
    """Gives out names. What is asked for first gets its own name.

    `reserved` are columns that will be asked for: no expression gets their names. `variables` are
    those of lambdas, inside which they hide columns: no column gets their names.
    """

    scope: Scope
    reserved: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()
    columns: dict[Canonical, Column] = field(default_factory=dict)
    names: Names = field(default_factory=lambda: Names(WINDOW_COLUMNS))

    def column(self, sql: str, parts: Parts, recorded: bool = False) -> str:
        """The name for a column or a field of one.

        `recorded` columns stand beside those of the table of dropped rows.
        """
        canonical, rest = self._meant(parts)
        if canonical not in self.columns:
            self._add(canonical, sql, [rest[-1], "_".join(rest), "_".join(parts)], recorded)
        return self.columns[canonical].name

    def own_name(self, sql: str, parts: Parts) -> str | None:
        """The column under its own name, whatever it is; none if another column has that name."""
        canonical, rest = self._meant(parts)
        if canonical not in self.columns:
            if not self.names.is_free(rest[-1]):
                return None
            self.columns[canonical] = Column(sql, self.names.take(rest[-1]))
        return self.columns[canonical].name

    def expression(
        self, canonical: Canonical, sql: str, *wishes: str | None, recorded: bool = False
    ) -> str:
        """The name for an expression, one of the wishes or made of its words."""
        if canonical not in self.columns:
            wanted = [*filter(None, wishes), from_sql(sql)]
            free = [wish for wish in wanted if wish.lower() not in self.reserved]
            self._add(canonical, sql, free or [f"{wanted[-1]}_key"], recorded)
        return self.columns[canonical].name

    def listed(self, first: Sequence[str]) -> list[Column]:
        """All columns, some of them first; without a key, a constant that stands for it."""
        order = {name: place for place, name in enumerate(first)}
        columns = sorted(self.columns.values(), key=lambda one: order.get(one.name, len(order)))
        has_key = len(first) > 1
        return columns if has_key else [Column("1", ALL_ROWS), *columns]

    def _meant(self, parts: Parts) -> tuple[Canonical, Parts]:
        """The column that a name is, and its own name with the fields after it."""
        resolved = self.scope.resolve(parts)
        written = resolved.written if isinstance(resolved, Resolved) else parts
        return ("column", resolved or lowered(parts)), written

    def _add(self, canonical: Canonical, sql: str, wishes: list[str], recorded: bool) -> None:
        seen = [stored(wish) for wish in wishes if wish.lower() not in self.variables]
        allowed = seen or [f"{stored(wishes[-1])}_column"]
        if recorded:
            named = [wish for wish in allowed if wish.lower() not in DROPPED_COLUMNS]
            allowed = named or [f"{allowed[0]}_column"]
        self.columns[canonical] = Column(sql, self.names.take(*allowed))
