"""Source rows that go: keys made anew beside a build of everything."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame

from benchmarks.case import Aim, Case, Measured, at_least
from benchmarks.cases.refreshes import Arrivals
from benchmarks.cases.texts import session_model
from benchmarks.data import users_of
from benchmarks.equality import check_counted
from benchmarks.workbench import Workbench
from tests.harness import FILE_FORMAT

KEYS = 100  # that lose a row in twenty each time
SOURCE = "source('raw', 'clicks')"


def by_key(rows: DataFrame) -> DataFrame:
    """Files of about a hundred thousand rows, each with a range of keys."""
    files = max(2, rows.count() // 100_000)
    return rows.repartitionByRange(files, "user_id").sortWithinPartitions("user_id")


def deleted(
    bench: Workbench,
    name: str,
    change: Callable[[DataFrame], DataFrame] = lambda rows: rows,
) -> Measured:
    rows, users = bench.rows, users_of(bench.rows)
    with bench.project(name) as project:
        Arrivals(bench, project, "clicks", rows, 0, users, change)
        if FILE_FORMAT == "delta":
            project.rows(
                "alter table clicks set tblproperties ('delta.enableChangeDataFeed' = 'true')"
            )
        ours = session_model(SOURCE, "windowed", "1 day", arrival=True)
        ours = ours.replace("config(", "config(source_changes='retract', ", 1)
        project.model("sessions", ours)
        project.model("anew", session_model(SOURCE, "windowed", "1 day", arrival=True))
        project.run("sessions", "anew")
        first = 0

        def delete() -> None:
            nonlocal first
            project.rows(
                f"delete from clicks where user_id >= {first} and user_id < {first + KEYS} "
                "and pmod(xxhash64(arrival_seq), 20) = 0"
            )
            first += KEYS

        ours_s, peer_s = bench.time(
            lambda: project.run("sessions"),
            lambda: project.run("anew", full_refresh=True),
            delete,
        )
        project.run("anew", full_refresh=True)
        equal = bench.same_tables(project, "user_id, window_start, window_end", "sessions", "anew")
        left = project.rows("select count(*) as n from clicks")[0].n
        check_counted(bench.spark.table(f"{project.schema}.sessions"), left)
    return Measured(rows, ours_s, peer_s, equal, details={"keys": KEYS})


CASES = (
    Case(
        "retract",
        f"a refresh after rows of {KEYS} keys were deleted, a whole warm dbt run",
        "a full refresh of the same model",
        lambda bench: deleted(bench, "retract"),
        at_least(3),
    ),
    Case(
        "retract_clustered",
        "the same over a source whose files each have a range of keys",
        "a full refresh of the same model",
        lambda bench: deleted(bench, "retract_clustered", by_key),
        Aim(None, "what clustering by key buys"),
    ),
)
