"""Each aggregate of the catalogue, put together from parts, is Spark's own."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from decimal import Decimal

import pytest
from pyspark.sql import DataFrame, SparkSession

from tests.aggregates.compared import differences
from tests.aggregates.parts import Plan, finals, merged, partials, planned, running
from tests.aggregates.rows import MERGEABLE, create_rows
from tests.macros.rendering import Macros

PRECISION_LOSS = "spark.sql.decimalOperations.allowPrecisionLoss"
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


def test_a_decimal_sum_that_did_not_fit_stays_null(spark: SparkSession) -> None:
    """What comes later does not begin it again; nothing to add up is no such sum."""
    most = "cast(repeat('9', 38) as decimal(38, 0))"
    spark.sql(
        "create or replace temp view vast as select * from values "
        f"('over', 0, {most}), ('over', 0, {most}), ('over', 1, 5), ('over', 2, 6), "
        "('fits', 0, 7), ('fits', 1, null), ('fits', 2, 8), "
        f"('together', 0, {most}), ('together', 1, {most}), ('together', 2, 1), "
        "('none', 0, null), ('none', 1, null) as t(key, cut, value)"
    )
    calls = {"total": "sum(value)", "half": "sum(value) / 2"}
    plan = planned(spark, calls, "vast")
    pieces = f"select *, cut div 2 as half from ({partials(plan, 'key, cut', 'vast')})"
    found = spark.sql(finals(plan, "key", merged(plan, "key", merged(plan, "key, half", pieces))))
    plain = spark.sql(
        "select key, sum(value) as total, sum(value) / 2 as half from vast group by key"
    )
    assert {*found.collect()} == {*plain.collect()}
    assert {row.key: row.total for row in plain.collect()} == {
        "over": None, "fits": 15, "together": None, "none": None
    }  # fmt: skip


def test_an_average_that_is_tried_is_null_where_the_sum_does_not_fit(spark: SparkSession) -> None:
    most = "cast(repeat('9', 38) as decimal(38, 0))"
    spark.conf.set("spark.sql.ansi.enabled", "true")
    try:
        spark.sql(
            "create or replace temp view vast as select * from values "
            f"('over', 0, {most}), ('over', 0, {most}), ('over', 1, 5), "
            f"('together', 0, {most}), ('together', 1, {most}), "
            "('fits', 0, 7), ('fits', 1, null), ('fits', 2, 8), "
            "('none', 0, null), ('none', 1, null) as t(key, cut, value)"
        )
        plan = planned(spark, {"mean": "try_avg(value)"}, "vast")
        pieces = partials(plan, "key, cut", "vast")
        found = spark.sql(finals(plan, "key", merged(plan, "key", pieces))).collect()
        plain = spark.sql("select key, try_avg(value) as mean from vast group by key").collect()
    finally:
        spark.conf.unset("spark.sql.ansi.enabled")
    assert {*found} == {*plain}
    assert {row.key: row.mean for row in plain} == {
        "over": None, "together": None, "fits": Decimal("7.5"), "none": None
    }  # fmt: skip


@pytest.mark.parametrize("loss", ["true", "false"])
@pytest.mark.parametrize("ansi", ["false", "true"])
def test_an_average_has_all_digits_where_the_sum_does_not_fit_its_type(
    spark: SparkSession, ansi: str, loss: str
) -> None:
    """Spark divides a sum of ten digits more; of ours the type of the average has fewer."""
    tiny = "0.000000000000000001"
    values = {
        "decimal(5,2)": ["100"] * 11,
        "decimal(5,0)": ["99999"] * 7,
        "decimal(28,18)": ["5000000000"] * 2 + [f"5000000000{tiny[1:]}"],
        "decimal(38,18)": ["-400000000000000"] * 99 + [f"-400000000000000{tiny[1:]}"],
    }
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    spark.conf.set(PRECISION_LOSS, loss)
    try:
        for type, numbers in values.items():
            rows = ", ".join(f"(1, {cut}, {number})" for cut, number in enumerate(numbers))
            spark.sql(
                "create or replace temp view amounts as select key, cut, "
                f"cast(value as {type}) as value from values {rows} as t(key, cut, value)"
            )
            plan = planned(spark, {"mean": "avg(value)"}, "amounts")
            pieces = partials(plan, "key, cut", "amounts")
            found = spark.sql(finals(plan, "key", merged(plan, "key", pieces)))
            plain = spark.sql("select key, avg(value) as mean from amounts group by key")
            assert found.collect() == plain.collect(), type
    finally:
        spark.conf.unset("spark.sql.ansi.enabled")
        spark.conf.unset(PRECISION_LOSS)


@pytest.mark.parametrize("loss", ["true", "false"])
@pytest.mark.parametrize("ansi", ["false", "true"])
@pytest.mark.parametrize("rows", [11, 101, 20001])
def test_an_average_is_rounded_once(spark: SparkSession, rows: int, ansi: str, loss: str) -> None:
    """A quotient with more digits than the average, rounded again, is another number."""
    # types, the first value and all others: what the sum is of makes a tie of the first rounding
    drawn = [
        ("decimal(38,0)", "50", "0"),
        ("decimal(38,0)", "20000", "1000000000000000"),
        ("decimal(38,1)", "0.5", "0"),
        ("decimal(38,1)", "-0.5", "0"),
        ("decimal(33,2)", "0.05", "0"),
        ("decimal(30,2)", "0.01", "0"),
        ("decimal(28,2)", "-0.01", "0"),
        ("decimal(38,18)", "-0.05", "-5000000000000"),
    ]
    seed = os.environ["EVENT_WINDOWS_SEED"]
    draw = random.Random(f"{seed}{rows}")
    for _ in range(16):
        # of an average with 38 digits the quotient has fewer before the point
        precision = draw.randint(12, 38)
        scale = draw.randint(0, min(precision, 29))
        numbers = [
            draw.choice("+-") + str(draw.randrange(10 ** draw.randint(0, min(precision, 32))))
            for _ in range(2)
        ]
        first, other = [f"{number}e-{scale}" for number in numbers]
        drawn.append((f"decimal({precision},{scale})", first, draw.choice([other, "0"])))
    columns = ", ".join(
        f"cast(if(id = 0, '{first}', '{other}') as {type}) as v{place}"
        for place, (type, first, other) in enumerate(drawn)
    )
    spark.conf.set("spark.sql.ansi.enabled", ansi)
    spark.conf.set(PRECISION_LOSS, loss)
    try:
        spark.sql(
            "create or replace temp view amounts as "
            f"select 1 as key, id % 3 as cut, {columns} from range({rows})"
        )
        calls = {f"m{place}": f"avg(v{place})" for place in range(len(drawn))}
        plan = planned(spark, calls, "amounts")
        pieces = partials(plan, "key, cut", "amounts")
        (found,) = spark.sql(finals(plan, "key", merged(plan, "key", pieces))).collect()
        means = ", ".join(f"{call} as {name}" for name, call in calls.items())
        (plain,) = spark.sql(f"select 1 as key, {means} from amounts").collect()
    finally:
        spark.conf.unset("spark.sql.ansi.enabled")
        spark.conf.unset(PRECISION_LOSS)
    differ = [
        (*one, found[name], plain[name])
        for one, name in zip(drawn, calls, strict=True)
        if found[name] != plain[name]
    ]
    assert differ == [], seed


def test_a_slice_without_a_sketch_leaves_the_others_intersected(spark: SparkSession) -> None:
    """Spark's own fails where no row is left to it, so that only the whole can be asked of it."""
    spark.sql(
        "create or replace temp view sketched as select key, cut, kept, theta_sketch_agg(word) as "
        "theta from values (0, 0, true, 'a'), (0, 0, true, 'b'), (0, 1, false, 'c'), "
        "(0, 2, true, 'b'), (0, 2, true, 'd') as t(key, cut, kept, word) group by key, cut, kept"
    )
    calls = {"same": "theta_sketch_estimate(theta_intersection_agg(theta) filter (where kept))"}
    plan = planned(spark, calls, "sketched")
    found = spark.sql(
        finals(plan, "key", merged(plan, "key", partials(plan, "key, cut", "sketched")))
    )
    plain = spark.sql(f"select key, {calls['same']} as same from sketched group by key")
    assert found.collect() == plain.collect()
    assert [row.same for row in plain.collect()] == [1]


