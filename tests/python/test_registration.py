"""The functions get into a Spark session, once, by hand or through dbt-spark."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import dbt_event_windows
from dbt_event_windows.errors import UnsupportedPySparkError
from dbt_event_windows.registry import FUNCTIONS
from tests.python.replay_items import COLUMNS, numbered
from tests.python.vectors import read_spec, spec_files

SESSION_SPECS: list[Path] = [path for path in spec_files() if path.stem.startswith("session")]
SCHEMA = "k string, " + ", ".join(f"{column} bigint" for column in COLUMNS[1:])


class RecordingSession:
    """Stands for a SparkSession; takes its time, so that threads would meet."""

    def __init__(self) -> None:
        self.udf = self
        self.names: list[str] = []

    def register(self, name: str, function: object) -> None:
        time.sleep(0.01)
        self.names.append(name)


def test_threads_on_one_session_register_once() -> None:
    session = RecordingSession()
    threads = [
        threading.Thread(target=dbt_event_windows.register, args=(session,)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.names == [function.name for function in FUNCTIONS]


def test_each_session_gets_the_functions() -> None:
    first, second = RecordingSession(), RecordingSession()
    dbt_event_windows.register(first)
    dbt_event_windows.register(second)
    assert first.names == second.names != []


def test_a_session_whose_registration_failed_is_tried_again() -> None:
    session = RecordingSession()
    session.udf = None
    with pytest.raises(AttributeError):
        dbt_event_windows.register(session)
    session.udf = session
    dbt_event_windows.register(session)
    assert session.names != []


def test_an_old_pyspark_is_named(monkeypatch) -> None:
    monkeypatch.delattr("pyspark.sql.functions.arrow_udf")
    with pytest.raises(UnsupportedPySparkError, match=r"needs pyspark 4\.1 or later"):
        dbt_event_windows.register(RecordingSession())


def replay_in_sql(spark, items: list[tuple]) -> set[tuple]:
    dbt_event_windows.register(spark)
    spark.createDataFrame(items, SCHEMA).createOrReplaceTempView("items")
    rows = spark.sql(
        f"select inline(event_windows_replay_sessions({', '.join(COLUMNS)}, cast(null as bigint))) "
        "from items group by pmod(hash(k), 3)"
    )
    assert rows.columns == ["k", "item", "window_first", "window_last"]
    return {tuple(row) for row in rows.collect()}


def test_sql_gives_what_kafka_gave(spark) -> None:
    vector = read_spec(SESSION_SPECS[0])
    gap, grace = vector.window["gap_ms"], vector.window["grace_ms"]
    replayed = replay_in_sql(
        spark,
        [
            (repr(row.key), i + 1, row.time, row.time, row.time + gap, clock, grace, None)
            for i, row, clock in numbered(vector.rows, "partition")
        ],
    )
    windows = {(k, first, last) for k, _, first, last in replayed if first is not None}
    assert windows == {(repr(key), start, end) for key, start, end, *_ in vector.windows}
    late = {item - 1 for _, item, first, _ in replayed if first is None}
    assert late == {index for index, kind in vector.dropped if kind == "late"}


def test_sql_with_stored_sessions_unbounded_grace_and_unicode_keys(spark) -> None:
    assert replay_in_sql(
        spark,
        [
            ("ключ", -1, 0, 5, 15, None, None, None),
            ("ключ", 1, 10, 10, 20, 99, None, None),
            ("ключ", -2, 50, 60, 70, None, None, None),
        ],
    ) == {("ключ", -1, 0, 10), ("ключ", 1, 0, 10)}


def test_sql_when_every_row_is_late(spark) -> None:
    """Then the window columns hold nothing but null, and Arrow has no type to infer for them."""
    assert replay_in_sql(spark, [("a", 1, 0, 0, 5, 99, 0, None)]) == {("a", 1, None, None)}


def test_sql_when_nothing_comes_back(spark) -> None:
    assert replay_in_sql(spark, [("a", -1, 0, 0, 5, None, 0, None)]) == set()


def test_sql_error_reaches_the_user(spark) -> None:
    with pytest.raises(Exception, match="grace must not be negative, got -1"):
        replay_in_sql(spark, [("a", 1, 0, 0, 5, 99, -1, None)])


@pytest.mark.parametrize(
    ("master", "given", "taken"),
    [
        ("local[*]", None, sys.executable),
        ("local[*]", "/opt/python", "python3"),
        ("spark://host:7077", None, "python3"),
    ],
)
def test_in_local_mode_workers_run_this_python(
    monkeypatch, master: str, given: str | None, taken: str
) -> None:
    """The python3 of the PATH is another one where dbt was started by its path."""
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    if given:
        monkeypatch.setenv("PYSPARK_PYTHON", given)
    # what they would be sent with outlasts a test
    monkeypatch.setattr("dbt_event_windows.registration._send_by_value", lambda: None)
    session = RecordingSession()
    session.sparkContext = SimpleNamespace(master=master, pythonExec="python3")
    dbt_event_windows.register(session)
    assert session.sparkContext.pythonExec == taken


def test_a_dbt_spark_connection_registers(spark, monkeypatch) -> None:
    from dbt.adapters.spark import session

    monkeypatch.setattr(session, "Connection", session.Connection)  # put it back afterwards
    plain = session.Connection
    for _ in range(2):
        dbt_event_windows.plugins[0]("a_project")
    assert session.Connection.__mro__[1] is plain or plain.registers_event_windows

    spark.sql("drop temporary function if exists event_windows_replay_sessions")
    monkeypatch.setattr("dbt_event_windows.registration._registered", set())
    cursor = session.Connection(server_side_parameters={"spark.sql.ansi.enabled": "false"}).cursor()
    cursor.execute("describe function event_windows_replay_sessions")
    assert "event_windows_replay_sessions" in str(cursor.fetchall())
