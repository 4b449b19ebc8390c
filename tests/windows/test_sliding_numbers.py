"""What is in a sliding window, against Spark's own aggregates over the rows within its bounds.

The registered function merges numbers; where a model keeps anything else, all of it is put together
in SQL. Both are to give what Spark gives. Which windows there are is told by Kafka's vectors.
"""

from __future__ import annotations

import pytest

from tests.harness import DbtProject, recorded

NUMBERS = {
    "n": "count(*)",
    "some": "count(whole)",
    "total": "sum(whole)",
    "least": "min(tiny)",
    "most": "max(whole)",
    "mean": "avg(floating)",
    "mean_of_whole": "avg(whole)",
    "lowest": "min(floating)",
    "highest": "max(single)",
    "first_day": "min(day)",
    "latest": "max(ts) filter (where tiny > 0)",
    "ratio": "sum(whole) / nullif(count(tiny), 0)",
}
VALUES = NUMBERS | {"word": "max_by(word, seq)", "price": "sum(price)"}
# Keys that differ by a microsecond; halves, which add up exactly; nulls in every column, all of
# them in some windows.
ROWS = """
select
    timestamp_micros(id % 3) as k,
    timestamp_seconds(xxhash64(id, 1) % 400 + {later}) as ts,
    id as seq,
    if(xxhash64(id, 2) % 3 = 0, null, xxhash64(id, 3) % 100) as whole,
    cast(if(xxhash64(id, 4) % 3 = 0, null, xxhash64(id, 5) % 100) as tinyint) as tiny,
    case abs(xxhash64(id, 6) % 9)
        when 0 then double('nan') when 1 then null else xxhash64(id, 7) % 50 / 2
    end as floating,
    cast(if(xxhash64(id, 8) % 2 = 0, null, xxhash64(id, 9) % 50 / 4) as float) as single,
    if(xxhash64(id, 10) % 2 = 0, null, date_add(date'2020-01-01', cast(id as int))) as day,
    string(id) as word,
    cast(id as decimal(10, 2)) as price
from range({first}, {until})
"""
MODEL = """
{{{{ config(materialized='windowed') }}}}
{{{{ event_windows.windowed(
    relation=source('raw', 'readings'), key='k', event_time='ts', arrival_order='seq',
    window=event_windows.sliding(difference='15 seconds', grace='{grace}', resolution='1 second'),
    aggregates={aggregates}
) }}}}
"""


@pytest.mark.slow
@pytest.mark.parametrize("grace", ["unbounded", "1 day"])
@pytest.mark.parametrize(("name", "aggregates"), [("numbers", NUMBERS), ("values", VALUES)])
def test_a_window_has_what_spark_makes_of_its_rows(
    project: DbtProject, name: str, aggregates: dict[str, str], grace: str
) -> None:
    model = f"{name}_{grace.replace(' ', '_')}"
    project.create_source("readings", project.spark.sql(ROWS.format(first=0, until=120, later=0)))
    project.model(model, MODEL.format(grace=grace, aggregates=aggregates))
    project.run(model)
    project.append("readings", project.spark.sql(ROWS.format(first=120, until=200, later=150)))
    with recorded() as sent:
        project.run(model)
    by_function = any("event_windows_sliding_values" in sql for sql in sent.writes)
    assert by_function == (name == "numbers")

    table = f"{project.schema}.{model}"
    columns = ", ".join(aggregates)
    expected = ", ".join(f"{sql} as {column}" for column, sql in aggregates.items())
    spark_s = f"""
        select windows.k, window_start, {expected}
        from (select k, window_start, window_end from {table}) as windows
        inner join {project.schema}.readings as readings
            on windows.k = readings.k and ts between window_start and window_end
        group by windows.k, window_start
    """
    ours = f"select k, window_start, {columns} from {table}"
    assert project.rows(f"select count(*) as n from {table}")[0].n > 300
    assert project.rows(f"{ours} except all {spark_s}") == []
    assert project.rows(f"{spark_s} except all {ours}") == []
