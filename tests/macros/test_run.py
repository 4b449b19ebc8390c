"""macros/run: the order of a run's statements as docs/refresh.md has it, and when it stops."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.documents import statement_order
from tests.harness import Statement, Statements
from tests.macros.rendering import INVOCATION, CompilerError, Model, Relation
from tests.macros.scripted import BUILT, CALL, HOME, Script, prepared, progress, rendered, run

FINAL = {"emit": "final"}


def steps(statements: list[Statement]) -> list[str]:
    found = Statements(statements).steps_of("m")
    # the ledger is made by the first run in a schema
    return found[1:] if found[0] == "ledger" else found


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


# how many statements: with two by which the model is compiled, without what home and dbt ask
SENT = {
    "A build": 27,
    "A build with late rows": 29,
    "A build of final windows": 33,
    "A refresh without late rows": 13,
    "A refresh with late rows": 16,
    "A refresh of final windows": 22,
    "A refresh with nothing new": 7,
}


@pytest.mark.parametrize("title", RUNS)
def test_nothing_is_asked_twice(title: str) -> None:
    """Each statement takes a moment, however little it reads."""
    options = dict(RUNS[title])
    script = Script(**options.pop("script", {}))
    run(script, **options)
    assert len(script.sent) == SENT[title]


@pytest.mark.parametrize("format", ["iceberg", "delta"])
def test_a_build_empties_tables_of_its_own_format_alone(format: str) -> None:
    """A refresh asks what stands beside the windows for what only its own format has."""
    for now in ("iceberg", "delta"):
        columns = [{"col_name": "n", "data_type": "bigint", "comment": None}]
        detail = [("", ""), ("Provider", now)]
        told = columns + [{"col_name": name, "data_type": said} for name, said in detail]
        macros = rendered(answer=lambda sql, told=told: told if "extended" in sql else told[:1])
        there = Relation("m__dropped", type="table", information=f"Provider: {format}\n")
        macros.adapter.cache_added(there)
        stays = macros._has_columns({"file_format": "iceberg"}, there, {"n": "bigint"})
        # what dbt knows may be of before another run has made the table anew
        assert stays == (format == "iceberg" or now == "iceberg")


def test_every_statement_bears_the_name_of_its_model_and_step() -> None:
    known = {step for order in statement_order().values() for step in order}
    for options in RUNS.values():
        given = dict(options)
        statements = run(Script(**given.pop("script", {})), **given)
        assert {(sql.model, sql.step in known) for sql in statements} == {("m", True)}


def test_what_tells_which_keys_were_made_anew_goes_last() -> None:
    """Keys of late rows are told by these: a run that is killed before has still to ask them."""
    macros, spec, tables = prepared(Script())
    done = {"progress": progress([[None, 100]]), "runs": [], "statements": [], "more": True}
    macros._refresh(spec, tables, None, done | {"rebuild": "user_id = 'a'"})
    deletes = [sql.split(" as ")[0] for sql in done["statements"] if "\ndelete" in sql]
    assert [sql.split()[-1] for sql in deletes] == ["s.m__ew_clocks", "s.m__dropped"]


def test_what_follows_from_a_commit_is_done_by_whoever_finds_it_missing() -> None:
    script = Script(told=BUILT, keyless=True, bare=True)
    committed = progress([[None, 150]]) | {"number": BUILT + 1, "full": False}
    committed |= {"run_id": "killed", "from": [[None, 100]], "logged": BUILT, "logs": False}
    script.properties["event_windows.progress"] = committed
    statements = run(script)
    order = statement_order()["A refresh that was killed after its commit"]
    assert steps(statements)[: len(order)] == order
    text = "\n".join(statements)
    # the rows are those that the other run has read
    assert "arrived.arrival_seq > 100 and arrived.arrival_seq <= 150" in text
    # and it is done in its name, once
    ledger = text.partition("insert into s.event_windows_runs")[2]
    assert "'killed'" in ledger
    assert "where not exists" in ledger.partition(";")[0]


def test_the_line_of_a_killed_run_has_what_its_own_would_have() -> None:
    """Rows that it found skipped; and no window that was updated to bear the record alone."""
    script = Script(told=BUILT, new=0, bare=True)
    anew = {"keys": 1, "rows": 0, "others": 0, "late": 0, "late_partial": 0}
    anew |= {"classes": "4711", "where": None, "late_rows": False}
    anew |= {"from": 3, "to": 4, "commits": None}
    committed = progress([[None, 100]]) | {"number": BUILT + 1, "full": False, "last": 0}
    committed |= {"run_id": "killed", "logged": BUILT, "logs": False, "rebuilt": anew, "skipped": 7}
    script.properties["event_windows.progress"] = committed
    [ledger] = [sql for sql in run(script) if sql.startswith("insert into s.event_windows_runs")]
    assert "cast(7 as bigint) as rows_skipped" in ledger
    assert "cast(1 as bigint) as windows_updated" in ledger


def test_of_two_runs_with_one_number_the_second_stops() -> None:
    with pytest.raises(CompilerError, match="another run has refreshed"):
        run(Script(rival=True))


def test_a_run_that_another_one_overtakes_does_not_take_its_table_for_set_back() -> None:
    with pytest.raises(CompilerError, match="another run has refreshed"):
        run(Script(rival=True, ended=True))


def test_dropped_rows_of_a_run_that_did_not_commit_are_removed() -> None:
    uncounted = (
        f"from s.m__dropped where _ew_refresh < {BUILT} "
        f"or (_ew_refresh = {BUILT} and run_id <> 'earlier')"
    )
    last, removed, *_ = run(Script(uncounted=3))
    assert f"(select count(*) {uncounted}) as uncounted" in last
    assert removed == f"delete {uncounted}"
    assert not [sql for sql in run(Script()) if sql.startswith("delete")]


def test_rows_bear_the_progress_of_their_refresh() -> None:
    merge = next(sql for sql in run(Script()) if sql.startswith("merge into s.m as"))
    (text,) = re.findall(r"'(\{.*\})' as _ew_progress", merge)
    found = json.loads(text)
    assert (found["number"], found["generation"]) == (BUILT + 1, BUILT)
    assert (found["from"], found["through"]) == ([[None, 100]], [[None, 200]])
    assert (found["rows"], found["last"]) == (200, 100)
    assert found["runs"] == [[BUILT, "earlier"], [BUILT + 1, INVOCATION]]


def test_rows_bear_how_many_were_found_skipped() -> None:
    script = Script()
    # the source has twenty rows more than were read
    script.properties["event_windows.build"] = progress([[None, 100]]) | {"rows": 80}
    merge = next(sql for sql in run(script) if sql.startswith("merge into s.m as"))
    assert '"skipped": 20' in merge


def test_a_refresh_that_changes_no_window_lets_one_bear_its_progress() -> None:
    script = Script(new=2, late=True)
    (merge,) = [sql for sql in run(script) if sql.step == "windows"]
    assert "_ew_segment\n    limit 1\n) as carrier" in merge
    assert "_ew_refresh >= " in merge


@pytest.mark.parametrize("arrival", ["arrival_seq", None])
@pytest.mark.parametrize("moved", [0, 1])
def test_a_refresh_of_late_rows_merges_the_windows_that_these_make(
    arrival: str | None, moved: int
) -> None:
    """One behind a late row holds what a stored one does, and no new row."""
    script = Script(new=2, late=True, moved_windows=moved)
    statements = run(script, "sliding", call={"arrival_order": arrival})
    (merge,) = [sql for sql in statements if sql.step == "windows"]
    assert ("as carrier" in merge) == (not moved)
    assert ('"moved_windows": 1' in merge) == bool(moved)
    (ledger,) = [sql for sql in statements if sql.startswith("insert into s.event_windows_runs")]
    assert f"cast({3 * moved} as bigint) as windows_inserted" in ledger


def test_the_line_of_a_killed_run_has_the_windows_that_late_rows_made() -> None:
    script = Script(told=BUILT, new=2, late=True, bare=True)
    committed = progress([[None, 102]]) | {"number": BUILT + 1, "full": False, "run_id": "killed"}
    committed |= {"from": [[None, 100]], "logged": BUILT, "logs": False, "moved_windows": 1}
    script.properties["event_windows.progress"] = committed
    statements = run(script, "sliding")
    ledger = next(sql for sql in statements if sql.startswith("insert into s.event_windows_runs"))
    assert "cast(3 as bigint) as windows_inserted" in ledger


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


@pytest.mark.parametrize("back", [True, False])
def test_rows_below_the_last_number_are_told_after_a_commit_that_read_none(back: bool) -> None:
    """Clocks were moved alone: the rows of the refresh before that are those to count again."""
    script = Script(new=0)
    call = {"relation": "(select * from views)"}
    macros, spec, tables = prepared(script, call=call, config={"skipped_rows": "fail"})
    done = {"progress": None, "runs": [], "statements": [], "more": True}
    read = progress([[None, 100]]) | {"full": False, "from": [[None, 90]], "last": 10}
    done["progress"] = read
    bounds = {"arrival_partition": None, "arrival_from": 100, "arrival_to": 100, "n": 12}
    bounds |= {"new_rows": 0, "again": 10, "unordered": 0}
    script._step = lambda step, sql, then=script._step: (  # type: ignore[method-assign]
        [dict(bounds)] if step == "bounds" else then(step, sql)
    )
    macros._refresh(spec, tables, 1893456000000000, done)
    assert done["progress"]["number"] == read["number"] + 1
    assert (done["progress"]["from"], done["progress"]["last"]) == ([[None, 100]], 0)
    bounds |= {"again": 0, "arrival_to": 1} if back else {"again": 12}
    said = "its numbers went back from 100 to 1" if back else "2 row(s) came with a number"
    done["more"] = True
    with pytest.raises(CompilerError, match=re.escape(said)):
        macros._refresh(spec, tables, None, done)
    assert "arrived.arrival_seq > 90" in done["statements"][-1 - back]


@pytest.mark.parametrize("build", [True, False])
@pytest.mark.parametrize(("there", "gone"), [(1, 0), (0, 1)])
def test_a_row_that_committed_when_rows_had_been_counted_is_none_that_is_gone(
    build: bool, there: int, gone: int
) -> None:
    """They are counted once more where fewer are there than were read."""
    script = Script()
    before = {} if build else progress([[None, 100]])
    read = 200 if build else 100
    bounds = {"arrival_to": 200, "total": 199}
    script._step = lambda step, sql, then=script._step: (  # type: ignore[method-assign]
        ([{"total": 199 + there, "above_200": 0}] if "above_200" in sql else [bounds])
        if step == "bounds"
        else then(step, sql)
    )
    macros, spec, _ = prepared(script)
    made = macros._new_run(BUILT + 1, BUILT, full=build, previous=before)
    if not build:
        made["from"] = before["through"]
    seen = macros._set_bounds(spec, made)
    found = macros._count_skipped(spec, made, seen, read)
    told = 0 if build else gone
    assert found == {"skipped": 0, "unseen": -gone, "gone": told}
    # of which Spark reads only files that can hold some
    assert "from s.views where arrival_seq > 200" in made["statements"][-1]


class WithoutFunctions(Script):
    def __call__(self, sql: str) -> Any:
        if sql.startswith("show user functions"):
            return [{"function": "other"}]
        return super().__call__(sql)


def test_keys_made_anew_that_have_late_rows_need_the_functions() -> None:
    """Their rows are read as a build's, and no build has looked for the functions."""
    macros, spec, tables = prepared(WithoutFunctions(late=True))
    macros._read_rows(spec, tables, macros._new_run(BUILT, BUILT, full=True), {"rows": None})
    anew = macros._new_run(BUILT + 1, BUILT, full=True)
    with pytest.raises(CompilerError, match="event_windows_replay"):
        macros._read_rows(spec, tables, anew, {"rows": None})


