"""One key: rows at their event time in the order of arrival, stream time, windows below."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dbt_event_windows.report.charts.canvas import (
    BAD,
    GRID,
    INK,
    LINE,
    MAIN,
    PAPER,
    QUIET,
    SOFT,
    Shape,
    Titles,
    picture,
)
from dbt_event_windows.report.rows import SourceRow, Window
from dbt_event_windows.report.timeline import Timeline
from dbt_event_windows.report.times import brief, duration, instant
from dbt_event_windows.report.timescale import Timescale
from dbt_event_windows.report.words import many

WIDE, NARROW = 1000, 360
_LANES = 60  # of windows that overlap; the others share the last
_LETTER = 8  # pixels of a digit, rather more than less
_THINNEST = 6  # pixels of a window
# of rows by their state: marker, its colour, that of its edge, the width of that
_MARKS = {
    "counted": ("o", MAIN, MAIN, 0.0),
    "unread": ("o", PAPER, QUIET, 1.5),
    "dropped": ("X", BAD, BAD, 0.0),
}
_TOLD = {"counted": "counted", "unread": "not read yet"}


def timeline_chart(timeline: Timeline, width: int, name: str) -> str:
    """SVG of it, so many pixels wide, for a page in which `name` is unique."""
    lanes = lanes_of(timeline.windows)
    number = max(lanes, default=0) + 1
    tall = min(max(26 * len(timeline.drawn), 130), 300), min(max(26 * number, 34), 300)
    # names of cuts above, labels of time below
    shape = Shape(width, sum(tall) + 78, narrow=width < 500)
    scale = _scale(timeline, width)

    def draw(figure: Figure, shape: Shape) -> Titles:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=tall)
        titles: dict[str, list[str]] = {}
        _rows(upper, timeline.drawn, scale, titles)
        _windows(lower, timeline.windows, lanes, scale, titles, tall[1] / number)
        _times(upper, lower, scale)
        return titles

    return picture(shape, describe(timeline), name, draw)


def has_cuts(timeline: Timeline) -> bool:
    """Whether time is cut out of it."""
    return any(_scale(timeline, width).cuts for width in (WIDE, NARROW))


def describe(timeline: Timeline) -> str:
    """What the picture shows, in a sentence."""
    dropped = sum(row.reason is not None for row in timeline.drawn)
    rows, windows = many(len(timeline.drawn), "row"), many(len(timeline.windows), "window")
    return (
        f"{rows} of {key_text(timeline.key)} by event time and order of arrival, {dropped} of them "
        f"not counted in full, and {windows}."
    )


def key_text(key: dict[str, str]) -> str:
    """A key in words: `user_id=ada`."""
    return ", ".join(f"{name}={value}" for name, value in key.items()) or "all keys"


def told(row: SourceRow) -> str:
    """A row in one line."""
    parts = [] if row.arrival is None else [f"row {row.arrival}"]
    parts.append(f"event time {instant(row.time or 0)}")
    if row.clock is not None:
        parts.append(f"stream time {instant(row.clock)}")
        if row.time is not None and row.clock > row.time:
            parts.append(f"{duration(row.clock - row.time)} behind")
    return ", ".join([*parts, _TOLD.get(row.state, f"not counted in full: {row.reason}")])


def told_window(window: Window) -> str:
    """A window in one line."""
    rows = "" if window.rows is None else f", {many(window.rows, 'row')}"
    return f"{instant(window.start)} to {instant(window.end)}{rows}, {window.state}"


def lanes_of(windows: Sequence[Window]) -> list[int]:
    """A lane for each window (ordered by start), so that no two of one lane overlap."""
    ends: list[int] = []
    lanes = []
    for window in windows:
        free = next((lane for lane, end in enumerate(ends) if end <= window.start), len(ends))
        lane = min(free, _LANES - 1)
        ends[lane : lane + 1] = [window.end]
        lanes.append(lane)
    return lanes


def spans(timeline: Timeline) -> list[tuple[int, int]]:
    """When something happened, (first, last) each."""
    instants = [row.time for row in timeline.drawn] + [row.clock for row in timeline.drawn]
    found = [(micros, micros) for micros in instants if micros is not None]
    return found + [(window.start, window.end) for window in timeline.windows] or [(0, 0)]


def _scale(timeline: Timeline, width: int) -> Timescale:
    # beside the axes are numbers of rows, or `windows`, and half of a label of time
    letters = max([7, *(len(str(row.arrival)) for row in timeline.drawn)])
    return Timescale(spans(timeline), width - _LETTER * letters - 28)


def _rows(
    axes: Axes, rows: Sequence[SourceRow], scale: Timescale, titles: dict[str, list[str]]
) -> None:
    clocks = [(scale.place(row.clock), n) for n, row in enumerate(rows) if row.clock is not None]
    if clocks:
        axes.step(*zip(*clocks, strict=True), where="post", color=INK, linewidth=1.5)
    for n, row in enumerate(rows):
        if row.reason and row.clock is not None and len(rows) <= 100:
            ends = [scale.place(row.time or 0), scale.place(row.clock)]
            axes.plot(ends, [n, n], color=BAD, linewidth=1.2, linestyle=(0, (2, 3)))
    for state, (marker, colour, edge, linewidth) in _MARKS.items():
        shown = [(n, row) for n, row in enumerate(rows) if row.state == state]
        if shown:
            axes.scatter(
                [scale.place(row.time or 0) for _, row in shown],
                [n for n, _ in shown],
                s=(55 if len(rows) < 100 else 22) * (1.4 if state == "dropped" else 1),
                facecolors=colour,
                edgecolors=edge,
                marker=marker,
                linewidths=linewidth,
                gid=state,
                zorder=3,
                clip_on=False,
            )
            titles[state] = [told(row) for _, row in shown]
    axes.set_ylim(max(len(rows), 4) - 0.4, -0.6)
    numbered = all(row.arrival is not None for row in rows)
    if len(rows) <= 12:
        axes.set_yticks(range(len(rows)))
    else:
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))

    def number(value: float, _: float) -> str:
        there = 0 <= value < len(rows) and value == int(value)
        return str(rows[int(value)].arrival) if there and numbered else ""

    axes.yaxis.set_major_formatter(number)
    if numbered:
        axes.annotate(
            "row", (0, 1), (-6, 9), "axes fraction", "offset points", color=QUIET, ha="right"
        )
    axes.tick_params(labelbottom=False, bottom=False)
    axes.spines["bottom"].set_visible(False)


def _windows(
    axes: Axes,
    windows: Sequence[Window],
    lanes: Sequence[int],
    scale: Timescale,
    titles: dict[str, list[str]],
    tall: float,
) -> None:
    """Bars; `tall` pixels are there for each lane."""
    for number, (window, lane) in enumerate(zip(windows, lanes, strict=True)):
        start, end = scale.place(window.start), scale.place(window.end)
        # a session of one row has no length, and is there
        short = max(_THINNEST - (end - start), 0) / 2
        start, end = start - short, end + short
        axes.barh(
            lane,
            end - start,
            left=start,
            height=0.72 if tall > 8 else 0.9,
            color=GRID if window.closed else SOFT,
            edgecolor=QUIET if window.closed else MAIN,
            linewidth=1.5 if tall > 8 else 0.5,
            gid=f"w{number}",
        )
        titles[f"w{number}"] = [told_window(window)]
        inside = f"{window.rows}"
        if window.rows is not None and tall >= 22 and end - start > _LETTER * len(inside) + 6:
            axes.text((start + end) / 2, lane, inside, ha="center", va="center_baseline")
    axes.set_ylim(max(lanes, default=0) + 0.65, -0.65)
    axes.set_yticks([max(lanes, default=0) / 2], ["windows"])
    axes.grid(visible=False, axis="y")
    axes.spines["bottom"].set_color(LINE)


def _times(upper: Axes, lower: Axes, scale: Timescale) -> None:
    """Labels of time, and bands where time is cut out."""
    ticks = scale.ticks()
    lower.set_xlim(0, scale.width)
    lower.set_xticks(
        [tick.at for tick in ticks], [f"{tick.time}\n{tick.date or ' '}" for tick in ticks]
    )
    for cut in scale.cuts:
        for axes in (upper, lower):
            axes.axvspan(cut.left, cut.right, color=GRID, linewidth=0, zorder=0.5)
        upper.text(
            (cut.left + cut.right) / 2,
            1.02,
            brief(cut.micros),
            transform=upper.get_xaxis_transform(),
            color=QUIET,
            ha="center",
            va="bottom",
        )
