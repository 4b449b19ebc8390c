"""Segments of the windows table, by window end as in KIP-94, and what a refresh touches of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.formats import partitions_written, version, written
from tests.harness import DbtProject, recorded

COLUMNS = "key string, ts timestamp, seq bigint"
MODEL = """
{{{{ config(materialized='windowed', segment_interval={interval!r}) }}}}
{{{{ event_windows.windowed(
    relation=source('raw', {source!r}), key='key', event_time='ts',
    window=event_windows.session(gap='100 milliseconds', grace='1 day'),
    aggregates={{'n': 'count(*)'}}, arrival_order='seq'
) }}}}
"""


def at(seconds: float) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


def test_the_segment_is_the_end_div_the_interval(project: DbtProject) -> None:
    # KIP-94's example: with an interval of 1000, 0 and 500 are in segment 0, 1000 in 1, 2000 in 2
    times = [0, 0.5, 1, 2, -0.001]
    rows = [(f"k{seq}", at(time), seq) for seq, time in enumerate(times)]
    project.create_source("few", rows, COLUMNS)
    project.model("segmented", MODEL.format(interval="1 second", source="few"))
    project.run("segmented")

    found = project.rows("select _ew_segment from segmented order by key")
    assert [row._ew_segment for row in found] == [0, 0, 1, 2, -1]


def test_a_refresh_touches_no_file_of_a_segment_out_of_reach(project: DbtProject) -> None:
    day = 86400
    rows = [("a", at(place * day + 100), place) for place in range(30)]
    project.create_source("month", rows, COLUMNS)
    project.model("daily", MODEL.format(interval="1 day", source="month"))
    project.run("daily")
    assert project.rows("select count(distinct _ew_segment) as n from daily")[0].n == 30

    before = version(project, "daily")
    project.append("month", [("a", at(29 * day + 100.05), 30)])
    with recorded() as statements:
        project.run("daily")

    merge = next(sql for sql in statements.writes if "merge into" in sql and "_ew_place" in sql)
    assert "stored._ew_segment >= 29" in merge
    # one file with one window was there to be read, and nothing else was written again
    assert partitions_written(project, "daily", before) == {29}
    found = written(project, "daily", before)
    assert {row._ew_segment for row in found} == {29}
