"""Windows that stand still, against Spark's own `window()` and the record-at-a-time reference."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.harness import DbtProject
from tests.reference.cumulating import cumulating
from tests.reference.records import Row
from tests.windows.conformance import timestamp

MODEL = """
{{{{ config(materialized='table') }}}}
{{{{ event_windows.windowed(
    relation=source('raw', 'readings'), key='key', event_time='ts', window=event_windows.{window},
    aggregates={{'n': 'count(*)'}}, arrival_order='seq'
) }}}}
"""
WINDOWS = {
    # an advance that does not divide the size; some times are before 1970
    "hopped": "hopping(size='17 milliseconds', advance_by='6 milliseconds', grace='unbounded')",
    # so many advances that panes are put together to runs first
    "hopped_often": (
        "hopping(size='48 milliseconds', advance_by='2 milliseconds', grace='unbounded')"
    ),
    "tumbled": "tumbling(size='7 milliseconds', grace='unbounded')",
    "cumulated": ("cumulating(size='60 milliseconds', step='20 milliseconds', grace='unbounded')"),
    "cumulated_late": (
        "cumulating(size='60 milliseconds', step='20 milliseconds', grace='0 seconds', "
        "origin='1970-01-01 00:00:00 UTC')"
    ),
}
RANDOM = random.Random(5)
ROWS = [(RANDOM.choice("ab"), RANDOM.randint(-50, 300), seq) for seq in range(200)]


@pytest.fixture(scope="module")
def windows(project: DbtProject) -> dict[str, set[tuple[Any, ...]]]:
    """(key, start, end, count) in milliseconds, of each model."""
    rows = [(key, timestamp(time), seq) for key, time, seq in ROWS]
    project.create_source("readings", rows, "key string, ts timestamp, seq bigint")
    for name, window in WINDOWS.items():
        project.model(name, MODEL.format(window=window))
    project.run(*WINDOWS)
    columns = "key, unix_millis(window_start), unix_millis(window_end), n"
    return {
        name: {tuple(row) for row in project.rows(f"select {columns} from {name}")}
        for name in WINDOWS
    }


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("hopped", "window(ts, '17 milliseconds', '6 milliseconds')"),
        ("hopped_often", "window(ts, '48 milliseconds', '2 milliseconds')"),
        ("tumbled", "window(ts, '7 milliseconds')"),
    ],
)
def test_the_same_windows_as_sparks(
    project: DbtProject, windows: dict[str, set[tuple[Any, ...]]], name: str, call: str
) -> None:
    sparks = project.rows(
        "select key, unix_millis(w.start), unix_millis(w.end), n "
        f"from (select key, {call} as w, count(*) as n from readings group by 1, 2)"
    )
    assert windows[name] == {tuple(row) for row in sparks}


@pytest.mark.parametrize(
    ("name", "grace", "origin"), [("cumulated", None, None), ("cumulated_late", 0, 0)]
)
def test_cumulating_windows_are_the_references(
    windows: dict[str, set[tuple[Any, ...]]], name: str, grace: int | None, origin: int | None
) -> None:
    expected = cumulating([Row(key, time) for key, time, _ in ROWS], 60, 20, grace, origin)
    assert windows[name] == {(w.key, w.start, w.end, len(w.rows)) for w in expected.windows}


@pytest.mark.parametrize(
    ("window", "message"),
    [
        ("tumbling(size='0 seconds', grace='1 day')", "size is '0 seconds', which is zero"),
        ("tumbling(size='1 hour')", "grace is missing"),
        ("tumbling(size='1 month', grace='1 day')", "a month has no fixed length"),
        (
            "hopping(size='1 hour', advance_by='2 hours', grace='1 day')",
            "advance_by is '2 hours', longer than the size '1 hour'",
        ),
        (
            "cumulating(size='1 hour', step='25 minutes', grace='1 day')",
            "step is '25 minutes', which does not divide the size '1 hour'",
        ),
        ("tumbling(size='1 hour', grace='1 day', origin='soon')", "origin is 'soon'"),
        ("tumbling(size='1 hour', grace='1 day', gap='1 hour')", "unknown option 'gap'"),
    ],
)
def test_bad_input_is_one_message(project: DbtProject, window: str, message: str) -> None:
    project.model("bad", MODEL.format(window=window))
    error = project.run("bad", expect_error=True).error
    (project.root / "models/bad.sql").unlink()
    assert message in error
    assert not project.rows("show tables like 'bad'")
