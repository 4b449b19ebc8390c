"""The axis of time: what is cut out of it, and labels that stand apart."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from dbt_event_windows.report.times import DAY, HOUR, MINUTE, SECOND
from dbt_event_windows.report.timescale import CUT, Span, Timescale
from tests.report.answers import START

APART = 80


def at(*minutes: float) -> list[Span]:
    return [(START + int(m * MINUTE), START + int(m * MINUTE)) for m in minutes]


def labels(scale: Timescale) -> list[str]:
    return [f"{tick.time} {tick.date}".strip() for tick in scale.ticks()]


def test_a_row_that_is_two_days_late_does_not_squeeze_the_others() -> None:
    scale = Timescale([*at(0, 20, 65, 130), (START - 2 * DAY, START - 2 * DAY)], 900)
    [cut] = scale.cuts
    assert (cut.micros, cut.right - cut.left) == (2 * DAY, CUT)
    assert scale.place(START + 130 * MINUTE) - scale.place(START) > 600
    assert scale.place(START - 2 * DAY) < cut.left
    assert labels(scale)[:2] == ["09:00 2024-04-29", "09:15 2024-05-01"]


def test_pauses_that_are_short_beside_what_happens_stay() -> None:
    assert Timescale(at(0, 30, 90, 200), 900).cuts == []


def test_what_is_cut_out_lies_within_its_cut() -> None:
    scale = Timescale(at(0, 10, 10_000, 10_010), 900)
    [cut] = scale.cuts
    assert cut.left < scale.place(START + 5000 * MINUTE) < cut.right


def test_pauses_are_cut_out_where_there_is_room_for_all_that_is_between_them() -> None:
    weekly = [(first, first + HOUR) for first in range(START, START + 200 * DAY, 7 * DAY)]
    assert len(Timescale(weekly[:8], 900).cuts) == 7
    assert len(Timescale(weekly[:2], 280).cuts) == 1
    assert Timescale(weekly, 900).cuts == []


def test_an_instant_alone_is_in_the_middle_with_a_label() -> None:
    scale = Timescale(at(0), 900)
    assert scale.place(START) == pytest.approx(scale.width / 2)
    assert labels(scale) == ["09:00:00 2024-05-01"]


@pytest.mark.parametrize(
    ("length", "first"),
    [
        (10 * SECOND, "09:00:00 2024-05-01"),
        (3 * HOUR, "09:00 2024-05-01"),
        (20 * DAY, "05-03 2024"),
        (9000 * DAY, "12-18 2024"),
    ],
)
def test_labels_are_as_fine_as_the_axis(length: int, first: str) -> None:
    assert labels(Timescale([(START, START + length)], 900))[0] == first


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("width", [250, 900])
def test_times_keep_their_order_and_labels_stand_apart(seed: int, width: int) -> None:
    chance = random.Random(seed)
    unit = chance.choice([SECOND, MINUTE, HOUR, DAY, 100 * DAY])
    spans = []
    for _ in range(chance.randint(1, 40)):
        first = START + int(unit * chance.expovariate(1) ** chance.choice([1, 4]))
        spans.append((first, first + chance.choice([0, 0, unit // 3])))
    scale = Timescale(spans, width)
    places = [scale.place(micros) for micros in sorted(edge for span in spans for edge in span)]
    assert places == sorted(places)
    assert places[0] >= 0
    assert places[-1] <= scale.width <= width + 1
    ticks = scale.ticks()
    assert ticks
    assert all(after.at - before.at >= APART for before, after in pairwise(ticks))
    for stretch in scale.stretches:
        assert any(stretch.left <= tick.at <= stretch.right for tick in ticks)


@pytest.mark.parametrize("micros", [-62_135_596_800 * SECOND, 253_402_300_799 * SECOND, 10**18])
def test_the_ends_of_the_calendar(micros: int) -> None:
    scale = Timescale([(micros, micros), (START, START)], 900)
    assert scale.ticks()
    assert 0 <= scale.place(micros) <= scale.width
