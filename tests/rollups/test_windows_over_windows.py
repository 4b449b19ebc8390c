"""Windowed models whose rows are windows of another model, and rollups of these, after each cut.

Each link is judged by Spark's own answer over the link above it, as it is then.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats import FILE_FORMAT
from tests.harness import DbtProject
from tests.rollups.chain import CLICKS, USERS, clicks, from_scratch, stored
from tests.session_models import session_model
from tests.windows.conformance import cuts

AGGREGATES = {"clicks": "count(*)", "first_seq": "min(arrival_seq)"}


def sessions(grace: str, **config: Any) -> str:
    window = f"event_windows.session(gap='30 minutes', grace='{grace}')"
    clock = "global" if config else "key"
    return session_model("clicks", window, config=config, aggregates=AGGREGATES, stream_time=clock)


def by_call(above: str, config: str = "", call: str = "") -> str:
    return f"""
        {{{{ config(materialized='windowed'{config}) }}}}
        {{{{ event_windows.windowed(
            relation=ref('{above}'), key='key', event_time='window_start',
            window=event_windows.tumbling(size='1 hour', grace='unbounded'),
            aggregates={{'visits': 'count(*)', 'clicks': 'sum(clicks)', 'most': 'max(clicks)'}}
            {call}
        ) }}}}
    """


def in_sql(above: str, config: str) -> str:
    return f"""
        {{{{ config(materialized='windowed', grace='unbounded', {config}) }}}}
        select key, window.start as window_start, window.end as window_end, count(*) as visits,
            sum(clicks) as clicks, max(clicks) as most
        from {{{{ ref('{above}') }}}}
        where key is not null
        group by key, window(window_start, '1 hour')
    """


RETRACT, ORDERED = ", source_changes='retract'", ", arrival_order='first_seq'"
# Of a model that is only added to, rows may come below the last number.
LATER = ", skipped_rows='rebuild'"
MODELS = {
    "visits": sessions("2 days"),
    "closed": sessions("1 hour", emit="final"),
    "recent": sessions("1 hour", expire="delete", retention="3 hours"),
    "shown": """
        {{ config(materialized='windowed', arrival_order='arrival_seq', grace='2 days') }}
        select key, session_window.start as window_start, count(*) as clicks,
            min(arrival_seq) as first_seq
        from {{ source('raw', 'clicks') }}
        group by key, session_window(event_time, '30 minutes')
        having count(*) > 1
    """,
    "hours": by_call("visits", RETRACT),
    "ordered": by_call("visits", RETRACT, ORDERED),
    "written": in_sql("visits", f"source_changes='retract'{ORDERED}"),
    "of_closed": by_call("closed"),
    "of_closed_ordered": by_call("closed", LATER, ORDERED),
    "of_recent": by_call("recent", RETRACT),
    "of_shown": by_call("shown", RETRACT, ORDERED),
    "of_shown_written": in_sql("shown", f"source_changes='retract'{ORDERED}"),
}
ABOVE = {
    "hours": "visits",
    "ordered": "visits",
    "written": "visits",
    "of_closed": "closed",
    "of_closed_ordered": "closed",
    "of_recent": "recent",
    "of_shown": "shown",
    "of_shown_written": "shown",
}
HOURS = """
    select key, date_trunc('hour', window_start) as window_start,
        date_trunc('hour', window_start) + interval 1 hour as window_end, count(*) as visits,
        sum(clicks) as clicks, max(clicks) as most
    from {{ ref('{above}') }} where key is not null group by all
