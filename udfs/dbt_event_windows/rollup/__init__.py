"""Reads a SELECT with GROUP BY over a windowed model, whose groups are kept up to date.

`plan` says which tables the text reads, which columns of its result are the groups, and how the
text is written over something else in place of the model. What cannot be kept is refused, with the
clause, its line and what to do.
"""

from __future__ import annotations

from dbt_event_windows.rollup.planning import plan

__all__ = ["plan"]
