"""Sources in other catalogues, of other layouts, and with rows that change: parts of a life."""

from __future__ import annotations

from collections.abc import Callable

from tests.catalogues.life import SCHEMA, Life
from tests.catalogues.texts import AGGREGATES, SESSION
from tests.harness import killed_after, recorded
from tests.session_models import session_model, windowed

# a schema as the model says it, without that of the profile before it
AS_IT_IS = """
{% macro generate_schema_name(custom, node) %}{{ custom or target.schema }}{% endmacro %}
"""
WINDOWED = (
    "{{ config(materialized='windowed', grace='20 minutes', arrival_order='arrival_seq') }}\n"
)
COUNTED = "select key, window_start, window_end, n, total from {}"
AWAY = {"name": "away", "schema": "other.away", "tables": [{"name": "rows"}]}


def over(relation: str, **arguments: object) -> str:
    return "{{ config(materialized='windowed') }}\n" + windowed(
        relation, SESSION, aggregates=AGGREGATES, **arguments
    )


def own(table: str) -> str:
    """A table of the project's schema that no source names."""
    return f"api.Relation.create(schema='{SCHEMA}', identifier='{table}')"


def in_other_places(life: Life) -> None:
    """Tables of other catalogues, and of layouts that a reader must know of."""
    project, spark = life.project, life.project.spark
    spark.sql("create schema if not exists spark_catalog.elsewhere")
    spark.sql("create schema if not exists other.away")
    version_3 = "using iceberg tblproperties ('format-version' = '3')"
    merged = (
        "using iceberg tblproperties ('format-version' = '2', 'write.delete.mode' = "
        "'merge-on-read')"
    )
    tables = {
        "spark_catalog.elsewhere.rows": "using parquet",
        "other.away.rows": "using iceberg",
        f"{SCHEMA}.lined": version_3,
        f"{SCHEMA}.merged": merged,
    }
    for table, layout in tables.items():
        some = f"select * from {SCHEMA}.rows where arrival_seq < 30"
        spark.sql(f"drop table if exists {table}")
        spark.sql(f"create table {table} {layout} as {some}")
    spark.sql(f"delete from {SCHEMA}.merged where arrival_seq = 7")
    project.write_yaml("models/away.yml", {"sources": [AWAY]})
    texts = {
        "elsewhere": over("'(select * from spark_catalog.elsewhere.rows)'"),
        "away": over("'(select * from other.away.rows)'"),
        "away_source": over("source('away', 'rows')"),
        "away_versions": over("source('away', 'rows')", arrival_order=None),
        "away_plain": WINDOWED + "select key, session_window.start as began, count(*) as n "
        "from {{ source('away', 'rows') }} as r group by key, session_window(event_time, "
        "'30 minutes')",
        "lined_versions": over(own("lined"), arrival_order=None),
        "lined_sessions": over(own("lined")),
        "merged_sessions": over(own("merged")),
    }
    for name, text in texts.items():
        project.model(name, text)
    life.run(*texts, full_refresh=True)
    for table in tables:
        spark.sql(
            f"insert into {table} select * from {SCHEMA}.rows "
            "where arrival_seq >= 30 and arrival_seq < 60"
        )
    life.run(*texts)
    first = f"(select * from {SCHEMA}.rows where arrival_seq < 60)"
    for name, rows in {
        "at_once": first,
        "at_once_merged": first.replace("60)", "60 and arrival_seq <> 7)"),
    }.items():
        project.model(name, over(f"'{rows}'").replace("'windowed'", "'table'"))
    life.run("at_once", "at_once_merged")
    for name in ("elsewhere", "away", "away_source", "lined_sessions"):
        life.same(COUNTED.format(name), COUNTED.format("at_once"))
    life.same(COUNTED.format("merged_sessions"), COUNTED.format("at_once_merged"))
    life.same(
        "select began, n from away_plain where key is not null",
        "select window_start, n from at_once",
    )
    read = life.told("rows_read")
    assert {name: read[name] for name in texts} == dict.fromkeys(texts, 60) | {
        "merged_sessions": 59
    }
    with recorded() as statements:
        life.run(*texts)
    assert statements.writes == []
    for name, gone in [("away", False), ("away_versions", False), ("away_versions", True)]:
        if gone:
            spark.sql("drop table other.away.rows")
        asked = project.show(f"{{{{ event_windows.freshness(ref('{name}')) }}}}")[0]
        assert asked["lag_rows"] == (None if gone else 0)


