"""Source rows and windows as answers tell them; times in microseconds since 1970."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_event_windows.report.asking import Line

NOT_SHOWN = "kept, not shown: HAVING"


@dataclass(frozen=True)
class Window:
    """A window as it is shown; `rows` is none where the model does not count them.

    shown: not where it is kept, and HAVING leaves it out of the model for now.
    """

    start: int
    end: int
    rows: int | None = None
    closed: bool = False
    shown: bool = True

    @property
    def state(self) -> str:
        """Whether rows may still count in it, and whether the model shows it."""
        return ("closed" if self.closed else "open") + ("" if self.shown else f", {NOT_SHOWN}")


@dataclass(frozen=True)
class SourceRow:
    """A source row.

    clock: stream time at its arrival, none where nobody knows. reason: why it is not counted in
    full, none if it is. needed: the grace with which it would be, microseconds. unread: whether no
    refresh has read it, where that was looked at.
    """

    key: tuple[str | None, ...]
    time: int | None
    arrival: int | None = None
    partition: str | None = None
    clock: int | None = None
    reason: str | None = None
    needed: int | None = None
    unread: bool = False

    @property
    def state(self) -> str:
        """What became of it: counted, dropped (maybe in part) or unread."""
        if self.reason:
            return "dropped"
        return "unread" if self.unread else "counted"

    def is_read(self, through: dict[str | None, int]) -> bool:
        """Whether a refresh has read it, by the last number read of each partition."""
        if self.arrival is None:
            return True
        return self.arrival <= through.get(self.partition, self.arrival - 1)


def read_row(line: Line) -> SourceRow:
    """From a line of an answer."""
    return SourceRow(
        key=tuple(line.get("key", ())),
        time=line.get("time"),
        arrival=line.get("arrival"),
        partition=line.get("partition"),
        clock=line.get("clock"),
        reason=line.get("reason"),
        needed=line.get("needed"),
    )


def read_window(line: Line) -> Window:
    """From a line of an answer."""
    return Window(
        start=int(line["start"]),
        end=int(line["end"]),
        rows=line.get("rows"),
        closed=bool(line.get("closed", False)),
        shown=bool(line.get("shown", True)),
    )
