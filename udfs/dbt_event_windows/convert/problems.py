"""What a model is not converted for."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from dbt_event_windows.plain_sql.dialect import PlainSpark
from dbt_event_windows.plain_sql.problems import Problem

_LONGEST = 100
BEFORE = "put it into the model that is read here"
READS_ON = "put it into a model that reads the converted one"


class NotUnderstoodError(Exception):
    """A model is not converted; `problems` say which parts are not understood, and what to do."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(in_words(problem) for problem in self.problems))


def not_read_by_us(error: Exception) -> Problem:
    """The problem for an error that is ours."""
    if isinstance(error, RecursionError):
        problem = "the model is too long or too deep to be read here"
        return Problem("text", 1, "", problem, f"{BEFORE}, or a part of it")
    words = f"the model could not be read ({type(error).__name__}: {error})"
    return Problem("text", 1, "", words, "write it in a simpler way, and please tell us of it")


def in_words(problem: Problem) -> str:
    """A problem as one paragraph: the line, the clause, the piece, why, and what to do."""
    piece = f": {problem.text}" if problem.text else ""
    return (
        f"line {problem.line}, {problem.clause}{piece}\n"
        f"    {problem.problem}\n    What to do: {problem.mend}"
    )


def shown(node: exp.Expression) -> str:
    """An expression as it is shown to the user, in one line; what only Spark has is written too."""
    return " ".join(node.sql(dialect=PlainSpark, comments=False).split())


def not_understood(
    clause: str,
    node: exp.Expression,
    problem: str,
    mend: str,
    where: exp.Expression | None = None,
) -> NotUnderstoodError:
    """The error for an expression of the model, with the line where it, or `where`, stands."""
    piece = shown(node)
    piece = piece if len(piece) <= _LONGEST else piece[: _LONGEST - 3] + "..."
    return NotUnderstoodError([Problem(clause, line_of(where or node), piece, problem, mend)])


def line_of(node: exp.Expression) -> int:
    """The first line that sqlglot knows of an expression or of what it stands in."""
    lines = [int(one.meta["line"]) for one in node.walk() if "line" in one.meta]
    if lines:
        return min(lines)
    return line_of(node.parent) if isinstance(node.parent, exp.Expression) else 1
