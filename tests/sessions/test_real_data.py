"""Real data, at once and in refreshes: the figures of shared/data/EXPECTED.md, and Spark's own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from pyspark.sql import functions as f

from tests.harness import DbtProject, sampled
from tests.reference.records import Row
from tests.reference.session import session
from tests.session_models import session_model

AGGREGATES = {"n": "count(*)"}


def window(grace: str) -> str:
    return f"event_windows.session(gap='30 minutes', grace='{grace}')"


@dataclass(frozen=True)
class Data:
    """A file, a grace at which none of its rows is late, and its sessions with a 30-minute gap."""

    name: str
    grace: str
    rows: int
    sessions: int
    single: int
    largest: tuple[int, str]
    longest: tuple[int, str]
    total_seconds: int
    null_keys: int = 0


WEB_LOG = Data(
    *("web_log", "1 minute", 63_524, 22_224, 13_138),
    (251, "cdb3fc54779e3a9a0afd62d76e675e5b"),
    (18_123, "1662ec67c0839922d7f4226fd1877665"),
    6_053_477,
)
WEB_DOWNLOADS = Data(
    *("web_downloads", "1 hour", 80_431, 5_269, 2_032),
    (12_370, "2012-12-26/1"),
    (86_396, "2012-12-26/1"),
    1_778_199,
)
WEB_SHOP = Data(
    *("web_shop", "0 seconds", 541_909, 19_969, 2_286),
    (543, "14096"),
    (4_200, "17450"),
    647_580,
    null_keys=135_080,
)
SENSORS = Data(
    *("sensors", "1 day", 599_818, 5_533, 547),
    (1_580, "2402"),
    (77_214, "2608"),
    95_082_400,
)
ALL = [WEB_LOG, WEB_DOWNLOADS, WEB_SHOP, SENSORS]


def load(project: DbtProject, data: Data, where: str = "true") -> None:
    frame = project.real_data(data.name).where(where)
    project.create_source(f"{data.name}_rows", frame)


def truth(project: DbtProject, data: Data) -> set[tuple[Any, ...]]:
    """Spark's session_window over the whole file; its sessions end a gap later."""
    frame = project.real_data(data.name)
    grouped = (
        frame.where("key is not null")
        .groupBy("key", f.session_window("event_time", "30 minutes").alias("w"))
        .agg(f.count("*").alias("n"))
        .selectExpr("key", "w.start as first", "w.end - interval 30 minutes as last", "n")
    )
    return {tuple(row) for row in grouped.collect()}


def sessions(project: DbtProject, table: str) -> set[tuple[Any, ...]]:
    found = project.rows(f"select key, window_start, window_end, n from {table}")
    assert len(found) == len(set(found)), "a window is there twice"
    return {tuple(row) for row in found}


@pytest.mark.parametrize("data", sampled(ALL, [WEB_LOG, WEB_DOWNLOADS]), ids=lambda data: data.name)
def test_figures_and_sessions_of_the_whole_file(project: DbtProject, data: Data) -> None:
    load(project, data)
    name = f"{data.name}_whole"
    project.model(name, session_model(f"{data.name}_rows", window(data.grace)))
    project.run(name)

    figures = project.rows(
        "select count(*) as sessions, count_if(n = 1) as single, sum(n) as counted, "
        "max(struct(n, key)) as largest, max(struct(d, key)) as longest, sum(d) as total "
        f"from (select *, timestampdiff(second, window_start, window_end) as d from {name})"
    )[0]
    assert (figures.sessions, figures.single) == (data.sessions, data.single)
    assert figures.counted == data.rows - data.null_keys
    assert tuple(figures.largest) == data.largest
    assert tuple(figures.longest) == data.longest
    assert figures.total == data.total_seconds

    assert sessions(project, name) == truth(project, data)
    dropped = project.rows(f"select reason, count(*) as n from {name}__dropped group by reason")
    assert {row.reason: row.n for row in dropped} == (
        {"null_key": data.null_keys} if data.null_keys else {}
    )


