"""Small random inputs for every window type, run as one table and compared with the references.

A case is an independent stream cut into refreshes. Many share a table, with the case among the key
columns, so that one dbt run tries them all, and a failing one can be made smaller by trying all
its parts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from tests.harness import DbtProject
from tests.reference.cumulating import cumulating
from tests.reference.hopping import hopping
from tests.reference.records import Result, Row
from tests.reference.session import session
from tests.reference.sliding import sliding
from tests.reference.tumbling import tumbling
from tests.windows.conformance import timestamp

COLUMNS = (
    "grp int, key string, part string, arrival bigint, ts timestamp, value bigint, home string"
)
REFRESHES = 3
SCOPES = ("key", "partition", "global")
# Windows that hold rows of one partition: there a key has one, which it shares with other keys.
# What becomes of several is in test_several_partitions.
OF_ONE_PARTITION = ("session", "sliding")


@dataclass(frozen=True)
class Kind:
    """A window in seconds: the call, and the reference that takes rows and a scope."""

    call: str
    reference: Callable[[Sequence[Row], str], Result]


KINDS = {
    "session": Kind(
        "session(gap='5 seconds', grace='4 seconds')",
        lambda rows, scope: session(rows, 5, 4, scope=scope),
    ),
    "tumbling": Kind(
        "tumbling(size='7 seconds', grace='3 seconds', origin='1970-01-01 00:00:02 UTC')",
        lambda rows, scope: tumbling(rows, 7, 3, origin=2, scope=scope),
    ),
    "hopping": Kind(
        # put together from runs; advances that do not divide the size are in Kafka's vectors
        "hopping(size='16 seconds', advance_by='1 second', grace='2 seconds')",
        lambda rows, scope: hopping(rows, 16, 1, 2, scope=scope),
    ),
    "cumulating": Kind(
        "cumulating(size='12 seconds', step='3 seconds', grace='0 seconds')",
        lambda rows, scope: cumulating(rows, 12, 3, 0, scope=scope),
    ),
    "sliding": Kind(
        "sliding(difference='6 seconds', grace='4 seconds', resolution='1 second', "
        "origin='1970-01-01 00:00:00 UTC')",
        lambda rows, scope: sliding(rows, 6, 4, origin=0, scope=scope),
    ),
}

MODEL = """
{{{{ config(materialized='windowed') }}}}
{{{{ event_windows.windowed(
    relation=source('raw', {source!r}), key=['grp', 'key'], event_time='ts',
    window=event_windows.{call}, arrival_order='arrival', {partition} stream_time={scope!r},
    aggregates={{'n': 'count(*)', 'total': 'sum(value)', 'newest': 'max(arrival)',
        'spread': 'avg(value)', 'last_value': 'max_by(value, ts)'}}
) }}}}
"""


def model(kind: str, scope: str, source: str) -> str:
    column = "home" if kind in OF_ONE_PARTITION else "part"
    partition = f"partition={column!r}," if scope == "partition" else ""
    call = KINDS[kind].call
    return MODEL.format(source=source, call=call, partition=partition, scope=scope)


@dataclass(frozen=True)
class Case:
    """Rows of (key, second, partition) in order of arrival, and where refreshes end."""

    rows: tuple[tuple[str | None, int | None, str], ...]
    cuts: tuple[int, ...]

    def batch(self, number: int) -> tuple[tuple[str | None, int | None, str], ...]:
        bounds = [0, *self.cuts, len(self.rows)]
        return self.rows[bounds[number] : bounds[number + 1]]

    def smaller(self) -> Iterator[Case]:
        """The case without one of its rows, or with all of them in fewer refreshes."""
        for gone in range(len(self.rows) if len(self.rows) > 1 else 0):
            rows = self.rows[:gone] + self.rows[gone + 1 :]
            yield Case(rows, tuple(cut - (cut > gone) for cut in self.cuts))
        for place, cut in enumerate(self.cuts):
            if cut < len(self.rows):
                yield replace(self, cuts=(*self.cuts[:place], *[len(self.rows)] * (2 - place)))


@st.composite
def a_case(draw: st.DrawFn) -> Case:
    """Few keys and times, so that rows tie, touch at the very gap, and come late in bursts."""
    steps = st.integers(-9, 6)
    rows = []
    time = draw(st.integers(0, 8) | st.integers(30, 50))
    for _ in range(draw(st.integers(1, 12))):
        time = max(0, time + draw(steps) + 2)
        key = draw(st.sampled_from(["a", "a", "a", "b", None]))
        known = draw(st.integers(0, 11)) > 0
        rows.append((key, time if known else None, draw(st.sampled_from("pq"))))
    cuts = sorted(draw(st.integers(0, len(rows))) for _ in range(REFRESHES - 1))
    return Case(tuple(rows), tuple(cuts))


def drawn(lists: int, length: int) -> list[list[Case]]:
    """So many lists of cases. Hypothesis draws; what fails is made smaller above, by few runs."""
    found: list[list[Case]] = []

    @settings(
        max_examples=lists,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases=st.lists(a_case(), min_size=length, max_size=length))
    def draw(cases: list[Case]) -> None:
        assume(len(set(cases)) > length // 2)  # the first that it draws are all alike
        found.append(cases)

    draw()
    return found


def batches(cases: Sequence[Case]) -> list[list[tuple[Any, ...]]]:
    """The rows that arrive before each refresh, numbered in order of arrival."""
    result, arrival = [], 0
    for number in range(REFRESHES):
        batch = []
        for group, case in enumerate(cases):
            for key, second, part in case.batch(number):
                time = None if second is None else timestamp(1000 * second)
                value = 7**arrival % 1009
                batch.append((group, key, f"{group}{part}", arrival, time, value, str(group)))
                arrival += 1
        result.append(batch)
    return result


def arrivals(project: DbtProject, cases: Sequence[Case]) -> Iterator[list[tuple[Any, ...]]]:
    """Let the cases arrive in source `cases`: before each refresh, all rows that are there then."""
    arrived: list[tuple[Any, ...]] = []
    for number, batch in enumerate(batches(cases)):
        if number == 0:
            project.create_source("cases", batch, COLUMNS)
        else:
            project.append("cases", batch)
        arrived += batch
        yield arrived


def records(rows: Sequence[tuple[Any, ...]], partition: int = 2) -> list[Row]:
    """Rows of the source as the references take them, each group's keys its own.

    `partition` is the place of its column.
    """
    return [
        Row(
            None if row[1] is None else (row[0], row[1]),
            None if row[4] is None else int(row[4].timestamp()),
            row[partition],
        )
        for row in rows
    ]


def expected(kind: str, scope: str, rows: Sequence[tuple[Any, ...]]) -> tuple[set[Any], set[Any]]:
    """(group, window) and (group, dropped row) as the reference has them."""
    result = KINDS[kind].reference(records(rows, 6 if kind in OF_ONE_PARTITION else 2), scope)
    windows = set()
    for window in result.windows:
        held = [rows[index] for index in window.rows]
        last = max(held, key=lambda row: (row[4], row[3], row[2]))[5]
        values = [row[5] for row in held]
        windows.add(
            (
                *(*window.key, window.start, window.end, len(held), sum(values)),
                *(max(row[3] for row in held), round(sum(values) / len(values), 6), last),
            )
        )
    dropped = {
        (rows[d.index][0], rows[d.index][3], d.reason, d.stream_time) for d in result.dropped
    }
    return windows, dropped


def found(project: DbtProject, table: str) -> tuple[set[Any], set[Any]]:
    windows = [
        tuple(row)
        for row in project.rows(
            "select grp, key, unix_seconds(window_start), unix_seconds(window_end), n, total, "
            f"newest, round(spread, 6), last_value from {table}"
        )
    ]
    dropped = [
        tuple(row)
        for row in project.rows(
            f"select grp, arrival, reason, unix_seconds(stream_time) from {table}__dropped"
        )
    ]
    assert len(windows) == len(set(windows)), f"{table}: a window is there twice"
    assert len(dropped) == len(set(dropped)), f"{table}: a dropped row is there twice"
    return set(windows), set(dropped)


Groups = set[Hashable]


def wrong_cases(
    project: DbtProject, tables: dict[str, tuple[str, str]], rows: Sequence[tuple[Any, ...]]
) -> dict[str, Groups]:
    """The cases whose windows or dropped rows are not the reference's, by table."""
    wrong = {}
    for table, (kind, scope) in tables.items():
        differences = [
            a ^ b for a, b in zip(expected(kind, scope, rows), found(project, table), strict=True)
        ]
        groups = {entry[0] for difference in differences for entry in difference}
        if groups:
            wrong[table] = groups
    return wrong
