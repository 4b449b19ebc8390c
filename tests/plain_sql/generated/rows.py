"""Rows that tell apart what texts mean: nulls, letter case, -0.0 and NaN, ties, nested values."""

from __future__ import annotations

import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

# One column a line; names of letters that several kinds of value share (`os`, `day`, `city`).
COLUMNS = """
    seq bigint, user_id string, url string, os string, city string, raw string,
    ts timestamp, seen timestamp_ntz, day date,
    amount int, big bigint, price decimal(10,2), score double, rate float, minutes int,
    flag boolean, is_bot boolean,
    device struct<os: string, Version: int, app: struct<name: string>>,
    place struct<city: string, zip: int>,
    attrs map<string, string>, tags array<string>, sizes array<int>
""".strip()

PEOPLE = "user_id string, name string, level int, url string, weight double"
PEOPLE_ROWS = [
    ("a", "Ada", 1, "/A", -0.0), ("A", "ada", 2, "/a", 0.0), ("b", None, 3, None, float("nan")),
    ("", "Empty", None, "", 1.5),
]  # fmt: skip
CODES = "os string, label string, is_new boolean"
CODES_ROWS = [("ios", "Apple", True), ("Android", "Google", None), ("", "none", False)]

_START = datetime(2024, 3, 9, 21)
_STEPS = [0, 0, 1, 5, 10, 29, 30, 31, 59, 60, 61, 240, 1430]  # minutes


def event_rows(seed: int, count: int = 90) -> list[tuple[Any, ...]]:
    """Rows in the order in which they come in; times go forth and back."""
    draw = random.Random(seed)
    at, made = _START, []
    for seq in range(count):
        at += timedelta(minutes=draw.choice(_STEPS))
        time = at - timedelta(minutes=draw.choice([0, 0, 0, 7, 45, 600]))
        made.append(_event(draw, seq, None if draw.random() < 0.05 else time))
    return made


def _event(draw: random.Random, seq: int, time: datetime | None) -> tuple[Any, ...]:
    word = draw.choice(["ios", "iOS", "Android", "", None])
    keys = draw.sample(["source", "Source", "now", "A", "a"], 2)
    return (
        seq,
        draw.choice(["a", "A", "b", "", None]),
        draw.choice(["/A", "/a", "/B", "", None]),
        draw.choice(["ios", "Android", "", None]),
        draw.choice(["Rom", "rom", "Bonn", None]),
        draw.choice(["7", "x7", "\\d", "today", "A b", "", None]),
        time,
        time,
        draw.choice([date(2024, 3, 9), date(2024, 3, 10), None]),
        draw.choice([None, -1, 0, 1, 2, 3, 11, 50]),
        draw.choice([None, 2**53 + 1, -(2**53) - 2, 7]),
        draw.choice([None, Decimal("0.00"), Decimal("1.25"), Decimal("-3.50"), Decimal("99.99")]),
        draw.choice([None, 0.0, -0.0, float("nan"), 0.5, 2.0, -4.25]),
        draw.choice([None, 0.0, -0.0, float("nan"), 1.5]),
        draw.choice([None, -5, 0, 10, 30, 120]),
        draw.choice([True, False, None]),
        draw.choice([True, False, False, None]),
        draw.choice([None, (word, draw.choice([1, 2, None]), draw.choice([None, ("web",)]))]),
        (draw.choice(["Rom", "rom", None]), draw.choice([1, 2, None])),
        draw.choice([None, {}, {key: draw.choice(["x", "X", "", None]) for key in keys}]),
        draw.choice([None, [], ["x"], ["x", "X", None]]),
        draw.choice([None, [], [1], [3, None, 2]]),
    )
