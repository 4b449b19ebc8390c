"""What `changes` says of windows whose keys were made anew."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.formats import keep_log, version
from tests.harness import DbtProject
from tests.session_models import EPOCH, EVENTS, events, ledger, micros, session_model

FIRST = [
    *[("gone", 0), ("gone", 100), ("one of two", 0), ("one of two", 100)],
    *[("less", 0), ("less", 10), ("split", 0), ("split", 20), ("split", 40)],
    *[("as it was", 0), ("as it was", 10), ("moved", 0), ("untouched", 0)],
]
MODEL = session_model(
    "told", config={"source_changes": "retract"}, aggregates={"n": "count(*)", "most": "max(value)"}
)
IN_SQL = """
{{ config(materialized='windowed', source_changes='retract', grace='1 day',
          arrival_order='arrival_seq') }}
select key, session_window.start as window_start, count(*) as n, max(value) as most
from {{ source('raw', 'told') }}
group by key, session_window(event_time, '30 minutes')
"""
# of each window: its key, the minute it begins, how many rows it has
CHANGED = {
    ("gone", 0, 1, "delete"): 1,
    ("gone", 100, 1, "delete"): 1,
    ("one of two", 100, 1, "delete"): 1,
    ("less", 0, 2, "update_preimage"): 1,
    ("less", 0, 1, "update_postimage"): 1,
    ("split", 0, 3, "update_preimage"): 1,
    ("split", 0, 1, "update_postimage"): 1,
    ("split", 40, 1, "insert"): 1,
    ("moved", 0, 1, "delete"): 1,
    ("to another key", 0, 1, "insert"): 1,
    ("new", 0, 1, "insert"): 1,
}


def changes(project: DbtProject, model: str, since: int) -> Counter[tuple[object, ...]]:
    sql = project.compile(
        inline="{{ event_windows.changes(ref('" + model + f"'), {since + 1})" + " }}"
    )
    begin = f"cast((unix_micros(window_start) - {micros(EPOCH)}) / 60e6 as int)"
    told = project.rows(f"select key, {begin} as begin, n, change_type from ({sql})")
    return Counter(tuple(row) for row in told)


@pytest.mark.parametrize("model", ["told_m", "told_p"])
def test_windows_that_went_and_changed(project: DbtProject, model: str) -> None:
    project.create_source("told", events(FIRST), EVENTS)
    keep_log(project, "told")
    project.model(model, MODEL if model == "told_m" else IN_SQL)
    project.run(model)
    table = model if model == "told_m" else f"{model}__state"
    built = version(project, table)
    project.rows("delete from told where key = 'gone' or arrival_seq in (3, 5, 7)")
    project.rows("update told set key = 'to another key' where key = 'moved'")
    # the least of two values, of which the windows have the largest
    project.rows("update told set value = value - 1 where arrival_seq = 9")
    project.append("told", events([("new", 0)], len(FIRST)))
    project.run(model)
    assert changes(project, model, built) == CHANGED
    # 'as it was' and 'untouched' are in no change, and the first of them was made anew
    assert ledger(project, model)[-1].keys_rebuilt == 7
    refreshed = version(project, table)
    rows = project.rows("select * from told")
    project.rows("truncate table told")
    project.append("told", rows)
    project.run(model)
    assert changes(project, model, refreshed) == Counter()
    assert version(project, table) > refreshed


@pytest.mark.parametrize("given", [{"source_changes": "retract"}, {"skipped_rows": "rebuild"}])
def test_the_newest_row_that_goes_is_no_row_that_is_skipped(
    project: DbtProject, given: dict[str, str]
) -> None:
    [(option, _)] = given.items()
    source, model = f"newest_{option}", f"newest_{option}_m"
    project.create_source(source, events([("a", 0), ("a", 10), ("b", 0)]), EVENTS)
    keep_log(project, source)
    project.model(model, session_model(source, config=given))
    tests = {"name": model, "data_tests": ["event_windows.no_arrival_is_skipped"]}
    project.write_yaml(f"models/{model}.yml", {"models": [tests]})
    project.run(model)
    project.rows(f"delete from {source} where arrival_seq = 2")
    project.run(model)
    assert project.rows(f"select key, n from {model}") == [("a", 2)]
    project.test(model)
