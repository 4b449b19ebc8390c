"""`python -m tests.protocol.soak`: kills whole processes at random instants, looks at what is left.

Each dbt run is a process of its own, with its JVM and Python workers; SIGKILL ends all of them at
once, also inside a statement. A run after a kill begins with a look at the tables: whoever reads
meanwhile must see the windows of what had arrived before or of what has arrived now, never a half.
In the end windows and dropped rows must be those of the references in tests/reference, which take
rows one at a time, and the ledger must have read each row once.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.harness import FILE_FORMAT, REPOSITORY
from tests.protocol.processes import SCHEMA, Project, kill, own_session, python
from tests.reference.hopping import hopping
from tests.reference.records import Result, Row
from tests.reference.session import session
from tests.session_models import disordered

MODEL = """
{{{{ config(materialized='windowed', emit={emit!r}) }}}}
{{{{ event_windows.windowed(
    relation="{relation}", key='key', event_time='event_time', window=event_windows.{window},
    aggregates={{'n': 'count(*)', 'total': 'sum(value)'}}, arrival_order='arrival_seq'
) }}}}
"""
MINUTE = 60
# A run in five ends, with 17 rows on average: so rows arrive until the last kill.
ROWS_A_KILL = 5
# Name of the model: its window, what it emits, and the reference (times in seconds).
MODELS: dict[str, tuple[str, str, Callable[[list[Row]], Result]]] = {
    "sessions": (
        "session(gap='30 minutes', grace='20 minutes')",
        "updates",
        lambda rows: session(rows, 30 * MINUTE, 20 * MINUTE, None, "key"),
    ),
    "final_hours": (
        "hopping(size='1 hour', advance_by='20 minutes', grace='20 minutes')",
        "final",
        lambda rows: hopping(rows, 60 * MINUTE, 20 * MINUTE, 20 * MINUTE, scope="key"),
    ),
}
# Stops a run that finds half of something: `sums` are those after each arrival so far.
LOOK = """
{%- macro look() -%}
    {%- set table = api.Relation.create(schema=target.schema, identifier='sessions') -%}
    {%- if execute and load_relation(table) -%}
        {%- set n = run_query('select coalesce(sum(n), 0) as n from ' ~ table).rows[0]['n'] -%}
        {%- if n | int not in var('sums') -%}
            {{ exceptions.raise_compiler_error('a half: ' ~ n ~ ' is none of ' ~ var('sums')) }}
        {%- endif -%}
    {%- endif -%}
{%- endmacro -%}
"""


@dataclass
class Soaked:
    """What happened: kills that met a running process, and runs that ended."""

    kills: int = 0
    runs: int = 0

    def __str__(self) -> str:
        return f"{self.kills} kills and {self.runs} runs that ended"


def records(rows: list[tuple[Any, ...]]) -> list[Row]:
    return [Row(key, None if at is None else int(at.timestamp()), None) for key, at, *_ in rows]


def soak(
    folder: Path, kills: int, seed: int, count: int, names: Sequence[str] = tuple(MODELS)
) -> Soaked:
    """Let rows arrive, run dbt and kill it, until there were so many kills; then compare.

    Raises:
        AssertionError: a table is not what it must be; the seed makes it again, near enough.
    """
    chance = random.Random(seed)
    rows = disordered(seed, count)
    session = own_session(folder / "spark")
    project = Project(folder / "project", {"server_side_parameters": session})
    project.write("dbt_project.yml", _project_file())
    (project.root / "macros").mkdir()
    project.write("macros/look.sql", LOOK)
    for name in names:
        window, emit, _ = MODELS[name]
        project.model(name, MODEL.format(relation=project.relation, window=window, emit=emit))
    soaked = Soaked()
    sums = [0]
    longest = 20.0
    arrived = 0
    while soaked.kills < kills or arrived < len(rows):
        more = chance.randrange(5, 30) if soaked.kills < kills else len(rows)
        batch = rows[arrived : arrived + more]
        if batch:
            project.arrive(batch)
            arrived += len(batch)
            sums.append(
                sum(len(w.rows) for w in MODELS["sessions"][2](records(rows[:arrived])).windows)
            )
        arguments = ["--vars", f"{{sums: {sums}}}"]
        if chance.random() < 0.15:
            arguments.append("--full-refresh")
        while soaked.kills < kills and chance.random() < 0.8:
            running = project.start("run", *arguments)
            _wait_for_metastore(folder / "spark", running)
            time.sleep(chance.uniform(2, longest))
            soaked.kills += kill(running)
        started = time.monotonic()
        said = project.run(*arguments)
        assert said == "", f"seed {seed}, after {soaked.kills} kills: {said}"
        longest = time.monotonic() - started
        soaked.runs += 1
        print(f"{soaked}; the last run took {longest:.0f} s", flush=True)
    _compare(folder / "spark", rows, seed, names)
    return soaked


def _wait_for_metastore(spark_folder: Path, running: subprocess.Popen[str]) -> None:
    """Wait until the first process has made the schema, and so all that a metastore begins with.

    Of a process that is killed before it keeps a part, and no later process can open it: Spark's
    own as little as dbt's.
    """
    schema = spark_folder / "warehouse" / f"{SCHEMA}.db"
    while not schema.exists() and running.poll() is None:
        time.sleep(0.2)  # nothing tells of a new folder


def _project_file() -> dict[str, Any]:
    return {
        "name": "p",
        "version": "1.0.0",
        "config-version": 2,
        "profile": "p",
        "vars": {"sums": [0]},
        "models": {"+file_format": FILE_FORMAT},
        "on-run-start": ["{{ look() }}"],
    }


def _compare(
    spark_folder: Path, rows: list[tuple[Any, ...]], seed: int, names: Sequence[str]
) -> None:
    """Compare in a session of its own: this process may have another one."""
    code = "import sys; from tests.protocol.soak import compare; compare(*sys.argv[1:])"
    given = [str(spark_folder), str(seed), str(len(rows)), *names]
    python(REPOSITORY, code, *given, timeout=None)  # how many rows there are is the caller's choice


def compare(spark_folder: str, seed: str, count: str, *names: str) -> None:
    """The tables against the references."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.enableHiveSupport()
    for name, value in own_session(Path(spark_folder)).items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    rows = disordered(int(seed), int(count))
    for name in names:
        _, emit, reference = MODELS[name]
        result = reference(records(rows))
        clocks: dict[Any, int] = {}
        for row in records(rows):
            if row.key is not None and row.time is not None:
                clocks[row.key] = max(clocks.get(row.key, row.time), row.time)
        expected = {
            (
                window.key,
                window.start,
                window.end,
                len(window.rows),
                sum(rows[i][3] for i in window.rows),
            )
            for window in result.windows
            if emit == "updates" or clocks[window.key] >= window.end + 20 * MINUTE
        }
        stored = spark.sql(
            "select key, unix_seconds(window_start), unix_seconds(window_end), n, total "
            f"from {SCHEMA}.{name}"
        ).collect()
        found = {tuple(row) for row in stored}
        assert len(found) == len(stored), f"{name}: a window is there twice"
        assert found == expected, f"{name}: {sorted(found ^ expected, key=str)[:10]}"
        lost = spark.sql(f"select arrival_seq, reason from {SCHEMA}.{name}__dropped").collect()
        gone = {(row.arrival_seq, row.reason) for row in lost}
        assert len(gone) == len(lost), f"{name}: a dropped row is there twice"
        told = {(rows[drop.index][2], drop.reason) for drop in result.dropped}
        assert gone == told, f"{name}: {sorted(gone ^ told)[:10]}"
        read = spark.sql(
            f"select sum(rows_read) from {SCHEMA}.event_windows_runs where model = '{name}' "
            "and _ew_refresh >= (select max(_ew_refresh) from "
            f"{SCHEMA}.event_windows_runs where model = '{name}' and arrival_from = 0)"
        ).collect()[0][0]
        assert read == len(rows), f"{name}: the ledger has read {read} of {len(rows)} rows"
    left = [row.tableName for row in spark.sql(f"show tables in {SCHEMA}").collect()]
    assert {table for table in left if "__ew_" in table} == {f"{name}__ew_clocks" for name in names}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args()
    print(f"{options.kills} kills, seed {options.seed}, {FILE_FORMAT}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "project").mkdir()
        soaked = soak(Path(folder), options.kills, options.seed, ROWS_A_KILL * options.kills)
    print(f"{soaked}: all tables are right")


if __name__ == "__main__":
    main()
