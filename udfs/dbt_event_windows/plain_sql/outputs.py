"""The SELECT list and HAVING as SQL over the windows table.

Aggregates, expressions of the key and the window's bounds become columns; all else stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.aggregates import Aggregates
from dbt_event_windows.plain_sql.aliases import plain
from dbt_event_windows.plain_sql.bounds import Bounds
from dbt_event_windows.plain_sql.expressions import refused, refused_call
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.key_columns import KeyColumns
from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.notes import note_zone
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import (
    Parts,
    below,
    call_name,
    is_captured,
    names_its_fields,
    parts_of,
)
from dbt_event_windows.plain_sql.spark_names import spark_name
from dbt_event_windows.plain_sql.statement import Item, Statement
from dbt_event_windows.plain_sql.text import Span, nodes
from dbt_event_windows.plain_sql.time_windows import is_time_window

_WRAPPERS = (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.WithinGroup)
_ONE = (
    exp.Anonymous,
    exp.Bracket,
    exp.Case,
    exp.Cast,
    exp.Dot,
    exp.Extract,
    exp.Paren,
    exp.Trim,
)
_BRACKETS = (exp.Anonymous, exp.Case, exp.If, exp.Paren)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)
_COMPARISONS = (
    exp.Between,
    exp.EQ,
    exp.GT,
    exp.GTE,
    exp.In,
    exp.Is,
    exp.LT,
    exp.LTE,
    exp.NEQ,
)
_LOGIC = (exp.And, exp.Not, exp.Or)


@dataclass(frozen=True)
class Output:
    """A column of the result: Spark's name for it, and SQL over the windows table."""

    name: str
    sql: str


@dataclass
class Place:
    """Where an expression stands: its clause, and the items whose names it can use."""

    clause: str
    names: dict[str, tuple[Item, str]] = field(default_factory=dict)
    used_a_name: bool = False


