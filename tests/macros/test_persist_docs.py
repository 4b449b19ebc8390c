"""macros/run/_persist_docs.sql: which comments are written, and when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from tests.macros.rendering import Macros, Model, Relation

BOTH = {"relation": True, "columns": True}
THERE = [
    {"col_name": "user_id", "data_type": "string", "comment": "who"},
    {"col_name": "Views", "data_type": "bigint", "comment": None},
    {"col_name": "page", "data_type": "string", "comment": ""},
    {"col_name": "", "data_type": "", "comment": ""},
    {"col_name": "# Detailed Table Information", "data_type": "", "comment": ""},
    {"col_name": "page", "data_type": "of another kind", "comment": ""},
    {"col_name": "Comment", "data_type": "Views of a user.", "comment": ""},
]
DESCRIBED = {"user_id": "who", "views": "it's how many", "page": ""}


def documented(relation: Any, columns: Mapping[str, Any], names: list[str]) -> Mapping[str, Any]:
    """dbt's own, which warns of the others."""
    there = {name.lower() for name in names}
    return {name: column for name, column in columns.items() if name.lower() in there}


def macros(
    docs: Mapping[str, bool],
    columns: Mapping[str, str] = DESCRIBED,
    about: str = "Views of a user.",
    there: Iterable[Mapping[str, Any]] = THERE,
) -> Macros:
    described = {name: SimpleNamespace(description=text) for name, text in columns.items()}
    return Macros(
        config={"persist_docs": docs},
        model=Model(description=about, columns=described),
        answer=lambda sql: there if sql.startswith("describe") else None,
        validate_doc_columns=documented,
    )


def sent(of: Macros) -> list[str]:
    run: dict[str, Any] = {"statements": []}
    of._persist_docs(Relation("m"), run)
    return [sql.removeprefix("/* event_windows m comments */\n") for sql in run["statements"]]


def test_comments_that_differ_are_written() -> None:
    changed = "alter table s.m alter column Views comment 'it\\'s how many'"
    assert sent(macros(BOTH)) == [changed]
    assert sent(macros(BOTH, about="Visits.")) == [changed, "comment on table s.m is 'Visits.'"]
    assert sent(macros({"relation": True}, about="")) == ["comment on table s.m is ''"]
    gone = {"user_id": "", "nobody": "is there"}
    assert sent(macros(BOTH, gone)) == ["alter table s.m alter column user_id comment ''"]


def test_comments_that_are_there_are_not() -> None:
    assert sent(macros(BOTH, {"USER_ID": "who", "page": ""})) == []
    assert sent(macros({"columns": True}, {}, about="Visits.")) == []
    nothing = macros({})
    assert sent(nothing) == []
    assert nothing.asked == []


@pytest.mark.parametrize(
    ("docs", "said"),
    [
        (BOTH, " (user_id comment 'who', `n's`, Views comment 'it\\'s how many') comment 'About.'"),
        ({"columns": True}, " (user_id comment 'who', `n's`, Views comment 'it\\'s how many')"),
        ({"relation": True}, " comment 'About.'"),
        ({}, ""),
    ],
)
def test_a_view_is_made_with_its_comments(docs: Mapping[str, bool], said: str) -> None:
    spec = {"plain": {"columns": [["user_id", "a"], ["n's", "b"], ["Views", "c"]]}}
    assert macros(docs, about="About.")._comments_of_view(spec) == said
    if docs.get("columns"):
        # or it would have that of the column that it reads
        assert "(user_id comment ''" in macros(docs, {"user_id": ""})._comments_of_view(spec)
        assert " (" not in macros(docs, {})._comments_of_view(spec)
