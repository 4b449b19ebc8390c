"""Groups that a run touches go from one statement to the next as text, whatever they are."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject, recorded
from tests.rollups.chain import CLICKS, from_scratch, stored
from tests.session_models import at, session_model

KEYS = ["it's", 'a "b"', "back\\slash", "line\nbreak\r\n", "\u2028\u2029", "\x00\x1f", "{{ x }}"]
KEYS += ["\U0001f98a", "", "A", "a", "${env:HOME}", "${spark.app.name}", "$\\{x}"]
TEXT = """
    select
        key, encode(key, 'utf-8') as bytes, array(key, null) as list,
        named_struct('a$b', key, 'n', cast(null as int)) as part,
        window_end as at, cast(window_end as timestamp_ntz) as local, date(window_end) as day,
        if(clicks = 1, double('NaN'), double('-0.0')) as odd,
        if(clicks = 1, double('-Infinity'), 1 / cast(3 as double)) as share,
        cast(clicks as decimal(38, 18)) / 3 as part_of, clicks > 1 as more,
        if(key = '', null, key) as `or$null`,
        count(*) as visits
    from {{ ref('visits') }}
    group by all
"""
MANY = "select key, n from {{ ref('readings') }}"


def test_values_of_all_types(project: DbtProject) -> None:
    rows = [(key, at(n / 7), n, 0.0) for n, key in enumerate([*KEYS, *KEYS[::2]])]
    project.create_source("clicks", rows[: len(KEYS)], CLICKS)
    session = "event_windows.session(gap='30 minutes', grace='9 days')"
    project.model("visits", session_model("clicks", session, aggregates={"clicks": "count(*)"}))
    project.model("grouped", "{{ config(materialized='rollup') }}" + TEXT)
    project.run()
    assert stored(project, "grouped") == from_scratch(project, TEXT)
    project.append("clicks", rows[len(KEYS) :])
    project.run("visits")
    with recorded() as statements:
        project.run("grouped")
    assert not [sql for sql in statements if "cache lazy table" in sql and "__ew_touched" in sql]
    assert stored(project, "grouped") == from_scratch(project, TEXT)


@pytest.mark.slow
def test_more_than_a_text_names(project: DbtProject) -> None:
    project.create_source("readings_source", [], CLICKS)
    table = f"{project.schema}.readings_source"
    rows = (
        f"insert into {table} select cast(id as string), timestamp_seconds(1700000000), "
        "id + {0}, 1.0D from range(10010)"
    )
    project.spark.sql(rows.format(0))
    session = "event_windows.session(gap='30 minutes', grace='9 days')"
    project.model(
        "readings", session_model("readings_source", session, aggregates={"n": "count(*)"})
    )
    project.model("many", "{{ config(materialized='rollup') }}" + MANY)
    project.run("readings", "many")
    project.spark.sql(rows.format(20_000))
    project.run("readings")
    with recorded() as statements:
        project.run("many")
    assert [sql for sql in statements if "cache lazy table" in sql and "__ew_touched" in sql]
    assert stored(project, "many") == from_scratch(project, MANY)
