"""Python tasks that do not read Spark's own archives again.

Before each task Spark's worker calls `importlib.invalidate_caches()`. Before Python 3.13 every
finder of an archive then reads its list of contents (python/cpython#103200), and a worker has one
for each package within pyspark.zip, for Spark's jar and for those of packages: 0.2 seconds a task.
"""

from __future__ import annotations

import functools
import re
import sys
from pathlib import PurePath
from typing import Any
from zipimport import zipimporter

# They stay as they are while a worker lives, and the next import makes the finders that it needs.
_FIXED = re.compile(r"pyspark\.zip|py4j-.*|.*\.jar")


def leaving_archives_alone(udf: Any) -> Any:
    """The same function for `spark.udf.register`; after its first call a worker's tasks are cheap.

    Finders of other archives stay: a user's may be replaced.
    """
    called = udf.func
    # A worker unpickles the function for each task, so that this begins anew with it; an aggregate
    # is called for each group.
    dropped = False

    @functools.wraps(called)
    def call(*arguments: Any) -> Any:
        nonlocal dropped
        if not dropped:
            _drop_finders()
            dropped = True
        return called(*arguments)

    udf.func = call
    return udf


def _drop_finders() -> None:
    for path, finder in list(sys.path_importer_cache.items()):
        if isinstance(finder, zipimporter) and _FIXED.fullmatch(PurePath(finder.archive).name):
            sys.path_importer_cache.pop(path, None)
