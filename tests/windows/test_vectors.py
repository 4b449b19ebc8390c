"""Kafka Streams' own results, by dbt models, in one refresh and in several."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness import DbtProject
from tests.python.vectors import read_spec, spec_files
from tests.windows.conformance import (
    constructor,
    dropped_of,
    model,
    refresh_in_pieces,
    source_rows,
    windows_of,
)

FILES = spec_files()
# The first file of each type, in several refreshes and in one; the others are slow tests.
SAMPLE = {(path.stem, pieces) for path in FILES for pieces in (1, 3) if path.stem.endswith("-1")}


@pytest.mark.parametrize(
    ("path", "pieces"),
    [
        pytest.param(
            path,
            pieces,
            id=f"{path.stem} in {pieces}",
            marks=[] if (path.stem, pieces) in SAMPLE else pytest.mark.slow,
        )
        for pieces in (3, 1)
        for path in FILES
    ],
)
def test_windows_values_and_dropped_rows_are_kafkas(
    project: DbtProject, path: Path, pieces: int
) -> None:
    vector = read_spec(path)
    name = f"{path.stem.replace('-', '_')}_in_{pieces}"
    project.model(name, model(constructor(vector.window), f"{name}_rows"))

    refresh_in_pieces(project, name, source_rows(vector), pieces, seed=pieces)

    assert windows_of(project, name) == vector.windows
    assert dropped_of(project, name) == vector.dropped