def leaves_views(statements: list[str]) -> set[str]:
    """Those that were cached and not dropped."""
    found = re.findall(r"(cache lazy table|drop view if exists) (\S+)", "\n".join(statements))
    dropped = {view for what, view in found if what.startswith("drop")}
    assert [what for what, _ in found if what.startswith("cache")]
    return {view for _, view in found} - dropped


@pytest.mark.parametrize("why", ["unordered", "skipped", "unregistered", "rival"])
def test_a_run_that_stops_leaves_nothing_cached(why: str) -> None:
    """The session may live on, as that of a server does."""
    script = (WithoutFunctions if why == "unregistered" else Script)(
        late=why == "unregistered", rival=why == "rival"
    )
    summary = script._summary() | {"read_unordered": int(why == "unordered")}
    script._summary = lambda: summary  # type: ignore[method-assign]
    macros, spec, tables = prepared(script, config={"skipped_rows": "fail"})
    done = {"progress": progress([[None, 100]]), "runs": [], "statements": [], "more": True}
    done["progress"]["rows"] -= 20 * (why == "skipped")
    with pytest.raises(CompilerError):
        macros._refresh(spec, tables, None, done)
    assert leaves_views(done["statements"]) == set()


@pytest.mark.parametrize("build", [True, False])
def test_a_run_that_ends_where_another_one_has_done_more_leaves_nothing_cached(build: bool) -> None:
    """A build before a later one; what follows from a commit, whose rows are others by now."""
    script = Script(told=BUILT - 1, clocked=BUILT - 1)
    macros, spec, tables = prepared(script)
    done = {"progress": None, "runs": [], "statements": [], "more": True}
    record = macros._record_of(spec, tables)
    if build:
        script.properties["event_windows.build"] = progress([]) | {"number": 10 * BUILT}
    else:
        summary = script._summary() | {"read_rows": 101}
        script._summary = lambda: summary  # type: ignore[method-assign]
    goes_on = (macros._build, (None,)) if build else (macros._follow_up, ())
    why = "another run that began later" if build else "there are 101 now"
    with pytest.raises(CompilerError, match=why):
        goes_on[0](spec, tables, record, *goes_on[1], done)
    assert leaves_views(done["statements"]) == set()


