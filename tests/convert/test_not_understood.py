"""What is not understood is named: the clause, its line, the reason, and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import dbt_event_windows.convert
from dbt_event_windows.convert import NotUnderstoodError, convert
from tests.convert.not_understood import NOT_UNDERSTOOD, Case


def _problem(case: Case) -> tuple[str, int, str, str]:
    with pytest.raises(NotUnderstoodError) as caught:
        convert(case.model, case.dialect)
    first = caught.value.problems[0]
    return first.clause, first.line, first.problem, first.mend


@pytest.mark.parametrize("case", NOT_UNDERSTOOD, ids=lambda case: case.name)
def test_not_understood(case: Case) -> None:
    clause, line, problem, mend = _problem(case)
    assert (clause, line) == (case.clause, case.line), problem
    assert case.reason in problem
    assert mend


def test_every_reason_is_tested() -> None:
    """Also a reason that is added later needs a model here."""
    given = " ".join(_problem(case)[2] for case in NOT_UNDERSTOOD)
    folder = Path(dbt_event_windows.convert.__file__).parent
    for path in sorted(folder.glob("*.py")):
        for found in re.finditer(r'problem = \(?\s*f?"([^"]*)"', path.read_text()):
            parts = [one for one in re.split(r"\{[^}]*\}", found[1]) if one.strip()]
            assert all(part in given for part in parts), (path.name, found[1])
