"""The least that can change in a row: its key is made anew, and only those of changed rows are."""

from __future__ import annotations

import pytest

from tests.harness import FILE_FORMAT, DbtProject, sampled
from tests.retract.test_any_change import ALL_OF_THEM, LAYOUTS
from tests.session_models import EVENTS, at, counted, events, ledger, public, session_model

COLUMNS = (
    "key string, event_time timestamp, arrival_seq bigint, x int, y int, d double, t string, "
    "part struct<a: int, b: int>, list array<int>, pairs map<string, int>"
)
REST = (0.0, "a", (None, 1), [None, 1], {"a": 1})  # from d on
# what becomes of the first of a key's two rows, or of both where it is said
CHANGES = {
    "a null in another column": "x = 1, y = null",
    "a null in another field": "part = named_struct('a', 1, 'b', cast(null as int))",
    "a null in another place": "list = array(1, cast(null as int))",
    "a zero less than none": "d = double('-0.0')",
    "no number": "d = double('NaN')",
    "a letter": "t = 'A'",
    "a blank": "t = 'a '",
    "a value of a map": "pairs = map('a', 2)",
    "a microsecond": "event_time = event_time + interval '1 microsecond'",
    "both numbers": "arrival_seq = 1 - arrival_seq % 2 + arrival_seq - arrival_seq % 2",
    "a key": "key = 'another key'",
}
SAME = "what it was"
ROWS = "to_json(struct(x, y, d, t, part, list, pairs), map('ignoreNullFields', 'false'))"


@pytest.mark.parametrize("place", sampled(range(len(LAYOUTS)), [0]))
def test_the_least_that_changes(project: DbtProject, place: int) -> None:
    table, layout = f"least_{place}", LAYOUTS[place]
    rows = [
        (key, at(number), 2 * number + which, None, 1 + which, *REST)
        for number, key in enumerate([*CHANGES, SAME, "untouched"])
        for which in range(2)
    ]
    project.create_source(table, rows, COLUMNS)
    options = ", ".join(f"'{name}' = '{value}'" for name, value in layout.items())
    project.rows(f"alter table {table} set tblproperties ({options})")
    aggregates = {"rows": f"collect_list({ROWS})", "numbers": "collect_list(arrival_seq)"}
    text = session_model(table, config={"source_changes": "retract"}, aggregates=aggregates)
    relation = f"source('raw', '{table}')"
    selected = f"'(select * from ' ~ {relation} ~ ')'"
    project.model(f"direct_{place}", text)
    project.model(f"selected_{place}", text.replace(relation, selected))
    project.run(f"direct_{place}", f"selected_{place}")
    for key, change in {**CHANGES, SAME: "x = x"}.items():
        both = key == "both numbers"
        first = "true" if both else "arrival_seq % 2 = 0"
        project.rows(f"update {table} set {change} where key = '{key}' and {first}")
    project.run(f"direct_{place}", f"selected_{place}")
    # a feed and a changelog show that nothing changed, ids of rows do not
    tracked = FILE_FORMAT == "delta" and "delta.enableRowTracking" in layout
    for name in [f"direct_{place}", f"selected_{place}"]:
        kept = public(project, name)
        assert ledger(project, name)[-1].keys_rebuilt == len(CHANGES) + 1 + tracked
        project.run(name, full_refresh=True)
        assert kept == public(project, name)


def test_a_row_without_an_order_that_is_written_as_it_was(project: DbtProject) -> None:
    """Two logs of one table differ about it: in one it came anew, in the other nothing changed."""
    project.create_source("as_it_was", events([("a", 0), ("a", 5), ("b", 0)]), EVENTS)
    options = ", ".join(f"'{name}' = '{value}'" for name, value in ALL_OF_THEM.items())
    project.rows(f"alter table as_it_was set tblproperties ({options})")
    sessions = "event_windows.session(gap='30 minutes', grace='unbounded')"
    text = session_model(
        "as_it_was", sessions, config={"source_changes": "retract"}, arrival_order=None
    )
    project.model("as_it_was_m", text)
    project.run("as_it_was_m")
    project.rows("update as_it_was set value = value where key = 'a'")
    project.append("as_it_was", events([("b", 5)], 3))
    project.run("as_it_was_m")
    assert counted(project, "as_it_was_m") == {("a", 0, 5, 2), ("b", 0, 5, 2)}
    # one commit takes it away and puts it there
    project.rows(f"create table kept using {FILE_FORMAT} as select * from as_it_was")
    project.rows("insert overwrite as_it_was select * from kept where arrival_seq <> 0")
    project.run("as_it_was_m")
    assert counted(project, "as_it_was_m") == {("a", 5, 5, 1), ("b", 0, 5, 2)}