@pytest.mark.parametrize("back", [True, False])
def test_rows_below_the_last_number_do_not_stop_what_counts_them(back: bool) -> None:
    script = Script(new=-50 if back else 0)
    summary = script._summary() | {"read_rows": 20}
    script._summary = lambda: summary  # type: ignore[method-assign]
    macros, spec, tables = prepared(script, config={"skipped_rows": "fail"})
    done = {"progress": progress([[None, 100]]), "runs": [], "statements": [], "more": True}
    done |= {"rebuild": "user_id = 'a'"}
    if not back:
        done["progress"]["rows"] = 80
    macros._refresh(spec, tables, None, done)
    assert [run["rebuilt"]["what"]["keys"] for run in done["runs"]] == [2]
    said = "its numbers went back from 100 to 50" if back else "20 row(s) came with a number"
    (told,) = [line for line in macros.logged if said in line]
    assert "of which this run counts those whose keys it makes anew" in told
    assert "no refresh reads them" not in told


def test_numbers_of_a_source_that_is_empty_now_did_not_go_back() -> None:
    """A table that is emptied each time, and filled with the rows to come."""
    script = Script(new=0)
    bounds = {"arrival_to": None, "total": 0}
    script._step = lambda step, sql, then=script._step: (  # type: ignore[method-assign]
        [bounds] if step == "bounds" else then(step, sql)
    )
    macros, spec, tables = prepared(script, config={"skipped_rows": "fail"})
    done = {"progress": progress([[None, 100]]), "runs": [], "statements": [], "more": True}
    macros._refresh(spec, tables, None, done)
    assert [Statement(sql).step for sql in done["statements"]] == ["bounds"]


