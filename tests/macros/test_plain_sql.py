"""macros/plain_sql: a planned text as a spec, and what is shown of its windows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
import sqlglot

from dbt_event_windows.plan_function import event_windows_plan
from tests.macros.rendering import CompilerError, Macros, Relation
from tests.macros.scripted import COLUMNS, HOME, SETTINGS, Script, rendered

TEXT = """
select user_id, session_window.start as began, count(*) as n, sum(amount) as revenue
from s.views
group by user_id, session_window(viewed_at, '30 minutes')
having count(*) > 1
"""
CONFIG = {"grace": "1 day", "arrival_order": "arrival_seq"}
SHOWN = {"user_id": "string", "began": "timestamp", "n": "bigint", "revenue": "decimal(20,2)"}
NAMES = list(SHOWN)


def planning(
    config: Mapping[str, Any] = CONFIG,
    other: Mapping[str, str] = {},
    shown: Mapping[str, str] = SHOWN,
    **options: Any,
) -> Macros:
    """Macros for which the planner itself answers, as Spark does where it is registered.

    `other` are types that columns of the model would have, and those of the text do not.
    """

    def answer(sql: str) -> Iterable[Mapping[str, Any]] | None:
        if sql.startswith("select event_windows_plan("):
            call, *_ = sqlglot.parse_one(sql, dialect="spark").find_all(sqlglot.exp.Anonymous)
            text, settings = (argument.this for argument in call.expressions)
            return [{"plan": event_windows_plan(text, settings)} | SETTINGS]
        if re.match(r"describe query select (\*|`views`\.\*|`s`\.`views`\.\*)\n", sql):
            return [{"col_name": name, "data_type": type_} for name, type_ in COLUMNS.items()]
        asked = re.search(r" as value_|select \*\s", sql)
        if sql.startswith("describe query") and not asked:
            types = {**shown} | (other if "max(viewed_at) as window_start" in sql else {})
            return [{"col_name": name, "data_type": type_} for name, type_ in types.items()]
        return Script()(sql)

    return rendered(config=dict(config), answer=answer, **options)


def test_a_text_and_a_call_make_the_same_spec() -> None:
    spec = planning()._plain_spec(TEXT)
    assert (spec["key"], spec["event_time"], spec["arrival"]) == (
        ["user_id"],
        "viewed_at",
        "arrival_seq",
    )
    assert spec["window"] == rendered().session(gap="30 minutes", grace="1 day")
    # a null is a key like any other, as in GROUP BY
    assert (spec["null_keys"], [name for name, _ in spec["plain"]["columns"]]) == (True, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        f"/* event_windows model: visits per user */ {TEXT}",
        f"{TEXT} /* event_windows */",
        TEXT.replace("> 1", "> 1 and user_id <> '/* event_windows {'"),
    ],
)
def test_a_text_that_names_the_package_is_no_call(text: str) -> None:
    """In a comment, or in a literal: only a call writes what stands around one."""
    assert planning()._spec_of(text)["key"] == ["user_id"]


def test_a_view_shows_what_the_text_selects() -> None:
    macros = planning()
    spec = macros._plain_spec(TEXT) | {"home": {"views": True, "view_keeps": {}}}
    assert macros._is_shown_by_view(spec) is True
    assert macros._is_shown_by_view(spec | {"home": {"views": False}}) is False
    view = sqlglot.parse_one(macros._shown(spec, "s.m__state"), dialect="spark")
    assert view.named_selects == NAMES
    # an element of an array, which Spark translates for no source
    where = view.find(sqlglot.exp.Where)
    assert where is not None
    assert isinstance(where.this, sqlglot.exp.ArrayContains)
    assert macros._view_property(spec)["event_windows.shown"]["text"]["sql"] == TEXT
    final = planning(CONFIG | {"emit": "final"})
    published = final._plain_spec(TEXT)
    assert final._is_shown_by_view(published | {"home": {"views": True}}) is False
    assert [name for name, _ in final._published_columns(published)] == NAMES


def test_a_view_in_the_place_of_another_is_known_as_ours_at_once() -> None:
    """Tests and rollups of the same command find the windows behind it."""
    other = Relation("m", type="view", information="View Text: select * from s.views\n")
    windows = Relation("m__state", type="table")
    macros = planning(execute=True, relations=[other, windows])
    spec = macros._plain_spec(TEXT) | {"home": HOME}
    tables = {"model": Relation("m"), "windows": windows}
    assert not macros._is_in_its_place(spec, tables)
    macros._show(spec, tables, {"statements": []})
    assert macros._is_in_its_place(spec, tables)
    assert macros._shows_windows(macros.adapter.relations["s.m"], windows)


OWN_OF_ICEBERG = {
    "settings": {"": "org.apache.iceberg.spark.SparkSessionCatalog"},
    "extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
}


def test_a_view_that_icebergs_extensions_would_make_in_the_sessions_catalogue_is_a_table() -> None:
    """Spark reads it as Hive's, without settings: in the time zone of its Java."""
    macros = planning(execute=True)
    for home, shown in [(HOME, True), (HOME | OWN_OF_ICEBERG, False)]:
        spec = macros._plain_spec(TEXT) | {"home": home}
        assert macros._is_shown_by_view(spec) is shown
        assert macros._has_views(spec)
    elsewhere = HOME | OWN_OF_ICEBERG | {"catalogue": "lake"}
    assert macros._is_shown_by_view(macros._plain_spec(TEXT) | {"home": elsewhere})


