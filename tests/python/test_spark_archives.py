"""A worker's tasks do not read Spark's own archives again and again."""

from __future__ import annotations

import importlib
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from dbt_event_windows.spark_archives import leaving_archives_alone


def archive(folder: Path, name: str, *modules: str) -> str:
    path = folder / name
    with zipfile.ZipFile(path, "w") as written:
        for module in modules:
            written.writestr(f"{module}.py", f"name = {module!r}")
    return str(path)


def test_finders_of_sparks_archives_are_dropped_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sparks = archive(tmp_path, "pyspark.zip", "of_spark", "of_spark_later")
    jar = archive(tmp_path, "a_format_2.13.jar", "of_a_jar")
    users = archive(tmp_path, "lib.zip", "of_the_user")
    for path in (sparks, jar, users):
        monkeypatch.syspath_prepend(path)
    assert importlib.import_module("of_spark").name == "of_spark"
    assert importlib.import_module("of_a_jar").name == "of_a_jar"
    assert importlib.import_module("of_the_user").name == "of_the_user"
    assert {sparks, jar, users} <= set(sys.path_importer_cache)

    function = leaving_archives_alone(SimpleNamespace(func=lambda a, b: a + b)).func
    assert function(1, 2) == 3
    assert not {sparks, jar} & set(sys.path_importer_cache)
    assert users in sys.path_importer_cache
    assert importlib.import_module("of_spark_later").name == "of_spark_later"


def test_no_worker_that_ran_a_function_has_such_finders(spark) -> None:
    from pyspark.sql.functions import udf

    def archives(_):
        from zipimport import zipimporter

        finders = [one for one in sys.path_importer_cache.values() if isinstance(one, zipimporter)]
        return " ".join(sorted({Path(one.archive).name for one in finders}))

    spark.udf.register("archives", leaving_archives_alone(udf(archives)))
    found = spark.sql("select distinct archives(id) as names from range(0, 8, 1, 8)").collect()
    assert [row.names for row in found] == [""]