@pytest.mark.parametrize("build", [True, False])
def test_python_gets_as_few_rows_at_once_whoever_has_counted_them(build: bool) -> None:
    """Those of a source without an arrival order, or of keys made anew, are known once read."""
    call = {"arrival_order": None} if build else {}
    macros, spec, tables = prepared(Script(new=30_000_000), "sliding", call)
    done = {"progress": progress([[None, 100]]), "runs": [], "statements": [], "more": True}
    if build:
        macros._build(spec, tables, None, None, done)
    else:
        macros._refresh(spec, tables, None, done | {"rebuild": "user_id = 'a'"})
    commit = next(sql for sql in done["statements"] if Statement(sql).step == "windows")
    assert set(re.findall(r"pmod\(hash\(_ew_key\), (\d+)\)", commit)) == {"61"}


RETRACT = {"source_changes": "retract"}


def test_the_first_refresh_that_follows_a_log_commits() -> None:
    assert "windows" in [sql.step for sql in run(Script(new=0), config=RETRACT)]
    followed = {"table": "s.views", "version": "78/5", "identity": None}
    macros, spec, tables = prepared(Script(new=0), config=RETRACT)
    done = {"progress": progress([[None, 100]]), "runs": [], "statements": [], "more": True}
    done["progress"]["followed"] = followed
    macros._refresh(spec, tables, None, done)
    assert [Statement(sql).step for sql in done["statements"]] == ["bounds"]


