"""The window's struct and its bounds as SQL over the windows table."""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import parts_of
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.time_windows import (
    TimeWindow,
    is_time_window,
    is_window_again,
)


class Bounds:
    """Finds the window in expressions: by its name, `window.start`, or as the same call again."""

    def __init__(self, reading: Reading, scope: Scope, window: TimeWindow) -> None:
        self.reading = reading
        self.scope = scope
        self.window = window

    def sql(self, name: str) -> str | None:
        """A bound by the name of its field; none if the struct has no such field."""
        if name.lower() == "start":
            return "window_start"
        if name.lower() != "end":
            return None
        if self.window.type != "session":
            return "window_end"
        # A session of the package ends with its last event, one of Spark's a gap later. Cast from
        # text, hours stay hours: an interval literal of a day or more means days of the calendar.
        if self.window.length is not None:
            return f"window_end + cast('{self.window.length}' as interval)"
        return "_ew_until_time"

    @property
    def struct(self) -> str:
        return f"named_struct('start', window_start, 'end', {self.sql('end')})"

    def of(self, node: exp.Expression, clause: str) -> str | None:
        """The SQL for an expression that is the window or a bound of it; none for any other."""
        parts = parts_of(node)
        if parts is not None and parts[0].lower() == self.window.struct:
            if len(parts) == 1:
                return self.struct
            bound = self.sql(parts[1]) if len(parts) == 2 else None
            if bound is None:
                words = (
                    f"{self.window.struct} has the fields start and end",
                    f"write {self.window.struct}.start or {self.window.struct}.end",
                )
                self.reading.refuse(clause, node, words)
            return bound or ""
        call, field = node, None
        if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
            call, field = node.this, node.expression.name
        # Spark reads no window in HAVING
        if clause == "HAVING" or not is_time_window(call):
            return None
        if not is_window_again(self.reading, self.scope, call, self.window, "SELECT"):
            return None
        return self.struct if field is None else self.sql(field)

    def refused_call(self, call: exp.Expression, clause: str) -> refusals.Words:
        """Why a time window that is not the one of GROUP BY is refused."""
        if clause == "HAVING":
            struct = self.window.struct
            return (
                "Spark reads no time window in HAVING",
                f"write {struct}.start or {struct}.end",
            )
        return (
            "this is another time window than the one in the GROUP BY",
            "write the same window, with the same arguments",
        )
