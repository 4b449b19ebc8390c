"""What the text of a rollup says, and what is refused of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_event_windows.plan_function import event_windows_plan

FOLLOWED = {"followed": 0, "inputs": ["key", "clicks", "country", "at"]}


def planned(text: str, **settings: Any) -> dict[str, Any]:
    settings = settings or FOLLOWED
    answer = event_windows_plan(text, json.dumps({"rollup": settings}))
    assert answer
    return dict(json.loads(answer))


def test_tables_are_asked_about_first() -> None:
    text = "select key, count(*) as n from s.visits left join users using (key) group by 1"
    answer = json.loads(str(event_windows_plan(text, '{"rollup": {}}')))
    assert answer["tables"] == [["s", "visits"], ["users"]]
    assert answer["inputs"] == "select * from s.visits left join users using (key)"


GROUPS = {
    "select key, clicks + 1 as c, count(*) as n from s.v group by all": ([0, 1], 0),
    "select count(*) as n, key from s.v group by 2": ([1], 0),
    "select date(at) as day, sum(clicks) as n from s.v group by date(at)": ([0], 0),
    "select date(at) as day, sum(clicks) as n from s.v group by DAY": ([0], 0),
    # a column of FROM comes before an alias
    "select upper(country) as country, count(*) as n from s.v group by country": ([2], 1),
    "select count(*) as n from s.v group by key, country": ([1, 2], 2),
    "select key, count(*) as n from s.v group by key, 1, date(at)": ([0, 2], 1),
}


@pytest.mark.parametrize("text", GROUPS)
def test_the_columns_that_tell_groups(text: str) -> None:
    answer = planned(text)
    assert (answer["groups"], answer["hidden"]) == GROUPS[text]


def test_the_text_over_another_relation() -> None:
    text = (
        "select key, count(*) as `from` /* from */\nfrom s.visits -- v\n"
        "where clicks > 1 group by key, date(at) having count(*) > 1 ;"
    )
    answer = planned(text)
    over = {name: " ".join("(x)".join(answer[name]).split()) for name in ("query", "keys")}
    without = (
        "select key, count(*) as `from` , date(at) as _ew_group_1 from (x) as visits "
        "where clicks > 1 group by key, date(at)"
    )
    assert over == {"query": f"{without} having count(*) > 1", "keys": without}
    assert planned(text.replace("-- v", ""))["text"] == answer["text"]


GROUPED = "select key, count(*) as n from s.v group by key"
REFUSED = {
    "select count(*) as n from s.v": "GROUP BY",
    "select count(*) as n from s.v group by all": "GROUP BY",
    f"{GROUPED} order by 1": "ORDER BY",
    f"{GROUPED} limit 3": "LIMIT",
    GROUPED.replace("select", "select distinct"): "DISTINCT",
    f"{GROUPED} union all {GROUPED}": "text",
    f"with c as (select 1) {GROUPED}": "WITH",
    "select key, count(*) as n from (select * from s.v) as v group by key": "FROM",
    "select key, count(*) as n from s.v tablesample (9 percent) group by key": "TABLESAMPLE",
    "select key, count(*) as n from s.v where key in (select k from t) group by key": "WHERE",
    "select key, rank() over (order by key) as n from s.v group by key": "SELECT",
    "select key, rand() as n from s.v group by all": "SELECT",
    "select key, count(*) as n from s.v where at < now() group by key": "WHERE",
    "select my_own(key) as k, count(*) as n from s.v group by all": "SELECT",
    "select explode(keys) as k, count(*) as n from s.v group by all": "SELECT",
    "select *, count(*) as n from s.v group by all": "SELECT",
    "select s.v.key, count(*) as n from s.v group by all": "SELECT",
    "select key, count(*) as n from s.v right join s.t using (key) group by key": "JOIN",
    "select key, count(*) as n from s.v full join s.t using (key) group by key": "JOIN",
    "select key, count(*) as n from s.v natural join s.t group by key": "JOIN",
    f"{GROUPED} with rollup": "GROUP BY",
    "select key, count(*) as n from s.v group by cube(key)": "GROUP BY",
    "select key, count(*) as n from s.v group by grouping sets ((key), ())": "GROUP BY",
    "select count(*) as n from s.v group by window(at, '1 hour')": "GROUP BY",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    problems = planned(text)["problems"]
    assert REFUSED[text] in [problem["clause"] for problem in problems]


@pytest.mark.parametrize(
    ("join", "allowed"),
    [("join", True), ("left join", False), ("left anti join", False), ("cross join", True)],
)
def test_a_model_that_others_are_not_joined_to(join: str, allowed: bool) -> None:
    text = f"select t.key, count(*) as n from s.t {join} s.v on t.key = v.key group by all"
    assert ("problems" not in planned(text, **FOLLOWED | {"followed": 1})) == allowed
