"""The same questions to tables of either format, and copies of them."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from pyspark.sql import DataFrame, Row

from tests.harness import FILE_FORMAT, DbtProject

BESIDE = ["", "__state", "__dropped", "__stream_time", "__ew_clocks"]


def keep_log(project: DbtProject, table: str) -> None:
    """Let a source tell what changes in it from now on, as a table of Iceberg always does."""
    if FILE_FORMAT == "delta":
        project.rows(
            f"alter table {table} set tblproperties ('delta.enableChangeDataFeed' = 'true')"
        )


def iceberg_table(project: DbtProject, table: str) -> Any:
    """A table as Iceberg's own interface has it, for what SQL cannot say."""
    jvm = project.spark._jvm
    assert jvm is not None
    return jvm.org.apache.iceberg.spark.Spark3Util.loadIcebergTable(
        project.spark._jsparkSession, f"{project.schema}.{table}"
    )


def versions(project: DbtProject, table: str) -> dict[int, datetime]:
    """The versions of a table, as event_windows.changes counts them, and when each was made.

    With Delta every commit makes one, with Iceberg only those that change rows.
    """
    if FILE_FORMAT == "delta":
        history = project.rows(f"describe history {table}")
        return {int(row.version): row.timestamp for row in history}
    history = project.rows(
        "select unix_millis(made_current_at) as version, made_current_at as timestamp "
        f"from {project.schema}.{table}.history where is_current_ancestor"
    )
    return {int(row.version): row.timestamp for row in history}


def version(project: DbtProject, table: str) -> int:
    return max(versions(project, table))


def last_commit(project: DbtProject, table: str) -> str:
    """What differs after any commit, one that only sets a property too."""
    if FILE_FORMAT == "delta":
        return str(version(project, table))
    entries = f"{project.schema}.{table}.metadata_log_entries"
    return str(project.rows(f"select max_by(file, timestamp) as file from {entries}")[0].file)


def commits(project: DbtProject, table: str) -> int:
    """How many commits have made a table, those that only set a property too."""
    if FILE_FORMAT == "delta":
        return len(versions(project, table))
    entries = f"{project.schema}.{table}.metadata_log_entries"
    return int(project.rows(f"select count(*) as n from {entries}")[0].n)


def operations(project: DbtProject, table: str) -> list[str]:
    """What the commits of a table did, the last one first."""
    if FILE_FORMAT == "delta":
        return [row.operation for row in project.rows(f"describe history {table}")]
    snapshots = f"{project.schema}.{table}.snapshots"
    found = project.rows(f"select operation from {snapshots} order by committed_at desc")
    return [row.operation for row in found]


def written(project: DbtProject, table: str, since: int) -> list[Row]:
    """The images of rows that commits after a version wrote, however little they changed."""
    if FILE_FORMAT == "delta":
        named = f"{project.schema}.{table}"
        return project.rows(f"select * from table_changes('{named}', {since + 1})")
    table = f"{project.schema}.{table}"
    return project.rows(
        f"select changed.* from {table}.changes as changed inner join {table}.history as history "
        # one expression: Iceberg does not filter by its own columns
        "on coalesce(changed._commit_snapshot_id, changed._change_ordinal) = history.snapshot_id "
        f"where unix_millis(history.made_current_at) > {since}"
    )


def partitions_written(project: DbtProject, table: str, since: int) -> set[int]:
    """The segments in which commits after a version added or removed a file."""
    if FILE_FORMAT == "delta":
        [location] = project.rows(f"describe detail {table}")
        log = f"{location.location}/_delta_log"
        commits = [number for number in versions(project, table) if number > since]
        actions = project.spark.read.json([f"{log}/{number:020}.json" for number in commits])
        files = actions.selectExpr(
            "explode(array(add.partitionValues, remove.partitionValues)) as parts"
        ).collect()
    else:
        named = f"{project.schema}.{table}"
        files = project.rows(
            f"select data_file.partition as parts from {named}.all_entries where snapshot_id in ("
            f"select snapshot_id from {named}.snapshots where unix_millis(committed_at) > {since})"
        )
    return {int(row.parts["_ew_segment"]) for row in files if row.parts}