def test_a_log_that_was_not_followed_for_a_while_is_begun_again() -> None:
    """What changed meanwhile stays as it was counted, and that is said."""
    done = {"progress": progress([[None, 100]]), "runs": [], "statements": [], "bare": False}
    done["progress"]["followed"] = {"table": "s.views", "version": "77/4", "identity": None}
    for config, followed in ({}, None), (RETRACT, "78/5"):
        macros, spec, tables = prepared(Script(), config=config)
        macros._refresh(spec, tables, None, done | {"more": True, "rivalled": False})
        (run,) = done["runs"]
        done = done | {"progress": macros._progress(spec, run), "runs": []}
        assert done["progress"].get("followed", {}).get("version") == followed
        said = [text for text in macros.logged if "before now was not followed" in text]
        assert len(said) == (followed is not None)


@pytest.mark.parametrize("build", [True, False])
def test_rows_of_a_followed_source_are_of_the_version_that_is_recorded(build: bool) -> None:
    """What goes and comes back while they are read is in no version that is compared later."""
    statements = run(Script(late=True, new=30_000), build=build, config=RETRACT)
    reading = [sql for sql in statements if "from s.views" in sql and sql.step != "bounds"]
    assert {sql.step for sql in reading} == {"slices", "late_rows"}
    for sql in reading:
        assert "from s.views.snapshot_id_78 as arrived" in sql
        assert sql.count("s.views") == sql.count("s.views.snapshot_id_78 as arrived")
    (commit,) = [sql for sql in statements if "_ew_progress" in sql and sql.step == "windows"]
    assert 'sion": "78/5"' in commit


@pytest.mark.parametrize("config", [{}, RETRACT], ids=str)
@pytest.mark.parametrize("followed", [77, 70, None])
@pytest.mark.parametrize("then", [6, 8])
@pytest.mark.parametrize("counted", ["others", "rows", None])
def test_rows_that_a_killed_run_had_read_are_there_or_their_keys_are_made_anew(
    config: dict[str, str], followed: int | None, counted: str | None, then: int
) -> None:
    """Rows beside keys that were made anew, and those of these, are counted apart.

    The log reaches back to snapshot 77.
    """
    anew = {"keys": 1, "rows": 7, "others": 7} | ({counted: then} if counted else {})
    committed = {"run_id": "killed", "last": 7, "rebuilt": anew}
    if followed:
        version = f"{followed}/4"
        committed["followed"] = {"table": "s.views", "version": version, "identity": None}
    tells = bool(config) and followed == 77
    macros, spec, _ = prepared(Script(), config=config)
    resumed = {"run_id": "killed", "progress": committed, "read": {"rows": 7}}
    resumed["rebuilt"] = {"run": {"read": {"rows": 7}}}
    told = macros._about_other_rows(spec, resumed)
    now = "of which 7 are there now" if then == 8 else "and between the same numbers there are 7"
    if counted is None or tells:
        assert told in (None, "None")
    else:
        assert f"had read {then} row(s), {now}" in str(told)
    resumed |= {"rebuilt": None, "progress": committed | {"rebuilt": None, "last": then}}
    told = macros._about_other_rows(spec, resumed)
    assert (told in (None, "None")) == tells