class Outputs:
    """Rewrites the expressions over groups of rows."""

    def __init__(
        self,
        reading: Reading,
        statement: Statement,
        keys: KeyColumns,
        bounds: Bounds,
        aggregates: Aggregates,
    ) -> None:
        self.reading = reading
        self.statement = statement
        self.keys = keys
        self.scope = keys.scope
        self.bounds = bounds
        self.aggregates = aggregates

    def select(self) -> list[Output]:
        """The SELECT list; names that are not sure or there twice are refused."""
        outputs: list[Output] = []
        names: dict[str, tuple[Item, str]] = {}
        seen: set[str] = set()
        for item in self.statement.items:
            place = Place("SELECT", names)
            sql = self._rewritten(item.node, item.span, place)
            name = item.alias
            if name is None and sql is not None:
                name = self._name(item, place)
            if name is None or sql is None:
                continue
            if name.lower() in seen:
                words = (
                    f"two columns have the name '{name}', and a table cannot have both",
                    "give one of them another alias",
                )
                self.reading.refuse_span("SELECT", item.span, words)
            seen.add(name.lower())
            outputs.append(Output(name, sql))
            if item.alias is not None:
                names.setdefault(item.alias.lower(), (item, sql))
        return outputs

    def having(self, outputs: Sequence[Output]) -> str | None:
        """The condition of HAVING, which can use the names of all items."""
        if self.statement.having is None:
            return None
        node, span = self.statement.having
        named: dict[str, tuple[Item, str]] = {}
        if len(outputs) == len(self.statement.items):
            for item, output in zip(self.statement.items, outputs, strict=True):
                named.setdefault(output.name.lower(), (item, output.sql))
        return self._rewritten(node, span, Place("HAVING", named))

    def _name(self, item: Item, place: Place) -> str | None:
        """Spark's name for an item without an alias."""
        node = plain(item.node)
        name = spark_name(node, self.scope)
        if is_time_window(node):
            name = call_name(node)
        elif isinstance(node, exp.Dot) and is_time_window(node.this):
            name = f"{call_name(node.this)}.{node.expression.name}"
        is_own = any(
            kind_of(call_name(one)) is Kind.UNKNOWN for one in nodes(node) if call_name(one)
        )
        if name is None or is_own or place.used_a_name:
            words = (
                "this column has no name, and which one Spark gives it is not sure",
                "give it an alias: ... as name",
            )
            self.reading.refuse_span("SELECT", item.span, words)
            return None
        return name

    # rewriting

    def _rewritten(self, node: exp.Expression, span: Span, place: Place) -> str | None:
        """An expression as SQL over the windows table; none if a piece of it is refused."""
        before = len(self.reading.problems.found)
        note_zone(self.reading, node)
        replaced: list[tuple[Span, str]] = []
        self._visit(node, None, span, place, frozenset(), replaced)
        if len(self.reading.problems.found) > before:
            return None
        return self.reading.text.spliced(span, replaced)

    def _visit(
        self,
        node: exp.Expression,
        parent: exp.Expression | None,
        whole: Span | None,
        place: Place,
        variables: frozenset[str],
        replaced: list[tuple[Span, str]],
    ) -> None:
        """Collect what of an expression must be replaced; `whole` is its span if it is all."""
        before = len(self.reading.problems.found)
        new = self._replacement(node, parent, whole is not None, place, variables)
        if len(self.reading.problems.found) > before:
            return
        if new is not None:
            span = whole or self.reading.text.span(node)
            parts = parts_of(node)
            keeps_its_name = parts is not None and new == quoted(parts[-1])
            if span is None:
                self.reading.refuse(place.clause, node, refusals.NOT_UNDERSTOOD)
            elif names_its_fields(parent) and not keeps_its_name:
                self.reading.refuse(place.clause, node, refusals.FIELD_WITHOUT_A_NAME)
            elif is_captured(node, new):
                self.reading.refuse(place.clause, node, refusals.CAPTURED)
            else:
                replaced.append((span, new))
            return
        parts = parts_of(node)
        if parts is not None and parts[0].lower() in variables:
            return
        words = self._refused(node, place)
        if words is not None:
            self.reading.refuse(place.clause, node, words)
            return
        for child, inner in below(node, variables):
            self._visit(child, node, None, place, inner, replaced)

    def _refused(self, node: exp.Expression, place: Place) -> refusals.Words | None:
        if isinstance(node, exp.Anonymous):
            if is_time_window(node):
                return self.bounds.refused_call(node, place.clause)
            return refused_call(node)
        return refusals.NOT_UNDERSTOOD if isinstance(node, _WRAPPERS) else refused(node)

    def _replacement(
        self,
        node: exp.Expression,
        parent: exp.Expression | None,
        is_whole: bool,
        place: Place,
        variables: frozenset[str],
    ) -> str | None:
        """What stands for an expression over the windows table; none if it stays as it is."""
        bound = self.bounds.of(node, place.clause)
        if bound is not None:
            return bound if is_whole else _in_brackets(bound)
        call = self.aggregates.call_of(node)
        if call is not None:
            return quoted(self.aggregates.add(node, call, place.clause) or "")
        parts = parts_of(node)
        if parts is not None:
            if parts[0].lower() in variables or refused(node) is not None:
                return None
            return self._column(node, parts, is_whole, place)
        key = self.keys.expression(node, variables)
        return key if key is not None and (is_whole or _stands_alone(node, parent)) else None

    def _column(self, node: exp.Expression, parts: Parts, is_whole: bool, place: Place) -> str:
        """A column outside of aggregates: one of the key, or the name of an item."""
        name = parts[0].lower()
        key = self.keys.column(parts)
        item, sql = place.names.get(name, (None, ""))
        if key is not None and item is not None and not self.keys.is_sure(parts, item.node):
            words = (
                f"'{parts[0]}' can be a column of one of the tables or the name of a SELECT item",
                "write the table in front of it, or give the item another name",
            )
            self.reading.refuse(place.clause, node, words)
        elif key is None and item is None and self.keys.grouping.complete:
            words = (
                f"'{'.'.join(parts)}' is neither grouped by nor inside an aggregate",
                "add it to the GROUP BY, or take one value with an aggregate, such as max(...)",
            )
            self.reading.refuse(place.clause, node, words)
        if key is not None or item is None:
            return key or ""
        place.used_a_name = True
        if len(parts) == 1:
            return sql if is_whole else _in_brackets(sql)
        bound = self.bounds.sql(parts[1]) if sql == self.bounds.struct else None
        if bound is not None and len(parts) == 2:
            return bound if is_whole else _in_brackets(bound)
        return ".".join([f"({sql})", *map(quoted, parts[1:])])


def _in_brackets(sql: str) -> str:
    """SQL that can stand as a part of a larger expression."""
    return sql if re.fullmatch(r"\w+|`[^`]+`|\w+\([^()]*\)", sql) else f"({sql})"


def _stands_alone(node: exp.Expression, parent: exp.Expression | None) -> bool:
    """Whether an expression is one for Spark too, whose operators bind in another order.

    sqlglot and Spark agree on what is one by its brackets or words, on arithmetic among itself, and
    that arithmetic binds before comparisons, these before NOT, AND and OR.
    """
    if isinstance(node, _ONE) or isinstance(parent, _BRACKETS):
        return True
    if isinstance(node, _ARITHMETIC):
        return isinstance(parent, _ARITHMETIC + _COMPARISONS + _LOGIC)
    return isinstance(node, _COMPARISONS) and isinstance(parent, _LOGIC)
