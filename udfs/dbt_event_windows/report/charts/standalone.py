"""A picture as a file of its own, for a README: light and dark like a page."""

from __future__ import annotations

import re

from dbt_event_windows.report.charts.timeline_chart import NARROW, timeline_chart
from dbt_event_windows.report.style import COLOURS
from dbt_event_windows.report.timeline import Timeline


def timeline_file(timeline: Timeline, width: int = NARROW) -> str:
    """An SVG file with rows, stream time and windows of one key, so many pixels wide."""
    svg = timeline_chart(timeline, width, "rows")
    head, tag, rest = svg.partition(">")
    # what shows the file knows its size by this alone
    size = re.sub(r'viewBox="0 0 (\d+) (\d+)"', r'\g<0> width="\1" height="\2"', head)
    style = COLOURS.replace(":root", "svg") + "svg { background: var(--paper); }"
    return f"{size}{tag}<style>{style}</style>{rest}\n"
