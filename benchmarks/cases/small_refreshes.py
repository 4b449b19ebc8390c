"""A small refresh, where what counts is what a refresh costs whatever it reads."""

from __future__ import annotations

from benchmarks.case import Case, Measured, at_most_times
from benchmarks.cases.refreshes import Arrivals
from benchmarks.cases.texts import NUMERIC, by_session_window, session_model
from benchmarks.cold import ColdProject
from benchmarks.data import clicks, users_of
from benchmarks.equality import check_counted
from benchmarks.timing import interleaved, say
from benchmarks.workbench import Workbench

NEW_ROWS = 1_000
SOURCE = "source('raw', 'clicks')"


def plain(relation: str) -> str:
    """The incremental model that people write first: sessions of the new rows, merged by start.

    It does not join them to the sessions that are there, so its answer is not the same.
    """
    sessions = by_session_window("new_rows", NUMERIC | {"last_arrival": "max(arrival_seq)"})
    return f"""
{{{{ config(
    materialized='incremental', incremental_strategy='merge',
    unique_key=['user_id', 'window_start']
) }}}}
with new_rows as (
    select * from {relation}
    {{%- if is_incremental() %}}
    where arrival_seq > (select max(last_arrival) from {{{{ this }}}})
    {{%- endif %}}
)
{sessions}
"""


def warm(bench: Workbench) -> Measured:
    with bench.project("small_refresh") as project:
        arrivals = Arrivals(bench, project, "clicks", 9 * bench.rows, NEW_ROWS)
        project.model("sessions", session_model(SOURCE, "windowed", "1 day", arrival=True))
        project.model("plain", plain(f"{{{{ {SOURCE} }}}}"))
        project.run("sessions", "plain")
        ours_s, peer_s = bench.time(
            lambda: project.run("sessions"), lambda: project.run("plain"), arrivals.arrive
        )
        check_counted(bench.spark.table(f"{project.schema}.sessions"), arrivals.arrived)
    return Measured(bench.rows, ours_s, peer_s, details={"new_rows": NEW_ROWS})


def cold(bench: Workbench) -> Measured:
    with bench.project("small_refresh_cold") as project:
        dbt = ColdProject(bench, project, bench.rows)
        relation = dbt.relation
        project.model("sessions", session_model(f'"{relation}"', "windowed", "1 day", arrival=True))
        project.model("plain", plain(relation))
        arrived = 0

        def arrive(rows: int) -> None:
            nonlocal arrived
            frame = clicks(bench.spark, arrived, arrived + rows, users_of(bench.rows))
            frame.write.mode("append").parquet(str(dbt.rows))
            arrived += rows

        arrive(bench.rows)
        say("    first builds, each in a process of its own")
        dbt.run("sessions")
        dbt.run("plain")
        times = interleaved(
            {"ours": lambda: dbt.run("sessions"), "peer": lambda: dbt.run("plain")},
            bench.settings.repeats,
            lambda: arrive(NEW_ROWS),
            warm_up=False,
        )
        check_counted(dbt.table("sessions"), arrived)
    return Measured(bench.rows, times["ours"], times["peer"], details={"new_rows": NEW_ROWS})


PLAIN = "a plain dbt-spark incremental merge model on the same rows, not exact at the edges"
CASES = (
    Case(
        "small_refresh",
        "small refresh (1,000 rows), a whole warm dbt run",
        PLAIN,
        warm,
        at_most_times(1.5),
    ),
    Case(
        "small_refresh_cold",
        "small refresh (1,000 rows), a whole dbt run in a process of its own, Spark started",
        PLAIN,
        cold,
        at_most_times(1.5),
    ),
)
