"""Columns of a source that have a DEFAULT: the tables of a model have none."""

from __future__ import annotations

import pytest

from tests.harness import FILE_FORMAT, DbtProject
from tests.session_models import EVENTS, events, session_model

pytestmark = pytest.mark.skipif(
    FILE_FORMAT != "delta", reason="Iceberg has them in a format version of its own"
)
DEFAULTS = EVENTS.replace("key string", "key string default 'nobody'")
PLAIN = """
{{ config(materialized='windowed', grace='1 day', arrival_order='arrival_seq') }}
select key, session_window.start as began, count(*) as n
from {{ source('raw', 'defaults') }}
group by key, session_window(event_time, '30 minutes')
"""
ROLLUP = """
{{ config(materialized='rollup') }}
select key, sum(n) as n from {{ ref('defaults_m') }} group by key
"""


def test_a_model_over_columns_with_a_default(project: DbtProject) -> None:
    project.create_source("defaults", events([("a", 0)]), EVENTS)
    project.rows(
        f"create or replace table defaults ({DEFAULTS}) using delta "
        "tblproperties ('delta.feature.allowColumnDefaults' = 'supported')"
    )
    insert = "insert into defaults (key, event_time, arrival_seq, value) values "
    project.rows(insert + "('a', timestamp'2024-04-17 00:00:00Z', 0, 1)")
    project.rows("insert into defaults (event_time, arrival_seq) values (timestamp'2024-04-17', 1)")
    project.model("defaults_m", session_model("defaults"))
    project.model("defaults_plain", PLAIN)
    project.model("defaults_rollup", ROLLUP)
    project.run("source:raw.defaults+")
    project.rows(insert + "('a', timestamp'2024-04-17 00:10:00Z', 2, 1)")
    project.run("source:raw.defaults+")
    project.run("source:raw.defaults+", full_refresh=True)
    for name in ("defaults_m", "defaults_plain", "defaults_rollup"):
        found = {row.key: row.n for row in project.rows(f"select key, n from {name}")}
        assert found == {"a": 2, "nobody": 1}, name
