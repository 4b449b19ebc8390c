"""A Spark standalone cluster on this machine, whose workers' Python lacks the package."""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyspark

from tests.daemons import Daemon, free_port, java, start

SPARK_HOME = Path(pyspark.__file__).parent
# All that a worker's Python has beside its own library: what docs/connections.md asks for.
PACKAGES = ("pyspark", "py4j", "numpy", "pyarrow", "sqlglot")
EXECUTOR_MEMORY = "700m"


def bare_python(folder: Path) -> Path:
    """An interpreter that finds `PACKAGES` and no other package.

    It is the one that runs here, as client and workers must have the same version, without its
    site-packages: an editable install would put the package on the path.
    """
    site = folder / "site"
    site.mkdir()
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        there = Path(spec.origin).parent
        (site / name).symlink_to(there)
        libraries = there.with_name(f"{name}.libs")  # what wheels bring along
        if libraries.exists():
            (site / libraries.name).symlink_to(libraries)
    script = folder / "python"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{site}" exec "{sys.executable}" -s -S "$@"\n')
    script.chmod(0o755)
    return script


def daemon(log: Path, ready: str, main: str, *arguments: str) -> Daemon:
    """Start a process of Spark's standalone mode."""
    command = [java(), "-Xmx256m", "-XX:+UseSerialGC"]
    command += ["-XX:TieredStopAtLevel=1", "-Dspark.master.rest.enabled=false"]
    command += ["-cp", f"{SPARK_HOME}/jars/*", main, "--host", "127.0.0.1", "--webui-port", "0"]
    given = {"SPARK_HOME": str(SPARK_HOME), "SPARK_LOCAL_IP": "127.0.0.1", "TZ": "UTC"}
    given["SPARK_SCALA_VERSION"] = "2.13"  # looked for below a source tree otherwise
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SPARK_REMOTE")}
    return start(log, ready, [*command, *arguments], environment | given)


@dataclass
class Cluster:
    """A master and its workers, of one core each."""

    folder: Path
    master: str
    memory: str
    workers: list[Daemon] = field(default_factory=list)
    started: int = 0

    @property
    def settings(self) -> dict[str, str]:
        """What a driver on this machine is told of the cluster."""
        return {
            "spark.master": self.master,
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }

    @property
    def variables(self) -> dict[str, str]:
        """What a driver needs in its environment so that workers take their own Python."""
        return {"PYSPARK_PYTHON": str(self.folder / "python")}

    def add_worker(self) -> Daemon:
        """Start a worker; `wait` for it before it is needed."""
        self.started += 1
        name = f"worker_{self.started}"
        worker = daemon(
            self.folder / f"{name}.log",
            "Successfully registered with master",
            "org.apache.spark.deploy.worker.Worker",
            *["--port", str(free_port()), "--work-dir", str(self.folder / name)],
            *["--cores", "1", "--memory", self.memory, self.master],
        )
        self.workers.append(worker)
        return worker

    def kill_worker(self) -> None:
        """SIGKILL the oldest worker and its executors at once."""
        self.workers.pop(0).end(signal.SIGKILL)


@contextmanager
def cluster(folder: Path, workers: int = 2, memory: str = "1g") -> Iterator[Cluster]:
    """A running cluster with its logs and working files below `folder`."""
    bare_python(folder)
    port = free_port()
    main = "org.apache.spark.deploy.master.Master"
    master = daemon(folder / "master.log", "New state: ALIVE", main, "--port", str(port))
    running = Cluster(folder, f"spark://127.0.0.1:{port}", memory)
    try:
        master.wait()
        for worker in [running.add_worker() for _ in range(workers)]:
            worker.wait()
        yield running
    finally:
        for started in [*running.workers, master]:
            started.end(signal.SIGTERM)
