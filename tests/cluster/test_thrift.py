"""Clients of Thrift, which run no Python in Spark: the server's session has the functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cluster.late_rows import arrive_and_build, late_rows
from tests.protocol.processes import free_port, server

pytestmark = pytest.mark.slow
pytest.importorskip("pyhive", reason="dbt-spark's thrift method: pip install 'dbt-spark[PyHive]'")


def test_over_thrift(tmp_path: Path) -> None:
    port = free_port()
    target = {"method": "thrift", "port": port, "auth": "NONE", "user": "dbt", "poll_interval": 1}
    project = late_rows(tmp_path / "project", target, workers_have_the_package=True)
    (tmp_path / "server").mkdir()
    options = ["--thrift", "--thrift-port", str(port), "--udfs", str(project.root / "udfs")]
    with server(tmp_path / "server", *options):
        for first, last in ((0, 80), (80, 160)):
            arrive_and_build(project, first, last)
