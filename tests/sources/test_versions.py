"""Sources without an arrival order: which rows are new is told by versions of the table."""

from __future__ import annotations

from contextlib import suppress

import pytest

from tests.explain.told import explained
from tests.formats import compact, iceberg_table
from tests.harness import FILE_FORMAT, DbtProject, Killed, killed_after, sampled
from tests.macros.rendering import Macros
from tests.session_models import (
    EVENTS,
    SESSIONS,
    at,
    ledger,
    session_model,
    version,
    windowed,
)

ICEBERG = FILE_FORMAT == "iceberg"


def rows(*minutes: int) -> list[tuple[object, ...]]:
    return [("a", at(minute), minute, minute) for minute in minutes]


def make(project: DbtProject, source: str, tracked: bool) -> None:
    """A table whose rows say by themselves when they came (`tracked`), or not."""
    properties = {"format-version": "3" if tracked else "2"}
    if not ICEBERG:
        properties = {"delta.enableRowTracking": str(tracked).lower()}
    options = ", ".join(f"'{name}' = '{value}'" for name, value in properties.items())
    project.rows(
        f"create or replace table {source} ({EVENTS}) using {FILE_FORMAT} tblproperties ({options})"
    )
    project.sources.add(source)
    project.create_source(f"{source}_unused", rows(0), EVENTS)  # writes sources.yml
    project.append(source, rows(0))


@pytest.mark.parametrize("tracked", sampled([True, False], [True]))
def test_new_rows_beside_a_compaction(project: DbtProject, tracked: bool) -> None:
    """Iceberg tells compactions from changes; Delta only where it tracks rows."""
    source = f"compacted_{tracked}".lower()
    make(project, source, tracked)
    model = f"{source}_windows"
    project.model(model, session_model(source, arrival_order=None))
    project.run(model)
    project.append(source, rows(1))
    project.append(source, rows(2))
    compact(project, source)
    project.append(source, rows(3))
    if tracked or ICEBERG:
        project.run(model)
        assert [run.rows_read for run in ledger(project, model)] == [1, 3]
        assert project.rows(f"select n from {model}")[0].n == 4
        compact(project, source)
        project.run(model)
        assert sum(run.rows_read for run in ledger(project, model)) == 4
    else:
        error = project.run(model, expect_error=True).error
        assert "OPTIMIZE" in error
        assert "--full-refresh" in error


@pytest.mark.skipif(not ICEBERG, reason="the files of a Delta table are Parquet")
@pytest.mark.parametrize("said_by", sampled(["table", "session"], ["table"]))
def test_a_compaction_of_orc_that_is_read_in_batches(project: DbtProject, said_by: str) -> None:
    """Iceberg 1.12 gives each row of a file the number of the file then."""
    source, setting = f"orc_{said_by}", "spark.sql.iceberg.vectorization.enabled"
    make(project, source, tracked=True)
    batches = ", 'read.orc.vectorization.enabled' = 'true'" if said_by == "table" else ""
    project.rows(
        f"alter table {source} set tblproperties ('write.format.default' = 'orc'{batches})"
    )
    project.rows(f"insert overwrite {source} select * from {source}")
    if said_by == "session":
        project.spark.conf.set(setting, "true")
    model = f"{source}_windows"
    project.model(model, session_model(source, arrival_order=None))
    try:
        project.run(model)
        for minute in [1, 2]:
            project.append(source, rows(minute))
            compact(project, source)
            project.run(model)
    finally:
        project.spark.conf.unset(setting)
    assert [run.rows_read for run in ledger(project, model)] == [1, 1, 1]
    assert project.rows(f"select n from {model}")[0].n == 3


@pytest.mark.skipif(not ICEBERG, reason="row lineage comes with a version of Iceberg's format")
def test_a_compaction_of_files_from_before_row_lineage(project: DbtProject) -> None:
    """They say of no row when it came; a file that takes their rows has a number of its own."""
    make(project, "upgraded", tracked=False)
    project.append("upgraded", rows(1))
    project.rows("alter table upgraded set tblproperties ('format-version' = '3')")
    project.model("upgraded_windows", session_model("upgraded", arrival_order=None))
    project.run("upgraded_windows")
    compact(project, "upgraded", "'use-starting-sequence-number', 'false'")
    project.run("upgraded_windows")
    assert [run.rows_read for run in ledger(project, "upgraded_windows")] == [2, 0]
    project.append("upgraded", rows(2))
    project.run("upgraded_windows")
    compact(project, "upgraded")
    project.run("upgraded_windows")
    assert project.rows("select n from upgraded_windows")[0].n == 3


