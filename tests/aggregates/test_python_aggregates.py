"""A user's own aggregates, from files in the project's folder `udfs`."""

from __future__ import annotations

import math
import random
import textwrap
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import dbt_event_windows
from dbt_event_windows.errors import AggregatorError
from tests.aggregates.parts import finals, partials, planned, running
from tests.harness import DbtProject, recorded
from tests.session_models import at, exists, ledger, public, session_model

WINDOW = "event_windows.session(gap='30 minutes', grace='unbounded')"
HOPPING = "event_windows.hopping(size='30 minutes', advance_by='10 minutes', grace='unbounded')"
COLUMNS = "key string, event_time timestamp, arrival_seq bigint, price double, page string"
AGGREGATES = {
    "typical": "geometric_mean(price)",
    "typical_home": "geometric_mean(price) filter (where page = 'home')",
    "twice": "round(2 * geometric_mean(abs(price)) / count(price), 6)",
    "shares": "share_of(page, price)",
    "rows_with_nulls": "counted(price)",
    "n": "count(*)",
}
# Two files: Spark's workers can import neither.
MEANS = """
    import math
    from dbt_event_windows import Aggregator, aggregator
    from logs import log

    @aggregator("geometric_mean", state="struct<n: bigint, log_sum: double>", returns="double")
    class GeometricMean(Aggregator):
        def zero(self):
            return (0, 0.0)

        def reduce(self, state, value):
            n, log_sum = state
            return (n + 1, log_sum + log(value))

        def merge(self, left, right):
            return (left[0] + right[0], left[1] + right[1])

        def finish(self, state):
            n, log_sum = state
            return math.exp(log_sum / n) if n else None

    @aggregator("counted", state="bigint", returns="bigint", nulls=True, examples=[1.0, None])
    class Counted(Aggregator):
        def zero(self):
            return 0

        def reduce(self, state, value):
            return state + 1

        def merge(self, left, right):
            return left + right

        def finish(self, state):
            return state
"""
PATHS = """
    from __future__ import annotations
    from dataclasses import dataclass, field
    from dbt_event_windows import Aggregator, aggregator

    @aggregator("path_of", state="array<string>", returns="string")
    class Path(Aggregator):
        def zero(self):
            return []

        def reduce(self, state, page):
            return state + [page]

        def merge(self, left, right):
            return left + right

        def finish(self, state):
            return ">".join(state)

    @dataclass
    class Shares:
        total: float = 0.0
        by_page: dict = field(default_factory=dict)

    @aggregator(
        "share_of",
        state="struct<total: double, by_page: map<string, double>>",
        returns="map<string, double>",
    )
    class ShareOf(Aggregator):
        def zero(self):
            return Shares()

        def reduce(self, state, page, price):
            by_page = state.by_page | {page: state.by_page.get(page, 0.0) + price}
            return Shares(state.total + price, by_page)

        def merge(self, left, right):
            pages = left.by_page.keys() | right.by_page.keys()
            sums = {p: left.by_page.get(p, 0.0) + right.by_page.get(p, 0.0) for p in pages}
            return Shares(left.total + right.total, sums)

        def finish(self, state):
            return state.by_page if state.total else None
"""
LOGS = """
    import math

    def log(value):
        return math.log(value)
"""

TIMES = """
    from dbt_event_windows import Aggregator, aggregator

    @aggregator(
        "seconds_of", state="struct<first: timestamp, last: timestamp>", returns="double"
    )
    class SecondsOf(Aggregator):
        def zero(self):
            return (None, None)

        def reduce(self, state, time):
            return self.merge(state, (time, time))

        def merge(self, left, right):
            known = [time for time in (*left, *right) if time is not None]
            return (min(known), max(known))

        def finish(self, state):
            return (state[1] - state[0]).total_seconds()
"""


def rows() -> list[tuple[Any, ...]]:
    chance = random.Random(4)
    return [
        (
            chance.choice("ab") if arrival % 17 else "nulls",
            at(3 * arrival - chance.choice([0, 0, 0, 20, 100])),
            arrival,
            chance.randint(1, 40) / 4 if arrival % 17 and chance.random() < 0.8 else None,
            chance.choice(["home", "shop", "help"]),
        )
        for arrival in range(120)
    ]


Windows = dict[tuple[Any, ...], list[Any]]


@pytest.fixture(scope="module", autouse=True)
def refreshed(project: DbtProject) -> None:
    for name, text in {"means": MEANS, "paths": PATHS, "logs": LOGS, "times": TIMES}.items():
        project.write(f"udfs/{name}.py", textwrap.dedent(text))
    made = rows()
    project.create_source("visits", made[:60], COLUMNS)
    project.model("visited", session_model("visits", WINDOW, aggregates=AGGREGATES))
    project.run("visited")
    project.append("visits", made[60:90])
    project.run("visited")
    project.append("visits", made[90:])
    project.run("visited")


