"""The SQL of window types, byte for byte.

golden/<type>_<mode>.sql has what a model with fixed options compiles to (scratch) or what a run of
it sends: a build, a refresh, and a refresh with late rows, of each step the first statement. A type
of each family has such files; of the others golden/hooks.sql has what their hooks give.
EVENT_WINDOWS_UPDATE_GOLDEN=1 writes the files anew; the change is then there to be read.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from tests.documents import pipeline
from tests.harness import REPOSITORY
from tests.macros.scripted import CALL, WINDOWS, Script, rendered, run, spec_of

FOLDER = Path(__file__).parent / "golden"
# Of a run only what differs between types; of a refresh with late rows what late rows add.
STEPS = {
    "build": ["slices", "clocks", "windows"],
    "refresh": ["slices", "clocks", "windows"],
    "refresh_late": ["late_rows", "dropped_rows", "windows"],
}
STEPS["refresh_many_late"] = STEPS["refresh_late"]
MODES = ["scratch", *STEPS]
CASES = [(window, mode) for window in WINDOWS for mode in MODES]
# What another replay changes.
IN_SQL = "session_in_sql"
CASES += [(IN_SQL, "scratch"), (IN_SQL, "refresh_late")]
WRITTEN_DOWN = [
    (window, mode)
    for window, mode in CASES
    if window == "session"
    or (window in ("tumbling", "sliding", IN_SQL) and mode != "refresh_many_late")
]
# The steps that a query must have; others it may have, in their order.
NEEDED = {
    "scratch": ["new_rows", "slices", "late_keys", "late_rows", "merge_inputs", "windows"],
    "build": ["slices", "merge_inputs", "windows"],
    "refresh": ["slices", "stored_windows", "merge_inputs", "windows", "changes"],
    "refresh_late": [
        "slices", "late_rows", "stored_windows", "merge_inputs", "windows", "changes",
    ],
}  # fmt: skip
NEEDED["refresh_many_late"] = NEEDED["refresh_late"]


@cache
def texts(window: str, mode: str) -> dict[str, str]:
    """The SQL of one golden file, by step."""
    given = {"event_windows__replay": "sql"} if window == IN_SQL else {}
    window = "session" if window == IN_SQL else window
    if mode == "scratch":
        macros = rendered(config={"materialized": "table"}, vars=given)
        return {"scratch": str(macros._from_scratch(spec_of(macros, window)))}
    rows = {"new": 30_000} if mode == "refresh_many_late" else {}
    script = Script(late="late" in mode, **rows)
    statements = run(script, window, build=mode == "build", vars=given)
    first: dict[str, str] = {}
    for statement in statements:
        first.setdefault(str(statement.step), str(statement))
    return {step: first[step] for step in STEPS[mode]}


def golden(window: str, mode: str) -> str:
    return "".join(f"/* {step} */\n{sql}\n;\n\n" for step, sql in texts(window, mode).items())


HOOKS = {"slice": [], "row_until": [], "windows_of": ["_ew_time"], "assign": [True]}


def hooks() -> str:
    """What the hooks of the types that have no files of their own give."""
    macros = rendered()
    texts = []
    for window in WINDOWS:
        if (window, "scratch") not in WRITTEN_DOWN:
            spec = spec_of(macros, window)
            for hook, arguments in HOOKS.items():
                text = macros._of_window(hook, spec, *arguments)
                texts.append(f"/* {window}: {hook} */\n{str(text).strip()}\n\n")
    return "".join(texts)


def test_the_hooks_are_those_written_down() -> None:
    compare(FOLDER / "hooks.sql", hooks())


@pytest.mark.parametrize(("window", "mode"), WRITTEN_DOWN)
def test_the_sql_is_the_one_written_down(window: str, mode: str) -> None:
    compare(FOLDER / f"{window}_{mode}.sql", golden(window, mode))


def compare(path: Path, now: str) -> None:
    if os.environ.get("EVENT_WINDOWS_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(now)
    assert now == path.read_text(), "EVENT_WINDOWS_UPDATE_GOLDEN=1 writes it anew"


def test_no_file_is_left_over() -> None:
    files = {f"{window}_{mode}.sql" for window, mode in WRITTEN_DOWN}
    assert {path.name for path in FOLDER.iterdir()} == files | {"hooks.sql"}


@cache
def parsed(window: str, mode: str, dialect: str) -> dict[str, exp.Expression]:
    return {
        step: sqlglot.parse_one(sql, dialect=dialect) for step, sql in texts(window, mode).items()
    }


@pytest.mark.parametrize("dialect", ["spark", "databricks"])
@pytest.mark.parametrize(("window", "mode"), CASES)
def test_other_parsers_read_it(window: str, mode: str, dialect: str) -> None:
    trees = parsed(window, mode, dialect)
    # a Command is text that sqlglot gave up on
    assert not [step for step, tree in trees.items() if isinstance(tree, exp.Command)]
    if mode == "scratch":
        tree = trees["scratch"]
        assert isinstance(tree, exp.Select)
        named = [column.alias_or_name for column in tree.selects]
        assert named == ["user_id", "window_start", "window_end", *CALL["aggregates"]]


def ctes(tree: exp.Expression) -> list[str]:
    """Names of the outermost WITH, also of one within CREATE, INSERT or MERGE."""
    found = tree.find(exp.With)
    assert found
    return [cte.alias for cte in found.expressions]


@pytest.mark.parametrize(("window", "mode"), CASES)
def test_ctes_are_the_documented_steps_in_their_order(window: str, mode: str) -> None:
    steps = pipeline()
    for name, tree in parsed(window, mode, "spark").items():
        if name == "slices":  # one SELECT, no steps
            continue
        names = ctes(tree)
        assert len(names) == len(set(names))
        of_steps = [cte for cte in names if cte in steps]
        if name == "dropped_rows":
            assert of_steps == []  # of rows with a key the kept late rows tell all
        elif name in ("scratch", "windows"):
            assert of_steps == [step for step in steps if step in of_steps]
            assert set(NEEDED[mode]) <= set(of_steps)


def test_every_cte_is_read() -> None:
    for window, mode in CASES:
        for step, tree in parsed(window, mode, "spark").items():
            if step == "slices":
                continue
            read = {table.name for table in tree.find_all(exp.Table)}
            unread = set(ctes(tree)) - read
            assert not unread, (window, mode, step)


SQUARED = {
    "unbounded following": "goes through a frame up to the end of its partition anew for each row",
    "array_except": "compares structs with all others",
    "array_distinct(flatten(": "likewise, of sets that are merged",
}


@pytest.mark.parametrize("words", SQUARED)
def test_nothing_takes_time_with_the_square_of_its_rows(words: str) -> None:
    """A key with many slices, or a window with many values, is never done: see what Spark does."""
    macros = (REPOSITORY / "macros").rglob("*.sql")
    assert not [path.name for path in macros if words in path.read_text().lower()], SQUARED[words]
