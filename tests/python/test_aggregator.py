"""Declaring an aggregate, checking its merge law, and running it over Arrow arrays."""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque, namedtuple
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any
from zoneinfo import ZoneInfo

import numpy
import pyarrow as pa
import pytest
from pyspark.sql import Row

from dbt_event_windows import Aggregator, aggregator
from dbt_event_windows.aggregate_functions import Runner
from dbt_event_windows.declaration import declaration_of
from dbt_event_windows.errors import AggregatorError, MergeLawError
from dbt_event_windows.state_values import without_rounding
from dbt_event_windows.testing import check_merge_law
from dbt_event_windows.user_aggregates import load_folder

STATE = pa.struct([("n", pa.int64()), ("total", pa.float64())])
VALUE = pa.float64()
WHOLE = pa.decimal128(38, 0)


class Status(StrEnum):
    PAID = "paid"


class Level(IntEnum):
    HIGH = 1


class Mean(Aggregator):
    def zero(self) -> Any:
        return (0, 0.0)

    def reduce(self, state: Any, *values: Any) -> Any:
        return (state[0] + 1, state[1] + values[0])

    def merge(self, left: Any, right: Any) -> Any:
        return (left[0] + right[0], left[1] + right[1])

    def finish(self, state: Any) -> Any:
        return state[1] / state[0] if state[0] else None


def declared(cls: type[Aggregator] = Mean, **options: Any) -> type[Aggregator]:
    return aggregator("mean_of", **{"state": "x", "returns": "double"} | options)(cls)


def runner(
    cls: type[Aggregator],
    state: pa.DataType = STATE,
    *,
    value: pa.DataType = VALUE,
    **options: Any,
) -> Runner:
    declaration = declaration_of(declared(type("Copy", (cls,), {}), **options))
    assert declaration is not None
    return Runner(declaration, state, value)


def beginning_with(zero: Any) -> type[Aggregator]:
    class Beginning(Mean):
        def zero(self) -> Any:
            return zero

    return Beginning


def lists(rows: list[list[tuple[int, float | None]]]) -> pa.Array:
    """Lists of (place, value) as the function gets them."""
    return pa.array(
        [[{"at": {"time": place}, "row": {"a0": value}} for place, value in row] for row in rows],
        pa.list_(
            pa.struct(
                [
                    ("at", pa.struct([("time", pa.int64())])),
                    ("row", pa.struct([("a0", pa.float64())])),
                ]
            )
        ),
    )


def states(rows: list[list[tuple[int, Any]]]) -> pa.Array:
    return pa.array(
        [[{"at": place, "state": state} for place, state in row] for row in rows],
        pa.list_(pa.struct([("at", pa.int64()), ("state", STATE)])),
    )


# --- declarations -------------------------------------------------------------------------------


def test_a_class_is_declared_and_stays_what_it_is() -> None:
    cls = declared(state="struct<n: bigint, total: double>")
    assert cls is Mean
    declaration = declaration_of(cls)
    assert declaration is not None
    assert (declaration.name, declaration.state) == ("mean_of", "struct<n: bigint, total: double>")


def test_a_subclass_is_not_declared_by_its_base() -> None:
    declared()
    assert declaration_of(type("Other", (Mean,), {})) is None


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("Mean", {}, ["name is 'Mean'", "lower case letters"]),
        ("1st", {}, ["name is '1st'"]),
        ("event_windows_mean", {}, ["kept for the package"]),
        ("mean_of", {"state": ""}, ["state is ''", "a type as in SQL"]),
        ("mean_of", {"returns": float}, ["returns is <class 'float'>"]),
    ],
)
def test_bad_declarations(name: str, options: dict[str, Any], said: list[str]) -> None:
    with pytest.raises(AggregatorError) as raised:
        aggregator(name, **{"state": "double", "returns": "double"} | options)(Mean)
    for text in said:
        assert text in str(raised.value)


