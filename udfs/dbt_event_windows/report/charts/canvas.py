"""From a matplotlib figure to SVG that takes its colours from the page and tells values.

Colours are drawn as stand-ins that no picture has otherwise, and become CSS variables, so that
one picture serves light and dark. Text stays text, in the font of the page.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from dbt_event_windows.report.errors import ReportError
from dbt_event_windows.report.markup import printable

try:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure
except ImportError as error:
    raise ReportError(
        "pictures need matplotlib: pip install 'dbt-event-windows[report]', or pip install "
        "'matplotlib>=3.8'"
    ) from error

INK, QUIET, GRID, PAPER = "#010a01", "#010a02", "#010a03", "#010a04"
MAIN, SOFT, BAD, LINE = "#010a05", "#010a06", "#010a07", "#010a08"
_VARIABLES = {
    INK: "ink",
    QUIET: "quiet",
    GRID: "grid",
    PAPER: "paper",
    MAIN: "main",
    SOFT: "soft",
    BAD: "bad",
    LINE: "line",
}
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "event_windows",
    # a key may be called $x$
    "text.parse_math": False,
    "text.usetex": False,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": GRID,
    "axes.facecolor": PAPER,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GRID,
    "grid.linewidth": 1.0,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": QUIET,
    "ytick.labelcolor": QUIET,
    "font.size": 12.5,
    "axes.labelsize": 12.5,
    "axes.titlesize": 13,
    "axes.titlelocation": "left",
    "xtick.labelsize": 12.5,
    "ytick.labelsize": 12.5,
}
_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_PLACES = {"d", "x", "y", "width", "height", "transform", "points", "style"}

Titles = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Shape:
    """Width and height in CSS pixels; a narrow one is for telephones."""

    width: int
    height: int
    narrow: bool = False


def picture(shape: Shape, label: str, name: str, draw: Callable[[Figure, Shape], Titles]) -> str:
    """SVG of what `draw` puts into a figure.

    label: what is read out in its place. name: unique in a page. `draw` returns, for the gid of
    an artist, what its parts tell when they are pointed at.
    """
    with matplotlib.rc_context(_SETTINGS):
        figure = Figure(figsize=(shape.width / 72, shape.height / 72), dpi=72, layout="constrained")
        figure.patch.set_visible(False)
        titles = draw(figure, shape)
        written = io.BytesIO()
        # the figure's canvas is the one of SVG, and so is what it is saved by
        FigureCanvasSVG(figure)
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(written, format="svg", metadata=nothing)
    return _coloured(_told(written.getvalue(), shape, label, name, titles))


def _told(svg: bytes, shape: Shape, label: str, name: str, titles: Titles) -> str:
    """The document with titles, and with ids that no other picture of the page has."""
    root = ElementTree.fromstring(svg)
    for tag in ("metadata", "defs"):
        for child in root.findall(f"{{{_SVG}}}{tag}"):
            # matplotlib's style of all lines, which the page has
            if tag == "metadata" or child.find(f"{{{_SVG}}}style") is not None:
                root.remove(child)
    for element in root.iter():
        for attribute in _PLACES & element.attrib.keys():
            # a hundredth of a pixel is enough
            element.set(attribute, re.sub(r"(\d+\.\d\d)\d+", r"\1", element.get(attribute, "")))
    for attribute in ("width", "height", "version"):
        root.attrib.pop(attribute, None)
    root.set("viewBox", f"0 0 {shape.width} {shape.height}")
    root.set("role", "img")
    root.set("aria-label", printable(label))
    root.set("class", "narrow" if shape.narrow else "wide")
    for group in root.iter(f"{{{_SVG}}}g"):
        told = titles.get(group.get("id", ""))
        if told is not None:
            _tell(group, told)
    for element in root.iter():
        for attribute, value in element.attrib.items():
            if attribute == "id":
                element.set("id", f"{name}-{value}")
            elif attribute == f"{{{_XLINK}}}href":
                element.set(attribute, f"#{name}-{value[1:]}")
            elif "url(#" in value:
                element.set(attribute, value.replace("url(#", f"url(#{name}-"))
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    return ElementTree.tostring(root, encoding="unicode")


def _tell(group: ElementTree.Element, told: Sequence[str]) -> None:
    """A title for each marker of the group, or for the group itself where there is one text."""
    marks = list(group.iter(f"{{{_SVG}}}use"))
    if len(marks) != len(told):
        marks = [group]
    for mark, text in zip(marks, told, strict=False):
        title = ElementTree.Element(f"{{{_SVG}}}title")
        title.text = printable(text)
        mark.insert(0, title)


def _coloured(svg: str) -> str:
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, f"var(--{variable})")
    return re.sub(r"(font: [\d.]+px) [^;\"]*", r"\1 var(--font)", svg)
