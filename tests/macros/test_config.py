"""macros/config: arguments and config as one spec, and every problem in one message."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from dbt_event_windows.plain_sql import functions
from tests.macros.rendering import CompilerError, Macros, Model, Relation
from tests.macros.scripted import (
    CALL,
    COLUMNS,
    HOME,
    SETTINGS,
    SOURCE,
    TYPES,
    Script,
    rendered,
    spec_of,
)

HOUR = 3_600_000_000
DAY = 24 * HOUR
VAR = "event_windows__replay"


def message(config: dict[str, Any] | None = None, kind: str = "session", **call: Any) -> str:
    with pytest.raises(CompilerError) as raised:
        spec_of(rendered(config=config), kind, **call)
    return str(raised.value)


def test_the_spec_has_what_the_steps_read() -> None:
    spec = spec_of(rendered())
    assert (spec["relation"], spec["key"], spec["arrival"]) == (
        "s.views",
        ["user_id"],
        "arrival_seq",
    )
    assert (spec["columns"], spec["source"]["format"]) == (COLUMNS, "iceberg")
    assert (spec["emit"], spec["expire"], spec["file_format"]) == ("updates", "keep", "iceberg")
    assert (spec["retention"], spec["leaves_after"], spec["segment"]) == (None, None, DAY)
    types = {part["column"]: part["type"] for a in spec["aggregates"] for part in a["parts"]}
    assert types["revenue"] == "decimal(20,2)"


def test_all_problems_make_one_message() -> None:
    said = message(
        {"emit": "sometimes", "segments": 1},
        key=[],
        event_time=None,
        aggregates={"x": "sum("},
        stream_time="mine",
    )
    assert said.startswith("event_windows: windowed(...) in model 'm' cannot be used as written")
    for what in ["key is missing", "event_time is missing", "a '(' is not closed"]:
        assert what in said
    for what in ["stream_time is 'mine'", "emit is 'sometimes'", "segments is '1'"]:
        assert what in said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"key": "nobody"}, "key column 'nobody' does not exist: allowed are user_id, viewed_at"),
        ({"event_time": "page"}, "event_time column 'page' is of type string"),
        ({"arrival_order": "page"}, "arrival_order column 'page' is of type string"),
        ({"partition": "shard", "arrival_order": None}, "but there is no arrival_order"),
        ({"stream_time": "partition"}, "there is no partition"),
        ({"stream_time": "global", "partition": "shard"}, "give stream_time 'partition' or 'key'"),
        ({"aggregates": {"user_id": "count(*)"}}, "clashes with a key column"),
        ({"aggregates": {"_ew_n": "count(*)"}}, "begins with '_ew_'"),
        ({"key": ["page", "_ew_time"]}, "column '_ew_time' begins with '_ew_'"),
        ({"event_time": "_EW_first"}, "(select *, _EW_first as first from ...)"),
        ({"arrival_order": "_ew_refresh"}, "_ew_refresh as refresh from"),
        ({"partition": "_ew_"}, "column '_ew_' begins with '_ew_'"),
        ({"aggregates": {"x": "sum(nothing)"}}, "column 'nothing' does not exist"),
        ({"window": {"size": 1}}, "give what a window constructor returns"),
    ],
)
def test_a_problem_of_the_call(call: dict[str, Any], said: str) -> None:
    assert said in message(**call)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("source_change", "source_changes"),
        ("sourceChanges", "source_changes"),
        ("source-changes", "source_changes"),
        ("retension", "retention"),
        ("retetnion", "retention"),
        ("segment_intervall", "segment_interval"),
        ("skiped_rows", "skipped_rows"),
        ("emits", "emit"),
    ],
)
def test_a_misspelt_setting(name: str, meant: str) -> None:
    assert f"config has '{name}', which is no setting: is {meant} meant?" in message({name: "x"})


def test_below_meta_a_misspelt_setting_is_told() -> None:
    macros = rendered(config={"meta": {"segment": "b2b", "owner": "me"}})
    spec_of(macros)
    assert [said for said in macros.logged if "meta of model 'm' has 'segment'" in said]


def test_names_of_others_are_no_misspelt_settings() -> None:
    others = "partition_by clustered_by grants tags alias schema meta group access format expected"
    spec_of(rendered(config={name: {} for name in others.split()}))


@pytest.mark.parametrize("materialized", ["windowed", "rollup"])
def test_options_of_other_tables_are_told(materialized: str) -> None:
    others = {"partition_by": "day", "unique_key": "user_id", "tblproperties": {}}
    more = {"materialized": materialized, "on_schema_change": "fail", "sql_header": "set x = 1"}
    macros = rendered(config=others | more)
    macros._tell_not_taken()
    [said] = macros.logged
    assert "does not take partition_by, unique_key, sql_header, on_schema_change: " in said


@pytest.mark.parametrize("materialized", ["windowed", "rollup"])
@pytest.mark.parametrize("enforced", [True, False])
@pytest.mark.parametrize("of_a_column", [True, False])
def test_constraints_of_a_contract_are_told(
    materialized: str, enforced: bool, of_a_column: bool
) -> None:
    """Of a model without a contract dbt takes none in any table."""
    constraints = {"constraints": [{"type": "not_null", "columns": ["user_id"]}]}
    contract = {"contract": {"enforced": enforced}, "on_schema_change": "ignore"}
    model = Model(
        config={"materialized": materialized} | contract,
        columns={"user_id": constraints if of_a_column else {"constraints": []}},
        constraints=[] if of_a_column else constraints["constraints"],
    )
    macros = rendered(config={"materialized": materialized}, model=model)
    macros._tell_not_taken()
    told = [said for said in macros.logged if "does not take constraints: " in said]
    assert len(told) == enforced


@pytest.mark.parametrize("materialized", ["windowed", "rollup"])
def test_a_sample_is_refused_whatever_the_model_reads(materialized: str) -> None:
    """What is sampled may be below a view that it reads."""
    sampled = {"sample": "1 day"}
    macros = rendered(config={"materialized": materialized}, sql="", invocation_args_dict=sampled)
    with pytest.raises(CompilerError, match="run it without --sample"):
        macros[f"materialization_{materialized}"]()


@pytest.mark.parametrize(
    "said",
    [
        "{{ config(emit='final', meta={'max_ahead': '1 hour'}, arrived_at='viewed_at') }}",
        "{%- do config({'emit': 'final', 'max_ahead': '1 hour', 'arrived_at': 'viewed_at'}) %}",
    ],
)
def test_a_unit_test_has_the_settings_in_the_text_of_its_model(said: str) -> None:
    text = said + "{{ event_windows._setting('emit') }}"
    model = Model(name="t", resource_type="unit_test", raw_code=text)
    macros = rendered(model=model, render=lambda text: macros.render(text))
    spec = spec_of(macros)
    assert (spec["emit"], spec["max_ahead"], spec["arrived_at"]) == ("final", HOUR, "viewed_at")


def test_options_of_a_table_of_dbt_are_its_own() -> None:
    macros = rendered(config={"materialized": "table", "partition_by": "day"})
    macros._tell_not_taken()
    assert not macros.logged


@pytest.mark.parametrize("where", ["command", "project", "below the package"])
def test_a_misspelt_var(where: str) -> None:
    given = {"event_windows__rebuld": "true", "mine": 1, "event_windows__views": True}
    macros = rendered(invocation_args_dict={"vars": given} if where == "command" else {})
    if where != "command":
        below = {"event_windows": given} if where != "project" else {}
        macros.adapter.config.vars.vars = below or given
    with pytest.raises(CompilerError) as raised:
        spec_of(macros)
    assert "var 'event_windows__rebuld' is none of the package" in str(raised.value)


def test_vars_below_the_name_of_the_package() -> None:
    """As those of other packages are given; the command line goes before them."""
    name = "event_windows__max_rows_per_refresh"
    for by_command, expected in [({}, 5), ({name: 7}, 7)]:
        macros = rendered(vars={name: 3} | by_command, invocation_args_dict={"vars": by_command})
        assert macros._count_var("max_rows_per_refresh") == (7 if by_command else 3)
        macros.adapter.config.vars.vars = {"event_windows": {name: 5}}
        assert macros._count_var("max_rows_per_refresh") == expected


@pytest.mark.parametrize(
    "type",
    ["map<string,int>", "struct<a:variant>", "interval day", "time", "array<double>"],
)
def test_types_that_no_key_can_have(type: str) -> None:
    columns = COLUMNS | {"user_id": type}
    with pytest.raises(CompilerError, match="key column 'user_id' is of type"):
        spec_of(rendered(Script(columns=columns)))


def test_a_field_of_a_key_may_bear_the_name_of_a_type() -> None:
    columns = COLUMNS | {"user_id": "struct<time:timestamp,interval:int>"}
    assert spec_of(rendered(Script(columns=columns)))["columns"] == columns


@pytest.mark.parametrize(
    ("config", "kept"),
    [
        ({}, (None, None, DAY)),
        ({"retention": "3 days"}, (3 * DAY, None, DAY + DAY // 2)),
        ({"retention": "3 days", "expire": "delete"}, (3 * DAY, 3 * DAY, DAY + DAY // 2)),
        # sessions with a gap of 30 minutes and a day of grace
        ({"emit": "final"}, (DAY + HOUR // 2, DAY + HOUR // 2, DAY)),
        ({"emit": "final", "retention": "5 days"}, (DAY + HOUR // 2, 5 * DAY, 5 * DAY // 2)),
        ({"segment_interval": "2 hours"}, (None, None, 2 * HOUR)),
        (
            {"retention": "3 days", "segments": 13, "segment_interval": "1 hour"},
            (3 * DAY, None, 6 * HOUR),
        ),
    ],
)
def test_when_windows_leave(config: dict[str, Any], kept: tuple[int | None, ...]) -> None:
    spec = spec_of(rendered(config=config))
    assert (spec["retention"], spec["leaves_after"], spec["segment"]) == kept


@pytest.mark.parametrize(
    ("config", "window", "said"),
    [
        ({"retention": "1 day"}, "session", "retention is '1 day', which is too short"),
        ({"retention": "1 day"}, "session", "difference, 1 day 30 minutes"),
        ({"expire": "delete"}, "session", "nothing would ever expire"),
        ({"partition": "shard"}, "session", "partition is 'shard' in the config, which says it of"),
        ({"stream_time": "global"}, "session", "plain SQL alone: give it to windowed(...)"),
        ({"expire": "delete", "emit": "final"}, "session", "which only ever adds rows"),
        ({"emit": "final"}, "session_gap_by", "emit is 'final', and"),
        ({"file_format": "parquet"}, "session", "file_format is 'parquet': allowed are delta"),
        ({"emit": False}, "session", "emit is 'False': allowed are updates, final"),
        ({"meta": {"expire": False}}, "session", "expire is 'False': allowed are keep, delete"),
        ({"source_changes": False}, "session", "source_changes is 'False': allowed are ignore"),
        ({"max_ahead": "1 day"}, "session", "arrived_at is missing"),
        (
            {"replay": "java"},
            "session",
            "'java': allowed are python, sql, in the config or in the var",
        ),
    ],
)
def test_settings_that_cannot_be_kept(config: dict[str, Any], window: str, said: str) -> None:
    assert said in message(config, window)


def test_a_format_that_is_none_is_one_to_nobody() -> None:
    """A rollup has the settings of windowed models."""
    macros = rendered(config={"file_format": None}, vars={"event_windows__file_format": ""})
    with pytest.raises(CompilerError, match="file_format is ''"):
        macros._rollup_format()


@pytest.mark.parametrize("materialized", ["table", "view", "ephemeral", "incremental", "snapshot"])
def test_the_format_of_another_table_is_that_of_dbt(materialized: str) -> None:
    """It may be said of a whole project."""
    config = {"materialized": materialized, "file_format": "parquet"}
    assert spec_of(rendered(config=config))["file_format"] == "delta"


@pytest.mark.parametrize("stream_time", ["key", "partition"])
@pytest.mark.parametrize("config", [{"emit": "final"}, {"expire": "delete", "retention": "3 days"}])
def test_one_clock_closes_what_is_final(config: dict[str, Any], stream_time: str) -> None:
    said = message(config, partition="shard", stream_time=stream_time)
    assert "partition 'shard' is no key column" in said
    assert "add the partition to key" in said
    call = {"key": ["user_id", "shard"], "partition": "shard", "stream_time": stream_time}
    assert spec_of(rendered(config=config), **call)["partition"] == "shard"


def test_a_window_leaves_the_state_by_one_clock() -> None:
    """Rows of windows at fixed places find theirs by their own clock, whatever has left."""
    config = {"retention": "3 days"}
    said = message(config, partition="shard")
    assert "retention is '3 days' and partition 'shard' is no key column" in said
    assert "no single clock says when it leaves the state" in said
    for window in ("tumbling", "hopping", "cumulating"):
        assert spec_of(rendered(config=config), window, partition="shard")["retention"]


@pytest.mark.parametrize("window", ["session", "sliding"])
def test_a_window_of_one_partition_keeps_which(window: str) -> None:
    of_one = spec_of(rendered(), window, partition="shard")
    columns = [part["column"] for part in of_one["partition_parts"]]
    assert columns == ["_ew_partition_min", "_ew_partition_max"]
    for apart in ({"key": ["user_id", "Shard"], "partition": "shard"}, {}):
        assert spec_of(rendered(), window, **apart)["partition_parts"] == []


def test_names_of_columns_are_compared_without_case() -> None:
    call = {"key": ["user_id", "Shard"], "partition": "shard", "stream_time": "partition"}
    macros = rendered(config={"emit": "final"})
    spec = spec_of(macros, **call)
    assert macros._slice_scope(spec) == ["user_id", "Shard"]
    assert list(macros._dropped_columns(spec))[:4] == [
        "user_id",
        "Shard",
        "viewed_at",
        "arrival_seq",
    ]


@pytest.mark.parametrize(
    ("sql", "column"),
    [
        ("sum(amount * qyt)", "qyt"),
        ("count(*) filter (where paje = 'x')", "paje"),
        ("max(`no such`)", "no such"),
        ("sum(t.amount)", "t"),
        ("median(amount) + percentile_cont(0.5) within group (order by idle)", "idle"),
    ],
)
def test_a_column_within_an_aggregate_that_is_not_there(sql: str, column: str) -> None:
    said = message(aggregates={"n": sql})
    assert f"aggregate 'n' is \"{sql}\": column '{column}' does not exist: allowed are" in said


@pytest.mark.parametrize(
    "sql",
    [
        "sum(tools.doubled(amount))",
        "sum(`tools`.`doubled` (amount))",
        "max(cast(page as timestamp without time zone))",
        "max(extract(`day` from viewed_at))",
    ],
)
def test_what_is_no_column_within_an_aggregate(sql: str) -> None:
    macros = rendered()
    assert {"tools", "without", "day"}.isdisjoint(macros._named_columns(sql))


def test_what_no_table_of_the_format_can_hold() -> None:
    variant = {"v": "array<struct<at:struct<time:timestamp>,a0:variant>>"}

    def answer(sql: str) -> Any:
        if sql.startswith("describe query select ") and " as value_" in sql:
            return [{"data_type": variant["v"]}] * sql.count(" as value_")
        return Script()(sql)

    call = {"aggregates": {"kept": "schema_of_variant_agg(page)"}}
    with pytest.raises(CompilerError) as raised:
        spec_of(rendered(answer=answer), **call)
    assert "keeps variant (array<struct<" in str(raised.value)
    assert "no table in iceberg can hold that" in str(raised.value)
    assert str(raised.value).endswith("or give file_format delta")
    spec_of(rendered(answer=answer, config={"file_format": "delta"}), **call)
    spec_of(rendered(answer=answer, config={"materialized": "table"}), **call)


@pytest.mark.parametrize(
    "call",
    [
        {"key": "a b"},
        {"event_time": "a b"},
        {"arrival_order": "a b"},
        {"partition": "a b"},
        {"aggregates": {"a b": "count(*)"}},
    ],
)
def test_every_name_of_the_tables_is_one_that_the_format_can_hold(call: dict[str, Any]) -> None:
    type_ = {"event_time": "timestamp", "arrival_order": "bigint"}.get(next(iter(call)), "int")
    columns = Script(columns=COLUMNS | {"a b": type_})
    call = {"aggregates": {"n": "count(*)"}} | call
    with pytest.raises(CompilerError) as raised:
        spec_of(rendered(columns, config={"file_format": "delta"}), **call)
    said = "column 'a b' has a space in its name, which no table in delta can hold: give it another"
    assert str(raised.value).count(said) == 1
    spec_of(rendered(columns), **call)
    # nothing is stored
    spec_of(rendered(columns, config={"file_format": "delta", "materialized": "table"}), **call)


def test_columns_of_change_data_may_be_read_and_not_be_shown() -> None:
    columns = COLUMNS | {"_commit_version": "bigint", "_commit_timestamp": "timestamp"}
    delta = rendered(Script(columns=columns), config={"file_format": "delta"})
    call = {"arrival_order": "_commit_version", "event_time": "_commit_timestamp"}
    spec_of(delta, aggregates={"n": "count(*)"}, **call)
    with pytest.raises(CompilerError, match="'_change_type' has the name of a column of Delta's"):
        spec_of(delta, aggregates={"_change_type": "count(*)"}, **call)


def test_fields_of_a_key_are_named_as_the_format_can_hold_them() -> None:
    columns = Script(columns=COLUMNS | {"user_id": "struct<a b:int>"})
    with pytest.raises(CompilerError) as raised:
        spec_of(rendered(columns, config={"file_format": "delta"}))
    assert (
        "key column 'user_id' is of type struct<`a b`:int> (a field 'a b', with a space in its "
        "name), which no table in delta can hold: cast it in the relation"
    ) in str(raised.value)
    spec_of(rendered(columns))


@pytest.mark.parametrize("field", ["a, b", "a(b", "a;(b)", "a:b", "a<b"])
def test_a_field_whose_name_has_no_end_is_told(field: str) -> None:
    type_ = f"struct<{field}:int,c:decimal(9,2)>"
    assert "key column 'user_id' has a field with a comma, a colon" in of_columns(user_id=type_)

    def answer(sql: str) -> Any:
        if sql.startswith("describe query select ") and " as value_" in sql:
            return [{"data_type": type_}] * sql.count(" as value_")
        return Script()(sql)

    with pytest.raises(CompilerError, match=r"aggregate .kept. is .*: it has a field"):
        spec_of(rendered(answer=answer), aggregates={"kept": "max(page)"})


@pytest.mark.parametrize("type_", ["struct<a b:int,größe:array<decimal(9,2)>,c:struct<d:int>>",
                                   "array<struct<a.b:map<string,int>>>", "struct<>", "char(3)",
                                   "map<string,interval day to second>"])  # fmt: skip
def test_types_that_can_be_written(type_: str) -> None:
    macros = rendered()
    assert macros._can_be_written(macros._written_type(type_))


def test_while_dbt_parses_nothing_is_asked() -> None:
    macros = rendered(execute=False)
    spec = spec_of(macros)
    assert macros.asked == []
    assert (spec["columns"], spec["source"]) == ({}, None)


def test_the_spec_travels_in_a_comment() -> None:
    macros = rendered()
    sql = macros.windowed(
        relation=SOURCE,
        key="user_id",
        event_time="viewed_at",
        window=macros.session(gap="1 hour", grace="1 day"),
        aggregates={"n": "count(*) filter (where page <> '*/')"},
        arrival_order="arrival_seq",
    )
    assert sql.startswith("/* event_windows */\nwith")
    spec = macros._spec_of(sql)
    assert spec["aggregates"][0]["sql"] == "count(*) filter (where page <> '*/')"
    comments = ["\n/* that */ -- is\n/* {all} */\n", "/* event_windows x */"]
    for comment in ["-- a\n", "\n-- that is all", *comments]:
        assert macros._spec_of(f"-- this\n{sql}{comment}") == spec
    for after in ["\nwhere true", " where true /* {a} */", "; select 1"]:
        with pytest.raises(CompilerError, match="is one call of event_windows"):
            macros._spec_of(sql + after)
    for after in [";", "\n; -- end"]:
        with pytest.raises(CompilerError, match="a ';' stands after the call"):
            macros._spec_of(sql + after)


MONEY = COLUMNS | {"viewed_at": "timestamp_ntz"}

ONCE = {"aggregates": {"once": "sum(distinct amount)"}}


def windows_sql(macros: Macros, relation: Any = SOURCE) -> str:
    """A call without clocks, as dbt has it in a model."""
    window = macros.tumbling(size="1 hour", grace="unbounded")
    call = {"relation": relation, "key": "user_id", "event_time": "viewed_at", "window": window}
    return str(macros.windowed(**call, **ONCE))


def test_a_contract_is_compared_with_the_types_of_the_run() -> None:
    compared: list[str] = []
    cte = Relation("__dbt__cte__views", is_cte=True)
    ctes = Model(extra_ctes=[{"sql": "__dbt__cte__views as (select 1)"}])

    def answer(sql: str) -> Any:
        asked = re.findall(r" as value_\d+", sql)
        return [{"data_type": "decimal(20,2)"}] * len(asked) or Script(columns=MONEY)(sql)

    options = {"get_assert_columns_equivalent": compared.append, "model": ctes}
    config = {"contract": SimpleNamespace(enforced=True)}
    macros = rendered(answer=answer, config=config, **options)
    spec = macros._spec_of(windows_sql(macros, cte))
    assert spec["columns"] == {}
    macros._check_can_be_windowed(spec | {"arrival": "arrival_seq", "home": HOME})
    [sql] = compared
    assert "raise_error" not in sql
    assert "timestamp_ntz '1970-01-01" in sql
    assert "decimal(20,2)" in sql


SELECT = "(select * from s.views)"
GONE = "(select * from s.gone)"


@pytest.mark.parametrize(
    ("materialized", "relation"),
    [
        ("table", SOURCE),
        ("view", SOURCE),
        ("windowed", SOURCE),
        ("windowed", SELECT),
        (None, SOURCE),
        (None, SELECT),
    ],
)
def test_dbt_compile_asks_what_is_there(materialized: str | None, relation: Any) -> None:
    config = {"materialized": materialized}
    macros = rendered(Script(columns=MONEY), config=config, which="compile")
    sql = windows_sql(macros, relation)
    assert "timestamp_ntz '1970-01-01" in sql
    # Spark's own function over all values, and not a sum as a double
    assert "double" not in sql
    assert "raise_error" not in sql
    assert [one for one in macros.asked if one.startswith("describe")] == [
        f"describe query select * from {relation}"
    ]


@pytest.mark.parametrize(
    ("relation", "flags"),
    [
        (GONE, {}),
        (SELECT, {"INTROSPECT": False}),
        (Relation("nobody"), {}),
        (SOURCE, {"INTROSPECT": False}),
        (SOURCE, {"WHICH": "generate"}),
    ],
)
def test_what_is_compiled_without_types_says_so(relation: Any, flags: dict[str, Any]) -> None:
    known = SimpleNamespace(**{"WHICH": "compile", "FULL_REFRESH": False} | flags)
    macros = rendered(config={"materialized": "table"}, flags=known, answer=nothing_is_there)
    sql = windows_sql(macros, relation)
    assert "the event time must be a TIMESTAMP, or a TIMESTAMP_NTZ of tables and views that" in sql
    assert "double" not in sql
    assert macros.asked == ([] if flags or relation != GONE else [f"explain select * from {GONE}"])


@pytest.mark.parametrize("materialized", ["windowed", "table"])
@pytest.mark.parametrize("which", ["show", "compile"])
def test_what_is_shown_over_an_ephemeral_model_is_of_any_type(
    materialized: str, which: str
) -> None:
    """No run comes after it that would ask for the types."""
    macros = rendered(config={"materialized": materialized}, which=which)
    sql = windows_sql(macros, Relation("__dbt__cte__views", is_cte=True))
    assert "the event time must be a TIMESTAMP" in sql
    assert "double" not in sql


@pytest.mark.parametrize(
    ("materialized", "which", "relation"),
    [
        ("windowed", "show", SOURCE),
        ("windowed", "show", Relation("__dbt__cte__views", is_cte=True)),
        ("table", "run", Relation("__dbt__cte__views", is_cte=True)),
    ],
)
def test_a_query_from_scratch_asks_for_its_functions(
    materialized: str, which: str, relation: Any
) -> None:
    script = Script(functions=["event_windows_plan"])
    macros = rendered(script, config={"materialized": materialized}, which=which)
    window = macros.session(gap="1 hour", grace="1 day")
    with pytest.raises(CompilerError, match=r"\(event_windows_replay_sessions\), which this Spark"):
        macros.windowed(**CALL | {"relation": relation, "window": window})


@pytest.mark.parametrize(
    ("config", "which"),
    [
        ({"materialized": "table"}, "run"),
        ({"materialized": "view"}, "run"),
        ({"materialized": "windowed"}, "show"),
        ({}, "show"),
    ],
)
def test_a_query_from_scratch_refuses_what_a_run_refuses_of_the_session(
    config: dict[str, Any], which: str
) -> None:
    other = {"_ew_time": "timestamp_ntz", "_ew_alone": 0}

    def answer(sql: str) -> Any:
        return [SETTINGS | other] if "_ew_time" in sql else Script()(sql)

    macros = rendered(answer=answer, config=config, which=which)
    window = macros.tumbling(size="1 hour", grace="unbounded")
    with pytest.raises(CompilerError) as raised:
        macros.windowed(**CALL | {"window": window})
    for setting in ["timestampType is TIMESTAMP_NTZ", "statisticalAggregate is true"]:
        assert setting in str(raised.value)


def nothing_is_there(sql: str) -> list[dict[int, str]]:
    return [{0: "[TABLE_OR_VIEW_NOT_FOUND] The table `s`.`gone` cannot be found."}]


def test_dbt_compile_does_not_mind_a_table_from_before() -> None:
    """The run that is to come may make it first."""
    columns = COLUMNS | {"viewed_at": "string"}
    macros = rendered(Script(columns=columns), config={"materialized": "table"}, which="compile")
    assert "the event time must be a TIMESTAMP" in windows_sql(macros)


def test_no_comment_begins_or_ends_in_that_of_the_spec() -> None:
    """Comments nest in Spark."""
    macros = rendered()
    relation = "(select * from s.views /* all /* of */ them */)"
    sql = macros.windowed(
        relation=relation,
        key="user_id",
        event_time="viewed_at",
        window=macros.session(gap="1 hour", grace="1 day"),
        aggregates={"n": "count(*) filter (where page in ('/*', '*/*', '/*/'))"},
        arrival_order="arrival_seq",
    )
    last = sql.splitlines()[-1]
    assert (last.count("/*"), last.count("*/")) == (1, 1)
    spec = macros._spec_of(sql)
    assert spec["relation"] == relation
    assert spec["aggregates"][0]["sql"].endswith("in ('/*', '*/*', '/*/'))")


def of_columns(config: dict[str, Any] | None = None, **types: str) -> str:
    """What is said of a model over the source with columns of other types."""
    call = {"partition": "shard"} if "shard" in types else {}
    macros = rendered(Script(columns={**COLUMNS, **types}), config=config)
    with pytest.raises(CompilerError) as raised:
        spec_of(macros, "session", **call)
    return str(raised.value)


@pytest.mark.parametrize("type_", ["binary", "array<string>", "struct<a:int>"])
def test_a_partition_must_have_a_text_of_its_own(type_: str) -> None:
    assert f"partition column 'shard' is of type {type_}: allowed are" in of_columns(shard=type_)


def test_a_wall_clock_is_not_compared_with_an_instant() -> None:
    config = {"max_ahead": "1 hour", "arrived_at": "came_at"}
    said = of_columns(config=config, came_at="timestamp_ntz")
    assert "arrived_at column 'came_at' is of type timestamp_ntz and event_time is of" in said


@pytest.mark.parametrize(
    ("gap_by", "said"),
    [
        ("nobody * interval '1' minute", "column 'nobody' does not exist: allowed are user_id"),
        ("interval 1 hour) or (true", "')'"),
        ("'a', 'b'", "there is a ',' where one expression is meant"),
        ("(select max(gap) from gaps)", "'(select' begins a subquery"),
        ("", "it is no text"),
        (5, "it is no text"),
    ],
)
def test_a_gap_per_row_is_an_expression_over_the_row(gap_by: Any, said: str) -> None:
    with pytest.raises(CompilerError) as raised:
        spec_of(rendered(), "session", window=rendered().session(gap_by=gap_by, grace="1 day"))
    assert "gap_by is" in str(raised.value)
    assert said in str(raised.value)


@pytest.mark.parametrize("relation", [SOURCE, Relation("__dbt__cte__views", is_cte=True)])
def test_a_time_zone_must_be_one_of_sparks(relation: Any) -> None:
    """Of those that dbt's Python knows its Java lacks some."""

    def answer(sql: str) -> Any:
        if sql == "explain select from_utc_timestamp(timestamp '2024-01-01', 'ROC')":
            return [{0: "Error occurred during query planning: "}, {0: "[INVALID_TIMEZONE] ROC"}]
        return Script()(sql)

    # a run of a windowed model looks at the columns of an ephemeral one later
    config = {"materialized": "table"} if relation.is_cte else {}
    macros = rendered(answer=answer, config=config)
    window = macros.calendar(unit="day", grace="1 day", time_zone="ROC")
    with pytest.raises(CompilerError, match=r"time_zone is 'ROC': give .*which Spark's Java knows"):
        spec_of(macros, relation=relation, window=window)


