"""`python -m tests.catalogues.life`: what models go through in a catalogue, in an own session.

Session settings are read from the standard input, as JSON; the arguments are a folder, the models
with commas between them, and the parts of a life that are wanted. Each part lets rows arrive, runs
dbt, and compares every model with its windows from scratch.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable
from pathlib import Path

from dbt_common.tests import enable_test_caching
from pyspark.sql import SparkSession

from tests.harness import DbtProject, killed_after, recorded, with_small
from tests.session_models import EVENTS, disordered, exists, session_model

SCHEMA = "living"
GRACE = "20 minutes"
SESSION = f"event_windows.session(gap='30 minutes', grace='{GRACE}')"
HOPPING = f"event_windows.hopping(size='1 hour', advance_by='20 minutes', grace='{GRACE}')"
TUMBLING = f"event_windows.tumbling(size='1 hour', grace='{GRACE}')"
CALLS = {
    "sessions": (SESSION, {}),
    "final": (HOPPING, {"emit": "final"}),
    "expiring": (TUMBLING, {"expire": "delete", "retention": "3 hours"}),
}
PLAIN = """
{{ config(materialized='windowed', grace='20 minutes', arrival_order='arrival_seq') }}
select upper(key) as who, session_window.start as began, count(*) as n
from {{ source('raw', 'rows') }} as arrived where key is not null
group by key, session_window(event_time, '30 minutes')
having count(*) > 1
"""
# a session that grows until it is taken into no account any more, as the HAVING says
SHORT = PLAIN.replace("> 1", "< 4").replace("upper(key) as who, ", "")
TESTS = """
models:
- name: sessions
  data_tests:
  - event_windows.windows_are_unique
  - event_windows.sessions_do_not_overlap
  - event_windows.every_row_is_counted: {arguments: {source: "source('raw', 'rows')"}}
  - event_windows.no_arrival_is_skipped
- name: final
  data_tests:
  - event_windows.every_row_is_counted: {arguments: {source: "source('raw', 'rows')"}}
- name: expiring
  data_tests:
  - event_windows.every_row_is_counted: {arguments: {source: "source('raw', 'rows')"}}
- name: plain
  data_tests:
  - event_windows.windows_are_unique
  - event_windows.every_row_is_counted: {arguments: {source: "source('raw', 'rows')"}}
  - event_windows.equals_its_sql
  - event_windows.equals_from_scratch
