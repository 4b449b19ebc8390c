"""One of a model's tables that is set back, alone, or replaced, is noticed before it is used."""

from __future__ import annotations

from contextlib import suppress

import pytest
from pyspark.sql import Row

from tests.explain.told import explained
from tests.formats import set_back, version
from tests.harness import (
    FILE_FORMAT,
    DbtProject,
    Killed,
    Statement,
    killed_after,
    recorded,
    watched,
)
from tests.session_models import EVENTS, events, ledger, public, session_model

WINDOW = "event_windows.tumbling(size='30 minutes', grace='5 minutes')"
EXPIRE = {"expire": "delete", "retention": "2 hours"}
# the config of a model, and the end of the name of the table that is set back
CASES = {
    "updated": ({}, ""),
    "expiring": (EXPIRE, ""),
    "kept": ({"emit": "final"}, "__state"),
    "published": ({"emit": "final"}, ""),
}
if FILE_FORMAT == "iceberg":
    # Delta takes the properties back with the rows; of dropped rows nothing else tells
    CASES["dropped"] = ({}, "__dropped")
# in each a row that is late, and one that closes the windows before
PARTS = [
    [("a", 0), ("b", 5)],
    [("a", 1000), ("b", 1000), ("a", 2)],
    [("a", 3000), ("b", 3000), ("b", 7)],
    [("a", 3001), ("b", 5000)],
]


@pytest.fixture(scope="module")
def told(project: DbtProject) -> dict[str, str]:
    """What the run says after one table of each model was set back by a refresh."""
    project.create_source("clicks", [], EVENTS)
    for name, (config, _) in CASES.items():
        project.model(name, session_model("clicks", WINDOW, config=config))
    before: dict[str, int] = {}
    count = 0
    for number, part in enumerate(PARTS):
        project.append("clicks", events(part, first_arrival=count))
        count += len(part)
        if number == 3:
            for name, (_, end) in CASES.items():
                set_back(project, name + end, before[name])
            continue
        project.run()
        if number == 1:
            before = {name: version(project, name + end) for name, (_, end) in CASES.items()}
    why = {name: one["why"] for name, one in explained(project, *CASES).items()}
    outcome = project.run(expect_error=True)
    said = {result.node.name: str(result.message) for result in outcome.results}
    assert all("run with --full-refresh" in str(why[name]) for name in CASES), why
    return said


@pytest.mark.parametrize("name", CASES)
def test_it_is_noticed(told: dict[str, str], name: str) -> None:
    assert "run with --full-refresh" in told[name]


def test_a_full_refresh_goes_on(project: DbtProject, told: dict[str, str]) -> None:
    project.run(full_refresh=True)
    project.append("clicks", events([("a", 9000), ("b", 9000)], first_arrival=100))
    project.run()
    for name, (config, _) in CASES.items():
        project.model(f"{name}_anew", session_model("clicks", WINDOW, config=config))
    project.run(*[f"{name}_anew" for name in CASES])
    for name in CASES:
        assert public(project, name) == public(project, f"{name}_anew"), name


# which of a model's tables are set back together with the ledger, by how many refreshes, and how
# many windows a build shows after these
TOGETHER = {
    "published": ({"emit": "final"}, [""], 1, 4),
    "published_twice": ({"emit": "final"}, [""], 2, 5),
    "all_but_published": ({"emit": "final"}, ["__state", "__ew_clocks"], 1, 4),
    "all_but_dropped": ({}, ["", "__ew_clocks"], 2, 7),
}


def built(project: DbtProject, source: str, config: dict[str, str]) -> Row:
    """A model over the first part of its source; returns the ledger's line of its build."""
    name = f"{source}_m"
    project.create_source(source, events(PARTS[0]), EVENTS)
    project.model(name, session_model(source, WINDOW, config=config))
    project.run(name)
    [line] = ledger(project, name)
    return line


