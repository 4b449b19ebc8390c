"""Rows of every type with nulls, and every aggregate over them."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from pyspark.sql import SparkSession

from tests.harness import local_frame
from tests.session_models import at

COLUMNS = (
    "key string, event_time timestamp, arrival_seq bigint, small smallint, whole int, big bigint, "
    "real double, single float, exact decimal(10, 2), wide decimal(38, 18), word string, "
    "seen timestamp, day date, flag boolean, bytes binary, span interval day to second"
)
NUMBERS = ["small", "whole", "big", "real", "single", "exact", "wide"]
ORDERED = [*NUMBERS, "word", "seen", "day", "flag", "bytes", "span"]
MOMENTS = ["var_pop", "var_samp", "variance", "std", "stddev", "stddev_pop", "stddev_samp"]
SHAPES = ["skewness", "kurtosis"]
PAIRS = ["covar_pop", "covar_samp", "corr"]
PAIRS += ["regr_slope", "regr_intercept", "regr_r2", "regr_sxx", "regr_sxy", "regr_syy"]
PAIRS += ["regr_count", "regr_avgx", "regr_avgy"]
PLACE = "struct(event_time, arrival_seq)"
# of one number two texts, some that are none, and an order that is not that of numbers
TEXT = "if(flag, concat(small, '.0'), coalesce(word, whole))"


def listed(column: str, condition: str = "true") -> str:
    """Spark's own list of a column's values in the order of their rows."""
    return (
        f"transform(array_sort(collect_list(struct({PLACE} as place, {column} as value)) "
        f"filter (where ({condition}) and {column} is not null)), kept -> kept.value)"
    )


# What Spark gives in a plain `group by` for the same call.
AS_WRITTEN = [
    "count(*)",
    "count(whole, word)",
    "count_if(flag)",
    "count(bytes)",
    *(f"sum({name})" for name in [*NUMBERS, "span"]),
    *(f"avg({name})" for name in [*NUMBERS, "span"]),
    *(f"{fn}({name})" for fn in ["try_sum", "try_avg"] for name in ["small", "real", "exact"]),
    "mean(whole)",
    *(f"{fn}({name})" for fn in ["min", "max"] for name in ORDERED),
    *(f"{fn}(flag)" for fn in ["bool_and", "every", "bool_or", "any", "some"]),
    *(f"{fn}({name})" for fn in ["bit_and", "bit_or", "bit_xor"] for name in ["small", "big"]),
    *(f"{fn}({name}, arrival_seq)" for fn in ["min_by", "max_by"] for name in ["word", "exact"]),
    *(f"{fn}(real)" for fn in MOMENTS),
    *(f"{fn}({name})" for fn in ["var_samp", *SHAPES] for name in ["whole", "exact"]),
    *(f"{fn}(whole, real)" for fn in PAIRS),
    *(f"{fn}(exact, small)" for fn in ["corr", "covar_pop", "regr_avgx", "regr_avgy"]),
    *(f"median({name})" for name in ["small", "real", "wide"]),
    *(f"percentile({name}, 0.3)" for name in ["big", "single", "exact"]),
    "percentile(whole, array(0.0, 0.25, 1.0))",
    "percentile(whole, cast(0.3 as decimal(3, 2)) / 2)",
    "percentile_cont(0.35) within group (order by real)",
    "percentile_cont(0.35) within group (order by whole desc)",
    *(f"percentile_disc({p}) within group (order by whole)" for p in ["0.0", "0.3", "0.7", "1.0"]),
    "percentile_disc(0.3) within group (order by exact desc)",
    "mode(word, true)",
    "mode(whole, true)",
    "listagg(word, ', ') within group (order by arrival_seq)",
    "listagg(word) within group (order by arrival_seq desc)",
    "string_agg(small, '-') within group (order by arrival_seq) filter (where small > 0)",
    "count(*) filter (where word = 'a')",
    "sum(big + 1) filter (where word in ('a', 'b') and small is not null)",
    "avg(exact) filter (where word = 'not there')",
    "var_samp(real) filter (where flag)",
    "corr(whole, real) filter (where flag)",
    "max_by(concat(word, ', ', small), arrival_seq) filter (where word = 'a')",
    "count(case when word <> ')' then ',' end)",
    "max(struct(small, word))",
    "sum(exact) / nullif(count(*), 0)",
    "round(avg(real), 2)",
    "avg(exact) * 2 + max(small)",
    "coalesce(sum(small) filter (where word = 'not there'), -1)",
    "sum(exact) / sum(wide)",
    "case when bool_or(flag) then 'some' else concat(min(word), '!') end",
    "max(seen) - min(seen)",
    "max(struct(small, word)).word",
    "cast(sum(real) as decimal(10, 2))",
    "corr(whole, real) + count(*) + count(*)",
    # what stands beside an operator in the parts
    "avg(big - small)",
    "avg(whole & 3)",
    "count_if(flag or whole > 9)",
    "count(case when flag then 1 end, whole)",
    "regr_avgx(whole, real) filter (where flag or small > 3)",
    "regr_avgy(whole - small, real + 1)",
    "regr_sxy(whole - small, real + 1) filter (where flag or small > 3)",
    "covar_pop(whole & 7, real)",
    "min_by(word, arrival_seq) filter (where flag or small > 3)",
    "max_by(word, arrival_seq - 1) filter (where flag or small > 3)",
    "listagg(word, '-') within group (order by arrival_seq) filter (where flag or small > 3)",
    "var_samp(small | 3)",
    # text is cast to a number first, and is none where it is no number
    *(f"{fn}({TEXT})" for fn in ["sum", "avg", "try_sum", "var_samp", "kurtosis", "median"]),
    *(f"{fn}({TEXT}, whole)" for fn in ["corr", "regr_avgx", "regr_avgy", "regr_count"]),
    f"regr_avgy(whole, {TEXT})",
    f"percentile({TEXT}, array(0.1, 0.5))",
    f"percentile_cont(0.35) within group (order by {TEXT} desc)",
    f"percentile_disc(0.3) within group (order by {TEXT})",
    f"approx_percentile({TEXT}, 0.3)",
    "mode() within group (order by whole)",
    "mode() within group (order by whole desc) filter (where flag or small > 3)",
]
DISTINCT = [
    *(f"count(distinct {name})" for name in ["real", "wide", "word", "seen", "bytes"]),
    "count(distinct whole, word)",
    "count(distinct word) filter (where flag)",
    *(f"sum(distinct {name})" for name in ["small", "big", "real", "exact"]),
    "max(distinct whole)",
    "sum(distinct exact) / count(distinct exact)",
    "count(distinct(word))",
    "count(distinct (whole, word))",
    "count(distinct (whole), word) filter (where flag or small > 3)",
    "sum(distinct (small))",
    f"sum(distinct {TEXT})",
    "sum(distinct small & 3) filter (where flag or small > 3)",
]
# The same call and what it means in plain Spark, where Spark leaves the order open.
ORDERED_BY_TIME = {
    **{f"first({name})": f"min_by({name}, {PLACE})" for name in ["word", "wide", "flag"]},
    **{f"last({name})": f"max_by({name}, {PLACE})" for name in ["seen", "bytes"]},
    "first_value(word, true)": f"min_by(word, {PLACE}) filter (where word is not null)",
    "last_value(word) ignore nulls": f"max_by(word, {PLACE}) filter (where word is not null)",
    "last(word ignore nulls)": f"max_by(word, {PLACE}) filter (where word is not null)",
    "first(word, false)": f"min_by(word, {PLACE})",
    "first(word) respect nulls": f"min_by(word, {PLACE})",
    "any_value(word)": f"min_by(word, {PLACE})",
    "first(word) filter (where flag)": f"min_by(word, {PLACE}) filter (where flag)",
    "first(word, true) filter (where flag or small > 3)": (
        f"min_by(word, {PLACE}) filter (where (flag or small > 3) and word is not null)"
    ),
    "last(flag or small > 3) ignore nulls": (
        f"max_by(flag or small > 3, {PLACE}) filter (where (flag or small > 3) is not null)"
    ),
    "collect_list(word) filter (where flag or small > 3)": listed("word", "flag or small > 3"),
    "listagg(distinct word, ',')": (
        "case when count(word) > 0 then array_join(array_sort(collect_set(word)), ',') end"
    ),
    "string_agg(distinct word, '-') within group (order by word desc)": (
        "case when count(word) > 0 then array_join(reverse(array_sort(collect_set(word))), '-') end"
    ),
    **{f"collect_list({name})": listed(name) for name in ["word", "exact", "span"]},
    # what has no order of its own
    "to_json(collect_list(map(word, whole)) filter (where word > ''))": (
        "to_json(transform(filter(array_sort(collect_list(struct("
        + PLACE
        + " as place, word, whole"
        ")), (a, b) -> case when a.place < b.place then -1 else 1 end), v -> v.word > ''), "
        "v -> map(v.word, v.whole)))"
    ),
    "array_agg(distinct word)": "array_sort(collect_set(word))",
    **{f"collect_set({n})": f"array_sort(collect_set({n}))" for n in ["word", "real", "day"]},
    "size(collect_set(word))": "size(collect_set(word))",
    "transform(collect_list(whole), v -> v + 1)": f"transform({listed('whole')}, v -> v + 1)",
    "listagg(word, ',')": f"nullif(array_join({listed('word')}, ','), '')",
    "mode(word)": "mode(word, true)",
}
KLL = [
    ("bigint", "kll_sketch_agg_bigint(big)"),
    ("double", "kll_sketch_agg_double(real, 100)"),
    ("float", "kll_sketch_agg_float(single)"),
    ("bigint", "kll_merge_agg_bigint(kll)"),
]
# Few values fit into a sketch as they are, so that these are exact.
SKETCHES = [
    "approx_count_distinct(word)",
    "approx_count_distinct(big, 0.01)",
    "approx_count_distinct(word) filter (where flag)",
    "approx_count_distinct(not flag)",
    "approx_count_distinct(flag or small > 3, 0.05)",
    *(f"approx_percentile({name}, 0.3)" for name in ["small", "whole", "real", "exact"]),
    "percentile_approx(whole, array(0.0, 0.5, 1.0), 100)",
    "array_sort(transform(approx_top_k(small, 50, 100), top -> struct(top.item, top.count)))",
    "hll_sketch_estimate(hll_sketch_agg(word))",
    "hll_sketch_estimate(hll_sketch_agg(big, 14))",
    "hll_sketch_estimate(hll_union_agg(hll))",
    "hll_sketch_estimate(hll_union_agg(hll, true))",
    "theta_sketch_estimate(theta_sketch_agg(word))",
    "theta_sketch_estimate(theta_union_agg(theta, 14))",
    "theta_sketch_estimate(theta_intersection_agg(theta))",
    *(
        f"if(kll_sketch_get_n_{type}({call}) > 0, "  # one of nothing has no quantiles
        f"kll_sketch_get_quantile_{type}({call}, array(0D, 0.25D, 0.5D, 0.75D, 1D)), null)"
        for type, call in KLL
    ),
    *(f"kll_sketch_get_n_{type}({call})" for type, call in KLL),
    "bitmap_count(bitmap_construct_agg(bitmap_bit_position(whole + 51)))",
    "bitmap_count(bitmap_or_agg(bits))",
    "bitmap_count(bitmap_and_agg(bits))",
    "array_sort(transform(approx_top_k_estimate(approx_top_k_accumulate(small, 100), 50), "
    "top -> struct(top.item, top.count)))",
]
MERGEABLE = {
    **{sql: sql for sql in [*AS_WRITTEN, *SKETCHES]},
    **{sql: sql for sql in DISTINCT},
    **ORDERED_BY_TIME,
}


def rows(count: int = 150, seed: int = 21) -> list[tuple[Any, ...]]:
    """Rows of four keys in the order of arrival, out of order in time; key d has nulls only."""
    chance = random.Random(seed)
    made = []
    for arrival in range(count):
        key = chance.choice("abcd")
        # some rows share an instant
        time = at(3 * (arrival + chance.randint(-50, 1)))
        values = [
            chance.randint(-5, 5),
            chance.randint(-50, 50),
            chance.randint(-(2**62), 2**62),
            chance.randint(-400, 400) / 4,  # exact in any order
            chance.randint(-40, 40) / 2,
            Decimal(chance.randint(-9999, 9999)) / 100,
            Decimal(chance.randint(-(10**30), 10**30)) / 10**18,
            chance.choice(["a", "b", "c", ")", ""]),
            time + timedelta(seconds=chance.randint(0, 99)),
            (datetime(2024, 1, 1) + timedelta(days=chance.randint(0, 9))).date(),
            chance.random() < 0.5,
            bytes([chance.randint(0, 255)]),
            timedelta(seconds=chance.randint(-9999, 9999)),
        ]
        nulls = [key == "d" or chance.random() < 0.25 for _ in values]
        kept = [None if null else value for null, value in zip(nulls, values, strict=True)]
        made.append((key, time, arrival, *kept))
    return made


def create_rows(spark: SparkSession, view: str) -> None:
    """The rows as a temporary view, with a sketch in each row for what puts sketches together."""
    local_frame(spark, rows(), COLUMNS).coalesce(1).createOrReplaceTempView(f"{view}_typed")
    spark.sql(f"create or replace temp view {view} as {with_sketches(f'{view}_typed')}")


def with_sketches(relation: str) -> str:
    sketches = {
        "hll": "hll_sketch_agg(word)",
        "theta": "theta_sketch_agg(word)",
        "kll": "kll_sketch_agg_bigint(big)",
        "bits": "bitmap_construct_agg(bitmap_bit_position(whole + 51))",
    }
    over = "over (partition by arrival_seq)"
    columns = [f"{call} {over} as {name}" for name, call in sketches.items()]
    return f"select *, {', '.join(columns)} from {relation}"