"""
ROLLUPS = {
    "days": """
        select date(window_start) as day, country, sum(visits) as visits, avg(most) as most
        from {{ ref('hours') }} left join {{ source('raw', 'users') }} using (key) group by all
    """,
    "busy": "select day, country, visits from {{ ref('days') }} where visits > 2",
    "written_days": """
        select date(window_start) as day, max(window_end) as last, sum(clicks) as clicks
        from {{ ref('written') }} group by day
    """,
}
FEW = ("visits", "hours", "days")
ALL = (*MODELS, *ROLLUPS)


def write(project: DbtProject, names: tuple[str, ...]) -> None:
    project.create_source("users", USERS, "key string, country string")
    for name in names:
        text = "{{ config(materialized='rollup') }}" + ROLLUPS[name] if name in ROLLUPS else ""
        project.model(name, text or MODELS[name])


def check(project: DbtProject, names: tuple[str, ...], after: str) -> None:
    for name in names:
        if name in ROLLUPS:
            assert stored(project, name) == from_scratch(project, ROLLUPS[name]), (name, after)
        elif name in ABOVE:
            text = HOURS.replace("{above}", ABOVE[name])
            assert stored(project, name) == from_scratch(project, text), (name, after)


@pytest.mark.parametrize(
    ("seed", "refreshes", "names"),
    [(7, 2, FEW), *[pytest.param(n, 4, ALL, marks=pytest.mark.slow) for n in (8, 9)]],
)
def test_any_cut(project: DbtProject, seed: int, refreshes: int, names: tuple[str, ...]) -> None:
    rows = clicks(seed, 60 * refreshes)
    (_, built), *later = cuts(len(rows), refreshes, seed)
    project.create_source("clicks", rows[:built], CLICKS)
    write(project, names)
    project.build(full_refresh=True)
    check(project, names, "build")
    for first, last in later:
        project.append("clicks", rows[first:last])
        project.build()
        check(project, names, str(last))
    left = {name: sum(stored(project, name).values()) for name in names if name in ABOVE}
    assert all(left.values()), left


def test_over_sessions_with_a_gap_per_row(project: DbtProject) -> None:
    """Its table has a column that says how far their rows go, as rows of the model over it have."""
    rows = clicks(5, 60)
    project.create_source("clicks", rows[:40], CLICKS)
    gap = (
        "event_windows.session(gap_by=\"if(key = 'a', interval '1' hour, interval '5' minutes)\", "
    )
    visits = session_model("clicks", gap + "grace='2 days')", aggregates=AGGREGATES)
    hours = by_call("own_visits", RETRACT, ORDERED).replace(
        "grace='unbounded'", "grace='0 seconds'"
    )
    project.model("own_visits", visits)
    project.model("own_hours", hours)
    project.model(
        "as_view", hours.replace("materialized='windowed'" + RETRACT, "materialized='view'")
    )
    project.build(full_refresh=True)
    for first, last in ((40, 50), (50, 60)):
        project.append("clicks", rows[first:last])
        project.build()
        again = stored(project, "own_hours")
        assert again == stored(project, "as_view"), last
    assert project.rows("select 1 from own_hours__dropped where reason = 'late'")
    project.run("own_hours", full_refresh=True)
    assert stored(project, "own_hours") == again


def test_a_table_that_each_run_writes_anew_is_not_followed(project: DbtProject) -> None:
    """As a model in plain SQL is one where the catalogue holds no views."""
    views = {"event_windows__views": False}
    project.create_source("clicks", clicks(11, 40), CLICKS)
    write(project, ("shown", "of_shown", "of_shown_written"))
    project.run("shown", full_refresh=True, vars=views)
    for name in ("of_shown", "of_shown_written"):
        error = project.run(name, full_refresh=True, vars=views, expect_error=True).error
        assert "its table is written anew by each run" in error, name


@pytest.mark.slow
def test_an_aggregate_above_that_is_gone(project: DbtProject) -> None:
    """Delta drops no column by itself, so that the table is written anew."""
    project.create_source("clicks", clicks(12, 60), CLICKS)
    write(project, ("visits", "hours"))
    gone = MODELS["visits"].replace("'clicks':", "'more': 'sum(amount)', 'clicks':")
    project.model("visits", gone)
    project.run("visits", "hours", full_refresh=True)
    project.model("visits", MODELS["visits"])
    project.run("visits")
    if FILE_FORMAT == "delta":
        error = project.run("hours", expect_error=True).error
        assert "other columns" in error
        assert "run with --full-refresh" in error
    project.run("hours", full_refresh=FILE_FORMAT == "delta")
    check(project, ("hours",), "an aggregate is gone")


@pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="Delta writes the table anew for it")
def test_an_aggregate_above_that_has_the_name_of_another(project: DbtProject) -> None:
    """Neither that one is gone, nor that another one gets its name, takes a build."""
    project.create_source("sales", clicks(12, 60), CLICKS)
    above = {"gross": "count(*)", "clicks": "max(arrival_seq)"}
    text = session_model("sales", "event_windows.session(gap='30 minutes', grace='2 days')")
    for aggregates in (above, {"gross": above["gross"]}, {"clicks": above["gross"]}):
        project.model("sold", text.replace("{'n': 'count(*)'}", repr(aggregates)))
        project.run("sold")
        if aggregates == above:
            project.model("sold_hours", by_call("sold", RETRACT))
            project.run("sold_hours")
    error = project.run("sold_hours", expect_error=True).error
    assert "its column clicks was that of another aggregate" in error
    assert "run with --full-refresh" in error
    project.run("sold_hours", full_refresh=True)
    sums = [
        project.rows(f"select sum(clicks) as n from {table}") for table in ("sold", "sold_hours")
    ]
    assert sums[0] == sums[1]


@pytest.mark.slow
def test_a_link_that_is_made_anew(project: DbtProject) -> None:
    names = ("visits", "hours", "written", *ROLLUPS)
    project.create_source("clicks", clicks(10, 100), CLICKS)
    write(project, names)
    project.run(*names, full_refresh=True)
    # by key, of the source as it is now
    project.spark.sql(f"delete from {project.schema}.clicks where key = 'b' and arrival_seq < 50")
    project.run("visits", vars={"event_windows__rebuild": "key = 'b'"})
    project.run(*names[1:])
    check(project, names, "rebuild")
    # as a whole: then it is another table
    project.run("visits", full_refresh=True)
    error = project.run("hours", expect_error=True).error
    assert "run with --full-refresh" in error
    project.run("hours", full_refresh=True)
    project.run("days", "busy")
    check(project, ("hours", "days", "busy"), "built anew")
