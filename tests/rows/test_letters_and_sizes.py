"""Names in other letters than the columns have, and columns that a format keeps as larger ones."""

from __future__ import annotations

from tests.harness import DbtProject, recorded
from tests.session_models import at, session_model

COLUMNS = "shard string, event_time timestamp, arrival_seq bigint"
HOURS = "event_windows.tumbling(size='1 hour', grace='0 seconds')"
EVERY = {"name": "every", "arguments": {"source": "source('raw', 'shards')"}}


def test_a_partition_in_other_letters_than_its_key_column(project: DbtProject) -> None:
    rows = [("p0", at(60 * hour), hour) for hour in range(5)]
    rows += [("p1", at(60 * hour), hour) for hour in range(3)]
    project.create_source("shards", rows, COLUMNS)
    options = {"key": ["Shard"], "partition": "shard", "stream_time": "partition"}
    project.model("by_shard", session_model("shards", HOURS, **options))
    tests = [{"event_windows.every_row_is_counted": EVERY}, "event_windows.no_arrival_is_skipped"]
    properties = {"models": [{"name": "by_shard", "data_tests": tests}]}
    project.write_yaml("models/by_shard.yml", properties)
    project.run("by_shard")
    assert all(result.status == "pass" for result in project.test("by_shard").results)
    inline = "{{ event_windows.window_counts(ref('by_shard')) }}"
    [counts] = project.rows(project.compile(inline=inline))
    # the last of each partition is open
    assert (counts.open, counts.closed) == (2, 6)


def test_a_build_over_a_build_empties_what_stands_beside_it(project: DbtProject) -> None:
    """Iceberg keeps SMALLINT as INT: that is no reason to replace the tables of a later refresh."""
    columns = "key smallint, event_time timestamp, arrival_seq bigint"
    project.create_source("small", [(1, at(0), 0), (2, at(90), 1), (None, at(5), 2)], columns)
    project.model("small_m", session_model("small", HOURS))
    project.run("small_m", full_refresh=True)
    with recorded() as statements:
        project.run("small_m", full_refresh=True)
    beside = [one for one in statements if one.step in ("dropped_rows", "clocks")]
    assert any("delete from" in one for one in beside)
    assert not [one for one in beside if "replace table" in one]
