"""The same call as table, view, ephemeral, ad hoc and windowed, over each kind of relation."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import pytest

from tests.harness import DbtProject, selected
from tests.reference.records import Row
from tests.reference.session import session
from tests.session_models import EPOCH, EVENTS, counted, events, session_model, windowed

# tests/windows/test_materializations.py shows it of another type
pytestmark = pytest.mark.slow

UNBOUNDED = "event_windows.session(gap='30 minutes', grace='unbounded')"
GRACE = "event_windows.session(gap='30 minutes', grace='20 minutes')"
# Out of order; under GRACE the last row of 'a' is late, that of 'b' just not.
DRAWN = [("a", 0), ("b", 0), ("a", 40), ("a", 20), ("b", 60), ("b", 10), ("a", 200), ("a", 90)]


def model(text: str, materialized: str) -> str:
    return "{{ config(materialized=" + repr(materialized) + ") }}\n" + text


PARENTHESISED = (
    "'(select key, event_time, arrival_seq from ' ~ source('raw', 'clicks') ~ ' where value >= 0)'"
)
MODELS = {
    "stg_clicks": model("select * from {{ source('raw', 'clicks') }}", "ephemeral"),
    "clicks_view": model("select * from {{ source('raw', 'clicks') }}", "view"),
    "as_table": session_model("clicks", GRACE, "table"),
    "as_windowed": session_model("clicks", GRACE),
    "as_ephemeral": session_model("clicks", GRACE, "ephemeral"),
    "over_ephemeral": model("select * from {{ ref('as_ephemeral') }}", "table"),
    "below_a_view": session_model("clicks", GRACE, "ephemeral"),
    "over_ephemeral_as_view": model("select * from {{ ref('below_a_view') }}", "view"),
    "windowed_over_ephemeral": model(windowed("ref('stg_clicks')", GRACE), "windowed"),
    "windowed_over_select": model(windowed(PARENTHESISED, GRACE), "windowed"),
    "windowed_over_ref": model(windowed("ref('clicks_view')", GRACE), "windowed"),
    "table_over_ephemeral": model(windowed("ref('stg_clicks')", GRACE), "table"),
    "unbounded_view": session_model("clicks", UNBOUNDED, "view"),
    "unbounded_table": session_model("clicks", UNBOUNDED, "table"),
    "unbounded_windowed": session_model("clicks", UNBOUNDED),
}
BENEATH = {
    "over_ephemeral": "as_ephemeral",
    "over_ephemeral_as_view": "below_a_view",
    "windowed_over_ephemeral": "stg_clicks",
    "table_over_ephemeral": "stg_clicks",
    "windowed_over_ref": "clicks_view",
}
WITH_GRACE = [name for name in MODELS if name.startswith(("as_", "over_", "windowed_", "table_"))]
WITH_GRACE.remove("as_ephemeral")
UNBOUNDED_ONES = [name for name in MODELS if name.startswith("unbounded_")]


def expected(grace: int | None) -> set[tuple[Any, ...]]:
    result = session([Row(key, t) for key, t in DRAWN], gap=30, grace=grace)
    assert bool(result.dropped) == (grace is not None)
    return {(w.key, w.start, w.end, len(w.rows)) for w in result.windows}


@pytest.fixture(scope="module", autouse=True)
def tables(request: pytest.FixtureRequest, project: DbtProject) -> set[str]:
    """Those of the tests that will run, after their refreshes."""
    found = selected(request, "table")
    beneath = {BENEATH[name] for name in found if name in BENEATH}
    rows = events(DRAWN)
    project.create_source("clicks", rows[:3], EVENTS)
    for name in found | beneath:
        project.model(name, MODELS[name])
    # a table knows of no run before
    project.run(*beneath, *[name for name in found if "windowed" in name])
    project.append("clicks", rows[3:])
    project.run()
    return found


@pytest.mark.parametrize("table", WITH_GRACE)
def test_all_are_equal_where_rows_are_late(project: DbtProject, table: str) -> None:
    assert counted(project, table) == expected(20)


@pytest.mark.parametrize("table", UNBOUNDED_ONES)
def test_all_are_equal_where_no_row_is(project: DbtProject, table: str) -> None:
    assert counted(project, table) == expected(None)


@pytest.mark.parametrize(("window", "grace"), [(GRACE, 20), (UNBOUNDED, None)])
def test_ad_hoc(project: DbtProject, window: str, grace: int | None) -> None:
    shown = project.show(windowed("source('raw', 'clicks')", window))
    found = {
        (
            row["key"],
            (row["window_start"].replace(tzinfo=UTC) - EPOCH).total_seconds() / 60,
            (row["window_end"].replace(tzinfo=UTC) - EPOCH).total_seconds() / 60,
            int(row["n"]),
        )
        for row in shown
    }
    assert found == expected(grace)


def test_columns_stand_in_the_order_of_the_contract(project: DbtProject, tables: set[str]) -> None:
    for table in tables:
        columns = project.spark.table(f"{project.schema}.{table}").columns
        assert columns[:4] == ["key", "window_start", "window_end", "n"]
        assert all(column.startswith("_ew_") for column in columns[4:])
