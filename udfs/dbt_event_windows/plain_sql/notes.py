"""What a user should know of a text that is kept: where its rows depend on more than themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlglot import exp

from dbt_event_windows.plain_sql.dialect import SeveralUnits, write
from dbt_event_windows.plain_sql.functions import READ_THE_ZONE, TAKE_A_UNIT
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import COMPARISONS, call_name, parts_of, references
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.text import children, nodes
from dbt_event_windows.plain_sql.text_types import branches, chooses, is_text

JOINS = (
    "Joined tables are read as they stand at the refresh that reads a row: a later change in them "
    "changes no row that was read before. A full refresh reads them anew."
)
FAN_OUT = (
    "LATERAL VIEW and explode make several rows of one: these have one arrival number, come in the "
    "order of their times, and are late against the latest of them. Where that is too strict take "
    "posexplode, and an arrival number made of both, such as seq * 1000 + pos."
)
ZONE = (
    "Dates, hours and the like are those of the session's time zone: keep "
    "spark.sql.session.timeZone the same for every refresh."
)
TEXT_AS_TIME = (
    "Texts of rows are compared with a time, or made one, and each is read as one: one without a "
    "date, such as '09:30', has the date of the run."
)
CALENDAR_GAP = (
    "A day in the gap of session_window is a day of the calendar in the session's time zone, of 23 "
    "or 25 hours where clocks change, as in Spark. '24 hours' is a gap of one length, which costs "
    "less."
)
TAKES_ONE_ROW = (
    "{name} takes one row of a window: here the first or last by event time, then by arrival; "
    "Spark takes whichever it reads first or last."
)
KEEPS_ROWS = (
    "{name} keeps the values of a window's rows, here in the order of event time and arrival; "
    "Spark keeps whatever order it reads them in."
)

_CLOCKS = ("DATE", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMPLTZ")
_OTHERS = (exp.DataType.Type.TIMESTAMPNTZ, *exp.DataType.TEXT_TYPES)
# Calls whose value is one of their arguments, or made of them alone.
_OF_ONE_TYPE = word_set("array coalesce greatest ifnull least nvl")
_HAND_ON = _OF_ONE_TYPE | word_set(
    "any_value array_distinct array_sort collect_list collect_set first last max max_by min min_by "
    "sort_array"
)
# Of a time these make the wall clock, as a text or as a TIMESTAMP_NTZ.
_TO_OTHERS = word_set("string to_timestamp_ntz try_to_timestamp_ntz convert_timezone")
_WRITE_TEXTS = word_set("array_join concat concat_ws")
# Without a pattern these read a text as a cast does; those beside them do in any case.
_READ_ONE_TEXT = word_set("timestamp to_timestamp to_timestamp_ltz try_to_timestamp")
_READ_TEXTS = word_set("date_format from_utc_timestamp to_utc_timestamp")
_A_DAY_OR_LONGER = re.compile(r"day|week|month|quarter|year", re.IGNORECASE)


def note_zone(reading: Reading, node: exp.Expression, scope: Scope | None = None) -> None:
    """Note that an expression depends on the session's time zone, or on the day, where it may."""
    if any(_reads_the_zone(found, scope) for found in nodes(node)):
        reading.note(ZONE)
    if any(_reads_texts_as_times(found, scope) for found in nodes(node)):
        reading.note(TEXT_AS_TIME)


