"""Random models: any window, clock, key, emission and retention that goes together."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.generated.keys import COLUMNS
from tests.reference.calendar import calendar_windows
from tests.reference.cumulating import cumulating_windows
from tests.reference.hopping import hopping_windows
from tests.reference.session import Sessions
from tests.reference.sliding import SlidingWindows
from tests.reference.sliding_at_once import SlidingAtOnce
from tests.reference.task import Task

SECOND = 1_000_000
DAY = 86_400 * SECOND
LONGEST = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}

NUMBERS = {
    "n": "count(*)",
    "known": "count(v)",
    "total": "sum(v)",
    "low": "min(v)",
    "high": "max(v)",
    "mean": "avg(v)",
}
VALUES = {
    "ids": "collect_list(id)",
    "first_v": "first(v)",
    "last_v": "last(v)",
    "newest": "max_by(id, {time})",
}


# What may stand between a text and its source, "{rows}".
SHAPES = {
    "direct": "{rows}",
    "subquery": "(select *, 1 as one from {rows}) as rows_so_far",
    "filtered": "(select * from {rows} where spec >= 0) as rows_so_far",
    "joined": "{rows} as rows_so_far join (values (1), (2)) as sides (side) on side = 1",
    # each side names its partitions, since numbers of two sources are each one's own
    "union": "("
    + " union all ".join(
        f"select * except (part), concat_ws('', '{first}', substring(part, 2)) as part "
        f"from {{rows}} where part like '{first}%'"
        for first in "piq"
    )
    + ") as both",
}
# Which rows and which windows a text has, and the same of a row's id and value, and of the values
# of a window's rows and those that are not null.
WHERES: dict[str, Callable[[int, int | None], bool]] = {
    "true": lambda _, v: True,
    "v is null or v > -30": lambda _, v: v is None or v > -30,
    "v % 7 <> 0": lambda _, v: v is not None and v % 7 != 0,
    "id % 5 <> 3": lambda number, _: number % 5 != 3,
}
HAVINGS: dict[str, Callable[[list[int | None], list[int]], bool]] = {
    "true": lambda values, known: True,
    "count(*) > 1": lambda values, known: len(values) > 1,
    "sum(v) >= 0": lambda values, known: bool(known) and sum(known) >= 0,
    "not (high > 20 and count(v) > 1)": lambda values, known: (
        not (len(known) > 1 and max(known) > 20)
    ),
}


@dataclass(frozen=True)
class Spec:
    """Times and durations are microseconds; `window` is the arguments of its constructor."""

    kind: str
    window: tuple[tuple[str, Any], ...]
    grace: int | None
    origin: int | None = None
    clock: str = "key"
    partition: str | None = None  # 'inside' or 'outside' the key
    keys: tuple[str, ...] = ("k_bigint",)
    ordered: bool = True
    wall: bool = False  # whether the event time is a TIMESTAMP_NTZ
    emit: str = "updates"
    retention: int | None = None
    expire: str = "keep"
    max_ahead: int | None = None
    replay: str = "python"
    values: bool = True  # whether there are aggregates that keep more than numbers
    plain: bool = False  # whether the model is written in plain SQL, where it may also have:
    shape: str = "direct"  # what it reads: a source, as one of SHAPES
    where: str = "true"  # one of WHERES
    having: str = "true"  # one of HAVINGS

    @property
    def given(self) -> dict[str, Any]:
        return dict(self.window)

    @property
    def time(self) -> str:
        return "wall" if self.wall else "ts"

    @property
    def key(self) -> list[str]:
        return ["grp", *self.keys, *(["part"] if self.partition == "inside" else [])]

    @property
    def resolution(self) -> int:
        return int(self.given.get("resolution", 1))

    @property
    def length(self) -> int:
        """How long a window is at most, or how long a session waits."""
        given = self.given
        if self.kind == "calendar":
            return (LONGEST[given["unit"]] * given["every"] + 1) * DAY
        return int(given.get("size", given.get("difference", given.get("gap", 0))) or 0)

    @property
    def has_gaps_of_rows(self) -> bool:
        return self.kind == "session" and "gap" not in self.given

    @property
    def least_retention(self) -> int | None:
        return None if self.grace is None else self.grace + self.length

    @property
    def one_partition_a_key(self) -> bool:
        """Whether rows of two partitions must not meet in a window."""
        moves = self.kind in ("session", "sliding") and self.grace is not None
        return self.partition == "outside" and moves

    @property
    def keeps_ids(self) -> bool:
        """Whether dropped rows have their ids: of plain SQL they have the columns that it uses."""
        return self.values or not self.plain

    def reads(self, number: int, v: int | None) -> bool:
        """Whether the text's WHERE lets a row through, of an id and a value."""
        return not self.plain or WHERES[self.where](number, v)

    def shows(self, values: Sequence[int | None]) -> bool:
        """Whether the text's HAVING lets a window through, of rows with these values."""
        known = [v for v in values if v is not None]
        return not self.plain or HAVINGS[self.having]([*values], known)

    @property
    def aggregates(self) -> dict[str, str]:
        if not self.values:
            return NUMBERS
        ordered = VALUES if self.ordered else {"ids": VALUES["ids"]}
        return NUMBERS | {name: call.format(time=self.time) for name, call in ordered.items()}

    def task(self) -> Task:
        """The reference for this model."""
        given, grace = self.given, self.grace
        retention = self.least_retention if self.emit == "final" else self.retention
        store: Any
        if self.kind == "session":
            store = Sessions(given.get("gap"), grace, retention)
        elif self.kind == "sliding":
            if self.emit == "final":  # its last window begins one step after a row's own
                retention = retention + self.resolution
            windows = SlidingWindows if self.ordered else SlidingAtOnce
            store = windows(given["difference"], grace, self.resolution, self.origin, retention)
        elif self.kind == "tumbling":
            store = hopping_windows(given["size"], given["size"], grace, self.origin)
        elif self.kind == "hopping":
            store = hopping_windows(given["size"], given["advance_by"], grace, self.origin)
        elif self.kind == "cumulating":
            store = cumulating_windows(given["size"], given["step"], grace, self.origin)
        else:
            unit, every, zone, week_start = given.values()
            store = calendar_windows(unit, grace, every, "UTC" if self.wall else zone, week_start)
        outside = self.partition == "outside" and self.clock == "key"
        scope = "key in partition" if outside else self.clock
        return Task(store, scope, self.origin, self.max_ahead, self.resolution)

    def text(self, relation: str) -> str:
        """The model; `relation` is Jinja."""
        return self._written(relation) if self.plain else self._called(relation)

    def _config(self, **more: Any) -> str:
        config: dict[str, Any] = {"materialized": "windowed", "emit": self.emit}
        config |= {"expire": self.expire, "replay": self.replay}
        if self.retention is not None:
            config |= {"retention": micros(self.retention), "segment_interval": "3 seconds"}
        if self.max_ahead is not None:
            config |= {"max_ahead": micros(self.max_ahead), "arrived_at": "arrived"}
        told = ", ".join(f"{k}={v!r}" for k, v in (config | more).items() if v is not None)
        return f"{{{{ config({told}) }}}}\n"

    @property
    def _order(self) -> dict[str, str | None]:
        return {
            "arrival_order": "arrival" if self.ordered else None,
            "partition": "part" if self.partition else None,
            "stream_time": self.clock,
        }

    @property
    def _grace(self) -> str:
        return "unbounded" if self.grace is None else micros(self.grace)

    @property
    def _window(self) -> dict[str, Any]:
        """The window's arguments as they are written, but for a gap of each row."""
        return {k: micros(v) if k in LENGTHS else v for k, v in self.window}

    def _called(self, relation: str) -> str:
        arguments = {"key": self.key, "event_time": self.time, "aggregates": self.aggregates}
        given = self._window | {"grace": self._grace}
        if self.has_gaps_of_rows:
            given["gap_by"] = "gap * interval '1' microsecond"
        if self.origin is not None:
            given["origin"] = instant(self.origin)
        window = ", ".join(f"{name}={value!r}" for name, value in given.items())
        told = (arguments | self._order).items()
        call = ",\n    ".join(f"{k}={v!r}" for k, v in told if v is not None)
        return (
            f"{self._config()}"
            f"{{{{ event_windows.windowed(\n    relation={relation},\n    {call},\n"
            f"    window=event_windows.{self.kind}({window})\n) }}}}\n"
        )

    def _written(self, relation: str) -> str:
        function, by_place = CALLS[self.kind]
        given = self._window
        arguments = [self.time, *(f"'{given.pop(name)}'" for name in by_place if name in given)]
        arguments += [f"{k} => {v if k == 'every' else repr(v)}" for k, v in given.items()]
        if self.has_gaps_of_rows:
            arguments.append("gap || ' microseconds'")
        key = ", ".join(self.key)
        items = ",\n    ".join(f"{sql} as {name}" for name, sql in self.aggregates.items())
        return (
            f"{self._config(grace=self._grace, **self._order)}"
            f"select {key}, {function}.start as window_start, {function}.end as window_end,\n"
            f"    {items}\nfrom {SHAPES[self.shape].format(rows=f'{{{{ {relation} }}}}')}\n"
            f"{'' if self.where == 'true' else f'where {self.where}'}\n"
            f"group by {key}, {function}({', '.join(arguments)})\n"
            f"{'' if self.having == 'true' else f'having {self.having}'}\n"
        )

    def simpler(self) -> Iterator[Spec]:
        """The same window with one thing less to it."""
        plainest = {
            "having": "true",
            "where": "true",
            "shape": "direct",
            "plain": False,
            "values": False,
            "keys": ("k_bigint",),
            "wall": False,
            "max_ahead": None,
            "replay": "python",
            "expire": "keep",
            "emit": "updates",
            "retention": None,
            "origin": None,
        }
        for name, value in plainest.items():
            changed = {name: value}
            if name == "retention":
                changed["expire"] = "keep"
            if getattr(self, name) != value:
                yield replace(self, **changed)
        if self.clock != "key":
            yield replace(self, clock="key", partition=None)
        elif self.partition:
            yield replace(self, partition=None)


