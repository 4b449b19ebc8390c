"""Keys made anew by hand, rows that are skipped, what is refused, and what is killed."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.explain.told import came_true, explained
from tests.formats import iceberg_table, keep_log, set_back, version
from tests.harness import FILE_FORMAT, DbtProject, Killed, Statement, killed_after, sampled, watched
from tests.protocol.test_kills import after
from tests.protocol.test_left_behind import held_back
from tests.retract.test_any_change import BOTH_VERSIONS, LAYOUTS
from tests.session_models import EVENTS, SESSIONS, at, events, ledger, public, session_model

pytestmark = pytest.mark.apart

# that tell rows without an arrival order
UNORDERED = [layout for layout in LAYOUTS if "delta.enableChangeDataFeed" not in layout]
TABLES = ["", "__stream_time", "__dropped", "__ew_clocks"]
RETRACT = {"source_changes": "retract"}
REBUILD = "event_windows__rebuild"


def make(project: DbtProject, source: str, rows: list[tuple[Any, ...]]) -> None:
    project.create_source(source, rows, EVENTS)
    keep_log(project, source)


def tables_of(project: DbtProject, name: str) -> list[list[str]]:
    return [public(project, name + suffix, without=["run_id"]) for suffix in TABLES[:3]]


ROWS = events([("a", 0), ("b", 5), ("a", 4000), ("a", 1), ("b", 9), (None, 3), ("c", None)])


def test_keys_by_a_condition(project: DbtProject) -> None:
    """An update, a key that vanishes, rows that were skipped; other keys stay as they were."""
    project.create_source("loads", ROWS, EVENTS)
    project.model("loads_m", session_model("loads"))
    project.run("loads_m", full_refresh=True)
    project.rows("update loads set value = -1, event_time = event_time + interval 1 hour")
    project.rows("delete from loads where key = 'a'")
    project.append("loads", events([("b", 12), ("d", 7)], 7))
    before = project.rows("select * from loads_m where key = 'c'")
    project.run("loads_m", vars={REBUILD: "key in ('a', 'b')"})
    found = project.rows("select key, n from loads_m order by key, window_start")
    assert [(row.key, row.n) for row in found] == [("b", 1), ("b", 2), ("d", 1)]
    assert project.rows("select * from loads_m where key = 'c'") == before
    for suffix in TABLES:
        assert not project.rows(f"select 1 from loads_m{suffix} where key = 'a'"), suffix
    last = ledger(project, "loads_m")[-1]
    assert (last.rows_read, last.keys_rebuilt, last.rows_rebuilt) == (1, 2, 3)
    project.run("loads_m")
    assert len(ledger(project, "loads_m")) == 2
    project.run("loads_m", vars={REBUILD: "true"})
    project.model("loads_w", session_model("loads"))
    project.run("loads_w")
    assert tables_of(project, "loads_m") == tables_of(project, "loads_w")


def test_a_condition_on_a_key_that_is_no_number(project: DbtProject) -> None:
    """NaN is above every number to Spark, and in no bound of a file by which Iceberg skips it."""
    project.create_source(
        "prices",
        [(float("nan"), at(0), 0, 1), (50.0, at(0), 1, 1)],
        EVENTS.replace("key string", "key double"),
    )
    project.model("prices_m", session_model("prices"))
    project.run("prices_m")
    project.rows("update prices set value = 7, event_time = event_time + interval 1 hour")
    project.run("prices_m", vars={REBUILD: "key > 100"})
    found = project.rows("select window_start from prices_m order by key")
    assert [row.window_start for row in found] == [
        at(minutes).replace(tzinfo=None) for minutes in (0, 60)
    ]


def test_how_many_keys_is_told(project: DbtProject) -> None:
    """The line of the clocks that bears only a number is no key's; a clock may go with its keys."""
    project.create_source("two_keys", events([("a", 0), ("b", 5)]), EVENTS)
    window = "event_windows.session(gap='30 minutes', grace='unbounded')"
    for name, clock in {"two_keys_m": "key", "two_keys_g": "global"}.items():
        project.model(name, session_model("two_keys", window, stream_time=clock))
    both = ["two_keys_m", "two_keys_g"]
    project.run(*both)
    project.run(*both, vars={REBUILD: "true"})
    project.run(*both, vars={REBUILD: "key is null"})
    project.rows("delete from two_keys")
    project.run(*both, vars={REBUILD: "true"})
    for name, clocks in {"two_keys_m": 2, "two_keys_g": 1}.items():
        told = [(line.keys_tracked, line.keys_rebuilt) for line in ledger(project, name)]
        assert told == [(clocks, 0), (clocks, 2), (0, 2)], name


@pytest.mark.slow
def test_all_windows_go(project: DbtProject) -> None:
    make(project, "gone", ROWS)
    project.model("gone_m", session_model("gone", config=RETRACT))
    project.run("gone_m", full_refresh=True)
    project.rows("delete from gone")
    project.run("gone_m")
    assert tables_of(project, "gone_m") == [[], [], []]
    project.append("gone", events([("a", 10), ("e", 20)]))
    project.run("gone_m")
    project.run("gone_m")
    assert [row.n for row in project.rows("select n from gone_m")] == [1, 1]


def test_a_key_goes_whose_windows_were_the_newest(project: DbtProject) -> None:
    """A window of another key, in an older segment, bears the record of what is not there."""
    days = 24 * 60
    make(project, "newest", events([("a", 0), ("b", 4 * days)]))
    project.model("newest_m", session_model("newest", config=RETRACT))
    project.run("newest_m", full_refresh=True)
    project.rows("delete from newest where key = 'b'")
    project.run("newest_m")
    project.append("newest", events([("a", 1)], 2))
    project.run("newest_m")
    assert [(row.key, row.n) for row in project.rows("select key, n from newest_m")] == [("a", 2)]


