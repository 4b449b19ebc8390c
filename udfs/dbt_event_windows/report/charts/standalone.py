"""A picture as a file of its own, for a README: light and dark like a page."""

from __future__ import annotations

from dbt_event_windows.report.charts.canvas import Shape
from dbt_event_windows.report.charts.timeline_chart import timeline_chart
from dbt_event_windows.report.style import COLOURS
from dbt_event_windows.report.timeline import Timeline


def timeline_file(timeline: Timeline, shape: Shape) -> str:
    """An SVG file with rows, stream time and windows of one key."""
    svg = timeline_chart(timeline, shape, "rows")
    head, tag, rest = svg.partition(">")
    style = COLOURS.replace(":root", "svg")
    return f"{head}{tag}<style>{style} svg {{ background: var(--paper); }}</style>{rest}\n"
