"""Aggregates merged over three refreshes: values and types of a plain `group by` in Spark."""

from __future__ import annotations

import random
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.harness import DbtProject
from tests.session_models import at, session_model

WINDOW = "event_windows.session(gap='30 minutes', grace='unbounded')"
COLUMNS = (
    "key string, event_time timestamp, arrival_seq bigint, small int, big bigint, real double, "
    "exact decimal(10, 2), word string, seen timestamp, flag boolean"
)
NAMES = ["small", "big", "real", "exact", "word", "seen", "flag"]
NUMBERS = ["small", "big", "real", "exact"]
ORDERED = [*NUMBERS, "word", "seen"]

AGGREGATES = {
    "n": "count(*)",
    **{f"count_{name}": f"count({name})" for name in NAMES},
    **{f"sum_{name}": f"sum({name})" for name in NUMBERS},
    **{f"avg_{name}": f"avg({name})" for name in NUMBERS},
    **{f"min_{name}": f"min({name})" for name in ORDERED},
    **{f"max_{name}": f"max({name})" for name in ORDERED},
    **{f"{name}_of_first": f"min_by({name}, arrival_seq)" for name in NAMES},
    **{f"{name}_of_last": f"max_by({name}, arrival_seq)" for name in NAMES},
    "any_flag": "bool_or(flag)",
    "all_flags": "bool_and(flag)",
    **{f"distinct_{name}": f"approx_count_distinct({name})" for name in ORDERED},
    "words_of_a": "count(*) filter (where word = 'a')",
    "sum_of_a": "sum(big + 1) filter (where word in ('a', 'b') and small is not null)",
    "mean_of_none": "avg(exact) filter (where word = 'not there')",
    "last_of_a": "max_by(concat(word, ', ', small), arrival_seq) filter (where word = 'a')",
    "odd_text": "count(case when word <> ')' then ',' end)",
}
ESTIMATES = [name for name in AGGREGATES if name.startswith("distinct_")]


def rows() -> list[tuple[Any, ...]]:
    chance = random.Random(21)

    def maybe(value: Any) -> Any:
        return None if chance.random() < 0.25 else value

    made = []
    for arrival in range(150):
        key = chance.choice("abcd")
        time = at(4 * arrival + chance.randint(-200, 5))
        values = [
            chance.randint(-5, 5),
            chance.randint(-(2**40), 2**40),
            chance.randint(-400, 400) / 4,  # exact in any order
            Decimal(chance.randint(-9999, 9999)) / 100,
            chance.choice(["a", "b", "c", ")", ""]),
            time + timedelta(seconds=chance.randint(0, 99)),
            chance.random() < 0.5,
        ]
        # key 'd' has nulls only
        kept = [None if key == "d" else maybe(value) for value in values]
        made.append((key, time, arrival, *kept))
    return made


@pytest.fixture(scope="module", autouse=True)
def refreshed(project: DbtProject) -> None:
    project.create_source("typed_rows", rows()[:50], COLUMNS)
    project.model("typed", session_model("typed_rows", WINDOW, aggregates=AGGREGATES))
    project.run()
    for start, stop in [(50, 100), (100, 150)]:
        project.append("typed_rows", rows()[start:stop])
        project.run()
    calls = ", ".join(f"{sql} as {name}" for name, sql in AGGREGATES.items())
    # a session ends at its last event here and a gap later in Spark
    project.rows(
        f"""
        create table plain as
        select key, w.start as window_start, max(event_time) as window_end, {calls}
        from (select *, session_window(event_time, '30 minutes') as w from typed_rows)
        group by key, w
        """
    )


def column_of(project: DbtProject, table: str, name: str) -> dict[Any, Any]:
    found = project.rows(f"select key, window_start, window_end, {name} as value from {table}")
    return {(row.key, row.window_start, row.window_end): row.value for row in found}


def test_sessions_were_made_of_several_refreshes(project: DbtProject) -> None:
    spans = project.rows(
        "select count(*) as n from typed join typed_rows as r on typed.key = r.key "
        "and r.event_time between window_start and window_end group by typed.key, window_start "
        "having min(r.arrival_seq) < 50 and max(r.arrival_seq) >= 100"
    )
    assert spans


@pytest.mark.parametrize("name", [name for name in AGGREGATES if name not in ESTIMATES])
def test_values_are_sparks(project: DbtProject, name: str) -> None:
    assert column_of(project, "typed", name) == column_of(project, "plain", name)


@pytest.mark.parametrize("name", ESTIMATES)
def test_estimates_are_near_the_truth(project: DbtProject, name: str) -> None:
    column = name.removeprefix("distinct_")
    truth = project.rows(
        f"select t.key, window_start, window_end, count(distinct {column}) as value from typed t "
        "join typed_rows r on t.key = r.key and event_time between window_start and window_end "
        "group by t.key, window_start, window_end"
    )
    found = column_of(project, "typed", name)
    assert len(truth) == len(found)
    for row in truth:
        value = found[(row.key, row.window_start, row.window_end)]
        assert abs(value - row.value) <= max(1, 0.05 * row.value)


def test_types_are_sparks(project: DbtProject) -> None:
    types = dict(project.spark.table(f"{project.schema}.typed").dtypes)
    plain = dict(project.spark.table(f"{project.schema}.plain").dtypes)
    assert {name: types[name] for name in plain} == plain


def test_columns_stand_in_the_order_given(project: DbtProject) -> None:
    columns = project.spark.table(f"{project.schema}.typed").columns
    public = [name for name in columns if not name.startswith("_ew_")]
    assert public == ["key", "window_start", "window_end", *AGGREGATES]
    assert columns[: len(public)] == public
