"""What cannot be kept up to date is refused: with the clause, its line, and what to do."""

from __future__ import annotations

import re

import pytest
from pyspark.sql import SparkSession

from dbt_event_windows.plain_sql import clauses, refusals
from tests.plain_sql.answering import Plan, planned, planned_alone
from tests.plain_sql.refused_texts import REFUSED, REFUSED_BY_NAME, Refused


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_refused(case: Refused) -> None:
    _check(case, planned_alone(case.text, **case.settings))


@pytest.mark.parametrize("case", REFUSED_BY_NAME, ids=lambda case: case.name)
def test_refused_by_what_names_mean(rows: SparkSession, case: Refused) -> None:
    _check(case, planned(case.text, **case.settings))


def _check(case: Refused, plan: Plan) -> None:
    assert list(plan) == ["problems"], plan
    found = [(one["clause"], one["line"], one["text"], one["problem"]) for one in plan["problems"]]
    assert len(found) == len(case.problems), found
    for actual, expected in zip(found, sorted(case.problems, key=lambda one: one[1]), strict=True):
        assert actual[:2] == expected[:2], found
        assert expected[2] in actual[2], found
        assert expected[3] in actual[3], found
    assert all(one["mend"] for one in plan["problems"])


def test_rows_that_are_compared_below_the_windows_are_no_matter_of_a_model_above() -> None:
    over = "lag(at) over (partition by k order by at) as before"
    for below in (
        f"select *, {over} from t",
        "select * from t qualify rank() over (order by x) = 1",
    ):
        text = f"with a as ({below}) select k from a group by k, window(at, '1 hour')"
        (problem,) = planned_alone(text)["problems"]
        assert "put it into the model that is read here" in problem["mend"]
        assert "session_window" in problem["mend"]


def test_a_lateral_view_is_told_to_need_as() -> None:
    text = "select x from views lateral view explode(items) t x group by x, window(at, '1 hour')"
    (problem,) = planned_alone(text)["problems"]
    assert "with AS: lateral view explode(items) t as item" in problem["mend"]


def test_every_reason_is_tested() -> None:
    """Also a reason that is added later needs a text here."""
    reasons = [words for words in vars(refusals).values() if isinstance(words, tuple)]
    reasons += [*refusals.FUNCTIONS.values(), *clauses.BELOW.values(), *clauses.ABOVE.values()]
    given = {
        problem["problem"]
        for case in REFUSED
        for problem in planned_alone(case.text, **case.settings)["problems"]
    }
    for problem, _ in reasons:
        pattern = re.escape(problem).replace(re.escape("{name}"), r"\w+")
        assert any(re.fullmatch(pattern, one) for one in given), problem
