"""The SQL that dbt compiles: other parsers read it, and its CTEs are named by the steps."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from tests.harness import DbtProject
from tests.session_models import EVENTS, events, session_model

ALL = {
    "n": "count(*)",
    "total": "sum(value)",
    "mean": "avg(value)",
    "landing": "min_by(key, event_time)",
    "exit": "max_by(key, event_time)",
    "some": "bool_or(value > 1)",
    "users": "approx_count_distinct(key)",
    "rate": "sum(value) / nullif(count(*), 0)",
    "spread": "stddev(value)",
    "middle": "percentile_cont(0.5) within group (order by value desc)",
    "keys": "listagg(key, ', ') within group (order by value)",
    "different": "count(distinct key, value)",
    "typical": "geometric_mean(value)",
    "big": "count(*) filter (where value > 10 and key <> ')')",
}
GRACE = "event_windows.session(gap='30 minutes', grace='1 hour')"
UNBOUNDED = "event_windows.session(gap='30 minutes', grace='unbounded')"
BY_ROW = "event_windows.session(gap_by='make_dt_interval(0, 0, value)', grace='1 hour')"
MODELS = {
    "grace": session_model("clicks", GRACE, "table", aggregates=ALL),
    "unbounded": session_model("clicks", UNBOUNDED, "table", aggregates=ALL),
    "windowed": session_model("clicks", GRACE, aggregates=ALL),
    "by_row": session_model("clicks", BY_ROW, "table", aggregates=ALL),
    "by_partition": session_model(
        "clicks", GRACE, "table", aggregates=ALL, partition="value", stream_time="partition"
    ),
    "everybody": session_model("clicks", GRACE, "table", aggregates=ALL, stream_time="global"),
    "one_instant": session_model("clicks", GRACE, "table", aggregates=ALL, arrival_order=None),
}
SIMPLE = ["new_rows", "slices", "pieces", "reached", "numbered", "windowed_pieces", "windows"]
DOUBT = ["overtaken", "doubts", "doubtful"]
LATE = ["hashes", "hashed_rows", "suspects", "replayed"]
CLOCKED = ["arrival_ranges", "range_clocks", "clocked_rows"]
STEPS = {
    "grace": [*SIMPLE[:2], *DOUBT, *LATE, *SIMPLE[2:]],
    "unbounded": SIMPLE,
    "windowed": [*SIMPLE[:2], *DOUBT, *LATE, *SIMPLE[2:]],
    "by_row": [*SIMPLE[:2], *DOUBT, *LATE, *SIMPLE[2:]],
    "by_partition": [*SIMPLE[:2], "looked_ahead", *DOUBT, *CLOCKED, *LATE, *SIMPLE[2:]],
    "everybody": [*SIMPLE[:2], "looked_ahead", *DOUBT, *CLOCKED, *LATE, *SIMPLE[2:]],
    "one_instant": SIMPLE,
}


@pytest.fixture(scope="module")
def compiled(project: DbtProject) -> dict[str, str]:
    project.create_source("clicks", events([("a", 0)]), EVENTS)
    for name, sql in MODELS.items():
        project.model(name, sql)
    results = project.dbt("compile").results
    return {result.node.name: str(result.node.compiled_code) for result in results}


@pytest.mark.parametrize("dialect", ["spark", "databricks"])
@pytest.mark.parametrize("name", MODELS)
def test_sqlglot_reads_it_as_one_select(compiled: dict[str, str], name: str, dialect: str) -> None:
    statements = sqlglot.parse(compiled[name], dialect=dialect)
    assert [type(statement) for statement in statements if statement] == [exp.Select]
    named = [column.alias_or_name for column in statements[0].selects]
    assert named == ["key", "window_start", "window_end", *ALL]


@pytest.mark.parametrize("name", MODELS)
def test_ctes_are_named_by_the_steps(compiled: dict[str, str], name: str) -> None:
    tree = sqlglot.parse_one(compiled[name], dialect="spark")
    outermost = tree.args.get("with_") or tree.args["with"]
    assert [cte.alias for cte in outermost.expressions] == STEPS[name]