@pytest.mark.skipif(ICEBERG, reason="a table of Delta may be named by its path")
def test_a_table_that_is_named_by_its_path(project: DbtProject) -> None:
    """dbt does not list it among the tables of a schema."""
    table = f"delta.`{project.folder}/landed`"
    project.rows(f"create table {table} ({EVENTS}) using delta")
    relation = f"api.Relation.create(schema='delta', identifier='`{project.folder}/landed`')"
    call = windowed(relation, SESSIONS, arrival_order=None)
    project.model("landed_m", "{{ config(materialized='windowed') }}\n" + call)
    for n in (1, 2):
        project.rows(f"insert into {table} values ('a', timestamp'2024-04-17', {n}, {n})")
        project.run("landed_m")
        assert [row.n for row in project.rows("select n from landed_m")] == [n]


def test_files_that_are_named_by_their_path(project: DbtProject) -> None:
    """Spark describes none, and they have no versions."""
    rows = project.spark.createDataFrame([("a", at(0), 1, 1)], EVENTS)
    rows.write.parquet(f"{project.folder}/files")
    relation = f"api.Relation.create(schema='parquet', identifier='`{project.folder}/files`')"
    config = "{{ config(materialized='windowed') }}\n"
    project.model("of_files", config + windowed(relation, SESSIONS))
    project.run("of_files")
    assert [row.n for row in project.rows("select n from of_files")] == [1]


def test_a_table_that_was_dropped_and_created_again(project: DbtProject) -> None:
    project.create_source("again", rows(0, 1), EVENTS)
    project.model("again_windows", session_model("again", arrival_order=None))
    project.run("again_windows")
    project.rows("drop table again")
    project.create_source("again", rows(0, 1), EVENTS)
    error = project.run("again_windows", expect_error=True).error
    assert "which rows of" in error
    assert "--full-refresh" in error
    project.run("again_windows", full_refresh=True)
    assert project.rows("select sum(n) as n from again_windows")[0].n == 2


def test_rows_that_were_changed(project: DbtProject) -> None:
    project.create_source("changed", rows(0, 1), EVENTS)
    project.model("changed_windows", session_model("changed", arrival_order=None))
    project.run("changed_windows")
    project.rows("update changed set value = 7 where arrival_seq = 1")
    error = project.run("changed_windows", expect_error=True).error
    assert "its rows were not only added to" in error


def test_a_widened_source(project: DbtProject) -> None:
    project.create_source("widened", rows(0, 1), EVENTS)
    project.model("widened_windows", session_model("widened", arrival_order=None))
    project.run("widened_windows")
    project.rows("alter table widened add columns (more string)")
    project.rows("insert into widened select 'a', timestamp'2024-04-17 00:02:00', 2L, 2L, 'more'")
    project.run("widened_windows")
    assert project.rows("select sum(n) as n from widened_windows")[0].n == 3


@pytest.mark.skipif(not ICEBERG, reason="Delta reads each version with the columns of now")
def test_a_type_that_was_widened_after_the_last_row(project: DbtProject) -> None:
    """Iceberg reads that row's version with the types of then, and no window must have them."""
    columns = EVENTS.replace("key string", "key float").replace("value bigint", "value int")
    columns += ", device struct<os: string>"
    project.create_source("grown", [(0.5, at(0), 0, 0, ("ios",))], columns)
    project.rows("alter table grown alter column key type double")
    project.rows("alter table grown alter column value type bigint")
    of_values = {"n": "count(*)", "top": "max(value)"}
    project.model("grown_windows", session_model("grown", arrival_order=None, aggregates=of_values))
    project.run("grown_windows")
    row = "0.3D, timestamp'2024-04-17 00:02:00', {0}L, 3000000000L + {0}, named_struct('os', 'ios')"
    for arrival in (1, 2):
        project.rows(f"insert into grown select {row.format(arrival)}")
        project.run("grown_windows")
    found = project.rows("select key, n, top from grown_windows order by key")
    assert [tuple(one) for one in found] == [(0.3, 2, 3000000002), (0.5, 1, 0)]
    project.rows("alter table grown add columns (device.version int)")
    of_fields = {"n": "count(*)", "version": "max(device.version)"}
    project.model("of_fields", session_model("grown", arrival_order=None, aggregates=of_fields))
    error = project.run("of_fields", expect_error=True).error
    assert "dropped, renamed, moved, or given other types or fields" in error
    project.rows(
        "insert into grown select 0.3D, timestamp'2024-04-17 00:03:00', 3L, 3L, "
        "named_struct('os', 'ios', 'version', 7)"
    )
    project.run("of_fields")
    project.rows("alter table grown alter column value first")
    error = project.run("of_fields", full_refresh=True, expect_error=True).error
    assert "or an empty commit" in error
    project.rows("insert into grown select * from grown where false")
    project.run("of_fields", full_refresh=True)
    assert project.rows("select sum(n) as n, max(version) as v from of_fields")[0] == (4, 7)


