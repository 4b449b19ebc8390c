"""Text that is not SQL stays text: no option, name, var, key or time can add a statement."""

from __future__ import annotations

from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from tests.macros.rendering import CompilerError
from tests.macros.scripted import CALL, COLUMNS, WINDOWS, Script, rendered, run
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


def harmless(statements: list[str], text: str) -> None:
    """Each is one statement that does nothing to the victim, nor names it but as text or name."""
    for sql in statements:
        parsed = sqlglot.parse(str(sql), dialect="spark")
        assert len(parsed) == 1, sql
        tree = parsed[0]
        assert tree is not None
        assert not isinstance(tree, exp.Drop) or VICTIM not in str(tree.this), sql
        for table in tree.find_all(exp.Table):
            assert table.name != VICTIM, sql


def sent(kind: str = "session", **given: Any) -> list[str]:
    """The statements of a build and a refresh, or none where the package refuses the text."""
    call = given.pop("call", {})
    columns = COLUMNS | given.pop("columns", {})
    try:
        found: list[str] = []
        for build in (True, False):
            script = Script(late=True, columns=columns)
            found += [str(sql) for sql in run(script, kind, build=build, call=call, **given)]
    except CompilerError:
        return []
    return found


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("kind", ["session", "sliding", "calendar", "hopping"])
def test_options_of_windows(kind: str, text: str) -> None:
    constructor, options = WINDOWS[kind]
    macros = rendered()
    for name in [*options, "origin", "resolution", "time_zone", "week_start", "unit", "every"]:
        if name == "gap_by":  # SQL by its nature
            continue
        try:
            window = macros[constructor](**options | {name: text})
            statements = sent(kind, call={"window": window})
        except CompilerError:
            continue
        harmless(statements, text)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["key", "event_time", "arrival_order", "partition"])
def test_names_of_columns(name: str, text: str) -> None:
    """A table may have such columns: they are quoted wherever they stand."""
    types = {"event_time": "timestamp", "arrival_order": "bigint"}
    statements = sent(call={name: text}, columns={text: types.get(name, "string")})
    harmless(statements, text)
    assert statements or "{{" in text or name == "partition"


@pytest.mark.parametrize("text", TEXTS)
def test_the_clock(text: str) -> None:
    harmless(sent(call={"stream_time": text}), text)


@pytest.mark.parametrize("text", TEXTS)
def test_names_of_outputs(text: str) -> None:
    aggregates = dict(CALL["aggregates"]) | {text: "count(*)"}
    harmless(sent(call={"aggregates": aggregates}), text)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "name",
    [
        *["emit", "retention", "expire", "file_format", "segment_interval", "max_ahead"],
        *["arrived_at", "query_functions", "skipped_rows", "grace", "replay", "segments"],
    ],
)
def test_config(name: str, text: str) -> None:
    harmless(sent(config={name: text}), text)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["advance_to", "max_rows_per_refresh", "file_format", "rebuild"])
def test_vars(name: str, text: str) -> None:
    harmless(sent(vars={f"event_windows__{name}": text}), text)


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
    try:
        sql = str(asking()[macro](relation=M, **given))
    except CompilerError:
        return
    harmless([sql], text)


QUESTIONS_OF_A_KEY = {"fetch", "find_sessions"}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("test", "arguments"),  # a source is SQL by its nature
    [
        ("windows_are_unique", ["key"]),
        ("sessions_do_not_overlap", ["key", "gap"]),
        ("late_rows_at_most", ["fraction", "number", "runs"]),
        ("every_row_is_counted", ["count"]),
    ],
)
def test_arguments_of_generic_tests(test: str, arguments: list[str], text: str) -> None:
    for argument in arguments:
        given: dict[str, Any] = {"windows": M} | dict.fromkeys(arguments) | {argument: text}
        if test == "every_row_is_counted":
            given["rows"] = None
        try:
            sql = str(asking()[f"default__test_{test}"](**given))
        except CompilerError:
            continue
        harmless([sql], text)
