"""What explain says of models, and whether a run of them does just that."""

from __future__ import annotations

import json
from typing import Any

from tests.formats import last_commit
from tests.harness import DbtProject, Statements, is_write, recorded
from tests.session_models import exists, ledger

Told = dict[str, Any]
STORED = ["", "__state", "__dropped", "__ew_clocks"]


def explained(project: DbtProject, *models: str, **options: Any) -> dict[str, Told]:
    """What explain says as JSON, by model, after a look that it wrote nothing."""
    views = {row.viewName for row in project.rows(f"show views in {project.schema}")}
    tables = [f"{name}{end}" for name in models for end in STORED]
    tables = [name for name in tables if name not in views and exists(project, name)]
    before = {name: last_commit(project, name) for name in tables}
    with recorded() as statements:
        text = project.operation(
            "event_windows.explain", model=list(models), output="json", **options
        )
    assert not [sql for sql in statements if is_write(sql) or "cache" in sql.split()[:1]]
    assert before == {name: last_commit(project, name) for name in tables}
    return {told["model"]: told for told in json.loads(text)}


def otherwise(told: Told, statements: Statements, lines: list[Any]) -> list[str]:
    """What of an incremental run was not as it was told: `lines` are those of its ledger."""

    def total(column: str) -> int:
        return sum(getattr(line, column) or 0 for line in lines)

    facts = {
        "rows_read": total("rows_read"),
        "keys_rebuilt": total("keys_rebuilt"),
        "rows_rebuilt": total("rows_rebuilt"),
        "refreshes": len(lines),
    }
    if told["uncountable"] is not None:
        facts["uncountable"] = total("rows_null")
    if told["skipped"] is not None and lines:
        facts["skipped"] = total("rows_skipped")
    wrong = [f"{name}: told {told[name]}, was {was}" for name, was in facts.items()]
    wrong = [line for line, name in zip(wrong, facts, strict=True) if told[name] != facts[name]]
    late = total("rows_late") + total("rows_late_partial")
    if late and not told["late_keys"]:
        wrong.append(f"late_keys: told {told['late_keys']}, and {late} rows were late")
    sent = statements.steps_of(told["model"])
    # of several refreshes the steps of one are told
    is_first = told["refreshes"] > 1 and sent[: len(told["steps"])] == told["steps"]
    if not is_first and _surely(told["steps"], sent) != sent:
        wrong.append(f"steps: told {told['steps']}, were {sent}")
    return wrong


def _surely(steps: list[str], sent: list[str]) -> list[str]:
    """The steps that were told, and of those that depend on what is late the ones that were sent.

    One that was sent twice in a row is there once.
    """
    found: list[str] = []
    for step in steps:
        name, _, condition = step.partition(", if ")
        if found and found[-1] == name:
            continue
        if not condition or sent[len(found) : len(found) + 1] == [name]:
            found.append(name)
    return found


def came_true(project: DbtProject, told: Told, **options: Any) -> Statements:
    """Run the model, and look at what was said of it."""
    lines = len(ledger(project, told["model"]))
    with recorded() as statements:
        outcome = project.run(told["model"], expect_error=told["run"] == "stops", **options)
    after = ledger(project, told["model"])[lines:]
    if told["run"] == "incremental":
        assert not otherwise(told, statements, after)
    else:
        assert sum(line.rows_read for line in after) == told["rows"]
    if told["run"] == "stops":
        assert any(why in outcome.error for why in told["why"])
    return statements