def test_missing_methods_are_named() -> None:
    class Half(Aggregator):
        def zero(self) -> Any:
            return 0

        def reduce(self, state: Any, *values: Any) -> Any:
            return state

    with pytest.raises(AggregatorError, match="methods are missing: merge, finish"):
        declared(Half)


def test_a_class_of_its_own_kind() -> None:
    with pytest.raises(AggregatorError, match="no subclass of dbt_event_windows"):
        aggregator("mean_of", state="double", returns="double")(dict)  # type: ignore[type-var]


def test_everything_wrong_is_said_at_once() -> None:
    with pytest.raises(AggregatorError) as raised:
        aggregator("X", state="", returns="")(dict)  # type: ignore[type-var]
    assert str(raised.value).count("\n  - ") == 4


# --- over Arrow arrays --------------------------------------------------------------------------


def test_rows_are_reduced_list_by_list() -> None:
    reduced = runner(Mean).reduce(lists([[(0, 1.0), (1, None), (2, 4.0)], [], [(0, None)]]))
    assert reduced.to_pylist() == [{"n": 2, "total": 5.0}, None, None]


def test_lists_of_a_part_of_an_array() -> None:
    some = lists([[(0, 1.0)], [(0, 2.0)], [(0, 3.0), (1, 4.0)]])[1:]
    assert runner(Mean).reduce(some).to_pylist() == [{"n": 1, "total": 2.0}, {"n": 2, "total": 7.0}]


def test_nulls_count_where_that_is_declared() -> None:
    class Counting(Mean):
        def reduce(self, state: Any, *values: Any) -> Any:
            return (state[0] + 1, state[1])

    assert runner(Counting, nulls=True).reduce(lists([[(0, None)]])).to_pylist() == [
        {"n": 1, "total": 0.0}
    ]


def test_states_are_merged_and_those_of_no_row_are_passed_over() -> None:
    merged = runner(Mean).merge(
        states([[(0, None), (1, (1, 2.0)), (2, (2, 3.0))], [(0, None)], [(5, (1, 1.0))]])
    )
    assert merged.to_pylist() == [{"n": 3, "total": 5.0}, None, {"n": 1, "total": 1.0}]


def test_rows_and_states_come_in_the_order_of_time() -> None:
    class Last(Mean):
        def reduce(self, state: Any, *values: Any) -> Any:
            return (state[0] + 1, values[0])

        def merge(self, left: Any, right: Any) -> Any:
            return (left[0] + right[0], right[1])

    run = runner(Last)
    assert run.reduce(lists([[(3, 30.0), (1, 10.0), (2, 20.0)]])).to_pylist()[0]["total"] == 30.0
    assert run.merge(states([[(9, (1, 9.0)), (4, (1, 4.0))]])).to_pylist()[0]["total"] == 9.0


def test_no_row_finishes_zero() -> None:
    finished = runner(Mean).finish(pa.array([None, {"n": 2, "total": 5.0}], STATE))
    assert finished.to_pylist() == [None, 2.5]


Named = namedtuple("Named", "n total")


@dataclass
class Fields:
    n: int
    total: float


@dataclass(slots=True)
class Slots:
    n: int
    total: float


@dataclass
class More:
    n: int
    total: float

    def __post_init__(self) -> None:
        self.mean = self.total / max(self.n, 1)


@pytest.mark.parametrize(
    "form", [Named, Fields, Slots, More, lambda n, total: {"n": n, "total": total}]
)
def test_a_state_keeps_its_form(form: Any) -> None:
    kind = type(form(0, 0.0))

    class Checked(Mean):
        def zero(self) -> Any:
            return form(0, 0.0)

        def reduce(self, state: Any, *values: Any) -> Any:
            assert type(state) is kind
            return form(7, 1.5)

        def merge(self, left: Any, right: Any) -> Any:
            assert type(left) is type(right) is kind
            return left

        def finish(self, state: Any) -> Any:
            assert type(state) is kind
            return 1.0

    run = runner(Checked)
    run.check()
    assert run.reduce(lists([[(0, 1.0)]])).to_pylist() == [{"n": 7, "total": 1.5}]
    assert run.merge(states([[(0, (1, 2.0)), (1, (1, 2.0))]])).to_pylist() == [
        {"n": 1, "total": 2.0}
    ]
    assert run.finish(pa.array([{"n": 1, "total": 2.0}], STATE)).to_pylist() == [1.0]


