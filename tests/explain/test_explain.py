"""What explain says of the next run comes true in it, and to say it writes nothing."""

from __future__ import annotations

import json

import pytest
import yaml

from tests.explain.told import came_true, explained
from tests.formats import keep_log, last_commit
from tests.harness import FILE_FORMAT, DbtProject, killed_after
from tests.session_models import EVENTS, SESSIONS, events, exists, ledger, session_model

PLAIN = """{{ config(materialized='windowed', arrival_order='arrival_seq', grace='1 day') }}
select key, window(event_time, '1 hour').start as hour, count(*) as n
from {{ source('raw', 'events') }}
group by key, window(event_time, '1 hour')
"""
MODELS = {
    "visits": session_model("events", aggregates={"n": "count(*)", "total": "sum(value)"}),
    "final": session_model("events", config={"emit": "final"}),
    "versions": session_model("events", arrival_order=None),
    "plain": PLAIN,
    "skipping": session_model("clicks", config={"skipped_rows": "fail"}),
    "functions": session_model("events", config={"query_functions": True}),
}
TIMES = [("a", 0), ("a", 10), ("b", 5), ("a", 3000), ("b", 3000)]


@pytest.fixture(scope="module", autouse=True)
def built(project: DbtProject) -> None:
    for source in ["events", "clicks"]:
        project.create_source(source, events(TIMES), EVENTS)
    for name, text in MODELS.items():
        project.model(name, text)
    project.model("skipping", session_model("clicks", config={"skipped_rows": "tell"}))
    before = explained(project, *MODELS)
    assert {told["run"] for told in before.values()} == {"full"}
    assert {told["rows"] for told in before.values()} == {len(TIMES)}
    assert "there is no table of it yet" in before["visits"]["why"][0]
    project.run()


def test_a_model_with_nothing_new(project: DbtProject) -> None:
    asked = ["visits", "final", "versions", "plain", "functions"]
    for told in explained(project, *asked).values():
        assert (told["run"], told["rows"], told["refreshes"]) == ("incremental", 0, 0)
        assert told["steps"] == ["last", "bounds"][: 1 + (told["model"] != "versions")]


def test_what_was_said_of_new_rows_comes_true(project: DbtProject) -> None:
    new = events([("a", 3010), ("c", 3020), ("a", 100), ("b", None)], len(TIMES))
    project.append("events", new)
    told = explained(project, "visits", "final", "versions", "plain")
    assert told["visits"]["arrivals"] == [{"partition": None, "rows": 4, "from": 5, "to": 8}]
    assert (told["visits"]["late_keys"], told["visits"]["uncountable"]) == (1, 1)
    # the windows of both days are in reach of the late row
    assert (told["visits"]["windows"], told["visits"]["segments"]) == (4, 2)
    for name in ["visits", "final", "versions", "plain"]:
        assert told[name]["run"] == "incremental"
        came_true(project, told[name])


def test_what_a_killed_run_has_not_done(project: DbtProject) -> None:
    project.append("events", events([("a", 3015)], len(TIMES) + 4))
    with killed_after(lambda sql: sql.step == "windows"):
        project.run("visits")
    told = explained(project, "visits")["visits"]
    assert told["unfinished"] in told["notes"][0]
    assert (told["run"], told["rows"]) == ("incremental", 0)
    project.run("visits")
    assert ledger(project, "visits")[-1].run_id == told["unfinished"]
    assert explained(project, "visits")["visits"]["unfinished"] is None


def test_a_change_is_named_with_before_and_after(project: DbtProject) -> None:
    window = SESSIONS.replace("30 minutes", "45 minutes")
    aggregates = {"n": "count(*)", "total": "max(value)"}
    project.model("visits", session_model("events", window, aggregates=aggregates))
    told = explained(project, "visits")["visits"]
    assert told["run"] == "stops"
    assert [why.partition(":")[0] for why in told["why"]] == [
        "window was gap='30 minutes' when the table was built and is gap='45 minutes' now",
        'aggregates was total="sum(value)" when the table was built and is total="max(value)" now',
    ]
    error = project.run("visits", expect_error=True).error
    assert all(why in error for why in told["why"])
    said = project.operation("event_windows.explain", model=["visits"])
    assert said.splitlines()[1].split()[:2] == ["visits", "stops"]
    assert all(why in said for why in told["why"])
    project.model("visits", MODELS["visits"])


