"""The demo: visits from page views that arrive in three parts, late rows among them.

The model is plain SQL, and in the end Spark itself answers the same SELECT. With
EVENTS=path/to/file.parquet it is the user's own rows: all but the last twentieth first, the rest
as a second arrival. FORMAT=delta for the other table format, MASTER=spark://... for a cluster.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

from demo_print import say
from demo_session import LOG, ROOT, SCHEMA, DemoError, Session, ended

NEEDED = ("key", "event_time", "arrival_seq")
TYPES = {
    "event_time": ("timestamp", "timestamp_ntz"),
    "arrival_seq": ("tinyint", "smallint", "int", "bigint"),
}
EVENTS_TABLE = "ew_demo_events"
VISITS = "ew_demo_visits"
VIEWS = f"{SCHEMA}.ew_demo_stg_page_views"
# The scripted users of the seeds: what happens to the visits of others is much the same.
WATCHED = f"""
    select user_id, session_start, session_end, page_views, revenue, landing_page
    from {SCHEMA}.{VISITS}
    where user_id in ('ada', 'ben', 'cleo')
    order by user_id, session_start
"""
LEDGER = f"""
    select rows_read, rows_late, rows_null, windows_inserted as inserted,
        windows_updated as updated, windows_deleted as deleted, arrival_from, arrival_to
    from {SCHEMA}.event_windows_runs
    order by arrival_from
"""


def demo_of_page_views(session: Session) -> None:
    text = (ROOT / "models" / "demo" / f"{VISITS}.sql").read_text()
    say(f"\nThe model, models/demo/{VISITS}.sql:\n")
    say("\n".join(f"    {line}".rstrip() for line in text.splitlines()))

    say("\n1/3  Three days of page views arrive: dbt run")
    session.seed("ew_demo_page_views", 1, 148)
    session.dbt("run", "--select", f"+{VISITS}")
    session.show("Visits of Ada, Ben and Cleo (30 minutes without a view end a visit)", WATCHED)

    say("\n2/3  Three rows arrive that were held up, by hours and days: dbt run")
    session.seed("ew_demo_page_views", 149, 151)
    session.dbt("run", "--select", VISITS)
    session.show(
        "The same visits",
        WATCHED,
        "Ada's two are one now. Ben's began earlier, on another page. Cleo's row was too late.",
    )

    say("\n3/3  The next day arrives: dbt run")
    session.seed("ew_demo_page_views", 152, 165)
    done = session.dbt("run", "--select", VISITS)
    session.show(
        f"Rows that are in no visit, and why: {VISITS}__dropped",
        f"""
        select arrival_seq, user_id, viewed_at, reason, stream_time,
            get_json_object(source_row, '$.url') as url
        from {SCHEMA}.{VISITS}__dropped
        order by arrival_seq
        """,
        "stream_time: the latest view of the user that had come by then. The grace is a day.",
    )
    session.show("What each refresh read and changed: event_windows_runs", LEDGER)
    compare_with_spark(session, done[VISITS].node.compiled_code)


def compare_with_spark(session: Session, text: str) -> None:
    """Spark's own answer to the model's text, over all rows but those that were dropped."""
    dropped = f"select arrival_seq from {SCHEMA}.{VISITS}__dropped"
    counted = f"(select * from {VIEWS} where arrival_seq not in ({dropped}))"
    ours = session.spark.table(f"{SCHEMA}.{VISITS}")
    own = session.spark.sql(text.replace(VIEWS, counted))
    both = ours.unionAll(own).groupBy(*ours.columns).count()
    number, same = ours.count(), both.where("count = 2").count()
    if both.count() != number or same != number:
        raise DemoError(f"Spark's own answer differs: {same} of {number} visits are the same.")
    say(f"\nSpark's own answer to the same SELECT, over the other rows: the same {number} visits.")


def read_events(session: Session, path: Path) -> Any:
    """The columns that are needed, of the types that they must have."""
    # py4j has no types; of what Parquet itself refuses Spark makes no error of its own
    from py4j.protocol import Py4JError  # type: ignore[import-untyped]
    from pyspark.errors import PySparkException

    try:
        events = session.spark.read.parquet(str(path))
    except (PySparkException, Py4JError) as error:
        lines = str(error).splitlines() or [""]
        said = [line for line in lines if line.startswith("Caused by: ")][-1:] or lines[:1]
        # pandas writes nanoseconds if nothing else is said, which Spark does not read
        raise DemoError(
            f"EVENTS={path}: Spark cannot read it as Parquet. Of pandas' timestamps write "
            "microseconds: to_parquet(..., coerce_timestamps='us', allow_truncated_timestamps=True)"
            f". Spark says: {said[0]}"
        ) from error
    types = {name.lower(): kind for name, kind in events.dtypes}
    missing = [name for name in NEEDED if name not in types]
    if missing:
        raise DemoError(
            f"EVENTS={path}: needed are the columns {', '.join(NEEDED)}; missing: "
            f"{', '.join(missing)}; found: {', '.join(events.columns)}. Rename them in the file."
        )
    wrong = [
        f"{name} is of type {types[name]}, allowed are {', '.join(allowed)}"
        for name, allowed in TYPES.items()
        if types[name] not in allowed
    ]
    if wrong:
        raise DemoError(f"EVENTS={path}: {'; '.join(wrong)}. Cast them in the file.")
    return events.select(*NEEDED)


def demo_of_events(session: Session, path: Path) -> None:
    if not path.exists():
        raise DemoError(f"EVENTS={path}: there is no such file. Give the path of a Parquet file.")
    events = read_events(session, path)
    cut = events.selectExpr("percentile(arrival_seq, 0.95)").first()[0] or 0
    model, table = "ew_demo_event_sessions", f"{SCHEMA}.{EVENTS_TABLE}"

    say(f"1/2  The rows of {path.name} that arrived first (95 %) become sessions: dbt run")
    session.arrive(EVENTS_TABLE, events.where(events.arrival_seq <= cut))
    session.dbt("run", "--select", model, demo_table=table)

    say("2/2  The rest arrives: dbt run")
    # a row without a number came last, as far as anybody knows; the run says what is wrong with it
    rest = (events.arrival_seq > cut) | events.arrival_seq.isNull()
    session.arrive(EVENTS_TABLE, events.where(rest))
    session.dbt("run", "--select", model, demo_table=table)

    session.show(
        "The largest sessions",
        f"""
        select key, session_start, session_end, events from {SCHEMA}.{model}
        order by events desc, key, session_start limit 5
        """,
    )
    session.show(
        "Rows that are in no session, by reason",
        f"select reason, count(*) as n from {SCHEMA}.{model}__dropped group by reason order by 1",
    )
    session.show("What each refresh read and changed: event_windows_runs", LEDGER)
    total = session.spark.sql(f"select count(*), sum(events) from {SCHEMA}.{model}").first()
    say(f"\n{total[1] or 0:,} rows in {total[0]:,} sessions")


def main() -> None:
    started = time.monotonic()
    say("Starting Spark (the first time it also fetches the table format)")
    events = os.environ.get("EVENTS")
    session = Session(os.environ.get("FORMAT") or "iceberg", small=not events)
    if events:
        demo_of_events(session, Path(events).expanduser().absolute())
    else:
        demo_of_page_views(session)
    ended(started)


if __name__ == "__main__":
    try:
        main()
    except DemoError as error:
        sys.exit(f"The demo stopped: {error}\nWhat Spark said is in {LOG}")
