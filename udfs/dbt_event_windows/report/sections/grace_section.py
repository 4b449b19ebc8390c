"""Which grace?"""

from __future__ import annotations

from dbt_event_windows.report import markup
from dbt_event_windows.report.charts import lateness_chart
from dbt_event_windows.report.lateness import Choice, Lateness
from dbt_event_windows.report.times import exact

TITLE = "Which grace?"


def grace_section(lateness: Lateness, part: float, is_model: bool) -> str:
    """HTML of it.

    part: of how many of the keys the rows are. is_model: whether windows are known, so that the
    grace that a row needs is.
    """
    if not lateness.rows:
        words = "There are no rows to measure."
        if part < 1 and lateness.measured_all:
            words = "No row to measure is in the sample: there is none, or it takes a larger one."
        return markup.section("grace", TITLE, markup.paragraph(words))
    pictures = [
        lateness_chart.lateness_chart(lateness, shape, f"grace{number}")
        for number, shape in enumerate((lateness_chart.WIDE, lateness_chart.NARROW))
    ]
    legend = [
        ("", "rows that would not count in full with this grace"),
        ("dash", "rows that come later than this behind stream time"),
    ]
    if lateness.needed == lateness.behind:
        legend = [("", "rows that come later than this behind stream time")]
    if lateness.today is not None:
        legend.append(("mark", "today's grace"))
    choices = lateness.choices()
    marked = [place for place, choice in enumerate(choices) if choice.is_todays]
    parts = [
        markup.paragraph(_about(lateness, part, is_model)),
        markup.figure(pictures, lateness_chart.describe(lateness), legend),
        markup.table(_head(lateness), [_line(choice, lateness) for choice in choices], marked),
    ]
    return markup.section("grace", TITLE, "".join(parts))


def _about(lateness: Lateness, part: float, is_model: bool) -> str:
    words = ["A row is late by stream time at its arrival less its event time."]
    if is_model:
        words.append(
            "The grace that it needs is less where its window ends, or its gap passes, after it; "
            "of a session it may be less still, where other rows keep the session open."
        )
    else:
        words.append(
            "Nothing is known of windows yet: a row needs at most this grace, and less by what its "
            "window goes on after it."
        )
    if not lateness.measured_all:
        words.append(
            "Rows have no arrival order, so only those that were dropped as late are measured; all "
            "others count as in time."
        )
    elif part < 1:
        words.append(f"Measured on about {100 * part:g} % of the keys.")
    return " ".join(words)


def _head(lateness: Lateness) -> list[str]:
    later = ["windows close"] if lateness.today is not None else ["windows close after their end"]
    return ["with a grace of", "rows not in full", "% of rows", *later]


def _line(choice: Choice, lateness: Lateness) -> markup.Row:
    if choice.later is None:
        later = exact(choice.grace)
    elif choice.is_todays:
        later = "today's grace"
    else:
        word = "later" if choice.later > 0 else "sooner"
        later = f"{exact(abs(choice.later))} {word}"
    return [exact(choice.grace), choice.lost, 100 * choice.share, later]
