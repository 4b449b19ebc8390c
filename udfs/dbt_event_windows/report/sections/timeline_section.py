"""Why is this row (not) counted?"""

from __future__ import annotations

from dbt_event_windows.report import markup
from dbt_event_windows.report.charts import timeline_chart
from dbt_event_windows.report.model_facts import ModelFacts
from dbt_event_windows.report.rows import SourceRow, Window
from dbt_event_windows.report.timeline import Timeline
from dbt_event_windows.report.times import duration, exact, instant
from dbt_event_windows.report.words import many

TITLE = "Why is this row (not) counted?"


def timeline_section(timeline: Timeline, facts: ModelFacts) -> str:
    """HTML of one key."""
    name = timeline_chart.key_text(timeline.key)
    if not timeline.rows and not timeline.windows:
        words = f"There are no rows and no windows of {name}."
        return markup.section("key", TITLE, markup.paragraph(words))
    of_all = f" (the last of {timeline.number})" if timeline.number > len(timeline.rows) else ""
    parts = [
        markup.paragraph(
            f"Rows of {name} in the order in which they arrived{of_all}, the first at the top. "
            + _rule(facts)
        ),
        _pictures(timeline),
        _dropped(timeline),
        markup.details(
            "Rows as a table",
            markup.table(
                ["arrival", "event time", "stream time", "behind by", "counted"],
                [_line(row) for row in timeline.rows],
                [place for place, row in enumerate(timeline.rows) if row.reason],
            ),
        ),
        markup.details(
            "Windows as a table",
            markup.table(
                ["from", "to", "rows", "state"], [_window(window) for window in timeline.windows]
            ),
        ),
    ]
    return markup.section("key", TITLE, "".join(parts))


def _pictures(timeline: Timeline) -> str:
    if not timeline.drawn and not timeline.windows:
        return ""
    pictures = [
        timeline_chart.timeline_chart(timeline, width, f"key{number}")
        for number, width in enumerate((timeline_chart.WIDE, timeline_chart.NARROW))
    ]
    drawn = markup.figure(pictures, timeline_chart.describe(timeline), _legend(timeline))
    missing = len(timeline.rows) - len(timeline.drawn)
    words = f"Not in the picture: {many(missing, 'row')} without an event time."
    return drawn + (markup.paragraph(words) if missing else "")


def _legend(timeline: Timeline) -> list[tuple[str, str]]:
    """What is there, and no more."""
    closed = {window.closed for window in timeline.windows}
    counts = any(window.rows is not None for window in timeline.windows)
    states = {row.state for row in timeline.drawn}
    words = {
        "dot": ("counted" in states, "row that counts, at its event time"),
        "ring": ("unread" in states, "row that no refresh has read yet"),
        "cross": (
            "dropped" in states,
            "row that does not count in full; dotted: how far it is behind stream time",
        ),
        "line": (
            any(row.clock is not None for row in timeline.drawn),
            "stream time at arrival",
        ),
        "soft": (False in closed, "open window" + ", with how many rows it has" * counts),
        "closed": (True in closed, "closed window"),
        "pause": (timeline_chart.has_cuts(timeline), "nothing for as long as stands above it"),
    }
    return [(swatch, said) for swatch, (there, said) in words.items() if there]


def _rule(facts: ModelFacts) -> str:
    if facts.grace is None:
        return "The grace is unbounded: no window ever closes."
    gap = f" and the gap of {exact(facts.gap)}" if facts.gap else ""
    return (
        f"A window has closed when stream time has passed its end by the grace of "
        f"{exact(facts.grace)}{gap}."
    )


def _dropped(timeline: Timeline) -> str:
    dropped = [row for row in timeline.rows if row.reason]
    if not dropped:
        read = " that were read" if any(row.unread for row in timeline.rows) else ""
        return markup.paragraph(f"All of these rows{read} count in full.")
    return "<h3>Rows that do not count in full</h3>" + markup.table(
        ["arrival", "event time", "stream time", "reason", "a grace of"],
        [
            [
                _number(row),
                _time(row.time),
                _time(row.clock),
                row.reason,
                None if row.needed is None else exact(max(row.needed, 0)) + " would do",
            ]
            for row in dropped
        ],
    )


def _line(row: SourceRow) -> markup.Row:
    late = None if row.clock is None or row.time is None else row.clock - row.time
    state = row.reason or ("not read yet" if row.unread else "yes")
    behind = None if late is None else duration(late)
    return [_number(row), _time(row.time), _time(row.clock), behind, state]


def _window(window: Window) -> markup.Row:
    return [_time(window.start), _time(window.end), window.rows, window.state]


def _number(row: SourceRow) -> str | None:
    """An arrival number as it is written in the source: it is a name, not a quantity."""
    if row.arrival is None:
        return None
    return str(row.arrival) + (f" of {row.partition}" if row.partition is not None else "")


def _time(micros: int | None) -> str | None:
    return None if micros is None else instant(micros)