def in_slices(project: DbtProject, data: Data, name: str, slices: list[str]) -> None:
    """Run after each slice of the file, given as conditions, has arrived."""
    frame = project.real_data(data.name)
    project.model(name, session_model(f"{name}_rows", window(data.grace)))
    for place, condition in enumerate(slices):
        if place == 0:
            project.create_source(f"{name}_rows", frame.where(condition))
        else:
            project.append(f"{name}_rows", frame.where(condition))
        project.run(name)


def arrivals(rows: int, pieces: int) -> list[str]:
    edges = [rows * place // pieces for place in range(pieces + 1)]
    return [f"arrival_seq >= {low} and arrival_seq < {high}" for low, high in pairwise(edges)]


@pytest.mark.slow
@pytest.mark.parametrize("pieces", [4, 20])
def test_web_log_in_refreshes(project: DbtProject, pieces: int) -> None:
    """dbt-labs/segment ends with 72 wrong sessions here, a lookback merge with 73 too many."""
    name = f"web_log_in_{pieces}"
    in_slices(project, WEB_LOG, name, arrivals(WEB_LOG.rows, pieces))
    assert sessions(project, name) == truth(project, WEB_LOG)
    assert not project.rows(f"select * from {name}__dropped")


@pytest.mark.parametrize("days", sampled([4, 23], [4]))
def test_sensors_in_daily_files(project: DbtProject, days: int) -> None:
    """segment loses 229,820 events here, microbatch gets 3,030 sessions wrong; no row is late."""
    frame = project.real_data("sensors")
    # the order of the files is that of their arrival, not of their names
    order = frame.groupBy("batch").agg(f.min("arrival_seq").alias("first")).orderBy("first")
    batches = [row.batch for row in order.collect()]
    assert len(batches) == 23
    # only a few files: their own sessions are the truth
    chosen = batches if days == 23 else batches[:days]
    name = f"sensors_in_{days}"
    in_slices(project, SENSORS, name, [f"batch = '{batch}'" for batch in chosen])
    read = frame.where(f.col("batch").isin(chosen))
    own = read.groupBy("key", f.session_window("event_time", "30 minutes").alias("w")).agg(
        f.count("*").alias("n")
    )
    expected = own.selectExpr("key", "w.start", "w.end - interval 30 minutes", "n").collect()
    assert sessions(project, name) == {tuple(row) for row in expected}
    assert not project.rows(f"select * from {name}__dropped")


@pytest.mark.parametrize(
    ("data", "percent"),
    [(WEB_DOWNLOADS, 8), pytest.param(SENSORS, 5, marks=pytest.mark.slow)],
    ids=["web_downloads", "sensors"],
)
def test_late_rows_without_grace(project: DbtProject, data: Data, percent: int) -> None:
    """A clock per key and no grace: most rows lag, those out of every open session's reach drop."""
    frame = project.real_data(data.name)
    # some keys only: the reference is slow
    subset = frame.where(f"pmod(hash(key), 100) < {percent}").orderBy("arrival_seq")
    rows = subset.selectExpr("key", "unix_micros(event_time) as t", "arrival_seq").collect()
    half = rows[len(rows) // 2].arrival_seq
    name = f"{data.name}_late"
    project.create_source(f"{name}_rows", subset.where(f"arrival_seq < {half}"))
    project.model(name, session_model(f"{name}_rows", window("0 seconds")))
    project.run(name)
    project.append(f"{name}_rows", subset.where(f"arrival_seq >= {half}"))
    project.run(name)

    result = session([Row(row.key, row.t) for row in rows], gap=1_800_000_000, grace=0)
    assert result.dropped
    found = project.rows(
        f"select key, unix_micros(window_start), unix_micros(window_end), n from {name}"
    )
    assert {tuple(row) for row in found} == {
        (w.key, w.start, w.end, len(w.rows)) for w in result.windows
    }
    dropped = project.rows(
        f"select arrival_seq, reason, unix_micros(stream_time) from {name}__dropped"
    )
    assert {tuple(row) for row in dropped} == {
        (rows[d.index].arrival_seq, d.reason, d.stream_time) for d in result.dropped
    }
