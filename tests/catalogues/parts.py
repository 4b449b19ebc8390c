"""What models go through in a catalogue: each part changes something, and compares all models."""

from __future__ import annotations

import itertools
import json

import pytest

from tests.catalogues.life import Life
from tests.catalogues.texts import CALLS, PLAIN, ROLLUPS, SHOWN, truth
from tests.formats import last_commit
from tests.harness import is_write, killed_after, recorded


def build_and_refresh(life: Life) -> None:
    life.arrive(60)
    life.run()
    life.arrive(15)
    life.run()
    life.compare()
    if life.has_views:
        assert {"plain", "short"} & {*life.models} <= life.views
    with recorded() as statements:
        life.run()
    assert statements.writes == [], "an idle run changes nothing"
    with_key = life.project.rows("select count(*) from rows where key is not null")[0][0]
    for name, read in life.told("rows_read").items():
        assert read == (life.arrived if name in CALLS else with_key), (name, read)


def one_kill(life: Life) -> None:
    """The run that is killed between the windows and what follows from them."""
    life.arrive(10)
    with killed_after(lambda sql: sql.step == "windows") as kill:
        life.run("plain")
    assert kill.happened
    life.run("plain")
    life.compare("plain")


def explain(life: Life) -> None:
    """What it says of the next run comes true, and to say it writes nothing."""
    life.arrive(6)
    names = [name for name in life.models if not name.startswith("by_")]
    listed = {row.tableName for row in life.project.rows("show tables")}
    # the session's own catalogue lists views among them
    tables = sorted(listed - life.views)
    before = {table: last_commit(life.project, table) for table in tables}
    with recorded() as statements:
        said = life.project.operation("event_windows.explain", model=names, output="json")
    assert not [sql for sql in statements if is_write(sql) or "cache" in sql.split()[:1]]
    assert before == {table: last_commit(life.project, table) for table in tables}
    read = life.told("rows_read")
    life.run()
    for told in json.loads(said):
        assert told["run"] == "incremental", told
        assert told["rows"] == life.told("rows_read")[told["model"]] - read[told["model"]]
    life.compare()


def questions(life: Life) -> None:
    project, show = life.project, life.project.show
    life.run()
    project.test(*life.models)
    with_time = "select key, max(event_time) as stream_time from rows where key is not null"
    clocks = f"select * from ({with_time} group by key) where stream_time is not null"
    for name in {"sessions", "final", "plain"} & {*life.models}:
        ref = f"ref('{name}')"
        asked = life.project.compile(inline=f"{{{{ event_windows.stream_time({ref}) }}}}")
        life.same(f"select key, stream_time from {asked} where stream_time is not null", clocks)
        counts = show(f"{{{{ event_windows.window_counts({ref}) }}}}")[0]
        assert counts["open"] + counts["closed"] > 0
        assert show(f"{{{{ event_windows.freshness({ref}) }}}}")[0]["lag_rows"] == 0
        assert show(f"{{{{ event_windows.lateness({ref}) }}}}")
        if name != "final":
            assert show(f"{{{{ event_windows.fetch({ref}, {{'key': \"'a'\"}}) }}}}")
    assert show("{{ event_windows.find_sessions(ref('plain'), {'key': \"'a'\"}) }}")
    assert show("{{ event_windows.changes(ref('plain')) }}")
    if "sessions" in life.models:
        log = project.compile(inline="{{ event_windows.changes(ref('sessions'), 0) }}")
        sign = "sum(if(change_type in ('insert', 'update_postimage'), 1, -1))"
        life.same(
            f"select {SHOWN} from ({log}) group by all having {sign} = 1",
            f"select {SHOWN} from sessions",
        )


def report(life: Life) -> None:
    from dbt_event_windows.report.__main__ import main

    root = str(life.project.root)
    for name in {"sessions", "plain"} & {*life.models}:
        page = life.project.root / f"{name}.html"
        options = ["--project-dir", root, "--profiles-dir", root, "--out", str(page)]
        said = main(["--select", name, *options])
        assert said in (0, None), said
        assert page.exists()


def catch_up(life: Life) -> None:
    life.arrive(12)
    life.run(vars={"event_windows__max_rows_per_refresh": 5})
    life.compare()


def threads(life: Life) -> None:
    """Builds and refreshes of all models at once, in one session."""
    for full_refresh in (True, False):
        life.arrive(5)
        life.run(full_refresh=full_refresh, threads=4)
        life.compare()


