"""One key: its rows in the order of arrival, and its windows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dbt_event_windows.report.asking import Answer
from dbt_event_windows.report.rows import SourceRow, Window, read_row, read_window


@dataclass(frozen=True)
class Timeline:
    """Of one key; `number` is how many rows it has, of which the last are here.

    drawn: those of them that have an event time, at which they stand in the picture.
    """

    key: dict[str, str]
    rows: tuple[SourceRow, ...]
    windows: tuple[Window, ...]
    number: int

    @property
    def drawn(self) -> tuple[SourceRow, ...]:
        """See above."""
        return tuple(row for row in self.rows if row.time is not None)


def read_timeline(
    answer: Answer, key: Mapping[str, str], through: dict[str | None, int] | None = None
) -> Timeline:
    """From the answer to `timeline`; through: the last number read of each partition."""
    rows = [read_row(line) for line in answer.all("row")]
    if through is not None:
        rows = [replace(row, unread=not row.is_read(through)) for row in rows]
    rows.sort(key=lambda row: (row.arrival or 0, row.time or 0))
    windows = sorted(map(read_window, answer.all("window")), key=lambda held: held.start)
    number = int(answer.one("all").get("n", len(rows)))
    return Timeline(dict(key), tuple(rows), tuple(windows), number)