Swapped = namedtuple("Swapped", "total n")


@pytest.mark.parametrize(
    "form",
    [Swapped, lambda total, n: Row(total=total, n=n), lambda total, n: {"total": total, "n": n}],
)
def test_a_state_whose_fields_have_another_order_goes_by_name(form: Any) -> None:
    class Checked(Mean):
        def zero(self) -> Any:
            return form(0.0, 0)

        def reduce(self, state: Any, *values: Any) -> Any:
            total, n = state.values() if isinstance(state, dict) else state
            return form(total + values[0], n + 1)

        def finish(self, state: Any) -> Any:
            total, _ = state.values() if isinstance(state, dict) else state
            return total

    run = runner(Checked)
    run.check()
    states = run.reduce(lists([[(0, 1.5), (1, 2.5)]]))
    assert states.to_pylist() == [{"n": 2, "total": 4.0}]
    assert run.finish(states).to_pylist() == [4.0]


@dataclass
class Parts:
    seen: set[str]
    pair: tuple[int, int]
    deep: Named


def test_a_state_keeps_the_form_of_its_parts() -> None:
    class Checked(Mean):
        def zero(self) -> Any:
            return Parts(set(), (0, 0), Named(0, 0.0))

        def reduce(self, state: Any, *values: Any) -> Any:
            return Parts(state.seen | {"a"}, (1, 2), Named(3, 4.0))

        def finish(self, state: Any) -> Any:
            assert state == Parts({"a"}, (1, 2), Named(3, 4.0))
            return 1.0

    texts, numbers = pa.list_(pa.string()), pa.list_(pa.int64())
    run = runner(Checked, pa.struct([("deep", STATE), ("seen", texts), ("pair", numbers)]))
    run.check()
    assert run.finish(run.reduce(lists([[(0, 1.0)]]))).to_pylist() == [1.0]


@pytest.mark.parametrize(
    ("zero", "state", "type_"),
    [
        (Counter(), Counter(a=1), pa.map_("string", "int64")),
        ({}, Counter(a=1), pa.map_("string", "int64")),
        ({}, [("a", 1)], pa.map_("string", "int64")),
        ({"of": defaultdict(int)}, {"of": {}}, pa.struct([("of", pa.map_("string", "int64"))])),
        (defaultdict(int, n=0), defaultdict(int, n=1), pa.struct([("n", pa.int64())])),
        (numpy.zeros(2), numpy.zeros(2), pa.list_(pa.float64())),
        ([0.0, 0.0], numpy.zeros(2), pa.list_(pa.float64())),
        (deque(maxlen=2), deque(maxlen=2), pa.list_(pa.float64())),
        ([], [(1, "a")], pa.list_(pa.struct([("at", pa.int64()), ("url", pa.string())]))),
        ([], [Named(1, 2.0)], pa.list_(STATE)),
        (Named(0, 0.0), (1, 2.0), STATE),
        ((0, 0.0), Named(1, 2.0), STATE),
        ((0, 0.0), {"n": 1, "total": 2.0}, STATE),
        ((0, 0.0), [1, 2.0], STATE),
        (None, (1, 2.0), STATE),
        ([], (1, 2), pa.list_(pa.int64())),
        ([], {1}, pa.list_(pa.int64())),
        (set(), [1, 1], pa.list_(pa.int64())),
        (set(), frozenset({1}), pa.list_(pa.int64())),
        (None, {1}, pa.list_(pa.int64())),
        (Named(0, 0), Named(1, 2), pa.list_(pa.int64())),
        ({"of": []}, {"of": {1}}, pa.struct([("of", pa.list_(pa.int64()))])),
        ([], [("a", "b")], pa.list_(pa.list_(pa.string()))),
        (set(), {("a", "b")}, pa.list_(pa.list_(pa.string()))),
        ({}, {"a": {"b"}}, pa.map_("string", pa.list_(pa.string()))),
        (0, Decimal(7), WHOLE),
        (Decimal(0), 7, WHOLE),
        (None, 7, WHOLE),
        (0, 7, pa.decimal128(38, 2)),
        ({"n": 0}, {"n": Decimal(7)}, pa.struct([("n", WHOLE)])),
        ([], [7], pa.list_(WHOLE)),
        (0, Decimal(7), pa.int64()),
        (0.0, Decimal(7), pa.float64()),
        ("new", Status("paid"), pa.string()),
        (0, Level(1), pa.int64()),
        (None, Level(1), pa.float64()),
        ({"of": "new"}, {"of": Status("paid")}, pa.struct([("of", pa.string())])),
        ([], [Status("paid")], pa.list_(pa.string())),
        ("", b"paid", pa.string()),
        (b"", "paid", pa.binary()),
    ],
)
def test_a_state_that_would_come_back_in_another_form(
    zero: Any, state: Any, type_: pa.DataType
) -> None:
    run = runner(beginning_with(zero), type_)
    with pytest.raises(AggregatorError, match="would come back from the table as something else"):
        run.stored_and_loaded([run.stored_and_loaded([zero])[0], state])