@pytest.mark.parametrize("config", [{}, RETRACT], ids=str)
@pytest.mark.parametrize("changed", ["others", "anew", None])
@pytest.mark.parametrize("recorded", [True, False])
def test_as_many_rows_as_a_killed_run_had_read_may_be_others(
    config: dict[str, str], changed: str | None, recorded: bool
) -> None:
    """Former records tell how many there were, and nothing else."""
    macros, spec, _ = prepared(Script(), config=config)
    anew = {"keys": 1, "rows": 7, "others": 5} | ({"digest": -3} if recorded else {})
    committed = {"run_id": "killed", "rebuilt": anew} | ({"digest": 2**62} if recorded else {})
    committed["followed"] = {"table": "s.views", "version": "77/4", "identity": None}
    resumed: dict[str, Any] = {"run_id": "killed", "progress": committed}
    resumed["read"] = {"rows": 5, "digest": 1 if changed == "others" else 2**62}
    resumed["rebuilt"] = {"run": {"read": {"rows": 7, "digest": 1 if changed == "anew" else -3}}}
    told = str(macros._about_other_rows(spec, resumed))
    if changed and recorded and not config:
        then = {"others": 5, "anew": 7}[changed]
        assert f"had read {then} row(s), and some of these were updated since" in told
    else:
        assert told == "None"


@pytest.mark.parametrize("build", [True, False])
def test_clocks_of_a_refresh_that_the_ledger_tells_are_not_appended(build: bool) -> None:
    statements = run(Script(), build=build, config=FINAL)
    (appended,) = [sql for sql in statements if sql.startswith("insert into s.m__ew_clocks")]
    number = BUILT + 1
    told = f"select 1 from s.event_windows_runs where model = 'm' and _ew_refresh = {number}"
    assert f"where not exists ({told} and run_id = '{INVOCATION}')" in appended


@pytest.mark.parametrize("counted", [True, False])
def test_rows_without_a_number_are_told_where_nothing_else_is_new(counted: bool) -> None:
    script = Script(new=0, unnumbered=4)
    call = {} if counted else {"relation": "(select * from views)"}
    macros, spec, tables = prepared(script, call=call)
    done = {"progress": progress([[None, 100]]), "runs": [], "statements": [], "more": True}
    done["progress"]["rows"] = 96
    with pytest.raises(CompilerError, match=re.escape("is null in 4 row(s)")):
        macros._refresh(spec, tables, None, done)


def test_rows_without_a_number_are_told() -> None:
    script = Script()
    summary = script._summary() | {"read_unordered": 3}
    script._summary = lambda: summary  # type: ignore[method-assign]
    with pytest.raises(CompilerError, match=re.escape("is null in 3 row(s)")):
        run(script)


def test_a_ledger_that_is_ahead_of_its_table_says_not_to_go_on() -> None:
    with pytest.raises(CompilerError, match=re.escape("run with --full-refresh")):
        run(Script(told=BUILT + 5))


def test_a_log_of_clocks_that_was_emptied_says_not_to_go_on() -> None:
    with pytest.raises(CompilerError, match=re.escape("run with --full-refresh")):
        run(Script(clocked=BUILT - 1))


@pytest.mark.parametrize(
    ("told", "published"), [(BUILT - 1, BUILT - 1), (BUILT, BUILT - 1), (BUILT - 1, BUILT)]
)
def test_a_table_that_another_run_has_published_is_not_gone_on_from(
    told: int, published: int
) -> None:
    script = Script(told=told)
    macros, spec, tables = prepared(script, config={"emit": "final"})
    script.properties["event_windows.published"] = {"number": BUILT, "publisher": "the next"}
    script.properties["event_windows.last_published"] = str(published)
    record = macros._record_of(spec, tables)
    assert not record["published"]
    done = {"progress": record["progress"], "runs": [], "statements": [], "more": True}
    if max(told, published) < BUILT:
        # the run that was to publish has died in between
        macros._follow_up(spec, tables, record, done)
        assert "progress" in steps([Statement(sql) for sql in done["statements"]])
    else:
        with pytest.raises(CompilerError, match="was published by another build"):
            macros._follow_up(spec, tables, record, done)


@pytest.mark.parametrize("published", [True, False])
@pytest.mark.parametrize("built_since", [True, False])
def test_a_full_refresh_beside_a_run_is_not_taken_for_a_table_that_was_set_back(
    published: bool, built_since: bool
) -> None:
    """It ends after the run has read the record; of windows that no run has closed m has none."""
    script = Script(told=BUILT + 7)
    macros, spec, tables = prepared(script, config={"emit": "final"})
    if not published:
        script.properties["event_windows.published"] = {"number": BUILT, "publisher": "a third"}
    record = macros._record_of(spec, tables)
    assert record["published"] == published
    if built_since:
        later = progress([[None, 100]]) | {"number": BUILT + 7, "generation": BUILT + 7}
        script.properties["event_windows.build"] = later
    beside = {"told": BUILT + 7, "due": None, "published": None, "clocked": BUILT + 7}
    beside |= {"dropped": None, "uncounted": None, "set_back": "m" if published else ""}
    found = macros._set_back(spec, tables, record, beside)
    assert bool(found) is not built_since


