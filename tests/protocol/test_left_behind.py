"""What runs leave that ended early or were overtaken, before the next is asked otherwise."""

from __future__ import annotations

import shutil
from contextlib import suppress

import pytest

from tests.formats import keep_log
from tests.harness import (
    FILE_FORMAT,
    DbtProject,
    Killed,
    Statement,
    is_write,
    killed_after,
    recorded,
    watched,
)
from tests.session_models import (
    EVENTS,
    at,
    events,
    exists,
    ledger,
    public,
    session_model,
    windowed,
)

pytestmark = pytest.mark.apart

HOURS = "event_windows.tumbling(size='10 minutes', grace='{grace}')"
EARLY = "timestamp '2024-04-17 00:00:00'"
LATER = "9000000000000000L"  # the number of a build in a year to come


def windows(project: DbtProject, name: str) -> list[tuple[object, ...]]:
    rows = project.rows(f"select key, window_start, n from {name} order by all")
    start = at(0).replace(tzinfo=None)
    return [(row.key, (row.window_start - start).total_seconds() / 60, row.n) for row in rows]


def made(
    project: DbtProject, source: str, rows: list[tuple[str | None, float | None]], **config: str
) -> None:
    """The model `<source>_m` without a grace, over a source of such rows."""
    project.create_source(source, events(rows), EVENTS)
    again(project, source, "0 seconds", **config)


def again(project: DbtProject, source: str, grace: str, **config: str) -> None:
    """The same with other settings."""
    project.model(f"{source}_m", session_model(source, HOURS.format(grace=grace), config=config))


def built(
    project: DbtProject, source: str, rows: list[tuple[str | None, float | None]], **config: str
) -> None:
    """A model `made` so, and built once."""
    made(project, source, rows, **config)
    project.run(f"{source}_m")


def test_a_build_that_was_killed_before_a_longer_grace(project: DbtProject) -> None:
    """Its dropped rows were not written: which were late by the grace before, nobody knows."""
    made(project, "longer", [("a", 0), ("a", 60), ("a", 5), ("b", 0)])
    with (
        killed_after(lambda sql: sql.model == "longer_m" and sql.step == "windows"),
        suppress(Killed),
    ):
        project.run("longer_m")
    again(project, "longer", "2 hours")
    project.run("longer_m")
    assert windows(project, "longer_m") == [("a", 0, 2), ("a", 60, 1), ("b", 0, 1)]
    assert public(project, "longer_m__dropped") == []


def test_who_finishes_a_build_by_a_longer_grace_is_killed(project: DbtProject) -> None:
    """All keys are made anew all the same: which were late before, nobody knows."""
    made(project, "twice", [("a", 0), ("a", 60), ("a", 5), ("b", 0)])
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("twice_m")
    again(project, "twice", "2 hours")
    lines = killed_after(lambda sql: sql.step == "ledger" and sql.startswith("insert"))
    with lines as kill, suppress(Killed):
        project.run("twice_m")
    assert kill.happened
    project.run("twice_m")
    assert windows(project, "twice_m") == [("a", 0, 2), ("a", 60, 1), ("b", 0, 1)]
    with recorded() as sent:
        project.run("twice_m")
    assert sent.writes == []


def test_windows_leave_from_now_on_and_a_run_was_killed(project: DbtProject) -> None:
    """What windows before it told, and what it was to append, is all in the log of clocks."""
    built(project, "leave", [("a", 0)])
    project.append("leave", events([("b", 60)], 1))
    project.run("leave_m")
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("leave_m", vars={"event_windows__advance_to": "2024-04-17 03:00:00"})
    again(project, "leave", "0 seconds", expire="delete", retention="1 hour")
    project.run("leave_m")
    project.append("leave", events([("b", 5)], 2))
    project.run("leave_m")
    clocks = project.rows("select key, hour(stream_time) as hour from leave_m__stream_time")
    assert sorted((row.key, row.hour) for row in clocks) == [("a", 3), ("b", 3)]
    assert [row.key for row in project.rows("select key from leave_m__dropped")] == ["b"]
    assert windows(project, "leave_m") == []


