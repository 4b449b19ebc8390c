"""The demo: a model for each type of window, then late rows, and what they changed.

With EVENTS=path/to/file.parquet it is the user's own rows: all but the last twentieth first, the
rest as a second arrival. Everything that Spark keeps is below .spark/ and made anew each time.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sys
import time
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Any

from demo_looks import EVENT_LOOKS, PAGE_VIEW_LOOKS, Look

ROOT = Path(__file__).resolve().parents[1]
HOME = ROOT / ".spark"
LOG = HOME / "spark.log"
NEEDED = ("key", "event_time", "arrival_seq")
LATE_SEEDS = "ew_demo_late_*"
EVENTS_TABLE = "event_windows.demo_events"


class DemoError(Exception):
    """What the reader of the demo has to know, without a stack trace."""


def say(text: str = "") -> None:
    print(text, flush=True)


def shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    return f"{value:,}" if isinstance(value, int | Decimal) else str(value)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows in columns as wide as their contents; numbers stand to the right."""
    cells = [[shown(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    right = [
        bool(rows) and all(v is None or isinstance(v, int | float | Decimal) for v in column)
        for column in zip(*rows, strict=True)
    ] or [False] * len(columns)

    def line(texts: Sequence[str]) -> str:
        aligned = zip(texts, widths, right, strict=True)
        return "  ".join(t.rjust(w) if r else t.ljust(w) for t, w, r in aligned).rstrip()

    say()
    say(title)
    say("  " + line(columns))
    say("  " + "  ".join("-" * width for width in widths))
    for row in cells:
        say("  " + line(row))
    if not rows:
        say("  (none)")


def start_afresh() -> None:
    """An empty .spark/, and the noise of starting Spark in a file there."""
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir()
    shutil.copy(ROOT / "profiles.example.yml", HOME / "profiles.yml")
    os.environ["EVENT_WINDOWS_SPARK_DIR"] = str(HOME)
    os.environ["EVENT_WINDOWS_SPARK"] = ".".join(version("pyspark").split(".")[:2])
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    # PySpark hands timestamps over in local time; the tables show UTC.
    os.environ["TZ"] = "UTC"
    time.tzset()
    # The JVM inherits the file behind standard error; Python keeps the terminal.
    sys.stderr = os.fdopen(os.dup(2), "w")
    with LOG.open("w") as log:
        os.dup2(log.fileno(), 2)


def progress(event: Any) -> None:
    """A line for each seed, model and test: while it runs, on a terminal, and when it has ended."""
    if event.info.name == "NodeStart" and sys.stdout.isatty():
        print(f"    running  {event.data.node_info.node_name}", end="\r", flush=True)
    if event.info.name == "NodeFinished":
        result = event.data.run_result
        name = event.data.node_info.node_name
        say(f"    {result.status:<8} {name}  {result.execution_time:.1f} s")


def dbt(*arguments: str, **variables: Any) -> None:
    from dbt.cli.main import dbtRunner

    options = ["--project-dir", str(ROOT), "--profiles-dir", str(HOME), "--log-path", str(HOME)]
    options += ["--target-path", str(HOME / "target"), "--quiet", "--no-version-check"]
    options += ["--no-send-anonymous-usage-stats"]
    chosen = {f"event_windows__{name}": value for name, value in variables.items()}
    options += ["--vars", json.dumps({"event_windows__demo": True} | chosen)]
    if not dbtRunner(callbacks=[progress]).invoke([*arguments, *options]).success:
        raise DemoError("dbt failed; it has said above why.")


def rows(sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in spark().sql(sql).collect()]


def show(look: Look) -> None:
    frame = spark().sql(look.sql)
    table(look.title, frame.columns, frame.collect())
    if look.meaning:
        say(f"  {look.meaning}")


def spark() -> Any:
    """The session in which dbt runs; dbt has started it with the settings of the profile."""
    from pyspark.sql import SparkSession

    return SparkSession.builder.getOrCreate()


def demo_of_page_views() -> None:
    say("1/3  Build: page views of three days and readings of two hours become windows")
    dbt("build", "--exclude", LATE_SEEDS)

    say("2/3  A second batch arrives, with rows up to two days late")
    dbt("seed", "--select", LATE_SEEDS, demo_batch=2)

    say("3/3  Refresh: only the new rows are read, only the windows within their reach are touched")
    dbt("build", "--exclude-resource-type", "seed", demo_batch=2)

    for look in PAGE_VIEW_LOOKS:
        show(look)


def demo_of_events(path: Path) -> None:
    if not path.exists():
        raise DemoError(f"EVENTS={path}: there is no such file. Give the path of a Parquet file.")
    events = spark().read.parquet(str(path))
    missing = [name for name in NEEDED if name not in events.columns]
    if missing:
        raise DemoError(
            f"EVENTS={path}: needed are the columns {', '.join(NEEDED)}; missing: "
            f"{', '.join(missing)}; found: {', '.join(events.columns)}. Rename them in the file."
        )
    events = events.select(*NEEDED)
    cut = events.selectExpr("percentile(arrival_seq, 0.95)").first()[0] or 0
    parts = [events.where(events.arrival_seq <= cut), events.where(events.arrival_seq > cut)]

    say(f"1/2  Build: the rows of {path.name} that arrived first (95 %) become sessions")
    spark().sql("create schema if not exists event_windows")
    parts[0].write.format("delta").saveAsTable(EVENTS_TABLE)
    dbt("build", "--select", "ew_demo_event_sessions", demo_table=EVENTS_TABLE)

    say("2/2  The rest arrives; refresh")
    parts[1].write.format("delta").mode("append").saveAsTable(EVENTS_TABLE)
    dbt("build", "--select", "ew_demo_event_sessions", demo_table=EVENTS_TABLE)

    for look in EVENT_LOOKS:
        show(look)
    total = "select count(*), sum(events) from event_windows.ew_demo_event_sessions"
    number, counted = rows(total)[0]
    say()
    say(f"{counted or 0:,} rows in {number:,} sessions")


def main() -> None:
    started = time.monotonic()
    start_afresh()
    say("     Starting Spark (the first time it also fetches Delta)")
    # an ad hoc query makes dbt start the session, with the settings of the profile
    with contextlib.redirect_stdout(io.StringIO()):
        dbt("show", "--inline", "select 1")
    events = os.environ.get("EVENTS")
    if events:
        demo_of_events(Path(events).expanduser().absolute())
    else:
        demo_of_page_views()
    say()
    took = time.monotonic() - started
    say(f"Done in {took:.0f} s. Tables are in .spark/warehouse, dbt's log is .spark/dbt.log")


if __name__ == "__main__":
    try:
        main()
    except DemoError as error:
        sys.exit(f"The demo stopped: {error}\nWhat Spark said is in {LOG}")
