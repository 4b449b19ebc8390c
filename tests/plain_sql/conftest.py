"""The rows that texts read, in the session that all tests share, and its time zone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from pyspark.sql import SparkSession

from tests.plain_sql.rows import make_views

ZONE = "spark.sql.session.timeZone"


@pytest.fixture(scope="session")
def rows(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> SparkSession:
    """The session, with the views that the texts read."""
    make_views(spark, tmp_path_factory.mktemp("plain_sql"))
    return spark


@pytest.fixture(scope="session")
def in_zone(rows: SparkSession) -> Callable[[str], AbstractContextManager[SparkSession]]:
    """The session with another time zone, for a block."""

    @contextmanager
    def zoned(zone: str) -> Iterator[SparkSession]:
        before = rows.conf.get(ZONE)
        rows.conf.set(ZONE, zone)
        try:
            yield rows
        finally:
            rows.conf.set(ZONE, before)

    return zoned
