"""What is done about labelled statements that fail, or take long."""

from __future__ import annotations

import time

import pytest

from dbt_event_windows import statements
from dbt_event_windows.statements import Label, label_of

MERGE = Label("page_sessions", "windows")
MET = [
    "[DELTA_CONCURRENT_APPEND.WITH_PARTITION_HINT] Files were added by a concurrent update",
    "io.delta.exceptions.ProtocolChangedException: [DELTA_PROTOCOL_CHANGED] changed",
    "org.apache.iceberg.exceptions.CommitFailedException: Requirement failed",
    "ValidationException: Found conflicting files that can contain records matching true",
    "ValidationException: Missing required files to delete: /a/b.parquet",
]


class Sender:
    """Fails with each of `errors` in turn, then gives its number of calls."""

    def __init__(self, *errors: str) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self, sql: str) -> int:
        self.calls += 1
        self.last = sql
        if self.errors:
            raise RuntimeError(self.errors.pop(0))
        return self.calls


def send(label: Label, sender: Sender, sql: str = "select 1") -> tuple[int, list[str], list[float]]:
    told: list[str] = []
    waits: list[float] = []
    result = statements.run(sql, label, sender, told.append, ValueError, waits.append)
    return result, told, waits


def test_a_label_is_found_behind_a_query_comment() -> None:
    sql = '/* {"app": "dbt"} */\n/* event_windows my model late_rows */\nselect 1'
    assert label_of(sql) == Label("my model", "late_rows")
    assert label_of("select 1 /* event_windows */") is None


@pytest.mark.parametrize("error", MET)
def test_a_statement_that_met_another_writer_is_sent_again(error: str) -> None:
    result, told, waits = send(MERGE, Sender(error, error))
    assert result == 3
    assert len(told) == len(waits) == 2
    assert "page_sessions" in told[0]
    assert "windows met another writer" in told[0]


def test_tries_are_bounded_and_the_last_ends_in_a_sentence() -> None:
    sender = Sender(*MET * 9)
    with pytest.raises(ValueError, match="met other writers of the same table 8 times"):
        send(MERGE, sender)
    assert sender.calls == statements.TRIES


def test_what_changes_columns_is_sent_once() -> None:
    """It was told from the table as it was before the other writer came."""
    sender = Sender(MET[0])
    with pytest.raises(ValueError, match=r"step reshape met another writer .* run again"):
        send(Label("page_sessions", "reshape"), sender)
    assert sender.calls == 1


@pytest.mark.parametrize(
    "error",
    [
        "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name "
        "`change`.`total` cannot be resolved. SQLSTATE: 42703",
        "[DELTA_MERGE_UNRESOLVED_EXPRESSION] Cannot resolve total in UPDATE condition",
    ],
)
def test_columns_that_another_run_has_changed_are_one_sentence(error: str) -> None:
    for step in ("windows", "reshape"):
        with pytest.raises(ValueError, match=r"by another run meanwhile, .* with --full-refresh"):
            send(Label("page_sessions", step), Sender(error))
    with pytest.raises(RuntimeError):
        send(Label("page_sessions", "slices"), Sender(error))


def test_other_errors_are_raised_as_they_came_at_once() -> None:
    sender = Sender("[DIVIDE_BY_ZERO] by zero")
    with pytest.raises(RuntimeError, match="DIVIDE_BY_ZERO"):
        send(MERGE, sender)
    assert sender.calls == 1


def test_rows_that_stop_a_run_are_told_in_a_sentence() -> None:
    error = (
        "Job aborted\nCaused by: org.apache.spark.SparkRuntimeException: "
        "[USER_RAISED_EXCEPTION] event_windows: rows of the key 1 come twice SQLSTATE: P0001\n\tat"
    )
    said = "model 'page_sessions': rows of the key 1 come twice"
    with pytest.raises(ValueError, match=said) as raised:
        send(MERGE, Sender(error))
    assert "Caused by" not in str(raised.value)
    assert "SQLSTATE" not in str(raised.value)