# In plain SQL: the window's function, and what it takes by its place.
CALLS = {
    "tumbling": ("window", ("size",)),
    "hopping": ("window", ("size", "advance_by")),
    "cumulating": ("cumulate_window", ("size", "step")),
    "calendar": ("calendar_window", ("unit",)),
    "session": ("session_window", ("gap",)),
    "sliding": ("sliding_window", ("difference",)),
}
LENGTHS = ("size", "advance_by", "step", "gap", "difference", "resolution")


def micros(length: int) -> str:
    return f"{length} microseconds"


def instant(time: int) -> str:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=time)
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f UTC")


KINDS = [
    *["tumbling", "hopping", "cumulating", "calendar"],
    *["session", "session", "gap_by", "sliding", "sliding"],
]


def a_window(chance: random.Random, base: int) -> Spec:
    def some(least: int, most: int) -> int:
        return chance.randint(least, most) * SECOND

    kind = chance.choice(KINDS)
    grace = chance.choice([0, 1, some(1, 4), some(2, 12), some(5, 30), None])
    origin = chance.choice([None, None, base + some(-20, 10)])
    if kind == "tumbling":
        return Spec(kind, (("size", some(1, 9)),), grace, origin)
    if kind == "hopping":
        advance = chance.choice([1, 2, 3, 4])
        size = advance * chance.randint(1, 9) + chance.randint(0, advance - 1)
        window = (("size", size * SECOND), ("advance_by", advance * SECOND))
        return Spec(kind, window, grace, origin)
    if kind == "cumulating":
        step = some(1, 4)
        return Spec(kind, (("size", step * chance.randint(1, 5)), ("step", step)), grace, origin)
    if kind == "session":
        return Spec(kind, (("gap", chance.choice([0, 1, some(1, 3), some(3, 10)])),), grace)
    if kind == "gap_by":
        return Spec("session", (), grace)
    if kind == "sliding":
        resolution = chance.choice([1, SECOND, SECOND, 500_000])
        window = (("difference", some(1, 10)), ("resolution", resolution))
        return Spec(kind, window, grace, origin)
    unit = chance.choice(["day", "day", "week", "month", "quarter", "year"])
    every = chance.choice([1, 1, 2, 3]) if unit != "year" else 1
    zone = chance.choice(["UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia"])
    start = chance.choice(["monday", "sunday", "thursday"])
    window = (("unit", unit), ("every", every), ("time_zone", zone), ("week_start", start))
    return Spec(kind, window, None if grace is None else grace * 3600)


