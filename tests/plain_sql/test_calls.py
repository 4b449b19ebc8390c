"""Aggregate calls as the planner hands them on: what the macros would read in their text."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_event_windows.plain_sql.functions import AGGREGATES, KEEP_ROWS, TAKE_ONE_ROW
from tests.macros.rendering import Macros
from tests.plain_sql.answering import planned_alone as planned

MACROS = Macros()
CATALOGUE: dict[str, Any] = MACROS._catalogue()
ALIASES: dict[str, str] = MACROS._aliases()
CALLS = [
    "count(*)",
    "COUNT ( all (url) )",
    "count(distinct(url))",
    "count(distinct (url, device), amount + 1)",
    "sum(distinct (amount)) filter (where is_bot or url = ')')",
    "sum(amount - 1) filter(where(is_bot)or amount > 1)",
    "first(url, true) filter (where is_bot or amount > 1)",
    "first(url ignore nulls)",
    "last(not is_bot) respect nulls",
    "any_value(upper(url)) ignore nulls",
    "max_by(device, struct(viewed_at, seq))",
    "listagg(distinct url, ', ')",
    "listagg(url, ', ') within group (order by seq desc) filter (where is_bot or amount > 1)",
    "mode() within group (order by amount)",
    "mode() within group (order by(amount)desc)",
    "percentile_cont(1 - 0.5) within group (order by amount % 3)",
    "approx_percentile(amount, array(0.5, 0.9), 100)",
    "count_if(url like any ('/a%', '/b%'))",
    "count_if(url not like all ('/a%', device))",
    "avg(distinct `user id`)",
    "histogram_numeric(amount, 5)",
    "geometric_mean(amount, 'a, b')",
    "collect_set(case when amount > 1 then url end)",
    "max(place.zip)",
]


@pytest.mark.parametrize("sql", CALLS)
def test_the_macros_plan_the_same_from_a_call_and_from_its_text(sql: str) -> None:
    text = f"select {sql} as x from views group by window(viewed_at, '1 hour')"
    call = planned(text, arrival_order="seq")["aggregates"]["x"]
    problems: list[str] = []
    (of_call,) = MACROS._plan_aggregates({"x": call}, "viewed_at", ["seq"], problems)
    (of_text,) = MACROS._plan_aggregates({"x": call["text"]}, "viewed_at", ["seq"], problems)
    assert problems == []
    for same in ["parts", "final", "sql"]:
        assert of_call[same] == of_text[same]


@pytest.mark.parametrize("sql", ["array_agg(url) respect nulls", "collect_set(url respect nulls)"])
def test_the_macros_refuse_the_same_in_a_call_and_in_its_text(sql: str) -> None:
    text = f"select {sql} as x from views group by window(viewed_at, '1 hour')"
    call = planned(text, arrival_order="seq")["aggregates"]["x"]
    said: list[str] = []
    MACROS._plan_aggregates({"x": call}, "viewed_at", ["seq"], said)
    MACROS._plan_aggregates({"x": call["text"]}, "viewed_at", ["seq"], said)
    assert len(said) == 2
    assert said[0] == said[1]
    assert "'respect nulls' is not understood after" in said[0]


@pytest.mark.parametrize("words", ["any", "all"])
def test_not_like_is_not_the_contrary_of_like(words: str) -> None:
    patterns = f"{words} ('/a%', '/b%')"
    text = (
        f"select count_if(url not like {patterns}) as x, count_if(not (url like {patterns})) as y "
        "from views group by window(viewed_at, '1 hour')"
    )
    assert set(planned(text, arrival_order="seq")["aggregates"]) == {"x", "y"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("interval '.5 seconds'", "interval '5 seconds'"),
        ("interval '-.5 seconds'", "interval '5 seconds'"),
        ("interval '- 1 day'", "interval '1 day'"),
        ("interval '+ 1 day'", "interval '- 1 day'"),
        ("interval '1.5 seconds'", "interval '5 seconds'"),
        ("interval '-1 day'", "interval '1 day'"),
        ("interval -'1' day", "interval '1' day"),
    ],
)
def test_intervals_that_differ_are_two(one: str, other: str) -> None:
    text = (
        f"select count_if(viewed_at - seen_at > {one}) as x, "
        f"count_if(viewed_at - seen_at > {other}) as y, viewed_at + {one} as k, "
        f"viewed_at + {other} as l from views "
        f"group by viewed_at + {one}, viewed_at + {other}, window(viewed_at, '1 hour')"
    )
    plan = planned(text, arrival_order="seq")
    assert set(plan["aggregates"]) == {"x", "y"}
    assert len(plan["key"]) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("'O''Brien'", "'O' 'Brien'"),
        ('"O""Brien"', '"O" "Brien"'),
        ("'O''Brien'", "'O'\n'Brien'"),
        ("'O''Brien'", "'O''' 'Brien'"),
    ],
)
def test_a_text_with_a_quote_is_not_two_texts(one: str, other: str) -> None:
    text = (
        f"select count_if(url = {one}) as x, count_if(url = {other}) as y "
        "from views group by window(viewed_at, '1 hour')"
    )
    aggregates = planned(text, arrival_order="seq")["aggregates"]
    assert set(aggregates) == {"x", "y"}
    assert one in aggregates["x"]["text"]
    assert other in aggregates["y"]["text"]


def test_columns_have_their_names_in_the_relation() -> None:
    text = (
        "select max(v.url || p.url) filter (where v.device = p.name or p.name = 'a') as x "
        "from views v join people p on v.user_id = p.user_id group by window(viewed_at, '1 hour')"
    )
    call = planned(text, arrival_order="seq")["aggregates"]["x"]
    (argument,) = call["arguments"]
    one, other = argument.split(" || ")
    assert one != other
    assert call["columns"] == [one]
    assert "v." not in str(call)
    assert "p." not in str(call)


def test_both_languages_have_the_same_catalogue() -> None:
    names = {name for name in [*CATALOGUE, *ALIASES] if "(" not in name}
    assert names | {*MACROS._holistic_functions()} == AGGREGATES
    own = {name: ALIASES.get(name, name) for name in names}
    assert {
        name for name in own if "nulls" in CATALOGUE[own[name]].get("clauses", [])
    } == TAKE_ONE_ROW
    assert {name for name in own if own[name] in ("collect_list", "listagg")} == KEEP_ROWS
    assert {*ALIASES.values()} <= {*CATALOGUE}


@pytest.mark.parametrize("name", sorted(AGGREGATES))
def test_what_the_planner_accepts_the_macros_accept(name: str) -> None:
    """A call with as few arguments as it needs, plain, over distinct values and with a filter."""
    entry = CATALOGUE.get(ALIASES.get(name, name), {"arguments": [1, 1]})
    constants = entry.get("constants", [])
    least = entry["arguments"][0]
    arguments = ", ".join("0.5" if place in constants else "amount" for place in range(least))
    within = " within group (order by url)" if "{within}" in str(entry) else ""
    forms = [arguments] if within or not least else [arguments, f"distinct {arguments}"]
    for form in forms:
        sql = f"{name}({form}){within} filter (where is_bot or amount > 1)"
        text = f"select {sql} as x from views group by window(viewed_at, '1 hour')"
        problems: list[str] = []
        plan = planned(text, arrival_order="seq")
        MACROS._plan_aggregates(plan["aggregates"], "viewed_at", ["seq"], problems)
        assert problems == []
