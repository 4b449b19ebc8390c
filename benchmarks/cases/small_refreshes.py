"""Small refreshes and builds, where what counts is what a run costs whatever it reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.case import Case, Measured, at_most_times
from benchmarks.cases.refreshes import Arrivals
from benchmarks.cases.texts import NUMERIC, by_session_window, session_model
from benchmarks.cold import ColdProject
from benchmarks.data import clicks, two_in_a_thousand_late, users_of
from benchmarks.equality import check_counted
from benchmarks.timing import interleaved, say
from benchmarks.workbench import Workbench
from tests.harness import DbtProject

NEW_ROWS = 1_000
MOST_HISTORY = 500_000
SOURCE = "source('raw', 'clicks')"
# A refresh settles when the JVM has compiled what it runs.
UNTIL_SETTLED = 3
OURS = session_model(SOURCE, "windowed", "1 day", arrival=True)


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


def history(bench: Workbench) -> int:
    """Rows of the history of a small refresh."""
    return min(bench.rows, MOST_HISTORY)


def small(bench: Workbench, project: DbtProject, some_late: bool = False) -> Arrivals:
    """The history of a small refresh, to which a thousand rows arrive at a time."""
    rows = history(bench)
    change = two_in_a_thousand_late if some_late else lambda rows: rows
    return Arrivals(bench, project, "clicks", rows, NEW_ROWS, users_of(rows), change)


@contextmanager
def beside_plain(
    bench: Workbench, name: str, some_late: bool = False
) -> Iterator[tuple[DbtProject, Arrivals]]:
    """Our model and the plain one over the same rows, which arrive.

    In the end every row is in a session of ours or, where some are late, among those dropped.
    """
    with bench.project(name) as project:
        arrivals = small(bench, project, some_late)
        project.model("sessions", OURS)
        project.model("plain", plain(f"{{{{ {SOURCE} }}}}"))
        yield project, arrivals
        dropped = bench.spark.table(f"{project.schema}.sessions__dropped") if some_late else None
        sessions = bench.spark.table(f"{project.schema}.sessions")
        check_counted(sessions, arrivals.arrived, dropped)


def settled(bench: Workbench, name: str, some_late: bool) -> Measured:
    with beside_plain(bench, name, some_late) as (project, arrivals):
        project.run("sessions", "plain")
        ours_s, peer_s = bench.time(
            lambda: project.run("sessions"),
            lambda: project.run("plain"),
            arrivals.arrive,
            UNTIL_SETTLED,
        )
    return Measured(history(bench), ours_s, peer_s, details={"new_rows": NEW_ROWS})


def first_after_build(bench: Workbench) -> Measured:
    with beside_plain(bench, "first_refresh") as (project, arrivals):

        def build() -> None:
            project.run("sessions", "plain", full_refresh=True)
            arrivals.arrive()

        ours_s, peer_s = bench.time(
            lambda: project.run("sessions"), lambda: project.run("plain"), build
        )
    return Measured(history(bench), ours_s, peer_s, details={"new_rows": NEW_ROWS})


def build(bench: Workbench, name: str, some_late: bool) -> Measured:
    with beside_plain(bench, name, some_late) as (project, _):
        ours_s, peer_s = bench.time(
            lambda: project.run("sessions", full_refresh=True),
            lambda: project.run("plain", full_refresh=True),
            warm_ups=UNTIL_SETTLED,
        )
    return Measured(history(bench), ours_s, peer_s)


def cold(bench: Workbench) -> Measured:
    with bench.project("small_refresh_cold") as project:
        rows_before = history(bench)
        dbt = ColdProject(bench, project, rows_before)
        relation = dbt.relation
        project.model("sessions", session_model(f'"{relation}"', "windowed", "1 day", arrival=True))
        project.model("plain", plain(relation))
        arrived = 0

        def arrive(rows: int) -> None:
            nonlocal arrived
            frame = clicks(bench.spark, arrived, arrived + rows, users_of(rows_before))
            frame.write.mode("append").parquet(str(dbt.rows))
            arrived += rows

        arrive(rows_before)
        say("    first builds, each in a process of its own")
        dbt.run("sessions")
        dbt.run("plain")
        times = interleaved(
            {"ours": lambda: dbt.run("sessions"), "peer": lambda: dbt.run("plain")},
            bench.settings.repeats,
            lambda: arrive(NEW_ROWS),
            warm_ups=0,
        )
        check_counted(dbt.table("sessions"), arrived)
    return Measured(rows_before, times["ours"], times["peer"], details={"new_rows": NEW_ROWS})


PLAIN = "a plain dbt-spark incremental merge model on the same rows, not exact at the edges"
CASES = (
    Case(
        "small_refresh",
        "small refresh (1,000 rows), a whole warm dbt run, settled",
        PLAIN,
        lambda bench: settled(bench, "small_refresh", some_late=False),
        at_most_times(1.5),
    ),
    Case(
        "small_refresh_late",
        "small refresh (1,000 rows, two of them late), a whole warm dbt run, settled",
        PLAIN,
        lambda bench: settled(bench, "small_refresh_late", some_late=True),
        at_most_times(2.5),
    ),
    Case(
        "first_refresh",
        "first refresh after a build (1,000 rows), a whole warm dbt run",
        PLAIN,
        first_after_build,
        at_most_times(2),
    ),
    Case(
        "small_refresh_cold",
        "small refresh (1,000 rows), a whole dbt run in a process of its own, Spark started",
        PLAIN,
        cold,
        at_most_times(1.2),
    ),
    Case(
        "build",
        "first build with an arrival order and a grace, a whole warm dbt run",
        "the build of a plain dbt-spark incremental model on the same rows",
        lambda bench: build(bench, "build", some_late=False),
        at_most_times(1.5),
    ),
    Case(
        "build_late",
        "first build with an arrival order and a grace, two rows in a thousand late",
        "the build of a plain dbt-spark incremental model on the same rows",
        lambda bench: build(bench, "build_late", some_late=True),
        at_most_times(2.5),
    ),
)
