"""Questions that reach Spark by `dbt show`, and the page and sentences that come of them."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from dbt_event_windows.report import questions
from dbt_event_windows.report.__main__ import main
from dbt_event_windows.report.asking import DbtAsker
from dbt_event_windows.report.errors import AskError
from dbt_event_windows.report.health import read_accounts, read_health
from dbt_event_windows.report.lateness import Lateness, read_lateness
from dbt_event_windows.report.model_facts import read_facts
from dbt_event_windows.report.refreshes import read_refreshes
from dbt_event_windows.report.timeline import read_timeline
from dbt_event_windows.report.times import DAY, HOUR, MINUTE
from tests.harness import DbtProject
from tests.session_models import EPOCH, EVENTS, at, events, micros, session_model

START = micros(EPOCH)
HOPPING = "event_windows.hopping(size='1 hour', advance_by='30 minutes', grace='1 hour')"
# arrival 3 comes 200 minutes late: neither a session nor a window of an hour takes it
ROWS = [("ada", 0), ("ada", 20), ("ada", 300), ("ada", 100), ("ada", 290), ("bob", 10)]
PLAIN = """{{ config(materialized='windowed', grace='1 hour', arrival_order='arrival_seq') }}
select key, session_window.start as began, count(*) as n
from {{ source('raw', 'others') }} group by key, session_window(event_time, '30 minutes')"""

FINAL = """{{ config(
    materialized='windowed', emit='final', grace='0 seconds', arrival_order='arrival_seq'
) }}
select SHOWN, session_window.start as began, session_window.end as ended, count(*) as n
from {{ source('raw', 'finals') }} group by key, session_window(event_time, '30 minutes')"""


@pytest.fixture(scope="module")
def asker(project: DbtProject) -> DbtAsker:
    """Who answers for the model `sessions`, built at once, with a row to read."""
    window = "event_windows.session(gap='30 minutes', grace='1 hour')"
    return refreshed(project, "clicks", {"sessions": session_model("clicks", window)}, [6])


@pytest.fixture(scope="module")
def asker_of_others(project: DbtProject) -> DbtAsker:
    """The same for windows at fixed places, final ones, and those of plain SQL."""
    models = {
        "hopping": session_model("others", HOPPING),
        "final": session_model("others", HOPPING, config={"emit": "final"}),
        "plain": PLAIN,
    }
    return refreshed(project, "others", models, [2, 6])


def refreshed(
    project: DbtProject, source: str, models: dict[str, str], runs: list[int]
) -> DbtAsker:
    """Who answers for models that were run when so many rows were there."""
    for name, text in models.items():
        project.model(name, text)
    project.create_source(source, events([]), EVENTS)
    for first, last in pairwise([0, *runs]):
        project.append(source, events(ROWS[first:last], first))
        project.run(*models)
    project.append(source, events([("bob", 300)], len(ROWS)))
    return DbtAsker(options_of(project))


def options_of(project: DbtProject) -> tuple[str, ...]:
    return ("--project-dir", str(project.root), "--profiles-dir", str(project.root))


@pytest.mark.slow
def test_every_question_has_an_answer(asker: DbtAsker) -> None:
    answers(asker, "sessions", {6: 1})


@pytest.mark.slow
@pytest.mark.parametrize("model", ["hopping", "final", "plain"])
def test_every_question_has_an_answer_of_other_windows(
    asker_of_others: DbtAsker, model: str
) -> None:
    answers(asker_of_others, model, {2: 0, 4: 1})


def answers(asker: DbtAsker, model: str, refreshes: dict[int, int]) -> None:
    """Ask all about it; refreshes: rows read, and late ones among them."""
    facts = read_facts(asker.ask(questions.facts(model)))
    assert (facts.name, facts.key, facts.grace) == (model, ("key",), HOUR)
    assert facts.through == {None: 5}
    assert facts.counts_rows or model == "plain"
    ledger = read_refreshes(asker.ask(questions.refreshes(model)))
    assert {refresh.rows_read: refresh.rows_late for refresh in ledger.last} == refreshes
    assert ledger.number == len(refreshes)
    health = read_health(asker.ask(questions.health(model)))
    assert health.windows == health.open + health.closed
    assert [key for key, _ in health.fast] == [("ada",), ("bob",)]
    assert health.dropped == {"late": 1}
    accounts = read_accounts(asker.ask(questions.accounts(model)))
    assert (accounts.read, accounts.there, accounts.unaccounted) == (6, 6, 0)
    timeline = read_timeline(asker.ask(questions.timeline(model, {"key": "ada"})), {"key": "ada"})
    assert [(row.arrival, row.reason) for row in timeline.rows] == [
        (0, None),
        (1, None),
        (2, None),
        (3, "late"),
        (4, None),
    ]
    assert [(row.clock or 0) - START for row in timeline.rows] == [
        minutes * MINUTE for minutes in (0, 20, 300, 300, 300)
    ]
    assert timeline.windows[0].start <= START


@pytest.mark.slow
def test_idle_windows_and_the_largest(asker: DbtAsker) -> None:
    health = read_health(asker.ask(questions.health("sessions")))
    # ada at 0-20 (closed) and 290-300, bob at 10, who was not heard of again
    assert (health.windows, health.open, health.closed, health.idle) == (3, 2, 1, 1)
    assert health.idle_keys == 1
    assert [(key, number) for key, number, _ in health.most_idle] == [(("bob",), 1)]
    assert health.largest[0][1].rows == 2


def measured(asker: DbtAsker, model: str) -> Lateness:
    return read_lateness(asker.ask(questions.lateness(model, 1)), HOUR)


def test_lateness_of_a_model(asker: DbtAsker) -> None:
    lateness = measured(asker, "sessions")
    assert lateness.rows == 7
    assert [(bucket.most, bucket.rows) for bucket in lateness.behind] == [
        (0, 5),
        (10 * MINUTE, 1),
        (200 * MINUTE, 1),
    ]
    # a session of the row alone takes others for 30 minutes
    assert [bucket.most for bucket in lateness.needed] == [0, 170 * MINUTE]
    assert [lateness.lost_with(grace) for grace in (0, 2 * HOUR, 6 * HOUR)] == [1, 1, 0]


@pytest.mark.slow
def test_a_row_that_is_late_by_a_clock_moved_by_hand_is_measured_by_it(project: DbtProject) -> None:
    window = "event_windows.session(gap='30 minutes', grace='1 hour')"
    project.model("moved", session_model("moved_rows", window))
    project.create_source("moved_rows", events([("ada", 0)]), EVENTS)
    project.run("moved")
    project.run("moved", vars={"event_windows__advance_to": "2024-04-17 05:00:00"})
    project.append("moved_rows", events([("ada", 20)], 1))
    project.run("moved")
    lateness = measured(DbtAsker(options_of(project)), "moved")
    assert [(bucket.most, bucket.rows) for bucket in lateness.behind] == [(0, 1), (280 * MINUTE, 1)]
    assert lateness.lost_with(HOUR) == 1


@pytest.mark.slow
def test_lateness_of_a_source_that_no_model_reads(project: DbtProject, asker: DbtAsker) -> None:
    relation = f"{project.schema}.clicks"
    for part in (1.0, 0.000001):
        question = questions.lateness_of_source(
            relation, ["key"], "event_time", "arrival_seq", None, part
        )
        lateness = read_lateness(asker.ask(question), None)
        assert lateness.rows == (7 if part == 1 else 0)
        assert lateness.lost_with(DAY) == 0
    with pytest.raises(AskError, match="column 'when' does not exist"):
        asker.ask(questions.lateness_of_source(relation, ["key"], "when", "arrival_seq", None, 1.0))


def test_what_is_no_model_is_told(asker: DbtAsker) -> None:
    with pytest.raises(AskError, match="nowhere"):
        asker.ask(questions.facts("nowhere"))


@pytest.mark.slow
def test_the_command_writes_a_page(asker: DbtAsker, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    out = tmp_path / "report.html"
    given = ["--select", "sessions", *asker.options, "--key", "key=ada"]
    assert main([*given, "--out", str(out)]) == 0
    page = out.read_text()
    assert "could not be asked" not in page
    assert "not counted in full: late" in page


def test_the_command_explains_a_row(asker: DbtAsker, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--select", "sessions", *asker.options, "--explain", "arrival_seq=3"]) == 0
    assert capsys.readouterr().out == (
        "Row 3 (key=ada) has the event time 2024-04-17 01:40:00 UTC and arrived at stream time "
        "2024-04-17 05:00:00 UTC: 3 hours 20 minutes behind. It is not counted (late). A session "
        "of this row alone had closed after stream time 2024-04-17 03:10:00 UTC (its end + gap 30 "
        "minutes + grace 1 hour), 1 hour 50 minutes before the row came. A grace of 2 hours 50 "
        "minutes would have taken it.\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("model", ["hopping", "final"])
def test_a_row_in_windows_that_stand_at_fixed_places_is_explained(
    asker_of_others: DbtAsker, model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--select", model, *asker_of_others.options, "--explain", "arrival_seq=3"]) == 0
    said = capsys.readouterr().out
    assert "had closed at stream time 2024-04-17 03:00:00 UTC (its end + grace 1 hour)" in said
    assert "A grace of 2 hours 30 minutes 1 microsecond would have taken it into one" in said
    assert main(["--select", model, *asker_of_others.options, "--explain", "key=bob"]) == 0
    first, unread = capsys.readouterr().out.split("\n\n")
    assert "It counts in 2 windows: 2024-04-16 23:30:00 UTC to 2024-04-17 00:30:00 UTC" in first
    assert "No refresh has read it yet: the last number read is 5." in unread


def test_rows_that_no_window_counts_and_a_clock_that_no_row_has_moved(
    project: DbtProject, capsys: pytest.CaptureFixture[str]
) -> None:
    windows = {
        "tumbling": "event_windows.tumbling(size='1 hour', grace='1 hour')",
        "calendar": "event_windows.calendar(unit='day', grace='1 hour')",
    }
    for name, window in windows.items():
        project.model(f"timeless_{name}", session_model("timeless", window, stream_time="global"))
    project.create_source("timeless", events([]), EVENTS)
    project.run("timeless_tumbling", "timeless_calendar")
    asker = DbtAsker(options_of(project))
    health = read_health(asker.ask(questions.health("timeless_tumbling")))
    assert (health.windows, health.clocks, health.latest, health.fast) == (0, 0, None, ())
    project.append("timeless", events([("ada", None)]))
    project.run("timeless_tumbling", "timeless_calendar")
    for name in windows:
        given = ["--select", f"timeless_{name}", *asker.options, "--explain", "arrival_seq=0"]
        assert main(given) == 0
        assert "is not counted (null_event_time)" in capsys.readouterr().out
    assert read_health(asker.ask(questions.health("timeless_tumbling"))).clocks == 0


@pytest.mark.slow
def test_kept_windows_of_plain_sql_that_having_leaves_out(
    project: DbtProject, capsys: pytest.CaptureFixture[str]
) -> None:
    project.model("visits", PLAIN.replace("others", "visited") + "\nhaving count(*) > 1")
    project.create_source("visited", events([("a", 0), ("a", 10), ("b", 0)]), EVENTS)
    project.run("visits")
    asker = DbtAsker(options_of(project))
    health = read_health(asker.ask(questions.health("visits")))
    assert (health.windows, health.not_shown) == (2, 1)
    timeline = read_timeline(asker.ask(questions.timeline("visits", {"key": "b"})), {"key": "b"})
    assert [window.shown for window in timeline.windows] == [False]
    for number, about in {0: "(2 rows)", 2: "(1 row; kept, not shown: HAVING)"}.items():
        explaining = [*asker.options, "--explain", f"arrival_seq={number}"]
        assert main(["--select", "visits", *explaining]) == 0
        said = capsys.readouterr().out
        assert "It counts in 1 window: 2024-04-17 00:00:00 UTC to " in said
        assert f"{about}." in said


@pytest.mark.slow
def test_keys_that_are_times_or_nulls_are_asked_for_as_they_are_shown(
    project: DbtProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a session of another zone, where two of them have one text: clocks were set back."""
    text = PLAIN.replace("others", "timed").replace("select key", "select slot")
    project.model("timed_visits", text.replace("group by key", "group by slot"))
    project.create_source("timed", [], "slot timestamp, event_time timestamp, arrival_seq bigint")
    summer, winter = (at(minutes, datetime(2024, 10, 27, tzinfo=UTC)) for minutes in (30, 90))
    project.append("timed", [(None, at(0), 0), (summer, at(0), 1), (winter, at(0), 2)])
    project.spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        project.run("timed_visits")
        asker = DbtAsker(options_of(project))
        health = read_health(asker.ask(questions.health("timed_visits")))
        found = [slot for (slot,), _ in health.largest]
        assert sorted(map(str, found)) == ["2024-10-27 00:30:00", "2024-10-27 01:30:00", "None"]
        for slot in found:
            key = {"slot": slot or "null"}
            timeline = read_timeline(asker.ask(questions.timeline("timed_visits", key)), key)
            assert (len(timeline.rows), len(timeline.windows)) == (1, 1), slot
            explaining = [*asker.options, "--explain", f"slot={key['slot']}"]
            assert main(["--select", "timed_visits", *explaining]) == 0
            assert f"(slot={key['slot']}) has the event time 20" in capsys.readouterr().out
    finally:
        project.spark.conf.set("spark.sql.session.timeZone", "UTC")


