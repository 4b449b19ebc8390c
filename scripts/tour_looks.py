"""What the tour shows at its end: queries, each with a line that says what is to be seen.

`before_<model>` is a model as the first build left it.
"""

from __future__ import annotations

from typing import NamedTuple


class Look(NamedTuple):
    title: str
    sql: str
    meaning: str = ""


SESSIONS = Look(
    "Session, 30 minutes: sessions that late rows joined or moved",
    """
    with
    build as (
        select user_id, window_start, window_end, page_views, revenue, landing_page
        from before_ew_demo_page_view_sessions
    ),
    refreshed as (
        select user_id, window_start, window_end, page_views, revenue, landing_page
        from event_windows.ew_demo_page_view_sessions
    ),
    replaced as (
        select * from build except select * from refreshed
    ),
    replacements as (
        select * from refreshed except select * from build
    )
    select 'before' as `when`, * from replaced
    union all
    select 'now', * from replacements left semi join replaced using (user_id)
    order by user_id, `when`, window_start
    """,
    "Ada's two are one now; Ben's began earlier, on another page.",
)

HOURS = Look(
    "Windows over windows, hours of those sessions: hours that changed with them",
    """
    select
        window_start, landing_page,
        before.sessions as sessions_before, now.sessions as sessions_now,
        before.page_views as page_views_before, now.page_views as page_views_now
    from before_ew_demo_sessions_per_hour as before
    full join event_windows.ew_demo_sessions_per_hour as now
        using (window_start, landing_page)
    where before.sessions is not null and not before.page_views <=> now.page_views
    order by window_start, landing_page
    """,
    "Where two sessions became one, both were taken away and one was added.",
)

SESSION_DAYS = Look(
    "A rollup, the days of those hours: ew_demo_sessions_per_day",
    """
    select
        day, before.sessions as sessions_before, now.sessions as sessions_now,
        before.page_views as page_views_before, now.page_views as page_views_now,
        now.busiest_landing_page
    from before_ew_demo_sessions_per_day as before
    full join event_windows.ew_demo_sessions_per_day as now using (day)
    order by day
    """,
    "Only days in which an hour has changed were computed again.",
)

NO_SESSION = Look(
    "Rows that are in no session, and why: ew_demo_page_view_sessions__dropped",
    """
    select arrival_seq, user_id, viewed_at, reason, stream_time,
        get_json_object(source_row, '$.url') as url
    from event_windows.ew_demo_page_view_sessions__dropped
    order by arrival_seq
    """,
)

MINUTES = Look(
    "Tumbling, 1 minute, emit='final': minutes of clients, by the refresh that added them",
    """
    select concat('refresh ', rank() over (order by _ew_refresh)) as added_by, count(*) as minutes,
        sum(requests) as requests, min(window_start) as first_start, max(window_start) as last_start
    from event_windows.ew_demo_requests_per_minute
    group by _ew_refresh
    union all
    select 'not yet', count(*), sum(requests), min(window_start), max(window_start)
    from event_windows.ew_demo_requests_per_minute__state
    left anti join event_windows.ew_demo_requests_per_minute using (user_id, window_start)
    order by first_start
    """,
    "A minute is added once, when it has closed, an hour after its end, and never changes.",
)

PAGES = Look(
    "Hopping, 1 hour by 15 minutes: the first page of each hour around midnight",
    """
    select window_start, window_end, url, page_views, visitors
    from event_windows.ew_demo_top_pages
    where place = 1 and window_end <= timestamp '2024-03-06 01:00:00'
    order by window_end desc
    limit 5
    """,
    "An hour begins every 15 minutes, so a view counts in four of them.",
)

REVENUE = Look(
    "Cumulating, 1 day by 1 hour: revenue of a day so far, every fourth hour",
    """
    select window_start, window_end, page_views, orders, revenue
    from event_windows.ew_demo_revenue_so_far
    where window_start = timestamp '2024-03-06 00:00:00' and hour(window_end) % 4 = 0
    order by window_end
    """,
    "The windows of a day begin together, and each ends an hour later than the one before.",
)

SENSORS = Look(
    "Sliding, 10 minutes: the warmest ten minutes of each sensor",
    """
    with
    moving as (
        select 'before' as `when`, * from before_ew_demo_sensor_statistics
        union all
        select 'now', * from event_windows.ew_demo_sensor_statistics
    ),
    warmest as (
        select sensor, `when`, max_by(struct(*), struct(average, window_start)) as held
        from moving
        where readings >= 4
        group by sensor, `when`
    )
    select sensor, `when`, held.window_start, held.window_end, held.readings,
        round(held.average, 1) as average, held.lowest, held.highest
    from warmest
    order by sensor, `when`
    """,
    "The freezer's readings from 09:04 to 09:10 came half an hour late, and count.",
)

LATE_READINGS = Look(
    "Readings that missed a window: ew_demo_sensor_statistics__dropped",
    """
    select arrival_seq, sensor, measured_at, reason, stream_time,
        get_json_object(source_row, '$.celsius') as celsius
    from event_windows.ew_demo_sensor_statistics__dropped
    order by arrival_seq
    """,
    "late: every window of it had closed; late_partial: it counts in those that were still open.",
)

LEDGER = Look(
    "What each refresh did: event_windows_runs",
    """
    select model, rows_read, rows_late as late, rows_late_partial as partial, rows_null as without,
        windows_inserted as inserted, windows_updated as updated, windows_deleted as deleted,
        windows_closed as closed, keys_tracked as clocks
    from event_windows.event_windows_runs
    order by started_at, finished_at
    """,
)

DAYS = Look(
    "Calendar, day in Berlin: what was sold on each day",
    """
    select window_start, window_end, page_views, orders, revenue
    from event_windows.ew_demo_orders_per_day
    order by window_start
    """,
    "Times are UTC, in which a winter day of Berlin begins at 23:00.",
)

LOOKS = (
    SESSIONS,
    HOURS,
    SESSION_DAYS,
    NO_SESSION,
    MINUTES,
    PAGES,
    REVENUE,
    DAYS,
    SENSORS,
    LATE_READINGS,
    LEDGER,
)

# What the looks compare with what it became.
BEFORE = (
    "ew_demo_page_view_sessions",
    "ew_demo_sessions_per_hour",
    "ew_demo_sessions_per_day",
    "ew_demo_sensor_statistics",
)
