"""macros/sql: text helpers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.macros.rendering import Macros

MACROS = Macros()
SPEC: dict[str, Any] = {
    "key": ["k"],
    "event_time": "At",
    "partition": None,
    "clock": "key",
    "columns": {"k": "string", "at": "timestamp_ntz", "p": "int", "x": "double"},
}


@pytest.mark.parametrize(
    ("column", "name"),
    [
        ("user_id", "user_id"),
        ("user-id", "`user-id`"),
        ("a`b", "`a``b`"),
        ("Order", "`Order`"),
        ("время", "`время`"),
        ("1st", "`1st`"),
    ],
)
def test_a_name_is_quoted_where_sql_needs_it(column: str, name: str) -> None:
    assert MACROS._name(column) == name


def test_lists_of_names() -> None:
    assert MACROS._names(["a", "b c"], "t") == "t.a, t.`b c`"
    assert (MACROS._names_before(["a"]), MACROS._names_before([])) == ("a, ", "")
    assert MACROS._equal(["a", "b"], "l", "r") == "l.a = r.a and l.b = r.b"
    assert MACROS._equal(["a"], "l", "r", null_safe=True) == "l.a <=> r.a"
    assert MACROS._equal([], "l", "r") == "true"


def test_literals_cannot_be_left() -> None:
    assert MACROS._literal("it's \\") == r"'it\'s \\'"
    assert MACROS._literal(None) == "cast(null as string)"
    assert (MACROS._bigint(7), MACROS._bigint(None)) == (
        "cast(7 as bigint)",
        "cast(null as bigint)",
    )


def test_times_and_places_in_time() -> None:
    assert MACROS._time_bucket("t", 10) == "t - pmod(t, 10)"
    assert MACROS._time_bucket("t", 10, 3) == "t - pmod(t - 3, 10)"
    assert MACROS._segment("t", 10) == "(t - pmod(t, 10)) div 10"
    # below all segments where nothing says how far back
    assert [MACROS._segment_before(*n, 10) for n in [(25, 10), (-5, 0), (None, 1), (1, None)]] == [
        1,
        -1,
        -9223372036854775807,
        -9223372036854775807,
    ]
    assert MACROS._micros("t", "timestamp") == "unix_micros(t)"
    assert "unix_micros" not in MACROS._micros("t", "timestamp_ntz")
    assert MACROS._from_micros("m", "timestamp") == "timestamp_micros(m)"
    assert MACROS._from_micros("m", "timestamp_ntz").startswith("(timestamp_ntz '1970-01-01")


def test_types_are_found_without_case() -> None:
    assert MACROS._type_of("AT", SPEC) == "timestamp_ntz"
    assert MACROS._type_of("other", SPEC) is None
    assert MACROS._time_type(SPEC) == "timestamp_ntz"
    assert MACROS._time_type(SPEC | {"columns": {}}) == "timestamp"
    assert (MACROS._typed("a", "int"), MACROS._typed("a", None)) == ("cast(a as int)", "a")


@pytest.mark.parametrize(
    ("type", "found"),
    [
        ("interval day to second", "interval"),
        ("array<struct<at:timestamp,a0:variant>>", "variant"),
        ("map<string,variant>", "variant"),
        ("struct<interval:int,variant:array<time>>", "time"),
        ("struct<time:timestamp,interval:string>", None),
        ("timestamp", None),
        ("array<timestamp_ntz>", None),
    ],
)
def test_a_type_within_another_is_told_from_a_field_of_its_name(type: str, found: str) -> None:
    assert MACROS._type_within(type, ["interval", "variant", "time"]) == found


def test_exact_texts_differ_where_values_differ() -> None:
    assert MACROS._exact_text("p", SPEC, "t") == "cast(t.p as string)"
    # one key to GROUP BY, two texts: -0.0 and 0.0
    assert MACROS._exact_text("x", SPEC) == "cast((x + 0.0D) as string)"
    # 0E-10 or 0.0000000000 by a cast, as the session's ANSI mode says
    exact = SPEC | {"columns": {"p": "decimal(38,10)"}}
    assert MACROS._exact_text("p", exact) == "if(p is null, null, format_string('%s', p))"
    timed = SPEC | {"key": ["k", "at"], "columns": {"k": "string", "at": "timestamp"}}
    # JSON writes all bytes that are no UTF-8 as one sign
    key = "'k1', k, 'b1', if(is_valid_utf8(k), null, hex(k))"
    assert MACROS._key_text(timed).startswith(
        f"to_json(named_struct({key}, 'k2', unix_micros(`at`)), map('timestampFormat'"
    )
    assert MACROS._key_text(SPEC) == f"to_json(named_struct({key}))"
    numbers = SPEC | {"columns": {"k": "bigint"}}
    assert MACROS._key_text(numbers) == "to_json(named_struct('k1', k))"
    listed = SPEC | {"columns": {"k": "array<string>"}}
    text = "cast(t.k as string)"
    assert MACROS._key_text(listed, "t") == (
        f"to_json(named_struct('k1', t.k, 'b1', if(is_valid_utf8({text}), null, hex({text}))))"
    )


@pytest.mark.parametrize(
    ("clock", "partition", "scope", "shown"),
    [
        ("key", None, ["k"], ["k"]),
        ("key", "p", ["k", "p"], ["k"]),
        ("key", "k", ["k"], ["k"]),
        ("partition", "p", ["p"], ["p"]),
        ("global", None, [], []),
    ],
)
def test_the_scope_of_a_clock(
    clock: str, partition: str | None, scope: list[str], shown: list[str]
) -> None:
    spec = SPEC | {"clock": clock, "partition": partition}
    assert MACROS._clock_scope(spec) == scope
    assert MACROS._shown_scope(spec) == shown
    assert MACROS._slice_scope(spec) == list(dict.fromkeys(["k", *scope]))
