"""Write the demo's seeds: page views of three days, then what arrives later.

Always the same rows. The traffic is random from a fixed seed; Ada, Ben and Cleo are scripted, so
that the second batch joins two sessions, moves a start and brings a row that is too late.
"""

from __future__ import annotations

import csv
import random
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

SEEDS = Path(__file__).resolve().parents[1] / "seeds"
COLUMNS = ["user_id", "url", "amount", "viewed_at", "arrival_seq"]
MONDAY = datetime(2024, 3, 4)
PAGES = ["/", "/search", "/offers", "/product/17", "/product/23", "/product/42", "/basket"]


class View(NamedTuple):
    """A page view, and when it reached the log; the order of arrival comes from that."""

    arrived_at: datetime
    viewed_at: datetime | None
    user: str
    url: str
    amount: str = ""


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


def write(path: Path, views: list[View], first: int) -> int:
    """Write views in order of arrival, numbered from `first`; the next free number."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for number, view in enumerate(sorted(views, key=lambda v: v.arrived_at), start=first):
            time = f"{view.viewed_at:%Y-%m-%d %H:%M:%S}" if view.viewed_at else ""
            rows.writerow([view.user, view.url, view.amount, time, number])
    return first + len(views)


if __name__ == "__main__":
    generator = random.Random(20240304)
    following = write(SEEDS / "demo_page_views.csv", first_batch(generator), 1)
    write(SEEDS / "demo_late_page_views.csv", second_batch(generator), following)
