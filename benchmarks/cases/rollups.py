"""Rollups over many windows of which few have changed: a refresh beside a build of every group."""

from __future__ import annotations

from pyspark.sql import DataFrame

from benchmarks.case import Aim, Case, Measured, at_least
from benchmarks.data import START
from benchmarks.workbench import Workbench

KEYS = 50_000
DAYS = 30
DAY = 86_400_000_000
WINDOWS = """
{{ config(materialized='windowed') }}
{{ event_windows.windowed(
    relation=source('raw', 'clicks'), key='user_id', event_time='event_time',
    window=event_windows.tumbling(size='1 hour', grace='unbounded'),
    aggregates={'clicks': 'count(*)', 'amount': 'sum(amount)'}, arrival_order='arrival_seq'
) }}
"""
ROLLUP = """
{{{{ config(materialized='rollup') }}}}
select
    {group} as grouped, count(*) as windows, sum(clicks) as clicks, avg(amount) as amount,
    max(amount) as most, count(distinct user_id) as users
from {{{{ ref('windows') }}}}
group by grouped
"""
GROUPS = {"hour": "date_trunc('hour', window_start)", "user": "pmod(user_id, 700)"}


def clicks(bench: Workbench, first: int, until: int, time: str, user: str) -> DataFrame:
    return bench.spark.range(first, until, 1, max(2, (until - first) // 500_000)).selectExpr(
        f"{user} as user_id",
        f"timestamp_micros({START} + {time}) as event_time",
        "id as arrival_seq",
        "pmod(xxhash64(id, 2), 10000) as amount",
    )


def of(bench: Workbench, group: str) -> Measured:
    """Of about 700 groups a refresh touches seven, by a thousandth of new rows in them."""
    rows = 5 * bench.rows // 2
    new = rows // 1000
    anyone, anytime = f"pmod(xxhash64(id), {KEYS})", f"id * {DAYS * DAY // rows}"
    # seven hours of the last day but one, or seven remainders of users at any time
    time = f"{(DAYS - 2) * DAY} + pmod(xxhash64(id, 7), {7 * DAY // 24})"
    few = f"pmod(xxhash64(id), {KEYS // 700}) * 700 + id % 7"
    if group == "user":
        time = f"pmod(xxhash64(id, 7), {DAYS * DAY})"
    with bench.project(f"rollup_by_{group}") as project:
        project.create_source("clicks", clicks(bench, 0, rows, anytime, anyone))
        project.model("windows", WINDOWS)
        for name in ("ours", "anew"):
            project.model(name, ROLLUP.format(group=GROUPS[group]))
        project.run("windows", "ours", "anew")
        windows = project.rows("select count(*) as n from windows")[0].n
        next_row = rows

        def arrive() -> None:
            nonlocal next_row
            user = few if group == "user" else anyone
            project.append(
                "clicks", clicks(bench, next_row, next_row + new, time, user).coalesce(1)
            )
            next_row += new
            project.run("windows")

        ours_s, peer_s = bench.time(
            lambda: project.run("ours"), lambda: project.run("anew", full_refresh=True), arrive
        )
        project.run("ours")
        project.run("anew", full_refresh=True)
        columns = "grouped, windows, clicks, amount, most, users"
        equal = bench.same_tables(project, columns, "ours", "anew")
    return Measured(rows, ours_s, peer_s, equal, {"windows": windows})


CASES = (
    Case(
        "rollup_by_hour",
        "a refresh of a rollup by hours, 1 % of them touched, a whole warm dbt run",
        "a build of the same rollup",
        lambda bench: of(bench, "hour"),
        at_least(5),
    ),
    Case(
        "rollup_by_user",
        "the same by users: no group tells where in time its windows lie, all are read",
        "a build of the same rollup",
        lambda bench: of(bench, "user"),
        Aim(None, "to get to the end"),
    ),
)
