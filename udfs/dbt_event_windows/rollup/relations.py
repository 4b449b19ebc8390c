"""What a SELECT reads in FROM, and whether groups can be followed where one of them stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.relation_names import identifiers_of


@dataclass(frozen=True)
class Relation:
    """A table in FROM, a CTE or a subquery: `join` says how it is joined, none for the first one.

    `below` is the SELECT of a CTE or a subquery.
    """

    table: exp.Expression
    join: exp.Join | None
    below: Layer | None = None

    @property
    def parts(self) -> list[str]:
        """The name of a table: catalog, if there is one, schema, if there is one, and table."""
        return [part.name for part in self.names]

    @property
    def name(self) -> str:
        """By which columns are asked for in the text: its alias, or that of the table; or empty."""
        return str(self.table.alias) or "".join(self.parts[-1:])

    @property
    def names(self) -> list[exp.Identifier]:
        return identifiers_of(self.table)

    @property
    def kind(self) -> str:
        """`left`, `right`, `full`, `semi`, `anti`, or `inner` where each row has its match."""
        if self.join is None:
            return "inner"
        side, kind = self.join.side.lower(), self.join.kind.lower()
        if kind in ("semi", "anti"):
            return kind
        return side or "inner"


@dataclass(frozen=True)
class Layer:
    """One SELECT of the text: the last one, a CTE or a subquery."""

    select: exp.Select
    relations: tuple[Relation, ...]


@dataclass(frozen=True)
class Step:
    """One relation of a SELECT, by its place in FROM."""

    layer: Layer
    place: int

    @property
    def relation(self) -> Relation:
        return self.layer.relations[self.place]


# From the last SELECT down to a table.
Path = Sequence[Step]


def paths_below(layer: Layer) -> Iterator[Path]:
    """The ways to the tables that a SELECT reads, in order; to one that is read twice, two."""
    for place, relation in enumerate(layer.relations):
        step = Step(layer, place)
        if relation.below is None:
            yield [step]
            continue
        for path in paths_below(relation.below):
            yield [step, *path]


def refuse_place(reading: Reading, path: Path) -> None:
    """Refuse joins in which the other tables give rows that no row of the model stands behind."""
    for step in path:
        for place, relation in enumerate(step.layer.relations):
            allowed = ("inner",) if place <= step.place else ("inner", "left", "semi", "anti")
            if relation.kind not in allowed:
                words = (
                    "this join gives rows for which the windowed model has none, or leaves out "
                    "rows for what the model has, so that its changes do not tell which groups "
                    "change",
                    "begin FROM with the windowed model, and join others with JOIN or LEFT JOIN",
                )
                reading.refuse("JOIN", relation.table, words)