def test_two_sessions_that_begin_at_one_instant(project: DbtProject) -> None:
    """The first had left the state when the second came, which goes to it again."""
    make(project, "twins", events([("a", 10), ("a", 20), ("a", 14), ("a", 18), ("a", 10)]))
    window = "event_windows.session(gap='5 minutes', grace='2 minutes')"
    config = RETRACT | {"retention": "7 minutes"}
    project.model("twins_m", session_model("twins", window, config=config))
    project.run("twins_m", full_refresh=True)
    starts = "select n from twins_m where window_start = timestamp'2024-04-17 00:10:00' order by n"
    assert len(project.rows(starts)) == 2
    project.rows("update twins set value = value + 1 where arrival_seq = 0")
    project.run("twins_m")
    assert len(project.rows(starts)) == 2
    project.rows("delete from twins where arrival_seq in (1, 2, 3)")
    project.run("twins_m")
    assert [row.n for row in project.rows("select n from twins_m")] == [2]


def test_two_sessions_that_begin_and_end_at_one_instant(project: DbtProject) -> None:
    """A row whose own gap reaches into what is in time, beside one that had left the state."""
    make(project, "alike", [("a", at(0), 0, 0), ("a", at(60), 1, 0), ("b", at(0), 3, 0)])
    window = "event_windows.session(gap_by='value * interval 1 minute', grace='20 minutes')"
    config = RETRACT | {"retention": "20 minutes"}
    total = {"total": "sum(value)"}
    project.model("alike_m", session_model("alike", window, config=config, aggregates=total))
    project.run("alike_m", full_refresh=True)
    project.append("alike", [("a", at(0), 4, 45)])
    project.run("alike_m")
    values = "select total from alike_m order by key, window_start, total"
    assert [row.total for row in project.rows(values)] == [0, 45, 0, 0]
    # a window that is one of its kind bears the record
    project.rows("delete from alike where key = 'b'")
    project.run("alike_m")
    assert [row.total for row in project.rows(values)] == [0, 45, 0]
    # as a build makes them, one
    project.rows("update alike set value = 1 where arrival_seq = 0")
    project.run("alike_m")
    assert [row.total for row in project.rows(values)] == [46, 0]
    assert len(ledger(project, "alike_m")) == 4


def test_rows_that_were_skipped(project: DbtProject) -> None:
    make(project, "skips", events([("a", 0), ("b", 5)], 10))
    project.model("skips_m", session_model("skips", config={"skipped_rows": "rebuild"}))
    project.run("skips_m", full_refresh=True)
    project.append("skips", events([("a", 8), ("f", 9)], 3))
    project.append("skips", events([("b", 6)], 12))
    project.run("skips_m")
    found = project.rows("select key, n from skips_m order by key")
    assert [(row.key, row.n) for row in found] == [("a", 2), ("b", 2), ("f", 1)]
    assert ledger(project, "skips_m")[-1].rows_skipped == 0
    project.write_yaml(
        "models/skips.yml",
        {"models": [{"name": "skips_m", "data_tests": ["event_windows.no_arrival_is_skipped"]}]},
    )
    project.test("skips_m")
    # the next run takes it
    project.append("skips", events([("b", 7)], 4))
    project.test("skips_m")
    project.run("skips_m")
    project.rows("delete from skips where key = 'f'")
    project.run("skips_m")
    project.test("skips_m")


