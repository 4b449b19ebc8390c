"""dbt runs in processes of their own, each with a Spark of its own: what `dbt run` is to a user."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pyspark.sql import DataFrame

from benchmarks.settings import spark_settings
from benchmarks.workbench import Workbench
from tests.harness import FILE_FORMAT, DbtProject

SCHEMA = "cold"


class DbtFailedError(Exception):
    """A dbt process ended with an error; its last lines."""


class ColdProject:
    """A dbt project whose tables are in a catalogue that the warm session does not have open.

    The two share rows by path: `rows()` here, `save` of a frame there.
    """

    def __init__(self, bench: Workbench, project: DbtProject, rows: int) -> None:
        self._project = project
        self._spark = bench.spark
        self.folder = bench.folder / f"{project.root.name}_spark"
        self.folder.mkdir()
        settings = spark_settings(self.folder, rows)
        target = {"type": "spark", "method": "session", "host": "localhost", "threads": 1}
        output = target | {"schema": SCHEMA, "server_side_parameters": settings}
        profile = {"target": "t", "outputs": {"t": output}}
        project.write_yaml("profiles.yml", {"scratch": profile})

    @property
    def rows(self) -> Path:
        """Where the source's Parquet files are."""
        return self.folder / "rows"

    @property
    def relation(self) -> str:
        """The source in Jinja, for windowed() and in a FROM."""
        return f"(select * from parquet.`{self.rows}`)"

    def table(self, name: str) -> DataFrame:
        """A model's table as it is now, in the warm session."""
        path = self.folder / "warehouse" / f"{SCHEMA}.db" / name
        if FILE_FORMAT == "iceberg":
            # of a catalogue's tables the path alone does not say which version is the last
            versions = (path / "metadata").glob("*.metadata.json")
            path = max(versions, key=lambda version: int(version.name.partition("-")[0]))
        return self._spark.read.format(FILE_FORMAT).load(str(path))

    def run(self, model: str) -> None:
        """`dbt run --select model`.

        Raises:
            DbtFailedError: it failed.
        """
        root = str(self._project.root)
        command = [str(Path(sys.executable).with_name("dbt")), "run", "--select", model]
        command += ["--project-dir", root, "--profiles-dir", root]
        command += ["--no-version-check", "--no-send-anonymous-usage-stats", "--no-use-colors"]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode:
            text = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
            raise DbtFailedError(f"dbt run of {model} failed: {text}")