@pytest.mark.parametrize(
    ("zero", "state", "type_"),
    [
        ((), (1, 2), pa.list_(pa.int64())),
        (set(), {1}, pa.list_(pa.int64())),
        (frozenset(), frozenset({1}), pa.list_(pa.int64())),
        ({"of": set()}, {"of": {1}}, pa.struct([("of", pa.list_(pa.int64()))])),
        ([], [["a", "b"]], pa.list_(pa.list_(pa.string()))),
        ({}, {"a": ["b"]}, pa.map_("string", pa.list_(pa.string()))),
        (None, [1], pa.list_(pa.int64())),
        (0, 10**30 + 1, WHOLE),
        (Decimal(0), Decimal(10**30 + 1), WHOLE),
        (None, Decimal(7), WHOLE),
        (0, Decimal("7.50"), pa.decimal128(38, 2)),
        ({"n": 0}, {"n": 10**30 + 1}, pa.struct([("n", WHOLE)])),
        ([], [Decimal(7)], pa.list_(WHOLE)),
        ([], [{"n": 1, "total": 2.0}], pa.list_(STATE)),
        (None, {"n": 1, "total": 2.0}, STATE),
        (b"", b"paid", pa.binary()),
        (False, True, pa.bool_()),
    ],
)
def test_a_state_that_comes_back_as_it_was(zero: Any, state: Any, type_: pa.DataType) -> None:
    run = runner(beginning_with(zero), type_)
    run.check()
    [back] = run.stored_and_loaded([state])
    assert repr(back) == repr(state)


class OneZero(Mean):
    def __init__(self) -> None:
        self.state = {"n": 0, "total": 0.0}

    def zero(self) -> Any:
        return self.state

    def reduce(self, state: Any, *values: Any) -> Any:
        state["n"] += 1
        state["total"] += values[0]
        return state

    def merge(self, left: Any, right: Any) -> Any:
        return {name: left[name] + right[name] for name in left}

    def finish(self, state: Any) -> Any:
        return state["total"]


class OnePart(OneZero):
    def zero(self) -> Any:
        return {"of": self.state}

    def reduce(self, state: Any, *values: Any) -> Any:
        super().reduce(state["of"], *values)
        return state