def test_a_source_that_the_same_command_makes(project: DbtProject) -> None:
    """dbt's cache does not know it when the model over it begins."""
    project.create_source("raw_rows", rows(0, 1), EVENTS)
    project.model(
        "staged",
        "{{ config(materialized='incremental', incremental_strategy='append') }}\n"
        "select * from {{ source('raw', 'raw_rows') }}"
        "{% if is_incremental() %} where arrival_seq > (select max(arrival_seq) from {{ this }})"
        "{% endif %}",
    )
    call = windowed("ref('staged')", arrival_order=None)
    project.model("over_staged", "{{ config(materialized='windowed') }}\n" + call)
    project.run("staged", "over_staged")
    project.append("raw_rows", rows(2))
    project.run("staged", "over_staged")
    assert project.rows("select n from over_staged")[0].n == 3


def forget(project: DbtProject, source: str, all_but: int) -> None:
    """Take the oldest of a table's commits away, as expire_snapshots and old logs do."""
    name = f"{project.schema}.{source}"
    if ICEBERG:
        made = project.rows(f"select snapshot_id as id from {name}.snapshots order by committed_at")
        expiring = iceberg_table(project, source).expireSnapshots()
        for snapshot in made[:-all_but]:
            expiring = expiring.expireSnapshotId(snapshot.id)
        expiring.commit()
        return
    commits = sorted((project.folder / source / "_delta_log").glob("*.json"))
    for commit in commits[:-all_but]:
        commit.unlink()


def test_a_source_whose_history_is_gone(project: DbtProject) -> None:
    """Not loaded for weeks: what was updated meanwhile can only be told while commits are there."""
    make(project, "forgotten", tracked=True)
    project.rows(
        "alter table forgotten set tblproperties ('delta.checkpointInterval' = '2', "
        "'delta.deletedFileRetentionDuration' = '7 days')"
    )
    project.model("forgotten_windows", session_model("forgotten", arrival_order=None))
    project.run("forgotten_windows")
    for minute in (1, 2):
        project.append("forgotten", rows(minute))
    forget(project, "forgotten", all_but=2)
    project.run("forgotten_windows")
    assert project.rows("select n from forgotten_windows")[0].n == 3
    project.rows("update forgotten set value = 7 where arrival_seq = 1")
    for minute in (3, 4, 5):
        project.append("forgotten", rows(minute))
    forget(project, "forgotten", all_but=2)
    error = project.run("forgotten_windows", expect_error=True).error
    assert "which rows of" in error
    assert "--full-refresh" in error
    assert project.rows("select n from forgotten_windows")[0].n == 3


@pytest.mark.parametrize("order", [None, "arrival_seq"])
def test_a_log_need_not_reach_back_to_the_last_row(project: DbtProject, order: str | None) -> None:
    """Loaded once a week, compacted after it, and kept for some days: the last run is enough."""
    source = f"weekly_{order}".lower()
    make(project, source, tracked=True)
    project.rows(f"alter table {source} set tblproperties ('delta.checkpointInterval' = '2')")
    model = f"{source}_windows"
    config = {"source_changes": "retract"} if order else {}
    project.model(model, session_model(source, arrival_order=order, config=config))
    for minute in (1, 4):
        project.append(source, rows(minute, minute + 1))
        project.append(source, rows(minute + 2))
        project.run(model)
        compact(project, source)
        told = explained(project, model)[model]
        project.run(model)
        assert (told["rows"], told["refreshes"]) == (0, 1)
        told = explained(project, model)[model]
        before = version(project, model)
        project.run(model)
        assert (told["refreshes"], version(project, model)) == (0, before)
        forget(project, source, all_but=1)
    project.rows(f"alter table {source} set tblproperties ('team' = 'web')")
    project.append(source, rows(7))
    project.append(source, rows(8))
    project.run(model)
    compact(project, source)
    with killed_after(lambda sql: sql.step == "windows") as kill, suppress(Killed):
        project.run(model)
    assert kill.happened
    forget(project, source, all_but=1)
    project.append(source, rows(9))
    project.run(model)
    assert [run.rows_read for run in ledger(project, model)] == [4, 0, 3, 0, 2, 0, 1]
    assert project.rows(f"select n from {model}")[0].n == 10


