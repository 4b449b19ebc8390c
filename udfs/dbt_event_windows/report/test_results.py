"""When a model was last found equal to Spark's own answer, by what dbt wrote of its tests.

A test writes nothing into the warehouse. dbt writes how tests ended into run_results.json, of its
last command alone, and which tests those are into the manifest.json beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dbt_event_windows.report.errors import ReportError
from dbt_event_windows.report.times import SECOND

COMPARING = ("equals_its_sql", "equals_from_scratch")
# how tests that ran end: `dbt compile` leaves `success`, and one may be `skipped`
_ENDS = ("pass", "warn", "fail", "error")
RESULTS, MANIFEST = "run_results.json", "manifest.json"


@dataclass(frozen=True)
class TestResult:
    """How a test of a model ended, and when, in microseconds. sample: as the project has it.

    models: what the model may be called by; of several versions the latest needs none.
    schema: where it was, which tells targets apart.
    """

    __test__ = False  # no test of pytest's

    models: tuple[str, ...]
    schema: str
    test: str
    sample: str
    status: str
    at: int


@dataclass(frozen=True)
class LastResults:
    """Of one test of a model: its last result, and when it last passed, if that is known."""

    last: TestResult
    passed: int | None


def read_test_results(files: Sequence[Path]) -> list[TestResult]:
    """The results of tests that compare, from files as `target/run_results.json`.

    Raises:
        ReportError: one of them, or the manifest.json beside it, is not there or not dbt's.
    """
    found: list[TestResult] = []
    for file in files:
        try:
            found += _of_file(file)
        except OSError as error:
            raise ReportError(
                f"--test-results {file}: {error.strerror}: {error.filename}; give dbt's "
                f"{RESULTS} with the {MANIFEST} beside it"
            ) from error
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise ReportError(
                f"--test-results {file}: this, or the {MANIFEST} beside it, is not as dbt writes "
                f"it ({type(error).__name__}: {error})"
            ) from error
    return found


def _of_file(file: Path) -> Iterable[TestResult]:
    results = json.loads(file.read_text("utf-8"))
    nodes = json.loads((file.parent / MANIFEST).read_text("utf-8"))["nodes"]
    for result in results["results"]:
        # a test that was renamed or taken away since is none of the project any more
        node = nodes.get(result["unique_id"], {})
        kind = node.get("test_metadata") or {}
        model = nodes.get(node.get("attached_node"))
        # one that could not be compiled has no time of execution, and has ended all the same
        times = [one["completed_at"] for one in result["timing"] if one["completed_at"]]
        is_ours = kind.get("name") in COMPARING and kind.get("namespace") == "event_windows"
        if is_ours and model and times and result["status"] in _ENDS:
            yield TestResult(
                _names(model),
                str(model["schema"]),
                kind["name"],
                str(kind["kwargs"].get("sample", 100)),
                result["status"],
                _micros(times[-1]),
            )


def _names(model: dict[str, Any]) -> tuple[str, ...]:
    version, name = model.get("version"), str(model["name"])
    if version is None:
        return (name,)
    versioned = f"{name}.v{version}"
    return (versioned, name) if version == model.get("latest_version") else (versioned,)


def _micros(text: Any) -> int:
    moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    since = aware - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * SECOND + since.microseconds


def last_results(results: Iterable[TestResult], model: str, schema: str) -> list[LastResults]:
    """The last of each test of a model in a schema; of one with several samples, each is a test."""
    of_test: dict[tuple[str, str], list[TestResult]] = {}
    for result in sorted(results, key=lambda one: one.at):
        if model in result.models and result.schema.lower() == schema.lower():
            of_test.setdefault((result.test, result.sample), []).append(result)
    return [
        LastResults(ran[-1], max((one.at for one in ran if one.status == "pass"), default=None))
        for _, ran in sorted(of_test.items())
    ]
