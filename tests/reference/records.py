"""What the reference engines take and give."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol


@dataclass(frozen=True)
class Row:
    """A source row; its index in the input, which is in arrival order, is its identity."""

    key: Hashable | None
    time: int | None
    partition: Hashable = None
    gap: int | None = None  # only for sessions with a gap per row
    arrived_at: int | None = None
    is_read: bool = True  # not where a model leaves it out before it looks at it


@dataclass(frozen=True)
class Window:
    """`rows` are input indices, in ascending order."""

    key: Hashable
    start: int
    end: int
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Dropped:
    """A row not counted in full. `stream_time` is that of its scope at its arrival, if any yet."""

    index: int
    reason: str  # late, late_partial, null_key, null_event_time, before_origin, ...
    stream_time: int | None


@dataclass
class Result:
    windows: list[Window] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)

    def drop(self, index: int, reason: str, stream_time: int | None) -> None:
        self.dropped.append(Dropped(index, reason, stream_time))


class Store(Protocol):
    """The windows of one type, of all keys."""

    def add(
        self, key: Hashable, arrived: Sequence[tuple[int, Row]], clock: int | None
    ) -> dict[int, str]:
        """Count rows that came at one instant, by their index; returns why some are not in full.

        `clock` is the stream time that they are measured by; none: nothing is late.
        """

    def windows(self) -> list[Window]: ...

    def is_closed(self, window: Window, clock: int) -> bool: ...
