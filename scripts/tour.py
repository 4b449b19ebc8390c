"""The tour: a model for each type of window over the demo's rows, late rows, and what they changed.

It ends with a page about the sessions: how late rows are, why one is not counted.

FORMAT=delta for the other table format.
"""

from __future__ import annotations

import os
import sys
import time

from demo_print import say
from demo_report import FIRST, SEED, THEN, asker_of, write_page
from demo_session import LOG, SCHEMA, DemoError, Session, ended
from tour_looks import BEFORE, LOOKS

NOT_HERE = ("--exclude", "resource_type:seed", "ew_demo_visits", "--indirect-selection", "cautious")


def keep(session: Session, name: str) -> None:
    """The rows of a model as they are now, as a view before_<name> of this session."""
    frame = session.spark.table(f"{SCHEMA}.{name}")
    held = session.spark.createDataFrame(frame.collect(), frame.schema)
    held.createOrReplaceTempView(f"before_{name}")


def main() -> None:
    started = time.monotonic()
    say("Starting Spark (the first time it also fetches the table format)")
    session = Session(os.environ.get("FORMAT") or "iceberg")

    say("1/2  Page views of three days and readings of two hours arrive: dbt build")
    session.seed(SEED, *FIRST)
    session.seed("ew_demo_sensor_readings", 1, 146)
    session.dbt("build", *NOT_HERE)
    for name in BEFORE:
        keep(session, name)

    say("2/2  More rows arrive, some of them up to two days late: dbt build")
    session.seed(SEED, *THEN)
    session.seed("ew_demo_sensor_readings", 147, 182)
    session.dbt("build", *NOT_HERE)

    for look in LOOKS:
        session.show(*look)
    write_page(asker_of(session))
    ended(started)


if __name__ == "__main__":
    try:
        main()
    except DemoError as error:
        sys.exit(f"The tour stopped: {error}\nWhat Spark said is in {LOG}")