@pytest.mark.parametrize(
    "told", sampled(["build", "by number", "by version", "made again"], ["build", "made again"])
)
def test_a_killed_run_whose_source_has_no_more_what_it_read(project: DbtProject, told: str) -> None:
    """What follows from its commit is told from the rows that it had read."""
    source, built = "lost_" + told.replace(" ", "_"), told != "build"
    make(project, source, tracked=told == "by number")
    project.rows(f"alter table {source} set tblproperties ('delta.checkpointInterval' = '2')")
    model = f"{source}_windows"
    project.model(model, session_model(source, arrival_order=None))
    if built:
        project.run(model)
        project.append(source, rows(1))
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run(model)
    if told == "made again":
        project.rows(f"drop table {source}")
        make(project, source, tracked=False)
        project.append(source, rows(1))
    project.append(source, rows(2))
    if told != "made again":
        forget(project, source, all_but=1)
    error = project.run(model, expect_error=True).error
    for said in (error, str(explained(project, model)[model]["why"])):
        assert "the rows that it had read cannot be read again" in said
        assert "run with --full-refresh" in said
    project.run(model, full_refresh=True)
    assert project.rows(f"select n from {model}")[0].n == 2 + built


@pytest.mark.skipif(not ICEBERG, reason="snapshots of Iceberg")
def test_a_killed_run_whose_last_snapshot_is_there(project: DbtProject) -> None:
    """It says itself which one it followed, and what came with it."""
    make(project, "kept", tracked=False)
    project.model("kept_windows", session_model("kept", arrival_order=None))
    project.run("kept_windows")
    project.append("kept", rows(1))
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("kept_windows")
    forget(project, "kept", all_but=1)
    project.append("kept", rows(2))
    project.run("kept_windows")
    assert [run.rows_read for run in ledger(project, "kept_windows")] == [1, 1, 1]
    assert project.rows("select n from kept_windows")[0].n == 3


@pytest.mark.parametrize("tracked", [True, False])
def test_what_a_killed_run_has_cached_is_in_nobodys_way(project: DbtProject, tracked: bool) -> None:
    """Spark plans it anew where a table that it names is written, also when its files are gone.

    Delta has no other name for a version: there `clear cache` mends it.
    """
    source = f"left_{tracked}".lower()
    make(project, source, tracked)
    project.rows(f"alter table {source} set tblproperties ('delta.checkpointInterval' = '2')")
    model = f"{source}_windows"
    project.model(model, session_model(source, arrival_order=None))
    project.run(model)
    project.append(source, rows(1))
    with killed_after(lambda sql: sql.step == "windows") as kill, suppress(Killed):
        project.run(model)
    assert kill.happened
    project.append(source, rows(2))
    if ICEBERG or tracked:
        compact(project, source)
    project.run(model)
    forget(project, source, all_but=1)
    if not ICEBERG:
        project.rows("clear cache")
    project.append(source, rows(3))
    project.run(model)
    assert project.rows(f"select n from {model}")[0].n == 4


@pytest.mark.skipif(not ICEBERG, reason="summaries of Iceberg's snapshots")
def test_a_snapshot_that_says_no_more_than_what_it_was(project: DbtProject) -> None:
    """The specification asks for no more, and some writers give no more."""
    counts = {
        "found nothing": ("delete", "map('changed-partition-count', '0', 'total-records', '7')"),
        "went": ("delete", "map('changed-partition-count', '1', 'deleted-data-files', '1')"),
        "says nothing": ("delete", "map()"),
        "says nothing of what was put there": ("overwrite", "map('engine', 'another')"),
    }  # fmt: skip
    values = ", ".join(
        f"('{name}', '{operation}', cast({summary} as map<string, string>))"
        for name, (operation, summary) in counts.items()
    )
    nothing = Macros()["_iceberg_did_nothing"]()
    found = project.rows(
        f"select name from values {values} as t (name, operation, summary) where {nothing}"
    )
    assert [row.name for row in found] == ["found nothing"]
