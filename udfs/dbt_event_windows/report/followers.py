"""Rollups over a model, and how far each is behind the one above it."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_event_windows.report.asking import Answer


@dataclass(frozen=True)
class Follower:
    """One rollup: how many rows above it has not followed; none where its next run builds it anew.

    followed: when the run began that has followed last, in microseconds since 1970.
    """

    model: str
    behind: int | None
    followed: int
    why: str | None


def read_followers(answer: Answer) -> list[Follower]:
    """From the answer to `followers`."""
    return [
        Follower(
            model=str(line["model"]),
            behind=None if line.get("behind") is None else int(line["behind"]),
            followed=int(line["followed"]),
            why=line.get("why"),
        )
        for line in answer.all("follower")
    ]
