"""A project of windowed models with late rows, with tests that compare them with all rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.protocol.processes import Project
from tests.session_models import disordered

ROWS = disordered(31, 240)
WINDOWS = {
    "sessions": "event_windows.session(gap='30 minutes', grace='20 minutes')",
    "near": "event_windows.sliding(difference='30 minutes', grace='20 minutes')",
}
MODEL = """
{{{{ config(materialized={materialized!r}) }}}}
{{{{ event_windows.windowed(
    relation="{relation}", key='key', event_time='event_time', window={window},
    aggregates={{
        'n': 'count(*)', 'total': 'sum(value)', 'own': 'added(value)',
        'bare': 'package_is_missing(value)'
    }},
    arrival_order='arrival_seq'
) }}}}
"""
PLAIN = """
{{{{ config(materialized='windowed', grace='20 minutes', arrival_order='arrival_seq') }}}}
select key, session_window.start as began, count(*) as n, sum(value) as total
from {relation} as rows_so_far
where key is not null
group by key, session_window(event_time, '30 minutes')
"""
# Two files, of which workers have neither.
AGGREGATES = """
import importlib.util

from adding import plus
from dbt_event_windows import Aggregator, aggregator


@aggregator("added", state="bigint", returns="bigint")
class Added(Aggregator):
    def zero(self):
        return 0

    def reduce(self, state, value):
        return plus(state, value)

    def merge(self, left, right):
        return plus(left, right)

    def finish(self, state):
        return state


@aggregator("package_is_missing", state="bigint", returns="boolean")
class PackageIsMissing(Added):
    def finish(self, state):
        return importlib.util.find_spec("dbt_event_windows") is None
"""
# What a query finds is wrong.
DIFFERENCES = """
(select {columns} from {{{{ ref('{one}') }}}}
    except all select {other_columns} from {{{{ ref('{other}') }}}})
union all
(select {other_columns} from {{{{ ref('{other}') }}}}
    except all select {columns} from {{{{ ref('{one}') }}}})
"""
OWN_AGGREGATES = """
select * from {{{{ ref('{name}') }}}} where own <> total or bare is distinct from {bare}
"""
NO_ROW_IS_LATE = """
-- depends_on: {{ ref('sessions') }} {{ ref('near') }} {{ ref('plain') }}
select model, sum(rows_late + rows_late_partial) as late
from {{ target.schema }}.event_windows_runs
group by model
having late = 0
"""


def late_rows(
    root: Path,
    target: Mapping[str, Any],
    variables: Mapping[str, str] | None = None,
    workers_have_the_package: bool = False,
) -> Project:
    """A project in a new folder; `dbt build` runs its models and compares them.

    Args:
        root: the folder.
        target: of the profile.
        variables: of the environment of dbt.
        workers_have_the_package: what the workers must say when they are asked.
    """
    root.mkdir()
    project = Project(root, target, variables=variables or {})
    for folder in ("udfs", "tests"):
        (root / folder).mkdir()
    project.write("udfs/aggregates.py", AGGREGATES)
    project.write("udfs/adding.py", "def plus(left, right):\n    return left + right\n")
    columns = "key, window_start, window_end, n, total, own, bare"
    for name, window in WINDOWS.items():
        for kind, suffix in (("windowed", ""), ("table", "_scratch")):
            text = MODEL.format(materialized=kind, relation=project.relation, window=window)
            project.model(name + suffix, text)
        _never(project, name, f"{name}_scratch", columns, columns)
        bare = str(not workers_have_the_package).lower()
        project.write(f"tests/{name}_own.sql", OWN_AGGREGATES.format(name=name, bare=bare))
    project.model("plain", PLAIN.format(relation=project.relation))
    _never(project, "plain", "sessions", "key, began, n, total", "key, window_start, n, total")
    project.write("tests/no_row_is_late.sql", NO_ROW_IS_LATE)
    return project


def _never(project: Project, one: str, other: str, columns: str, other_columns: str) -> None:
    text = DIFFERENCES.format(one=one, other=other, columns=columns, other_columns=other_columns)
    project.write(f"tests/{one}_differs_from_{other}.sql", text)


def arrive_and_build(project: Project, first: int, last: int) -> None:
    """Let some of `ROWS` arrive, run all models, and compare what they hold."""
    project.arrive(ROWS[first:last])
    said = project.finish(project.start("build"))
    assert said == "", said