def schemas(life: Life) -> None:
    """A schema that dbt makes, of the session's catalogue; and one of another, which is refused."""
    text = session_model("rows", SESSION, config={"schema": "made"}, aggregates=AGGREGATES)
    life.project.model("in_a_schema", text)
    for _ in range(2):
        life.run("sessions", "in_a_schema")
        life.same(COUNTED.format(f"{SCHEMA}_made.in_a_schema"), COUNTED.format("sessions"))
        life.arrive(3)
    [told] = life.project.rows(f"select count(*) from {SCHEMA}_made.event_windows_runs")
    assert told[0] == 2
    life.project.write("macros/schema.sql", AS_IT_IS)
    away = text.replace("'made'", "'other.away'")
    for model in (away, away.replace("'windowed'", "'rollup'")):
        life.project.model("in_a_schema", model)
        said = life.project.run("in_a_schema", expect_error=True).error
        assert "its schema 'other.away' begins with a catalogue" in said
    life.project.root.joinpath("macros/schema.sql").unlink()
    life.project.root.joinpath("models/in_a_schema.sql").unlink()


PLAIN = """
select key, session_window.start as began, count(*) as n
from {} as r where key is not null group by key, session_window(event_time, '30 minutes')
"""
CHANGING = {
    "changed": over(own("changing")).replace(
        "'windowed')", "'windowed', source_changes='retract')"
    ),
    "changed_plain": WINDOWED.replace(") }}", ", source_changes='retract') }}")
    + PLAIN.format("{{ " + own("changing") + " }}"),
    "by_hand": WINDOWED + PLAIN.format("{{ " + own("changing") + " }}"),
}
CHANGES = [
    f"delete from {SCHEMA}.changing where arrival_seq in (3, 11, 12)",
    f"update {SCHEMA}.changing set key = if(key = 'a', 'b', 'a') where arrival_seq in (5, 17)",
    f"insert into {SCHEMA}.changing select * from {SCHEMA}.rows "
    "where arrival_seq between 40 and 50",
]


def keys_made_anew(life: Life) -> None:
    """Rows that are changed and deleted after they were read, followed by the log and by hand."""
    project, spark = life.project, life.project.spark
    spark.sql(
        f"create or replace table {SCHEMA}.changing using iceberg as "
        f"select * from {SCHEMA}.rows where arrival_seq < 40"
    )
    for name, text in CHANGING.items():
        project.model(name, text)
    scratch = over(own("changing")).replace("'windowed'", "'table'")
    project.model("changing_scratch", scratch)
    life.run(*CHANGING, full_refresh=True)

    def compared() -> None:
        life.run("changing_scratch")
        life.same(COUNTED.format("changed"), COUNTED.format("changing_scratch"))
        for name in ("changed_plain", "by_hand"):
            life.same(
                f"select key, began, n from {name}",
                "select key, window_start, n from changing_scratch",
            )

    for change in CHANGES:
        spark.sql(change)
        life.run("changed", "changed_plain")
        life.run("by_hand", vars={"event_windows__rebuild": "key in ('a', 'b')"})
        compared()
    for point in range(1, 99):
        spark.sql(f"delete from {SCHEMA}.changing where arrival_seq = {20 + point}")
        with killed_after(point, may_end=True) as kill:
            life.run("changed", "changed_plain")
        life.run("changed", "changed_plain")
        life.run("by_hand", vars={"event_windows__rebuild": "key in ('a', 'b')"})
        compared()
        if not kill.happened:
            break
    else:
        raise AssertionError("no run came to its end")


SOURCES: dict[str, Callable[[Life], None]] = {
    part.__name__: part for part in (in_other_places, schemas, keys_made_anew)
}
