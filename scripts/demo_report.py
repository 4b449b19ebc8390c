"""The page about the tour's sessions, and the README's pictures of the same rows.

`python scripts/demo_report.py` draws the pictures again; tests compare them with what is drawn now.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from demo_print import say
from demo_session import HOME, LOG, ROOT, DemoError, Session

from dbt_event_windows.report import questions
from dbt_event_windows.report.asking import Answer, Asker, DbtAsker, Line
from dbt_event_windows.report.charts.standalone import timeline_file
from dbt_event_windows.report.errors import ReportError
from dbt_event_windows.report.making import explain_rows, report_on_model
from dbt_event_windows.report.timeline import read_timeline

MODEL = "ew_demo_page_view_sessions"
STAGED = "ew_demo_stg_page_views"
SEED = "ew_demo_page_views"
# Arrival numbers of the first build, and of what comes after it.
FIRST, THEN = (1, 148), (149, 165)
PAGE = HOME / "report.html"
PICTURES = ROOT / "docs" / "pictures"
USERS = ("ada", "cleo")
# The answers that the pictures are drawn from.
ROWS = PICTURES / "rows.json"
LATE = {"arrival_seq": "151"}


def write_page(asker: Asker) -> None:
    """The page, in .spark/, and where it is; and a row in sentences."""
    try:
        made = report_on_model(asker, MODEL, {"user_id": "cleo"})
        sentences = explain_rows(asker, MODEL, LATE)
    except ReportError as error:
        raise DemoError(f"the page cannot be made: {error}") from error
    PAGE.write_text(made, "utf-8")
    say(f"\nWhy is row {LATE['arrival_seq']} not counted? python -m dbt_event_windows.report says:")
    say(f"  {sentences}")
    say(f"\nA page about the sessions: {PAGE.as_uri()}")


def asked(asker: Asker) -> dict[str, list[tuple[str, Line]]]:
    """Rows and windows of each user, as they are answered."""
    return {
        user: [(part, line) for part in ("row", "window", "all") for line in answer.all(part)]
        for user in USERS
        for answer in [asker.ask(questions.timeline(MODEL, {"user_id": user}))]
    }


def drawn(rows: dict[str, list[tuple[str, Line]]]) -> dict[Path, str]:
    """The pictures by their files."""
    return {
        PICTURES / f"{user}.svg": timeline_file(read_timeline(Answer(lines), {"user_id": user}))
        for user, lines in rows.items()
    }


def asker_of(session: Session) -> DbtAsker:
    """Who answers for the demo's project."""
    return DbtAsker(tuple(session.options()))


def main() -> None:
    session = Session(os.environ.get("FORMAT") or "iceberg")
    for first, last in (FIRST, THEN):
        session.seed(SEED, first, last)
        session.dbt("run", "--select", STAGED, MODEL)
    rows = asked(asker_of(session))
    PICTURES.mkdir(exist_ok=True)
    ROWS.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n", "utf-8")
    for path, picture in drawn(rows).items():
        path.write_text(picture, "utf-8")
        say(str(path))


if __name__ == "__main__":
    try:
        main()
    except DemoError as error:
        sys.exit(f"The pictures are as they were: {error}\nWhat Spark said is in {LOG}")
