"""Text that is not SQL stays text: no option, name, var, key or time can add a statement."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from tests.macros.rendering import CompilerError
from tests.macros.scripted import CALL, COLUMNS, SOURCE, WINDOWS, Script, prepared, rendered, run
from tests.macros.test_plain_sql import CONFIG, TEXT, planning
from tests.macros.test_queries import M, asking

VICTIM = "victims"
TEXTS = [
    f"1 day'; drop table {VICTIM}; --",
    f"x` ; drop table {VICTIM} ; --",
    f'x"); drop table {VICTIM}; --',
    f"x\\'; drop table {VICTIM}; --",
    f"x */ ; drop table {VICTIM} /*",
    f"x\n; drop table {VICTIM}\n--",
    "{{ this.is_not.rendered() }} ${env:HOME}",
]


def harmless(text: str, make: Callable[[], list[str]]) -> None:
    """Statements that hold the text, as one that names no victim; or a sentence that shows it."""
    mark = VICTIM if VICTIM in text else "this.is_not"
    statements, said = [], ""
    try:
        statements = make()
    except CompilerError as refused:
        said = str(refused)
    assert any(mark in one for one in [*statements, said])
    for sql in statements:
        parsed = sqlglot.parse(sql.removeprefix("describe query "), dialect="spark")
        assert len(parsed) == 1, sql
        tree = parsed[0]
        assert tree is not None
        assert not isinstance(tree, exp.Drop) or VICTIM not in str(tree.this), sql
        for table in tree.find_all(exp.Table):
            assert table.name != VICTIM, sql


def sent(kind: str = "session", **given: Any) -> list[str]:
    """All that a build and a refresh send."""
    call = given.pop("call", {})
    columns = COLUMNS | given.pop("columns", {})
    found: list[str] = []
    for build in (True, False):
        script = Script(late=True, columns=columns)
        run(script, kind, build=build, call=call, **given)
        found += [str(sql) for sql in script.sent]
    return found


OPTIONS = {
    "session": ["gap"],  # gap_by is SQL by its nature
    "sliding": ["difference", "origin", "resolution"],
    "calendar": ["unit", "every", "time_zone", "week_start"],
    "hopping": ["size", "advance_by", "origin"],
}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind in OPTIONS for name in [*OPTIONS[kind], "grace"]]
)
def test_options_of_windows(kind: str, name: str, text: str) -> None:
    constructor, options = WINDOWS[kind]

    def make() -> list[str]:
        window = rendered()[constructor](**options | {name: text})
        return sent(kind, call={"window": window})

    harmless(text, make)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["key", "event_time", "arrival_order", "partition"])
def test_names_of_columns(name: str, text: str) -> None:
    """A table may have such columns: they are quoted wherever they stand."""
    types = {"event_time": "timestamp", "arrival_order": "bigint"}
    statements = sent(call={name: text}, columns={text: types.get(name, "string")})
    harmless(text, lambda: statements)


@pytest.mark.parametrize("text", TEXTS)
def test_the_clock(text: str) -> None:
    harmless(text, lambda: sent(call={"stream_time": text}))


@pytest.mark.parametrize("text", TEXTS)
def test_names_of_outputs(text: str) -> None:
    aggregates = dict(CALL["aggregates"]) | {text: "count(*)"}
    statements = sent(call={"aggregates": aggregates})
    harmless(text, lambda: statements)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "name",
    [
        *["emit", "retention", "expire", "file_format", "segment_interval"],
        *["skipped_rows", "replay", "segments"],
    ],
)
def test_config(name: str, text: str) -> None:
    harmless(text, lambda: sent(config={name: text}))


@pytest.mark.parametrize("text", TEXTS)
def test_whether_there_are_query_functions(text: str) -> None:
    macros, spec, _ = prepared(Script(), config={"query_functions": text})
    harmless(text, lambda: [str(macros._check_query_functions(spec))])


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["max_ahead", "arrived_at"])
def test_rows_ahead_of_their_time(name: str, text: str) -> None:
    config = {"max_ahead": "1 hour", "arrived_at": "arrived"} | {name: text}
    columns = {config["arrived_at"]: "timestamp"}
    harmless(text, lambda: sent(config=config, columns=columns))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["grace", "arrival_order", "partition", "stream_time"])
def test_config_of_plain_sql(name: str, text: str) -> None:
    def make() -> list[str]:
        spec = planning(config=CONFIG | {name: text})._plain_spec(TEXT)
        return [str(spec)]  # which holds it

    harmless(text, make)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["advance_to", "max_rows_per_refresh", "file_format"])
def test_vars(name: str, text: str) -> None:
    config = {"file_format": None} if name == "file_format" else {}
    harmless(text, lambda: sent(config=config, vars={f"event_windows__{name}": text}))


@pytest.mark.parametrize("text", TEXTS)
def test_a_condition_over_keys(text: str) -> None:
    macros, spec, _ = prepared(Script(), vars={"event_windows__rebuild": text})
    assert text.split()[-1] in json.loads(
        re.findall(r'is (".*"), and ', macros._rebuild_condition(spec)["problem"])[0]
    )


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("macro", "argument"),
    [
        ("fetch", "from_time"),
        ("fetch", "to_time"),
        ("fetch_all", "from_time"),
        ("find_sessions", "earliest_end"),
        ("find_sessions", "latest_start"),
        ("changes", "from_version"),
        ("changes", "to_version"),
        ("fetch", "key"),
        ("find_sessions", "key"),
        ("fetch", "reverse"),
    ],
)
def test_questions(macro: str, argument: str, text: str) -> None:
    given: dict[str, Any] = {"key": {"user_id": "'alice'"}} if macro in QUESTIONS_OF_A_KEY else {}
    given[argument] = {"user_id": text} if argument == "key" else text
    if macro == "changes":
        given = {"from_version": 1} | given
    harmless(text, lambda: [str(asking()[macro](relation=M, **given))])


QUESTIONS_OF_A_KEY = {"fetch", "find_sessions"}


# Each test with values that it takes, and what its SQL has of them; a source is SQL by its nature.
TESTS: dict[str, dict[str, tuple[Any, str]]] = {
    "windows_are_unique": {"key": ("user_id", "group by user_id, window_start")},
    "sessions_do_not_overlap": {"key": ("user_id", "by user_id"), "gap": ("1 day", "86400000000")},
    "late_rows_at_most": {
        "fraction": (0.125, "> 0.125 * rows_read"),
        "number": (1234, "> 1234"),
        "runs": (5678, "limit 5678"),
    },
    "every_row_is_counted": {"count": ("views", "sum(views)")},
}


def sql_of_test(test: str, **given: Any) -> str:
    macros = asking()
    values = {name: value for name, (value, _) in TESTS[test].items()} | given
    if test == "every_row_is_counted":
        values["rows"] = SOURCE
    return str(macros[f"default__test_{test}"](windows=M, **values))


@pytest.mark.parametrize("test", TESTS)
def test_arguments_of_generic_tests_that_they_take(test: str) -> None:
    sql = sql_of_test(test)
    for _, said in TESTS[test].values():
        assert said in sql


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(("test", "name"), [(test, name) for test in TESTS for name in TESTS[test]])
def test_arguments_of_generic_tests(test: str, name: str, text: str) -> None:
    harmless(text, lambda: [sql_of_test(test, **{name: text})])