@pytest.mark.parametrize(
    ("information", "home", "ours", "refused"),
    [
        ("Table Properties: [view.a=b]", HOME, True, False),
        ("Table Properties: [table_type=ICEBERG-VIEW]", HOME, False, False),
        ("Table Properties: [view.a=b]", HOME | OWN_OF_ICEBERG, True, True),
        ("Table Properties: [table_type=ICEBERG-VIEW]", HOME | OWN_OF_ICEBERG, False, False),
    ],
)
def test_a_view_of_the_other_kind_is_made_anew_or_told(
    information: str, home: dict[str, Any], ours: bool, refused: bool
) -> None:
    there = Relation("m", type="view", information=information)
    macros = planning(execute=True, relations=[there, Relation("m__state", type="table")])
    spec = macros._plain_spec(TEXT) | {"home": home}
    tables = macros._tables(Relation("m"), plain=True)
    assert macros._is_in_its_place(spec, tables) is ours
    why = macros._view_out_of_reach(spec, tables, None)
    assert (why is not None) is refused
    if refused:
        assert "s.m was made a view by a session without the spark.sql.extensions" in why


def test_a_column_of_another_type_than_in_the_text_stops_the_run() -> None:
    with pytest.raises(CompilerError) as error:
        planning(other={"began": "bigint"})._plain_spec(TEXT)
    assert (
        "column 'began' is of type timestamp in the text, and would be of type bigint in the model"
        in str(error.value)
    )


def test_what_the_view_reads_has_the_types_of_the_text() -> None:
    """Sessions whose rows have gaps of their own keep their ends as numbers."""
    gap = TEXT.replace("'30 minutes'", "concat(idle_minutes, ' minutes')")
    macros = planning()
    view = sqlglot.parse_one(macros._shown(macros._plain_spec(gap), "s.m__state"), dialect="spark")
    (inner,) = view.find_all(sqlglot.exp.Subquery)
    assert "TIMESTAMP_MICROS(_ew_until) AS _ew_until_time" in inner.sql(dialect="spark")


def test_a_changed_view_does_not_ask_for_a_full_refresh() -> None:
    macros = planning()
    home = {"home": {"views": True, "view_keeps": {}}}
    one = macros._plain_spec(TEXT) | home
    other = macros._plain_spec(TEXT.replace("having count(*) > 1", "")) | home
    assert macros._fingerprint(one) == macros._fingerprint(other)
    assert macros._view_property(one) != macros._view_property(other)


MORE = TEXT.replace("count(*) as n", "count(*) + 1 as n")
LAID_OUT = MORE.replace("count(*) + 1", "count(*)+1 /* more */").replace("having", "HAVING")
LAID_OUT = LAID_OUT.replace("> 1", ">1")


@pytest.mark.parametrize(
    ("text", "differ"),
    [
        (LAID_OUT, []),
        (MORE.replace("> 1", "> 2"), ["plain"]),
        (MORE.replace("as began", "as BEGAN"), ["plain"]),
    ],
)
def test_a_final_model_that_is_written_otherwise_is_the_same(text: str, differ: list[str]) -> None:
    def fingerprint(text: str) -> dict[str, Any]:
        names = ["user_id", *re.findall(r" as (\w+)", text)]
        types = {name: SHOWN[name.lower()] for name in names}
        macros = planning(CONFIG | {"emit": "final"}, shown=types)
        return dict(macros._fingerprint(macros._plain_spec(text)))

    before, now = fingerprint(MORE), fingerprint(text)
    macros, spec = Macros(), {"plain": now["plain"], "window": now["window"]}
    kept = macros._kept_of(before, now, spec)
    assert [name for name, _, _ in macros._differences_of(kept, now)] == differ


