"""How late rows came, and what each grace would cost."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_event_windows.report.asking import Answer
from dbt_event_windows.report.times import GRACES


@dataclass(frozen=True)
class Bucket:
    """So many rows of about one lateness; `most` is the largest, in microseconds."""

    most: int
    rows: int


@dataclass(frozen=True)
class Choice:
    """What one grace would mean.

    grace: microseconds. later: how much later than now windows would close, microseconds; none
    where there is no bounded grace now.
    """

    grace: int
    lost: int
    share: float
    later: int | None
    is_todays: bool


@dataclass(frozen=True)
class Lateness:
    """Rows by how late they were, ascending.

    behind: stream time at arrival - event time. needed: the grace with which a row counts in full;
    before there is a window the same as behind. rows: of how many in all. today: the grace there
    is, microseconds, none where there is none or it is unbounded. measured_all: whether rows that
    were not dropped are among them.
    """

    behind: tuple[Bucket, ...]
    needed: tuple[Bucket, ...]
    rows: int
    today: int | None
    measured_all: bool = True

    def lost_with(self, grace: int) -> int:
        """How many rows would not count in full; exact for GRACES and today's."""
        return sum(bucket.rows for bucket in self.needed if bucket.most > grace)

    def choices(self) -> list[Choice]:
        """A line for each grace that changes something, and the one there is."""
        longest = max((bucket.most for bucket in self.needed), default=0)
        # the first with which nothing is lost is the last that says anything
        enough = next((grace for grace in GRACES if grace >= longest), longest)
        graces: set[int] = set()
        before = None
        for grace in sorted({grace for grace in GRACES if grace <= enough} | {enough}):
            # one that takes no more rows than a shorter one only closes windows later
            if self.lost_with(grace) != before:
                graces.add(grace)
            before = self.lost_with(grace)
        if self.today is not None:
            graces.add(self.today)
        return [
            Choice(
                grace=grace,
                lost=self.lost_with(grace),
                share=self.lost_with(grace) / self.rows if self.rows else 0.0,
                later=None if self.today is None else grace - self.today,
                is_todays=grace == self.today,
            )
            for grace in sorted(graces)
        ]


def read_lateness(answer: Answer, today: int | None) -> Lateness:
    """From the answer to `lateness` or `lateness_of_source`."""
    found: dict[str, list[Bucket]] = {"behind": [], "needed": []}
    for line in answer.all("late"):
        found[line["measure"]].append(Bucket(int(line["most"]), int(line["n"])))
    behind, needed = (
        tuple(sorted(found[measure], key=lambda bucket: bucket.most))
        for measure in ("behind", "needed")
    )
    read = answer.all("read")
    measured = sum(bucket.rows for bucket in behind)
    return Lateness(
        behind=behind,
        needed=needed or behind,
        rows=max(int(read[0]["n"]), measured) if read else measured,
        today=today,
        measured_all=not read,
    )
