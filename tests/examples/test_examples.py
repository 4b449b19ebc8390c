"""Whether files in docs/examples, and blocks of the pages about them, can be read and used."""

from __future__ import annotations

import ast
import fcntl
import os
import re
import subprocess
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import sqlglot
import yaml

from tests.harness import REPOSITORY

EXAMPLES = REPOSITORY / "docs/examples"
PAGES = ["docs/catalogues.md", "docs/connections.md", "docs/schedules.md"]
TARGETS = ["standalone", "yarn", "kubernetes", "connect", "thrift"]
CATALOGUES = ["rest", "glue", "nessie", "jdbc", "hadoop"]
# Of one machine: they have no place in a profile for a cluster.
LOCAL_ONLY = re.compile(r"derby|local\[|lock-enabled|shuffle\.partitions")


def profile(
    target: str,
    file: str = "profiles.cluster.yml",
    environment: Mapping[str, str] | None = None,
) -> Any:
    """The example's target as dbt reads it, by default with its defaults; nothing connects."""
    from dbt.config.profile import Profile
    from dbt.config.renderer import ProfileRenderer
    from dbt.flags import set_from_args
    from dbt_common.context import set_invocation_context

    set_from_args(Namespace(), {})
    set_invocation_context(environment or {})
    raw = yaml.safe_load((EXAMPLES / file).read_text())
    renderer = ProfileRenderer({})
    return Profile.from_raw_profiles(raw, "event_windows", renderer, target_override=target)


def test_every_target_is_tested() -> None:
    raw = yaml.safe_load((EXAMPLES / "profiles.cluster.yml").read_text())
    assert list(raw["event_windows"]["outputs"]) == TARGETS
    raw = yaml.safe_load((EXAMPLES / "profiles.catalogues.yml").read_text())
    assert list(raw["event_windows"]["outputs"]) == CATALOGUES


@pytest.mark.parametrize("target", CATALOGUES)
def test_dbt_takes_the_profile_of_a_catalogue(target: str) -> None:
    credentials = profile(target, "profiles.catalogues.yml").credentials
    settings = credentials.server_side_parameters
    assert "{{" not in f"{credentials}"
    assert settings["spark.sql.defaultCatalog"] == "lake"
    assert settings["spark.sql.catalog.lake.type"] == target


@pytest.mark.parametrize("target", TARGETS)
def test_dbt_takes_the_profile(target: str) -> None:
    if target == "thrift":
        pytest.importorskip("pyhive", reason="pip install 'dbt-spark[PyHive]'")
    credentials = profile(target).credentials
    settings = credentials.server_side_parameters
    assert "{{" not in f"{credentials}"
    assert not [name for name in settings if LOCAL_ONLY.search(f"{name} {settings[name]}")]
    if target in ("standalone", "yarn", "kubernetes"):
        assert settings["spark.hadoop.hive.metastore.uris"].startswith("thrift://")
        assert settings["spark.master"].startswith(("spark://", "yarn", "k8s://https://"))
        # with them views of a Hive metastore are Iceberg's, which Spark reads in Java's time zone
        assert "spark.sql.extensions" not in settings
    else:
        # what a client cannot give its server
        assert not {"spark.master", "spark.jars.packages", "spark.sql.extensions"} & set(settings)
    assert credentials.method.value == ("thrift" if target == "thrift" else "session")


def test_versions_are_those_of_the_servers_settings() -> None:
    from dbt_event_windows.spark_settings import ICEBERG

    for file in ("profiles.cluster.yml", "profiles.catalogues.yml"):
        found = set(re.findall(r'org\.apache\.iceberg:[^,\s"]+', (EXAMPLES / file).read_text()))
        assert ICEBERG in found
        assert {jar.rpartition(":")[2] for jar in found} == {ICEBERG.rpartition(":")[2]}


# --- cron ---------------------------------------------------------------------------------------


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """The environment of refresh.sh with a dbt that notes its arguments and ends with CODE."""
    dbt = tmp_path / "bin/dbt"
    dbt.parent.mkdir()
    dbt.write_text('#!/bin/sh\necho "$@" >> "$CALLS"\nsleep "$SECONDS_TAKEN"\nexit "$CODE"\n')
    dbt.chmod(0o755)
    return os.environ | {
        "PATH": f"{dbt.parent}{os.pathsep}{os.environ['PATH']}",
        "CALLS": str(tmp_path / "calls"),
        "CODE": "0",
        "SECONDS_TAKEN": "0",
        "EVENT_WINDOWS_PROJECT": str(tmp_path),
        "EVENT_WINDOWS_LOCK": str(tmp_path / "lock"),
        "EVENT_WINDOWS_PAUSE": "0",
    }