def test_windows_that_leave_sooner_are_no_run_that_was_killed(project: DbtProject) -> None:
    project.create_source("leaving", events(TIMES), EVENTS)
    window = "event_windows.tumbling(size='10 minutes', grace='20 minutes')"
    leaves = {"retention": "1 hour", "expire": "delete"}
    for number, config in enumerate([{}, {"retention": "1 hour"}, leaves]):
        project.model("leaving_sooner", session_model("leaving", window, config=config))
        if number:
            told = explained(project, "leaving_sooner")["leaving_sooner"]
            assert (told["run"], told["unfinished"]) == ("incremental", None)
            assert "needs no build" in told["notes"][0]
            came_true(project, told)
        else:
            project.run("leaving_sooner")
            project.append("leaving", events([("a", 3001)], len(TIMES)))
            project.run("leaving_sooner")


def test_rows_that_no_refresh_will_read(project: DbtProject) -> None:
    project.append("clicks", events([("a", 3000)], -1))
    told = explained(project, "skipping")["skipping"]
    assert (told["run"], told["skipped"], len(told["notes"])) == ("incremental", 1, 1)
    project.model("skipping", MODELS["skipping"])
    told = explained(project, "skipping")["skipping"]
    assert (told["run"], told["rows"]) == ("stops", 0)
    came_true(project, told)


@pytest.mark.slow
def test_a_model_over_an_ephemeral_one_is_told_by_its_record(project: DbtProject) -> None:
    """And where each partition has numbers of its own, they are told partition by partition."""
    project.model(
        "cleaned",
        "{{ config(materialized='ephemeral') }} select * from {{ source('raw', 'clicks') }}",
    )
    text = session_model("clicks", partition="key")
    project.model("over", text.replace("source('raw', 'clicks')", "ref('cleaned')"))
    told = explained(project, "over")["over"]
    assert (told["run"], told["rows"]) == ("full", None)
    project.run("over")
    project.append("clicks", events([("a", 3020), ("b", 3020), ("a", 3030)], 500))
    told = explained(project, "over")["over"]
    assert "it reads the ephemeral model cleaned" in told["notes"][0]
    assert [(each["rows"], each["from"], each["to"]) for each in told["arrivals"]] == [
        (2, 500, 502),
        (1, 501, 501),
    ]
    came_true(project, told)


def test_a_view_that_is_made_anew(project: DbtProject) -> None:
    """By a session of another zone, with and without new rows."""
    for zone in ["Europe/Berlin", "UTC"]:
        project.spark.conf.set("spark.sql.session.timeZone", zone)
        told = explained(project, "plain")["plain"]
        assert told["steps"][-1] == "show"
        came_true(project, told)
        assert "show" not in explained(project, "plain")["plain"]["steps"]
        project.append("events", events([("a", 3100)], 100 + len(zone)))


def test_a_model_that_asks_for_its_config(project: DbtProject) -> None:
    """With what dbt's own config.get takes."""
    gap = "config.get('gap_of', default='3 hours') or '3 hours'"
    window = f"event_windows.session(gap={gap}, grace='1 hour')"
    project.model("asks", session_model("events", window))
    assert explained(project, "asks")["asks"]["run"] == "full"
    project.run("asks")
    assert explained(project, "asks")["asks"]["run"] == "incremental"


def test_models_that_are_private(project: DbtProject) -> None:
    """No operation may name them, nor any model of a project that restricts access."""
    settings = yaml.safe_load((project.root / "dbt_project.yml").read_text())
    project.write_yaml("dbt_project.yml", settings | {"restrict-access": True})
    groups = {"groups": [{"name": "us", "owner": {"name": "us"}}]}
    private = [{"name": "hidden", "access": "private"}, {"name": "inner", "access": "private"}]
    entries = [
        model | {"config": {"group": "us"}}
        for model in [*private, {"name": "outer"}, {"name": "protected"}]
    ]
    project.write_yaml("models/groups.yml", groups | {"models": entries})
    project.model("hidden", "select * from {{ source('raw', 'clicks') }}")
    project.model("inner", session_model("clicks"))
    project.model("protected", "select * from {{ ref('hidden') }}")
    over = session_model("clicks").replace("source('raw', 'clicks')", "ref('hidden')")
    project.model("outer", over)
    project.model("restricted", over.replace("hidden", "protected"))
    project.run("hidden", "protected", "inner", "outer", "restricted")
    project.append("clicks", events([("a", 3040)], 600))
    for told in explained(project, "inner", "outer", "restricted").values():
        assert (told["run"], told["rows"], told["notes"]) == ("incremental", 1, [])
        came_true(project, told)


