"""A call of each aggregate in a table that is kept up to date: what a plain `group by` gives."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple

import pytest

from tests.aggregates.compared import differences, stored
from tests.aggregates.rows import MERGEABLE, create_rows
from tests.harness import DbtProject
from tests.session_models import at, session_model

WINDOW = "event_windows.session(gap='30 minutes', grace='unbounded')"


class Refreshed(NamedTuple):
    project: DbtProject
    names: dict[str, str]


def one_of_each() -> dict[str, str]:
    """The last call of each function. Delta stores no intervals."""
    storable = [sql for sql in MERGEABLE if "span" not in sql and sql != "max(seen) - min(seen)"]
    calls = {(re.match(r"\w+\((?:distinct)?", sql) or [sql])[0]: sql for sql in storable}
    return {f"v{number}": sql for number, sql in enumerate(calls.values())}


ALL = one_of_each()
SAMPLE = dict([*ALL.items()][::9])
SLOW = pytest.param(ALL, marks=pytest.mark.slow, id="all")


@pytest.fixture(scope="module", params=[pytest.param(SAMPLE, id="sample"), SLOW])
def refreshed(
    request: pytest.FixtureRequest, make_project: Callable[[str], DbtProject]
) -> Refreshed:
    """The project after three refreshes of a model with these aggregates."""
    project = make_project("refreshed")
    create_rows(project.spark, "made")
    sketched = "select * except (span) from made where arrival_seq"
    project.create_source("typed_rows", project.spark.sql(f"{sketched} < 50"))
    project.model("typed", session_model("typed_rows", WINDOW, aggregates=request.param))
    project.run()
    for start, stop in [(50, 99), (100, 149)]:
        more = project.spark.sql(f"{sketched} between {start} and {stop}")
        project.append("typed_rows", more)
        project.run()
    project.rows(
        """
        create or replace temp view plain_sessions as
        select r.*, s.window_start, s.window_end
        from typed_rows as r
        inner join (
            select key, session_window.start as window_start, max(event_time) as window_end
            from typed_rows group by key, session_window(event_time, '30 minutes')
        ) as s on r.key = s.key and r.event_time between s.window_start and s.window_end
        """
    )
    return Refreshed(project, request.param)


def test_sessions_were_made_of_several_refreshes(refreshed: Refreshed) -> None:
    assert refreshed.project.rows(
        "select 1 from plain_sessions group by key, window_start "
        "having min(arrival_seq) < 50 and max(arrival_seq) >= 100"
    )


def test_values_and_types_are_sparks(refreshed: Refreshed) -> None:
    project, names = refreshed
    by = ["key", "window_start", "window_end"]
    found = project.spark.table(f"{project.schema}.typed")
    assert differences(found, names, by, "plain_sessions", as_type=stored) == []


def test_columns_stand_in_the_order_given(refreshed: Refreshed) -> None:
    project, names = refreshed
    columns = project.spark.table(f"{project.schema}.typed").columns
    public = [name for name in columns if not name.startswith("_ew_")]
    assert public == ["key", "window_start", "window_end", *names]
    assert columns[: len(public)] == public


def test_a_distinct_sum_that_did_not_fit_stays_null(project: DbtProject) -> None:
    """Of 38 digits, that is; what comes later does not begin it again."""
    columns = "key string, event_time timestamp, arrival_seq bigint, value decimal(38, 0)"
    rows = [("a", at(n), n, Decimal(n) * 10**37) for n in (4, 5, 6, 7)]
    call = "sum(distinct value)"
    project.model("vast_sums", session_model("vast_rows", WINDOW, aggregates={"total": call}))
    project.create_source("vast_rows", rows[:1], columns)
    project.run("vast_sums")
    for some in (rows[1:3], rows[3:]):
        project.append("vast_rows", some)
        project.run("vast_sums")
        assert project.rows("select total from vast_sums") == [(None,)]
        assert project.rows(f"select {call} from vast_rows") == [(None,)]
