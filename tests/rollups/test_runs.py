"""One rollup: idle, killed, with a rival, emptied, built anew; and what is refused."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from tests.formats import iceberg_table, set_back, version
from tests.harness import (
    FILE_FORMAT,
    DbtProject,
    Statement,
    Statements,
    is_write,
    killed_after,
    recorded,
    watched,
)
from tests.rollups.chain import CLICKS, from_scratch, stored
from tests.session_models import at, session_model

VISITS = session_model(
    "clicks",
    "event_windows.session(gap='30 minutes', grace='9 days')",
    aggregates={"clicks": "count(*)", "most": "max(amount)"},
)
TEXT = """
    select most, min(window_start) as first, count(*) as visits
    from {{ ref('visits') }} where clicks < 4 group by most
"""
NAN = float("nan")


def click(arrival: int, key: str, minutes: float, amount: float | None) -> tuple[Any, ...]:
    return key, at(minutes) + timedelta(microseconds=arrival), arrival, amount


FIRST = [
    click(0, "a", 0, NAN),
    click(1, "a", 50, -0.0),
    click(2, "b", 0, None),
    click(3, "c", 0, 2.0),
    click(4, "c", 100, 5.0),
]


@pytest.fixture(scope="module")
def visits(project: DbtProject) -> DbtProject:
    project.create_source("clicks", FIRST, CLICKS)
    project.model("visits", VISITS)
    project.model("totals", "{{ config(materialized='rollup') }}" + TEXT)
    project.run()
    return project


def is_right(project: DbtProject) -> bool:
    return stored(project, "totals") == from_scratch(project, TEXT)


def totals(project: DbtProject) -> dict[str, int]:
    return {str(row.most): row.visits for row in project.rows("select * from totals")}


def commits(sent: Statements) -> list[str | None]:
    """The steps that wrote to a table: not those that drop what the run has cached."""
    return [sql.step for sql in sent.writes if sql.step != "end"]


def arrive(project: DbtProject, *rows: tuple[Any, ...]) -> None:
    project.append("clicks", list(rows))
    project.run("visits")


def test_built(visits: DbtProject) -> None:
    assert totals(visits) == {"nan": 1, "0.0": 1, "None": 1, "2.0": 1, "5.0": 1}
    assert is_right(visits)


def test_an_idle_run_writes_nothing(visits: DbtProject) -> None:
    with recorded() as sent:
        visits.run("totals")
    assert sent.writes == []


def test_groups_that_vanish_and_sessions_that_join(visits: DbtProject) -> None:
    # joins both sessions of a, takes -0.0 away; b gets a value, and the group of nulls goes
    arrive(visits, click(5, "a", 25, 1.0), click(6, "b", 1, 2.0))
    with recorded() as sent:
        visits.run("totals")
    assert totals(visits) == {"nan": 1, "2.0": 2, "5.0": 1}
    assert is_right(visits)
    assert commits(sent) == ["merge"]


def test_only_a_deletion_is_followed_once(visits: DbtProject) -> None:
    # the session of 5.0 has four clicks now, which WHERE leaves out: its group goes, none comes
    arrive(visits, *[click(7 + n, "c", 101 + n, 5.0) for n in range(3)])
    visits.run("totals")
    assert totals(visits) == {"nan": 1, "2.0": 2}
    with recorded() as sent:
        visits.run("totals")
    assert sent.writes == []


def test_killed_before_and_after_the_commit(visits: DbtProject) -> None:
    arrive(visits, click(10, "d", 0, 7.0))
    before = stored(visits, "totals")
    with killed_after(0) as kill:
        visits.run("totals")
    assert kill.happened
    assert stored(visits, "totals") == before
    with killed_after(1) as kill:
        visits.run("totals")
    assert kill.happened
    assert is_right(visits)
    with recorded() as sent:
        visits.run("totals")
    assert sent.writes == []


def test_of_two_runs_at_once_the_second_changes_nothing(visits: DbtProject) -> None:
    arrive(visits, click(11, "e", 0, 7.0))
    sent: list[Statement] = []

    def other_first(sql: Statement) -> None:
        if (sql.model, sql.step) == ("totals", "merge") and is_write(sql):
            run_id = re.search(r'"run_id": "([^"]+)"', sql)
            assert run_id
            sent.append(sql)
            # both are after one number, and take the next
            visits.spark.sql(sql.replace(run_id[1], "another"))

    with watched(before=other_first):
        error = visits.run("totals", expect_error=True).error
    assert "another run has refreshed" in error
    assert len(sent) == 1
    assert totals(visits) == {"nan": 1, "2.0": 2, "7.0": 2}
    assert is_right(visits)


def test_a_table_that_is_emptied_and_filled_again(visits: DbtProject) -> None:
    """Where no row bears how far it follows, all since the build is looked at again."""
    rows = [click(20 + n, key, 1 + n % 4, 1.0) for n, key in enumerate("aaaabbbbddddeeeecccc")]
    arrive(visits, *rows)
    visits.run("totals")
    assert totals(visits) == {}
    with recorded() as sent:
        visits.run("totals")
    assert commits(sent) == []
    arrive(visits, click(60, "f", 0, None), click(61, "g", 0, NAN))
    visits.run("totals")
    assert totals(visits) == {"None": 1, "nan": 1}
    assert is_right(visits)


def test_a_model_that_was_built_anew(visits: DbtProject) -> None:
    visits.run("visits", full_refresh=True)
    with recorded() as sent:
        visits.run("totals")
    assert commits(sent) == ["build"]
    assert is_right(visits)


def forget_history(project: DbtProject, table: str) -> None:
    """Take away what tells the changes of a table."""
    name = f"{project.schema}.{table}"
    if FILE_FORMAT == "delta":
        project.rows(
            f"alter table {name} set tblproperties ('delta.enableChangeDataFeed' = 'false')"
        )
        return
    expiring = iceberg_table(project, table).expireSnapshots()
    made = project.rows(f"select snapshot_id as id from {name}.snapshots order by committed_at")
    for snapshot in made[:-1]:
        expiring = expiring.expireSnapshotId(snapshot.id)
    expiring.commit()


def test_a_model_whose_history_is_gone(visits: DbtProject) -> None:
    arrive(visits, click(70, "h", 0, 8.0))
    forget_history(visits, "visits")
    with recorded() as sent:
        visits.run("totals")
    assert commits(sent) == ["build"]
    assert is_right(visits)


def test_questions_about_windows_are_refused(visits: DbtProject) -> None:
    asked = "{{ event_windows.changes(ref('totals'), 1) }}"
    error = visits.dbt("compile", inline=asked, expect_error=True).error
    assert "is a rollup, whose rows are groups and no windows" in error


def test_another_text_asks_for_a_full_refresh(visits: DbtProject) -> None:
    other = TEXT.replace("< 4", "< 9")
    visits.model("totals", "{{ config(materialized='rollup') }}" + other)
    error = visits.run("totals", expect_error=True).error
    assert "run with --full-refresh" in error
    visits.run("totals", full_refresh=True)
    assert stored(visits, "totals") == from_scratch(visits, other)
    visits.model("totals", "{{ config(materialized='rollup') }} /* the same */" + other)
    visits.run("totals")


def test_a_table_that_was_set_back(visits: DbtProject) -> None:
    """By a refresh, which is followed once more; or to what an earlier text gave."""
    of_another_text = version(visits, "totals")
    other = TEXT.replace("count(*)", "count(*) + 1")
    visits.model("totals", "{{ config(materialized='rollup') }}" + other)
    visits.run("totals", full_refresh=True)
    built = version(visits, "totals")
    arrive(visits, click(70, "g", 0, 7.0))
    visits.run("totals")
    set_back(visits, "totals", built)
    visits.run("totals")
    assert stored(visits, "totals") == from_scratch(visits, other)
    set_back(visits, "totals", of_another_text)
    if FILE_FORMAT == "iceberg":
        visits.run("totals")
    else:
        # what the table records of itself went back too
        error = visits.run("totals", expect_error=True).error
        assert "run with --full-refresh" in error
        visits.run("totals", full_refresh=True)
    assert stored(visits, "totals") == from_scratch(visits, other)


REFUSED = {
    "having_alone": (
        "select key from {{ ref('visits') }} having count(*) > 1",
        "HAVING stands without GROUP BY",
    ),
    "no_model": (
        "select key, count(*) as n from {{ source('raw', 'clicks') }} group by all",
        "FROM names no model with materialized='windowed' or 'rollup'",
    ),
    "twice": (
        "select v.key, count(*) as n from {{ ref('visits') }} as v "
        "join {{ ref('visits') }} as w on v.key = w.key group by all",
        "FROM names windowed models or rollups more than once",
    ),
    "nameless": (
        "select key as _ew_key, count(*) as n from {{ ref('visits') }} group by all",
        "column '_ew_key' begins with _ew_",
    ),
    "of_an_interval": (
        "select count(*) as n from {{ ref('visits') }} group by window_end - window_start",
        "GROUP BY window_end - window_start is of type interval day to second",
    ),
    "of_a_map": (
        "select map(key, 1) as m, count(*) as n from {{ ref('visits') }} group by all",
        "is a group of the type map<string,int>",
    ),
    "of_a_colon": (
        "select key, max(named_struct('a:b', clicks)) as m from {{ ref('visits') }} group by key",
        "column 'm' has a field with a comma, a colon, a bracket or a backtick in its name",
    ),
}


def test_refused(visits: DbtProject) -> None:
    for name, (text, _) in REFUSED.items():
        visits.model(f"bad_{name}", "{{ config(materialized='rollup') }}" + text)
    with recorded() as sent:
        outcome = visits.run(*[f"bad_{name}" for name in REFUSED], expect_error=True)
    said = {result.node.name.removeprefix("bad_"): result.message for result in outcome.results}
    for name, (_, sentence) in REFUSED.items():
        assert sentence in said[name], name
    assert sent.writes == []
