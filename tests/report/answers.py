"""Fixed answers in place of dbt's, and pages made of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from dbt_event_windows.report.asking import Answer
from dbt_event_windows.report.errors import AskError
from dbt_event_windows.report.times import DAY, HOUR, MINUTE, SECOND

START = 1_714_554_000 * SECOND  # 2024-05-01 09:00:00
HOSTILE = "<script>alert('x')</script>\"&]]> $\\frac$ \x00\x1b"

Lines = list[tuple[str, dict[str, Any]]]

FACTS: dict[str, Any] = {
    "name": "visits",
    "schema": "analytics",
    "key": ["user_id"],
    "event_time": "viewed_at",
    "time_type": "timestamp",
    "arrival_order": "arrival_seq",
    "partition": None,
    "stream_time": "key",
    "emit": "updates",
    "grace": DAY,
    "window": "session",
    "gap": 30 * MINUTE,
    "exclusive_end": False,
    "count": "page_views",
    "through": [[None, 10]],
    "hidden": [],
    "having": False,
}


def late(measure: str, *buckets: tuple[int, int]) -> Lines:
    """Buckets of (lateness, rows)."""
    return [("late", {"measure": measure, "most": most, "n": n}) for most, n in buckets]


def refresh(number: int, **given: Any) -> dict[str, Any]:
    ended = START + number * HOUR
    return {
        "run_id": f"run-{number}",
        "number": number,
        "started": ended - (5 + number % 7) * SECOND,
        "finished": ended,
        "stream_time": ended - 20 * MINUTE,
        "rows_read": 1000 + number,
        "rows_late": number % 3,
        "windows_inserted": 10,
        "windows_updated": 5,
        "windows_deleted": 1,
        "rows_skipped": 0,
    } | given


def row(arrival: int, minutes: int, clock: int, reason: str | None = None, **given: Any) -> Any:
    """A row at so many minutes after START, as stream time showed others."""
    behind = (clock - minutes) * MINUTE
    return {
        "key": ["ann"],
        "time": START + minutes * MINUTE,
        "arrival": arrival,
        "clock": START + clock * MINUTE,
        "reason": reason,
        "needed": behind - 30 * MINUTE,
    } | given


def window(start: int, end: int, rows: int | None, **given: Any) -> dict[str, Any]:
    """A window from and to so many minutes after START."""
    bounds = {"start": START + start * MINUTE, "end": START + end * MINUTE}
    return bounds | {"rows": rows, "closed": False} | given


# the rows of the README: the last comes two days late
TIMELINE: Lines = [
    ("row", row(1, 0, 0)),
    ("row", row(2, 20, 20)),
    ("row", row(4, 65, 65)),
    ("row", row(5, 90, 90)),
    ("row", row(6, 45, 90)),
    ("row", row(9, 130, 130)),
    ("row", row(10, -2940, 130, "late")),
    ("window", window(0, 90, 5)),
    ("window", window(130, 130, 1)),
    ("all", {"n": 7}),
]
HEALTH: Lines = [
    ("windows", {"all": 12, "open": 5, "closed": 7, "idle": 2}),
    ("largest", {"key": ["ann"], **window(0, 90, 5)}),
    ("largest", {"key": ["bob"], **window(25, 50, 2)}),
    ("clocks", {"n": 2, "latest": START + 3 * DAY, "median": START, "now": START + DAY}),
    ("fast", {"key": ["ann"], "clock": START + 3 * DAY}),
    ("fast", {"key": ["bob"], "clock": START + HOUR}),
    ("idle_keys", {"n": 1}),
    ("idle", {"key": ["bob"], "windows": 2, "end": START + 50 * MINUTE}),
    ("dropped", {"reason": "late", "n": 1}),
]
ANSWERS: dict[str, Lines] = {
    "facts": [("model", FACTS)],
    "lateness": late("behind", (0, 800), (HOUR, 150), (30 * HOUR, 40), (3 * DAY, 10))
    + late("needed", (0, 950), (29 * HOUR, 40), (3 * DAY - 30 * MINUTE, 10)),
    "lateness_of_source": late("behind", (0, 90), (HOUR, 10)),
    "refreshes": [("refresh", refresh(number)) for number in range(30)]
    + [("slowest", refresh(6)), ("all", {"n": 30})],
    "timeline": TIMELINE,
    "explained": [],
    "health": HEALTH,
    "followers": [
        ("follower", {"model": "days", "behind": 12, "followed": START}),
        ("follower", {"model": "months", "followed": START, "why": f"{HOSTILE} was built anew"}),
    ],
    "accounts": [("ledger", {"read": 1000, "skipped": 3}), ("source", {"n": 1007})],
}


@dataclass
class FixedAsker:
    """Answers each question by its name; one that is none in `answers` cannot be answered."""

    answers: dict[str, Lines | None] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def ask(self, question: str) -> Answer:
        self.asked.append(question)
        found = re.fullmatch(r"\{\{ event_windows\._report_(\w+)\(.*\) \}\}", question, re.DOTALL)
        assert found, question
        lines = (ANSWERS | self.answers)[found[1]]
        if lines is None:
            raise AskError(f"dbt does not know: {HOSTILE}")
        return Answer(lines)
