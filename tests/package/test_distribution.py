"""The distribution as pip installs it: what it holds, what it needs, and that it runs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

from tests.harness import FILE_FORMAT, REPOSITORY, session_settings

PYPROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
FILES = {
    str(path.relative_to(REPOSITORY / "udfs"))
    for path in (REPOSITORY / "udfs/dbt_event_windows").rglob("*")
    if path.is_file() and path.suffix in (".py", ".typed")
}

# What is there without an extra, and without plain SQL: in a process in which nothing else can be.
CORE = """
import importlib.abc, pkgutil, sys
class Forbidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in ('matplotlib', 'sqlglot', 'pandas'):
            raise ImportError(name + ' is forbidden here')
sys.meta_path.insert(0, Forbidden())
import dbt_event_windows
apart = ('plain_sql', 'rollup', 'convert', 'report')
for module in pkgutil.iter_modules(dbt_event_windows.__path__):
    if module.name not in apart:
        __import__('dbt_event_windows.' + module.name)
from dbt_event_windows.registry import FUNCTIONS
from pyspark import cloudpickle
for function in FUNCTIONS:
    cloudpickle.loads(cloudpickle.dumps(function.make().func))
    print(function.name)
"""


def test_models_by_call_need_neither_sqlglot_nor_matplotlib() -> None:
    """Neither in dbt's process nor in Spark's workers, which load the functions as pickles."""
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY / "udfs")}
    done = subprocess.run(
        [sys.executable, "-c", CORE], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "event_windows_replay_sessions" in done.stdout.split()


def test_what_only_the_extras_need_stands_with_them() -> None:
    needed = " ".join(PYPROJECT["dependencies"])
    assert "matplotlib" not in needed
    extras = PYPROJECT["optional-dependencies"]
    assert any("matplotlib" in one for one in extras["report"])
    assert any("sqlglot" in one for one in extras["convert"])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(folder), str(REPOSITORY)],
        capture_output=True,
        text=True,
    )
    said = done.stdout + done.stderr
    if done.returncode and re.search("Could not find a version|Connection|Temporary failure", said):
        pytest.skip("building fetches setuptools from the package index, which is not reached here")
    assert done.returncode == 0, said
    return folder


@pytest.mark.slow
def test_sdist_and_wheel_hold_the_package(built: Path) -> None:
    [sdist], [wheel] = built.glob("*.tar.gz"), built.glob("*.whl")
    assert PYPROJECT["version"] in sdist.name
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name for name in names if ".dist-info/" not in name} == FILES
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"udfs/{name}" for name in FILES} <= held


MODEL = """
{{ config(materialized='windowed', file_format='FORMAT') }}
{{ event_windows.windowed(
    relation="(select 'a' as key, timestamp '2024-05-01' as at, 1L as seq)",
    key='key', event_time='at',
    window=event_windows.session(gap='1 minute', grace='1 minute'), aggregates={'n': 'count(*)'},
    arrival_order='seq') }}
"""
PLAIN = """
{{ config(materialized='windowed', file_format='FORMAT', grace='1 day', arrival_order='seq') }}
select key, window.start, count(*) as n
from {{ ref('arrivals') }}
group by key, window(at, '1 hour')
"""
ROWS = """
{{ config(materialized='table', file_format='FORMAT') }}
select 'a' as key, timestamp '2024-05-01' as at, 1L as seq
"""


@pytest.mark.slow
def test_the_wheel_runs_in_a_clean_environment(built: Path, tmp_path: Path) -> None:
    """What it depends on is lent by this environment, which has the package otherwise."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    environment = os.environ | {"PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": str(python)}
    environment.pop("PYTHONPATH", None)
    [wheel] = built.glob("*.whl")
    install = [python, "-m", "pip", "install", "--quiet", "--no-deps", wheel]
    subprocess.run(install, check=True, env=environment)
    [lib] = (tmp_path / "venv/lib").glob("python3.*/site-packages")
    lent = [path for path in sys.path if path.endswith("site-packages")]
    # a path file within such a folder is not read: not that of the editable install
    (lib / "lent.pth").write_text("\n".join(lent) + "\n")
    told = (
        "import dbt_event_windows, importlib.metadata as metadata\n"
        "print(dbt_event_windows.__file__, metadata.version('dbt-event-windows'))"
    )
    told_by = subprocess.check_output([python, "-c", told], text=True, env=environment)
    place, number = told_by.split()
    assert Path(place).is_relative_to(tmp_path)
    assert number == PYPROJECT["version"]

    project = tmp_path / "project"
    (project / "models").mkdir(parents=True)
    for name, text in {"arrivals": ROWS, "visits": MODEL, "hours": PLAIN}.items():
        (project / f"models/{name}.sql").write_text(text.replace("FORMAT", FILE_FORMAT))
    settings = session_settings(project) | {"spark.master": "local[1]"}
    output = {"type": "spark", "method": "session", "host": "localhost", "schema": "s"}
    output |= {"threads": 1, "server_side_parameters": settings}
    files = {
        "dbt_project.yml": {"name": "clean", "version": "1.0.0", "profile": "clean"},
        "profiles.yml": {"clean": {"target": "t", "outputs": {"t": output}}},
        "packages.yml": {"packages": [{"local": str(REPOSITORY)}]},
    }
    for name, content in files.items():
        (project / name).write_text(yaml.safe_dump(content))
    for command in ["deps", "run"]:
        done = subprocess.run(
            [python, "-m", "dbt.cli.main", command, "--no-send-anonymous-usage-stats"],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS=3" in done.stdout
    assert version("dbt-core") in done.stdout
