"""Aggregate calls drawn from the whole catalogue, over rows that are hard on them.

Columns have the names that the catalogue gives to the variables of its own lambdas.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from tests.session_models import at

COLUMNS = (
    "key string, event_time timestamp, arrival_seq bigint, a int, b smallint, big bigint, "
    "real double, kept float, at decimal(10, 2), sum decimal(38, 0), p decimal(38, 18), "
    "value string, one boolean, other boolean, day date, seen timestamp, v binary, "
    "run struct<n: int, top: string>"
)
POOLS: dict[str, list[Any]] = {
    "a": [-3, 0, 1, 2, 7, 2**31 - 1],
    "b": [-2, 0, 1, 4, 5],
    "big": [2**62 + 1000, 2**62 + 1001, 2**53 + 1, 5, -3],
    "real": [0.0, -0.0, float("nan"), 0.5, -1.25, 3.0],
    "kept": [0.0, -0.0, float("nan"), 0.5, 2.0],
    "at": [Decimal("0.10"), Decimal("-3.33"), Decimal("99999999.99"), Decimal("0.00")],
    "sum": [Decimal(6) * 10**37, Decimal(5) * 10**37 + 1, Decimal(4), Decimal(-7)],
    "p": [
        Decimal("60000000000000000000.000000000000000001"),
        Decimal("50000000000000000000.000000000000000002"),
        Decimal("1.500000000000000000"),
        Decimal("-2.000000000000000003"),
    ],
    "value": ["a", "A", "b", "", " ", "it's", "Ä", "a, b"],
    "one": [True, False],
    "other": [True, False],
    "day": [date(2024, 1, 1), date(2024, 2, 29), date(1969, 12, 31)],
    "seen": [at(0.5), at(-9), at(0) + timedelta(microseconds=123457)],
    "v": [b"", b"x", b"\xff\x00"],
    "run": [
        {"n": 1, "top": "a"},
        {"n": None, "top": "A"},
        {"n": 2, "top": None},
        {"n": 2, "top": "a"},
    ],
}
PLACE = "struct(event_time, arrival_seq)"
Draw = random.Random


def rows(draw: Draw, count: int) -> list[tuple[Any, ...]]:
    """Rows of three keys in the order of arrival; windows have few of them, many with nulls."""
    made = []
    for arrival in range(count):
        # some rows share an instant; sessions are joined by what comes later
        time = at(7 * (arrival + draw.randint(-60, 1)) // 4)
        values = [None if draw.random() < 0.3 else draw.choice(pool) for pool in POOLS.values()]
        made.append((draw.choice("xyz"), time, arrival, *values))
    return made


# --- expressions --------------------------------------------------------------------------------


def condition(draw: Draw) -> str:
    return draw.choice(
        [
            "one", "not one", "one or other", "one and other or a > 1", "a is null or one",
            "not (one or other)", "not one or not other", "value in ('a', 'A')", "value = ''",
            "real = 0 or isnan(kept)", "value like 'a%' or value like any ('A%', 'b')", "b > 100",
            "case when one then other else a > b end", "run.n = 2 or run.top is null", "a <> b",
            "at > 0 and sum is not null or p < 0", "a between 0 and 2 or one", "one = other",
            "coalesce(one, other, true)", "b & 1 = 0", "day > date '2024-01-15'", "a > null",
            "true",
        ]
    )  # fmt: skip


def whole(draw: Draw) -> str:
    return draw.choice(
        [
            "a", "b", "`a`", "a - b", "a & 3", "b | 1", "- b", "a % 3", "run.n", "length(value)",
            "case when one then a else b end", "if(one or other, b, null)", "cast(at as int)",
            "coalesce(a, b) + 1", "b ^ 1", "~ b", "cast(one or other as int)", "b - 1 - a % 5",
        ]
    )  # fmt: skip


def large(draw: Draw) -> str:
    return draw.choice(["big", "big - b", "big & 3", "(big)", "big | 1", "cast(b as bigint)"])


def floating(draw: Draw) -> str:
    return draw.choice(
        ["real", "kept", "real - b", "real * -1", "b / 4", "- real", "nanvl(real, 1D)", "kept + 1"]
    )


def exact(draw: Draw) -> str:
    return draw.choice(
        ["at", "at - b", "at * 2", "sum", "p", "sum - b", "- p", "cast(b as dec(38, 0))", "(at)"]
    )


def word(draw: Draw) -> str:
    return draw.choice(
        [
            "value", "lower(value)", "value || run.top", "coalesce(value, '')", "run.top",
            "(value)",
            "case when one or other then value end", "cast(a as string)", "concat(value, ', ', b)",
        ]
    )  # fmt: skip


def number(draw: Draw) -> str:
    return draw.choice([whole, large, floating, exact])(draw)


def moderate(draw: Draw) -> str:
    """Numbers of which moments can be told within a few digits, whatever their order."""
    return draw.choice(
        ["b", "b - 1", "b & 3", "real", "kept", "real - b", "case when one then b else 3 end",
         "run.n", "- b", "b / 4", "length(value)", "cast(b as decimal(38, 0))"]
    )  # fmt: skip


def integer(draw: Draw) -> str:
    return draw.choice([whole, large])(draw)


def without_nan(draw: Draw) -> str:
    """To Spark's own sketch of quantiles it matters in which order NaN come."""
    return draw.choice(["b", "- b", "b / 4", "nanvl(real, 1D)", "at - b", "day", "seen"])


