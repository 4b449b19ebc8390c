"""Texts and their plans, as pairs in files. EVENT_WINDOWS_WRITE_PLANS=1 writes the plans anew."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.pairs import write_pair
from tests.plain_sql.answering import planned_alone

FILES = sorted((Path(__file__).parent / "plans").glob("*.yml"))
WRITE = os.environ.get("EVENT_WINDOWS_WRITE_PLANS")


def _without_blanks_at_line_ends(value: Any) -> Any:
    """The plan as YAML can hold it in lines: where a comment stood there are blanks."""
    if isinstance(value, str):
        return "\n".join(line.rstrip() for line in value.split("\n"))
    if isinstance(value, dict):
        return {name: _without_blanks_at_line_ends(one) for name, one in value.items()}
    return (
        [_without_blanks_at_line_ends(one) for one in value] if isinstance(value, list) else value
    )


BOUNDS_THAT_TELL_THE_WINDOW = [
    ("window(at, '1 hour', '15 minutes')", "end"),
    ("calendar_window(at, 'month')", "start"),
    ("calendar_window(at, 'month')", "End"),
    ("sliding_window(at, '1 hour')", "start"),
    ("cumulate_window(at, '1 day', '1 hour')", "end"),
]


@pytest.mark.parametrize(("window", "bound"), BOUNDS_THAT_TELL_THE_WINDOW)
@pytest.mark.parametrize("group", ["all", "1, 2", "k, t", "k, {window}.{bound}"])
def test_a_bound_that_tells_the_window_groups_as_the_window_does(
    window: str, bound: str, group: str
) -> None:
    text = f"select k, {window}.{bound} as t, count(*) as n from v group by "
    by_bound = planned_alone(text + group.format(window=window, bound=bound))
    by_window = planned_alone(f"{text}k, {window}")
    assert by_bound | {"check": ""} == by_window | {"check": ""}


def test_the_start_of_cumulating_windows_tells_no_window_but_can_stand_beside_the_end() -> None:
    window = "cumulate_window(at, '1 day', '1 hour')"
    text = f"select {window}.start as s, {window}.end as e, count(*) as n from v group by "
    assert planned_alone(f"{text}all") | {"check": ""} == (
        planned_alone(text + window) | {"check": ""}
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_plan(path: Path) -> None:
    pair = yaml.safe_load(path.read_text())
    plan = _without_blanks_at_line_ends(planned_alone(pair["text"], **pair["settings"]))
    # how they are taken apart is in test_calls.py
    plan["aggregates"] = {name: call["text"] for name, call in plan["aggregates"].items()}
    if WRITE:
        pair["plan"] = plan
        write_pair(path, pair)
    assert plan == pair["plan"]
