"""Texts that Spark reads as the day or time of the run: 'today', where a date or a time is wanted.

So it does with a time alone, '09:30', where a timestamp is wanted, and with each constant that it
casts to a date or a timestamp, also unasked: a literal, or what is made of literals alone
(SpecialDatetimeValues and SparkDateTimeUtils of Spark).
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from dbt_event_windows.plain_sql.called import called
from dbt_event_windows.plain_sql.functions import READ_THE_ZONE
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.reads import names_of_item
from dbt_event_windows.plain_sql.references import (
    COMPARISONS,
    WRAPPERS,
    call_name,
    parts_of,
    plain,
    references,
)
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.text import children, nodes
from dbt_event_windows.plain_sql.text_types import (
    GIVE_TEXTS,
    HAND_ON,
    MAKE_TEXTS,
    TAKE_ONE,
    branches,
    chooses,
    has_texts,
    is_text,
    text_of,
    type_of,
)

_HOUR, _SIXTIETH = r"(?:[01]?\d|2[0-3])", r"[0-5]?\d"
# Only the whole of a text with a time has a zone: '09:30:00 UTC', not '09:30 UTC'.
_SECOND = rf"(?::{_SIXTIETH}(?:\.\d*)?(?:\s*[\w/+:-]+)?)?"
_DAY = re.compile(
    r"[\s\0-\x1f\x7f]*(?:"
    r"(?i:now|today|tomorrow|yesterday)(?:\s+[\w/+:-]+|[+-][\w:]+)?"
    rf"|T{_HOUR}|T?{_HOUR}:{_SIXTIETH}{_SECOND}"
    r")[\s\0-\x1f\x7f]*"
)
_WORDS = re.compile("now|today|tomorrow|yesterday", re.IGNORECASE)
# The types of a column that has texts.
_TEXTS = re.compile(r"(?:array<)*(?:string|(?:var)?char\(\d+\))>*")
# What a text with a time has that was cut out of another, or put together.
_OF_A_TIME = re.compile(r":|t\d", re.IGNORECASE)

_PATTERNS = (exp.Like, exp.ILike, exp.RegexpLike, exp.DPipe)
# To these, an argument that is a text stays one.
_TAKE_TEXTS = word_set(
    """
    array_join ascii btrim char_length character_length concat concat_ws contains endswith
    format_string get_json_object hash initcap instr lcase left length levenshtein listagg locate
    lower lpad ltrim md5 parse_url position regexp_count regexp_extract regexp_like regexp_replace
    regexp_substr repeat replace reverse right rlike rpad rtrim sha1 sha2 split split_part
    startswith str_to_map string_agg substr substring substring_index translate trim ucase upper
    xxhash64
    """
)
# What they give of literals may be a word that these don't have in one piece.
_SPELL_ANEW = word_set(
    """
    array_join base64 concat_ws conv decode format_string get_json_object lpad printf
    regexp_replace replace reverse rpad translate unbase64 unhex url_decode
    """
)
_OF_ONE_LETTER = word_set("char chr")
# A text that these take is cast to a date or a time, as it is beside an interval.
_MAKE_TIMES = READ_THE_ZONE - word_set("cast from_csv from_json to_csv to_json") | word_set(
    "convert_timezone from_utc_timestamp to_timestamp_ntz to_utc_timestamp try_to_timestamp_ntz "
    "unix_date unix_micros unix_millis unix_seconds"
)
_MAKE_LISTS = word_set("array array_agg collect_list collect_set named_struct struct")
# They give one of a list.
_OF_A_LIST = word_set("array_max array_min element_at explode get try_element_at")


def may_be_the_day(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether Spark may read this constant as the day of the run; without a scope it may be.

    A column that a CTE or a subquery makes of such a text is read as the text itself.
    """
    parts = parts_of(node)
    if parts is not None:
        query: Any = node.root()
        has_text = _TEXTS.fullmatch(type_of(node, scope) or "string")
        is_time = has_text is not None and _becomes_a_time(node, scope)
        return is_time and parts[-1].lower() in _named_days(query)
    text = text_of(node)
    if text:
        return bool(_DAY.fullmatch(text)) and not _stays_text(node, scope)
    return _is_made_of_literals(node) and not _stays_text(node, scope)