@pytest.mark.parametrize("type_", ["string", "int", "interval month"])
def test_a_gap_per_row_is_a_length(type_: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TYPES, "any_value(", type_)
    assert f"it is of type {type_}: allowed is an interval of days" in message(
        kind="session_gap_by"
    )


def test_bookkeeping_of_a_model_above_is_left_out() -> None:
    above = {"_ew_until": "bigint", "_ew_refresh": "bigint", "_EW_Segment": "bigint"}
    macros = rendered(Script(columns={**COLUMNS, **above}))
    spec = spec_of(macros)
    assert list(spec["columns"]) == [*COLUMNS, "_ew_refresh"]
    assert "select arrived.user_id, " in macros._new_rows(spec)


def test_functions_that_are_not_there_are_asked_for() -> None:
    macros = rendered(answer=lambda sql: [{"function": "other"}])
    with pytest.raises(CompilerError, match="pip install dbt-event-windows"):
        macros._refuse([macros._planner_not_there("it")])


def without_functions(sql: str) -> Any:
    return [{"function": "other"}] if sql.startswith("show user functions") else Script()(sql)


@pytest.mark.parametrize("kind", ["session", "session_gap_by"])
@pytest.mark.parametrize("given", [{"config": {"replay": "sql"}}, {"vars": {VAR: "sql"}}])
def test_a_replay_in_sql_needs_no_function(kind: str, given: dict[str, Any]) -> None:
    macros = rendered(answer=without_functions, **given)
    spec = spec_of(macros, kind)
    assert spec["replay"] == "sql"
    macros._check_registered(spec)


