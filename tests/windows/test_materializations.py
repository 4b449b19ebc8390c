"""The same text as table, view, ephemeral, ad hoc and windowed model gives the same windows."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.harness import DbtProject, sampled, selected
from tests.reference.cumulating import cumulating
from tests.reference.hopping import hopping
from tests.reference.records import Result, Row
from tests.reference.sliding import sliding
from tests.reference.tumbling import tumbling
from tests.windows.conformance import timestamp

COLUMNS = "key string, ts timestamp, seq bigint"
CALL = (
    "{{{{ event_windows.windowed(relation=source('raw', 'readings'), key='key', event_time='ts', "
    "window=event_windows.{window}, aggregates={{'n': 'count(*)', 'newest': 'max(seq)'}}, "
    "arrival_order='seq') }}}}"
)
RANDOM = random.Random(11)
ROWS = [(RANDOM.choice("ab"), RANDOM.randint(3, 120), seq) for seq in range(120)]
RECORDS = [Row(key, time) for key, time, _ in ROWS]
WINDOWS: dict[str, tuple[str, Result]] = {
    "tumbling": (
        "tumbling(size='7 seconds', grace='unbounded', origin='1970-01-01 00:00:03 UTC')",
        tumbling(RECORDS, 7, None, origin=3),
    ),
    "hopping": (
        "hopping(size='17 seconds', advance_by='6 seconds', grace='unbounded')",
        hopping(RECORDS, 17, 6, None),
    ),
    "hopping_often_from": (
        "hopping(size='24 seconds', advance_by='1 second', grace='unbounded', "
        "origin='1970-01-01 00:00:02 UTC')",
        hopping(RECORDS, 24, 1, None, origin=2),
    ),
    "cumulating": (
        "cumulating(size='60 seconds', step='20 seconds', grace='unbounded')",
        cumulating(RECORDS, 60, 20, None),
    ),
    "sliding": (
        "sliding(difference='9 seconds', grace='unbounded', resolution='1 second')",
        sliding(RECORDS, 9, None),
    ),
    "sliding_from": (
        "sliding(difference='9 seconds', grace='unbounded', resolution='1 second', "
        "origin='1970-01-01 00:00:02 UTC')",
        sliding(RECORDS, 9, None, origin=2),
    ),
}


def found(rows: list[Any]) -> set[tuple[Any, ...]]:
    windows = [
        (row["key"], *(int(row[column]) for column in ("s", "e", "n", "newest"))) for row in rows
    ]
    assert len(windows) == len(set(windows))
    return set(windows)


SELECT = "select key, unix_seconds(window_start) s, unix_seconds(window_end) e, n, newest from "


SAMPLE = ["sliding"]


@pytest.fixture(scope="module")
def built(request: pytest.FixtureRequest, project: DbtProject) -> DbtProject:
    rows = [(key, timestamp(1000 * time), seq) for key, time, seq in ROWS]
    project.create_source("readings", rows, COLUMNS)
    for name in selected(request, "name") | {*SAMPLE}:
        window, _ = WINDOWS[name]
        for materialized in ("table", "view", "ephemeral", "windowed"):
            config = f"{{{{ config(materialized={materialized!r}) }}}}\n"
            project.model(f"{name}_{materialized}", config + CALL.format(window=window))
        over = f"select * from {{{{ ref('{name}_ephemeral') }}}}"
        project.model(f"{name}_over", "{{ config(materialized='table') }} " + over)
    project.run()
    return project


@pytest.mark.parametrize("materialized", ["table", "view", "windowed", "over"])
@pytest.mark.parametrize("name", sampled(WINDOWS, SAMPLE))
def test_every_materialization_gives_the_reference(
    built: DbtProject, name: str, materialized: str
) -> None:
    expected = {
        (w.key, w.start, w.end, len(w.rows), max(ROWS[i][2] for i in w.rows))
        for w in WINDOWS[name][1].windows
    }
    assert found(built.rows(f"{SELECT}{name}_{materialized}")) == expected


@pytest.mark.parametrize("name", sampled(["sliding", "cumulating"], SAMPLE))
def test_an_ad_hoc_query_gives_the_same(built: DbtProject, name: str) -> None:
    shown = built.show(f"{SELECT} ({CALL.format(window=WINDOWS[name][0])}) as w")
    assert found(shown) == found(built.rows(f"{SELECT}{name}_table"))


def test_four_rows_of_a_key_have_seven_sliding_windows(built: DbtProject) -> None:
    """KIP-450: one window for each set of rows that fits into one."""
    rows = " union all ".join(
        f"select 'k' as key, timestamp_seconds({t}) as ts, {i} as seq"
        for i, t in enumerate((20, 24, 27, 33))
    )
    window = "sliding(difference='10 seconds', grace='1 day', resolution='1 second')"
    call = CALL.format(window=window).replace("source('raw', 'readings')", f'"({rows})"')
    assert found(built.show(f"{SELECT} ({call}) as w")) == {
        *(("k", 10, 20, 1, 0), ("k", 14, 24, 2, 1), ("k", 17, 27, 3, 2), ("k", 23, 33, 3, 3)),
        *(("k", 21, 31, 2, 2), ("k", 25, 35, 2, 3), ("k", 28, 38, 1, 3)),
    }
