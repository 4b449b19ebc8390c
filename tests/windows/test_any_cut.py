"""Promises 1, 2 and 6, for every window type and scope of stream time.

After each refresh the tables hold what the reference makes of the rows so far, one at a time; so
they cannot depend on the cuts, and each row is in a window or among the dropped. A full refresh
then changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.harness import DbtProject, sampled
from tests.session_models import public
from tests.windows.cases import (
    KINDS,
    REFRESHES,
    SCOPES,
    Case,
    arrivals,
    drawn,
    model,
    wrong_cases,
)

SAMPLE = dict(zip(KINDS, ["key", "global", "partition", "key", "partition"], strict=True))


def failures(
    project: DbtProject, tables: dict[str, tuple[str, str]], cases: Sequence[Case], again: bool
) -> dict[str, set[Case]]:
    """Let the cases arrive in their refreshes; returns those that went wrong, by table."""
    wrong: dict[str, set[Case]] = {}
    for number, arrived in enumerate(arrivals(project, cases)):
        project.run(*tables, full_refresh=number == 0)
        if number in (0, REFRESHES - 1):
            for table, groups in wrong_cases(project, tables, arrived).items():
                wrong.setdefault(table, set()).update(cases[group] for group in groups)
    if again and not wrong:
        without = ["run_id"]
        kept = {table: public(project, table) for table in tables}
        dropped = {t: public(project, f"{t}__dropped", without) for t in tables}
        project.run(*tables, full_refresh=True)
        for table in tables:
            assert public(project, table) == kept[table]
            assert public(project, f"{table}__dropped", without) == dropped[table]
    return wrong


def smallest(project: DbtProject, table: str, of: tuple[str, str], case: Case) -> Case:
    """A case that goes wrong still, while none that is one step smaller does."""
    while True:
        candidates = list(case.smaller())
        wrong = failures(project, {table: of}, candidates, again=False).get(table, set())
        if not wrong:
            return case
        case = min(wrong, key=lambda candidate: len(candidate.rows))


def check(project: DbtProject, tables: dict[str, tuple[str, str]], cases: list[Case]) -> None:
    for table, (kind, scope) in tables.items():
        project.model(table, model(kind, scope, "cases"))
    wrong = failures(project, tables, cases, again=True)
    if wrong:
        table, found = min(wrong.items(), key=lambda item: item[0])
        case = min(found, key=lambda candidate: len(candidate.rows))
        if tables[table][1] != "global":  # where one clock is for all, no case stands alone
            case = smallest(project, table, tables[table], case)
        pytest.fail(f"{table}: {case}; all wrong: { {t: len(c) for t, c in wrong.items()} }")


@pytest.mark.parametrize("kinds", sampled([["session"], KINDS], [["session"]]))
def test_any_cut_gives_what_the_reference_gives(project: DbtProject, kinds: Sequence[str]) -> None:
    tables = {kind: (kind, SAMPLE[kind]) for kind in kinds}
    check(project, tables, drawn(1, 60)[0])


@pytest.mark.slow
def test_all_types_and_scopes(project: DbtProject) -> None:
    tables = {f"{kind}_by_{scope}": (kind, scope) for kind in KINDS for scope in SCOPES}
    for cases in drawn(4, 150):
        check(project, tables, cases)