def refresh(environment: dict[str, str], *arguments: str) -> tuple[int, list[str]]:
    """The exit code of refresh.sh, and the calls of dbt."""
    script = str(EXAMPLES / "refresh.sh")
    done = subprocess.run([script, *arguments], env=environment, timeout=60, check=False)
    calls = Path(environment["CALLS"])
    return done.returncode, calls.read_text().splitlines() if calls.exists() else []


def test_a_run_that_succeeds_is_not_repeated(shell: dict[str, str]) -> None:
    assert refresh(shell, "--target", "prod") == (
        0,
        ["--no-use-colors build --select config.materialized:windowed --target prod"],
    )


@pytest.mark.parametrize("code", [1, 2])
def test_a_run_that_fails_is_tried_once_more(shell: dict[str, str], code: int) -> None:
    ended, calls = refresh(shell | {"CODE": str(code)})
    assert ended == code
    assert len(calls) == 2


def test_a_run_that_takes_too_long_is_ended_and_not_repeated(shell: dict[str, str]) -> None:
    ended, calls = refresh(shell | {"SECONDS_TAKEN": "30", "EVENT_WINDOWS_LONGEST": "1s"})
    assert ended == 124
    assert len(calls) == 1


def test_a_run_beside_another_ends_with_75(shell: dict[str, str]) -> None:
    with Path(shell["EVENT_WINDOWS_LOCK"]).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert refresh(shell) == (75, [])
    assert refresh(shell)[0] == 0


def test_a_missing_project_ends_with_2(shell: dict[str, str]) -> None:
    assert refresh(shell | {"EVENT_WINDOWS_PROJECT": "/nowhere"}) == (2, [])


def test_the_crontab_has_a_schedule_and_a_command() -> None:
    lines = (EXAMPLES / "crontab").read_text().splitlines()
    jobs = [line for line in lines if line and not re.match(r"#|\w+=", line)]
    assert len(jobs) == 1
    assert jobs[0] in (REPOSITORY / "docs/schedules.md").read_text()
    found = re.fullmatch(r"((?:[\d*/,-]+ ){5})(.+)", jobs[0])
    assert found is not None
    assert "%" not in found[2]  # cron takes it for a line end
    subprocess.run(["bash", "-n", "-c", found[2]], check=True)


# --- other schedulers ---------------------------------------------------------------------------


def test_the_airflow_dag_is_python_and_one_run_at_a_time() -> None:
    tree = ast.parse((EXAMPLES / "airflow_dag.py").read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    dags = [call for call in calls if getattr(call.func, "id", "") == "DAG"]
    assert len(dags) == 1
    given = {word.arg: word.value for word in dags[0].keywords}
    assert ast.literal_eval(given["max_active_runs"]) == 1
    assert ast.literal_eval(given["catchup"]) is False


def test_the_cronjob_is_one_run_at_a_time() -> None:
    job = yaml.safe_load((EXAMPLES / "cronjob.yml").read_text())
    assert (job["apiVersion"], job["kind"]) == ("batch/v1", "CronJob")
    assert job["spec"]["concurrencyPolicy"] == "Forbid"
    pod = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    assert pod["restartPolicy"] == "Never"  # backoffLimit counts pods
    assert pod["containers"][0]["args"][0] == "build"
    assert "connect" in pod["containers"][0]["args"]


# --- pages --------------------------------------------------------------------------------------


def blocks(page: str) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language and text."""
    text = (REPOSITORY / page).read_text()
    return re.findall(r"^```(\w+)[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_blocks_can_be_read(page: str) -> None:
    found = blocks(page)
    assert found
    for language, text in found:
        if language == "yaml":
            assert isinstance(yaml.safe_load(text), dict)
        elif language == "bash":
            subprocess.run(["bash", "-n", "-c", text], check=True)
        elif language == "sql":
            sqlglot.parse_one(re.sub(r"{{.*?}}", "select 1", text), read="spark")
        else:
            assert language == "crontab"


@pytest.mark.parametrize("page", PAGES)
def test_the_ledger_has_the_columns_that_are_asked_for(page: str) -> None:
    reference = (REPOSITORY / "docs/reference.md").read_text()
    for language, text in blocks(page):
        if language == "sql" and "event_windows_runs" in text:
            query = sqlglot.parse_one(text, read="spark")
            asked = {column.name for column in query.find_all(sqlglot.exp.Column)}
            named = {alias.alias for alias in query.find_all(sqlglot.exp.Alias)}
            assert not {name for name in asked - named if f"`{name}`" not in reference}


@pytest.mark.parametrize("page", PAGES)
def test_files_that_are_linked_are_there(page: str) -> None:
    folder = (REPOSITORY / page).parent
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", (REPOSITORY / page).read_text())
    assert targets
    assert not [target for target in targets if not (folder / target).exists()]