def test_a_zero_that_is_one_object_begins_each_list_anew() -> None:
    rows = lists([[(0, 1.0), (1, 2.0)], [(0, 3.0)], []])
    reduced = [{"n": 2, "total": 3.0}, {"n": 1, "total": 3.0}, None]
    run = runner(OneZero)
    assert run.reduce(rows).to_pylist() == run.reduce(rows).to_pylist() == reduced
    assert run.finish(pa.array([None], STATE)).to_pylist() == [0.0]
    run = runner(OnePart, pa.struct([("of", STATE)]))
    assert run.reduce(rows).to_pylist() == [one and {"of": one} for one in reduced]
    check_merge_law(OneZero, [1.0, 2.0])


def test_a_forgotten_return_is_named() -> None:
    class Forgetful(Mean):
        def reduce(self, state: Any, *values: Any) -> Any:
            self.seen = values

    with pytest.raises(AggregatorError, match="mean_of: reduce returned None"):
        runner(Forgetful).reduce(lists([[(0, 1.0)]]))


def test_a_first_state_of_another_type_is_named() -> None:
    class Plain(Mean):
        def zero(self) -> Any:
            return 0

    with pytest.raises(AggregatorError, match=r"zero\(\) returns 0, which is no struct"):
        runner(Plain).check()


EASTERN = ZoneInfo("America/New_York")


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        (1.5, pa.int64()),
        (Decimal("2.7"), pa.int32()),
        (math.nan, pa.int64()),
        (Decimal("Infinity"), pa.int64()),
        (1.5, pa.date32()),
        (1714557600, pa.timestamp("us", "UTC")),
        (19844, pa.date32()),
        (datetime(2024, 5, 1, 10), pa.date32()),
        (datetime(2024, 5, 1, tzinfo=EASTERN), pa.date32()),
        (datetime(2024, 5, 1, 10), pa.timestamp("us", "UTC")),
        (datetime(2024, 5, 1, 10, tzinfo=EASTERN), pa.timestamp("us")),
        (Decimal("1.55"), pa.decimal128(10, 1)),
        (2**70, pa.int64()),
    ],
)
def test_what_a_type_has_not_is_not_cut_to_fit(value: Any, type_: pa.DataType) -> None:
    class Of(Mean):
        def zero(self) -> Any:
            return {}

        def reduce(self, state: Any, *values: Any) -> Any:
            return {"in": [value]}

        def finish(self, state: Any) -> Any:
            return value

    class Map(Of):
        def reduce(self, state: Any, *values: Any) -> Any:
            return {"a": value}

    for cls, state in {
        Of: pa.struct([("in", pa.list_(type_))]),
        Map: pa.map_("string", type_),
    }.items():
        with pytest.raises(
            AggregatorError, match=r"mean_of: state='x': .* is no |Decimal|too large"
        ):
            runner(cls, state).reduce(lists([[(0, 1.0)]]))
    run = runner(Of, pa.int64(), value=type_)
    with pytest.raises(AggregatorError, match="mean_of: returns='double': "):
        run.finish(pa.array([1], pa.int64()))
    with pytest.raises(AggregatorError, match="mean_of: returns='double': "):
        run.aggregate(pa.array([None], pa.float64()))


@pytest.mark.parametrize(
    ("value", "type_", "stored"),
    [
        (3.0, pa.int64(), 3),
        (Decimal("3.00"), pa.int64(), 3),
        (numpy.float64(3.0), pa.int16(), 3),
        (0.1, pa.float32(), numpy.float32(0.1)),
        (math.nan, pa.float64(), math.nan),
        (3, pa.decimal128(10, 2), Decimal("3.00")),
        (datetime(2024, 5, 1), pa.date32(), date(2024, 5, 1)),
        (timedelta(days=1), pa.duration("us"), timedelta(days=1)),
    ],
)
def test_another_type_of_the_same_value_is_stored(
    value: Any, type_: pa.DataType, stored: Any
) -> None:
    class Of(Mean):
        def finish(self, state: Any) -> Any:
            return value

    (found,) = runner(Of, pa.int64(), value=type_).finish(pa.array([1], pa.int64())).to_pylist()
    assert found == stored or (found != found and stored != stored)
    assert type(found) is not numpy.float64


