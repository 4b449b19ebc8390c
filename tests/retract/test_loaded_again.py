"""Sources that are emptied, overwritten in whole or in part, or made again: windows are what a full
refresh gives, or the run stops with the sentence that docs/changes.md promises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.harness import FILE_FORMAT, DbtProject, local_frame, sampled
from tests.retract.test_any_change import LAYOUTS
from tests.session_models import EVENTS, SESSIONS, events, ledger, public, session_model

RETRACT = {"source_changes": "retract"}
UNBOUNDED = SESSIONS.replace("1 day", "unbounded")
FIRST = [("a", 0), ("a", 20), ("b", 5), ("a", 4000), ("a", 1), (None, 3), ("c", None), ("d", 9)]
# of each of these keys: rows as they were, without one between two, on time by now, or of a new key
AGAIN = events([("a", 0), ("a", 40), ("b", 5), ("a", 2), (None, 3), ("e", 1), ("e", None)])


def over(name: str, rows: str = "again") -> str:
    return f"insert overwrite {name} select * from {rows}"


@contextmanager
def _dynamic(project: DbtProject) -> Iterator[None]:
    project.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    try:
        yield
    finally:
        project.spark.conf.unset("spark.sql.sources.partitionOverwriteMode")


def _load_again(project: DbtProject, name: str) -> None:
    project.rows(f"truncate table {name}")
    project.rows(f"insert into {name} select * from again")


def _load_the_same(project: DbtProject, name: str) -> None:
    project.rows(f"create table {name}_kept using {FILE_FORMAT} as select * from {name}")
    project.rows(f"truncate table {name}")
    project.rows(f"insert into {name} select * from {name}_kept")


def _overwrite(project: DbtProject, name: str) -> None:
    project.rows(over(name))


def _overwrite_a_partition(project: DbtProject, name: str) -> None:
    project.rows(
        f"insert overwrite {name} partition (key = 'a') "
        "select event_time, arrival_seq, value from again where key = 'a'"
    )


def _overwrite_partitions(project: DbtProject, name: str) -> None:
    with _dynamic(project):
        project.rows(over(name) + " where key <> 'b' or key is null")


def _replace_where(project: DbtProject, name: str) -> None:
    project.rows(
        f"insert into {name} replace where key in ('a', 'b', 'd') "
        "select * from again where key in ('a', 'b')"
    )


def _replace_some_rows(project: DbtProject, name: str) -> None:
    """Within files, which Delta alone does; Iceberg asks for a condition over whole ones."""
    frame = project.spark.table("again").where("arrival_seq = 1")
    project.spark.catalog.setCurrentDatabase(project.schema)
    if FILE_FORMAT == "delta":
        where = "arrival_seq between 1 and 3"
        frame.write.format("delta").mode("overwrite").option("replaceWhere", where).saveAsTable(
            f"{project.schema}.{name}"
        )
        return
    frame.writeTo(f"{project.schema}.{name}").overwritePartitions()


def _drop(project: DbtProject, name: str) -> None:
    project.rows(f"drop table {name}")
    _create(project, name, LAYOUTS[0])
    project.rows(f"insert into {name} select * from again")


def _create_or_replace(project: DbtProject, name: str) -> None:
    options = ", ".join(f"'{option}' = '{value}'" for option, value in LAYOUTS[0].items())
    project.rows(
        f"create or replace table {name} using {FILE_FORMAT} partitioned by (key) "
        f"tblproperties ({options}) as select * from again"
    )


def _create(project: DbtProject, name: str, layout: dict[str, str]) -> None:
    options = ", ".join(f"'{option}' = '{value}'" for option, value in layout.items())
    project.rows(
        f"create table {name} ({EVENTS}) using {FILE_FORMAT} partitioned by (key) "
        f"tblproperties ({options})"
    )


def _models(project: DbtProject, name: str, layout: dict[str, str]) -> None:
    """`_m` with an arrival order and `_u` without one follow the source, `_w` is built anew."""
    project.create_source(name, [], EVENTS)  # among the sources of dbt
    project.rows(f"drop table {name}")
    _create(project, name, layout)
    local_frame(project.spark, AGAIN, EVENTS).createOrReplaceTempView("again")
    unordered = session_model(name, UNBOUNDED, config=RETRACT, arrival_order=None)
    project.model(f"{name}_m", session_model(name, config=RETRACT))
    project.model(f"{name}_u", unordered)
    project.model(f"{name}_w", session_model(name))
    project.append(name, events(FIRST))
    project.run(f"{name}_m", f"{name}_u")


def _tables(project: DbtProject, model: str) -> list[list[str]]:
    tables = ["", "__dropped", "__stream_time"]
    return [public(project, model + table, without=["run_id"]) for table in tables]


def _is_as_the_source(project: DbtProject, name: str, way: str) -> None:
    """Without an order no row is late: Spark's own windows are those of a full refresh."""
    assert _tables(project, f"{name}_m") == _tables(project, f"{name}_w"), way
    timed = f"from {name} where key is not null and event_time is not null"
    told = "order by all"
    for found, due in [
        (
            f"select key, window_start, n from {name}_u",
            f"select key, session_window.start, count(*) {timed} "
            "group by key, session_window(event_time, '30 minutes')",
        ),
        (
            f"select key, stream_time from {name}_u__stream_time",
            f"select key, max(event_time) {timed} group by key",
        ),
    ]:
        due_rows = [tuple(row) for row in project.rows(f"{due} {told}")]
        assert [tuple(row) for row in project.rows(f"{found} {told}")] == due_rows, (way, found)


