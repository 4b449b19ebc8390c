"""macros/aggregates: the whole catalogue, function by function."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.harness import REPOSITORY
from tests.macros.rendering import Macros

MACROS = Macros()
CATALOGUE: dict[str, Any] = MACROS._catalogue()
WORDS = re.compile(r"\{[a-z0-9_:]+\}")


def call(name: str, entry: dict[str, Any]) -> str:
    """A call of a function with as many arguments as it needs."""
    fn, _, variant = name.rstrip(")").partition("(")
    constants = {*entry.get("constants", [])}
    given = ["0.5" if n in constants else f"c{n}" for n in range(entry["arguments"][0])]
    if name == "count":
        given = ["*"]
    written = f"{fn}({'distinct ' if variant == 'distinct' else ''}{', '.join(given)})"
    if "within" in entry.get("clauses", []) and "{within}" in str(entry):
        written += " within group (order by w)"
    return written


GUARD = "_ew_time is not null"


@pytest.mark.parametrize("types", [{}, None], ids=["known", "never known"])
@pytest.mark.parametrize("name", CATALOGUE)
def test_every_word_of_an_entry_is_filled_in(name: str, types: dict[str, str] | None) -> None:
    problems: list[str] = []
    sql = call(name, CATALOGUE[name])
    (plan,) = MACROS._plan_aggregates({"x": sql}, "t", ["seq"], problems, types)
    assert problems == []
    assert types is not None or "{type}" not in str(plan["calls"])
    assert plan["parts"]
    for part in plan["parts"]:
        texts = [part["partial"], part["merge"], part["plain"] or "", plan["final"] or ""]
        assert not [text for text in texts if WORDS.search(text.replace("{type}", ""))], texts
        assert set(WORDS.findall(part["running"])) <= {"{over}"}
        for text, guarded in [("partial", "guarded"), ("plain", "plain_guarded")]:
            assert GUARD in (part[guarded] or GUARD)
            unguarded = (part[guarded] or "").replace(f" filter (where {GUARD})", "")
            assert unguarded.replace(f"{GUARD} and ", "") == (part[text] or "")
        # what is merged is what was kept
        assert part["column"] in part["merge"]
    columns = [part["column"] for part in plan["parts"]]
    assert len(columns) == len(set(columns))
    columns += [call["holistic"]["column"] for call in plan["calls"] if call["holistic"]]
    assert plan["final"] is None or any(column in plan["final"] for column in columns)


def test_other_names_are_of_functions_that_are_there() -> None:
    assert set(MACROS._aliases().values()) <= set(CATALOGUE)


def test_the_call_is_told_of_what_a_table_records_of_it() -> None:
    """Of whichever entry, or entries, types of arguments made it."""
    names = {name for entry in CATALOGUE.values() for name in entry.get("instead", {})}
    for by_type in [*([name] for name in sorted(names)), sorted(names), []]:
        plan = {"sql": "f(x) filter (where y)", "parts": [], "instead": by_type}
        recorded = MACROS._identity(plan)
        assert MACROS._sql_of_identity(recorded) == plan["sql"], recorded
        plan["parts"] = [{"merge": "g__merge(", "type": "array<int>"}]
        assert MACROS._sql_of_identity(MACROS._identity(plan)) == plan["sql"], by_type


@pytest.mark.parametrize(
    "call",
    [
        "Sum (maps)",
        "sum(x) - max (collated)",
        "max(s).first",
        "count(*) filter (where paid and (state = 'NY' or state = 'CA'))",
        "sum(x) filter (where a in (1, 2) or (state is null))",
        "sum(x) filter (where b = ')' and (maps))",
    ],
)
def test_a_column_is_not_what_a_table_records_of_a_call(call: str) -> None:
    for by_type in ([], ["floats"], ["maps", "times"]):
        plan = {"sql": call, "parts": [], "instead": by_type}
        assert MACROS._sql_of_identity(MACROS._identity(plan)) == call
        plan["parts"] = [{"merge": "g__merge(", "type": "struct<a:decimal(9,2),b:bigint>"}]
        assert MACROS._sql_of_identity(MACROS._identity(plan)) == call


def test_every_function_is_documented() -> None:
    text = (REPOSITORY / "docs/aggregates.md").read_text()
    named = set(re.findall(r"[a-z_0-9]+", text))
    functions = {name.partition("(")[0] for name in [*CATALOGUE, *MACROS._aliases()]}
    families = [re.escape(name).replace(r"\*", "[a-z]+") for name in re.findall(r"[a-z_]+\*", text)]
    undocumented = functions - named
    assert not [f for f in undocumented if not any(re.fullmatch(x, f) for x in families)]


def test_a_function_without_a_merge_keeps_its_arguments() -> None:
    (plan,) = MACROS._plan_aggregates({"x": "histogram_numeric(v, 20)"}, "t", ["seq"], [])
    assert [call["holistic"] is not None for call in plan["calls"]] == [True]
    assert plan["parts"][0]["partial"].startswith("collect_list(named_struct('at', named_struct(")


@pytest.mark.parametrize(
    ("percentages", "is_whole"),
    [
        ("0.5", False),
        ("1 - 0.5D", False),
        ("cast(0.5 as decimal(2, 1))", False),
        ("array(0.25, 0.5)", False),
        ("array(0.25, 0.5)[0]", True),
        ("element_at(array(0.25, 0.5), 1)", True),
        ("slice(array(0.1, 0.5, 0.9), 1, 2)", True),
        ("cast(array('0.5') as array<double>)", True),
    ],
)
def test_what_may_be_one_percentage_or_several_is_left_to_spark(
    percentages: str, is_whole: bool
) -> None:
    calls = {
        "exact": f"percentile(v, {percentages})",
        "near": f"approx_percentile(v, {percentages})",
        "within": f"percentile_disc({percentages}) within group (order by v)",
    }
    problems: list[str] = []
    for plan in MACROS._plan_aggregates(calls, "t", ["seq"], problems, {}):
        assert (plan["calls"][0]["holistic"] is not None) == is_whole
    assert problems == []


@pytest.mark.parametrize(
    ("accuracy", "is_whole"),
    [("100", False), ("10000", False), ("1e4", False), ("10001", True), ("1000 * 1000", True)],
)
def test_what_no_sketch_is_as_near_as_is_left_to_spark(accuracy: str, is_whole: bool) -> None:
    sql = f"approx_percentile(v, 0.5, {accuracy})"
    (plan,) = MACROS._plan_aggregates({"x": sql}, "t", ["seq"], [], {})
    assert (plan["calls"][0]["holistic"] is not None) == is_whole


def test_where_types_are_never_known_sparks_own_function_decides() -> None:
    calls = {
        "total": "sum(v) filter (where w)",
        "once": "collect_set(v)",
        "middle": "percentile_cont(0.5) within group (order by v desc)",
        "n": "count(*)",
        "all": "collect_list(v)",
    }
    plan = {one["name"]: one for one in MACROS._plan_aggregates(calls, "t", [], [], None)}
    assert plan["total"]["calls"][0]["holistic"]["sql"] == (
        "sum(_ew_a0) filter (where _ew_at is not null)"
    )
    assert plan["once"]["final"] == "array_sort(_ew_once_holistic)"
    assert plan["middle"]["parts"][0]["partial"] == (
        "collect_list(named_struct('at', t, 'within', v))"
    )
    assert plan["middle"]["calls"][0]["holistic"]["sql"] == (
        "percentile_cont(0.5) within group (order by _ew_within desc)"
    )
    assert plan["n"]["calls"][0]["holistic"] is None
    # without an order of arrival, values tell rows of one instant apart
    assert plan["all"]["parts"][0]["merge"] == "array_sort(flatten(collect_list(_ew_all_values)))"
    (ordered,) = MACROS._plan_aggregates({"x": "collect_list(v)"}, "t", ["seq"], [], None)
    assert "one.at < other.at" in ordered["parts"][0]["merge"]


@pytest.mark.parametrize(
    ("type", "partial"),
    [("string", "collect_set(cast(v as string))"), ("string collate UTF8_LCASE", "collect_set(v)")],
)
def test_a_text_that_is_listed_once_keeps_its_collation(type: str, partial: str) -> None:
    sql = "listagg(distinct v, ', ')"
    (plan,) = MACROS._plan_aggregates({"x": sql}, "t", ["seq"], [], {sql: type})
    assert [part["partial"] for part in plan["parts"]] == [partial]


@pytest.mark.parametrize(
    ("sql", "type"),
    [
        *(
            ("approx_percentile(v, 0.5)", type)
            for type in ["date", "timestamp_ntz", "interval day to second", "interval year"]
        ),
        ("approx_count_distinct(v)", "map<int,int>"),
        ("approx_count_distinct(v)", "array<struct<a:map<int,int>>>"),
    ],
)
def test_spark_is_not_asked_for_a_sketch_of_what_none_takes(sql: str, type: str) -> None:
    def described(query: str) -> list[dict[str, str]]:
        return [
            {"col_name": name, "data_type": type} for name in re.findall(r" as (value_\d+)", query)
        ]

    macros = Macros(answer=described)
    plan = macros._plan_aggregates({"x": sql}, "t", ["seq"], [])
    spec = {"relation": "r", "window": {}, "event_time": "t", "arrival": "seq", "partition": None}
    macros._describe_aggregates(spec | {"aggregates": plan})
    assert "sketch" not in str(macros.asked)
    assert plan[0]["calls"][0]["holistic"] is not None


@pytest.mark.parametrize("order", [[], ["seq"]])
def test_where_types_are_never_known_entries_that_fit_all_are_taken(order: list[str]) -> None:
    calls = {
        "near": "approx_count_distinct(v)",
        "texts": "listagg(distinct v) within group (order by v)",
    }
    near, texts = MACROS._plan_aggregates(calls, "t", order, [], None)
    # few texts have a collation
    assert "hll_union" in near["final"]
    # numbers are sorted as numbers
    assert "named_struct('at', v, 'value', cast(v as string))" in texts["parts"][0]["partial"]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("- real", "real"),
        ("hour * 2", "hour"),
        ("cast(0.5 as real) + real", "real"),
        ("string || 'x'", "string"),
        ("date", "date"),
        ("cast(0.5 as real)", None),
        ("cast(null as array<real>)", None),
        ("date '2024-01-01' - interval 1 day", None),
        ("interval '1' day", None),
        ("null", None),
    ],
)
def test_types_and_units_are_columns_where_they_stand_by_themselves(
    text: str, column: str | None
) -> None:
    assert MACROS._first_column(text) == column


@pytest.mark.parametrize("types", [{}, None], ids=["known", "never known"])
def test_words_of_the_catalogue_in_what_the_user_wrote_are_texts(
    types: dict[str, str] | None,
) -> None:
    given = "{type} {whole} {fraction} {divided} {0} {values} {over}"
    texts = {"list": f"listagg(v, '{given}')", "most": f"max(concat(v, '{given}'))"}
    plans = MACROS._plan_aggregates(texts, "t", ["seq"], [], types)
    for plan in plans:
        whole = str(plan["final"]) + str(plan["parts"])
        assert f"'{given}'" in whole.replace("\\'", "'")


@pytest.mark.parametrize(
    ("sql", "paths"),
    [
        ("max(qty)", []),
        ("sum(device.price) filter (where kind = 'a qty')", [["kind", "kind"]]),
        ("count(distinct cast(Qty as string))", [["qty", "qty"]]),
        ("listagg(qty, ', ') within group (order by seq)", [["qty", "qty"], ["seq", "seq"]]),
        ("listagg(distinct `a ``b`)", [["a `b", "`a ``b`"]]),
        ("max(to_json(struct(device.price, qty)))", [["device", "device.price"], ["qty", "qty"]]),
        (
            "count_if(cast(qty as date) = date '2024' and x > qty)",
            [["qty", "qty"], ["x", "x"]],
        ),
        ("sum(case when a then b else a end)", [["a", "a"], ["b", "b"]]),
        ("count_if(exists(xs, x -> x.qty > y.z))", [["xs", "xs"], ["x", "x"], ["y", "y.z"]]),
    ],
)
def test_what_goes_through_functions_is_known(sql: str, paths: list[list[str]]) -> None:
    (plan,) = MACROS._plan_aggregates({"x": sql}, "t", ["seq"], [])
    found = plan["calls"][0]["within_expressions"]
    assert [[*path] for path in found if path[0] not in ("as", "string")] == paths
