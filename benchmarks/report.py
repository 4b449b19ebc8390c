"""Results as lines of JSON, as a table on the terminal and as the figures of the README."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.case import Case, Measured
from benchmarks.settings import HERE
from tests.harness import FILE_FORMAT

FIGURES = re.compile(
    r"(?<=<!-- figures: make bench writes them -->\n).*(?=<!-- end -->)", re.DOTALL
)
HEADINGS = ("case", "format", "rows", "ours s", "peer s", "ratio", "aim", "reached", "answers")


@dataclass
class Result:
    """One line of results.json. Status: ok, failed, not run; times are median seconds."""

    name: str
    file_format: str
    what: str
    peer: str | None
    status: str
    taken: str
    machine: str
    repeats: int
    rows: int | None = None
    ours_s: float | None = None
    peer_s: float | None = None
    ratio: float | None = None
    aim: float | None = None
    aim_text: str = "none, for reference"
    met: bool | None = None
    equal: bool | None = None
    details: dict[str, Any] = field(default_factory=dict)
    message: str | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What a later run of the same replaces."""
        return self.name, self.file_format

    @classmethod
    def of(cls, case: Case, status: str, **run: Any) -> Result:
        """A result that has no figures yet."""
        result = cls(case.name, FILE_FORMAT, case.what, case.peer, status, **run)
        if case.aim is not None:
            result.aim, result.aim_text = case.aim.ratio, case.aim.text
        return result

    def measured(self, case: Case, figures: Measured) -> None:
        """Fill in the figures."""
        self.rows, self.equal, self.details = figures.rows, figures.equal, dict(figures.details)
        self.ours_s = round(figures.ours_s, 3)
        self.peer_s = None if figures.peer_s is None else round(figures.peer_s, 3)
        self.ratio = None if figures.ratio is None else round(figures.ratio, 3)
        self.met = case.met(figures)

    def cells(self) -> list[str]:
        """This result as a row under HEADINGS."""
        if self.status != "ok":
            return [self.name, self.file_format, "", "", "", "", self.aim_text, self.status, ""]
        answers = "equal" if self.equal else "not compared"
        return [
            self.name,
            self.file_format,
            f"{self.rows:,}",
            _shown(self.ours_s),
            _shown(self.peer_s),
            _shown(self.ratio),
            self.aim_text,
            {True: "yes", False: "no", None: "-"}[self.met],
            answers,
        ]


def _shown(number: float | None) -> str:
    return "-" if number is None else f"{number:.2f}"


def terminal_table(results: Sequence[Result]) -> str:
    """The results in columns, with a line for each that has no figures."""
    rows = [list(HEADINGS), *(result.cells() for result in results)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join([*lines, *_remarks(results)])


def _remarks(results: Iterable[Result]) -> list[str]:
    """What does not fit into the columns."""
    remarks = []
    for result in results:
        if result.status != "ok":
            message = " ".join((result.message or "").split())
            remarks.append(
                f"{result.name} ({result.file_format}): {result.status}: {message[:300]}"
            )
        elif result.details:
            figures = [
                f"{name.replace('_', ' ')} {figure:,}" for name, figure in result.details.items()
            ]
            remarks.append(f"{result.name} ({result.file_format}): {', '.join(figures)}")
    return remarks


class Report:
    """The two files; after each case, so that a run that is stopped leaves what it measured."""

    def __init__(self, folder: Path, cases: Sequence[Case]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._json = folder / "results.json"
        self._readme = folder / "README.md"
        self._cases = {case.name: case for case in cases}
        self._results = {result.key: result for result in self._earlier()}

    def _earlier(self) -> list[Result]:
        """What earlier runs measured and this one may leave out."""
        if not self._json.exists():
            return []
        lines = json.loads(self._json.read_text())
        return [Result(**line) for line in lines if line["name"] in self._cases]

    def add(self, result: Result) -> None:
        """Write a result in place of the earlier one; a case left out now keeps its figures."""
        if result.status == "not run" and result.key in self._results:
            return
        self._results[result.key] = result
        order = list(self._cases)
        results = sorted(self._results.values(), key=lambda r: (order.index(r.name), r.file_format))
        self.write(results)

    def write(self, results: Sequence[Result]) -> None:
        lines = [asdict(each) for each in results]
        self._json.write_text(json.dumps(lines, indent=2) + "\n")
        text = (HERE / "README.md").read_text()
        self._readme.write_text(FIGURES.sub(lambda _: self._figures(results), text))

    def _figures(self, results: Sequence[Result]) -> str:
        rows = [[*HEADINGS, "what", "against"], ["---"] * (len(HEADINGS) + 2)]
        rows += [[*result.cells(), result.what, result.peer or "-"] for result in results]
        table = [f"| {' | '.join(row)} |" for row in rows]
        runs = dict.fromkeys(
            f"- {result.taken[:10]}: {result.machine}; medians of {result.repeats}"
            for result in results
            if result.status == "ok"
        )
        remarks = [f"- {remark}" for remark in _remarks(results)]
        return "\n".join(["", *table, "", *remarks, *runs, "", ""])
