"""Draws texts: keys, a time window, what is shown of them, and names that hide one another."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.plain_sql.generated.expressions import Expressions
from tests.plain_sql.generated.sources import SOURCES, Source
from tests.plain_sql.generated.text import Group, Item, Text

# Names of columns, of functions, of the window and its bounds, and new ones.
NAMES = (
    "n", "total", "k", "x", "page", "url", "os", "user_id", "amount", "score", "day", "city",
    "device", "ts", "Url", "w", "flag", "`my name`", "`count`", "window_start", "start", "`end`",
    "last_seen", "price", "attrs", "seq", "hour", "level", "name",
)  # fmt: skip
GAPS = ("'30 minutes'", "'interval 1 hour'", "'1 day'", "'24 hours'", "'90 minutes 30 seconds'",
        '"10 minutes"')  # fmt: skip
SIZES = ("'1 hour'", "'60 minutes'", "'1 day'", "'90 minutes'", "'1 week'", "'2 hours 30 minutes'")
SLIDES = ("'1 hour', '30 minutes'", "'1 hour', '15 minutes', '5 minutes'",
          "'3 hours', '2 hours', '-30 minutes'", "'90 minutes', '40 minutes'",
          "'1 hour', '1 hour', '15 minutes'", "'1 day', '6 hours'")  # fmt: skip


@dataclass
class _Written:
    """What of a text is there so far."""

    items: list[Item] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    # aliases that no item before them has
    names: list[str] = field(default_factory=list)


def draw_text(draw: random.Random) -> Text:
    """A windowed SELECT: mostly one that Spark takes, now and then not."""
    return _Grammar(draw).text()


class _Grammar:
    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.source: Source = draw.choice(SOURCES)
        self.of = Expressions(draw, self.source)
        self.window = self._window()
        self.struct = self.window.partition("(")[0].lower()
        self.made = _Written()
        self.names: set[str] = set()
        self.by_all = draw.random() < 0.12

    def text(self) -> Text:
        for _ in range(self.draw.choice([0, 1, 1, 1, 2, 2, 3])):
            self._key()
        self._grouped_window()
        for _ in range(self.draw.choice([1, 1, 2, 2, 3, 4])):
            self._result()
        where = [f"({self.of.condition()})" for _ in range(self.draw.choice([0, 0, 0, 1, 2]))]
        having = [self._having() for _ in range(self.draw.choice([0, 0, 0, 1, 1, 2]))]
        self.draw.shuffle(self.made.groups)
        groups = () if self.by_all else tuple(self.made.groups)
        return Text(
            self.source.from_, self._ordered(), groups, self.source.with_, tuple(where),
            tuple(having),
        )  # fmt: skip

    def _window(self) -> str:
        time = self.of.time()
        if self.draw.random() < 0.15:
            time = self.draw.choice([f"{time} + interval 1 hour", f"cast({time} as timestamp)"])
        word, number, flag = self.of.word(), self.of.number(), self.of.column("flags")
        kind = self.draw.choice(["session", "session", "gap", "window", "window", "hopping"])
        gaps = [
            f"case when {word} = 'a' then '10 minutes' when {flag} then null else '1 day' end",
            f"case when {flag} then '5 minutes' else '1 hour' end",
            f"concat({number}, ' minutes')", f"if({number} > 2, '2 hours', '-1 seconds')",
            f"make_interval(0, 0, 0, 0, 0, {number})",
        ]  # fmt: skip
        arguments = {
            "session": self.draw.choice(GAPS), "gap": self.draw.choice(gaps),
            "window": self.draw.choice(SIZES), "hopping": self.draw.choice(SLIDES),
        }  # fmt: skip
        name = "session_window" if kind in ("session", "gap") else "window"
        name = self.draw.choice([name, name, name, name.upper()])
        return f"{name}({time}, {arguments[kind]})"

    # what is grouped by

    def _key(self) -> None:
        key = self.of.key()
        how = self.draw.random()
        if how < 0.35:
            self._hidden_column(key)
        elif how < 0.8:
            self._grouped(key, self._name())
        else:
            self.made.groups.append(Group(key))
        self.made.keys.append(key)

    def _hidden_column(self, key: str) -> None:
        """`lower(e.url) as url ... group by url`: the group is the column, not the item."""
        kind = self.draw.choice(["words", "words", "numbers", "doubles", "structs", "days"])
        names = getattr(self.source, kind)
        if not names:
            return self._grouped(key, self._name())
        column = self.draw.choice(names)
        name = column.rpartition(".")[2]
        qualified = column if "." in column else f"{self.source.q}.{name}"
        if "using" in self.source.from_ and "." not in column:
            qualified = column
        shown = {
            "words": [f"lower({qualified})", f"coalesce({qualified}, 'none')", f"upper({name})",
                      qualified, f"length({qualified})"],
            "numbers": [f"{qualified} + 1", f"-{qualified}", f"{qualified} > 1", qualified],
            "doubles": [f"{qualified} * 2", f"round({qualified})", qualified],
            "structs": [f"{qualified}.os" if name == "device" else f"{qualified}.city",
                        f"{qualified}"],
            "days": [f"date_format({qualified}, 'yyyy-MM')", f"{qualified}", f"month({qualified})"],
        }[kind]  # fmt: skip
        item = self._item(self.draw.choice(shown), self.draw.choice([name, name, name.upper()]))
        groups = [Group(name), Group(name), Group(qualified), Group(tag=item.tag)]
        self.made.groups.append(self.draw.choice(groups))
        self.made.keys.append(qualified)
        return None

    def _grouped(self, key: str, alias: str) -> None:
        """A key that is shown, and grouped by as it is, by its name or by its position."""
        item = self._item(key, alias)
        groups = [Group(key), Group(tag=item.tag)]
        groups += [Group(item.alias), Group(item.alias)] if item.alias else []
        self.made.groups.append(self.draw.choice(groups))

    def _grouped_window(self) -> None:
        struct, how = self.struct, self.draw.random()
        if how < 0.4:
            self.made.groups.append(Group(self.window))
            if self.by_all:
                self._item(self.window, self.draw.choice(["w", struct]))
        else:
            alias = self.draw.choice(["w", "w", struct, "", "window_start", "url", "os"])
            self._grouped(self.window, alias)
        if self.draw.random() < 0.7 and not self.by_all:
            bound = self.draw.choice(["start", "end", "END"])
            name = f"window_{bound}"
            # of the window's name, which is the item's in what is shown after it
            name = self.draw.choice([name, name, "ts", "ts", "day", "day", "", "", struct])
            self._item(f"{struct}.{bound}", name)

    # what is shown of it

    def _result(self) -> None:
        how = self.draw.random()
        one, other = self.of.aggregate(), self.of.aggregate()
        key = self.draw.choice(self.made.keys) if self.made.keys else "'k'"
        name = self.draw.choice(self.made.names) if self.made.names else "count(*)"
        struct, number, decimal = self.struct, self.of.number(), self.of.column("decimals")
        if how < 0.6:
            self._item(one, self._name())
            return
        if how > 0.97:
            # a number by its name, which is no literal beside decimals
            divisor = self._item(self.draw.choice(["3", "-3", "7L", "(2)", "0.25"]), self._name())
            self._item(f"sum({decimal}) / {divisor.alias or divisor.sql}", self._name())
            return
        over_all = [
            f"{one} is null or {other} is null", f"coalesce(cast({one} as string), 'none')",
            f"count(*) / {name}", f"count(*) + sum({number}) * 2", name, f"({name} is null)",
            f"round(avg({number}), 1)", "-count(*)", f"if(count(*) > 1, {key}, null)",
            f"case when sum({number}) > 3 then {key} end", f"struct(count(*) as n, {key} as k)",
            f"named_struct('n', {one})", f"array(count(*), max({number}))", "'a'", "1 + 1",
            f"map('n', count(*), 'N', sum({number}))['N']", f"count(*) <=> {number}",
            "transform(array(1, 2), x -> x + count(*))", "greatest(count(*), 2)",
            f"concat_ws('-', cast({key} as string), cast(count(*) as string))",
            f"upper(cast({key} as string))", f"{key} is not null", f"({key})",
            f"cast(sum({number}) > 10 as int)", f"not ({one} is null)",
        ]  # fmt: skip
        over_window = [
            f"date({struct}.start)", f"unix_timestamp({struct}.end)", f"{struct}.end is not null",
            f"date_format({struct}.start, 'HH:mm')", f"{struct}.Start", f"{struct}",
            f"{struct}.start + interval 1 minute", f"hour({struct}.end) + count(*)",
            f"timestampdiff(minute, {struct}.start, {struct}.end)", f"{self.window}.end",
        ]  # fmt: skip
        chosen = over_window if self.draw.random() < 0.35 and not self.by_all else over_all
        self._item(self.draw.choice(chosen), self._name())

    def _having(self) -> str:
        number, double = self.of.number(), self.of.column("doubles")
        name = self.draw.choice(self.made.names) if self.made.names else "count(*)"
        return self.draw.choice(
            [
                "count(*) > 1", "count(*) > 1", f"max({double}) > 0", f"sum({number}) is not null",
                f"{name} is not null", f"{name} is not null", f"{name} > 1",
                f"({name} > 1 or count(*) > 1)", f"not (count(*) > 5 and {name} is null)",
                f"{self.of.aggregate()} is not null", f"{self.struct}.start is not null",
                f"(max({number}) > 1 or {name} is null)", "count(distinct url) > 0",
                # for sessions Spark asks them of each row
                f"hour({self.struct}.start) < 12", f"max({number}) < hour({self.struct}.end)",
            ]
        )  # fmt: skip

    # items and their names

    def _item(self, sql: str, alias: str) -> Item:
        name = (alias or sql.rpartition(".")[2]).lower()
        if name in self.names:
            # a table cannot have two columns of one name
            alias = name = f"again_{len(self.made.items)}"
        self.names.add(name)
        item = Item(sql, alias, len(self.made.items) + 1)
        self.made.items.append(item)
        if alias:
            self.made.names.append(alias)
        return item

    def _name(self) -> str:
        free = [name for name in NAMES if name.lower() not in self.names]
        return self.draw.choice(free) if self.draw.random() < 0.97 else ""

    def _ordered(self) -> tuple[Item, ...]:
        """The items, shuffled now and then; a name that is used must stand before its use."""
        items = list(self.made.items)
        if self.draw.random() < 0.3:
            self.draw.shuffle(items)
        return tuple(items)