def test_the_config_goes_before_the_var() -> None:
    given = {"config": {"replay": "python"}, "vars": {VAR: "sql"}}
    assert spec_of(rendered(**given))["replay"] == "python"


def test_a_contract_calls_no_function_that_is_not_there() -> None:
    compared: list[str] = []
    config = {"contract": SimpleNamespace(enforced=True)}
    options = {"get_assert_columns_equivalent": compared.append, "config": config}
    macros = rendered(answer=without_functions, **options)
    for call in [{}, {"partition": "shard", "stream_time": "partition"}]:
        macros._check_can_be_windowed(spec_of(macros, **call))
        assert "event_windows_replay" not in compared.pop()
    with pytest.raises(CompilerError, match="windows of this type are made by the Python"):
        macros._check_can_be_windowed(spec_of(macros, "sliding"))
    assert compared == []


def test_sql_is_named_where_functions_are_missing_and_it_is_another_way() -> None:
    macros = rendered(answer=without_functions)
    with pytest.raises(CompilerError, match=r"; or give replay='sql' \(in the config or in the"):
        macros._check_registered(spec_of(macros))
    with pytest.raises(CompilerError) as raised:
        macros._check_registered(spec_of(macros, "sliding"))
    assert "replay" not in str(raised.value).replace("event_windows_replay_sliding", "")


