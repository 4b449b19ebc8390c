"""`make scale`: builds and refreshes on a standalone cluster, by number of rows and of workers.

Each worker has one core and a Python without the package. Prints tables of Markdown, which
docs/scale.md shows.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlparse

from pyspark.sql import SparkSession
from pyspark.sql.functions import expr

from benchmarks.bench import scratch
from benchmarks.cases.small_refreshes import NEW_ROWS, OURS
from benchmarks.cases.texts import by_session_window
from benchmarks.data import clicks, users_of
from benchmarks.equality import check_counted
from benchmarks.settings import spark_settings
from benchmarks.timing import say, seconds
from benchmarks.workbench import project, start_session
from tests.cluster.cluster import cluster
from tests.harness import FILE_FORMAT

WORKER_MEMORY = "5g"
EXECUTORS = {"spark.executor.memory": "3g"}
SKEWED = 10_000_000
HOT = "if(arrival_seq % 2 = 0, 0L, user_id)"


@dataclass
class Table:
    """What a stored table takes."""

    rows: int
    files: int
    megabytes: float

    @classmethod
    def of(cls, spark: SparkSession, name: str) -> Table:
        paths = [
            urlparse(path).path
            for (path,) in spark.table(name).selectExpr("input_file_name()").distinct().collect()
        ]
        size = sum(Path(path).stat().st_size for path in paths)
        return cls(spark.table(name).count(), len(paths), size / 1e6)


@contextmanager
def session(folder: Path, workers: int, rows: int) -> Iterator[SparkSession]:
    """A driver of a cluster of its own."""
    (folder / "cluster").mkdir(parents=True)
    with cluster(folder / "cluster", workers, WORKER_MEMORY) as running:
        settings = spark_settings(folder, rows) | EXECUTORS | running.settings
        spark = start_session(settings, running.variables["PYSPARK_PYTHON"])
        try:
            yield spark
        finally:
            spark.stop()


def growth(spark: SparkSession, folder: Path, rows: int) -> list[str]:
    """Seconds of a build and of refreshes, and what is stored, as cells of a table."""
    users = users_of(rows)
    arrived = rows
    with project(spark, folder, f"rows_{rows}") as made:
        made.create_source("clicks", clicks(spark, 0, rows, users))
        made.model("sessions", OURS)
        build = seconds(lambda: made.run("sessions"))

        def refresh(new: int) -> float:
            nonlocal arrived
            made.append("clicks", clicks(spark, arrived, arrived + new, users))
            arrived += new
            return seconds(lambda: made.run("sessions"))

        refresh(NEW_ROWS)  # the JVM compiles what a refresh runs
        percent = refresh(rows // 100)
        small = min(refresh(NEW_ROWS) for _ in range(3))
        windows = Table.of(spark, f"{made.schema}.sessions")
        clocks = Table.of(spark, f"{made.schema}.sessions__ew_clocks")
        check_counted(spark.table(f"{made.schema}.sessions"), arrived)
    return [
        f"{rows:,}",
        f"{users:,}",
        f"{build:.1f}",
        f"{build / rows * 1e6:.2f}",
        f"{percent:.1f}",
        f"{small:.1f}",
        f"{windows.rows:,}",
        f"{windows.megabytes:.0f} MB in {windows.files}",
        f"{windows.megabytes * 1e6 / windows.rows:.0f}",
        f"{clocks.megabytes:.1f} MB in {clocks.files}",
        f"{clocks.megabytes * 1e6 / users:.0f}",
    ]


def skew(spark: SparkSession, folder: Path, name: str, user: str) -> list[str]:
    """Seconds of ours and of Spark's session_window, `user` being whose a row is."""
    rows = clicks(spark, 0, SKEWED, users_of(SKEWED)).withColumn("user_id", expr(user))
    with project(spark, folder, name) as made:
        made.create_source("clicks", rows)
        made.model("sessions", OURS)
        ours = [seconds(lambda: made.run("sessions", full_refresh=True)) for _ in range(2)]
        check_counted(spark.table(f"{made.schema}.sessions"), SKEWED)
        theirs = f"create or replace table {made.schema}.peer using {FILE_FORMAT} as "
        theirs += by_session_window(f"{made.schema}.clicks")
        peer = [seconds(lambda: spark.sql(theirs)) for _ in range(2)]
    return [f"{min(ours):.1f}", f"{min(peer):.1f}"]


def show(headings: list[str], lines: list[list[str]]) -> None:
    for cells in (headings, ["---"] * len(headings), *lines):
        say(f"| {' | '.join(cells)} |")


HEADINGS = [
    *["workers", "rows", "keys", "build s", "s a million rows", "refresh of 1 % s"],
    *["of 1,000 rows s", "windows", "their files", "bytes a window", "clocks", "bytes a key"],
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rows", type=int, nargs="*", default=[1_000_000, 10_000_000])
    parser.add_argument("--skew", action="store_true", help="one key with half of the rows")
    given = parser.parse_args()
    lines: list[list[str]] = []
    skewed: list[list[str]] = []
    with scratch() as folder:
        for workers in given.workers:
            for rows in given.rows:
                below = folder / f"workers_{workers}_{rows}"
                with session(below, workers, rows) as spark:
                    lines.append([str(workers), *growth(spark, below, rows)])
                    say(f"    {' '.join(lines[-1])}")
        if given.skew:
            with session(folder / "skew", max(given.workers), SKEWED) as spark:
                below = folder / "skew"
                skewed = [
                    ["keys alike", *skew(spark, below, "even", "user_id")],
                    ["every other row of one key", *skew(spark, below, "hot", HOT)],
                ]
    if lines:
        show(HEADINGS, lines)
    if skewed:
        show(["10 million rows", "windowed s", "session_window s"], skewed)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
