"""macros/report and generic_tests: which rows are told, by what a table records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from tests.macros.rendering import CompilerError, Macros, Relation
from tests.macros.scripted import BUILT, Script, prepared, progress

LATEST = {"number": BUILT + 2, "runs": [[BUILT, "earlier"], [BUILT + 2, "last"]]}


def asked(
    through: Any = 100,
    call: dict[str, Any] | None = None,
    script: Script | None = None,
    over: str = "s.views",
    **recorded: Any,
) -> tuple[Macros, Relation]:
    """A model that was built over a relation, and what its last refresh has recorded."""
    script = script or Script()
    last = progress([[None, through]]) | LATEST | recorded
    script.properties["event_windows.progress"] = last | {"full": False}
    given = {"partition": None} | (call or {})
    macros, _, tables = prepared(script, call=given, config={"file_format": "iceberg"})
    build = script.properties["event_windows.build"]
    script.properties["event_windows.build"] = build | {"relation": over}
    return macros, tables["model"].incorporate(type="table")


def test_a_version_that_was_read_is_no_number_of_a_row() -> None:
    macros, model = asked("77/4", {"arrival_order": None})
    line = macros._report_facts(model).split("'", 3)[3]
    assert '"through": []' in line
    macros, model = asked(7)
    assert '"through": [[null, 7]]' in macros._report_facts(model)


@pytest.mark.parametrize("having", ["views > 1", None])
def test_whether_published_windows_have_met_having_is_a_fact(having: str | None) -> None:
    macros, model = asked()
    assert '"having": false' in macros._report_facts(model)
    # to mypy it is any function that answers
    properties = macros._answer.properties  # type: ignore[attr-defined]
    held = properties["event_windows.spec"]
    held["plain"] = {"columns": [["n", "views"]], "having": having, "check": None}
    told = "false" if having is None else "true"
    assert f'"having": {told}' in macros._report_facts(model)
    held["plain"] = "view"
    shown = {"columns": [["n", "views"]], "having": having, "windows": ["", ""]}
    properties["event_windows.shown"] = shown
    assert f'"having": {told}' in macros._report_facts(model)
    # a kept window that HAVING leaves out of the view for now is told, as what it is
    kept = "array_contains(array(false, views > 1), true), false) as _ew_shown"
    for sql in (
        macros._report_health(model, 5),
        macros._report_timeline(model, {"user_id": "a"}, 5),
        macros._report_explained(model, {"user_id": "a"}, 5),
    ):
        assert (kept in sql) == (having is not None)
        assert "'shown', " in sql


def test_values_are_asked_for_as_the_page_shows_them() -> None:
    """Times in UTC, whatever the zone of the session, and nulls by that word."""
    types = {"k": "timestamp", "wall": "timestamp_ntz", "name": "string"}
    macros = Macros()

    def where(**values: str) -> str:
        return macros._report_where(values, {"columns": types})

    for given in ("2024-10-27 00:30:00", "2024-10-27 00:30:00 UTC", "2024-10-27 01:30:00+01:00"):
        zone = "+01:00" if given.endswith("+01:00") else "+00:00"
        assert where(K=given) == f"K = timestamp '{given[:19]}{zone}'"
    assert where(wall="2024-10-27 00:30:00") == "wall = timestamp_ntz '2024-10-27 00:30:00'"
    assert where(name="2024-10-27") == "cast(name as string) = '2024-10-27'"
    assert where(k="null", name="null") == "k is null and name is null"
    with pytest.raises(CompilerError, match=r"column 'k' holds times, and 'o' \|\| x' is none"):
        where(k="o' || x")
    texts = macros._report_texts(list(types), {"columns": types})
    assert "cast((timestamp_ntz '1970-01-01 00:00:00' + " in texts
    assert texts.endswith("cast(wall as string), cast(name as string)) as array<string>)")


@pytest.mark.parametrize("hidden", [[], ["user_id"]])
def test_windows_that_final_ones_are_told_beside_are_open_alone(hidden: list[str]) -> None:
    final = {"emit": "final", "file_format": "iceberg"}
    macros, spec, tables = prepared(Script(), config=final)
    published = {"sql": "s.m", "shown": {"hidden": hidden}}
    given = {"spec": spec, "tables": tables, "count": None, "published": published}
    sql = macros._report_windows(given | {"hidden": hidden})
    assert "where not _ew_closed" in sql
    assert ("from s.m as stored" in sql) == (not hidden)


def test_without_an_order_lateness_is_measured_on_all_keys() -> None:
    macros, model = asked("77/4", {"arrival_order": None})
    assert "xxhash64" not in macros._report_lateness(model, [], 0.5)
    macros, model = asked()
    assert "pmod(xxhash64(user_id), 1000000) < 500000" in macros._report_lateness(model, [], 0.5)


def test_of_dropped_rows_stream_time_is_that_of_a_clock_that_was_moved() -> None:
    macros, model = asked()
    sql = macros._report_lateness(model, [])
    assert "greatest(wanted._ew_clock, dropped._ew_dropped_at) as _ew_clock" in sql
    assert sql.index("as dropped") < sql.index("measured_rows as")


@pytest.mark.parametrize(
    ("classes", "gone"),
    [("17, 4711", "in (17, 4711)"), (None, "true"), ("md5 0123", None)],
)
def test_dropped_rows_that_do_not_count_are_not_told(classes: str | None, gone: str | None) -> None:
    macros, model = asked(rebuilt={"keys": 2, "classes": classes})
    sql = macros._report_health(model, 5)
    assert f"_ew_refresh > {BUILT + 2} or _ew_refresh < {BUILT}" in sql
    assert f"(_ew_refresh = {BUILT + 2} and run_id <> 'last')" in sql
    assert (f"(_ew_refresh < {BUILT + 2} and " in sql) == (gone is not None)
    assert gone is None or gone in sql


@pytest.mark.parametrize("arrival_order", ["arrival_seq", None])
def test_rows_of_keys_that_were_made_anew_are_read_too(arrival_order: str | None) -> None:
    """The ledger has only those of other keys under rows_read, the record of progress all."""
    given = {"arrival_order": arrival_order}
    macros, model = asked("77/4", given, rows=123)
    assert "named_struct('read', 123, " in macros._report_accounts(model)
    if arrival_order is None:
        lateness = macros._report_lateness(model, [])
        assert "'read' as part, to_json(named_struct('n', 123))" in lateness


def test_keys_that_were_made_anew_are_told_beside_rows_that_were_skipped() -> None:
    macros, model = asked()
    [read, _] = macros._report_accounts(model).split("union all")
    assert "'rebuilt', coalesce(sum(keys_rebuilt), 0)" in read


@pytest.mark.parametrize("followed", [None, {"table": "s.views", "version": "78"}])
def test_numbers_are_not_compared_with_those_of_a_source_that_is_followed(
    followed: dict[str, str] | None,
) -> None:
    macros, model = asked(followed=followed)
    sql = macros.default__test_no_arrival_is_skipped(model, None)
    assert "noticed by this refresh" in sql
    for said in ("up to the last number read", "numbers went back"):
        assert (said in sql) == (followed is None)


def test_rows_are_not_counted_where_others_are_joined() -> None:
    macros, model = asked(over="(select v.* from s.views as v JOIN s.users using (user_id))")
    sql = macros.default__test_no_arrival_is_skipped(model, None)
    assert "up to the last number read" not in sql
    assert "numbers went back" in sql


class Gone(Script):
    """The source of the model is not there any more, and Spark says so of what asks for it."""

    def __call__(self, sql: str) -> Iterable[Mapping[Any, Any]] | None:
        if sql.startswith("explain select * from s.gone"):
            return [{0: "[TABLE_OR_VIEW_NOT_FOUND] The table `s`.`gone` cannot be found."}]
        return super().__call__(sql)


def test_rows_that_cannot_be_counted_are_told() -> None:
    macros, model = asked(script=Gone(), over="s.gone")
    with pytest.raises(CompilerError, match=r"cannot be read any more: s\.gone; give source"):
        macros.default__test_no_arrival_is_skipped(model, None)


def test_rows_are_those_of_what_the_model_is_over_now() -> None:
    reads = {"event_windows.reads": {"relation": "s.views"}}
    macros, model = asked(script=Gone(properties=reads), over="s.gone")
    assert "from s.views" in macros.default__test_no_arrival_is_skipped(model, None)


class Ledger(Script):
    """A ledger with some columns."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.names = names

    def __call__(self, sql: str) -> Iterable[Mapping[Any, Any]] | None:
        if sql.startswith("describe query select * from s.event_windows_runs"):
            return [{"col_name": name, "data_type": "bigint"} for name in self.names]
        return super().__call__(sql)


