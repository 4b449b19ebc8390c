"""Models and what they are converted to, as pairs in files.

EVENT_WINDOWS_WRITE_MODELS=1 writes what they are converted to anew.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from dbt_event_windows.convert import convert
from tests.pairs import write_pair

FILES = sorted((Path(__file__).parent / "models").glob("*.yml"))
WRITE = os.environ.get("EVENT_WINDOWS_WRITE_MODELS")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_converted(path: Path) -> None:
    pair = yaml.safe_load(path.read_text())
    text = convert(pair["model"], pair["dialect"]).text
    if WRITE:
        pair["converted"] = text
        write_pair(path, pair)
    assert text == pair["converted"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_converted_model_is_converted_to_itself(path: Path) -> None:
    pair = yaml.safe_load(path.read_text())
    once = convert(pair["model"], pair["dialect"])
    assert convert(once.text, "spark").sql == once.sql
