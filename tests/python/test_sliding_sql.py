"""The sliding functions in SQL, and how their results become rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import dbt_event_windows
from tests.python.sliding_items import REPLAY_COLUMNS, SET_COLUMNS, numbered_rows
from tests.python.vectors import read_spec, spec_files

SPECS: list[Path] = [path for path in spec_files() if path.stem.startswith("sliding")]


def rows_of(spark, function: str, arguments: tuple[str, ...], result: str, items: list[tuple]):
    dbt_event_windows.register(spark)
    columns = [argument for argument in arguments[1:] if argument.isidentifier()]
    schema = "k string, " + ", ".join(f"{column} bigint" for column in columns)
    spark.createDataFrame(items, schema).createOrReplaceTempView("items")
    return spark.sql(
        f"""
        select inline(arrays_zip({result}))
        from (
            select inline({function}({", ".join(arguments)}))
            from items
            group by pmod(hash(k), 3)
        ) as batches
        """
    )


def set_in_sql(spark, items: list[tuple]):
    result = "k, window, base, first_new, last_new"
    return rows_of(spark, "event_windows_sliding_windows", SET_COLUMNS, result, items)


def replay_in_sql(spark, items: list[tuple]):
    result = "k, item, window, missed"
    arguments = (*REPLAY_COLUMNS, "cast(null as bigint)")
    return rows_of(spark, "event_windows_replay_sliding", arguments, result, items)


@pytest.mark.slow
def test_the_set_form_gives_what_kafka_gave_where_no_row_is_late(spark) -> None:
    vector = read_spec(SPECS[-1])
    with_late = {vector.rows[i].key for i, _ in vector.dropped}
    size = vector.window["size_ms"]
    times = Counter(
        (repr(row.key), row.time)
        for _, row, _ in numbered_rows(vector.rows, "partition", None)
        if row.key not in with_late
    )
    found = set_in_sql(spark, [(key, time, None, size, 1, None) for key, time in times])
    assert found.columns == ["k", "window", "base", "first_new", "last_new"]
    counted = {
        (k, window, sum(times[k, t] for t in range(first, last + 1)))
        for k, window, _, first, last in found.collect()
    }
    assert counted == {
        (repr(key), start, count)
        for key, start, _, count, *_ in vector.windows
        if key not in with_late
    }


def test_the_replay_gives_what_kafka_gave(spark) -> None:
    vector = read_spec(SPECS[0])
    limits = (vector.window["grace_ms"], None, vector.window["size_ms"], 1, None)
    found = replay_in_sql(
        spark,
        [
            (repr(row.key), index + 1, row.time, None, clock, *limits)
            for index, row, clock in numbered_rows(vector.rows, "partition", None)
        ],
    )
    assert found.columns == ["k", "item", "window", "missed"]
    rows = found.collect()
    counts = Counter((row.k, row.window) for row in rows if row.window is not None)
    assert {(*window, count) for window, count in counts.items()} == {
        (repr(key), start, count) for key, start, _, count, *_ in vector.windows
    }
    late = {row.item - 1 for row in rows if row.missed}
    assert late == {i for i, kind in vector.dropped if kind.startswith("late")}
    assert {row.item - 1 for row in rows if row.window is None} == {
        i for i, kind in vector.dropped if kind == "late"
    }


def test_nulls_and_any_text_as_key(spark) -> None:
    items = [("ключ", 90, 100, 10, 1, None), ("ключ", 97, None, 10, 1, None)]
    assert {tuple(row) for row in set_in_sql(spark, items).collect()} == {
        ("ключ", 87, None, 97, 97),
        ("ключ", 90, 90, 97, 97),
        ("ключ", 98, 90, None, None),
    }


def test_when_nothing_comes_back(spark) -> None:
    assert set_in_sql(spark, [("a", 90, 100, 10, 1, None)]).collect() == []
    stored = ("a", -1, 90, 100, None, 0, None, 10, 1, None)
    assert replay_in_sql(spark, [stored]).collect() == []


def test_errors_reach_the_user(spark) -> None:
    with pytest.raises(Exception, match="difference and resolution must be positive, got 0 and 1"):
        set_in_sql(spark, [("a", 90, None, 0, 1, None)]).collect()
    with pytest.raises(Exception, match="grace must not be negative, got -1"):
        replay_in_sql(spark, [("a", 1, 1, None, 1, -1, None, 10, 1, None)]).collect()
