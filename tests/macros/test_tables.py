"""macros/tables: names, records, logs, and the columns of each table."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sqlglot

from tests.macros.rendering import CompilerError, Macros, Model, Relation
from tests.macros.scripted import (
    BUILT,
    COLUMNS,
    HOUR,
    TYPES,
    Script,
    prepared,
    progress,
    rendered,
    spec_of,
)

M = Relation("m")
# What the ledger has of the rows that were read.
READ = ["rows", "uncountable", "late", "late_partial", "scopes", "clock", "skipped"]
READ += ["arrival_from", "arrival_to"]


def test_names_beside_a_model() -> None:
    tables = rendered()._tables(M)
    names = {name: str(relation) for name, relation in tables.items()}
    assert (names["model"], names["windows"]) == ("s.m", "s.m")
    assert (names["stream_time"], names["dropped"]) == ("s.m__stream_time", "s.m__dropped")
    assert names["clocks"] == "s.m__ew_clocks"
    assert names["runs"] == "s.event_windows_runs"
    assert str(rendered()._tables(M, emit="final")["windows"]) == "s.m__state"
    assert str(rendered()._tables(M, plain=True)["windows"]) == "s.m__state"


@pytest.mark.parametrize("shown", [{"limit": 0}, {"event_time_filter": "viewed_at > '2024'"}])
def test_what_dbt_shows_of_a_model_is_no_part_of_its_tables(shown: dict[str, Any]) -> None:
    tables = rendered()._tables(M.incorporate(**shown))
    assert tables == rendered()._tables(M)


def test_what_others_have_made_under_these_names_is_told() -> None:
    def problems(type: str, columns: list[str], **names: Any) -> list[str]:
        macros = rendered(answer=lambda _: [{"col_name": c, "data_type": "int"} for c in columns])
        tables = macros._tables(M)
        for name in names.get("there", ["state", "stream_time", "dropped", "clocks", "runs"]):
            macros.adapter.cache_added(tables[name].incorporate(type=type))
        return list(macros._taken_names(tables))

    assert problems("table", ["a", "_ew_refresh", "keys_tracked"]) == []
    # the ledger of 0.1.0 had no number of the refresh, and is widened
    assert problems("table", ["keys_tracked"], there=["runs"]) == []
    assert len(problems("table", ["a"])) == 5
    # the one that is a view
    assert problems("view", [], there=["stream_time"]) == []
    assert len(problems("view", [])) == 4
    [said] = problems("table", ["a"], there=["state"])
    assert said.startswith("the name s.m__state is kept for what stands beside the model, and a ")
    [said] = problems("table", ["a"], there=["runs"])
    assert said.startswith("the name s.event_windows_runs is kept for the ledger of the schema, ")


@pytest.mark.parametrize("kind", ["model", "snapshot", "seed", "ephemeral"])
def test_what_another_node_makes_under_these_names_is_told(kind: str) -> None:
    node = {
        "resource_type": "model" if kind == "ephemeral" else kind,
        "name": "other",
        "alias": "M__Dropped",
        "schema": "s",
        "config": {"materialized": kind},
    }
    macros = rendered(graph={"nodes": {"other": node, "test": {"resource_type": "test"}}})
    said = list(macros._taken_names(macros._tables(M)))
    assert said == [] if kind == "ephemeral" else f"and {kind} 'other' makes it" in said[0]


def test_a_run_that_builds_nothing_asks_who_makes_the_ledger() -> None:
    """A node that was added to the project has put its own in the place of the one that was."""
    node = {"resource_type": "seed", "name": "runs", "alias": "event_windows_runs", "schema": "s"}
    macros = rendered(graph={"nodes": {"runs": node | {"config": {"materialized": "seed"}}}})
    tables = macros._tables(M)
    macros.adapter.cache_added(tables["windows"].incorporate(type="table"))
    for _ in range(2):
        [said] = macros._taken_names(tables, builds=False)
        assert "seed 'runs' makes it" in said
        macros.adapter.cache_added(tables["runs"].incorporate(type="table"))
    assert macros.asked == []
    macros = rendered(relations=macros.adapter.relations.values())
    assert macros._taken_names(tables, builds=False) == []
    assert macros.asked == []


def test_what_a_run_works_with_bears_its_name() -> None:
    one = rendered()._tables(M)
    other = rendered(invocation_id="another")._tables(M)
    for name in ["late", "slices"]:
        assert str(one[name]) != str(other[name])
    assert one["model"] == other["model"]


def test_the_record_is_that_of_the_last_refresh_of_this_table() -> None:
    def of(number: int, generation: int) -> dict[str, Any]:
        return progress([[None, number]]) | {"number": number, "generation": generation}

    def recorded(**properties: Any) -> dict[str, Any]:
        texts = {f"event_windows.{name}": json.dumps(value) for name, value in properties.items()}
        return dict(Macros()._record_in(texts))

    built = recorded(build=of(20, 20), spec={"layout": 3})
    assert (built["generation"], built["progress"]["number"]) == (20, 20)
    later = recorded(build=of(20, 20), progress=of(22, 20))
    assert (later["generation"], later["progress"]["number"]) == (20, 22)
    # of the table that was there before
    assert recorded(build=of(20, 20), progress=of(500, 3))["progress"]["number"] == 20
    # as another version of the package wrote it
    assert recorded(build={"number": 20})["progress"] is None
    nothing = Macros()._record_in({})
    assert (nothing["spec"], nothing["progress"], nothing["generation"]) == (None, None, 0)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"key": ["page"]}, "key was"),
        ({"event_time": "seen_at"}, "event_time was"),
        ({"aggregates": {"views": "sum(amount)"}}, "aggregates was"),
        ({"stream_time": "global"}, "stream_time was"),
        ({"window": Macros().session(gap="1 hour", grace="1 day")}, "window was"),
    ],
)
def test_a_changed_model_asks_for_a_full_refresh(changed: dict[str, Any], said: str) -> None:
    macros, spec, tables = prepared(Script(columns=COLUMNS | {"seen_at": "timestamp"}))
    assert macros._record_of(spec, tables)["progress"]
    with pytest.raises(CompilerError, match="run with --full-refresh to build it again") as raised:
        macros._record_of(spec_of(macros, **changed), tables)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"key": ["page"]}, "it decides which windows there are, and the columns that tell whose"),
        (
            {"aggregates": {"revenue": "count(*)", "views": "sum(amount)"}},
            "what windows keep of their rows does not give it, or not under this name",
        ),
    ],
)
def test_names_that_tables_have_are_a_reason(changed: dict[str, Any], why: str) -> None:
    macros, _, tables = prepared(Script())
    with pytest.raises(CompilerError, match=f"{why}, so run with"):
        macros._record_of(spec_of(macros, **changed), tables)


@pytest.mark.parametrize("emit", ["updates", "final"])
def test_a_better_bound_of_calendar_windows_needs_no_build(emit: str) -> None:
    """Their size says how long they may be; when windows leave follows from it."""
    script, day = Script(), 24 * HOUR
    config = {"emit": emit}
    window = Macros().calendar(unit="month", grace="1 day")
    macros, spec, tables = prepared(script, "calendar", {"window": window}, config=config)
    recorded = script.properties["event_windows.spec"]
    before = {"window": window | {"size": window["size"] + day}}
    if emit == "final":
        assert recorded["retention"] == recorded["leaves_after"] == window["size"] + day
        before |= {"retention": window["size"] + 2 * day, "leaves_after": window["size"] + 2 * day}
    script.properties["event_windows.spec"] = recorded | before
    assert macros._record_of(spec, tables)["progress"]
    if emit == "updates":  # a longer grace is still one
        longer = Macros().calendar(unit="month", grace="2 days")
        assert macros._record_of(spec_of(macros, "calendar", window=longer), tables)["progress"]
    other = Macros().calendar(unit="quarter", grace="1 day")
    with pytest.raises(CompilerError, match="window was unit=") as raised:
        macros._record_of(spec_of(macros, "calendar", window=other), tables)
    assert "size=" not in str(raised.value)


def of_retention(kind: str, recorded: str | None, now: str | None, **config: Any) -> Any:
    """The record of a model whose retention was another one when its table was built."""

    def given(retention: str | None) -> dict[str, Any]:
        return config | ({"retention": retention} if retention else {})

    script = Script()
    prepared(script, kind, config=given(recorded))
    macros, spec, tables = prepared(script, kind, config=given(now))
    return macros._record_of(spec, tables)


def test_final_windows_that_no_row_asks_for_may_stay_longer() -> None:
    """What has left was closed, and has been published."""
    assert of_retention("tumbling", None, "1 day", emit="final")["progress"]
    with pytest.raises(CompilerError) as raised:
        of_retention("session", None, "4 days", emit="final")
    why = "retention was '1 day 30 minutes' when the table was built and is '4 days' now: windows"
    assert f"{why} that have left the table are gone" in str(raised.value)


def test_expired_windows_do_not_come_back() -> None:
    with pytest.raises(CompilerError) as raised:
        of_retention("tumbling", "2 hours", "4 hours", expire="delete")
    why = "retention was '2 hours' when the table was built and is '4 hours' now: windows that have"
    assert f"{why} left the table are gone" in str(raised.value)
    assert str(raised.value).count(" when the table was built") == 1
    with pytest.raises(CompilerError, match="it decides which windows rows have joined"):
        of_retention("session", "2 days", "4 days", expire="delete")


def test_a_gap_per_row_is_compared_as_sql() -> None:
    def of(gap_by: str, grace: str = "1 day") -> Any:
        return Macros().session(gap_by=gap_by, grace=grace)

    macros, _, tables = prepared(
        Script(), call={"window": of("make_dt_interval(0, 0, idle_minutes)")}
    )
    same = "MAKE_DT_INTERVAL( 0,0, idle_minutes ) /* of the app */"
    for grace in ["1 day", "2 days"]:
        assert macros._record_of(spec_of(macros, window=of(same, grace)), tables)["progress"]
    other = of("make_dt_interval(0, idle_minutes)")
    with pytest.raises(CompilerError, match="window was gap_by="):
        macros._record_of(spec_of(macros, window=other), tables)


def test_a_change_is_told_option_by_option() -> None:
    def differences(before: dict[str, Any], after: dict[str, Any]) -> list[list[str]]:
        return [list(told) for told in Macros()._differences_of(before, after)]

    before = Macros().session(gap="30 minutes", grace="1 day")
    after = Macros().session(gap="1 hour 30 minutes", grace="unbounded")
    assert differences({"window": before}, {"window": after}) == [
        ["window", "gap='30 minutes'", "gap='1 hour 30 minutes'"],
        ["window", "grace='1 day'", "grace='unbounded'"],
    ]
    other = Macros().tumbling(size="1 hour", grace="1 day")
    assert differences({"window": before}, {"window": other}) == [
        ["window", '"session"', json.dumps(other["type"])]
    ]
    assert differences({"aggregates": {"n": "count(*)"}}, {"aggregates": {"m": "count(*)"}}) == [
        ["aggregates", 'n="count(*)"', "without n"],
        ["aggregates", "without m", 'm="count(*)"'],
    ]
    assert differences({"retention": 0, "segment": 1}, {"retention": None, "segment": -1}) == [
        ["retention", "'0 seconds'", "'unbounded'"],
        ["segment", "'1 microsecond'", "'-1 microsecond'"],
    ]
    assert differences({"plain": None, "key": ["a"]}, {"plain": "view", "key": ["a"]}) == [
        ["plain", "null", '"view"']
    ]
    # of long texts what is around the difference
    long = "(select * from t where x = 1 and " + "y = 1 and " * 30
    told = differences({"relation": long + "z = 1)"}, {"relation": long + "z = 2)"})[0]
    assert told[1].endswith('z = 1)"')
    assert told[2].endswith('z = 2)"')
    assert all(len(text) < 170 for text in told)


def test_a_sketch_goes_with_the_type_of_what_went_into_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same numbers as BIGINT have other hashes than as INT, and the sketch does not tell."""
    monkeypatch.setitem(TYPES, "hll_sketch_", "binary")
    monkeypatch.setitem(TYPES, "any_value(", "int")
    macros = rendered(Script())
    spec = spec_of(macros, aggregates={"pages": "hll_sketch_agg(page, 12)"})
    before = macros._fingerprint(spec)
    assert before["value_types"]["pages"][-1] == "int"
    spec["aggregates"][0]["calls"][0]["argument_type"] = "bigint"
    now = macros._fingerprint(spec)

    def differences(recorded: dict[str, Any]) -> list[str]:
        kept = macros._kept_of(recorded, now, spec)
        return [name for name, _, _ in macros._differences_of(kept, now)]

    assert differences(before) == ["value_types"]
    # as it was recorded before such types were
    shorter = {"pages": before["value_types"]["pages"][:-1]}
    assert differences(before | {"value_types": shorter}) == []


