"""Questions to models in plain SQL: answered with their own columns and HAVING."""

from __future__ import annotations

from typing import Any

import pytest

from tests.harness import DbtProject
from tests.session_models import at

COLUMNS = "buyer string, event_time timestamp, arrival_seq bigint, amount bigint"
ROWS = [
    ("Ann", 0, 1), ("ann", 10, 2), ("ann", 200, 4), ("ann", 230, 8), ("ann", 500, 16),
    ("bob", 5, 32), ("bob", 15, 64), (None, 20, 128),
]  # fmt: skip
CONFIG = (
    "{{{{ config(materialized='windowed', grace='10 minutes', arrival_order='arrival_seq'"
    "{more}) }}}}\n"
)
SESSIONS = (
    "select lower(buyer) as who, session_window(event_time, '30 minutes').start as since,\n"
    "    session_window(event_time, '30 minutes').end as until, 2 * count(*) as twice\n"
    "from {{ source('raw', 'payments') }} as p\n"
    "group by lower(buyer), session_window(event_time, '30 minutes')\n"
    "having sum(amount) > 3"
)
HOURS = (
    "select count(*) as n, window(event_time, '1 hour').start as hour, max(amount) as window_end\n"
    "from {{ source('raw', 'payments') }}\n"
    "group by buyer, window(event_time, '1 hour')"
)
ALL = (
    "select window.start as hour, sum(amount) as amount from {{ source('raw', 'payments') }}\n"
    "group by window(event_time, '1 hour')"
)
BY_ROW = (
    "select buyer, session_window.start as since, session_window.end as until, count(*) as n\n"
    "from {{ source('raw', 'payments') }}\n"
    "group by buyer, session_window(event_time, concat(20 + amount, ' minutes'))"
)
# to Spark, without ANSI, a SMALLINT goes round
NARROW = (
    "select cast(amount % 2 as smallint) as odd, window(event_time, '1 hour').start as hour,\n"
    "    window(event_time, '1 hour').end as until,\n"
    "    max(cast(amount + 200 as smallint)) * max(cast(amount + 200 as smallint)) as squared\n"
    "from {{ source('raw', 'payments') }}\n"
    "group by cast(amount % 2 as smallint), window(event_time, '1 hour')\n"
    "having max(cast(amount + 200 as smallint)) * max(cast(amount + 200 as smallint)) < 0"
)
FUNCTIONS = ", query_functions=true"
MODELS = {
    "sessions": CONFIG.format(more=FUNCTIONS) + SESSIONS,
    "final": CONFIG.format(more=FUNCTIONS + ", emit='final'") + SESSIONS,
    "hours": CONFIG.format(more="") + HOURS,
    "hours_final": CONFIG.format(more=", emit='final'") + HOURS,
    "all_rows": CONFIG.format(more=FUNCTIONS) + ALL,
    "by_row": CONFIG.format(more=FUNCTIONS) + BY_ROW,
    "narrow": CONFIG.format(more=FUNCTIONS) + NARROW,
    "narrow_final": CONFIG.format(more=FUNCTIONS + ", emit='final'") + NARROW,
}
COLUMNS_OF = {
    "sessions": ["who", "since", "until", "twice"],
    "final": ["who", "since", "until", "twice"],
    "hours": ["n", "hour", "window_end"],
    "all_rows": ["hour", "amount"],
    "by_row": ["buyer", "since", "until", "n"],
    "narrow": ["odd", "hour", "until", "squared"],
}
# (who, first minute, last minute + gap, twice) of the sessions with enough
OPEN, CLOSED = ("ann", 500, 530, 2), ("ann", 200, 260, 4)
BOB, NOBODY = ("bob", 5, 45, 4), (None, 20, 50, 2)


@pytest.fixture(scope="module", autouse=True)
def built(project: DbtProject) -> None:
    rows = [(who, at(minutes), n, amount) for n, (who, minutes, amount) in enumerate(ROWS)]
    project.create_source("payments", rows[:3], COLUMNS)
    for name, text in MODELS.items():
        project.model(name, text)
    project.run()
    project.append("payments", rows[3:])
    project.run()


