"""A horizontal axis of time from which stretches without anything are cut out.

A row that is two days late, or a visit each week, would squeeze all else into a few pixels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dbt_event_windows.report.times import DAY, HOUR, MINUTE, SECOND, instant

Span = tuple[int, int]

CUT = 26  # pixels that stand for what is cut out
_PAD = 14  # pixels around what happens
_LEAST = 84  # pixels of a stretch, and between labels: a date fits
_FINEST = SECOND // 20  # microseconds a pixel: labels are whole seconds
# What is cut out is longer than this many times all that is left between shorter pauses.
_LONG = 4
_CALENDAR = (-62_135_596_800 * SECOND, 253_402_300_799 * SECOND)  # years 1 to 9999
_STEPS = (
    *(SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, 30 * SECOND),
    *(MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE),
    *(HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR),
    *(DAY, 2 * DAY, 5 * DAY, 10 * DAY, 20 * DAY, 50 * DAY, 100 * DAY, 200 * DAY),
    *(365 * DAY * years for years in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)),
)


@dataclass(frozen=True)
class Stretch:
    """From `first` to `last` microseconds, at `left` to `right` pixels."""

    first: float
    last: float
    left: float
    right: float


@dataclass(frozen=True)
class Tick:
    """A label at a pixel; `date` is empty where it is that of the label before."""

    at: float
    time: str
    date: str


@dataclass(frozen=True)
class Cut:
    """What is cut out, from `left` to `right` pixels, and for how long nothing happened."""

    left: float
    right: float
    micros: int


class Timescale:
    """Where instants are on an axis that is `width` pixels long."""

    def __init__(self, spans: Iterable[Span], width: int) -> None:
        """spans: what happens, (first, last) microseconds each; at least one."""
        busy = _merged(spans)
        kept = _kept(busy, max(1, (width + CUT) // (_LEAST + CUT)) - 1)
        self._scale = _scale(kept, width)
        while len(kept) > 1 and (shortest := _shortest(kept))[0] < 2 * _LEAST * self._scale:
            # what is around it would take more room
            number = shortest[1]
            kept[number : number + 2] = [(kept[number][0], kept[number + 1][1])]
            self._scale = _scale(kept, width)
        stretches: list[Stretch] = []
        self.cuts: list[Cut] = []
        left = 0.0
        for number, (first, last) in enumerate(kept):
            if number:
                self.cuts.append(Cut(left, left + CUT, first - kept[number - 1][1]))
                left += CUT
            right = left + _pixels(last - first, self._scale)
            room = ((right - left) * self._scale - (last - first)) / 2
            stretches.append(Stretch(first - room, last + room, left, right))
            left = right
        self.stretches = tuple(stretches)
        self.width = left

    def place(self, micros: int) -> float:
        """The pixel of an instant; what is cut out is squeezed into its cut."""
        before = self.stretches[0]
        for stretch in self.stretches:
            if micros < stretch.first:
                if stretch is before:
                    return stretch.left
                gone = (micros - before.last) / max(stretch.first - before.last, 1)
                return before.right + CUT * min(max(gone, 0.0), 1.0)
            if micros <= stretch.last:
                return stretch.left + (micros - stretch.first) / self._scale
            before = stretch
        return before.right

    def ticks(self) -> list[Tick]:
        """Labels that stand apart, at least one in each stretch."""
        ticks: list[Tick] = []
        day = ""
        for number, stretch in enumerate(self.stretches):
            for micros in self._marked(stretch, number):
                if not _CALENDAR[0] <= micros <= _CALENDAR[1]:
                    continue
                date, time = instant(micros).split(" ", 1)
                if self._step >= DAY:
                    time, date = date[5:], date[:4]
                else:
                    time = time[: 8 if self._step < MINUTE else 5]
                ticks.append(Tick(self.place(micros), time, "" if date == day else date))
                day = date
        return ticks

    @property
    def _step(self) -> int:
        wanted = self._scale * _LEAST
        return next((step for step in _STEPS if step >= wanted), _STEPS[-1])

    def _marked(self, stretch: Stretch, number: int) -> list[int]:
        # a label near a cut would run into one behind it
        edge = (_LEAST - CUT) / 2 * self._scale
        first = stretch.first + (edge if number else 0)
        last = stretch.last - (edge if number < len(self.stretches) - 1 else 0)
        found = _multiples(first, last, self._step)
        if found:
            return found
        middle = (first + last) / 2
        for step in reversed([step for step in _STEPS if step < self._step]):
            finer = _multiples(first, last, step)
            if finer:
                return [min(finer, key=lambda micros: abs(micros - middle))]
        return [round(middle) // SECOND * SECOND]


def _multiples(first: float, last: float, step: int) -> list[int]:
    found = []
    micros = -int(-first // step) * step
    while micros <= last:
        found.append(micros)
        micros += step
    return found


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for first, last in sorted(spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged


def _kept(busy: Sequence[Span], most: int) -> list[Span]:
    """What is drawn, in stretches between which at most so many pauses are cut out."""
    pauses = sorted((after[0] - before[1], n) for n, (before, after) in enumerate(pairwise(busy)))
    drawn = sum(last - first for first, last in busy)
    long: list[int] = []
    for pause, number in pauses:
        if long or 0 < _LONG * drawn < pause:
            long.append(number)
        else:
            drawn += pause
    cut = set(long[-most:] if most else [])
    kept = [busy[0]]
    for number, (_, after) in enumerate(pairwise(busy)):
        if number in cut:
            kept.append(after)
        else:
            kept[-1] = (kept[-1][0], after[1])
    return kept


def _pixels(micros: int, scale: float) -> float:
    return max(micros / scale + 2 * _PAD, _LEAST)


def _shortest(kept: Sequence[Span]) -> tuple[int, int]:
    """The shortest pause, and the number of the stretch before it."""
    return min((after[0] - before[1], n) for n, (before, after) in enumerate(pairwise(kept)))


def _scale(kept: Sequence[Span], width: int) -> float:
    """Microseconds a pixel with which all of them take what is free, or less."""
    free = width - CUT * (len(kept) - 1)
    lengths = [last - first for first, last in kept]
    low, high = float(_FINEST), float(max(sum(lengths), _FINEST))
    for _ in range(100):
        middle = (low + high) / 2
        if sum(_pixels(length, middle) for length in lengths) > free:
            low = middle
        else:
            high = middle
    return high
