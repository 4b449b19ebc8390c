"""The README's pictures are those of the demo's rows, as they are drawn now."""

from __future__ import annotations

import csv
import importlib
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("matplotlib", reason="pictures need the extra [report]: matplotlib")

from dbt_event_windows.report.asking import DbtAsker
from tests.harness import REPOSITORY, DbtProject

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
VIEWS = "user_id string, url string, amount decimal(10,2), viewed_at timestamp, arrival_seq bigint"


@pytest.fixture(scope="module")
def demo_report() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(REPOSITORY / "scripts"))
        yield importlib.import_module("demo_report")


def alike(one: str, other: str) -> bool:
    """Whether two drawings differ by less than versions of matplotlib do: two pixels."""
    numbers, others = NUMBER.findall(one), NUMBER.findall(other)
    return NUMBER.sub("0", one) == NUMBER.sub("0", other) and all(
        abs(float(a) - float(b)) <= 2 for a, b in zip(numbers, others, strict=True)
    )


def test_they_are_as_they_are_drawn_now(demo_report: ModuleType) -> None:
    pictures = demo_report.drawn(json.loads(demo_report.ROWS.read_text()))
    assert {path.name for path in pictures} == {"ada.svg", "cleo.svg"}
    for path, picture in pictures.items():
        assert alike(path.read_text(), picture), f"{path}: run scripts/demo_report.py again"


def test_they_say_what_they_show_and_are_light_and_dark(demo_report: ModuleType) -> None:
    readme = (REPOSITORY / "README.md").read_text()
    for user in demo_report.USERS:
        [text] = re.findall(rf"!\[([^\]]+)\]\(docs/pictures/{user}\.svg\)", readme)
        assert len(text) > 80
        file = demo_report.PICTURES / f"{user}.svg"
        root = ElementTree.parse(file).getroot()
        assert f"rows of user_id={user} by event time" in root.attrib["aria-label"]
        assert "prefers-color-scheme: dark" in file.read_text()
        assert file.stat().st_size < 50_000


@pytest.mark.slow
def test_their_rows_are_those_of_the_demo(
    project: DbtProject, demo_report: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (REPOSITORY / f"models/demo/{demo_report.MODEL}.sql").read_text()
    # the package has a model of the demo's name, which is disabled here
    name = "as_in_the_demo"
    project.model(name, text.replace(f"ref('{demo_report.STAGED}')", "source('raw', 'views')"))
    project.create_source("views", seeded(demo_report.SEED, *demo_report.FIRST), VIEWS)
    project.run(name)
    project.append("views", seeded(demo_report.SEED, *demo_report.THEN))
    project.run(name)
    monkeypatch.setattr(demo_report, "MODEL", name)
    options = ("--project-dir", str(project.root), "--profiles-dir", str(project.root))
    found = demo_report.asked(DbtAsker(options))
    assert in_any_order(json.loads(json.dumps(found))) == in_any_order(
        json.loads(demo_report.ROWS.read_text())
    )


def in_any_order(rows: dict[str, list[Any]]) -> dict[str, list[str]]:
    return {
        user: sorted(json.dumps(line, sort_keys=True) for line in lines)
        for user, lines in rows.items()
    }


def seeded(seed: str, first: int, last: int) -> list[tuple[Any, ...]]:
    """Rows of a seed with these arrival numbers."""
    with (REPOSITORY / f"seeds/{seed}.csv").open() as file:
        return [
            (
                row["user_id"] or None,
                row["url"],
                Decimal(row["amount"]) if row["amount"] else None,
                datetime.fromisoformat(row["viewed_at"]).replace(tzinfo=UTC)
                if row["viewed_at"]
                else None,
                int(row["arrival_seq"]),
            )
            for row in csv.DictReader(file)
            if first <= int(row["arrival_seq"]) <= last
        ]