def set_back_together(project: DbtProject, name: str, tables: dict[str, int], line: Row) -> None:
    """Tables of a model, and the ledger to its line."""
    for table, number in tables.items():
        set_back(project, table, number)
    project.rows(
        f"delete from event_windows_runs where model = '{name}' "
        f"and _ew_refresh > {line._ew_refresh}"
    )


@pytest.mark.parametrize("case", TOGETHER)
def test_tables_that_are_set_back_together(project: DbtProject, case: str) -> None:
    """Numbers come again then, under which other windows and rows stand beside them already."""
    config, ends, refreshes, due = TOGETHER[case]
    source, name = case, f"{case}_m"
    line = built(project, source, config)
    before = {name + end: version(project, name + end) for end in ends}
    for first, part in [(2, PARTS[1]), (5, PARTS[2])][:refreshes]:
        project.append(source, events(part, first))
        project.run(name)
    set_back_together(project, name, before, line)
    project.append(source, events(PARTS[3], 8))
    why = explained(project, name)[name]["why"]
    error = project.run(name, expect_error=True).error
    assert "run with --full-refresh" in str(why)
    assert "run with --full-refresh" in error
    project.run(name, full_refresh=True)
    assert len(project.rows(f"select * from {name}")) == due


def test_a_published_table_that_is_set_back_to_before_its_build(project: DbtProject) -> None:
    line = built(project, "former", {"emit": "final"})
    before = version(project, "former_m")
    project.append("former", events(PARTS[1], 2))
    project.run("former_m", full_refresh=True)
    set_back_together(project, "former_m", {"former_m": before}, line)
    assert "run with --full-refresh" in project.run("former_m", expect_error=True).error
    project.run("former_m", full_refresh=True)
    assert len(project.rows("select * from former_m")) == 2


def test_a_published_table_that_is_set_back_behind_windows_that_left(project: DbtProject) -> None:
    """The run was killed when they had left, before it said so."""
    line = built(project, "gone", {"emit": "final"})
    before = version(project, "gone_m")
    project.append("gone", events(PARTS[1], 2))
    left = killed_after(lambda sql: sql.step == "expire" and "then delete" in sql)
    with left, suppress(Killed):
        project.run("gone_m")
    assert len(project.rows("select * from gone_m__state")) == 2
    set_back_together(project, "gone_m", {"gone_m": before}, line)
    assert "run with --full-refresh" in project.run("gone_m", expect_error=True).error


@pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="Delta takes the properties back, too")
def test_all_tables_set_back_whose_history_was_expired(project: DbtProject) -> None:
    """Where windows leave, a property bears the record: it stays, and tells of rows that went."""
    built(project, "expired", EXPIRE)
    tables = ["expired_m", "expired_m__ew_clocks"]
    project.append("expired", events(PARTS[1], first_arrival=10))
    project.run("expired_m")
    before = {table: version(project, table) for table in tables}
    line = ledger(project, "expired_m")[-1]
    project.append("expired", events(PARTS[2], first_arrival=20))
    project.run("expired_m")
    set_back_together(project, "expired_m", before, line)
    for table in tables:
        project.rows(
            f"call spark_catalog.system.expire_snapshots(table => '{project.schema}.{table}', "
            "older_than => timestamp '2100-01-01')"
        )
    assert "run with --full-refresh" in project.run("expired_m", expect_error=True).error


def test_a_ledger_that_lost_its_lines_stops_no_final_model(project: DbtProject) -> None:
    built(project, "trimmed", {"emit": "final"})
    for first, part in [(2, PARTS[1]), (5, PARTS[2]), (8, [("a", 3002)])]:
        project.append("trimmed", events(part, first))
        project.run("trimmed_m")
        project.rows("delete from event_windows_runs where model = 'trimmed_m'")
    project.run("trimmed_m")
    assert len(project.rows("select * from trimmed_m")) == 4


