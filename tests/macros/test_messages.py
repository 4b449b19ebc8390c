"""A call that cannot be used as written: what is said while dbt parses, before any statement."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.macros.rendering import CompilerError, Macros
from tests.session_models import windowed


def session(arguments: str) -> dict[str, Any]:
    return {"window": f"event_windows.session({arguments})"}


def sliding(arguments: str) -> dict[str, Any]:
    return {"window": f"event_windows.sliding({arguments})"}


def aggregate(sql: str) -> dict[str, Any]:
    return {"aggregates": {"n": sql}}


BAD_CALLS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no grace": (
        session("gap='30 minutes'"),
        ["session(...)", "grace is missing", "'30 minutes'", "'unbounded'"],
    ),
    "grace that is no duration": (
        session("gap='30 minutes', grace='soon'"),
        ["grace is 'soon'", "day-time interval", "'unbounded'"],
    ),
    "grace that is a number": (
        session("gap='30 minutes', grace=30"),
        ["grace is '30'", "day-time interval"],
    ),
    "grace below zero": (
        session("gap='30 minutes', grace='-1 day'"),
        ["grace is '-1 day'", "negative"],
    ),
    "grace in months": (
        session("gap='30 minutes', grace='1 month'"),
        ["grace is '1 month'", "no fixed length", "day-time interval"],
    ),
    "grace in years": (
        session("gap='30 minutes', grace='2 years'"),
        ["grace is '2 years'", "no fixed length"],
    ),
    "gap in words": (
        session("gap='half an hour', grace='1 day'"),
        ["gap is 'half an hour'", "day-time interval"],
    ),
    "gap below zero": (
        session("gap='-30 minutes', grace='1 day'"),
        ["gap is '-30 minutes'", "negative"],
    ),
    "gap without end": (session("gap='unbounded', grace='1 day'"), ["gap is 'unbounded'"]),
    "gap in a unit below microseconds": (
        session("gap='5 nanoseconds', grace='1 day'"),
        ["gap is '5 nanoseconds'", "microseconds"],
    ),
    "gap of half a day": (session("gap='0.5 days', grace='1 day'"), ["0.5 days", "whole number"]),
    "neither gap nor gap_by": (session("grace='1 day'"), ["either gap", "gap_by"]),
    "both gap and gap_by": (
        session("gap='1 hour', gap_by='interval 1 hour', grace='1 day'"),
        ["either gap", "gap_by"],
    ),
    "an option that session does not have": (
        session("gap='30 minutes', grace='1 day', lateness='1 day'"),
        ["unknown option 'lateness'", "gap, grace, gap_by"],
    ),
    "a size for a session": (
        session("gap='30 minutes', grace='1 day', size='1 day'"),
        ["unknown option 'size'"],
    ),
    "sliding without difference": (sliding("grace='1 day'"), ["difference is missing"]),
    "sliding without grace": (sliding("difference='1 minute'"), ["grace is missing"]),
    "sliding by size": (
        sliding("size='1 minute', grace='1 day'"),
        ["unknown option 'size'", "difference, grace, resolution, origin"],
    ),
    "sliding by odd steps": (
        sliding("difference='1 minute', resolution='7 seconds', grace='1 day'"),
        ["resolution is '7 seconds', which does not divide the difference '1 minute'"],
    ),
    "a calendar of units in a list": (
        {"window": "event_windows.calendar(unit=['day'], grace='1 day')"},
        ["unit is '['day']': allowed are day, week"],
    ),
    "an option that windowed does not have": (
        {"watermark": "1 day"},
        ["unknown option 'watermark'", "arrival_order"],
    ),
    "a window in text": ({"window": "'30 minutes'"}, ["window is '30 minutes'", "session("]),
    "no key": ({"key": None}, ["key is missing"]),
    "an empty list of keys": ({"key": []}, ["key is missing"]),
    "no event time": ({"event_time": None}, ["event_time is missing", "TIMESTAMP_NTZ"]),
    "no aggregates": ({"aggregates": {}}, ["aggregates is missing", "count(*)"]),
    "aggregates in a list": ({"aggregates": ["count(*)"]}, ["aggregates is '['count(*)']'"]),
    "an output without a name": (
        {"aggregates": {"": "count(*)", "n": "count(*)"}},
        ["the output name ''", "in text"],
    ),
    "an output that is a number": ({"aggregates": {5: "count(*)"}}, ["the output name '5'"]),
    "a key that is a number": ({"key": 5}, ["key is '5'", "a list of them"]),
    "a key that is a mapping": ({"key": {"k": 1}}, ["key is '{'k': 1}'", "a list of them"]),
    "a key without a name": ({"key": ["key", " "]}, ["key has ' '", "names of columns"]),
    "an event time that is a number": ({"event_time": 5}, ["event_time is '5'", "TIMESTAMP_NTZ"]),
    "an event time without a name": ({"event_time": ""}, ["event_time is ''", "TIMESTAMP_NTZ"]),
    "an order that is a number": ({"arrival_order": 5}, ["arrival_order is '5'", "a column"]),
    "an order in a list": ({"arrival_order": ["arrival_seq"]}, ["arrival_order is '['arrival_seq"]),
    "an order without a name": ({"arrival_order": ""}, ["arrival_order is ''", "a column"]),
    "a partition that is true": ({"partition": True}, ["partition is 'True'", "a column"]),
    "a window by hand": ({"window": "{'type': 'session'}"}, ["window is '{'type': 'session'}'"]),
    "an aggregate and more": (aggregate("sum(value);"), ["there is a ';'", "one expression"]),
    "an aggregate with a name": (aggregate("count(*) as n"), ["there is a 'as'", "one expression"]),
    "an aggregate with a direction": (aggregate("sum(value) desc"), ["there is a 'desc'"]),
    "a relation with a name": (
        {"relation": "(select * from events) as x"},
        ["there is a 'as' where one expression is meant: give ref(...)"],
    ),
    "a relation with a name behind it": (
        {"relation": "(select * from events) x"},
        ["its brackets end before the text does", "a SELECT in brackets"],
    ),
    "two relations": (
        {"relation": "(select * from a) union all (select * from b) -- c"},
        ["its brackets end before the text does", "a SELECT in brackets"],
    ),
    "two relations after a comment": (
        {"relation": "/* all */ (select * from a) union all (select * from b)"},
        ["its brackets end before the text does", "a SELECT in brackets"],
    ),
    "a ref in quotes": (
        {"relation": "ref('events')"},
        ["it is a text, and only outside of quotes a call: give ref(...)"],
    ),
    "a source in quotes": ({"relation": "source ('raw', 'events')"}, ["outside of quotes a call"]),
    "a relation with a condition": (
        {"relation": "raw.events Where x > 1"},
        ["a condition needs a SELECT around it: give ref(...)", "a SELECT in brackets"],
    ),
    "an empty tuple of keys": ({"key": ()}, ["key is missing"]),
    "two aggregates": (aggregate("sum(value), count(*)"), ["there is a ','", "one expression"]),
    "an output named as the key": (
        {"aggregates": {"Key": "count(*)"}},
        ["'Key' clashes with a key column"],
    ),
    "an output named as a bound": (
        {"aggregates": {"window_end": "max(event_time)"}},
        ["'window_end' clashes", "another name"],
    ),
    "two outputs that differ in case": (
        {"aggregates": {"n": "count(*)", "N": "count(*)"}},
        ["'N' clashes with aggregate 'n'"],
    ),
    "an output named as bookkeeping": (
        {"aggregates": {"_ew_n": "count(*)"}},
        ["'_ew_n'", "kept for the package"],
    ),
    "a key named as a bound": (
        {"key": ["key", "window_start"]},
        ["key column 'window_start' clashes", "rename"],
    ),
    "a key named as a column of dropped rows": (
        {"key": ["key", "reason"]},
        ["column 'reason' clashes", "rename"],
    ),
    "an aggregate that is not closed": (aggregate("sum(value"), ["'(' is not closed"]),
    "an aggregate that is closed twice": (aggregate("sum(value))"), ["')' too many"]),
    "a column beside an aggregate": (
        aggregate("sum(value) + value"),
        ["'value' stands outside of every aggregate", "fn(arguments)"],
    ),
    "an aggregate of an aggregate": (aggregate("max(sum(value))"), ["'sum' stands inside 'max'"]),
    "a column without an aggregate": (aggregate("value"), ["'value' stands outside"]),
    "no aggregate at all": (aggregate("1 + pi()"), ["it calls no aggregate"]),
    "an aggregate over a frame": (aggregate("sum(value) over ()"), ["'over' is not understood"]),
    "a text that is not closed": (aggregate("count('value)"), ["a ' is not closed"]),
    "an empty argument": (aggregate("sum(value,)"), ["an argument of sum is empty"]),
    "a percentage that is a column": (
        aggregate("percentile(value, arrival_seq)"),
        ["argument 2 of percentile is a constant", "'arrival_seq' is a column"],
    ),
    "a percentile without its order": (
        aggregate("percentile_cont(0.5)"),
        ["percentile_cont(percentage) within group (order by expression)"],
    ),
    "an order where there is none": (
        aggregate("sum(value) within group (order by value)"),
        ["'within group (order by ...)' is not understood after sum"],
    ),
    "an order by two": (
        aggregate("listagg(key) within group (order by value, key)"),
        ["within group (order by expression [asc | desc])"],
    ),
    "nulls where it makes no difference": (
        aggregate("sum(value) ignore nulls"),
        ["'ignore nulls' is not understood after sum"],
    ),
    "two filters": (
        aggregate("count(*) filter (where value > 1) filter (where value > 2)"),
        ["filter is given twice"],
    ),
    "a filter without where": (aggregate("sum(value) filter (value > 1)"), ["filter (where"]),
    "too few arguments": (aggregate("max_by(value)"), ["takes 2 argument(s), 1 given"]),
    "too many arguments": (aggregate("sum(value, 2)"), ["takes 1 argument(s), 2 given"]),
    "distinct": (
        aggregate("geometric_mean(distinct value)"),
        ["distinct is not understood in geometric_mean", "count(distinct ...)"],
    ),
    "a clock that is not known": (
        {"stream_time": "watermark"},
        ["stream_time is 'watermark'", "'key', 'partition', 'global'"],
    ),
    "a clock of partitions that are not there": (
        {"stream_time": "partition"},
        ["there is no partition", "partition=..."],
    ),
    "one clock over several partitions": (
        {"stream_time": "global", "partition": "value"},
        [
            "stream_time is 'global' and there is a partition",
            "give stream_time 'partition' or 'key', or leave partition out",
        ],
    ),
    "a partition without an order": (
        {"partition": "value", "arrival_order": None},
        ["there is no arrival_order"],
    ),
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_a_bad_call_is_told(case: str) -> None:
    arguments, expected = BAD_CALLS[case]
    macros = Macros()
    relation = repr(arguments.get("relation", "events"))
    arguments = {name: value for name, value in arguments.items() if name != "relation"}
    with pytest.raises(CompilerError) as stopped:
        macros.render(windowed(relation, **arguments))
    error = str(stopped.value)
    assert error.count("nothing was changed") == 1
    for text in expected:
        assert text in error
    assert macros.asked == []


@pytest.mark.parametrize("model", [5, {"visits": 1}])
def test_who_explain_is_asked_for(model: Any) -> None:
    macros = Macros(execute=True, graph=SimpleNamespace(nodes={}))
    with pytest.raises(CompilerError, match="give the name of a model, or a list of names"):
        macros.explain(model=model)


@pytest.mark.parametrize(
    ("relation", "sql"),
    [
        ("(select * from a) -- c", "max(a.desc)"),
        ("s.events version as of 3", "max(struct(value as v)).v"),
        ("( (select 1) union all (select 2) )", "cast(max(value) as int)"),
        ("raw.where", "max(value)"),
        ("rows_of(table(select * from a where b > 1))", "max(value)"),
    ],
)
def test_a_good_call_is_taken(relation: str, sql: str) -> None:
    Macros().render(windowed(repr(relation), aggregates={"n": sql}))
