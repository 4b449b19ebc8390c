"""Drawn aggregate calls in tables that are kept up to date, judged by Spark's own answer.

Which rows are in a window is Spark's answer, too, or that of the references where rows come late.

A failure prints the seed and the smallest case: one call over the fewest rows that show it.
The long sweep goes on from EVENT_WINDOWS_SEED for EVENT_WINDOWS_AGGREGATES_SECONDS.
"""

from __future__ import annotations

import math
import os
import random
import re
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import pytest

from tests.aggregates import generated
from tests.aggregates.generated import COLUMNS, MAKERS, Call
from tests.aggregates.parts import finals, merged, partials, planned
from tests.harness import DbtProject, local_frame
from tests.macros.rendering import Macros
from tests.reference.hopping import hopping
from tests.reference.records import Result, Row
from tests.reference.session import session
from tests.reference.sliding import sliding
from tests.session_models import at, session_model

SEED = int(os.environ["EVENT_WINDOWS_SEED"])
SECONDS = float(os.environ.get("EVENT_WINDOWS_AGGREGATES_SECONDS", "300"))
ROWS, REFRESHES = 75, 3
# Each is a query of its own, joined to the windows: so many among a hundred calls.
MOST_WHOLES = 6
FEW = 40
# Spark's sessions have a value twice whose rows only rows of other values join (docs/plain_sql.md).
NUMBERED = """(
    select *, max(if(before is null or event_time > before + interval 9 minutes, event_time, null))
        over (partition by key order by event_time) as began
    from (
        select *, lag(event_time) over (partition by key order by event_time) as before
        from {relation} where event_time is not null
    ) as followed
) as numbered"""
# How a model is called, and what groups rows in Spark; with a reference, where rows come too late,
# the rows that it has in each window.
BEGAN = "began"
WINDOWS: dict[str, tuple[str, str | Callable[[list[Row]], Result]]] = {
    "hopping": (
        "event_windows.hopping(size='40 minutes', advance_by='20 minutes', grace='unbounded')",
        "window(event_time, '40 minutes', '20 minutes')",
    ),
    "session": (
        "event_windows.session(gap='9 minutes', grace='unbounded')",
        "session_window(event_time, '9 minutes')",
    ),
    "late_hopping": (
        "event_windows.hopping(size='40 minutes', advance_by='20 minutes', grace='30 minutes')",
        lambda rows: hopping(rows, minutes(40), minutes(20), minutes(30)),
    ),
    "late_session": (
        "event_windows.session(gap='9 minutes', grace='40 minutes')",
        lambda rows: session(rows, minutes(9), minutes(40)),
    ),
    "sliding": (
        "event_windows.sliding(difference='15 minutes', grace='30 minutes')",
        lambda rows: sliding(rows, minutes(15), minutes(30)),
    ),
}


class Wrong(NamedTuple):
    call: Call
    window: tuple[Any, ...]
    found: Any
    expected: Any


def same(one: Any, other: Any) -> bool:
    """Equal, with NaN equal to itself; floating numbers up to their last bits."""
    if isinstance(one, float) and isinstance(other, float):
        if math.isnan(one) or math.isnan(other):
            return math.isnan(one) and math.isnan(other)
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def test_every_function_of_the_catalogue_is_drawn() -> None:
    macros = Macros()
    names = [*macros._catalogue(), *macros._aliases(), *macros._holistic_functions()]
    # Iceberg in a Hive metastore cannot hold what a window keeps for it; test_whole.py has it
    assert {name.partition("(")[0] for name in names} - {*MAKERS} == {"schema_of_variant_agg"}
    assert {*MAKERS} <= {*names}


def test_the_same_seed_draws_the_same() -> None:
    one, other = (generated.calls(random.Random(5), 200) for _ in range(2))
    assert one == other
    assert len({call.fn for call in one}) == len(MAKERS)


