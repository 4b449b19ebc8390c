"""Models in catalogues of Iceberg's own, with what serves these, each in a process of its own."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.catalogues.catalogues import AWS_ENVIRONMENT, CATALOGUES, EXTENSIONS
from tests.catalogues.parts import PARTS
from tests.catalogues.sources import SOURCES
from tests.catalogues.texts import MODELS
from tests.daemons import TIMEOUT
from tests.harness import FILE_FORMAT, with_small
from tests.protocol.processes import SCHEMA, Project, environment
from tests.session_models import disordered

pytestmark = pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="catalogues of Iceberg tables")


def lived(
    folder: Path, settings: dict[str, str], models: Sequence[str], parts: Sequence[str]
) -> None:
    """Live these parts of a life in a process of its own."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.catalogues",
            str(folder / "project"),
            ",".join(models),
            *parts,
        ],
        input=json.dumps(settings),
        env=environment(**AWS_ENVIRONMENT),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=6 * TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-8000:]}"
    assert done.stdout.count("was as it must be") == len(parts)


def test_a_catalogue_that_holds_no_views(tmp_path: Path) -> None:
    with CATALOGUES["hadoop"](tmp_path) as settings:
        lived(tmp_path, settings, ["plain", "by_who"], ["build_and_refresh", "one_kill"])


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUES)
def test_a_whole_life_in_a_catalogue(name: str, tmp_path: Path) -> None:
    with CATALOGUES[name](tmp_path) as settings:
        lived(tmp_path, settings, MODELS, list(PARTS))


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUES)
def test_sources_of_a_catalogue(name: str, tmp_path: Path) -> None:
    with CATALOGUES[name](tmp_path) as settings:
        lived(tmp_path, settings, ["sessions"], ["build_and_refresh", *SOURCES])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["jdbc", "glue"])
def test_whether_the_extensions_are_there_makes_no_difference(name: str, tmp_path: Path) -> None:
    """Those that have views do without them, and those that have none get nothing from them."""
    with CATALOGUES[name](tmp_path) as settings:
        if settings.pop("spark.sql.extensions", None) is None:
            settings["spark.sql.extensions"] = EXTENSIONS
        lived(tmp_path, settings, MODELS, ["build_and_refresh", "one_kill", "questions"])


SESSIONS = """
{{{{ config(materialized='{kind}') }}}}
{{{{ event_windows.windowed(
    relation='{relation}', key='key', event_time='event_time',
    window=event_windows.session(gap='30 minutes', grace='20 minutes'),
    aggregates={{'n': 'count(*)'}}, arrival_order='arrival_seq'
) }}}}
"""
PLAIN = """
{{{{ config(materialized='windowed', grace='20 minutes', arrival_order='arrival_seq') }}}}
select key, session_window.start as began, count(*) as n
from {relation} as arrived where key is not null
group by key, session_window(event_time, '30 minutes') having count(*) < 4
"""
# what the one that comes second may say; of two that make one table at once dbt's own words too
SENTENCE = re.compile(r"event_windows: model '\w+': (another run|step \w+ met other writers)")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hadoop", "jdbc", "rest", "nessie"])
def test_two_runs_at_once(name: str, tmp_path: Path) -> None:
    rows = disordered(5, 120)
    with CATALOGUES[name](tmp_path) as settings:
        small = {"spark.master": "local[1]", "spark.driver.memory": "1g"}
        session = with_small(settings) | small
        project = Project(tmp_path / "project", {"server_side_parameters": session})
        relation = project.relation
        project.model("sessions", SESSIONS.format(kind="windowed", relation=relation))
        project.model("scratch", SESSIONS.format(kind="table", relation=relation))
        project.model("plain", PLAIN.format(relation=relation))
        project.arrive(rows[:40])
        assert project.run("--select", "sessions", "plain") == ""
        for first, last in itertools.pairwise([40, 70, 100, 120]):
            project.arrive(rows[first:last])
            said = project.together(*[["--select", "sessions", "plain"]] * 2)
            for error in said:
                assert error == "" or SENTENCE.search(error), error
                assert ".java:" not in error
        assert project.run() == ""
        truth = f"select key, window_start, n from {SCHEMA}.scratch"
        pairs = [
            (f"select key, window_start, n from {SCHEMA}.sessions", truth),
            (f"select key, began, n from {SCHEMA}.plain", f"{truth} where n < 4"),
        ]
        wrong = [
            f"({one} except all {other})"
            for pair in pairs
            for one, other in itertools.permutations(pair)
        ]
        assert project.ask(*wrong) == [[]] * 4
        read = f"select model, sum(rows_read) from {SCHEMA}.event_windows_runs group by model"
        assert dict(project.ask(read)[0])["sessions"] == str(len(rows))