def test_a_model_that_asks_whether_it_refreshes_is_compared_by_what_a_build_reads() -> None:
    text = """{{ config(materialized='windowed') }} {{ event_windows.windowed(
        '(select * from __dbt__cte__cleaned where x > ' ~ var('least')
            ~ (' and recent' if event_windows.is_windowed_run() else '') ~ ')',
        'user_id', 'viewed_at', event_windows.session(gap='1 hour', grace='1 day'),
        {'n': 'count(*)'}, 'arrival_seq'
    ) }}"""

    def relation(least: int, cte: str) -> tuple[str, str]:
        model = Model(raw_code=text, extra_ctes=[{"sql": f"__dbt__cte__cleaned as ({cte})"}])
        macros, _, _ = prepared(Script(), model=model, vars={"least": least})
        macros._macros["_is_built"] = lambda relation: True
        spec = macros._spec_of(macros.render(text.partition("}}")[2]))
        macros._bring_in_ephemeral(spec)
        assert macros.is_windowed_run()
        return str(spec["relation"]), str(macros._fingerprint(spec)["relation"])

    now, before = relation(1, "select 1")
    assert now.endswith("where x > 1 and recent))")
    assert before == (
        "(with __dbt__cte__cleaned as (select 1) "
        "select * from (select * from __dbt__cte__cleaned where x > 1))"
    )
    assert relation(2, "select 1")[1] != before
    assert relation(1, "select 2")[1] != before


