"""dbt runs in processes of their own, each with a Spark of its own: what `dbt run` is to a user."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.settings import spark_settings
from benchmarks.workbench import Workbench
from tests.harness import DbtProject

SCHEMA = "cold"


class DbtFailedError(Exception):
    """A dbt process ended with an error; its last lines."""


class ColdProject:
    """A dbt project whose tables are in a catalogue that the warm session does not have open.

    The two share rows by path: `rows()` here, `save` of a frame there.
    """

    def __init__(self, bench: Workbench, project: DbtProject, rows: int) -> None:
        self._project = project
        self.folder = bench.folder / f"{project.root.name}_spark"
        self.folder.mkdir()
        settings = spark_settings(self.folder, rows)
        target = {"type": "spark", "method": "session", "host": "localhost", "threads": 1}
        output = target | {"schema": SCHEMA, "server_side_parameters": settings}
        profile = {"target": "t", "outputs": {"t": output}}
        project.write_yaml("profiles.yml", {"scratch": profile})

    @property
    def rows(self) -> Path:
        """Where the source's Delta table is."""
        return self.folder / "rows"

    @property
    def relation(self) -> str:
        """The source in Jinja, for windowed() and in a FROM."""
        return f"(select * from delta.`{self.rows}`)"

    def table(self, name: str) -> str:
        """A model's table, for the warm session."""
        return f"delta.`{self.folder / 'warehouse' / f'{SCHEMA}.db' / name}`"

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
