"""Durations as Spark writes them in text: '30 minutes', 'interval 1 hour 30 minutes'."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MICROS = {
    "week": 604_800_000_000,
    "day": 86_400_000_000,
    "hour": 3_600_000_000,
    "minute": 60_000_000,
    "second": 1_000_000,
    "millisecond": 1_000,
    "microsecond": 1,
}
_MONTHS = {"year": 12, "month": 1}
_PART = re.compile(r"([+-]?)(\d+)(?:\.(\d{1,6}))?\s+([a-z]+)(?:\s+|$)")


@dataclass(frozen=True)
class Duration:
    """What Spark's IntervalUtils.stringToInterval keeps apart: months, days and microseconds.

    A day is 24 hours in `window()`, but a day of the calendar where an interval is added to a
    TIMESTAMP, as `session_window()` does.
    """

    months: int
    days: int
    micros: int

    @property
    def total(self) -> int:
        """Microseconds, with days of 24 hours. Months have no length and are not in it."""
        return self.days * _MICROS["day"] + self.micros


def read_duration(text: str) -> Duration | None:
    """The duration in a text, or none where Spark does not read it.

    A few texts that Spark does read are refused as well: a sign that stands alone, a fraction of
    more than six digits, and a unit in quotes.
    """
    rest = re.sub(r"^interval\s+", "", text.strip().lower())
    months = days = micros = 0
    while rest:
        part = _PART.match(rest)
        if part is None:
            return None
        sign = -1 if part[1] == "-" else 1
        number, fraction, unit = int(part[2]), part[3], part[4].removesuffix("s")
        if fraction is not None and unit != "second":
            return None
        if unit in _MONTHS:
            months += sign * number * _MONTHS[unit]
        elif unit in ("day", "week"):
            days += sign * number * (7 if unit == "week" else 1)
        elif unit in _MICROS:
            micros += sign * (number * _MICROS[unit] + int(((fraction or "") + "000000")[:6]))
        else:
            return None
        rest = rest[part.end() :]
    return Duration(months, days, micros) if re.search(r"\d", text) else None


def write_duration(micros: int, days: bool = True) -> str:
    """A duration in the largest unit that needs no fraction, such as '90 minutes' or '-1 day'.

    Without `days` an hour is the largest: '24 hours'.
    """
    for unit, length in _MICROS.items():
        if unit != "week" and (days or unit != "day") and micros % length == 0:
            number = micros // length
            return f"{number} {unit}" + ("" if abs(number) == 1 else "s")
    raise AssertionError("a microsecond divides everything")
