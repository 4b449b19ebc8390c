"""One key: its rows in the order of arrival, and its windows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dbt_event_windows.report.asking import Answer
from dbt_event_windows.report.rows import SourceRow, Window, read_row, read_window


@dataclass(frozen=True)
class Timeline:
    """Of one key; `number` is how many rows it has, of which the last are here."""

    key: dict[str, str]
    rows: tuple[SourceRow, ...]
    windows: tuple[Window, ...]
    number: int


def read_timeline(
    answer: Answer, key: Mapping[str, str], through: dict[str | None, int] | None = None
) -> Timeline:
    """From the answer to `timeline`; through: the last number read of each partition."""
    rows = [row for row in map(read_row, answer.all("row")) if row.time is not None]
    if through is not None:
        rows = [replace(row, unread=not row.is_read(through)) for row in rows]
    rows.sort(key=lambda row: (row.arrival or 0, row.time or 0))
    windows = sorted(map(read_window, answer.all("window")), key=lambda held: held.start)
    number = int(answer.one("all").get("n", len(rows)))
    return Timeline(dict(key), tuple(rows), tuple(windows), number)
