"""A failing text made as small as it gets while it still fails, and then its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tests.plain_sql.generated.outcomes import Verdict
from tests.plain_sql.generated.text import Text

Refreshes = Sequence[Sequence[Any]]
AT_ONCE = 24  # models of one dbt run


class Judge(Protocol):
    """What says of texts how they end."""

    def is_taken(self, text: Text) -> bool: ...

    def verdicts(self, texts: Sequence[Text], refreshes: Refreshes) -> list[Verdict]: ...


def smallest(judge: Judge, verdict: Verdict, refreshes: Refreshes) -> tuple[Verdict, Refreshes]:
    """The smallest text found that ends in the same way, and the fewest rows that show it."""
    seen = {verdict.text.sql}
    while found := _smaller(judge, verdict, refreshes, seen):
        verdict = found
    return _with_fewer_rows(judge, verdict, [list(rows) for rows in refreshes])


def _smaller(
    judge: Judge, verdict: Verdict, refreshes: Refreshes, seen: set[str]
) -> Verdict | None:
    """One part less, or several where each alone can go."""
    candidates: dict[str, Text] = {}
    for text in verdict.text.smaller():
        if text.sql not in seen and text.size < verdict.text.size and judge.is_taken(text):
            candidates[text.sql] = text
    seen.update(candidates)
    by_size = sorted(candidates.values(), key=lambda text: text.size)
    for place in range(0, len(by_size), AT_ONCE):
        found = judge.verdicts(by_size[place : place + AT_ONCE], refreshes)
        for one in found:
            if one.end is verdict.end:
                return one
    return None


def _with_fewer_rows(
    judge: Judge, verdict: Verdict, refreshes: list[list[Any]]
) -> tuple[Verdict, Refreshes]:
    """Leave out a half of the rows, a quarter, and so on, of any refresh."""
    size = max(len(rows) for rows in refreshes) // 2
    while size:
        for place, rows in enumerate(refreshes):
            start = 0
            while start < len(rows):
                fewer = rows[:start] + rows[start + size :]
                (found,) = judge.verdicts(
                    [verdict.text], [*refreshes[:place], fewer, *refreshes[place + 1 :]]
                )
                if found.end is verdict.end:
                    verdict, rows = found, fewer
                    refreshes[place] = rows
                else:
                    start += size
        size //= 2
    return verdict, refreshes


def described(verdict: Verdict, refreshes: Refreshes) -> str:
    """What to look at: the text, what became of it, and the rows of each refresh."""
    rows = [f"refresh {place + 1}: {one}" for place, part in enumerate(refreshes) for one in part]
    shown = rows if len(rows) <= 12 else [f"{len(rows)} rows"]
    return "\n".join([verdict.end.value, verdict.text.over({}), verdict.why, *shown])
