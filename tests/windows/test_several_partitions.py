"""A key whose rows come through several partitions, each with numbers of its own.

What counts may not depend on which partition is read first: in every order of refreshes the tables
hold what a task of each partition makes of its rows alone, put together; or, for sessions and
sliding windows that rows of two partitions share, the run stops and names the key, in every order.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.harness import DbtProject, Outcome
from tests.macros.rendering import Macros
from tests.reference.cumulating import cumulating
from tests.reference.hopping import hopping
from tests.reference.records import Result, Row
from tests.reference.session import session
from tests.reference.sliding import sliding
from tests.reference.tumbling import tumbling
from tests.windows.conformance import timestamp

COLUMNS = "grp int, user string, part string, seq bigint, ts timestamp, value bigint"
Arrived = tuple[int, str, str, int, Any, int]


@dataclass(frozen=True)
class Kind:
    """A window in seconds, the task of one partition, and whether windows hold one partition.

    `goes` is how far what is in a window goes: where that meets a window of another partition,
    nothing tells which rows are late.
    """

    call: str
    task: Callable[[Sequence[Row], str], Result]
    goes: Callable[[int, int, int], tuple[int, int]] | None = None


ALIGNED = {
    "tumbling": Kind(
        "tumbling(size='7 seconds', grace='3 seconds')",
        lambda rows, scope: tumbling(rows, 7, 3, scope=scope),
    ),
    "hopping": Kind(
        "hopping(size='12 seconds', advance_by='4 seconds', grace='0 seconds')",
        lambda rows, scope: hopping(rows, 12, 4, 0, scope=scope),
    ),
    "cumulating": Kind(
        "cumulating(size='9 seconds', step='3 seconds', grace='2 seconds')",
        lambda rows, scope: cumulating(rows, 9, 3, 2, scope=scope),
    ),
    "calendar": Kind(
        # the rows lie in one day, which begins nine hours before 1970 does in UTC
        "calendar('day', grace='0 seconds', time_zone='Asia/Tokyo')",
        lambda rows, scope: tumbling(rows, 86400, 0, origin=-32400, scope=scope),
    ),
}
OF_ONE_PARTITION = {
    "session": Kind(
        "session(gap='5 seconds', grace='4 seconds')",
        lambda rows, scope: session(rows, 5, 4, scope=scope),
        lambda start, end, newest: (start, end + 5),
    ),
    "session_in_sql": Kind(
        "session(gap='5 seconds', grace='0 seconds')",
        lambda rows, scope: session(rows, 5, 0, scope=scope),
        lambda start, end, newest: (start, end + 5),
    ),
    "sliding": Kind(
        "sliding(difference='6 seconds', grace='4 seconds', resolution='1 second')",
        lambda rows, scope: sliding(rows, 6, 4, scope=scope),
        lambda start, end, newest: (start, newest),
    ),
}
# what is in a window is put together by a function, and in SQL where it is a list
OF_ONE_PARTITION["sliding_lists"] = OF_ONE_PARTITION["sliding"]
KINDS = ALIGNED | OF_ONE_PARTITION
RETENTION = {"tumbling": "10 seconds", "hopping": "12 seconds", "calendar": "2 days"}


def model(kind: str, scope: str, relation: str) -> str:
    config = {"materialized": "windowed"}
    aggregates = {"n": "count(*)", "total": "sum(value)"}
    if kind in RETENTION:
        config["retention"] = RETENTION[kind]
    if kind == "session_in_sql":
        config["replay"] = "sql"
    if kind == "sliding_lists":
        aggregates["list"] = "collect_list(value)"
    # names as Spark takes them, whatever their case
    return (
        f"{{{{ config(**{config!r}) }}}}\n{{{{ event_windows.windowed(relation={relation}, "
        f"key=['grp', 'User'], event_time='TS', window=event_windows.{KINDS[kind].call}, "
        f"arrival_order='seq', partition='Part', stream_time={scope!r}, "
        f"aggregates={aggregates!r}) }}}}"
    )


# --- what a task of each partition makes of its rows --------------------------------------------


def expected(kind: str, scope: str, arrived: Iterable[Arrived]) -> tuple[Any, Any, set[int]]:
    """Windows and dropped rows, each partition judged apart; groups in which partitions meet."""
    found: dict[Any, list[int]] = defaultdict(list)
    extents: dict[Any, list[tuple[int, int, str]]] = defaultdict(list)
    dropped = set()
    parts: dict[str, list[Arrived]] = defaultdict(list)
    for row in arrived:
        parts[row[2]].append(row)
    for part, rows in parts.items():
        rows.sort(key=lambda row: row[3])
        records = [Row(row[:2], int(row[4].timestamp()), part) for row in rows]
        result = KINDS[kind].task(records, scope)
        for window in result.windows:
            found[(*window.key, window.start, window.end)] += [rows[i][5] for i in window.rows]
            goes = KINDS[kind].goes
            if goes:
                newest = max(records[i].time or 0 for i in window.rows)
                extents[window.key].append((*goes(window.start, window.end, newest), part))
        for drop in result.dropped:
            dropped.add(
                (rows[drop.index][0], part, rows[drop.index][3], drop.reason, drop.stream_time)
            )
    meet = {
        key[0]
        for key, all_of_it in extents.items()
        for first, last, part in all_of_it
        for other_first, other_last, other in all_of_it
        if part != other and first <= other_last and other_first <= last
    }
    return {(*of, len(v), sum(v)) for of, v in found.items()}, dropped, meet


def there(project: DbtProject, table: str) -> tuple[set[Any], set[Any]]:
    windows = [
        tuple(row)
        for row in project.rows(
            "select grp, user, unix_seconds(window_start), unix_seconds(window_end), n, total "
            f"from {table}"
        )
    ]
    dropped = [
        tuple(row)
        for row in project.rows(
            f"select grp, part, seq, reason, unix_seconds(stream_time) from {table}__dropped"
        )
    ]
    assert len(windows) == len(set(windows)), f"{table}: a window is there twice"
    assert len(dropped) == len(set(dropped)), f"{table}: a dropped row is there twice"
    return set(windows), set(dropped)


# --- rows ---------------------------------------------------------------------------------------


def group(chance: random.Random, number: int, spread: int) -> list[Arrived]:
    """Rows of two keys; each partition has its own course of time, `spread` from the next."""
    rows = []
    for place, part in enumerate("pqr"[: chance.randint(2, 3)]):
        time = spread * place + chance.randint(0, 9)
        for seq in range(chance.randint(1, 9)):
            time = max(0, time + chance.choice([-30, -9, -4, -1, 0, 0, 1, 2, 3, 5, 6, 9]))
            user = chance.choice("aab")
            of = f"{number}{part}"
            rows.append((number, user, of, 10 * seq, timestamp(1000 * time), 7 ** len(rows) % 1009))
    return rows


def groups(seed: int, count: int, spread: int, first: int = 0) -> list[list[Arrived]]:
    chance = random.Random(seed)
    return [group(chance, first + number, spread) for number in range(count)]


def cut(seed: int, rows: Sequence[Arrived], refreshes: int) -> list[list[Arrived]]:
    """Refreshes that read each partition as far as chance has it."""
    chance = random.Random(seed)
    parts: dict[str, list[Arrived]] = defaultdict(list)
    for row in rows:
        parts[row[2]].append(row)
    batches: list[list[Arrived]] = [[] for _ in range(refreshes)]
    for of_part in parts.values():
        at = sorted(chance.randint(0, len(of_part)) for _ in range(refreshes - 1))
        for batch, (start, stop) in zip(
            batches, zip([0, *at], [*at, None], strict=True), strict=True
        ):
            batch += of_part[start:stop]
    return batches


def arrivals(
    project: DbtProject, source: str, batches: list[list[Arrived]]
) -> Iterator[list[Arrived]]:
    arrived: list[Arrived] = []
    for number, batch in enumerate(batches):
        if number == 0:
            project.create_source(source, batch, COLUMNS)
        else:
            project.append(source, batch)
        arrived += batch
        yield arrived


def check(
    project: DbtProject, name: str, models: dict[str, tuple[str, str]], batches: list[list[Arrived]]
) -> None:
    for table, (kind, scope) in models.items():
        project.model(table, model(kind, scope, f"source('raw', '{name}')"))
    for number, arrived in enumerate(arrivals(project, name, batches)):
        project.run(*models, full_refresh=number == 0)
        for table, (kind, scope) in models.items():
            windows, dropped, _ = expected(kind, scope, arrived)
            assert there(project, table) == (windows, dropped), f"{table}, refresh {number}"
    project.run(*models, full_refresh=True)
    for table, (kind, scope) in models.items():
        assert there(project, table) == expected(kind, scope, arrived)[:2], f"{table}, built"


def apart(kinds: dict[str, tuple[str, str]], candidates: list[list[Arrived]]) -> list[Arrived]:
    """Rows of the groups in which no partitions meet, by any of these models."""
    rows = [row for rows in candidates for row in rows]
    meet = set().union(*(expected(kind, scope, rows)[2] for kind, scope in kinds.values()))
    kept = [row for row in rows if row[0] not in meet]
    assert len({row[0] for row in kept}) > len(candidates) / 4
    return kept


# --- tests --------------------------------------------------------------------------------------


def test_rows_of_several_partitions_are_judged_apart_and_added_up(project: DbtProject) -> None:
    rows = [row for rows in groups(1, 80, 12) for row in rows]
    models = {"tumbling": ("tumbling", "key"), "hopping": ("hopping", "partition")}
    check(project, "aligned", models, cut(1, rows, 2))


@pytest.mark.slow
def test_windows_of_one_partition_beside_those_of_another(project: DbtProject) -> None:
    models = {"session": ("session", "partition"), "sliding": ("sliding", "key")}
    check(project, "one", models, cut(2, apart(models, groups(2, 150, 40)), 2))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 7))
def test_any_cut_of_any_type(project: DbtProject, seed: int) -> None:
    scopes = ("key", "partition")
    aligned = {f"{kind}_{scope}": (kind, scope) for kind in ALIGNED for scope in scopes}
    rows = [row for rows in groups(seed, 200, 12) for row in rows]
    check(project, f"aligned_{seed}", aligned, cut(seed, rows, 4))
    one = {f"{kind}_{scope}": (kind, scope) for kind in OF_ONE_PARTITION for scope in scopes}
    check(project, f"one_{seed}", one, cut(seed, apart(one, groups(seed, 400, 40)), 4))


def errors(outcome: Outcome) -> dict[str, str]:
    """What each model that stopped said."""
    return {r.node.name: str(r.message) for r in outcome.results if r.status == "error"}


def stopped(
    project: DbtProject,
    models: dict[str, tuple[str, str]],
    arrived: Sequence[Arrived],
    full_refresh: bool = False,
) -> set[str]:
    """Run models over a group each; those that stopped are those in which partitions meet."""
    outcome = project.run(*models, full_refresh=full_refresh, expect_error=None)
    said = errors(outcome)
    for table, (kind, scope) in models.items():
        number = int(table.rpartition("_")[2])
        rows = [row for row in arrived if row[0] == number]
        windows, dropped, meet = expected(kind, scope, rows)
        assert (table in said) == bool(meet), f"{table} {kind} {scope}: {rows} {said.get(table)}"
        if meet:
            named = re.search(r"rows of the key (\{.*?\}) come through several", said[table])
            assert named, said[table]
            assert json.loads(named[1])["grp"] == number
        else:
            assert there(project, table) == (windows, dropped)
    return set(said)


def stops(project: DbtProject, name: str, count: int, seed: int) -> None:
    """Models over a group each, in which partitions meet or not, stop if and when they do."""
    candidates = groups(seed, count, 25)
    chosen = dict(enumerate(candidates))
    kinds = sorted(OF_ONE_PARTITION)
    models = {
        f"{name}_{number}": (
            kinds[number % len(kinds)],
            ("key", "partition")[number // len(kinds) % 2],
        )
        for number in chosen
    }
    for table, (kind, scope) in models.items():
        number = table.rpartition("_")[2]
        relation = f"'(select * from ' ~ source('raw', {name!r}) ~ ' where grp = {number})'"
        project.model(table, model(kind, scope, relation))
    batches = cut(seed, [row for rows in candidates for row in rows], 3)
    met: set[str] = set()
    for arrived in arrivals(project, name, batches):
        met |= stopped(project, {t: of for t, of in models.items() if t not in met}, arrived)
    assert stopped(project, models, arrived, full_refresh=True) == met
    assert 0 < len(met) < len(models)


@pytest.mark.slow
def test_partitions_that_meet_stop_the_run_in_any_order(project: DbtProject) -> None:
    stops(project, "met", 5, seed=11)


@pytest.mark.slow
def test_many_partitions_that_meet_stop_the_run_in_any_order(project: DbtProject) -> None:
    stops(project, "met_too", 60, seed=12)


def recipe(source: str, window: str, retention: int | None = None) -> str:
    kept = "" if retention is None else f", retention='{retention} minutes'"
    return (
        f"{{{{ config(materialized='windowed'{kept}) }}}}\n{{{{ event_windows.windowed("
        f"relation=source('raw', '{source}'), key='user', event_time='ts', "
        f"window=event_windows.{window}, arrival_order='seq', partition='part', "
        "aggregates={'n': 'count(*)'}) }}"
    )


def few(rows: list[tuple[str, int, int]]) -> list[Arrived]:
    return [(0, "u", part, seq, timestamp(60_000 * time), 1) for part, seq, time in rows]


@pytest.mark.slow
def test_a_partition_that_comes_last_counts_as_if_it_came_first(project: DbtProject) -> None:
    """p's first window has left the state before q's row comes; p's sessions and q's would join."""
    session = "session(gap='5 minutes', grace='{} minutes')"
    project.model("left_m", recipe("left", "tumbling(size='10 minutes', grace='0 minutes')", 10))
    project.model("joined_m", recipe("joined", session.format(20)))
    project.model("refused_m", recipe("joined", session.format(20), 25))
    project.model("cuts_m", recipe("cuts", session.format(0)))
    first = {
        "left": [("p", 1, 600), ("p", 2, 660)],
        "joined": [("p", 1, 610), ("p", 2, 636), ("p", 3, 614)],
        "cuts": [("p", 5, 606), ("p", 6, 611), ("p", 7, 615)],
    }
    then = {
        "left": [("p", 3, 661), ("q", 1, 605)],
        "joined": [("q", 4, 600), ("q", 5, 617)],
        "cuts": [("q", 1, 620), ("q", 2, 603)],
    }
    for source, rows in first.items():
        project.create_source(source, few(rows), COLUMNS)
    models = ["left_m", "joined_m", "cuts_m"]
    outcome = project.run("refused_m", *models, expect_error=True)
    assert errors(outcome).keys() == {"refused_m"}
    assert "retention is '25 minutes' and partition 'part' is no key column" in outcome.error
    for source, rows in then.items():
        project.append(source, few(rows))
    for full_refresh in (False, True):
        outcome = project.run(*models, full_refresh=full_refresh, expect_error=True)
        assert errors(outcome).keys() == {"joined_m", "cuts_m"}
        for message in errors(outcome).values():
            assert re.search(r'rows of the key \{.*"u"\} come through several', message)
        windows = project.rows("select hour(window_start), minute(window_start), n from left_m")
        assert sorted(map(tuple, windows)) == [(10, 0, 2), (11, 0, 2)]
        assert project.rows("select * from left_m__dropped") == []


def test_a_partition_has_one_text_in_either_mode(spark: SparkSession) -> None:
    """Progress is kept by it. A cast follows spark.sql.ansi.enabled: 0E-10 or 0.0000000000."""
    spec = {"columns": {"p": "decimal(38,10)"}}
    query = f"select {Macros()._exact_text('p', spec)} as text from values {{}} as t(p)"
    values = ", ".join(f"(cast({p} as decimal(38, 10)))" for p in ("0", "1e-9", "-12.5", "null"))
    texts, before = [], spark.conf.get("spark.sql.ansi.enabled")
    try:
        for mode in ("false", "true"):
            spark.conf.set("spark.sql.ansi.enabled", mode)
            texts.append([row.text for row in spark.sql(query.format(values)).collect()])
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)
    assert texts[0] == texts[1]
    assert texts[0][3] is None
    assert len(set(texts[0])) == 4
