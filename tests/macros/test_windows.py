"""macros/windows: constructors, and that every type is behind the whole interface."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.harness import REPOSITORY
from tests.macros.rendering import CompilerError, Macros
from tests.macros.scripted import WINDOWS, rendered, spec_of

MACROS = Macros()
TEXT = (REPOSITORY / "macros/windows/_window_type.sql").read_text()


def test_the_interface_is_written_down() -> None:
    for hook in MACROS._hooks():
        assert re.search(rf"^    {hook}\(", TEXT, re.M) or hook == "traits", hook
    for trait in MACROS._traits():
        assert re.search(rf"^    {trait} +\S", TEXT, re.M), trait


@pytest.mark.parametrize("window", WINDOWS)
def test_every_type_has_every_hook_and_says_every_trait(window: str) -> None:
    spec = spec_of(rendered(config={"materialized": "table"}), window)
    owners = [spec["window"]["type"], spec["window"]["family"]]
    for hook in MACROS._hooks():
        assert any(f"_{owner}_{hook}" in MACROS for owner in owners), hook
    traits = MACROS._of_window("traits", spec)
    assert set(traits) == set(MACROS._traits())
    # its functions are among those that the Python package registers
    package = (REPOSITORY / "udfs/dbt_event_windows").glob("*.py")
    registered = "".join(path.read_text() for path in package)
    assert all(name in registered for name in traits["functions"])


def test_a_type_without_a_hook_is_named() -> None:
    with pytest.raises(CompilerError, match="window type 'lunar' lacks the hook 'traits'"):
        MACROS._window("lunar", "lunar", {}, [])


@pytest.mark.parametrize("window", WINDOWS)
def test_a_window_is_closed_by_the_one_rule(window: str) -> None:
    spec = spec_of(rendered(config={"materialized": "table"}), window)
    grace = spec["window"]["grace"]
    assert MACROS._closed(spec, "until", "clock") == f"(until < clock - {grace})"


@pytest.mark.parametrize(
    ("constructor", "options", "said"),
    [
        ("tumbling", {"size": "1 hour"}, "grace is missing"),
        ("tumbling", {"size": "0 seconds", "grace": "1 day"}, "which is zero"),
        ("tumbling", {"size": "1 h", "grace": "1 day"}, "size is '1 h'"),
        ("tumbling", {"size": "1 hour", "grace": "1 day", "every": 2}, "unknown option 'every'"),
        ("tumbling", {"size": "1 hour", "grace": "1 day", "origin": "noon"}, "origin is 'noon'"),
        ("hopping", {"size": "1 hour", "advance_by": "2 hours", "grace": "1 day"}, "advance_by"),
        ("cumulating", {"size": "1 day", "step": "7 hours", "grace": "1 day"}, "step"),
        ("calendar", {"unit": "fortnight", "grace": "1 day"}, "unit is 'fortnight'"),
        ("calendar", {"unit": "day", "every": 0, "grace": "1 day"}, "every is '0'"),
        ("calendar", {"unit": "day", "time_zone": "Mars", "grace": "1 day"}, "time_zone is 'Mars'"),
        ("calendar", {"unit": "week", "week_start": "1", "grace": "1 day"}, "week_start is '1'"),
        ("session", {"grace": "1 day"}, "give either gap"),
        ("session", {"gap": "1 hour", "gap_by": "x", "grace": "1 day"}, "not both"),
        (
            "sliding",
            {"difference": "1 second", "resolution": "3 seconds", "grace": "1 day"},
            "divide",
        ),
    ],
)
def test_bad_options_are_told(constructor: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(CompilerError, match=re.escape(said)):
        MACROS[constructor](**options)


def test_several_problems_make_one_message() -> None:
    with pytest.raises(CompilerError) as raised:
        MACROS.hopping(size="1 month", advance_by="x", hop=1)
    assert str(raised.value).count("\n  - ") == 4


def test_a_length_that_is_missing_is_told_alone() -> None:
    with pytest.raises(CompilerError) as raised:
        MACROS.hopping(size="1 hour", grace="1 day")
    assert str(raised.value).count("\n  - ") == 1


@pytest.mark.parametrize("window", ["tumbling", "hopping", "cumulating", "calendar"])
def test_of_late_keys_a_row_in_time_is_not_put_into_many_windows(window: str) -> None:
    """A key with a million rows, in a day of windows each, would be a billion lines."""
    macros = rendered()
    spec = spec_of(macros, window)
    replay = macros._of_window("replay", spec, False)
    is_late = f"if(_ew_time < _ew_clock - {spec['window']['grace']}, "
    assert (is_late in replay) == (window in ("hopping", "cumulating"))


def test_a_replay_in_sql_calls_no_registered_function() -> None:
    macros = rendered(config={"replay": "sql"}, vars={"event_windows__max_replay_steps": 7})
    spec = spec_of(macros)
    sql = macros._session_replay(spec, True)
    assert "event_windows_replay" not in sql
    assert re.search(r"size\(_ew_parts\) > 7,\s+raise_error\(concat\('event_windows: one key", sql)
    assert macros._trait("functions", spec) == []


@pytest.mark.parametrize(
    ("grace", "retention", "said"),
    [
        (None, None, "_ew_item < 0"),
        (5, None, "_ew_item < 0 or _ew_clock - _ew_until > 5"),
        (None, 9, "_ew_item < 0 or _ew_clock - _ew_first > 9 - max(_ew_until - _ew_last) over ("),
    ],
)
def test_which_rows_a_replay_in_sql_takes_alone(
    grace: int | None, retention: int | None, said: str
) -> None:
    spec = spec_of(rendered()) | {"retention": retention}
    spec["window"] = spec["window"] | {"grace": grace}
    assert MACROS._session_row_alone(spec).startswith(said)
