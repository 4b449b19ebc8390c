"""Share of rows that a grace loses, by how long it is, with the grace there is."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from dbt_event_windows.report.charts.canvas import (
    BAD,
    LINE,
    MAIN,
    QUIET,
    SOFT,
    Shape,
    Titles,
    picture,
)
from dbt_event_windows.report.lateness import Bucket, Lateness
from dbt_event_windows.report.times import DAY, HOUR, MINUTE, SECOND, exact, short
from dbt_event_windows.report.words import many, plain

WIDE, NARROW = Shape(1000, 340), Shape(360, 300, narrow=True)
_TICKS = (
    *(0, SECOND, 10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR),
    *(DAY, 7 * DAY, 30 * DAY, 365 * DAY),
)


def lateness_chart(lateness: Lateness, shape: Shape, name: str) -> str:
    """SVG of it, for a page in which `name` is unique."""

    def draw(figure: Figure, shape: Shape) -> Titles:
        axes = figure.add_subplot()
        titles = {}
        late = _curve(lateness.needed, lateness.rows)
        behind = _curve(lateness.behind, lateness.rows)
        longest = max([point[0] for point in late + behind] + [lateness.today or 0, MINUTE])
        end = int(longest * 1.6)
        bottom = _shares(axes, [share for _, share in late + behind])
        for curve, gid, colour, style in (
            (behind, "behind", QUIET, "dashed"),
            (late, "needed", MAIN, "solid"),
        ):
            drawn = [*curve, (end, curve[-1][1])]
            places = [_place(micros) for micros, _ in drawn]
            shares = [max(100 * share, bottom) for _, share in drawn]
            axes.step(places, shares, where="post", color=colour, linestyle=style, linewidth=2)
            if gid == "needed":
                axes.fill_between(places, shares, bottom, step="post", color=SOFT, linewidth=0)
            axes.scatter(
                places[:-1],
                shares[:-1],
                s=26,
                color=colour,
                linewidths=0,
                gid=gid,
                zorder=3,
                clip_on=False,
            )
            titles[gid] = [_told(gid, micros, share) for micros, share in curve]
        axes.set_xlim(-0.1, _place(end))
        if lateness.today is not None:
            at = _place(lateness.today)
            axes.axvline(at, color=BAD, linewidth=2, gid="today")
            titles["today"] = [f"today's grace: {exact(lateness.today)}"]
            axes.text(
                at,
                1.03,
                f"today: {exact(lateness.today)}",
                transform=axes.get_xaxis_transform(),
                ha="right" if at > _place(end) / 2 else "left",
                va="bottom",
            )
        ticks = _ticks(end, 0.17 if shape.narrow else 0.06)
        axes.set_xticks([_place(tick) for tick in ticks], [short(tick) for tick in ticks])
        axes.set_ylabel("% of rows not in full")
        axes.set_xlabel("grace")
        axes.spines["bottom"].set_color(LINE)
        return titles

    return picture(shape, describe(lateness), name, draw)


def _shares(axes: Axes, shares: Sequence[float]) -> float:
    """Limits of the axis of shares (percent), and where it begins.

    What a grace is chosen by are the last few rows: where shares differ by much it is logarithmic.
    """
    most, least = max(shares, default=0.0), min(filter(None, shares), default=0.0)
    if most < 20 * least or not least:
        axes.set_ylim(0, 115 * most or 1)
        axes.yaxis.set_major_locator(MaxNLocator(5))
        return 0.0
    bottom = 10 ** (floor(log10(100 * least) - 1e-9))
    axes.set_yscale("log")
    axes.set_ylim(bottom, max(150 * most, 100 * least))
    axes.yaxis.set_major_locator(LogLocator(10, numticks=6))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(lambda value, _: plain(value))
    return float(bottom)


def describe(lateness: Lateness) -> str:
    """What the picture shows, in a sentence or two."""
    text = f"Of {many(lateness.rows, 'row')}, the share that would not count in full, by grace."
    if lateness.today is None:
        return text
    lost = lateness.lost_with(lateness.today)
    return f"{text} With today's, {exact(lateness.today)}, that is {many(lost, 'row')}."


def _ticks(end: int, apart: float) -> list[int]:
    """Those up to `end` whose labels are such a part of the width apart, from the end on."""
    taken: list[int] = []
    for tick in sorted((tick for tick in _TICKS if tick <= end), reverse=True):
        if not taken or _place(taken[-1]) - _place(tick) >= apart * _place(end):
            taken.append(tick)
    return taken[::-1]


def _place(micros: int) -> float:
    """Logarithmic from a second on, and with a place for zero."""
    return log10(1 + micros / SECOND)


def _curve(buckets: tuple[Bucket, ...], rows: int) -> list[tuple[int, float]]:
    """(lateness, share of rows that are later), from zero on."""
    later = sum(bucket.rows for bucket in buckets)
    points = [] if buckets and not buckets[0].most else [(0, later / rows)]
    for bucket in buckets:
        later -= bucket.rows
        points.append((bucket.most, later / rows))
    return points


def _told(gid: str, micros: int, share: float) -> str:
    what = "would not count in full with a grace of" if gid == "needed" else "come later than"
    return f"{plain(100 * share)} % of rows {what} {exact(micros)}"