def merged_twice(spark: SparkSession, calls: dict[str, str]) -> DataFrame:
    """Calls over the cuts of a view `sketched`, merged by two, and then by key."""
    plan = planned(spark, calls, "sketched")
    pieces = f"select *, cut div 2 as half from ({partials(plan, 'key, cut', 'sketched')})"
    return spark.sql(finals(plan, "key", merged(plan, "key", merged(plan, "key, half", pieces))))


def test_a_slice_without_a_sketch_leaves_the_others_their_size(spark: SparkSession) -> None:
    """Of no sketch Spark makes an empty one of its default size, which it joins to no other."""
    spark.sql(
        "create or replace temp view sketched as select key, cut, "
        "if(any_value(kept), hll_sketch_agg(word, 14), null) as hll "
        "from values ('some', 0, true, 'a'), ('some', 1, false, 'b'), ('some', 2, true, 'c'), "
        "('none', 0, false, 'd') as t(key, cut, kept, word) group by key, cut"
    )
    calls = {"words": "hll_union_agg(hll)", "free": "hll_union_agg(hll, true)"}
    found = merged_twice(spark, calls)
    plain = spark.sql("select key, hll_union_agg(hll) as words from sketched group by key")
    # a sketch says its size in its fourth byte
    sizes = {row.key: row.words[3] for row in plain.collect()}
    assert sizes == {"some": 14, "none": 12}
    assert {row.key: (row.words[3], row.free[3]) for row in found.collect()} == {
        key: (one, one) for key, one in sizes.items()
    }