def ordered(draw: Draw) -> str:
    """Anything that has an order."""
    others = [condition, word, lambda draw: draw.choice(["day", "seen", "v", "run", "(a, value)"])]
    return draw.choice([number, number, *others])(draw)


# --- calls --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """A call, what it means in plain Spark, and around both what makes them comparable."""

    fn: str
    sql: str
    plain: str
    filter: str | None = None
    around: str = "{}"

    @property
    def text(self) -> str:
        """`{filter}` in `sql` is where FILTER goes if not to the end."""
        sql = self.sql if "{filter}" in self.sql else self.sql + "{filter}"
        return self.around.format(sql.replace("{filter}", self._filter))

    @property
    def _filter(self) -> str:
        return f" filter (where {self.filter})" if self.filter else ""

    @property
    def expected(self) -> str:
        """The same for `plain`; `{and}` is where FILTER goes before another condition."""
        given = any(word in self.plain for word in ["{filter}", "{and}"])
        plain = self.plain if given else self.plain + "{filter}"
        more = f"({self.filter}) and " if self.filter else ""
        return self.around.format(plain.replace("{and}", more).replace("{filter}", self._filter))


Made = str | tuple[str, str] | tuple[str, str, str]
Make = Callable[[Draw], Made]


def _of(kind: Callable[[Draw], str], pattern: str = "{fn}({x})") -> Make:
    return lambda draw: pattern.replace("{x}", kind(draw))


def _pair(pattern: str = "{fn}({x}, {y})") -> Make:
    return lambda draw: pattern.replace("{x}", moderate(draw)).replace("{y}", moderate(draw))


def _one_row(which: str) -> Make:
    every = ["{fn}(%s)", "{fn}(%s, false)", "{fn}(%s){filter} respect nulls", "{fn}(distinct %s)"]
    known = ["{fn}(%s, true)", "{fn}(%s){filter} ignore nulls"]

    def make(draw: Draw) -> Made:
        x = ordered(draw)
        # to Spark `first(distinct (x))` calls a function `distinct`
        form = draw.choice([*(every[:-1] if x.startswith("(") else every), *known])
        plain = f"{which}({x}, {PLACE})"
        if form in known:
            plain += f" filter (where {{and}}({x}) is not null)"
        return form.replace("%s", x), plain

    return make


