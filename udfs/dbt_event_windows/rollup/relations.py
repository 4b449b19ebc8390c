"""The tables in FROM, and whether groups can be followed where one of them stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import clauses_of
from dbt_event_windows.plain_sql.reading import Reading

_OF_A_TABLE = {"this", "db", "catalog", "alias"}
_OF_A_JOIN = {"this", "on", "using", "side", "kind", "method"}
# What to write where something stands between the text and its tables.
IN_FROM = (
    "write what it does with the windowed model here, or in a rollup that this one reads; what it "
    "does with other tables may be a model"
)
_NO_TABLE = ("only tables are read in FROM", IN_FROM)
_NATURAL = ("NATURAL joins by whatever columns both have", "write JOIN ... USING (...)")
_LATERAL = ("LATERAL makes several rows of one", refusals.READS_ON)


@dataclass(frozen=True)
class Relation:
    """A table in FROM: `join` is how it is joined in words, empty for the first one."""

    table: exp.Table
    join: exp.Join | None

    @property
    def parts(self) -> list[str]:
        """Its name: catalog, if there is one, schema, if there is one, and table."""
        return [part.name for part in self.names]

    @property
    def name(self) -> str:
        """By which columns are asked for in the text: its alias, or that of the table."""
        return str(self.table.alias) or self.parts[-1]

    @property
    def names(self) -> list[exp.Expression]:
        found = [self.table.args.get(part) for part in ("catalog", "db", "this")]
        return [name for name in found if isinstance(name, exp.Identifier)]

    @property
    def kind(self) -> str:
        """`left`, `right`, `full`, `semi`, `anti`, or `inner` where each row has its match."""
        if self.join is None:
            return "inner"
        side, kind = self.join.side.lower(), self.join.kind.lower()
        if kind in ("semi", "anti"):
            return kind
        return side or "inner"


def relations_of(reading: Reading, select: exp.Select) -> list[Relation]:
    """The tables of FROM in order; what is no table is refused."""
    clauses = clauses_of(select)
    from_, joins = clauses.get("from"), clauses.get("joins") or []
    found = []
    if isinstance(from_, exp.From):
        found.append((from_.this, None))
    assert isinstance(joins, list)
    for join in joins:
        reading.refuse_others("JOIN", join, _OF_A_JOIN)
        if join.method:
            words = _NATURAL if join.method.upper() == "NATURAL" else refusals.NOT_UNDERSTOOD
            reading.refuse("JOIN", join, words)
        found.append((join.this, join))
    relations = []
    for table, join in found:
        clauses = clauses_of(table)
        alias = clauses.get("alias")
        if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
            reading.refuse("FROM", table, _LATERAL if isinstance(table, exp.Lateral) else _NO_TABLE)
            continue
        reading.refuse_others("FROM", table, _OF_A_TABLE)
        if isinstance(alias, exp.TableAlias) and alias.args.get("columns"):
            words = ("the columns of a table get other names", "name them in the SELECT")
            reading.refuse("FROM", table, words)
        relations.append(Relation(table, join))
    return relations


def refuse_place(reading: Reading, relations: Sequence[Relation], followed: int) -> None:
    """Refuse joins in which the other tables give rows that no row of the model stands behind."""
    for place, relation in enumerate(relations):
        allowed = ("inner",) if place <= followed else ("inner", "left", "semi", "anti")
        if relation.kind not in allowed:
            words = (
                "this join gives rows for which the windowed model has none, or leaves out rows "
                "for what the model has, so that its changes do not tell which groups change",
                "begin FROM with the windowed model, and join others with JOIN or LEFT JOIN",
            )
            reading.refuse("JOIN", relation.table, words)
