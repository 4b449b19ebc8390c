"""Changes of a model that need no build: afterwards the tables are what a full refresh gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.harness import (
    FILE_FORMAT,
    DbtProject,
    Statement,
    killed_after,
    recorded,
    sampled,
    selected,
)
from tests.session_models import EVENTS, SESSIONS, events, ledger, public, session_model

pytestmark = pytest.mark.apart

TUMBLING = "event_windows.tumbling(size='10 minutes', grace='20 minutes')"
HOPPING = "event_windows.hopping(size='20 minutes', advance_by='10 minutes', grace='20 minutes')"
SLIDING = "event_windows.sliding(difference='10 minutes', grace='20 minutes')"
FIRST = [("a", 0), ("a", 5), ("b", 7), ("a", 70), ("b", 100), ("a", 3), (None, 1)]
SECOND = [("a", 72), ("b", 130), ("c", 1), ("b", 60), ("a", 300), ("a", 250), ("c", 390)]

ALL = {
    "n": "count(*)",
    "mean": "avg(value)",
    "urls": "count(distinct value)",
    "latest": "max_by(value, event_time)",
}
# other names, another order, one less, and one that begins with the name of another
OTHER = {"latest": "MAX_BY( value,event_time )", "n_2": "count(*)", "average": "avg(value)"}
ONE = {"n": "count(*)"}


def plain(select: str, having: str = "", comment: str = "", grace: str = "1 day") -> str:
    return (
        f"{{{{ config(materialized='windowed', grace='{grace}', arrival_order='arrival_seq') }}}}\n"
        f"select key, {select} {comment}\nfrom {{{{ source('raw', 'events') }}}}\n"
        f"group by key, session_window(event_time, '30 minutes') {having}"
    )


def published(select: str, comment: str = "") -> str:
    return plain(select, comment=comment).replace("grace=", "emit='final', grace=")


def configured(window: str, **config: Any) -> str:
    return session_model("events", window, config=config, aggregates=ONE)


SHORT = SESSIONS.replace("1 day", "20 minutes")


def longer(window: str) -> str:
    return window.replace("grace='20 minutes'", "grace='3 hours'")


RELATION = "(select *  from {} where  value >= 0 or key = 'a  b')"
SAME = "( SELECT * FROM {} -- all of them\n where value >= 0 OR key = 'a  b' /* or so */ )"


def over(text: str) -> str:
    table = "source('raw', 'events')"
    before, after = text.split("{}")
    called = f"'{before}' ~ {table} ~ '{after}'".replace("'a  b'", "\\'a  b\\'")
    return session_model("events").replace(table, called.replace("\n", "\\n"))


# what a model is at first, and what it is then
CHANGES: dict[str, tuple[str, str]] = {
    "sessions": (
        session_model("events", aggregates=ALL),
        session_model("events", aggregates=OTHER),
    ),
    "hopping": (
        session_model("events", HOPPING, aggregates=ALL),
        session_model("events", HOPPING, aggregates=OTHER),
    ),
    "sliding": (
        session_model("events", SLIDING, aggregates=ALL),
        session_model("events", SLIDING, aggregates=OTHER),
    ),
    "final": (
        session_model("events", aggregates=ALL, config={"emit": "final"}),
        session_model("events", aggregates=OTHER, config={"emit": "final"}),
    ),
    "moved": (
        session_model("events", aggregates=ALL),
        session_model("events", aggregates=dict(reversed(ALL.items()))),
    ),
    "written_otherwise": (over(RELATION), over(SAME)),
    "plain": (
        plain("count(*) as n, avg(value) as mean, max(value) as most, session_window.start"),
        plain(
            "session_window.start, COUNT( * ) as rows_2, avg(value) as mean",
            "having count(*) > 0",
            "-- less",
        ),
    ),
    "plain_final": (
        published("count(*) as n, sum(value) / count(*) as mean"),
        published("COUNT( * ) as n, sum(value)/count(*) as mean", "-- the same"),
    ),
    "longer_retention": (
        configured(TUMBLING, retention="1 hour"),
        configured(TUMBLING, retention="4 days", segment_interval="6 hours"),
    ),
    "final_retention": (
        configured(TUMBLING, emit="final"),
        configured(TUMBLING, emit="final", retention="1 day"),
    ),
    "expire": (configured(TUMBLING), configured(TUMBLING, retention="1 hour", expire="delete")),
    "expire_sooner": (
        configured(HOPPING, retention="6 hours", expire="delete"),
        configured(HOPPING, retention="1 hour", expire="delete"),
    ),
    "expiring_sessions": (
        configured(SESSIONS.replace("1 day", "20 minutes"), retention="1 hour"),
        configured(
            SESSIONS.replace("1 day", "20 minutes"),
            retention="1 hour",
            expire="delete",
            segment_interval="1 hour",
        ),
    ),
    "segments": (configured(SESSIONS), configured(SESSIONS, segment_interval="3 hours")),
    "grace_tumbling": (configured(TUMBLING), configured(longer(TUMBLING))),
    "grace_hopping": (
        configured(HOPPING, retention="6 hours", expire="delete"),
        configured(longer(HOPPING), retention="6 hours", expire="delete"),
    ),
    "grace_sessions": (
        session_model("events", SHORT, aggregates=ALL),
        session_model("events", longer(SHORT), aggregates=OTHER),
    ),
    "grace_sliding": (
        session_model("events", SLIDING, aggregates=ALL),
        session_model("events", longer(SLIDING), aggregates=ALL),
    ),
    "grace_plain": (plain("count(*) as n", grace="20 minutes"), plain("count(*) as n")),
}
GRACES = [case for case in CHANGES if case.startswith("grace_")]


SAMPLE = ["sessions", "grace_sessions"]
INCREMENTAL = {"event_windows__must_be": "incremental"}


def columns(project: DbtProject, table: str) -> list[str]:
    names = project.spark.table(f"{project.schema}.{table}").columns
    return [name for name in names if not name.startswith("_ew_")]


def begins(sql: Statement) -> bool:
    """Whether a statement only says that columns are about to be changed."""
    return "'event_windows.reshaping' = 'true'" in sql


@pytest.fixture(scope="module")
def changed(request: pytest.FixtureRequest, project: DbtProject) -> DbtProject:
    """Each model was built, got its other text, was run over nothing new, and over new rows.

    Some of the runs that change tables are killed, after their first statement or their commit.
    """
    cases = selected(request, "case")
    project.create_source("events", events(FIRST), EVENTS)
    for case in cases:
        project.model(case, CHANGES[case][0])
    project.run(*cases)
    for case in cases:
        project.model(case, CHANGES[case][1])
    killed = {"expire": "reshape", "sessions": "reshape", "grace_sessions": "windows"}
    for case in [*cases & {"expire", "sessions", "grace_sessions"}, *cases & {"grace_tumbling"}]:
        with killed_after(
            lambda sql, case=case: sql.step == killed.get(case, "reshape") and not begins(sql)
        ) as kill:
            project.run(case, vars=INCREMENTAL)
        assert kill.happened
    project.run(*cases, vars=INCREMENTAL)
    if "expire" in cases:
        assert not project.rows(
            "select 1 from expire inner join expire__stream_time using (key) "
            "where window_end < stream_time - interval 1 hour"
        )
    for case in cases & {*GRACES}:
        assert not project.rows(f"select 1 from {case}__dropped where reason like 'late%'"), case
        assert sum(run.keys_rebuilt for run in ledger(project, case)) > 0, case
    project.append("events", events(SECOND, len(FIRST)))
    with recorded() as statements:
        project.run(*cases, vars=INCREMENTAL)
    assert not [sql for sql in statements if sql.step == "reshape"]
    for case in cases:
        project.model(f"{case}_again", CHANGES[case][1])
    project.run(*[f"{case}_again" for case in cases])
    return project


@pytest.mark.parametrize("case", sampled(CHANGES, SAMPLE))
def test_the_tables_are_those_of_a_full_refresh(changed: DbtProject, case: str) -> None:
    assert columns(changed, case) == columns(changed, f"{case}_again")
    for end in ["", "__dropped", "__stream_time"]:
        # what was said of a row when it was dropped stays
        without = ["run_id", "source_row"] if end == "__dropped" else []
        found = public(changed, case + end, without)
        assert found == public(changed, f"{case}_again{end}", without), end


@pytest.mark.parametrize("case", ["final"])
def test_the_state_of_a_final_model_too(changed: DbtProject, case: str) -> None:
    state = f"{case}__state"
    assert columns(changed, state) == columns(changed, f"{case}_again__state")
    assert public(changed, state) == public(changed, f"{case}_again__state")


@pytest.mark.parametrize("asks", ["", " {{ 'where true' if event_windows.is_windowed_run() }}"])
def test_questions_and_tests_read_what_the_model_is_over_now(
    project: DbtProject, asks: str
) -> None:
    """A column that no aggregate takes any more may leave the source."""
    name = "narrower" + ("_asking" if asks else "")
    tests = ["no_arrival_is_skipped", "equals_from_scratch", "equals_its_sql"]
    project.create_source("wide", events(FIRST), EVENTS)
    bounds = "session_window.start as window_start, session_window.end as window_end, count(*) as n"

    def over_wide(columns: str) -> str:
        return plain(columns).replace("'events') }}", "'wide') }}" + asks)

    project.model(name, over_wide(f"{bounds}, sum(value) as total"))
    project.run(name)
    project.model(name, over_wide(bounds))
    project.run(name, vars=INCREMENTAL)
    kept = [row[:3] for row in events(FIRST)]
    project.create_source("wide", kept, EVENTS.replace(", value bigint", ""))
    project.append("wide", [row[:3] for row in events(SECOND, len(FIRST))])
    freshness = f"select lag_rows from ({{{{ event_windows.freshness(ref('{name}')) }}}})"
    [row] = project.rows(project.compile(inline=freshness))
    assert row.lag_rows == len(SECOND)
    project.run(name)
    data_tests = [{f"event_windows.{test}": {"name": f"{name}_{test}"}} for test in tests]
    project.write_yaml(f"models/{name}.yml", {"models": [{"name": name, "data_tests": data_tests}]})
    outcome = project.test(name)
    assert {str(result.status) for result in outcome.results} == {"pass"}
    project.append("wide", [row[:3] for row in events([("a", 72)], -1)])
    error = project.test(f"{name}_no_arrival_is_skipped", expect_error=True).error
    assert "Got 1 result" in error


@pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="Delta changes columns in one commit")
def test_a_model_that_is_put_back_when_a_run_that_changed_its_columns_was_killed(
    project: DbtProject,
) -> None:
    """What is only at another place goes back; a column that is gone takes a build."""
    project.create_source("put_back", events(FIRST), EVENTS)
    changes = {"back_moved": dict(reversed(ALL.items())), "back_gone": ONE}
    for name, other in changes.items():
        project.model(name, session_model("put_back", aggregates=ALL))
        project.run(name)
        project.model(name, session_model("put_back", aggregates=other))
        with killed_after(lambda sql: sql.step == "reshape" and not begins(sql)) as kill:
            project.run(name)
        assert kill.happened
        project.model(name, session_model("put_back", aggregates=ALL))
    project.append("put_back", events(SECOND, len(FIRST)))
    error = project.run("back_gone", expect_error=True).error
    assert "lacks the column _ew_mean_" in error or "lacks the column mean" in error
    assert "--full-refresh" in error
    project.run("back_moved")
    project.run("back_gone", full_refresh=True)
    assert columns(project, "back_moved") == columns(project, "back_gone")
    assert public(project, "back_moved") == public(project, "back_gone")


@pytest.mark.skipif(FILE_FORMAT != "delta", reason="features of Delta")
@pytest.mark.parametrize(
    ("name", "value", "then"),
    [("enableRowTracking", "true", "true"), ("columnMapping.mode", "name", "none")],
)
def test_a_table_with_a_feature_whose_state_is_in_properties(
    project: DbtProject, name: str, value: str, then: str
) -> None:
    source = name.replace(".", "_").lower()
    project.create_source(source, events(FIRST), EVENTS)
    project.model(f"{source}_m", session_model(source, aggregates=ALL))
    project.run(f"{source}_m")
    project.rows(f"alter table {source}_m set tblproperties ('delta.{name}' = '{value}')")
    project.model(f"{source}_m", session_model(source, aggregates=OTHER))
    project.run(f"{source}_m")
    project.append(source, events(SECOND, len(FIRST)))
    project.run(f"{source}_m")
    kept = {row.key: row.value for row in project.rows(f"show tblproperties {source}_m")}
    assert kept[f"delta.{name}"] == then
    project.model(f"{source}_anew", session_model(source, aggregates=OTHER))
    project.run(f"{source}_anew")
    assert public(project, f"{source}_m") == public(project, f"{source}_anew")


@pytest.mark.slow
def test_a_longer_grace_whose_late_keys_cannot_be_made_anew(project: DbtProject) -> None:
    """Of a clock that keys share, and of windows that were published, it takes a build."""
    project.create_source("others", events(FIRST), EVENTS)
    models = {
        "shared": ({}, {"stream_time": "global"}, "(stream_time is 'global' and grace is bounded"),
        "published": ({"emit": "final"}, {}, "(emit is 'final'"),
    }
    for window in [SHORT, longer(SHORT)]:
        for name, (config, arguments, why) in models.items():
            text = session_model("others", window, config=config, **arguments)
            project.model(name, text)
            error = project.run(name, expect_error=window != SHORT).error
            assert window == SHORT or f"and their keys cannot be made anew {why}" in error


@pytest.mark.parametrize("asks", ["event_windows.is_windowed_run", "refreshes"])
def test_a_model_that_asks_whether_it_refreshes(project: DbtProject, asks: str) -> None:
    """By itself or by a macro: its relation differs from run to run, its text does not."""
    project.write(
        "macros/refreshes.sql",
        "{% macro refreshes() %}{{ return(event_windows.is_windowed_run()) }}{% endmacro %}",
    )
    name = f"asking_{asks[:2]}"
    project.create_source("asked", events(FIRST), EVENTS)
    relation = "(select * from {} where value >= 0' ~ (' and true' if {}() else '') ~ ')"
    relation = relation.replace("{}()", f"{asks}()")
    text = over(relation).replace("'events'", "'asked'")
    project.model(name, text)
    project.run(name)
    project.append("asked", events(SECOND, len(FIRST)))
    project.model(name, text + " -- the same")
    project.run(name)
    project.model(name, text.replace(">= 0", ">= 20"))
    assert "relation was" in project.run(name, expect_error=True).error
    assert "relation was" in project.operation("event_windows.explain", model=[name])
    project.run(name, full_refresh=True)
    project.run(name)


@pytest.mark.parametrize("in_sql", [False, True])
def test_what_a_model_that_asks_makes_of_vars_and_ephemeral_models(
    project: DbtProject, in_sql: bool
) -> None:
    """A change of either is one of the rows that are read, though not of the model's own text."""
    name, below = (f"{what}_{in_sql}".lower() for what in ["filtered", "below"])
    project.create_source(name + "_rows", events(FIRST), EVENTS)
    ephemeral = "{{ config(materialized='ephemeral') }} select * from " + name + "_rows where {}"
    project.model(below, ephemeral.replace("{}", "value >= 0"))
    asks = "(' and true' if event_windows.is_windowed_run() else '')"
    where = f"' where value >= ' ~ var('least', 0) ~ {asks}"
    source = "{{ source('raw', 'events') }}"
    sql = plain("count(*) as n").replace(source, f"{{{{ ref('{below}') ~ {where} }}}}")
    relation = f"'(select * from ' ~ ref('{below}') ~ {where} ~ ')'"
    call = session_model("events").replace("source('raw', 'events')", relation)
    project.model(name, sql if in_sql else call)
    project.run(name)
    project.append(name + "_rows", events(SECOND, len(FIRST)))
    project.run(name, vars=INCREMENTAL)
    before = public(project, name)
    assert "relation was" in project.run(name, vars={"least": 20}, expect_error=True).error
    project.model(below, ephemeral.replace("{}", "value >= 20"))
    assert "relation was" in project.run(name, expect_error=True).error
    assert public(project, name) == before


