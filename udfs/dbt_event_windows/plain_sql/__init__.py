"""Reads an analyst's own Spark SQL with a time window in its GROUP BY.

`plan` turns it into what the dbt macros need to keep the same rows up to date: what lies below the
windows, the key, the window, the aggregates, and the SELECT list as SQL over them. What cannot be
kept up to date is refused, with the clause, its line and what to do. A text is kept exactly or
refused: what is not understood is never guessed.
"""

from __future__ import annotations

from dbt_event_windows.plain_sql.planning import plan

__all__ = ["plan"]