REFUSED = {
    "final": ({"emit": "final"}, {}, "emit is 'final'"),
    "shared": ({}, {"stream_time": "global"}, "stream_time is 'global'"),
    "beside": ({}, {"partition": "value"}, "partition 'value' is no key column"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_before_anything_is_written(project: DbtProject, name: str) -> None:
    config, arguments, sentence = REFUSED[name]
    make(project, "plain", ROWS)
    window = SESSIONS
    model = session_model("plain", window, config=RETRACT | config, **arguments)
    project.model(f"refused_{name}", model)
    error = project.run(f"refused_{name}", expect_error=True).error
    assert sentence in error
    assert "cannot be made anew" in error
    assert not project.spark.catalog.tableExists(f"{project.schema}.refused_{name}")


def test_what_is_no_condition_over_keys_is_told(project: DbtProject) -> None:
    make(project, "told", ROWS)
    project.model("told_m", session_model("told"))
    project.run("told_m", full_refresh=True)
    for given, why in {
        "value = 1": "'value' is no key column",
        "key": "Spark does not take it: ",
        "key = 'a' and zone is null": "`zone` cannot be resolved",
        "key in (select zone from told)": "`zone` cannot be resolved",
    }.items():
        error = project.run("told_m", vars={REBUILD: given}, expect_error=True).error
        assert why in error
        told = explained(project, "told_m", vars={REBUILD: given})["told_m"]
        assert told["run"] == "stops"
        assert why in told["why"][0]


CONDITIONS = {
    "`KEY` = 'a' -- one": 1,
    "key in (select max('a') union all select 'b')": 2,
    "exists(array('b', 'c'), x -> x = key)": 2,
    "case when key = 'a' then true else false end": 1,
    "current_date > date '1970-01-01' and upper(key) = 'A'": 1,
    "interval 1 day > interval 1 hour and cast(key as date) is null": 4,
    "key = \"a\" or key = 'a''; b'": 1,
    "key = 'nobody'": 0,
}


@pytest.mark.slow
def test_conditions_of_every_form_choose_their_keys(project: DbtProject) -> None:
    make(project, "chosen", ROWS)
    project.model("chosen_m", session_model("chosen"))
    project.run("chosen_m", full_refresh=True)
    for given, keys in CONDITIONS.items():
        before = len(ledger(project, "chosen_m"))
        project.run("chosen_m", vars={REBUILD: given})
        last = ledger(project, "chosen_m")[before:]
        assert [line.keys_rebuilt for line in last] == [keys] * (keys > 0), given


def test_a_select_over_several_rows_is_refused(project: DbtProject) -> None:
    make(project, "several", ROWS)
    text = session_model("several", config=RETRACT).replace(
        "source('raw', 'several')", "'(select distinct * from ' ~ source('raw', 'several') ~ ')'"
    )
    project.model("several_m", text)
    assert "DISTINCT" in project.run("several_m", expect_error=True).error


def test_a_column_of_the_format_is_refused(project: DbtProject) -> None:
    """Rows in a log have none; a column of the table's own may have such a name (Iceberg: not)."""
    own = "_partition" if FILE_FORMAT == "delta" else "part"
    project.create_source("lies", [(*row, 1) for row in ROWS], f"{EVENTS}, {own} int")
    keep_log(project, "lies")
    beside = "_metadata.file_path" if FILE_FORMAT == "delta" else "_file"
    for name, column in {"lies_f": beside, "lies_o": own}.items():
        select = f"(select *, {column} as x from {project.schema}.lies)"
        text = session_model("lies", config=RETRACT, aggregates={"n": "count(x)"})
        project.model(name, text.replace("source('raw', 'lies')", repr(select)))
    error = project.run("lies_f", expect_error=True).error
    assert f"it reads {beside.split('.')[0]}, which says where a row lies" in error
    project.run("lies_o")
    project.rows("delete from lies where key = 'a'")
    project.run("lies_o")
    assert [row.key for row in project.rows("select distinct key from lies_o")] == ["b"]


@pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="Delta names no versions beside a table")
def test_a_branch_has_no_log_that_is_followed(project: DbtProject) -> None:
    """Nor has a tag, or a version by its name; a table may be called as one."""
    make(project, "branched", ROWS)
    make(project, "branch_of_b", ROWS)
    table = iceberg_table(project, "branched")
    snapshot = table.currentSnapshot().snapshotId()
    table.manageSnapshots().createBranch("audit").createTag("month", snapshot).commit()
    names = ["branched.branch_audit", "branched.tag_month", f"branched.snapshot_id_{snapshot}"]
    for place, name in enumerate([*names, "branch_of_b"]):
        given = RETRACT if place else {"skipped_rows": "rebuild"}
        select = f"(select * from {project.schema}.{name})"
        text = session_model("branched", config=given)
        project.model(f"branched_{place}", text.replace("source('raw', 'branched')", repr(select)))
    error = project.run(*(f"branched_{n}" for n in range(4)), expect_error=True).error
    for name in names:
        assert f"{name} is a branch, a tag or an old version of spark_catalog" in error
    assert error.count("which has no log of its own") == 3
    assert project.rows("select 1 from branched_3")


def test_a_word_for_the_day_is_a_text_beside_a_text(project: DbtProject) -> None:
    make(project, "worded", ROWS)
    select = f"(select * from {project.schema}.worded where key <> 'now')"
    text = session_model("worded", config=RETRACT)
    project.model("worded_m", text.replace("source('raw', 'worded')", repr(select)))
    project.run("worded_m")
    project.rows("delete from worded where key = 'a'")
    project.run("worded_m")
    assert {row.key for row in project.rows("select key from worded_m")} == {"b"}


@pytest.mark.parametrize("in_sql", [False, True])
def test_over_an_ephemeral_model(project: DbtProject, in_sql: bool) -> None:
    """The CTE that dbt makes of it reads the table once, in a text that has it as in a call."""
    name = f"passing_{in_sql}".lower()
    make(project, name, ROWS)
    select = "{{ config(materialized='ephemeral') }} select * from {{ source('raw', '" + name
    project.model(f"{name}_below", select + "') }} where value >= 0")
    text = session_model(name, config=RETRACT)
    if in_sql:
        text = text.partition("\n")[0].replace("') }}", "', grace='1 day', ") + (
            "arrival_order='arrival_seq') }}\nselect key, count(*) as n\n"
            f"from {{{{ source('raw', '{name}') }}}} group by key, window(event_time, '1 hour')"
        )
    project.model(f"{name}_m", text.replace(f"source('raw', '{name}')", f"ref('{name}_below')"))
    project.run(f"{name}_m")
    project.rows(f"delete from {name} where key = 'a'")
    project.run(f"{name}_m")
    assert {row.key for row in project.rows(f"select key from {name}_m")} >= {"b"}
    assert not project.rows(f"select 1 from {name}_m where key = 'a'")


def test_new_rows_must_be_those_of_the_first_table(project: DbtProject) -> None:
    """The log of the first one is followed: changes of the other would go unseen."""
    make(project, "second", ROWS)
    project.create_source("firsts", [("a", "x"), ("b", "y")], "key string, name string")
    schema = project.schema
    text = session_model("second", config=RETRACT)
    joined = f"(select s.* from {schema}.firsts f join {schema}.second s on s.key = f.key)"
    swapped = f"(select s.* from {schema}.second s join {schema}.firsts f on s.key = f.key)"
    project.model("second_m", text.replace("source('raw', 'second')", f"'{joined}'"))
    error = project.run("second_m", expect_error=True).error
    assert f"not sure that new rows are those of {schema}.firsts" in error
    project.model("second_m", text.replace("source('raw', 'second')", f"'{swapped}'"))
    project.run("second_m", full_refresh=True)
    project.rows("delete from second where key = 'a'")
    project.run("second_m")
    assert {row.key for row in project.rows("select key from second_m")} == {"b"}


def test_a_row_that_goes_with_its_partner(project: DbtProject) -> None:
    """Its key is its own: the join, which it had a part in, gives nothing of it any more."""
    make(project, "partnered", ROWS)
    project.create_source("partners", [("a", True), ("b", True)], "key string, agrees boolean")
    rows, partners = f"{project.schema}.partnered", f"{project.schema}.partners"
    selects = {
        "using": f"select * from {rows} join {partners} using (key) where agrees",
        "semi": f"select * from {rows} left semi join {partners} using (key)",
        "named": f"select r.key as who, event_time, r.arrival_seq as seq, r.key as again "
        f"from {rows} as r join {partners} as p on r.key = p.key",
    }
    named = {"key": ["who", "again"], "arrival_order": "seq"}
    for name, select in selects.items():
        arguments = named if name == "named" else {}
        text = session_model("partnered", config=RETRACT, **arguments)
        project.model(
            f"partnered_{name}", text.replace("source('raw', 'partnered')", f"'({select})'")
        )
    models = [f"partnered_{name}" for name in selects]
    project.run(*models)
    assert all(project.rows(f"select 1 from {name} where n > 0") for name in models)
    project.rows("delete from partners where key = 'a'")
    project.rows("delete from partnered where key = 'a'")
    project.run(*models)
    for name in models:
        key = "who" if name.endswith("named") else "key"
        for suffix in TABLES:
            assert not project.rows(f"select 1 from {name}{suffix} where {key} = 'a'"), suffix
        assert project.rows(f"select 1 from {name} where {key} = 'b'")
        assert ledger(project, name)[-1].keys_rebuilt == 1


def test_a_key_that_the_text_names_anew(project: DbtProject) -> None:
    """By the names of a CTE's columns, or by an item before it, which is no column of the table."""
    columns = "by string, " + EVENTS
    rows = [("b", *events([("a", 0)], 1)[0]), ("a", *events([("b", 0)], 2)[0])]
    project.create_source("referred", rows, columns)
    keep_log(project, "referred")
    project.create_source("referrers", [("a",), ("b",)], "by string")
    table, other = f"{project.schema}.referred", f"{project.schema}.referrers"
    of_cte = "with c (key, by, event_time, arrival_seq) as (select {} from " + table + ") "
    semi = f"left semi join {other} using (by)"
    selects = {
        "cte": of_cte.format("by, key, event_time, arrival_seq") + f"select * from c {semi}",
        "item": f"select lower(by) as b2, b2 as key, event_time, arrival_seq from {table} {semi}",
        "star": of_cte.format("* except (value)") + f"select * from c {semi}",
    }
    for name, select in selects.items():
        text = session_model("referred", config=RETRACT)
        project.model(
            f"referred_{name}", text.replace("source('raw', 'referred')", f'"({select})"')
        )
    error = project.run("referred_star", expect_error=True).error
    assert "not sure that new rows are those of" in error
    project.run("referred_cte", "referred_item")
    project.rows("delete from referred where arrival_seq = 1")
    project.run("referred_cte", "referred_item")
    for name in ["referred_cte", "referred_item"]:
        assert [row.key for row in project.rows(f"select key from {name}")] == ["a"]


@pytest.mark.parametrize("windows", [True, False])
def test_the_log_is_followed_from_the_first_run_on(project: DbtProject, windows: bool) -> None:
    """Also where that finds nothing new, and where no window is there to bear the record."""
    name = f"begun_{windows}".lower()
    make(project, name, ROWS if windows else events([("a", None), ("b", None)]))
    project.model(f"{name}_m", session_model(name))
    project.run(f"{name}_m")
    project.model(f"{name}_m", session_model(name, config=RETRACT))
    told = explained(project, f"{name}_m")[f"{name}_m"]
    assert (told["run"], told["refreshes"]) == ("incremental", 1)
    came_true(project, told)
    project.rows(f"delete from {name} where key = 'a'")
    project.run(f"{name}_m")
    project.run(f"{name}_m")
    for suffix in TABLES:
        assert not project.rows(f"select 1 from {name}_m{suffix} where key = 'a'"), suffix
    told = [(line.rows_read, line.keys_rebuilt) for line in ledger(project, f"{name}_m")]
    assert told == [(7 if windows else 2, 0), (0, 0), (0, 1)]


def test_the_log_is_begun_again_where_it_was_not_followed(project: DbtProject) -> None:
    """It need not reach back to before, and what changed meanwhile stays as it was counted."""
    make(project, "paused", ROWS)
    project.model("paused_m", session_model("paused", config=RETRACT))
    project.run("paused_m")
    project.model("paused_m", session_model("paused"))
    project.rows("drop table paused")
    make(project, "paused", ROWS)
    project.append("paused", events([("a", 4001), ("d", 0)], 7))
    project.run("paused_m")
    project.model("paused_m", session_model("paused", config=RETRACT))
    project.rows("delete from paused where key = 'd'")
    project.run("paused_m")
    assert project.rows("select 1 from paused_m where key = 'd'")
    project.rows("delete from paused where key = 'a'")
    project.run("paused_m")
    assert {row.key for row in project.rows("select key from paused_m")} == {"b", "d"}


def stopped_before_clocks(project: DbtProject, source: str) -> list[str]:
    """What a run was still to send, dropped rows and clocks, over a copy of its slices."""
    slow: list[str] = []

    def kept(sql: Statement) -> None:
        if sql.step == "dropped_rows" and sql.startswith(("insert", "merge")):
            slow.append(str(sql))
        if sql.step == "clocks" and sql.startswith("insert"):
            (view,) = set(re.findall(r"\w+__ew_slices_\w+", sql))
            project.rows(f"create table {source}_s using {FILE_FORMAT} as select * from {view}")
            slow.append(sql.replace(view, f"{source}_s"))
            raise Killed(sql)

    with suppress(Killed), watched(before=kept):
        project.run(f"{source}_m")
    return slow


def test_a_slow_run_brings_no_clock_back(project: DbtProject) -> None:
    """Its clocks come when others have finished what it began, and made the key anew."""
    make(project, "brought", events([("a", 0), ("b", 0)]))
    tumbling = "event_windows.tumbling(size='10 minutes', grace='1 hour')"
    config = RETRACT | {"expire": "delete", "retention": "30 days"}
    project.model("brought_m", session_model("brought", tumbling, config=config))
    project.run("brought_m")
    project.append("brought", events([("a", 5000)], 2))
    [slow] = stopped_before_clocks(project, "brought")
    project.run("brought_m")
    project.rows("delete from brought where arrival_seq = 2")
    project.run("brought_m")
    clocks = "select key, max(_ew_clock) as clock from brought_m__ew_clocks group by key"
    before = project.rows(f"{clocks} order by key")
    project.spark.sql(slow)
    assert project.rows(f"{clocks} order by key") == before


def test_a_slow_build_brings_nothing_back(project: DbtProject) -> None:
    """Nor does it bring back a dropped row of a key that was made anew meanwhile."""
    make(project, "slowly", events([("a", 0), ("a", 5000), ("a", 5)]))
    tumbling = "event_windows.tumbling(size='10 minutes', grace='0 seconds')"
    project.model("slowly_m", session_model("slowly", tumbling, config=RETRACT))
    slow = stopped_before_clocks(project, "slowly")
    assert len(slow) == 2
    project.run("slowly_m")
    assert len(project.rows("select * from slowly_m__dropped")) == 1
    project.rows(f"update slowly set event_time = timestamp '{at(3)}' where arrival_seq = 1")
    project.run("slowly_m")
    before = tables_of(project, "slowly_m")
    assert before[2] == []
    for sql in slow:
        project.spark.sql(sql)
    assert tables_of(project, "slowly_m") == before


@pytest.mark.parametrize("relation", sampled(["table", "select", "view"], ["table", "view"]))
def test_rows_that_go_and_come_back_while_they_are_read(project: DbtProject, relation: str) -> None:
    """The versions that the next run compares both have them."""
    name = f"back_{relation}"
    make(project, name, events([("a", 0), ("b", 0), ("c", 0)]))
    options = ", ".join(f"'{option}' = '{value}'" for option, value in BOTH_VERSIONS.items())
    if FILE_FORMAT == "delta":
        project.rows(f"alter table {name} set tblproperties ('delta.enableChangeDataFeed'='false')")
    project.rows(f"alter table {name} set tblproperties ({options})")
    project.rows(f"delete from {name} where arrival_seq = 2")
    project.append(name, events([("a", 5)], 3))
    text = session_model(name, config=RETRACT)
    source = f"source('raw', '{name}')"
    if relation == "select":
        text = text.replace(source, f"'(select * from ' ~ {source} ~ ' where value >= 0)'")
    if relation == "view":
        view = "{{ config(materialized='view') }} select * from {{ %s }} where value >= 0"
        project.model(f"{name}_v", view % source)
        project.run(f"{name}_v")
        text = text.replace(source, f"ref('{name}_v')")
    model = f"{name}_m"
    project.model(model, text)
    project.run(model)
    project.append(name, events([("a", 7), ("a", 90), ("b", 5)], 4))
    before = version(project, name)
    steps: list[str] = []

    def go(sql: Statement) -> None:
        if sql.step == "slices" and not steps:
            steps.append("slices")
            project.rows(f"delete from {name} where arrival_seq in (4, 5)")

    def come_back(sql: Statement) -> None:
        if sql.step == "windows" and len(steps) == 1:
            steps.append("windows")
            if FILE_FORMAT == "iceberg":
                project.append(name, events([("a", 7), ("a", 90)], 4))
            else:
                project.rows(f"restore table {name} to version as of {before}")

    with watched(go, come_back):
        project.run(model)
    assert steps == ["slices", "windows"]
    project.run(model)
    found = project.rows(f"select key, n from {model} order by key, window_start")
    assert [(row.key, row.n) for row in found] == [("a", 3), ("a", 1), ("b", 2)]


def test_a_log_that_does_not_reach_back(project: DbtProject) -> None:
    make(project, "short", ROWS)
    project.model("short_m", session_model("short", config=RETRACT))
    project.run("short_m", full_refresh=True)
    project.rows("drop table short")
    make(project, "short", ROWS)
    project.append("short", events([("a", 50)], 20))
    error = project.run("short_m", expect_error=True).error
    assert "cannot be told" in error
    assert "--full-refresh" in error


@pytest.mark.parametrize("config", [RETRACT, {"skipped_rows": "rebuild"}], ids=str)
def test_the_first_version_of_a_table_may_have_rows(
    project: DbtProject, config: dict[str, str]
) -> None:
    """As CREATE TABLE AS SELECT makes one, in Delta version 0, and without a feed."""
    name = "_".join(config)
    project.create_source(name, ROWS[:3], EVENTS)
    project.create_source("copied", ROWS[:3], EVENTS)
    project.rows(f"drop table {name}")
    project.rows(f"create table {name} using {FILE_FORMAT} as select * from copied")
    project.model(f"{name}_m", session_model(name, config=config))
    if FILE_FORMAT == "delta":
        assert "it keeps no change data" in project.run(f"{name}_m", expect_error=True).error
        return
    project.run(f"{name}_m")
    project.rows(f"delete from {name} where key = 'b'")
    project.rows(f"insert into {name} select 'd', event_time, -1, 0 from {name} limit 1")
    project.run(f"{name}_m")
    assert {row.key for row in project.rows(f"select key from {name}_m")} == {"a", "d"}


def test_a_key_that_shares_a_hash_with_another(project: DbtProject) -> None:
    """These two have the same 20 bits of Murmur3; the rows of one are pruned, and stay counted."""
    rows = [(258, at(0), 0, 0), (709, at(0), 1, 0)]
    project.create_source("hashed", rows, EVENTS.replace("key string", "key int"))
    project.model("hashed_m", session_model("hashed"))
    project.run("hashed_m")
    project.rows("delete from hashed where key = 709")
    project.run("hashed_m", vars={REBUILD: "key = 258"})
    found = project.rows("select key, n from hashed_m order by key")
    assert [tuple(row) for row in found] == [(258, 1), (709, 1)]


@pytest.mark.parametrize("many", [False, True])
def test_a_condition_that_names_other_keys_after_a_kill(project: DbtProject, many: bool) -> None:
    """What follows from a commit is done for the keys that it has made anew."""
    name = f"asked_{many}".lower()
    late = [("a", 0), ("a", 180), ("a", 6), ("b", 0), ("b", 180), ("b", 6)]
    more = [(f"k{n}", 0) for n in range(150 * many)]
    project.create_source(name, events(late + more), EVENTS)
    project.rows(f"create or replace table {name}_keys using {FILE_FORMAT} as select 'a' as k")
    project.rows(f"insert into {name}_keys select distinct key from {name} where key like 'k%'")
    tumbling = "event_windows.tumbling(size='30 minutes', grace='20 minutes')"
    project.model(f"{name}_m", session_model(name, tumbling))
    project.run(f"{name}_m")
    condition = {REBUILD: f"key in (select k from {project.schema}.{name}_keys)"}
    with suppress(Killed), killed_after(lambda sql: sql.step == "windows"):
        project.run(f"{name}_m", vars=condition)
    project.rows(f"update {name}_keys set k = 'b' where k = 'a'")
    if many:
        error = project.run(f"{name}_m", expect_error=True).error
        assert "had made 151 key(s) anew" in error
        project.rows(f"update {name}_keys set k = 'a' where k = 'b'")
    project.run(f"{name}_m")
    project.append(name, events([("b", 12)], 1000))
    project.run(f"{name}_m")
    dropped = project.rows(f"select arrival_seq from {name}_m__dropped order by all")
    assert [row.arrival_seq for row in dropped] == [2, 5, 1000]
    found = project.rows(f"select n from {name}_m where key in ('a', 'b')")
    assert [row.n for row in found] == [1, 1, 1, 1]


def test_a_table_without_any_version_at_first(project: DbtProject) -> None:
    """As CREATE TABLE makes one in Iceberg; and a build without rows (--empty) over a SELECT."""
    make(project, "blank", [])
    project.rows("drop table blank")
    feed = "tblproperties ('delta.enableChangeDataFeed' = 'true')" * (FILE_FORMAT == "delta")
    project.rows(f"create table blank ({EVENTS}) using {FILE_FORMAT} {feed}")
    ordered = session_model("blank", config=RETRACT)
    selected = ordered.replace(
        "source('raw', 'blank')", "'(select * from ' ~ source('raw', 'blank') ~ ')'"
    )
    project.model("blank_m", ordered)
    project.model("blank_u", session_model("blank", config=RETRACT, arrival_order=None))
    project.model("blank_s", selected)
    project.run("blank_m", "blank_u")
    project.run("blank_s", empty=True)
    project.append("blank", events([("a", 0), ("b", 5)]))
    project.run("blank_m", "blank_u", "blank_s")
    project.rows("delete from blank where key = 'a'")
    project.run("blank_m", "blank_u", "blank_s")
    for name in ["blank_m", "blank_u", "blank_s"]:
        assert [row.key for row in project.rows(f"select key from {name}")] == ["b"], name


@pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="a table of Delta always has a version")
@pytest.mark.parametrize("config", [RETRACT, {"skipped_rows": "rebuild"}], ids=str)
def test_a_table_that_was_made_again_without_rows(
    project: DbtProject, config: dict[str, str]
) -> None:
    """The log is followed from when it has no row; those of before are in no log of it."""
    [(option, _)] = config.items()
    source, model = f"anew_{option}", f"anew_{option}_m"
    make(project, source, events([("a", 0), ("b", 5)], 100))
    project.model(model, session_model(source))
    project.run(model)
    project.rows(f"create or replace table {source} ({EVENTS}) using iceberg")
    project.model(model, session_model(source, config=config))
    project.run(model)
    before = tables_of(project, model)
    project.append(source, events([("a", 0), ("b", 0)]))
    error = project.run(model, expect_error=True).error
    assert f"what changed in {project.schema}.{source} since the last refresh" in error
    assert "run with --full-refresh" in error
    assert explained(project, model)[model]["run"] == "stops"
    assert tables_of(project, model) == before
    project.run(model, full_refresh=True)
    project.rows(f"delete from {source} where key = 'a'")
    project.run(model)
    assert [row.key for row in project.rows(f"select key from {model}")] == ["b"]