"""
ROWS = disordered(21, 260)
MODELS = [*CALLS, "plain", "short"]


class Life:
    """A project with models of each kind, and the rows that have arrived."""

    def __init__(self, folder: Path, settings: dict[str, str], models: list[str]) -> None:
        builder = SparkSession.builder.enableHiveSupport()
        for name, value in with_small(settings | {"spark.sql.ansi.enabled": "false"}).items():
            builder = builder.config(name, value)
        folder.mkdir(exist_ok=True)
        self.project = DbtProject(folder, builder.getOrCreate(), SCHEMA)
        self.arrived = 0
        self.models = models
        for name, (window, config) in CALLS.items():
            aggregates = {"n": "count(*)", "total": "sum(value)"}
            for kind, suffix in (("windowed", ""), ("table", "_scratch")):
                own = config if kind == "windowed" else {}
                text = session_model("rows", window, kind, own, aggregates=aggregates)
                self.project.model(name + suffix, text)
        self.project.model("plain", PLAIN)
        self.project.model("short", SHORT)
        self.project.write("models/tests.yml", TESTS)

    def arrive(self, count: int) -> None:
        more = ROWS[self.arrived : self.arrived + count]
        assert more, "there are no more rows"
        if self.arrived:
            self.project.append("rows", more)
        else:
            self.project.create_source("rows", more, EVENTS)
        self.arrived += len(more)

    def compare(self, *names: str) -> None:
        """Each model holds its windows from scratch, once each."""
        chosen = list(names or self.models)
        behind = {name if name in CALLS else "sessions" for name in chosen}
        self.project.run(*[f"{name}_scratch" for name in behind])
        shown = "key, window_start, window_end, n, total"
        # a window is final when the clock of its key is past its end and grace
        clocks = "(select key, max(event_time) as clock from rows group by key) as clocks"
        closed = "timestampadd(MINUTE, 20, w.window_end) <= clock"
        kept = "timestampadd(HOUR, 3, w.window_end) > clock"
        plain = "from sessions_scratch where n"
        truths = {
            "sessions": (shown, f"select {shown} from sessions_scratch"),
            "final": (
                shown,
                f"select w.* from final_scratch w join {clocks} using (key) where {closed}".replace(
                    "w.*", self._of("w", shown)
                ),
            ),
            "expiring": (
                shown,
                f"select w.* from expiring_scratch w join {clocks} using (key) "
                f"where {kept}".replace("w.*", self._of("w", shown)),
            ),
            "plain": ("who, began, n", f"select upper(key), window_start, n {plain} > 1"),
            "short": ("began, n", f"select window_start, n {plain} < 4"),
        }
        for name in chosen:
            columns, truth = truths[name]
            found = f"select {columns} from {name}"
            for one, other in ((found, truth), (truth, found)):
                wrong = self.project.rows(f"{one} except all {other}")
                assert not wrong, (name, one == found, wrong[:5])
            assert self.project.rows(f"select count(*) from {name}")[0][0] > 0, name

    @staticmethod
    def _of(alias: str, columns: str) -> str:
        return ", ".join(f"{alias}.{column}" for column in columns.split(", "))

    def run(self, *names: str, **options: object) -> None:
        self.project.run(*(names or self.models), **options)


def build_and_refresh(life: Life) -> None:
    life.arrive(60)
    life.run()
    life.arrive(15)
    life.run()
    life.compare()
    with recorded() as statements:
        life.run()
    assert statements.writes == [], "an idle run changes nothing"
    told = life.project.rows("select model, sum(rows_read) from event_windows_runs group by model")
    read = {row[0]: row[1] for row in told}
    with_key = life.project.rows("select count(*) from rows where key is not null")[0][0]
    for name in life.models:
        assert read[name] == (life.arrived if name in CALLS else with_key), (name, read)


def kills(life: Life) -> None:
    """Runs that are killed after each write, of a refresh and then of a build."""
    groups = [["plain", "short"], ["sessions"], ["final"], ["expiring"]]
    wanted = [[name for name in group if name in life.models] for group in groups]
    for full, names in itertools.product((False, True), filter(None, wanted)):
        for point in range(30):
            if not full:
                life.arrive(1)
            with killed_after(point) as kill:
                life.run(*names, full_refresh=full)
            life.run(*names)
            life.compare(*names)
            if not kill.happened:
                break


def one_kill(life: Life) -> None:
    """The run that is killed between the windows and what follows from them."""
    life.arrive(10)
    with killed_after(lambda sql: sql.step == "windows") as kill:
        life.run("plain")
    assert kill.happened
    life.run("plain")
    life.compare("plain")


def catch_up(life: Life) -> None:
    life.arrive(12)
    life.run(vars={"event_windows__max_rows_per_refresh": 5})
    life.compare()


def questions(life: Life) -> None:
    project = life.project
    life.run()
    project.test(*life.models)
    show = project.show
    for name in {"sessions", "final", "plain"} & {*life.models}:
        clocks = show(f"select * from {{{{ event_windows.stream_time(ref('{name}')) }}}}")
        truth = project.rows(
            "select key, max(event_time) from rows where key is not null group by 1"
        )
        assert len([clock for clock in clocks if clock["key"]]) == len([r for r in truth if r[1]])
        counts = show(f"{{{{ event_windows.window_counts(ref('{name}')) }}}}")[0]
        assert counts["open"] + counts["closed"] > 0
        fresh = show(f"{{{{ event_windows.freshness(ref('{name}')) }}}}")[0]
        assert fresh["lag_rows"] == 0
        assert show(f"{{{{ event_windows.lateness(ref('{name}')) }}}}")
        if name != "final":
            found = show(f"{{{{ event_windows.fetch(ref('{name}'), {{'key': \"'a'\"}}) }}}}")
            assert found
    assert show("{{ event_windows.changes(ref('sessions')) }}")
    assert show("{{ event_windows.changes(ref('plain')) }}")
    assert show("{{ event_windows.find_sessions(ref('plain'), {'key': \"'a'\"}) }}")


def report(life: Life) -> None:
    from dbt_event_windows.report.__main__ import main

    root = str(life.project.root)
    for name in {"sessions", "plain"} & {*life.models}:
        page = life.project.root / f"{name}.html"
        options = ["--project-dir", root, "--profiles-dir", root, "--out", str(page)]
        said = main(["--select", name, *options])
        assert said in (0, None), said
        assert page.exists()


def another_catalogue(life: Life) -> None:
    """A source that lives elsewhere, one with row lineage, and one that is merged on read."""
    project, spark = life.project, life.project.spark
    spark.sql("create schema if not exists spark_catalog.elsewhere")
    spark.sql(
        "create table spark_catalog.elsewhere.rows using parquet as "
        f"select * from {SCHEMA}.rows where arrival_seq < 30"
    )
    away = project.root.joinpath("models/sessions.sql").read_text()
    project.model(
        "away",
        away.replace("source('raw', 'rows')", "'(select * from spark_catalog.elsewhere.rows)'"),
    )
    spark.sql(
        f"create or replace table {SCHEMA}.lined using iceberg tblproperties "
        f"('format-version' = '3') as select * from {SCHEMA}.rows where arrival_seq < 30"
    )
    lined = session_model("lined", SESSION, arrival_order=None)
    project.model(
        "lined_sessions",
        lined.replace(
            "source('raw', 'lined')", f"api.Relation.create(schema='{SCHEMA}', identifier='lined')"
        ),
    )
    spark.sql(
        f"create or replace table {SCHEMA}.merged using iceberg tblproperties "
        "('format-version' = '2', 'write.delete.mode' = 'merge-on-read') as "
        f"select * from {SCHEMA}.rows where arrival_seq < 30"
    )
    spark.sql(f"delete from {SCHEMA}.merged where arrival_seq = 7")
    project.model(
        "merged_sessions",
        away.replace(
            "source('raw', 'rows')", f"api.Relation.create(schema='{SCHEMA}', identifier='merged')"
        ),
    )
    names = ["away", "lined_sessions", "merged_sessions"]
    project.run(*names)
    for table in ("spark_catalog.elsewhere.rows", f"{SCHEMA}.lined", f"{SCHEMA}.merged"):
        spark.sql(
            f"insert into {table} select * from {SCHEMA}.rows "
            "where arrival_seq >= 30 and arrival_seq < 60"
        )
    project.run(*names)
    read = {
        row[0]: row[1]
        for row in project.rows(
            "select model, sum(rows_read) from event_windows_runs group by model"
        )
    }
    assert [read[name] for name in names] == [60, 60, 59], read


def views_come_and_go(life: Life) -> None:
    """A model in plain SQL whose view becomes a table, and the table a view again."""
    for views in (False, True):
        if views and not life_has_views(life):
            continue
        life.project.run("plain", vars={"event_windows__views": views})
        life.compare("plain")
    life.arrive(2)
    life.run("plain", "short", full_refresh=True)
    life.compare("plain", "short")


def life_has_views(life: Life) -> bool:
    return "iceberg" in life.project.spark.conf.get("spark.sql.extensions", "")


PARTS: dict[str, Callable[[Life], None]] = {
    part.__name__: part
    for part in (
        build_and_refresh,
        one_kill,
        questions,
        report,
        catch_up,
        views_come_and_go,
        another_catalogue,
        kills,
    )
}


def main() -> None:
    enable_test_caching()
    life = Life(Path(sys.argv[1]), json.load(sys.stdin), sys.argv[2].split(","))
    for part in sys.argv[3:]:
        PARTS[part](life)
        print(f"{part} was as it must be", flush=True)
    assert exists(life.project, life.models[0])


if __name__ == "__main__":
    main()