@pytest.mark.parametrize("in_sql", [False, True])
def test_a_refresh_may_read_fewer_ephemeral_models_than_a_build(
    project: DbtProject, in_sql: bool
) -> None:
    name, rows = (f"{what}_{in_sql}".lower() for what in ["fewer", "fewer_rows"])
    project.create_source(rows, events(FIRST), EVENTS)
    select = "{{ config(materialized='ephemeral') }} select "
    project.create_source(f"{rows}_old", [(-1,)], "nr bigint")
    project.model(f"older_{in_sql}", f"{select} nr from {rows}_old")
    project.model(f"old_{in_sql}", f"{select} nr from {{{{ ref('older_{in_sql}') }}}} where nr < 0")
    joined = f"' left join ' ~ ref('old_{in_sql}') ~ ' as o on arrival_seq = o.nr'"
    over = f"'{rows}' ~ ('' if event_windows.is_windowed_run() else {joined})"
    sql = plain("count(*) as n").replace("{{ source('raw', 'events') }}", f"{{{{ {over} }}}}")
    columns = "key, event_time, arrival_seq, value"
    call = session_model("events").replace(
        "source('raw', 'events')", f"'(select {columns} from ' ~ {over} ~ ')'"
    )
    project.model(name, sql if in_sql else call)
    project.run(name)
    before = public(project, name)
    project.append(rows, events(SECOND, len(FIRST)))
    project.run(name, vars=INCREMENTAL)
    assert public(project, name) != before


