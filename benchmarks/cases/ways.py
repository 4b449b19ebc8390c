"""The same small refresh in other ways: on the other format, as plain SQL, by several threads."""

from __future__ import annotations

from benchmarks.case import Case, Measured, at_most_times
from benchmarks.cases.small_refreshes import NEW_ROWS, OURS, SOURCE, UNTIL_SETTLED, history, small
from benchmarks.cases.texts import GAP, NUMERIC, columns, plain_sql_model
from benchmarks.elsewhere import elsewhere, needs_the_other_format
from benchmarks.equality import check_counted
from benchmarks.threads import run_by_threads
from benchmarks.workbench import Workbench
from tests.harness import FILE_FORMAT

GRACE = "1 day"
MODELS = 4


def iceberg_vs_plain_delta(bench: Workbench) -> Measured:
    needs_the_other_format(FILE_FORMAT)
    with bench.project("iceberg_vs_plain_delta") as project, elsewhere(bench.rows) as other:
        arrivals = small(bench, project)
        project.model("sessions", OURS)
        project.run("sessions")

        def arrive() -> None:
            arrivals.arrive()
            other.arrive()

        ours_s, peer_s = bench.time(
            lambda: project.run("sessions"), other.run, arrive, UNTIL_SETTLED
        )
        check_counted(bench.spark.table(f"{project.schema}.sessions"), arrivals.arrived)
    return Measured(history(bench), ours_s, peer_s, details={"new_rows": NEW_ROWS})


def plain_sql(bench: Workbench) -> Measured:
    with bench.project("plain_sql") as project:
        arrivals = small(bench, project)
        project.model("own_select", plain_sql_model(SOURCE, GRACE))
        project.model("as_macro", OURS)
        project.run("own_select", "as_macro")
        ours_s, peer_s = bench.time(
            lambda: project.run("own_select"),
            lambda: project.run("as_macro"),
            arrivals.arrive,
            UNTIL_SETTLED,
        )
        same = bench.check_equal(
            f"select user_id, window_start, window_end - interval '{GAP}' as window_end, "
            f"{', '.join(NUMERIC)} from {project.schema}.own_select",
            f"select {columns()} from {project.schema}.as_macro",
        )
    return Measured(history(bench), ours_s, peer_s, same, {"new_rows": NEW_ROWS})


def threads(bench: Workbench) -> Measured:
    with bench.project("threads") as project:
        arrivals = small(bench, project)
        together = [f"together_{number}" for number in range(MODELS)]
        in_turn = [f"in_turn_{number}" for number in range(MODELS)]
        for name in (*together, *in_turn):
            project.model(name, OURS)
        run_by_threads(project, MODELS, *together)
        run_by_threads(project, 1, *in_turn)
        ours_s, peer_s = bench.time(
            lambda: run_by_threads(project, MODELS, *together),
            lambda: run_by_threads(project, 1, *in_turn),
            arrivals.arrive,
            UNTIL_SETTLED,
        )
        for name in together:
            same = bench.same_tables(project, columns(), name, in_turn[0])
    return Measured(history(bench), ours_s, peer_s, same, {"new_rows": NEW_ROWS})


CASES = (
    Case(
        "small_refresh_vs_plain_delta",
        "small refresh (1,000 rows) on Iceberg, a whole warm dbt run",
        "the plain merge model on Delta, in a warm process of its own",
        iceberg_vs_plain_delta,
        at_most_times(1),
    ),
    Case(
        "plain_sql",
        "small refresh (1,000 rows) of a model in plain SQL",
        "the same model as a call of windowed()",
        plain_sql,
        at_most_times(1.1),
    ),
    Case(
        "threads",
        "small refresh (1,000 rows) of four models, threads: 4",
        "the same four models, threads: 1",
        threads,
        at_most_times(0.6),
    ),
)
