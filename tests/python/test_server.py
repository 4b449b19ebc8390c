"""The command line of the server, and its settings beside those of the profile example."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt_event_windows import server
from dbt_event_windows.spark_settings import FORMATS, local_address, settings
from tests.harness import FILE_FORMAT, SPARK_VERSION, session_settings


def test_settings_are_those_of_the_profile_example(tmp_path: Path) -> None:
    ours = settings(FILE_FORMAT, tmp_path, SPARK_VERSION)
    profile = session_settings(tmp_path)
    for who in ("spark.master", "spark.app.name"):  # of the process that starts the session
        del profile[who]
    found = {name: " ".join(value.split()) for name, value in profile.items()}
    more = {name for name in found if name not in ours}
    assert ours.items() <= found.items()
    # the profile writes what both formats share once, with Iceberg's catalogue
    assert all("iceberg" in name or ".spark_catalog." in name for name in more)


def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed are iceberg, delta"):
        settings("parquet", Path("."), "4.1")


@pytest.mark.parametrize("table_format", FORMATS)
def test_servers_listen_on_this_machine_alone(tmp_path: Path, table_format: str) -> None:
    options = server.arguments(["--thrift", "--format", table_format, "--dir", str(tmp_path)])
    found = server.all_settings(options, "4.1")
    assert found["spark.connect.grpc.binding.address"] == "127.0.0.1"
    assert found["spark.hadoop.hive.server2.thrift.bind.host"] == "127.0.0.1"


def test_more_settings_and_ports(tmp_path: Path) -> None:
    options = server.arguments(
        ["--port", "15099", "--dir", str(tmp_path), "--conf", "spark.driver.memory=8g"]
    )
    found = server.all_settings(options, "4.1")
    assert found["spark.connect.grpc.binding.port"] == "15099"
    assert found["spark.driver.memory"] == "8g"
    assert "spark.hadoop.hive.server2.thrift.port" not in found
    said = server.greeting(options)
    assert "sc://localhost:15099" in said
    assert "Stop it with Ctrl+C, or: kill " in said


@pytest.mark.parametrize(
    ("given", "local"),
    [
        ([], True),
        (["--master", "local[4]"], True),
        (["--master", "spark://spark-master:7077"], False),
        (["--conf", "spark.master=spark://spark-master:7077"], False),
    ],
)
def test_executors_elsewhere_find_the_driver(given: list[str], local: bool) -> None:
    """At 127.0.0.1 they would call themselves."""
    found = server.all_settings(server.arguments(given), "4.1")
    assert ("SPARK_LOCAL_IP" in local_address(found["spark.master"])) == local


@pytest.mark.parametrize("given", [["--conf", "x"], ["--format", "parquet"]])
def test_a_bad_command_line_is_refused(given: list[str]) -> None:
    with pytest.raises(SystemExit):
        server.arguments(given)
