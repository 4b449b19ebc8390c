"""What the demo and the tour print: lines of text and tables of rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any


def say(text: str = "") -> None:
    print(text, flush=True)


def shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return f"{value:,}" if isinstance(value, int | Decimal) else str(value)


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows in columns as wide as their contents; numbers stand to the right."""
    cells = [[shown(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    right = [
        bool(rows) and all(v is None or isinstance(v, int | float | Decimal) for v in column)
        for column in zip(*rows, strict=True)
    ] or [False] * len(columns)

    def line(texts: Sequence[str]) -> str:
        aligned = zip(texts, widths, right, strict=True)
        return "  ".join(t.rjust(w) if r else t.ljust(w) for t, w, r in aligned).rstrip()

    say("  " + line(columns))
    say("  " + "  ".join("-" * width for width in widths))
    for row in cells:
        say("  " + line(row))
    if not rows:
        say("  (none)")
