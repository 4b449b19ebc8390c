"""The same rows, names, order and types as Spark gives for the very text."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.harness import sampled
from tests.plain_sql.kept_texts import KEPT
from tests.plain_sql.reassembly import compared

InZone = Callable[[str], AbstractContextManager[SparkSession]]


@pytest.mark.parametrize("zone", sampled(["UTC", "America/New_York"], ["America/New_York"]))
@pytest.mark.parametrize("text", KEPT)
def test_kept_exactly(in_zone: InZone, text: str, zone: str) -> None:
    with in_zone(zone) as spark:
        result = compared(spark, text, {"arrival_order": "seq"})
    assert not result.is_refused, result.plan
    assert result.refused_by_spark is None
    assert result.actual == result.expected


@pytest.mark.parametrize("joined", ["", "join people p using (user_id)"])
def test_files_by_their_path_are_kept(rows: SparkSession, tmp_path: Path, joined: str) -> None:
    rows.table("views").write.parquet(str(tmp_path / "views"))
    text = (
        f"select user_id, count(*) as n from parquet.`{tmp_path}/views` {joined} "
        "where amount > 1 group by user_id, session_window(viewed_at, '30 minutes')"
    )
    result = compared(rows, text, {"arrival_order": "seq"})
    assert not result.is_refused, result.plan
    assert result.refused_by_spark is None
    assert result.actual == result.expected
