"""Texts that Spark reads as the day or time of the run: 'today', where a date or a time is wanted.

So it does with a time alone, '09:30', where a timestamp is wanted, and with each constant that it
casts to a date or a timestamp, also unasked: a literal, or what is made of literals alone
(SpecialDatetimeValues and SparkDateTimeUtils of Spark).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from sqlglot import exp

from dbt_event_windows.plain_sql.dialect import SubstringFrom
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.references import WRAPPERS, call_name, parts_of, references
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

_COMPARISONS = (
    *(exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ, exp.GT, exp.GTE, exp.LT, exp.LTE),
    *(exp.In, exp.Between),
)
_MAKE_TEXTS = (exp.Anonymous, exp.DPipe, exp.Overlay, exp.Trim, SubstringFrom)
_PATTERNS = (exp.Like, exp.ILike, exp.RegexpLike, *_MAKE_TEXTS[1:])
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
_GIVE_TEXTS = word_set(
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
# Texts are what these give, or a part of it, as they are.
_HOLD_TEXTS = _TAKE_ONE | word_set(
    """
    array_agg array_compact array_distinct array_max array_min array_sort collect_list collect_set
    get map_entries map_from_arrays map_from_entries map_keys map_values named_struct
    nth_value slice sort_array string struct try_element_at
    """
)
# They take a text as it is, and give none that could be a time.
_TAKE_ANY = word_set(
    """
    approx_count_distinct approx_top_k array_size bigint bit_length boolean cardinality count
    count_min_sketch crc32 decimal double float hll_sketch_agg int isnotnull isnull octet_length
    size smallint soundex theta_sketch_agg tinyint to_csv to_json typeof
    """
)
# What stands around a text, and is the same text.
_AROUND = (exp.Alias, exp.Collate, exp.Distinct, exp.Ordered, exp.Paren, exp.Tuple, *WRAPPERS)


def may_be_the_day(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether Spark may read this constant as the day of the run; without a scope it may be.

    A column that a CTE or a subquery makes of such a text is read as the text itself.
    """
    parts = parts_of(node)
    if parts is not None:
        query: Any = node.root()
        is_time = _type(node, scope) in (None, "string") and not _stays_text(node, scope)
        return is_time and parts[-1].lower() in _named_days(query)
    text = _text(node)
    if text:
        return bool(_DAY.fullmatch(text)) and not _stays_text(node, scope)
    return _is_made_of_literals(node) and not _stays_text(node, scope)


def is_day(node: exp.Expression) -> bool:
    """Whether this is such a text, wherever it stands."""
    return bool(_DAY.fullmatch(_text(node))) or _is_made_of_literals(node)


def _named_days(query: exp.Expression) -> frozenset[str]:
    """The names that a query gives to such texts, also by way of other names, in lower case."""
    names: frozenset[str] = frozenset()
    named = [pair for one in nodes(query) for pair in _named(one)]
    while True:
        found = frozenset(name.lower() for name, one in named if _can_be_a_day(one, names))
        if found == names:
            return names
        names = found


def _named(node: exp.Expression) -> Iterator[tuple[str, exp.Expression]]:
    """The names that a piece of a query gives, by an alias or in a list behind that of a query."""
    if isinstance(node, exp.Alias):
        yield node.alias, node.this
    select, alias = node.this, node.args.get("alias")
    if isinstance(select, exp.Select) and isinstance(alias, exp.TableAlias):
        # from behind, as the columns of a star are not known here
        for name, item in zip(reversed(alias.columns), reversed(select.expressions), strict=False):
            if item.is_star:
                return
            yield name.name, item.unalias()


