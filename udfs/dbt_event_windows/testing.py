"""For the tests of a user's own aggregates."""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dbt_event_windows.declaration import Aggregator, declaration_of
from dbt_event_windows.errors import MergeLawError

Stored = Callable[[list[Any]], list[Any]]


def check_merge_law(
    cls: type[Aggregator],
    values: Sequence[Any],
    *,
    seed: int = 0,
    rounds: int = 50,
    stored: Stored = copy.deepcopy,
) -> None:
    """Check that an aggregate gives the same value however its rows are divided.

    In each round some of the values are dealt out at random to up to four pieces; the pieces are
    reduced and merged, in one order or another. Pieces interleave, as late rows do in a window.
    Floating numbers may differ by rounding.

    Args:
        cls: the class.
        values: what rows may hold; tuples where the aggregate takes several arguments. Those with
            a null are passed over, unless the aggregate is declared with `nulls=True`.
        seed: of the random choices.
        rounds: how many divisions are tried.
        stored: what a table makes of states. Where the types are known, as when `examples` are
            checked, they are stored and loaded; if nothing is said, copied.

    Raises:
        MergeLawError: with the rows, how they were divided, and both values.
        ValueError: there are no values.
    """
    declaration = declaration_of(cls)
    if declaration and not declaration.nulls:
        values = [value for value in values if None not in _arguments(value)]
    if not values:
        raise ValueError("check_merge_law needs values: what a row may hold")
    aggregate = cls()  # one, as for all windows that come together
    chance = random.Random(seed)
    for _ in range(rounds):
        rows = chance.choices(values, k=chance.randint(1, 12))
        pieces: list[list[Any]] = [[] for _ in range(chance.randint(1, 4))]
        for row in rows:
            chance.choice(pieces).append(row)
        pieces = [piece for piece in pieces if piece]
        whole = aggregate.finish(*stored([_reduced(aggregate, rows)]))
        divided = aggregate.finish(_merged(aggregate, pieces, stored))
        if not _alike(whole, divided):
            raise MergeLawError(
                f"{cls.__name__} gives {whole!r} for the rows {rows!r}, but {divided!r} when they "
                f"are reduced as {pieces!r} and merged: the value must not depend on how rows are "
                "divided, nor on their order; keep in the state what decides the order, if it does"
            )


def _arguments(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _reduced(aggregate: Aggregator, rows: Sequence[Any]) -> Any:
    state = copy.deepcopy(aggregate.zero())
    for row in rows:
        state = aggregate.reduce(state, *_arguments(row))
    return state


def _merged(aggregate: Aggregator, pieces: list[list[Any]], stored: Stored) -> Any:
    # All are reduced before one is stored, and stored before they are merged, as in a refresh.
    states = stored([_reduced(aggregate, piece) for piece in pieces])
    while len(states) > 1:
        states[:2] = stored([aggregate.merge(states[0], states[1])])
    return states[0]


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        both_nan = math.isnan(one) and math.isnan(other)
        return both_nan or math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_alike, one, other))
    return bool(one == other)
