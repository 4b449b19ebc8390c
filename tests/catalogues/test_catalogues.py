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
from tests.harness import FILE_FORMAT, session_settings, with_small
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
        parts = ["build_and_refresh", "one_kill", "a_table_of_its_text"]
        lived(tmp_path, settings, ["plain", "by_who"], parts)


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


@pytest.mark.slow
def test_a_session_that_does_not_reach_the_views_of_another(tmp_path: Path) -> None:
    with CATALOGUES["jdbc"](tmp_path) as settings:
        without = {key: settings[key] for key in settings if key != "spark.sql.extensions"}
        lived(tmp_path, settings, ["plain"], ["build_and_refresh"])
        lived(tmp_path, without, ["plain"], ["no_way_to_the_views"])
        lived(tmp_path, settings, ["plain"], ["tables_for_views"])
        lived(tmp_path, without, ["plain"], ["tables_for_views"])


@pytest.mark.slow
def test_views_that_are_made_by_iceberg(tmp_path: Path) -> None:
    with CATALOGUES["jdbc"](tmp_path) as settings:
        parts = ["build_and_refresh", "no_view_shows_it", "in_the_place_of_a_view"]
        lived(tmp_path, settings, ["sessions", "plain", "short", "by_who"], parts)


@pytest.mark.slow
def test_icebergs_extensions_over_the_catalogue_of_the_session(tmp_path: Path) -> None:
    """Spark reads the views that they make there in the time zone of its Java, here UTC."""
    usual = session_settings(tmp_path) | {"spark.sql.session.timeZone": "Asia/Tokyo"}
    extended = usual | {"spark.sql.extensions": EXTENSIONS}
    lived(tmp_path, extended, ["plain", "by_who"], ["build_and_refresh"])
    lived(tmp_path, usual, ["plain"], ["views_again"])
    lived(tmp_path, extended, ["plain"], ["a_view_of_hives"])


SESSIONS = """
{{{{ config(materialized={kind}) }}}}
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
BY_DAY = """
{{ config(materialized='rollup') }}
select date(window_start) as day, count(*) as windows, sum(n) as n
from {{ ref('sessions') }} group by all
"""
KINDS = {
    "sessions": "'windowed'",
    "scratch": "'table'",
    "final": "'windowed', emit='final'",
    # what is final leaves the state as soon as it is, and is joined to nothing from then on
    "final_scratch": "'table', retention='50 minutes'",
}
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
        for model, kind in KINDS.items():
            project.model(model, SESSIONS.format(kind=kind, relation=relation))
        project.model("plain", PLAIN.format(relation=relation))
        project.model("by_day", BY_DAY)
        project.arrive(rows[:40])
        kept = ["--select", "sessions", "final", "plain", "by_day"]
        assert project.run(*kept) == ""
        rivals = [[kept, kept], [kept, [*kept, "--full-refresh"]], [kept, kept]]
        for (first, last), commands in zip(
            itertools.pairwise([40, 70, 100, 120]), rivals, strict=True
        ):
            project.arrive(rows[first:last])
            for error in project.together(*commands):
                assert error == "" or SENTENCE.search(error), error
                assert ".java:" not in error
        assert project.run() == ""
        windows = f"select key, window_start, n from {SCHEMA}."
        of_days = "select date(window_start) as day, count(*) as windows, sum(n) as n"
        closed = (
            f"inner join (select key, max(event_time) as clock from {relation} group by key) using "
            "(key) where timestampadd(MINUTE, 50, window_end) < clock"
        )
        pairs = [
            (f"{windows}sessions", f"{windows}scratch"),
            (f"{windows}final", f"{windows}final_scratch {closed}"),
            (f"select key, began, n from {SCHEMA}.plain", f"{windows}scratch where n < 4"),
            (
                f"select day, windows, n from {SCHEMA}.by_day",
                f"{of_days} from {SCHEMA}.scratch group by all",
            ),
        ]
        wrong = [
            f"({one}) except all ({other})"
            for pair in pairs
            for one, other in itertools.permutations(pair)
        ]
        assert project.ask(*wrong) == [[]] * 8
        runs = f"{SCHEMA}.event_windows_runs where model = 'sessions'"
        build = f"(select max(_ew_refresh) from {runs} and arrival_from = 0)"
        read = project.ask(f"select sum(rows_read) from {runs} and _ew_refresh >= {build}")
        assert read == [[[str(len(rows))]]]
