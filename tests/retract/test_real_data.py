"""Orders of a shop, some of which customers cancelled: lines go, and visits change with them."""

from __future__ import annotations

import pytest

from tests.formats import keep_log
from tests.harness import DbtProject
from tests.session_models import session_model

pytestmark = pytest.mark.slow
WINDOWS = {
    "visits": "event_windows.session(gap='2 hours', grace='1 day')",
    "weeks": "event_windows.calendar(unit='week', grace='1 day')",
    "bursts": "event_windows.sliding(difference='1 hour', grace='1 day', resolution='1 minute')",
}
AGGREGATES = {"lines": "count(*)", "pieces": "sum(quantity)", "items": "count(distinct stock_code)"}
PARTS = 3
BEGUN = "arrival_seq <= (select max(arrival_seq) from orders) * {} / " + str(PARTS)
# a line that a later one of the same customer takes back
CANCELLED = """
    select key, stock_code, -quantity as quantity, max(event_time) as until
    from orders where invoice_no like 'C%' and {}
    group by key, stock_code, quantity"""


def test_lines_that_were_cancelled(project: DbtProject) -> None:
    orders = project.real_data("web_shop")
    # half of the customers: most lines are taken back before they were read
    some = "pmod(hash(key), 2) = 0 or (key is null and pmod(arrival_seq, 100) = 0)"
    orders.where(some).createOrReplaceTempView("orders")
    project.create_source("lines", orders.where("false"))
    keep_log(project, "lines")
    for name, window in WINDOWS.items():
        for model, config in [(name, {"source_changes": "retract"}), (f"{name}_anew", {})]:
            text = session_model("lines", window, config=config, aggregates=AGGREGATES)
            project.model(model, text)
    read = "false"
    for part in range(1, PARTS + 1):
        begun = BEGUN.format(part)
        project.rows(
            f"insert into lines select * from orders where {begun} and not ({read}) "
            "and invoice_no not like 'C%'"
        )
        project.rows(
            f"merge into lines as line using ({CANCELLED.format(begun)}) as gone "
            "on line.key = gone.key and line.stock_code = gone.stock_code "
            "and line.quantity = gone.quantity and line.event_time <= gone.until "
            "when matched then delete"
        )
        project.run(*WINDOWS)
        read = begun
    project.run(*[f"{name}_anew" for name in WINDOWS])
    for name in WINDOWS:
        rebuilt = project.rows(
            "select sum(keys_rebuilt) as keys, sum(rows_rebuilt) as rows from event_windows_runs "
            f"where model = '{name}'"
        )[0]
        assert rebuilt.keys > 100
        assert rebuilt.rows > 1000
        for end in ["", "__dropped", "__stream_time"]:
            columns = project.spark.table(f"{project.schema}.{name}{end}").columns
            kept = [c for c in columns if not c.startswith("_ew_") and c != "run_id"]
            found, due = (
                project.spark.sql(f"select {', '.join(kept)} from {model}{end}")
                for model in (name, f"{name}_anew")
            )
            assert found.count() > 0
            assert found.exceptAll(due).count() == due.exceptAll(found).count() == 0, name + end