def test_windows_leave_from_now_on_and_nothing_comes(project: DbtProject) -> None:
    built(project, "quiet", [("a", 0)])
    project.append("quiet", events([("b", 60)], 1))
    project.run("quiet_m")
    again(project, "quiet", "0 seconds", expire="delete", retention="1 hour")
    project.run("quiet_m")
    with recorded() as sent:
        project.run("quiet_m")
    assert sent.writes == []


def test_no_rows_are_no_reason_to_make_keys_anew(project: DbtProject) -> None:
    built(project, "kept", [("a", 0), ("a", 60), ("a", 5), ("b", 0)])
    before = [public(project, f"kept_m{end}") for end in ("", "__dropped", "__stream_time")]
    project.run("kept_m", empty=True, vars={"event_windows__rebuild": "key = 'a'"})
    again(project, "kept", "2 hours")
    project.run("kept_m", empty=True)
    assert [public(project, f"kept_m{end}") for end in ("", "__dropped", "__stream_time")] == before
    project.run("kept_m")
    assert windows(project, "kept_m") == [("a", 0, 2), ("a", 60, 1), ("b", 0, 1)]


@pytest.mark.parametrize("later", [1, 3])
def test_dropped_rows_of_a_run_that_was_overtaken(project: DbtProject, later: int) -> None:
    """It wrote them under a number that another one has committed, so many refreshes ago."""
    source = f"overtaken_{later}"
    built(project, source, [("a", 0), ("a", 60)])
    project.append(source, events([("a", 5), ("a", 70)], 2))
    project.run(f"{source}_m")
    rows = project.rows(f"select * from {source}_m__dropped")
    columns = [name if name != "run_id" else "'overtaken' as run_id" for name in rows[0].asDict()]
    project.rows(
        f"insert into {source}_m__dropped select {', '.join(columns)} from {source}_m__dropped"
    )
    for step in range(later):
        project.append(source, events([("a", 80 + 10 * step)], 4 + step))
        project.run(f"{source}_m")
    assert project.rows(f"select * from {source}_m__dropped") == rows


def test_a_run_that_was_overtaken_by_many_drops_nothing_before_it_dies(
    project: DbtProject,
) -> None:
    built(project, "overrun", [("a", 0), ("a", 60)])
    project.append(
        "overrun", events([("a", 5), *[("a", minute) for minute in range(70, 140, 10)]], 2)
    )
    rival: list[str] = []

    def drops(sql: Statement) -> bool:
        return sql.step == "dropped_rows" and sql.startswith("insert into")

    def overtakes(sql: Statement) -> None:
        if drops(sql) and not rival:
            rival.append("begun")
            project.run("overrun_m", vars={"event_windows__max_rows_per_refresh": 1})
            rival.append("ended")

    def dies(sql: Statement) -> bool:
        return drops(sql) and "ended" in rival

    with watched(before=overtakes), killed_after(dies):
        project.run("overrun_m")
    assert len(ledger(project, "overrun_m")) == 9
    project.append("overrun", events([("a", 140)], 10))
    project.run("overrun_m")
    dropped = project.rows("select arrival_seq from overrun_m__dropped")
    assert [row.arrival_seq for row in dropped] == [2]


def test_dropped_rows_that_a_slow_run_writes_alongside_many_commits_go(project: DbtProject) -> None:
    """It comes when the run of these has looked for such rows, and dies."""
    built(project, "alongside", [("a", 0), ("a", 60)])
    project.append("alongside", events([("a", minute) for minute in range(70, 150, 10)], 2))
    theirs: list[str] = []

    def written(sql: Statement) -> None:
        if sql.step == "windows" and not theirs:
            (number,) = project.rows("select max(_ew_refresh) + 1 as next from alongside_m")
            columns = "key, event_time, arrival_seq, reason, stream_time, run_id, source_row"
            row = f"'a', {EARLY}, 2L, 'late', {EARLY}, 'slow', '{{}}', {number.next}"
            theirs.append(
                f"insert into alongside_m__dropped ({columns}, _ew_refresh) values ({row})"
            )
            project.rows(theirs[0])

    with watched(before=written):
        project.run("alongside_m", vars={"event_windows__max_rows_per_refresh": 1})
    assert theirs
    assert len(ledger(project, "alongside_m")) == 9
    project.run("alongside_m")
    assert project.rows("select * from alongside_m__dropped") == []


