"""Random rows for a model: near the bounds of windows, gaps and grace, in disorder, too late."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.generated.keys import COLUMNS, identity, value
from tests.generated.specs import DAY, SECOND, Spec
from tests.reference.panes import Panes
from tests.reference.records import Row

REFRESHES = 3
SCHEMA = (
    "spec int, grp int, id bigint, arrival bigint, part string, ts timestamp, wall timestamp_ntz, "
    "arrived timestamp, gap bigint, v bigint, "
    + ", ".join(f"{name} {kind}" for name, (kind, _) in COLUMNS.items())
)


@dataclass(frozen=True)
class Event:
    """A row: which of the key's values (none: null), when, and in which partition it came."""

    key: int | None
    time: int | None
    part: str | None = "p"
    gap: int | None = None
    arrived: int | None = None
    v: int | None = 1
    variant: int = 0


@dataclass(frozen=True)
class Case:
    """An independent stream in the order of its arrival, and where refreshes end."""

    events: tuple[Event, ...]
    cuts: tuple[int, ...]

    def batch(self, number: int) -> tuple[Event, ...]:
        bounds = [0, *self.cuts, len(self.events)]
        return self.events[bounds[number] : bounds[number + 1]]

    def without(self, gone: set[int]) -> Case:
        kept = [event for place, event in enumerate(self.events) if place not in gone]
        return Case(
            tuple(kept), tuple(cut - sum(place < cut for place in gone) for cut in self.cuts)
        )

    def smaller(self, chance: random.Random, most: int = 250) -> Iterator[Case]:
        """The case with less rows, or in fewer refreshes, or with rows that say less."""
        count = len(self.events)
        places = range(count)
        for kept in range(1, count + 1):
            for _ in range(max(1, most // count)):
                yield self.without({*places} - {*chance.sample(places, kept)})
        for place in places:
            yield self.without({place})
        for place, _ in enumerate(self.cuts):
            yield replace(self, cuts=(*self.cuts[:place], *[count] * (len(self.cuts) - place)))
        for place, event in enumerate(self.events):
            plain = replace(event, v=1, variant=0, arrived=None)
            events = (*self.events[:place], plain, *self.events[place + 1 :])
            yield replace(self, events=events)

    @property
    def size(self) -> tuple[int, int]:
        said = sum(e.v != 1 or bool(e.variant) or e.arrived is not None for e in self.events)
        return len(self.events), sum(cut < len(self.events) for cut in self.cuts) * 100 + said


def a_time(chance: random.Random, spec: Spec, before: Sequence[int], clock: int) -> int:
    """A time that is near something that matters."""
    given = [v for k, v in spec.window if isinstance(v, int) and k not in ("resolution", "every")]
    spans = [*given, spec.grace or SECOND, spec.least_retention or 0, spec.retention or 0]
    if spec.kind == "calendar":
        spans += [DAY, spec.length // 2]
    if spec.kind == "session" and not given:
        spans += [2 * SECOND, 5 * SECOND]
    span, other = chance.choice(spans), chance.choice(spans)
    step = chance.choice([-1, 0, 0, 1]) * chance.choice([1, spec.resolution])
    near = chance.choice(before)
    dice = chance.random()
    if dice < 0.25:
        return near + chance.choice([span, -span]) + step
    if dice < 0.4:
        return clock - span - chance.choice([0, other]) + step
    if dice < 0.55 and isinstance(store := spec.task().store, Panes):
        bounds = [bound for window in store.windows_of(near) for bound in window]
        return chance.choice(bounds or [near]) + step
    if dice < 0.63:
        return near
    if dice < 0.68:
        return clock - 50 * (span + SECOND)
    if dice < 0.85:
        return clock + chance.randint(0, 4) * SECOND
    return near + chance.randint(-8, 8) * SECOND + chance.choice([0, 0, 500_000])


def some_cases(
    chance: random.Random, spec: Spec, base: int, count: int, most: int = 12
) -> list[Case]:
    """Cases of so many rows at most; of one clock for all there is one, with more rows.

    Of some models the second refresh has late rows alone, in all cases.
    """
    only_late = spec.ordered and spec.grace is not None and chance.random() < 0.4
    sizes = [40] if spec.clock == "global" else [chance.randint(1, most) for _ in range(count)]
    return [_a_case(chance, spec, base, rows, only_late) for rows in sizes]


def _a_case(chance: random.Random, spec: Spec, base: int, rows: int, only_late: bool) -> Case:
    times = [base + chance.randint(0, 5) * SECOND]
    events = [_an_event(chance, spec, times) for _ in range(rows)]
    cuts = sorted(chance.randint(0, rows) for _ in range(REFRESHES - 1))
    if only_late:
        first = cuts[0]
        late = _late_events(chance, spec, events[:first], times)
        events[first:first] = late
        cuts = [first, first + len(late)]
    return Case(tuple(events), tuple(cuts))


def _an_event(chance: random.Random, spec: Spec, times: list[int], keys: int = 3) -> Event:
    """A row near the times of those before, which gets one of them."""
    time = a_time(chance, spec, times, max(times))
    if spec.resolution > 1 and chance.random() < 0.95:
        time -= time % spec.resolution
    times.append(time)
    arrived = None
    if spec.max_ahead is not None and chance.random() < 0.9:
        ahead = chance.choice([-SECOND, 0, spec.max_ahead, spec.max_ahead, spec.max_ahead + 1])
        arrived = time - ahead
    key = None if chance.random() < 0.07 else min(chance.randrange(keys + 2), keys - 1)
    part = chance.choice(["p", "p", "it's", None if chance.random() < 0.1 else "q"])
    if part is None and spec.shape == "union":
        part = "q"
    if spec.one_partition_a_key:
        part = ["p", "it's"][(key or 0) % 2]
    return Event(
        key=key,
        time=None if chance.random() < 0.05 else time,
        part=part,
        gap=chance.choice([None, -SECOND, 0, 1, *[s * SECOND for s in (1, 2, 5, 8)]]),
        arrived=arrived,
        v=None if chance.random() < 0.1 else chance.randint(-50, 50),
        variant=chance.randrange(2),
    )


def _late_events(
    chance: random.Random, spec: Spec, before: Sequence[Event], times: Sequence[int]
) -> list[Event]:
    """Rows that no window counts, as they come after those before: the reference says which."""
    arrivals = Arrivals(0, spec, [Case(tuple(before), (len(before),))])
    arrivals.next_batch(0)
    task = spec.task()
    for record in arrivals.records():
        task.receive(record)
    late: list[Event] = []
    for _ in range(12):
        event = _an_event(chance, spec, list(times))
        arrivals.rows.append((0, event, len(arrivals.rows), event.part and f"{event.part} 0"))
        tried = deepcopy(task)
        tried.receive(arrivals.records()[-1])
        dropped = tried.dropped.dropped
        if dropped and dropped[-1].index == len(task.received) and dropped[-1].reason == "late":
            late.append(event)
            task = tried
        else:
            arrivals.rows.pop()
    return late


Arrival = tuple[int, Event, int, str | None]  # grp, event, arrival, partition


def moment(time: int | None) -> datetime | None:
    return None if time is None else datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=time)


@dataclass
class Arrivals:
    """The cases of one model as rows of its source, batch by batch."""

    number: int  # of the spec
    spec: Spec
    cases: Sequence[Case]

    def __post_init__(self) -> None:
        self.rows: list[Arrival] = []
        self.last: dict[str | None, int] = {}

    def next_batch(self, number: int) -> list[tuple[Any, ...]]:
        """Numbers ascend in each partition; each has numbers of its own, with holes."""
        batch = []
        for grp, case in enumerate(self.cases):
            for event in case.batch(number):
                part = None if event.part is None else f"{event.part} {grp}"
                counter = part if self.spec.partition else None
                arrival = self.last.get(counter, -3) + 1 + len(self.rows) % 2
                self.last[counter] = arrival
                batch.append(self._row(grp, event, arrival, part))
                self.rows.append((grp, event, arrival, part))
        return batch

    def _row(self, grp: int, event: Event, arrival: int, part: str | None) -> tuple[Any, ...]:
        time = moment(event.time)
        keys = [
            None if event.key is None else value(name, event.key, event.variant) for name in COLUMNS
        ]
        return (
            *(self.number, grp, len(self.rows), arrival, part, time),
            *(time and time.replace(tzinfo=None), moment(event.arrived), event.gap, event.v),
            *keys,
        )

    def key_of(self, grp: int, event: Event, part: str | None) -> tuple[Any, ...]:
        """The values of the key columns, as they are told apart."""
        values: list[Any] = [grp]
        for name in self.spec.keys:
            same = None if event.key is None else value(name, event.key, 0)
            values.append(identity(same))
        return (*values, part) if self.spec.partition == "inside" else tuple(values)

    def records(self) -> list[Row]:
        """The rows as the reference takes them; their place is their id."""
        result = []
        for number, (grp, event, _, part) in enumerate(self.rows):
            key = self.key_of(grp, event, part)
            # in plain SQL a null is a key like any other, and a row without a gap is left out
            whole = None if None in key and not self.spec.plain else key
            must_have_gap = self.spec.plain and self.spec.has_gaps_of_rows
            left_out = must_have_gap and event.time is not None and (event.gap or 0) <= 0
            is_read = not left_out and self.spec.reads(number, event.v)
            result.append(Row(whole, event.time, part, event.gap, event.arrived, is_read))
        return result
