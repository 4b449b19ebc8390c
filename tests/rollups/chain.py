"""Models for rollups: clicks, sessions of them, and rollups over these."""

from __future__ import annotations

import random
import re
from collections import Counter
from datetime import timedelta
from typing import Any

from tests.harness import DbtProject
from tests.session_models import at, session_model

CLICKS = "key string, event_time timestamp, arrival_seq bigint, amount double"
VISITS = session_model(
    "clicks",
    "event_windows.session(gap='30 minutes', grace='2 days')",
    aggregates={"clicks": "count(*)", "most": "max(amount)", "pages": "sum(amount)"},
)
USERS = [("a", "de"), ("b", "fr"), ("c", None), ("d", "DE"), ("a", "at")]

ROLLUPS = {
    "by_hour": """
        select
            date_trunc('hour', window_start) as hour, key, count(*) as visits,
            sum(clicks) as clicks, avg(clicks) as per_visit, percentile_approx(clicks, 0.9) as p90,
            max(window_end) as last
        from {{ ref('visits') }}
        group by all
    """,
    "by_day": """
        select date(hour) as day, count(*) as hours, sum(visits) as visits, max(p90) as p90
        from {{ ref('by_hour') }}
        group by day
    """,
    "by_country": """
        -- what is grouped by is not what is shown
        select upper(country) as country, count(*) as visits, max_by(key, window_end) as key
        from {{ ref('visits') }} as v left join {{ source('raw', 'users') }} as u using (key)
        where clicks > 1
        group by country, date(v.window_start)
        having count(*) > 1
    """,
    "by_most": "select most, count(*) as visits from {{ ref('visits') }} group by 1",
    "by_length": """
        select cast(clicks as int) as length, count(*) as visits, approx_count_distinct(key) as keys
        from {{ ref('visits') }} group by all
    """,
    # tables are imported first, as dbt's style guide has it
    "imported": """
        with visits as (select * from {{ ref('visits') }} where clicks > 1),

        users as (select key, upper(country) as country from {{ source('raw', 'users') }}),

        joined as (
            select v.key, v.window_start, v.window_end as ended, v.clicks, users.country
            from visits as v
            left join users using (key)
        )

        select date(ended) as day, country, count(*) as visits, sum(clicks) as clicks
        from joined
        group by all
    """,
    "renamed": """
        select one.clicks + 1 as more, began
        from (
            select key as who, window_start as began, window_end as ended, clicks
            from {{ ref('visits') }}
        ) as one
        where clicks > 1
    """,
    # without GROUP BY: rows of visits, one for each country of the user
    "by_visit": """
        select country, clicks * 2 as twice, v.*
        from {{ ref('visits') }} as v left join {{ source('raw', 'users') }} as u using (key)
        where clicks > 1
    """,
    # what tells visits apart is not shown
    "busy": "select clicks, most from {{ ref('visits') }} where clicks > 2",
    # over a rollup that hides what tells its rows apart
    "of_country": "select * except (visits) from {{ ref('by_country') }} where visits > 1",
    "in_all": "select count(*) as visits, sum(clicks) as clicks from {{ ref('visits') }}",
}


def write_models(project: DbtProject) -> None:
    project.create_source("users", USERS, "key string, country string")
    project.create_source("clicks", [], CLICKS)
    project.model("visits", VISITS)
    for name, text in ROLLUPS.items():
        project.model(name, "{{ config(materialized='rollup') }}" + text)


def clicks(seed: int, count: int) -> list[tuple[Any, ...]]:
    """Clicks up to five hours out of order: later ones join sessions that were apart."""
    chance = random.Random(seed)
    amounts = [float("nan"), 0.0, -0.0, None, 1.5, float("inf")]
    return [
        (
            chance.choice(["a", "b", "c", "d", "e", None]),
            at(12 * arrival - chance.randrange(300)) + timedelta(microseconds=arrival),
            arrival,
            chance.choice(amounts),
        )
        for arrival in range(count)
    ]


def stored(project: DbtProject, name: str) -> Counter[str]:
    """The rows of a table, without bookkeeping."""
    columns = project.spark.table(f"{project.schema}.{name}").columns
    shown = ", ".join(f"`{one}`" for one in columns if not one.startswith("_ew_"))
    return Counter(str(tuple(row)) for row in project.rows(f"select {shown} from {name}"))


def from_scratch(project: DbtProject, text: str) -> Counter[str]:
    """What Spark gives for the text of a rollup as a query."""
    sql = re.sub(r"\{\{ (?:ref|source)\((?:'raw', )?'(\w+)'\) \}\}", r"\1", text)
    project.spark.catalog.setCurrentDatabase(project.schema)
    result = project.spark.sql(sql)
    # a star does not take the bookkeeping of the model
    shown = [one for one in result.columns if not one.startswith("_ew_")]
    return Counter(str(tuple(row)) for row in result.select(*shown).collect())


def check(project: DbtProject, *names: str) -> None:
    """Each of these rollups is what its text gives over the tables as they are."""
    for name in names:
        assert stored(project, name) == from_scratch(project, ROLLUPS[name]), name