def over_view(
    project: DbtProject, name: str, aggregates: dict[str, str], values: str, in_sql: bool
) -> Callable[[str], None]:
    """A model over a view of the source `<name>_rows`; returns what gives the view other values."""
    source, retyped = f"{name}_rows", f"{project.schema}.{name}_retyped"
    project.create_source(source, events([("a", 0), ("a", 5)]), EVENTS)

    def gives(values: str) -> None:
        columns = f"key, event_time, arrival_seq, {values}"
        project.rows(f"create or replace view {retyped} as select {columns} from {source}")

    gives(values)
    items = ", ".join(f"{sql} as {alias}" for alias, sql in aggregates.items())
    text = plain(items) if in_sql else session_model("events", aggregates=aggregates)
    project.model(name, text.replace("source('raw', 'events')", f"'{retyped}'"))
    project.run(name)
    return gives


@pytest.mark.parametrize("in_sql", [False, True])
def test_values_of_another_type_are_not_stored_into_the_one_before(
    project: DbtProject, in_sql: bool
) -> None:
    """A MERGE would take them, without their fraction; the text of the model is as it was."""
    name = f"retyped_{in_sql}".lower()
    aggregates = {"n": "count(*)", "total": "sum(value)"}
    gives = over_view(project, name, aggregates, "cast(value as int) as value", in_sql)
    gives("value + 0.5D as value")
    project.append(f"{name}_rows", events([("a", 10)], 2))
    before = public(project, name)
    error = project.run(name, expect_error=True).error
    assert "value_types was total=" in error
    assert "--full-refresh" in error
    assert public(project, name) == before
    project.run(name, full_refresh=True)
    assert [row.total for row in project.rows(f"select total from {name}")] == [31.5]