def of_windows(project: DbtProject, table: str, bounds: str = "true") -> Windows:
    """The visits in each window of a table, in the order of event time and arrival."""
    windows: Windows = {}
    for row in project.rows(
        f"select w.window_start as start, v.* from {table} as w inner join visits as v "
        f"on w.key = v.key and v.event_time between w.window_start and w.window_end and {bounds} "
        "order by event_time, arrival_seq"
    ):
        windows.setdefault((row.key, row.start), []).append(row)
    return windows


def mean(prices: list[float | None]) -> float | None:
    logs = [math.log(price) for price in prices if price is not None]
    return math.exp(sum(logs) / len(logs)) if logs else None


def near(one: float | None, other: float | None) -> bool:
    return one == other or (one is not None and other is not None and abs(one - other) < 1e-5)


def test_windows_are_made_of_several_refreshes(project: DbtProject) -> None:
    spans = [
        [row.arrival_seq for row in found] for found in of_windows(project, "visited").values()
    ]
    assert any(min(span) < 60 and max(span) >= 90 for span in spans)


def test_values_are_those_of_all_rows(project: DbtProject) -> None:
    windows = of_windows(project, "visited")
    assert any(mean([row.price for row in found]) is None for found in windows.values())
    for row in project.rows("select * from visited"):
        found = windows[row.key, row.window_start]
        typical = mean([visit.price for visit in found])
        assert near(row.typical, typical)
        assert near(row.typical_home, mean([v.price for v in found if v.page == "home"]))
        assert row.n == row.rows_with_nulls == len(found)
        count = sum(visit.price is not None for visit in found)
        assert near(row.twice, None if typical is None else 2 * typical / count)
        shares: dict[str, float] = {}
        for visit in found:
            if visit.price is not None:
                shares[visit.page] = shares.get(visit.page, 0.0) + visit.price
        assert row.shares == (shares or None)


def test_the_zone_of_the_session_changes_no_instant(project: DbtProject) -> None:
    """Over the hour that does not exist there, and in the one that comes twice."""
    march, october = datetime(2024, 3, 31, tzinfo=UTC), datetime(2024, 10, 27, tzinfo=UTC)
    times = [(march, 50), (march, 70), (october, 45), (october, 60), (october, 75)]
    events = [
        ("a", day + timedelta(minutes=minute), arrival, None, "home")
        for arrival, (day, minute) in enumerate(times)
    ]
    project.create_source("nights", events[:1], COLUMNS)
    seconds = {"seconds": "seconds_of(event_time)"}
    project.model("in_berlin", session_model("nights", WINDOW, aggregates=seconds))
    project.spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        for event in events[1:]:
            project.run("in_berlin")
            project.append("nights", [event])
        project.run("in_berlin")
        [[whole]] = project.rows("select seconds_of(event_time) from nights where arrival_seq > 1")
    finally:
        project.spark.conf.set("spark.sql.session.timeZone", "UTC")
    found = project.rows("select seconds from in_berlin order by window_start")
    assert [row.seconds for row in found] == [1200, 1800]
    assert whole == 1800


def test_a_map_in_a_select_of_its_own(project: DbtProject) -> None:
    found = dict(project.rows("select key, share_of(page, price) from visits group by key"))
    due: dict[str, dict[str, float]] = {}
    for row in project.rows("select key, page, price from visits where price is not null"):
        pages = due.setdefault(row.key, {})
        pages[row.page] = pages.get(row.page, 0.0) + row.price
    assert found == {key: due.get(key) for key in found}
    assert due


def test_states_can_be_read(project: DbtProject) -> None:
    (row,) = project.rows(
        "select bool_and(_ew_typical_state.n <= n) as fits, sum(_ew_typical_state.n) as n "
        "from visited"
    )
    assert (row.fits, row.n) == (True, sum(visit[3] is not None for visit in rows()))


@pytest.mark.slow
def test_windows_that_share_rows(project: DbtProject) -> None:
    typical = {"typical": AGGREGATES["typical"], "n": "count(*)"}
    project.model("hopped", session_model("visits", HOPPING, "table", aggregates=typical))
    project.run("hopped")
    windows = of_windows(project, "hopped", "v.event_time < w.window_end")
    found = project.rows("select * from hopped")
    assert len(found) == len(windows) > 100
    for row in found:
        visits = windows[row.key, row.window_start]
        assert row.n == len(visits)
        assert near(row.typical, mean([visit.price for visit in visits]))


