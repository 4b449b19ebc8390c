"""What was done to a source without an arrival order: told apart from new rows, or refused."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from pyspark.sql import functions

from tests.formats import compact
from tests.harness import FILE_FORMAT, DbtProject, sampled
from tests.session_models import EVENTS, at, public, session_model

ICEBERG = FILE_FORMAT == "iceberg"
COLUMNS = "key, event_time, arrival_seq, value"
STOPPED = ["which rows of", "run with --full-refresh, or give an arrival_order"]


class Source:
    """A table, the rows that were appended to it, and what may be done to it."""

    def __init__(self, project: DbtProject, name: str, tracked: bool, on_read: bool) -> None:
        self.project = project
        self.name = name
        self.next = 0
        self.added = 0
        self.deletes = on_read
        self.create("create", tracked)
        if name not in project.sources:
            project.sources.add(name)
            project.create_source(f"{name}_unused", [("a", at(0), 0, 0)], EVENTS)

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
        self.sql("alter table {} set tblproperties ('owner' = 'us')")

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


APPENDS = ["append"]
HARMLESS = ["compact", "set_property", "add_column", "track_rows"]
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


def read(project: DbtProject, model: str) -> int:
    return int(project.rows(f"select coalesce(sum(n), 0) as n from {model}")[0].n)


@pytest.mark.parametrize("tracked", sampled([True, False], [True]))
@pytest.mark.parametrize("on_read", sampled([True, False], [True]))
def test_each_kind_of_change(project: DbtProject, tracked: bool, on_read: bool) -> None:
    """All in one run each: new rows alone, then a change each, which stops before anything is."""
    of = f"{tracked}_{on_read}".lower()
    sources = {name: Source(project, f"{name}_{of}", tracked, on_read) for name in CHANGES}
    for source in sources.values():
        source.append()
        project.model(f"{source.name}_m", session_model(source.name, arrival_order=None))
    models = {name: f"{source.name}_m" for name, source in sources.items()}
    project.run(*models.values())
    for source in sources.values():
        source.append()
    project.run(*models.values())
    before = {name: public(project, model) for name, model in models.items()}
    assert {read(project, model) for model in models.values()} == {4}
    for name, source in sources.items():
        getattr(source, name)()
        source.append()
    errors = project.run(*models.values(), expect_error=True).error.split("\n")
    for name, model in models.items():
        told = [error for error in errors if error.startswith(f"{model}: ")]
        assert told, f"{name} was not noticed"
        assert all(words in "\n".join(errors) for words in STOPPED)
        assert public(project, model) == before[name]
    project.run(*models.values(), full_refresh=True)


HOW: list[Callable[[random.Random], str]] = [
    lambda dice: "append",
    lambda dice: dice.choice(HARMLESS),
    lambda dice: dice.choice(APPENDS + HARMLESS + CHANGES),
]


@pytest.mark.parametrize("seed", sampled(range(12), []))
def test_any_sequence_of_operations(project: DbtProject, seed: int) -> None:
    """After each refresh the windows hold what was appended, once each, or the run has stopped."""
    dice = random.Random(seed)
    names = [f"any_{seed}_{place}" for place in range(6)]
    sources = [Source(project, name, dice.random() < 0.5, dice.random() < 0.5) for name in names]
    for source in sources:
        source.append()
        project.model(f"{source.name}_m", session_model(source.name, arrival_order=None))
    project.run(*(f"{source.name}_m" for source in sources))
    for _ in range(6):
        done: dict[str, list[str]] = {source.name: [] for source in sources}
        for source in sources:
            for _ in range(dice.randrange(4)):
                done[source.name].append(dice.choice(HOW)(dice))
                getattr(source, done[source.name][-1])()
        models = [f"{source.name}_m" for source in sources]
        error = project.run(*models, expect_error=None).error
        for source in list(sources):
            changed = set(done[source.name]) & set(CHANGES)
            if f"{source.name}_m: " in error:
                told = error[error.index(f"{source.name}_m: ") :]
                assert all(words in told for words in STOPPED)
                # without row tracking Delta cannot tell rows in files that were rewritten
                assert changed or (not ICEBERG and "compact" in done[source.name]), done
                sources.remove(source)
            else:
                assert not changed, done[source.name]
                assert read(project, f"{source.name}_m") == source.next, done[source.name]
        if not sources:
            break