@pytest.mark.usefixtures("unregistered")
def test_functions_that_are_not_there(project: DbtProject) -> None:
    first = 1000
    project.append("clicks", events([("z", 9000), ("z", 0)], first))
    project.model("unregistered", session_model("clicks"))
    told = explained(project, "unregistered", "plain")
    assert told["unregistered"]["run"] == told["plain"]["run"] == "stops"
    for name, why in [("unregistered", "some rows may be late"), ("plain", "a model in plain SQL")]:
        assert told[name]["why"][0].startswith(why)
        assert told[name]["why"][0] in project.run(name, expect_error=True).error


def test_a_run_that_must_be_incremental_does_not_build(project: DbtProject) -> None:
    must = {"event_windows__must_be": "incremental"}
    project.model("anew", session_model("events"))
    told = explained(project, "anew", "visits", vars=must)
    assert (told["anew"]["run"], told["visits"]["run"]) == ("stops", "incremental")
    error = project.run("anew", vars=must, expect_error=True).error
    assert told["anew"]["why"][0] in error
    assert "there is no table of it yet" in error
    assert not exists(project, "anew")
    assert not ledger(project, "anew")
    before = last_commit(project, "visits")
    error = project.run("visits", vars=must, full_refresh=True, expect_error=True).error
    assert "--full-refresh was given" in error
    assert last_commit(project, "visits") == before
    project.run("visits", vars=must)
    error = project.run("visits", vars={"event_windows__must_be": "full"}, expect_error=True).error
    assert "only 'incremental' is allowed" in error


def test_the_table_says_what_json_says(project: DbtProject) -> None:
    project.run("visits")
    text = project.operation("event_windows.explain", model=["visits", "final"])
    head, *lines = text.splitlines()[:3]
    assert head == "model   next run     new rows  late keys  windows read  refreshes  commits"
    told = explained(project, "visits", "final")
    for line, name in zip(lines, ["visits", "final"], strict=True):
        columns = ["model", "run", "rows", "late_keys", "windows", "refreshes", "commits"]
        values = [told[name][column] for column in columns]
        assert line.split() == [str(value) for value in values if value is not None]


def test_who_asks_for_another_model_is_told_which_there_are(project: DbtProject) -> None:
    said = project.operation("event_windows.explain", model="nobody", expect_error=True)
    assert "model 'nobody' is no model with materialized='windowed' or 'rollup'" in said
    said = project.operation("event_windows.explain", output="xml", expect_error=True)
    assert "output is 'xml': allowed are table, json" in said


RETRACT = {"source_changes": "retract", "arrived_at": "event_time", "max_ahead": "1 hour"}


@pytest.mark.slow
def test_keys_that_are_made_anew(project: DbtProject) -> None:
    """Their new rows are read with all others of theirs; how long ago rows came is told."""
    project.create_source("changing", events(TIMES), EVENTS)
    keep_log(project, "changing")
    project.model("follows", session_model("changing", config=RETRACT))
    project.run("follows")
    project.rows("update changing set value = 7 where arrival_seq = 1")
    project.append("changing", events([("a", 20), ("b", 3010), ("c", 1)], len(TIMES)))
    told = explained(project, "follows")["follows"]
    assert [told[name] for name in ("rows", "rows_read", "keys_rebuilt", "rows_rebuilt")] == [
        *(3, 2, 1, 4)
    ]
    assert told["waiting"] > 86_400
    assert 0 <= told["since_last_run"] < 3600
    said = project.operation("event_windows.explain", model="follows")
    assert "1 key(s) are made anew, from all of their 4 row(s)" in said
    assert "days" in said
    came_true(project, told)
    rebuild = {"event_windows__rebuild": "key = 'b'"}
    told = explained(project, "follows", vars=rebuild)["follows"]
    assert (told["keys_rebuilt"], told["rows_rebuilt"]) == (1, 3)
    came_true(project, told, vars=rebuild)
    told = explained(project, "follows")["follows"]
    assert (told["keys_rebuilt"], told["refreshes"], told["rows"]) == (0, 0, 0)
    # no window is left to bear the record, and none comes
    project.rows("delete from changing")
    told = explained(project, "follows")["follows"]
    assert (told["keys_rebuilt"], told["rows_rebuilt"]) == (3, 0)
    assert "progress" in came_true(project, told).steps_of("follows")
    project.append("changing", events([("a", None)], 100))
    assert "progress" in came_true(project, explained(project, "follows")["follows"]).steps_of(
        "follows"
    )