@pytest.mark.parametrize("layout", sampled(UNORDERED, UNORDERED[:1]), ids=str)
def test_a_row_that_comes_and_goes_between_two_refreshes(
    project: DbtProject, layout: dict[str, str]
) -> None:
    """Without an arrival order it is new to a scan of what was appended, and is not there."""
    name = f"flies_{UNORDERED.index(layout)}"
    project.create_source(name, events([("a", 0), ("b", 5)]), EVENTS)
    _set(project, name, layout)
    unordered = SESSIONS.replace("1 day", "unbounded")
    model = session_model(name, unordered, config=RETRACT, arrival_order=None)
    project.model(f"{name}_m", model)
    project.run(f"{name}_m", full_refresh=True)
    project.append(name, events([("q", 1), ("r", 2), ("a", 3)], 2))
    project.append(name, events([("b", 4)], 5))
    project.rows(f"delete from {name} where key = 'q' or arrival_seq = 4")
    project.run(f"{name}_m")
    found = project.rows(f"select key, n from {name}_m order by key")
    assert [(row.key, row.n) for row in found] == [("a", 1), ("b", 2), ("r", 1)]


@pytest.mark.slow
def test_a_feed_that_is_switched_on_later(project: DbtProject) -> None:
    """Delta: before it there is nothing in the feed, and rows are told by their ids."""
    if FILE_FORMAT != "delta":
        pytest.skip("only Delta has a change data feed")
    for name, before, is_told in [
        ("fed", {"delta.enableRowTracking": "true"}, True),
        ("unfed", {"delta.enableChangeDataFeed": "true"}, False),
    ]:
        project.create_source(name, ROWS, EVENTS)
        _set(project, name, before)
        project.model(f"{name}_m", session_model(name, config=RETRACT))
        project.run(f"{name}_m", full_refresh=True)
        _set(project, name, {"delta.enableChangeDataFeed": "false"})
        project.rows(f"delete from {name} where arrival_seq = 1")
        _set(project, name, {"delta.enableChangeDataFeed": "true"})
        project.rows(f"delete from {name} where arrival_seq = 0")
        outcome = project.run(f"{name}_m", expect_error=not is_told)
        assert is_told or "run with --full-refresh" in outcome.error
        assert is_told or "not for all of that time" in outcome.error
        if is_told:
            project.model(f"{name}_w", session_model(name))
            project.run(f"{name}_w")
            assert tables_of(project, f"{name}_m") == tables_of(project, f"{name}_w")


