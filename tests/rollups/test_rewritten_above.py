"""Where a store wrote files anew around what changed, groups are found without reading its log."""

from __future__ import annotations

import pytest

from tests.explain.told import explained
from tests.formats import FILE_FORMAT
from tests.harness import DbtProject, recorded
from tests.rollups.chain import CLICKS, from_scratch, stored
from tests.session_models import at, session_model

TEXT = """
    select
        pmod(xxhash64(key), 50) as part, count(*) as visits, map('clicks', sum(clicks)) as facts,
        if(max(clicks) = 1, double('NaN'), -0.0D) as odd, cast(null as string) as none,
        sort_array(collect_list(named_struct('at', window_start, 'clicks', clicks)))[0] as least
    from {{ ref('visits') }}
    group by 1
    having count_if(key = 'gone') = 0
"""
# groups that stay as they are; rows of windows; a collation, which not every table keeps
TEXTS = {
    "by_part": TEXT,
    "later": "select key, count(*) as n from {{ ref('visits') }} where key > 'g' group by key",
    "busy": "select key, clicks * 2 as twice from {{ ref('visits') }} where clicks > 1",
    "in_all": "select count(*) as n, count_if(clicks > 1) as more from {{ ref('visits') }}",
}
if FILE_FORMAT == "iceberg":
    TEXTS["worded"] = """
        select length(key) as length, collate(max(key), 'UTF8_LCASE') as word, sum(clicks) as clicks
        from {{ ref('visits') }}
        group by 1
    """
LABELS = "key string, label string"
ROWS = 60_000
DAY = 24 * 60


@pytest.fixture(scope="module")
def built(project: DbtProject) -> DbtProject:
    """So many keys on the first day, one on the second."""
    project.create_source("clicks", [("later", at(DAY), 0, 1.0)], CLICKS)
    project.spark.sql(
        f"insert into {project.schema}.clicks "
        f"select cast(id as string), timestamp'{at(0):%F %T} UTC', id, 1.0D from range(1, {ROWS})"
    )
    session = "event_windows.session(gap='30 minutes', grace='unbounded')"
    project.model("visits", session_model("clicks", session, aggregates={"clicks": "count(*)"}))
    for name, text in TEXTS.items():
        project.model(name, "{{ config(materialized='rollup') }}" + text)
    project.run()
    return project


def part_of(project: DbtProject, *keys: str) -> int:
    """How many groups these keys are in."""
    values = ", ".join(f"('{key}')" for key in keys)
    (row,) = project.rows(
        f"select count(distinct pmod(xxhash64(key), 50)) from values {values} as t(key)"
    )
    return int(row[0])


def arrived(
    project: DbtProject, *rows: tuple[object, ...], texts: dict[str, str] = TEXTS
) -> dict[str, tuple[bool, str]]:
    """Of each rollup, whether its refresh computed every group, and what it says."""
    project.append("clicks", rows)
    project.run("visits")
    told = explained(project, *texts)
    found = {}
    for name, text in texts.items():
        with recorded() as statements:
            (result,) = project.run(name).results
        assert stored(project, name) == from_scratch(project, text), name
        sent = statements.steps_of(name)
        assert sent == told[name]["steps"], name
        every = any("__ew_every_" in sql for sql in statements)
        assert every == ("compares what they give" in str(told[name]["notes"])), name
        found[name] = every, str(result.message)
    return found


def test_groups_come_and_go(built: DbtProject) -> None:
    """Sessions grow; all others stay in files that are written anew."""
    keys = [str(n) for n in range(11, 19)]
    rows = [(key, at(10), 2 * ROWS + n, 1.0) for n, key in enumerate(keys)]
    found = arrived(built, *rows, ("gone", at(DAY), 3 * ROWS, 1.0))
    assert {every for every, _ in found.values()} == {FILE_FORMAT == "iceberg"}
    updated = part_of(built, *keys, "gone") - 1
    assert found["by_part"][1] == f"0 groups inserted, {updated} updated, 1 deleted"
    assert found["later"][1] == "1 groups inserted, 0 updated, 0 deleted"
    assert found["busy"][1] == "8 rows inserted, 0 deleted"


@pytest.mark.slow
def test_files_of_another_day(built: DbtProject) -> None:
    found = arrived(built, ("later", at(DAY + 1), 4 * ROWS, 1.0))
    assert not any(every for every, _ in found.values())
    assert found["by_part"][1] == "0 groups inserted, 1 updated, 0 deleted"


@pytest.mark.slow
def test_more_groups_than_are_told_one_by_one(built: DbtProject) -> None:
    """Each key a group, and groups by what a joined table says of it."""
    built.create_source("labels", [(str(n), f"of {n % 7}") for n in range(0, 100, 2)], LABELS)
    texts = {
        "by_key": "select key, sum(clicks) as clicks from {{ ref('visits') }} group by key",
        "by_label": """
            select coalesce(label, 'none') as label, count(*) as n, sum(clicks) as clicks
            from {{ ref('visits') }} as v left join {{ source('raw', 'labels') }} as l
                on v.key = l.key
            group by coalesce(label, 'none')
        """,
    }
    for name, text in texts.items():
        built.model(name, "{{ config(materialized='rollup') }}" + text)
    built.run(*texts)
    grown = 12_000
    rows = [(str(n), at(15), 5 * ROWS + n, 1.0) for n in range(1, grown + 1)]
    found = arrived(built, *rows, texts=texts)
    assert {every for every, _ in found.values()} == {FILE_FORMAT == "iceberg"}
    assert found["by_key"][1] == f"0 groups inserted, {grown} updated, 0 deleted"
