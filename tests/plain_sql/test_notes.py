"""What depends on the session's time zone is said."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from dbt_event_windows.plain_sql.notes import ZONE
from tests.plain_sql.answering import planned

NOTED = [
    "cast(max(viewed_at) as string)", "max(viewed_at) > '2024-01-01'", "hour(max(viewed_at))",
    "max(viewed_at + interval 1 day)", "max(viewed_at + interval -'1' day)",
    "max(viewed_at + interval 1 hour 2 days)",
    "datediff(max(viewed_at), min(viewed_at))",
    "timestampdiff(day, min(viewed_at), max(viewed_at))", "max(date(viewed_at))",
]  # fmt: skip
NOT_NOTED = [
    "cast(max(amount) as string)", "cast(max(seen_at) as string)", "max(url) > '2024-01-01'",
    "max(viewed_at + interval 1 hour)", "max(viewed_at + interval +'1' hour)",
    "max(viewed_at + interval 1 hour 30 minutes)",
    "timestampdiff(minute, min(viewed_at), max(viewed_at))",
    "max(seen_at + interval 1 day)", "cast(count(*) as string)",
]  # fmt: skip


@pytest.mark.parametrize("item", [*NOTED, *NOT_NOTED])
def test_the_zone_is_noted_where_it_matters(rows: SparkSession, item: str) -> None:
    text = f"select {item} as x from views group by user_id, window(viewed_at, '1 hour')"
    assert (ZONE in planned(text, arrival_order="seq")["notes"]) == (item in NOTED)
