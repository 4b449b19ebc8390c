"""Runs on a cluster whose workers' Python has the packages that are asked for and not this one."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.cluster import EXECUTOR_MEMORY, Cluster, cluster
from tests.cluster.late_rows import LONGEST, ROWS, arrive_and_build, late_rows
from tests.cluster.vectors import check_vector
from tests.daemons import TIMEOUT
from tests.harness import FILE_FORMAT, REPOSITORY
from tests.protocol.processes import Project, environment, own_session, server
from tests.python.vectors import FOLDER, TYPES, read_spec

pytestmark = pytest.mark.slow

EXECUTORS = {"spark.executor.memory": EXECUTOR_MEMORY}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


def driver(folder: Path, running: Cluster) -> dict[str, Any]:
    """The target of a dbt process that is the driver itself."""
    settings = running.settings | EXECUTORS | {"spark.driver.memory": "1g"}
    return {"server_side_parameters": own_session(folder / "spark") | settings}


@pytest.fixture(scope="module")
def project(running: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("direct")
    return late_rows(folder / "project", driver(folder, running), running.variables)


def test_dbt_as_the_driver(project: Project) -> None:
    for first, last in ((0, 80), (80, 160)):
        arrive_and_build(project, first, last)


def test_a_worker_killed_during_the_merge(project: Project, running: Cluster) -> None:
    """What the dead worker did and had cached the other one computes again."""
    project.arrive(ROWS[160:])
    sent = project.root / "target_dbt.log/run/p/models/sessions.sql"
    sent.unlink()
    only = ["--select", "sessions", "sessions_scratch", "--indirect-selection", "cautious"]
    build = project.start("build", *only)
    began = time.monotonic()
    while not (sent.exists() and "\nmerge into" in sent.read_text()):
        assert build.poll() is None
        assert time.monotonic() - began < TIMEOUT
        time.sleep(0.05)
    running.kill_worker()
    assert build.poll() is None
    said = project.finish(build, LONGEST)
    assert said == "", said
    running.add_worker().wait()


@pytest.mark.parametrize("window", TYPES)
def test_windows_and_dropped_rows_are_kafkas(running: Cluster, tmp_path: Path, window: str) -> None:
    (tmp_path / "project").mkdir()
    kafka = Project(tmp_path / "project", driver(tmp_path, running), variables=running.variables)
    check_vector(kafka, read_spec(FOLDER / f"by_spec/{window}-1.json"))


def test_the_demo(running: Cluster, tmp_path: Path) -> None:
    """In a copy of the repository, since it makes its tables below it."""
    kept = ["macros", "models", "seeds", "scripts", "dbt_project.yml", "profiles.example.yml"]
    for name in kept:
        there = REPOSITORY / name
        (shutil.copytree if there.is_dir() else shutil.copy)(there, tmp_path / name)
    done = subprocess.run(
        [sys.executable, "scripts/demo.py"],
        cwd=tmp_path,
        env=environment(MASTER=running.master, FORMAT=FILE_FORMAT, **running.variables),
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "Spark's own answer to the same SELECT, over the other rows: the same" in done.stdout


def test_over_spark_connect(running: Cluster, tmp_path: Path) -> None:
    options = ["--master", running.master]
    for name, value in (running.settings | EXECUTORS).items():
        options += ["--conf", f"{name}={value}"]
    (tmp_path / "server").mkdir()
    with server(tmp_path / "server", *options, variables=running.variables) as remote:
        target = {"server_side_parameters": {"spark.remote": remote}}
        project = late_rows(tmp_path / "project", target)
        for first, last in ((0, 80), (80, 160)):
            arrive_and_build(project, first, last)
