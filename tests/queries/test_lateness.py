"""lateness: the grace that it names is the one with which the rows would have counted."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.harness import DbtProject, sampled, selected
from tests.session_models import EVENTS, events, session_model, windowed

# the row that closes windows, then rows behind it by so many minutes
BEHIND = [35, 50, 61, 61, 75, 90, 119, 181]
MODELS = {
    "sessions": "event_windows.session(gap='30 minutes', grace=GRACE)",
    "hopping": "event_windows.hopping(size='1 hour', advance_by='20 minutes', grace=GRACE)",
}
NEEDED: dict[str, list[float]] = {
    "sessions": [b - 30 for b in BEHIND],
    # a window ends at the row that closes it, and others at every advance before it
    "hopping": [b // 20 * 20 for b in BEHIND],
}
WINDOWS_OF_A_ROW = {"sessions": 1, "hopping": 3}
SAMPLE = ["sessions"]
TICK = timedelta(microseconds=1)


@pytest.fixture(scope="module", autouse=True)
def built(request: pytest.FixtureRequest, project: DbtProject) -> set[str]:
    """The models of the tests that will run, after a build and a refresh."""
    names = selected(request, "name") | {*SAMPLE}
    project.create_source("clicks", events([("a", 600)]), EVENTS)
    for name in names:
        project.model(name, session_model("clicks", MODELS[name].replace("GRACE", "'0 minutes'")))
    project.run()
    # keys of their own, so that no two late rows could make one session
    late = [(f"k{n}", minutes) for n, b in enumerate(BEHIND) for minutes in (600, 600 - b)]
    project.append("clicks", events(late, first_arrival=1))
    project.run()
    return names


def quantile(needed: list[float], part: float) -> timedelta:
    """The smallest value that is not below such a part of all."""
    ordered = sorted(needed)
    place = next(n for n in range(len(ordered)) if (n + 1) / len(ordered) >= part)
    return timedelta(minutes=ordered[place])


@pytest.mark.parametrize("name", sampled(MODELS, SAMPLE))
def test_one_row_per_refresh_in_their_order(project: DbtProject, name: str) -> None:
    first, second = project.asked("lateness", name)
    assert (first.rows_read, first.rows_late, first.rows_late_partial) == (1, 0, 0)
    assert first.grace_p50 is first.grace_p90 is first.grace_p99 is first.grace_max is None
    assert second.rows_read == 2 * len(BEHIND)
    assert second.rows_late + second.rows_late_partial == len(NEEDED[name])
    ledger = {row.run_id for row in project.rows("select * from event_windows_runs")}
    assert {first.run_id, second.run_id} <= ledger


@pytest.mark.parametrize("name", sampled(MODELS, SAMPLE))
def test_quantiles_of_the_grace_that_rows_needed(project: DbtProject, name: str) -> None:
    row = project.asked("lateness", name)[1]
    # a window that stands still must end after the clock, so by one tick more
    more = timedelta(0) if name == "sessions" else TICK
    assert row.grace_p50 == quantile(NEEDED[name], 0.5) + more
    assert row.grace_p90 == quantile(NEEDED[name], 0.9) + more
    assert row.grace_p99 == quantile(NEEDED[name], 0.99) + more
    assert row.grace_max == quantile(NEEDED[name], 1) + more


def test_with_the_largest_all_rows_count_in_full_and_with_less_they_do_not(
    project: DbtProject, built: set[str]
) -> None:
    parts = []
    for name in built:
        largest = project.asked("lateness", name)[1].grace_max
        for less in (0, 1):
            grace = f"{largest // TICK - less} microseconds"
            windows = windowed(
                "source('raw', 'clicks')", MODELS[name].replace("GRACE", repr(grace))
            )
            parts.append(f"select '{name}' as name, {less} as less, sum(n) as n from ({windows})")
    found = project.rows(project.compile(inline=" union all ".join(parts)))
    rows = 1 + 2 * len(BEHIND)
    assert {(row.name, row.less): row.n for row in found} == {
        (name, less): WINDOWS_OF_A_ROW[name] * rows - less for name in built for less in (0, 1)
    }


def test_it_is_shown_as_text(project: DbtProject) -> None:
    shown = project.show("{{ event_windows.lateness(ref('sessions')) }}")
    assert [row["grace_max"] for row in shown] == [None, "2:31:00"]


def test_a_refresh_whose_dropped_rows_are_gone_has_counts_only(project: DbtProject) -> None:
    # a full refresh replaces the table of dropped rows, and the ledger stays
    project.rows("delete from sessions__dropped")
    rows = project.asked("lateness", "sessions")
    assert [row.rows_late for row in rows] == [0, len(BEHIND)]
    assert [row.grace_max for row in rows] == [None, None]


def test_the_window_at_the_origin_ends_no_earlier_than_it_does(project: DbtProject) -> None:
    """The first sliding window of a row soon after the origin: it does not end with the row."""
    needed = timedelta(minutes=10)
    graces = {"has": timedelta(minutes=5), "less": needed - TICK, "enough": needed}
    project.create_source("early", events([("a", 20), ("a", 1)]), EVENTS)
    for name, grace in graces.items():
        window = (
            "event_windows.sliding(difference='10 minutes', origin='2024-04-17 00:00:00 UTC', "
            f"grace='{grace // TICK} microseconds')"
        )
        project.model(f"early_{name}", session_model("early", window))
    project.run(*[f"early_{name}" for name in graces])
    dropped = {
        name: project.rows(f"select count(*) as n from early_{name}__dropped")[0].n
        for name in graces
    }
    assert dropped == {"has": 1, "less": 1, "enough": 0}
    (row,) = project.asked("lateness", "early_has")
    assert row.grace_max == needed


def test_the_name_of_a_model_is_found_in_any_case(project: DbtProject) -> None:
    """As the catalogue finds the table of a source of another project."""
    window = MODELS["sessions"].replace("GRACE", "'0 minutes'")
    project.model("In_Letters", session_model("clicks", window, config={"alias": "In_Letters"}))
    project.run("In_Letters")
    other = {"name": "other", "schema": project.schema, "tables": [{"name": "in_letters"}]}
    project.write_yaml("models/other.yml", {"sources": [other]})
    relation = "source('other', 'in_letters')"
    inline = f"{{{{ event_windows.lateness({relation}) }}}}"
    [line] = project.rows(project.compile(inline=inline))
    assert line.rows_read == 1 + 2 * len(BEHIND)
    [row] = project.rows(project.compile(inline=inline.replace("lateness", "freshness")))
    assert row.finished_at is not None
