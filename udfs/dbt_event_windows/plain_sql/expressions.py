"""Whether an expression gives the same for a row each time it is asked, from this row alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.day_words import may_be_the_day
from dbt_event_windows.plain_sql.dialect import Positive
from dbt_event_windows.plain_sql.functions import WITHOUT_BRACKETS, Kind, kind_of
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.reads import star_of
from dbt_event_windows.plain_sql.references import below, call_name, parts_of
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.times_of_day import takes_the_day

# What an expression may be made of, by the names of sqlglot's classes: not every version has all.
_UNDERSTOOD = word_set(
    """
    Add Alias All And Anonymous Any Between BitwiseAnd BitwiseLeftShift BitwiseNot BitwiseOr
    BitwiseXor Boolean
    Bracket Case Cast Collate Column ColumnDef Concat DPipe DataType DataTypeParam Distinct Div
    Dot EQ Escape Extract Filter GT GTE HexString ILike Identifier If IgnoreNulls In IntDiv
    Interval IntervalSpan Is LT LTE Lambda Like Literal Mod Mul NEQ Neg Not Null NullSafeEQ
    NullSafeNEQ Or Order Ordered Overlay Paren Positive RLike RawString RegexpLike RespectNulls
    SeveralUnits Sub
    SubstringFrom Trim TryCast Tuple Var Where WithinGroup
    """
)
_QUERIES = ("Exists", "Except", "Intersect", "Select", "SetOperation", "Subquery", "Table", "Union")
_PARAMETERS = ("Parameter", "Placeholder", "SessionParameter")

NO_COLUMN: refusals.Words = (
    "this is no column of what is read here, or could be several: it may be a variable, whose "
    "value the text does not say, or say where a row lies in its file, which changes",
    "write the value itself, or the column by its name there, with the table in front of it",
)

Refuse = Callable[[exp.Expression, refusals.Words], None]


def refused(node: exp.Expression, scope: Scope | None = None) -> refusals.Words | None:
    """Why an expression is refused, by itself and without what is below it; none if it is not.

    Function calls are not judged here. Without a scope no name is surely that of a column.
    """
    name = type(node).__name__
    if name == "Window":
        return refusals.OVER
    if name in _QUERIES:
        return refusals.SUBQUERY
    if name in _PARAMETERS:
        return refusals.PARAMETER
    if star_of(node) is not None:
        return refusals.STAR
    if name == "BitwiseRightShift":
        return refusals.SHIFT
    if name == "Kwarg":
        return refusals.BY_NAME
    if name not in _UNDERSTOOD or (isinstance(node, exp.Between) and node.args.get("symmetric")):
        return refusals.NOT_UNDERSTOOD
    if isinstance(node, exp.Interval) and not _is_an_interval(node):
        return refusals.NOT_UNDERSTOOD  # the word is a column, as in `interval + 1`
    if isinstance(node, exp.In) and node.args.get("query"):
        return refusals.SUBQUERY
    if isinstance(node, exp.Order) and not isinstance(node.parent, exp.WithinGroup):
        return refusals.NOT_UNDERSTOOD
    if isinstance(node, exp.Dot) and not isinstance(node.expression, exp.Identifier):
        return refusals.NOT_UNDERSTOOD  # a function with its schema
    if may_be_the_day(node, scope):
        return refusals.DAY_IN_WORDS
    if takes_the_day(node, scope):
        return refusals.DAY_OF_A_TIME
    parts = parts_of(node)
    if parts is None or (scope is not None and scope.resolve(parts) is not None):
        return None
    return _refused_name(tuple(part.lower() for part in parts))


def _is_an_interval(node: exp.Interval) -> bool:
    """Whether Spark reads an interval, too: a literal with a unit, or text that has units."""
    if node.args.get("unit"):
        is_signed = isinstance(node.this, exp.Neg | Positive)
        return isinstance(node.this.this if is_signed else node.this, exp.Literal)
    return node.this.is_string and bool(re.search("(?i)[a-z]", node.this.name))


def _refused_name(parts: tuple[str, ...]) -> refusals.Words | None:
    """Why a name is refused that may be no column."""
    if "_metadata" in parts:
        return refusals.METADATA
    if len(parts) > 1 or parts[0] not in WITHOUT_BRACKETS:
        return None
    problem, mend = refusals.function(kind_of(parts[0]), parts[0])
    return problem, f"{mend}; if it is a column, write its table in front of it"


def refused_call(node: exp.Expression) -> refusals.Words | None:
    """Why a function call is refused where rows are read one by one; none if it is not."""
    name, kind = call_name(node), kind_of_call(node)
    if name == "window_time":
        return refusals.WINDOW_TIME
    return None if kind is Kind.ROW else refusals.function(kind, name)


def kind_of_call(node: exp.Expression) -> Kind:
    """What a call needs: `unix_timestamp()` the clock, with a time only that."""
    name = call_name(node)
    return Kind.CLOCK if name == "unix_timestamp" and not node.expressions else kind_of(name)


def counts_rows(node: exp.Expression) -> bool:
    """Whether this is `count(*)`, in which a star is no column."""
    arguments = node.expressions if call_name(node) == "count" else []
    return len(arguments) == 1 and isinstance(arguments[0], exp.Star)


def check_row_by_row(
    node: exp.Expression,
    refuse: Refuse,
    call: Callable[[exp.Expression], refusals.Words | None],
    scope: Scope | None = None,
    others: Collection[str] = (),
) -> None:
    """Refuse all in an expression that one row alone does not settle.

    `call` judges function calls: `refused_call`, or one that has other words for some. `others` are
    names, in lower case, that may be no columns.
    """
    words = call(node) if isinstance(node, exp.Anonymous) else None
    words = words or refused(node, scope) or refused_unknown(node, scope, others)
    if words is not None:
        refuse(node, words)
        return
    for child in below(node):
        check_row_by_row(child, refuse, call, scope, others)


def refused_unknown(
    node: exp.Expression, scope: Scope | None, others: Collection[str]
) -> refusals.Words | None:
    """Why a name is refused that is no column, though Spark may know it: a variable, a file.

    `others` are names, in lower case, that may be no columns. Without a scope none is refused.
    """
    parts = parts_of(node)
    if parts is None or scope is None or not scope.is_complete or parts[0].lower() in others:
        return None
    return NO_COLUMN if scope.resolve(parts) is None else None
