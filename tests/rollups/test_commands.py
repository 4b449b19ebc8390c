"""What dbt's commands do with rollups: unit tests, explain, freshness; kills at any statement."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.explain.told import explained
from tests.harness import DbtProject, Statement, killed_after, recorded
from tests.rollups.chain import CLICKS, clicks, from_scratch, stored
from tests.session_models import session_model

VISITS = session_model(
    "clicks",
    "event_windows.session(gap='30 minutes', grace='9 days')",
    aggregates={"n": "count(*)"},
)
TEXTS = {
    "days": "select date(window_end) as day, key, count(*) as visits "
    "from {{ ref('visits') }} group by all",
    "keys": "select key, sum(visits) as visits from {{ ref('days') }} group by key",
    "of_a": "select date(window_end) as day, sum(n) as n from {{ ref('visits') }} "
    "where key = 'a' group by day",
    "long": "select *, n * 2 as twice from {{ ref('visits') }} where n > 1",
}
ROWS = clicks(11, 300)
UNIT_TESTS = [
    {
        "name": "visits_of_a_day",
        "model": "days",
        "given": [
            {
                "input": "ref('visits')",
                "format": "sql",
                "rows": "select 'a' as key, timestamp '2024-04-17 10:00:00' as window_end "
                "union all select 'a', timestamp '2024-04-17 23:59:59' "
                "union all select 'a', timestamp '2024-04-18 00:00:00'",
            }
        ],
        "expect": {"rows": [{"key": "a", "visits": visits} for visits in (1, 2)]},
    },
    {
        "name": "long_visits",
        "model": "long",
        "given": [
            {
                "input": "ref('visits')",
                "format": "sql",
                "rows": "select 'a' as key, 1L as n union all select 'b', 2L",
            }
        ],
        "expect": {"rows": [{"key": "b", "twice": 4}]},
    },
]


@pytest.fixture(scope="module")
def chain(project: DbtProject) -> DbtProject:
    project.create_source("clicks", ROWS[:100], CLICKS)
    project.model("visits", VISITS)
    for name, text in TEXTS.items():
        project.model(name, "{{ config(materialized='rollup') }}" + text)
    project.run()
    return project


def freshness(project: DbtProject, name: str) -> dict[str, Any]:
    return project.show("{{ event_windows.freshness(ref('" + name + "')) }}")[0]


def followed(project: DbtProject) -> dict[str, int]:
    """When each rollup was changed last, as the report tells it."""
    lines = project.show("{{ event_windows._report_followers(ref('visits')) }}")
    told = [json.loads(line["line"]) for line in lines]
    return {line["model"]: line["followed"] for line in told}


def check(project: DbtProject) -> None:
    for name, text in TEXTS.items():
        assert stored(project, name) == from_scratch(project, text), name


def test_build_runs_unit_tests(chain: DbtProject) -> None:
    chain.write_yaml("models/unit_tests.yml", {"unit_tests": UNIT_TESTS})
    outcome = chain.build("days", "long")
    names = [result.node.name for result in outcome.results]
    assert {"visits_of_a_day", "long_visits", "days", "long"} == set(names)
    chain.write_yaml("models/unit_tests.yml", {})


def test_a_contract_is_kept(chain: DbtProject) -> None:
    def promised(visits: str) -> dict[str, Any]:
        columns = {"day": "date", "key": "string", "visits": visits}
        described = [{"name": name, "data_type": type_} for name, type_ in columns.items()]
        contract = {"contract": {"enforced": True}}
        return {"models": [{"name": "days", "config": contract, "columns": described}]}

    before = stored(chain, "days")
    chain.write_yaml("models/days.yml", promised("int"))
    assert "contract" in chain.run("days", expect_error=True, full_refresh=True).error.lower()
    assert stored(chain, "days") == before
    chain.write_yaml("models/days.yml", promised("bigint"))
    chain.run("days")
    chain.write_yaml("models/days.yml", {})


def test_how_far_each_link_is_behind(chain: DbtProject) -> None:
    chain.run()
    assert [freshness(chain, name)["lag_rows"] for name in TEXTS] == [0] * len(TEXTS)
    chain.append("clicks", ROWS[100:110])
    chain.run("visits")
    told = explained(chain, *TEXTS)
    behind = {name: freshness(chain, name)["lag_rows"] for name in TEXTS}
    assert {name: one["rows"] for name, one in told.items()} == behind
    assert (told["days"]["run"], told["keys"]["rows"]) == ("incremental", 0)
    assert behind["days"] > 0
    assert "group(s) are touched; of the windows above it reads those with" in str(
        told["days"]["notes"]
    )
    before = followed(chain)
    with recorded() as sent:
        chain.run("days")
    assert sent.steps_of("days") == told["days"]["steps"]
    assert freshness(chain, "days")["lag_rows"] == 0
    after = followed(chain)
    assert after["days"] - before["days"] > 1000, "a refresh is not told by its number"
    assert after["keys"] == before["keys"]
    assert freshness(chain, "keys")["lag_rows"] > 0
    assert "it reads all of" in str(explained(chain, "keys")["keys"]["notes"])
    chain.run()
    check(chain)
    chain.append("clicks", [("z", *ROWS[110][1:])])
    chain.run("visits")
    assert "0 group(s) are touched; it reads none of" in str(
        explained(chain, "of_a")["of_a"]["notes"]
    )
    chain.run()
    check(chain)


@pytest.mark.slow
def test_explain_says_why_a_run_builds_or_stops(chain: DbtProject) -> None:
    chain.run("visits", full_refresh=True)
    told = explained(chain, "days")["days"]
    assert (told["run"], told["commits"]) == ("full", 1)
    assert "was built anew" in told["why"][0]
    assert freshness(chain, "days")["lag_rows"] is None
    must = {"event_windows__must_be": "incremental"}
    assert explained(chain, "days", vars=must)["days"]["run"] == "stops"
    error = chain.run("days", vars=must, expect_error=True).error
    assert "this run would build the model from all rows" in error
    chain.run()
    check(chain)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["days", "long"])
def test_killed_after_each_statement(chain: DbtProject, name: str) -> None:
    """The next run ends as if nothing had been, and at no instant is a part of a run there."""
    arrived = 111 if name == "days" else 190
    point, points = 0, 99
    while point < points and arrived < 299:
        chain.append("clicks", ROWS[arrived : arrived + 4])
        arrived += 4
        chain.run("visits")
        before, now = stored(chain, name), from_scratch(chain, TEXTS[name])
        sent: list[Statement] = []

        def reached(sql: Statement, sent: list[Statement] = sent, point: int = point) -> bool:
            if sql.model == name:
                sent.append(sql)
            return sql.model == name and len(sent) == point + 1

        with killed_after(reached, may_end=True) as kill:
            chain.run(name)
        assert stored(chain, name) in (before, now)
        if not kill.happened:
            points = point
        chain.run(name)
        assert stored(chain, name) == from_scratch(chain, TEXTS[name]), point
        point += 1
    assert points < 99
