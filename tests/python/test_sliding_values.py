"""Values of sliding windows, merged by the function, against a plain loop over what each holds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbt_event_windows.columns import ROWS
from dbt_event_windows.errors import FunctionInputError
from dbt_event_windows.sliding_values import event_windows_sliding_values
from tests.python.sliding_items import call_set

INTEGER_MERGES = ("sum", "min", "max")
DOUBLE_MERGES = ("max", "sum", "min")
WIDTH = 1 << 64

# Halves add up exactly in any order.
integers = st.none() | st.integers(-5, 5) | st.sampled_from([2**63 - 1, -(2**63)])
doubles = st.none() | st.integers(-9, 9).map(lambda n: n / 2) | st.just(math.nan)
# A key, a time, how much later the newest row of a stored window is (none: a new row), numbers.
item = st.tuples(
    st.sampled_from("ab"),
    st.integers(-8, 30),
    st.none() | st.integers(0, 12),
    st.tuples(integers, integers, integers),
    st.tuples(doubles, doubles, doubles),
)


def call(items: Sequence[tuple], difference: int, origin: int | None, **other: str) -> list[dict]:
    """The function on items (k, first, newest, integers, doubles), unpacked as SQL does it."""
    k, first, newest, whole, floating = (list(column) for column in zip(*items, strict=True))
    merges = {"integers": ",".join(INTEGER_MERGES), "doubles": ",".join(DOUBLE_MERGES)} | other
    constants = [(merges["integers"], pa.string()), (merges["doubles"], pa.string())]
    constants += [(difference, pa.int64()), (1, pa.int64()), (origin, pa.int64())]
    batches = event_windows_sliding_values(
        pa.array(k, pa.string()),
        pa.array(first, pa.int64()),
        pa.array(newest, pa.int64()),
        pa.array(whole, pa.list_(pa.int64())),
        pa.array(floating, pa.list_(pa.float64())),
        *(pa.array([value] * len(k), type_) for value, type_ in constants),
    )
    rows = []
    for batch in batches:
        names = ["k", "window", "reach"]
        flat = [batch[name].tolist() for name in names]
        for column, absent in zip(
            batch["integers"] + batch["doubles"], batch["absent"], strict=True
        ):
            nulls = absent.tolist() or [False] * len(column)
            flat.append([None if n else v for v, n in zip(column.tolist(), nulls, strict=True)])
        rows += list(zip(*flat, strict=True))
    return rows


def rank(value: float) -> tuple[bool, float]:
    """Above all numbers NaN."""
    return math.isnan(value), value


def merged(merge: str, values: list, whole: bool) -> float | None:
    """As Spark merges them: nulls left out, integers of 64 bits, NaN the greatest number."""
    given = [value for value in values if value is not None]
    if not given:
        return None
    if merge == "sum":
        total = sum(given)
        return (total + WIDTH // 2) % WIDTH - WIDTH // 2 if whole else total
    return min(given, key=rank) if merge == "min" else max(given, key=rank)


def readable(rows: Sequence[tuple]) -> list[tuple]:
    """NaN is equal to nothing, its text is."""
    return sorted(tuple(map(repr, row)) for row in rows)


@settings(max_examples=600, deadline=None)
@given(st.lists(item, min_size=1, max_size=25), st.integers(1, 12), st.sampled_from([None, -8]))
def test_each_window_has_what_is_in_it(items, difference, origin) -> None:
    once = {}
    for k, first, later, *numbers in items:
        newest = None if later is None else first + min(later, difference)
        if origin is None or first >= origin:
            once[k, first, newest is None] = (k, first, newest, *numbers)
    rows = list(once.values())
    expected = []
    limits = (difference, 1, origin)
    for window in call_set([(k, first, newest, *limits) for k, first, newest, *_ in rows]):
        held = [
            row
            for row in rows
            if row[0] == window["k"]
            and (
                window["first_new"] is not None
                and window["first_new"] <= row[1] <= window["last_new"]
                if row[2] is None
                else window["base"] == row[1]
            )
        ]
        values = [
            merged(merge, [row[3][place] for row in held], True)
            for place, merge in enumerate(INTEGER_MERGES)
        ] + [
            merged(merge, [row[4][place] for row in held], False)
            for place, merge in enumerate(DOUBLE_MERGES)
        ]
        reach = max(row[1] if row[2] is None else row[2] for row in held)
        expected.append((window["k"], window["window"], reach, *values))
    assert readable(call(rows, difference, origin)) == readable(expected)


def test_many_rows_in_a_window_and_more_than_a_batch() -> None:
    number = ROWS
    items = [("a", time, None, [1, time, time], [0.5, 0.5, 0.5]) for time in range(number)]
    rows = {window: values for _, window, _, *values in call(items, 1000, None)}
    assert len(rows) == number + 1000
    assert rows[5] == [1001, 5, 1005, 0.5, 500.5, 0.5]
    assert rows[number - 1] == [1, number - 1, number - 1, 0.5, 0.5, 0.5]


def test_what_is_not_understood_is_refused() -> None:
    item = ("a", 1, None, [1, 1, 1], [1.0, 1.0, 1.0])
    with pytest.raises(
        FunctionInputError, match="product is no merge of integers: allowed are sum"
    ):
        call([item], 10, None, integers="sum,product,max")
    with pytest.raises(FunctionInputError, match="doubles must have 2 numbers in each row, got 3"):
        call([item], 10, None, doubles="sum,max")
    with pytest.raises(FunctionInputError, match="null is not allowed in integers"):
        call([("a", 1, None, None, [1.0, 1.0, 1.0])], 10, None)