@pytest.mark.parametrize("late", [1, 2])
def test_dropped_rows_of_a_later_build_whose_table_was_replaced(
    project: DbtProject, late: int
) -> None:
    """It began later and its table came first; what it wrote beside goes when it finds that."""
    source, name = f"replaced_{late}", f"replaced_{late}_m"
    made(project, source, [("a", 0), ("a", 60), *[("a", 5)] * late])
    theirs: list[str] = []

    def written(sql: Statement) -> None:
        if sql.model == name and sql.step == "dropped_rows" and not theirs and f"{name}__d" in sql:
            columns = "key, event_time, arrival_seq, reason, stream_time, run_id, source_row"
            row = f"'a', {EARLY}, 2L, 'late', {EARLY}, 'later', '{{}}', {LATER}"
            theirs.append(f"insert into {name}__dropped ({columns}, _ew_refresh) values ({row})")
            project.rows(theirs[0])

    project.run(name)
    with watched(before=written):
        project.run(name, full_refresh=True)
    assert theirs
    project.rows(f"delete from {name}__dropped where _ew_refresh = {LATER}")
    project.append(source, events([("b", 0)], 3 + late))
    project.run(name)
    dropped = project.rows(f"select arrival_seq from {name}__dropped order by arrival_seq")
    assert [row.arrival_seq for row in dropped] == [2, 3][:late]


def test_rows_that_a_killed_build_had_read_are_gone(project: DbtProject) -> None:
    """Nobody knows their clocks, so that a late row would count."""
    made(project, "gone", [("a", 0), ("a", 60), ("b", 0)])
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("gone_m")
    project.rows("delete from gone where arrival_seq = 1")
    # of which no log tells that is followed from now on
    for config in {}, {"source_changes": "retract"}:
        again(project, "gone", "0 seconds", **config)
        error = project.run("gone_m", expect_error=True).error
        assert "had read 3 row(s), of which 2 are there now" in error
    again(project, "gone", "0 seconds")
    project.run("gone_m", full_refresh=True)
    assert windows(project, "gone_m") == [("a", 0, 1), ("b", 0, 1)]


def test_rows_that_a_killed_refresh_had_read_are_gone(project: DbtProject) -> None:
    """Its windows tell their clocks, also where it is the twentieth, which writes them down."""
    built(project, "told", [("a", 0), ("b", 0)])
    project.append("told", events([*(("a", n) for n in range(1, 20)), ("b", 60)], 2))
    merged: list[Statement] = []

    def is_twentieth(sql: Statement) -> bool:
        merged.extend([sql] if sql.step == "windows" else [])
        return len(merged) == 20

    with killed_after(is_twentieth), suppress(Killed):
        project.run("told_m", vars={"event_windows__max_rows_per_refresh": 1})
    assert len(merged) == 20
    project.rows("delete from told where arrival_seq = 21")
    project.run("told_m")
    project.append("told", events([("b", 30)], 22))
    project.run("told_m")
    assert windows(project, "told_m") == [("a", 0, 10), ("a", 10, 10), ("b", 0, 1), ("b", 60, 1)]
    assert [row.arrival_seq for row in project.rows("select * from told_m__dropped")] == [22]
    advanced = {"event_windows__advance_to": str(at(180))}
    project.append("told", events([("a", 100), ("c", 100)], 23))
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("told_m", vars=advanced)
    project.rows("delete from told where arrival_seq in (23, 24)")
    project.run("told_m")
    clocks = project.rows("select key, stream_time from told_m__stream_time order by key")
    assert [(row.key, row.stream_time) for row in clocks] == [
        (key, at(180).replace(tzinfo=None)) for key in "abc"
    ]


def test_a_row_commits_late_after_a_killed_build(project: DbtProject) -> None:
    """By its clock the rows after it would be late, which the windows count."""
    made(project, "since", [("a", 0), ("a", 1), ("a", 2), ("b", 0)])
    project.rows("delete from since where arrival_seq = 1")
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("since_m")
    project.append("since", events([("a", 60)], 1))
    error = project.run("since_m", expect_error=True).error
    assert "had read 3 row(s), and between the same numbers there are 4 now" in error
    assert "run with --full-refresh" in error
    project.run("since_m", full_refresh=True)
    assert windows(project, "since_m") == [("a", 0, 1), ("a", 60, 1), ("b", 0, 1)]
    assert [row.arrival_seq for row in project.rows("select * from since_m__dropped")] == [2]