def test_a_view_that_is_written_otherwise_is_the_same() -> None:
    """For what is recorded, and for rollups over it."""
    macros = planning()
    home = {"home": {"views": True, "view_keeps": {}}}
    one, other = (macros._view_property(macros._plain_spec(t) | home) for t in [MORE, LAID_OUT])
    assert one["event_windows.view"] == other["event_windows.view"]
    shapes = []
    for shown in [one, other]:
        above = {"view": shown["event_windows.shown"]["around"], "columns": {}, "record": {}}
        shapes.append(macros._shape_of(above))
    assert shapes[0] == shapes[1]
    assert one["event_windows.shown"]["around"] != other["event_windows.shown"]["around"]


def test_a_table_records_what_its_model_is_over_now() -> None:
    """Fewer columns of it need no build, and may leave the source."""
    relations = [Relation("m", type="view"), Relation("m__state", type="table")]
    config = CONFIG | {"file_format": "delta"}
    fewer = {name: SHOWN[name] for name in NAMES if name != "revenue"}
    macros = planning(config, shown=fewer, execute=True, relations=relations)
    home = {"home": HOME | {"view_keeps": {}}, "asks": False}
    before = planning(config)._plain_spec(TEXT) | home
    now = macros._plain_spec(TEXT.replace(", sum(amount) as revenue", "")) | home
    build = {"number": 1, "relation": before["relation"]}
    recorded = {"spec": macros._fingerprint(before), "build": build}
    record = macros._record_in(
        {f"event_windows.{name}": json.dumps(value) for name, value in recorded.items()}
    )
    tables = {"model": relations[0], "windows": relations[1]}
    done: dict[str, Any] = {"statements": []}
    macros._reshape(now, tables, record, done)
    [told] = re.findall(r"'event_windows.reads' = '(.*?)'[,)]", done["statements"][-1])
    reads = json.loads(re.sub(r"\\(.)", r"\1", told))
    assert reads["relation"] == now["relation"] != before["relation"]


@pytest.mark.parametrize("views", [True, False])
def test_a_view_keeps_the_settings_of_the_session_that_made_it(views: bool) -> None:
    """So does a table in its place. What is published once stays as it is."""
    recorded = set()
    for session in ({"zone": "UTC"}, {"zone": "Europe/Berlin"}):
        home = {"home": {"views": views, "view_keeps": session}}
        shown = planning()._view_property(planning()._plain_spec(TEXT) | home)
        recorded.add(shown["event_windows.view"])
    assert len(recorded) == 2
    macros = planning(CONFIG | {"emit": "final"})
    assert macros._view_property(macros._plain_spec(TEXT))


def test_what_a_view_keeps_is_asked_with_the_catalogue() -> None:
    told = {"name": "lake", "zone": "UTC", "mixed": "bigint", "size": "null", "json": "{}"}
    macros = rendered(answer=lambda sql: [told | SETTINGS] if "current_catalog()" in sql else None)
    session = macros._home()["view_keeps"]
    assert session["zone"] == "UTC"
    assert set(session["settings"].values()) == {"bigint", "null", "{}"}


@pytest.mark.parametrize(
    ("text", "config", "said"),
    [
        (TEXT.replace("having", "order by 1 -- "), CONFIG, "the SQL of model 'm' cannot be used"),
        (TEXT, {"arrival_order": "arrival_seq"}, "grace (in the config) is missing"),
        (TEXT, {"grace": "1 day"}, "arrival_order is missing: name in the config"),
        (TEXT, CONFIG | {"joins": "maybe"}, "joins is 'maybe': allowed are as_of_refresh, refuse"),
        (TEXT, CONFIG | {"partition": 1}, "partition is '1': give the name of a column"),
    ],
)
def test_what_cannot_be_kept_is_told(text: str, config: dict[str, Any], said: str) -> None:
    with pytest.raises(CompilerError) as raised:
        planning(config)._plain_spec(text)
    assert said in str(raised.value)


def test_the_planner_is_told_of_the_aggregates_of_the_session() -> None:
    """It asks for them by a text that is no query, and Spark has a function for what one gives."""
    macros = planning()
    answer = macros._answer
    own = [{"function": f"share{end}"} for end in ("", "__reduce", "__merge", "__finish")]
    macros._answer = lambda sql: own if sql == "show user functions" else answer(sql)
    plan = macros._plan_of(TEXT.replace("sum(amount)", "share(amount)"))
    assert "share__finish(any_value(null)) as revenue" in plan["check"]


