"""The generic tests pass on the tables of windowed models and fail on broken copies of them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from tests.formats import copy_model, copy_table
from tests.harness import DbtProject, sampled, selected
from tests.session_models import at, session_model

COLUMNS = "key string, event_time timestamp, arrival_seq bigint, shard int"
SESSION = "event_windows.session(gap='30 minutes', grace='1 hour')"
HOPPING = "event_windows.hopping(size='1 hour', advance_by='20 minutes', grace='10 minutes')"
TUMBLING = "event_windows.tumbling(size='1 hour', grace='10 minutes')"
MODELS = {
    "sessions": session_model("clicks", SESSION),
    "hopping": session_model("clicks", HOPPING, partition="shard", stream_time="partition"),
    # without an order of arrival: what it has read is a version of the source
    "at_once": session_model("clicks", TUMBLING, arrival_order=None),
}


def clicks(first: int, *rows: tuple[str | None, float | None]) -> list[tuple[Any, ...]]:
    return [
        (key, None if minutes is None else at(minutes), first + n, (first + n) % 2)
        for n, (key, minutes) in enumerate(rows)
    ]


# Late for sessions: (a, 25), (a, 15), the second (b, 5); for hopping five rows, (b, 855) in part
FIRST = clicks(0, ("a", 0), ("a", 10), ("a", 200), ("a", 25), ("b", 5), (None, 5), ("b", None))
SECOND = clicks(7, ("a", 190), ("a", 130), ("a", 15), ("b", 900), ("b", 5), ("b", 855), ("b", 840))
LATER = clicks(14, ("a", 2000), ("z", 0))

EVERY_ROW = ("every_row_is_counted", {"source": "source('raw', 'clicks')"})
SOUND: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "sessions": [
        ("windows_are_unique", {}),
        ("windows_are_unique", {"key": "key", "where": "n > 0"}),
        ("sessions_do_not_overlap", {}),
        ("sessions_do_not_overlap", {"gap": "30 minutes"}),
        EVERY_ROW,
        ("every_row_is_counted", {"source": "source('raw', 'clicks')", "count": "n"}),
        ("late_rows_at_most", {"number": 2}),
        ("late_rows_at_most", {"fraction": 0.25, "runs": "all"}),
    ],
    "hopping": [
        ("windows_are_unique", {}),
        EVERY_ROW,
        ("late_rows_at_most", {"number": 5, "fraction": 1, "runs": 7}),
    ],
    "at_once": [("windows_are_unique", {}), EVERY_ROW],
    "plain": [
        ("windows_are_unique", {"key": ["key"]}),
        ("sessions_do_not_overlap", {"key": "key", "gap": "29 minutes 59 seconds"}),
    ],
}
NO_REFRESH = ("late_rows_at_most", {"number": 100})

# What is done to a copy of which model, what finds it, and the failing rows with times in minutes.
VANISHED = "in no window of its key, and not dropped"
MISCOUNTED = "windows of the key count {} rows, its source rows that were not late make {}"
Rows = list[tuple[Any, ...]]
BROKEN: dict[str, tuple[str, list[str], list[tuple[str, dict[str, Any], Rows]]]] = {
    "twice": (
        "sessions",
        ["insert into twice select * from sessions where window_start = {190}"],
        [
            ("windows_are_unique", {}, [("a", 190, 200, 2)]),
            ("sessions_do_not_overlap", {}, [("a", 190, 200, 200)]),
        ],
    ),
    "overlapping": (
        "sessions",
        ["update overlapping set window_end = {150} where window_start = {0}"],
        [("sessions_do_not_overlap", {}, [("a", 130, 130, 150)])],
    ),
    "too_close": (
        "sessions",
        [
            "insert into too_close select * from sessions where window_start = {130}",
            "update too_close set window_start = {160}, window_end = {160} "
            "where window_start = {190}",
        ],
        [
            (
                "sessions_do_not_overlap",
                {"gap": "30 minutes"},
                [("a", 130, 130, 130), ("a", 160, 160, 130)],
            )
        ],
    ),
    "lost_window": (
        "sessions",
        ["delete from lost_window where window_start = {0}"],
        [
            (
                *EVERY_ROW,
                [
                    ("a", 0, 0, VANISHED),
                    ("a", 10, 1, VANISHED),
                    ("a", None, None, MISCOUNTED.format(3, 5)),
                ],
            )
        ],
    ),
    "miscounted": (
        "sessions",
        ["update miscounted set n = n + 1 where window_start = {840}"],
        [(*EVERY_ROW, [("b", None, None, MISCOUNTED.format(5, 4))])],
    ),
    "lost_dropped": (
        "sessions",
        [
            "delete from lost_dropped__dropped where reason = 'null_key'",
            "delete from lost_dropped__dropped where event_time = {25}",
        ],
        [
            (
                *EVERY_ROW,
                [
                    (None, 5, 5, VANISHED),
                    ("a", 25, 3, VANISHED),
                    ("a", None, None, MISCOUNTED.format(5, 6)),
                ],
            )
        ],
    ),
    "lost_one_of_several": (
        "hopping",
        ["delete from lost_one_of_several where key = 'a' and window_start = {160}"],
        [(*EVERY_ROW, [("a", None, None, None, MISCOUNTED.format(13, 15))])],
    ),
}
TOO_LATE: list[tuple[dict[str, Any], tuple[int, int, int], str]] = [
    ({"number": 1}, (1, 7, 2), "more late rows than 1"),
    ({"fraction": 0.2, "runs": "all"}, (2, 14, 3), "more late rows than a fraction of 0.2"),
]


def data_tests(table: str, tests: list[tuple[Any, ...]]) -> dict[str, Any]:
    """The yml of a model or source table with these tests, named table-0, table-1, ..."""
    entries = []
    for place, (test, given, *_) in enumerate(tests):
        entry: dict[str, Any] = {"name": f"{table}-{place}"}
        entry["arguments"] = {name: value for name, value in given.items() if name != "where"}
        if "where" in given:
            entry["config"] = {"where": given["where"]}
        entries.append({f"event_windows.{test}": entry})
    return {"name": table, "data_tests": entries}


SOUND_SAMPLE = ["sessions", "hopping", "plain"]
# Each test fails on one, and every_row_is_counted on windows and on dropped rows.
BROKEN_SAMPLE = ["twice", "lost_window", "lost_dropped", "lost_one_of_several"]


@pytest.fixture(scope="module")
def results(request: pytest.FixtureRequest, project: DbtProject) -> dict[str, Any]:
    """The result of each test on the tables of two refreshes and on broken copies."""
    project.create_source("clicks", FIRST, COLUMNS)
    found = selected(request, "table") | {*SOUND_SAMPLE}
    for name, sql in MODELS.items():
        if name in found:
            project.model(name, sql)
    project.run()
    project.append("clicks", SECOND)
    project.run()
    project.append("clicks", LATER)
    project.rows("create table plain as select key, window_start, window_end from sessions")
    chosen = {name: BROKEN[name] for name in selected(request, "broken") | {*BROKEN_SAMPLE}}
    for name, (model, statements, tests) in chosen.items():
        counted = any(test == EVERY_ROW[0] for test, *_ in tests)
        (copy_model if counted else copy_table)(project, name, model)
        for statement in statements:
            project.rows(with_times(statement))
    sound = {name: data_tests(name, SOUND[name]) for name in SOUND if name in found}
    plain = sound.pop("plain")
    plain["data_tests"] += data_tests("no-refresh", [NO_REFRESH])["data_tests"]
    late = data_tests("sessions", [("late_rows_at_most", given) for given, _, _ in TOO_LATE])
    for entry in late["data_tests"]:
        entry["event_windows.late_rows_at_most"]["name"] += "-too-late"
    sound["sessions"]["data_tests"] += late["data_tests"]
    broken = [data_tests(name, tests) for name, (_, _, tests) in chosen.items()]
    sources = [{"name": "copies", "schema": project.schema, "tables": [plain, *broken]}]
    project.write_yaml("models/tests.yml", {"models": list(sound.values()), "sources": sources})
    outcome = project.test(expect_error=True)
    return {result.node.name: result for result in outcome.results}


def with_times(statement: str) -> str:
    for minutes in range(0, 2000, 5):
        statement = statement.replace(f"{{{minutes}}}", f"timestamp '{at(minutes)}'")
    return statement


def failing(project: DbtProject, result: Any) -> Rows:
    """The rows that a test gives, times in minutes."""

    def plain(value: Any) -> Any:
        if isinstance(value, datetime):
            return (value - at(0).replace(tzinfo=None)).total_seconds() / 60
        return value

    return [tuple(map(plain, row)) for row in project.rows(result.node.compiled_code)]


def in_order(rows: Rows) -> Rows:
    return sorted(rows, key=repr)


@pytest.mark.parametrize("table", sampled(SOUND, SOUND_SAMPLE))
def test_they_pass_on_what_refreshes_made(results: dict[str, Any], table: str) -> None:
    for place, (test, _) in enumerate(SOUND[table]):
        result = results[f"{table}-{place}"]
        assert result.status == "pass", (test, result.message)


@pytest.mark.parametrize("broken", sampled(BROKEN, BROKEN_SAMPLE))
def test_they_fail_on_a_broken_copy(
    project: DbtProject, results: dict[str, Any], broken: str
) -> None:
    for place, (test, _, expected) in enumerate(BROKEN[broken][2]):
        result = results[f"{broken}-{place}"]
        assert result.status == "fail", (test, result.message)
        found = in_order(failing(project, result))
        assert found == in_order([tuple(row) for row in expected])


@pytest.mark.parametrize("place", range(len(TOO_LATE)))
def test_too_many_late_rows(project: DbtProject, results: dict[str, Any], place: int) -> None:
    result = results[f"sessions-{place}-too-late"]
    _, (refreshes, read, late), problem = TOO_LATE[place]
    assert result.status == "fail"
    [row] = project.rows(result.node.compiled_code)
    assert (row.model, row.refreshes, row.rows_read) == ("sessions", refreshes, read)
    assert (row.rows_late, row.rows_late_partial, row.problem) == (late, 0, problem)


def test_a_model_that_the_ledger_does_not_know(
    project: DbtProject, results: dict[str, Any]
) -> None:
    assert results["no-refresh-0"].status == "fail"
    [row] = project.rows(results["no-refresh-0"].node.compiled_code)
    assert (row.model, row.refreshes) == ("plain", 0)
    assert row.problem == "no refresh of this model is in the ledger"


def test_what_they_cannot_judge(project: DbtProject, results: dict[str, Any]) -> None:
    wrong = {
        "hopping": [
            ("sessions_do_not_overlap", {}),
            ("every_row_is_counted", {"source": "source('raw', 'clicks')", "count": "many"}),
        ],
        "sessions": [
            ("windows_are_unique", {"where": "n > 0"}),
            ("every_row_is_counted", {"source": "source('raw', 'clicks')", "where": "n > 0"}),
        ],
    }
    copies = [data_tests("plain", [EVERY_ROW])]
    project.write_yaml(
        "models/tests.yml",
        {
            "models": [data_tests(name, tests) for name, tests in wrong.items()],
            "sources": [{"name": "copies", "schema": project.schema, "tables": copies}],
        },
    )
    outcome = project.test(expect_error=True)
    said = {result.node.name: str(result.message) for result in outcome.results}
    assert "has windows of type hopping, which are not sessions" in said["hopping-0"]
    assert "count is 'many': give an output that is count(*) (there is n)" in said["hopping-1"]
    assert "key is missing: only the table of a windowed model" in said["sessions-0"]
    assert "it takes no where" in said["sessions-1"]
    assert "is no table of a windowed model" in said["plain-0"]
    assert all(message.count("nothing was changed") == 1 for message in said.values())


BAD_ARGUMENTS = [
    ("late_rows_at_most", {}, "fraction and number are both missing"),
    ("late_rows_at_most", {"fraction": 2}, "fraction is '2': give a number from 0 to 1"),
    ("late_rows_at_most", {"number": -1, "runs": 0}, "runs is '0': give how many"),
    ("sessions_do_not_overlap", {"gap": "long"}, "gap is 'long'"),
]


@pytest.mark.parametrize("place", range(len(BAD_ARGUMENTS)))
def test_bad_arguments(project: DbtProject, results: dict[str, Any], place: int) -> None:
    *bad, text = BAD_ARGUMENTS[place]
    project.write_yaml("models/tests.yml", {"models": [data_tests("sessions", [tuple(bad)])]})
    error = project.test("sessions-0", expect_error=True).error
    assert error.count("nothing was changed") == 1
    assert text in error