def ask(project: DbtProject, inline: str) -> list[tuple[Any, ...]]:
    frame = project.spark.sql(project.compile(inline="{{ event_windows." + inline + " }}"))
    return [tuple(map(minutes, row)) for row in frame.collect()]


def minutes(value: Any) -> Any:
    start = at(0).replace(tzinfo=None)
    return (value - start).total_seconds() / 60 if hasattr(value, "hour") else value


@pytest.mark.parametrize("name", COLUMNS_OF)
def test_columns_are_those_of_the_model(project: DbtProject, name: str) -> None:
    project.spark.catalog.setCurrentDatabase(project.schema)
    shown = project.spark.table(name).select(*COLUMNS_OF[name])
    assert shown.count()
    asked = [project.compile(inline=f"{{{{ event_windows.fetch_all(ref('{name}')) }}}}")]
    if FUNCTIONS in MODELS[name]:
        asked.append(f"select * from {name}_fetch_all()")
    for sql in asked:
        found = project.spark.sql(sql)
        assert found.dtypes == shown.dtypes
        assert sorted(map(str, found.collect())) == sorted(map(str, shown.collect()))


def test_values_of_the_size_that_they_have_in_the_text(project: DbtProject) -> None:
    """A HAVING, an expression and the tests are asked of SMALLINT, which Iceberg keeps as INT."""
    counted = "(select * from payments left anti join narrow__dropped using (arrival_seq))"
    text = NARROW.replace("{{ source('raw', 'payments') }}", counted)
    spark = [tuple(row) for row in project.rows(text)]
    assert spark
    assert sorted(map(tuple, project.rows("select * from narrow"))) == sorted(spark)
    columns = ", ".join(COLUMNS_OF["narrow"])
    final = {tuple(row) for row in project.rows(f"select {columns} from narrow_final")}
    assert final
    assert final <= set(spark)
    tests = [{"event_windows.equals_its_sql": {}}, {"event_windows.equals_from_scratch": {}}]
    entries = [{"name": name, "data_tests": tests} for name in ("narrow", "narrow_final")]
    project.write_yaml("models/tests.yml", {"models": entries})
    project.test()


def test_a_session_by_which_it_would_show_other_values(project: DbtProject) -> None:
    """A view keeps the zone of its making, and the text of the model would be read in another."""
    inline = "{{ event_windows.fetch_all(ref('hours')) }}"
    shown = project.show(inline)
    assert shown
    project.spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        error = project.dbt("show", inline=inline, expect_error=True).error
    finally:
        project.spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert "was last shown by a session of another time zone" in error
    assert project.show(inline) == shown


def test_having_holds(project: DbtProject) -> None:
    assert ask(project, "fetch_all(ref('sessions'))") == [NOBODY, CLOSED, OPEN, BOB]
    assert ask(project, "fetch(ref('sessions'), {'who': \"'ann'\"})") == [CLOSED, OPEN]
    backwards = "fetch(ref('sessions'), {'who': \"'ann'\"}, reverse=true)"
    assert ask(project, backwards) == [OPEN, CLOSED]


@pytest.mark.parametrize("null", ["none", "'null'"])
def test_a_null_is_a_key_like_any_other(project: DbtProject, null: str) -> None:
    assert ask(project, f"fetch(ref('sessions'), {{'who': {null}}})") == [NOBODY]
    assert ask(project, f"find_sessions(ref('sessions'), {{'who': {null}}})") == [NOBODY]


def test_final_windows(project: DbtProject) -> None:
    assert ask(project, "fetch_all(ref('final'))") == [CLOSED]
    assert ask(project, "fetch(ref('final'), {'who': \"'ann'\"}, '2024-04-17 03:21')") == []


@pytest.mark.parametrize(("name", "found"), [("sessions", [CLOSED, OPEN]), ("final", [CLOSED])])
def test_a_session_ends_as_the_model_shows_it(
    project: DbtProject, name: str, found: list[Any]
) -> None:
    asked = f"find_sessions(ref('{name}'), {{'who': \"'ann'\"}}, '2024-04-17 %s')"
    assert ask(project, asked % "04:20:00") == found
    assert ask(project, asked % "04:20:00.000001") == [row for row in found if row != CLOSED]


