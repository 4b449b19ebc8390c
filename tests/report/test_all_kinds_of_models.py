"""Pages and sentences of models of all kinds, and what is said where something is not there."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from dbt_event_windows.report import questions
from dbt_event_windows.report.__main__ import main
from dbt_event_windows.report.asking import DbtAsker
from dbt_event_windows.report.lateness import read_lateness
from dbt_event_windows.report.timeline import read_timeline
from dbt_event_windows.report.times import DAY, HOUR
from tests.harness import FILE_FORMAT, DbtProject
from tests.session_models import EVENTS, at, events, session_model

pytestmark = pytest.mark.slow

# Quotes of all kinds, what Jinja, SQL and a shell read otherwise, letters of several planes.
NAME = """O'Neill "Zoë" \\ {{ x }} {% y %} `$1` 名前 😀 <b>"""
TWO_KEYS = "user string, shop string, seen timestamp, seq bigint"
WALL = "key string, event_time timestamp_ntz, arrival_seq bigint, value bigint"
HOURS = "event_windows.tumbling(size='1 hour', grace='1 hour')"
PLAIN = """{{ config(materialized='windowed', grace='1 hour', arrival_order='arrival_seq') }}
select window.start as began, count(*) as n
from {{ source('raw', 'clicks') }} group by window(event_time, '1 hour')"""
CLICKS = [("ada", 0), ("bob", 300), ("ada", 20), ("ada", 400), ("ada", 10)]
VISITS = [
    (NAME, "a", at(0), 1),
    (NAME, "b", at(0), 2),
    ("x", "a", at(0), 3),
    (NAME, "a", at(300), 4),
    (NAME, "a", at(10), 5),
]
# the clocks of Berlin go from 2:00 to 3:00
WALL_ROWS = [
    ("ada", datetime(2024, 3, 31, hour, minute), arrival, 0)
    for arrival, (hour, minute) in enumerate([(2, 30), (9, 0), (2, 45)])
]


TRACKED = "'delta.enableRowTracking' = 'true'"
SEEN = {"event_time": "seen", "arrival_order": "seq"}


@pytest.fixture(scope="module")
def given(project: DbtProject) -> list[str]:
    """The command line's part that names the project."""
    return ["--project-dir", str(project.root), "--profiles-dir", str(project.root)]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    pytest.importorskip("matplotlib")
    return tmp_path / "report.html"


