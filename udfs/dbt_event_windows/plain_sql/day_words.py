"""Texts that Spark reads as the day or time of the run: 'today', where a date or a time is wanted.

So it does with a time alone, '09:30', where a timestamp is wanted, and with each constant that it
casts to a date or a timestamp, also unasked: a literal, or what is made of literals alone
(SpecialDatetimeValues and SparkDateTimeUtils of Spark).
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from dbt_event_windows.plain_sql.dialect import SubstringFrom
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
# What a text with a time has that was cut out of another, or put together.
_OF_A_TIME = re.compile(r":|t\d", re.IGNORECASE)

_MAKE_TEXTS = (exp.Anonymous, exp.DPipe, exp.Overlay, exp.Trim, SubstringFrom)
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
GIVE_TEXTS = word_set(
    """
    array_join btrim concat concat_ws date_format dayname format_string from_unixtime
    get_json_object initcap lcase left listagg lower lpad ltrim md5 monthname printf regexp_extract
    regexp_replace regexp_substr repeat replace right rpad rtrim sha1 sha2 split_part string
    string_agg substr substring substring_index translate trim ucase upper url_decode
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
# Their arguments become one type: a text stays one beside others.
_HAND_ON = word_set("coalesce greatest ifnull least nullif nvl")
# What they give is of the type of their first argument.
_TAKE_ONE = word_set("any_value first first_value last last_value max max_by min min_by mode")
# What gives a TIME, and what takes one and gives what is no more made of it.
_GIVE_TIMES = word_set("current_time make_time time time_trunc to_time try_to_time")
_TAKE_TIMES = word_set(
    "date_format hour make_timestamp make_timestamp_ltz make_timestamp_ntz minute second time_diff"
)
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
        kinds = (None, "string", "array<string>")
        is_time = _type(node, scope) in kinds and _becomes_a_time(node, scope)
        return is_time and parts[-1].lower() in _named_days(query)
    text = _text(node)
    if text:
        return bool(_DAY.fullmatch(text)) and not _stays_text(node, scope)
    return _is_made_of_literals(node) and not _stays_text(node, scope)


def is_day(node: exp.Expression) -> bool:
    """Whether this is such a text, wherever it stands."""
    return bool(_DAY.fullmatch(_text(node))) or _is_made_of_literals(node)