def test_rows_that_a_killed_build_had_read_are_others(project: DbtProject) -> None:
    """As many as they were: by the time of one that was updated others would be late."""
    made(project, "others", [("a", 0), ("a", 60), ("b", 0), (None, 7), ("b", None)])
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("others_m")
    project.rows("update others set event_time = event_time + interval 5 hours where key = 'b'")
    error = project.run("others_m", expect_error=True).error
    assert "had read 5 row(s), and some of these were updated since" in error
    assert "run with --full-refresh" in error
    project.rows("update others set event_time = event_time - interval 5 hours where key = 'b'")
    project.append("others", events([("b", 30)], 5))
    project.run("others_m")
    assert windows(project, "others_m") == [("a", 0, 1), ("a", 60, 1), ("b", 0, 1), ("b", 30, 1)]


def test_a_row_between_those_that_a_killed_build_had_read_is_another(project: DbtProject) -> None:
    """Its slice has the ends, the numbers and the count that it had; it would be said late."""
    made(project, "between", [("a", 60), ("a", 66), ("a", 63)])
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("between_m")
    project.rows("update between set event_time = event_time - interval 2 minutes where value = 20")
    error = project.run("between_m", expect_error=True).error
    assert "had read 3 row(s), and some of these were updated since" in error


def test_a_row_commits_late_after_a_build_that_was_killed_later(project: DbtProject) -> None:
    """Its dropped rows and clocks are there, and it moves none of them; nor is it said late."""
    made(project, "clocked", [("a", 60), ("a", 1), ("a", 65), ("a", 0), ("b", 0)])
    project.rows("delete from clocked where arrival_seq = 1")

    def writes_clocks(sql: Statement) -> bool:
        return sql.step == "clocks" and sql.startswith("insert into")

    with killed_after(writes_clocks), suppress(Killed):
        project.run("clocked_m")
    project.append("clocked", events([("a", 180)], 1))
    project.run("clocked_m")
    assert windows(project, "clocked_m") == [("a", 60, 2), ("b", 0, 1)]
    (build,) = ledger(project, "clocked_m")
    assert (build.rows_read, build.rows_late) == (4, 1)
    assert [row.arrival_seq for row in project.rows("select * from clocked_m__dropped")] == [3]
    clocks = project.rows("select key, stream_time from clocked_m__stream_time order by key")
    assert [row.stream_time for row in clocks] == [at(n).replace(tzinfo=None) for n in (65, 0)]
    project.append("clocked", events([("a", 70)], 5))
    project.run("clocked_m")
    assert windows(project, "clocked_m") == [("a", 60, 2), ("a", 70, 1), ("b", 0, 1)]


def test_a_row_commits_late_after_a_killed_refresh(project: DbtProject) -> None:
    """Where windows leave it would be taken for a clock; where clocks are moved, for a key."""
    leaves = {"expire": "delete", "retention": "30 days"}
    for source, config in ("later", leaves), ("moved", {}):
        built(project, source, [("a", 0), ("b", 0)], **config)
        project.append(source, events([("a", 5)], 3))
        moved = {"event_windows__advance_to": str(at(30))} if source == "moved" else {}
        with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
            project.run(f"{source}_m", vars=moved)
        project.append(source, events([("c", 60)], 2))
    error = project.run("later_m", expect_error=True).error
    assert "had read 1 row(s), and between the same numbers there are 2 now" in error
    project.rows("delete from later where arrival_seq = 2")
    project.run("later_m")
    project.run("moved_m")
    for name in "later_m", "moved_m":
        assert windows(project, name) == [("a", 0, 2), ("b", 0, 1)]
        keys = project.rows(f"select key from {name}__stream_time order by key")
        assert [row.key for row in keys] == ["a", "b"]
        assert ledger(project, name)[1].rows_read == 1


