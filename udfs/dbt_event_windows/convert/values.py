"""Functions of other warehouses that have another value under the same name in Spark."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from dbt_event_windows.convert.dialects import Dialect

_UNITS_BEGUN = (
    "in {name} {sql} counts the units that begin between two times, in Spark those that have "
    "passed: 09:00:59 and 09:01:01 are a minute apart there, and none here"
)
_FIRST_DAY = "in {name} a Sunday is day 0 in {sql}, in Spark day 1"
_NULLS = "in {name} {sql} is null where one of its arguments is, Spark leaves these out"
_ROUNDED = "in {name} {sql} rounds, in Spark it cuts off"

_Kinds = tuple[type[exp.Expression], ...]
# Of a warehouse the functions and what is said of them.
_DIFFER: dict[str, tuple[tuple[_Kinds, str], ...]] = {
    "snowflake": (
        ((exp.DateDiff, exp.TimestampDiff, exp.DatetimeDiff), _UNITS_BEGUN),
        ((exp.DayOfWeek,), _FIRST_DAY),
        ((exp.Greatest, exp.Least), _NULLS),
    ),
    "bigquery": (
        ((exp.DatetimeDiff,), _UNITS_BEGUN),
        ((exp.Greatest, exp.Least), _NULLS),
    ),
}


def notes_of_values(select: exp.Select, dialect: Dialect) -> list[str]:
    """What a model written in another warehouse must know of its values, each once."""
    return list(dict.fromkeys(_notes(select, dialect)))


def _notes(select: exp.Select, dialect: Dialect) -> Iterator[str]:
    for kinds, words in _DIFFER.get(dialect.name, ()):
        for found in select.find_all(*kinds):
            yield words.format(name=dialect.name, sql=found.sql(dialect=dialect.name))
    if dialect.name in _DIFFER:
        for cast in select.find_all(exp.Cast):
            if cast.to.is_type(*exp.DataType.INTEGER_TYPES):
                yield _ROUNDED.format(name=dialect.name, sql=cast.sql(dialect=dialect.name))