@pytest.mark.parametrize("key", [pa.struct([("a", pa.int64())]), pa.list_(pa.int64())])
def test_no_dict_has_such_keys(key: pa.DataType) -> None:
    """Of an empty map nothing would be seen: the first value would end in Python's own words."""

    class Counts(Mean):
        def zero(self) -> Any:
            return {"of": []}

    map_ = pa.map_(key, pa.int64())
    state = pa.struct([("of", pa.list_(map_))])
    with pytest.raises(AggregatorError, match=r"state has map<.*: let it have an array of structs"):
        runner(Counts, state).check()
    runner(Counts, pa.struct([("of", pa.list_(pa.map_(pa.int64(), key)))])).check()
    column = pa.array([None], pa.map_(pa.string(), map_))
    with pytest.raises(AggregatorError, match=r"an argument has map<.*: take map_entries"):
        runner(Mean).aggregate(column)


@pytest.mark.parametrize("nested", [False, True])
def test_a_text_that_is_no_text_to_python(nested: bool) -> None:
    """Spark holds any bytes as text: of cast(x'80' as string), or of a file that was cut."""
    column = pa.array([b"ok", b"\x80cut"]).cast(pa.string(), safe=False)
    column = pa.StructArray.from_arrays([column], ["of"]) if nested else column
    with pytest.raises(AggregatorError, match=r"b'\\x80cut', .*: take make_valid_utf8"):
        runner(Mean).aggregate(column)


IN_ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "GMT+05:30"]


