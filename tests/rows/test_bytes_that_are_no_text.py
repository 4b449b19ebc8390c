"""Texts with bytes that are no UTF-8: Spark's `cast(key as string)` of Kafka's keys checks nothing.

GROUP BY compares the bytes. Whoever writes them as text that is, as JSON or for Python, writes the
same sign for each of them.
"""

from __future__ import annotations

from tests.harness import DbtProject
from tests.session_models import at, windowed

COLUMNS = "bytes binary, event_time timestamp, arrival_seq bigint, value bigint"
# a key, and its bytes again
TEXT = ("cast(bytes as string)", "hex(key)")
LISTED = ("array(cast(bytes as string))", "hex(key[0])")
HELD = ("struct(1 as a, cast(bytes as string) as b)", "hex(key.b)")
SLIDING = "event_windows.sliding(difference='10 minutes', grace={}, resolution='1 minute')"
SESSIONS = "event_windows.session(gap='5 minutes', grace='0 minutes')"
MODELS: dict[str, tuple[tuple[str, str], str, str, dict[str, str]]] = {
    "numbers": (TEXT, SLIDING.format("'unbounded'"), "sum(value)", {}),
    "lists": (HELD, SLIDING.format("'unbounded'"), "sort_array(collect_list(value))", {}),
    "late": (LISTED, SLIDING.format("'2 minutes'"), "sum(value)", {}),
    "sessions": (TEXT, SESSIONS, "sum(value)", {}),
    "in_sql": (TEXT, SESSIONS, "sum(value)", {"replay": "sql"}),
}
FIRST, SECOND, SIGN = b"a\x80", b"a\x81", "a\ufffd".encode()
ROWS = [
    [(FIRST, 0), (SECOND, 3), (FIRST, 20), (SECOND, 9), (SIGN, 7)],
    [(SECOND, 11), (FIRST, 1), (SECOND, 40), (FIRST, 22), (FIRST, 14), (SECOND, 2), (SIGN, 4)],
]


def model(key: str, window: str, value: str, config: dict[str, str]) -> str:
    relation = f"""'(select {key} as key, * from ' ~ source('raw', 'kafka') ~ ')'"""
    call = windowed(relation, window, aggregates={"v": value})
    settings = {"materialized": "windowed"} | config
    return f"{{{{ config(**{settings}) }}}}\n{call}"


def kept(project: DbtProject, table: str, key: str, columns: str) -> list[tuple[str, ...]]:
    found = project.rows(f"select {key}, {columns} from {table}")
    return sorted(tuple(map(str, row)) for row in found)


def test_keys_are_told_apart_by_their_bytes(project: DbtProject) -> None:
    """As if each had been written in hex."""
    names = []
    for name, ((key, _), window, value, config) in MODELS.items():
        for side, expression in {"as_it_is": key, "in_hex": "hex(bytes)"}.items():
            names.append(f"{name}_{side}")
            project.model(names[-1], model(expression, window, value, config))
    for first, rows in zip([0, 10], ROWS, strict=True):
        arrived = [(key, at(minutes), n, 1 + n) for n, (key, minutes) in enumerate(rows, first)]
        if first:
            project.append("kafka", arrived)
        else:
            project.create_source("kafka", arrived, COLUMNS)
        project.run(*names)
    for name, ((_, in_hex), *_) in MODELS.items():
        for table, columns in [
            ("", "window_start, window_end, v"),
            ("__dropped", "arrival_seq, reason"),
        ]:
            as_it_is = kept(project, f"{name}_as_it_is{table}", in_hex, columns)
            assert as_it_is == kept(project, f"{name}_in_hex{table}", "key", columns)
    assert project.rows("select * from in_sql_in_hex__dropped where reason = 'late'")


def test_a_partition_that_cannot_be_named_is_refused(project: DbtProject) -> None:
    columns = "bytes binary, key string, event_time timestamp, arrival_seq bigint"
    project.create_source("parts", [(b"p", "a", at(0), 1), (FIRST, "a", at(5), 1)], columns)
    relation = "'(select *, cast(bytes as string) as part from ' ~ source('raw', 'parts') ~ ')'"
    call = windowed(relation, partition="part")
    project.model("of_parts", "{{ config(materialized='windowed') }}\n" + call)
    told = project.run("of_parts", expect_error=True).error
    assert (
        "partition column 'part' has the value 'a\ufffd', in which some bytes are no UTF-8" in told
    )
    project.rows("delete from parts where bytes = X'6180'")
    project.run("of_parts")
    project.append("parts", [(FIRST, "a", at(5), 1)])
    assert "no UTF-8" in project.run("of_parts", expect_error=True).error
