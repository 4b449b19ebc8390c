"""Pieces of a page. Whatever comes from data goes through `text`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from dbt_event_windows.report.words import plain

Cell = str | int | float | None
Row = Sequence[Cell]

_SHORT = 20  # letters of a cell that is one line


def text(value: Cell) -> str:
    """A value as HTML; numbers with thin groups of thousands, nothing as a dash."""
    if value is None:
        return "-"
    if isinstance(value, int):
        return f"{value:,}".replace(",", "&#8239;")
    if isinstance(value, float):
        return plain(value)
    return escape(printable(value), quote=True)


def printable(value: str) -> str:
    """A text without what neither XML nor a terminal shows."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in value)


def paragraph(words: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{text(words)}</p>"


def table(head: Sequence[str], rows: Sequence[Row], marked: Sequence[int] = ()) -> str:
    """A table that scrolls in itself; `marked` are places of rows that stand out."""
    numeric = [
        all(isinstance(row[place], int | float | None) for row in rows)
        for place in range(len(head))
    ]
    classes = [' class="number"' if number else "" for number in numeric]
    heads = "".join(
        f'<th scope="col"{kind}>{text(name)}</th>' for name, kind in zip(head, classes, strict=True)
    )
    body = []
    for place, row in enumerate(rows):
        cells = "".join(
            f"<td{kind or _kind(cell)}>{text(cell)}</td>"
            for cell, kind in zip(row, classes, strict=True)
        )
        body.append(f'<tr class="marked">{cells}</tr>' if place in marked else f"<tr>{cells}</tr>")
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _kind(cell: Cell) -> str:
    """A time does not break over lines, and a key of a thousand letters does."""
    return ' class="long"' if isinstance(cell, str) and len(cell) > _SHORT else ' class="short"'


def figure(pictures: Sequence[str], caption: str, legend: Sequence[tuple[str, str]] = ()) -> str:
    """Pictures of which the page shows the one that fits; legend: (class of a swatch, words)."""
    swatches = "".join(
        f'<li><span class="swatch {kind}"></span>{text(words)}</li>' for kind, words in legend
    )
    listed = f'<ul class="legend">{swatches}</ul>' if legend else ""
    return (
        f'<figure>{listed}<div class="scroll" tabindex="0">{"".join(pictures)}</div>'
        f"<figcaption>{text(caption)}</figcaption></figure>"
    )


def details(summary: str, inside: str) -> str:
    """HTML that is folded away until it is asked for."""
    return f"<details><summary>{text(summary)}</summary>{inside}</details>"


def tiles(values: Sequence[tuple[str, Cell]]) -> str:
    """Numbers with their names."""
    parts = "".join(
        f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd></div>" for name, value in values
    )
    return f'<dl class="tiles">{parts}</dl>'


def section(name: str, title: str, inside: str) -> str:
    """A part of a page with its heading."""
    return f'<section id="{name}"><h2>{text(title)}</h2>{inside}</section>'
