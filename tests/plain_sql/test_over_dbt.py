"""Analysts' texts as models, in two refreshes: what Spark gives for the text, or refused."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from pyspark.errors import PySparkException

from tests.harness import DbtProject
from tests.plain_sql.analysts_texts import EVENTS, PEOPLE, TEXTS, Refused
from tests.plain_sql.results import Result, run, without_signs

CONFIG = "{{ config(materialized='windowed', grace='unbounded', arrival_order='e.seq') }}\n"
CUTS = (0, 150, 240)


def model(text: str) -> str:
    arrival = "e.seq" if "{events} e" in text else "seq"
    names = {"events": "{{ source('raw', 'events') }}", "people": "{{ source('raw', 'people') }}"}
    return CONFIG.replace("e.seq", arrival) + text.format(**names)


def sparks_own(project: DbtProject, text: str) -> Result | str:
    schema = project.schema
    try:
        sql = text.format(events=f"{schema}.events", people=f"{schema}.people")
        return without_signs(run(project.spark, sql))
    except PySparkException as error:
        return str(error)


def refreshed_twice(project: DbtProject, texts: list[str]) -> dict[str, Result | str]:
    """What the model of each text has in the end, or why dbt refused it."""
    names = [f"text_{number}" for number in range(len(texts))]
    errors: dict[str, str] = {}
    for first, last in pairwise(CUTS):
        rows = project.spark.sql(EVENTS.format(first=first, last=last))
        if first:
            project.append("events", rows)
        else:
            project.create_source("people", project.spark.sql(PEOPLE))
            project.create_source("events", rows)
            for name, text in zip(names, texts, strict=True):
                project.model(name, model(text))
        outcome = project.run(*(n for n in names if n not in errors), expect_error=None)
        for line in re.split(r"\n(?=text_\d+: )", outcome.error):
            if line:
                errors[line.partition(":")[0]] = line
    return {
        text: errors.get(name)
        or without_signs(run(project.spark, f"select * from {project.schema}.{name}"))
        for name, text in zip(names, texts, strict=True)
    }


def check(project: DbtProject, texts: list[str]) -> None:
    """All give what Spark gives, but for those that are refused, and those are."""
    different = []
    for text, found in refreshed_twice(project, texts).items():
        expected = sparks_own(project, text)
        if isinstance(text, Refused):
            is_right = isinstance(found, str) and _is_sentence(found, expected)
        else:
            is_right = not isinstance(found, str) and found == expected
        if not is_right:
            different.append((text, f"{str(found)[:600]}\n{expected}"))
    assert not different, "\n\n".join("\n".join(one) for one in different)


def _is_sentence(refusal: str, expected: Result | str) -> bool:
    """Whether it is one of ours, or where Spark refuses the text what Spark says of it."""
    sparks_own = expected.partition("]")[0] if isinstance(expected, str) else None
    return "event_windows:" in refusal or (sparks_own is not None and sparks_own in refusal)


def test_rows_ahead_of_their_time_are_left_out(project: DbtProject) -> None:
    text = "select user_id, count(*) as n from {events} group by user_id, window(ts, '1 hour')"
    config = "grace='1 day', max_ahead='1 hour', arrived_at='arrived', arrival_order='seq'"
    rows = "select *, timestamp'2024-01-01 02:00' as arrived from ({0})"
    events = project.spark.sql(rows.format(EVENTS.format(first=0, last=100)))
    project.create_source("arrivals", events)
    project.model(
        "ahead",
        f"{{{{ config(materialized='windowed', {config}) }}}}\n"
        + text.format(events="{{ source('raw', 'arrivals') }}"),
    )
    project.run("ahead")
    events.createOrReplaceTempView("arrivals")
    expected = text.format(
        events="(select * from arrivals where ts <= timestamp'2024-01-01 03:00')"
    )
    assert run(project.spark, f"select * from {project.schema}.ahead") == run(
        project.spark, expected
    )


def test_a_value_whose_rows_others_join_is_counted_once(project: DbtProject) -> None:
    rows = "values (1, '2024-03-20 13:53', 'x'), (2, '2024-03-20 14:40', 'y'), "
    rows += "(3, '2024-03-20 15:20', 'x') as t(seq, at, url)"
    bridged = project.spark.sql(f"select seq, timestamp(at) as at, url from {rows}")
    project.create_source("bridged", bridged)
    text = (
        "select count(distinct url) as urls, count(distinct seq) as numbers from {rows} "
        "group by session_window(at, '1 hour')"
    )
    project.model("bridges", model(text.replace("{rows}", "{{{{ source('raw', 'bridged') }}}}")))
    project.run("bridges")
    bridged.createOrReplaceTempView("bridged_rows")
    assert run(project.spark, f"select * from {project.schema}.bridges").rows == ("[2, 3]",)
    # a Spark that counts right needs nothing left out of equals_its_sql
    assert run(project.spark, text.format(rows="bridged_rows")).rows == ("[3, 3]",)


OF_DBT = """
select
    user_id, window.start as began, {{ dbt.datediff('min(ts)', 'max(ts)', 'minute') }} as minutes,
    {{ dbt.dateadd('month', 1, 'window.start') }} as due,
    max({{ dbt.datediff('day', 'ts', 'quarter') }}) as quarters
