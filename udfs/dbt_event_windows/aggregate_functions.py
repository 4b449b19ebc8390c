"""The functions in SQL that stand behind a user's aggregate.

Spark takes no Python aggregate beside its own in one SELECT. So these are plain functions over
what Spark's `collect_list` gathered: `<name>__reduce` over rows, `<name>__merge` over states,
`<name>__finish` over a state. The aggregate itself, `<name>`, works alone in a SELECT.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from dbt_event_windows.declaration import Declaration
from dbt_event_windows.errors import AggregatorError
from dbt_event_windows.state_values import in_utc, no_dict, to_arrow, to_python, without_rounding
from dbt_event_windows.testing import check_merge_law


class Runner:
    """One aggregate over Arrow arrays. A state of no rows is null, and `merge` never sees it."""

    def __init__(self, declaration: Declaration, state: pa.DataType, returns: pa.DataType) -> None:
        self._declaration = declaration
        self._aggregate = declaration.cls()
        self._zero = _fresh(self._aggregate.zero)
        self._state_type = state
        self._value_type = returns

    def reduce(self, lists: pa.Array) -> pa.Array:
        """The state of each list of `struct<at, row: struct<...>>`, rows in the order of `at`."""
        parents, rows = _in_order(lists, "row")
        columns = [_values(column) for column in rows.flatten()]
        states: list[Any] = [None] * len(lists)
        for parent, values in zip(parents, zip(*columns, strict=True), strict=True):
            states[parent] = self._with_row(states[parent], values)
        return self._stored(states)

    def merge(self, lists: pa.Array) -> pa.Array:
        """The state of each list of `struct<at, state>`, merged in the order of `at`."""
        parents, found = _in_order(lists, "state")
        states: list[Any] = [None] * len(lists)
        for parent, state in zip(parents, self._loaded(found), strict=True):
            if states[parent] is None:
                states[parent] = state
            elif state is not None:
                merged = self._aggregate.merge(states[parent], state)
                states[parent] = self._not_forgotten("merge", merged)
        return self._stored(states)

    def finish(self, states: pa.Array) -> pa.Array:
        """The value of each state."""
        values = [self._finished(state) for state in self._loaded(states)]
        return self._array("returns", values, self._value_type)

    def aggregate(self, *columns: pa.Array) -> pa.Scalar | None:
        """The value of all rows, of its type: of a map in Python nobody could tell it."""
        state = None
        for values in zip(*map(_values, columns), strict=True):
            state = self._with_row(state, values)
        [value] = self._array("returns", [self._finished(state)], self._value_type)
        return value if value.is_valid else None

    def check(self) -> None:
        """Store and load the first state.

        Raises:
            AggregatorError: `zero()` does not fit the type that was declared for the state, or no
                state of this type can be loaded.
        """
        if unfit := no_dict(self._state_type):
            raise AggregatorError(
                f"state has {unfit}, and no dict of Python has structs or arrays as keys: "
                "let it have an array of structs with the key and the value"
            )
        zero = self._zero()
        try:
            self.stored_and_loaded([zero])
        except (ValueError, TypeError, pa.ArrowException) as error:
            raise AggregatorError(
                f"zero() returns {zero!r}, which is no {self._state_type}: {error}"
            ) from error

    def stored_and_loaded(self, states: list[Any]) -> list[Any]:
        """States as the methods get them that were stored in a table."""
        return self._loaded(self._stored(states))

    def _with_row(self, state: Any, values: tuple[Any, ...]) -> Any:
        if not self._declaration.nulls and None in values:
            return state
        before = self._zero() if state is None else state
        return self._not_forgotten("reduce", self._aggregate.reduce(before, *values))

    def _finished(self, state: Any) -> Any:
        return self._aggregate.finish(self._zero() if state is None else state)

    def _not_forgotten(self, method: str, state: Any) -> Any:
        if state is None and self._zero() is not None:
            raise AggregatorError(
                f"{self._declaration.name}: {method} returned None: return the new state"
            )
        return state

    def _stored(self, states: list[Any]) -> pa.Array:
        return self._array("state", states, self._state_type, self._zero())

    def _array(
        self, option: str, values: list[Any], type_: pa.DataType, like: Any = ...
    ) -> pa.Array:
        try:
            return pa.array([to_arrow(value, type_, like) for value in values], type_)
        except (ValueError, TypeError, OverflowError, pa.ArrowException) as error:
            declared = f"{option}={getattr(self._declaration, option)!r}"
            raise AggregatorError(f"{self._declaration.name}: {declared}: {error}") from error

    def _loaded(self, states: pa.Array) -> list[Any]:
        form = self._zero()
        return [to_python(state.as_py(), states.type, form) for state in in_utc(states)]


def _fresh(zero: Callable[[], Any]) -> Callable[[], Any]:
    """A first state for each window, which a method may change, though the class may have but one.

    A copy costs more than most of what `zero` does, so it is made only where parts are shared.
    """
    parts: list[dict[int, Any]] = [{}, {}]
    states = [zero(), zero()]
    for state, seen in zip(states, parts, strict=True):
        copy.deepcopy(state, seen)  # notes what can be changed by its id
    if parts[0].keys() & parts[1].keys():
        return lambda: copy.deepcopy(zero())
    return zero


def _values(column: pa.Array) -> list[Any]:
    try:
        values: list[Any] = in_utc(column).to_pylist()
    except UnicodeDecodeError as error:
        raise AggregatorError(
            f"an argument has a text that is no UTF-8: {error.object!r}, which no str of Python "
            "holds: take make_valid_utf8(...) of it, or cast(... as binary), which comes as bytes"
        ) from error
    except OverflowError as error:
        raise AggregatorError(
            "an argument has a date or a time before year 1 or after year 9999, which no datetime "
            "of Python holds: take unix_micros(...) or unix_date(...) of it, or leave it out"
        ) from error
    if pa.types.is_nested(column.type):
        if unfit := no_dict(column.type):
            raise AggregatorError(
                f"an argument has {unfit}, and no dict of Python has structs or arrays as keys: "
                "take map_entries(...) of it"
            )
        values = [to_python(value, column.type) for value in values]
    return values


def _in_order(lists: pa.Array, field: str) -> tuple[list[int], pa.Array]:
    """For each item of the lists the number of its list, and its `field`, in the order of `at`."""
    parents = pc.list_parent_indices(lists)
    items = pc.list_flatten(lists)
    at = items.field("at")
    places = at.flatten() if pa.types.is_struct(at.type) else [at]
    keys = {f"k{number}": column for number, column in enumerate([parents, *places])}
    order = pc.sort_indices(pa.table(keys), sort_keys=[(name, "ascending") for name in keys])
    return parents.take(order).to_pylist(), items.field(field).take(order)


def make_udfs(declaration: Declaration, state: Any, returns: Any) -> dict[str, Any]:
    """What `spark.udf.register` takes, by name. `state` and `returns` are pairs (Spark, Arrow).

    Raises:
        AggregatorError: the class cannot be made, or a state does not fit its type.
        MergeLawError: the value of the examples depends on how they are divided.
    """
    # Public, but pyspark re-exports it in a way that mypy does not see.
    from pyspark.sql.functions import arrow_udf  # type: ignore[attr-defined]

    (state_type, state_arrow), (value_type, value_arrow) = state, returns
    Runner(declaration, state_arrow, value_arrow).check()
    if declaration.examples:
        unrounded = Runner(declaration, without_rounding(state_arrow), value_arrow)
        check_merge_law(declaration.cls, declaration.examples, stored=unrounded.stored_and_loaded)

    # Spark learns from the type hints what kind of function each is.
    def runner() -> Runner:
        return Runner(declaration, state_arrow, value_arrow)

    def reduce(lists: pa.Array) -> pa.Array:
        return runner().reduce(lists)

    def merge(lists: pa.Array) -> pa.Array:
        return runner().merge(lists)

    def finish(states: pa.Array) -> pa.Array:
        return runner().finish(states)

    def aggregate(*columns: pa.Array) -> object:
        return runner().aggregate(*columns)

    name = declaration.name
    return {
        f"{name}__reduce": arrow_udf(reduce, state_type),
        f"{name}__merge": arrow_udf(merge, state_type),
        f"{name}__finish": arrow_udf(finish, value_type),
        name: arrow_udf(aggregate, value_type),
    }
