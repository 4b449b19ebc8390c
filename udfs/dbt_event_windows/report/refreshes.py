"""What refreshes did, from the ledger."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_event_windows.report.asking import Answer, Line
from dbt_event_windows.report.times import SECOND, instant


@dataclass(frozen=True)
class Refresh:
    """One line of the ledger; times in microseconds since 1970, none where it has none.

    number: of this refresh alone; several may be of one run (event_windows__max_rows_per_refresh).
    """

    run_id: str
    number: int
    started: int
    finished: int
    rows_read: int
    rows_late: int
    rows_skipped: int
    keys_rebuilt: int
    rows_rebuilt: int
    windows_changed: int
    stream_time: int | None

    @property
    def ended(self) -> str:
        """When it ended, to the second."""
        return instant(self.finished // SECOND * SECOND)

    @property
    def seconds(self) -> float:
        """From the start of the dbt invocation to the end of the refresh."""
        return (self.finished - self.started) / SECOND

    @property
    def lag(self) -> int | None:
        """How far the latest event lay behind the end of the refresh, microseconds."""
        return None if self.stream_time is None else self.finished - self.stream_time


@dataclass(frozen=True)
class Refreshes:
    """The last ones, oldest first; the slowest of all; how many there are in the ledger."""

    last: tuple[Refresh, ...]
    slowest: Refresh | None
    number: int

    @property
    def latest(self) -> Refresh | None:
        """The one that ended last."""
        return self.last[-1] if self.last else None

    def is_slowest(self, refresh: Refresh) -> bool:
        """Whether it is the slowest of all."""
        return self.slowest is not None and refresh.number == self.slowest.number


def read_refreshes(answer: Answer) -> Refreshes:
    """From the answer to `refreshes`."""
    last = sorted(map(_refresh, answer.all("refresh")), key=lambda refresh: refresh.finished)
    slowest = answer.one("slowest")
    return Refreshes(
        last=tuple(last),
        slowest=_refresh(slowest) if slowest else None,
        number=int(answer.one("all").get("n", len(last))),
    )


def _refresh(line: Line) -> Refresh:
    def number(*names: str) -> int:
        return sum(int(line.get(name) or 0) for name in names)

    return Refresh(
        run_id=str(line.get("run_id", "")),
        number=number("number"),
        started=number("started"),
        finished=number("finished"),
        rows_read=number("rows_read"),
        rows_late=number("rows_late", "rows_late_partial"),
        rows_skipped=number("rows_skipped"),
        keys_rebuilt=number("keys_rebuilt"),
        rows_rebuilt=number("rows_rebuilt"),
        windows_changed=number("windows_inserted", "windows_updated", "windows_deleted"),
        stream_time=line.get("stream_time"),
    )
