"""The model of the session cases, and the SQL that people write for the same sessions."""

from __future__ import annotations

from collections.abc import Mapping

GAP = "30 minutes"
NUMERIC = {"n": "count(*)", "revenue": "sum(amount)", "highest": "max(amount)"}
PUBLIC = ["user_id", "window_start", "window_end"]


def session_model(
    relation: str,
    materialized: str = "table",
    grace: str = "unbounded",
    arrival: bool = False,
    aggregates: Mapping[str, str] = NUMERIC,
) -> str:
    """A model of user sessions over `relation`, a piece of Jinja."""
    return (
        f"{{{{ config(materialized='{materialized}') }}}}\n"
        f"{{{{ event_windows.windowed(relation={relation}, key='user_id', event_time='event_time', "
        f"window=event_windows.session(gap='{GAP}', grace='{grace}'), "
        f"aggregates={dict(aggregates)!r}"
        + (", arrival_order='arrival_seq'" if arrival else "")
        + ") }}"
    )


def plain_sql_model(relation: str, grace: str) -> str:
    """The same sessions as a SELECT of one's own; as in Spark they end a gap after the last row."""
    return f"""
{{{{ config(materialized='windowed', grace='{grace}', arrival_order='arrival_seq') }}}}
select
    user_id,
    session_window.start as window_start,
    session_window.end as window_end,
    {_selected(NUMERIC)}
from {{{{ {relation} }}}}
group by user_id, session_window(event_time, '{GAP}')
"""


def by_session_window(table: str, aggregates: Mapping[str, str] = NUMERIC) -> str:
    """Spark's own; its sessions end a gap after the last event."""
    return f"""
select
    user_id,
    session_window.start as window_start,
    session_window.end - interval '{GAP}' as window_end,
    {_selected(aggregates)}
from {table}
group by user_id, session_window(event_time, '{GAP}')
"""


def by_lag(table: str, aggregates: Mapping[str, str] = NUMERIC) -> str:
    """A session starts where the row before is more than a gap ago: lag, and a running sum."""
    return f"""
with marked as (
    select
        *,
        if(event_time > lag(event_time) over of_user + interval '{GAP}', 1, 0) as starts
    from {table}
    window of_user as (partition by user_id order by event_time)
),

numbered as (
    select
        *,
        sum(starts) over (
            partition by user_id order by event_time
            rows between unbounded preceding and current row
        ) as session_number
    from marked
)

select
    user_id,
    min(event_time) as window_start,
    max(event_time) as window_end,
    {_selected(aggregates)}
from numbered
group by user_id, session_number
"""


def columns(aggregates: Mapping[str, str] = NUMERIC) -> str:
    """The columns of a session, without what a table has for its own use."""
    return ", ".join([*PUBLIC, *aggregates])


def _selected(aggregates: Mapping[str, str]) -> str:
    return ",\n    ".join(f"{sql} as {name}" for name, sql in aggregates.items())