def is_day(node: exp.Expression) -> bool:
    """Whether this is such a text, wherever it stands."""
    return bool(_DAY.fullmatch(text_of(node))) or _is_made_of_literals(node)


def names_the_day(item: exp.Expression, name: exp.Expression, scope: Scope) -> bool:
    """Whether Spark may read what an item is as the day of the run where its name stands."""
    return is_day(item) or (_names_days(plain(item), frozenset()) and _becomes_a_time(name, scope))


def _named_days(query: exp.Expression) -> frozenset[str]:
    """The names that a query gives to such texts, also by way of other names, in lower case."""
    known = query.meta.get("named_days")  # asked for each name of the query
    if known is not None:
        return frozenset(known)
    names: frozenset[str] = frozenset()
    given = list(called(query))
    while True:
        found = frozenset(name for name, value in given if _names_days(plain(value), names))
        if found == names:
            query.meta["named_days"] = names
            return names
        names = found


def _names_days(node: exp.Expression, names: frozenset[str]) -> bool:
    """Whether this is such a text, a name of one, or what may have one for its value."""
    if is_day(node) or not names.isdisjoint(names_of_item(node)):
        return True
    return any(_names_days(plain(one), names) for one in _values_of(node))


def _values_of(node: exp.Expression) -> list[exp.Expression]:
    """What the value of an expression may be: a choice of several, one of a list, a field."""
    name = call_name(node)
    if isinstance(node, exp.Case) or chooses(node):
        return branches(node)
    if isinstance(node, exp.Cast):
        return [node.this] if node.to.is_type(*exp.DataType.TEXT_TYPES) else []
    if isinstance(node, (exp.Bracket, exp.Dot, *WRAPPERS)):
        return [node.this]
    if name in TAKE_ONE:
        return node.expressions[:1]
    if name in _OF_A_LIST | HAND_ON | GIVE_TEXTS | _MAKE_LISTS:
        return [one.unalias() for one in node.expressions]
    return []


def _is_made_of_literals(node: exp.Expression) -> bool:
    """Whether an expression without columns puts such a word together, or may spell one."""
    if not isinstance(node, MAKE_TEXTS) or call_name(node) in _OF_ONE_LETTER:
        return False
    if next(references(node), None):
        return False
    joined = _joined(node)
    if joined is not None:
        return bool(_DAY.fullmatch(joined))
    within = list(nodes(node))
    spelled = any(
        isinstance(one, exp.Overlay) or call_name(one) in _SPELL_ANEW | _OF_ONE_LETTER
        for one in within
    )
    texts = "".join(_joined(one) or "" for one in within)
    made = any(not text_of(one) and (is_text(one, None) or has_texts(one, None)) for one in within)
    return spelled or bool(_WORDS.search(texts) or (made and _OF_A_TIME.search(texts)))


def _joined(node: exp.Expression) -> str | None:
    """The text of literals that stand side by side; none for any other expression."""
    if isinstance(node, exp.Literal):
        return str(node.this)
    if isinstance(node, exp.Paren):
        return _joined(node.this)
    if not isinstance(node, exp.DPipe) and call_name(node) != "concat":
        return text_of(node) or None
    pieces = [_joined(one) for one in children(node)]
    return None if None in pieces else "".join(map(str, pieces))


