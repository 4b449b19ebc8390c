"""Numbers in sentences."""

from __future__ import annotations


def many(count: int, word: str) -> str:
    """So many of them: `1 row`, `1,200 rows`."""
    return f"{count:,} {word}{'s' * (count != 1)}"


def plain(value: float) -> str:
    """Three digits, and never an exponent: `0.000675`."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    text = f"{float(f'{value:.3g}'):.15f}"
    return text.rstrip("0").rstrip(".")
