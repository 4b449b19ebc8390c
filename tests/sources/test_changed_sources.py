"""What was done to a source without an arrival order: told apart from new rows, or refused."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable

import pytest
from pyspark.sql import functions

from tests.formats import compact
from tests.harness import FILE_FORMAT, DbtProject
from tests.session_models import EVENTS, at, public, session_model

ICEBERG = FILE_FORMAT == "iceberg"
COLUMNS = "key, event_time, arrival_seq, value"


class Source:
    """A table, the rows that were appended to it, and what may be done to it."""

    def __init__(self, project: DbtProject, name: str, tracked: bool, on_read: bool) -> None:
        self.project = project
        self.name = name
        self.next = 0
        self.added = 0
        self.deletes = on_read
        self.create("create", tracked)

    def create(self, how: str, tracked: bool) -> None:
        if ICEBERG:
            mode = "merge-on-read" if self.deletes else "copy-on-write"
            properties = {f"write.{what}.mode": mode for what in ("delete", "update", "merge")}
            properties["format-version"] = "3" if tracked else "2"
        else:
            properties = {
                "delta.enableRowTracking": str(tracked).lower(),
                "delta.enableDeletionVectors": str(self.deletes).lower(),
            }
        options = ", ".join(f"'{name}' = '{value}'" for name, value in properties.items())
        self.sql(
            f"{how} table {{}} ({EVENTS}) using {FILE_FORMAT} partitioned by (key) "
            f"tblproperties ({options})"
        )

    def sql(self, text: str) -> None:
        self.project.rows(text.format(f"{self.project.schema}.{self.name}"))

    def values(self, *rows: int, key: str | None = None) -> str:
        told = [
            f"('{key or 'ab'[row % 2]}', timestamp'2024-04-17 00:00:00' + interval {row} minutes, "
            f"{row}L, {row}L)"
            for row in rows
        ]
        return f"(select * from values {', '.join(told)} as rows({COLUMNS}))"

    def new(self, n: int) -> list[int]:
        self.next += n
        return list(range(self.next - n, self.next))

    # only new rows

    def append(self) -> None:
        self.sql(f"insert into {{}} ({COLUMNS}) {self.values(*self.new(2))[1:-1]}")

    # no new rows

    def compact(self) -> None:
        compact(self.project, self.name)

    def set_property(self) -> None:
        self.sql("alter table {} set tblproperties ('team' = 'us')")

    def add_column(self) -> None:
        self.added += 1
        self.sql(f"alter table {{}} add columns (more_{self.added} string)")

    def track_rows(self) -> None:
        what = "'format-version' = '3'" if ICEBERG else "'delta.enableRowTracking' = 'true'"
        self.sql(f"alter table {{}} set tblproperties ({what})")

    # changes

    def load_again(self) -> None:
        self.sql("truncate table {}")
        self.sql(f"insert into {{}} ({COLUMNS}) {self.values(0, 1)[1:-1]}")

    def delete_all(self) -> None:
        self.sql("delete from {}")

    def delete_some(self) -> None:
        self.sql("delete from {} where arrival_seq = 1")

    def delete_partition(self) -> None:
        self.sql("delete from {} where key = 'a'")

    def update(self) -> None:
        self.sql("update {} set value = value + 1 where arrival_seq = 1")

    def merge_nothing(self) -> None:
        """What a final model does in a refresh that closes no window."""
        nothing = f"(select * from {self.table} where false)"
        self.sql(
            f"merge into {{}} as stored using {nothing} as new on stored.arrival_seq >= 1000000 "
            "when matched then update set * when not matched then insert *"
        )

    def merge(self) -> None:
        self.sql(
            f"merge into {{}} as old using {self.values(1)} as new "
            "on old.arrival_seq = new.arrival_seq when matched then update set value = 7"
        )

    def overwrite(self) -> None:
        self.frame().write.format(FILE_FORMAT).mode("overwrite").insertInto(self.table)

    def overwrite_partitions(self) -> None:
        self.project.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
        try:
            self.frame("key = 'a'").write.mode("overwrite").insertInto(self.table)
        finally:
            self.project.spark.conf.unset("spark.sql.sources.partitionOverwriteMode")

    def overwrite_where(self) -> None:
        """Delta records the condition, which may name another mode."""
        frame = self.frame("key = 'a'")
        if ICEBERG:
            frame.writeTo(self.table).overwrite(functions.col("key") == "a")
        else:
            where = """key = 'a' and 'Append' <> '"mode":"append"'"""
            frame.write.format("delta").mode("overwrite").option("replaceWhere", where).saveAsTable(
                self.table
            )

    def replace(self) -> None:
        rows = self.values(0, 1)
        self.sql(f"create or replace table {{}} using {FILE_FORMAT} as select * from {rows}")

    def drop(self) -> None:
        self.sql("drop table {}")
        self.create("create", True)
        self.sql(f"insert into {{}} {self.values(0, 1)[1:-1]}")

    def set_back(self) -> None:
        if ICEBERG:
            table = f"{self.table}.snapshots"
            [first, *_] = self.project.rows(f"select * from {table} order by committed_at")
            self.project.rows(
                "call spark_catalog.system.set_current_snapshot("
                f"'{self.table}', {first.snapshot_id})"
            )
        else:
            self.sql("restore table {} to version as of 1")
        self.sql(f"insert into {{}} ({COLUMNS}) {self.values(*self.new(1))[1:-1]}")

    @property
    def table(self) -> str:
        return f"{self.project.schema}.{self.name}"

    def frame(self, where: str = "true"):  # type: ignore[no-untyped-def]
        """The table's own rows, in memory: to write them again."""
        frame = self.project.spark.table(self.table).where(where)
        return self.project.spark.createDataFrame(frame.collect(), frame.schema)