@pytest.mark.parametrize("in_sql", [False, True])
def test_a_sketch_takes_no_values_of_another_type(project: DbtProject, in_sql: bool) -> None:
    """The same numbers as BIGINT have other hashes than as INT, and would be counted twice."""
    name = f"sketched_{in_sql}".lower()
    aggregate = "approx_count_distinct(value) filter (where value is not null)"
    aggregates = {"distinct_values": aggregate if in_sql else f"1 * {aggregate}"}
    gives = over_view(project, name, aggregates, "cast(arrival_seq % 2 as int) as value", in_sql)
    gives("arrival_seq % 2 as value")
    project.append(f"{name}_rows", events([("a", 6), ("a", 10)], 2))
    assert "value_types was distinct_values=" in project.run(name, expect_error=True).error
    project.run(name, full_refresh=True)
    found = project.rows(f"select distinct_values from {name}")
    assert [row.distinct_values for row in found] == [2]


@pytest.mark.parametrize("in_sql", [False, True])
def test_values_that_went_into_text_are_not_joined_by_those_of_another_type(
    project: DbtProject, in_sql: bool
) -> None:
    """7 is '7' as an INT, and '7.0' as a DOUBLE, and either one is a text."""
    name = f"written_{in_sql}".lower()
    aggregates = {
        "listed": "listagg(value, ',')",
        "most": "max(cast(value as string))",
        "of_others": "max(other) filter (where to_json(struct(other)) <> '')",
    }
    values = "cast(value as int) as value, value as other"
    gives = over_view(project, name, aggregates, values, in_sql)
    gives("cast(value as double) as value, value as other")
    project.append(f"{name}_rows", events([("a", 10)], 2))
    error = project.run(name, expect_error=True).error
    assert "value_types was listed=" in error
    assert "value_types was most=" in error
    assert "of_others" not in error
    project.run(name, full_refresh=True)
    (row,) = project.rows(f"select listed, most from {name}")
    assert "." in row.most
    assert row.listed.count(".") == 3
    project.append(f"{name}_rows", events([("a", 12)], 3))
    project.run(name)