def test_rows_beside_keys_made_anew_that_a_killed_refresh_had_read_are_gone(
    project: DbtProject,
) -> None:
    """Where windows leave, nobody knows their clocks, nor those of keys that are made anew."""
    built(project, "beside", [("a", 0), ("b", 0)], expire="delete", retention="30 days")
    project.append("beside", events([("b", 60)], 2))
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("beside_m", vars={"event_windows__rebuild": "key = 'a'"})
    for arrival in (2, 0):
        project.rows(f"create table beside_{arrival} using {FILE_FORMAT} as select * from beside")
        project.rows(f"delete from beside where arrival_seq = {arrival}")
        error = project.run("beside_m", expect_error=True).error
        assert "had read 1 row(s), of which 0 are there now" in error
        project.rows(
            f"insert into beside select * from beside_{arrival} where arrival_seq = {arrival}"
        )
    project.append("beside", events([("b", 5)], 3))
    project.run("beside_m")
    assert windows(project, "beside_m") == [("a", 0, 1), ("b", 0, 1), ("b", 60, 1)]
    assert [row.arrival_seq for row in project.rows("select * from beside_m__dropped")] == [3]


def test_rows_of_a_key_made_anew_are_gone_and_its_clock_was_to_move(project: DbtProject) -> None:
    """Its windows say that it had rows, which were pruned since."""
    built(project, "pruned", [("a", 0), ("b", 0)])
    advanced = {"event_windows__advance_to": str(at(180)), "event_windows__rebuild": "key = 'a'"}
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("pruned_m", vars=advanced)
    project.rows("delete from pruned where key = 'a'")
    project.run("pruned_m")
    clocks = project.rows("select key, stream_time from pruned_m__stream_time order by key")
    moved = at(180).replace(tzinfo=None)
    assert [(row.key, row.stream_time) for row in clocks] == [("a", moved), ("b", moved)]


def test_rows_that_a_killed_run_had_read_are_gone_and_the_log_is_followed(
    project: DbtProject,
) -> None:
    """The refresh that comes next makes their keys anew, with clocks and dropped rows."""
    leaves = {"expire": "delete", "retention": "30 days"}
    rows = [("a", 0), ("a", 60), ("a", 5), ("b", 0), ("c", 0)]
    made(project, "mended", rows, source_changes="retract", **leaves)
    keep_log(project, "mended")

    def killed_and_gone(*arrivals: int) -> None:
        with killed_after(lambda sql: sql.step == "windows") as kill, suppress(Killed):
            project.run("mended_m")
        assert kill.happened
        project.rows(f"delete from mended where arrival_seq in {(*arrivals, -1)}")
        project.run("mended_m")

    def clocks() -> list[tuple[str, float]]:
        rows = project.rows("select key, stream_time from mended_m__stream_time order by key")
        start = at(0).replace(tzinfo=None)
        return [(row.key, (row.stream_time - start).total_seconds() / 60) for row in rows]

    killed_and_gone(1, 4)
    assert windows(project, "mended_m") == [("a", 0, 2), ("b", 0, 1)]
    assert clocks() == [("a", 5), ("b", 0)]
    assert public(project, "mended_m__dropped") == []
    assert ledger(project, "mended_m")[-1].keys_tracked == 2
    project.append("mended", events([("b", 60), ("d", 0), ("d", 60), ("d", 5)], 5))
    killed_and_gone(5, 7)
    assert windows(project, "mended_m") == [("a", 0, 2), ("b", 0, 1), ("d", 0, 2)]
    assert clocks() == [("a", 5), ("b", 0), ("d", 5)]
    assert public(project, "mended_m__dropped") == []
    assert ledger(project, "mended_m")[-1].keys_tracked == 3


def test_a_changed_final_model_whose_build_was_killed(project: DbtProject) -> None:
    """What was published is of the model as it was before."""
    project.create_source("final_rows", events([("a", 0), ("a", 60), ("b", 0)]), EVENTS)
    hours, final = HOURS.format(grace="0 seconds"), {"emit": "final"}
    project.model("final_m", session_model("final_rows", hours, config=final))
    project.run("final_m")
    more = {"n": "count(*)", "total": "sum(value)"}
    project.model("final_m", session_model("final_rows", hours, config=final, aggregates=more))
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("final_m", full_refresh=True)
    project.run("final_m")
    rows = project.rows("select key, n, total from final_m")
    assert [tuple(row) for row in rows] == [("a", 1, 0)]


