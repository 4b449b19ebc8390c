"""macros/steps: what the golden files do not have, and that every way is SQL that is read."""

from __future__ import annotations

from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from tests.documents import pipeline
from tests.macros.scripted import SOURCE, Script, rendered, run, spec_of
from tests.macros.test_golden import ctes

CALLS: dict[str, dict[str, Any]] = {
    "by_partition": {"partition": "shard", "stream_time": "partition"},
    "by_key_and_partition": {"partition": "shard"},
    "everybody": {"stream_time": "global"},
    "one_instant": {"arrival_order": None},
    "keys_with_quotes": {"key": ["user_id", "page"]},
}
# One family each; the golden files have every type.
KINDS = ["session", "hopping", "sliding"]
CLOCKED = ["arrival_ranges", "range_clocks", "clocked_rows"]


def scratch(kind: str = "session", **call: Any) -> str:
    macros = rendered(config={"materialized": "table"})
    return str(macros._from_scratch(spec_of(macros, kind, **call)))


def checked(sql: str) -> list[str]:
    """The CTEs of a query that both dialects read, with steps in their order."""
    trees = [sqlglot.parse_one(sql, dialect=dialect) for dialect in ["spark", "databricks"]]
    assert not any(isinstance(tree, exp.Command) for tree in trees)
    names = ctes(trees[0])
    of_steps = [name for name in names if name in pipeline()]
    assert of_steps == [step for step in pipeline() if step in of_steps]
    return names


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("call", CALLS)
def test_every_scope_and_order_from_scratch(kind: str, call: str) -> None:
    names = checked(scratch(kind, **CALLS[call]))
    assert (names[:2], names[-1]) == (["new_rows", "slices"], "windows")
    late = ("late_rows" in names, "late_keys" in names)
    assert late == ((False, False) if call == "one_instant" else (True, True))
    shared = call in ("by_partition", "everybody")
    assert [name in names for name in CLOCKED] == [shared] * 3


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("late", [False, True])
def test_every_scope_and_order_in_a_refresh(kind: str, call: str, late: bool) -> None:
    statements = run(Script(late=late), kind, call=CALLS[call])
    (merge,) = [sql for sql in statements if sql.startswith("merge into s.m as")]
    assert checked(merge)[-1] == "changes"
    if late:
        dropped = next(sql for sql in statements if sql.startswith("insert into s.m__dropped"))
        assert checked(dropped)[-1] == "judged"


def test_no_row_is_late_where_grace_is_unbounded() -> None:
    window = rendered().session(gap="30 minutes", grace="unbounded")
    names = checked(scratch(window=window))
    assert "late_keys" not in names
    assert "late_rows" not in names


@pytest.mark.parametrize(
    ("call", "bounds", "where"),
    [
        ({}, {}, ""),
        ({}, {"from": [[None, 7]]}, "where arrived.arrival_seq > 7"),
        (
            {},
            {"from": [[None, 7]], "to": [[None, 9]]},
            "where arrived.arrival_seq > 7 and arrived.arrival_seq <= 9",
        ),
        ({}, {"from": [[None, 7]], "to": []}, "where false"),
        (
            {},
            {"to": [[None, 9]], "unordered": True},
            "where (arrived.arrival_seq <= 9) or arrived.arrival_seq is null",
        ),
        (
            {"partition": "shard"},
            {"from": [["1", 7]], "to": [["1", 9], ["it's", 4]]},
            "where (arrived.arrival_seq > seen._ew_arrival or seen._ew_arrival is null) "
            "and arrived.arrival_seq <= until._ew_arrival and arrived.arrival_seq <= 9",
        ),
    ],
)
def test_rows_between_two_bounds(call: dict[str, Any], bounds: dict[str, Any], where: str) -> None:
    macros = rendered()
    sql = macros._arrived_rows(spec_of(macros, **call), bounds)
    assert sql.strip().startswith(f"from {SOURCE} as arrived")
    assert sql.strip().endswith(where)
    if "partition" in call:
        assert r"('1', 9), ('it\'s', 4)" in sql


def test_reasons_why_no_window_can_count_a_row() -> None:
    macros = rendered(config={"max_ahead": "1 hour", "arrived_at": "viewed_at"})
    spec = spec_of(macros, "sliding")
    found = macros._uncountable(spec)
    places = [
        found.index(f"'{reason}'")
        for reason in ["null_key", "null_event_time", "before_origin", "ahead_of_time"]
    ]
    assert places == sorted(places)
    assert found.count("'ahead_of_time'") == 2
    assert "off_resolution" not in macros._uncountable(spec_of(macros, "session"))


def test_few_late_keys_are_a_list_and_many_a_join() -> None:
    macros = rendered()
    spec = spec_of(macros)
    assert macros._of_late_keys(spec, "slices", {"classes": "1, 2"}, others=True) == (
        "where pmod(hash(slices.user_id), 1048576) not in (1, 2)"
    )
    # of any other than a null-safe join Spark would derive that the key is not null
    assert macros._of_late_keys(spec, "slices", {"classes": None}) == (
        "left semi join late_keys on slices.user_id <=> late_keys.user_id"
    )
