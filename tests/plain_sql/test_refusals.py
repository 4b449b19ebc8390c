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


# Ways for a time of day to become a time, of which each has the day of the run; a CTE names o.
OF_THE_RUN = [
    "max(url) as o, to_timestamp(coalesce(o,'09:30')) < max(viewed_at) as late",
    "max(url) as o, timestamp(if(count(*)>1, o, '09:30')) as late",
    "max(url) as o, to_timestamp(nullif('09:30', o)) as late",
    "max(url) as o, date_trunc('hour', nullif('09:30', o)) as late",
    "count_if(to_timestamp(coalesce(url,'09:30')) < viewed_at) as n",
    "count_if(to_timestamp(if(amount>1,'09:30','10:00')) < viewed_at) as n",
    "count_if(viewed_at > (struct('09:30' as a)).a) as n",
    "count_if(viewed_at > struct(struct('09:30' as a) as b).b.a) as n",
    "count_if(viewed_at > if(amount>1, struct('09:30' as a), struct('10:00' as a)).a) as n",
    "count_if(viewed_at > array(struct('09:30' as a))[0].a) as n",
    "count_if(struct(viewed_at as a) > struct('09:30' as a)) as n",
    "max(struct(seq as s, '09:30' as t)).t < max(viewed_at) as n",
    "max(case when amount>1 then '09:30' else '10:00' end) filter (where seq>1) as o, "
    "max(viewed_at) > o as l",
    "first(if(amount>1,'09:30','10:00')) ignore nulls as o, max(viewed_at) > o as l",
    "collect_list(if(amount>1,'09:30','10:00'))[0] as o, max(viewed_at) > o as l",
    "lower(max(if(amount>1,'09:30','10:00'))) as o, max(viewed_at) > o as l",
    "max(if(amount>1,'09:30','10:00')) as o, to_timestamp(o) as l",
    "max(if(amount>1,'09:30','10:00')) as o, max(viewed_at) - o as l",
    "count_if(viewed_at > lower(if(amount>1,'09:30','10:00'))) as n",
    "count_if(viewed_at > trim(coalesce(url,'09:30'))) as n",
]
OF_THE_RUN_BY_NAME = [
    "viewed_at > to_timestamp(o)",
    "viewed_at > timestamp(o)",
    "viewed_at > date_trunc('hour', o)",
    "viewed_at > o || ':00'",
    "viewed_at > o + interval 1 hour",
    "viewed_at - o > interval 1 hour",
    "viewed_at > lower(o)",
    "viewed_at > trim(o)",
    "array_contains(array(viewed_at), o)",
    "timestampdiff(hour, o, viewed_at) > 1",
    "viewed_at > struct(o as p).p",
]


@pytest.mark.parametrize("item", OF_THE_RUN)
def test_a_time_of_day_becomes_a_time(rows: SparkSession, item: str) -> None:
    text = f"select user_id, {item} from views group by user_id, window(viewed_at, '1 hour')"
    _check_day(planned(text, arrival_order="seq"))


@pytest.mark.parametrize("condition", OF_THE_RUN_BY_NAME)
def test_a_time_of_day_becomes_a_time_by_its_name(rows: SparkSession, condition: str) -> None:
    text = (
        "with a as (select *, '09:30' as o from views) select user_id, count(*) as n from a "
        f"where {condition} group by user_id, window(viewed_at, '1 hour')"
    )
    _check_day(planned(text, arrival_order="seq"))


def _check_day(plan: Plan) -> None:
    assert any("day or time of the run" in one["problem"] for one in plan.get("problems", [])), plan


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