def takes_the_day(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether this may give a time of day the date of the run: `to_time(x)::timestamp_ntz`.

    The source of this is SPARK-52617.
    """
    if not isinstance(node, exp.Cast):
        return False
    is_to_it = any(
        one.is_type(*exp.DataType.TEMPORAL_TYPES) and not one.is_type("time")
        for one in node.to.find_all(exp.DataType)
    )
    return is_to_it and _has_a_time(node.this, scope, frozenset())


def _has_a_time(node: exp.Expression, scope: Scope | None, seen: frozenset[str]) -> bool:
    """Whether an expression is made of a value of type TIME, also by the name of an item."""
    if call_name(node) in _GIVE_TIMES or (isinstance(node, exp.Cast) and node.to.is_type("time")):
        return True
    if call_name(node) in _TAKE_TIMES:
        return False
    parts = parts_of(node)
    if parts is not None:
        column, name = _type(node, scope), parts[-1].lower()
        if column is not None or name in seen:
            return "time(" in (column or "")
        return any(_has_a_time(one, scope, seen | {name}) for one in _called(name, node.root()))
    return any(_has_a_time(one, scope, seen) for one in children(node))


def names_the_day(item: exp.Expression, name: exp.Expression, scope: Scope) -> bool:
    """Whether Spark may read what an item is as the day of the run where its name stands."""
    return is_day(item) or (_names_days(plain(item), frozenset()) and _becomes_a_time(name, scope))


def _named_days(query: exp.Expression) -> frozenset[str]:
    """The names that a query gives to such texts, also by way of other names, in lower case."""
    known = query.meta.get("named_days")  # asked for each name of the query
    if known is not None:
        return frozenset(known)
    names: frozenset[str] = frozenset()
    aliases = _aliases(query)
    while True:
        found = frozenset(
            alias.alias.lower() for alias in aliases if _names_days(plain(alias.this), names)
        )
        if found == names:
            query.meta["named_days"] = names
            return names
        names = found


def _aliases(query: exp.Expression) -> list[exp.Alias]:
    return [one for one in nodes(query) if isinstance(one, exp.Alias)]


def _called(name: str, query: Any) -> list[exp.Expression]:
    """What a query gives this name to, which is in lower case."""
    return [one.this for one in _aliases(query) if one.alias.lower() == name]


def _names_days(node: exp.Expression, names: frozenset[str]) -> bool:
    """Whether this is such a text, a name of one, or what may have one for its value."""
    if is_day(node) or not names.isdisjoint(names_of_item(node)):
        return True
    return any(_names_days(plain(one), names) for one in _values_of(node))


def _values_of(node: exp.Expression) -> list[exp.Expression]:
    """What the value of an expression may be: a choice of several, one of a list, a field."""
    name = call_name(node)
    if isinstance(node, exp.Case) or _chooses(node):
        return _branches(node)
    if isinstance(node, exp.Cast):
        return [node.this] if node.to.is_type(*exp.DataType.TEXT_TYPES) else []
    if isinstance(node, (exp.Bracket, exp.Dot, *WRAPPERS)):
        return [node.this]
    if name in _TAKE_ONE:
        return node.expressions[:1]
    if name in _OF_A_LIST | _HAND_ON | GIVE_TEXTS | _MAKE_LISTS:
        return [one.unalias() for one in node.expressions]
    return []


def _text(node: exp.Expression) -> str:
    """The text of a string, or of several that stand side by side and are one for Spark."""
    if isinstance(node, exp.Concat):
        return "".join(map(_text, node.expressions))
    if isinstance(node, exp.HexString):
        digits = str(node.this)
        return bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2)).decode(errors="replace")
    is_text = isinstance(node, exp.RawString) or (isinstance(node, exp.Literal) and node.is_string)
    return str(node.this) if is_text else ""


def _is_made_of_literals(node: exp.Expression) -> bool:
    """Whether an expression without columns puts such a word together, or may spell one."""
    if not isinstance(node, _MAKE_TEXTS) or call_name(node) in _OF_ONE_LETTER:
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
    made = any(not _text(one) and (_is_text(one, None) or _has_texts(one, None)) for one in within)
    return spelled or bool(_WORDS.search(texts) or (made and _OF_A_TIME.search(texts)))


def _joined(node: exp.Expression) -> str | None:
    """The text of literals that stand side by side; none for any other expression."""
    if isinstance(node, exp.Literal):
        return str(node.this)
    if isinstance(node, exp.Paren):
        return _joined(node.this)
    if not isinstance(node, exp.DPipe) and call_name(node) != "concat":
        return _text(node) or None
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
        key = _type(parent.this, scope) or ""
        return parent.this is not node and key.startswith("map<string,")
    if _joined(parent) is not None:
        return True  # what is put together is looked at as a whole
    if isinstance(parent, _PATTERNS) or call_name(parent) in _TAKE_TEXTS:
        return next(references(parent), None) is not None or _stays_text(parent, scope)
    if call_name(parent) == "element_at":
        return (_type(parent.expressions[0], scope) or "").startswith("map<string,")
    if call_name(parent) == "array_contains" and len(parent.expressions) == 2:
        texts, one = parent.expressions
        return _is_text(one, scope) if node is texts else _has_texts(texts, scope)
    beside = _beside(node, parent)
    if beside is None or not all(_is_text(one, scope) for one in beside):
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
        is_text = parent.to.is_type(*exp.DataType.TEXT_TYPES)
        to_time = bool(parent.to.is_type(*exp.DataType.TEMPORAL_TYPES))
        return to_time or (is_text and _becomes_a_time(parent, scope))
    is_taken = isinstance(parent, exp.Bracket) and parent.this is node
    if isinstance(parent, exp.Alias) and isinstance(parent.parent, exp.Anonymous):
        return _becomes_a_time(parent.parent, scope)
    name = call_name(parent)
    if isinstance(parent, exp.Add | exp.Sub) or name in _MAKE_TIMES:
        return True
    is_one = isinstance(parent, (exp.Paren, exp.Dot, *WRAPPERS, *_MAKE_TEXTS[1:])) or is_taken
    if is_one or name in _TAKE_ONE | _OF_A_LIST | GIVE_TEXTS:
        return _becomes_a_time(parent, scope)
    if name == "array_contains" and len(parent.expressions) == 2:
        texts, one = parent.expressions
        return not (_is_text(one, scope) if node is texts else _has_texts(texts, scope))
    beside = _beside(node, parent)
    if beside is None:
        return False
    if not all(_is_text(one, scope) for one in beside):
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
    elif name in _HAND_ON or name == "array":
        beside = list(parent.expressions)
    elif isinstance(parent, exp.If) and isinstance(parent.parent, exp.Case):
        case = parent.parent
        if node is not parent.this:
            beside = _branches(case)
        elif case.this is not None:
            beside = [case.this]
    elif isinstance(parent, exp.Case) or _chooses(parent):
        branches = _branches(parent)
        if any(node is one for one in branches):
            beside = branches
        elif name == "decode" and node is not parent.expressions[0]:
            beside = [parent.expressions[0]]
    return None if beside is None else [one for one in beside if one is not node]


def _is_compared(node: exp.Expression, parent: exp.Expression) -> bool:
    """Whether a text becomes no part of a value: what a CASE compares its value with neither."""
    if isinstance(parent, exp.If):
        return node is parent.this
    is_decode = call_name(parent) == "decode" and all(node is not one for one in _branches(parent))
    return isinstance(parent, COMPARISONS) or is_decode


def _whole(node: exp.Expression) -> exp.Expression:
    """The CASE that a branch is of; anything else itself."""
    case = node.parent
    return case if isinstance(node, exp.If) and isinstance(case, exp.Case) else node


def _chooses(node: exp.Expression) -> bool:
    """Whether this is a call that is a CASE in other words."""
    name, count = call_name(node), len(node.expressions)
    return (name in ("if", "nvl2") and count == 3) or (name == "decode" and count > 2)


def _branches(node: exp.Expression) -> list[exp.Expression]:
    """What a CASE, or a call in its place, can be."""
    if isinstance(node, exp.Case):
        branches = [one.args["true"] for one in node.args["ifs"]]
        default = node.args.get("default")
        return [*branches, default] if default is not None else branches
    if call_name(node) == "decode":
        pairs = node.expressions[1:]
        return [*pairs[1::2], *(pairs[-1:] if len(pairs) % 2 else [])]
    return list(node.expressions[1:])


def _is_text(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether an expression is surely of type STRING, or null."""
    if isinstance(node, exp.Paren):
        return _is_text(node.this, scope)
    if call_name(node) in _HAND_ON:
        return all(_is_text(one, scope) for one in node.expressions)
    if isinstance(node, WRAPPERS):
        return _is_text(node.this, scope)
    if call_name(node) in _TAKE_ONE and node.expressions:
        return _is_text(node.expressions[0], scope)
    if isinstance(node, exp.Cast):
        return bool(node.to.is_type(*exp.DataType.TEXT_TYPES))
    if isinstance(node, exp.Case) or _chooses(node):
        return all(_is_text(one, scope) for one in _branches(node))
    if isinstance(node, exp.Bracket):
        return _has_texts(node.this, scope)
    if call_name(node) == "element_at" and node.expressions:
        return _has_texts(node.expressions[0], scope)
    # `||` and concat give arrays too, or bytes, beside which no text becomes a date
    is_text = isinstance(node, (exp.Null, *_MAKE_TEXTS[1:])) or call_name(node) in GIVE_TEXTS
    is_text = is_text or bool(_text(node)) or _type(node, scope) == "string"
    return is_text or _names_a_text(node, scope)


def _names_a_text(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether this is no column of FROM, and the name of what is surely of type STRING."""
    parts = parts_of(node)
    if parts is None or len(parts) > 1 or scope is None or scope.resolve(parts) is not None:
        return False
    named = _called(parts[0].lower(), node.root())
    over_columns = all(
        scope.resolve(parts) is not None for one in named for _, parts in references(one)
    )
    return bool(named) and over_columns and all(_is_text(one, scope) for one in named)


def _has_texts(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether this is surely an array, or a map, of texts."""
    if call_name(node) in ("collect_list", "collect_set") and node.expressions:
        return _is_text(node.expressions[0], scope)
    if call_name(node) == "array":
        return all(_is_text(one, scope) for one in node.expressions)
    types = ("map<string,string>", "array<string>")
    return call_name(node) in ("split", "str_to_map") or _type(node, scope) in types


def _type(node: exp.Expression, scope: Scope | None) -> str | None:
    """The type of a column; none for other expressions."""
    if isinstance(node, exp.Paren):
        return _type(node.this, scope)
    parts = parts_of(node)
    column = scope.resolve(parts) if parts is not None and scope is not None else None
    return None if column is None else column.type
