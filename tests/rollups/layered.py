"""Generated texts of rollups: CTEs and subqueries over a table of sessions, one over the other."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

# The columns of visits, with what can be done with them.
VISITS = {
    "key": "text",
    "window_start": "time",
    "window_end": "time",
    "clicks": "number",
    "most": "odd",
    "pages": "odd",
}
IDENTITY = ("key", "window_start", "window_end")
USERS = "{{ source('raw', 'users') }}"


@dataclass
class Below:
    """What a FROM reads: its text, and the columns, each with what can be done with it."""

    source: str
    columns: dict[str, str]
    identity: tuple[str, ...] = IDENTITY
    ctes: list[str] = field(default_factory=list)


def draw_text(chance: random.Random) -> str:
    """A SELECT with at least one CTE or subquery below it."""
    grouped = chance.random() < 0.7
    below = Below("{{ ref('visits') }}", VISITS)
    for number in range(chance.choice([1, 1, 2, 3])):
        below = _put_over(chance, below, number, grouped)
    select = _grouped(chance, below) if grouped else _rows(chance, below)
    return ("with " + ",\n".join(below.ctes) + "\n" if below.ctes else "") + select


def _put_over(chance: random.Random, below: Below, number: int, grouped: bool) -> Below:
    """One SELECT more, as a CTE or a subquery, which may leave out columns that no group needs."""
    if chance.random() < 0.3:
        select, columns, identity = "select *", dict(below.columns), below.identity
    else:
        names: dict[str, str] = {}
        for column in below.columns:
            dropped = chance.random() < 0.2 and (grouped or column not in below.identity)
            if not dropped or column == below.identity[0]:
                names[column] = chance.choice([column, column, f"{column}_{number}"])
        items = [
            _cased(chance, f"r.{old}") + (f" as {new}" if new != old else "")
            for old, new in names.items()
        ]
        columns = {new: below.columns[old] for old, new in names.items()}
        identity = tuple(names[old] for old in below.identity if old in names)
        number_of = [old for old in names if below.columns[old] == "number"]
        if number_of:
            items.append(f"{number_of[0]} * 2 as twice_{number}")
            columns[f"twice_{number}"] = "number"
        chance.shuffle(items)
        select = f"select {', '.join(items)}"
    in_brackets = chance.random() < 0.2
    from_ = f"from ({below.source} as r)" if in_brackets else f"from {below.source} as r"
    country = f"country_{number}"
    if not select.endswith("*") and chance.random() < 0.4:
        # an inner join leaves out keys, a left one gives several rows for some
        users = f"(select key as k, country as {country} from {USERS}) as u{number}"
        text = below.identity[0]
        from_ += f" {chance.choice(['', 'left '])}join {users} on r.{text} = u{number}.k"
        select += f", {country}"
        columns[country] = "text"
    if chance.random() < 0.4:
        from_ += f" where {_condition(chance, below)}"
    query = f"{select} {from_}"
    if chance.random() < 0.5 or number == 0:
        name = f"step_{number}" if below.ctes else chance.choice(["visits", "step"])
        return Below(name, columns, identity, [*below.ctes, f"{name} as (\n{query}\n)"])
    return Below(f"(\n{query}\n)", columns, identity, below.ctes)


def _condition(chance: random.Random, below: Below) -> str:
    column, kind = chance.choice(list(below.columns.items()))
    conditions = {
        "text": f"r.{column} <> 'b' or r.{column} is null",
        "time": f"r.{column} >= timestamp'2024-04-17 02:00:00'",
        "number": f"{column} > {chance.choice([1, 2])}",
        "odd": f"r.{column} is not null",
    }
    return conditions[kind]


def _cased(chance: random.Random, name: str) -> str:
    return name.upper() if chance.random() < 0.2 else name


def _grouped(chance: random.Random, below: Below) -> str:
    groups = [_group(chance, below) for _ in range(chance.choice([1, 1, 2]))]
    numbers = [column for column, kind in below.columns.items() if kind == "number"]
    times = [column for column, kind in below.columns.items() if kind == "time"]
    aggregates = ["count(*) as n"]
    aggregates += [f"sum({column}) as sum_{column}" for column in numbers]
    aggregates += [f"max({column}) as max_{column}" for column in times]
    aggregates.append(f"count(distinct {below.identity[0]}) as texts")
    chosen = chance.sample(aggregates, min(2, len(aggregates)))
    named = [f"{sql} as g{place}" for place, sql in enumerate(groups)]
    ways = {
        "all": (named, "all"),
        "places": (named, ", ".join(str(place + 1) for place in range(len(named)))),
        "aliases": (named, ", ".join(f"g{place}" for place in range(len(named)))),
        "hidden": ([], ", ".join(groups)),
    }
    items, by = ways[chance.choice(list(ways))]
    having = " having count(*) > 1" if chance.random() < 0.3 else ""
    alias = chance.choice(["", " as top", " top"])
    return (
        f"select {', '.join([*items, *chosen])}\nfrom {below.source}{alias}\ngroup by {by}{having}"
    )


def _group(chance: random.Random, below: Below) -> str:
    column, kind = chance.choice(list(below.columns.items()))
    groups = {
        "text": [column, f"upper({column})"],
        "time": [
            column,
            f"date({column})",
            f"cast({column} as date)",
            f"date_trunc('hour', {column})",
            f"date_trunc('HOUR', {column} + interval 90 minutes)",
        ],
        "number": [column, f"{column} % 3"],
        "odd": [column],
    }
    return chance.choice(groups[kind])


def _rows(chance: random.Random, below: Below) -> str:
    shown = chance.sample(list(below.columns), chance.randint(1, len(below.columns)))
    items = chance.choice([["*"], ["top.*", "1 as one"], [_cased(chance, one) for one in shown]])
    return f"select {', '.join(items)}\nfrom {below.source} as top"
