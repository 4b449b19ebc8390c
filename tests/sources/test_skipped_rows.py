"""Rows that came below the last number read: noticed and told, never silent."""

from __future__ import annotations

import pytest

from tests.explain.told import came_true, explained
from tests.harness import DbtProject, Statement, recorded, sampled, watched
from tests.session_models import EVENTS, at, ledger, public, session_model, windowed


def rows(*arrivals: int) -> list[tuple[object, ...]]:
    return [("a", at(arrival), arrival, arrival) for arrival in arrivals]


# A table is counted by its metadata; a SELECT has the refresh before counted again.
RELATIONS = sampled(["table", "select"], ["table"])


def text(project: DbtProject, source: str, relation: str, skipped: str) -> str:
    model = session_model(source, config={"skipped_rows": skipped})
    if relation == "select":
        model = model.replace(
            f"source('raw', {source!r})", f"'(select * from {project.schema}.{source})'"
        )
    return model


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_row_that_commits_late_with_a_lower_number(project: DbtProject, relation: str) -> None:
    source = f"late_commit_{relation}"
    tells, fails = f"{source}_tells", f"{source}_fails"
    project.model(tells, text(project, source, relation, "tell"))
    project.model(fails, text(project, source, relation, "fail"))
    project.create_source(source, rows(1, 2, 10), EVENTS)
    project.run(tells, fails)
    project.append(source, rows(11, 20))
    project.run(tells, fails)
    # number 15 was given before 20, and committed after it
    project.append(source, rows(15, 21))
    before = public(project, fails)
    error = project.run(tells, fails, expect_error=True).error
    assert "1 row(s) came with a number that is not above the last one read" in error
    assert "--full-refresh" in error
    assert public(project, fails) == before
    assert [run.rows_skipped for run in ledger(project, tells)] == [0, 0, 1]
    assert project.rows(f"select sum(n) as n from {tells}")[0].n == 6
    # told once, not at each refresh
    project.append(source, rows(22))
    project.run(tells)
    assert [run.rows_skipped for run in ledger(project, tells)] == [0, 0, 1, 0]
    project.run(tells, full_refresh=True)
    assert project.rows(f"select sum(n) as n from {tells}")[0].n == 8


def test_a_row_that_commits_between_bounds_and_slices(project: DbtProject) -> None:
    """It is read, and neither it nor another row is taken for one that was skipped, or is gone."""
    project.model("between", text(project, "between_rows", "table", "fail"))
    project.create_source("between_rows", rows(1, 3), EVENTS)
    late = iter([2, 11])

    def commits(sql: Statement) -> None:
        if sql.step == "slices":
            project.append("between_rows", rows(next(late)))

    for read in [3, 6]:
        with watched(before=commits):
            project.run("between")
        assert project.rows("select sum(n) as n from between")[0].n == read
        project.run("between")
        if read == 3:
            project.append("between_rows", rows(10, 12))
    assert [run.rows_skipped for run in ledger(project, "between")] == [0, 0]


@pytest.mark.parametrize("relation", RELATIONS)
def test_keys_of_skipped_rows_are_made_anew_by_hand(project: DbtProject, relation: str) -> None:
    source = f"by_hand_{relation}"
    fails = f"{source}_fails"
    project.model(fails, text(project, source, relation, "fail"))
    project.create_source(source, [*rows(1, 2, 10), ("b", at(11), 11, 11)], EVENTS)
    project.run(fails)
    project.append(source, rows(20))
    project.run(fails)
    project.append(source, rows(15))
    if relation == "select":  # of which only the rows of the refresh before are counted
        project.append(source, rows(21))
    rebuild = {"event_windows__rebuild": "key = 'a'"}
    for condition in ({}, {"event_windows__rebuild": "key = 'c'"}):
        assert "is not above" in project.run(fails, vars=condition, expect_error=True).error
        assert explained(project, fails, vars=condition)[fails]["run"] == "stops"
    told = explained(project, fails, vars=rebuild)[fails]
    assert (told["run"], told["skipped"]) == ("incremental", 1)
    assert "of which this run counts those whose keys it makes anew" in told["notes"][0]
    came_true(project, told, vars=rebuild)
    count = f"select sum(n) as n from {fails} where key = 'a'"
    there = project.rows(f"select count(*) as n from {source} where key = 'a'")
    assert project.rows(count) == there
    project.append(source, rows(22))
    project.run(fails)
    assert [run.rows_skipped for run in ledger(project, fails)] == [0, 0, 1, 0]


PLAIN = """{{ config(materialized='windowed', grace='1 day', arrival_order='arrival_seq',
    skipped_rows='fail') }}
with wanted as (select * from {{ source('raw', 'watched') }} where value >= 0)
select key, session_window(event_time, '30 minutes').start as began, count(*) as n
from wanted
group by key, session_window(event_time, '30 minutes')
"""
RENAMED = (
    "(with r as (select key, event_time, value, arrival_seq as n_th from {}.watched) "
    "select key, event_time, n_th as arrival_seq from r where value >= 0)"
)


