"""Types as SQL: structs of more fields than DESCRIBE names, and of fields that need backticks."""

from __future__ import annotations

from tests.harness import DbtProject
from tests.session_models import EVENTS, SESSIONS, events, public, session_model

FIELDS = ", ".join(f"'f{number}', value + {number}" for number in range(30))
PARTS = "array(named_struct('x$y', key, 'größe', 1))"
WIDE = f"named_struct({FIELDS}, 'a$b', {PARTS}, 'd', cast(1 as decimal(9, 2)))"
AGGREGATES = {
    "latest": "max_by(payload, event_time)",
    "all_of": "collect_list(payload)",
    "fields": "count(distinct payload.f29)",
}
ROLLUP = """{{ config(materialized='rollup') }}
select latest.`a$b` as who, max_by(latest, window_end) as payload, max(all_of[0].f29) as most
from {{ ref('wide') }} group by who"""
# the last one but one is late, the last one has no time
ROWS = [("a", 0), ("a", 5), ("b", 7), ("a", 5000), ("b", 5000), ("a", 10), ("b", None)]


def test_structs_as_they_are(project: DbtProject) -> None:
    project.create_source("narrow_rows", events(ROWS), EVENTS)
    rows = project.spark.table(f"{project.schema}.narrow_rows").selectExpr(
        "key", "event_time", "arrival_seq", f"{WIDE} as payload"
    )
    project.create_source("wide_rows", rows.where("arrival_seq < 4"))
    window = SESSIONS.replace("1 day", "1 hour")
    project.model("wide", session_model("wide_rows", window, aggregates=AGGREGATES))
    project.model("by_who", ROLLUP)
    project.run("wide", "by_who")
    project.append("wide_rows", rows.where("arrival_seq >= 4"))
    project.run("wide", "by_who")
    kept = [public(project, name) for name in ("wide", "by_who")]
    dropped = public(project, "wide__dropped", ["run_id"])
    assert [len(rows) for rows in [*kept, dropped]] == [4, 2, 2]
    project.run("wide", "by_who", full_refresh=True)
    assert kept == [public(project, name) for name in ("wide", "by_who")]
    assert dropped == public(project, "wide__dropped", ["run_id"])