def test_the_last_window_went_and_the_run_was_killed(project: DbtProject) -> None:
    """No row bears the record then, and no property did yet."""
    made(project, "leaving", [("a", 0)], source_changes="retract")
    keep_log(project, "leaving")
    project.run("leaving_m")
    project.append("leaving", events([("a", 60)], 2))
    project.run("leaving_m")
    project.rows("delete from leaving")
    with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
        project.run("leaving_m")
    project.run("leaving_m")
    assert windows(project, "leaving_m") == []
    project.append("leaving", events([("a", 5)], 3))
    project.run("leaving_m")
    assert windows(project, "leaving_m") == [("a", 0, 1)]


def test_a_build_killed_of_a_model_that_asks_whether_it_refreshes(project: DbtProject) -> None:
    """It is ended over the rows that it had read: their clocks, and those that were late."""
    rows = [("a", 0), ("a", 60), ("a", 5), ("b", 0), ("b", 60), ("b", 70)]
    project.create_source("asking", events(rows), EVENTS)
    relation = (
        "'(select * from ' ~ source('raw', 'asking') "
        "~ (' where arrival_seq > 5' if event_windows.is_windowed_run() else '') ~ ')'"
    )
    call = windowed(relation, HOURS.format(grace="0 seconds"))
    project.model("asking_m", "{{ config(materialized='windowed') }}\n" + call)
    for full_refresh in [False, True]:
        with killed_after(lambda sql: sql.step == "windows"), suppress(Killed):
            project.run("asking_m", full_refresh=full_refresh)
        project.run("asking_m")
        assert [row.key for row in project.rows("select key from asking_m__dropped")] == ["a"]
        assert len(project.rows("select * from asking_m__stream_time")) == 2
        assert sum(row.rows_read for row in ledger(project, "asking_m")[-1:]) == len(rows)
    error = project.run(
        "asking_m",
        full_refresh=True,
        vars={"event_windows__max_rows_per_refresh": 2},
        expect_error=True,
    ).error
    assert "leave the var out of the run that builds it" in error


def test_a_run_that_counts_nothing_and_one_that_does(project: DbtProject) -> None:
    """Over a table without a window a property bears the record of the one, a row of the other."""
    built(project, "nobody", [])
    rows = events([(None, 0), (None, 5), ("a", 0)])
    project.append("nobody", rows)
    merge = held_back(project, "nobody_m", "windows")
    # of the same number, before the third row came
    project.rows("delete from nobody where arrival_seq = 2")
    project.run("nobody_m")
    project.append("nobody", rows[2:])
    project.rows(merge)
    project.run("nobody_m")
    project.run("nobody_m")
    assert windows(project, "nobody_m") == [("a", 0, 1)]
    assert len(project.rows("select * from nobody_m__dropped")) == 2


def test_a_refresh_beside_a_build_without_rows(project: DbtProject) -> None:
    """Its MERGE comes when the build has replaced the table, and nothing else says so yet."""
    built(project, "hollow", [])
    project.append("hollow", events([("a", 0)]))
    merge = held_back(project, "hollow_m", "windows")
    with killed_after(lambda sql: sql.step == "windows" and is_write(sql)), suppress(Killed):
        project.run("hollow_m", full_refresh=True, empty=True)
    project.rows(merge)
    assert "run with --full-refresh" in project.run("hollow_m", expect_error=True).error
    project.run("hollow_m", full_refresh=True)
    assert windows(project, "hollow_m") == [("a", 0, 1)]


@pytest.mark.skipif(FILE_FORMAT == "delta", reason="Delta says what its MERGE did")
def test_a_run_that_asks_for_its_commit_many_refreshes_later(project: DbtProject) -> None:
    """The table tells who committed the last five; of those before the ledger does."""
    built(project, "asleep", [("a", 0), ("a", 60)])
    project.append("asleep", events([("a", 5), ("a", 70)], 2))

    slept: list[Statement] = []

    def others(sql: Statement) -> None:
        if sql.model == "asleep_m" and sql.step == "windows":
            slept.append(sql)
            number = project.rows("select max(_ew_refresh) as n from asleep_m")[0].n
            project.rows(
                "insert into event_windows_runs (run_id, model, _ew_refresh) select "
                "get_json_object(_ew_progress, '$.run_id'), 'asleep_m', _ew_refresh "
                f"from asleep_m where _ew_refresh = {number}"
            )
            project.rows(
                f"update asleep_m set _ew_refresh = {number + 5}, _ew_progress = "
                f"replace(_ew_progress, '{number}', '{number + 5}') where _ew_refresh = {number}"
            )

    with watched(after=others):
        project.run("asleep_m")
    assert slept
    assert [row.key for row in project.rows("select key from asleep_m__dropped")] == ["a"]