def _by(draw: Draw) -> Made:
    x, by = ordered(draw), ordered(draw)
    plain = f"{{fn}}({x}, struct({by}, arrival_seq)) filter (where {{and}}({by}) is not null)"
    return f"{{fn}}({x}, {by})", plain


def _listed(draw: Draw) -> Made:
    x = ordered(draw)
    if draw.random() < 0.2:
        return f"{{fn}}(distinct {x})", f"{{fn}}(distinct {x})", "array_sort({})"
    plain = (
        f"transform(array_sort(collect_list(struct({PLACE} as place, {x} as item)) "
        f"filter (where {{and}}({x}) is not null)), kept -> kept.item)"
    )
    return f"{{fn}}({x})", plain


def _joined(draw: Draw) -> Made:
    x = draw.choice([word, word, whole, lambda draw: "v"])(draw)
    delimiter = draw.choice(["", ", ''", ", ', '", ", '-' || '.'"])
    if x == "v":
        delimiter = draw.choice(["", ", binary('-')"])
    order = draw.choice(["arrival_seq", "arrival_seq desc", "- arrival_seq", "(arrival_seq)desc"])
    if draw.random() < 0.4:
        x, delimiter = word(draw), draw.choice(["''", "'-'"])
        order, direction = draw.choice([("", "{}"), (" desc", "reverse({})")])
        values = direction.replace("{}", f"array_sort(collect_set({x}){{filter}})")
        # with a filter Spark cannot plan its own
        plain = f"case when count({x}){{filter}} > 0 then array_join({values}, {delimiter}) end"
        sql = f"{{fn}}(distinct {x}, {delimiter}) within group (order by {x}{order})"
        return sql, plain
    return f"{{fn}}({x}{delimiter}) within group (order by {order})"


def _set(draw: Draw) -> Made:
    distinct = draw.choice(["", "", "distinct ", "distinct"])
    x = ordered(draw)
    x = f"({x})" if distinct == "distinct" else x
    return f"{{fn}}({distinct}{x})", f"{{fn}}({x})", "array_sort({})"


def _counted(draw: Draw) -> Made:
    x, y = ordered(draw), ordered(draw)
    counted = ["*", x, f"{x}, {y}", f"distinct {x}", f"distinct({x})", f"distinct {x}, {y}"]
    return f"{{fn}}({draw.choice([*counted, f'distinct ({x}, {y})', f'all ({x})'])})"


def _perhaps_distinct(kind: Callable[[Draw], str]) -> Make:
    return lambda draw: (
        draw.choice(["{fn}(%s)", "{fn}(%s)", "{fn}(%s)", "{fn}(distinct %s)", "{fn}(distinct(%s))"])
        % kind(draw)
    )


def _point(draw: Draw) -> str:
    return draw.choice(["0.3", "0.0", "1.0", "array(0.25, 1.0)", "1 - 0.5", "0.5D"])


def _percentile(kind: Callable[[Draw], str]) -> Make:
    return lambda draw: f"{{fn}}({kind(draw)}, {_point(draw)})"


def _percentile_within(draw: Draw) -> Made:
    order = f"{moderate(draw)}{draw.choice(['', ' desc'])}"
    return f"{{fn}}({_point(draw)}) within group (order by {order})"


def _mode(draw: Draw) -> Made:
    x = ordered(draw)
    if draw.random() < 0.5:
        return f"{{fn}}() within group (order by {x}{draw.choice(['', ' desc'])})"
    return draw.choice([f"{{fn}}({x})", f"{{fn}}({x}, true)"]), f"mode({x}, true)"


TOP = "array_sort(transform({}, top -> struct(top.item, top.count)))"
TOP_OF_SKETCH = TOP.format("approx_top_k_estimate({}, 50)")


def _top(draw: Draw) -> Made:
    x = draw.choice(["a", "value", "a - b", "lower(value)"])
    return (
        f"{{fn}}({x}, 50, 100)",
        f"{{fn}}({x}, 50, 100)",
        TOP,
    )


