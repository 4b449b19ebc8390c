"""What a text is refused for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Problem:
    """One thing that cannot be kept up to date, in words for the person who wrote the text.

    `clause` is where it stands ("ORDER BY"), `line` counts from 1, `text` is the user's own piece,
    `problem` says why, `mend` what to write instead.
    """

    clause: str
    line: int
    text: str
    problem: str
    mend: str

    def as_json(self) -> dict[str, str | int]:
        return {
            "clause": self.clause,
            "line": self.line,
            "text": self.text,
            "problem": self.problem,
            "mend": self.mend,
        }


@dataclass
class Problems:
    """All problems of a text, each once, in the order of its lines."""

    found: list[Problem] = field(default_factory=list)

    def add(self, problem: Problem) -> None:
        if problem not in self.found:
            self.found.append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.add(problem)

    @contextmanager
    def apart(self) -> Iterator[list[Problem]]:
        """What is found within, which is no problem of the text yet."""
        outer, self.found = self.found, []
        try:
            yield self.found
        finally:
            self.found = outer

    def __bool__(self) -> bool:
        return bool(self.found)

    def as_json(self) -> list[dict[str, str | int]]:
        return [problem.as_json() for problem in sorted(self.found, key=lambda one: one.line)]
