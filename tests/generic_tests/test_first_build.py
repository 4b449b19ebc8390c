"""Tests in the command that builds a model first: dbt's cache began without its tables."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject, sampled
from tests.session_models import EVENTS, disordered, session_model

WINDOW = "event_windows.session(gap='30 minutes', grace='20 minutes')"
PLAIN = """
{{ config(materialized='windowed', grace='20 minutes', arrival_order='arrival_seq') }}
select key, session_window.start as began, session_window.end as ended, count(*) as n
from {{ source('raw', 'plain_rows') }} as clicks
where key is not null
group by key, session_window(event_time, '30 minutes')
"""
MODELS = {
    "updates": session_model("updates_rows", WINDOW),
    "final": session_model("final_rows", WINDOW, config={"emit": "final"}),
    "plain": PLAIN,
}


@pytest.mark.parametrize("name", sampled(MODELS, ["final"]))
def test_every_row_is_counted_in_the_first_build(project: DbtProject, name: str) -> None:
    project.create_source(f"{name}_rows", disordered(12, 60), EVENTS)
    project.model(name, MODELS[name])
    test = {"event_windows.every_row_is_counted": {"source": f"source('raw', '{name}_rows')"}}
    project.write_yaml(f"models/{name}.yml", {"models": [{"name": name, "data_tests": [test]}]})
    outcome = project.build(name)
    assert [str(result.status) for result in outcome.results] == ["success", "pass"]
    # windows that are not shown yet are looked at too
    windows = name if name == "updates" else f"{name}__state"
    [last] = project.rows(f"select string(max(window_end)) as at from {windows}")
    project.rows(f"delete from {windows} where window_end = timestamp '{last.at}'")
    assert "every_row_is_counted" in project.test(name, expect_error=True).error