def _can_be_a_day(node: exp.Expression, names: Collection[str]) -> bool:
    """Whether the value of an expression can be such a text, or one that has one of the names."""
    parts = parts_of(node)
    if parts is not None:
        return parts[-1].lower() in names
    if isinstance(node, exp.Cast):
        is_text = node.to.is_type(*exp.DataType.TEXT_TYPES)
        return bool(is_text) and _can_be_a_day(node.this, names)
    if isinstance(node, exp.Bracket):
        texts = "" if next(references(node), None) else " ".join(map(_text, nodes(node)))
        return bool(_OF_A_TIME.search(texts) or _WORDS.search(texts))
    within = []
    if isinstance(node, (exp.Paren, exp.Window, *WRAPPERS)):
        within = [node.this]
    elif isinstance(node, exp.Case) or _chooses(node):
        within = _branches(node)
    elif call_name(node) in _HAND_ON:
        within = node.expressions
    elif call_name(node) in _TAKE_ONE or call_name(node) == "string":
        within = node.expressions[:1]
    return is_day(node) or any(_can_be_a_day(one, names) for one in within)


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
    made = any(not _text(one) and _is_text(one, None) for one in within)
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
    if not isinstance(parent, exp.Expression) or isinstance(
        parent, exp.Select | exp.Group | exp.Is
    ):
        return True
    if isinstance(parent, _AROUND) or call_name(parent) in _HOLD_TEXTS:
        return _stays_text(parent, scope)
    if isinstance(parent, exp.Cast):
        if parent.to.is_type(*exp.DataType.TEXT_TYPES):
            return _stays_text(parent, scope)
        is_number = parent.to.is_type("boolean", *exp.DataType.NUMERIC_TYPES)
        return bool(is_number) or _makes_no_date(parent)
    if isinstance(parent, exp.Order):
        within = parent.parent
        return not isinstance(within, exp.WithinGroup) or _stays_text(within, scope)
    if isinstance(parent, exp.Window):
        return parent.this is not node or _stays_text(parent, scope)
    if isinstance(parent, exp.Interval) or call_name(parent) in _TAKE_ANY:
        return True
    if isinstance(parent, exp.Bracket) or call_name(parent) == "element_at":
        held = parent.this if isinstance(parent, exp.Bracket) else parent.expressions[0]
        key = _type(held, scope) or ""
        return _stays_text(parent, scope) if held is node else key.startswith("map<string,")
    if _joined(parent) is not None:
        return True  # what is put together is looked at as a whole
    if isinstance(parent, _PATTERNS) or call_name(parent) in _TAKE_TEXTS:
        others = [one for one in children(parent) if one is not node]
        is_alone = not any(_text(one) or next(references(one), None) for one in others)
        has_columns = next(references(parent), None) is not None
        gives_texts = _is_text(parent, scope) or _has_texts(parent, scope)
        return not gives_texts or (has_columns and not is_alone) or _stays_text(parent, scope)
    if call_name(parent) == "array_contains" and len(parent.expressions) == 2:
        texts, one = parent.expressions
        return _is_text(one, scope) if node is texts else _has_texts(texts, scope)
    beside = _beside(node, parent)
    if beside is None or not all(_is_text(one, scope) for one in beside):
        return False
    return _is_compared(node, parent) or _stays_text(_whole(parent), scope)


def _makes_no_date(cast: exp.Expression) -> bool:
    """Whether this makes an interval or a time of day of a text."""
    if not isinstance(cast, exp.Cast):
        return False
    return isinstance(cast.to.this, exp.Interval) or bool(cast.to.is_type("time"))


def _beside(node: exp.Expression, parent: exp.Expression) -> list[exp.Expression] | None:
    """What a text is compared with, or becomes one type with; none where that is not known."""
    beside: list[exp.Expression] | None = None
    name = call_name(parent)
    if isinstance(parent, _COMPARISONS):
        beside = list(children(parent))
    elif name in _HAND_ON or name == "array":
        beside = list(parent.expressions)
    elif name in ("lag", "lead", "map"):
        # the default is of the type of the value; keys are of one type, and values
        place = next(place for place, one in enumerate(parent.expressions) if one is node)
        beside = parent.expressions[place % 2 :: 2]
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
        elif node is parent.this:
            beside = [one.this for one in parent.args["ifs"]]
        elif name == "decode":
            first, *pairs = parent.expressions
            beside = pairs[: len(pairs) // 2 * 2 : 2] if node is first else [first]
    return None if beside is None else [one for one in beside if one is not node]


def _is_compared(node: exp.Expression, parent: exp.Expression) -> bool:
    """Whether a text becomes no part of a value: what a CASE compares its value with neither."""
    if isinstance(parent, exp.If | exp.Case):
        return node is parent.this
    is_decode = call_name(parent) == "decode" and all(node is not one for one in _branches(parent))
    return isinstance(parent, _COMPARISONS) or is_decode


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
    is_text = isinstance(node, (exp.Null, *_MAKE_TEXTS[1:])) or call_name(node) in _GIVE_TEXTS
    return is_text or bool(_text(node)) or _type(node, scope) == "string"


def _has_texts(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether this is surely an array, or a map, of texts."""
    if call_name(node) in ("collect_list", "collect_set"):
        return _is_text(node.expressions[0], scope)
    if call_name(node) == "array":
        return all(_is_text(one, scope) for one in node.expressions)
    types = ("map<string,string>", "array<string>")
    return call_name(node) == "split" or _type(node, scope) in types


def _type(node: exp.Expression, scope: Scope | None) -> str | None:
    """The type of a column; none for other expressions."""
    if isinstance(node, exp.Paren):
        return _type(node.this, scope)
    parts = parts_of(node)
    column = scope.resolve(parts) if parts is not None and scope is not None else None
    return None if column is None else column.type
