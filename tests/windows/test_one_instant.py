"""Without an arrival order a refresh is one instant: rows are late against earlier ones only."""

from __future__ import annotations

import pytest

from tests.formats import last_commit
from tests.harness import FILE_FORMAT, DbtProject
from tests.windows.conformance import timestamp

COLUMNS = "key string, ts timestamp, value bigint"
MODEL = """
{{ config(materialized='windowed') }}
{{ event_windows.windowed(
    relation=source('raw', 'clicks'), key='key', event_time='ts',
    window=event_windows.session(gap='10 seconds', grace='20 seconds'),
    aggregates={'n': 'count(*)', 'total': 'sum(value)'}
) }}
"""


def rows(*times: int, key: str | None = "a") -> list[tuple[object, ...]]:
    return [(key, timestamp(time * 1000), 1) for time in times]


def sessions(project: DbtProject) -> list[tuple[object, ...]]:
    return [
        tuple(row)
        for row in project.rows(
            "select key, unix_seconds(window_start), unix_seconds(window_end), n from clicks_s "
            "order by 1, 2"
        )
    ]


def dropped(project: DbtProject) -> list[tuple[object, ...]]:
    return [
        tuple(row)
        for row in project.rows(
            "select key, unix_seconds(ts), reason, unix_seconds(stream_time) from "
            "clicks_s__dropped order by ts"
        )
    ]


def test_rows_of_one_refresh_are_never_late_against_each_other(project: DbtProject) -> None:
    project.create_source("clicks", rows(1000, 100, 105) + rows(50, key=None), COLUMNS)
    project.model("clicks_s", MODEL)
    project.run("clicks_s")
    assert sessions(project) == [("a", 100, 105, 2), ("a", 1000, 1000, 1)]
    assert dropped(project) == [(None, 50, "null_key", None)]

    # 960 and 969 are closed at 1000 and so late together; 989 reaches the open session
    project.append("clicks", rows(960, 969, 989, 991) + rows(5, key="b"))
    project.run("clicks_s")
    assert sessions(project) == [("a", 100, 105, 2), ("a", 989, 1000, 3), ("b", 5, 5, 1)]
    assert dropped(project) == [
        (None, 50, "null_key", None),
        ("a", 960, "late", 1000),
        ("a", 969, "late", 1000),
    ]


def test_a_row_without_a_time_has_the_clock_of_its_key_beside_a_late_row(
    project: DbtProject,
) -> None:
    project.create_source("two", rows(1000) + rows(700, key="b"), COLUMNS)
    project.model("two_s", MODEL.replace("'clicks'", "'two'"))
    project.run("two_s")
    project.append("two", [*rows(100), ("b", None, 1)])
    project.run("two_s")
    told = project.rows("select key, reason, unix_seconds(stream_time) as t from two_s__dropped")
    assert sorted(map(tuple, told)) == [("a", "late", 1000), ("b", "null_event_time", 700)]


def test_nothing_new_changes_nothing_and_a_rewritten_source_is_refused(
    project: DbtProject,
) -> None:
    before = last_commit(project, "clicks_s")
    project.run("clicks_s")
    assert last_commit(project, "clicks_s") == before

    project.rows(f"delete from {project.schema}.clicks where ts = timestamp_seconds(100)")
    error = project.run("clicks_s", expect_error=True).error
    assert "--full-refresh" in error
    assert {"delta": "DELETE in version", "iceberg": "overwrite in snapshot"}[FILE_FORMAT] in error
    project.run("clicks_s", full_refresh=True)
    # all in one instant now, and so nothing is late
    assert sessions(project)[:2] == [("a", 105, 105, 1), ("a", 960, 969, 2)]


def test_a_view_cannot_tell_what_is_new(project: DbtProject) -> None:
    project.model(
        "clicks_v", "{{ config(materialized='view') }} select * from {{ source('raw', 'clicks') }}"
    )
    project.model("over_view", MODEL.replace("source('raw', 'clicks')", "ref('clicks_v')"))
    project.run("clicks_v")
    error = project.run("over_view", expect_error=True).error
    assert "arrival_order" in error


@pytest.mark.slow
def test_without_rows_it_is_built_and_reads_them_later(project: DbtProject) -> None:
    project.create_source("later", rows(1000, 100), COLUMNS)
    project.model("empty", MODEL.replace("clicks", "later"))
    project.run("empty", "--empty")
    assert project.rows("select * from empty") == []
    project.run("empty")
    assert len(project.rows("select * from empty")) == 2
    before = last_commit(project, "empty")
    project.append("later", rows(2000))
    project.run("empty", "--empty")
    assert last_commit(project, "empty") == before
    project.run("empty")
    assert len(project.rows("select * from empty")) == 3
