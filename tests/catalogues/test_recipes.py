"""The example's profiles as they are, each with what it names: a build and a refresh in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from tests.catalogues.catalogues import AWS_ENVIRONMENT, BUCKET, SQLITE, moto, nessie, rest
from tests.catalogues.test_catalogues import PLAIN, SESSIONS
from tests.examples.test_examples import EXAMPLES, profile
from tests.harness import FILE_FORMAT
from tests.protocol.processes import Project
from tests.session_models import disordered

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="catalogues of Iceberg tables"),
]
SCHEMA = "event_windows"  # of the profiles
URI = "spark.sql.catalog.lake.uri"


@contextmanager
def of_amazon(folder: Path) -> Iterator[dict[str, str]]:
    """What a user has in the environment; here it also says where Amazon is."""
    with moto(folder) as address:
        warehouse = {"CATALOGUE_WAREHOUSE": f"s3://{BUCKET}/warehouse"}
        yield AWS_ENVIRONMENT | {"AWS_ENDPOINT_URL": address} | warehouse


@contextmanager
def a_rest_server(folder: Path) -> Iterator[dict[str, str]]:
    with rest(folder) as settings:
        yield {"CATALOGUE_URI": settings[URI], "CATALOGUE_TOKEN": "any"}


@contextmanager
def nessie_and_s3(folder: Path) -> Iterator[dict[str, str]]:
    with nessie(folder) as settings, of_amazon(folder) as amazon:
        yield amazon | {"CATALOGUE_URI": settings[URI], "CATALOGUE_AUTHENTICATION": "NONE"}


@contextmanager
def a_database(folder: Path) -> Iterator[dict[str, str]]:
    yield {
        "CATALOGUE_URI": f"jdbc:sqlite:{folder}/lake.db",
        "CATALOGUE_DRIVER": SQLITE,
        "CATALOGUE_WAREHOUSE": str(folder / "lake"),
    }


@contextmanager
def a_folder(folder: Path) -> Iterator[dict[str, str]]:
    yield {"CATALOGUE_WAREHOUSE": str(folder / "lake")}


RECIPES: dict[str, Callable[[Path], AbstractContextManager[dict[str, str]]]] = {
    "rest": a_rest_server,
    "glue": of_amazon,
    "nessie": nessie_and_s3,
    "jdbc": a_database,
    "hadoop": a_folder,
}


@pytest.mark.parametrize("target", RECIPES)
def test_a_profile_of_the_example(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = disordered(5, 60)
    with RECIPES[target](tmp_path) as given:
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        file = "profiles.catalogues.yml"
        session = profile(target, file, given).credentials.server_side_parameters
        project = Project(tmp_path / "project", {"server_side_parameters": session})
        project.write(
            "profiles.yml", (EXAMPLES / file).read_text().replace("event_windows:", "p:", 1)
        )
        relation = project.relation
        project.model("sessions", SESSIONS.format(kind="'windowed'", relation=relation))
        project.model("scratch", SESSIONS.format(kind="'table'", relation=relation))
        project.model("plain", PLAIN.format(relation=relation))
        for some in (rows[:40], rows[40:]):
            project.arrive(some)
            assert project.run("--target", target) == ""
        found, plain, truth, short, read = project.ask(
            f"select key, window_start, n from {SCHEMA}.sessions order by all",
            f"select key, began, n from {SCHEMA}.plain order by all",
            f"select key, window_start, n from {SCHEMA}.scratch order by all",
            f"select key, window_start, n from {SCHEMA}.scratch where n < 4 order by all",
            f"select sum(rows_read) from {SCHEMA}.event_windows_runs where model = 'sessions'",
        )
        assert found == truth
        assert plain == short
        assert read == [[str(len(rows))]]
