"""When the model was last found equal to Spark's own answer."""

from __future__ import annotations

from collections.abc import Sequence

from dbt_event_windows.report import markup
from dbt_event_windows.report.test_results import COMPARING, LastResults
from dbt_event_windows.report.times import instant

HEADING = "Compared with Spark's own answer"


def tests_part(results: Sequence[LastResults]) -> str:
    """HTML of it: a line for each test, or that nothing is known of any."""
    if not results:
        words = (
            f"Nothing is known of a test {' or '.join(COMPARING)} of this model in its schema: "
            "none is in the results that dbt left of its last command, or that --test-results "
            "names."
        )
        return f"<h3>{markup.text(HEADING)}</h3>{markup.paragraph(words)}"
    failed = [place for place, one in enumerate(results) if one.last.status != "pass"]
    lines: list[markup.Row] = [
        [
            one.last.test,
            f"{one.last.sample} %",
            "not known" if one.passed is None else instant(one.passed),
            instant(one.last.at),
            one.last.status,
        ]
        for one in results
    ]
    head = ["test", "of the keys", "last passed", "last run", "which ended with"]
    return f"<h3>{markup.text(HEADING)}</h3>{markup.table(head, lines, failed)}"


def failures(results: Sequence[LastResults]) -> list[str]:
    """A sentence for each test that did not pass when it last ran."""
    return [
        f"The test {one.last.test} ended with {one.last.status} at {instant(one.last.at)}."
        for one in results
        if one.last.status != "pass"
    ]
