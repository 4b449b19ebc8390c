"""Many rows with little memory: whether a full build gets to its end."""

from __future__ import annotations

from benchmarks.case import Aim, Case, Measured, NotRunError
from benchmarks.cases.texts import session_model
from benchmarks.cold import ColdProject
from benchmarks.data import clicks, users_of
from benchmarks.equality import check_counted
from benchmarks.settings import DRIVER_MEMORY
from benchmarks.timing import interleaved, say
from benchmarks.workbench import Workbench


def completes(bench: Workbench) -> Measured:
    rows = bench.settings.memory_rows
    if rows is None:
        raise NotRunError("it takes long and much disk: give MEMORY_ROWS=100000000 to run it")
    with bench.project("memory") as project:
        dbt = ColdProject(bench, project, rows)
        say(f"    writing {rows:,} rows")
        frame = clicks(bench.spark, 0, rows, users_of(rows))
        frame.write.parquet(str(dbt.rows))
        model = session_model(f'"{dbt.relation}"', "windowed", "1 day", arrival=True)
        project.model("sessions", model)
        times = interleaved({"ours": lambda: dbt.run("sessions")}, 1, warm_ups=0)
        check_counted(dbt.table("sessions"), rows)
    return Measured(rows, times["ours"])


CASES = (
    Case(
        "memory",
        f"full build of sessions with {DRIVER_MEMORY} of driver memory, a whole dbt run in a "
        "process of its own",
        None,
        completes,
        Aim(None, "completes"),
    ),
)
