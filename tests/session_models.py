"""Texts of models with session windows, and what their tables hold."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.formats import version as version
from tests.harness import DbtProject

SESSIONS = "event_windows.session(gap='30 minutes', grace='1 day')"
EVENTS = "key string, event_time timestamp, arrival_seq bigint, value bigint"
EPOCH = datetime(2024, 4, 17, tzinfo=UTC)


def windowed(relation: str, window: str = SESSIONS, **arguments: Any) -> str:
    """A call of windowed(): `relation` and `window` are Jinja, an argument of none is left out."""
    given = {
        "key": "key",
        "event_time": "event_time",
        "aggregates": {"n": "count(*)"},
        "arrival_order": "arrival_seq",
    } | arguments
    texts = [f"relation={relation}", f"window={window}"]
    texts += [f"{name}={value!r}" for name, value in given.items() if value is not None]
    return "{{ event_windows.windowed(" + ", ".join(texts) + ") }}"


def session_model(
    source: str,
    window: str = SESSIONS,
    materialized: str = "windowed",
    config: dict[str, Any] | None = None,
    **arguments: Any,
) -> str:
    """A model over a table of source `raw`; `arguments` are those of windowed()."""
    settings = {"materialized": materialized} | (config or {})
    call = windowed(f"source('raw', {source!r})", window, **arguments)
    return "{{ config(" + ", ".join(f"{k}={v!r}" for k, v in settings.items()) + ") }}\n" + call


def at(minutes: float, start: datetime = EPOCH) -> datetime:
    """An instant so many minutes after the day that tests begin on."""
    return start + timedelta(minutes=minutes)


def events(
    rows: Iterable[tuple[str | None, float | None]], first_arrival: int = 0
) -> list[tuple[Any, ...]]:
    """Rows of (key, minutes) in the order of arrival, each with a value of its own."""
    return [
        (key, None if minutes is None else at(minutes), arrival, 10 * arrival)
        for arrival, (key, minutes) in enumerate(rows, first_arrival)
    ]


def disordered(seed: int, count: int) -> list[tuple[Any, ...]]:
    """Rows up to four hours out of order, with null keys and null event times among them."""
    chance = random.Random(seed)
    return events(
        (
            chance.choice(["a", "b", "a", "b", None]),
            None if chance.random() < 0.1 else 20 * arrival - chance.randrange(240),
        )
        for arrival in range(count)
    )


def counted(project: DbtProject, table: str, key: str = "key") -> set[tuple[Any, ...]]:
    """(key, start, end, n) of each session, times in minutes after the day that tests begin on."""
    found = [
        (row.key, round(row.first / 60e6, 9), round(row.last / 60e6, 9), row.n)
        for row in project.rows(
            f"select {key} as key, unix_micros(window_start) - {micros(EPOCH)} as first, "
            f"unix_micros(window_end) - {micros(EPOCH)} as last, n from {table}"
        )
    ]
    assert len(found) == len(set(found)), "a window is there twice"
    return set(found)


def micros(time: datetime) -> int:
    return (time - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def public(project: DbtProject, table: str, without: Iterable[str] = ()) -> list[str]:
    """The rows of a table as sorted texts, without the bookkeeping columns and `without`."""
    names = project.spark.table(f"{project.schema}.{table}").columns
    kept = [name for name in names if not name.startswith("_ew_") and name not in set(without)]
    columns = ", ".join(quoted(name) for name in kept)
    return sorted(
        json.dumps([str(value) for value in row])
        for row in project.rows(f"select {columns} from {table}")
    )


def exists(project: DbtProject, table: str) -> bool:
    return bool(project.spark.catalog.tableExists(f"{project.schema}.{table}"))


def ledger(project: DbtProject, model: str) -> list[Any]:
    """The refreshes of a model in the order in which they began."""
    if not exists(project, "event_windows_runs"):
        return []
    return project.rows(
        f"select * from event_windows_runs where model = '{model}' order by started_at"
    )
