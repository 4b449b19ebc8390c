"""Each aggregate of the catalogue, put together from parts, is Spark's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from tests.aggregates.compared import differences
from tests.aggregates.parts import Plan, finals, merged, partials, planned, running
from tests.aggregates.rows import MERGEABLE, create_rows

NAMES = {f"v{number}": sql for number, sql in enumerate(MERGEABLE)}


@pytest.fixture(scope="module")
def plan(spark: SparkSession) -> Iterator[Plan]:
    """With Spark's interpreter: to compile two hundred aggregates for a few rows takes minutes."""
    settings = {
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
    for name, value in settings.items():
        spark.conf.set(name, value)
    create_rows(spark, "plain_rows")
    cut = "pmod(hash(arrival_seq), 7) as cut"
    spark.sql(f"cache table typed_rows as select *, {cut} from plain_rows")
    yield planned(spark, NAMES, "typed_rows")
    for name in settings:
        spark.conf.unset(name)


def test_merged_from_what_was_merged(spark: SparkSession, plan: Plan) -> None:
    pieces = f"select *, cut div 3 as half from ({partials(plan, 'key, cut', 'typed_rows')})"
    halves = merged(plan, "key, half", pieces)
    found = spark.sql(finals(plan, "key", merged(plan, "key", halves)))
    assert differences(found, NAMES, ["key"], "typed_rows") == []


def test_along_slices(spark: SparkSession, plan: Plan) -> None:
    pieces = partials(plan, "key, cut", "typed_rows")
    found = spark.sql(finals(plan, "key, cut", running(plan, "key", "cut", pieces)))
    spark.sql(
        "create or replace temp view prefixes as select typed_rows.* except (cut), upto.cut "
        "from (select distinct key, cut from typed_rows) as upto "
        "join typed_rows on upto.key = typed_rows.key and typed_rows.cut <= upto.cut"
    )
    assert differences(found, NAMES, ["key", "cut"], "prefixes") == []
