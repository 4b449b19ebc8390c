"""Hopping windows on dense keys: many rows in each pane, sixty windows for each row."""

from __future__ import annotations

from benchmarks.case import Case, Measured, at_least
from benchmarks.data import readings
from benchmarks.workbench import Workbench

MODEL = """
{{ config(materialized='table') }}
{{ event_windows.windowed(
    relation=source('shared', 'readings_3s'), key='sensor', event_time='event_time',
    window=event_windows.hopping(size='60 minutes', advance_by='1 minute', grace='unbounded'),
    aggregates={'n': 'count(*)', 'total': 'sum(value)', 'highest': 'max(value)'}
) }}
"""
SPARK = """
select
    sensor, window.start as window_start, window.end as window_end,
    count(*) as n, sum(value) as total, max(value) as highest
from {table}
group by sensor, window(event_time, '60 minutes', '1 minute')
"""


def dense(bench: Workbench) -> Measured:
    table = bench.shared("readings_3s", lambda: readings(bench.spark, bench.rows, 3))
    with bench.project("hopping_dense") as project:
        sql = bench.compiled(project, "hops", MODEL)
        ours_s, peer_s = bench.time_builds(project, sql, SPARK.format(table=table))
        columns = "sensor, window_start, window_end, n, total, highest"
        same = bench.same_tables(project, columns, "ours", "peer")
    return Measured(bench.rows, ours_s, peer_s, equal=same)


CASES = (
    Case(
        "hopping_dense",
        "hopping windows, 60 minutes by 1 minute, 20 rows a key and minute",
        "Spark window()",
        dense,
        at_least(5),
    ),
)
