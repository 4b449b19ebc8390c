"""A text in pieces: columns and a condition go between them, and all else is the text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_event_windows.plain_sql import plan

SETTINGS = {"arrival_order": "seq", "query": True}
TEXT = """-- of all
with v as (select * from views where true)
select
    lower(v.url) as page, -- where
    first(device) as device, size(collect_list(device)) as devices, -- from
    max_by(device, seq) || '!' as latest
from v -- where
where v.amount > 1 or v.amount is null -- or so
group by lower(v.url), window(v.viewed_at, '1 hour')
having count(*) > 1;
"""


def query(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(plan(text, SETTINGS))["query"]
    return found


def written(text: str, items: str, condition: str) -> str:
    first, second, third = query(text)["pieces"]
    return " ".join(f"{first}{items}{second}{condition}{third}".split())


def test_columns_and_a_condition_stand_beside_those_of_the_text() -> None:
    sql = written(TEXT, "1 as one", "seq < 9")
    assert "|| '!' as latest , 1 as one" in sql
    assert "from v where ( v.amount > 1 or v.amount is null ) and ( seq < 9 ) group by" in sql
    assert sql.endswith("having count(*) > 1")
    # that of the CTE stays what it is
    assert sql.startswith("with v as (select * from views where true) select lower(v.url)")


def test_no_word_grows_together_with_another() -> None:
    text = (
        "select count(*)from v where(a > 1)group by window(viewed_at, '1 hour')having max(b)is null"
    )
    assert written(text, "1 as one", "seq < 9") == (
        "select count(*) , 1 as one from v where( (a > 1) ) and ( seq < 9 )group by "
        "window(viewed_at, '1 hour')having max(b)is null"
    )
    assert json.loads(plan(text, SETTINGS))["having"] == "max_b is null"


def test_a_text_without_a_where() -> None:
    text = TEXT.replace("where v.amount > 1 or v.amount is null", "lateral view explode(urls) as u")
    sql = written(text, "1 as one", "seq < 9")
    assert "lateral view explode(urls) as u where ( seq < 9 ) group by" in sql


def test_what_the_rows_are_told_by() -> None:
    found = query(TEXT)
    assert found["window"] == "window(v.viewed_at, '1 hour')"
    assert found["columns"]["page"] == "lower(v.url)"
    assert (found["columns"]["seq"], found["columns"]["viewed_at"]) == ("seq", "v.viewed_at")


@pytest.mark.parametrize(
    ("items", "names"),
    [
        ("first(url) as a, count(*) as n", ["a"]),
        ("upper(max_by(url, amount)) as a, max(url) as b", ["a"]),
        ("size(collect_set(url)) as a, sort_array(collect_list(url)) as b", []),
        ("sort_array(collect_list(url), false) as a", ["a"]),
        ("concat(collect_list(url), array('x')) as a, sum(amount) as b", ["a"]),
        ("approx_count_distinct(url) + 1 as a, avg(amount) as first", ["a"]),
    ],
)
def test_columns_that_spark_leaves_open(items: str, names: list[str]) -> None:
    text = f"select {items} from views group by url, window(viewed_at, '1 hour')"
    assert query(text)["undecided"] == names


@pytest.mark.parametrize(
    ("items", "names"),
    [
        ("count(distinct url) as a, count(*) as n, max(distinct device) as b", []),
        ("count(distinct url) as a, sum(distinct amount) as b, count(*) as n", ["a", "b"]),
        ("count(distinct url) filter (where amount > 1) as a, sum(amount) as b", ["a"]),
        ("size(collect_list(distinct url)) as a, count(distinct amount) as b", ["a", "b"]),
        ("count(distinct amount) as a, stddev(distinct amount) as b", ["a", "b"]),
    ],
)
def test_values_that_sparks_sessions_count_twice(items: str, names: list[str]) -> None:
    text = f"select {items} from views group by session_window(viewed_at, '1 hour')"
    assert query(text)["undecided"] == names
    aligned = text.replace("session_window", "window")
    assert query(aligned)["undecided"] == []


def test_having_that_sparks_sessions_count_twice() -> None:
    text = (
        "select count(distinct url) as a, count(*) as n from views "
        "group by session_window(viewed_at, concat(amount, ' hours')) having "
    )
    assert query(text + "count(*) > 1")["undecided"] == []
    assert query(text + "count(distinct device) > 1")["undecided"] == ["a"]
    assert query(text + "count(distinct device) > 1")["undecided_having"] == ["having"]


def test_having_that_spark_leaves_open() -> None:
    assert query(TEXT)["undecided_having"] == []
    text = TEXT.replace("having count(*) > 1", "having any_value(device) = 'x'")
    assert query(text)["undecided_having"] == ["having"]


def test_what_is_not_sparks() -> None:
    text = "select {} as n from views group by url, sliding_window(viewed_at, '1 hour')"
    assert query(text.format("own(amount)"))["not_spark"] == [
        "sliding_window(viewed_at, '1 hour')",
        "own(amount)",
    ]
    assert query(TEXT)["not_spark"] == []