def test_a_key_that_is_not_shown(project: DbtProject) -> None:
    asked = "fetch(%s, {'buyer': \"'bob'\"})"
    assert ask(project, asked % "ref('hours')") == [(2, 0, 64)]
    sentence = "publishes final windows and does not show buyer, by which they are asked for"
    inline = "{{ event_windows." + asked % "ref('hours_final')" + " }}"
    assert sentence in project.dbt("compile", inline=inline, expect_error=True).error


def test_a_model_without_a_key(project: DbtProject) -> None:
    asked = "fetch_all(ref('all_rows'), to_time='2024-04-17 03:00')"
    assert ask(project, asked) == [(0, 3), (180, 12)]
    for key in ("none", "{}"):
        asked = f"fetch(ref('all_rows'), {key}, to_time='2024-04-17 03:00')"
        assert ask(project, asked) == [(0, 3), (180, 12)]
    asked = "{{ event_windows.fetch(ref('sessions')) }}"
    assert "key is missing" in project.dbt("compile", inline=asked, expect_error=True).error


def test_changes_of_a_model_without_a_key(project: DbtProject) -> None:
    asked = "{{ event_windows.changes(ref('all_rows'), from_version=0) }}"
    [now] = project.rows("select count(*) as n from all_rows")
    kinds = [row.change_type for row in project.rows(project.compile(inline=asked))]
    assert kinds.count("insert") - kinds.count("delete") == now.n > 0


def test_functions_answer_as_the_macros_do(project: DbtProject) -> None:
    project.spark.catalog.setCurrentDatabase(project.schema)

    def rows(call: str) -> list[Any]:
        return sorted(
            str(tuple(map(minutes, row))) for row in project.rows(f"select * from {call}")
        )

    def same(found: list[Any]) -> list[str]:
        return sorted(
            str(tuple(float(v) if n in (1, 2) else v for n, v in enumerate(row))) for row in found
        )

    assert rows("sessions_fetch('ann')") == same([CLOSED, OPEN])
    assert rows("sessions_fetch(null)") == same([NOBODY])
    assert rows("sessions_fetch_all()") == same([NOBODY, CLOSED, OPEN, BOB])
    at_end = "timestamp '2024-04-17 04:20:00'"
    assert rows(f"sessions_find_sessions('ann', {at_end}, {at_end})") == same([CLOSED])
    assert rows(f"final_find_sessions('ann', {at_end})") == same([CLOSED])
    assert rows("final_fetch('ann')") == same([CLOSED])
    assert len(rows("all_rows_fetch(to_time => timestamp '2024-04-17 03:00:00')")) == 2


TAKEN = HOURS.replace("count(*) as n", "buyer as who").replace("as hour", "as buyer")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [(HOURS, "does not show buyer"), (TAKEN, "shows something else as buyer")],
)
def test_functions_that_a_final_model_cannot_have(
    project: DbtProject, text: str, sentence: str
) -> None:
    text = CONFIG.format(more=FUNCTIONS + ", emit='final'") + text
    project.model("hours_with_functions", text)
    error = project.run("hours_with_functions", expect_error=True).error
    assert sentence in error
    assert not project.spark.catalog.tableExists(f"{project.schema}.hours_with_functions__state")
    (project.root / "models/hours_with_functions.sql").unlink()


@pytest.mark.parametrize("name", ["sessions", "final", "hours", "all_rows"])
def test_stream_time(project: DbtProject, name: str) -> None:
    inline = f"select * from {{{{ event_windows.stream_time(ref('{name}')) }}}}"
    frame = project.spark.sql(project.compile(inline=inline))
    view = project.spark.table(f"{project.schema}.{name}__stream_time")
    assert frame.schema.names == view.schema.names
    assert sorted(map(str, frame.collect())) == sorted(map(str, view.collect()))
    assert view.count() == (1 if name == "all_rows" else 3 if name != "hours" else 4)