def test_a_slow_record_sets_nothing_back(project: DbtProject) -> None:
    """It comes when another run has moved the clocks, and all windows have left the state."""
    built(project, "slow", [("a", 0), ("a", 30)], emit="final")
    project.append("slow", events([("a", 60)], 2))
    record = held_back(project, "slow_m", "progress")
    project.run("slow_m", vars={"event_windows__advance_to": "2024-05-01 00:00:00"})
    assert project.rows("select count(*) as n from slow_m__state")[0].n == 0
    project.rows(record)
    project.append("slow", events([("b", 90), ("b", 120)], 3))
    project.run("slow_m")
    assert windows(project, "slow_m") == [
        ("a", 0, 1), ("a", 30, 1), ("a", 60, 1), ("b", 90, 1)
    ]  # fmt: skip


def test_a_slow_run_publishes_nothing_of_a_later_build(project: DbtProject) -> None:
    built(project, "again", [("a", 5), ("a", 15)], emit="final")
    project.append("again", events([("a", 25)], 2))
    clocks = held_back(project, "again_m", "clocks")
    publish = held_back(project, "again_m", "publish")
    project.run("again_m", full_refresh=True)
    first = windows(project, "again_m")
    project.rows(clocks)
    project.rows(publish)
    assert windows(project, "again_m") == first == [("a", 0, 1), ("a", 10, 1)]
    project.append("again", events([("a", 35)], 3))
    project.run("again_m")
    assert windows(project, "again_m") == [*first, ("a", 20, 1)]


def test_a_run_of_the_grace_before_beside_one_of_a_longer_one(project: DbtProject) -> None:
    """The other has ended, with nothing new, before a row comes that only the former drops."""
    built(project, "graced", [("a", 0), ("a", 60)])
    project.append("graced", events([("a", 5), ("a", 70)], 2))
    merge = held_back(project, "graced_m", "windows")
    dropped = project.rows("select * from graced_m__dropped")
    project.rows("delete from graced where arrival_seq > 1")
    project.rows("delete from graced_m__dropped")
    again(project, "graced", "2 hours")
    project.run("graced_m")
    project.append("graced", events([("a", 5), ("a", 70)], 2))
    project.spark.createDataFrame(dropped).writeTo(f"{project.schema}.graced_m__dropped").append()
    project.rows(merge)
    project.run("graced_m")
    assert windows(project, "graced_m") == [("a", 0, 2), ("a", 60, 1), ("a", 70, 1)]
    assert public(project, "graced_m__dropped") == []


def test_the_making_of_a_table_that_comes_late(project: DbtProject) -> None:
    """Who has finished the build has dropped rows of refreshes in it."""
    made(project, "made", [("a", 0), ("a", 60), ("a", 5)])
    making = held_back(project, "made_m", "dropped_rows")
    project.run("made_m")
    project.append("made", events([("a", 15)], 3))
    project.run("made_m")
    project.rows(making)
    assert len(project.rows("select * from made_m__dropped")) == 2


def test_the_ledger_and_the_rows_behind_it_are_gone(project: DbtProject) -> None:
    """Of a refresh that has tidied the log of clocks, after one that has published."""
    built(project, "unlined", [("a", 0)], emit="final")
    # numbers that twenty divides tidy it
    rest = 2 + -(ledger(project, "unlined_m")[-1]._ew_refresh + 2) % 20
    project.append("unlined", events([("a", 1)] * (rest - 2) + [("a", 11), ("a", 12)], 1))
    project.run("unlined_m", vars={"event_windows__max_rows_per_refresh": 1})
    last = max(ledger(project, "unlined_m"), key=lambda line: line._ew_refresh)
    assert (last._ew_refresh % 20, last.windows_closed) == (0, 0)
    project.rows("delete from event_windows_runs where model = 'unlined_m'")
    project.rows("delete from unlined")
    project.run("unlined_m")
    assert windows(project, "unlined_m") == [("a", 0, rest - 1)]
    project.append("unlined", events([("a", 5), ("a", 20)], rest + 1))
    project.run("unlined_m")
    assert windows(project, "unlined_m") == [("a", 0, rest - 1), ("a", 10, 2)]
    assert len(project.rows("select * from unlined_m__dropped")) == 1


