"""Converts dbt models that make sessions by hand into `windowed` models in plain SQL.

`python -m dbt_event_windows.convert model.sql`. What is read: running sums of a start flag,
`last_value(... ignore nulls)` of starts, `conditional_true_event`, and groups by `date_trunc`,
`date_bin`, `time_slice` and their like, in the SQL of four warehouses.
"""

from __future__ import annotations

from dbt_event_windows.convert.conversion import Converted, convert
from dbt_event_windows.convert.problems import NotUnderstoodError

__all__ = ["Converted", "NotUnderstoodError", "convert"]
