"""What the text of a rollup says, and what is refused of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_event_windows.plan_function import event_windows_plan

FOLLOWED = {
    "followed": 0,
    "inputs": ["key", "clicks", "country", "at"],
    "identity": [["key", False], ["at", False], ["tags", True]],
}


def planned(text: str, **settings: Any) -> dict[str, Any]:
    settings = settings or FOLLOWED
    answer = event_windows_plan(text, json.dumps({"rollup": settings}))
    assert answer
    return dict(json.loads(answer))


def test_tables_are_asked_about_first() -> None:
    text = "select key, count(*) as n from s.visits left join users using (key) group by 1"
    answer = json.loads(str(event_windows_plan(text, '{"rollup": {}}')))
    assert answer["tables"] == [["s", "visits"], ["users"]]
    assert answer["inputs"] == "select *\nfrom s.visits left join users using (key)"


def test_tables_below_ctes_and_subqueries_are_asked_about() -> None:
    ctes = (
        "with u as (select * from s.users), unused as (select * from s.other), V as (\n"
        "with u as (select * from s.of_v) select v.* from s.visits as v join u using (key))"
    )
    from_ = "from v join (select * from u where age > 1) using (key)"
    text = f"{ctes}\nselect key, count(*) as n {from_} group by 1"
    answer = json.loads(str(event_windows_plan(text, '{"rollup": {}}')))
    assert answer["tables"] == [["s", "visits"], ["s", "of_v"], ["s", "users"]]
    assert answer["inputs"] == f"{ctes}\nselect *\n{from_}"


GROUPS = {
    "select key, clicks + 1 as c, count(*) as n from s.v group by all": ([0, 1], []),
    "select count(*) as n, key from s.v group by 2": ([1], []),
    # for Spark a place, too
    "select count(*) as n, key, clicks from s.v group by (2), ((3))": ([1, 2], []),
    "select date(at) as day, sum(clicks) as n from s.v group by (date(at)), (DAY)": ([0], []),
    "select date(at) as day, sum(clicks) as n from s.v group by date(at)": ([0], []),
    "select date(at) as day, sum(clicks) as n from s.v group by DAY": ([0], []),
    # a column of FROM comes before an alias
    "select upper(country) as country, count(*) as n from s.v group by country": ([], ["country"]),
    "select date(at) as key, count(*) as n from s.v group by upper(key)": ([], ["upper(key)"]),
    "select count(*) as n from s.v group by key, country": ([], ["key", "country"]),
    "select key, count(*) as n from s.v group by key, 1, date(at)": ([0], ["date(at)"]),
    # behind the name of a table is a column of it, whatever an item is called
    "select key, count(*) as v from s.v group by 1, V.country": ([0], ["V.country"]),
    "select count(*) as u from s.v join s.u using (key) group by u.country": ([], ["u.country"]),
    # a unit is no name
    "select clicks as day, count(*) as n from s.v group by 1, timestampadd(day, 1, at)": (
        [0],
        ["timestampadd(day, 1, at)"],
    ),
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


BELOW = {
    # the text, and what stands around the model in it
    "with x as (select * from s.v) select key, count(*) as n from x group by key": (
        "with x as (select * from ",
        " as v) select key, count(*) as n from x group by key",
    ),
    "select v.key, count(*) as n from ((s.v)) join (s.u) using (key) group by 1": (
        "select v.key, count(*) as n from ((",
        " as v)) join (s.u) using (key) group by 1",
    ),
    "select key, count(*) as n from (select w.* from s.v w where clicks > 2) as x group by 1": (
        "select key, count(*) as n from (select w.* from ",
        " w where clicks > 2) as x group by 1",
    ),
    "with a as (select * from s.v), b as (select * from a) select 1 as one from b group by key": (
        "with a as (select * from ",
        " as v), b as (select * from a) select 1 as one , key as _ew_group_1 from b group by key",
    ),
}


@pytest.mark.parametrize("text", BELOW)
def test_the_model_below_ctes_and_subqueries(text: str) -> None:
    query = " ".join("(x)".join(planned(text)["query"]).split())
    assert query == "(x)".join(BELOW[text])


ROWS_BELOW = {
    "select * from (select * except (clicks) from s.v) as x": (
        ["key", "at"],
        ["to_json(struct(x.tags))"],
        ["v.key", "v.at", "to_json(struct(v.tags))"],
    ),
    "with x as (select * from s.v) select *, 1 as one from x": (
        ["key", "at"],
        ["to_json(struct(x.tags))"],
        ["v.key", "v.at", "to_json(struct(v.tags))"],
    ),
    "with x as (select key as who, at as day, tags as t from s.v) select who, upper(who) as w, day "
    "from x": (
        ["who", "day"],
        ["to_json(struct(x.t as tags))"],
        ["v.key", "v.at", "to_json(struct(v.tags))"],
    ),
    "select key, at from (select * except (u.key, U.at) from s.v join s.u using (id)) as x": (
        ["key", "at"],
        ["to_json(struct(x.tags))"],
        ["v.key", "v.at", "to_json(struct(v.tags))"],
    ),
    # a struct that lost a field is another value
    "select key from (select * except (at.day), at as whole from s.v) as x": (
        ["key"],
        ["x.whole", "to_json(struct(x.tags))"],
        ["v.key", "v.at", "to_json(struct(v.tags))"],
    ),
    "select x.clicks from (select * from s.v) as x": (
        [],
        ["x.key", "x.at", "to_json(struct(x.tags))"],
        ["v.key", "v.at", "to_json(struct(v.tags))"],
    ),
}


@pytest.mark.parametrize("text", ROWS_BELOW)
def test_the_columns_that_tell_rows_through_ctes(text: str) -> None:
    answer = planned(text)
    shown, hidden, of_a_row = ROWS_BELOW[text]
    assert (answer["groups"], answer["hidden"]) == (shown, hidden)
    names = [*shown, *(f"_ew_group_{place}" for place in range(1, len(hidden) + 1))]
    told = ", ".join(f"{sql} as {name}" for sql, name in zip(of_a_row, names, strict=True))
    assert answer["keys"] == [f"select {told} from ", " as v"]


ROWS: dict[str, tuple[list[str], list[str]]] = {
    "select * from s.v": (["key", "at"], ["to_json(struct(v.tags))"]),
    "select w.*, 1 as one from s.v as w": (["key", "at"], ["to_json(struct(w.tags))"]),
    "select key as who, v.AT from s.v": (["who", "AT"], ["to_json(struct(v.tags))"]),
    "select clicks + 1 as c from s.v where clicks > 1": (
        [],
        ["v.key", "v.at", "to_json(struct(v.tags))"],
    ),
    "select * except (AT) from s.v": (["key"], ["v.at", "to_json(struct(v.tags))"]),
    "select v.* except (clicks) from s.v": (["key", "at"], ["to_json(struct(v.tags))"]),
    # of this table, or a field of a column of that name
    "select u.key, v.at from s.v join s.u on true": (
        ["at"],
        ["v.key", "to_json(struct(v.tags))"],
    ),
    "select u.*, at as v from s.v join s.u using (id)": (
        ["v"],
        ["v.key", "to_json(struct(v.tags))"],
    ),
}


@pytest.mark.parametrize("text", ROWS)
def test_the_columns_that_tell_rows_of_the_model(text: str) -> None:
    answer = planned(text)
    shown, hidden = ROWS[text]
    assert answer["several"]
    assert answer["groups"] == shown
    added = "".join(f", {sql} as _ew_group_{place}" for place, sql in enumerate(hidden, 1))
    assert f"{added} from " in answer["query"][0]
    for place, sql in enumerate(hidden, 1):
        assert f"{sql} as _ew_group_{place}" in answer["keys"][0]


def test_a_column_that_a_join_puts_together_is_that_of_the_first_table() -> None:
    text = "select key, at from s.u join s.v using (key)"
    answer = planned(text, **FOLLOWED | {"followed": 1})
    assert (answer["groups"], answer["hidden"]) == (
        ["at"],
        ["v.key", "to_json(struct(v.tags))"],
    )


def test_aggregates_of_all_rows_are_one_group() -> None:
    answer = planned("select count(*) as n, max(clicks) as most from s.v where clicks > 1")
    assert (answer["groups"], answer["hidden"], answer["several"]) == ([], ["true"], False)


DAY = 86_400_000_000
TIMES = {
    "select key, date(at) as day, count(*) as n from s.v group by all": [(1, 2 * DAY)],
    "select count(*) as n from s.v group by date_trunc('HOUR', v.at)": [
        ("_ew_group_1", DAY + DAY // 24)
    ],
    "select cast(at as date) as d, count(*) as n from s.v group by d": [(0, 2 * DAY)],
    "select trunc(date(at), 'MM') as m, count(*) as n from s.v group by 1": [(0, 34 * DAY)],
    "select at, count(*) as n from s.v group by at": [(0, 0)],
    "select date_format(at, 'yyyy') as y, count(*) as n from s.v group by 1": [],
    "select date(at + interval 1 day) as d, count(*) as n from s.v group by 1": [],
    "select date(u.at) as d, count(*) as n from s.v join s.u using (key) group by 1": [],
    # through CTEs and subqueries, under the names that they give
    "with x as (select * from s.v) select at, count(*) as n from x group by at": [(0, 0)],
    "with x as (select at as t, key as at from s.v) select count(*) as n from x group by x.t": [
        ("_ew_group_1", 0)
    ],
    "with x as (select at as t, key as at from s.v) select count(*) as n from x group by x.at": [],
    "select at, count(*) as n from (select at + interval 1 day as at from s.v) as x group by 1": [],
}


@pytest.mark.parametrize("text", TIMES)
def test_the_groups_that_tell_a_time(text: str) -> None:
    found = [(group, apart) for group, column, apart in planned(text)["times"] if column == "at"]
    assert found == TIMES[text]


GROUPED = "select key, count(*) as n from s.v group by key"
REFUSED = {
    "select key, count(*) as n from (table s.visits) v group by key": "text",
    "with c as (table visits) select key, count(*) as n from s.visits join c using (key) "
    "group by key": "text",
    "select key, count_if(country = '${env:COUNTRY}') as n from s.v group by key": "text",
    "select count(*) as n from s.v group by all": "GROUP BY",
    "select clicks + 1 as c, count(*) as n from s.v group by c, clicks % c": "GROUP BY",
    "select key from s.v having count(*) > 1": "HAVING",
    "select s.v.* from s.v": "SELECT",
    "select * replace (1 as key) from s.v": "SELECT",
    "select key from s.v order by key": "ORDER BY",
    "select distinct key from s.v": "DISTINCT",
    "select *, row_number() over (order by key) as n from s.v": "SELECT",
    "select * from s.v where key in (select key from s.t)": "WHERE",
    f"{GROUPED} order by 1": "ORDER BY",
    f"{GROUPED} limit 3": "LIMIT",
    GROUPED.replace("select", "select distinct"): "DISTINCT",
    f"{GROUPED} union all {GROUPED}": "text",
    "with c as (select key from s.v group by key) select key from c": "GROUP BY in WITH c",
    "with c as (select distinct key from s.v) select key from c": "DISTINCT in WITH c",
    "with c as (select key from s.v limit 3) select key from c": "LIMIT in WITH c",
    "with c as (select count(*) as n from s.v) select n from c": "SELECT in WITH c",
    "with c as (select key, rand() as r from s.v) select key from c": "SELECT in WITH c",
    "with c as (select * from s.v where at < now()) select key from c": "WHERE in WITH c",
    "with c as (select * from s.v union all select * from s.t) select key from c": "WITH c",
    "with c as (select * from s.v), C as (select * from s.t) select key from c": "WITH C",
    "with c as (select * except (at) from s.v) select key from c": "FROM",
    "with c(k) as (select key from s.v) select k from c": "WITH c",
    "with recursive c as (select key from s.v) select key from c": "WITH",
    "with c as (select * from s.v full join s.t using (key)) select * from c": "JOIN",
    "with c as (select key, explode(tags) as tag from s.v) select * from c": "SELECT in WITH c",
    "with c as (select key, _ew_refresh as r from s.v) select * from c": "SELECT in WITH c",
    "with c as (select key, at from s.v) select * from c": "FROM",  # tags is not handed up
    "select clicks from (select * from s.v)": "FROM",
    # tags is shown, but told as text: so a column is to be added, of a subquery without a name
    "select * from (select * from s.v)": "FROM",
    "select key, count(*) as n from (values (1)) as v(key) group by key": "FROM",
    "select key, count(*) as n from (s.v join s.u using (key)) group by key": "FROM",
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
    "select count(*) as n from s.v group by ()": "GROUP BY",
    "select count(*) as n, max(revenue) as most from s.v group by 1": "GROUP BY",
    "select key, count(*) as n from s.v group by key, 2": "GROUP BY",
    "select key, count(*) as n from s.v group by 3, key": "GROUP BY",
    "select key, count(*) as n from s.v group by 0, key": "GROUP BY",
    "select key, count(*) as n from s.v group by key, ()": "GROUP BY",
    "select cast('to' || 'day' as date) as d, count(*) as n from s.v group by all": "SELECT",
    "select cast(concat('to', 'day') as date) as d, count(*) as n from s.v group by all": "SELECT",
}


COLUMNS = [
    [["s", "v"], [["key", "string"], ["clicks", "bigint"], ["at", "timestamp"], ["tags", "map"]]],
    [["s", "U"], [["key", "string"], ["home", "struct<city:string,`a b`:struct<c:int>>"]]],
]


# What else to write must be possible over windows, and not be refused in its turn.
MENDED = {
    "select key, explode(tags) as tag from s.v": "explode makes several rows of one: put it into a "
    "model that reads this one",
    "select key, tag from s.v lateral view explode(tags) x as tag": "LATERAL VIEW makes several",
    "select key from s.v as v, lateral explode(v.tags) as t": "LATERAL makes several rows of one",
    "select key from s.v where key in (select key from s.t)": "LEFT SEMI JOIN for IN and EXISTS",
    "with x as (select key, sum(clicks) as n from s.v group by key) select key from x": "rows are "
    "put together below the groups: write what it does with the windowed model in a rollup",
    "select key from (select distinct key from s.v) as x": "in a rollup that this one reads",
    "select key from s.v natural join s.t": "write JOIN ... USING (...)",
    "select key, current_date() as d from s.v": "current_date gives another value in each run: put",
    "select key, my_own(key) as k from s.v": "put it into a model that reads this one",
    "select key, grouping(key) as g from s.v group by key": "which are not kept here: write one",
    "select key, count(*) as n from s.v group by cube(key)": "several groups: write one model",
    "select key from s.v pivot (count(*) for clicks in (1))": "put it into a model that reads this",
    "select key, time'10:00:00' as t from s.v": "another way, or put it into a model that reads",
    "select key, v._ew_refresh as r from s.v": "a column _ew_ of the model above is bookkeeping",
    "select key from s.v where _EW_refresh > 1": "a column _ew_ of the model above is bookkeeping",
    "with x as (select upper(key) from s.v) select `upper(key)` as k from x": "give what a CTE or "
    "subquery computes an alias",
    "with x as (select named_struct('a', key) as s from s.v), y as (select s.* from x) select a "
    "from y": "give what a CTE or subquery computes an alias",
}


@pytest.mark.parametrize("text", MENDED)
def test_what_to_write_instead(text: str) -> None:
    problems = planned(text, **FOLLOWED, columns=COLUMNS)["problems"]
    said = [f"{problem['problem']}: {problem['mend']}" for problem in problems]
    assert [one for one in said if MENDED[text] in one], said
    assert not [one for one in said if "model that is read here" in one]


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    problems = planned(text)["problems"]
    assert REFUSED[text] in [problem["clause"] for problem in problems]


# A session variable is known to Spark by its name alone, or as session.name.
VARIABLES = {
    "select if(clicks > most, 'big', 'small') as s, count(*) as n from s.v group by all": "SELECT",
    "select key from s.v where clicks > most": "WHERE",
    "select key from s.v where clicks > session.most": "WHERE",
    "select key from s.v where clicks > system.session.most": "WHERE",
    "select v.key from s.v join s.u on v.clicks > most": "JOIN",
    "select key, count(*) as n from s.v group by key having count(*) > most": "HAVING",
    "select key, count(*) as n from s.v group by key, most": "GROUP BY",
    "with c as (select * from s.v where clicks > most) select * from c": "WHERE in WITH c",
    "with c as (select * except (clicks) from s.v) select *, clicks as n from c": "SELECT",
    "select * from (select *, most as m from s.v) as x": "SELECT in FROM (...) x",
    "select x.most from (select * from s.v) as x": "SELECT",
    "select v.key from s.v left semi join s.u using (key) where home.city = 'a'": "WHERE",
    # an alias of a later item is none
    "select most + 1 as a, clicks as most, key, at, tags from s.v": "SELECT",
}


@pytest.mark.parametrize(
    "from_", ["(s.v) as x", "s.v tablesample (5 percent) as x", "values ('a') as x"]
)
def test_where_a_table_is_refused_the_names_of_its_columns_are_not(from_: str) -> None:
    text = f"select x.key, count(*) as n from {from_} group by key"
    problems = planned(text, **FOLLOWED, columns=COLUMNS)["problems"]
    assert len(problems) == 1


@pytest.mark.parametrize("text", VARIABLES)
def test_a_name_that_is_no_column_may_be_a_variable(text: str) -> None:
    problems = planned(text, **FOLLOWED, columns=COLUMNS)["problems"]
    assert [problem["clause"] for problem in problems] == [VARIABLES[text]]
    assert "it may be a variable" in problems[0]["problem"]


@pytest.mark.parametrize(
    "text",
    [
        "select KEY, clicks as most, most + 1 as more, at, tags from s.v",
        "select clicks as most, count(*) as n from s.v group by most having n > 1 and most > 1",
        "select v.key, u.home.city, home.city as c from s.v join s.u using (key) where key > 'a'",
        "select count(*) as n from s.v left join s.u on v.key = u.key group by v.key, u.key",
        "select v.key from s.v left semi join s.u on home.city = v.key and clicks > 1",
        "with c as (select *, home.city from s.v join s.u using (key)), d as (select c.* from"
        " c) select city, clicks::int, key, at, tags from d where home.city > 'a'",
        "select clicks, (key) from (select cast(clicks as int), key, at, tags from s.v) as x",
        "select * except (key), upper(key) as k from (select v.* from s.v) as x",
        "with x as (select * except (u.key, u.home.street) from s.v join s.u on v.key = u.key)"
        " select key, home.city, at, tags from x",
        "with x as (select * except (s.v.key) from s.v join s.u on v.key = u.key)"
        " select key, home.city, count(*) as n from x group by all",
        "select transform(map_keys(tags), x -> x + clicks) as t, count(*) as n from s.v group by 1",
        "select key, count(*) as n from s.v where key = 'today' group by key",
        "with x as (select home.*, key from s.v join s.u using (key)) select City, `a b`.c as c,"
        " count(*) as n from x group by all",
    ],
)
def test_columns_are_no_variables(text: str) -> None:
    assert "problems" not in planned(text, **FOLLOWED, columns=COLUMNS)


@pytest.mark.parametrize(
    ("join", "allowed"),
    [("join", True), ("left join", False), ("left anti join", False), ("cross join", True)],
)
def test_a_model_that_others_are_not_joined_to(join: str, allowed: bool) -> None:
    text = f"select t.key, count(*) as n from s.t {join} s.v on t.key = v.key group by all"
    assert ("problems" not in planned(text, **FOLLOWED | {"followed": 1})) == allowed
