"""Models that live in a catalogue, and queries for what each holds."""

from __future__ import annotations

GRACE = "20 minutes"
SESSION = f"event_windows.session(gap='30 minutes', grace='{GRACE}')"
HOPPING = f"event_windows.hopping(size='1 hour', advance_by='20 minutes', grace='{GRACE}')"
TUMBLING = f"event_windows.tumbling(size='1 hour', grace='{GRACE}')"
AGGREGATES = {"n": "count(*)", "total": "sum(value)"}
CALLS = {
    "sessions": (SESSION, {}),
    "final": (HOPPING, {"emit": "final"}),
    "expiring": (TUMBLING, {"expire": "delete", "retention": "3 hours"}),
}
PLAIN = """
{{ config(materialized='windowed', grace='20 minutes', arrival_order='arrival_seq') }}
select upper(key) as who, session_window.start as began, count(*) as n,
    cast(count(*) + 200 as smallint) as large, hour(session_window.start) as hour
from {{ source('raw', 'rows') }} as arrived where key is not null
group by key, session_window(event_time, '30 minutes')
having count(*) > 1
"""
# a session that grows until it is taken into no account any more, as the HAVING says
SHORT = PLAIN.replace("> 1", "< 4").replace("upper(key) as who, ", "")
# Iceberg has no SMALLINT: a query of such a column is one of an INT
ROLLUPS = {
    "by_day": """
        select date(window_start) as day, count(*) as windows, sum(n) as n, max(total) as most
        from {{ ref('sessions') }} group by all
    """,
    "by_who": """
        select who, date(began) as day, count(*) as windows, sum(n) as n, max(large * large) as most
        from {{ ref('plain') }} group by who, date(began)
    """,
}
EVERY = {"event_windows.every_row_is_counted": {"arguments": {"source": "source('raw', 'rows')"}}}
TESTS = {
    "sessions": [
        "event_windows.windows_are_unique",
        "event_windows.sessions_do_not_overlap",
        "event_windows.no_arrival_is_skipped",
        EVERY,
    ],
    "final": [EVERY],
    "expiring": [EVERY],
    "plain": [
        "event_windows.windows_are_unique",
        "event_windows.equals_its_sql",
        "event_windows.equals_from_scratch",
        EVERY,
    ],
}
MODELS = [*CALLS, "plain", "short", *ROLLUPS]
SHOWS = "n, n + 200 as large, hour(window_start) as hour"
SHOWN = "key, window_start, window_end, n, total"


def truth(model: str) -> tuple[str, str]:
    """The columns of a model, and the query for what it holds: of windows from scratch."""
    if model == "sessions":
        return SHOWN, f"select {SHOWN} from sessions_scratch"
    if model in ("final", "expiring"):
        # by the clock of its key a window is final, or has left
        clocks = "(select key as _key, max(event_time) as clock from rows group by key)"
        past = {
            "final": "timestampadd(MINUTE, 20, window_end) <= clock",
            "expiring": "timestampadd(HOUR, 3, window_end) > clock",
        }[model]
        scratch = f"{model}_scratch inner join {clocks} on key = _key"
        return SHOWN, f"select {SHOWN} from {scratch} where {past}"
    shown, having = {
        "plain": (f"upper(key) as who, window_start as began, {SHOWS}", "n > 1"),
        "short": (f"window_start as began, {SHOWS}", "n < 4"),
        "by_day": (
            "date(window_start) as day, count(*) as windows, sum(n) as n, max(total) as most",
            "true group by all",
        ),
        "by_who": (
            "upper(key) as who, date(window_start) as day, count(*) as windows, sum(n) as n, "
            "max((n + 200) * (n + 200)) as most",
            "n > 1 group by all",
        ),
    }[model]
    names = ", ".join(column.split()[-1] for column in shown.split(", "))
    return names, f"select {shown} from sessions_scratch where {having}"