from {{ source('raw', 'events') }}
where {{ dbt.datediff("date'2023-12-01'", 'ts', 'week') }} > 4
group by user_id, window(ts, '1 hour')
having {{ dbt.datediff('min(ts)', 'max(ts)', 'second') }} > 60
"""
OVER_IT = """
select
    user_id, {{ dbt.last_day('began', 'month') }} as month,
    max({{ dbt.datediff('began', 'due', 'hour') }}) as hours
from {{ ref('of_dbt') }}
group by 1, 2
"""


def test_dates_by_the_macros_of_dbt(project: DbtProject) -> None:
    """dbt-spark has them stop where a text is no date, with assert_true."""
    project.create_source("events", project.spark.sql(EVENTS.format(first=0, last=200)))
    project.model("of_dbt", model(OF_DBT.replace("{", "{{").replace("}", "}}")))
    project.model("over_it", "{{ config(materialized='rollup') }}\n" + OVER_IT)
    for name, text in {"of_dbt": OF_DBT, "over_it": OVER_IT}.items():
        project.model(f"{name}_once", "{{ config(materialized='table') }}\n" + text)
    project.run()
    project.append("events", project.spark.sql(EVENTS.format(first=200, last=240)))
    project.run()
    for name in ("of_dbt", "over_it"):
        expected = run(project.spark, f"select * from {project.schema}.{name}_once")
        columns = ", ".join(column for column, _ in expected.columns)
        assert run(project.spark, f"select {columns} from {project.schema}.{name}") == expected
        assert expected.rows


def test_without_a_key_there_is_one_clock(project: DbtProject) -> None:
    """It closes windows, and the column that stands for the key is not shown."""
    rows = "select {} as seq, timestamp('2024-03-20 {}:00') as at"
    project.create_source("alone", project.spark.sql(rows.format(1, "10")))
    text = "select count(*) as n from {{ source('raw', 'alone') }} group by window(at, '1 hour')"
    config = {"materialized": "windowed", "grace": "1 hour", "arrival_order": "seq"}
    models = {
        "counted": config,
        "published": config | {"emit": "final"},
        "expiring": config | {"expire": "delete", "retention": "2 hours"},
    }
    for name, given in models.items():
        project.model(name, f"{{{{ config(**{given}) }}}}\n{text}")
    for number, hour in enumerate(["10", "11", "17"], 1):
        if number > 1:
            project.append("alone", project.spark.sql(rows.format(number, hour)))
        project.run(*models)
    for name in models:
        clocks = project.spark.sql(f"select * from {project.schema}.{name}__stream_time")
        assert clocks.columns == ["stream_time"]
        assert [str(row.stream_time) for row in clocks.collect()] == ["2024-03-20 17:00:00"]
    counts = {name: len(project.rows(f"select n from {name}")) for name in models}
    assert counts == {"counted": 3, "published": 2, "expiring": 1}


@pytest.mark.slow
def test_texts_are_kept_exactly_or_refused(project: DbtProject) -> None:
    check(project, TEXTS)
