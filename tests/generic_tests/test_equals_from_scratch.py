"""equals_from_scratch passes on tables that refreshes kept, and fails on broken copies of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.generic_tests.test_equals_its_sql import answers as answers_of
from tests.harness import DbtProject
from tests.session_models import at, session_model

# nine models in three runs, and each again from scratch
pytestmark = pytest.mark.slow

COLUMNS = (
    "key string, event_time timestamp, arrival_seq bigint, shard int, value double, "
    "arrived timestamp"
)
SESSION = "event_windows.session(gap='30 minutes', grace='1 hour')"
HOPPING = "event_windows.hopping(size='1 hour', advance_by='20 minutes', grace='10 minutes')"
TUMBLING = "event_windows.tumbling(size='1 hour', grace='10 minutes')"
SLIDING = "event_windows.sliding(difference='20 minutes', grace='10 minutes')"
VALUES = {
    "n": "count(*)",
    "total": "sum(value)",
    "some": "array_sort(collect_set(value))",
    "listed": "listagg(distinct value, ' ')",
    "middle": "approx_percentile(event_time, 0.5)",
    "first_value": "min_by(value, event_time)",
}
PLAIN = (
    "{{ config(materialized='windowed', grace='1 hour', arrival_order='arrival_seq') }}\n"
    "select session_window(event_time, '30 minutes').end as until, 2 * sum(value) as twice\n"
    "from {{ source('raw', 'clicks') }}\n"
    "group by key, session_window(event_time, '30 minutes')\n"
    "having count(*) > 1"
)


def model(window: str, config: dict[str, Any] | None = None, **given: Any) -> str:
    return session_model("clicks", window, config=config, aggregates=VALUES, **given)


MODELS = {
    "sessions": model(SESSION),
    "hopping": model(HOPPING, partition="shard", stream_time="partition"),
    "by_shard": model(TUMBLING, partition="shard", key=["key", "shard"]),
    "sliding": model(SLIDING),
    "final": model(SESSION, {"emit": "final"}),
    "expiring": model(TUMBLING, {"expire": "delete", "retention": "2 hours"}),
    "ahead": model(TUMBLING, {"max_ahead": "1 hour", "arrived_at": "arrived"}),
    "plain": PLAIN,
    "plain_final": PLAIN.replace(
        "select ", "select key, session_window(event_time, '30 minutes').start as since, "
    ).replace("grace=", "emit='final', grace="),
}


def clicks(
    first: int, arrived: float, *rows: tuple[str | None, float | None]
) -> list[tuple[Any, ...]]:
    """Rows that arrived together, so many minutes after the first."""
    return [
        (key, None if minutes is None else at(minutes), n, n % 2, 0.1 * n, at(arrived))
        for n, (key, minutes) in enumerate(rows, first)
    ]


FIRST = clicks(0, 150, ("a", 0), ("a", 10), ("a", 200), ("a", 25), ("b", 5), (None, 5), ("b", None))
SECOND = clicks(
    *(7, 830), ("a", 190), ("a", 130), ("a", 15), ("b", 900), ("b", 5), ("b", 855), ("b", 840)
)
THIRD = clicks(14, 920, ("a", 910), ("a", 880), ("c", 0), ("c", 10), ("a", 400))
LATER = clicks(19, 2000, ("a", 2000), ("z", 0))


@pytest.fixture(scope="module", autouse=True)
def built(project: DbtProject) -> None:
    project.create_source("clicks", FIRST, COLUMNS)
    for name, text in MODELS.items():
        project.model(name, text)
    project.run()
    for rows in (SECOND, THIRD):
        project.append("clicks", rows)
        project.run()
    # what no refresh has read is no difference
    project.append("clicks", LATER)


def answers(project: DbtProject, tests: dict[str, dict[str, Any]]) -> dict[str, list[Any]]:
    return answers_of(project, tests, "equals_from_scratch")


def test_what_refreshes_keep_is_what_a_full_refresh_would_make(project: DbtProject) -> None:
    found = answers(project, {name: {} for name in MODELS})
    assert found == {name: [] for name in MODELS}
    ahead = "select arrival_seq from ahead__dropped where reason = 'ahead_of_time'"
    assert [row.arrival_seq for row in project.rows(ahead)] == [10]
    # and there is something that could differ
    for name in MODELS:
        assert project.rows(f"select count(*) as n from {name}")[0].n > 1, name


def test_a_sample_of_the_keys(project: DbtProject) -> None:
    """Some keys are looked at; none at all is no pass."""
    found = answers(project, {"sessions": {"sample": 0.001}, "plain": {"sample": 0.001}})
    nothing = "no key of the table is in the sample: give a larger one"
    assert {name: [row["_ew_side"] for row in rows] for name, rows in found.items()} == {
        "sessions": [nothing],
        "plain": [nothing],
    }
    sampled = answers(
        project, {name: {"sample": 60} for name in ("sessions", "by_shard", "hopping")}
    )
    assert all(not rows for rows in sampled.values())


REFUSED = {
    "at_once": (model(TUMBLING, arrival_order=None), {}, "the model has no arrival_order"),
    "too_much": (model(TUMBLING), {"sample": 101}, "sample is '101'"),
    "unknown": (model(TUMBLING), {"leave_out": "revenue"}, "leave_out has 'revenue'"),
    "hidden": (
        PLAIN.replace("grace=", "emit='final', grace="),
        {},
        "does not show key, session_window.start, by which they are asked for",
    ),
}


def test_what_cannot_be_compared_is_refused(project: DbtProject) -> None:
    for name, (text, _, _) in REFUSED.items():
        project.model(name, text)
    project.run(*REFUSED)
    for name, (_, given, sentence) in REFUSED.items():
        # by itself: some of it is told while dbt parses
        tested = [{"event_windows.equals_from_scratch": {"arguments": given}}]
        entry = {"name": name, "data_tests": tested}
        project.write_yaml("models/tests.yml", {"models": [entry]})
        assert sentence in project.test(name, expect_error=True).error
    (project.root / "models/tests.yml").unlink()


# what is done to a table, and the arguments of the test
BROKEN: dict[str, tuple[str, dict[str, Any]]] = {
    "sessions": ("update {} set total = total + 0.001 where key = 'b' and n > 1", {}),
    "by_shard": ("update {} set total = total * (1 + 1e-12)", {}),
    "hopping": ("update {} set n = 9 where n = 3", {"leave_out": ["n"]}),
    "sliding": ("insert into {} select * from {} where key = 'c' limit 1", {}),
    "plain": ("delete from {}__state where key = 'c'", {}),
    "expiring": ("delete from {} where key = 'b' and n > 0", {}),
}


def test_what_differs_is_told_with_the_side_that_has_it(project: DbtProject) -> None:
    for name, (statement, _) in BROKEN.items():
        project.rows(statement.format(name, name))
    found = answers(project, {name: given for name, (_, given) in BROKEN.items()})
    sides = {name: [row["_ew_side"] for row in rows] for name, rows in found.items()}
    assert sides["by_shard"] == sides["hopping"] == []
    # the same window twice, beside the one from scratch
    assert sorted(sides["sliding"]) == ["from scratch", "table", "table"]
    assert sides["plain"] == ["from scratch"]
    assert found["plain"][0].twice == pytest.approx(2 * (1.6 + 1.7))
    assert set(sides["expiring"]) == {"from scratch"}
    [ours], [other] = (
        [row for row in found["sessions"] if row["_ew_side"] == side]
        for side in ("table", "from scratch")
    )
    assert (ours.key, ours.total - other.total) == ("b", pytest.approx(0.001))


def test_other_columns(project: DbtProject) -> None:
    project.rows("alter table final drop column first_value")
    found = answers(project, {"final": {}})["final"]
    assert [row["_ew_side"] for row in found] == ["table", "from scratch"]
    assert found[1].columns_of_this_side == f"{found[0].columns_of_this_side}, first_value double"