@pytest.mark.parametrize("zone", IN_ZONES)
@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        # over an hour that does not exist in Berlin, within one that comes twice, to an open end
        (datetime(2024, 3, 31, 0, 50, tzinfo=UTC), datetime(2024, 3, 31, 1, 10, tzinfo=UTC)),
        (datetime(2024, 10, 27, 0, 45, tzinfo=UTC), datetime(2024, 10, 27, 1, 15, tzinfo=UTC)),
        (datetime(2024, 10, 27, 0, 30, tzinfo=UTC), datetime(2024, 10, 27, 1, 30, tzinfo=UTC)),
        (datetime(9999, 12, 30, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_instants_are_those_of_utc_in_any_session_zone(
    zone: str, earlier: datetime, later: datetime
) -> None:
    """Python compares and subtracts two times of one zone by its wall clock."""

    class Span(Mean):
        def zero(self) -> Any:
            return {"seen": set(), "last": None}

        def reduce(self, state: Any, *values: Any) -> Any:
            times = {values[0]["at"], *values[0]["all"]}
            last = max(t for t in [state["last"], *times] if t is not None)
            return {"seen": state["seen"] | times, "last": last}

        def merge(self, left: Any, right: Any) -> Any:
            last = max(left["last"], right["last"])
            return {"seen": left["seen"] | right["seen"], "last": last}

        def finish(self, state: Any) -> Any:
            seconds = (state["last"] - min(state["seen"])).total_seconds()
            return seconds if len(state["seen"]) == 2 else None

    time = pa.timestamp("us", zone)
    state = pa.struct([("seen", pa.list_(time)), ("last", time)])
    run = runner(Span, state)
    row = pa.struct([("at", time), ("all", pa.list_(time))])
    rows = [{"at": earlier, "all": []}, {"at": later, "all": [later]}]
    place = pa.struct([("time", pa.int64())])
    item = pa.struct([("at", place), ("row", pa.struct([("a0", row)]))])
    pieces = pa.array([[{"at": {"time": n}, "row": {"a0": r}}] for n, r in enumerate(rows)])
    states = run.reduce(pieces.cast(pa.list_(item)))
    at = pa.array([{"time": 0}, {"time": 1}], place)
    parts = pa.StructArray.from_arrays([at, states], ["at", "state"])
    merged = run.merge(pa.ListArray.from_arrays([0, 2], parts))
    due = (later - earlier).total_seconds()
    assert run.finish(merged).to_pylist() == [due]
    whole = run.aggregate(pa.array(rows).cast(row))
    assert whole is not None
    assert whole.as_py() == due


@pytest.mark.parametrize("type_", [pa.timestamp("us", "UTC"), pa.timestamp("us"), pa.date32()])
def test_a_time_that_python_has_not_is_told(type_: pa.DataType) -> None:
    number = pa.int32() if pa.types.is_date(type_) else pa.int64()
    column = pa.array([253_402_300_800_000_000 if number == pa.int64() else 3_000_000], number)
    with pytest.raises(AggregatorError, match="after year 9999"):
        runner(Mean).aggregate(column.cast(type_))


@pytest.mark.parametrize("value", [{"a": 1}, {}, None])
def test_a_value_of_all_rows_has_its_type(value: Any) -> None:
    class Of(Mean):
        def finish(self, state: Any) -> Any:
            return value

    type_ = pa.map_(pa.string(), pa.int64())
    found = runner(Of, value=type_).aggregate(pa.array([1.0]))
    # as pyspark makes a column of it
    assert pa.array([found], type_).to_pylist() == [value if value is None else [*value.items()]]


# --- the merge law ------------------------------------------------------------------------------


def test_the_law_holds_for_a_mean() -> None:
    check_merge_law(Mean, [0.1, 0.2, -5.0, 1e9])


def test_the_law_holds_for_several_arguments() -> None:
    class Weighted(Mean):
        def reduce(self, state: Any, *values: Any) -> Any:
            return (state[0] + values[1], state[1] + values[0] * values[1])

    check_merge_law(Weighted, [(1.0, 2), (3.0, 1), (0.5, 4)])


@pytest.mark.parametrize("method", ["merge", "reduce"])
def test_what_depends_on_the_order_breaks_the_law(method: str) -> None:
    def last(self: Any, state: Any, *values: Any) -> Any:
        return (1, values[0] if method == "reduce" else values[0][1])

    with pytest.raises(MergeLawError, match="must not depend on how rows are divided"):
        check_merge_law(type("Last", (Mean,), {method: last}), [1.0, 2.0, 3.0])


def test_the_law_with_states_as_a_table_has_them() -> None:
    class Times(Mean):
        def zero(self) -> Any:
            return {}

        def reduce(self, state: Any, *values: Any) -> Any:
            return state | {values[0].isoformat(): values[0]}

        def merge(self, left: Any, right: Any) -> Any:
            return left | {at.isoformat(): at for at in right.values()}  # of the zone it has then

        def finish(self, state: Any) -> Any:
            return len(state)

    times = [datetime(2024, 5, 1, hour, tzinfo=EASTERN) for hour in range(3)]
    check_merge_law(Times, times)
    run = runner(Times, pa.map_("string", pa.timestamp("us", "UTC")))
    with pytest.raises(MergeLawError, match="must not depend on how rows are divided"):
        check_merge_law(Times, times, stored=run.stored_and_loaded)


def test_the_law_takes_a_state_of_floats_for_unrounded() -> None:
    """A FLOAT in a table is rounded at each store, and the law is about the class."""
    type_ = pa.struct([("n", pa.int64()), ("total", pa.float32())])
    run = runner(Mean, without_rounding(type_))
    check_merge_law(Mean, [0.1, 0.2, 0.3], stored=run.stored_and_loaded)


def test_the_law_has_one_object_for_all_pieces() -> None:
    class Kept(OneZero):
        def zero(self) -> Any:
            return {"n": 0, "total": 0.0}

        def reduce(self, state: Any, *values: Any) -> Any:
            if not state["n"]:
                self.state = state
            return super().reduce(self.state, *values)

        def finish(self, state: Any) -> Any:
            self.n = getattr(self, "n", 0) + state["n"]
            return self.n

    with pytest.raises(MergeLawError):
        check_merge_law(Kept, [1.0, 2.0])


def test_the_law_passes_over_rows_that_do_not_count() -> None:
    check_merge_law(declared(), [1.0, None])
    with pytest.raises(TypeError):
        check_merge_law(declared(nulls=True), [1.0, None])
    with pytest.raises(ValueError, match="needs values"):
        check_merge_law(declared(), [None])


def test_the_law_needs_values() -> None:
    with pytest.raises(ValueError, match="needs values"):
        check_merge_law(Mean, [])


# --- files --------------------------------------------------------------------------------------


GOOD = """
from dbt_event_windows import Aggregator, aggregator

@aggregator("{name}", state="bigint", returns="bigint")
class {cls}(Aggregator):
    def zero(self): return 0
    def reduce(self, state, value): return state + value
    def merge(self, left, right): return left + right
    def finish(self, state): return state
"""


def test_files_may_import_each_other(tmp_path: Any) -> None:
    import sys

    (tmp_path / "a_user.py").write_text("from z_library import Total\n")
    (tmp_path / "z_library.py").write_text(GOOD.format(name="total", cls="Total"))
    found = load_folder(tmp_path)
    assert [(one.name, one.cls.__name__) for one in found] == [("total", "Total")]
    # not known by name, so that cloudpickle sends the class to the workers with its code
    assert "z_library" not in sys.modules
    assert str(tmp_path) not in sys.path


def test_a_module_that_was_imported_before_stays_so(tmp_path: Any, monkeypatch: Any) -> None:
    import importlib
    import sys

    (tmp_path / "of_the_process.py").write_text(GOOD.format(name="total", cls="Total"))
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("of_the_process")
    # by another spelling of the path, so that the file is loaded once more
    monkeypatch.setattr(module, "__file__", f"{tmp_path}/./of_the_process.py")
    assert [one.name for one in load_folder(tmp_path)] == ["total"]
    assert sys.modules.pop("of_the_process") is module


@pytest.mark.parametrize("name", ["calendar.py", "fractions.py", "numpy.py", "numbers/__init__.py"])
def test_a_file_with_the_name_of_another_module_is_refused(tmp_path: Any, name: str) -> None:
    """Where another file imports it, Spark's workers would import that other module."""
    import sys

    before = dict(sys.modules)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("def half(value):\n    return value / 2\n")
    (tmp_path / "shares.py").write_text(GOOD.format(name="total", cls="Total"))
    taken = name.partition("/")[0]
    with pytest.raises(AggregatorError, match=f"{taken}: another module has the name .* rename"):
        load_folder(tmp_path)
    assert sys.modules == before


def test_a_folder_that_is_reached_by_a_link(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that was imported by way of the link is the same file."""
    import sys

    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "linked.py").write_text(GOOD.format(name="total", cls="Total"))
    (tmp_path / "link").symlink_to("real")
    monkeypatch.syspath_prepend(str(tmp_path / "link"))
    __import__("linked")
    found = load_folder(tmp_path / "link")
    del sys.modules["linked"]
    assert [one.name for one in found] == ["total"]


def test_a_name_twice_is_an_error(tmp_path: Any) -> None:
    for cls in ["One", "Two"]:
        (tmp_path / f"{cls}.py").write_text(GOOD.format(name="total", cls=cls))
    with pytest.raises(AggregatorError, match="'total' is declared twice, by One and Two"):
        load_folder(tmp_path)


def test_a_file_that_fails_is_shown_with_its_lines(tmp_path: Any) -> None:
    (tmp_path / "broken.py").write_text("import math\nmath.sqrt(-1)\n")
    with pytest.raises(AggregatorError) as raised:
        load_folder(tmp_path)
    for text in ["broken.py cannot be imported", "math.sqrt(-1)", "ValueError"]:
        assert text in str(raised.value)
    (tmp_path / "broken.py").write_text("def :\n")
    with pytest.raises(AggregatorError, match="SyntaxError"):
        load_folder(tmp_path)


def test_a_folder_without_aggregates(tmp_path: Any) -> None:
    (tmp_path / "other.py").write_text("x = 1\n")
    assert load_folder(tmp_path) == []