def views_come_and_go(life: Life) -> None:
    """A model in plain SQL whose view becomes a table, and the table a view again."""
    names = [name for name in ("plain", "short", "by_who") if name in life.models]
    for views in (False, True) if life.has_views else (False,):
        life.arrive(1)
        life.run(*names, vars={"event_windows__views": views})
        life.compare(*names)
    life.arrive(2)
    life.run(*names, full_refresh=True)
    life.compare(*names)


def kills(life: Life) -> None:
    """Runs that are killed after each write, of a refresh and then of a build."""
    groups = [["plain", "short", "by_who"], ["sessions", "by_day"], ["final"], ["expiring"]]
    wanted = [[name for name in group if name in life.models] for group in groups]
    for full, names in itertools.product((False, True), filter(None, wanted)):
        for point in range(99):
            if not full:
                life.arrive(1)
            with killed_after(point, may_end=True) as kill:
                life.run(*names, full_refresh=full)
            life.run(*names)
            life.compare(*names)
            if not kill.happened:
                break
        else:
            raise AssertionError("no run came to its end")


PARTS = {
    part.__name__: part
    for part in (
        build_and_refresh,
        one_kill,
        explain,
        questions,
        report,
        catch_up,
        threads,
        views_come_and_go,
        kills,
    )
}


def no_way_to_the_views(life: Life) -> None:
    """A session that makes no views, where another one has made some."""
    went_on(life)
    for options in ({}, {"full_refresh": True}):
        with recorded() as statements:
            error = life.project.run("plain", expect_error=True, **options).error
        assert "living.plain was made a view, which this session does not reach" in error, error
        assert statements.writes == []
    said = life.project.operation("event_windows.explain", model="plain", output="json")
    assert json.loads(said)[0]["run"] == "stops", said


def tables_for_views(life: Life) -> None:
    went_on(life)
    life.run("plain", vars={"event_windows__views": False})
    life.compare("plain")


def a_table_of_its_text(life: Life) -> None:
    """dbt's own in the place of the model's, with the late rows too: no row comes before the next.

    Where there are no views; it keeps the properties of the table that it replaces.
    """
    life.run("plain")
    life.project.model("plain", "{{ config(materialized='table') }}\n" + PLAIN.split("}}", 1)[1])
    life.run("plain")
    with pytest.raises(AssertionError, match=r"too many|missing"):
        life.compare("plain")
    life.project.model("plain", PLAIN)
    life.run("plain")
    life.compare("plain")
    life.arrive(5)
    with killed_after(lambda sql: sql.step == "show") as kill:
        life.run("plain")
    assert kill.happened
    with recorded() as statements:
        life.run("plain")
        life.run("plain")
    assert [sql.step for sql in statements.writes] == ["show", "show"]
    life.compare("plain")


def no_view_shows_it(life: Life) -> None:
    """A type that a view of Iceberg's has not, which it says after the windows were written."""
    life.project.model(
        "plain", PLAIN.replace("as n,", "as n, max(event_time) - min(event_time) as lasted,")
    )
    with recorded() as statements:
        error = life.project.run("plain", expect_error=True).error
    assert "'lasted' is of type interval day to second, which no view in iceberg" in error, error
    assert statements.writes == []
    life.project.model("plain", PLAIN)


def in_the_place_of_a_view(life: Life) -> None:
    """A rollup where a model in plain SQL was, whose view the catalogue does not list."""
    life.project.model("short", "{{ config(materialized='rollup') }}" + ROLLUPS["by_day"])
    life.run("sessions_scratch", "short")
    columns, query = truth("by_day")
    life.same(f"select {columns} from short", query)


def views_again(life: Life) -> None:
    went_on(life)
    life.run("plain")
    life.compare("plain")
    assert "plain" in life.views


def a_view_of_hives(life: Life) -> None:
    """Which a session with Iceberg's extensions neither replaces nor drops."""
    went_on(life)
    for options in ({}, {"full_refresh": True}):
        with recorded() as statements:
            error = life.project.run("plain", expect_error=True, **options).error
        assert "living.plain was made a view by a session without the spark.sql.exten" in error, (
            error
        )
        assert statements.writes == []


def went_on(life: Life) -> None:
    """Rows arrive for what a life before this one has left."""
    life.arrived = life.project.rows("select count(*) from rows")[0][0]
    life.arrive(2)


# of lives that go on in another session, and of those without views
OTHERS = {
    part.__name__: part
    for part in (
        no_way_to_the_views,
        tables_for_views,
        a_table_of_its_text,
        views_again,
        a_view_of_hives,
        no_view_shows_it,
        in_the_place_of_a_view,
    )
}
