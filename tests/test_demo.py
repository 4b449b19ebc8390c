"""The demo over rows of the user's own: what it cannot take is told in a sentence."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet
import pytest
from pyspark.sql import SparkSession

from tests.harness import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "scripts"))
from demo import read_events
from demo_session import DemoError, Session

TIMES = [datetime(2024, 5, 1), datetime(2024, 5, 2)]
GOOD: dict[str, Any] = {
    "Key": pa.array(["a", "b"]),
    "event_time": pa.array(TIMES, pa.timestamp("us")),
    "ARRIVAL_SEQ": pa.array([1, None], pa.int64()),
    "more": pa.array([1, 2]),
}


def asked(spark: SparkSession, file: Path) -> Any:
    """Of the demo's session only Spark is asked."""
    return read_events(cast(Session, SimpleNamespace(spark=spark)), file)


def read(spark: SparkSession, file: Path, columns: dict[str, Any]) -> Any:
    pyarrow.parquet.write_table(pa.table(columns), file)
    return asked(spark, file)


def test_columns_are_found_whatever_their_case(spark: SparkSession, tmp_path: Path) -> None:
    found = read(spark, tmp_path / "rows.parquet", GOOD)
    assert [name.lower() for name in found.columns] == ["key", "event_time", "arrival_seq"]
    assert found.where("arrival_seq is null").count() == 1


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (
            {"arrival_seq": pa.array(["1", "2"])},
            "arrival_seq is of type string, allowed are tinyint",
        ),
        (
            {"event_time": pa.array(["x", "y"])},
            "event_time is of type string, allowed are timestamp",
        ),
        ({"event_time": pa.array(TIMES, pa.timestamp("ns"))}, "Spark cannot read it as Parquet"),
        ({"Key": None}, "missing: key; found: event_time"),
    ],
)
def test_rows_that_it_cannot_take(
    spark: SparkSession, tmp_path: Path, columns: dict[str, Any], said: str
) -> None:
    given = {("ARRIVAL_SEQ" if name == "arrival_seq" else name): c for name, c in columns.items()}
    kept = {name: column for name, column in (GOOD | given).items() if column is not None}
    with pytest.raises(DemoError) as raised:
        read(spark, tmp_path / "rows.parquet", kept)
    assert said in str(raised.value)


def test_a_file_that_is_no_parquet(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("key,event_time,arrival_seq\n" * 9)
    with pytest.raises(DemoError, match="Spark cannot read it as Parquet"):
        asked(spark, file)
