"""dbt and Spark in processes of their own: rivals on one server, and processes that are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from dbt_event_windows.spark_settings import settings
from tests.daemons import TIMEOUT, free_port, serving
from tests.harness import (
    FILE_FORMAT,
    REPOSITORY,
    SPARK_VERSION,
    session_settings,
    with_small,
)

SCHEMA = "rivals"
EVENTS = pa.schema(
    [
        ("key", pa.string()),
        ("event_time", pa.timestamp("us", tz="UTC")),
        ("arrival_seq", pa.int64()),
        ("value", pa.int64()),
    ]
)
# Asks in a session with these settings: a process has one, and one kind of it.
ASK = """
import json, sys
from pyspark.sql import SparkSession
settings = json.loads(sys.argv[1])
builder = SparkSession.builder
for name, value in settings.items():
    builder = builder.config(name, value)
if "spark.remote" not in settings:
    builder = builder.enableHiveSupport()
spark = builder.getOrCreate()
answers = [spark.sql(sql).collect() for sql in sys.argv[2:]]
print(json.dumps([[[str(value) for value in row] for row in rows] for rows in answers]))
"""


def environment(**more: str) -> dict[str, str]:
    paths = [str(REPOSITORY), str(REPOSITORY / "udfs"), os.environ.get("PYTHONPATH", "")]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "TZ": "UTC",
        **more,
    }


def python(folder: Path, code: str, *arguments: str, timeout: float | None = TIMEOUT) -> str:
    """Run code in a process of its own, in a folder; what it wrote."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment(),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(arguments)}: {done.stderr[-4000:]}"
    return done.stdout


def own_session(folder: Path) -> dict[str, str]:
    """Settings of a process that is its own driver, with its tables below a folder."""
    return with_small(session_settings(folder))


def small_settings(folder: Path) -> dict[str, str]:
    """What a server has other settings for, if the tests ask for those for a few rows."""
    usual = settings(FILE_FORMAT, folder, SPARK_VERSION)
    return {name: value for name, value in with_small(usual).items() if usual.get(name) != value}


@contextmanager
def server(
    folder: Path, *arguments: str, variables: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The package's own server; gives its address."""
    port = free_port()
    command = [sys.executable, "-m", "dbt_event_windows.server", "--port", str(port)]
    command += ["--dir", str(folder), "--format", FILE_FORMAT, "--master", "local[2]"]
    for name, value in small_settings(folder).items():
        command += ["--conf", f"{name}={value}"]
    given = environment(**(variables or {}))
    with serving(folder / "server.log", "Stop it with", [*command, *arguments], given):
        yield f"sc://localhost:{port}"


@dataclass
class Project:
    """A dbt project whose source is a folder of Parquet files, so that rows arrive without Spark.

    Each command is a process of its own.
    """

    root: Path
    output: Mapping[str, Any]
    threads: int = 1
    files: int = 0
    models: set[str] = field(default_factory=set)
    variables: Mapping[str, str] = field(default_factory=dict)  # of the environment

    def __post_init__(self) -> None:
        self.arrived.mkdir(parents=True)
        (self.root / "models").mkdir()
        target = {"type": "spark", "method": "session", "host": "localhost", "schema": SCHEMA}
        target |= {"threads": self.threads} | self.output
        self.write("profiles.yml", {"p": {"target": "t", "outputs": {"t": target}}})
        self.write("packages.yml", {"packages": [{"local": str(REPOSITORY)}]})
        project = {"name": "p", "version": "1.0.0", "config-version": 2, "profile": "p"}
        self.write("dbt_project.yml", project | {"models": {"+file_format": FILE_FORMAT}})
        assert self.finish(self.start("deps")) == ""

    @property
    def arrived(self) -> Path:
        return self.root / "arrived"

    @property
    def relation(self) -> str:
        """What models read: the rows that have arrived."""
        columns = ", ".join(f"{name}" for name in EVENTS.names)
        return f"(select {columns} from parquet.`{self.arrived}`)"

    def write(self, path: str, content: Any) -> None:
        text = content if isinstance(content, str) else yaml.safe_dump(content, sort_keys=False)
        (self.root / path).write_text(text)

    def model(self, name: str, text: str) -> None:
        self.models.add(name)
        self.write(f"models/{name}.sql", text)

    def arrive(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Let rows arrive, all at once."""
        table = pa.Table.from_pylist(
            [dict(zip(EVENTS.names, row, strict=True)) for row in rows], EVENTS
        )
        hidden = self.arrived / f"_{self.files}.parquet"
        pq.write_table(table, hidden)
        hidden.rename(self.arrived / f"{self.files}.parquet")
        self.files += 1

    def start(self, *arguments: str, log: str = "dbt.log") -> subprocess.Popen[str]:
        """Start a dbt command; it leads a group of processes, so that all can be killed."""
        command = [sys.executable, "-m", "dbt.cli.main", *arguments]
        command += ["--project-dir", str(self.root), "--profiles-dir", str(self.root)]
        command += ["--no-version-check", "--no-send-anonymous-usage-stats", "--no-use-colors"]
        command += ["--log-level-file", "none"]
        return subprocess.Popen(
            command,
            env=environment(DBT_TARGET_PATH=str(self.root / f"target_{log}"), **self.variables),
            cwd=self.root,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def finish(self, process: subprocess.Popen[str], timeout: float = TIMEOUT) -> str:
        """Wait for a command; its output if it failed, else nothing."""
        said, _ = process.communicate(timeout=timeout)
        return said or f"exit code {process.returncode}" if process.returncode else ""

    def run(self, *arguments: str) -> str:
        return self.finish(self.start("run", *arguments))

    def together(self, *commands: Sequence[str]) -> list[str]:
        """Several `dbt run` at once; what each said that failed."""
        running = [
            self.start("run", *command, log=f"{number}.log")
            for number, command in enumerate(commands)
        ]
        return [self.finish(process) for process in running]

    def ask(self, *queries: str) -> list[list[list[str]]]:
        """The rows of each query, as text."""
        session = json.dumps(self.output["server_side_parameters"])
        said = python(self.root, ASK, session, *queries)
        return list(json.loads(said.splitlines()[-1]))


def kill(process: subprocess.Popen[str]) -> bool:
    """SIGKILL a command with its JVM and workers; whether it was still running."""
    running = process.poll() is None
    if running:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=TIMEOUT)
    return running
