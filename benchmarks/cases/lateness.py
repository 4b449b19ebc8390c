"""What it takes to tell late rows exactly."""

from __future__ import annotations

from benchmarks.case import Case, Measured, at_most_times
from benchmarks.cases.texts import NUMERIC, by_lag, columns, session_model
from benchmarks.data import clicks_some_late
from benchmarks.equality import AnswersDifferError
from benchmarks.workbench import Workbench

GRACE = "1 hour"
RELATION = "source('shared', 'clicks_some_late')"
# A row that comes 100 days late is near no other but its like, so it is late exactly if its user
# has had a row in time before; that needs no replay to say.
IN_TIME = """
select * except (clock)
from (
    select
        *,
        max(event_time) over (partition by user_id order by arrival_seq) as clock
    from {table}
)
where event_time >= clock - interval '1 hour' - interval '30 minutes'
"""


def late_rows(bench: Workbench) -> Measured:
    table = bench.shared("clicks_some_late", lambda: clicks_some_late(bench.spark, bench.rows))
    with bench.project("lateness") as project:
        exact = session_model(RELATION, grace=GRACE, arrival=True)
        exact_sql = bench.compiled(project, "exact", exact)
        at_once_sql = bench.compiled(project, "at_once", session_model(RELATION, grace=GRACE))
        ours_s, peer_s = bench.time_builds(project, exact_sql, at_once_sql)
        bench.build(f"{project.schema}.in_time", IN_TIME.format(table=table))
        same = bench.check_equal(
            f"select {columns()} from {project.schema}.ours",
            f"select {columns(NUMERIC)} from ({by_lag(f'{project.schema}.in_time')})",
        )
        late = bench.rows - bench.spark.table(f"{project.schema}.in_time").count()
    if late == 0:
        raise AnswersDifferError(f"of {bench.rows:,} rows none is late: give more ROWS")
    return Measured(bench.rows, ours_s, peer_s, same, {"late_rows": late})


CASES = (
    Case(
        "lateness",
        "full build of sessions with exact lateness: 0.1 % late rows in 1 % of keys",
        "ours without arrival order, which counts them all",
        late_rows,
        at_most_times(1.3),
    ),
)