def test_without_the_planner_the_message_says_how_to_get_it() -> None:
    macros = rendered(config=CONFIG, answer=lambda sql: [{"function": "other"}])
    with pytest.raises(CompilerError, match="a model in plain SQL is read by the Python functions"):
        macros._plain_spec(TEXT)


def test_an_offset_of_windows_may_be_negative() -> None:
    plan_of_window = {"type": "tumbling", "size": "1 hour", "offset": "-15 minutes"}
    found = rendered()._plain_window(plan_of_window, "1 day")
    whole = rendered().tumbling(size="1 hour", grace="1 day")
    assert found["type"] == "tumbling"
    assert found != whole
    assert json.dumps(found)


def home(views: bool, settings: dict[str, str] | None = None, extensions: str = "") -> Any:
    """Where tables live, as a run knows it."""
    known = {"settings": settings or {}, "extensions": extensions}
    return {"home": known | {"views": views, "catalogue": "lake"}}


ICEBERG = ({"": "org.apache.iceberg.spark.SparkCatalog"}, "a.b.IcebergSparkSessionExtensions")


@pytest.mark.parametrize(
    ("of", "type", "why"),
    [
        (ICEBERG, "interval day to second", "is of type interval day to second, which no view"),
        (ICEBERG, "array<time(6)>", r"is of type array<time\(6\)>, which no view"),
        (ICEBERG, "variant", None),
        (ICEBERG, "void", None),
        (({}, ICEBERG[1]), "interval day to second", None),
        ((ICEBERG[0], ""), "interval day to second", None),
    ],
)
def test_a_view_of_icebergs_shows_what_a_table_of_its_could(
    of: tuple[dict[str, str], str], type: str, why: str | None
) -> None:
    """Which it says when the view is made, after the windows were: Not a supported type."""
    macros = planning(CONFIG | {"file_format": "iceberg"}, shown=SHOWN | {"revenue": type})
    spec = macros._plain_spec(TEXT) | home(True, *of)
    if why is None:
        macros._check_can_be_shown(spec)
        return
    with pytest.raises(CompilerError, match=f"column 'revenue' {why} in iceberg can show: cast"):
        macros._check_can_be_shown(spec)


@pytest.mark.parametrize(
    ("config", "views", "why"),
    [
        ({}, True, None),
        ({}, False, ", and catalogue lake holds no views, which could show it: cast it"),
        ({"emit": "final"}, True, ": cast it"),
    ],
)
def test_a_table_can_hold_what_the_text_shows(
    config: dict[str, Any], views: bool, why: str | None
) -> None:
    text = TEXT.replace("n, sum(amount) as revenue", "`n (all)`, sum(amount)")
    types = SHOWN | {"revenue": "interval day to second"}
    names = ["user_id", "began", "n (all)", "sum(amount)"]
    shown = dict(zip(names, types.values(), strict=True))
    macros = planning(CONFIG | {"file_format": "delta"} | config, shown=shown)
    spec = macros._plain_spec(text) | home(views)
    if why is None:
        macros._check_can_be_shown(spec)
        return
    with pytest.raises(CompilerError) as raised:
        macros._check_can_be_shown(spec)
    said = str(raised.value)
    assert "column 'n (all)' has a space in its name, which no table in delta can hold: " in said
    assert "column 'sum(amount)' has '(' in its name" in said
    unheld = "'sum(amount)' is of type interval day to second, which no table in delta can hold"
    assert unheld + why in said


def test_a_table_cannot_hold_a_struct_whose_fields_no_type_can_name() -> None:
    """Iceberg makes it in Hive's catalogue, which from then on lists no table of the schema."""
    shown = SHOWN | {"revenue": "struct<a:b:bigint>"}
    macros = planning(CONFIG | {"file_format": "iceberg", "emit": "final"}, shown=shown)
    spec = macros._plain_spec(TEXT) | home(True)
    with pytest.raises(CompilerError, match="'revenue' has a field with a comma, a colon"):
        macros._check_can_be_shown(spec)


def test_a_table_of_final_windows_keeps_names_of_its_own() -> None:
    text = TEXT.replace(" as revenue", " as `_EW_Refresh`")
    shown = {name.replace("revenue", "_EW_Refresh"): kind for name, kind in SHOWN.items()}
    macros = planning(CONFIG | {"emit": "final"}, shown=shown)
    spec = macros._plain_spec(text) | home(True)
    with pytest.raises(CompilerError, match="column '_EW_Refresh' begins with _ew_"):
        macros._check_can_be_shown(spec)


def test_windows_of_a_text_live_beside_its_view() -> None:
    assert str(rendered()._tables(Relation("m"), plain=True)["windows"]) == "s.m__state"