def test_a_ledger_of_another_version_of_the_package_does_not_say_what_was_last() -> None:
    macros, model = asked(script=Ledger("rows_read"))
    with pytest.raises(CompilerError, match=r"ledger s\.event_windows_runs was made by another"):
        macros.default__test_late_rows_at_most(model, None, 0, 1)


def test_a_schema_without_a_ledger_has_no_refresh_to_judge_late_rows_by() -> None:
    macros, model = asked(script=Ledger("rows_read", "_ew_refresh"))
    assert "from s.event_windows_runs" in macros.default__test_late_rows_at_most(model, None, 0, 1)
    sql = Macros(execute=True, which="test").default__test_late_rows_at_most(model, None, 0, 1)
    assert sql == "select 'm' as model, 'no refresh of this model is in the ledger' as problem"


def test_a_table_of_another_version_of_the_package_is_built_again_first() -> None:
    """What it records knows nothing of models in plain SQL, which is not the same as none."""
    macros, model = asked()
    spec = macros._answer.properties["event_windows.spec"]  # type: ignore[attr-defined]
    spec["layout"] = 2
    del spec["plain"]
    said = r"the table s\.m was built by another version of the package, .*--full-refresh"
    for ask in (
        lambda: macros.fetch_all(model, "2024-01-01", "2025-01-01"),
        lambda: macros.default__test_windows_are_unique(model, None),
        lambda: macros.freshness(model),
    ):
        with pytest.raises(CompilerError, match=said) as raised:
            ask()
        assert "what its model shows" not in str(raised.value)