HARMLESS = ["compact", "set_property", "add_column", "track_rows", "merge_nothing"]
CHANGES = [
    "load_again",
    "delete_all",
    "delete_some",
    "delete_partition",
    "update",
    "merge",
    "overwrite",
    "overwrite_partitions",
    "overwrite_where",
    "replace",
    "drop",
    "set_back",
]


ASKED = """
{%- set format = var('format') -%}
{%- set told = [] -%}
{%- for name, version, identity in (var('asked') if execute else []) -%}
    {%- set table = target.schema ~ '.' ~ name -%}
    {%- set now = event_windows._of_format(format, 'source_version', table) -%}
    {%- set since = event_windows._source_since(format, table, version, identity, now)
        if version is not none else {'problem': none, 'same': false} -%}
    {%- set problem, same = since.problem, since.same -%}
    {%- set rows = event_windows._of_format(format, 'added_rows', table, version, now.version) -%}
    {%- set found = run_query('select arrived.arrival_seq ' ~ rows).columns[0].values()
        | map('int') | list if not problem and not same else [] -%}
    {%- do told.append({'name': name, 'problem': problem, 'rows': found, 'now': now}) -%}
{%- endfor -%}
select '{{ tojson(told) | replace("\\\\", "") | replace("'", "") }}' as told
"""


class Reader:
    """Reads sources again and again as refreshes do: up to a version, and from there on."""

    def __init__(self, project: DbtProject) -> None:
        self.project = project
        self.read: dict[str, tuple[str | None, str | None]] = {}
        self.held: dict[str, Counter[int]] = {}

    def __call__(self, sources: list[Source]) -> dict[str, tuple[str | None, list[int]]]:
        """Why new rows of each cannot be told, or which ones they are."""
        asked = [[one.name, *self.read.get(one.name, (None, None))] for one in sources]
        given = {"asked": asked, "format": FILE_FORMAT}
        told = json.loads(self.project.show(ASKED, vars=given)[0]["told"])
        for source, one in zip(sources, told, strict=True):
            self.read[one["name"]] = (one["now"]["version"], one["now"]["identity"])
            rows = self.project.rows(f"select arrival_seq from {source.table}")
            holds = Counter(row.arrival_seq for row in rows)
            if not one["problem"]:
                # what was there and what is read are what is there, whatever was done in between
                before = self.held.get(one["name"], Counter())
                assert holds == before + Counter(map(int, one["rows"])), one
            self.held[one["name"]] = holds
        return {one["name"]: (one["problem"], sorted(one["rows"] or [])) for one in told}