def compact(project: DbtProject, table: str, *options: str) -> None:
    """Rewrite the files of a table, and change no row; `options` are more of Iceberg's."""
    if FILE_FORMAT == "iceberg":
        given = ", ".join(["'rewrite-all', 'true'", *options])
        project.spark.sql(
            f"call spark_catalog.system.rewrite_data_files(table => '{project.schema}.{table}', "
            f"options => map({given}))"
        ).collect()
    else:
        project.spark.sql(f"optimize {project.schema}.{table}").collect()


def set_back(project: DbtProject, table: str, to: int) -> None:
    """Make a table what it was at one of its versions."""
    if FILE_FORMAT == "delta":
        project.rows(f"restore table {table} to version as of {to}")
    else:
        snapshots = f"{project.schema}.{table}.history"
        [row] = project.rows(
            f"select snapshot_id from {snapshots} where unix_millis(made_current_at) = {to}"
        )
        project.rows(
            f"call spark_catalog.system.set_current_snapshot('{project.schema}.{table}', "
            f"{row.snapshot_id})"
        )


def copy_table(project: DbtProject, new: str, old: str) -> None:
    """A table with the rows of another, or of a view, and what it records of itself."""
    kept: dict[str, Any] = {}
    if not is_view(project, old):
        properties = {r.key: r.value for r in project.rows(f"show tblproperties {old}")}
        kept = {n: v for n, v in properties.items() if n.startswith("event_windows.")}
    texts = {n: v.replace("\\", "\\\\").replace("'", "\\'") for n, v in kept.items()}
    recorded = ", ".join(f"'{name}' = '{text}'" for name, text in texts.items())
    project.rows(
        f"create or replace table {new} using {FILE_FORMAT} "
        + (f"tblproperties ({recorded}) " if recorded else "")
        + f"as select * from {old}"
    )


def copy_model(project: DbtProject, new: str, old: str) -> None:
    """A windowed model's table under another name, and what stands beside it."""
    tables = {row.tableName for row in project.rows("show tables")}
    for beside in BESIDE:
        if old + beside in tables:
            copy_table(project, new + beside, old + beside)


def is_view(project: DbtProject, table: str) -> bool:
    return bool(project.spark.catalog.getTable(f"{project.schema}.{table}").tableType == "VIEW")


def segments_asked_for(frame: DataFrame) -> dict[str, int]:
    """The bounds of segments by which Spark chooses files, by operator; its plans must be whole."""
    plan = frame._jdf.queryExecution().executedPlan().toString()
    if FILE_FORMAT == "delta":
        filters = re.findall(r"PartitionFilters: \[(.*?)\], PushedFilters", plan)[0]
    else:
        filters = re.findall(r"filters=(.*?), runtimeFilters=", plan)[0]
    found = re.findall(r"_ew_segment(?:#\d+L)? ([<>]=) (\d+)", filters)
    return {operator: int(segment) for operator, segment in found}


def reads_only(
    project: DbtProject, frame: DataFrame, table: str, first: int | None, last: int | None
) -> bool:
    """Whether the files that a query is planned over are of these segments, as far as can be told.

    Of Iceberg Spark tells how many rows they hold, and bounds of other columns leave out more.
    """
    bounds = (-1 if first is None else first, 1 << 62 if last is None else last)
    if FILE_FORMAT == "delta":
        read = {int(re.findall(r"_ew_segment=(-?\d+)/", file)[0]) for file in frame.inputFiles()}
        return bool(read) and bounds[0] <= min(read) and max(read) <= bounds[1]
    planned = frame._jdf.queryExecution().optimizedPlan().collectLeaves().head()
    held = project.rows(
        f"select sum(record_count) as n from {project.schema}.{table}.files "
        "where partition._ew_segment between {} and {}".format(*bounds)
    )
    return 0 < int(str(planned.computeStats().rowCount().get())) <= held[0].n