def _sketched(call: str, around: str) -> Make:
    return lambda draw: (call, call, around)


# Few values fit into a sketch as they are, so that what it estimates of them is exact.
def _kll(type: str, x: str) -> Make:
    points = "array(0D, 0.25D, 0.5D, 0.75D, 1D)"
    n = f"kll_sketch_get_n_{type}({{0}})"
    quantiles = f"kll_sketch_get_quantile_{type}({{0}}, {points})"
    return _sketched(f"{{fn}}({x})", f"struct({n}, if({n} > 0, {quantiles}, null))")


HLL, THETA = "hll_sketch_estimate({})", "theta_sketch_estimate({})"
LOGICAL = ["bool_and", "every", "bool_or", "some", "any"]
MOMENTS = ["std", "stddev", "stddev_samp", "stddev_pop", "variance", "var_samp", "var_pop"]
MOMENTS += ["skewness", "kurtosis", "median"]
PAIRS = ["covar_pop", "covar_samp", "corr", "regr_slope", "regr_intercept", "regr_r2", "regr_sxx"]
PAIRS += ["regr_sxy", "regr_syy", "regr_count", "regr_avgx", "regr_avgy"]
MAKERS: dict[str, Make] = {
    "count": _counted,
    "count_if": _of(condition),
    **dict.fromkeys(["sum", "avg", "mean", "try_sum", "try_avg"], _perhaps_distinct(number)),
    **dict.fromkeys(["min", "max"], _perhaps_distinct(ordered)),
    **dict.fromkeys(LOGICAL, _perhaps_distinct(condition)),
    **dict.fromkeys(["bit_and", "bit_or", "bit_xor"], _perhaps_distinct(integer)),
    **dict.fromkeys(["first", "first_value", "any_value"], _one_row("min_by")),
    **dict.fromkeys(["last", "last_value"], _one_row("max_by")),
    **dict.fromkeys(["min_by", "max_by"], _by),
    **dict.fromkeys(MOMENTS, _perhaps_distinct(moderate)),
    **dict.fromkeys(PAIRS, _pair()),
    **dict.fromkeys(["collect_list", "array_agg"], _listed),
    **dict.fromkeys(["listagg", "string_agg"], _joined),
    "collect_set": _set,
    "mode": _mode,
    "percentile": _percentile(moderate),
    **dict.fromkeys(["percentile_cont", "percentile_disc"], _percentile_within),
    "approx_count_distinct": _of(ordered, "{fn}({x}, 0.05)"),
    **dict.fromkeys(["approx_percentile", "percentile_approx"], _percentile(without_nan)),
    "approx_top_k": _top,
    "approx_top_k_accumulate": _sketched("{fn}(b, 100)", TOP_OF_SKETCH),
    "hll_sketch_agg": _of(word, "{fn}({x}, 12)"),
    "theta_sketch_agg": _of(word, "{fn}({x})"),
    **{
        f"kll_sketch_agg_{type}": _kll(type, x)
        for type, x in [("bigint", "big - b"), ("float", "kept"), ("double", "real - b")]
    },
    "bitmap_construct_agg": _sketched("{fn}(bitmap_bit_position(b + 9))", "bitmap_count({})"),
    # sketches of one row each, put together
    "hll_union_agg": _sketched("{fn}(hll, false)", HLL),
    "theta_union_agg": _sketched("{fn}(theta)", THETA),
    "theta_intersection_agg": _sketched("{fn}(theta)", THETA),
    **{
        f"kll_merge_agg_{type}": _kll(type, f"kll_{type}") for type in ["bigint", "float", "double"]
    },
    "bitmap_or_agg": _sketched("{fn}(bits)", "bitmap_count({})"),
    "bitmap_and_agg": _sketched("{fn}(bits)", "bitmap_count({})"),
    "approx_top_k_combine": _sketched("{fn}(tops, 100)", TOP_OF_SKETCH),
    "histogram_numeric": _of(lambda draw: draw.choice(["b", "b - 1", "b & 3"]), "{fn}({x}, 50)"),
    "count_min_sketch": _of(word, "{fn}({x}, 0.5D, 0.5D, 1)"),
}
# Spark may have two bins of one value, by how rows were cut
BINS = (
    "aggregate({}, named_struct('n', 0D, 'sum', 0D), (so_far, bin) -> "
    "named_struct('n', so_far.n + bin.y, 'sum', so_far.sum + bin.x * bin.y))"
)
AROUND = {
    "hll_sketch_agg": HLL,
    "theta_sketch_agg": THETA,
    "count_min_sketch": "hex({})",
    "histogram_numeric": BINS,
}

