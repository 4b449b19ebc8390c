"""Fixtures: one Spark session a process, and dbt projects that share it."""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Callable, Iterator

import pytest
from dbt_common.tests import enable_test_caching
from pyspark.sql import SparkSession

from dbt_event_windows.registry import FUNCTIONS
from tests.harness import DbtProject, start_session

# dbt reads the texts of macros anew for each project and each change of --vars: two seconds. Not in
# the harness, with which the benchmarks time dbt as users have it.
enable_test_caching()

# What needs no Spark tells most in the least time; what takes long must not be what one worker is
# left with in the end.
FIRST = ["macros", "python", "convert", "plain_sql", "protocol"]
LAST = ["errors", "examples", "package", "readme", "report", "tests"]

# Of the files that run dbt for minutes, so many are in a run of `make test`, others in the next; of
# the longest ones so many tests. All of the cheap ones are, and those of the reader of plain SQL,
# which has most ways to be wrong.
SHARE = float(os.environ.get("EVENT_WINDOWS_TEST_SHARE") or 1)
ALWAYS = {"macros", "python", "convert", "plain_sql", "examples", "tests"}


def pytest_configure() -> None:
    """Draw the number that repeats a run, before its workers start and files are read."""
    os.environ.setdefault("EVENT_WINDOWS_SEED", str(random.SystemRandom().randrange(10**6)))


def pytest_report_header() -> str:
    parts = "" if SHARE == 1 else f", {SHARE:.0%} of the files that run dbt"
    return f"EVENT_WINDOWS_SEED={os.environ['EVENT_WINDOWS_SEED']}{parts}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Draw what is in this run, and put folders in the order of `FIRST`, others, and `LAST`."""
    drawn = sorted({_drawn(item) for item in items if item.path.parent.name not in ALWAYS})
    draw = random.Random(os.environ["EVENT_WINDOWS_SEED"])
    left_out = {*draw.sample(drawn, round(len(drawn) * (1 - SHARE)))}
    config.hook.pytest_deselected(items=[item for item in items if _drawn(item) in left_out])
    items[:] = [item for item in items if _drawn(item) not in left_out]
    places = {folder: place for place, folder in enumerate([*FIRST, "", *LAST])}
    items.sort(key=lambda item: places.get(item.path.parent.name, len(FIRST)))


def _drawn(item: pytest.Item) -> str:
    """What is drawn whole: a file, or a test that stands apart."""
    return item.nodeid if item.get_closest_marker("apart") else str(item.path)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("spark")
    session = start_session(folder)
    yield session
    session.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def make_project(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], DbtProject]:
    """A new project with a schema of its own for each name asked for."""

    def make(name: str) -> DbtProject:
        root = tmp_path_factory.mktemp(name)
        return DbtProject(root, spark, re.sub(r"\W", "_", root.name))

    return make


@pytest.fixture(scope="module")
def project(
    request: pytest.FixtureRequest, make_project: Callable[[str], DbtProject]
) -> Iterator[DbtProject]:
    """One project for all tests of a file: give models and sources names of their own.

    Functions that a file registers in the session are gone after it, but for the package's own.
    """
    made = make_project(request.module.__name__.rpartition(".")[2])
    # Delta's are there from the beginning
    kept = {*_functions(made), *(function.name for function in FUNCTIONS)}
    yield made
    for name in _functions(made) - kept:
        made.spark.sql(f"drop temporary function {name}")


def _functions(project: DbtProject) -> set[str]:
    """Names of the session's functions that are not Spark's."""
    return {name for (name,) in project.rows("show user functions") if "." not in name}


@pytest.fixture
def unregistered(spark: SparkSession) -> Iterator[None]:
    """A session without the functions, as one behind a server that nobody prepared."""
    for function in FUNCTIONS:
        spark.sql(f"drop temporary function if exists {function.name}")
    yield
    for function in FUNCTIONS:
        spark.udf.register(function.name, function.make())
