"""A converted model gives the rows of the model by hand, where no row is late."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from pyspark.sql import SparkSession

from dbt_event_windows.convert import convert
from tests.harness import local_frame, sampled

# Seconds between rows: limits, and what is just beside them.
_STEPS = [0.001, 1, 600, 1799, 1799.999999, 1800, 1800.000001, 1800.5, 1801, 1859.999, 1860, 1861]
_STEPS += [7199, 7200, 7201, 40000]

COUNTED = (
    "select k, min(at) as since, max(at) as till, count(*) as n, sum(v) as v, min_by(v, at) as f"
)


def by_hand(
    start: str, number: str = "sum(is_start)", source: str = "events", where: str = ""
) -> str:
    """Sessions by hand: a flag, its running sum, and a row for each of its values."""
    over = "over (partition by k order by at)"
    return (
        f"with before as (select *, lag(at) {over} as at_before from {source}{where}),\n"
        f"starts as (select *, {start} as is_start from before),\n"
        f"numbered as (select *, {number} {over} as number from starts)\n"
        f"{COUNTED} from numbered group by k, number"
    )


def flag(condition: str) -> str:
    return f"case when {condition} then 1 else 0 end"


@dataclass(frozen=True)
class Case:
    """A model by hand; of other warehouses also the same model in Spark's SQL."""

    name: str
    model: str
    dialect: str = "spark"
    in_spark: str | None = None


_ABOVE = "at > at_before + interval 30 minutes"
_EPOCHS = "unix_timestamp(at) - unix_timestamp(at_before)"
_CARRIED = """select k, id, max(at) as till, count(*) as n from (
    select *, last_value(case when at_before is null or at - at_before > interval '30' minute
        then {} end, true) over (partition by k order by at
        rows between unbounded preceding and current row) as id
    from (select *, lag(at) over w as at_before from events
        window w as (partition by k order by at)) x
) y group by k, id having count(*) > 1"""

