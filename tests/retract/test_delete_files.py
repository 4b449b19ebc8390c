"""Sources of Iceberg with delete files, of which there is no changelog."""

from __future__ import annotations

import pytest

from tests.formats import iceberg_table
from tests.harness import FILE_FORMAT, DbtProject
from tests.session_models import EVENTS, events, session_model

pytestmark = pytest.mark.skipif(FILE_FORMAT != "iceberg", reason="delete files are Iceberg's")


def append_fast(project: DbtProject, table: str) -> None:
    """As Spark's streams commit: all manifests are taken along as they are."""
    iceberg_table(project, table).newFastAppend().commit()
    project.rows(f"refresh table {table}")


@pytest.mark.parametrize("version", [2, 3])
def test_delete_files_that_went_before_a_fast_append(project: DbtProject, version: int) -> None:
    name = f"fast_{version}"
    project.create_source(name, events([("a", 0), ("a", 5), ("b", 0)]), EVENTS)
    project.rows(
        f"alter table {name} set tblproperties ('format-version' = '{version}', "
        "'write.delete.mode' = 'merge-on-read')"
    )
    # in one file, so that the row goes by a file that says so
    project.rows(f"insert overwrite {name} select /*+ coalesce(1) */ * from {name}")
    project.model(f"{name}_m", session_model(name, config={"source_changes": "retract"}))
    project.run(f"{name}_m")
    project.rows(f"delete from {name} where arrival_seq = 1")
    project.run(f"{name}_m")
    project.rows(
        f"call spark_catalog.system.rewrite_data_files(table => '{project.schema}.{name}', "
        "options => map('rewrite-all', 'true', 'remove-dangling-deletes', 'true'))"
    )
    project.run(f"{name}_m")
    append_fast(project, name)
    project.append(name, events([("b", 5)], 3))
    project.run(f"{name}_m")
    found = project.rows(f"select key, n from {name}_m order by key")
    assert [(row.key, row.n) for row in found] == [("a", 1), ("b", 2)]