def test_a_view_replays_in_sql() -> None:
    view = {"materialized": "view"}
    for macros in [rendered(config=view), rendered(config=view, vars={VAR: "python"})]:
        spec = spec_of(macros)
        macros._check_registered(spec)
        assert spec["replay"] == "sql"
    macros = rendered(config=view | {"replay": "python"})
    with pytest.raises(CompilerError, match=r"in a view: give replay='sql' .*, or use"):
        macros._check_registered(spec_of(macros))


def test_a_test_whose_failures_are_kept_as_a_view_replays_in_sql() -> None:
    test = Model(name="t", resource_type="test")
    macros = rendered(config={"store_failures_as": "view"}, model=test, vars={VAR: "python"})
    assert spec_of(macros)["replay"] == "sql"
    macros._check_registered(spec_of(macros))
    with pytest.raises(CompilerError, match=r"store_failures_as is 'view'.*use .*_as='table'$"):
        macros._check_registered(spec_of(macros, "sliding"))


@pytest.mark.parametrize(
    "reader",
    [
        {"resource_type": "model", "config": {"materialized": "view"}},
        {"resource_type": "test", "config": {"materialized": "test", "store_failures_as": "view"}},
    ],
)
def test_an_ephemeral_model_below_a_view_replays_in_sql(reader: dict) -> None:
    graph = {"nodes": {"v": reader | {"depends_on": {"nodes": ["model.p.m"]}}}}
    ephemeral = {"materialized": "ephemeral"}
    macros = rendered(config=ephemeral, graph=graph)
    assert spec_of(macros)["replay"] == "sql"
    macros._check_registered(spec_of(macros))
    with pytest.raises(CompilerError, match="reads this ephemeral model, and to tell late"):
        macros._check_registered(spec_of(macros, "sliding"))
    assert spec_of(rendered(config=ephemeral))["replay"] == "python"


