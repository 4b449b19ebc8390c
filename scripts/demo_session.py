"""What the demo and the tour work with: one Spark session, dbt in the same process, arriving rows.

Everything that Spark keeps is below .spark/ and made anew each time. One process and one session,
because to start either takes longer than all of a demo's refreshes.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jinja2
import yaml  # type: ignore[import-untyped]
from demo_print import say, table

from dbt_event_windows.spark_settings import local_address

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / ".spark"
LOG = HOME / "spark.log"
SCHEMA = "event_windows"
TARGETS = ("iceberg", "delta")
# For a few hundred rows, each statement sent a few times: half the time goes into compiling code
# and plans that are worth it for more rows.
SMALL = {
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
}
SMALL_JVM = "-XX:TieredStopAtLevel=1"


class DemoError(Exception):
    """What the reader of the demo has to know, without a stack trace."""


class Session:
    """One session and one dbt project; `target` is that of profiles.example.yml.

    `small`: there are few rows, and nothing is done often.
    """

    def __init__(self, target: str, small: bool = True) -> None:
        if target not in TARGETS:
            raise DemoError(f"FORMAT={target}: allowed are {', '.join(TARGETS)}")
        self.target = target
        self.spark = _started(target, small)
        self.spark.sql(f"create schema if not exists {SCHEMA}")
        self._variables = {"event_windows__demo": True, "event_windows__file_format": target}

    def arrive(self, name: str, rows: Any) -> None:
        """Rows come into a table, as from a log: it is made by the first, others are appended."""
        # one file each, so that later reads open few
        writer = rows.coalesce(1).write.format(self.target).mode("append")
        writer.saveAsTable(f"{SCHEMA}.{name}")

    def seed(self, name: str, first: int, last: int) -> None:
        """The rows of a seed with these arrival numbers come into its table."""
        seeds = yaml.safe_load((ROOT / "seeds" / "_seeds.yml").read_text())["seeds"]
        types = next(seed for seed in seeds if seed["name"] == name)["config"]["column_types"]
        columns = ", ".join(f"{column} {kind}" for column, kind in types.items())
        rows = self.spark.read.csv(str(ROOT / "seeds" / f"{name}.csv"), columns, header=True)
        self.arrive(name, rows.where(f"arrival_seq between {first} and {last}"))

    def dbt(self, command: str, *arguments: str, **variables: Any) -> dict[str, Any]:
        """A dbt command, with a line for each node; results by name of the node.

        Other `variables` than those of the last command make dbt parse everything again.
        """
        from dbt.cli.main import dbtRunner

        options = [*self.options(**variables), "--quiet", "--no-version-check"]
        options += ["--no-send-anonymous-usage-stats"]
        done = dbtRunner(callbacks=[_progress]).invoke([command, *arguments, *options])
        if not done.success:
            raise DemoError("dbt failed; it has said above why.")
        return {result.node.name: result for result in done.result.results}  # type: ignore[union-attr]

    def options(self, **variables: Any) -> list[str]:
        """What says to dbt which project this is, and where its files go."""
        chosen = self._variables | {f"event_windows__{name}": v for name, v in variables.items()}
        options = ["--project-dir", str(ROOT), "--profiles-dir", str(HOME), "--target", self.target]
        options += ["--target-path", str(HOME / "target"), "--log-path", str(HOME)]
        return [*options, "--vars", yaml.safe_dump(chosen)]

    def show(self, title: str, sql: str, meaning: str = "") -> None:
        frame = self.spark.sql(sql)
        say()
        say(title)
        table(frame.columns, frame.collect())
        if meaning:
            say(f"  {meaning}")


def ended(started: float) -> None:
    took = time.monotonic() - started
    say()
    say(f"Done in {took:.0f} s. Tables are in .spark/warehouse, what was sent in .spark/target/run")


def _started(target: str, small: bool) -> Any:
    """An empty .spark/, and the session that dbt-spark will find; its noise goes into a file."""
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir()
    shutil.copy(ROOT / "profiles.example.yml", HOME / "profiles.yml")
    os.environ["EVENT_WINDOWS_SPARK_DIR"] = str(HOME)
    os.environ["EVENT_WINDOWS_SPARK"] = ".".join(version("pyspark").split(".")[:2])
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # PySpark hands timestamps over in local time; the tables show UTC.
    os.environ["TZ"] = "UTC"
    time.tzset()
    # The JVM inherits the file behind standard error; Python keeps the terminal.
    sys.stderr = os.fdopen(os.dup(2), "w")
    with LOG.open("w") as log:
        os.dup2(log.fileno(), 2)

    from pyspark.sql import SparkSession

    profile = jinja2.Template((HOME / "profiles.yml").read_text()).render(env_var=os.environ.get)
    output = yaml.safe_load(profile)["event_windows"]["outputs"][target]
    settings = output["server_side_parameters"]
    settings["spark.master"] = os.environ.get("MASTER", settings["spark.master"])
    for variable, value in local_address(settings["spark.master"]).items():
        os.environ.setdefault(variable, value)
    if small:
        settings |= SMALL
        settings["spark.driver.extraJavaOptions"] += f" {SMALL_JVM}"
    builder: Any = SparkSession.builder.enableHiveSupport()
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def _progress(event: Any) -> None:
    """A line for each model and test: while it runs, on a terminal, and when it has ended."""
    if event.info.name == "NodeStart" and sys.stdout.isatty():
        print(f"    running  {event.data.node_info.node_name}", end="\r", flush=True)
    if event.info.name == "NodeFinished":
        result = event.data.run_result
        name = event.data.node_info.node_name
        say(f"    {result.status:<8} {name}  {result.execution_time:.1f} s")