def test_tables_made_by_two_runs_at_once_are_one_table() -> None:
    error = "AlreadyExistsException: Table was created concurrently: s.event_windows_runs"
    assert send(Label("m", "ledger"), Sender(error))[0] == 2


def test_a_table_in_the_place_of_a_view_is_not_tried_again() -> None:
    error = "iceberg.exceptions.AlreadyExistsException: View with same name already exists: s.m"
    sender = Sender(error)
    with pytest.raises(ValueError, match="step build makes a table where the catalogue has a view"):
        send(Label("m", "build"), sender)
    assert sender.calls == 1


def test_a_table_whose_making_was_killed_is_replaced_at_last() -> None:
    label = "/* dbt */\n/* event_windows m ledger */"
    sql = f"{label}\ncreate table if not exists t (a int)"
    error = "[DELTA_CREATE_TABLE_WITH_NON_EMPTY_LOCATION] Cannot create table `t`"
    both = f"{sql}\n/* event_windows at last create or replace table t as\nselect 1 */"
    for tries, sent in [(7, both), (8, f"{label}\ncreate or replace table t as\nselect 1")]:
        sender = Sender(*[error] * tries)
        send(Label("m", "ledger"), sender, both)
        assert sender.last == sent
    sender = Sender(*MET * 9)
    with pytest.raises(ValueError, match="met other writers"):
        send(Label("m", "ledger"), sender, both)
    assert sender.last == both


@pytest.mark.parametrize(
    "error",
    [
        '[FIELD_ALREADY_EXISTS] Cannot add column, because `b` already exists in "STRUCT<b: INT>"',
        "[DELTA_DUPLICATE_COLUMNS_FOUND.ADDING_COLUMNS] Found duplicate column(s): b, c.",
        "SparkException: Unsupported table change: Cannot add column, name already exists: b",
    ],
)
def test_columns_that_another_run_has_added_are_looked_at_at_once(error: str) -> None:
    label = "/* event_windows m ledger */"
    alter = f"{label}\nalter table t add columns (b int)"
    sender = Sender(MET[0], error)
    result, told, waits = send(
        Label("m", "ledger"),
        sender,
        f"{alter}\n/* event_windows at last select b from t limit 0 */",
    )
    assert (result, len(told), len(waits)) == (3, 1, 1)
    assert sender.last == f"{label}\nselect b from t limit 0"
    with pytest.raises(RuntimeError, match="UNRESOLVED_COLUMN"):
        send(
            Label("m", "ledger"),
            Sender(error, "[UNRESOLVED_COLUMN] `b`"),
            f"{alter}\n/* event_windows at last select b from t limit 0 */",
        )


def test_a_slow_step_says_so_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "SLOW", 0.01)
    told: list[str] = []

    def slow(sql: str) -> bool:
        while not told:
            time.sleep(0.005)
        return True

    assert statements.run("select 1", MERGE, slow, told.append, ValueError)
    assert "step windows has been running for" in told[0]