def test_a_grace_of_the_config_beside_the_windows_own_is_told() -> None:
    def said(grace: str, materialized: str = "windowed") -> list[str]:
        macros = rendered(config={"grace": grace, "materialized": materialized})
        assert spec_of(macros)["window"]["grace"] == DAY
        return [one for one in macros.logged if f"grace is '{grace}' in the config" in one]

    assert len(said("2 days")) == len(said("soon")) == 1
    assert not said("24 hours")
    assert not said("2 days", "table")


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("rand() > 0.5", "rand(...) has another value each time"),
        ("page = UUID ( )", "uuid(...) has another value"),
        ("monotonically_increasing_id() > 3", "monotonically_increasing_id(...) has another"),
        ("input_file_name() like '%a%'", "input_file_name(...) has another"),
        ("viewed_at > current_timestamp() - interval 1 day", "depends on when it runs"),
        ("viewed_at < now()", "now(...) depends on when it runs"),
        ("date(viewed_at) = Current_Date", "current_date depends on when it runs"),
        ("unix_timestamp(viewed_at) > Unix_Timestamp( )", "Unix_Timestamp( ) depends on when"),
        ("viewed_at < timestamp 'now'", "timestamp 'now' depends on when it runs"),
        ("date(viewed_at) = cast(' Today ' as date)", "cast(' Today ' as date depends on when it"),
        ("viewed_at >= '09:30'", "viewed_at >= '09:30' depends on when it runs"),
        ("`viewed_at` between 'today' and 'x'", "`viewed_at` between 'today' depends"),
        ("'09:30' <= viewed_at", "'09:30' <= viewed_at depends on when it runs"),
        ("viewed_at in ('2024-01-01', 'now')", "depends on when it runs"),
        ("viewed_at between '2024-01-01' and 'today'", "and 'today' depends on when it runs"),
        ("viewed_at < timestamp '10:00:00'", "timestamp '10:00:00' depends on when it runs"),
        ("viewed_at < to_timestamp( 'T9' )", "to_timestamp( 'T9' ) depends on when it runs"),
        ("viewed_at < timestamp'today+01:00'", "timestamp'today+01:00' depends on when it"),
        ('viewed_at < cast("10:00" as timestamp)', 'cast("10:00" as timestamp depends on'),
        ("viewed_at < '9:3:4.5 UTC'::timestamp", "'9:3:4.5 UTC' depends"),
        ("page = current_user", "current_user depends on who runs it and where"),
    ],
)
def test_what_is_not_by_the_rows_alone_is_refused(condition: str, said: str) -> None:
    macros = rendered()
    text = f"count(*) filter (where {condition})"
    spec = spec_of(macros, aggregates={"n": text})
    with pytest.raises(CompilerError) as raised:
        macros._check_can_be_windowed(spec)
    assert f"aggregate 'n' is \"{text}\": " in str(raised.value)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("place", "given"),
    [
        ("aggregate 'n'", {"aggregates": {"n": "count(*) filter (where page = '${app.page}')"}}),
        ("gap_by", {"gap_by": "cast('${env:GAP}' as interval)"}),
        ("relation", {"relation": "(select * from views where page in ('${a','}'))"}),
    ],
)
def test_what_a_setting_says_is_no_part_of_a_model(place: str, given: dict[str, Any]) -> None:
    macros = rendered()
    if "gap_by" in given:
        given = {"window": macros.session(grace="1 day", **given)}
    with pytest.raises(
        CompilerError, match=re.escape(place) + r" has \$\{.*: write the value itself"
    ):
        macros._check_can_be_windowed(spec_of(macros, **given))


