"""What each refresh did: rows read, windows changed, seconds, lag."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dbt_event_windows.report.charts.canvas import BAD, LINE, MAIN, Shape, Titles, picture
from dbt_event_windows.report.refreshes import Refresh, Refreshes
from dbt_event_windows.report.times import DAY, HOUR, MINUTE, SECOND, duration, instant

WIDE, NARROW = Shape(1000, 560), Shape(360, 600, narrow=True)
_SHOWN_NARROW = 40

Value = Callable[[Refresh], float]


def refresh_chart(refreshes: Refreshes, shape: Shape, name: str) -> str:
    """SVG of it, for a page in which `name` is unique."""

    def draw(figure: Figure, shape: Shape) -> Titles:
        last = refreshes.last[-_SHOWN_NARROW:] if shape.narrow else refreshes.last
        lags = [refresh.lag or 0 for refresh in last]
        unit, word = _unit(max([abs(lag) for lag in lags], default=0))
        titles: dict[str, list[str]] = {}
        panels: list[tuple[str, Value]] = [
            ("rows read, late ones in red", lambda refresh: refresh.rows_read),
            ("windows changed", lambda refresh: refresh.windows_changed),
            ("seconds", lambda refresh: refresh.seconds),
            (f"lag, {word}", lambda refresh: (refresh.lag or 0) / unit),
        ]
        for number, (title, value) in enumerate(panels):
            axes = figure.add_subplot(len(panels), 1, number + 1)
            axes.set_title(title)
            _bars(axes, last, value, MAIN, f"p{number}", titles)
            if number == 0:
                _bars(axes, last, lambda refresh: refresh.rows_late, BAD, "late", titles)
            _axes(axes, last, shape, number == len(panels) - 1)
        return titles

    return picture(shape, describe(refreshes), name, draw)


def describe(refreshes: Refreshes) -> str:
    """What the picture shows, in a sentence."""
    rows = sum(refresh.rows_read for refresh in refreshes.last)
    late = sum(refresh.rows_late for refresh in refreshes.last)
    return (
        f"The last {len(refreshes.last)} of {refreshes.number} refreshes: {rows} rows read, {late} "
        "of them late."
    )


def told(refresh: Refresh) -> str:
    """A refresh in one line."""
    lag = "" if refresh.lag is None else f", lag {duration(refresh.lag)}"
    return (
        f"{instant(refresh.finished)} UTC: {refresh.rows_read} rows read, {refresh.rows_late} "
        f"late, {refresh.windows_changed} windows changed, {refresh.seconds:.1f} s{lag}"
    )


def _bars(
    axes: Axes,
    last: Sequence[Refresh],
    value: Value,
    colour: str,
    gid: str,
    titles: dict[str, list[str]],
) -> None:
    drawn = axes.bar(range(len(last)), [value(one) for one in last], color=colour, width=0.8)
    for place, (bar, refresh) in enumerate(zip(drawn, last, strict=True)):
        bar.set_gid(f"{gid}-{place}")
        titles[f"{gid}-{place}"] = [told(refresh)]


def _axes(axes: Axes, last: Sequence[Refresh], shape: Shape, is_lowest: bool) -> None:
    axes.set_xlim(-0.8, max(len(last), 4) - 0.2)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_locator(MaxNLocator(3))
    axes.spines["bottom"].set_color(LINE)
    shown = sorted({0, len(last) - 1} if shape.narrow else {0, len(last) // 2, len(last) - 1})
    # three dates need room between them
    if len(last) < 9:
        shown = [0, len(last) - 1] if len(last) > 4 else [0]
    axes.set_xticks(shown, [""] * len(shown))
    if is_lowest:
        labels = axes.set_xticks(
            shown, [instant(last[place].finished // SECOND * SECOND)[:16] for place in shown]
        )
        for place, tick in zip(shown, labels, strict=True):
            if place == 0:
                tick.label1.set_horizontalalignment("left")
            elif place == len(last) - 1:
                tick.label1.set_horizontalalignment("right")


def _unit(longest: int) -> tuple[int, str]:
    for unit, word in ((DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes")):
        if longest >= 2 * unit:
            return unit, word
    return SECOND, "seconds"