def test_an_ephemeral_model_that_the_text_names_beside_a_table_is_left_out() -> None:
    """As in `-- depends_on: {{ ref('other') }}`."""
    model = Model(extra_ctes=[{"sql": "__dbt__cte__other as (select 1)"}])
    macros, spec, _ = prepared(Script(), model=model)
    macros._bring_in_ephemeral(spec)
    assert spec["relation"] == "s.views"


def test_a_hook_that_asks_whether_it_refreshes_changes_no_text() -> None:
    macros, spec, _ = prepared(Script())
    before = macros._fingerprint(spec)
    macros.is_windowed_run()
    assert macros._fingerprint(spec) == before


@pytest.mark.parametrize(
    ("asks", "text"), [(False, ""), (True, "-- {% if event_windows.is_windowed_run() %}")]
)
def test_a_hook_in_the_text_is_none_of_it(asks: bool, text: str) -> None:
    hook = "{% if event_windows.is_windowed_run() %}select 1{% endif %}"
    macros = Macros(
        model=Model(
            raw_code=f'{{{{ config(post_hook="{hook}") }}}}{text}',
            config={"post-hook": [{"sql": hook, "transaction": True}]},
        )
    )
    assert macros._asks_is_windowed_run() == asks


def test_a_table_of_somebody_else_is_not_touched() -> None:
    script = Script()
    macros, spec, tables = prepared(script)
    script.properties.clear()
    with pytest.raises(CompilerError, match="was not built by materialized='windowed'"):
        macros._record_of(spec, tables)


