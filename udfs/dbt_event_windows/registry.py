"""The functions that a Spark session needs for `event_windows`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dbt_event_windows import (
    plan_function,
    session_replay,
    sliding_replay,
    sliding_values,
    sliding_windows,
)


@dataclass(frozen=True)
class SqlFunction:
    """A name in SQL and what makes the function, called once per session."""

    name: str
    make: Callable[[], Any]
    # where `make` gives one that imports what it calls only when it is called
    make_by_value: Callable[[], Any] | None = None


FUNCTIONS: tuple[SqlFunction, ...] = (
    SqlFunction(session_replay.NAME, session_replay.make_udf),
    SqlFunction(sliding_windows.NAME, sliding_windows.make_udf),
    SqlFunction(sliding_values.NAME, sliding_values.make_udf),
    SqlFunction(sliding_replay.NAME, sliding_replay.make_udf),
    SqlFunction(plan_function.NAME, plan_function.make_udf, plan_function.make_udf_by_value),
)
