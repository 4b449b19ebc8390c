"""Write the demo's seeds: page views and sensor readings in order of arrival, in two batches.

Always the same rows. The traffic is random from a fixed seed; Ada, Ben and Cleo are scripted, so
that the second batch joins two sessions, moves a start and brings a row that is too late. So are
the freezer, whose warm minutes come in late, and two readings that come in too late.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

SEEDS = Path(__file__).resolve().parents[1] / "seeds"
VIEW_COLUMNS = ["user_id", "url", "amount", "viewed_at", "arrival_seq"]
READING_COLUMNS = ["sensor", "celsius", "measured_at", "arrival_seq"]
MONDAY = datetime(2024, 3, 4)
PAGES = ["/", "/search", "/offers", "/product/17", "/product/23", "/product/42", "/basket"]


class View(NamedTuple):
    """A page view, and when it reached the log; the order of arrival comes from that."""

    arrived_at: datetime
    viewed_at: datetime | None
    user: str
    url: str
    amount: str = ""

    def cells(self) -> list[str]:
        return [self.user, self.url, self.amount, written(self.viewed_at)]


class Reading(NamedTuple):
    """What a sensor measured, and when it reached the log."""

    arrived_at: datetime
    measured_at: datetime
    sensor: str
    celsius: float

    def cells(self) -> list[str]:
        return [self.sensor, f"{self.celsius:.1f}", written(self.measured_at)]


def written(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M:%S}" if time else ""


def at(day: int, clock: str) -> datetime:
    """A time of day, so many days after the demo's first Monday."""
    time = datetime.strptime(clock, "%H:%M:%S" if clock.count(":") == 2 else "%H:%M")
    return MONDAY + timedelta(days=day, hours=time.hour, minutes=time.minute, seconds=time.second)


def visit(rng: random.Random, user: str, start: datetime, views: int) -> list[View]:
    """One visit: views some minutes apart, most in the log at once, some minutes afterwards."""
    seen, time = [], start
    for number in range(views):
        url = "/checkout" if number and rng.random() < 0.1 else rng.choice(PAGES)
        amount = f"{rng.randint(500, 9000) / 100:.2f}" if url == "/checkout" else ""
        delay = rng.choice([1, 1, 2, 2, 3, 240, 900])
        seen.append(View(time + timedelta(seconds=delay), time, user, url, amount))
        time += timedelta(seconds=rng.randint(20, 700))
    return seen


def traffic(rng: random.Random, users: list[str], days: range) -> list[View]:
    """Two visits a day and user, the second one late in the evening and often past midnight."""
    views = []
    for day in days:
        for user in users:
            morning = at(day, "08:00") + timedelta(minutes=rng.randint(0, 300))
            night = at(day, "23:20") + timedelta(minutes=rng.randint(0, 30))
            views += visit(rng, user, morning, rng.randint(1, 8))
            views += visit(rng, user, night, rng.randint(1, 8))
    return views


def first_batch(rng: random.Random) -> list[View]:
    views = traffic(rng, ["dan", "eva", "finn", "gus", "hana"], range(3))
    for time in ["09:00", "09:08", "09:20", "10:05", "10:15", "10:25"]:
        views.append(View(at(2, time), at(2, time), "ada", "/search"))
    views += [
        View(at(2, "14:00"), at(2, "14:00"), "ben", "/basket"),
        View(at(2, "14:10"), at(2, "14:10"), "ben", "/checkout", "59.90"),
        View(at(0, "12:00"), at(0, "12:00"), "cleo", "/"),
        View(at(2, "12:00"), at(2, "12:00"), "cleo", "/offers"),
        # a phone that was off for two days, and rows that no session can take
        View(at(2, "12:30"), at(0, "12:20"), "cleo", "/product/17"),
        View(at(1, "10:00"), at(1, "10:00"), "", "/"),
        View(at(1, "11:00"), None, "dan", "/search"),
    ]
    return views


def second_batch(rng: random.Random) -> list[View]:
    views = traffic(rng, ["dan", "eva"], range(3, 4))
    views += [
        # 20 minutes after one session of Ada's and 25 before the next: they are one
        View(at(3, "00:10"), at(2, "09:40"), "ada", "/product/42"),
        # 15 minutes before Ben's session: it started earlier, and on another page
        View(at(3, "00:11"), at(2, "13:45"), "ben", "/offers"),
        # Cleo's clock stands at noon of Wednesday, so Monday is more than a day and a gap ago
        View(at(3, "00:12"), at(0, "12:10"), "cleo", "/basket"),
    ]
    return views


def measured(rng: random.Random, sensor: str, celsius: float) -> list[Reading]:
    """Two hours of a sensor, a reading about every two minutes; some overtake each other."""
    readings = []
    for number in range(60):
        time = at(0, "08:00") + timedelta(seconds=120 * number + rng.randint(0, 50))
        delay = timedelta(seconds=rng.choice([1, 1, 2, 2, 3, 3, 4, 200]))
        value = celsius + rng.uniform(-0.6, 0.6)
        # the freezer's door stood open, and its readings of these minutes were held up
        if sensor == "freezer" and at(0, "09:04") <= time < at(0, "09:12"):
            value, delay = value + 9, at(0, "09:41") - time
        readings.append(Reading(time + delay, time, sensor, value))
    return readings


def sensor_batches(rng: random.Random) -> tuple[list[Reading], list[Reading]]:
    """What reached the log before 09:40, and what came after that."""
    readings = [
        *measured(rng, "freezer", -18),
        *measured(rng, "cold_store", 4),
        *measured(rng, "loading_bay", 11),
        # windows take rows for an hour: the first is in none, the second in those still open
        Reading(at(0, "09:58"), at(0, "08:05"), "loading_bay", 10.8),
        Reading(at(0, "09:58:01"), at(0, "08:54"), "loading_bay", 15.0),
    ]
    first = [reading for reading in readings if reading.arrived_at < at(0, "09:40")]
    return first, [reading for reading in readings if reading not in first]


def write(name: str, columns: list[str], *batches: Sequence[View | Reading]) -> None:
    """Write batches one after the other, each in order of arrival, with numbers from 1."""
    arrived = [row for batch in batches for row in sorted(batch, key=lambda r: r.arrived_at)]
    with (SEEDS / f"{name}.csv").open("w", newline="") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(columns)
        lines.writerows([*row.cells(), number] for number, row in enumerate(arrived, start=1))
    print(f"{name}: {', '.join(str(len(batch)) for batch in batches)} rows")


if __name__ == "__main__":
    generator = random.Random(20240304)
    views = first_batch(generator), second_batch(generator)
    write("ew_demo_page_views", VIEW_COLUMNS, *views)
    write("ew_demo_sensor_readings", READING_COLUMNS, *sensor_batches(random.Random(20240304)))
