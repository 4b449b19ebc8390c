"""What a model is: the names of its columns, its window, how far it has read."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_event_windows.report.asking import Answer
from dbt_event_windows.report.errors import ReportError


@dataclass(frozen=True)
class ModelFacts:
    """Of a windowed model.

    schema: where it was asked.
    grace, gap: microseconds; a grace of none is unbounded. through: the last arrival number read
    of each partition (none where there is no partition). zone: what stands behind a time. hidden:
    columns that published windows do not show, and by which they would be looked for. having:
    whether windows are shown, with emit='final' published, only where they meet HAVING.
    """

    name: str
    schema: str
    key: tuple[str, ...]
    event_time: str
    arrival_order: str | None
    partition: str | None
    stream_time: str
    window: str
    grace: int | None
    gap: int | None
    emit: str
    counts_rows: bool
    exclusive_end: bool
    zone: str
    through: dict[str | None, int]
    hidden: tuple[str, ...]
    having: bool


def read_facts(answer: Answer) -> ModelFacts:
    """From the answer to `facts`.

    Raises:
        ReportError: the answer is empty.
    """
    line = answer.one("model")
    if not line:
        raise ReportError("the model gave no answer: run it first")
    return ModelFacts(
        name=line["name"],
        schema=line["schema"],
        key=tuple(line["key"]),
        event_time=line["event_time"],
        arrival_order=line.get("arrival_order"),
        partition=line.get("partition"),
        stream_time=line["stream_time"],
        window=line["window"],
        grace=line.get("grace"),
        gap=line.get("gap"),
        emit=line["emit"],
        counts_rows=line.get("count") is not None,
        exclusive_end=line["exclusive_end"],
        zone="" if line["time_type"] == "timestamp_ntz" else "UTC",
        through={pair[0]: int(pair[1]) for pair in line["through"] if pair[1] is not None},
        hidden=tuple(line["hidden"]),
        having=line["having"],
    )
