"""Tests of a table that is right, when its source has changed since the last refresh."""

from __future__ import annotations

from typing import Any

import pytest

from tests.formats import keep_log
from tests.harness import DbtProject, sampled
from tests.session_models import EVENTS, events, session_model

TESTS = ["no_arrival_is_skipped", "equals_from_scratch", "every_row_is_counted"]
FIRST = events([("a", 0), ("c", 0), ("a", 10), ("b", 0), ("b", 100)])
RETRACTS = {"source_changes": "retract"}


@pytest.fixture(scope="module")
def tested(project: DbtProject) -> Any:
    def build(name: str, text: str, *tests: str) -> None:
        project.model(name, text)
        given = [{f"event_windows.{test}": {"name": f"{name}_{test}"}} for test in tests]
        project.write_yaml(f"models/{name}.yml", {"models": [{"name": name, "data_tests": given}]})
        project.run(name)

    return build


@pytest.mark.parametrize("over", sampled(["table", "select"], ["select"]))
def test_rows_that_change_after_a_refresh(project: DbtProject, tested: Any, over: str) -> None:
    source = f"changing_{over}"
    project.create_source(source, FIRST, EVENTS)
    keep_log(project, source)
    text = session_model(source, config=RETRACTS)
    if over == "select":
        relation = f"'(select * from {project.schema}.{source} where value is not null)'"
        text = text.replace(f"source('raw', {source!r})", relation)
    name = f"{source}_m"
    tested(name, text, *TESTS)
    project.rows(f"update {source} set key = 'b' where arrival_seq = 2")
    project.rows(f"delete from {source} where arrival_seq = 4")
    # below the last number, as one that was put back
    project.append(source, [tuple(row) for row in events([("d", 5)], 0)])
    for test in TESTS:
        project.test(f"{name}_{test}")
    project.run(name)
    counted = [("a", 1), ("b", 2), ("c", 1), ("d", 1)]
    assert project.rows(f"select key, n from {name} order by key") == counted
    for test in TESTS:
        project.test(f"{name}_{test}")


@pytest.mark.parametrize("through", sampled(["select", "view"], ["view"]))
def test_a_row_that_is_joined_later_is_no_arrival(
    project: DbtProject, tested: Any, through: str
) -> None:
    source, people = f"joined_{through}", f"people_{through}"
    project.create_source(source, FIRST, EVENTS)
    project.create_source(people, [("a",), ("b",)], "who string")
    query = (
        f"select e.* from {project.schema}.{source} as e "
        f"join {project.schema}.{people} as p on p.who = e.key"
    )
    over = f"'({query})'"
    if through == "view":
        project.model(f"{source}_v", "{{ config(materialized='view') }}\n" + query)
        project.run(f"{source}_v")
        over = f"ref('{source}_v')"
    text = session_model(source).replace(f"source('raw', {source!r})", over)
    tested(f"{source}_m", text, "no_arrival_is_skipped")
    project.append(people, [("c",)])
    project.test(f"{source}_m_no_arrival_is_skipped")


def test_what_a_text_leaves_out_was_not_skipped(project: DbtProject, tested: Any) -> None:
    """`source` says what the test depends on; its rows are those that the text makes of it."""
    project.create_source("filtered", FIRST, EVENTS)
    project.model("filtered_rows", "select * from {{ source('raw', 'filtered') }}")
    text = (
        "{{ config(materialized='windowed', grace='unbounded', arrival_order='nr') }} select key, "
        "count(*) as n from (select key, event_time, arrival_seq as nr from "
        "{{ ref('filtered_rows') }} where key <> 'c') group by key, "
        "session_window(event_time, '30 minutes')"
    )
    project.run("filtered_rows")
    tested("filtered_m", text, *TESTS)
    given = {"name": "filtered_m_by_source", "arguments": {"source": "ref('filtered_rows')"}}
    tests = [{"event_windows.no_arrival_is_skipped": given}]
    project.write_yaml(
        "models/filtered_m.yml", {"models": [{"name": "filtered_m", "data_tests": tests}]}
    )
    project.test("filtered_m_by_source")


PLAIN = """
{{ config(materialized='windowed', grace='1 day', arrival_order='arrival_seq') }}
select key, session_window.start as since, 1 + approx_percentile(value, 0.5) as middle,
    sum(value) as total
from {{ source('raw', 'estimated') }}
group by key, session_window(event_time, '30 minutes')
"""


@pytest.mark.parametrize("kind", sampled(["call", "plain"], ["plain"]))
def test_what_sketches_estimate_is_not_compared(
    project: DbtProject, tested: Any, kind: str
) -> None:
    project.create_source("estimated", FIRST, EVENTS)
    values = {"middle": "approx_percentile(value, 0.5)", "total": "sum(value)"}
    name = f"estimated_{kind}"
    text = session_model("estimated", aggregates=values) if kind == "call" else PLAIN
    tested(name, text, "equals_from_scratch")
    [result] = project.test(f"{name}_equals_from_scratch").results
    code = result.node.compiled_code
    assert "get(ours, 0).total" in code
    assert "get(ours, 0).middle" not in code
