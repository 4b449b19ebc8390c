"""A model whose refresh has late rows, rows without a key, and windows that close."""

from __future__ import annotations

from tests.harness import DbtProject
from tests.session_models import EVENTS, disordered, public, session_model

WINDOW = "event_windows.session(gap='30 minutes', grace='20 minutes')"
ROWS = disordered(12, 60)
FIRST = 25  # rows of the build
TABLES = ["", "__stream_time", "__dropped"]  # after the name of a model


def write_model(project: DbtProject, name: str, emit: str) -> None:
    aggregates = {"n": "count(*)", "total": "sum(value)"}
    sql = session_model("clicks", WINDOW, aggregates=aggregates, config={"emit": emit})
    project.model(name, sql)


def build_due(project: DbtProject, name: str, emit: str = "updates") -> None:
    write_model(project, name, emit)
    project.create_source("clicks", ROWS[:FIRST], EVENTS)


def refresh_due(project: DbtProject, name: str, emit: str = "updates") -> None:
    build_due(project, name, emit)
    project.run(name)
    project.append("clicks", ROWS[FIRST:])


def tables_of(project: DbtProject, name: str) -> list[list[str]]:
    """What users see, but for the run that wrote it."""
    return [public(project, name + suffix, without=["run_id"]) for suffix in TABLES]
