"""Drives the two sliding functions with rows and carries the windows over from call to call."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import pyarrow as pa

from dbt_event_windows.sliding_replay import event_windows_replay_sliding
from dbt_event_windows.sliding_windows import event_windows_sliding_windows
from tests.reference.clock import countable_rows
from tests.reference.records import Result, Row

SET_COLUMNS = ("k", "first", "newest", "difference", "resolution", "origin")
REPLAY_COLUMNS = (
    "k",
    "item",
    "first",
    "newest",
    "clock",
    "grace",
    "retention",
    "difference",
    "resolution",
    "origin",
)

NumberedRow = tuple[int, Row, int]  # input index, row, stream time at its arrival


def call(
    function: Callable[..., object], types: dict[str, pa.DataType], items: Sequence[tuple]
) -> list[dict[str, object]]:
    """One call of a function on rows of its arguments, unpacked as SQL unpacks its result."""
    width = len(items[0]) if items else function.__code__.co_argcount  # type: ignore[attr-defined]
    arguments = [[item[i] for item in items] for i in range(width)]
    result = function(
        *(pa.array(a, type=pa.int64() if i else pa.string()) for i, a in enumerate(arguments))
    )
    batch = pa.struct([pa.field(name, pa.list_(type_)) for name, type_ in types.items()])
    # As pyspark does it: the type is inferred first and then cast.
    batches = pa.array([result]).cast(pa.list_(batch))[0].as_py()
    return [
        dict(zip(batch, values, strict=True))
        for batch in batches
        for values in zip(*batch.values(), strict=True)
    ]


def call_set(items: Sequence[tuple]) -> list[dict[str, object]]:
    longs = dict.fromkeys(("window", "base", "first_new", "last_new"), pa.int64())
    return call(event_windows_sliding_windows, {"k": pa.string(), **longs}, items)


def call_replay(items: Sequence[tuple], most: int | None = None) -> list[dict[str, object]]:
    types = {"k": pa.string(), "item": pa.int64(), "window": pa.int64(), "missed": pa.bool_()}
    return call(event_windows_replay_sliding, types, [(*item, most) for item in items])


@dataclass(frozen=True)
class Held:
    """What is stored of a window, and the input indices of its rows.

    `replayed`: the replay wrote it last, or wrote what it came from.
    """

    newest: int
    rows: tuple[int, ...]
    replayed: bool = False


@dataclass
class SlidingTable:
    """What a refresh does with the functions' results."""

    difference: int
    grace: int | None
    resolution: int = 1
    origin: int | None = None
    retention: int | None = None
    state: dict[Hashable, dict[int, Held]] = field(default_factory=dict)
    dropped: set[tuple[int, str]] = field(default_factory=set)
    replays: int = 0

    def refresh(self, numbered: Sequence[NumberedRow]) -> None:
        """Give each key to the function that it needs."""
        by_key: dict[Hashable, list[NumberedRow]] = {}
        for row in numbered:
            by_key.setdefault(row[1].key, []).append(row)
        doubtful = {key for key, rows in by_key.items() if self.is_doubtful(rows)}
        self.replay([row for row in numbered if row[1].key in doubtful])
        self.take_all([row for row in numbered if row[1].key not in doubtful])
        self.replays += len(doubtful)

    def refresh_at_once(self, numbered: Sequence[NumberedRow], clock: int | None) -> None:
        """Rows of one key without an order: those of the windows closed before stay as they were.

        A row that is in such windows alone is late.
        """
        [key] = {row.key for _, row, _ in numbered}
        before = dict(self.state.get(key, {}))
        self.take_all(numbered)
        after = self.state[key]
        changed = {start for start in after if after[start] != before.get(start)}
        bounded = self.grace is not None and clock is not None
        closed = {s for s in changed if bounded and s + self.difference < clock - self.grace}
        for index, row, _ in numbered:
            holding = {s for s in changed if s <= row.time <= s + self.difference}
            if holding & closed:
                self.dropped.add((index, "late" if holding <= closed else "late_partial"))
        for start in closed:
            del after[start]
            after |= {start: before[start]} if start in before else {}

    def is_doubtful(self, rows: Sequence[NumberedRow]) -> bool:
        """Whether a row may be late, or a stored window in reach was replayed."""
        if self.grace is not None and any(r.time < clock - self.grace for _, r, clock in rows):
            return True
        return any(held.replayed for _, _, held in self._in_reach(rows))

    def take_all(self, numbered: Sequence[NumberedRow]) -> None:
        """Through the set form; no row is late."""
        limits = (self.difference, self.resolution, self.origin)
        keys = {repr(row.key): row.key for _, row, _ in numbered}
        items = [(k, t, None, *limits) for k, t in {(repr(r.key), r.time) for _, r, _ in numbered}]
        for key, start, held in self._in_reach(numbered):
            items.append((repr(key), start, held.newest, *limits))
        changed = []
        for out in call_set(items):
            key, start = keys[out["k"]], out["window"]
            stored = self.state.get(key, {})
            parts = [] if out["base"] is None else [stored[out["base"]]]
            if out["first_new"] is not None:
                assert start <= out["first_new"] <= out["last_new"] <= start + self.difference
                parts += [
                    Held(row.time, (index,))
                    for index, row, _ in numbered
                    if row.key == key and out["first_new"] <= row.time <= out["last_new"]
                ]
                assert {out["first_new"], out["last_new"]} <= {part.newest for part in parts}
            changed.append((key, start, parts))
        self._write(changed)

    def replay(self, numbered: Sequence[NumberedRow], reverse: bool = False) -> None:
        """One row at a time, in order of arrival."""
        limits = (self.grace, self.retention, self.difference, self.resolution, self.origin)
        members: dict[tuple[str, int], tuple[Hashable, Held]] = {}
        items = []
        for number, (key, start, held) in enumerate(self._in_reach(numbered)):
            members[repr(key), -number - 1] = (key, held)
            items.append((repr(key), -number - 1, start, held.newest, None, *limits))
        for index, row, clock in numbered:
            members[repr(row.key), index + 1] = (row.key, Held(row.time, (index,)))
            items.append((repr(row.key), index + 1, row.time, None, clock, *limits))

        together: dict[tuple[Hashable, int], list[Held]] = {}
        counted, missed = set(), set()
        for out in call_replay(items[::-1] if reverse else items):
            key, held = members[out["k"], out["item"]]
            if out["missed"]:
                missed.add(out["item"])
            if out["window"] is not None:
                counted.add(out["item"])
                together.setdefault((key, out["window"]), []).append(held)
            else:
                assert out["item"] not in counted
        for index, _, _ in numbered:
            if index + 1 in missed:
                reason = "late_partial" if index + 1 in counted else "late"
                self.dropped.add((index, reason))
            else:
                assert index + 1 in counted
        self._write(
            ((key, start, parts) for (key, start), parts in together.items()), replayed=True
        )

    def _in_reach(self, numbered: Sequence[NumberedRow]) -> list[tuple[Hashable, int, Held]]:
        """The stored windows that a refresh hands over, and no others."""
        times: dict[Hashable, list[int]] = {}
        for _, row, _ in numbered:
            times.setdefault(row.key, []).append(row.time)
        back = 2 * self.difference + self.resolution
        return [
            (key, start, held)
            for key, known in times.items()
            for start, held in self.state.get(key, {}).items()
            if min(known) - back <= start <= max(known) + self.resolution
        ]

    def _write(
        self, changed: Iterable[tuple[Hashable, int, list[Held]]], replayed: bool = False
    ) -> None:
        changed = list(changed)
        assert len({(key, start) for key, start, _ in changed}) == len(changed)
        for key, start, parts in changed:
            held = Held(
                max(part.newest for part in parts),
                tuple(sorted(index for part in parts for index in part.rows)),
                replayed,
            )
            assert len(set(held.rows)) == len(held.rows)
            self.state.setdefault(key, {})[start] = held

    def windows(self) -> set[tuple[Hashable, int, int, tuple[int, ...]]]:
        return {
            (key, start, start + self.difference, held.rows)
            for key, windows in self.state.items()
            for start, held in windows.items()
        }


def windows_of(result: Result) -> set[tuple[Hashable, int, int, tuple[int, ...]]]:
    return {(w.key, w.start, w.end, w.rows) for w in result.windows}


def numbered_rows(rows: Sequence[Row], scope: str, origin: int | None) -> list[NumberedRow]:
    """The rows that may be in a window."""
    return list(countable_rows(rows, scope, origin, Result()))


def cut(rows: Sequence[NumberedRow], cuts: Iterable[int]) -> list[Sequence[NumberedRow]]:
    """The rows in batches, cut at these places; more places than rows are no more batches."""
    places = sorted({0, len(rows), *(place for place in cuts if place < len(rows))})
    return [rows[start:stop] for start, stop in pairwise(places)]


def late(result: Result) -> set[tuple[int, str]]:
    return {(d.index, d.reason) for d in result.dropped if d.reason.startswith("late")}
