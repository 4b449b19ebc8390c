"""docs/erasure.md, step by step: no file has a person who was erased, and each had before."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.formats import is_view
from tests.harness import FILE_FORMAT, REPOSITORY, DbtProject
from tests.session_models import EVENTS, at, session_model

PERSON = "secret-person-17"
RETRACT = {"source_changes": "retract"}
IN_SQL = """
{{ config(materialized='windowed', source_changes='retract', grace='1 day',
          arrival_order='arrival_seq') }}
select key, session_window.start as began, count(*) as n, collect_set(value) as seen
from {{ source('raw', 'persons') }}
group by key, session_window(event_time, '30 minutes')
"""
ROLLUP = """
{{ config(materialized='rollup') }}
select date(window_start) as day, max(key) as most, collect_set(key) as who, count(*) as visits
from {{ ref('persons_m') }}
group by all
"""
# what holds a person's rows, before
HOLD = {
    "persons",
    "persons_m",
    "persons_m__dropped",
    "persons_m__ew_clocks",
    "persons_p__state",
    "persons_p__dropped",
    "persons_p__ew_clocks",
    "persons_r",
}
# how the source keeps rows that were deleted in files that it does not write anew
DELETED_ON_READ = {
    "iceberg": {"write.delete.mode": "merge-on-read"},
    "delta": {"delta.enableChangeDataFeed": "true", "delta.enableDeletionVectors": "true"},
}[FILE_FORMAT]


@pytest.mark.slow
def test_nothing_of_a_person_is_left(project: DbtProject) -> None:
    rows = [(PERSON, at(0), 0, 0), ("b", at(5), 1, 1), (PERSON, at(4000), 2, 2)]
    late = [("b", at(4000), 3, 3), (PERSON, at(1), 4, 4), ("b", at(3), 5, 5)]
    project.create_source("persons", [], EVENTS)
    options = ", ".join(f"'{name}' = '{value}'" for name, value in DELETED_ON_READ.items())
    project.rows(f"alter table persons set tblproperties ({options})")
    project.append("persons", [*rows, *late])
    project.model("persons_m", session_model("persons", config=RETRACT))
    project.model("persons_p", IN_SQL)
    project.model("persons_r", ROLLUP)
    project.run()
    assert {table for table in _tables(project) if _files_with_the_person(project, table)} == HOLD
    project.rows(f"delete from persons where key = '{PERSON}'")
    if FILE_FORMAT == "iceberg":
        _let_go(project, "persons", _statements()[:2])
    project.run()
    for table in [*_tables(project), "persons_p"]:
        for row in project.rows(f"select to_json(struct(*)) as row from {table}"):
            assert PERSON not in row.row, table
    # versions before still have it
    assert {table for table in _tables(project) if _files_with_the_person(project, table)} == HOLD
    for table in _tables(project):
        is_done = FILE_FORMAT == "iceberg" and table == "persons"
        _let_go(project, table, _statements()[2 * is_done :])
    for table in _tables(project):
        assert not _files_with_the_person(project, table), table
    assert [row.n for row in project.rows("select n from persons_m")] == [1, 1]
    project.append("persons", [("b", at(6), 6, 6), ("b", at(4001), 7, 7)])
    project.run()
    assert [row.n for row in project.rows("select n from persons_m order by n")] == [1, 2]


def _tables(project: DbtProject) -> list[str]:
    names = [row.tableName for row in project.rows("show tables") if not row.isTemporary]
    return sorted(name for name in names if not is_view(project, name))


def _statements() -> list[str]:
    """Those of the page for a table of this format."""
    page = (REPOSITORY / "docs/erasure.md").read_text()
    texts = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    text = dict(zip(["iceberg", "delta"], texts, strict=True))[FILE_FORMAT]
    return [sql for sql in text.split(";\n") if sql]


def _let_go(project: DbtProject, table: str, statements: list[str]) -> None:
    """With what the reader of the page is to put in; Spark 4 needs no extensions for CALL."""
    for statement in statements:
        [now] = project.rows("select cast(now() + interval '1 second' as string) as at")
        given = {
            "catalog.system": "spark_catalog.system",
            "web.visits": f"{project.schema}.{table}",
            "2026-01-01 00:00:00": now.at,
            "interval 7 days": "interval 0 days",
        }
        sql = statement
        for printed, put in given.items():
            sql = sql.replace(printed, put)
        project.rows(sql)


def _files_with_the_person(project: DbtProject, table: str) -> list[Path]:
    """Files of rows and of changes; of Iceberg also those that tell bounds of columns.

    Delta's log tells them until it is cleaned, as the page says.
    """
    folder = project.folder / table
    found = [
        path
        for path in folder.rglob("*.parquet")
        if "_delta_log" not in path.parts and PERSON in str(pq.ParquetFile(path).read().to_pylist())
    ]
    if FILE_FORMAT == "iceberg":
        found += [
            Path(row.file) for row in project.rows(_BOUNDS.format(f"{project.schema}.{table}"))
        ]
    return found


_BOUNDS = f"""
select distinct data_file.file_path as file
from {{}}.all_entries
where exists(
    concat(map_values(data_file.lower_bounds), map_values(data_file.upper_bounds)),
    bound -> contains(decode(bound, 'ISO-8859-1'), '{PERSON[:12]}')
)
"""
