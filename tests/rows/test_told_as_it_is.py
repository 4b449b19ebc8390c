"""What stands beside the windows: each dropped row once, and a clock in no zone as it stands."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from tests.explain.told import explained
from tests.harness import DbtProject
from tests.session_models import at, session_model

TUMBLING = "event_windows.tumbling(size='10 minutes', grace='0 minutes')"


def test_a_row_without_a_key_is_told_once_beside_a_late_key_of_its_class(
    project: DbtProject,
) -> None:
    """Null has the class 42 among hashes, and so have 1023164 and a struct of nulls."""
    empty: dict[str, Any] = {"a": None, "b": None}
    keys = {"alike": ("bigint", 1023164), "struct": ("struct<a: int, b: string>", empty)}
    for name, (kind, late) in keys.items():
        columns = f"key {kind}, event_time timestamp, arrival_seq bigint, value bigint"
        project.create_source(f"{name}_rows", [(late, at(120), 1, 0)], columns)
        assert project.rows(f"select pmod(hash(key), 1048576) as c from {name}_rows")[0].c == 42
        project.model(name, session_model(f"{name}_rows", TUMBLING))
    project.run(*keys)
    for name, (_, late) in keys.items():
        project.append(f"{name}_rows", [(late, at(0), 2, 0), (None, at(121), 3, 0)])
    project.run(*keys)
    for name in keys:
        told = project.rows(f"select arrival_seq, reason, key is null as k from {name}__dropped")
        assert sorted(map(tuple, told)) == [(2, "late", False), (3, "null_key", True)]


def test_a_clock_of_no_zone_is_told_as_it_stands(project: DbtProject) -> None:
    """There is no 02:30 in Berlin on that day, and an instant of the ledger is in UTC."""
    project.model("wall", session_model("wall_rows", TUMBLING))
    columns = "key string, event_time timestamp_ntz, arrival_seq bigint, value bigint"
    project.create_source("wall_rows", [("a", datetime(2024, 3, 31, 2, 30), 1, 0)], columns)
    project.spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        project.run("wall")
        project.append("wall_rows", [("a", datetime(2024, 3, 31, 2, 40), 2, 0)])
        assert explained(project, "wall")["wall"]["oldest_event"] == "2024-03-31 02:40:00"
    finally:
        project.spark.conf.set("spark.sql.session.timeZone", "UTC")
    told = project.rows("select stream_time from event_windows_runs where model = 'wall'")
    assert [row.stream_time for row in told] == [datetime(2024, 3, 31, 2, 30)]


def test_the_whole_row_has_its_times_in_full(project: DbtProject) -> None:
    """And the same in any session: in 1850 Berlin's clocks were 53 minutes and 28 seconds ahead."""
    project.model("old", session_model("old_rows", TUMBLING))
    columns = "key string, event_time timestamp, arrival_seq bigint, value bigint"
    early = datetime(1850, 1, 1, 12, tzinfo=UTC)
    project.create_source("old_rows", [(None, early, 1, 0)], columns)
    project.spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        project.run("old")
    finally:
        project.spark.conf.set("spark.sql.session.timeZone", "UTC")
    [row] = project.rows("select source_row from old__dropped")
    assert '"event_time":"1850-01-01 12:00:00.000000Z"' in row.source_row


def test_the_whole_row_has_values_of_any_type(project: DbtProject) -> None:
    """A field may bear the name of a type, and a text of a VARIANT is not the number."""
    names = "interval_minutes int, name string, at timestamp"
    columns = "key string, event_time timestamp, arrival_seq bigint, value bigint"
    project.create_source("odd_rows", [(None, at(0), 1, 0)], columns)
    project.rows(
        "create or replace temp view odd_types as select *, parse_json('1') as number, "
        "parse_json('\"1\"') as text, parse_json('null') as empty, null as nothing, "
        f'from_json(\'{{"interval_minutes": 5, "name": "a, b"}}\', \'{names}\') as held, '
        "interval '1' day as span from odd_rows"
    )
    relation = "'(select * from odd_types)'"
    text = session_model("odd_rows", TUMBLING).replace("source('raw', 'odd_rows')", relation)
    project.model("odd", text)
    project.run("odd")
    [row] = project.rows("select source_row from odd__dropped")
    told = json.loads(row.source_row)
    assert told["held"] == {"interval_minutes": 5, "name": "a, b", "at": None}
    assert [told[name] for name in ("number", "text", "empty", "nothing")] == [1, "1", None, None]
    assert told["span"] == "INTERVAL '1' DAY"
