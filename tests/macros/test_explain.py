"""macros/explain: what stands in the way of a run is told, and ends nothing else."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.macros.rendering import Macros, Model
from tests.macros.scripted import Script, prepared

LARGEST = 9223372036854775807


def told() -> dict[str, Any]:
    model: dict[str, Any] = Macros()._told_of(SimpleNamespace(name="m"))
    return model


def refreshed(macros: Macros, spec: dict[str, Any], tables: dict[str, Any]) -> list[str]:
    record = macros._record_of(spec, tables)
    record["progress"]["started_at"] = "2024-04-16T00:00:00+00:00"
    stops: list[str] = macros._explain_refresh(spec, tables, record, None, told())
    return stops


class Rows(Script):
    """A source with so many rows, some of them without a number."""

    def __call__(self, sql: str) -> Any:
        row = {"arrival_partition": None, "n": self.new, "arrival_from": 1, "arrival_to": self.new}
        row |= {"arrived_at": None, "waiting": None, "unordered": self.unnumbered}
        return [row] if "as waiting" in sql else super().__call__(sql)


def test_the_largest_arrival_number_stops_the_run_and_not_explain() -> None:
    macros, spec, tables = prepared(Script(new=LARGEST - 100))
    [why] = refreshed(macros, spec, tables)
    assert "has the largest number that there is" in why


def test_a_source_whose_log_cannot_be_followed_stops_the_run_and_not_explain() -> None:
    macros, spec, tables = prepared(Script())
    followed = {"table": spec["relation"], "format": "delta", "columns": {}, "direct": True}
    spec |= {"source_changes": "retract", "followed": followed}
    macros._macros["_delta_source_version"] = lambda relation: {"version": "3", "identity": "x"}
    [why] = refreshed(macros, spec, tables)
    assert "cannot be told, which source_changes='retract' needs" in why


@pytest.mark.parametrize(
    ("given", "settings", "why"),
    [
        ({"unnumbered": 2}, {}, "arrival_order column 'arrival_seq' is null in 2 row(s)"),
        ({}, {"event_windows__max_rows_per_refresh": 10}, "would cut its build"),
    ],
)
def test_what_stops_a_build(given: dict[str, Any], settings: dict[str, Any], why: str) -> None:
    model = Model(raw_code="is_windowed_run()")
    macros, spec, _ = prepared(Rows(**given), vars=settings, model=model)
    said = told()
    macros._explain_build(spec, "there is no table of it yet", said)
    assert said["run"] == "stops"
    assert why in said["why"][0]


def test_a_table_that_follows_windows_where_there_are_no_views_is_two_commits() -> None:
    """The table, and which of its snapshots that is."""
    macros, spec, _ = prepared(Script())
    read = {"rows": 5, "uncountable": 0, "late_keys": None, "moved": 1, "kept": False}
    run = {"read": read | {"asks": False}, "rebuilt": None, "number": 3}
    found = []
    for views in (True, False):
        plain = spec | {"plain": {}, "home": spec["home"] | {"views": views}}
        said = told() | {"refreshes": 1}
        macros._explain_steps(plain, dict(run), said)
        found.append((said["steps"][-1], said["commits"]))
    assert found[0][0] == "end"
    assert found[1] == ("show", found[0][1] + 2)


def above(name: str | None, there: bool) -> list[str]:
    """What is told of a rollup over a node of this name, which dbt does not list."""
    node = SimpleNamespace(name="m", depends_on=SimpleNamespace(nodes=["v"]))
    plan = "== Physical Plan ==" if there else "Error occurred: [TABLE_OR_VIEW_NOT_FOUND] it is not"
    macros = Macros(
        execute=True,
        graph=SimpleNamespace(nodes={"v": SimpleNamespace(relation_name=name)}),
        answer=lambda sql: [[plan]] if sql.startswith("explain ") else [{"function": "count"}],
    )
    why: list[str] = macros._explained_rollup(node)["why"]
    assert not name or f"explain select * from {name}" in macros.asked
    return why


@pytest.mark.parametrize("name", ["s.v", None])
def test_what_a_model_reads_is_there_though_dbt_does_not_list_it(name: str | None) -> None:
    [why] = above(name, there=name is not None)
    assert "event_windows_plan" in why


@pytest.mark.parametrize("name", ["s.v", "s.`a-seed`", "lake.s.v"])
def test_what_a_model_reads_is_asked_for_by_the_name_that_ref_gives(name: str) -> None:
    assert above(name, there=False) == [f"{name}, which it reads, is not there: run that first"]


def refused(*names: str, **version: Any) -> None:
    raise AssertionError("dbt lets no operation name this model")


@pytest.mark.parametrize(
    ("named", "version", "read"),
    [
        (["one"], {}, "s.one"),
        (["shop", "one"], {}, "s.one"),
        (["two"], {}, "c.s.two_v2"),
        (["two"], {"v": 1}, "s.two_v1"),
        (["two"], {"version": "2"}, "c.s.two_v2"),
    ],
)
def test_a_model_that_no_operation_may_name_is_read(
    named: list[str], version: dict[str, Any], read: str
) -> None:
    nodes = {
        relation: SimpleNamespace(
            name=name, package_name="shop", version=number, latest_version=number and 2,
            relation_name=relation, config=SimpleNamespace(materialized="view"),
        )
        for name, number, relation in [
            ("one", None, "s.one"), ("two", 1, "s.two_v1"), ("two", 2, "c.s.two_v2")
        ]
    }  # fmt: skip
    node = SimpleNamespace(
        relation_name="s.m", config={}, depends_on=SimpleNamespace(nodes=["source", *nodes])
    )
    own, given = SimpleNamespace(), {"ref": refused, "builtins": {"ref": refused}}
    macros = Macros(graph=SimpleNamespace(nodes=nodes), model=node, context=given)
    before = macros._stand_in(node)
    assert str(given["ref"](*named, **version)) == read
    assert str(given["builtins"]["ref"](*named, **version)) == read
    with pytest.raises(AssertionError):
        given["ref"]("another")
    given.update(before)
    given["ref"] = own
    macros._stand_in(node)
    assert given["ref"] is own
