"""Values between Arrow and a user's aggregate.

A struct is what `zero()` has there: a dict by field, a tuple or list in the order of the fields, a
named tuple, a dataclass. So is an array: a list, tuple, set or frozenset. Within arrays and maps,
of which `zero()` says nothing, a struct is a dict and an array a list. A decimal is a Decimal, or
an int where `zero()` has one and there are no fractions.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any

import pyarrow as pa

from dbt_event_windows.errors import AggregatorError

_ARRAYS = (list, tuple, set, frozenset)


def to_arrow(value: Any, type_: pa.DataType, like: Any = ...) -> Any:
    """A Python value as `pyarrow.array` takes it for a type.

    A state, which `to_python` gives back, has in `like` what `zero()` has in its place, or none.

    Raises:
        AggregatorError: the type has no such value, or a state would come back in another form.
    """
    if value is None:
        return None
    if not pa.types.is_nested(type_):
        value = _exact(value, type_)
    if like is not ...:
        _check_form(value, type_, like)
    if pa.types.is_struct(type_):
        fields, parts = _fields(value, type_), _parts(like, type_)
        return {
            field.name: to_arrow(fields[field.name], field.type, parts[field.name])
            for field in type_
        }
    inner = ... if like is ... else None
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return [to_arrow(item, type_.value_type, inner) for item in value]
    if pa.types.is_map(type_):
        pairs = value.items() if isinstance(value, Mapping) else value
        return [
            (to_arrow(k, type_.key_type, inner), to_arrow(v, type_.item_type, inner))
            for k, v in pairs
        ]
    return value


def _check_form(value: Any, type_: pa.DataType, like: Any) -> None:
    """A form that is lost is not seen: of a Counter `update` adds, of a dict it replaces."""
    form = _form(type_, like)
    if pa.types.is_nested(type_):
        kept = type(value) is form
    elif isinstance(value, Enum):  # which `is` asks for
        kept = False
    elif isinstance(value, (str, bytes)):
        kept = isinstance(value, form)
    else:  # but for 0 a Decimal has another % and //, and its sums 28 digits
        kept = not value or isinstance(value, Decimal) is (form is Decimal)
    if not kept:
        raise AggregatorError(
            f"{value!r} is of type {type(value).__name__}, which would come back from the table as "
            f"something else: in a state {type_} is of type {form.__name__} here. Return that"
        )


def _form(type_: pa.DataType, like: Any) -> type:
    """The class of what `to_python` gives, of numbers, texts, bytes and what has parts."""
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return type(like) if type(like) in _ARRAYS else list
    if pa.types.is_decimal(type_):
        return int if type(like) is int and type_.scale == 0 else Decimal
    if not pa.types.is_nested(type_):
        if pa.types.is_string(type_) or pa.types.is_large_string(type_):
            return str
        if pa.types.is_binary(type_) or pa.types.is_large_binary(type_):
            return bytes
        return float if pa.types.is_floating(type_) else int
    if pa.types.is_map(type_) or like is None or isinstance(like, Mapping):
        return dict
    return type(like)


def _exact(value: Any, type_: pa.DataType) -> Any:
    """A value without parts, unless Arrow would store another one without a word."""
    if hasattr(value, "item") and not isinstance(value, (str, bytes)):
        value = value.item()  # a number of numpy
    if isinstance(value, (float, Decimal)):
        if pa.types.is_integer(type_):
            fits = math.isfinite(value) and value == math.floor(value)
        else:
            fits = pa.types.is_floating(type_) or pa.types.is_decimal(type_)
        if not fits:
            raise AggregatorError(
                f"{value!r} is no {type_}: round it, or declare a type that has it, such as double"
            )
    elif isinstance(value, int):
        if pa.types.is_temporal(type_):  # days or microseconds, to Arrow
            raise AggregatorError(f"{value!r} is no {type_}: give a date or a time")
    elif isinstance(value, datetime):
        if pa.types.is_timestamp(type_):
            if (value.tzinfo is None) is not (type_.tz is None):
                raise AggregatorError(
                    f"{value!r} is no {type_}: a TIMESTAMP is a datetime with a time zone, "
                    "a TIMESTAMP_NTZ one without"
                )
        elif pa.types.is_date(type_) and value != datetime.combine(value, datetime.min.time()):
            raise AggregatorError(f"{value!r} is no {type_}: give its date()")
    return value


def _fields(value: Any, type_: pa.DataType) -> Mapping[str, Any]:
    names = [field.name for field in type_]
    if isinstance(value, Mapping):
        fields: Mapping[str, Any] = value
    elif hasattr(value, "_asdict"):  # a named tuple: its own order may be another
        fields = value._asdict()
    elif hasattr(value, "__fields__"):  # a Row of Spark with names
        fields = value.asDict()
    elif isinstance(value, (tuple, list)):
        fields = dict(zip(names, value, strict=False)) if len(value) == len(names) else {}
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    else:
        fields = {}
    if set(fields) != set(names):
        raise AggregatorError(
            f"{value!r} is no struct with the fields {', '.join(names)}: "
            "use a dict, a tuple, a named tuple or a dataclass with exactly these"
        )
    return fields


def _parts(like: Any, type_: pa.DataType) -> Mapping[str, Any]:
    """What `zero()` has in the fields of a struct."""
    if like is None or like is ...:
        return dict.fromkeys((field.name for field in type_), like)
    return _fields(like, type_)


def to_python(value: Any, type_: pa.DataType, like: Any = None) -> Any:
    """What Arrow's `as_py` gave as a user's aggregate takes it, in the form of `like`."""
    if value is None:
        return None
    if pa.types.is_struct(type_):
        parts = _parts(like, type_)
        fields = {
            field.name: to_python(value[field.name], field.type, parts[field.name])
            for field in type_
        }
        return _in_form_of(like, fields)
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return _form(type_, like)(to_python(item, type_.value_type) for item in value)
    if pa.types.is_map(type_):
        return {
            to_python(k, type_.key_type): to_python(v, type_.item_type)
            for k, v in dict(value).items()
        }
    return _form(type_, like)(value) if pa.types.is_decimal(type_) else value


def in_utc(array: pa.Array) -> pa.Array:
    """The same instants as datetimes in UTC, whatever zone the session has, in which Spark gives
    them: Python compares and subtracts two of one zone by its wall clock, and an hour that comes
    twice, or not at all, would be counted otherwise.
    """
    return array.cast(_with_parts(array.type, _in_utc))


def _in_utc(type_: pa.DataType) -> pa.DataType:
    has_zone = pa.types.is_timestamp(type_) and type_.tz is not None
    return pa.timestamp(type_.unit, "UTC") if has_zone else type_


def no_dict(type_: pa.DataType) -> pa.DataType | None:
    """The first map, within a type, that `to_python` has no dict for: keys are dicts or lists."""
    if pa.types.is_map(type_):
        return type_ if pa.types.is_nested(type_.key_type) else no_dict(type_.item_type)
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return no_dict(type_.value_type)
    if pa.types.is_struct(type_):
        return next(filter(None, (no_dict(field.type) for field in type_)), None)
    return None


def without_rounding(type_: pa.DataType) -> pa.DataType:
    """A type in which nothing is rounded that goes through it: DOUBLE for FLOAT."""
    return _with_parts(type_, lambda one: pa.float64() if pa.types.is_floating(one) else one)


def _with_parts(type_: pa.DataType, part: Callable[[pa.DataType], pa.DataType]) -> pa.DataType:
    """A type of which those that have no parts, and those within it, are others."""
    if pa.types.is_struct(type_):
        return pa.struct([field.with_type(_with_parts(field.type, part)) for field in type_])
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return pa.list_(_with_parts(type_.value_type, part))
    if pa.types.is_map(type_):
        return pa.map_(_with_parts(type_.key_type, part), _with_parts(type_.item_type, part))
    return part(type_)


def _in_form_of(like: Any, fields: dict[str, Any]) -> Any:
    form = type(like)
    if hasattr(form, "_make") or dataclasses.is_dataclass(form):
        return form(**fields)
    names = list(like) if isinstance(like, Mapping) else getattr(like, "__fields__", fields)
    fields = {name: fields[name] for name in names}  # a dict and a Row go in the order of `like`
    if hasattr(form, "asDict"):
        return form(**fields)
    if isinstance(like, (tuple, list)):
        return form(fields.values())
    return fields
