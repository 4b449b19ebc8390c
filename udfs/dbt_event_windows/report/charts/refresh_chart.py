"""What each refresh did: rows read, late ones, windows changed, seconds, lag."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matplotlib.axes import Axes
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from dbt_event_windows.report.charts.canvas import BAD, INK, LINE, MAIN, Shape, Titles, picture
from dbt_event_windows.report.refreshes import Refresh, Refreshes
from dbt_event_windows.report.times import DAY, HOUR, MINUTE, SECOND, duration
from dbt_event_windows.report.words import many

WIDE, NARROW = Shape(1000, 640), Shape(360, 660, narrow=True)
SECONDS = 3  # the panel of seconds, in which the slowest stands out
_SHOWN_NARROW = 40
_FEW = 12  # places that there are at least, so that a bar is a bar

Value = Callable[[Refresh], float]


def refresh_chart(refreshes: Refreshes, shape: Shape, name: str) -> str:
    """SVG of it, for a page in which `name` is unique."""

    def draw(figure: Figure, shape: Shape) -> Titles:
        last = refreshes.last[-_SHOWN_NARROW:] if shape.narrow else refreshes.last
        lags = [refresh.lag or 0 for refresh in last]
        unit, word = _unit(max([abs(lag) for lag in lags], default=0))
        titles: dict[str, list[str]] = {}
        panels: list[tuple[str, str, Value]] = [
            ("rows read", MAIN, lambda refresh: refresh.rows_read),
            ("late rows", BAD, lambda refresh: refresh.rows_late),
            ("windows changed", MAIN, lambda refresh: refresh.windows_changed),
            ("seconds", MAIN, lambda refresh: refresh.seconds),
            (f"lag, {word}", MAIN, lambda refresh: (refresh.lag or 0) / unit),
        ]
        for number, (title, colour, value) in enumerate(panels):
            axes = figure.add_subplot(len(panels), 1, number + 1)
            axes.set_title(title)
            bars = _bars(axes, last, value, colour, f"p{number}", titles)
            for bar, refresh in zip(bars, last, strict=True):
                if refreshes.is_slowest(refresh):
                    bar.set_color(INK if number == SECONDS else colour)
            _axes(axes, last, shape, number == len(panels) - 1, counts=number < SECONDS)
        return titles

    return picture(shape, describe(refreshes), name, draw)


def describe(refreshes: Refreshes) -> str:
    """What the picture shows, in a sentence."""
    rows = sum(refresh.rows_read for refresh in refreshes.last)
    late = sum(refresh.rows_late for refresh in refreshes.last)
    which = "The only refresh"
    if refreshes.number > 1:
        which = f"The last {len(refreshes.last):,} of {refreshes.number:,} refreshes"
    return f"{which}: {many(rows, 'row')} read, {late:,} of them late."


def told(refresh: Refresh) -> str:
    """A refresh in one line."""
    lag = "" if refresh.lag is None else f", lag {duration(refresh.lag)}"
    return (
        f"{refresh.ended} UTC: {many(refresh.rows_read, 'row')} read, "
        f"{refresh.rows_late:,} late, {many(refresh.windows_changed, 'window')} changed, "
        f"{refresh.seconds:.1f} s{lag}"
    )


def _bars(
    axes: Axes,
    last: Sequence[Refresh],
    value: Value,
    colour: str,
    gid: str,
    titles: dict[str, list[str]],
) -> BarContainer:
    drawn = axes.bar(range(len(last)), [value(one) for one in last], color=colour, width=0.8)
    for place, (bar, refresh) in enumerate(zip(drawn, last, strict=True)):
        bar.set_gid(f"{gid}-{place}")
        titles[f"{gid}-{place}"] = [told(refresh)]
    return drawn


def _axes(axes: Axes, last: Sequence[Refresh], shape: Shape, is_lowest: bool, counts: bool) -> None:
    axes.set_xlim(-0.8, max(len(last), _FEW) - 0.2)
    axes.grid(visible=False, axis="x")
    # a bar of nothing would stand in the middle
    low, high = axes.get_ylim()
    axes.set_ylim(min(low, 0), max(high, 1 if counts else 0.1))
    axes.yaxis.set_major_locator(MaxNLocator(3, integer=counts))
    axes.yaxis.set_major_formatter(lambda value, _: _number(value))
    axes.spines["bottom"].set_color(LINE)
    # dates need room between them
    middle = {len(last) // 2} if len(last) > _FEW and not shape.narrow else set()
    shown = sorted({0, len(last) - 1} | middle if len(last) > _FEW / 2 else {len(last) - 1})
    axes.set_xticks(shown, [""] * len(shown))
    if is_lowest:
        labels = axes.set_xticks(shown, [last[place].ended[:16] for place in shown])
        for place, tick in zip(shown, labels, strict=True):
            if place < _FEW / 2:
                tick.label1.set_horizontalalignment("left")
            elif place == len(last) - 1:
                tick.label1.set_horizontalalignment("right")


def _number(value: float) -> str:
    """A number as short as can be: `1.5M`."""
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= unit:
            return f"{value / unit:g}{letter}"
    return f"{value:g}"


def _unit(longest: int) -> tuple[int, str]:
    for unit, word in ((DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes")):
        if longest >= 2 * unit:
            return unit, word
    return SECOND, "seconds"
