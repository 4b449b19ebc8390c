"""What cases work with: one warm Spark session, tables that they share, dbt projects."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from benchmarks.equality import check_equal
from benchmarks.settings import Settings, spark_settings
from benchmarks.timing import interleaved, say
from tests.harness import FILE_FORMAT, DbtProject

SHARED = "bench_data"


class Workbench:
    """One run of the benchmarks; everything it writes is below `folder`."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.spark = start_session(spark_settings(folder, settings.rows))
        self.spark.sql(f"create schema {SHARED}")
        self._shared: set[str] = set()

    @property
    def rows(self) -> int:
        return self.settings.rows

    def shared(self, name: str, rows: Callable[[], DataFrame]) -> str:
        """The full name of a table of source `shared`, written when a case first asks for it."""
        table = f"{SHARED}.{name}"
        if name not in self._shared:
            say(f"    writing {table}")
            rows().write.format(FILE_FORMAT).saveAsTable(table)
            self._shared.add(name)
        return table

    @contextmanager
    def project(self, name: str) -> Iterator[DbtProject]:
        """A dbt project whose models find the shared tables as `source('shared', ...)`."""
        tables = [{"name": table} for table in sorted(self._shared)]
        source = {"name": "shared", "schema": SHARED, "tables": tables}
        with project(self.spark, self.folder, name) as made:
            made.write_yaml("models/shared.yml", {"sources": [source]})
            yield made

    def compiled(self, project: DbtProject, name: str, sql: str) -> str:
        """The SELECT of a model as a `dbt run` compiles it, types of the source looked up."""
        project.model(name, sql)
        return str(project.run(name).results[0].node.compiled_code)

    def build(self, table: str, sql: str) -> None:
        self.spark.sql(f"create table {table} using {FILE_FORMAT} as\n{sql}")

    def time_builds(self, project: DbtProject, ours: str, peer: str) -> tuple[float, float]:
        """Median seconds of writing two SELECTs to the tables `ours` and `peer` of a project."""
        return self.time(
            lambda: self.build(f"{project.schema}.ours", ours),
            lambda: self.build(f"{project.schema}.peer", peer),
            lambda: self.drop_built(project),
        )

    def drop_built(self, project: DbtProject) -> None:
        """Let builds begin with nothing: to replace a table takes a look at the old one."""
        for table in ("ours", "peer"):
            self.spark.sql(f"drop table if exists {project.schema}.{table}")

    def time(
        self,
        ours: Callable[[], object],
        peer: Callable[[], object],
        before: Callable[[], object] = lambda: None,
        warm_ups: int = 1,
    ) -> tuple[float, float]:
        times = interleaved({"ours": ours, "peer": peer}, self.settings.repeats, before, warm_ups)
        return times["ours"], times["peer"]

    def check_equal(self, ours: str, theirs: str) -> bool:
        """True; AnswersDifferError where the two SELECTs have different rows."""
        rows = check_equal(self.spark, ours, theirs)
        say(f"    answers are equal: {rows:,} rows")
        return True

    def same_tables(self, project: DbtProject, columns: str, ours: str, peer: str) -> bool:
        """The same of columns of two tables of a project."""
        return self.check_equal(
            f"select {columns} from {project.schema}.{ours}",
            f"select {columns} from {project.schema}.{peer}",
        )


@contextmanager
def project(spark: SparkSession, folder: Path, name: str) -> Iterator[DbtProject]:
    """A dbt project with a schema of its own, whose tables are gone afterwards."""
    (folder / name).mkdir()
    made = DbtProject(folder / name, spark, f"bench_{name}")
    try:
        yield made
    finally:
        # a case that has asked for rows has left the session in it
        spark.catalog.setCurrentDatabase("default")
        spark.sql(f"drop schema {made.schema} cascade")


def start_session(settings: dict[str, str], workers_python: str = sys.executable) -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = workers_python
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.enableHiveSupport()
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()
