"""`python -m tests.catalogues.calls rest` (or glue): how often a refresh asks catalogue and store.

Beside it plain merge, over the same rows: first rows of which none is late, then others.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from dbt_common.tests import enable_test_caching

from tests.catalogues.catalogues import AWS_ENVIRONMENT, CATALOGUES
from tests.catalogues.counting import counted
from tests.catalogues.life import Life
from tests.session_models import at

ADDRESS = {"rest": "spark.sql.catalog.lake.uri", "glue": "spark.sql.catalog.lake.glue.endpoint"}
MERGED = """
{{ config(
    materialized='incremental', incremental_strategy='merge', unique_key=['key', 'bucket'],
    file_format='iceberg'
) }}
select
    key, window(event_time, '1 hour').start as bucket, count(*) as n, max(arrival_seq) as last
from {{ source('raw', 'rows') }}
{% if is_incremental() %}where arrival_seq > (select max(last) from {{ this }}){% endif %}
group by 1, 2
"""
MODELS = ["merged", "sessions", "plain"]


def main() -> None:
    enable_test_caching()
    os.environ.update(AWS_ENVIRONMENT)
    name = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder, CATALOGUES[name](Path(folder)) as settings:
        behind = settings[ADDRESS[name]]
        with counted(behind) as (address, calls):
            here = {key: address if value == behind else value for key, value in settings.items()}
            life = Life(Path(folder) / "project", here, MODELS)
            life.project.model("merged", MERGED)
            for count in (60, 10):
                life.arrive(count)
                life.run()
            for case in ("none late", "some late", "nothing new"):
                if case == "none late":
                    clock = 30 * life.arrived + 4000
                    on_time = [(key, at(clock), life.arrived + n, 1) for n, key in enumerate("ab")]
                    life.project.append("rows", on_time)
                    life.arrived += len(on_time)
                elif case == "some late":
                    life.arrive(5)
                for model in MODELS:
                    calls.clear()
                    life.run(model)
                    print(case, model, calls.total(), dict(sorted(calls.items())), flush=True)


if __name__ == "__main__":
    main()