# What a row's own sketch is, for aggregates over sketches.
SKETCHES = {
    "hll": "hll_sketch_agg(value)",
    "theta": "theta_sketch_agg(value)",
    "kll_bigint": "kll_sketch_agg_bigint(big)",
    "kll_float": "kll_sketch_agg_float(kept)",
    "kll_double": "kll_sketch_agg_double(real)",
    "bits": "bitmap_construct_agg(bitmap_bit_position(b + 9))",
    # of whole numbers, as Iceberg has them: a sketch names the type of its items
    "tops": "approx_top_k_accumulate(int(b), 100)",
}


def with_sketches(relation: str) -> str:
    over = "over (partition by arrival_seq)"
    columns = [f"{call} {over} as {name}" for name, call in SKETCHES.items()]
    return f"select *, {', '.join(columns)} from {relation}"


def call(draw: Draw, fn: str) -> Call:
    """A call of a function."""
    made = MAKERS[fn](draw)
    sql, plain, around = (made, made, "{}") if isinstance(made, str) else (*made, "{}")[:3]
    # Spark's own fails where no row is left to it
    filtered = draw.random() < 0.6 and fn not in ("theta_intersection_agg", "approx_top_k_combine")
    filter = condition(draw) if filtered else None
    return Call(
        fn, sql.replace("{fn}", fn), plain.replace("{fn}", fn), filter,
        AROUND.get(fn, around),
    )  # fmt: skip


def calls(draw: Draw, count: int) -> list[Call]:
    """Calls of as many functions as there are, each as often as any other."""
    functions: list[str] = []
    while len(functions) < count:
        functions += draw.sample([*MAKERS], len(MAKERS))
    return [call(draw, fn) for fn in functions[:count]]


def known() -> list[Call]:
    """Calls that are wrong where brackets are lost, DISTINCT is passed over, a sum begins anew."""
    either = "one or other"
    first = f"min_by(b, {PLACE}) filter (where {{and}}b is not null)"
    listed = (
        f"transform(array_sort(collect_list(struct({PLACE} as place, b as item)) "
        "filter (where {and}b is not null)), kept -> kept.item)"
    )
    by = "min_by(value, struct(b, arrival_seq)) filter (where {and}b is not null)"
    joined = "listagg(value, '-') within group (order by arrival_seq)"
    return [
        Call("first", "first(b, true)", first, either),
        Call("collect_list", "collect_list(b)", listed, either),
        Call("min_by", "min_by(value, b)", by, either),
        Call("listagg", joined, joined, either),
        *(
            Call(sql.partition("(")[0], sql, sql, filter)
            for sql, filter in [
                ("count(distinct a, value)", either),
                ("regr_avgx(b, real)", either),
                ("approx_count_distinct(one or other)", None),
                ("approx_count_distinct(not one)", None),
                ("avg(big - b)", None),
                ("avg(b & 3)", None),
                ("count(distinct(value))", None),
                ("count(distinct (a, value))", None),
                ("sum(distinct (b))", None),
                ("sum(distinct sum)", None),
                ("approx_percentile(b, array(0.3, 1.0), 50 + 50)", None),
            ]
        ),
    ]
