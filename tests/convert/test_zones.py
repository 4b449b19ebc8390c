"""Days, weeks and months of a time zone, as windowed models beside what BigQuery computes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from dbt_event_windows.convert import convert
from tests.harness import DbtProject

ZONE = "spark.sql.session.timeZone"
FROM = "from {{ source('raw', 'events') }} group by 1, k"
LOCAL = "convert_timezone('Europe/Berlin', ts)"
# Of each model in BigQuery's SQL what it groups by, in Spark's.
MODELS = {
    "day": (f"select date(ts, 'Europe/Berlin') as g, k, count(*) as n {FROM}", f"date({LOCAL})"),
    "week": (
        f"select date_trunc(date(ts, 'Europe/Berlin'), isoweek) as g, k, count(*) as n {FROM}",
        f"date(date_trunc('week', {LOCAL}))",
    ),
    "month": (
        f"select timestamp_trunc(ts, month, 'Europe/Berlin') as g, k, count(*) as n {FROM}",
        "to_utc_timestamp(date_trunc('month', from_utc_timestamp(ts, 'Europe/Berlin')), "
        "'Europe/Berlin')",
    ),
}


@pytest.mark.slow
def test_units_of_a_zone_are_those_of_the_zone(project: DbtProject) -> None:
    """Over both changes of clocks, whatever the zone of the session that reads the table."""
    start = datetime(2024, 3, 30, 20, tzinfo=UTC)
    # the hours around the last Sundays of March and of October
    hours = [hour + 5040 * autumn for autumn in (0, 1) for hour in range(0, 60, 2)]
    rows = [("ab"[n % 2], start + timedelta(hours=hour), n) for n, hour in enumerate(hours)]
    project.create_source("events", rows, "k string, ts timestamp, seq bigint")
    for name, (model, _) in MODELS.items():
        project.model(name, convert(model, "bigquery", "unbounded", "seq").text)
    project.run(*MODELS)
    for name, (_, group) in MODELS.items():
        expected = project.rows(f"select {group} as g, k, count(*) as n from events group by 1, 2")
        assert len(expected) >= 4
        for zone in ("UTC", "America/New_York") if name != "month" else ("UTC",):
            project.spark.conf.set(ZONE, zone)
            try:
                found = project.rows(f"select * from {name}")
            finally:
                project.spark.conf.unset(ZONE)
            assert sorted(map(tuple, found)) == sorted(map(tuple, expected)), (name, zone)
