"""Names that a table of one format holds, and one of the other refuses: told before it is made."""

from __future__ import annotations

from tests.harness import FILE_FORMAT, DbtProject, recorded
from tests.session_models import EVENTS, events, session_model, windowed

CONFIG = (
    "{{ config(materialized='windowed', emit='final', grace='1 hour', "
    "arrival_order='arrival_seq') }}"
)
RELATION = (
    'select key as `user id`, named_struct("a b", value) as given, event_time as `event time`, '
    "arrival_seq as `the seq` from "
)
MODELS = {
    "call": "{{ config(materialized='windowed') }}"
    + windowed(
        f"'({RELATION}' ~ source('raw', 'rows') ~ ')'",
        key="user id",
        event_time="event time",
        arrival_order="the seq",
        aggregates={"n (all)": "count(*)", "last": "max_by(given, `the seq`)"},
    ),
    "text": CONFIG
    + "select key, window.start, count(*), max(value) from {{ source('raw', 'rows') }} "
    "group by key, window(event_time, '1 hour')",
    "rollup": "{{ config(materialized='rollup') }}"
    "select to_date(window_start), count(*), named_struct('a b', max(n)) as most "
    "from {{ ref('good') }} group by 1",
}
REFUSED = {
    "call": [
        "column 'user id' has a space in its name, which no table in delta can hold",
        "column 'event time' has a space",
        "column 'the seq' has a space",
        "column 'n (all)' has a space",
        "keeps a field 'a b', with a space in its name (struct<`a b`:bigint>)",
    ],
    "text": ["column 'count(1)' has '(' in its name", "column 'max(value)' has '(' in its name"],
    "rollup": [
        "column 'to_date(window_start)' has '(' in its name",
        "column 'count(1)' has '(' in its name",
        "column 'most' is of type struct<`a b`:bigint> (a field 'a b', with a space in its name)",
    ],
}


def test_names_with_blanks_and_brackets(project: DbtProject) -> None:
    project.create_source("rows", events([("a", 0), ("a", 5000), ("a", 1), ("b", 3)]), EVENTS)
    project.model("good", session_model("rows"))
    project.run("good")
    for name, text in MODELS.items():
        project.model(name, text)
    refused = FILE_FORMAT == "delta"
    with recorded() as sent:
        outcome = project.run(*MODELS, expect_error=refused)
    if not refused:
        project.append("rows", events([("a", 6000), ("a", 2)], 4))
        project.run("good", *MODELS)
        assert project.rows("select sum(`count(1)`) as n from rollup")[0].n == 4
        dropped = "select `user id`, `event time`, `the seq` from call__dropped order by 3"
        assert [row["the seq"] for row in project.rows(dropped)] == [2, 5]
        return
    said = {result.node.name: result.message for result in outcome.results}
    for name, sentences in REFUSED.items():
        assert [one for one in sentences if one not in said[name]] == [], said[name]
    assert sent.writes == []


def test_a_text_that_is_longer_than_a_property_of_a_metastore(project: DbtProject) -> None:
    """A Hive metastore holds 32,672 characters of one, and a text is recorded as it is."""
    text = MODELS["text"].replace("emit='final', ", "").replace("max(value)", "max(value) as most")
    text = text.replace("key, window.start, count(*)", f"key /* {'a b ' * 9000} */, count(*) as n")
    over = "select key, sum(n) as n from {{ ref('long') }} group by key"
    project.create_source("rows", events([("a", 0), ("a", 5), ("b", 3)]), EVENTS)
    project.model("long", text)
    project.model("over_long", "{{ config(materialized='rollup') }}" + over)
    project.run("long", "over_long")
    kept = {row.key for row in project.rows("show tblproperties long__state")}
    assert {"event_windows.shown", "event_windows.shown.1"} <= kept
    project.append("rows", events([("a", 7), ("b", 9000)], 3))
    for _ in range(2):
        project.run("long", "over_long")
        assert project.rows("select key, n from over_long order by key") == [("a", 3), ("b", 2)]