@pytest.mark.skipif(FILE_FORMAT != "delta", reason="a table of Iceberg that is set back stops it")
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_a_table_that_is_set_back(project: DbtProject, layout: dict[str, str]) -> None:
    """Rows that come back with RESTORE bear the commits of before, where rows are tracked."""
    place = LAYOUTS.index(layout)
    source, names = f"back_{place}", [f"back_{place}_{end}" for end in "mwu"]
    rows = events([("a", 0), ("a", 100), ("a", 1), ("b", 3), ("c", 4), ("b", 7)])
    project.create_source(source, rows, EVENTS)
    _set(project, source, layout)
    unbounded = SESSIONS.replace("1 day", "unbounded")
    project.model(names[0], session_model(source, config=RETRACT))
    project.model(names[1], session_model(source))
    project.model(names[2], session_model(source, unbounded, config=RETRACT, arrival_order=None))
    project.run(*names)
    before = version(project, source)
    project.rows(f"delete from {source} where arrival_seq in (1, 3)")
    project.append(source, events([("c", 5), ("d", 6)], 6))
    project.rows(f"update {source} set key = 'b' where arrival_seq = 4")
    project.run(names[0], names[2])
    for to in (before, version(project, source)):
        set_back(project, source, to)
        project.run(names[0], names[2])
        project.run(names[1], full_refresh=True)
        assert tables_of(project, names[0]) == tables_of(project, names[1])
        assert public(project, names[2]) == public(project, names[1])
        # a later commit than those that were undone
        project.append(source, events([("a", 2), ("e", 8)], 20 + to))


