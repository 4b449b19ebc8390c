"""changes: what refreshes did to a windows table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest

from tests.formats import version, versions, written
from tests.harness import FILE_FORMAT, DbtProject, selected
from tests.session_models import at, session_model

COLUMNS = "user_id string, viewed_at timestamp, arrival_seq bigint, amount bigint, noted timestamp"
SESSION = "event_windows.session(gap='30 minutes', grace='1 day')"
AGGREGATES = {"page_views": "count(*)", "most": "max(amount)"}
MODEL = session_model(
    "views", SESSION, key="user_id", event_time="viewed_at", aggregates=AGGREGATES
)
# Without the aggregate that tells every row: one that does not change, one by a microsecond a row
QUIET = MODEL.replace("'page_views': 'count(*)', ", "")
OTHERS = {"quiet": QUIET, "exact": QUIET.replace("max(amount)", "max(noted)")}


def views(first: int, *rows: tuple[str, float]) -> list[tuple[Any, ...]]:
    return [
        (who, at(minutes), n, 1, at(0) + timedelta(microseconds=n))
        for n, (who, minutes) in enumerate(rows, first)
    ]


def changes(project: DbtProject, sql: str) -> Any:
    """Counts of (user, start, end, change type), times in minutes."""
    start = at(0).replace(tzinfo=None)

    def minutes(time: Any) -> float:
        return float((time - start).total_seconds() / 60)

    return Counter(
        (r.user_id, minutes(r.window_start), minutes(r.window_end), r.change_type)
        for r in project.rows(sql)
    )


@dataclass
class Versions:
    """Of the tables after a build and after a refresh that joins two sessions."""

    built: int
    last: int
    others: dict[str, int]  # built, of those of OTHERS that are looked at


@pytest.fixture(scope="module")
def ends(request: pytest.FixtureRequest, project: DbtProject) -> Versions:
    first = views(0, ("a", 0), ("a", 10), ("a", 60), ("b", 0), ("b", 5))
    project.create_source("views", first, COLUMNS)
    project.model("visits", MODEL)
    others = selected(request, "other")
    for name in others:
        project.model(name, OTHERS[name])
    project.run()
    built = {name: version(project, name) for name in ("visits", *others)}
    # joins the sessions of a, lies inside that of b, begins one of c
    project.append("views", views(5, ("a", 35), ("b", 2), ("c", 0)))
    project.run()
    project.rows("alter table visits set tblproperties ('a' = 'b')")
    return Versions(built.pop("visits"), version(project, "visits"), built)


@pytest.fixture(scope="module")
def asked(project: DbtProject, ends: Versions) -> dict[str, str]:
    """The SQL of several calls."""
    built, last = ends.built, ends.last
    # with Delta a commit that sets a property is a version, with Iceberg it is none
    of_a_property = f"{last}, {last}" if FILE_FORMAT == "delta" else f"{last + 1}"
    calls = {
        "of_the_build": f"ref('visits'), 0, {built}",
        "of_the_refresh": f"ref('visits'), {built + 1}",
        "of_just_the_refresh": f"ref('visits'), {built + 1}, {last}",
        "from_the_first_version": "ref('visits'), 0",
        "without_a_version": "ref('visits')",
        "of_the_next_version": f"ref('visits'), {last + 1}",
        "of_versions_to_come": f"ref('visits'), {last + 5}, {last + 9}",
        "of_a_property": f"ref('visits'), {of_a_property}",
    }
    for name, version_built in ends.others.items():
        calls[f"of_{name}"] = f"ref('{name}'), {version_built + 1}"
    for name, arguments in calls.items():
        project.model(f"changes_{name}", call(arguments))
    results = project.dbt("compile", "changes_*").results
    for name in calls:
        (project.root / f"models/changes_{name}.sql").unlink()
    return {result.node.name[8:]: str(result.node.compiled_code) for result in results}


def call(arguments: str) -> str:
    return "{{ event_windows.changes(" + arguments + ") }}"


MERGED = {
    ("a", 0, 10, "update_preimage"): 1,
    ("a", 0, 60, "update_postimage"): 1,
    ("a", 60, 60, "delete"): 1,
    ("b", 0, 5, "update_preimage"): 1,
    ("b", 0, 5, "update_postimage"): 1,
    ("c", 0, 0, "insert"): 1,
}
BUILT = {("a", 0, 10, "insert"): 1, ("a", 60, 60, "insert"): 1, ("b", 0, 5, "insert"): 1}
NOW = {("a", 0, 60, "insert"): 1, ("b", 0, 5, "insert"): 1, ("c", 0, 0, "insert"): 1}


def test_what_a_refresh_changed(project: DbtProject, asked: dict[str, str]) -> None:
    assert changes(project, asked["of_the_build"]) == BUILT
    assert changes(project, asked["of_the_refresh"]) == MERGED
    assert changes(project, asked["of_just_the_refresh"]) == MERGED
    assert changes(project, asked["from_the_first_version"]) == Counter(MERGED) + Counter(BUILT)


def test_without_a_version_the_windows_as_they_stand(
    project: DbtProject, asked: dict[str, str], ends: Versions
) -> None:
    assert changes(project, asked["without_a_version"]) == NOW
    rows = project.rows(asked["without_a_version"])
    assert {(row.change_version, row.change_time) for row in rows} == {(ends.last, None)}


@pytest.mark.parametrize("name", ["from_the_first_version", "without_a_version"])
def test_only_public_columns_come_out(
    project: DbtProject, asked: dict[str, str], name: str
) -> None:
    columns = ["user_id", "window_start", "window_end", "page_views", "most"]
    changed = ["change_type", "change_version", "change_time"]
    assert project.spark.sql(asked[name]).columns == columns + changed


def test_each_change_says_when_it_was(
    project: DbtProject, asked: dict[str, str], ends: Versions
) -> None:
    rows = project.rows(asked["from_the_first_version"])
    found = {(row.change_version, row.change_time) for row in rows}
    assert found <= set(versions(project, "visits").items())
    assert len(found) == 2
    assert max(found)[0] > ends.built


@pytest.mark.parametrize("name", ["of_the_next_version", "of_versions_to_come"])
def test_a_range_after_the_latest_version_is_empty(
    project: DbtProject, asked: dict[str, str], name: str
) -> None:
    assert changes(project, asked[name]) == {}


def test_commits_that_only_set_properties_change_nothing(
    project: DbtProject, asked: dict[str, str]
) -> None:
    assert changes(project, asked["of_a_property"]) == {}


@pytest.mark.skipif(FILE_FORMAT != "delta", reason="one range a statement (docs/queries.md)")
def test_two_ranges_and_the_table_itself_in_one_statement(
    project: DbtProject, asked: dict[str, str]
) -> None:
    names = ["of_the_build", "of_the_refresh", "of_versions_to_come"]
    parts = [f"select '{name}' as asked, * from ({asked[name]})" for name in names]
    both = f"select * from ({' union all '.join(parts)})"
    found = {name: changes(project, f"{both} where asked = '{name}'") for name in names}
    assert found == dict(zip(names, [BUILT, MERGED, {}], strict=True))

    beside = f"select v.* from visits as v join ({asked['of_the_refresh']}) as c using (user_id)"
    assert project.rows(beside) != []


@pytest.mark.slow
@pytest.mark.parametrize("other", ["quiet"])
def test_a_window_that_was_written_again_as_it_was_is_left_out(
    project: DbtProject, asked: dict[str, str], ends: Versions, other: str
) -> None:
    # the row inside the session of b changed no public value of it
    changed = {change: n for change, n in MERGED.items() if change[0] != "b"}
    assert changes(project, asked[f"of_{other}"]) == changed
    assert sum(row.user_id == "b" for row in written(project, other, ends.others[other])) == 2


@pytest.mark.slow
@pytest.mark.parametrize("other", ["exact"])
def test_a_value_that_changed_by_a_microsecond_is_there(
    project: DbtProject, asked: dict[str, str], other: str
) -> None:
    assert changes(project, asked[f"of_{other}"]) == MERGED


@pytest.mark.slow
def test_a_full_refresh_is_a_change_too(project: DbtProject, ends: Versions) -> None:
    # rows that came before are gone, another has come: all of this is one new build
    project.spark.sql(f"delete from {project.schema}.views where user_id = 'c'")
    project.append("views", views(8, ("a", 300)))
    project.run("visits", full_refresh=True)
    built_again = {("a", 300, 300, "insert"): 1, ("c", 0, 0, "delete"): 1}
    sql = project.compile(inline=call(f"ref('visits'), {ends.last + 1}"))
    assert changes(project, sql) == built_again
    # what came before the build and after it is told beside it
    project.append("views", views(9, ("d", 400)))
    project.run("visits")
    sql = project.compile(inline=call(f"ref('visits'), {ends.built + 1}"))
    later = {("d", 400, 400, "insert"): 1}
    assert changes(project, sql) == Counter(MERGED) + Counter(built_again) + Counter(later)


@pytest.mark.slow
@pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="Delta's feed tells them")
def test_of_a_table_with_delete_files(project: DbtProject, ends: Versions) -> None:
    """Iceberg has no changelog of it, as long as it has such files."""
    project.create_source("merged", views(0, ("a", 0), ("a", 10), ("b", 0), ("c", 0)), COLUMNS)
    project.model("on_read", MODEL.replace("'views'", "'merged'"))
    project.run("on_read")
    built = version(project, "on_read")
    told: Counter[Any] = Counter()
    for first, mode in enumerate(["copy-on-write", "merge-on-read", "copy-on-write"], 4):
        project.rows(f"alter table on_read set tblproperties ('write.merge.mode' = '{mode}')")
        project.append("merged", views(first, ("a", 10 * first)))
        project.run("on_read")
        before, after = 10 * (first - 1) if first > 4 else 10, 10 * first
        told[("a", 0, before, "update_preimage")] += 1
        told[("a", 0, after, "update_postimage")] += 1
    snapshots = f"{project.schema}.on_read.snapshots order by committed_at"
    deletes = project.rows(f"select summary['total-delete-files'] as n from {snapshots}")
    assert [int(row.n) > 0 for row in deletes] == [False, False, True, True]
    sql = project.compile(inline=call(f"ref('on_read'), {built + 1}"))
    assert changes(project, sql) == told


BAD = {
    "version_in_text": ("ref('visits'), '3'", "from_version is '3': give a version"),
    "version_below_zero": ("ref('visits'), -1", "from_version is '-1'"),
    "backwards": ("ref('visits'), 3, 1", "to_version is '1' and from_version is '3'"),
    "only_to": ("ref('visits'), to_version=3", "from_version is 'None'"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_versions(project: DbtProject, case: str) -> None:
    arguments, text = BAD[case]
    project.model("bad", call(arguments))
    try:
        error = project.dbt("compile", "bad", expect_error=True).error
    finally:
        (project.root / "models/bad.sql").unlink()
    assert error.count("changes(...) cannot be used as written") == 1
    assert text in error


@pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="versions of Delta are numbers")
def test_the_id_of_a_snapshot_is_no_version(project: DbtProject, ends: Versions) -> None:
    """As a time it lies after all that was committed, so that no row would be told."""
    built = project.rows(
        f"select snapshot_id from {project.schema}.visits.history "
        f"where unix_millis(made_current_at) = {ends.built}"
    )[0].snapshot_id
    expired = 2**63 - 1
    for arguments, text in {
        f"{built}": f"from_version is '{built}': give {ends.built}",
        f"{ends.built}, {built}": f"to_version is '{built}': give {ends.built}",
        f"{expired}": f"from_version is '{expired}': give the time of a commit",
    }.items():
        sql = call(f"ref('visits'), {arguments}")
        assert text in project.dbt("compile", inline=sql, expect_error=True).error


def test_only_a_windowed_model_has_changes(project: DbtProject, ends: Versions) -> None:
    project.create_source("copied", project.spark.table(f"{project.schema}.visits"))
    project.spark.sql(f"alter table {project.schema}.visits add columns (change_type string)")
    project.model("of_copied", call("source('raw', 'copied'), 0"))
    project.model("of_visits", call("ref('visits'), 0"))
    outcome = project.run("of_copied", "of_visits", expect_error=True)
    said = {result.node.name: result.message for result in outcome.results}
    assert "is no table of a windowed model" in said["of_copied"]
    assert "column 'change_type' of" in said["of_visits"]
    assert "give the aggregate another name" in said["of_visits"]