def _reads_the_zone(node: exp.Expression, scope: Scope | None) -> bool:
    types = [_types(one, scope) for one in children(node)]
    beside = _types_among(_of_one_type(node), scope)
    # beside a time a day, or what a wall clock shows, is one in the session's zone
    if "timestamp" in beside and beside & {"date", "timestamp_ntz", "string"}:
        return True
    if isinstance(node, exp.Sub) and types == [frozenset({"timestamp"})] * 2:
        return True  # Spark takes one wall clock from the other
    if isinstance(node, exp.DPipe) or call_name(node) in _WRITE_TEXTS:
        return any("timestamp" in one for one in types)
    if call_name(node) in _TO_OTHERS and node.expressions:
        is_from_here = call_name(node) == "convert_timezone" and len(node.expressions) == 2
        return is_from_here or any(_may_be_a_time(one, scope) for one in node.expressions)
    if isinstance(node, exp.Cast):
        to_other = any(one.is_type(*_OTHERS) for one in node.to.find_all(exp.DataType))
        is_clock = node.to.sql().upper() in _CLOCKS
        return is_clock or (to_other and _may_be_a_time(node.this, scope))
    if isinstance(node, COMPARISONS):
        # a text that is compared with a time is read as one
        sides = list(children(node))
        dates = [one for one in sides if isinstance(one, exp.Literal) and _is_a_date(one)]
        others = [one for one in sides if one not in dates]
        return bool(dates) and any(_may_be_a_time(one, scope) for one in others)
    if isinstance(node, exp.Add | exp.Sub):
        # days and months are those of the calendar
        steps = [one for one in children(node) if isinstance(one, exp.Interval | SeveralUnits)]
        return any(_A_DAY_OR_LONGER.search(write(one)) for one in steps) and any(
            _may_be_a_time(one, scope) for one in children(node) if one not in steps
        )
    if call_name(node) in TAKE_A_UNIT and len(node.expressions) == 3:
        unit = parts_of(node.expressions[0])
        return unit is None or bool(_A_DAY_OR_LONGER.search(unit[-1]))
    return isinstance(node, exp.Extract) or call_name(node) in READ_THE_ZONE


def _reads_texts_as_times(node: exp.Expression, scope: Scope | None) -> bool:
    beside = _of_one_type(node)
    if beside:
        types = _types_among(beside, scope)
        return "string" in types and bool(types & {"timestamp", "timestamp_ntz"})
    name, given = call_name(node), node.expressions
    if isinstance(node, exp.Cast):
        read = [node.this] if node.to.sql().upper() in _CLOCKS[1:] else []
    elif name in _READ_TEXTS or (name in _READ_ONE_TEXT and len(given) == 1):
        read = given[:1]
    else:
        read = given[1:] if name == "date_trunc" else []
    return any("string" in _types(one, scope) for one in read)


def _of_one_type(node: exp.Expression) -> list[exp.Expression]:
    """What Spark makes one type of: what is compared, or what a value is one of."""
    if isinstance(node, exp.Case) or chooses(node):
        return branches(node)
    is_one = isinstance(node, COMPARISONS) or call_name(node) in _OF_ONE_TYPE
    return list(children(node)) if is_one else []


def _is_a_date(node: exp.Literal) -> bool:
    return bool(node.is_string and re.match(r"\d{4}-\d", str(node.this)))


def _types_among(found: Iterable[exp.Expression], scope: Scope | None) -> frozenset[str]:
    return frozenset().union(*(_types(one, scope) for one in found))


def _types(node: exp.Expression, scope: Scope | None) -> frozenset[str]:
    """The types of the columns that an expression is one of, as far as they are known."""
    if isinstance(node, exp.Paren):
        return _types(node.this, scope)
    if isinstance(node, exp.Case) or chooses(node):
        return _types_among(branches(node), scope)
    if is_text(node, scope):
        # one without a column is a text of the query
        return frozenset(["string"] if next(references(node), None) else ())
    if call_name(node) in _HAND_ON:
        return _types_among(_handed_on(node), scope)
    parts = parts_of(node)
    column = scope.resolve(parts) if parts is not None and scope is not None else None
    return frozenset([column.type] if column is not None and column.type else ())


def _handed_on(node: exp.Expression) -> list[exp.Expression]:
    """The arguments that the value of a call is one of, or is made of."""
    if call_name(node) not in _HAND_ON:
        return []
    # the others of max_by and first settle which row is taken
    return node.expressions if call_name(node) in _OF_ONE_TYPE else node.expressions[:1]


def _may_be_a_time(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether an expression can be a TIMESTAMP; of a column with a type one knows."""
    if isinstance(node, exp.Anonymous):
        return any(_may_be_a_time(one, scope) for one in _handed_on(node))
    parts = parts_of(node)
    if parts is None:
        return isinstance(node, exp.Paren) and _may_be_a_time(node.this, scope)
    column = scope.resolve(parts) if scope is not None else None
    return column is None or column.type == "timestamp"