@pytest.mark.parametrize("minutes", [3000, 1], ids=["counted", "late"])
def test_it_is_noticed_at_the_commit(project: DbtProject, minutes: float) -> None:
    """The table is set back when the run has looked at it already."""
    source, name = f"meanwhile_{minutes}", f"meanwhile_{minutes}_m"
    project.create_source(source, events([("a", 0), ("b", 5)]), EVENTS)
    project.model(name, session_model(source, WINDOW))
    project.run(name)
    before = version(project, name)
    for arrival, minute in enumerate([1000, 2000], 2):
        project.append(source, events([("a", minute)], arrival))
        project.run(name)
    project.append(source, events([("a", minutes)], 4))
    done: list[Statement] = []

    def meanwhile(sql: Statement) -> None:
        if sql.model == name and sql.step == "windows" and not done:
            done.append(sql)
            set_back(project, name, before)

    with watched(before=meanwhile):
        error = project.run(name, expect_error=True).error
    assert "was set back meanwhile" in error
    assert "run with --full-refresh" in project.run(name, expect_error=True).error
    project.run(name, full_refresh=True)
    assert len(project.rows(f"select * from {name}")) == (5 if minutes > 1 else 4)


PLAIN = """
{{ config(materialized='windowed', grace='1 hour', arrival_order='arrival_seq') }}
select key, window.start as began, count(*) as n
from {{ source('raw', 'looked_at') }} group by key, window(event_time, '30 minutes')
"""


def test_a_view_that_was_dropped_is_made_again_and_no_table_is(project: DbtProject) -> None:
    project.create_source("looked_at", events([("a", 0), ("b", 5)]), EVENTS)
    project.model("shown", PLAIN)
    project.run("shown")
    project.rows("drop view shown")
    project.run("shown")
    assert project.rows("select count(*) as n from shown")[0].n == 2
    clocks = project.rows("select * from shown__stream_time order by all")
    project.rows("drop view shown__stream_time")
    with recorded() as sent:
        project.run("shown")
        project.run("shown")
    assert project.rows("select * from shown__stream_time order by all") == clocks != []
    assert len([sql for sql in sent if "__stream_time as" in sql]) == 1
    project.rows("drop view shown")
    project.rows(f"create table shown using {FILE_FORMAT} as select 1 as mine")
    assert "run with --full-refresh" in str(explained(project, "shown")["shown"]["why"])
    error = project.run("shown", expect_error=True).error
    assert "exists and was not built by materialized='windowed'" in error
    assert project.rows("select mine from shown")[0].mine == 1
    project.run("shown", full_refresh=True)
    assert project.rows("select count(*) as n from shown")[0].n == 2


@pytest.mark.parametrize("other", ["of dbt", "of a user", "of less"])
def test_another_view_in_its_place_is_replaced(project: DbtProject, other: str) -> None:
    project.create_source("seen", events([("a", 0), ("a", 1000), ("b", 5)]), EVENTS)
    project.model("seen_by", PLAIN.replace("looked_at", "seen"))
    project.run("seen_by")
    project.append("seen", events([("a", 2)], first_arrival=3))  # late
    project.run("seen_by")
    right = project.rows("select * from seen_by order by key, began")
    if other == "of dbt":
        project.model("seen_by", PLAIN.replace("looked_at", "seen").replace("windowed", "view"))
        project.run("seen_by")
        assert project.rows("select * from seen_by order by key, began") != right
        project.model("seen_by", PLAIN.replace("looked_at", "seen"))
    elif other == "of a user":
        project.rows("create or replace view seen_by as select 1 as mine")
    else:
        [view] = project.rows("show table extended like 'seen_by'")
        text = view.information.partition("View Text: ")[2].partition("\nView Original Text: ")[0]
        project.rows(f"create or replace view seen_by as {text} where n > 99")
    project.run("seen_by")
    assert project.rows("select * from seen_by order by key, began") == right
    with recorded() as sent:
        project.run("seen_by")
    assert sent.writes == []