@pytest.mark.parametrize(
    "error",
    [
        "UnsupportedOperationException: Creating a view is not supported by catalog: lake",
        "[MISSING_CATALOG_ABILITY.VIEWS] Catalog lake does not support views. SQLSTATE: 0A000",
        "Server does not support endpoint: POST /v1/{prefix}/namespaces/{namespace}/views",
    ],
)
def test_a_catalogue_without_views_is_a_sentence_that_names_the_var(error: str) -> None:
    sender = Sender(error)
    with pytest.raises(ValueError, match="give the var event_windows__views: false"):
        send(Label("page_sessions", "clocks"), sender)
    assert sender.calls == 1


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("Creating a view is not supported by catalog: lake", "event_windows__views: false"),
        (
            "[FAILED_READ_FILE.FILE_NOT_EXIST] Encountered error while reading file cdc-1.parquet",
            "VACUUM, expire_snapshots or old logs",
        ),
        (
            "[DELTA_UNSUPPORTED_TIME_TRAVEL_BEYOND_DELETED_FILE_RETENTION_DURATION] Cannot time",
            "run again first, if the source was written meanwhile",
        ),
        ("[DELTA_VERSION_NOT_FOUND] Cannot time travel Delta table to version 1", "--full-refresh"),
        ("[DELTA_LOG_FILE_NOT_FOUND] Unable to retrieve the delta log", "--full-refresh"),
        ("[DELTA_VERSIONS_NOT_CONTIGUOUS] Versions ([3, 5]) are not", "--full-refresh"),
        ("[DELTA_NO_RECREATABLE_HISTORY_FOUND] No recreatable commits", "--full-refresh"),
        ("[INCOMPATIBLE_COLUMN_TYPE] UNION can only be performed on", "has other fields"),
        (
            "[PLAN_VALIDATION_FAILED_RULE_IN_BATCH] Rule org.apache.spark.sql.catalyst.optimizer."
            "PushProjectionThroughUnion in batch Operator Optimization before Inferring Filters",
            "has other fields",
        ),
        ("[COLUMN_ALREADY_EXISTS] The column `arr` already exists.", "names of their own"),
        ("org.apache.iceberg.exceptions.NotFoundException: File does not exist", "--full-refresh"),
        ("[DELTA_CHANGE_DATA_FEED_INCOMPATIBLE_DATA_SCHEMA] Retrieving", "a change of columns"),
        ("[DELTA_MISSING_CHANGE_DATA] Error getting change data", "was off for a while"),
        (
            "ValidationException: Cannot determine history between starting snapshot 1 and the",
            "met other writers of the same table, which have built it anew",
        ),
        (
            "Cannot find main error class 'DELTA_MERGE_RESOLVED_ATTRIBUTE_MISSING_FROM_INPUT'",
            "read it as k || ''",
        ),
        ("[INVALID_NON_DETERMINISTIC_EXPRESSIONS] The operator", "another value each time"),
        ("[INVALID_TIMEZONE] The timezone: ROC is invalid. The", "the time zone 'ROC', which"),
        ("[DELTA_CANNOT_MODIFY_APPEND_ONLY] This table is", "'delta.appendOnly' = 'false'"),
        ("ZoneRulesException: Unknown time-zone ID: ROC\n\tat java", "the time zone 'ROC', which"),
        ("Detected implicit cartesian product for LEFT OUTER", "spark.sql.crossJoin.enabled=false"),
        (
            "ValidationException: Cannot find source column for partition field: 1002: top",
            "drop partition field",
        ),
        (
            "ValidationException: Cannot find source column for sort field: identity(6) DESC",
            "write unordered",
        ),
        ("[VIEW_NOT_FOUND] The view g.m__stream_time cannot be found.", "IcebergSparkSession"),
        ("IllegalArgumentException: Unsupported format in USING: delta", "makes a table in delta,"),
        (
            "[DATA_SOURCE_NOT_FOUND] Failed to find the data source: delta. Make sure the provider",
            "or for all of them the var event_windows__file_format",
        ),
        (
            "iceberg.exceptions.CommitStateUnknownException: Service failed: 503: \nCannot "
            "determine whether the commit was successful or not",
            "run again, which is safe",
        ),
    ],
)
def test_an_error_that_the_next_run_would_meet_again_is_one_sentence(error: str, said: str) -> None:
    sender = Sender(error)
    with pytest.raises(ValueError, match="model 'page_sessions': step windows ") as raised:
        send(MERGE, sender)
    assert said in str(raised.value)
    assert sender.calls == 1


def test_a_file_that_is_there_and_cannot_be_read_is_no_lost_one() -> None:
    with pytest.raises(RuntimeError, match="NO_HINT"):
        send(MERGE, Sender("[FAILED_READ_FILE.NO_HINT] Encountered error while reading file a"))