WAYS: dict[str, Callable[[DbtProject, str], None]] = {
    way.__name__[1:]: way
    for way in [
        _load_again,
        _overwrite_a_partition,
        _replace_where,
        _load_the_same,
        _overwrite,
        _overwrite_partitions,
        _replace_some_rows,
    ]
}


def check(project: DbtProject, name: str, layout: dict[str, str], ways: list[str]) -> None:
    """Rows that came before and after it, and that no run had read, are what is new besides."""
    _models(project, name, layout)
    for turn, way in enumerate(ways, 1):
        project.append(name, events([("a", 45), ("b", 9000 + turn)], 100 * turn))
        WAYS[way](project, name)
        project.append(name, events([("b", 6), ("f", turn)], 100 * turn + 20))
        project.run(f"{name}_m", f"{name}_u")
        project.run(f"{name}_w", full_refresh=True)
        _is_as_the_source(project, name, way)
        assert [len(ledger(project, f"{name}_{model}")) for model in "mu"] == [turn + 1] * 2, way


def test_truncated_and_loaded_again(project: DbtProject) -> None:
    check(project, "truncated", LAYOUTS[0], ["load_again"])


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(LAYOUTS)))
def test_each_way_after_the_other(project: DbtProject, place: int) -> None:
    check(project, f"ways_{place}", LAYOUTS[place], [*WAYS])


@pytest.mark.parametrize("way", sampled([_drop, _create_or_replace], [_drop]))
def test_a_table_that_was_made_again_stops(
    project: DbtProject, way: Callable[[DbtProject, str], None]
) -> None:
    """Nothing is written then; of another table no row is known to be new."""
    name = way.__name__[1:] + "s"
    _models(project, name, LAYOUTS[0])
    before = [_tables(project, f"{name}_{model}") for model in "mu"]
    way(project, name)
    error = project.run(f"{name}_m", f"{name}_u", expect_error=True).error
    assert f"what changed in {project.schema}.{name} since the last refresh cannot be told" in error
    assert f"which rows of {project.schema}.{name} are new cannot be told" in error
    assert error.count("run with --full-refresh") == 2
    assert error.count("or give an arrival_order") == 0
    assert [_tables(project, f"{name}_{model}") for model in "mu"] == before
    project.run(f"{name}_m", f"{name}_u", f"{name}_w", full_refresh=True)
    _is_as_the_source(project, name, "")
