"""Models by hand, drawn from a grammar: keys and values that go through several SELECTs."""

from __future__ import annotations

import random
import re

TABLE = (
    "k string, at timestamp, v int, w int, flag boolean, url string, "
    "place struct<city: string, zip: int>, attrs map<string, string>"
)
# Keys that only letters, brackets or a dot tell apart.
KEYS = (
    "k", "K", "e.k", "lower(e.url)", "attrs['A']", "attrs['a']", "attrs.A", "place.city",
    "e.place.city", "v * (w + 1)", "v * w + 1", "(v + w) % 2", "v + w % 2", "not flag",
    "flag and (v > 2 or w > 1)", "flag and v > 2 or w > 1", "v between 1 and 3", "v in (1, 2)",
    "flag is null", "case when flag then k end", "e.url = 'A'", "e.url = 'a'", "-v",
)  # fmt: skip
# What stands for a column further up, and must keep its brackets there.
VALUES = (
    "v", "v + w", "v - w", "not flag", "v between 1 and 3", "v in (1, 2)", "flag is null",
    "case when flag then v else w end", "flag or v > 2", "-v", "cast(flag as int)", "w % 3",
    "if(flag, v, w)", "v > w", "coalesce(v, w)", "attrs['A']", "attrs['a']", "place.zip",
)  # fmt: skip
USES = (
    "count_if({x} is null)", "count_if(({x}) <=> ({y}))", "count({x})", "max(cast({x} as string))",
    "sum(cast({x} as int) * 2)", "sum(-cast({x} as int))", "count_if(not cast({x} as boolean))",
    "count_if({x} in ({y}))", "sum(2 - cast({x} as int) - cast({y} as int))",
    "count_if({x} between {y} and {y})", "min_by({x}, at)",
    "count_if(not {x} is null and {y} is null)",
    "count_if({x} = {y})", "count(distinct {x}, {y})",
)  # fmt: skip
STARTS = (
    "at > before + interval 30 minutes", "before is null or at - before >= interval 1 hour",
    "not at <= before + interval 10 minutes", "timestampdiff(minute, before, at) > 20",
)  # fmt: skip
UNITS = ("hour", "minute", "day")


def draw_model(draw: random.Random) -> str:
    """A model with sessions by hand, or one that groups by a unit of time."""
    return _sessions(draw) if draw.random() < 0.6 else _units(draw)


def _sessions(draw: random.Random) -> str:
    key, x, y = draw.choice(KEYS), draw.choice(VALUES), draw.choice(VALUES)
    name = draw.choice(["kk", "g", "url"])
    over = f"over (partition by {name} order by at)"
    filtered = draw.choice(["", "\nwhere flag or v > 1", "\nwhere not flag or flag is null"])
    return (
        f"with rows as (select at, {key} as {name}, {x} as x, {y} as y from events e{filtered}),\n"
        f"previous as (select *, lag(at) {over} as before from rows),\n"
        f"starts as (select *, case when {draw.choice(STARTS)} then 1 else 0 end as s "
        "from previous),\n"
        f"numbered as (select p.*, sum(s) {over} as number from starts p)\n"
        f"select n.{name}, min(at) as since, max(n.at) as till, count(*) as n, {_uses(draw)}\n"
        f"from numbered n group by n.{name}, number{_having(draw)}"
    )


def _units(draw: random.Random) -> str:
    key = draw.choice(KEYS)
    truncated = f"date_trunc('{draw.choice(UNITS)}', at)"
    # of a column and an alias with its name GROUP BY takes the column
    shown, group = draw.choice(
        [
            (f"{key} as g", "g"), (f"{key} as g", key), (f"{key} as g", "1"),
            ("lower(e.url) as url", "url"), ("coalesce(v, 0) as v", "v"),
            ("e.place.city as place", "place"),
        ]
    )  # fmt: skip
    values = {"x": f"({draw.choice(VALUES)})", "y": f"({draw.choice(VALUES)})"}
    uses = re.sub(r"\b[xy]\b", lambda found: values[found[0]], _uses(draw))
    from_ = draw.choice(["events e", "(select * from events) e"])
    return (
        f"select {shown}, {truncated} as t, count(*) as n, {uses}\n"
        f"from {from_} group by {group}, {draw.choice(['t', truncated])}{_having(draw)}"
    )


def _uses(draw: random.Random) -> str:
    chosen = draw.sample(USES, 2)
    named = zip(chosen, ("a", "b"), strict=True)
    return ", ".join(f"{use.format(x='x', y='y')} as {name}" for use, name in named)


def _having(draw: random.Random) -> str:
    return draw.choice(["", "", "\nhaving count(*) > 1", "\nhaving hour(min(at)) < 12"])