CASES = [
    Case("above", by_hand(f"case when at_before is null then 1 when {_ABOVE} then 1 else 0 end")),
    Case("at least", by_hand("if(at - at_before >= interval 30 minutes, 1, 0)")),
    Case("turned round", by_hand("case when at_before + interval '1800' second < at then 1 end")),
    Case("moved back", by_hand("if(at - interval 30 minutes >= at_before, 1, 0)")),
    Case("opposite", by_hand("case when at <= at_before + interval 30 minutes then 0 else 1 end")),
    Case("not", by_hand(flag("not at <= at_before + interval 30 minutes"))),
    Case("not in a case", by_hand(f"case when not ({_ABOVE}) then 0 else 1 end")),
    Case("a start with the name of the time",
         by_hand(flag(_ABOVE)).replace("min(at) as since", "min(at) as at")),
    Case("words as names",
         by_hand(flag(_ABOVE)).replace("min(at) as since", "min(at) as `select`, k as `from`")),
    Case("a start that is asked for", by_hand(flag(_ABOVE))
         + " having min(at) >= timestamp'2024-03-10 02:00:00' and max(at) > min(at)"),
    Case("a start that is asked for above", f"select * from ({by_hand(flag(_ABOVE))}) s "
         "where since > timestamp'2024-03-10 02:00:00' or hour(since) = 2"),
    Case("the first that holds", by_hand("case when at <= at_before + interval 30 minutes then 0 "
                                         "when at > at_before + interval 10 minutes then 1 "
                                         "else 1 end")),
    Case("a date of hours",
         "select cast(date_trunc('hour', at) as date) as d, k, count(*) as n from events "
         "group by 1, 2"),
    Case("or", by_hand("cast(at_before is null or "
                       "at > timestampadd(minute, 30, at_before) as int)")),
    Case("two limits", by_hand(flag("at > at_before + interval 2 hours or "
                                    "timestampdiff(minute, at_before, at) >= 30"))),
    Case("whole minutes", by_hand(flag("timestampdiff(minute, at_before, at) > 30"))),
    Case("whole minutes, at least", by_hand(flag("datediff(minute, at_before, at) >= 30"))),
    Case("whole seconds", by_hand(flag("timestampdiff(second, at_before, at) / 60 > 30"))),
    Case("minutes as seconds", by_hand(flag("timestampdiff(minute, at_before, at) * 60 >= 1800"))),
    Case("microseconds", by_hand(flag("unix_micros(at) - unix_micros(at_before) > 1800000000"))),
    Case("doubles", by_hand(flag("cast(at as double) - cast(at_before as double) > 30 * 60"),
                            source="whole")),
    Case("epochs", by_hand(flag(f"{_EPOCHS} > 1800"), source="whole")),
    Case("epochs, at least", by_hand(flag(f"{_EPOCHS} >= 30 * 60"), source="whole")),
    Case("epochs in minutes",
         by_hand(flag("(cast(at as long) - cast(at_before as long)) / 60 > 30"), source="whole")),
    Case("minutes of dbt",
         by_hand(flag("{{ dbt.datediff('at_before', 'at', 'minute') }} > 30"), source="whole"),
         in_spark=by_hand(flag(f"ceil(({_EPOCHS}) / 60) > 30"), source="whole")),
    Case("minutes of dbt, at least",
         by_hand(flag("{{ dbt.datediff('at_before', 'at', 'minute') }} >= 31"), source="whole"),
         in_spark=by_hand(flag(f"ceil(({_EPOCHS}) / 60) >= 31"), source="whole")),
    Case("no distance", by_hand(flag("at - at_before > interval '30 minutes' or "
                                     "at - at_before is null"))),
    Case("no seconds", by_hand("case when timestampdiff(second, at_before, at) is null then 1 "
                               "when at > at_before + interval '30 minutes' then 1 else 0 end")),
    Case("count_if", by_hand(_ABOVE, "count_if(is_start)")),
    Case("a coalesce for the ELSE",
         by_hand("coalesce(case when at <= at_before + interval 30 minutes then 0 end, 1)")),
    Case("a flag that is 1", by_hand(flag(_ABOVE), "count_if(is_start = 1)")),
    Case("a flag that is true, as a number",
         by_hand(f"coalesce({_ABOVE}, true)", "sum(if(is_start = true, 1, 0))")),
    Case("the start where a flag is 1", _CARRIED.replace("at_before is null or at - at_before > "
         "interval '30' minute", "if(at <= at_before + interval 30 minutes, 0, 1) = 1")
         .format("at")),
    Case("count", by_hand(_ABOVE, "count(case when is_start then 1 end)")),
    Case("some rows", by_hand(flag(_ABOVE), where=" where v % 3 > 0")),
    Case("a join", by_hand(flag(_ABOVE), source="(select e.*, p.name from events e "
                           "left join people p on p.k = e.k)")),
    Case("the start carried on", _CARRIED.format("at")),
    Case("an id carried on", _CARRIED.format("v")),
    Case("a start and an id carried on", _CARRIED.replace(") as id", """) as since,
        last_value(case when at_before is null or at - at_before > interval '30' minute then v end,
        true) over (partition by k order by at rows between unbounded preceding and current row)
        as id""").replace("k, id, max", "k, since, id, max").replace("by k, id", "by k, id, since")
         .format("at")),
    Case("hours", "select date_trunc('hour', at) as h, k, count(*) as n from events group by 1, 2"),
    Case("days in short",
         "select date_trunc('DD', at) as d, k, count(*) as n from events group by 1, 2"),
    Case("days", "select cast(at as date) as d, k, sum(v) as v from events group by all"),
    Case("bigquery", by_hand("if(timestamp_diff(at, at_before, second) > 1800, 1, 0)") + "; -- end",
         "bigquery",
         by_hand(flag("timestampdiff(second, at_before, at) > 1800"))),
    Case("snowflake",
         by_hand("iff(datediff('second', at_before, at) > 1800, 1, 0)", source="whole"),
         "snowflake",
         by_hand(flag("timestampdiff(second, at_before, at) > 1800"), source="whole")),
    Case("true events", by_hand("at > dateadd(minute, 30, at_before)",
                                "conditional_true_event(is_start)"), "snowflake",
         by_hand(flag(_ABOVE))),
]  # fmt: skip


@pytest.fixture(scope="module")
def events(spark: SparkSession) -> Iterator[SparkSession]:
    """The views `events`, `whole` (times of whole seconds) and `people`."""
    draw = random.Random(3)
    rows = []
    for key in ("a", "b", "c"):
        at = datetime(2024, 3, 9, 20, tzinfo=UTC)
        for _ in range(60):
            at += timedelta(seconds=draw.choice(_STEPS))
            rows.append((key, at, len(rows)))
    local_frame(spark, rows, "k string, at timestamp, v int").createOrReplaceTempView("events")
    spark.sql("select * except (at), date_trunc('second', at) as at from events") \
        .createOrReplaceTempView("whole")  # fmt: skip
    local_frame(spark, [("a", "Ann")], "k string, name string").createOrReplaceTempView("people")
    yield spark
    for view in ("events", "whole", "people"):
        spark.catalog.dropTempView(view)


@pytest.mark.parametrize("case", sampled(CASES, CASES[::2]), ids=lambda case: case.name)
def test_the_rows_are_the_same(events: SparkSession, case: Case) -> None:
    by_hand = events.sql(case.in_spark or case.model)
    windowed = convert(case.model, case.dialect)
    # Spark has no calendar_window: a day of UTC is one of its windows
    sql = windowed.sql.replace("calendar_window(at, 'day')", "window(at, '1 day')")
    found = events.sql(sql.replace("calendar_window", "window"))
    assert found.columns == by_hand.columns
    assert sorted(map(str, found.collect())) == sorted(map(str, by_hand.collect()))
    assert found.count() > 10
