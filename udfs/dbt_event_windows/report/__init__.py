"""A page about a windowed model: which grace, what refreshes did, why a row counts, its health.

`python -m dbt_event_windows.report --select m --out report.html`. It asks over any connection that
dbt has, by `dbt show`; sums are made in Spark, and the page holds what came of them.
"""

from __future__ import annotations
