"""macros/formats: both formats behind the whole interface."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from dbt_event_windows.statements import at_last
from tests.harness import REPOSITORY
from tests.macros.rendering import CompilerError, Macros, Relation

MACROS = Macros()
FORMATS: list[str] = MACROS._formats()
INTERFACE = (REPOSITORY / "macros/formats/_format.sql").read_text().partition("#}")[0]
HOOKS = re.findall(r"^    ([a-z_]+)(?:\(.*\))?(?:  +\S|$)", INTERFACE, re.M)
M = Relation("m")


def test_the_interface_has_hooks() -> None:
    assert {"create", "merged", "changes", "type_problem", "functions_problem"} <= set(HOOKS)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_has_every_hook(format: str) -> None:
    hooks = [hook for hook in HOOKS if hook != "hook"]
    assert [hook for hook in hooks if f"_{format}_{hook}" not in MACROS] == []
    text = (REPOSITORY / "docs/adding-a-format.md").read_text()
    assert [hook for hook in hooks if f"`{hook}`" not in text] == []


def test_a_format_without_a_hook_is_named() -> None:
    with pytest.raises(CompilerError, match="format 'hudi' lacks the hook 'merged'"):
        MACROS._of_format("hudi", "merged", M)


@pytest.mark.parametrize("format", FORMATS)
def test_a_table_is_replaced_in_one_statement(format: str) -> None:
    sql = MACROS._of_format(
        format, "create", M, sql="select 1 as a, 2 as b", partition_by="b", properties={"p": "it's"}
    )
    assert sql.strip().startswith("create or replace table s.m\nusing " + format)
    assert "partitioned by (b)" in sql
    assert r"'p' = 'it\'s'" in sql
    assert sql.strip().endswith("as\nselect 1 as a, 2 as b")
    empty = MACROS._of_format(format, "create_if_absent", M, {"a": "int", "b c": "string"})
    assert "create table if not exists s.m (\n    a int, `b c` string\n)" in empty


def test_delta_takes_the_place_of_a_table_whose_making_was_killed() -> None:
    empty = MACROS._of_format("delta", "create_if_absent", M, {"a": "int", "b c": "string"})
    sql = at_last(f"/* event_windows m ledger */\n{empty.strip()}")
    assert sql.startswith("/* event_windows m ledger */\ncreate or replace table s.m\nusing delta")
    assert sql.endswith("cast(null as int) as a,\n    cast(null as string) as `b c`\nwhere false")


def test_delta_tables_take_more_than_new_rows_whatever_the_session_gives_new_tables() -> None:
    for made in (
        MACROS._of_format("delta", "create", M, sql="select 1 as a"),
        *MACROS._of_format("delta", "create_if_absent", M, {"a": "int"}).split("at last"),
    ):
        assert "'delta.appendOnly' = 'false'" in made
    asked = ("delta", "commit_problem", M)
    for properties in ({}, {"delta.appendOnly": "false"}):
        assert MACROS._of_format(*asked, properties) in (None, "None")
    assert MACROS._of_format(*asked, {"delta.appendOnly": "true"}) == (
        "the table s.m has delta.appendOnly true, by which no MERGE can change its rows: "
        "alter table s.m set tblproperties ('delta.appendOnly' = 'false')"
    )


def test_a_default_of_a_source_column_does_not_come_along_to_a_delta_table() -> None:
    """What a column of a UNION is its first branch says, which is of expressions alone."""

    def answer(sql: str) -> Any:
        return [{"col_name": "k", "data_type": "string"}, {"col_name": "n", "data_type": "bigint"}]

    select = "with a as (select k, 1L as n from s) select k, n from a"
    sql = Macros(answer=answer, execute=True)._of_format("delta", "create", M, sql=select)
    assert sql.strip().endswith(
        "as\nselect\n    cast(null as string) as k,\n    cast(null as bigint) as n\nwhere false\n"
        f"union all\n(\n{select}\n)"
    )


@pytest.mark.parametrize(
    ("versions", "asked"),
    [((3, 4), "3, 4"), ((3, None), "3"), ((8, None), "7"), ((8, 9), "7")],
)
def test_delta_is_asked_for_changes_by_path(versions: tuple[int, int | None], asked: str) -> None:
    """Of two tables or ranges under one name in a statement Spark knows one."""

    def answer(sql: str) -> Any:
        return [{"version": 7}] if sql.startswith("describe history") else [{"location": "/w/m"}]

    sql = Macros(answer=answer)._delta_changes(M, {"k": "int", "n": "int"}, ["k"], *versions)
    [(path, given)] = re.findall(r"from table_changes_by_path\('(.*?)', (.*?)\)", sql)
    assert (path, given) == ("/w/m", asked)
    assert "s.m" not in sql
    assert ("where false" in sql) == (versions[0] == 8)


def test_one_merge_inserts_updates_and_deletes() -> None:
    sql = MACROS._merge_into(M, "select 1", "a = b", ["a", "b"])
    clauses = re.findall(r"when .*", sql)
    assert clauses == [
        "when matched and change._ew_place > 0 then delete",
        "when matched then update set",
        "when not matched and change._ew_place = 0 then insert (a, b)",
    ]


def test_names_that_no_table_can_hold() -> None:
    assert MACROS._of_format("delta", "name_problem", "a`b") == "a backtick"
    assert MACROS._of_format("iceberg", "name_problem", "a`b (c)") is None
    refused = {" ": "a space", "\n": "a line break", "\t": "a tab"}
    refused |= {letter: f"'{letter}'" for letter in ",;{}()="}
    for letter, told in refused.items():
        assert MACROS._of_format("delta", "name_problem", f"a{letter}b") == told
    assert MACROS._of_format("delta", "name_problem", "a.b:c-d'e\"f<g>h/i\\j%k") is None
    of_changes = ["delta", "name_problem", "_Commit_version"]
    assert "change data" in MACROS._of_format(*of_changes, True)
    assert MACROS._of_format(*of_changes, False) is None


@pytest.mark.parametrize(
    ("type", "problem"),
    [
        ("struct<`page views`:int>", "a field 'page views', with a space in its name"),
        (
            "struct<a:decimal(10,2),m:map<string,int>,b c:int>",
            "a field 'b c', with a space in its name",
        ),
        ("map<string,struct<a:int,p,q:int>>", "a field 'p,q', with ',' in its name"),
        ("array<struct<max(x):int>>", "a field 'max(x)', with '(' in its name"),
        ("struct<a:decimal(10, 2),b:map<string,interval day to second>,`c-d`:char(3)>", "interval"),
        ("struct<a:decimal(10, 2),b:map<string,array<int>>,`c-d`:varchar(3)>", None),
        ("decimal(10,2)", None),
    ],
)
def test_names_of_fields_that_no_table_can_hold(type: str, problem: str | None) -> None:
    assert MACROS._of_format("delta", "type_problem", type) == problem


@pytest.mark.parametrize(
    ("type", "delta", "iceberg"),
    [
        ("bigint", None, None),
        ("struct<time:timestamp,variant:int>", None, None),
        ("variant", None, "variant"),
        ("array<struct<at:timestamp,a0:variant>>", None, "variant"),
        ("interval day to second", "interval", "interval"),
        ("map<string,interval month>", "interval", "interval"),
        ("time(6)", "time", "time"),
        ("void", None, "void"),
        ("array<void>", "void", "void"),
        ("string collate UNICODE_CI", "string collate", None),
    ],
)
def test_types_that_no_table_can_hold(type: str, delta: str | None, iceberg: str | None) -> None:
    assert MACROS._of_format("delta", "type_problem", type) == delta
    assert MACROS._of_format("iceberg", "type_problem", type) == iceberg


@pytest.mark.parametrize(
    "value",
    [
        {"url": "a", "token": True, "k": None, "R": [1, "κ", "password\\u0072"]},
        {"secret_key": 'a "quoted" \\ back\nslash'},
    ],
)
def test_properties_come_back_though_spark_blots_out_secrets(value: dict[str, Any]) -> None:
    text = MACROS._unredacted_json(value)
    assert json.loads(text) == value
    blotted = "(?i)url|secret|password|token|access[.]?key"
    assert not re.search(blotted, text)


def test_properties_of_a_table() -> None:
    macros = Macros(answer=lambda sql: [{"key": "a", "value": "1"}, {"key": "b", "value": "2"}])
    assert macros._properties(M) == {"a": "1", "b": "2"}
    assert macros.asked == ["show tblproperties s.m"]


def written(value: Any) -> dict[str, str]:
    """The properties in which a table records it."""
    pairs = MACROS._property_list({"event_windows.spec": value})
    return dict(re.findall(r"'([^']+)' = '([^']*)'", pairs))


@pytest.mark.parametrize("length", [100, 32_000, 32_001, 64_000, 100_000])
def test_a_long_property_is_kept_in_parts(length: int) -> None:
    """A Hive metastore holds 32,672 characters of one."""
    value = ["x" * (length - 4)]
    stored = written(value)
    assert all(len(text) < 32_672 for text in stored.values())
    assert len(stored) == -(-length // 32_000)
    # of a longer value that was there before
    stored |= {f"event_windows.spec.{place}": "y" for place in range(len(stored), 9)}
    rows = [{"key": name, "value": text} for name, text in stored.items()]
    found = Macros(answer=lambda sql: rows)._properties(M)
    assert {name: json.loads(text) for name, text in found.items()} == {"event_windows.spec": value}


def test_of_one_snapshot_of_iceberg_no_rows_have_moved() -> None:
    """Of which Iceberg has no changelog: another format version alone is a version of its own."""
    sql = MACROS._iceberg_moved_rows(M, {"key": "int"}, "5", "5/2")
    assert "s.m" not in sql
    assert re.findall(r"null as (\w+)\) as (\w+)", sql) == [
        *[("int", "key"), ("int", "_ew_sign"), ("bigint", "_ew_commit")]
    ]
    assert sql.endswith("where false")


@pytest.mark.parametrize(
    ("format", "session", "problem"),
    [
        ("delta", {"spark.sql.parquet.outputTimestampType": "timestamp_millis"}, "microseconds"),
        ("delta", {"spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS"}, None),
        ("iceberg", {"spark.sql.parquet.outputTimestampType": "TIMESTAMP_MILLIS"}, None),
        ("iceberg", {"wap.enabled": "TRUE", "spark.wap.id": "7"}, "spark.wap.id is set"),
        ("iceberg", {"wap.enabled": "false", "spark.wap.id": "7"}, None),
        ("iceberg", {"wap.enabled": "true"}, None),
        ("iceberg", {"spark.wap.branch": "audit"}, None),
    ],
)
def test_a_session_in_which_nothing_is_to_be_written(
    format: str, session: dict[str, str], problem: str | None
) -> None:
    forced = "spark.sql.catalog.lake.table-override.write.wap.enabled"
    settings = {key.replace("wap.enabled", forced): value for key, value in session.items()}
    told = MACROS._of_format(format, "session_problem", settings, "lake")
    assert (problem in told) if problem else told is None
