"""Reads the recorded results of Kafka Streams 4.3.1 in `tests/data/vectors`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.reference.hopping import hopping
from tests.reference.records import Result, Row
from tests.reference.session import session
from tests.reference.sliding import sliding
from tests.reference.tumbling import tumbling

FOLDER = Path(__file__).parents[1] / "data" / "vectors"
TYPES = ("tumbling", "hopping", "session", "sliding")

Dropped = set[tuple[int, str]]


@dataclass(frozen=True)
class Vector:
    """Rows in arrival order, and what Kafka made of them.

    `windows` are (key, start, end, values): the values by input index in a case of its own, the
    number of rows and their sum, minimum and maximum where many cases share a file.
    """

    name: str
    window: dict[str, Any]
    rows: list[Row]
    values: list[int | None]
    windows: set[tuple[Any, ...]]
    dropped: Dropped


def spec_files() -> list[Path]:
    return sorted((FOLDER / "by_spec").glob("*.json"))


def case_files() -> list[Path]:
    return sorted((FOLDER / "cases").glob("*.jsonl"))


def read_spec(path: Path) -> Vector:
    """A file of many independent cases: each is a partition, and part of its keys' identity."""
    content = json.loads(path.read_text())
    index_of = {row[2]: index for index, row in enumerate(content["input"])}
    return Vector(
        path.stem,
        content["window"],
        [Row(key and (case, key), ts, case) for case, key, _, ts, _ in content["input"]],
        [row[4] for row in content["input"]],
        {((case, key), *rest) for case, key, *rest in content["windows"]},
        {(index_of[arrival], kind) for _, arrival, kind in content["dropped"]},
    )


def read_cases(path: Path) -> list[Vector]:
    return [_read_case(json.loads(line)) for line in path.read_text().splitlines()]


def _read_case(case: dict[str, Any]) -> Vector:
    # Retention is not Kafka's here, so compare with what Kafka does when it is ample.
    expected = case["expected"] | case["expected"]["ample_retention"]
    dropped = {(index, kind) for index, _, kind in expected["dropped"]}
    # Kafka's sliding windows skip null values before anything else; SQL aggregates see them.
    skipped = {index for index, kind in dropped if kind == "null_value"}
    kept = [i for i in range(len(case["input"])) if i not in skipped]
    return Vector(
        case["id"],
        case["window"],
        [Row(case["input"][i]["key"], case["input"][i]["ts_ms"]) for i in kept],
        [case["input"][i]["value"] for i in kept],
        {
            (key, start, end, tuple(sorted(kept.index(i) for i in agg[5])))
            for key, start, end, agg in expected["final_table"]
        },
        {(kept.index(i), kind) for i, kind in dropped if i not in skipped},
    )


def compute(vector: Vector, origin: int | None) -> Result:
    """The reference's answer, with the clock of the partition as in Kafka."""
    window, rows = vector.window, vector.rows
    grace = window["grace_ms"]
    if window["type"] == "tumbling":
        return tumbling(rows, window["size_ms"], grace, origin, "partition")
    if window["type"] == "hopping":
        return hopping(
            rows, window["size_ms"], window["advance_ms"], grace, origin, scope="partition"
        )
    if window["type"] == "session":
        return session(rows, window["gap_ms"], grace, scope="partition")
    return sliding(rows, window["size_ms"], grace, origin=origin, scope="partition")


def summaries(vector: Vector, result: Result) -> set[tuple[Any, ...]]:
    """(key, start, end, count, sum, min, max) of each window."""
    found = set()
    for window in result.windows:
        known = [vector.values[i] for i in window.rows if vector.values[i] is not None]
        summary = (sum(known), min(known), max(known)) if known else (None, None, None)
        found.add((window.key, window.start, window.end, len(window.rows), *summary))
    return found
