"""Settings of the session that make the package's own SQL mean something else: a run says so."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject
from tests.session_models import at, exists, session_model

PLAIN = (
    "{{ config(materialized='windowed', grace='unbounded', arrival_order='arrival_seq') }}\n"
    "select key, count(*) as n from {{ source('raw', 'set_rows') }} "
    "group by key, window(event_time, '10 minutes')"
)
SETTINGS = {
    "spark.sql.parser.escapedStringLiterals": ("true", "false"),
    "spark.sql.timestampType": ("TIMESTAMP_NTZ", "TIMESTAMP_LTZ"),
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_setting_is_refused(project: DbtProject, setting: str) -> None:
    columns = "key string, event_time timestamp_ltz, arrival_seq bigint, value bigint"
    project.create_source("set_rows", [("a", at(0), 1, 0)], columns)
    project.model("set_call", session_model("set_rows"))
    project.model("set_text", PLAIN)
    given, default = SETTINGS[setting]
    project.spark.conf.set(setting, given)
    try:
        outcome = project.run("set_call", "set_text", expect_error=True)
    finally:
        project.spark.conf.set(setting, default)
    assert outcome.error.count(f"{setting} is {given}") == 2
    assert not exists(project, "set_call")
    assert not exists(project, "set_text")