def test_a_sample(make_project: Callable[[str], DbtProject]) -> None:
    draw = random.Random(SEED)
    calls = generated.known() + few_wholes(generated.calls(draw, 16))
    check(make_project(f"sample_{SEED}_"), SEED, draw, calls, draw.choice([*WINDOWS]))


@pytest.mark.slow
def test_sweep(make_project: Callable[[str], DbtProject]) -> None:
    """Every function a few times, in a project for each seed, as long as there is time."""
    started, seed = time.monotonic(), SEED
    while time.monotonic() - started < SECONDS:
        draw = random.Random(seed)
        calls = few_wholes(generated.calls(draw, 2 * len(MAKERS)))
        for window, (_, by) in WINDOWS.items():
            # a plan with late rows has each call several times, and Spark's memory has an end
            some = calls if isinstance(by, str) else draw.sample(calls, FEW)
            check(make_project(f"sweep_{seed}_{window}"), seed, draw, some, window)
        seed += 1


def check(
    project: DbtProject,
    seed: int,
    draw: random.Random,
    calls: Sequence[Call],
    window: str,
) -> None:
    made = generated.rows(draw, ROWS)
    names = {f"v{place}": call for place, call in enumerate(calls)}
    aggregates = {name: call.text for name, call in names.items()}
    project.model(window, session_model("drawn", WINDOWS[window][0], aggregates=aggregates))
    for start in range(0, ROWS, ROWS // REFRESHES):
        part = made[start : start + ROWS // REFRESHES]
        frame = local_frame(project.spark, part, COLUMNS).coalesce(1)
        frame.createOrReplaceTempView("part_of_drawn")
        more = project.spark.sql(generated.with_sketches("part_of_drawn"))
        if start:
            project.append("drawn", more)
        else:
            project.create_source("drawn", more)
        project.run()
    wrong = differences(project, window, names, made)
    if wrong:
        found = told(project, wrong, made)
        pytest.fail("\n\n".join([f"seed {seed}, {len(wrong)} calls:", *found]))


def few_wholes(calls: list[Call]) -> list[Call]:
    """The calls, with not too many of those that are called over all values."""
    macros, kept, wholes = Macros(), [], 0
    for call in calls:
        (plan,) = macros._plan_aggregates({"x": call.text}, "event_time", ["arrival_seq"], [])
        wholes += any(one["holistic"] for one in plan["calls"])
        if 100 * wholes <= MOST_WHOLES * len(calls) or not any(
            one["holistic"] for one in plan["calls"]
        ):
            kept.append(call)
    return kept


# --- Spark's answer -----------------------------------------------------------------------------


def minutes(count: int) -> int:
    return count * 60_000_000


def expected(
    project: DbtProject, names: dict[str, Call], window: str, made: Sequence[tuple[Any, ...]]
) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Values by key and start of the window, of the calls over plain rows."""
    values: dict[tuple[Any, ...], dict[str, Any]] = {}
    by = WINDOWS[window][1]
    if not isinstance(by, str):
        with_rows_of(project, window, by(as_of_reference(made)))
    for some in planned_together([*names.items()]):
        columns = ", ".join(f"{call.expected} as {name}" for name, call in some)
        if not isinstance(by, str):
            began, rows, group = BEGAN, f"rows_of_{window}", BEGAN
        elif "session" in by and "(distinct" in some[0][1].expected:
            began, rows, group = BEGAN, NUMBERED.format(relation="drawn"), BEGAN
        else:
            began, rows, group = f"{by.partition('(')[0]}.start", "drawn", by
        for row in project.rows(
            f"select key, {began} as began, {columns} from {rows} group by key, {group}"
        ):
            values.setdefault(tuple(row[:2]), {}).update(row.asDict())
    return values


def as_of_reference(made: Sequence[tuple[Any, ...]]) -> list[Row]:
    return [Row(key, (time - at(0)) // timedelta(microseconds=1)) for key, time, *_ in made]


def with_rows_of(project: DbtProject, window: str, result: Result) -> None:
    """A view of the rows in each window, which has a row as often as there are windows of it."""
    assert any(one.reason.startswith("late") for one in result.dropped)
    pairs = [
        (at(0) + timedelta(microseconds=one.start), row)
        for one in result.windows
        for row in one.rows
    ]
    frame = local_frame(project.spark, pairs, f"{BEGAN} timestamp, arrival_seq bigint")
    frame.coalesce(1).createOrReplaceTempView("pairs")
    rows = project.spark.sql(f"select * from pairs join {project.schema}.drawn using (arrival_seq)")
    rows.createOrReplaceTempView(f"rows_of_{window}")


def planned_together(calls: list[tuple[str, Call]]) -> list[list[tuple[str, Call]]]:
    """Calls that Spark can plan in one query: a distinct one stands beside no ordered one."""
    distinct = [one for one in calls if "(distinct" in one[1].expected]
    others = [one for one in calls if one not in distinct]
    return [
        some[place : place + 40] for some in (distinct, others) for place in range(0, len(some), 40)
    ]


def differences(
    project: DbtProject, window: str, names: dict[str, Call], made: Sequence[tuple[Any, ...]]
) -> list[Wrong]:
    """The first window in which the value of a call is another than Spark's, for each call."""
    right = expected(project, names, window, made)
    columns = ", ".join(names)
    found = project.rows(f"select key, window_start, {columns} from {window} order by 1, 2")
    assert {tuple(row[:2]) for row in found} == right.keys()
    assert len(found) == len(right)
    wrong: dict[str, Wrong] = {}
    for row in found:
        for name, call in names.items():
            value, other = row[name], right[tuple(row[:2])][name]
            if not same(value, other):
                wrong.setdefault(name, Wrong(call, tuple(row[:2]), value, other))
    return [*wrong.values()]


# --- the smallest case --------------------------------------------------------------------------


def told(project: DbtProject, wrong: list[Wrong], made: list[tuple[Any, ...]]) -> list[str]:
    texts = []
    for one in wrong[:12]:
        some = [row for row in made if row[0] == one.window[0]]
        rows = smallest(project, one.call, some)
        needed = {*re.findall(r"\w+", one.call.text)}
        shown = [
            {name: value for name, value in zip(_NAMES, row, strict=True) if name in needed}
            for row in rows
        ]
        what = "\n".join(map(str, shown)) if len(rows) < len(some) else "only in a whole table"
        texts.append(
            f"{one.call.text}\n  in {one.window} is {one.found!r}\n  not {one.expected!r}\n"
            f"  as {one.call.expected}\n{what}"
        )
    return texts


_NAMES = [column.split()[0] for column in re.split(r", (?=\w+ \w)", COLUMNS)]


def smallest(project: DbtProject, call: Call, made: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The fewest rows, each a piece of its own, whose merge is wrong; all if none is."""
    if not is_wrong(project, call, made):
        return made
    size = len(made) // 2
    while size:
        place = 0
        while place < len(made):
            fewer = made[:place] + made[place + size :]
            if fewer and is_wrong(project, call, fewer):
                made = fewer
            else:
                place += size
        size //= 2
    return made


def is_wrong(project: DbtProject, call: Call, rows: list[tuple[Any, ...]]) -> bool:
    spark = project.spark
    local_frame(spark, rows, COLUMNS).coalesce(1).createOrReplaceTempView("few_rows")
    spark.sql(generated.with_sketches("few_rows")).createOrReplaceTempView("few")
    plan = planned(spark, {"x": call.text}, "few")
    if any(one["holistic"] for aggregate in plan for one in aggregate["calls"]):
        return False
    pieces = f"select *, 0 as whole from ({partials(plan, 'arrival_seq', 'few')})"
    (row,) = spark.sql(finals(plan, "whole", merged(plan, "whole", pieces))).collect()
    (right,) = spark.sql(f"select {call.expected} as x from few").collect()
    return not same(row.x, right.x)
