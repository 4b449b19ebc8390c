"""Full builds of sessions, against the ways to make them in Spark SQL."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.case import Case, Measured, at_least
from benchmarks.cases.texts import NUMERIC, by_lag, by_session_window, columns, session_model
from benchmarks.data import clicks, users_of
from benchmarks.workbench import Workbench

CLICKS = "source('shared', 'clicks')"
OBJECTS = {"first_page": "min(url)", "landing_page": "min_by(url, event_time)"}
# Ours keeps a sketch that merges, which Spark has under another name.
OUR_OBJECTS = NUMERIC | OBJECTS | {"pages": "approx_count_distinct(url)"}
SPARK_OBJECTS = NUMERIC | OBJECTS | {"pages": "hll_sketch_estimate(hll_sketch_agg(url))"}


def shared_clicks(bench: Workbench) -> str:
    """The table that the full builds read."""
    rows = bench.rows
    return bench.shared("clicks", lambda: clicks(bench.spark, 0, rows, users_of(rows)))


def _against(
    bench: Workbench, name: str, ours: Mapping[str, str], peer: str, equal: str
) -> Measured:
    with bench.project(name) as project:
        sql = bench.compiled(project, "sessions", session_model(CLICKS, aggregates=ours))
        ours_s, peer_s = bench.time_builds(project, sql, peer)
        same = bench.same_tables(project, equal, "ours", "peer")
    return Measured(bench.rows, ours_s, peer_s, equal=same)


def full(bench: Workbench) -> Measured:
    peer = by_session_window(shared_clicks(bench))
    return _against(bench, "sessions_full", NUMERIC, peer, columns())


def full_vs_lag(bench: Workbench) -> Measured:
    peer = by_lag(shared_clicks(bench))
    return _against(bench, "sessions_full_vs_lag", NUMERIC, peer, columns())


def full_objects(bench: Workbench) -> Measured:
    peer = by_session_window(shared_clicks(bench), SPARK_OBJECTS)
    return _against(bench, "sessions_full_objects", OUR_OBJECTS, peer, columns(OUR_OBJECTS))


def full_vs_sort(bench: Workbench) -> Measured:
    """The floor writes nothing; ours writes its table all the same."""
    table = shared_clicks(bench)
    rows = f"select user_id, event_time, amount from {table}"
    floor = f"{rows} distribute by user_id sort by user_id, event_time"
    with bench.project("sessions_full_vs_sort") as project:
        sql = bench.compiled(project, "sessions", session_model(CLICKS))
        ours_s, peer_s = bench.time(
            lambda: bench.build(f"{project.schema}.ours", sql),
            lambda: bench.spark.sql(floor).write.format("noop").mode("overwrite").save(),
            lambda: bench.drop_built(project),
        )
    return Measured(bench.rows, ours_s, peer_s)


CASES = (
    Case(
        "sessions_full",
        "full build of sessions, numeric aggregates",
        "Spark session_window",
        full,
        at_least(4),
    ),
    Case(
        "sessions_full_vs_lag",
        "full build of sessions, numeric aggregates",
        "lag and running sum",
        full_vs_lag,
        at_least(2.5),
    ),
    Case(
        "sessions_full_objects",
        "full build of sessions, with min(string), min_by and HLL",
        "Spark session_window",
        full_objects,
        at_least(3),
    ),
    Case(
        "sessions_full_vs_sort",
        "full build of sessions, numeric aggregates",
        "bare shuffle and sort of the rows by key and time, not written (the floor)",
        full_vs_sort,
        at_least(0.8),
    ),
)