@pytest.mark.slow
def test_the_table_below_a_select_is_counted(project: DbtProject) -> None:
    """A view, CTEs, a column by another name: one table is below, and its filters count nothing."""

    def failing(relation: str) -> str:
        settings = "materialized='windowed', skipped_rows='fail'"
        return "{{ config(" + settings + ") }}\n" + windowed(relation)

    project.create_source("watched", rows(1, 2, 10), EVENTS)
    view = "{{{{ config(materialized='view') }}}} select * from {} where value >= 0"
    project.model("below_the_view", view.format("{{ source('raw', 'watched') }}"))
    project.model("the_view", view.format("{{ ref('below_the_view') }}"))
    project.model("watched_view", failing("ref('the_view')"))
    project.model("watched_select", failing(repr(RENAMED.format(project.schema))))
    project.model("watched_plain", PLAIN)
    models = ["watched_view", "watched_select", "watched_plain"]
    project.run("below_the_view", "the_view", *models)
    # late, but nothing that the models read
    project.append("watched", [("a", at(5), 5, -1), ("a", at(5), None, -1)])
    project.run(*models)
    project.append("watched", rows(11, 12))
    project.append("watched", [("a", at(6), 6, -1), ("a", at(20), 20, -1)])
    project.run(*models)
    project.append("watched", rows(21))
    with recorded() as statements:
        project.run(*models)
    counted = [sql for sql in statements if sql.step == "bounds" and "as arrived" in sql]
    assert len(counted) == len(models), "no model's rows are read again where its table has no more"
    before = {model: public(project, model) for model in models}
    project.append("watched", rows(4))
    for others in (rows(), rows(22)):
        if others:
            project.append("watched", others)
        error = project.run(*models, expect_error=True).error
        for model in models:
            assert f"{model}: " in error
        assert error.count("1 row(s) came with a number that is not above") == len(models)
        assert {model: public(project, model) for model in models} == before
    project.run(*models, full_refresh=True)
    # after a build too
    project.append("watched", rows(3))
    error = project.run(*models, expect_error=True).error
    assert error.count("1 row(s) came with a number that is not above") == len(models)


def test_a_table_that_becomes_a_view_is_counted_then(project: DbtProject) -> None:
    project.create_source("told", rows(1, 2, 10), EVENTS)
    reads = "{{ config(materialized='table') }} select * from {{ source('raw', 'told') }}"
    project.model("told_events", reads)
    model = session_model("told", config={"skipped_rows": "fail"})
    project.model("of_a_view", model.replace("source('raw', 'told')", "ref('told_events')"))
    project.run("told_events", "of_a_view")
    project.model("told_events", reads.replace("'table'", "'view'"))
    project.run("told_events")
    for numbers in ((20,), (21,)):
        project.append("told", rows(*numbers))
        project.run("of_a_view")
    project.append("told", rows(4, 22))
    error = project.run("of_a_view", expect_error=True).error
    assert "1 row(s) came with a number that is not above" in error


@pytest.mark.parametrize("relation", sampled(["view", "partition"], ["view"]))
def test_a_row_that_came_late_after_a_build_where_no_table_is_counted(
    project: DbtProject, relation: str
) -> None:
    """Of a view that was made elsewhere nobody looks below; numbers of partitions are apart."""
    source = f"built_over_{relation}"
    for name in (source, f"{source}_rows"):
        project.create_source(name, rows(1, 2, 10), EVENTS)
    project.rows(f"drop table {source}")
    project.rows(f"create view {source} as select * from {source}_rows")
    partition = {"partition": "key"} if relation == "partition" else {}
    project.model(
        f"{source}_m", session_model(source, config={"skipped_rows": "fail"}, **partition)
    )
    project.run(f"{source}_m")
    with recorded() as statements:
        project.run(f"{source}_m")
    assert {sql.step for sql in statements if sql.step} == {"last", "bounds"}
    project.append(f"{source}_rows", rows(5, 11))
    error = project.run(f"{source}_m", expect_error=True).error
    assert "1 row(s) came with a number that is not above" in error
    project.run(f"{source}_m", full_refresh=True)
    for numbers in ([12], [13]):
        project.append(f"{source}_rows", rows(*numbers))
        project.run(f"{source}_m")
    assert project.rows(f"select sum(n) as n from {source}_m")[0].n == 7