def held_back(project: DbtProject, name: str, step: str) -> str:
    """A run that ends before the first statement of a step, which is returned."""
    held: list[str] = []

    def hold(sql: Statement) -> None:
        if sql.model == name and sql.step == step and is_write(sql):
            held.append(str(sql))
            raise Killed(sql)

    with watched(before=hold), suppress(Killed):
        project.run(name)
    return held[0]


@pytest.mark.skipif(FILE_FORMAT != "delta", reason="Spark tells versions of Iceberg tables apart")
def test_rows_that_another_process_changes_after_a_killed_build(project: DbtProject) -> None:
    """What the killed run cached stays with a session that lives on, but is not what is read."""
    made(project, "elsewhere", [("a", 0), ("a", 1), ("b", 0)])
    with killed_after(lambda sql: sql.model == "elsewhere_m" and sql.step == "clocks"):
        project.run("elsewhere_m")
    _change_unseen(project, "elsewhere", "set key = 'b' where arrival_seq = 1")
    project.run("elsewhere_m")
    assert windows(project, "elsewhere_m") == [("a", 0, 1), ("b", 0, 2)]


def _change_unseen(project: DbtProject, table: str, change: str) -> None:
    """A commit of which this session is told nothing, as it was made to a copy."""
    own, copy = project.folder / table, project.folder / f"{table}_copy"
    shutil.copytree(own, copy)
    project.rows(f"update delta.`{copy}` {change}")
    shutil.copytree(copy, own, dirs_exist_ok=True)


PLAIN = (
    "{{{{ config(materialized='windowed', grace='0 seconds', arrival_order='arrival_seq', "
    "emit='{emit}') }}}}\nselect key, count(*) as n from {{{{ source('raw', 'turned') }}}} "
    "group by key, window(event_time, '10 minutes')"
)
KINDS = {
    "call": session_model("turned", HOURS.format(grace="0 seconds")),
    "final": session_model("turned", HOURS.format(grace="0 seconds"), config={"emit": "final"}),
    "plain": PLAIN.format(emit="updates"),
    "plainfinal": PLAIN.format(emit="final"),
}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("call", "plain"),
        ("plain", "call"),
        ("plain", "plainfinal"),
        ("plainfinal", "plain"),
        ("final", "call"),
    ],
)
def test_a_model_that_is_built_as_another_kind(
    project: DbtProject, before: str, after: str
) -> None:
    """Readers see the table before until the new one is there; a killed build is finished."""
    name = f"{before}_{after}"
    project.create_source("turned", events([("a", 0), ("a", 60), ("b", 0), ("b", 70)]), EVENTS)
    project.model(name, KINDS[before])
    project.run(name)
    rows = public(project, name)
    project.model(name, KINDS[after])

    def die(sql: Statement) -> None:
        if sql.model == name and sql.step == "windows" and is_write(sql):
            raise Killed(sql)

    with watched(before=die), suppress(Killed):
        project.run(name, full_refresh=True)
    if (before, after) == ("plain", "call"):
        # a view makes way for the table of windows itself
        assert "run with --full-refresh" in project.run(name, expect_error=True).error
    else:
        assert public(project, name) == rows
    with killed_after(lambda sql: sql.model == name and sql.step == "windows") as kill:
        project.run(name, full_refresh=True)
    assert kill.happened
    assert project.rows(f"select n from {name}")
    project.append("turned", events([("a", 100), ("b", 5)], 4))
    project.run(name)
    project.model(f"{name}_again", KINDS[after])
    project.run(f"{name}_again")
    assert public(project, name) == public(project, f"{name}_again")
    assert exists(project, f"{name}__state") == (after != "call")