def test_a_key_of_two_columns_with_quotes_and_letters_of_all_kinds(
    project: DbtProject, given: list[str], out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.create_source("visits", VISITS, TWO_KEYS)
    project.model("by_two", session_model("visits", HOURS, key=["user", "shop"], **SEEN))
    project.run("by_two")
    key = ["--key", f"user={NAME}", "--key", "shop=a"]
    assert main(["--select", "by_two", *given, *key, "--out", str(out)]) == 0
    page = out.read_text()
    assert "could not be asked" not in page
    assert "3 rows of user=O&#x27;Neill &quot;Zoë&quot; \\ {{ x }}" in page
    assert "<b>" not in page
    assert "row 5, event time" in page
    assert "row 2, event time" not in page
    capsys.readouterr()
    assert main(["--select", "by_two", *given, "--explain", f"user={NAME}"]) == 0
    said = capsys.readouterr().out.split("\n\n")
    assert [paragraph.split(" ", 2)[1] for paragraph in said] == ["1", "2", "4", "5"]
    assert f"(user={NAME}, shop=a)" in said[3]
    assert "It is not counted (late)." in said[3]
    assert main(["--select", "by_two", *given, "--key", "shop=a", "--out", str(out)]) == 1
    assert "the key of by_two is user, shop" in capsys.readouterr().err


def test_times_of_a_wall_clock(
    project: DbtProject, given: list[str], out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.create_source("wall", WALL_ROWS, WALL)
    project.model("by_wall", session_model("wall", HOURS))
    project.run("by_wall")
    assert main(["--select", "by_wall", *given, "--key", "key=ada", "--out", str(out)]) == 0
    page = out.read_text()
    assert "could not be asked" not in page
    assert "Event times are those of the wall clock" in page
    assert "row 2, event time 2024-03-31 02:45:00, stream time 2024-03-31 09:00:00" in page
    capsys.readouterr()
    assert main(["--select", "by_wall", *given, "--explain", "arrival_seq=2"]) == 0
    assert "had closed at stream time 2024-03-31 04:00:00 (its end" in capsys.readouterr().out
    assert main(["--select", "by_wall", *given, "--explain", "seq=2"]) == 1
    said = capsys.readouterr().err
    assert "column 'seq' does not exist: the rows have key, event_time, arrival_seq, value" in said


def test_rows_without_an_order(
    project: DbtProject, given: list[str], out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.create_source("unordered_clicks", events([]), EVENTS)
    # what was read is more than a number then
    told = "'format-version' = '3'" if FILE_FORMAT == "iceberg" else TRACKED
    project.rows(f"alter table unordered_clicks set tblproperties ({told})")
    project.model("unordered", session_model("unordered_clicks", HOURS, arrival_order=None))
    # rows of one run come at one instant
    for first, last in ((0, 4), (4, 5)):
        project.append("unordered_clicks", events(CLICKS[first:last], first))
        project.run("unordered")
    assert main(["--select", "unordered", *given, "--key", "key=ada", "--out", str(out)]) == 0
    page = out.read_text()
    assert "could not be asked" not in page
    assert "Rows have no arrival order" in page
    assert "rows unaccounted for" not in page
    assert "not counted in full: late" in page
    capsys.readouterr()
    assert main(["--select", "unordered", *given, "--explain", "arrival_seq=4"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Row (key=ada) has the event time 2024-04-17 00:10:00 UTC and arrived")
    assert "It is not counted (late)." in said
    # the ledger has the rows of all keys, and a sample would be held against them
    lateness = read_lateness(DbtAsker(tuple(given)).ask(questions.lateness("unordered", 1e-6)), 0)
    assert (lateness.rows, lateness.lost_with(0)) == (5, 1)
    # nothing but the version up to which was read tells this row from one that counts
    project.append("unordered_clicks", events([("ada", 390)], 5))
    assert main(["--select", "unordered", *given, "--explain", "arrival_seq=5"]) == 0
    assert "no refresh has read it yet" in capsys.readouterr().out


def test_windows_of_plain_sql_without_a_key_have_a_timeline(
    project: DbtProject, given: list[str], out: Path
) -> None:
    project.create_source("clicks", events(CLICKS), EVENTS)
    project.model("by_nothing", PLAIN)
    project.run("by_nothing")
    assert main(["--select", "by_nothing", *given, "--out", str(out)]) == 0
    page = out.read_text()
    assert "could not be asked" not in page
    assert "5 rows of all keys by event time" in page
    assert "not counted in full: late" in page


def test_a_model_that_never_ran_and_one_without_windows(
    project: DbtProject, given: list[str], out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.create_source("clicks", events(CLICKS), EVENTS)
    project.model("never_run", session_model("clicks", HOURS))
    project.model("no_windows", "select 1 as n")
    project.run("no_windows")
    assert main(["--select", "never_run", *given, "--out", str(out)]) == 1
    assert "never_run is not there: run the model first" in capsys.readouterr().err
    assert main(["--select", "no_windows", *given, "--out", str(out)]) == 1
    assert "no_windows" in capsys.readouterr().err
    assert not out.exists()


def test_of_a_source_that_is_gone_the_rest_is_told(
    project: DbtProject, given: list[str], out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.create_source("going", events(CLICKS), EVENTS)
    project.model("of_going", session_model("going", HOURS))
    project.run("of_going")
    project.spark.sql(f"drop table {project.schema}.going")
    assert main(["--select", "of_going", *given, "--key", "key=ada", "--out", str(out)]) == 0
    page = out.read_text()
    assert page.count("This could not be asked.") == 2
    assert "The slowest ended" in page
    assert "The largest windows" in page
    capsys.readouterr()
    assert main(["--select", "of_going", *given, "--explain", "arrival_seq=2"]) == 1
    assert "going" in capsys.readouterr().err


def test_a_million_late_rows_are_added_up_in_spark(
    project: DbtProject, given: list[str], out: Path
) -> None:
    million = project.spark.range(1_000_000).selectExpr(
        "'ada' as key",
        "timestamp_micros(1700000000000000 + if(id = 0, 40000000000000, id * 7919 * 5000)) "
        "as event_time",
        "id as arrival_seq",
        "id as value",
    )
    project.create_source("million", million)
    project.model("of_a_million", session_model("million", HOURS))
    project.run("of_a_million")
    asker = DbtAsker(tuple(given))
    answer = asker.ask(questions.lateness("of_a_million", 1.0))
    assert len(answer.all("late")) < 500
    lateness = read_lateness(answer, HOUR)
    assert (lateness.rows, lateness.lost_with(DAY)) == (1_000_000, 999_999)
    key = {"key": "ada"}
    timeline = read_timeline(asker.ask(questions.timeline("of_a_million", key)), key)
    assert (len(timeline.rows), timeline.number) == (questions.ROWS, 1_000_000)
    assert main(["--select", "of_a_million", *given, "--key", "key=ada", "--out", str(out)]) == 0
    assert out.stat().st_size < 2_000_000
