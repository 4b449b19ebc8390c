"""Share of rows by how late they are, with the grace there is."""

from __future__ import annotations

from math import log10

from matplotlib.figure import Figure

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
from dbt_event_windows.report.times import DAY, HOUR, MINUTE, SECOND, duration, short

WIDE, NARROW = Shape(1000, 340), Shape(360, 300, narrow=True)
_TICKS = (0, SECOND, 10 * SECOND, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY)
_LONG_TICKS = (365 * DAY, 10 * 365 * DAY)


def lateness_chart(lateness: Lateness, shape: Shape, name: str) -> str:
    """SVG of it, for a page in which `name` is unique."""

    def draw(figure: Figure, shape: Shape) -> Titles:
        axes = figure.add_subplot()
        titles = {}
        late = _curve(lateness.needed, lateness.rows)
        behind = _curve(lateness.behind, lateness.rows)
        end = max([point[0] for point in late + behind] + [lateness.today or 0, MINUTE])
        for curve, gid, colour, style in (
            (behind, "behind", QUIET, "dashed"),
            (late, "needed", MAIN, "solid"),
        ):
            drawn = [*curve, (int(end * 1.6), 1.0)]
            places = [_place(micros) for micros, _ in drawn]
            shares = [100 * share for _, share in drawn]
            axes.step(places, shares, where="post", color=colour, linestyle=style, linewidth=2)
            if gid == "needed":
                axes.fill_between(places, shares, 0, step="post", color=SOFT, linewidth=0)
            axes.scatter(
                places[:-1], shares[:-1], s=30, color=colour, linewidths=0, gid=gid, zorder=3
            )
            titles[gid] = [_told(gid, micros, share) for micros, share in curve]
        if lateness.today is not None:
            axes.axvline(_place(lateness.today), color=BAD, linewidth=2, gid="today")
            titles["today"] = [f"today's grace: {duration(lateness.today)}"]
        least = min([share for _, share in late + behind], default=1.0)
        room = max(100 * (1 - least) * 0.15, 1e-3)
        axes.set_ylim(max(0.0, 100 * least - room), 100 + room * 0.4)
        axes.set_xlim(-0.1, _place(int(end * 1.6)))
        ticks = [tick for tick in _TICKS + _LONG_TICKS if tick <= end * 1.6]
        if shape.narrow:
            ticks = [*ticks[:1], *ticks[len(ticks) - 1 : 0 : -3]]
        axes.set_xticks([_place(tick) for tick in ticks], [short(tick) for tick in ticks])
        axes.set_ylabel("% of rows")
        axes.set_xlabel("how late, at most")
        axes.spines["bottom"].set_color(LINE)
        return titles

    return picture(shape, describe(lateness), name, draw)


def describe(lateness: Lateness) -> str:
    """What the picture shows, in a sentence or two."""
    text = f"Share of {lateness.rows} rows by how late they are."
    if lateness.today is None:
        return text
    lost = lateness.lost_with(lateness.today)
    return f"{text} With today's grace of {duration(lateness.today)} {lost} are not in full."


def _place(micros: int) -> float:
    """Logarithmic from a second on, and with a place for zero."""
    return log10(1 + micros / SECOND)


def _curve(buckets: tuple[Bucket, ...], rows: int) -> list[tuple[int, float]]:
    """(lateness, share of rows that are at most so late)."""
    seen = rows - sum(bucket.rows for bucket in buckets)
    points = []
    for bucket in buckets:
        seen += bucket.rows
        points.append((bucket.most, seen / rows))
    return points


def _told(gid: str, micros: int, share: float) -> str:
    what = "need a grace of at most" if gid == "needed" else "are at most this late:"
    return f"{100 * share:.4g} % of rows {what} {duration(micros)}"
