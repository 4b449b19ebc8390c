"""equals_its_sql: the table of a model in plain SQL beside what Spark makes of its text."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness import DbtProject, sampled, selected
from tests.session_models import at

COLUMNS = (
    "buyer string, event_time timestamp, arrival_seq bigint, shard string, amount double, "
    "url string"
)
PEOPLE = "who string, country string"


def config(**more: Any) -> str:
    given = {"materialized": "windowed", "grace": "10 minutes", "arrival_order": "arrival_seq"}
    pairs = ", ".join(f"{name}={value!r}" for name, value in (given | more).items())
    return "{{ config(" + pairs + ") }}\n"


RAW = "{{ source('raw', 'payments') }}"
MODELS = {
    "sessions": config() + "-- what a buyer spends\nselect lower(p.buyer) as who,\n"
    "    session_window(p.event_time, '30 minutes')\n"
    "    .end as until, sum(p.amount) as spent, count(*) as n,\n"
    "    size(collect_set(url)) as pages, first(url) as landing_page -- by time\n"
    f"from {RAW} as p -- all of them\nwhere url <> 'x' or p.amount > 1 -- or what is worth it\n"
    "group by lower(p.buyer), session_window(p.event_time, '30 minutes') having count(*) > 1;\n",
    "hours": config() + "select buyer, window(event_time, '1 hour', '20 minutes').start as hour,\n"
    "    sum(amount) as spent,\n"
    f"    map_from_arrays(array('n'), array(count(*))) as counts from {RAW}\n"
    "group by all",
    "all_rows": config(partition="shard", grace="1 minute", stream_time="partition")
    + f"select window.start as since, avg(amount) as mean from {RAW}\n"
    "group by window(event_time, '1 hour')",
    "joined": config(arrival_order="p.arrival_seq")
    + "with people as (select who, country from {{ source('raw', 'people') }})\n"
    "select country, window(p.event_time, '1 hour').start as hour, array(sum(amount)) as spent\n"
    f"from {RAW} as p\njoin people on people.who = p.buyer\n"
    "group by 1, window(p.event_time, '1 hour')",
    "final": config(emit="final")
    + "select buyer, window.start as since, window.end as until, sum(amount) as spent\n"
    f"from {RAW} group by buyer, window(event_time, '1 hour') having sum(amount) > 0.5",
    "expiring": config(expire="delete", retention="2 hours")
    + f"select buyer, sum(amount) as spent from {RAW} group by buyer, window(event_time, '1 hour')",
    # p at 0 and 30 is joined by q at 10, and Spark counts it twice: `shards`, not `pages` or `most`
    "distinct": config(grace="1 day")
    + "select lower(buyer) as who, count(distinct shard) as shards, sum(amount) as spent,\n"
    "    size(collect_set(distinct url)) as pages, max(distinct shard) as most,\n"
    "    count(distinct amount) as amounts\n"
    f"from {RAW} group by lower(buyer), session_window(event_time, '25 minutes')",
    "by_gap": config(grace="1 day") + "select buyer, count(*) as n, sum(amount) as spent\n"
    f"from {RAW} group by buyer, session_window(event_time,\n"
    "    case when amount > 1 then '20 minutes'\n"
    "    else '10 minutes' end)",
}


def payments(first: int, *rows: tuple[str | None, float | None]) -> list[tuple[Any, ...]]:
    return [
        (who, None if m is None else at(m), n, "pq"[n % 2], 0.1 * n, "xyz"[n % 3])
        for n, (who, m) in enumerate(rows, first)
    ]


PARTS = [
    payments(
        0, ("Ann", 0), ("ann", 10), ("bob", 5), ("bob", 15), (None, 20), (None, 25), ("c", None)
    ),
    payments(7, ("ann", 200), ("ann", 30), ("ann", 230), ("bob", 220), ("bob", 0), ("ann", 205)),
    payments(13, ("ann", 500), ("ann", 480), ("ann", 505), (None, 480), ("bob", 225), ("ann", 495)),
]
LATER = payments(19, ("ann", 1000), ("zoe", 0))


SAMPLE = ["sessions", "hours"]


@pytest.fixture(scope="module", autouse=True)
def built(request: pytest.FixtureRequest, project: DbtProject) -> None:
    project.create_source("people", [("ann", "NL"), ("bob", "DE")], PEOPLE)
    project.create_source("payments", PARTS[0], COLUMNS)
    for name in sorted(selected(request, "name") | selected(request, "broken") | {*SAMPLE}):
        project.model(name, MODELS[name])
    project.run()
    for rows in PARTS[1:]:
        project.append("payments", rows)
        project.run()
    project.append("payments", LATER)


def entries(tests: dict[str, dict[str, Any]], test: str = "equals_its_sql") -> dict[str, Any]:
    return {
        "models": [
            {
                "name": name,
                "data_tests": [
                    {f"event_windows.{test}": {"name": f"t_{name}", "arguments": given}}
                ],
            }
            for name, given in tests.items()
        ]
    }


def answers(
    project: DbtProject, tests: dict[str, dict[str, Any]], test: str = "equals_its_sql"
) -> dict[str, list[Any]]:
    """The rows that a test gives for each model, `tests` are its arguments."""
    project.write_yaml("models/tests.yml", entries(tests, test))
    outcome = project.test(expect_error=None)
    assert all(result.status in ("pass", "fail") for result in outcome.results), outcome.error
    found = {}
    for result in outcome.results:
        rows = project.rows(result.node.compiled_code)
        assert (result.status == "fail") == bool(rows)
        found[result.node.name.removeprefix("t_")] = rows
    assert set(found) == set(tests), outcome.error
    return found


@pytest.mark.parametrize("name", sampled(MODELS, SAMPLE))
def test_a_model_equals_its_text(project: DbtProject, name: str) -> None:
    assert answers(project, {name: {}}) == {name: []}
    assert project.rows(f"select count(*) as n from {name}")[0].n > 0


def test_rows_were_late_and_some_in_part(project: DbtProject) -> None:
    reasons = {row.reason for row in project.rows("select reason from hours__dropped")}
    assert {"late", "late_partial", "null_event_time"} <= reasons


@pytest.mark.slow
def test_the_text_runs_over_the_same_rows(project: DbtProject) -> None:
    """The SQL of the test has the text, and what it makes is not what it makes of all rows."""
    project.write_yaml("models/tests.yml", entries({"sessions": {"sample": 50}}))
    outcome = project.test(expect_error=None)
    assert outcome.success, outcome.error
    sql = outcome.results[0].node.compiled_code
    assert "size(collect_set(url)) as pages" in sql
    assert "_ew_slice" not in sql


BOTH = {"table", "its SQL"}
# what is done to it, the test's arguments, and where the rows are that it finds
BROKEN: dict[str, tuple[str, dict[str, Any], set[str]]] = {
    "sessions": ("update {}__state set n = n + 1 where n = 2", {}, BOTH),
    "hours": ("delete from {}__state where buyer is null", {}, {"its SQL"}),
    "final": ("update {} set spent = spent + 0.01 where buyer = 'ann'", {}, BOTH),
    "by_gap": (
        "update {}__state set spent = spent * 1.01 where n > 1",
        {"leave_out": "spent"},
        set[str](),
    ),
}


@pytest.mark.parametrize("broken", sampled(BROKEN, SAMPLE))
def test_what_differs(project: DbtProject, broken: str) -> None:
    statement, given, sides = BROKEN[broken]
    project.rows(statement.format(broken))
    found = answers(project, {broken: given})[broken]
    assert {row["_ew_side"] for row in found} == sides
    assert broken != "hours" or {row.buyer for row in found} == {None}


REFUSED = {
    "a_call": (
        "{{ config(materialized='windowed') }}\n{{ event_windows.windowed("
        "source('raw', 'payments'), 'buyer',"
        " 'event_time', event_windows.tumbling(size='1 hour', grace='1 day'), {'n': 'count(*)'},"
        " arrival_order='arrival_seq') }}",
        "the model is a call of windowed(...)",
    ),
    "sliding": (
        config() + "select buyer, sliding_window.start as since, count(*) as n "
        f"from {RAW} group by buyer, sliding_window(event_time, '10 minutes')",
        "Spark has no sliding_window(event_time, '10 minutes')",
    ),
    "final_sessions": (
        config(emit="final")
        + "select buyer, session_window.start as since, session_window.end as until, "
        f"count(*) as n from {RAW} group by buyer, session_window(event_time, '5 minutes')",
        "sessions that have left the state (emit='final') are joined by no later row",
    ),
    "undecided": (
        config() + f"select buyer, count(*) as n from {RAW} group by buyer, window(event_time, "
        "'5 minutes') having first(url) = 'x'",
        "HAVING asks for a value of which Spark itself may give another",
    ),
}


@pytest.mark.slow
def test_what_cannot_be_compared_is_refused(project: DbtProject) -> None:
    for name, (text, _) in REFUSED.items():
        project.model(name, text)
    project.write_yaml("models/tests.yml", entries({name: {} for name in REFUSED}))
    error = project.build(*REFUSED, expect_error=True).error
    for _, sentence in REFUSED.values():
        assert sentence in error


@pytest.mark.slow
def test_in_the_command_that_builds(project: DbtProject) -> None:
    """In one command with a full refresh, which mends what was broken and reads what came since."""
    names = ["hours", "final"]
    project.model("final", MODELS["final"])
    project.write_yaml("models/tests.yml", entries({name: {} for name in names}))
    project.build(*names, full_refresh=True)
