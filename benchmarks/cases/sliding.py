"""Sliding windows (KIP-450): as many as two for each row, however many rows are in each."""

from __future__ import annotations

from benchmarks.case import Case, Measured, at_least, at_most_times
from benchmarks.data import readings
from benchmarks.workbench import Workbench
from tests.harness import DbtProject

MODEL = """
{{{{ config(materialized='table') }}}}
{{{{ event_windows.windowed(
    relation=source('shared', 'readings_1s'), key='sensor', event_time='event_time',
    window=event_windows.sliding(difference='{minutes} minutes', grace='unbounded'),
    aggregates={{'n': 'count(*)', 'total': 'sum(value)', 'highest': 'max(value)'}}
) }}}}
"""
COLUMNS = "sensor, window_start, window_end, n, total, highest"


def range_frames(table: str, start: str, end: str, frame: str) -> str:
    """One window a row, its contents by a RANGE frame; a frame without rows is no window."""
    return f"""
select {COLUMNS}
from (
    select
        sensor, timestamp_micros({start}) as window_start, timestamp_micros({end}) as window_end,
        count(*) over held as n, sum(value) over held as total, max(value) over held as highest
    from (select *, unix_micros(event_time) as micros from {table})
    window held as (partition by sensor order by micros range between {frame})
)
where n > 0
"""


def left_windows(table: str, difference: int) -> str:
    """[t - difference, t] for the time t of each row."""
    frame = f"{difference} preceding and current row"
    return range_frames(table, f"micros - {difference}", "micros", frame)


def right_windows(table: str, difference: int) -> str:
    """[t + 1, t + 1 + difference] where rows are in it."""
    frame = f"1 following and {difference + 1} following"
    return range_frames(table, "micros + 1", f"micros + {difference + 1}", frame)


def _table(bench: Workbench) -> tuple[str, int]:
    rows = bench.rows // 5
    return bench.shared("readings_1s", lambda: readings(bench.spark, rows, 1)), rows


def _compiled(bench: Workbench, project: DbtProject, minutes: int) -> str:
    return bench.compiled(project, f"minutes_{minutes}", MODEL.format(minutes=minutes))


def six_hundred(bench: Workbench) -> Measured:
    table, rows = _table(bench)
    difference = 600_000_000
    with bench.project("sliding_600") as project:
        sql = _compiled(bench, project, 10)
        ours_s, peer_s = bench.time_builds(project, sql, left_windows(table, difference))
        # all windows, those to the right too, which nobody times
        same = bench.check_equal(
            f"select {COLUMNS} from {project.schema}.ours",
            f"select {COLUMNS} from {project.schema}.peer "
            f"union all {right_windows(table, difference)}",
        )
    return Measured(rows, ours_s, peer_s, equal=same)


def ten_times(bench: Workbench) -> Measured:
    _, rows = _table(bench)
    with bench.project("sliding_10x") as project:
        longer, shorter = (_compiled(bench, project, minutes) for minutes in (100, 10))
        ours_s, peer_s = bench.time_builds(project, longer, shorter)
    return Measured(rows, ours_s, peer_s)


CASES = (
    Case(
        "sliding_600",
        "sliding windows, 600 rows in each, count, sum and max: all windows of KIP-450",
        "Spark RANGE frames, for the windows to the left of each row alone",
        six_hundred,
        at_least(5),
    ),
    Case(
        "sliding_10x",
        "sliding windows, 6,000 rows in each",
        "ours with 600 rows in each",
        ten_times,
        at_most_times(1.3),
    ),
)
