"""A few kills of whole processes; `make soak` has hundreds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.protocol.soak import MODELS, soak


@pytest.mark.parametrize(
    ("kills", "count", "seed", "names"),
    [
        # with this seed the first run is killed
        pytest.param(1, 5, 34, ["sessions"], marks=pytest.mark.slow),
        pytest.param(12, 60, 12, [*MODELS], marks=pytest.mark.slow),
    ],
)
def test_kills_at_random_instants_leave_no_trace(
    tmp_path: Path, kills: int, count: int, seed: int, names: list[str]
) -> None:
    (tmp_path / "project").mkdir()
    assert soak(tmp_path, kills, seed, count, names).kills == kills
