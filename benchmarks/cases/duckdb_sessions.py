"""DuckDB on the same files, for reference: one process without a cluster to start or to grow."""

from __future__ import annotations

import importlib
from pathlib import Path
from urllib.parse import unquote, urlparse

from benchmarks.case import Case, Measured, NotRunError
from benchmarks.cases.sessions import CLICKS, shared_clicks
from benchmarks.cases.texts import GAP, NUMERIC, columns, session_model
from benchmarks.workbench import Workbench
from tests.harness import FILE_FORMAT

SESSIONS = f"""
with marked as (
    select
        *,
        case when event_time > lag(event_time) over of_user + interval '{GAP}' then 1 else 0 end
            as starts
    from read_parquet({{files}})
    window of_user as (partition by user_id order by event_time)
),

numbered as (
    select *, sum(starts) over (partition by user_id order by event_time) as session_number
    from marked
)

select
    user_id, min(event_time) as window_start, max(event_time) as window_end,
    {", ".join(f"cast({sql} as bigint) as {name}" for name, sql in NUMERIC.items())}
from numbered
group by user_id, session_number
"""


def _files(bench: Workbench, table: str) -> list[str]:
    if FILE_FORMAT == "iceberg":
        listed = bench.spark.sql(f"select file_path from {table}.files").collect()
        return [row.file_path for row in listed]
    return bench.spark.table(table).inputFiles()


def against_duckdb(bench: Workbench) -> Measured:
    try:
        duckdb = importlib.import_module("duckdb")
    except ImportError:
        raise NotRunError("duckdb is not installed: .venv/bin/pip install duckdb") from None
    table = shared_clicks(bench)
    files = [unquote(urlparse(file).path) for file in _files(bench, table)]
    written = Path(bench.folder, "duckdb.parquet")
    connection = duckdb.connect(config={"threads": 2})
    connection.execute("set timezone = 'UTC'")
    select = SESSIONS.format(files=files)
    with bench.project("duckdb") as project:
        sql = bench.compiled(project, "sessions", session_model(CLICKS))
        ours_s, peer_s = bench.time(
            lambda: bench.build(f"{project.schema}.ours", sql),
            lambda: connection.execute(f"copy ({select}) to '{written}' (format parquet)"),
            lambda: bench.drop_built(project),
        )
        frame = bench.spark.read.parquet(str(written))
        # Spark writes times without a zone that DuckDB would see, and reads them back as such
        for time in ("window_start", "window_end"):
            frame = frame.withColumn(time, frame[time].cast("timestamp"))
        frame.createOrReplaceTempView("duckdb_sessions")
        same = bench.check_equal(
            f"select {columns()} from {project.schema}.ours",
            f"select {columns()} from duckdb_sessions",
        )
    connection.close()
    return Measured(bench.rows, ours_s, peer_s, equal=same)


CASES = (
    Case(
        "duckdb",
        "full build of sessions, numeric aggregates",
        "DuckDB on the same files, both cores",
        against_duckdb,
    ),
)
