"""Rollups by times of windows of every type: after each refresh what Spark gives for their text.

A run reads the segments in which windows of touched groups can end. One too few would be told by
nothing else.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest

from tests.harness import DbtProject, Statements, recorded
from tests.rollups.chain import from_scratch, stored
from tests.rollups.timed import CLICKS, TYPES, draw_model, draw_text, rows
from tests.windows.conformance import cuts

SEED = int(os.environ["EVENT_WINDOWS_SEED"])
ZONE = "spark.sql.session.timeZone"
ZONES = ["Europe/Berlin", "UTC", "America/New_York", "Pacific/Apia"]
CONDITION = r"(\(_ew_segment between [^)]*\)|_ew_segment >= -?\d+)"
SEGMENTS = re.compile(rf"from ([\w.`]+) [^()]*where {CONDITION}")
ROWS, FEW = 150, 6
# of the next day in Berlin
NIGHT = datetime(2024, 5, 1, 22, 30, tzinfo=UTC)
SHOWN_DAYS = """
    {{ config(materialized='windowed', grace='unbounded', arrival_order='arrival_seq') }}
    select key, date(session_window.start) as day, count(*) as n
    from {{ source('raw', 'timed') }}
    group by key, session_window(event_time, '30 minutes')
"""
BY_DAY = "select day, count(*) as visits from {{ ref('shown_days') }} group by day"


@contextmanager
def session_zone(project: DbtProject, zone: str) -> Iterator[None]:
    project.spark.conf.set(ZONE, zone)
    try:
        yield
    finally:
        project.spark.conf.set(ZONE, "UTC")


def left_out(project: DbtProject, sent: Statements, rollup: str) -> int | None:
    """How many windows above a run did not read; none where it read without a condition."""
    for sql in sent:
        asked = SEGMENTS.search(sql) if (sql.model, sql.step) == (rollup, "groups") else None
        if asked:
            count = f"select count(*) as n from {asked[1]} where not {asked[2]}"
            return int(project.rows(count)[0].n)
    return None


def types(project: DbtProject, query: str) -> list[tuple[str, str]]:
    return [one for one in project.spark.sql(query).dtypes if not one[0].startswith("_ew_")]


def check(project: DbtProject, name: str, above: str, text: str, model: str) -> None:
    said = f"EVENT_WINDOWS_SEED={SEED} {name}:\n{text}\nover {model}"
    assert stored(project, name) == from_scratch(project, text), said
    query = text.replace(f"{{{{ ref('{above}') }}}}", above)
    assert types(project, f"select * from {name}") == types(project, query), said


def check_over(
    project: DbtProject, chance: random.Random, models: dict[str, str], texts: int, refreshes: int
) -> None:
    """Rollups over these models, after each refresh."""
    above = {}
    for name, model in models.items():
        project.model(name, model)
        for place in range(texts):
            text = draw_text(chance, name, "windowed(" not in model, place == 0)
            above[f"{name}_{place}"] = name, text
            project.model(f"{name}_{place}", "{{ config(materialized='rollup') }}\n" + text)
    project.create_source("timed", [], CLICKS)
    arrived = rows(chance, ROWS, FEW)
    ends = [end for _, end in cuts(ROWS, refreshes, chance.randrange(10**6))]
    first, pruned = 0, Counter[str]()
    for end in [*ends, ROWS + FEW, len(arrived)]:
        project.append("timed", arrived[first:end])
        with recorded() as sent:
            project.run(*models, *above, full_refresh=first == 0)
        for name, (model, text) in above.items():
            check(project, name, model, text, models[model])
            pruned[name] += bool(left_out(project, sent, name))
        first = end
    print(f"EVENT_WINDOWS_SEED={SEED}: segments were left out {pruned.total()} times, {pruned}")
    # all windows of the first stretch, when the last rows come
    assert all(pruned[f"{name}_0"] for name in models), f"EVENT_WINDOWS_SEED={SEED} {pruned}"


def test_a_few(project: DbtProject) -> None:
    chance = random.Random(f"{SEED} few")
    models = {}
    for kind, plain in zip(chance.sample([*TYPES], 2), [False, True], strict=True):
        models[f"few_{kind}"] = draw_model(chance, kind, plain)
    with session_zone(project, chance.choice(ZONES)):
        check_over(project, chance, models, texts=2, refreshes=1)


def test_days_of_a_model_in_plain_sql_are_those_of_the_session(project: DbtProject) -> None:
    """A view has the zone of the session that made it, and a rollup over it that of its own."""
    project.create_source("timed", [("a", NIGHT, NIGHT.replace(tzinfo=None), 1, 1)], CLICKS)
    project.model("shown_days", SHOWN_DAYS)
    project.model("by_day", "{{ config(materialized='rollup') }}" + BY_DAY)
    with session_zone(project, "Europe/Berlin"):
        project.run("shown_days", "by_day", full_refresh=True)
    with recorded() as sent:
        project.run("shown_days")
    assert [sql.step for sql in sent.writes] == ["show", "show"]
    project.run("by_day", full_refresh=True)
    assert stored(project, "by_day") == from_scratch(project, BY_DAY)
    assert [row.day for row in project.rows("select day from by_day")] == [NIGHT.date()]
    with recorded() as sent:
        project.run("shown_days", "by_day")
    assert sent.writes == []
    with session_zone(project, "Europe/Berlin"):
        error = project.run("by_day", full_refresh=True, expect_error=True).error
        assert "shown_days was last shown by a session of another time zone" in " ".join(
            error.split()
        )
        project.run("shown_days", "by_day", full_refresh=True)
    assert [row.day for row in project.rows("select day from by_day")] != [NIGHT.date()]


@pytest.mark.slow
@pytest.mark.parametrize("kind", TYPES)
def test_each_type(project: DbtProject, kind: str) -> None:
    chance = random.Random(f"{SEED} {kind}")
    models = {
        f"of_{kind}_{name}": draw_model(chance, kind, plain)
        for name, plain in [("call", False), ("plain", True)]
    }
    with session_zone(project, ZONES[[*TYPES].index(kind) % len(ZONES)]):
        check_over(project, chance, models, texts=4, refreshes=2)