@pytest.mark.slow
def test_final_windows_of_plain_sql(
    project: DbtProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that were published are in the model, under the names of its SELECT."""
    for name, shown in (("shown", "key as user"), ("hidden", "upper(key) as user")):
        project.model(f"final_{name}", FINAL.replace("SHOWN", shown))
    project.model("final_having", FINAL.replace("SHOWN", "key") + "\nhaving count(*) > 1")
    project.create_source("finals", events([("a", 0), ("a", 120)]), EVENTS)
    project.run("final_shown", "final_hidden", "final_having")
    asker = DbtAsker(options_of(project))
    explaining = [*asker.options, "--explain", "arrival_seq=0"]

    health = read_health(asker.ask(questions.health("final_shown")))
    assert (health.windows, health.open, health.closed) == (2, 1, 1)
    assert [window.rows for _, window in health.largest] == [1, 1]
    assert main(["--select", "final_shown", *explaining]) == 0
    held = "2024-04-17 00:00:00 UTC to 2024-04-17 00:00:00 UTC (1 row)"
    assert f"It counts in 1 window: {held}." in capsys.readouterr().out

    assert read_facts(asker.ask(questions.facts("final_hidden"))).hidden == ("key",)
    assert main(["--select", "final_hidden", *explaining]) == 0
    assert "published windows cannot be looked for, since the model does not show key" in (
        capsys.readouterr().out
    )

    assert main(["--select", "final_having", *explaining]) == 0
    assert "its window was not published since it does not meet HAVING" in capsys.readouterr().out