def a_spec(chance: random.Random, base: int) -> Spec:
    """A window with options that go together."""
    spec = a_window(chance, base)
    partition = chance.choice([None, None, "inside", "outside"])
    clock = chance.choice(["key", "partition"] if partition else ["key", "key", "global"])
    ordered = partition is not None or chance.random() < 0.85
    spec = replace(
        spec,
        clock=clock,
        partition=partition,
        ordered=ordered,
        keys=tuple(chance.sample(sorted(COLUMNS), chance.choice([1, 1, 1, 2]))),
        wall=chance.random() < 0.2,
        max_ahead=chance.choice([None, None, None, 0, 5 * SECOND]),
        replay=chance.choice(["python", "python", "sql"]),
        values=chance.random() < 0.6,
    )
    if spec.ordered and spec.given.get("gap") != 0 and chance.random() < 0.35:
        spec = replace(
            spec,
            plain=True,
            origin=None,
            # of two sources numbers are each one's own
            shape=chance.choice(["direct", *(n for n in SHAPES if partition or n != "union")]),
            where=chance.choice(["true", *WHERES]),
            having=chance.choice(["true", *HAVINGS]),
        )
    if spec.wall:
        # which says no instant that could be compared with the arrival
        spec = replace(spec, max_ahead=None)
    least = spec.least_retention
    if least is None or spec.one_partition_a_key or chance.random() < 0.3:
        return spec
    whole = partition != "outside"
    if whole and not spec.has_gaps_of_rows and chance.random() < 0.4:
        return replace(spec, emit="final")
    retention = least + chance.choice([0, 0, 1, 3 * SECOND, 20 * SECOND])
    expire = chance.choice(["keep", "delete"]) if whole else "keep"
    return replace(spec, retention=retention, expire=expire)
