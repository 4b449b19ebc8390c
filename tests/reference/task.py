"""A windowed model as a Kafka task would keep it: rows one at a time in the order they came in."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from .records import Result, Row, Store, Window

# Whose clock a row moves, and is measured by. Numbers of two partitions say nothing of the order
# between their rows: a clock of keys is then one for each key and partition.
PLACES: dict[str, Callable[[Row], Hashable]] = {
    "key": lambda row: row.key,
    "key in partition": lambda row: (row.key, row.partition),
    "partition": lambda row: row.partition,
    "global": lambda row: "global",
}


@dataclass
class Task:
    store: Store
    scope: str
    origin: int | None = None
    max_ahead: int | None = None
    resolution: int = 1
    clocks: dict[Hashable, int] = field(default_factory=dict)
    received: list[Row] = field(default_factory=list)
    dropped: Result = field(default_factory=Result)
    places_of: dict[Hashable, set[Hashable]] = field(default_factory=dict)

    def receive(self, row: Row) -> None:
        """The next row, measured by stream time with the row itself included (section 1)."""
        index = self._accept(row)
        if index is not None:
            self._move(row)
            self._count(row.key, [(index, row)], self.clock(row))

    def receive_at_once(self, rows: Iterable[Row]) -> None:
        """Rows without an order: none is late against another, all against what was before."""
        before = dict(self.clocks)
        together: dict[Hashable, list[tuple[int, Row]]] = {}
        for row in rows:
            index = self._accept(row)
            if index is not None:
                together.setdefault(row.key, []).append((index, row))
        for key, arrived in together.items():
            self._count(key, arrived, before.get(PLACES[self.scope](arrived[0][1])))
        for arrived in together.values():
            for _, row in arrived:
                self._move(row)

    def advance_to(self, time: int) -> None:
        """Every clock that there is moves forward to a time."""
        self.clocks = {place: max(clock, time) for place, clock in self.clocks.items()}

    def result(self) -> Result:
        return Result(self.store.windows(), list(self.dropped.dropped))

    def clock_of(self, window: Window) -> int:
        """The clock that closes a window: one, but where several partitions feed its key."""
        [place] = self.places_of[window.key]
        return self.clocks[place]

    def closed(self) -> list[Window]:
        """What emit='final' has published."""
        windows = self.store.windows()
        return [w for w in windows if self.store.is_closed(w, self.clock_of(w))]

    def in_state(self, retention: int) -> list[Window]:
        """What expire='delete' leaves."""
        windows = self.store.windows()
        return [w for w in windows if not w.end < self.clock_of(w) - retention]

    def stream_times(self) -> dict[Hashable, int]:
        """What m__stream_time shows: the latest clock of each key, of each partition, or of all."""
        if self.scope != "key in partition":
            return dict(self.clocks)
        shown: dict[Hashable, int] = {}
        for (key, _), clock in self.clocks.items():
            shown[key] = max(clock, shown.get(key, clock))
        return shown

    def _accept(self, row: Row) -> int | None:
        """The row's index, unless no window can count it: such a row moves no clock."""
        index = len(self.received)
        self.received.append(row)
        if not row.is_read:
            return None
        reason = self._uncountable(row)
        if reason is None:
            return index
        self.dropped.drop(index, reason, self.clock(row))
        return None

    def _uncountable(self, row: Row) -> str | None:
        if row.key is None:
            return "null_key"
        if row.time is None:
            return "null_event_time"
        if self.origin is not None and row.time < self.origin:
            return "before_origin"
        held_to_it = self.max_ahead is not None and row.arrived_at is not None
        if held_to_it and row.time - row.arrived_at > self.max_ahead:
            return "ahead_of_time"
        return "off_resolution" if row.time % self.resolution else None

    def clock(self, row: Row) -> int | None:
        """Stream time of a row's scope; a row without a key has none where keys have clocks."""
        if row.key is None and self.scope.startswith("key"):
            return None
        return self.clocks.get(PLACES[self.scope](row))

    def _move(self, row: Row) -> None:
        place = PLACES[self.scope](row)
        self.clocks[place] = max(self.clocks.get(place, row.time), row.time)
        self.places_of.setdefault(row.key, set()).add(place)

    def _count(self, key: Hashable, arrived: Sequence[tuple[int, Row]], clock: int | None) -> None:
        for index, reason in self.store.add(key, arrived, clock).items():
            self.dropped.drop(index, reason, clock)


def computed(rows: Sequence[Row], task: Task) -> Result:
    """What a task makes of rows."""
    for row in rows:
        task.receive(row)
    return task.result()
