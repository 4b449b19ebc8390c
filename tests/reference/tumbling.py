"""Tumbling windows: hopping windows that advance by their size (section 2)."""

from __future__ import annotations

from collections.abc import Sequence

from .hopping import hopping
from .records import Result, Row


def tumbling(
    rows: Sequence[Row],
    size: int,
    grace: int | None,
    origin: int | None = None,
    scope: str = "key",
) -> Result:
    return hopping(rows, size, size, grace, origin, scope)
