"""Runs on a cluster whose workers' Python has the packages that are asked for and not this one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.cluster import EXECUTOR_MEMORY, Cluster, cluster
from tests.cluster.late_rows import ROWS, arrive_and_build, late_rows
from tests.protocol.processes import TIMEOUT, Project, server
from tests.protocol.soak import output

pytestmark = pytest.mark.slow

EXECUTORS = {
    "spark.executor.memory": EXECUTOR_MEMORY,
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="module")
def project(running: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose driver is the dbt process itself."""
    folder = tmp_path_factory.mktemp("direct")
    target = output(folder / "spark")
    settings = {"spark.master": running.master, "spark.driver.memory": "1g"}
    target["server_side_parameters"] |= settings | EXECUTORS
    return late_rows(folder / "project", target, running.variables)


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
    said = project.finish(build)
    assert said == "", said
    running.add_worker().wait()


def test_over_spark_connect(running: Cluster, tmp_path: Path) -> None:
    options = ["--master", running.master]
    for name, value in EXECUTORS.items():
        options += ["--conf", f"{name}={value}"]
    (tmp_path / "server").mkdir()
    with server(tmp_path / "server", *options, variables=running.variables) as remote:
        target = {"server_side_parameters": {"spark.remote": remote}}
        project = late_rows(tmp_path / "project", target)
        for first, last in ((0, 80), (80, 160)):
            arrive_and_build(project, first, last)