def _set(project: DbtProject, table: str, properties: dict[str, str]) -> None:
    options = ", ".join(f"'{option}' = '{value}'" for option, value in properties.items())
    project.rows(f"alter table {table} set tblproperties ({options})")


@pytest.mark.slow
def test_a_column_that_is_added_between(project: DbtProject) -> None:
    """Rows of the version before have it not, in each way in which changes are told."""
    for place, layout in enumerate(LAYOUTS):
        name = f"wider_{place}"
        project.create_source(name, ROWS, EVENTS)
        _set(project, name, layout)
        for model, config in [("m", RETRACT), ("w", {})]:
            project.model(f"{name}_{model}", session_model(name, config=config))
        project.run(f"{name}_m", full_refresh=True)
        project.rows(f"alter table {name} add columns (more int)")
        project.rows(f"delete from {name} where arrival_seq = 1")
        project.rows(f"update {name} set key = 'z', more = 3 where arrival_seq = 0")
    project.run(*[f"wider_{place}_m" for place, _ in enumerate(LAYOUTS)])
    project.run(*[f"wider_{place}_w" for place, _ in enumerate(LAYOUTS)])
    for place, layout in enumerate(LAYOUTS):
        for end in TABLES[:3]:
            # what was dropped before had no such column
            found, due = (
                public(project, f"wider_{place}_{model}{end}", without=["run_id", "source_row"])
                for model in "mw"
            )
            assert found == due, (layout, end)


