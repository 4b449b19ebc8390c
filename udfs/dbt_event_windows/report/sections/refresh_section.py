"""What refreshes did."""

from __future__ import annotations

from dbt_event_windows.report import markup
from dbt_event_windows.report.charts import refresh_chart
from dbt_event_windows.report.refreshes import Refresh, Refreshes
from dbt_event_windows.report.times import duration
from dbt_event_windows.report.words import many

TITLE = "What refreshes did"


def refresh_section(refreshes: Refreshes) -> str:
    """HTML of it."""
    if not refreshes.last:
        words = "The ledger has no refresh of this model."
        return markup.section("refreshes", TITLE, markup.paragraph(words))
    pictures = [
        refresh_chart.refresh_chart(refreshes, shape, f"refreshes{number}")
        for number, shape in enumerate((refresh_chart.WIDE, refresh_chart.NARROW))
    ]
    named = [
        (word, refresh)
        for word, refresh in (("latest", refreshes.latest), ("slowest", refreshes.slowest))
        if refresh is not None
    ]
    sentences = [
        f"The {word} ended at {refresh.ended} UTC (run {refresh.run_id}): "
        f"{many(refresh.rows_read, 'row')} in {refresh.seconds:.1f} seconds."
        for word, refresh in named
    ]
    keys = sum(refresh.keys_rebuilt for refresh in refreshes.last)
    if keys:
        theirs = sum(refresh.rows_rebuilt for refresh in refreshes.last)
        sentences.append(
            f"In those shown here {many(keys, 'key')} made anew, from all of their "
            f"{many(theirs, 'row')} that were there then."
        )
    legend = [("", "a refresh, the latest on the right"), ("bad", "its late rows")]
    if any(map(refreshes.is_slowest, refreshes.last)):
        legend.append(("ink", "the slowest"))
    rows = [_line(refresh) for refresh in reversed(refreshes.last)]
    marked = [
        place
        for place, refresh in enumerate(reversed(refreshes.last))
        if refreshes.is_slowest(refresh)
    ]
    head = [
        "ended, UTC",
        "rows read",
        "late",
        "keys anew",
        "windows changed",
        "seconds",
        "lag",
        "run",
    ]
    parts = [
        *map(markup.paragraph, sentences),
        markup.figure(pictures, refresh_chart.describe(refreshes), legend),
        '<p class="about">Seconds are from the start of the dbt invocation to the end of the '
        "refresh. Lag is how far the latest event lay behind that end.</p>",
        markup.details("Refreshes as a table", markup.table(head, rows, marked)),
    ]
    return markup.section("refreshes", TITLE, "".join(parts))


def _line(refresh: Refresh) -> markup.Row:
    return [
        refresh.ended,
        refresh.rows_read,
        refresh.rows_late,
        refresh.keys_rebuilt,
        refresh.windows_changed,
        round(refresh.seconds, 1),
        None if refresh.lag is None else duration(refresh.lag),
        refresh.run_id,
    ]
