"""Columns of the user that bear a name that the package's own SQL gives to something.

Every name that a model's statements give, to a CTE, an alias, a column or a lambda's variable, is
given to a key, time, arrival, partition and value column, and to an output: the windows are those
of the same rows under plain names.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.harness import REPOSITORY, DbtProject
from tests.session_models import at

WINDOWS = {
    "tumbling": "tumbling(size='10 minutes', grace='0 minutes')",
    "hopping": "hopping(size='20 minutes', advance_by='10 minutes', grace='5 minutes')",
    "cumulating": "cumulating(size='30 minutes', step='10 minutes', grace='5 minutes')",
    "calendar": "calendar('day', grace='0 minutes', time_zone='Europe/Berlin')",
    "session": "session(gap='10 minutes', grace='5 minutes')",
    "sliding": "sliding(difference='10 minutes', grace='5 minutes', resolution='1 minute')",
}
ROLES = ["part", "user", "ts", "seq", "came", "value", "n"]
# a key named as Kafka names its own, and what was caught by lambdas
FIRST = ["partition", "arrival", "at", "ends", "key", "starts", "held", "day", "local", "step"]
REFUSED = {"window_start", "window_end", "reason", "stream_time", "run_id", "source_row"}
COLUMNS = "part int, user string, ts timestamp, seq bigint, came timestamp, value bigint"


def names() -> list[str]:
    """Those in the statements that are written down, the known ones first."""
    found = set()
    for path in sorted((REPOSITORY / "tests/macros/golden").glob("*.sql")):
        text = re.sub(r"'(?:[^'\\]|\\.)*'|/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        found |= set(re.findall(r"\bas ([a-z]\w*)", text))
        found |= set(re.findall(r"\b([a-z]\w*) as \(", text))
        found |= set(re.findall(r"\b([a-z]\w*)\)? ->", text))
        for listed in re.findall(r"\bas \w*\(([a-z_, ]+)\)|\(([a-z_, ]+)\) ->", text):
            found |= set(re.findall(r"\w+", " ".join(listed)))
    assert len(found) > 40
    others = {name for name in found if not name.startswith("_ew_")} - REFUSED
    return FIRST + sorted(others - set(FIRST))


def model(window: str, name_of: dict[str, str]) -> str:
    """Windows over the rows, each column under the name that its role has here."""
    renamed = ", ".join(f"{column} as `{name_of[column]}`" for column in ROLES[:-1])
    relation = f"'(select {renamed} from ' ~ source('raw', 'plain') ~ ')'"
    config = {"materialized": "windowed", "max_ahead": "1 hour", "arrived_at": name_of["came"]}
    aggregates = {
        name_of["n"]: "count(*)",
        "_total": f"sum(`{name_of['value']}`)",
        "_first": f"min_by(`{name_of['value']}`, `{name_of['ts']}`)",
        "_all": f"collect_list(`{name_of['value']}`)",
    }
    return (
        "{{ config(**"
        + repr(config)
        + ") }}\n{{ event_windows.windowed(relation="
        + relation
        + f", key={[name_of['part'], name_of['user']]!r}, event_time={name_of['ts']!r}, "
        + f"window=event_windows.{window}, arrival_order={name_of['seq']!r}, "
        + f"partition={name_of['part']!r}, aggregates={aggregates!r}) }}}}"
    )


ROWS: list[list[tuple[Any, ...]]] = [
    [
        (i % 2, "ab"[i % 3 % 2] if i % 7 else None, at(minute), i, at(minute + 1), i)
        for i, minute in enumerate([0, 4, 9, 31, 20, 33, 35, 70, 33, 21, 69, 71])
    ],
    [
        (i % 2, "ab"[i % 3 % 2] if i % 7 else None, at(minute), i, at(minute - ahead), i)
        for i, (minute, ahead) in enumerate(
            [(75, 0), (3, 0), (72, 0), (99, 61), (80, 0), (66, 0), (81, 0), (30, 0)], 12
        )
    ],
]


def found(project: DbtProject, table: str) -> tuple[list[Any], list[Any]]:
    """What the tables hold, by place: but for names both are one."""
    dropped = project.spark.table(f"{project.schema}.{table}__dropped").drop("run_id", "source_row")
    return tuple(  # type: ignore[return-value]
        sorted(
            (
                tuple(row)
                for row in frame.drop(*[c for c in frame.columns if c[:4] == "_ew_"]).collect()
            ),
            key=repr,
        )
        for frame in (project.spark.table(f"{project.schema}.{table}"), dropped)
    )


def check(project: DbtProject, named: list[tuple[str, list[str]]]) -> None:
    """A model for each window and names of its roles, and one of the window with plain names."""
    alike = {}
    for place, (window, chosen) in enumerate(named):
        for table, of in {
            f"named_{place}": dict(zip(ROLES, chosen, strict=True)),
            f"plain_{window}": dict(zip(ROLES, ROLES, strict=True)),
        }.items():
            project.model(table, model(WINDOWS[window], of))
        alike[f"named_{place}"] = (f"plain_{window}", chosen)
    models = [*alike, *{plain for plain, _ in alike.values()}]
    project.create_source("plain", ROWS[0], COLUMNS)
    project.run(*models, full_refresh=True)
    project.append("plain", ROWS[1])
    project.run(*models)
    for table, (plain, chosen) in alike.items():
        assert found(project, table) == found(project, plain), chosen
        assert found(project, table)[1], "no row is dropped"


@pytest.mark.slow
def test_columns_named_as_in_our_statements(project: DbtProject) -> None:
    """A partition that is named so and is in the key; times that a lambda would catch."""
    caught = [
        ("calendar", ["partition", "key", "at", "arrival", "ends", "starts", "held"]),
        ("cumulating", ["day", "local", "ends", "step", "arrival", "at", "partition"]),
    ]
    check(project, caught)


@pytest.mark.slow
def test_every_name_in_every_type(project: DbtProject) -> None:
    every = names()
    windows = [*WINDOWS]
    named = []
    for place in range(len(every)):
        chosen = [every[(place * 5 + i) % len(every)] for i in range(len(ROLES))]
        named.append((windows[place % len(windows)], chosen))
    check(project, named)
