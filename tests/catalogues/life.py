"""A project in a catalogue, with models of each kind, that rows arrive for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from tests.catalogues.texts import (
    AGGREGATES,
    CALLS,
    PLAIN,
    ROLLUPS,
    SHORT,
    TESTS,
    truth,
)
from tests.harness import DbtProject, with_small
from tests.session_models import EVENTS, disordered, session_model

SCHEMA = "living"
HOLD_VIEWS = ("jdbc", "rest", "nessie")
ROWS = disordered(21, 400)


class Life:
    """The project, and how many rows have arrived."""

    def __init__(self, folder: Path, settings: dict[str, str], models: list[str]) -> None:
        builder = SparkSession.builder.enableHiveSupport()
        for name, value in with_small(settings | {"spark.sql.ansi.enabled": "false"}).items():
            builder = builder.config(name, value)
        folder.mkdir(exist_ok=True)
        self.project = DbtProject(folder, builder.getOrCreate(), SCHEMA)
        self.arrived = 0
        self.models = models
        for name, (window, config) in CALLS.items():
            for kind, suffix in (("windowed", ""), ("table", "_scratch")):
                own = config if kind == "windowed" else {}
                text = session_model("rows", window, kind, own, aggregates=AGGREGATES)
                self.project.model(name + suffix, text)
        self.project.model("plain", PLAIN)
        self.project.model("short", SHORT)
        for name, text in ROLLUPS.items():
            self.project.model(name, "{{ config(materialized='rollup') }}" + text)
        tested = [{"name": name, "data_tests": tests} for name, tests in TESTS.items()]
        self.project.write_yaml("models/tests.yml", {"models": tested})

    @property
    def has_views(self) -> bool:
        """Whether models in plain SQL are views in this catalogue."""
        settings = self.project.spark.conf
        kind = str(settings.get("spark.sql.catalog.lake.type", "session"))
        extended = "iceberg" in str(settings.get("spark.sql.extensions", ""))
        return not extended if kind == "session" else kind in HOLD_VIEWS and extended

    @property
    def views(self) -> set[str]:
        if not self.has_views:
            return set()
        return {row.viewName for row in self.project.rows(f"show views in {SCHEMA}")}

    def arrive(self, count: int) -> None:
        more = ROWS[self.arrived : self.arrived + count]
        assert more, "there are no more rows"
        if self.arrived:
            self.project.append("rows", more)
        else:
            self.project.create_source("rows", more, EVENTS)
        self.arrived += len(more)

    def run(self, *names: str, **options: Any) -> None:
        self.project.run(*(names or self.models), **options)

    def compare(self, *names: str) -> None:
        """Each model holds what its windows from scratch give, once each."""
        chosen = list(names or self.models)
        behind = {name if name in CALLS else "sessions" for name in chosen}
        self.project.run(*[f"{name}_scratch" for name in behind])
        for name in chosen:
            columns, query = truth(name)
            self.same(f"select {columns} from {name}", query)
            assert self.project.rows(f"select count(*) from {name}")[0][0] > 0, name

    def same(self, found: str, expected: str) -> None:
        """Both queries give the same rows, as often."""
        for one, other in ((found, expected), (expected, found)):
            wrong = self.project.rows(f"({one}) except all ({other})")
            assert not wrong, (found, "too many" if one == found else "missing", wrong[:5])

    def told(self, what: str) -> dict[str, int]:
        """What the ledger has of a count, all refreshes of a model together."""
        asked = f"select model, sum({what}) from event_windows_runs group by model"
        return {row[0]: row[1] for row in self.project.rows(asked)}
