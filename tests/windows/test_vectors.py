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


@pytest.mark.parametrize(
    ("path", "pieces"),
    [
        *(pytest.param(path, 3, id=f"{path.stem} in 3") for path in FILES),
        *(
            pytest.param(
                path,
                1,
                id=f"{path.stem} in 1",
                marks=[] if path.stem.endswith("-1") else pytest.mark.slow,
            )
            for path in FILES
        ),
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
