"""Models in catalogues of Iceberg's own, with what serves these, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.catalogues.catalogues import AWS_ENVIRONMENT, CATALOGUES
from tests.catalogues.life import MODELS, PARTS
from tests.daemons import TIMEOUT
from tests.harness import FILE_FORMAT
from tests.protocol.processes import environment

LIFE = "tests.catalogues.life"

pytestmark = pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="catalogues of Iceberg tables")


def lived(
    folder: Path, settings: dict[str, str], models: Sequence[str], parts: Sequence[str]
) -> None:
    """Live these parts of a life in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", LIFE, str(folder / "project"), ",".join(models), *parts],
        input=json.dumps(settings),
        env=environment(**AWS_ENVIRONMENT),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=3 * TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-8000:]}"
    assert done.stdout.count("was as it must be") == len(parts)


def test_a_catalogue_that_holds_no_views(tmp_path: Path) -> None:
    with CATALOGUES["hadoop"](tmp_path) as settings:
        lived(tmp_path, settings, ["plain"], ["build_and_refresh", "one_kill"])


@pytest.mark.slow
@pytest.mark.parametrize("name", CATALOGUES)
def test_a_whole_life_in_a_catalogue(name: str, tmp_path: Path) -> None:
    with CATALOGUES[name](tmp_path) as settings:
        lived(tmp_path, settings, MODELS, list(PARTS))
