"""Settings of the session that make the package's own SQL mean something else: a run says so."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject
from tests.session_models import EVENTS, at, exists, session_model

PLAIN = (
    "{{ config(materialized='windowed', grace='unbounded', arrival_order='arrival_seq') }}\n"
    "select key, count(*) as n from {{ source('raw', 'set_rows') }} "
    "group by key, window(event_time, '10 minutes')"
)
SETTINGS = {
    "spark.sql.parser.escapedStringLiterals": ("true", "false"),
    "spark.sql.timestampType": ("TIMESTAMP_NTZ", "TIMESTAMP_LTZ"),
    "spark.sql.caseSensitive": ("true", "false"),
    "spark.sql.parser.quotedRegexColumnNames": ("true", "false"),
    "spark.sql.legacy.ctePrecedencePolicy": ("LEGACY", "CORRECTED"),
    "spark.sql.legacy.statisticalAggregate": ("true", "false"),
    "spark.sql.legacy.percentileDiscCalculation": ("true", "false"),
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


REDACTED = "spark.sql.redaction.options.regex"


def test_a_record_that_spark_blots_out_is_told_so(project: DbtProject) -> None:
    project.create_source("mails", [("a", at(0), 1, 0)], EVENTS.replace("key", "email"))
    project.model("mailed", session_model("mails", key="email"))
    project.spark.conf.set(REDACTED, "(?i)url|email|phone")
    try:
        for _ in range(2):
            error = project.run("mailed", expect_error=True).error
            assert "records in event_windows.spec: it blots out" in error
            assert f"spark.redaction.regex or {REDACTED}" in error
    finally:
        project.spark.conf.unset(REDACTED)
    project.run("mailed")
    assert [row.n for row in project.rows("select n from mailed")] == [1]


def test_a_pre_hook_leaves_what_the_model_was_read_by(project: DbtProject) -> None:
    """The hooks come after that: what they set would not be what the table records."""
    project.create_source("set_rows", [("a", at(0), 1, 0)], EVENTS)
    models = {
        "hooked_text": (PLAIN, "set spark.sql.session.timeZone = America/New_York"),
        "hooked_call": (session_model("set_rows"), "set spark.sql.timestampType = TIMESTAMP_NTZ"),
        "hooked_rollup": (
            "{{ config(materialized='rollup') }}\n"
            "select date(window_start) as day, sum(n) as n from {{ ref('over_rows') }} group by 1",
            "set spark.sql.session.timeZone = Asia/Tokyo",
        ),
    }
    project.model("over_rows", session_model("set_rows"))
    for name, (text, hook) in models.items():
        project.model(name, f"{{{{ config(pre_hook='{hook}') }}}}\n{text}")
    project.run("over_rows")
    errors = {}
    for name in models:
        try:
            errors[name] = project.run(name, expect_error=True).error
        finally:
            project.spark.conf.set("spark.sql.session.timeZone", "UTC")
            project.spark.conf.set("spark.sql.timestampType", "TIMESTAMP_LTZ")
    assert "the time zone was UTC and is America/New_York" in errors["hooked_text"]
    assert "the time zone was UTC and is Asia/Tokyo" in errors["hooked_rollup"]
    assert "spark.sql.timestampType is TIMESTAMP_NTZ" in errors["hooked_call"]
    assert not [name for name in models if exists(project, name)]
