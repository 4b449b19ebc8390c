"""What dbt left of its tests, and what the page says of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="pages need the extra [report]: matplotlib")

from dbt_event_windows.report.__main__ import main
from dbt_event_windows.report.errors import ReportError
from dbt_event_windows.report.test_results import last_results, read_test_results
from dbt_event_windows.report.times import HOUR
from tests.report.answers import START, FixedAsker

VISITS, OTHERS = "model.shop.visits", "model.shop.visits_daily"
TESTS = {
    "test.shop.one": ("equals_its_sql", VISITS, {}),
    "test.shop.two": ("equals_its_sql", VISITS, {"sample": 10}),
    "test.shop.three": ("equals_from_scratch", VISITS, {}),
    "test.shop.four": ("equals_its_sql", OTHERS, {}),
    "test.shop.five": ("unique", VISITS, {}),
}


def left(folder: Path, schema: str = "Analytics", **ends: tuple[str, str]) -> Path:
    """A target folder of dbt's in which tests ended so: (status, time of 2024-05-01)."""
    nodes: dict[str, Any] = {
        name: {"name": name.rpartition(".")[2], "schema": schema, "attached_node": None}
        for name in (VISITS, OTHERS)
    }
    for unique_id, (test, model, kwargs) in TESTS.items():
        metadata = {"name": test, "namespace": "event_windows", "kwargs": kwargs}
        nodes[unique_id] = {"name": "x", "test_metadata": metadata, "attached_node": model}
    results = [
        {
            "unique_id": f"test.shop.{test}",
            "status": status,
            "timing": [
                {"name": "compile", "completed_at": "2024-05-01T00:00:00Z"},
                {"name": "execute", "completed_at": f"2024-05-01T{at}Z"},
            ],
        }
        for test, (status, at) in ends.items()
    ]
    results.append({"unique_id": "test.shop.gone", "status": "pass", "timing": []})
    results.append({"unique_id": "test.shop.three", "status": "skipped", "timing": []})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps({"nodes": nodes}))
    file = folder / "run_results.json"
    file.write_text(json.dumps({"results": results}))
    return file


def made(*arguments: str, out: Path) -> str:
    assert main(["--select", "visits", "--out", str(out), *arguments], FixedAsker()) == 0
    return out.read_text()


def cells(page: str) -> list[list[str]]:
    """The lines of all tables."""
    lines = re.findall(r"<tr[^>]*>(.*?)</tr>", page)
    return [re.findall(r"<td[^>]*>(.*?)</td>", line) for line in lines]


def test_of_each_test_the_last_result_and_the_last_pass_are_known(tmp_path: Path) -> None:
    monday = left(tmp_path / "a", one=("pass", "09:00:00.000001"), two=("fail", "10:00:00"))
    tuesday = left(
        tmp_path / "b",
        one=("fail", "11:00:00"),
        four=("pass", "12:00:00"),
        five=("pass", "13:00:00"),
    )
    of_two, of_one = last_results(read_test_results([tuesday, monday]), "visits", "analytics")
    assert (of_one.last.test, of_one.last.sample, of_one.last.status) == (
        "equals_its_sql", "100", "fail",
    )  # fmt: skip
    assert of_one.passed == START + 1
    assert (of_two.last.sample, of_two.last.status, of_two.passed) == ("10", "fail", None)


def test_versions_of_a_model_are_told_apart(tmp_path: Path) -> None:
    file = left(tmp_path, one=("pass", "09:00:00"), four=("fail", "10:00:00"))
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    for name, version in [(VISITS, 1), (OTHERS, 2)]:
        versioned = {"name": "visits", "version": version, "latest_version": 2}
        manifest["nodes"][name].update(versioned)
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    results = read_test_results([file])
    found = {
        name: [one.last.status for one in last_results(results, name, "analytics")]
        for name in ["visits", "visits.v1", "visits.v2", "visits.v3"]
    }
    assert found == {
        "visits": ["fail"], "visits.v1": ["pass"], "visits.v2": ["fail"], "visits.v3": [],
    }  # fmt: skip


def test_the_page_tells_of_the_target_of_the_project(tmp_path: Path) -> None:
    left(tmp_path / "target", three=("pass", "09:30:00"))
    page = made("--project-dir", str(tmp_path), out=tmp_path / "report.html")
    assert ["equals_from_scratch", "100 %", *["2024-05-01 09:30:00"] * 2, "pass"] in cells(page)
    assert "ended with" not in page.replace("which ended with", "")


def test_tests_of_another_target_are_none_of_this_one(tmp_path: Path) -> None:
    prod = left(tmp_path / "prod", schema="prod", one=("pass", "09:00:00"))
    page = made("--test-results", str(prod), out=tmp_path / "report.html")
    assert "Nothing is known of a test" in page


def test_a_test_that_did_not_pass_is_a_warning(tmp_path: Path) -> None:
    failed = left(tmp_path, one=("fail", "09:30:00"))
    page = made("--test-results", str(failed), out=tmp_path / "report.html")
    assert "The test equals_its_sql ended with fail at 2024-05-01 09:30:00." in page
    assert ["equals_its_sql", "100 %", "not known", "2024-05-01 09:30:00", "fail"] in cells(page)


def test_a_test_that_ended_before_it_was_executed_is_its_last_run(tmp_path: Path) -> None:
    passed = left(tmp_path / "a", one=("pass", "09:00:00"))
    ended = left(tmp_path / "b", one=("error", "10:00:00"))
    results = json.loads(ended.read_text())
    [result] = [one for one in results["results"] if one["unique_id"] == "test.shop.one"]
    result["timing"] = [{"name": "compile", "completed_at": "2024-05-01T10:00:00Z"}]
    ended.write_text(json.dumps(results))
    [found] = last_results(read_test_results([passed, ended]), "visits", "analytics")
    assert (found.last.status, found.last.at) == ("error", START + HOUR)
    assert found.passed == START


def test_a_test_that_was_only_compiled_has_not_run(tmp_path: Path) -> None:
    """`dbt compile` leaves results too."""
    assert read_test_results([left(tmp_path, one=("success", "09:00:00"))]) == []


def test_where_nothing_is_known_the_page_says_so(tmp_path: Path) -> None:
    page = made("--project-dir", str(tmp_path), out=tmp_path / "report.html")
    assert "Nothing is known of a test equals_its_sql or equals_from_scratch" in page
    left(tmp_path / "target", four=("pass", "09:30:00"))
    assert "Nothing is known" in made("--project-dir", str(tmp_path), out=tmp_path / "report.html")


def test_a_file_that_is_not_dbts_is_refused(tmp_path: Path) -> None:
    file = left(tmp_path, one=("pass", "09:00:00"))
    file.write_text("[]")
    with pytest.raises(ReportError, match="is not as dbt writes it"):
        read_test_results([file])
    file.write_text("{")
    with pytest.raises(ReportError, match="is not as dbt writes it"):
        read_test_results([file])
    with pytest.raises(ReportError, match="No such file or directory"):
        read_test_results([tmp_path / "none.json"])
