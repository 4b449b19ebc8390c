"""A model as a view has all in one query, late rows and aggregates over whole windows too."""

from __future__ import annotations

from tests.aggregates.compared import differences
from tests.aggregates.rows import TEXT, create_rows
from tests.harness import DbtProject
from tests.session_models import EVENTS, disordered, public, session_model, windowed

HOURS = "event_windows.tumbling(size='1 hour', grace='10 minutes')"
VALUES = {
    "n": "count(*)",
    "middle": "approx_percentile(event_time, 0.5)",
    "some": "array_sort(collect_set(value / 2))",
    "histogram": "histogram_numeric(value, 3) filter (where value > 4)",
}


def test_a_view_has_the_windows_of_the_table(project: DbtProject) -> None:
    project.create_source("clicks", disordered(3, 40), EVENTS)
    project.model("kept", session_model("clicks", HOURS, aggregates=VALUES))
    project.model("asked", session_model("clicks", HOURS, "view", aggregates=VALUES))
    project.run("kept", "asked")
    assert project.rows("select 1 from kept__dropped where reason = 'late'")
    assert public(project, "asked") == public(project, "kept") != []


# What a type decides: digits, whether a sum fits, what NaN is equal to, how text is sorted.
TYPED = [
    *(f"{fn}({name})" for fn in ["sum", "avg"] for name in ["small", "exact", "wide"]),
    "try_sum(exact)",
    "mean(whole)",
    "avg(exact) * 2 + max(small)",
    "sum(big + 1) filter (where word in ('a', 'b') and small is not null)",
    "avg(exact) filter (where word = 'not there')",
    "regr_avgx(exact, small)",
    "collect_set(real)",
    "percentile(exact, 0.3)",
    "percentile_cont(0.35) within group (order by whole desc)",
    f"median({TEXT})",
    f"percentile_disc(0.3) within group (order by {TEXT})",
    "sum(distinct exact)",
    f"sum(distinct {TEXT})",
]


def test_over_what_cannot_be_asked_for_its_types(project: DbtProject) -> None:
    """An ephemeral model is a CTE, as the input of a unit test is."""
    create_rows(project.spark, "made")
    project.create_source("typed", project.spark.sql("select * except (small, span) from made"))
    project.model(
        "fleeting",
        "{{ config(materialized='ephemeral') }}\n"
        "select *, cast(whole div 10 as smallint) as small from {{ source('raw', 'typed') }}",
    )
    names = {f"v{number}": sql for number, sql in enumerate(TYPED)}
    year = "event_windows.tumbling(size='365 days', grace='unbounded')"
    seen = "approx_percentile(seen, 0.5)"
    call = windowed("ref('fleeting')", year, aggregates=names | {"seen": seen})
    project.model("over_it", "{{ config(materialized='view') }}\n" + call)
    project.run("over_it")
    plain = "select *, cast(whole div 10 as smallint) as small from typed"
    project.rows(f"create or replace temp view plainly as {plain}")
    found = project.spark.table(f"{project.schema}.over_it")
    assert differences(found, names, ["key"], "plainly") == []
    asked = project.rows(f"select key, {seen} as seen from plainly group by key")
    assert {(row.key, row.seen) for row in found.collect()} == {(r.key, r.seen) for r in asked}