@pytest.mark.parametrize("becomes_a_call", [True, False])
def test_a_text_that_becomes_a_call_or_a_call_a_text_is_told_so(becomes_a_call: bool) -> None:
    """The one has its windows in m__state, below the view m, the other in m itself."""
    script = Script()
    macros, spec, tables = prepared(script)
    plain = spec | {"plain": {"columns": [], "having": None}}
    if becomes_a_call:
        macros.adapter.cache_dropped(tables["model"])
        macros.adapter.cache_added(tables["model"].incorporate(type="view"))
        macros.adapter.cache_added(tables["state"].incorporate(type="table"))
        script.properties["event_windows.spec"] = macros._fingerprint(plain)
        before, after = '"view"', "null"
    else:
        tables, spec = macros._tables(Relation("m"), plain=True), plain
        before, after = "null", '"view"'
    with pytest.raises(CompilerError, match="run with --full-refresh to build it") as raised:
        macros._record_of(spec, tables)
    assert f"plain was {before} when the table was built and is {after} now" in str(raised.value)
    if becomes_a_call:
        macros.adapter.cache_dropped(tables["state"])
        with pytest.raises(CompilerError, match="was not built by materialized='windowed'"):
            macros._record_of(spec, tables)
    else:
        script.properties["event_windows.spec"] = macros._fingerprint(plain)
        with pytest.raises(CompilerError, match=r"m__state of windows is not there, though s\.m"):
            macros._record_of(spec, tables)


