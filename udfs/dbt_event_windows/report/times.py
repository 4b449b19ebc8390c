"""Instants and durations, whole microseconds throughout, as people read them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

# Graces that people choose; a table of graces has these and the one there is.
GRACES = (
    *(0, 10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE),
    *(HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR),
    *(DAY, 2 * DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 90 * DAY, 365 * DAY),
)

_UNITS = (
    ("day", DAY),
    ("hour", HOUR),
    ("minute", MINUTE),
    ("second", SECOND),
    ("millisecond", 1000),
    ("microsecond", 1),
)
_EPOCH = datetime(1970, 1, 1)


def instant(micros: int) -> str:
    """A time as `2024-05-01 09:00:00`, with a fraction where it has one."""
    try:
        moment = _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        return f"{micros} microseconds after 1970"
    return moment.isoformat(sep=" ", timespec="microseconds" if micros % SECOND else "seconds")


def duration(micros: int, parts: int = 2) -> str:
    """A length of time in its largest units, `1 day 3 hours`; exact only with enough `parts`."""
    if micros < 0:
        return "-" + duration(-micros, parts)
    words = []
    for name, unit in _UNITS:
        count, micros = divmod(micros, unit)
        if count:
            words.append(f"{count} {name}{'s' * (count != 1)}")
    return " ".join(words[:parts]) or "0 seconds"


def exact(micros: int) -> str:
    """The same with all its units: what can be written as a grace."""
    return duration(micros, len(_UNITS))


_SHORT = {"day": "d", "hour": "h", "minute": "min", "second": "s"}
_SHORT |= {"millisecond": "ms", "microsecond": "µs"}


def short(micros: int) -> str:
    """The same for the label of an axis: `30 min`, `1 d`."""
    return _shortened(duration(micros, 1))


def brief(micros: int) -> str:
    """The same for a narrow place, in two units: `2 d 1 h`."""
    return _shortened(duration(micros))


def _shortened(words: str) -> str:
    return re.sub(r"([a-z]+?)s?\b", lambda word: _SHORT[word[1]], words)
