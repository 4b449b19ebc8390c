"""A line break inside a literal of a user's text stays as it is."""

from __future__ import annotations

import re

import pytest

from tests.harness import REPOSITORY
from tests.macros.scripted import CALL, TYPES, Script, run

BREAK = "'a\nb'"
SELECT = f"(select *, split_part(page, {BREAK}, 1) as part from views)"
CALLS = {
    "relation": {"relation": SELECT},
    "aggregate": {"aggregates": CALL["aggregates"] | {"pages": f"max(concat(page, {BREAK}))"}},
}
# What these put together has names of columns in it, and no text of a user.
INDENTED = {
    "queries/_clocks_of.sql",
    "tables/_ledger.sql",
    "windows/_session/_hooks.sql",
    "windows/_session/_replay_in_sql.sql",
}


@pytest.fixture(autouse=True)
def types(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TYPES, "max(concat(", "string")
    monkeypatch.setitem(TYPES, "concat(", "string")


@pytest.mark.parametrize("late", [0, 100, 30_000], ids=["none late", "few late", "many late"])
@pytest.mark.parametrize("kind", ["session", "tumbling", "sliding"])
@pytest.mark.parametrize("where", ["relation", "aggregate"])
def test_in_a_run(kind: str, where: str, late: int) -> None:
    for build in (True, False):
        script = Script(late=late > 0, new=late or 100)
        texts = run(script, kind, build=build, call=CALLS[where])
        found = [literal for text in texts for literal in re.findall(r"'a\s+b'", text)]
        assert found
        assert set(found) == {BREAK}


def test_no_text_of_a_user_is_indented() -> None:
    macros = REPOSITORY / "macros"
    found = {
        str(path.relative_to(macros))
        for path in macros.rglob("*.sql")
        if "indent(" in path.read_text()
    }
    assert found == INDENTED