@pytest.mark.parametrize("full_refresh", [True, False, None])
def test_a_config_that_goes_before_the_flag_is_told(full_refresh: bool | None) -> None:
    script = Script()
    macros, spec, tables = prepared(script, config={"full_refresh": full_refresh})
    told = "(its config has full_refresh: false, which goes before that flag: take it out for once)"
    with pytest.raises(CompilerError, match="run with --full-refresh") as raised:
        macros._record_of(spec_of(macros, key="page"), tables)
    assert (told in str(raised.value)) == (full_refresh is False)
    macros.adapter.cache_dropped(tables["clocks"])
    script.properties["event_windows.progress"] = progress([[None, 150]]) | {"full": False}
    with pytest.raises(CompilerError, match="run with --full-refresh") as raised:
        macros._record_of(spec, tables)
    assert (told in str(raised.value)) == (full_refresh is False)


def test_a_table_of_an_earlier_layout_is_told_so_once() -> None:
    script = Script()
    macros, spec, tables = prepared(script)
    said = "built by another version of the package"
    recorded = script.properties["event_windows.spec"]
    before = {"layout": recorded["layout"] - 1, "key": ["of_then"]}
    script.properties["event_windows.spec"] = recorded | before
    with pytest.raises(CompilerError, match="run with --full-refresh to build it again") as raised:
        macros._record_of(spec, tables)
    # and not what else differs, option by option
    assert str(raised.value).count(said) == 1
    assert "key was" not in str(raised.value)


