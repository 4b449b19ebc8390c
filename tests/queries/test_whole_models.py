"""window_counts, freshness and no_arrival_is_skipped: what can be told of a model as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.harness import DbtProject, sampled, selected
from tests.session_models import at, session_model

COLUMNS = "key string, event_time timestamp, arrival_seq bigint, shard int"
HOURS = "event_windows.tumbling(size='1 hour', grace='10 minutes')"
PLAIN = (
    "{{ config(materialized='windowed', grace='10 minutes', arrival_order='arrival_seq'%s) }}\n"
    "select key, window(event_time, '1 hour').start as hour, count(*) as n\n"
    "from {{ source('raw', 'clicks') }} -- all of them\n"
    "group by key, window(event_time, '1 hour')"
)


def clicks(first: int, *rows: tuple[str, float]) -> list[tuple[Any, ...]]:
    return [(who, at(m), n, int(who == "b")) for n, (who, m) in enumerate(rows, first)]


# The hours 0, 1 and 3 of a, of which the clock has closed the first two; hour 0 of b, still open
FIRST = clicks(10, ("a", 0), ("a", 10), ("a", 70), ("a", 200), ("b", 5), ("a", 25))
# one of them too late to be read: its number is below the last one
LATER = [*clicks(16, ("b", 300), ("a", 210)), *clicks(2, ("a", 205))]


@dataclass
class Case:
    """A model, its open, closed and stored windows, and what is told of its source."""

    model: str
    counts: tuple[int, int, int]
    late: float = 1 / 6
    lag: int | None = 2
    skipped: int | None = 1  # none: the source is gone, and the test says so
    # the first refresh after a build counts a table by its metadata, and would have to read others
    noticed: bool = True
    table: str = "clicks"
    later: list[Any] = field(default_factory=lambda: LATER)


def hours(config: dict[str, Any] | None = None, source: str = "clicks", **given: Any) -> str:
    return session_model(source, given.pop("window", HOURS), config=config, **given)


FILTERED = (
    "'(select *\\n-- a comment  --\\nfrom ' ~ source('raw', 'clicks') ~ \" where key <> '  ')\""
)
CASES = {
    "updated": Case(hours(), (2, 2, 4)),
    "kept": Case(hours({"retention": "2 hours"}), (2, 2, 3)),
    "deleted": Case(hours({"retention": "2 hours", "expire": "delete"}), (2, 1, 3)),
    "final": Case(hours({"emit": "final"}), (2, 2, 2)),
    "unbounded": Case(hours(window=HOURS.replace("10 minutes", "unbounded")), (4, 0, 4), late=0),
    # the slower of two partitions may still have rows for any window
    "shards": Case(hours(partition="shard", stream_time="partition"), (4, 0, 4), noticed=False),
    "at_once": Case(hours(arrival_order=None), (2, 2, 4), late=0, lag=3, skipped=0),
    "plain": Case(PLAIN % "", (2, 2, 4)),
    "plain_final": Case(PLAIN % ", emit='final'", (2, 2, 2)),
    "filtered": Case(hours().replace("source('raw', 'clicks')", FILTERED), (2, 2, 4)),
    "forgotten": Case(hours(source="gone"), (2, 2, 4), lag=None, skipped=None),
}
SAMPLE = ["updated", "plain"]


@pytest.fixture(scope="module")
def names(request: pytest.FixtureRequest) -> set[str]:
    """The models of the tests that will run."""
    return selected(request, "name") | {*SAMPLE}


def call(macro: str, name: str) -> str:
    return f"select '{name}' as name, * from ({{{{ event_windows.{macro}(ref('{name}')) }}}})"


def asked(project: DbtProject, macro: str, names: set[str]) -> dict[str, Any]:
    # Spark makes one of subqueries over one table, and forgets between which snapshots each reads
    alone = [name for name in names if not CASES[name].skipped]
    union = "\nunion all\n".join(call(macro, name) for name in names if name not in alone)
    queries = [union, *[call(macro, name) for name in alone]]
    rows = [row for sql in queries for row in project.rows(project.compile(inline=sql))]
    return {row.name: row for row in rows}


def skipped(project: DbtProject) -> dict[str, list[Any] | None]:
    """The rows that the test gives for each model, none where it stops since it cannot read."""
    outcome = project.test(expect_error=None)
    found: dict[str, list[Any] | None] = {}
    for result in outcome.results:
        if result.status == "error":
            assert "was built over cannot be read any more" in result.message
            found[result.node.name] = None
            continue
        rows = project.rows(result.node.compiled_code)
        assert (result.status == "fail") == bool(rows)
        found[result.node.name] = [(row.rows_skipped, row.run_id is None) for row in rows]
    return found


@pytest.fixture(scope="module")
def before(project: DbtProject, names: set[str]) -> dict[str, Any]:
    """What is told of the models when they have just been built."""
    for source in ("clicks", "gone"):
        project.create_source(source, FIRST, COLUMNS)
    for name in names:
        project.model(name, CASES[name].model)
    tests = [
        {"name": name, "data_tests": [{"event_windows.no_arrival_is_skipped": {"name": name}}]}
        for name in names
    ]
    project.write_yaml("models/tests.yml", {"models": tests})
    project.run()
    return {"counts": asked(project, "window_counts", names), "skipped": skipped(project)}


@pytest.fixture(scope="module")
def behind(project: DbtProject, names: set[str], before: dict[str, Any]) -> dict[str, Any]:
    """What is told of them when rows have arrived, and a source has gone."""
    project.append("clicks", LATER)
    project.rows("drop table gone")
    return {"freshness": asked(project, "freshness", names), "skipped": skipped(project)}


@pytest.fixture(scope="module")
def after(project: DbtProject, names: set[str], behind: dict[str, Any]) -> dict[str, Any]:
    """What is told of them when they have been refreshed, and one was built again."""
    project.run(*sorted(names - {"forgotten"}))
    for name in names & {"deleted"}:
        project.run(name, full_refresh=True)
    counts = asked(project, "window_counts", names)
    return {
        "freshness": asked(project, "freshness", names),
        "skipped": skipped(project),
        "counts": counts,
    }


@pytest.mark.parametrize("name", sampled(CASES, SAMPLE))
def test_open_closed_and_stored_windows(before: dict[str, Any], name: str) -> None:
    row = before["counts"][name]
    assert (row.open, row.closed, row.in_state) == CASES[name].counts


@pytest.mark.parametrize("name", sampled(CASES, SAMPLE))
def test_how_far_behind_a_model_is(behind: dict[str, Any], name: str) -> None:
    row = behind["freshness"][name]
    assert row.lag_rows == CASES[name].lag
    assert row.stream_time == at(200).replace(tzinfo=None)
    since = datetime.now(UTC) - at(200)
    assert since - timedelta(minutes=10) < row.lag_time <= since
    assert row.finished_at > datetime.now() - timedelta(minutes=30)
    assert row.late_share == row.late_share_since_build == pytest.approx(CASES[name].late)


def test_a_model_that_has_caught_up_is_not_behind(names: set[str], after: dict[str, Any]) -> None:
    for name in names - {"forgotten"}:
        row = after["freshness"][name]
        assert row.lag_rows == 0, name
        assert row.stream_time == at(300).replace(tzinfo=None)
        built_again = name == "deleted"
        read = 9 if built_again or name == "at_once" else 8
        # by their numbers the row that came below the last one is the first, and four are late
        assert row.late_share == pytest.approx(4 / 9 if built_again else 0)
        late = 4 if built_again else CASES[name].late * 6
        assert row.late_share_since_build == pytest.approx(late / read)


@pytest.mark.parametrize("name", sampled(CASES, SAMPLE))
def test_rows_that_no_refresh_reads_are_found(
    before: dict[str, Any], behind: dict[str, Any], after: dict[str, Any], name: str
) -> None:
    assert before["skipped"][name] == []
    by_count = [(1, True)] if CASES[name].skipped else []
    # before a refresh has noticed, and when one has; a full refresh reads them
    assert behind["skipped"][name] == (None if CASES[name].skipped is None else by_count)
    by_refresh = [(1, False)] if by_count and CASES[name].noticed else []
    found = after["skipped"][name]
    if CASES[name].skipped is None:
        assert found is None
    else:
        assert sorted(found) == ([] if name == "deleted" else by_refresh + by_count)


def test_clocks_that_are_moved_close_windows(project: DbtProject, after: dict[str, Any]) -> None:
    row = after["counts"]["updated"]
    assert (row.open, row.closed) == (2, 3)
    project.run("updated", vars={"event_windows__advance_to": str(at(100_000))})
    inline = call("window_counts", "updated")
    [row] = project.rows(project.compile(inline=inline))
    assert (row.open, row.closed, row.in_state) == (0, 5, 5)


def test_late_rows_of_plain_sql(project: DbtProject, before: dict[str, Any]) -> None:
    rows = project.rows(project.compile(inline=call("lateness", "plain")))
    assert rows[0].rows_late == 1
    # its hour ended at 60, the clock stood at 200
    assert rows[0].grace_max == timedelta(minutes=140, microseconds=1)


def test_what_is_no_windowed_model(project: DbtProject, before: dict[str, Any]) -> None:
    for macro in ("window_counts", "freshness"):
        for relation in ("source('raw', 'clicks')", "'(select 1)'", "ref('updated'), 3"):
            project.model("wrong", f"{{{{ event_windows.{macro}({relation}) }}}}")
            error = project.run("wrong", expect_error=True).error
            assert error.count(f"{macro}(...) cannot be used as written") == 1
    (project.root / "models/wrong.sql").unlink()


@pytest.mark.parametrize("table", ["unmade__dropped", "unmade__ew_clocks"])
def test_a_table_that_a_killed_build_has_not_made(
    project: DbtProject, before: dict[str, Any], table: str
) -> None:
    project.model("unmade", hours())
    project.run("unmade")
    project.rows(f"drop table {table}")
    for macro in ("stream_time", "window_counts", "freshness", "lateness"):
        project.model("asking", f"{{{{ event_windows.{macro}(ref('unmade')) }}}}")
        error = project.run("asking", expect_error=True).error
        assert f"{table} is not there, since its build has not ended" in error
    project.run("unmade", full_refresh=True)
    assert len(project.rows(project.compile(inline=call("stream_time", "unmade")))) == 2
    for name in ("asking", "unmade"):
        (project.root / f"models/{name}.sql").unlink()
