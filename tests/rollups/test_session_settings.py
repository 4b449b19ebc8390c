"""Settings of the session that decide values of a text: all of them are made anew by others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.explain.told import explained
from tests.harness import DbtProject
from tests.rollups.chain import from_scratch, stored
from tests.session_models import at, session_model

PAID = "key string, event_time timestamp, arrival_seq bigint, value decimal(12, 2)"
VALUES = """
    cast(sum(paid) / sum(n) as double) as mean,
    date_format(max(window_start), 'SSSSSS') as micros,
    cast(array(max(nothing)) as string) as listed
"""
ROLLUP = f"select key, {VALUES} from {{{{ ref('paid') }}}} group by key"
SHOWN = """
    select key, sum(value) / count(*) as mean, date_format(max(event_time), 'SSSSSS') as micros,
        cast(array(max(nullif(value, value))) as string) as listed
    from {{ source('raw', 'payments') }} group by key, session_window(event_time, '30 minutes')
"""
SETTINGS = {
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
    "spark.sql.legacy.timeParserPolicy": "LEGACY",
    "spark.sql.legacy.castComplexTypesToString.enabled": "true",
}


@contextmanager
def session_with(project: DbtProject, setting: str) -> Iterator[None]:
    project.spark.conf.set(setting, SETTINGS[setting])
    try:
        yield
    finally:
        project.spark.conf.unset(setting)


@pytest.fixture(scope="module")
def paid(project: DbtProject) -> DbtProject:
    rows = [
        (key, at(minutes + 1e-6), place, int(minutes == 0))
        for place, (key, minutes) in enumerate(FIRST)
    ]
    project.create_source("payments", rows, PAID)
    aggregates = {"n": "count(*)", "paid": "sum(value)", "nothing": "max(nullif(value, value))"}
    project.model("paid", session_model("payments", aggregates=aggregates))
    project.model("by_key", "{{ config(materialized='rollup') }}" + ROLLUP)
    config = "materialized='windowed', grace='unbounded', arrival_order='arrival_seq'"
    project.model("shown", f"{{{{ config({config}) }}}}" + SHOWN)
    project.run()
    return project


FIRST = [("a", 0), ("a", 1), ("a", 2), ("b", 0), ("b", 1), ("b", 2)]


@pytest.mark.parametrize("setting", SETTINGS)
def test_groups_of_a_rollup_have_those_of_one_session(paid: DbtProject, setting: str) -> None:
    arrival = len(FIRST) + list(SETTINGS).index(setting)
    paid.append("payments", [("a", at(10 + arrival), arrival, 0)])
    before = stored(paid, "by_key")
    assert "settings have changed" not in str(explained(paid, "paid")["paid"]["notes"])
    with session_with(paid, setting):
        assert "settings have changed" in str(explained(paid, "paid")["paid"]["notes"])
        paid.run("paid", "by_key")
        assert stored(paid, "by_key") == from_scratch(paid, ROLLUP)
        assert stored(paid, "by_key") != before
    paid.run("by_key")
    assert stored(paid, "by_key") == from_scratch(paid, ROLLUP)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_text_shows_the_values_of_the_session_that_ran_it(paid: DbtProject, setting: str) -> None:
    """A view goes on with the settings of the session that made it."""
    paid.run("shown")
    before = paid.rows("select * from shown order by key")
    with session_with(paid, setting):
        paid.run("shown")
        query = paid.compile(inline=SHOWN)
        now = paid.rows("select * from shown order by key")
        assert now == paid.rows(query + " order by key")
        assert now != before
        types = paid.spark.table(f"{paid.schema}.shown").dtypes
        assert types == paid.spark.sql(query).dtypes
    paid.run("shown")
    assert paid.rows("select * from shown order by key") == before