def test_merged_along_slices(project: DbtProject) -> None:
    project.spark.catalog.setCurrentDatabase(project.schema)
    plan = planned(project.spark, {"typical": "geometric_mean(price)"}, "visits")
    pieces = partials(plan, "key, event_time", "visits")
    found = project.rows(
        finals(plan, "key, event_time", running(plan, "key", "event_time", pieces))
    )
    visits = project.rows("select * from visits")
    assert len(found) == len({(visit.key, visit.event_time) for visit in visits})
    for row in found:
        before = [v.price for v in visits if v.key == row.key and v.event_time <= row.event_time]
        assert near(row.typical, mean(before))


@pytest.mark.slow
def test_rows_come_in_the_order_of_event_time(project: DbtProject) -> None:
    path = {"path": "path_of(page)"}
    project.model("followed", session_model("visits", WINDOW, "table", aggregates=path))
    project.run("followed")
    windows = of_windows(project, "followed")
    for row in project.rows("select * from followed"):
        pages = [visit.page for visit in windows[row.key, row.window_start]]
        assert row.path == ">".join(pages)


SHARES = """
{{{{ config(
    materialized='windowed', grace='unbounded', arrival_order='arrival_seq',
    contract={{'enforced': true}}
) }}}}
select key, window.start as at, size(map_keys(share_of(page, price))) as pages,
    share_of(page, price) filter (where page = 'home') as at_home,
    geometric_mean(cast(price as decimal(10, 2))) as typical, round(typical, 1) as rounded
from {{{{ source('raw', 'visits') }}}}
group by key, window(event_time, '1 hour')
having size(share_of(page, price)) > {least}
"""
SHARES_YML = """
models:
  - name: shares
    columns:
      - {name: key, data_type: string}
      - {name: at, data_type: timestamp}
      - {name: pages, data_type: int}
      - {name: at_home, data_type: "map<string,double>"}
      - {name: typical, data_type: double}
      - {name: rounded, data_type: double}
"""


def test_plain_sql_makes_of_one_what_its_type_allows(project: DbtProject) -> None:
    project.model("shares", SHARES.format(least=1))
    project.write("models/shares.yml", SHARES_YML)
    project.run("shares")
    found = project.rows(f"select * from {project.schema}.shares")
    (project.root / "models/shares.yml").unlink()
    pages = project.rows(
        "select key, window.start as at, count(distinct page) as pages from visits "
        "where page is not null and price is not null group by key, window(event_time, '1 hour') "
        "having pages > 1"
    )
    assert {(row.key, row.at): row.pages for row in found} == {
        (row.key, row.at): row.pages for row in pages
    }
    assert all(set(row.at_home or ()) <= {"home"} for row in found)
    assert all(row.rounded == round(row.typical, 1) for row in found if row.typical)


def test_an_unknown_name_lists_what_is_known(project: DbtProject) -> None:
    project.model("bad", session_model("visits", WINDOW, aggregates={"x": "geometric(price)"}))
    error = project.run("bad", expect_error=True).error
    for text in ["calls 'geometric'", "approx_percentile", "counted, geometric_mean, path_of"]:
        assert text in error
    assert not exists(project, "bad")


def test_a_function_of_each_row_is_none(project: DbtProject) -> None:
    project.spark.udf.register("mark_of", lambda value: f"{value}!")
    bad = "{{ config(materialized='windowed', arrival_order='arrival_seq', grace='1 day') }}\n" + (
        "select key, mark_of(page) as mark, window(event_time, '1 hour') as w, count(*) as n "
        "from {{ source('raw', 'visits') }} group by all"
    )
    of_call = session_model("visits", WINDOW, aggregates={"mark": "mark_of(page)"})
    for name, text in {"bad": bad, "bad_call": of_call}.items():
        project.model(name, text)
        error = project.run(name, expect_error=True).error
        assert "mark_of(page) is not a function of Spark's own, and as an aggregate" in error
        assert "put it into the model that is read here" in error
        assert not exists(project, name)
        (project.root / f"models/{name}.sql").unlink()
    project.spark.sql("drop temporary function mark_of")


def test_a_view_cannot_call_one(project: DbtProject) -> None:
    view = session_model("visits", WINDOW, "view", aggregates={"x": "geometric_mean(price)"})
    project.model("bad", view)
    assert "materialized is 'view'" in project.run("bad", expect_error=True).error


def test_compiling_asks_the_session_for_nothing(project: DbtProject) -> None:
    (project.root / "models/bad.sql").unlink(missing_ok=True)
    with recorded() as statements:
        assert "geometric_mean__merge(" in project.compile("visited")
    assert not [sql for sql in statements if "geometric_mean" in sql or "functions" in sql]