@pytest.mark.slow
@pytest.mark.parametrize("tracked", [True, False])
@pytest.mark.parametrize("on_read", [True, False])
def test_each_kind_of_change(project: DbtProject, tracked: bool, on_read: bool) -> None:
    of = f"{tracked}_{on_read}".lower()
    every = HARMLESS + CHANGES
    sources = [Source(project, f"{name}_{of}", tracked, on_read) for name in every]
    reader = Reader(project)
    for source in sources:
        source.append()
    assert set(map(str, reader(sources).values())) == {"(None, [0, 1])"}
    for source, name in zip(sources, every, strict=True):
        source.append()
        getattr(source, name)()
        source.append()
    told = reader(sources)
    for source, name in zip(sources, every, strict=True):
        problem, rows = told[source.name]
        if name == "set_back" and ICEBERG:
            # to the very version that was read: what came after it never was
            assert (problem, rows) == (None, [4, 5, 6])
        elif name in CHANGES or (name == "compact" and not tracked and not ICEBERG):
            assert problem, f"{name} was not noticed"
        else:
            assert (problem, rows) == (None, [2, 3, 4, 5]), name


HOW: list[Callable[[random.Random], str]] = [
    lambda dice: "append",
    lambda dice: dice.choice(HARMLESS),
    lambda dice: dice.choice(["append", *HARMLESS, *CHANGES]),
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_any_sequence_of_operations(project: DbtProject, seed: int) -> None:
    """What is read each time is what was appended since, or it is told why that cannot be."""
    dice = random.Random(seed)
    sources = [
        Source(project, f"any_{seed}_{place}", dice.random() < 0.5, dice.random() < 0.5)
        for place in range(6)
    ]
    reader = Reader(project)
    for source in sources:
        source.append()
    reader(sources)
    for _ in range(8):
        done: dict[str, list[str]] = {source.name: [] for source in sources}
        first = {source.name: source.next for source in sources}
        for source in sources:
            for _ in range(dice.randrange(5)):
                done[source.name].append(dice.choice(HOW)(dice))
                getattr(source, done[source.name][-1])()
        told = reader(sources)
        for source in sources:
            problem, rows = told[source.name]
            what = done[source.name]
            if problem:
                # Delta tells rows through a rewrite only where both versions track them
                assert set(what) & set(CHANGES) or (not ICEBERG and "compact" in what), what
            elif not {"set_back", "load_again"} & set(what):
                # a change may have found nothing to change; those two bring rows back as well
                assert rows == list(range(first[source.name], source.next)), what


@pytest.mark.sample
def test_a_refresh_stops_before_it_writes(project: DbtProject) -> None:
    done = ["load_again", "overwrite_where", "track_rows"]
    sources = {name: Source(project, f"stops_{name}", False, False) for name in done}
    models = [f"stops_{name}_m" for name in done]
    project.sources |= {source.name for source in sources.values()}
    project.create_source("stops_not", [("a", at(0), 0, 0)], EVENTS)  # writes sources.yml
    for name, source in sources.items():
        source.append()
        project.model(f"stops_{name}_m", session_model(source.name, arrival_order=None))
    project.run(*models)
    for name, source in sources.items():
        getattr(source, name)()
        source.append()
    before = {model: public(project, model) for model in models}
    error = project.run(*models, expect_error=True).error
    assert error.count("which rows of") == 2
    assert error.count("run with --full-refresh, or give an arrival_order") == 2
    assert [public(project, model) for model in models[:2]] == [before[m] for m in models[:2]]
    assert project.rows(f"select sum(n) as n from {models[2]}")[0].n == 4
