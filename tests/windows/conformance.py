"""Runs Kafka's vectors through windowed dbt models and reads back what the tables hold."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tests.harness import DbtProject
from tests.python.vectors import Vector

COLUMNS = "grp string, key string, arrival bigint, ts timestamp, value bigint"
AGGREGATES = {"n": "count(*)", "total": "sum(value)", "low": "min(value)", "high": "max(value)"}

MODEL = """
{{{{ config(**{config}) }}}}
{{{{ event_windows.windowed(
    relation=source('raw', {source!r}),
    key=['grp', 'key'],
    event_time='ts',
    window={window},
    aggregates={aggregates},
    arrival_order='arrival',
    partition='grp',
    stream_time='partition'
) }}}}
"""


def constructor(window: dict[str, Any], origin: str | None = None) -> str:
    """The call that makes a vector's window; its times are in milliseconds."""

    def ms(name: str) -> str:
        return f"'{window[name]} milliseconds'"

    grace = f"grace={ms('grace_ms')}"
    tail = f", {grace}" + (f", origin={origin!r}" if origin else "")
    kind = window["type"]
    if kind == "session":
        return f"event_windows.session(gap={ms('gap_ms')}, {grace})"
    if kind == "tumbling":
        return f"event_windows.tumbling(size={ms('size_ms')}{tail})"
    if kind == "hopping":
        return f"event_windows.hopping(size={ms('size_ms')}, advance_by={ms('advance_ms')}{tail})"
    return f"event_windows.sliding(difference={ms('size_ms')}, resolution='1 millisecond'{tail})"


def model(window: str, source: str, materialized: str = "windowed", **config: Any) -> str:
    settings = {"materialized": materialized} | config
    return MODEL.format(window=window, source=source, config=settings, aggregates=AGGREGATES)


def source_rows(vector: Vector) -> list[tuple[Any, ...]]:
    """The vector's rows as they stand in a table: the case is the partition."""
    return [
        (
            row.partition or "one",
            row.key[1] if isinstance(row.key, tuple) else row.key,
            index,
            timestamp(row.time),
            value,
        )
        for index, (row, value) in enumerate(zip(vector.rows, vector.values, strict=True))
    ]


def timestamp(milliseconds: int | None) -> Any:
    from datetime import UTC, datetime, timedelta

    if milliseconds is None:
        return None
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)


def cuts(rows: int, pieces: int, seed: int) -> list[tuple[int, int]]:
    """Half-open ranges of arrivals, cut at random places."""
    places = sorted(random.Random(seed).sample(range(1, rows), pieces - 1))
    return list(zip([0, *places], [*places, rows], strict=True))


def windows_of(project: DbtProject, table: str) -> set[tuple[Any, ...]]:
    """((grp, key), start, end, count, sum, min, max) in milliseconds, as the vectors have it."""
    found = [
        ((r.grp, r.key), r.s, r.e, r.n, r.total, r.low, r.high)
        for r in project.rows(
            "select grp, key, unix_millis(window_start) s, unix_millis(window_end) e, "
            f"n, total, low, high from {table}"
        )
    ]
    assert len(found) == len(set(found)), "a window is there twice"
    return set(found)


def dropped_of(project: DbtProject, table: str) -> set[tuple[int, str]]:
    rows = [(r.arrival, r.reason) for r in project.rows(f"select * from {table}__dropped")]
    assert len(rows) == len(set(rows)), "a dropped row is there twice"
    return set(rows)


def refresh_in_pieces(
    project: DbtProject, name: str, rows: Sequence[tuple[Any, ...]], pieces: int, seed: int
) -> None:
    """Let the rows arrive in several pieces, with a dbt run after each."""
    ranges = cuts(len(rows), pieces, seed) if pieces > 1 else [(0, len(rows))]
    for place, (start, stop) in enumerate(ranges):
        if place == 0:
            project.create_source(f"{name}_rows", rows[start:stop], COLUMNS)
        else:
            project.append(f"{name}_rows", rows[start:stop])
        project.run(name)
