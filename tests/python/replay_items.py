"""Drives the replay function with rows and carries its sessions over from call to call."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from dbt_event_windows.session_replay import event_windows_replay_sessions
from tests.reference.clock import stream_times
from tests.reference.records import Row

COLUMNS = ("k", "item", "first", "last", "reach", "clock", "grace", "retention")


def call(items: Sequence[tuple[object, ...]], most: int | None = None) -> list[dict[str, object]]:
    """One call of the SQL function on rows of its arguments, with at most so many a key."""
    types = [pa.string()] + [pa.int64()] * 7
    columns = [pa.array([item[i] for item in items], type=type_) for i, type_ in enumerate(types)]
    return event_windows_replay_sessions(*columns, pa.array([most] * len(items), pa.int64()))


@dataclass(frozen=True)
class Held:
    key: Hashable
    first: int
    last: int
    reach: int
    rows: tuple[int, ...]


@dataclass
class Replayer:
    """What a refresh does with the function's result; `late` are input indices."""

    gap: int | None
    grace: int | None
    retention: int | None = None
    state: list[Held] = field(default_factory=list)
    late: set[int] = field(default_factory=set)

    def refresh(self, numbered: Sequence[tuple[int, Row, int]], reverse: bool = False) -> None:
        """Replay rows given as (input index, row, stream time)."""
        limits = (self.grace, self.retention)
        members = {}
        items: list[tuple[object, ...]] = []
        for number, held in enumerate(self.state):
            members[repr(held.key), -number - 1] = held
            items.append(
                (repr(held.key), -number - 1, held.first, held.last, held.reach, None, *limits)
            )
        for index, row, clock in numbered:
            assert row.time is not None
            reach = row.time + (row.gap if self.gap is None else self.gap)  # type: ignore[operator]
            members[repr(row.key), index + 1] = Held(row.key, row.time, row.time, reach, (index,))
            items.append((repr(row.key), index + 1, row.time, row.time, reach, clock, *limits))

        together: dict[tuple[object, ...], list[Held]] = {}
        result = call(items[::-1] if reverse else items)
        for out in result:
            held = members.pop((out["k"], out["item"]))
            if out["window_first"] is None:
                self.late.add(held.rows[0])
            else:
                window = (held.key, out["window_first"], out["window_last"])
                together.setdefault(window, []).append(held)
        assert all(item < 0 for _, item in members), "every new row must come back"
        self.state = [*members.values()]
        for (key, first, last), parts in together.items():
            assert first == min(part.first for part in parts)
            assert last == max(part.last for part in parts)
            reach = max(part.reach for part in parts)
            rows = tuple(sorted(i for part in parts for i in part.rows))
            self.state.append(Held(key, first, last, reach, rows))

    def windows(self) -> set[tuple[object, ...]]:
        return {(held.key, held.first, held.last, held.rows) for held in self.state}


def numbered(rows: Sequence[Row], scope: str) -> list[tuple[int, Row, int]]:
    """The rows that have a key and a time, as `Replayer.refresh` takes them."""
    clocks = stream_times(rows, scope)
    return [
        (index, row, clock)
        for index, (row, clock) in enumerate(zip(rows, clocks, strict=True))
        if row.key is not None and row.time is not None and clock is not None
    ]
