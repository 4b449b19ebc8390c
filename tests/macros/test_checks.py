"""macros/checks: what was written, taken apart before anything is sent."""

from __future__ import annotations

from typing import Any

import pytest

from tests.macros.rendering import CompilerError, Macros, Model

MACROS = Macros()
SECOND = 1_000_000


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("30 minutes", 1800 * SECOND),
        ("1 day 2 hours", 93_600 * SECOND),
        ("interval 1.5 seconds", 1_500_000),
        ("1 microsecond", 1),
        ("2 WEEKS", 1_209_600 * SECOND),
        ("90m", None),
        ("1 month", None),
        ("1.5 days", None),
        ("-1 day", None),
        ("0 seconds", None),
        ("20000000 weeks", None),
        ("", None),
        (None, None),
        (15, None),
        ("unbounded", None),
    ],
)
def test_a_duration_or_what_is_wrong_with_it(text: Any, micros: int | None) -> None:
    found = MACROS._duration("gap", text)
    assert found.get("micros") == micros
    assert (micros is None) == ("gap" in found.get("problem", ""))


def test_zero_and_unbounded_where_they_are_allowed() -> None:
    assert MACROS._duration("gap", "0 seconds", allow_zero=True) == {"micros": 0}
    assert MACROS._duration("grace", "unbounded", allow_unbounded=True) == {"micros": None}


def test_all_problems_are_told_at_once() -> None:
    problems: list[str] = []
    texts = {"size": "1 year", "advance_by": None, "x": "1 day"}
    lengths = [MACROS._read_duration(name, text, problems) for name, text in texts.items()]
    assert lengths == [1, 1, 86_400 * SECOND]
    assert [problem.split(" is ")[0] for problem in problems] == ["size", "advance_by"]


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("1970-01-01", 0),
        ("1970-01-01 00:00:02.5 UTC", 2_500_000),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1969-12-31 23:59:59Z", -SECOND),
        ("2024-02-29", 1_709_164_800 * SECOND),
        ("2023-02-29", None),
        ("now", None),
        ("٢٠٢٤-01-01", None),
    ],
)
def test_an_instant(text: str, micros: int | None) -> None:
    problems: list[str] = []
    assert MACROS._instant(text, "origin", problems) == micros
    assert len(problems) == (micros is None)


def test_a_difference_that_is_not_read_is_not_divided() -> None:
    with pytest.raises(CompilerError) as raised:
        MACROS.sliding(difference="ten minutes", resolution="1 second", grace="1 day")
    assert "difference is 'ten minutes'" in str(raised.value)
    assert "resolution" not in str(raised.value)


def test_unknown_options_are_named() -> None:
    assert MACROS._unknown_options("a, b", [{}, []]) == []
    assert MACROS._unknown_options("a, b", [{"c": 1}, [2]]) == [
        "unknown option 'c': allowed are a, b",
        "too many arguments: allowed are a, b, best given by name",
    ]


def test_settings_in_meta_come_first() -> None:
    macros = Macros(config={"emit": "final", "meta": {"emit": "updates"}, "expire": ""})
    assert macros._setting("emit") == "updates"
    assert macros._setting("expire", "keep") == "keep"
    assert macros._setting("retention") is None


def test_vars_have_the_name_of_the_package_before_them() -> None:
    assert Macros()._var("max_windows_per_row") == 10000
    assert Macros(vars={"event_windows__max_windows_per_row": 5})._var("max_windows_per_row") == 5


@pytest.mark.parametrize(
    ("execute", "which", "running"),
    [(True, "run", True), (True, "show", True), (True, "compile", False), (False, "run", False)],
)
def test_whether_what_is_made_is_going_to_run(execute: bool, which: str, running: bool) -> None:
    assert Macros(execute=execute, which=which)._is_running() is running


def test_only_a_model_can_be_a_view() -> None:
    view = {"materialized": "view"}
    assert Macros(config=view)._is_view() is True
    assert Macros(config=view, model=Model(resource_type="sql_operation"))._is_view() is False


@pytest.mark.parametrize(("kept_as", "is_view"), [("view", True), ("table", False), (None, False)])
def test_what_a_test_finds_may_be_kept_as_a_view(kept_as: str | None, is_view: bool) -> None:
    config = {"materialized": "test", "store_failures_as": kept_as}
    macros = Macros(config=config, model=Model(resource_type="test"))
    assert macros._is_view() is is_view


@pytest.mark.parametrize(
    ("kinds", "is_view"),
    [
        ({"a": ("table", "m")}, False),
        ({"a": ("view", "m")}, True),
        ({"a": ("view", "other")}, False),
        ({"a": ("ephemeral", "m"), "b": ("view", "model.p.a")}, True),
        ({"a": ("ephemeral", "m"), "b": ("table", "model.p.a")}, False),
        ({"a": ("table", "m"), "b": ("view", "model.p.a")}, False),
        ({"a": ("snapshot", "m")}, True),
    ],
)
def test_an_ephemeral_model_may_be_a_part_of_a_view(
    kinds: dict[str, tuple[str, str]], is_view: bool
) -> None:
    nodes = {
        f"model.p.{name}": {
            "resource_type": "snapshot" if kind == "snapshot" else "model",
            "unique_id": f"model.p.{name}",
            "config": {"materialized": kind},
            "depends_on": {"nodes": [read]},
        }
        for name, (kind, read) in kinds.items()
    }
    ephemeral = {"materialized": "ephemeral"}
    given: dict[str, Any] = {"graph": {"nodes": nodes}, "model": Model(unique_id="m")}
    assert Macros(config=ephemeral, execute=True, **given)._is_view() is is_view
    assert Macros(config={"materialized": "table"}, execute=True, **given)._is_view() is False
    # while dbt parses nobody knows who reads it
    assert Macros(config=ephemeral, **given)._is_view() is False


def test_one_message_for_everything() -> None:
    with pytest.raises(CompilerError) as raised:
        MACROS._raise("here", ["this", "that"])
    assert str(raised.value) == (
        "event_windows: here cannot be used as written; nothing was changed.\n  - this\n  - that"
    )


def test_other_targets_are_told_what_they_need() -> None:
    macros = Macros(target="postgres")
    with pytest.raises(CompilerError, match="this target is of type 'postgres'"):
        macros.windowed(relation="r")
    # constructors need nothing of Spark
    assert macros.session(gap="1 hour", grace="1 day")["gap"] == 3600 * SECOND
