"""Which expressions are surely of type STRING, and what the value of a choice may be."""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql.called import called_by
from dbt_event_windows.plain_sql.dialect import SubstringFrom
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.references import WRAPPERS, call_name, parts_of, references
from dbt_event_windows.plain_sql.scope import Scope

MAKE_TEXTS = (exp.Anonymous, exp.DPipe, exp.Overlay, exp.Trim, SubstringFrom)
GIVE_TEXTS = word_set(
    """
    array_join btrim concat concat_ws date_format dayname format_string from_unixtime
    get_json_object initcap lcase left listagg lower lpad ltrim md5 monthname printf regexp_extract
    regexp_replace regexp_substr repeat replace right rpad rtrim sha1 sha2 split_part string
    string_agg substr substring substring_index translate trim ucase upper url_decode
    """
)
# Their arguments become one type: a text stays one beside others.
HAND_ON = word_set("coalesce greatest ifnull least nullif nvl")
# What they give is of the type of their first argument.
TAKE_ONE = word_set("any_value first first_value last last_value max max_by min min_by mode")


def is_text(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether an expression is surely of type STRING, or null."""
    if isinstance(node, exp.Paren):
        return is_text(node.this, scope)
    if call_name(node) in HAND_ON:
        return all(is_text(one, scope) for one in node.expressions)
    if isinstance(node, WRAPPERS):
        return is_text(node.this, scope)
    if call_name(node) in TAKE_ONE and node.expressions:
        return is_text(node.expressions[0], scope)
    if isinstance(node, exp.Cast):
        return bool(node.to.is_type(*exp.DataType.TEXT_TYPES))
    if isinstance(node, exp.Case) or chooses(node):
        return all(is_text(one, scope) for one in branches(node))
    if isinstance(node, exp.Bracket):
        return has_texts(node.this, scope)
    if call_name(node) == "element_at" and node.expressions:
        return has_texts(node.expressions[0], scope)
    # `||` and concat give arrays too, or bytes, beside which no text becomes a date
    gives = isinstance(node, (exp.Null, *MAKE_TEXTS[1:])) or call_name(node) in GIVE_TEXTS
    gives = gives or bool(text_of(node)) or type_of(node, scope) == "string"
    return gives or _names_a_text(node, scope)


def has_texts(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether this is surely an array, or a map, of texts."""
    if call_name(node) in ("collect_list", "collect_set") and node.expressions:
        return is_text(node.expressions[0], scope)
    if call_name(node) == "array":
        return all(is_text(one, scope) for one in node.expressions)
    types = ("map<string,string>", "array<string>")
    return call_name(node) in ("split", "str_to_map") or type_of(node, scope) in types


def _names_a_text(node: exp.Expression, scope: Scope | None) -> bool:
    """Whether this is no column of FROM, and the name of what is surely of type STRING."""
    parts = parts_of(node)
    if parts is None or len(parts) > 1 or scope is None or scope.resolve(parts) is not None:
        return False
    named = called_by(parts[0].lower(), node.root())
    over_columns = all(
        scope.resolve(parts) is not None for one in named for _, parts in references(one)
    )
    return bool(named) and over_columns and all(is_text(one, scope) for one in named)


def type_of(node: exp.Expression, scope: Scope | None) -> str | None:
    """The type of a column; none for other expressions."""
    if isinstance(node, exp.Paren):
        return type_of(node.this, scope)
    parts = parts_of(node)
    column = scope.resolve(parts) if parts is not None and scope is not None else None
    return None if column is None else column.type


def chooses(node: exp.Expression) -> bool:
    """Whether this is a call that is a CASE in other words."""
    name, count = call_name(node), len(node.expressions)
    return (name in ("if", "nvl2") and count == 3) or (name == "decode" and count > 2)


def branches(node: exp.Expression) -> list[exp.Expression]:
    """What a CASE, or a call in its place, can be."""
    if isinstance(node, exp.Case):
        values = [one.args["true"] for one in node.args["ifs"]]
        default = node.args.get("default")
        return [*values, default] if default is not None else values
    if call_name(node) == "decode":
        pairs = node.expressions[1:]
        return [*pairs[1::2], *(pairs[-1:] if len(pairs) % 2 else [])]
    return list(node.expressions[1:])


def text_of(node: exp.Expression) -> str:
    """The text of a string literal, or of several that stand side by side and are one for Spark."""
    if isinstance(node, exp.Concat):
        return "".join(map(text_of, node.expressions))
    if isinstance(node, exp.HexString):
        digits = str(node.this)
        return bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2)).decode(errors="replace")
    is_one = isinstance(node, exp.RawString) or (isinstance(node, exp.Literal) and node.is_string)
    return str(node.this) if is_one else ""
