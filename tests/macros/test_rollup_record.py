"""Whether a rollup can go on from what its table records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.macros.rendering import CompilerError, Macros, Relation

VISITS, TOTALS = Relation("visits", schema="web"), Relation("totals", schema="web")
SETTINGS = {"size(null)": "minus one"}


def above(**given: Any) -> dict[str, Any]:
    aggregates = given.pop("aggregates", {"a": "count(*)", "b": "sum(x)"})
    return {
        "name": "web.visits",
        "stored": VISITS,
        "format": "iceberg",
        "version": "8",
        "generation": 1,
        "view": None,
        "shown_as": None,
        "columns": dict.fromkeys(["key", "a", "b"], "bigint"),
        "record": {"spec": {"aggregates": aggregates}},
    } | given


def record(**given: Any) -> dict[str, Any]:
    followed = {
        "version": "8",
        "generation": 1,
        "above": "web.visits",
        "view": Macros()._shape_of(above()),
        "settings": SETTINGS,
    }
    return followed | {"built": 5, "last": 6, "known": True} | given


def why(record: dict[str, Any], above: dict[str, Any], **settings: str) -> str | None:
    spec = {"above": above, "settings": SETTINGS | settings}
    found = Macros()._why_anew(spec, record)
    return None if found is None else str(found)


def test_it_goes_on_from_the_same() -> None:
    assert why(record(), above()) is None
    assert why(record(above="Web.Visits"), above()) is None
    assert why(record(), above(aggregates={"b": "sum(x)", "a": "count(*)"})) is None


def test_names_that_have_changed_places_are_another_model() -> None:
    swapped = above(aggregates={"a": "sum(x)", "b": "count(*)"})
    assert why(record(), swapped) == "web.visits shows its windows in another way"


def test_other_types_of_what_is_shown_are_another_model() -> None:
    assert why(record(), above(shown_as="cast(a as int) as a")) == (
        "web.visits shows its windows in other types"
    )


def test_columns_in_another_order_are_another_model_where_that_was_recorded() -> None:
    other = above(columns=dict.fromkeys(["key", "b", "a"], "bigint"))
    assert why(record(), other) is None
    assert why(record(order=["key", "a", "b"]), above()) is None
    assert "in another way" in str(why(record(order=["key", "a", "b"]), other))


def test_a_model_that_is_laid_out_otherwise_shows_the_same() -> None:
    recorded = record(view=Macros()._shape_of(above(view=["select a + b from ", ""])))
    assert why(recorded, above(view=["SELECT\n  a+b FROM ", " -- all"])) is None
    assert "in another way" in str(why(recorded, above(view=["select a - b from ", ""])))


def test_settings_that_decide_values() -> None:
    told = why(record(), above(), **{"size(null)": "null"})
    assert told == (
        "settings of the session decide its values: size(null) was minus one and is null"
    )


def test_settings_that_no_record_of_before_has() -> None:
    assert why(record(), above(), **{"null in the text of an array": "[null]"}) is None


def test_an_empty_table_that_says_nothing_of_that() -> None:
    told = why(record(last=None, known=False), above())
    assert told == "its table has no rows, and does not record since when"
    assert "--empty" in str(why(record(last=None, known=False, generation=None), above()))


BUILD = {"number": 5, "version": "1", "generation": 1}


@pytest.mark.parametrize(
    ("rows", "without", "version", "known"),
    [
        ((6, {"version": "2"}), {"version": "3", "build": 5}, "2", True),
        ((5, None), {"version": "3", "build": 5}, "1", True),
        ((None, None), {"version": "3", "build": 5}, "3", True),
        ((None, None), {"version": "3", "build": 4}, "1", False),
        ((None, None), None, "1", False),
    ],
)
def test_the_record_of_the_rows_that_are_there(
    rows: tuple[int | None, Any], without: Any, version: str, known: bool
) -> None:
    properties = {"event_windows.build": json.dumps(BUILD)}
    if without:
        properties["event_windows.without_rows"] = json.dumps(without)

    def answer(sql: str) -> Any:
        if sql.startswith("show tblproperties"):
            return [{"key": key, "value": value} for key, value in properties.items()]
        number, progress = rows
        return [{"number": number, "progress": progress and json.dumps(progress)}]

    found = Macros(answer=answer)._recorded_rollup(TOTALS)
    assert (found["version"], found["known"]) == (version, known)
    assert (found["built"], found["last"]) == (5, rows[0])


def test_a_version_with_other_names_is_not_read() -> None:
    spec = {"file_format": "iceberg", "plain": None, "key": ["key"], "aggregates": {}}
    properties = {
        "event_windows.spec": json.dumps(spec),
        "current-snapshot-id": "8",
        "format-version": "2",
    }

    def answer(sql: str) -> Any:
        if sql.startswith("show tblproperties"):
            return [{"key": key, "value": value} for key, value in properties.items()]
        if sql.startswith("describe"):
            name = "n" if "snapshot_id_8" in sql else "clicks"
            return [
                {"col_name": one, "data_type": "bigint"} for one in ["key", name, "_ew_refresh"]
            ]
        return None

    visits = Relation("visits", schema="web", type="table")
    macros = Macros(answer=answer, execute=True, relations=[visits])
    said = r"were added, renamed or dropped since its last commit \(n, clicks\)"
    with pytest.raises(CompilerError, match=said):
        macros._above(visits)


def test_what_is_told_of_columns_that_rows_are_told_apart_by() -> None:
    """They are the package's own, and of a model above that shows other columns."""
    spec = {
        "text": "select n",
        "file_format": "delta",
        "zone": None,
        "groups": ["n", "_ew_group_1"],
    }
    spec["columns"] = {"n": "bigint", "_ew_group_1": "double"}
    macros = Macros()
    before = macros._rollup_fingerprint(spec)
    spec["groups"] = ["n", "_ew_group_1", "_ew_group_2"]
    spec["columns"] = {"n": "bigint", "_ew_group_1": "string", "_ew_group_2": "double"}
    [told] = macros._rollup_differences(spec, before)
    assert told.startswith("what it reads has other columns than when the table was built")
    spec["columns"] = spec["columns"] | {"n": "double"}
    [columns, _] = macros._rollup_differences(spec, before)
    assert columns.startswith(
        'columns was {"n": "bigint"} when the table was built and is {"n": "d'
    )
