"""What all steps share: the user's text, the settings of the model, the problems found so far."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from dbt_event_windows.plain_sql.clauses import BELOW, NAMES, clauses_of, first_of, name_of
from dbt_event_windows.plain_sql.problems import Problem, Problems
from dbt_event_windows.plain_sql.questions import Questions
from dbt_event_windows.plain_sql.refusals import NOT_UNDERSTOOD, Words
from dbt_event_windows.plain_sql.text import Span, UserText


@dataclass(frozen=True)
class Settings:
    """The config of the model, as far as the plan needs it. Columns are as the user writes them."""

    arrival_order: str | None = None
    arrived_at: str | None = None
    partition: tuple[str, ...] = ()
    joins: str = "as_of_refresh"
    query: bool = False

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Settings:
        """Other names in `given` mean nothing here. A partition is one column or a list of them."""
        partition = given.get("partition") or ()
        if isinstance(partition, str):
            partition = (partition,)
        return cls(
            arrival_order=given.get("arrival_order") or None,
            arrived_at=given.get("arrived_at") or None,
            partition=tuple(str(column) for column in partition),
            joins=str(given.get("joins") or "as_of_refresh"),
            query=bool(given.get("query")),
        )


@dataclass
class Reading:
    """One text on its way to a plan; `words` are what is said in place of others."""

    text: UserText
    settings: Settings
    questions: Questions = field(default_factory=Questions)
    problems: Problems = field(default_factory=Problems)
    notes: list[str] = field(default_factory=list)
    words: Mapping[Words, Words] = field(default_factory=dict)

    def query_of(self, with_: Span | None, items: str, from_: Span) -> str:
        """A query over a FROM of the text, to ask Spark for its columns."""
        ctes = [self.text.slice(with_)] if with_ is not None else []
        return "\n".join([*ctes, f"select {items}", self.text.slice(from_)])

    def note(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)

    def refuse(self, clause: str, node: exp.Expression, words: Words) -> None:
        """Refuse an expression that stands in a clause."""
        self.refuse_span(clause, self.text.span(node) or self.text.near(node), words)

    def refuse_span(self, clause: str, span: Span | None, words: Words) -> None:
        """Refuse a piece; none is the text as a whole."""
        problem, mend = self.words.get(words, words)
        line = self.text.line(span[0]) if span else 1
        shown = self.text.shown(span) if span else ""
        self.problems.add(Problem(clause, line, shown, problem, mend))

    def refuse_others(self, clause: str, node: exp.Expression, known: set[str]) -> None:
        """Refuse what else is said of a relation: samples, pivots, versions and so on."""
        for argument in sorted(clauses_of(node).keys() - known):
            name = name_of(argument) if argument in NAMES else clause
            self.refuse(name, node, BELOW.get(name, NOT_UNDERSTOOD))

    def refuse_clauses(
        self,
        select: exp.Select,
        kept: Collection[str],
        words: Mapping[str, Words],
        where: str = "",
    ) -> None:
        """Refuse the clauses of a SELECT that are not `kept`, by sqlglot's names.

        `words` are said of a clause by its name in SQL; `where` is the CTE or subquery that the
        SELECT is.
        """
        for argument, value in clauses_of(select).items():
            if argument not in kept:
                name = name_of(argument)
                span = self.text.clause(select, name, first_of(value)) or self.text.near(select)
                clause = f"{name} in {where}" if where else name
                self.refuse_span(clause, span, words.get(name, NOT_UNDERSTOOD))

    def refuse_config(self, name: str, given: str, words: Words) -> None:
        """Refuse a setting; it stands in the config, in front of the text."""
        problem, mend = words
        self.problems.add(Problem("config", 1, f"{name}='{given}'", problem, mend))
