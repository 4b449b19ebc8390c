"""One key: rows at their event time in the order of arrival, stream time, windows below."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dbt_event_windows.report.charts.canvas import (
    BAD,
    INK,
    LINE,
    MAIN,
    QUIET,
    SOFT,
    Shape,
    Titles,
    picture,
)
from dbt_event_windows.report.charts.time_axis import place, show_times
from dbt_event_windows.report.rows import SourceRow, Window
from dbt_event_windows.report.timeline import Timeline
from dbt_event_windows.report.times import duration, instant

WIDE, NARROW = Shape(1000, 460), Shape(360, 420, narrow=True)
_LANES = 12


def timeline_chart(timeline: Timeline, shape: Shape, name: str) -> str:
    """SVG of it, for a page in which `name` is unique."""

    def draw(figure: Figure, shape: Shape) -> Titles:
        lanes = lanes_of(timeline.windows)
        number = max(lanes, default=0) + 1
        heights = [3, 0.6 + 0.25 * number]
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=heights)
        titles: dict[str, list[str]] = {}
        _rows(upper, timeline.rows, titles)
        _windows(lower, timeline.windows, lanes, titles)
        times = [row.time for row in timeline.rows if row.time is not None]
        times += [row.clock for row in timeline.rows if row.clock is not None]
        times += [edge for window in timeline.windows for edge in (window.start, window.end)]
        show_times(lower, times or [0], shape.narrow)
        return titles

    return picture(shape, describe(timeline), name, draw)


def describe(timeline: Timeline) -> str:
    """What the picture shows, in a sentence."""
    dropped = sum(row.reason is not None for row in timeline.rows)
    return (
        f"{len(timeline.rows)} rows of {key_text(timeline.key)} by event time and order of "
        f"arrival, {dropped} of them not counted in full, and {len(timeline.windows)} windows."
    )


def key_text(key: dict[str, str]) -> str:
    """A key in words: `user_id=ada`."""
    return ", ".join(f"{name}={value}" for name, value in key.items())


def told(row: SourceRow) -> str:
    """A row in one line."""
    parts = [] if row.arrival is None else [f"row {row.arrival}"]
    parts.append(f"event time {instant(row.time or 0)}")
    if row.clock is not None:
        parts.append(f"stream time {instant(row.clock)}")
        if row.time is not None and row.clock > row.time:
            parts.append(f"{duration(row.clock - row.time)} behind")
    return ", ".join([*parts, f"not counted in full: {row.reason}" if row.reason else "counted"])


def told_window(window: Window) -> str:
    """A window in one line."""
    rows = "" if window.rows is None else f", {window.rows} rows"
    state = "closed" if window.closed else "open"
    return f"{instant(window.start)} to {instant(window.end)}{rows}, {state}"


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


def _rows(axes: Axes, rows: Sequence[SourceRow], titles: dict[str, list[str]]) -> None:
    clocks = [(place(row.clock), n) for n, row in enumerate(rows) if row.clock is not None]
    if clocks:
        axes.step(*zip(*clocks, strict=True), where="post", color=INK, linewidth=1.5)
    for gid, colour, wanted in (("counted", MAIN, False), ("dropped", BAD, True)):
        shown = [(n, row) for n, row in enumerate(rows) if bool(row.reason) == wanted]
        if shown:
            axes.scatter(
                [place(row.time or 0) for _, row in shown],
                [n for n, _ in shown],
                s=50 if len(rows) < 100 else 22,
                color=colour,
                linewidths=0,
                gid=gid,
                zorder=3,
            )
            titles[gid] = [told(row) for _, row in shown]
    axes.set_ylim(max(len(rows), 4) - 0.4, -0.6)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    numbered = all(row.arrival is not None for row in rows)

    def number(value: float, _: float) -> str:
        there = 0 <= value < len(rows) and value == int(value)
        return str(rows[int(value)].arrival) if there and numbered else ""

    axes.yaxis.set_major_formatter(number)
    axes.set_ylabel("arrival")
    axes.tick_params(labelbottom=False)


def _windows(
    axes: Axes, windows: Sequence[Window], lanes: Sequence[int], titles: dict[str, list[str]]
) -> None:
    for number, (window, lane) in enumerate(zip(windows, lanes, strict=True)):
        start, end = place(window.start), place(window.end)
        axes.barh(
            lane,
            end - start,
            left=start,
            height=0.6,
            color=QUIET if window.closed else SOFT,
            edgecolor=QUIET if window.closed else MAIN,
            linewidth=2,
            gid=f"w{number}",
        )
        titles[f"w{number}"] = [told_window(window)]
    axes.set_ylim(max(lanes, default=0) + 0.7, -0.7)
    axes.set_yticks([])
    axes.set_ylabel("windows")
    axes.grid(visible=True, axis="x")
    axes.spines["bottom"].set_color(LINE)
