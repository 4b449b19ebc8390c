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
SESSIONS = [path for path in FILES if path.stem.startswith("session")]
RUNS = [(path, pieces, "python") for pieces in (3, 1) for path in FILES]
RUNS += [(path, pieces, "sql") for pieces in (3, 1) for path in SESSIONS]
# Of windows that rows make; tests/emission/test_final.py has some that stand. The others are slow.
SAMPLE = {("session-1", 1, "python"), ("sliding-1", 1, "python")}


@pytest.mark.parametrize(
    ("path", "pieces", "replay"),
    [
        pytest.param(
            path,
            pieces,
            replay,
            id=f"{path.stem} in {pieces}" + " by sql" * (replay == "sql"),
            marks=[] if (path.stem, pieces, replay) in SAMPLE else pytest.mark.slow,
        )
        for path, pieces, replay in RUNS
    ],
)
def test_windows_values_and_dropped_rows_are_kafkas(
    project: DbtProject, path: Path, pieces: int, replay: str
) -> None:
    vector = read_spec(path)
    name = f"{path.stem.replace('-', '_')}_in_{pieces}_{replay}"
    project.model(name, model(constructor(vector.window), f"{name}_rows", replay=replay))

    refresh_in_pieces(project, name, source_rows(vector), pieces, seed=pieces)

    assert windows_of(project, name) == vector.windows
    assert dropped_of(project, name) == vector.dropped
