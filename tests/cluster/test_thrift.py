"""Clients of Thrift, which run no Python in Spark: the server gives them the functions."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cluster.cluster import SPARK_HOME
from tests.cluster.late_rows import arrive_and_build, late_rows
from tests.daemons import TIMEOUT, free_port
from tests.protocol.processes import SCHEMA, server

pytestmark = pytest.mark.slow
hive = pytest.importorskip(
    "pyhive.hive", reason="dbt-spark's thrift method: pip install 'dbt-spark[PyHive]'"
)

TEXT = "select count(*) as n from views group by window(at, ''1 hour'')"
SETTINGS = json.dumps({"arrival_order": "seq", "grace": "1 day"})
QUERIES = {
    "windows": f"select key, cast(window_start as string), n from {SCHEMA}.sessions order by 1, 2",
    "a plan of plain SQL": "select get_json_object(event_windows_plan("
    f"'{TEXT}', '{SETTINGS}'), '$.event_time')".replace("''", "\\'"),
    # what sends each row of a group to its window
    "a function of rows": "select inline(event_windows_replay_sessions("
    "k, item, at, at, at + 10, at, 20L, cast(null as bigint), cast(null as bigint))) "
    "from values ('a', 1L, 0L), ('a', 2L, 5L), ('a', 3L, 90L) as items (k, item, at) group by k",
}


def by_beeline(port: int, sql: str) -> list[list[str]]:
    command = [str(SPARK_HOME / "bin/beeline"), "-u", f"jdbc:hive2://localhost:{port}", "-n", "dbt"]
    command += ["--silent=true", "--showHeader=false", "--outputformat=csv2", "-e", sql]
    environment = os.environ | {"SPARK_HOME": str(SPARK_HOME), "SPARK_SCALA_VERSION": "2.13"}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    assert done.returncode == 0, done.stderr
    # without a terminal it shows its prompt all the same
    said = re.sub(r"(?m)^\d+: jdbc:\S+> ", "", done.stdout)
    return [row for row in csv.reader(said.splitlines()) if row]


def by_pyhive(port: int, sql: str) -> list[list[str]]:
    with hive.connect("localhost", port, username="dbt") as connection:
        cursor = connection.cursor()
        cursor.execute(sql)
        return [[str(value) for value in row] for row in cursor.fetchall()]


def test_over_thrift(tmp_path: Path) -> None:
    port = free_port()
    target = {"method": "thrift", "port": port, "auth": "NONE", "user": "dbt", "poll_interval": 1}
    project = late_rows(tmp_path / "project", target, workers_have_the_package=True)
    (tmp_path / "server").mkdir()
    options = ["--thrift", "--thrift-port", str(port), "--udfs", str(project.root / "udfs")]
    with server(tmp_path / "server", *options):
        for first, last in ((0, 80), (80, 160)):
            arrive_and_build(project, first, last)
        for name, sql in QUERIES.items():
            rows = by_pyhive(port, sql)
            assert rows, name
            assert by_beeline(port, sql) == rows, name
        has_a_session_of_its_own(port)


def has_a_session_of_its_own(port: int) -> None:
    """What a client has cached stays when another goes away; what it drops others keep."""
    with hive.connect("localhost", port, username="dbt") as client:
        cursor = client.cursor()
        cursor.execute("cache table kept as select 1 as one")
        assert by_pyhive(port, "show views") == []
        ((_, ansi),) = by_pyhive(port, "set spark.sql.ansi.enabled")
        assert ansi == "false"
        cursor.execute("explain select * from kept")
        assert "InMemoryRelation" in cursor.fetchall()[0][0]
        cursor.execute("drop temporary function event_windows_plan")
        assert by_pyhive(port, "show user functions like 'event_windows_plan'") != []
