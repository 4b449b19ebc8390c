"""A generated text as its parts, so that a failing one can be made smaller part by part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

TABLES = ("events", "people", "codes")
Part = TypeVar("Part")


@dataclass(frozen=True)
class Item:
    """An expression of the SELECT list; `tag` stays the same when items before it are dropped."""

    sql: str
    alias: str = ""
    tag: int = 0

    @property
    def written(self) -> str:
        return f"{self.sql} as {self.alias}" if self.alias else self.sql


@dataclass(frozen=True)
class Group:
    """What is grouped by, as it is written; or, if `tag` is not zero, the position of an item."""

    sql: str = ""
    tag: int = 0


@dataclass(frozen=True)
class Text:
    """A windowed SELECT. Tables stand as `{events}`; no groups: GROUP BY ALL."""

    from_: str
    items: tuple[Item, ...]
    groups: tuple[Group, ...] = ()
    with_: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    having: tuple[str, ...] = ()

    @property
    def sql(self) -> str:
        tags = [item.tag for item in self.items]
        groups = [str(tags.index(one.tag) + 1) if one.tag else one.sql for one in self.groups]
        clauses = [
            "with " + ",\n".join(self.with_) if self.with_ else "",
            "select " + ", ".join(item.written for item in self.items),
            f"from {self.from_}",
            "where " + " and ".join(self.where) if self.where else "",
            "group by " + (", ".join(groups) if groups else "all"),
            "having " + " and ".join(self.having) if self.having else "",
        ]
        return "\n".join(clause for clause in clauses if clause)

    def over(self, tables: Mapping[str, str]) -> str:
        """The SQL with the tables written as they are called where it runs."""
        sql = self.sql
        for table in TABLES:
            sql = sql.replace(f"{{{table}}}", tables.get(table, table))
        return sql

    @property
    def size(self) -> int:
        return len(self.sql)

    def smaller(self) -> Iterator[Text]:
        """Texts with one part less; some of them are none that Spark takes."""
        for place, item in enumerate(self.items):
            if len(self.items) > 1:
                yield self._without(place)
            for simpler in _simpler(item):
                yield replace(self, items=_at(self.items, place, simpler))
        for place in range(len(self.groups)):
            yield replace(self, groups=_without(self.groups, place))
        for clause in ("where", "having", "with_"):
            parts = getattr(self, clause)
            for place in range(len(parts)):
                yield replace(self, **{clause: _without(parts, place)})
        words = self.from_.split(" join ", 1)[0]
        for from_ in (re.sub(r" (left|inner|left semi|left anti)$", "", words), "{events} e"):
            if len(from_) < len(self.from_):
                yield replace(self, from_=from_)

    def _without(self, place: int) -> Text:
        tag = self.items[place].tag
        groups = tuple(one for one in self.groups if one.tag != tag)
        return replace(self, items=_without(self.items, place), groups=groups)


def _simpler(item: Item) -> Iterator[Item]:
    if item.alias:
        yield replace(item, alias="")
    sql = item.sql
    if " filter (where " in sql:
        yield replace(item, sql=sql[: sql.index(" filter (where ")])
    # what stands in the outermost brackets of a call: f(x) to x
    if call := re.fullmatch(r"\w+\((.*)\)", sql):
        yield replace(item, sql=call[1])
    for operator in (" + ", " / ", " and ", " or ", " || "):
        yield from (replace(item, sql=part) for part in sql.split(operator, 1) if operator in sql)


def _without(parts: tuple[Part, ...], place: int) -> tuple[Part, ...]:
    return parts[:place] + parts[place + 1 :]


def _at(parts: tuple[Part, ...], place: int, part: Part) -> tuple[Part, ...]:
    return (*parts[:place], part, *parts[place + 1 :])