def test_the_signs_of_a_setting_can_be_written() -> None:
    macros = rendered()
    texts = [r"page = '$\{app.page}'", "page = '${'", "page = '${}' or page = '${a b}'"]
    spec = spec_of(
        macros,
        relation=r"(select * from views where page <> '$\{a}')",
        aggregates={f"n{at}": f"count(*) filter (where {one})" for at, one in enumerate(texts)},
    )
    macros._check_can_be_windowed(spec)


def test_a_gap_is_by_the_rows_alone() -> None:
    macros = rendered()
    window = macros.session(gap_by="now() - viewed_at", grace="1 day")
    with pytest.raises(CompilerError, match=r'gap_by is "now\(\) - viewed_at": now\(...\) depends'):
        macros._check_can_be_windowed(spec_of(macros, window=window))


def test_a_column_may_bear_the_name_of_such_a_function() -> None:
    macros = rendered(Script(columns=COLUMNS | {"current_date": "date", "uuid": "string"}))
    conditions = ["uuid = 'a'", "current_date > '2024-01-01'", "struct(page as user).user = 'a'"]
    conditions += ["date_format(viewed_at, 'HH:mm') between '09:30' and '17:00'", "page = '09:30'"]
    conditions += ["viewed_at > '2024-01-01' and page in ('x', 'now')", "'09:30' <= viewed_at.x"]
    conditions += ["viewed_at > to_timestamp('10:00', 'HH:mm')", "viewed_at > '2024-01-01 10:00'"]
    conditions += [
        "viewed_at - cast('10:00' as interval hour to minute) > '2024-01-01'",
        "page = 'timestamp'",
    ]
    conditions += ["exists(array(1), user -> user > 0)", "page = 'now()' -- now()"]
    texts = {f"n{at}": f"count(*) filter (where {one}\n)" for at, one in enumerate(conditions)}
    spec = spec_of(macros, aggregates=texts)
    macros._check_can_be_windowed(spec)


def test_the_planner_knows_the_same_functions() -> None:
    macros = rendered()
    lists = [set(names) for names in macros._functions_of_the_moment().values()]
    assert lists == [functions.RANDOM, functions.CLOCK, functions.SESSION]
    without = set(macros._moments_without_brackets())
    assert without == functions.WITHOUT_BRACKETS - {"grouping__id"}


def test_a_snapshot_is_made_by_a_view() -> None:
    """dbt-spark makes a permanent one at its second run, which has no function of a session."""
    snapshot = {"config": {"materialized": "snapshot"}, "model": Model(resource_type="snapshot")}
    assert spec_of(rendered(**snapshot), "session")["replay"] == "sql"
    macros = rendered(**snapshot)
    with pytest.raises(CompilerError) as raised:
        macros._check_registered(spec_of(macros, "sliding"))
    assert "a snapshot by way of a view, and to tell late rows takes a" in str(raised.value)
    assert "materialized='table' or 'windowed', in a model that the snapshot" in str(raised.value)