def test_a_clock_that_keys_share(project: DbtProject) -> None:
    """The row that goes is of another key than the one that was dropped at its time."""
    make(project, "common", events([("a", 0), ("b", 50), (None, 10), ("c", None)]))
    window = SESSIONS.replace("1 day", "unbounded")
    for model, config in [("m", RETRACT), ("w", {})]:
        text = session_model("common", window, config=config, stream_time="global")
        project.model(f"common_{model}", text)
    project.run("common_m", full_refresh=True)
    project.rows("delete from common where key = 'b'")
    project.run("common_m", "common_w")
    assert tables_of(project, "common_m") == tables_of(project, "common_w")


@pytest.mark.slow
def test_clocks_moved_while_keys_are_made_anew(project: DbtProject) -> None:
    """Those of keys that are there, new ones among them, and none of a key that has gone."""
    make(project, "moved", ROWS)
    project.model("moved_m", session_model("moved", config=RETRACT))
    project.run("moved_m", full_refresh=True)
    project.rows("delete from moved where key = 'a'")
    project.rows("update moved set key = 'z' where arrival_seq = 4")
    project.run("moved_m", vars={"event_windows__advance_to": "2024-05-01 00:00:00"})
    clocks = project.rows("select key, stream_time from moved_m__stream_time order by key")
    # 'c' has a row without a time, which moves no clock
    assert [row.key for row in clocks] == ["b", "z"]
    assert {row.stream_time for row in clocks} == {at(14 * 24 * 60).replace(tzinfo=None)}
    assert not project.rows("select 1 from moved_m__ew_clocks where key = 'a'")


def test_moved_clocks_of_scopes_that_have_gone(project: DbtProject) -> None:
    """One moves none that a full refresh would not have, whoever shares it."""
    make(project, "gone", events([("a", 0), ("b", 0)]))
    window = SESSIONS.replace("1 day", "unbounded")
    of_partition = {"stream_time": "partition", "partition": "key"}
    clocks = {"key": {}, "part": of_partition, "all": {"stream_time": "global"}}
    names = [f"gone_{clock}" for clock in clocks]
    for name, arguments in zip(names, clocks.values(), strict=True):
        project.model(name, session_model("gone", window, config=RETRACT, **arguments))
    project.run(*names)
    project.rows("delete from gone where key = 'a'")
    project.run(*names, vars={"event_windows__advance_to": "2024-05-01"})
    for name in names:
        [clock] = project.rows(f"select * from {name}__stream_time")
        assert clock.stream_time == at(14 * 24 * 60).replace(tzinfo=None), name
        assert ledger(project, name)[-1].keys_tracked == 1, name
    project.rows("delete from gone")
    project.run(*names, vars={"event_windows__advance_to": "2024-06-01"})
    for name in names:
        left = project.rows(f"select * from {name}__stream_time")
        assert all(clock.stream_time is None for clock in left), name
        last = ledger(project, name)[-1]
        assert (last.keys_tracked, last.stream_time) == (0, None), name


