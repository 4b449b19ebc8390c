"""Microseconds on a horizontal axis."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num

from dbt_event_windows.report.times import MINUTE

_EPOCH = datetime(1970, 1, 1)
# Years that matplotlib can draw, with room at both ends.
_LEAST, _MOST = -61_000_000_000_000_000, 250_000_000_000_000_000


def place(micros: int) -> float:
    """Where an instant is on the axis; one far outside of all calendars is at its end."""
    bounded = min(max(micros, _LEAST), _MOST)
    return float(date2num(_EPOCH + timedelta(microseconds=bounded)))  # type: ignore[no-untyped-call]


def show_times(axes: Axes, instants: Sequence[int], narrow: bool) -> None:
    """Ticks for these instants, with some room on both sides."""
    first, last = min(instants), max(instants)
    room = max((last - first) // 20, MINUTE)
    axes.set_xlim(place(first - room), place(last + room))
    locator = AutoDateLocator(minticks=2, maxticks=4 if narrow else 9)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]
