"""The condition of event_windows__rebuild: one over key columns, or a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from tests.macros.rendering import Macros

SPEC = {
    "key": ["user_id", "Day"],
    "columns": {"user_id": "string", "Day": "date", "value": "int", "date": "date"},
    "aggregates": [{"name": "n"}],
    "relation": "rows",
}
NO_CONDITION = {
    "": "it is empty",
    " -- all": "it is empty",
    "user_id = 'a'; drop table rows": "there is a ';'",
    "user_id = 'a') or (1 = 1": "there is a ')' too many",
    "false) union all select 'b' where (true": "there is a ')' too many",
    "user_id = 'a' /* x": "a comment is not closed",
    "user_id = 'a": "a ' is not closed",
    "user_id, true": "there is a ','",
    "user_id = 'a' desc": "there is a 'desc'",
    "(user_id) asc": "there is a 'asc'",
    "value = 1": "'value' is no key column",
    "`Value` = 1": "'value' is no key column",
    "n > 1": "'n' is no key column",
    "window_start > '2020-01-01'": "'window_start' is no key column",
    "users in ('a')": "'users' is no key column",
    "'a' = users": "'users' is no key column",
    "m.user_id = 'a'": "'m' is no key column: write the column alone",
    "`M` . user_id = 'a'": "'m' is no key column: write the column alone",
    "count(*) > 1": "count(...) is an aggregate",
    "max(user_id) = 'a'": "max(...) is an aggregate",
    "row_number() over (order by user_id) = 1": "OVER looks at other rows",
    "explode(array(true))": "explode(...) makes several rows",
    "rand() < 0.5": "rand(...) has another value each time",
    "zone is null": "Spark does not take it: A column with name `zone` cannot be resolved.",
    5: "Spark does not take it: Filter condition is not a boolean.",
}
CONDITIONS = [
    "user_id = 'a'",
    "`USER_ID` is not null and day > date '2024-01-01'",
    "user_id in (select max(value) from others where n > 1)",
    "exists(array('b'), x -> x = user_id)",
    "case when user_id = 'a' then true else false end",
    "current_date > Day or interval 1 day < interval 1 hour",
    "year(day) = 2024 and upper(user_id) like 'A%'",
    "user_id like any ('a%', 'b%')",
    "true",
    "user_id collate utf8_lcase = 'a'",
    "(user_id = 'a') is unknown",
    "overlay(user_id placing 'x' from 1) = 'x'",
    "user_id = current_catalog",
    "mask(str => user_id, upperChar => 'Q') = 'Q'",
    "demo.is_known(user_id)",
    "'x' = desc",
    "true and asc",
]


# as EXPLAIN gives them, in one row or in several
SPARK = {
    "zone is null": [
        "== Physical Plan ==\norg.apache.spark.sql.catalyst.ExtendedAnalysisException: "
        "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `zone` cannot be resolved. "
        "SQLSTATE: 42703; line 1 pos 5;\n'Filter isnull('zone)"
    ],
    5: [
        "Error occurred during query planning: ",
        "[DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN] Filter condition is not a boolean. SQLSTATE: 42K09",
    ],
}


def asked(given: Any) -> dict[str, str]:
    def answer(sql: str) -> list[dict[int, str]]:
        assert sql.startswith("explain select * from (select ")
        return [{0: text} for text in SPARK.get(given, ["== Physical Plan ==\n+- Scan"])]

    macros = Macros(vars={"event_windows__rebuild": given}, execute=True, answer=answer)
    found: dict[str, str] = macros._rebuild_condition(SPEC)
    return found


@pytest.mark.parametrize("given", NO_CONDITION)
def test_what_is_no_condition_over_keys_is_a_sentence(given: Any) -> None:
    problem = asked(given)["problem"]
    assert NO_CONDITION[given] in problem
    assert "give a condition over the key columns user_id, Day, such as" in problem
    assert "SQLSTATE" not in problem


@pytest.mark.parametrize("given", CONDITIONS)
def test_a_condition_is_taken_as_it_is(given: str) -> None:
    assert asked(given) == {"sql": given}


def test_none_is_none() -> None:
    assert Macros()._rebuild_condition(SPEC) is None