def test_the_largest_number_leaves_none_for_later_rows() -> None:
    macros, spec, _ = prepared(Script(new=2**63 - 1 - 100))
    seen = macros._set_bounds(spec, macros._new_run(BUILT + 1, BUILT))
    assert "has the largest number that there is" in seen["problem"]


def test_clocks_are_moved_without_new_rows() -> None:
    statements = run(Script(new=0), vars={"event_windows__advance_to": "2030-01-01"})
    order = statement_order()["A refresh without late rows"]
    assert [step for step in steps(statements) if step != "clocks"] == [
        step for step in order if step != "clocks"
    ]
    assert [sql for sql in statements if "as carrier" in sql]
    (inserted,) = [sql for sql in statements if sql.startswith("insert into s.m__ew_clocks")]
    assert "select user_id, 1893456000000000 as _ew_clock from (" in inserted


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
        macros.adapter.cache_dropped(Relation(name))
        macros.adapter.cache_added(Relation(name, type=type))
    macros._make_way(spec, tables, None, macros._new_run(BUILT, BUILT, full=True))
    names = {"s.m", "s.m__stream_time", "s.m__state"}
    assert set(macros.adapter.relations) & names == {"s.m__state"}
    # what is read through the state is read until the new windows are there
    macros._drop_former_state(tables)
    assert set(macros.adapter.relations) & names == set()


def test_a_state_from_before_does_not_say_that_a_build_has_ended() -> None:
    def answer(sql: str) -> Any:
        if sql.startswith("show tblproperties"):
            build = {"number": 5 if "__state" in sql else 9}
            return [{"key": "event_windows.build", "value": json.dumps(build)}]
        return [{"number": 5}]

    macros = rendered(answer=answer)
    for name in ["m", "m__state", "event_windows_runs"]:
        macros.adapter.cache_added(Relation(name, type="table"))
    assert not macros._is_built(Relation("m"))


@pytest.mark.parametrize(
    ("read", "last", "told", "built"),
    [(0, 0, 0, False), (0, 0, 1, False), (7, 7, 0, False), (7, 7, 1, True), (9, 2, 0, True)],
)
def test_a_build_that_read_nothing_leaves_all_rows_to_the_next_run(
    read: int, last: int, told: int, built: bool
) -> None:
    """As one with --empty. A refresh that was killed reads its rows again by the text it had."""
    script = Script(told=BUILT + told)
    since = progress([[None, 150]]) | {"number": BUILT + 1, "rows": read, "last": last}
    script.properties["event_windows.build"] = progress([]) | {"rows": 0, "last": 0}
    script.properties["event_windows.progress"] = since
    macros, _, _ = prepared(script)
    assert macros._is_built(Relation("m")) == built


def test_all_rows_of_a_source_that_no_run_has_read_are_not_cut() -> None:
    script = Script(new=100)
    model = Model(raw_code="{% if event_windows.is_windowed_run() %}where recent{% endif %}")
    macros, spec, tables = prepared(
        script, model=model, vars={"event_windows__max_rows_per_refresh": 10}
    )
    macros._macros["_cut_bounds"] = lambda spec, run, seen, most: seen.update(more=True)
    done = {"progress": progress([]) | {"rows": 0, "last": 0}, "runs": [], "statements": []}
    done |= {"more": True}
    with pytest.raises(CompilerError, match="would cut its build in several commits"):
        macros._refresh(spec, tables, None, done)


def test_of_many_rows_that_lie_far_apart_keys_are_replayed_only_if_a_row_came_late() -> None:
    few = steps(run(Script(new=1000, late=True)))
    assert few == statement_order()["A refresh with late rows"]
    many = steps(run(Script(new=1001, late=True, late_keys="classes ", functions=())))
    assert many == ["last", "bounds", "slices", "clocks", "late_keys", "windows", "ledger", "end"]