def test_moved_clocks_of_keys_that_had_gone_when_windows_began_to_leave(
    project: DbtProject,
) -> None:
    """The log takes up what a killed run was to append, without those that it made anew."""
    make(project, "went", events([("a", 0), ("b", 0)]))
    hours = "event_windows.tumbling(size='1 hour', grace='0 seconds')"
    project.model("went_m", session_model("went", hours, config=RETRACT))
    project.run("went_m")
    project.append("went", events([("b", 60)], 2))
    project.run("went_m")
    project.rows("delete from went where key = 'a'")
    with killed_after(lambda sql: sql.step == "windows") as kill, suppress(Killed):
        project.run("went_m", vars={"event_windows__advance_to": "2024-05-01"})
    assert kill.happened
    leaves = {"expire": "delete", "retention": "30 days"}
    project.model("went_m", session_model("went", hours, config=RETRACT | leaves))
    project.run("went_m")
    assert [row.key for row in project.rows("select key from went_m__stream_time")] == ["b"]
    project.append("went", events([("a", 5)], 3))
    project.run("went_m")
    assert [row.n for row in project.rows("select n from went_m where key = 'a'")] == [1]
    assert not project.rows("select * from went_m__dropped")


@pytest.mark.slow
def test_killed_after_each_statement(project: DbtProject) -> None:
    """A refresh that makes keys anew, killed everywhere, ends as a full refresh does."""
    make(project, "killed", ROWS)
    project.model("killed_w", session_model("killed"))
    places, ended = 0, False
    while not ended:
        name = f"killed_{places}"
        project.rows("delete from killed")
        project.append("killed", ROWS)
        project.model(name, session_model("killed", config=RETRACT))
        project.run(name, full_refresh=True)
        project.rows("delete from killed where arrival_seq = 2")
        project.rows("update killed set key = 'z' where arrival_seq = 1")
        project.append("killed", events([("a", 2), ("c", 60), ("b", 1)], 7))
        with killed_after(after(name, places), may_end=True) as kill, suppress(Killed):
            project.run(name)
        ended = not kill.happened
        project.run(name)
        if places == 0:
            project.run("killed_w", full_refresh=True)
        assert tables_of(project, name) == tables_of(project, "killed_w"), places
        assert len(ledger(project, name)) == 2
        places += 1
    assert places > 15


@pytest.mark.slow
def test_of_two_runs_at_once_the_second_changes_nothing(project: DbtProject) -> None:
    """The first is stopped right before its commit, and sends it when the other has ended."""
    make(project, "raced", ROWS)
    project.model("raced_m", session_model("raced", config=RETRACT))
    project.run("raced_m", full_refresh=True)
    project.rows("delete from raced where arrival_seq = 2")
    project.append("raced", events([("a", 2), ("b", 60)], 7))
    merge = held_back(project, "raced_m", "windows")
    project.rows("delete from raced where arrival_seq = 0")
    project.run("raced_m")
    project.rows(merge)
    project.run("raced_m")
    project.model("raced_w", session_model("raced"))
    project.run("raced_w")
    assert tables_of(project, "raced_m") == tables_of(project, "raced_w")
    assert len(ledger(project, "raced_m")) == 2


def test_nothing_of_a_person_is_left(project: DbtProject) -> None:
    """After the key was made anew, and old versions have gone, no file has it."""
    name = "secret-person-17"
    make(project, "persons", [(name, at(0), 0, 0), ("b", at(5), 1, 1), (name, at(4000), 2, 2)])
    project.append("persons", [(name, at(1), 3, 3), ("b", at(3), 4, 4)])
    project.model("persons_m", session_model("persons", config=RETRACT))
    project.run("persons_m", full_refresh=True)
    assert project.rows("select 1 from persons_m__dropped")
    project.rows(f"delete from persons where key = '{name}'")
    project.run("persons_m")
    for suffix in TABLES:
        for row in project.rows(f"select to_json(struct(*)) as row from persons_m{suffix}"):
            assert name not in row.row, suffix
    for suffix in ["", "__dropped", "__ew_clocks"]:
        assert _files_with(project, f"persons_m{suffix}", name)  # versions before still have it
        _let_go(project, f"persons_m{suffix}")
        assert not _files_with(project, f"persons_m{suffix}", name)


def _let_go(project: DbtProject, table: str) -> None:
    whole = f"{project.schema}.{table}"
    if FILE_FORMAT == "delta":
        project.rows("set spark.databricks.delta.retentionDurationCheck.enabled = false")
        project.rows(
            f"alter table {table} set tblproperties ('delta.enableChangeDataFeed' = 'false')"
        )
        project.rows(f"vacuum {table} retain 0 hours")
        return
    loaded = iceberg_table(project, table)
    now = project.rows(f"select max(unix_millis(committed_at)) as at from {whole}.snapshots")[0].at
    actions = project.spark._jvm.org.apache.iceberg.spark.actions.SparkActions.get()
    # as the procedure does: by what no snapshot reaches, and not by what snapshots say they deleted
    actions.expireSnapshots(loaded).expireOlderThan(now + 1).retainLast(1).execute()


def _files_with(project: DbtProject, table: str, name: str) -> list[Path]:
    """The files of a table that have a row with this text."""
    folder = project.folder / table
    files = [path for path in folder.rglob("*.parquet") if "_delta_log" not in path.parts]
    return [
        path
        for path in files
        if any(name in row for row in project.spark.read.parquet(str(path)).toJSON().collect())
    ]


@pytest.mark.parametrize("layout", sampled(UNORDERED, UNORDERED[-1:]), ids=str)
def test_rows_that_were_updated_to_what_they_were(
    project: DbtProject, layout: dict[str, str]
) -> None:
    """With row lineage they are as new as inserted ones, and no log of changes shows them."""
    name = f"same_{UNORDERED.index(layout)}"
    project.create_source(name, events([("a", 0), ("b", 0), ("b", 5), ("c", 0)]), EVENTS)
    _set(project, name, layout)
    unordered = SESSIONS.replace("1 day", "unbounded")
    model = session_model(name, unordered, config=RETRACT, arrival_order=None)
    project.model(f"{name}_m", model)
    project.run(f"{name}_m", full_refresh=True)
    project.append(name, events([("a", 1), ("d", 0)], 4))
    project.rows(f"update {name} set value = value where key = 'b'")
    project.run(f"{name}_m")
    found = project.rows(f"select key, n from {name}_m order by key")
    assert [(row.key, row.n) for row in found] == [("a", 2), ("b", 2), ("c", 1), ("d", 1)]
