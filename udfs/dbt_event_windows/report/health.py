"""How windows and clocks stand, and whether all rows are accounted for."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_event_windows.report.asking import Answer, Line
from dbt_event_windows.report.rows import Window, read_window

Key = tuple[str | None, ...]


@dataclass(frozen=True)
class Health:
    """Numbers of windows; times in microseconds since 1970.

    idle: open windows that the latest clock of all would close. not_shown: those that are kept, and
    that HAVING leaves out of the model for now. largest: by rows, or by length
    where the model counts none. fast: the scopes whose clocks are furthest, with these.
    most_idle: keys with idle windows, how many, and the end of their last.
    """

    windows: int
    open: int
    closed: int
    idle: int
    not_shown: int
    idle_keys: int
    largest: tuple[tuple[Key, Window], ...]
    clocks: int
    latest: int | None
    median: int | None
    now: int | None
    fast: tuple[tuple[Key, int], ...]
    most_idle: tuple[tuple[Key, int, int], ...]
    dropped: dict[str, int]


@dataclass(frozen=True)
class Accounts:
    """Rows that refreshes read since the table was built, and those that the source has now.

    there: up to the last number read; none where rows have no numbers. rebuilt: keys that were made
    anew, from all of their rows: also from those that were skipped before.
    """

    read: int
    skipped: int
    there: int | None
    rebuilt: int = 0

    @property
    def unaccounted(self) -> int | None:
        """Rows that the source has and no refresh read; below zero: read, and gone since."""
        return None if self.there is None else self.there - self.read


def read_health(answer: Answer) -> Health:
    """From the answer to `health`."""
    windows, clocks = answer.one("windows"), answer.one("clocks")
    largest = [(_key(line), read_window(line)) for line in answer.all("largest")]
    largest.sort(key=lambda held: (held[1].rows or 0, held[1].end - held[1].start), reverse=True)
    fast = [(_key(line), int(line["clock"])) for line in answer.all("fast")]
    idle = [(_key(line), int(line["windows"]), int(line["end"])) for line in answer.all("idle")]
    return Health(
        windows=int(windows.get("all", 0)),
        open=int(windows.get("open", 0)),
        closed=int(windows.get("closed", 0)),
        idle=int(windows.get("idle", 0)),
        not_shown=int(windows.get("not_shown", 0)),
        idle_keys=int(answer.one("idle_keys").get("n", 0)),
        largest=tuple(largest),
        clocks=int(clocks.get("n", 0)),
        latest=clocks.get("latest"),
        median=clocks.get("median"),
        now=clocks.get("now"),
        fast=tuple(sorted(fast, key=lambda clock: -clock[1])),
        most_idle=tuple(sorted(idle, key=lambda held: held[2])),
        dropped={line["reason"]: int(line["n"]) for line in answer.all("dropped")},
    )


def read_accounts(answer: Answer) -> Accounts:
    """From the answer to `accounts`."""
    ledger, source = answer.one("ledger"), answer.all("source")
    return Accounts(
        read=int(ledger.get("read", 0)),
        skipped=int(ledger.get("skipped", 0)),
        there=int(source[0]["n"]) if source else None,
        rebuilt=int(ledger.get("rebuilt", 0)),
    )


def _key(line: Line) -> Key:
    return tuple(line.get("key", ()))
