"""Several threads, processes and kinds of run at once on one model: nothing twice, nothing lost."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.harness import sampled
from tests.protocol.metastore import metastore
from tests.protocol.processes import SCHEMA, Project, own_session, server
from tests.protocol.soak import MINUTE, records
from tests.reference.session import session
from tests.session_models import disordered

ROWS = disordered(21, 240)
WINDOWS = {
    "sessions": "event_windows.session(gap='30 minutes', grace='20 minutes')",
    "hours": "event_windows.hopping(size='1 hour', advance_by='20 minutes', grace='20 minutes')",
    "near": "event_windows.sliding(difference='30 minutes', grace='20 minutes')",
    "days": "event_windows.calendar(unit='day', grace='20 minutes', time_zone='Europe/Berlin')",
}
MODEL = """
{{{{ config(materialized={materialized!r}) }}}}
{{{{ event_windows.windowed(
    relation='{relation}', key='key', event_time='event_time', window={window},
    aggregates={{'n': 'count(*)', 'total': 'sum(value)'}}, arrival_order='arrival_seq'
) }}}}
"""
PLAIN = """
{{{{ config(materialized='windowed', grace='20 minutes', arrival_order='arrival_seq') }}}}
select key, session_window.start as began, count(*) as n
from {relation} as rows_so_far
where key is not null
group by key, session_window(event_time, '30 minutes')
"""
# dbt's own lines around an error, and the place in the package that it names
SENTENCE = re.compile(r"event_windows: model 'sessions': (another run|step \w+ met other writers)")


@contextmanager
def one_session(folder: Path) -> Iterator[dict[str, str]]:
    """Processes on one server."""
    with server(folder) as address:
        yield {"spark.remote": address}


@contextmanager
def own_sessions(folder: Path) -> Iterator[dict[str, str]]:
    """Sessions of their own in JVMs of their own, on one metastore."""
    with metastore(folder) as shared:
        small = {"spark.master": "local[1]", "spark.driver.memory": "1g"}
        yield own_session(folder) | shared | small


@pytest.fixture(
    scope="module", params=[one_session, pytest.param(own_sessions, marks=pytest.mark.slow)]
)
def project(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Project]:
    root: Path = tmp_path_factory.mktemp("rivals") / "project"
    root.mkdir()
    with request.param(root.parent) as session:
        yield with_models(Project(root, {"server_side_parameters": session}, threads=4))


def with_models(project: Project) -> Project:
    """Four windowed models and one in plain SQL, and what each is from scratch."""
    for name, window in WINDOWS.items():
        for kind, suffix in (("windowed", ""), ("table", "_scratch")):
            text = MODEL.format(materialized=kind, relation=project.relation, window=window)
            project.model(name + suffix, text)
    project.model("plain", PLAIN.format(relation=project.relation))
    return project


@pytest.fixture(scope="module")
def arrivals(project: Project) -> Callable[[], None]:
    """Lets the next rows arrive."""
    cuts = itertools.pairwise(itertools.chain([0, 60], range(80, len(ROWS) + 1, 10)))

    def next_rows() -> None:
        first, last = next(cuts)
        project.arrive(ROWS[first:last])

    return next_rows


def differences(*names: str) -> str:
    """The query for windows that only a model has, or only its table from scratch."""
    columns = "key, window_start, window_end, n, total"
    sides = []
    for name in names:
        for one, other in ((name, f"{name}_scratch"), (f"{name}_scratch", name)):
            sides.append(
                f"select '{one}' as in_table, * from (select {columns} from {SCHEMA}.{one} "
                f"except all select {columns} from {SCHEMA}.{other})"
            )
    return " union all ".join(sides)


def checked(project: Project, errors: list[str], *names: str) -> None:
    """At least one run succeeded, any other says why in a sentence; then all rows are counted.

    The first model is that of sessions, of which the reference tells which rows are dropped.
    """
    assert errors.count("") >= 1, errors
    for error in errors:
        assert error == "" or SENTENCE.search(error), error
        assert "Traceback" not in error
        assert ".java:" not in error
    # in threads, each with a model
    again = project.run("--select", *names, *[f"{name}_scratch" for name in names])
    assert again == ""
    different, dropped, told, there = project.ask(
        differences(*names),
        f"select arrival_seq, reason from {SCHEMA}.{names[0]}__dropped",
        f"select sum(rows_read) from {SCHEMA}.event_windows_runs where model = '{names[0]}' "
        f"and _ew_refresh >= (select max(_ew_refresh) from {SCHEMA}.event_windows_runs "
        f"where model = '{names[0]}' and arrival_from = 0)",
        f"select count(*) from {project.relation}",
    )
    assert different == []
    assert told == there
    rows = ROWS[: int(there[0][0])]
    result = session(records(rows), 30 * MINUTE, 20 * MINUTE)
    expected = [[str(rows[drop.index][2]), drop.reason] for drop in result.dropped]
    assert sorted(dropped) == sorted(expected)


@pytest.mark.slow
def test_four_threads_build_and_refresh_on_a_fresh_schema(
    project: Project, arrivals: Callable[[], None]
) -> None:
    chosen = ["--select", *WINDOWS, *[f"{name}_scratch" for name in WINDOWS]]
    arrivals()
    assert project.run(*chosen, "--full-refresh") == ""
    assert project.ask(differences(*WINDOWS)) == [[]]
    arrivals()
    assert project.run(*chosen) == ""
    assert project.ask(differences(*WINDOWS)) == [[]]


@pytest.mark.slow
def test_plain_sql_beside_another_model(project: Project, arrivals: Callable[[], None]) -> None:
    arrivals()
    assert project.run("--select", "plain", "sessions", "--full-refresh") == ""
    arrivals()
    assert project.run("--select", "plain", "sessions") == ""
    plain, macro = project.ask(
        f"select count(*), sum(n) from {SCHEMA}.plain",
        f"select count(*), sum(n) from {SCHEMA}.sessions",
    )
    assert plain == macro


REFRESH = ["--select", "sessions"]
FULL_REFRESH = [*REFRESH, "--full-refresh"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "commands",
    sampled(
        [
            [REFRESH, FULL_REFRESH],
            [REFRESH, REFRESH],
            [REFRESH, REFRESH, REFRESH],
            [REFRESH, REFRESH, FULL_REFRESH],
        ],
        [[REFRESH, FULL_REFRESH]],
    ),
    ids=lambda commands: f"{commands.count(REFRESH)} and {commands.count(FULL_REFRESH)} full",
)
def test_processes_that_run_at_once(
    project: Project, arrivals: Callable[[], None], commands: list[list[str]]
) -> None:
    arrivals()
    checked(project, project.together(*commands), "sessions")


@pytest.mark.slow
def test_rounds_of_rivals(project: Project, arrivals: Callable[[], None]) -> None:
    said: list[str] = []
    for round_ in range(4):
        arrivals()
        commands = [REFRESH, REFRESH, *[FULL_REFRESH] * (round_ % 2)]
        errors = project.together(*commands)
        checked(project, errors, "sessions")
        said += errors
    lines = f"(select * from {SCHEMA}.event_windows_runs where model = 'sessions')"
    [[[overlapping]]] = project.ask(
        f"select count(*) from {lines} as one join {lines} as other on one.run_id < other.run_id "
        "and one.started_at < other.finished_at and other.started_at < one.finished_at"
    )
    assert any(said) or int(overlapping), "no two of them met"
