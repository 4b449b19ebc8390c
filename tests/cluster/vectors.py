"""Kafka's vectors as models of a project whose runs are processes of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.cluster.late_rows import LONGEST
from tests.protocol.processes import Project
from tests.python.vectors import Vector
from tests.windows.conformance import constructor, cuts, model, source_rows

# The case, which is the partition, and the key stand in one column of what arrives.
RELATION = """(
    select split(key, '/')[0] as grp, nullif(split(key, '/')[1], '') as key,
        arrival_seq as arrival, event_time as ts, value
    from parquet.`{path}`
)"""
WINDOWS = """
select grp, key, unix_millis(window_start) as started, unix_millis(window_end) as ended,
    n, total, low, high
from {{ ref('kafka') }}
"""
DROPPED = """
select arrival, reason
from {{ ref('kafka').incorporate(path={'identifier': 'kafka__dropped'}) }}
"""
DIFFERENCES = """
({found} except all select * from parquet.`{path}`)
union all
(select * from parquet.`{path}` except all {found})
"""


def check_vector(project: Project, vector: Vector) -> None:
    """Let the rows arrive in two parts, with a run after each; compare all tables with Kafka's."""
    rows = source_rows(vector)
    (project.root / "tests").mkdir(exist_ok=True)
    relation = '"' + " ".join(RELATION.format(path=project.arrived).split()) + '"'
    text = model(constructor(vector.window), "arrived")
    project.model("kafka", text.replace("source('raw', 'arrived')", relation))
    windows = [(*key, first, last, *values) for key, first, last, *values in vector.windows]
    for name, found, expected in (
        ("windows", WINDOWS, windows),
        ("dropped", DROPPED, sorted(vector.dropped)),
    ):
        path = _written(project.root / f"{name}.parquet", expected)
        project.write(f"tests/{name}.sql", DIFFERENCES.format(found=found, path=path))
    for first, last in cuts(len(rows), 2, seed=1):
        project.arrive(
            [
                (f"{case}/{key or ''}", at, arrival, value)
                for case, key, arrival, at, value in rows[first:last]
            ]
        )
        said = project.finish(project.start("run"), LONGEST)
        assert said == "", said
    said = project.finish(project.start("test"), LONGEST)
    assert said == "", said


def _written(path: Path, rows: list[tuple[Any, ...]]) -> Path:
    columns = {f"c{place}": list(column) for place, column in enumerate(zip(*rows, strict=True))}
    pq.write_table(pa.table(columns), path)
    return path
