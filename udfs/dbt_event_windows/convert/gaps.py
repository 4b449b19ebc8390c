"""Gaps in words, and what to know of the limits that they stand for."""

from __future__ import annotations

from dbt_event_windows.plain_sql.durations import write_duration

_SECOND, _MINUTE = 1_000_000, 60_000_000


def gap_in_words(micros: int) -> str:
    """A gap for session_window, such as '29 minutes 59.999999 seconds'."""
    if (micros + 1) % _SECOND or micros < _SECOND:
        return write_duration(micros, days=False)
    minutes, rest = divmod(micros, _MINUTE)
    seconds = f"{rest // _SECOND}.{rest % _SECOND:06d} seconds"
    return f"{minutes} minutes {seconds}" if minutes else seconds


def note_of_exact(limit: int) -> str:
    """For `>= limit`, in microseconds."""
    words = gap_in_words(limit)
    return (
        f"rows exactly {words} apart are in two sessions, as in the old model; '{words}' would "
        "join them"
    )


def note_of_whole_units(unit: str, micros: int, length: int) -> str:
    """For whole units that have passed: rows less than `micros` apart are of one session."""
    note = (
        f"the old model counts whole {unit}s, so that rows less than {gap_in_words(micros)} apart "
        "are in one session"
    )
    if micros == length:
        return note
    return f"{note}; where times are whole {unit}s, '{gap_in_words(micros - length)}' is the same"


def note_of_rounding_up(unit: str) -> str:
    """For units, begun ones too, of the whole seconds between two times."""
    return (
        f"the old model rounds the time between rows up to whole {unit}s, and takes it in whole "
        "seconds of the clock: rows whose distance is within a second of the gap can fall otherwise"
    )


def note_of_clock(unit: str) -> str:
    """For units of the clock that began between two times."""
    return (
        f"the old model compares times in whole {unit}s of the clock, the gap measures them "
        f"exactly: rows whose distance is within a {unit} of the limit can fall otherwise"
    )