def test_a_row_that_came_late_after_a_partition_was_new(project: DbtProject) -> None:
    """Of the others the refresh that read it has read what lies above the one before."""
    events = [("a", at(number), number, 1) for number in (1, 2, 10)]
    project.create_source("parted", events, EVENTS)
    project.model(
        "parted_m", session_model("parted", config={"skipped_rows": "fail"}, partition="key")
    )
    project.run("parted_m")
    project.append("parted", [("a", at(11), 11, 1), ("a", at(14), 14, 1), ("b", at(1), 1, 1)])
    project.run("parted_m")
    project.append("parted", [("a", at(13), 13, 1), ("a", at(20), 20, 1)])
    error = project.run("parted_m", expect_error=True).error
    assert "1 row(s) came with a number that is not above" in error


def test_a_topic_that_begins_again(project: DbtProject) -> None:
    project.model("topic", text(project, "topic_rows", "table", "fail"))
    project.create_source("topic_rows", rows(100, 101, 102), EVENTS)
    project.run("topic")
    project.create_source("topic_rows", rows(0, 1), EVENTS)
    error = project.run("topic", expect_error=True).error
    assert "its numbers went back from 102 to 1" in error
    assert "created again" in error


@pytest.mark.parametrize("refreshed", sampled([False, True], [False]))
@pytest.mark.parametrize("parted", sampled([False, True], [True]))
def test_a_topic_that_begins_again_and_is_not_counted(
    project: DbtProject, parted: bool, refreshed: bool
) -> None:
    """By a partition, or through a SELECT: only rows of the refresh before are looked at again."""
    source = f"topic_{parted}_{refreshed}".lower()
    columns = EVENTS.replace("value bigint", "value int")

    def parts(one: list[int], other: list[int]) -> list[tuple[object, ...]]:
        return [
            ("a", at(number), number, part) for part in (1, 2) for number in (one, other)[part - 1]
        ]

    partition = {"partition": "value"} if parted else {}
    relation = f"'(select * from {project.schema}.{source})'"
    model = session_model(source, config={"skipped_rows": "fail"}, **partition)
    project.model(source + "_m", model.replace(f"source('raw', {source!r})", relation))
    other = [50, 51] if parted else []
    project.create_source(source, parts([100, 101], other), columns)
    project.run(source + "_m")
    if refreshed:
        project.append(source, parts([102, 103], []))
        project.run(source + "_m")
        # nothing went back where nothing is new
        project.run(source + "_m")
    last = 103 if refreshed else 101
    project.create_source(source, parts([0, 1], other), columns)
    error = project.run(source + "_m", expect_error=True).error
    of = " of partition 1" if parted else ""
    assert f"its numbers{of} went back from {last} to 1" in error
    assert "partition 2" not in error
    test = {"event_windows.no_arrival_is_skipped": {"name": f"{source}_skips"}}
    project.write_yaml(
        f"models/{source}.yml", {"models": [{"name": source + "_m", "data_tests": [test]}]}
    )
    assert "Got 1 result" in project.test(f"{source}_skips", expect_error=True).error


def test_the_largest_number_that_there_is(project: DbtProject) -> None:
    project.model("largest", text(project, "largest_rows", "table", "tell"))
    project.create_source("largest_rows", rows(1), EVENTS)
    project.run("largest")
    project.append("largest_rows", [("a", at(5), 2**63 - 1, 5)])
    error = project.run("largest", expect_error=True).error
    assert "has the largest number that there is" in error
    assert "filter that row out" in error


def test_rows_without_a_number(project: DbtProject) -> None:
    project.model("unordered", text(project, "unordered_rows", "table", "tell"))
    project.create_source("unordered_rows", rows(1, 2), EVENTS)
    project.run("unordered")
    project.append("unordered_rows", [("a", at(5), None, 5), *rows(3)])
    error = project.run("unordered", expect_error=True).error
    assert "is null in 1 row(s)" in error


def test_no_row_has_a_number(project: DbtProject) -> None:
    project.model("numberless", text(project, "numberless_rows", "table", "tell"))
    project.create_source("numberless_rows", [("a", at(5), None, 5)], EVENTS)
    error = project.run("numberless", expect_error=True).error
    assert "is null in 1 row(s)" in error


@pytest.mark.slow
def test_a_long_outage_is_caught_up_in_several_commits(project: DbtProject) -> None:
    project.model("caught_up", text(project, "backlog", "table", "tell"))
    project.create_source("backlog", rows(*range(10)), EVENTS)
    project.run("caught_up")
    project.append("backlog", rows(*range(10, 60)))
    project.run("caught_up", vars={"event_windows__max_rows_per_refresh": 20})
    read = [run.rows_read for run in ledger(project, "caught_up")]
    assert sum(read) == 60
    assert len(read) >= 3
    assert max(read) <= 25
    found = public(project, "caught_up")
    project.run("caught_up", full_refresh=True)
    assert public(project, "caught_up") == found
