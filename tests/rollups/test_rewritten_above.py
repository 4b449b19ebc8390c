"""Where a store wrote files anew around what changed, groups are found without reading its log."""

from __future__ import annotations

import pytest

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
    project.model("by_part", "{{ config(materialized='rollup') }}" + TEXT)
    project.run()
    assert stored(project, "by_part") == from_scratch(project, TEXT)
    return project


def part_of(project: DbtProject, *keys: str) -> int:
    """How many groups these keys are in."""
    values = ", ".join(f"('{key}')" for key in keys)
    (row,) = project.rows(
        f"select count(distinct pmod(xxhash64(key), 50)) from values {values} as t(key)"
    )
    return int(row[0])


def arrived(project: DbtProject, *rows: tuple[object, ...]) -> tuple[bool, str]:
    """Whether a refresh of the rollup computed every group, and what it says."""
    project.append("clicks", rows)
    project.run("visits")
    with recorded() as statements:
        (result,) = project.run("by_part").results
    assert stored(project, "by_part") == from_scratch(project, TEXT)
    return any("__ew_every_" in sql for sql in statements), str(result.message)


def test_groups_of_files_that_were_written_anew(built: DbtProject) -> None:
    """Sessions grow, one moves on; all others stay in files that are written anew."""
    keys = [str(n) for n in range(1, 9)]
    rows = [(key, at(5), ROWS + n, 1.0) for n, key in enumerate(keys)]
    every, message = arrived(built, *rows)
    assert every == (FILE_FORMAT == "iceberg")
    assert message == f"0 groups inserted, {part_of(built, *keys)} updated, 0 deleted"


def test_a_group_goes(built: DbtProject) -> None:
    keys = [str(n) for n in range(1, 9)]
    rows = [(key, at(10), 2 * ROWS + n, 1.0) for n, key in enumerate(keys)]
    every, message = arrived(built, *rows, ("gone", at(DAY), 3 * ROWS, 1.0))
    assert every == (FILE_FORMAT == "iceberg")
    updated = part_of(built, *keys, "gone") - 1
    assert message == f"0 groups inserted, {updated} updated, 1 deleted"


def test_files_of_another_day(built: DbtProject) -> None:
    every, message = arrived(built, ("later", at(DAY + 1), 4 * ROWS, 1.0))
    assert not every
    assert message == "0 groups inserted, 1 updated, 0 deleted"