@pytest.mark.parametrize("lost", ["clocks", "dropped"])
def test_what_stands_beside_a_table_belongs_to_it(lost: str) -> None:
    script = Script(told=BUILT - 1)
    macros, spec, tables = prepared(script)
    macros.adapter.cache_dropped(tables[lost])
    # a build that was killed has not made them yet
    assert macros._record_of(spec, tables)["progress"]["full"]
    script.told = BUILT
    with pytest.raises(CompilerError, match="a clone of the table alone"):
        macros._record_of(spec, tables)
    script.told = BUILT - 1
    script.properties["event_windows.progress"] = progress([[None, 150]]) | {"full": False}
    with pytest.raises(CompilerError, match="a clone of the table alone"):
        macros._record_of(spec, tables)


def test_the_log_of_clocks_has_the_scope_and_a_line_for_each_refresh() -> None:
    macros, spec, tables = prepared(Script(), call={"partition": "shard"})
    assert macros._clocks_columns(spec) == {
        "user_id": "string",
        "shard": "int",
        "_ew_clock": "bigint",
        "_ew_refresh": "bigint",
    }
    run = macros._new_run(BUILT + 1, BUILT)
    run["read"] = {"rows": 5}
    sql = macros._append_clocks(spec, tables, run)
    assert "select cast(null as string) as user_id, cast(null as int) as shard, cast(null as" in sql
    view = macros._shown_clocks(spec, tables, BUILT)
    # a clock a key and partition, and what users see is the key's latest
    assert "group by user_id\n" in view + "\n"
    assert f"_ew_refresh >= {BUILT}" in view


def test_plain_sql_without_a_key_shows_one_clock() -> None:
    macros, spec, tables = prepared(Script())
    view = macros._shown_clocks(spec | {"key": ["_ew_all"]}, tables, BUILT)
    assert "_ew_all" not in view
    assert "group by" not in view


@pytest.mark.parametrize("rows", [0, 5])
@pytest.mark.parametrize("clock", ["key", "global"])
def test_moved_clocks_have_the_name_of_a_clock(rows: int, clock: str) -> None:
    macros, spec, tables = prepared(Script(), call={"stream_time": clock})
    run = macros._new_run(BUILT + 1, BUILT, advance_to=77, previous=progress([[None, 100]]))
    run["read"] = {"rows": rows}
    tree = sqlglot.parse_one(macros._append_clocks(spec, tables, run), dialect="spark")
    union = tree.find(sqlglot.exp.Union)
    assert union is not None
    assert "_ew_clock" in union.named_selects


def test_the_ledger_has_a_value_for_each_column() -> None:
    macros, spec, tables = prepared(Script())
    run = macros._new_run(BUILT + 1, BUILT)
    run["read"] = dict.fromkeys(READ, 1)
    sql = macros._insert_into_ledger(spec, tables, run)
    columns = macros._ledger_columns()
    for name, type in columns.items():
        assert f" as {type}) as {name}" in sql
    # nobody counts what closes or leaves where no row goes
    assert "cast(null as bigint) as windows_closed" in sql
    assert "where not exists" in sql


def test_windows_closed_are_known_where_there_are_none() -> None:
    for grace, closed in [("unbounded", "0"), ("1 day", "null")]:
        macros, spec, tables = prepared(
            Script(), call={"window": rendered().session(gap="1 hour", grace=grace)}
        )
        run = macros._new_run(BUILT + 1, BUILT)
        run["read"] = dict.fromkeys(READ)
        sql = macros._insert_into_ledger(spec, tables, run)
        assert f"cast({closed} as bigint) as windows_closed" in sql


def test_dropped_rows_have_the_columns_that_say_which_row() -> None:
    macros, spec, _ = prepared(Script(), call={"partition": "shard"})
    assert list(macros._dropped_columns(spec)) == [
        *("user_id", "viewed_at", "arrival_seq", "shard"),
        *("reason", "stream_time", "run_id", "source_row", "_ew_refresh"),
    ]
    row = macros._source_row(spec | {"columns": {"a": "int", "b": "time(6)"}}, "r")
    assert row.startswith("to_json(named_struct('a', r.a, 'b', cast(r.b as string))")
