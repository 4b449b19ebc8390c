from __future__ import annotations

from tests.harness import FILE_FORMAT, DbtProject
from tests.session_models import EVENTS, events, ledger, public, session_model


def test_smoke(project: DbtProject) -> None:
    project.create_source(
        "src",
        events(
            [("a", 0), ("a", 10), ("a", 25), ("b", 5), ("b", 6), ("c", 3), ("a", 5000), ("a", 1)]
        ),
        EVENTS,
    )
    if FILE_FORMAT == "delta":
        project.rows("alter table src set tblproperties ('delta.enableChangeDataFeed' = 'true')")
    project.model("m", session_model("src", config={"source_changes": "retract"}))
    project.model("w", session_model("src"))
    project.run("m", full_refresh=True)
    project.run("w", full_refresh=True)

    def check():
        project.run("m")
        project.run("w", full_refresh=True)
        for t in ("", "__stream_time"):
            assert public(project, "m" + t) == public(project, "w" + t)
        assert public(project, "m__dropped", ["run_id"]) == public(
            project, "w__dropped", ["run_id"]
        )

    project.append("src", events([("a", 30), ("d", 4)], 8))
    check()
    project.rows("delete from src where arrival_seq = 1")
    check()
    project.rows("update src set key = 'b' where arrival_seq = 5")
    project.append("src", events([("a", 40), ("d", 40)], 10))
    check()
    project.rows("delete from src where key = 'd'")
    check()
    project.rows("delete from src where arrival_seq = 6")
    check()
    project.append("src", events([("a", 15), ("z", 40)], 2))
    check()
    print([(r.rows_read, r.keys_rebuilt, r.rows_rebuilt) for r in ledger(project, "m")])
    print(project.rows("select * from m__dropped"))
    project.rows("delete from src where key = 'b'")
    project.run("w", vars={"event_windows__rebuild": "key = 'b'"})
    project.run("m")
    assert public(project, "m") == public(project, "w")
    project.rows("delete from src")
    check()
    project.append("src", events([("a", 15), ("z", 40)], 2))
    check()
