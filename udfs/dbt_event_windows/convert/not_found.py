"""What is said of a model in which no SELECT groups by sessions or by time."""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.convert.layers import Layer
from dbt_event_windows.convert.problems import (
    BEFORE,
    READS_ON,
    NotUnderstoodError,
    not_understood,
    shown,
)
from dbt_event_windows.convert.same import is_over
from dbt_event_windows.plain_sql.problems import Problem


def not_found(layers: list[Layer]) -> NotUnderstoodError:
    """The error, for the SELECTs that were looked at."""
    joins = layers[-1].select.args.get("joins")
    if joins and any(cte.find(exp.Group) for layer in layers for cte in layer.select.ctes):
        problem = "what is grouped is joined afterwards"
        return not_understood("JOIN", joins[0], problem, READS_ON)
    numbered = [one for one in layers if any(is_over(item) for item in one.select.expressions)]
    if not any(one.select.args.get("group") for one in layers):
        problem = "the model has a row for each event, not for each session or window of time"
        mend = (
            "convert it together with the SELECT that groups by the session id: a windowed model "
            "has one row for each session"
        )
        select = (numbered or layers)[0].select
        return not_understood("SELECT", (select.expressions or [select])[-1], problem, mend)
    grouped = next(one for one in layers if one.select.args.get("group"))
    problem = "nothing that it groups by is a session made here, or a time cut to a unit"
    if grouped is not layers[-1] or numbered or grouped.source is None:
        mend = (
            "if the session id comes from elsewhere, group by session_window(time, gap) instead; "
            f"what stands between, {BEFORE}"
        )
    else:
        mend = "group by session_window(time, gap) or window(time, size) instead"
    group = grouped.select.args["group"]
    line = group.expressions[0] if group.expressions else grouped.select
    error = not_understood("GROUP BY", line, problem, mend)
    groups = ", ".join(map(shown, group.expressions)) or "all"
    first = error.problems[0]
    return NotUnderstoodError([Problem("GROUP BY", first.line, groups[:100], problem, mend)])
