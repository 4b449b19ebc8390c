"""Questions to a model by way of dbt, so that they go over any connection that dbt has."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any, Protocol

from dbt_event_windows.report.errors import AskError

Line = dict[str, Any]


_BEFORE = (
    *("--no-send-anonymous-usage-stats", "--no-version-check", "--no-use-colors"),
    # what dbt left of the last tests stays
    "--no-write-json",
)
_AFTER = ("--output", "json", "--limit", "-1")


class Answer:
    """The lines of an answer by the part that they are of, in the order given."""

    def __init__(self, lines: Sequence[tuple[str, Line]]) -> None:
        self._parts: dict[str, list[Line]] = {}
        for part, line in lines:
            self._parts.setdefault(part, []).append(line)

    def all(self, part: str) -> list[Line]:
        """The lines of a part; none if there are none."""
        return self._parts.get(part, [])

    def one(self, part: str) -> Line:
        """The first line of a part, an empty one if there is none."""
        return next(iter(self.all(part)), {})


class Asker(Protocol):
    """Whoever can answer: dbt, or a test."""

    def ask(self, question: str) -> Answer:
        """The answer to a SELECT of (part, line) with Jinja in it.

        Raises:
            AskError: there is none.
        """


@dataclass(frozen=True)
class DbtAsker:
    """Asks dbt, in this process, by `dbt show --inline`.

    options: command line options of dbt that are handed on, such as `--project-dir`, `x`.
    """

    options: tuple[str, ...] = ()

    def ask(self, question: str) -> Answer:
        """See Asker."""
        from dbt.cli.main import dbtRunner

        wrong: list[str] = []

        def listen(event: Any) -> None:
            if event.info.level == "error" and event.info.msg not in wrong:
                wrong.append(event.info.msg)

        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            outcome = dbtRunner(callbacks=[listen]).invoke(
                [*_BEFORE, "show", "--inline", question, *_AFTER, *self.options]
            )
        results = getattr(outcome.result, "results", None) or []
        if not outcome.success or not results:
            messages = [str(result.message) for result in results if result.message]
            # of an exception dbt tells less than of what it logged before it
            logged = [*wrong, str(outcome.exception or said.getvalue() or "no answer")]
            raise AskError("\n".join(messages or logged))
        return Answer(
            [(str(row["part"]), json.loads(row["line"])) for row in results[0].agate_table.rows]
        )