def test_a_slice_without_a_sketch_leaves_quantiles_their_size(spark: SparkSession) -> None:
    """Of KLL Spark itself takes that of an empty one, where a task has no other."""
    spark.sql(
        "create or replace temp view sketched as select key, cut, "
        "if(any_value(kept), kll_sketch_agg_double(value, 4000), null) as kll "
        "from values ('some', 0, false, 1D), ('some', 1, false, 2D), ('some', 2, true, 3D), "
        "('some', 4, true, 4D), ('none', 0, false, 5D) as t(key, cut, kept, value) "
        "group by key, cut"
    )
    calls = {"free": "kll_merge_agg_double(kll)", "said": "kll_merge_agg_double(kll, 1000)"}
    found = merged_twice(spark, calls)
    # a sketch says its size in its fifth and sixth byte
    sizes = {
        row.key: [int.from_bytes(one[4:6], "little") for one in (row.free, row.said)]
        for row in found.collect()
    }
    assert sizes == {"some": [4000, 1000], "none": [200, 1000]}


def test_nan_is_more_than_any_number(spark: SparkSession) -> None:
    """Spark's own has it so too, as long as it need not put sketches together."""
    spark.sql(
        "create or replace temp view odd as select /*+ coalesce(1) */ * from values "
        "(0, 0.5D), (1, double('NaN')), (2, 1D), (3, double('NaN')), (4, double('infinity')) "
        "as t(cut, value)"
    )
    calls = {
        "some": "approx_percentile(value, array(0.0, 0.4, 0.6, 0.8, 1.0))",
        "one": "approx_percentile(value, 0.7)",
    }
    plan = planned(spark, calls, "odd")
    pieces = f"select *, 0 as key from ({partials(plan, 'cut', 'odd')})"
    (found,) = spark.sql(finals(plan, "key", merged(plan, "key", pieces))).collect()
    assert str(found.some) == "[0.5, 1.0, inf, nan, nan]"
    assert str(found.one) == "nan"


def test_of_nan_alone_every_percentile_is_nan(spark: SparkSession) -> None:
    spark.sql(
        "create or replace temp view nans as "
        "select * from values (0, double('NaN')), (1, double('NaN')) as t(cut, value)"
    )
    calls = {
        "some": "approx_percentile(value, array(0.0, 0.5))",
        "one": "approx_percentile(value, 0.0)",
    }
    plan = planned(spark, calls, "nans")
    pieces = f"select *, 0 as key from ({partials(plan, 'cut', 'nans')})"
    (found,) = spark.sql(finals(plan, "key", merged(plan, "key", pieces))).collect()
    assert (str(found.some), str(found.one)) == ("[nan, nan]", "nan")


def test_distinct_numbers_are_listed_in_the_order_of_numbers(spark: SparkSession) -> None:
    spark.sql(
        "create or replace temp view numbers as "
        "select * from values (0, 10), (0, 2), (1, 9), (1, 2), (2, null) as t(cut, value)"
    )
    calls = {
        "up": "listagg(distinct value, ',') within group (order by value)",
        "down": "listagg(distinct value, ',') within group (order by value desc)",
        "text": "listagg(distinct cast(value as string), ',') within group (order by value)",
        "free": "listagg(distinct value, ',')",
    }
    # Spark takes numbers in WITHIN GROUP from 4.2 on: before it cannot be asked for types
    problems: list[str] = []
    plan: Plan = Macros()._plan_aggregates(
        calls, "event_time", ["arrival_seq"], problems, dict.fromkeys(calls.values(), "int")
    )
    assert problems == []
    for aggregate in plan:
        aggregate["type"] = "string"
        aggregate["parts"][0]["type"] = "array<struct<at: int, value: string>>"
    pieces = f"select *, 0 as key from ({partials(plan, 'cut', 'numbers')})"
    (found,) = spark.sql(finals(plan, "key", merged(plan, "key", pieces))).collect()
    assert found.asDict() == {
        "key": 0, "up": "2,9,10", "down": "10,9,2", "text": "2,9,10", "free": "2,9,10"
    }  # fmt: skip
