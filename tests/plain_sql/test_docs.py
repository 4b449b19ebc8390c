"""The examples of docs/plain_sql.md are kept, and what it calls refused is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dbt_event_windows.convert.template import read_template
from tests.plain_sql.answering import planned_alone

DOCS = (Path(__file__).parents[2] / "docs" / "plain_sql.md").read_text()
EXAMPLES = re.findall(r"```sql\n(.*?)```", DOCS, re.DOTALL)
WINDOWS = re.findall(r"^\| `(\w+\(time.*?\))` \|", DOCS, re.MULTILINE)
OPTIONS = re.findall(r"`(\w+ => [^`]+)`", DOCS)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_kept(example: str) -> None:
    assert "problems" not in planned_alone(read_template(example).sql)


@pytest.mark.parametrize("call", WINDOWS)
def test_windows_are_those_of_the_table(call: str) -> None:
    assert "problems" not in planned_alone(f"select count(*) as n from t group by k, {call}")


@pytest.mark.parametrize("option", OPTIONS)
def test_options_are_those_of_the_table(option: str) -> None:
    call = (
        "sliding_window(time, '1 hour'"
        if "resolution" in option
        else "calendar_window(time, 'week'"
    )
    assert "problems" not in planned_alone(
        f"select count(*) as n from t group by k, {call}, {option})"
    )


REFUSED = [
    "select k, count(*) as n from t group by k, {} order by n",
    "select k, count(*) as n from t group by k, {} limit 1",
    "select k, sum(count(*)) over () as n from t group by k, {}",
    "select distinct k, count(*) as n from t group by k, {}",
    "with a as (select k, time, count(*) from t group by 1, 2) select k from a group by k, {}",
    "select k, count(*) as n from t group by rollup(k), {}",
    "select k from t group by k, {} union all select k from t group by k, {}",
    "select k from t group by k, {}, session_window(time, '1 minute')",
    "select k from t where k in (select k from u) group by k, {}",
    "select k, uuid() as u from t group by k, {}",
    "select * from t group by k, {}",
    "select t.k from t full join u on u.k = t.k group by t.k, {}",
    "select t.k from t join t as u on u.k = t.k group by t.k, {}",
    "select k from t pivot (max(v) for c in ('a')) group by k, {}",
    "select k from values (1, timestamp '2024-01-01') as t(k, time) group by k, {}",
    "select k from t timestamp as of '2024-01-01' group by k, {}",
    "select count(*) as n from t group by window(time, '1 month')",
]


@pytest.mark.parametrize("text", REFUSED)
def test_refused_as_the_table_says(text: str) -> None:
    assert "problems" in planned_alone(text.replace("{}", "window(time, '1 hour')"))