ONE = """
from dbt_event_windows import Aggregator, aggregator

@aggregator({declaration})
class Total(Aggregator):
    def zero(self):
        return 0

    def reduce(self, state, value):
        return {reduced}

    def merge(self, left, right):
        return left + right

    def finish(self, state):
        return state
"""


@pytest.mark.parametrize(
    ("declaration", "reduced", "said"),
    [
        ("'median', state='bigint', returns='bigint'", "state + value", "Spark has a function"),
        ("'total', state='big', returns='bigint'", "state + value", "state is 'big', which is no"),
        (
            "'total', state='bigint', returns='a<b'",
            "state + value",
            "returns is 'a<b', which is no",
        ),
        ("'total', state='map<int, int>', returns='int'", "state", "zero() returns 0, which is no"),
        ("'Total', state='int', returns='int'", "state + value", "name is 'Total'"),
        ("'total', state='int', returns='int', examples=[1, 2]", "value", "must not depend on how"),
        ("'total', state='int', returns='int', examples=[1, 2]", "value / 0", "return value / 0"),
    ],
)
def test_what_cannot_be_registered_leaves_what_is_there(
    project: DbtProject, tmp_path: Path, declaration: str, reduced: str, said: str
) -> None:
    (tmp_path / "total.py").write_text(ONE.format(declaration=declaration, reduced=reduced))
    with pytest.raises(AggregatorError) as raised:
        dbt_event_windows.register(project.spark, udfs=tmp_path)
    assert said in str(raised.value)
    names = project.rows("show user functions like 'geometric_mean__*|total__*'")
    assert len(names) == 3


def test_a_bad_file_stops_dbt_with_its_message(project: DbtProject) -> None:
    project.write("udfs/broken.py", ONE.format(declaration="'Total'", reduced="state"))
    error = project.run("visited", expect_error=True).error
    (project.root / "udfs/broken.py").unlink()
    assert "broken.py" in error
    assert "missing 2 required keyword-only arguments: 'state' and 'returns'" in error


def test_no_aggregate_sees_a_row_that_no_window_can_count(project: DbtProject) -> None:
    """It may hold what the function cannot take: a negative price, a time that Python has not."""
    rows = [("a", at(0), 0, 1.0, "home"), (None, at(1), 1, -1.0, "home"), ("a", None, 2, -1.0, "")]
    project.create_source("uncounted", rows, COLUMNS)
    aggregates = {
        "typical": "geometric_mean(price)",
        "home": "geometric_mean(price) filter (where page = 'home' or page = 'shop')",
        "times": "counted(event_time)",
        "n": "count(*)",
    }
    project.model("counting", session_model("uncounted", WINDOW, aggregates=aggregates))
    project.run("counting")
    last = "timestamp_micros(9223372036825200000)"
    project.append("uncounted", [("b", at(0), 3, 1.0, "shop"), (None, at(0), 4, -1.0, "")])
    project.rows(f"insert into uncounted values ('a', {last}, 5, -1.0, 'home')")
    project.run("counting")
    found = project.rows("select key, typical, home, times, n from counting order by key")
    assert [tuple(row) for row in found] == [("a", 1.0, 1.0, 1, 1), ("b", 1.0, 1.0, 1, 1)]
    dropped = project.rows("select arrival_seq, reason from counting__dropped order by 1")
    reasons = [row.reason for row in dropped]
    assert reasons == ["null_key", "null_event_time", "null_key", "ahead_of_time"]


def test_an_error_shows_the_users_own_lines_and_nothing_is_written(project: DbtProject) -> None:
    before = public(project, "visited")
    runs = len(ledger(project, "visited"))
    project.append("visits", [("a", at(400), 120, -1.0, "home")])
    error = project.run("visited", expect_error=True).error
    for text in ["udfs/means.py", "log_sum + log(value)", "udfs/logs.py", "math domain error"]:
        assert text in error
    assert public(project, "visited") == before
    assert len(ledger(project, "visited")) == runs


def test_a_file_that_was_mended_is_read_again(project: DbtProject) -> None:
    mended = LOGS.replace("math.log(value)", "math.log(abs(value))")
    project.write("udfs/logs.py", textwrap.dedent(mended))
    project.run("visited")
    (row,) = project.rows(
        "select typical from visited where window_end = timestamp '2024-04-17 06:40:00'"
    )
    assert near(row.typical, 1.0)


def test_another_state_asks_for_a_full_refresh(project: DbtProject) -> None:
    before = public(project, "visited")
    other = MEANS.replace("log_sum: double", "log_sum: float")
    project.write("udfs/means.py", textwrap.dedent(other))
    error = project.run("visited", expect_error=True).error
    for text in ["aggregates was", "log_sum:double", "log_sum:float", "--full-refresh"]:
        assert text in error
    assert public(project, "visited") == before