@pytest.mark.parametrize(
    ("near", "read_to", "share"),
    [(9_000, 10_101, "0.5555555555555556"), (4_999, 5_000_101, "0.001")],
    ids=["dense", "sparse at first"],
)
def test_a_part_of_many_new_rows_is_told_by_the_first_of_them(
    near: int, read_to: int, share: str
) -> None:
    """And is put into as few tasks as it needs."""
    macros, spec, _ = prepared(Script())
    counts = iter([{"n": 5_000_000, "least": 101, "greatest": 5_000_101}, {"n": near}])
    asked = []

    def statement(run: dict[str, Any], step: str, sql: str) -> list[dict[str, Any]]:
        asked.append(sql)
        return [{"arrival_partition": None, "share": 5000, "first": 101, "last": read_to}]

    macros._macros["_row"] = lambda run, step, sql: next(counts)
    macros._macros["_statement"] = statement
    one, seen = macros._new_run(BUILT + 1, BUILT, **{"from": [[None, 100]]}), {"more": False}
    one["to"] = [[None, 5_000_101]]
    macros._cut_bounds(spec, one, seen, 5000)
    assert (one["to"], seen) == ([[None, 5101]], {"more": True, "rows": 5000})
    assert f"arrived.arrival_seq <= {read_to}" in asked[0]
    assert f", {share}, 100000)" in asked[0]


def test_where_to_cut_is_not_told_by_rows_that_have_gone() -> None:
    macros, spec, _ = prepared(Script())
    counted = {"n": 5_000_000, "least": 101, "greatest": 5_000_101}
    gone = dict.fromkeys(["arrival_partition", "share", "first", "last"])
    macros._macros["_row"] = lambda run, step, sql: counted
    macros._macros["_statement"] = lambda run, step, sql: [gone]
    one = macros._new_run(BUILT + 1, BUILT, **{"from": [[None, 100]]})
    one["to"] = [[None, 5_000_101]]
    with pytest.raises(CompilerError, match="rows went from the source"):
        macros._cut_bounds(spec, one, {"more": False}, 5000)


@pytest.mark.parametrize("kind", ["table", "view"])
def test_what_the_model_was_stays_until_it_is_made_anew(kind: str) -> None:
    macros, spec, tables = prepared(Script(), config={"emit": "final"})
    macros.adapter.cache_dropped(tables["model"])
    macros.adapter.cache_added(tables["model"].incorporate(type=kind))
    one = macros._new_run(BUILT, BUILT, full=True)
    macros._make_way(spec, tables, None, one)
    assert macros.adapter.relations["s.m"].type == kind
    macros._publish_all(spec, tables, one)
    assert macros.adapter.relations["s.m"].type == "table"


def test_a_hook_is_told_of_its_own_run() -> None:
    """And not of the next one, by the table that the run has made."""
    told: list[bool] = []

    def run_hooks(_: list[Any]) -> None:
        macros.adapter.cache_added(Relation("m", type="table"))
        told.append(macros.is_windowed_run())
        raise CompilerError("enough")

    model = Model(config={"materialized": "windowed"})
    parsed = rendered(model=model)
    sql = parsed.windowed(**CALL, window=parsed.session(gap="30 minutes", grace="1 day"))
    hooks: dict[str, Any] = {"pre_hooks": [], "post_hooks": ["asks"], "run_hooks": run_hooks}
    macros = rendered(model=model, sql=sql, **hooks)
    macros._macros["_home"] = lambda: HOME
    with pytest.raises(CompilerError, match="enough"):
        macros.materialization_windowed()
    assert told == [False]


def test_other_settings_than_those_of_the_build_are_told() -> None:
    macros = rendered()
    settings = {"size(null)": "minus one", "null in JSON": "{}"}
    record = {"build": {"settings": settings}}

    def told(zone: str, **now: str) -> str | None:
        keeps = {"zone": zone, "settings": now}
        return macros._about_other_session({"home": {"view_keeps": keeps}}, record)

    assert told("UTC", **settings) is told("Asia/Tokyo", **settings) is None
    changed = settings | {"size(null)": "null"}
    words = "changed: size(null) was minus one and is null. What was counted before"
    assert words in str(told("UTC", **changed))
    record["build"] = {}
    assert told("UTC", **changed) is None
