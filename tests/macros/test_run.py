"""macros/run: the order of a run's statements as docs/refresh.md has it, and when it stops."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.documents import statement_order
from tests.harness import Statement, Statements
from tests.macros.rendering import INVOCATION, CompilerError, Relation
from tests.macros.scripted import BUILT, Script, prepared, progress, run

FINAL = {"emit": "final"}


def steps(statements: list[Statement]) -> list[str]:
    found = Statements(statements).steps_of("m")
    # the ledger is made by the first run in a schema
    return found[1:] if found[0] == "ledger" else found


def intent(number: int, full: bool = False) -> dict[str, Any]:
    return {
        "number": number,
        "generation": BUILT,
        "full": full,
        "run_id": "killed",
        "started_at": "2024-04-16 00:00:00",
        "from": [[None, 100]],
        "to": [[None, 150]],
        "source": None,
        "advance_to": None,
        "late": "m__ew_late_killed",
    }


RUNS: dict[str, dict[str, Any]] = {
    "A build": {"build": True},
    "A build with late rows": {"build": True, "script": {"late": True}},
    "A build of final windows": {"build": True, "config": FINAL},
    "A refresh without late rows": {},
    "A refresh with late rows": {"script": {"late": True}},
    "A refresh of final windows": {"config": FINAL},
    "A refresh with nothing new": {"script": {"new": 0}},
}


@pytest.mark.parametrize("title", RUNS)
def test_steps_come_in_the_documented_order(title: str) -> None:
    options = dict(RUNS[title])
    script = Script(**options.pop("script", {}))
    assert steps(run(script, **options)) == statement_order()[title]


def test_every_statement_bears_the_name_of_its_model_and_step() -> None:
    known = {step for order in statement_order().values() for step in order}
    for options in RUNS.values():
        given = dict(options)
        statements = run(Script(**given.pop("script", {})), **given)
        assert {(sql.model, sql.step in known) for sql in statements} == {("m", True)}


@pytest.mark.parametrize(
    ("merged", "title"),
    [
        (False, "A refresh that was interrupted before its MERGE"),
        (True, "A refresh that was interrupted after its MERGE"),
    ],
)
def test_an_interrupted_refresh_is_finished_first(merged: bool, title: str) -> None:
    macros, spec, tables = prepared(Script(late=True, merged=merged, intent=intent(BUILT + 1)))
    macros.adapter.cache_added(tables["intent"].incorporate(type="view"))
    record = macros._record_of(spec, tables)
    done: dict[str, Any] = {"progress": None, "runs": [], "statements": [], "more": False}
    macros._finish_interrupted(spec, tables, record, done)
    statements = [Statement(sql) for sql in done["statements"]]
    # the bounds are those of the refresh that follows
    assert [*steps(statements), "bounds"] == statement_order()[title]
    text = "\n".join(statements)
    # the rows are those that the other run was to read, and its kept table goes
    assert "arrived.arrival_seq > 100 and arrived.arrival_seq <= 150" in text
    assert "drop table if exists s.m__ew_late_killed" in text
    assert ("merge into s.m as stored" in text) is not merged
    # whoever finishes writes in the name of the run that began
    assert "'killed'" in text.partition("insert into s.event_windows_runs")[2]


DROPPED = f"drop view if exists s.m__ew_intent_{BUILT + 1}"


def test_a_build_that_did_not_replace_the_table_is_taken_over_and_given_up() -> None:
    begun = intent(BUILT + 7, full=True) | {"generation": BUILT + 7, "left": ["m__ew_late_0"]}
    macros, spec, tables = prepared(Script(intent=begun))
    macros.adapter.cache_added(tables["intent"].incorporate(type="view"))
    done: dict[str, Any] = {"progress": None, "runs": [], "statements": [], "more": False}
    macros._finish_interrupted(spec, tables, macros._record_of(spec, tables), done)
    statements = [Statement(sql) for sql in done["statements"]]
    assert statements[0].startswith(f"alter view s.m__ew_intent_{BUILT + 1} as")
    # of the tables that were kept: the last one, and older ones that are there
    kept = [sql.split()[4] for sql in statements if sql.startswith("drop table")]
    assert kept == ["s.m__ew_late_killed"]
    assert statements[-1] == DROPPED
    assert done["runs"] == []


def test_what_a_run_left_that_was_killed_at_its_end_is_dropped() -> None:
    ended = progress([[None, 100]]) | {"left": ["m__ew_late_1", "m__ew_late_2"]}
    script = Script(properties={f"event_windows.progress.{BUILT}": ended})
    macros, spec, tables = prepared(script)
    macros._at_slot(tables, None)
    for name in ["m__ew_intent_0", "m__ew_late_2"]:
        macros.adapter.cache_added(Relation(name))
    record = macros._record_of(spec, tables)
    record["build"]["slot"] = 0
    done: dict[str, Any] = {"statements": []}
    macros._drop_left(spec, tables, record, done)
    assert [Statement(sql) for sql in done["statements"]] == [
        "drop view if exists s.m__ew_intent_0",
        "drop table if exists s.m__ew_late_2 purge",
    ]


def test_of_two_runs_that_begin_at_once_one_stops() -> None:
    script = Script()
    macros, spec, tables = prepared(script)
    run_of_this = macros._new_run(BUILT + 1, BUILT)
    later = progress([[None, 200]]) | {"number": BUILT + 1}
    script.properties[f"event_windows.progress.{BUILT + 1}"] = later
    with pytest.raises(CompilerError, match="another run has refreshed"):
        macros._begin(spec, tables, run_of_this)
    # its own one, and only that
    assert [Statement(sql) for sql in macros.asked[-2:]] == [
        f"select by_{INVOCATION.replace('-', '_')} from s.m__ew_intent_{BUILT + 1}",
        DROPPED,
    ]


def test_statements_of_a_run_name_its_own_column_of_the_intent() -> None:
    column = "by_" + INVOCATION.replace("-", "_")
    for sql in run(Script(late=True)):
        if sql.step in ("dropped_rows", "windows", "ledger") and not sql.startswith("select"):
            assert column in sql


@pytest.mark.parametrize("back", [True, False])
def test_rows_below_the_last_number_are_told(back: bool) -> None:
    script = Script(new=-50 if back else 0)
    macros, spec, tables = prepared(script, config={"skipped_rows": "fail"})
    done = {"progress": progress([[None, 100]]), "runs": [], "statements": [], "more": True}
    if not back:
        # twenty rows more than were read, and no number above the last one
        done["progress"]["rows"] = 80
    said = "its numbers went back from 100 to 50" if back else "20 row(s) came with a number"
    with pytest.raises(CompilerError, match=re.escape(said)):
        macros._refresh(spec, tables, None, done)


@pytest.mark.parametrize("counted", [True, False])
def test_rows_without_a_number_are_told_where_nothing_else_is_new(counted: bool) -> None:
    script = Script(new=0, unnumbered=4)
    call = {} if counted else {"relation": "(select * from views)"}
    macros, spec, tables = prepared(script, call=call)
    done = {"progress": progress([[None, 100]]), "runs": [], "statements": [], "more": True}
    done["progress"]["rows"] = 96
    with pytest.raises(CompilerError, match=re.escape("is null in 4 row(s)")):
        macros._refresh(spec, tables, None, done)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"read_unordered": 3}, "is null in 3 row(s)"),
        ({"logged": BUILT + 5}, "run with --full-refresh"),
    ],
)
def test_rows_and_clocks_that_say_not_to_go_on(answer: dict[str, Any], said: str) -> None:
    script = Script()
    summary = script._summary() | answer
    script._summary = lambda: summary  # type: ignore[method-assign]
    with pytest.raises(CompilerError, match=re.escape(said)):
        run(script)


def test_the_largest_number_leaves_none_for_later_rows() -> None:
    macros, spec, _ = prepared(Script(new=2**63 - 1 - 100))
    with pytest.raises(CompilerError, match="has the largest number that there is"):
        macros._set_bounds(spec, macros._new_run(BUILT + 1, BUILT))


def test_clocks_are_moved_without_new_rows() -> None:
    statements = run(Script(new=0), vars={"event_windows__advance_to": "2030-01-01"})
    order = [step for step in statement_order()["A refresh without late rows"] if step != "windows"]
    assert steps(statements) == order
    (inserted,) = [sql for sql in statements if sql.startswith("insert into s.m__ew_clocks")]
    # the first SELECT of a UNION gives the columns their names
    assert (
        inserted.partition("from (")[2]
        .strip()
        .startswith("select user_id, 1893456000000000 as _ew_clock from (")
    )


def test_a_build_says_what_it_built_and_a_refresh_what_it_changed() -> None:
    macros, spec, tables = prepared(Script(late=True))
    done: dict[str, Any] = {
        "progress": progress([[None, 100]]), "runs": [], "statements": [], "more": True,
    }  # fmt: skip
    macros._refresh(spec, tables, None, done)
    assert macros._outcome(done) == {
        "message": "100 rows, 2 late: 3 windows inserted, 2 updated, 1 deleted",
        "windows": 6,
    }
    assert macros._outcome({"runs": []}) == {"message": "nothing new", "windows": 0}


def test_what_bears_a_name_of_the_model_makes_way() -> None:
    macros, spec, tables = prepared(Script())
    for name, type in [("m", "view"), ("m__stream_time", "table"), ("m__state", "table")]:
        macros.adapter.cache_added(Relation(name, type=type))
    macros._make_way(spec, tables, None)
    assert set(macros.adapter.relations) & {"s.m", "s.m__stream_time", "s.m__state"} == set()
