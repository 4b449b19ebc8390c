"""every_row_is_counted and lateness where windows are not all in one table for ever, or overlap."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.formats import copy_model
from tests.harness import DbtProject
from tests.session_models import EVENTS, at, events, session_model

# a build and two refreshes of each model take long
pytestmark = pytest.mark.slow

SESSION = "event_windows.session(gap='30 minutes', grace='1 hour')"
HOPPING = "event_windows.hopping(size='1 hour', advance_by='20 minutes', grace='10 minutes')"
TUMBLING = "event_windows.tumbling(size='1 hour', grace='10 minutes')"
SLIDING = "event_windows.sliding(difference='20 minutes', grace='1 hour', resolution='1 minute')"
MODELS = {
    "final_sessions": session_model("clicks", SESSION, config={"emit": "final"}),
    "final_hopping": session_model("clicks", HOPPING, config={"emit": "final"}),
    "expiring": session_model(
        "clicks", TUMBLING, config={"retention": "2 hours", "expire": "delete"}
    ),
    "sliding": session_model("clicks", SLIDING),
}
FIRST = [("a", 0), ("a", 10), ("a", 200), ("a", 25), ("b", 5), (None, 5), ("b", None)]
SECOND = [("a", 190), ("a", 130), ("a", 15), ("b", 900), ("b", 5), ("b", 855), ("b", 840)]

# What is lost in a copy of which model, and the arrivals of the rows that vanish with it.
LOST = {
    "lost_final": ("final_sessions", "lost_final where window_start = {0}", {0, 1}),
    "lost_open": ("final_sessions", "lost_open__state where window_start = {190}", {2, 7}),
    "lost_recent": ("expiring", "lost_recent where window_start = {180}", {2, 7}),
    "lost_sliding": (
        "sliding",
        "lost_sliding where window_start <= {855} and window_end >= {855}",
        {12},
    ),
}
EVERY_ROW = "event_windows.every_row_is_counted"


def with_test(table: str) -> dict[str, Any]:
    test = {"name": f"rows-of-{table}", "arguments": {"source": "source('raw', 'clicks')"}}
    return {"name": table, "data_tests": [{EVERY_ROW: test}]}


@pytest.fixture(scope="module")
def results(project: DbtProject) -> dict[str, Any]:
    project.create_source("clicks", events(FIRST), EVENTS)
    for name, text in MODELS.items():
        project.model(name, text)
    project.run()
    project.append("clicks", events(SECOND, first_arrival=len(FIRST)))
    project.run()
    for name, (model, where, _) in LOST.items():
        copy_model(project, name, model)
        for minutes in (0, 180, 190, 855):
            where = where.replace(f"{{{minutes}}}", f"timestamp '{at(minutes)}'")
        project.rows(f"delete from {where}")
    copies = {"name": "copies", "schema": project.schema, "tables": list(map(with_test, LOST))}
    tests = {"models": list(map(with_test, MODELS)), "sources": [copies]}
    project.write_yaml("models/tests.yml", tests)
    outcome = project.test(expect_error=True)
    return {result.node.name.removeprefix("rows-of-"): result for result in outcome.results}


@pytest.mark.parametrize("name", MODELS)
def test_every_row_is_there(results: dict[str, Any], name: str) -> None:
    assert results[name].status == "pass", results[name].message


def test_windows_have_expired_and_others_are_open(
    project: DbtProject, results: dict[str, Any]
) -> None:
    # otherwise the tests above would prove nothing
    first = f"timestamp '{at(0)}'"
    assert project.rows(f"select * from expiring where window_start = {first}") == []
    opened = f"window_start = timestamp '{at(190)}'"
    assert project.rows(f"select * from final_sessions where {opened}") == []
    assert len(project.rows(f"select * from final_sessions__state where {opened}")) == 1


@pytest.mark.parametrize("name", LOST)
def test_rows_of_a_lost_window_are_missed(
    project: DbtProject, results: dict[str, Any], name: str
) -> None:
    model, _, arrivals = LOST[name]
    assert results[name].status == "fail", results[name].message
    rows = project.rows(results[name].node.compiled_code)
    assert {row.arrival_seq for row in rows if row.arrival_seq is not None} == arrivals
    # counts are compared where they prove something
    assert any("count" in row.problem for row in rows) == model.startswith("final")


def test_the_grace_that_late_rows_of_sliding_windows_needed(
    project: DbtProject, results: dict[str, Any]
) -> None:
    inline = "{{ event_windows.lateness(ref('sliding')) }}"
    first, second = project.rows(project.compile(inline=inline))
    assert first.grace_max == timedelta(minutes=200 - 25)
    assert second.grace_max == timedelta(minutes=900 - 5)
    for less, late in [(0, 0), (1, 1)]:
        grace = f"{second.grace_max // timedelta(microseconds=1) - less} microseconds"
        project.model("sliding", MODELS["sliding"].replace("1 hour", grace))
        project.run("sliding", full_refresh=True)
        dropped = project.rows("select * from sliding__dropped where reason like 'late%'")
        assert len(dropped) == late


def test_counts_of_expired_windows_prove_nothing(
    project: DbtProject, results: dict[str, Any]
) -> None:
    for name in {"expiring", "sliding"} & {*results}:
        assert "countings" not in results[name].node.compiled_code
