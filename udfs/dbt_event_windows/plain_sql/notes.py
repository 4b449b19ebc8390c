"""What a user should know of a text that is kept: where its rows depend on more than themselves."""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql.functions import READ_THE_ZONE
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import call_name
from dbt_event_windows.plain_sql.text import nodes

JOINS = (
    "Joined tables are read as they stand at the refresh that reads a row: a later change in them "
    "changes no row that was read before. A full refresh reads them anew."
)
FAN_OUT = (
    "LATERAL VIEW and explode make several rows of one: these have one arrival number, and nothing "
    "says which of them came first."
)
ZONE = (
    "Dates, hours and the like are those of the session's time zone: keep "
    "spark.sql.session.timeZone the same for every refresh."
)
CALENDAR_GAP = (
    "A day in the gap of session_window is a day of the calendar in the session's time zone, of 23 "
    "or 25 hours where clocks change, as in Spark. '24 hours' is a gap of one length, which costs "
    "less."
)
TAKES_ONE_ROW = (
    "{name} takes one row of a window: here the first or last by event time, then by arrival; "
    "Spark takes whichever it reads first or last."
)
KEEPS_ROWS = (
    "{name} keeps the values of a window's rows, here in the order of event time and arrival; "
    "Spark keeps whatever order it reads them in."
)

_CLOCKS = ("DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMPLTZ")


def note_zone(reading: Reading, node: exp.Expression) -> None:
    """Note that an expression depends on the session's time zone, if it does."""
    for found in nodes(node):
        is_cast = isinstance(found, exp.Cast) and found.to.sql().upper() in _CLOCKS
        if is_cast or isinstance(found, exp.Extract) or call_name(found) in READ_THE_ZONE:
            reading.note(ZONE)