def _stays_text(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether a text is a value by itself, or stands where texts are expected alone."""
    parent = node.parent
    if isinstance(parent, exp.Alias) and isinstance(parent.parent, exp.Anonymous):
        return _stays_text(parent.parent, scope)  # a field of a struct is what becomes of that
    if isinstance(parent, exp.Dot):
        return _stays_text(parent, scope)
    if not isinstance(parent, exp.Expression) or isinstance(
        parent, exp.Alias | exp.Select | exp.Group
    ):
        return True
    if isinstance(parent, exp.Paren) or (
        isinstance(parent, exp.Cast) and parent.to.is_type(*exp.DataType.TEXT_TYPES)
    ):
        return _stays_text(parent, scope)
    if isinstance(parent, exp.Interval) or _makes_no_date(parent):
        return True
    if isinstance(parent, exp.Bracket):
        key = type_of(parent.this, scope) or ""
        return parent.this is not node and key.startswith("map<string,")
    if _joined(parent) is not None:
        return True  # what is put together is looked at as a whole
    if isinstance(parent, _PATTERNS) or call_name(parent) in _TAKE_TEXTS:
        return next(references(parent), None) is not None or _stays_text(parent, scope)
    if call_name(parent) == "element_at":
        return (type_of(parent.expressions[0], scope) or "").startswith("map<string,")
    if call_name(parent) == "array_contains" and len(parent.expressions) == 2:
        texts, one = parent.expressions
        return is_text(one, scope) if node is texts else has_texts(texts, scope)
    beside = _beside(node, parent)
    if beside is None or not all(is_text(one, scope) for one in beside):
        return False
    if _is_compared(node, parent):
        return True
    # what is made of constants is one itself
    whole = _whole(parent)
    if call_name(parent) == "array" or next(references(parent), None) is None:
        return _stays_text(whole, scope)
    return not _becomes_a_time(whole, scope)


def _becomes_a_time(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether what is a text stands where Spark casts it to what may be a time."""
    parent = node.parent
    if not isinstance(parent, exp.Expression):
        return False
    if isinstance(parent, exp.Cast):
        to_text = parent.to.is_type(*exp.DataType.TEXT_TYPES)
        to_time = bool(parent.to.is_type(*exp.DataType.TEMPORAL_TYPES))
        return to_time or (to_text and _becomes_a_time(parent, scope))
    is_taken = isinstance(parent, exp.Bracket) and parent.this is node
    if isinstance(parent, exp.Alias) and isinstance(parent.parent, exp.Anonymous):
        return _becomes_a_time(parent.parent, scope)
    name = call_name(parent)
    # of what a lambda makes of each text nothing is known
    is_by_each = any(isinstance(one, exp.Lambda) for one in children(parent))
    if isinstance(parent, exp.Add | exp.Sub) or name in _MAKE_TIMES or is_by_each:
        return True
    is_one = isinstance(parent, (exp.Paren, exp.Dot, *WRAPPERS, *MAKE_TEXTS[1:])) or is_taken
    if is_one or name in TAKE_ONE | _OF_A_LIST | GIVE_TEXTS:
        return _becomes_a_time(parent, scope)
    if name == "array_contains" and len(parent.expressions) == 2:
        texts, one = parent.expressions
        return not (is_text(one, scope) if node is texts else has_texts(texts, scope))
    beside = _beside(node, parent)
    if beside is None:
        return False
    if not all(is_text(one, scope) for one in beside):
        return True
    return not _is_compared(node, parent) and _becomes_a_time(_whole(parent), scope)


def _makes_no_date(cast: exp.Expression) -> bool:
    """Whether this makes an interval or a time of day of a text."""
    if not isinstance(cast, exp.Cast):
        return call_name(cast) in ("to_time", "try_to_time")
    return isinstance(cast.to.this, exp.Interval) or bool(cast.to.is_type("time"))


def _beside(node: exp.Expression, parent: exp.Expression) -> list[exp.Expression] | None:
    """What a text is compared with, or becomes one type with; none where that is not known."""
    beside: list[exp.Expression] | None = None
    name = call_name(parent)
    if isinstance(parent, COMPARISONS):
        beside = list(children(parent))
    elif name in HAND_ON or name == "array":
        beside = list(parent.expressions)
    elif isinstance(parent, exp.If) and isinstance(parent.parent, exp.Case):
        case = parent.parent
        if node is not parent.this:
            beside = branches(case)
        elif case.this is not None:
            beside = [case.this]
    elif isinstance(parent, exp.Case) or chooses(parent):
        values = branches(parent)
        if any(node is one for one in values):
            beside = values
        elif name == "decode" and node is not parent.expressions[0]:
            beside = [parent.expressions[0]]
    return None if beside is None else [one for one in beside if one is not node]


def _is_compared(node: exp.Expression, parent: exp.Expression) -> bool:
    """Whether a text becomes no part of a value: what a CASE compares its value with neither."""
    if isinstance(parent, exp.If):
        return node is parent.this
    is_decode = call_name(parent) == "decode" and all(node is not one for one in branches(parent))
    return isinstance(parent, COMPARISONS) or is_decode


def _whole(node: exp.Expression) -> exp.Expression:
    """The CASE that a branch is of; anything else itself."""
    case = node.parent
    return case if isinstance(node, exp.If) and isinstance(case, exp.Case) else node