def test_keys_that_cannot_be_made_anew(project: DbtProject) -> None:
    """Before the table is there, and after."""
    for name, config in {
        "published": {"source_changes": "retract", "emit": "final"},
        "unlogged": {"source_changes": "retract"},
    }.items():
        project.model(name, session_model("clicks", config=config))
        if name == "published" or FILE_FORMAT == "delta":
            told = explained(project, name)[name]
            assert told["run"] == "stops"
            assert told["why"][0] in project.run(name, expect_error=True).error
            assert name == "unlogged" or "leave out source_changes='retract'" in told["why"][0]
    rebuild = {"event_windows__rebuild": "true"}
    told = explained(project, "final", vars=rebuild)["final"]
    assert told["run"] == "stops"
    assert "emit is 'final'" in told["why"][0]
    assert told["why"][0] in project.run("final", vars=rebuild, expect_error=True).error


def test_a_model_over_one_that_is_not_there(project: DbtProject) -> None:
    """It waits for that one, and the others are told."""
    project.model("unbuilt", session_model("clicks"))
    over = session_model("clicks", event_time="window_start", arrival_order=None)
    project.model("over_unbuilt", over.replace("source('raw', 'clicks')", "ref('unbuilt')"))
    told = explained(project, "over_unbuilt", "visits")
    assert told["over_unbuilt"]["run"] == "full"
    assert "unbuilt, which it reads, is not there: run that first" in told["over_unbuilt"]["why"][0]
    assert told["visits"]["run"] == "incremental"


ROLLUP = """{{ config(materialized='rollup') }}
select date(window_start) as day, count(*) as visits, sum(n) as rows
from {{ ref('below') }} group by date(window_start)"""


@pytest.mark.slow
def test_a_rollup(project: DbtProject) -> None:
    project.create_source("counted", events(TIMES), EVENTS)
    project.model("below", session_model("counted"))
    project.model("daily", ROLLUP)
    told = explained(project, "daily")["daily"]
    assert told["run"] == "full"
    assert "run that first" in told["why"][0]
    project.run("below")
    told = explained(project, "daily")["daily"]
    assert (told["run"], told["rows"]) == ("full", 4)
    must = {"event_windows__must_be": "incremental"}
    told = explained(project, "daily", vars=must)["daily"]
    assert told["run"] == "stops"
    assert told["why"][0] in project.run("daily", vars=must, expect_error=True).error
    assert not exists(project, "daily")
    project.run("daily")
    told = explained(project, "daily")["daily"]
    assert (told["run"], told["groups"], told["refreshes"]) == ("incremental", 0, 0)
    project.append("counted", events([("a", 3010), ("c", 9000)], len(TIMES)))
    project.run("below")
    told = explained(project, "daily", vars=must)["daily"]
    assert (told["run"], told["groups"], told["steps"][-2]) == ("incremental", 2, "merge")
    project.run("daily", vars=must)
    project.model("daily", ROLLUP.replace("sum(n)", "max(n)"))
    told = explained(project, "daily")["daily"]
    assert told["run"] == "stops"
    assert told["why"][0] in project.run("daily", expect_error=True).error
    project.model("daily", ROLLUP)
    asked = json.loads(project.operation("event_windows.explain", output="json"))
    assert {"daily", "below", "visits"} <= {told["model"] for told in asked}


def test_rows_that_are_gone(project: DbtProject) -> None:
    """What was deleted is told by the count of the source's table, unless it is followed."""
    project.create_source("thinned", events(TIMES), EVENTS)
    project.model("stays", session_model("thinned"))
    project.run("stays")
    project.rows("delete from thinned where arrival_seq in (0, 2)")
    told = explained(project, "stays")["stays"]
    assert "2 row(s) that were read are gone from the source" in told["notes"][0]
    came_true(project, told)
    rebuild = {"event_windows__rebuild": "true"}
    told = explained(project, "stays", vars=rebuild)["stays"]
    assert (told["rows_rebuilt"], told["notes"]) == (3, [])
    came_true(project, told, vars=rebuild)
    assert explained(project, "stays")["stays"]["notes"] == []
