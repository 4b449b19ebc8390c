"""Which groups tell where in time the windows of a group lie: days, hours, bounds themselves."""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from dbt_event_windows.plain_sql.references import call_name, parts_of
from dbt_event_windows.rollup.relations import Relation

_SECOND = 1_000_000
_DAY = 86_400 * _SECOND
# No unit is longer than this; where clocks change it is so by less than a day, see _SOME.
_UNITS = {
    "microsecond": 1,
    "millisecond": 1000,
    "second": _SECOND,
    "minute": 60 * _SECOND,
    "hour": 3600 * _SECOND,
    **dict.fromkeys(("day", "dd"), _DAY),
    "week": 7 * _DAY,
    **dict.fromkeys(("month", "mon", "mm"), 31 * _DAY),
    "quarter": 92 * _DAY,
    **dict.fromkeys(("year", "yyyy", "yy"), 366 * _DAY),
}
# A day of one zone, told in another, or told from a wall clock that is set back.
_SOME = _DAY


def time_of(
    node: exp.Expression, relation: Relation, alone: Collection[str]
) -> tuple[str, int] | None:
    """The column of the model that a group is the time of, and how far at most the two are apart.

    The column lies at the group or after it. In microseconds; `alone` are the names, in lower case,
    that need no table in front of them to be those of the model. None for any other group.
    """
    parts = parts_of(node)
    if parts is not None:
        of_model = len(parts) == 2 and parts[0].lower() == relation.name.lower()
        if of_model or (len(parts) == 1 and parts[0].lower() in alone):
            return parts[-1], 0
        return None
    inner, unit = _truncated(node)
    found = time_of(inner, relation, alone) if inner is not None else None
    return (found[0], found[1] + unit + _SOME) if found is not None else None


def _truncated(node: exp.Expression) -> tuple[exp.Expression | None, int]:
    """What a call cuts off to the start of a unit, and how long that is; or none."""
    if isinstance(node, exp.Paren):
        return node.this, 0
    if isinstance(node, exp.Cast):  # TRY_CAST, too
        return (node.this, _DAY) if node.to.this == exp.DataType.Type.DATE else (None, 0)
    arguments, name = node.expressions, call_name(node)
    if name in ("date", "to_date") and len(arguments) == 1:
        return arguments[0], _DAY
    if name in ("date_trunc", "trunc") and len(arguments) == 2:
        unit, inner = arguments if name == "date_trunc" else reversed(arguments)
        length = _UNITS.get(str(unit.this).lower()) if isinstance(unit, exp.Literal) else None
        return (inner, length) if length is not None else (None, 0)
    return None, 0
