"""macros/formats: what commits of a source were, by what the formats record of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from tests.macros.rendering import Macros, Relation

M = Relation("m")
TRACKING = {"properties": '{"delta.enableRowTracking":"true"}'}
NOT_TRACKING = {"properties": '{"delta.enableRowTracking":"false"}'}
APPEND: dict[str, Any] = {"mode": "Append", "partitionBy": "[]"}
OVERWRITE = APPEND | {"mode": "Overwrite"}


SOME = {"a": "int", "b": "float", "c": "decimal(10,2)", "d": "struct<os:string>"}


@pytest.mark.parametrize(
    ("now", "same"),
    [
        (SOME, True),
        (SOME | {"e": "map<string,int>"}, True),
        (SOME | {"a": "bigint", "b": "double", "c": "decimal(12,2)"}, True),
        (SOME | {"a": "string"}, False),
        (SOME | {"a": "double"}, False),
        (SOME | {"c": "decimal(12,3)"}, False),
        (SOME | {"c": "decimal(9,2)"}, False),
        (SOME | {"d": "struct<os:string,version:int>"}, False),
        ({"a": "int", "c": "decimal(10,2)"}, False),
        ({"b": "float", "a": "int", "c": "decimal(10,2)", "d": "struct<os:string>"}, False),
        ({"e": "int", "b": "float", "c": "decimal(10,2)", "d": "struct<os:string>"}, False),
    ],
)
def test_whether_columns_of_a_version_are_those_of_now(now: dict[str, str], same: bool) -> None:
    assert Macros()._iceberg_are_still(SOME, now) is same


def problem(format: str, answer: Any, version: str, now: str, same: bool = True) -> str | None:
    macros = Macros(answer=answer)
    identity = {"version": now, "identity": "one" if same else "another"}
    found = macros["_source_since"](format, M, version, "one", identity)["problem"]
    return None if found in (None, "None") else str(found)


# operation, parameters, whether it is a blind append: as Delta 4.4 writes them
DELTA: dict[str, tuple[str, Mapping[str, Any], bool]] = {
    "append": ("WRITE", APPEND, True),
    "append of what was read from it": ("WRITE", APPEND, False),
    "stream": ("STREAMING UPDATE", {"outputMode": "Append", "queryId": "q", "epochId": "0"}, False),
    "append of another writer": ("Manual Update", {}, True),
    "properties": ("SET TBLPROPERTIES", {"properties": '{"team":"us"}'}, True),
    "columns": ("ADD COLUMNS", {"columns": '[{"column":{"name":"w","type":"string"}}]'}, True),
    "backfill": ("ROW TRACKING BACKFILL", {"batchId": "0"}, False),
    "tracking": ("SET TBLPROPERTIES", TRACKING, True),
}
DELTA_CHANGES: dict[str, tuple[str, Mapping[str, Any], bool]] = {
    "truncate": ("TRUNCATE", {}, False),
    "delete": ("DELETE", {"predicate": '["true"]'}, False),
    "overwrite": ("WRITE", OVERWRITE, False),
    "replaceWhere": ("WRITE", OVERWRITE | {"predicate": "kind = 'Append'"}, False),
    "replaceWhere in words": ("WRITE", OVERWRITE | {"predicate": 'a = \'"mode":"Append"\''}, False),
    "complete stream": ("STREAMING UPDATE", {"outputMode": "Complete"}, False),
    "update": ("UPDATE", {"predicate": '["(k#1 = z)"]'}, False),
    "merge": ("MERGE", {"matchedPredicates": '[{"actionType":"update"}]'}, False),
    "merge of Trino": ("MERGE", {"queryId": "20261126_1"}, True),
    "delete of Trino": ("DELETE", {"queryId": "20261126_2"}, True),
    "replace": ("CREATE OR REPLACE TABLE AS SELECT", TRACKING, False),
    "restore": ("RESTORE", {"version": "2", "timestamp": None}, False),
    "unknown": ("NEW THING", {}, False),
}


def history(
    commits: Iterable[tuple[str, Mapping[str, Any], bool]], text: Any, old: bool = False
) -> Any:
    """Of a table whose version 5 was read, it may be long ago, and these commits since."""
    rows = [
        {
            "version": version,
            "timestamp": "2026-11-23 22:11:05",
            "operation": operation,
            "operationParameters": text(parameters),
            "isBlindAppend": text(blind),
        }
        for version, (operation, parameters, blind) in enumerate(
            [("WRITE", APPEND, True), *commits], 5
        )
    ]

    def answer(sql: str) -> Any:
        if sql.startswith("describe history"):
            return list(reversed(rows))
        if sql.startswith("select count(*) as n from (select 1)"):
            return [{"n": int(old)}]
        if sql.startswith("select current_timestamp()"):
            return [{"now": "2026-11-23 23:00:00"}]
        return None

    return answer


def as_hive(value: Any) -> str:
    """As a Thrift server writes maps: quotes within are as they are."""
    if isinstance(value, bool):
        return str(value).lower()
    return "{" + ",".join(f'"{name}":"{one}"' for name, one in value.items()) + "}"


TEXTS = pytest.mark.parametrize("text", [str, as_hive, lambda value: value])
VERSIONS = pytest.mark.parametrize("tracked", ["", "/tracked"])


def test_commits_of_delta_that_come_while_a_run_asks() -> None:
    """So many that those which it asks about are beyond its limit."""
    all_of_them = history([DELTA["append"]] * 40, str)
    asked: list[str] = []

    def answer(sql: str) -> Any:
        if not sql.startswith("describe history"):
            return all_of_them(sql)
        asked.append(sql)
        _, _, limit = sql.partition(" limit ")
        return all_of_them(sql)[: int(limit) if limit else None]

    assert problem("delta", answer, "5", "40") is None
    assert len(asked) == 1
    assert problem("delta", answer, "5", "7") is None
    assert len(asked) == 3
    assert "not recorded any more" in str(problem("delta", answer, "3", "7"))


@TEXTS
@VERSIONS
def test_commits_of_delta(text: Any, tracked: str) -> None:
    for name, commit in DELTA.items():
        told = problem("delta", history([commit], text), f"5{tracked}", f"6{tracked}")
        assert told is None, name
    for name, commit in DELTA_CHANGES.items():
        commits = [DELTA["append"], commit, DELTA["append"]]
        told = problem("delta", history(commits, text), f"5{tracked}", f"8{tracked}")
        assert told is not None, name
        assert "its rows were not only added to" in told, name
        assert f"{commit[0]} in version 7" in told, name


@TEXTS
def test_delta_tells_rows_through_a_rewrite_where_both_versions_track_them(text: Any) -> None:
    commits = [DELTA["append"], ("OPTIMIZE", {"predicate": "[]", "auto": "false"}, False)]
    answer = history(commits, text)
    assert problem("delta", answer, "5/tracked", "7/tracked") is None
    for version, now in (("5", "7"), ("5", "7/tracked"), ("5/tracked", "7")):
        told = problem("delta", answer, version, now)
        assert told is not None
        assert "OPTIMIZE in version 7" in told
        assert "delta.enableRowTracking" in told
    # rows can lose the version in which they came where tracking was off for a while
    commits = [("SET TBLPROPERTIES", NOT_TRACKING, True), DELTA["tracking"]]
    assert problem("delta", history(commits, text), "5/tracked", "7/tracked") is not None
    assert problem("delta", history(commits, text), "5", "7/tracked") is None


@TEXTS
def test_a_switch_of_delta_is_told_from_others_of_its_commit(text: Any) -> None:
    """A property that it is part of, that is set with it, or is named in a list beside it."""
    off, on = '"delta.enableRowTracking":"false"', '"delta.enableRowTracking":"true"'
    others = '"delta.enableChangeDataFeed":"{0}","my.enableRowTracking":"{0}"'
    mine, beside = others.format("true"), others.format("false")
    for what, properties, switched in (
        ("SET", f"{{{off},{mine}}}", "off"),
        ("SET", f"{{{mine},{off}}}", "off"),
        ("SET", f"{{{on},{beside}}}", "on"),
        ("SET", f"{{{mine}}}", None),
        ("UNSET", '["delta.enableRowTracking","true.so"]', "off"),
    ):
        commits = [(f"{what} TBLPROPERTIES", {"properties": properties}, True)]
        [row, _] = history(commits, text)("describe history s.m")
        assert Macros()["_delta_switched"](row, "enableRowTracking") == switched, properties
        problem_of = problem("delta", history(commits, text), "5/tracked", "6/tracked")
        assert (problem_of is not None) == (switched == "off"), properties


@TEXTS
@pytest.mark.parametrize("value", ["true", "TRUE", "True"])
def test_a_property_of_delta_is_true_in_capitals_too(text: Any, value: str) -> None:
    names = ["enableRowTracking", "enableChangeDataFeed"]
    on = {"properties": f'{{"delta.enableChangeDataFeed":"{value}"}}'}
    told = history([("SET TBLPROPERTIES", on, True)], text)

    def answer(sql: str) -> Any:
        if sql.startswith("show tblproperties"):
            return [{"key": f"delta.{name}", "value": value} for name in names]
        return [{"id": "one"}] if sql.startswith("describe detail") else told(sql)

    macros = Macros(answer=answer)
    assert macros["_delta_source_version"](M)["version"] == "6/tracked/fed"
    for version, feeds in ("5/fed", True), ("5", False), ("6", True):
        from_version = macros["_delta_read_version"](version)
        assert macros["_delta_feeds"](M, from_version) is feeds, version


def test_delta_reads_by_files_what_was_not_tracked_when_it_was_read() -> None:
    macros = Macros()
    for version, now in ((5, "7"), ("5", "7"), ("5", "7/tracked"), ("5/tracked", "7")):
        sql = macros["_delta_added_rows"](M, version, now)
        assert "version as of 7" in sql
        assert "row_commit_version" not in sql
        assert "from s.m version as of 5" in sql
    sql = macros["_delta_added_rows"](M, "5/tracked", "7/tracked")
    assert "row_commit_version > 5" in sql
    assert "file_path" not in sql


def test_delta_reads_no_old_version_where_no_commit_since_touched_a_row() -> None:
    quiet = [DELTA["properties"], ("VACUUM START", {}, True), ("VACUUM END", {}, True)]
    now = {"version": "8", "identity": "one"}
    for commits, same in (quiet, True), ([*quiet[:2], DELTA["append"]], False):
        macros = Macros(answer=history(commits, str, old=True))
        found = macros["_source_since"]("delta", M, "5", "one", now)
        assert found["same"] == same, commits
        assert ("is older than Delta reads one" in str(found["problem"])) != same, commits

    # as if the version now were the one that was read
    macros = Macros(answer=history(quiet, str, old=True))
    macros._macros["_delta_source_version"] = lambda relation: now
    spec = {"relation": M, "source": {"format": "delta"}, "source_changes": "keep"}
    run = {"from": [[None, "5"]], "to": [], "previous": {"source": "one"}}
    macros["_version_bounds"](spec, run)
    assert run["from"] == run["to"] == [[None, "8"]]


@pytest.mark.parametrize(
    "operation", ["DROP COLUMNS", "REPLACE COLUMNS", "DROP FEATURE", "Empty Commit"]
)
def test_commits_of_delta_that_add_no_row_though_they_are_blind_appends(operation: str) -> None:
    macros = Macros(answer=history([(operation, {}, True)], str, old=True))
    now = {"version": "6", "identity": "one"}
    since = macros["_source_since"]("delta", M, "5", "one", now)
    assert (since["problem"], since["same"]) == (None, True)


@pytest.mark.parametrize("operation", ["RENAME COLUMN", "DROP COLUMNS"])
@pytest.mark.parametrize("log", ["/fed", "/tracked"])
def test_moved_columns_are_seen_where_no_commit_touched_a_row(operation: str, log: str) -> None:
    commits = [(operation, {"columns": '["value"]'}, True), DELTA["columns"]]
    macros = Macros(answer=history(commits, str))
    before = {"version": f"5{log}", "identity": "one"}
    now = before | {"version": f"7{log}"}
    told = "columns of it were renamed or dropped since"

    # rows in the order of a source
    since = macros["_source_since"]("delta", M, before["version"], "one", now, True)
    assert told in str(since["problem"])
    assert macros["_source_since"]("delta", M, before["version"], "one", now)["problem"] is None

    # rows that have an order
    followed = {"table": M, "format": "delta", "columns": {}, "direct": True}
    spec = {"arrival": "seq", "source_changes": "retract", "followed": followed}
    found = macros["_changed_since"](spec, {"followed": now, "previous": {"followed": before}})
    assert told in str(found["problem"])
    assert "run with --full-refresh" in str(found["problem"])


def test_the_age_of_a_version_is_told_by_times_that_come_the_same_way() -> None:
    """A session in the process of dbt gives times in the zone of that, another one in its own."""
    macros = Macros(answer=history([DELTA["append"]], str))
    macros["_source_since"]("delta", M, "5", "one", {"version": "6", "identity": "one"})
    [asked] = [sql for sql in macros.asked if sql.startswith("select count(*)")]
    assert "timestamp_ntz '2026-11-23 22:11:05' + cast('interval 1 week' as interval)" in asked
    assert asked.endswith("< timestamp_ntz '2026-11-23 23:00:00'")


@pytest.mark.parametrize("version", ["5", "8"])
def test_no_row_of_a_delta_table_is_unread_where_no_commit_since_touched_one(version: str) -> None:
    commits = [DELTA["properties"]] * (int(version) - 5)
    macros = Macros(answer=history(commits, str, old=True))
    now = {"version": version, "identity": "one"}
    macros._macros["_delta_source_version"] = lambda relation: now
    spec = {"relation": M, "source": {"format": "delta"}, "arrival": None}
    progress = {"through": [[None, "5"]], "source": "one"}
    asked = {"spec": spec, "progress": progress, "readable": True}
    assert "where false" in macros["_unread_rows"](asked)


def test_delta_reads_rows_again_while_their_commits_are_there() -> None:
    """Those of the last version, or of a feed since another one, or in files beside those of it."""

    def lost(version: str | None, to: str) -> str:
        answer = history([DELTA["append"]] * 2, str)
        return str(Macros(answer=answer)["_delta_lost_rows"](M, version, to))

    for version, to in [
        (None, "5"),
        ("3/tracked", "5/tracked"),
        ("4/fed", "7/fed"),
        ("5/fed", "5/fed"),
        ("5", "7"),
        ("5", "7/tracked"),
    ]:
        assert lost(version, to) == "None", (version, to)
    for version, to in [
        (None, "4"),
        ("3/tracked", "4/tracked"),
        ("3/fed", "7/fed"),
        ("4", "7"),
        ("4/tracked", "7"),
        ("5/tracked", "8/tracked"),
    ]:
        assert "delta.logRetentionDuration" in lost(version, to), (version, to)


def test_delta_tables_that_are_others() -> None:
    answer = history([DELTA["append"]], str)
    told = str(problem("delta", answer, "5", "6", same=False))
    assert "of a windowed model, also for other columns than it had" in told
    assert "dropped and created again" in told
    assert "set back" in str(problem("delta", answer, "6", "5"))
    assert "not recorded any more" in str(problem("delta", answer, "3", "6"))


def snapshots(*rows: tuple[str, str | None, str], empty: tuple[str, ...] = ()) -> Any:
    def answer(sql: str) -> Any:
        if ".snapshots" not in sql:
            return None
        return [
            {
                "snapshot": snapshot,
                "parent": parent,
                "operation": operation,
                "committed_at": "2026-11-23 22:11:05",
                "is_empty": snapshot in empty,
            }
            for snapshot, parent, operation in rows
        ]

    return answer


def test_delete_files_of_iceberg_are_looked_for_by_parents() -> None:
    """A writer whose clock is behind commits before what it follows."""
    asked: list[str] = []

    def answer(sql: str) -> Any:
        asked.append(sql)
        rows = snapshots(("9", None, "append"), ("1", None, "append"), ("2", "1", "delete"))
        return rows(sql) if "as parent" in sql else [{"n": 1}]

    assert Macros(answer=answer)._iceberg_has_delete_files(M, "1", "2")
    assert asked[-1].count(" in (2, 1)") == 2


@pytest.mark.parametrize("lineage", [True, False])
def test_snapshots_of_iceberg(lineage: bool) -> None:
    def told(answer: Any, version: str, now: str) -> str | None:
        ends = ("/1", "/9") if lineage else ("", "")
        return problem("iceberg", answer, version + ends[0], now + ends[1])

    for operation in ("append", "replace"):
        line = [("1", None, "append"), ("2", "1", operation), ("3", "2", "append")]
        assert told(snapshots(*line), "1", "3") is None
    for operation in ("delete", "overwrite", "something"):
        line = [("1", None, "append"), ("2", "1", operation), ("3", "2", "append")]
        assert f"{operation} in snapshot 2" in str(told(snapshots(*line), "1", "3"))
        # on a branch, staged or rolled back
        line = [("1", None, "append"), ("2", "1", operation), ("3", "1", "append")]
        assert told(snapshots(*line), "1", "3") is None
    line = [("1", None, "append"), ("2", "1", "delete"), ("3", "2", "append")]
    assert told(snapshots(*line, empty=("2",)), "1", "3") is None
    # rolled back beyond what was read, or replaced
    line = [("1", None, "append"), ("2", "1", "append"), ("3", "1", "append")]
    assert "not part of it any more" in str(told(snapshots(*line), "2", "3"))
    assert "not part of it any more" in str(told(snapshots(("9", None, "append")), "1", "9"))
    assert "not part of it any more" in str(told(snapshots(("9", None, "append")), "9", "0"))
    # expired: with lineage the snapshot that was read is not needed, but all since
    line = [("2", "1", "append"), ("3", "2", "append")]
    assert (told(snapshots(*line), "1", "3") is None) == lineage
    assert "not part of it any more" in str(told(snapshots(*line[1:]), "1", "3"))


@pytest.mark.parametrize("before", ["0", "0/tracked", "5", "5/fed"])
@pytest.mark.parametrize("arrival", ["seq", None])
def test_a_table_of_delta_that_is_one_of_iceberg_now(before: str, arrival: str | None) -> None:
    """Its first version is called 0, as that of a table of Iceberg is which has none yet."""
    answer = snapshots(("7", None, "append"))
    now = {"version": "7/1", "identity": None}
    macros = Macros(answer=answer)
    since = macros["_source_since"]("iceberg", M, before, "a table of Delta", now)
    assert "replaced by one of another format" in str(since["problem"])
    table = {"table": M, "format": "iceberg"}
    spec = {"source_changes": "retract", "arrival": arrival, "followed": table}
    followed = {"version": before, "identity": "a table of Delta"}
    run = {"from": [[None, before]], "followed": now, "previous": {"followed": followed}}
    run["previous"]["source"] = followed["identity"]
    changed = macros["_changed_since"](spec, run)
    assert "replaced by one of another format; run with --full-refresh" in changed["problem"]


@pytest.mark.parametrize("shows", [True, False])
def test_a_table_that_shows_windows_anew_each_time_is_not_followed(shows: bool) -> None:
    """As the one is that a model in plain SQL is where the catalogue holds no views."""

    def answer(sql: str) -> Any:
        if sql.startswith("show tblproperties") and shows:
            return [{"key": "event_windows.shows", "value": '{"number":7}'}]
        return [{"snapshot": "5", "parent": None}] if ".snapshots" in sql else None

    table = {"table": M, "format": "iceberg"}
    spec = {"source_changes": "retract", "skipped_rows": "tell"}
    now = {"version": "5", "identity": None}
    told = str(Macros(answer=answer)._log_problem(spec, table, now))
    assert ("written anew by each run" in told) == shows, told
    assert (told == "None") == (not shows), told


def test_another_text_of_a_view_that_is_followed_is_told() -> None:
    """Former records bear it under another name, and in another form where quotes are doubled."""
    seen = {"version": "5", "identity": "one"}

    def run(text: str, before: dict[str, Any]) -> dict[str, Any]:
        macros = Macros()
        macros._macros["_iceberg_source_version"] = lambda relation: dict(seen)
        table = {"table": M, "format": "iceberg", "views": [macros._compared_sql(text)]}
        spec = {"source_changes": "retract", "arrival": "seq", "followed": table}
        run = {"full": False, "previous": {"followed": before}, "from": [[None, 3]]}
        macros._follow_source(spec, run)
        return run | {"changed": macros._changed_since(spec, run)}

    text = "select * from s.events where customer <> 'O''Brien'"
    recorded = run(text, seen)["followed"]
    assert run(text + " -- or not", recorded)["changed"] is None
    changed = run(text + " or true", recorded)["changed"]
    assert "the text of a view between it and the model was changed" in changed["problem"]
    former = seen | {"table": str(M), "views": "254b29f0"}
    assert run(text, former)["changed"] is None
    directly = seen | {"table": "s.events"}
    changed = run(text, directly)["changed"]
    assert "the text of a view between it and the model was changed" in changed["problem"]


@pytest.mark.parametrize("read", [[], [[None, 3]]])
def test_changes_before_the_log_is_followed_are_told_once_rows_were_read(read: list[Any]) -> None:
    """A build without rows (--empty) follows no log, and leaves nothing to count anew."""
    macros = Macros()
    run = {"followed": {"table": str(M)}, "previous": {"followed": None}, "from": read}
    assert macros._followed_before({"arrival": "seq"}, run) is None
    assert [("before now was not followed" in text) for text in macros.logged] == [True] * len(read)


@pytest.mark.parametrize("arrival", ["seq", None])
def test_a_name_that_is_another_aggregate_above_is_told(arrival: str | None) -> None:
    seen = {"version": "5", "identity": "one"}

    def run(aggregates: dict[str, str], before: dict[str, Any]) -> dict[str, Any]:
        recorded = json.dumps({"file_format": "iceberg", "aggregates": aggregates})
        properties = [{"key": "event_windows.spec", "value": recorded}]
        macros = Macros(answer=lambda sql: properties if sql.startswith("show tbl") else None)
        macros._macros["_iceberg_source_version"] = lambda relation: dict(seen)
        macros._macros["_iceberg_was_replaced"] = lambda relation: False
        table = {"table": M, "format": "iceberg", "views": []}
        spec = {"source_changes": "retract", "arrival": arrival, "followed": table}
        run = {"previous": {"followed": before, "source": "one"}, "from": [[None, "5"]]}
        run["to"] = run["from"]
        macros._follow_source(spec, run)
        return run | {"changed": macros._changed_since(spec, run)}

    both = {"gross": "sum(a)", "net": "sum(b)"}
    recorded = run(both, seen)["followed"]
    assert run(both | {"n": "count(*)"}, recorded)["changed"] is None
    assert run({"net": "sum(b)"}, recorded)["changed"] is None
    changed = run({"net": "sum(a)"}, recorded)["changed"]
    assert "its column net was that of another aggregate" in changed["problem"]


def test_iceberg_reads_rows_again_by_snapshots_after_the_one_that_was_read() -> None:
    """That one need not be there any more: the first one after it says what it follows."""
    line = [("1", None, "append"), ("2", "1", "append"), ("3", "2", "append")]

    def lost(kept: int, version: str | None, to: str) -> bool:
        macros = Macros(answer=snapshots(*line[-kept:]))
        return str(macros["_iceberg_lost_rows"](M, version, to)) != "None"

    assert [lost(kept, "1", "3") for kept in (3, 2, 1)] == [False, False, True]
    assert [lost(kept, "2", "3") for kept in (3, 2, 1)] == [False, False, False]
    assert [lost(kept, "1", "2") for kept in (3, 2, 1)] == [False, False, True]
    assert [lost(kept, "1/1", "2/2") for kept in (3, 2, 1)] == [False, False, True]
    assert [lost(kept, None, "2") for kept in (3, 2, 1)] == [False, False, True]


def test_keys_that_a_killed_run_made_anew_are_named_by_snapshots_that_are_there() -> None:
    """Where they are too many for the record, which has their digest then."""

    def lost(first: str, classes: str | None, arrival: str | None = "seq", **more: Any) -> str:
        answer = snapshots((first, None, "append"), ("3", first, "overwrite"))
        spec = {"arrival": arrival, "followed": {"table": M, "format": "iceberg"}}
        spec |= {"relation": M, "source": {"format": "iceberg"}}
        rebuilt = {"from": "1", "to": "3", "classes": classes} | more
        read = {"from": [[None, "1/1"]], "through": [[None, "3/3"]]}
        return str(Macros(answer=answer)._about_lost(spec, {"rebuilt": rebuilt, **read}))

    for arrival in ("seq", None):
        assert "is gone (expire_snapshots)" in lost("2", "md5 47", arrival)
        assert "run with --full-refresh" in lost("2", "md5 47", arrival)
        assert lost("1", "md5 47", arrival) == "None"
        assert lost("2", "47, 11", arrival) == "None"
        assert lost("2", None, arrival) == "None"
        assert lost("2", "md5 47", arrival, **{"from": None, "to": None}) == "None"
