"""Refreshes with 1 % new rows: whole dbt runs in a warm process."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame

from benchmarks.case import Aim, Case, Measured, at_least, at_most_times
from benchmarks.cases.texts import NUMERIC, by_lag, columns, session_model
from benchmarks.data import clicks, users_of
from benchmarks.rows_read import rows_read
from benchmarks.timing import say
from benchmarks.workbench import Workbench
from tests.harness import DbtProject

GRACE = "1 day"
# All history of the keys of new rows, deleted and inserted again; how far it read stands in the
# table. The hook runs after the model has been compiled, so both see the same mark.
TOUCHED_KEYS = """
{{{{ config(
    materialized='incremental', incremental_strategy='append',
    pre_hook="{{% if is_incremental() %}}
        merge into {{{{ this }}}} as stored
        using (
            select distinct user_id from {{{{ source('raw', 'clicks') }}}}
            where arrival_seq > (select max(last_arrival) from {{{{ this }}}})
        ) as touched
        on stored.user_id = touched.user_id
        when matched then delete
    {{% endif %}}"
) }}}}
{{%- if is_incremental() %}}
{{%- set mark = run_query('select max(last_arrival) as mark from ' ~ this).rows[0]['mark'] %}}
{{%- endif %}}
with read as (
    select * from {{{{ source('raw', 'clicks') }}}}
    {{%- if is_incremental() %}}
    where user_id in (
        select user_id from {{{{ source('raw', 'clicks') }}}} where arrival_seq > {{{{ mark }}}}
    )
    {{%- endif %}}
),

sessions as ({sessions})

select * from sessions
"""


class Arrivals:
    """A source table with a history of `rows`, to which `new` rows arrive at a time."""

    def __init__(
        self,
        bench: Workbench,
        project: DbtProject,
        table: str,
        rows: int,
        new: int,
        users: int,
        change: Callable[[DataFrame], DataFrame] = lambda rows: rows,
    ) -> None:
        """`change` is done to all rows on their way; numbers go on at ten times ROWS."""
        self._bench, self._project, self._table = bench, project, table
        self._users, self._change = users, change
        self.next = 10 * bench.rows
        self._first = self.next - rows
        self.new = new
        say(f"    writing a history of {rows:,} rows")
        project.create_source(table, self._rows(self._first, self.next))

    @property
    def arrived(self) -> int:
        """How many rows are there."""
        return self.next - self._first

    def arrive(self) -> None:
        rows = self._rows(self.next, self.next + self.new)
        self._project.append(self._table, rows.coalesce(1))
        self.next += self.new

    def _rows(self, first: int, until: int) -> DataFrame:
        return self._change(clicks(self._bench.spark, first, until, self._users))


def large(bench: Workbench, project: DbtProject, table: str = "clicks", times: int = 1) -> Arrivals:
    """As many rows as ROWS says, or so many times more, and 1 % of ROWS at a time."""
    new = bench.rows // 100
    return Arrivals(bench, project, table, times * bench.rows, new, users_of(bench.rows))


def _windowed(table: str = "clicks", materialized: str = "windowed") -> str:
    return session_model(f"source('raw', '{table}')", materialized, GRACE, arrival=True)


def vs_full(bench: Workbench) -> Measured:
    with bench.project("refresh_vs_full") as project:
        arrivals = large(bench, project)
        project.model("sessions", _windowed())
        project.model("full", _windowed(materialized="table"))
        project.run("sessions")
        ours_s, peer_s = bench.time(
            lambda: project.run("sessions"), lambda: project.run("full"), arrivals.arrive
        )
        same = bench.same_tables(project, columns(), "sessions", "full")
    return Measured(bench.rows, ours_s, peer_s, same, {"new_rows": arrivals.new})


def vs_touched_keys(bench: Workbench) -> Measured:
    with bench.project("refresh_vs_touched_keys") as project:
        arrivals = large(bench, project)
        aggregates = NUMERIC | {"last_arrival": "max(arrival_seq)"}
        project.model("sessions", _windowed())
        project.model("touched_keys", TOUCHED_KEYS.format(sessions=by_lag("read", aggregates)))
        project.run("sessions", "touched_keys")
        ours_s, peer_s = bench.time(
            lambda: project.run("sessions"), lambda: project.run("touched_keys"), arrivals.arrive
        )
        # once more for the rows, since counting them takes time too
        arrivals.arrive()
        ours_read = rows_read(bench.spark, lambda: project.run("sessions"))
        peer_read = rows_read(bench.spark, lambda: project.run("touched_keys"))
        same = bench.same_tables(project, columns(), "sessions", "touched_keys")
    details = {
        "new_rows": arrivals.new,
        "ours_rows_read": ours_read,
        "peer_rows_read": peer_read,
        "rows_read_ratio": round(peer_read / ours_read, 2),
    }
    return Measured(bench.rows, ours_s, peer_s, same, details)


def ten_times_history(bench: Workbench) -> Measured:
    with bench.project("refresh_10x_history") as project:
        longer = large(bench, project, "longer", 10)
        shorter = large(bench, project, "shorter")
        for table in ("longer", "shorter"):
            project.model(f"{table}_history", _windowed(table))
            project.run(f"{table}_history")

        def arrive() -> None:
            longer.arrive()
            shorter.arrive()

        ours_s, peer_s = bench.time(
            lambda: project.run("longer_history"), lambda: project.run("shorter_history"), arrive
        )
    return Measured(10 * bench.rows, ours_s, peer_s, details={"new_rows": longer.new})


CASES = (
    Case(
        "refresh_vs_full",
        "refresh with 1 % new rows, a whole warm dbt run",
        "full build: the same model as a table",
        vs_full,
        at_least(3),
    ),
    Case(
        "refresh_vs_touched_keys",
        "refresh with 1 % new rows, a whole warm dbt run",
        "all history of the touched keys, deleted and inserted again",
        vs_touched_keys,
        Aim(3, "ratio >= 3, and >= 10 in rows read", {"rows_read_ratio": 10}),
    ),
    Case(
        "refresh_10x_history",
        "the same refresh, history 10 times longer",
        "ours with the shorter history",
        ten_times_history,
        at_most_times(1.1),
    ),
)
