"""The functions in a Python that lacks the package, to which they were sent with their code."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cluster.cluster import bare_python
from tests.protocol.processes import environment

SEND = """
import sys
from dbt_event_windows import registration
registration._send_by_value()
from dbt_event_windows.registry import FUNCTIONS
from pyspark import cloudpickle
sent = {one.name: (one.make_by_value or one.make)().func for one in FUNCTIONS}
with open(sys.argv[1], "wb") as file:
    cloudpickle.dump(sent, file)
"""
RECEIVE = """
import importlib.util, json, sys
from pyspark import cloudpickle
with open(sys.argv[1], "rb") as file:
    sent = cloudpickle.load(file)
assert importlib.util.find_spec("dbt_event_windows") is None
assert importlib.util.find_spec("pandas") is None
text = "select k, count(*) as n from t group by k, session_window(at, '30 minutes')"
plan = json.loads(sent["event_windows_plan"](text, '{"grace": "1 day", "arrival_order": "seq"}'))
refused = json.loads(sent["event_windows_plan"]("select 1 from t", None))
print(plan["window"]["type"], bool(refused["problems"]), len(sent))
"""


def test_they_run_without_the_package(tmp_path: Path) -> None:
    file = str(tmp_path / "sent")
    subprocess.run([sys.executable, "-c", SEND, file], env=environment(), check=True, timeout=300)
    received = subprocess.run(
        [str(bare_python(tmp_path)), "-c", RECEIVE, file],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert received.stdout.split() == ["session", "True", "5"], received.stderr
