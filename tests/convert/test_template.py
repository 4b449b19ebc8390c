"""Jinja of a model: what survives, what is left out, and what is written out as SQL."""

from __future__ import annotations

import pytest

from dbt_event_windows.convert.template import read_template

KEPT = [
    "{{ ref('a') }}", "{{ ref('package', 'a', v=2) }}", "{{ source('x', 'y') }}",
    "{{ var('table') }}", "{{ dbt.current_timestamp() }}", "{{ a ~ b }}",
    "{{ dbt.datediff('a', 'b', 'month') }}", "{{ mine.datediff('a', 'b', 'minute') }}",
    # what these make, their text does not say
    "{{ var('table', ref('a')) }}", "{{ var('kinds', ['a']) }}", "{{ var('gap', 30 + 30) }}",
    "{{ dbt_utils.generate_surrogate_key(fields) }}", "{{ dbt_utils.generate_surrogate_key() }}",
    "{{ dbt_utils.generate_surrogate_key(field_list=['a']) }}",
]  # fmt: skip


def test_a_text_with_the_name_of_what_is_set_survives() -> None:
    template = read_template("{% set a = 1 %}select * from {{ ref('a') }}")
    assert template.restored(template.sql) == "select * from {{ ref('a') }}"


@pytest.mark.parametrize("piece", KEPT)
def test_survives(piece: str) -> None:
    template = read_template(f"select a from {piece} where b = '{piece}'")
    assert "{" not in template.sql
    assert template.restored(template.sql) == f"select a from {piece} where b = '{piece}'"


WRITTEN_OUT = [
    ("{% set gap = 30 %}{{ gap }}", "30"),
    ("{% set unit = 'minute' %}{{ unit }}", "minute"),
    ("{{ var('gap', 30) }}", "30"),
    ("{% set gap = 30 %}{{ var('x', gap) }}", "30"),
    ("{% set a = 'b' %}{{ var('x', 'a') }}", "a"),
    ("'{{ var('a', true) }} {{ var('b', none) }} {{ var('c', -1) }}'", "'True None -1'"),
    # for dbt_utils before 1.0 null was the empty text
    ("{{ dbt_utils.surrogate_key('a', 'b') }}",
     "md5(cast(concat(coalesce(cast(a as string), ''), '-', coalesce(cast(b as string), '')) as "
     "string))"),
    ("{{ dbt.datediff('a', 'b', 'minute') }}",
     "case when a < b then ceil((unix_timestamp(b) - unix_timestamp(a)) / 60) "
     "else floor((unix_timestamp(b) - unix_timestamp(a)) / 60) end"),
    ("{{ dbt.datediff('a', 'b', 'day') }}", "datediff(b, a)"),
    ("{{ dbt.datediff('a', 'b', 'year') }}", "year(b) - year(a)"),
    ("{{ dbt.date_trunc('week', 'a') }}", "date_trunc('week', a)"),
    ("{{ dbt_utils.generate_surrogate_key(['a']) }}",
     "md5(cast(concat(coalesce(cast(a as string), '_dbt_utils_surrogate_key_null_')) as string))"),
    ("a{# {{ not }} this #}b", "ab"),
    ("{% if is_incremental() %}a{% else %}b{% endif %}", "b"),
    ("{% if is_incremental() %}{% if x %}a{% else %}b{% endif %}c{% else %}d{% endif %}", "d"),
    ("{% if is_incremental() %}{% for x in y %}{% set z = x %}{% endfor %}{% endif %}a", "a"),
    ("{%- if not is_incremental() -%}a{%- else -%}b{%- endif -%}", "a"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "sql"), WRITTEN_OUT)
def test_written_out(text: str, sql: str) -> None:
    assert read_template(text).sql == sql


def test_date_trunc_of_bigquery() -> None:
    sql = read_template("{{ dbt.date_trunc('week', 'a') }}", "bigquery").sql
    assert sql == "timestamp_trunc(cast(a as timestamp), week)"


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [("bigquery", "datetime_diff(b, a, minute)"), ("snowflake", "datediff(minute, a, b)")],
)
def test_datediff_of_another_warehouse(dialect: str, sql: str) -> None:
    assert read_template("{{ dbt.datediff('a', 'b', 'minute') }}", dialect).sql == sql


@pytest.mark.parametrize("text", ["{{ a }}1", "b_{{ a }}_2", "`c`.`{{ a }}`", "`{{ a }}_{{ b }}`"])
def test_jinja_within_a_name(text: str) -> None:
    template = read_template(text)
    assert template.restored(template.sql) == text


def test_what_is_left_out_is_noted() -> None:
    text = (
        "select a\n{% if is_incremental() %} where b > (select max(b)\n from {{ this }}){% endif %}"
    )
    template = read_template(text)
    assert template.sql.strip() == "select a"
    (note,) = template.notes
    assert note.endswith("where b > (select max(b) from {{ this }})")


def test_lines_stay_lines() -> None:
    text = (
        "{{ config(\n a=1\n) }}\n{# x\n #}{% if is_incremental() %}\n{{ this }}\n{% endif %}\nhere"
    )
    sql = read_template(text).sql
    assert sql.count("\n", 0, sql.index("here")) == text.count("\n", 0, text.index("here"))


def test_config_as_it_is_written() -> None:
    template = read_template(
        "{{ config(materialized='incremental', tags=['a', 'b'], enabled=true) }}"
    )
    assert template.config == {
        "materialized": "'incremental'",
        "tags": "['a', 'b']",
        "enabled": "true",
    }


def test_config_in_a_dictionary() -> None:
    template = read_template("{{ config({'tags': ['a'], 'schema': 'b'}, alias='c') }}")
    assert template.config == {"tags": "['a']", "schema": "'b'", "alias": "'c'"}


def test_what_takes_spaces_off_leaves_none() -> None:
    """As the SQL around it is written anew, `{{ ref('a') -}}` would take off what parts words."""
    template = read_template("select '{{- x -}} !' from (select * from {{ ref('a') -}}\n)")
    sql = "select '{{ x }}!' from (select * from {{ ref('a') }}\n)"
    assert template.restored(template.sql) == sql


@pytest.mark.parametrize(
    "hook", ['"analyze {{ this }} or %}"', r"'it\'s {{ this }}'", '"it\'s }}"']
)
def test_a_hook_in_the_config_may_hold_jinja(hook: str) -> None:
    template = read_template(f"{{{{ config(post_hook={hook}) }}}}select 1")
    assert (template.config, template.sql) == ({"post_hook": hook}, "select 1")
