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
from dbt_event_windows.plain_sql.aliases import item_name
from dbt_event_windows.plain_sql.bounds import Bounds
from dbt_event_windows.plain_sql.day_words import names_the_day
from dbt_event_windows.plain_sql.expressions import refused, refused_call
from dbt_event_windows.plain_sql.having_bounds import refuse_bounds_of_rows
from dbt_event_windows.plain_sql.key_columns import KeyColumns
from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.notes import note_zone
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import (
    WRAPPERS,
    Parts,
    below,
    is_captured,
    is_field,
    parts_of,
    plain,
)
from dbt_event_windows.plain_sql.statement import Statement
from dbt_event_windows.plain_sql.text import Span, children
from dbt_event_windows.plain_sql.time_windows import is_time_window

_PREDICATES = (
    exp.And,
    exp.Between,
    exp.Boolean,
    exp.EQ,
    exp.GT,
    exp.GTE,
    exp.In,
    exp.Is,
    exp.LT,
    exp.LTE,
    exp.Like,
    exp.NEQ,
    exp.Not,
    exp.NullSafeEQ,
    exp.Or,
)
_WITH_LITERALS = (
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE),
    *(exp.Between, exp.In),
)


@dataclass
class Place:
    """Where an expression stands: its clause, and the names of items with their SQL.

    `types` are those of the items, as far as Spark has told them.
    """

    clause: str
    names: dict[str, str] = field(default_factory=dict)
    types: dict[str, str | None] = field(default_factory=dict)


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

    def select(self) -> list[str | None]:
        """The items of the SELECT list as SQL; none for what is refused."""
        names: dict[str, str] = {}
        selected = []
        for item in self.statement.items:
            sql = self._rewritten(item.node, item.span, Place("SELECT", names))
            name = item_name(item)
            if name is not None and sql is not None:
                names.setdefault(name.lower(), sql)
            selected.append(sql)
        return selected

    def having(
        self, names: Sequence[str], selected: Sequence[str], types: Sequence[str | None]
    ) -> str | None:
        """The condition of HAVING, which can use the names of all items; `types` are theirs."""
        if self.statement.having is None:
            return None
        node, span = self.statement.having
        lower = [name.lower() for name in names]
        place = Place(
            "HAVING",
            dict(zip(lower, selected, strict=True)),
            dict(zip(lower, types, strict=True)),
        )
        refuse_bounds_of_rows(self.reading, self.statement, self.bounds, self.keys)
        sql = self._rewritten(node, span, place)
        # as in Spark: HAVING sum(amount) asks whether it is not zero
        return sql if sql is None or isinstance(node, _PREDICATES) else f"cast({sql} as boolean)"

    # rewriting

    def _rewritten(self, node: exp.Expression, span: Span, place: Place) -> str | None:
        """An expression as SQL over the windows table; none if a piece of it is refused."""
        before = len(self.reading.problems.found)
        note_zone(self.reading, node, self.scope)
        replaced: list[tuple[Span, str]] = []
        self._visit(node, span, place, replaced)
        if len(self.reading.problems.found) > before:
            return None
        return self.reading.text.spliced(span, replaced)

    def _visit(
        self,
        node: exp.Expression,
        whole: Span | None,
        place: Place,
        replaced: list[tuple[Span, str]],
    ) -> None:
        """Collect what of an expression must be replaced; `whole` is its span if it is all."""
        before = len(self.reading.problems.found)
        new = self._replacement(node, whole is not None, place)
        if len(self.reading.problems.found) > before:
            return
        if new is not None:
            span = whole or self.reading.text.span(node)
            parts = parts_of(node)
            keeps_its_name = parts is not None and new == quoted(parts[-1])
            if span is None:
                self.reading.refuse(place.clause, node, refusals.NOT_UNDERSTOOD)
            elif is_field(node) and not keeps_its_name:
                self.reading.refuse(place.clause, node, refusals.FIELD_WITHOUT_A_NAME)
            elif is_captured(node, new):
                self.reading.refuse(place.clause, node, refusals.CAPTURED)
            else:
                replaced.append((span, new))
            return
        words = self._refused(node, place)
        if words is not None:
            self.reading.refuse(place.clause, node, words)
            return
        for child in below(node):
            self._visit(child, None, place, replaced)

    def _refused(self, node: exp.Expression, place: Place) -> refusals.Words | None:
        if isinstance(node, exp.Anonymous):
            if is_time_window(node):
                return self.bounds.refused_call(node, place.clause)
            return refused_call(node) or refused(node, self.scope)
        return refusals.NOT_UNDERSTOOD if isinstance(node, WRAPPERS) else refused(node, self.scope)

    def _replacement(self, node: exp.Expression, is_whole: bool, place: Place) -> str | None:
        """What stands for an expression over the windows table; none if it stays as it is."""
        if isinstance(node, exp.Paren) and not is_whole:
            return None  # what is in the brackets is replaced
        parts = parts_of(node)
        bound = None if self._is_item(parts, place) else self.bounds.of(node, place.clause)
        if bound is not None:
            return bound if is_whole else _in_brackets(bound)
        call = self.aggregates.call_of(node)
        if call is not None:
            return quoted(self.aggregates.add(node, call, place.clause) or "")
        if parts is not None:
            if refused(node, self.scope) is not None:
                return None
            return self._column(node, parts, is_whole, place)
        key = self.keys.expression(node)
        if key is None or is_whole:
            return key
        # what is nowhere in the text is of sqlglot's making: `x is null` in `x is not null`
        return key if self.reading.text.span(node) is not None else None

    def _is_item(self, parts: Parts | None, place: Place) -> bool:
        """Whether a name is that of an item before it, and not that of the window.

        Spark makes the column of the window after it has looked for items, and before HAVING.
        """
        struct = self.bounds.window.struct
        if not parts or (parts[0].lower(), place.clause) != (struct, "SELECT"):
            return False
        return place.names.get(struct, self.bounds.struct) != self.bounds.struct

    def _column(self, node: exp.Expression, parts: Parts, is_whole: bool, place: Place) -> str:
        """A name outside of aggregates: a column of the key, or the name of an item.

        As in Spark, a column goes before an item. In HAVING only one that is grouped by does; but
        what is compared with the item has been cast to the type of the column by then.
        """
        key = self.keys.column(parts)
        if key is not None:
            return key
        is_column = self.scope.resolve(parts) is not None
        sql = place.names.get(parts[0].lower())
        if sql is None or (is_column and place.clause != "HAVING"):
            words = _no_key(parts) if is_column else self._no_column(parts)
            if self.keys.grouping.complete:
                self.reading.refuse(place.clause, node, words)
            return ""
        name = parts[0].lower()
        items = [one for one in self.statement.items if (item_name(one) or "").lower() == name]
        if any(names_the_day(item.node, node, self.scope) for item in items):
            self.reading.refuse(place.clause, node, refusals.DAY_IN_WORDS)
            return ""
        column = self.scope.resolve(parts[:1])
        type_ = column.type if column is not None else None
        of_item = place.types.get(name)
        if type_ and type_ != of_item and not _is_of_any_type(node, type_, of_item):
            self.reading.refuse(place.clause, node, _of_two_types(parts[0], type_))
            return ""
        if len(parts) == 1:
            return sql if is_whole else _in_brackets(_no_literal(sql))
        bound = self.bounds.sql(parts[1]) if sql == self.bounds.struct else None
        if bound is not None and len(parts) == 2:
            return bound if is_whole else _in_brackets(bound)
        return ".".join([f"({sql})", *map(quoted, parts[1:])])

    def _no_column(self, parts: Parts) -> refusals.Words:
        known = ", ".join(self.scope.names)
        return (
            f"'{'.'.join(parts)}' is neither the name of an item nor one column of what is read "
            f"here, which has {known}",
            "write another name, or the table in front of it where several have the column",
        )


def _is_of_any_type(node: exp.Expression, of_column: str, of_item: str | None) -> bool:
    """Whether Spark asks the same of an item, whichever of the two types it takes it for.

    So it does of null, and where it compares a whole number with literals: beside these it casts no
    column but one of fewer digits than they have.
    """
    around = node.parent
    while isinstance(around, exp.Paren):
        around = around.parent
    if isinstance(around, exp.Is):
        return isinstance(around.expression, exp.Null)
    if not isinstance(around, _WITH_LITERALS):
        return False
    others = [plain(one) for one in children(around) if plain(one) is not node]
    return (
        of_column in ("int", "bigint")
        and of_item in ("tinyint", "smallint", "int", "bigint")
        and all(map(_is_whole, others))
    )


def _is_whole(node: exp.Expression) -> bool:
    """Whether this is a whole number as the text says it: `2`, `-2`, `2L`, which is a cast."""
    if isinstance(node, exp.Literal):
        return not node.is_string and node.is_int
    is_around = isinstance(node, exp.Neg | exp.Paren) or (
        isinstance(node, exp.Cast) and node.to.is_type("tinyint", "smallint", "int", "bigint")
    )
    return is_around and _is_whole(node.this)


def _of_two_types(name: str, type_: str) -> refusals.Words:
    return (
        f"'{name}' is an item, and a column of the type {type_} that is not grouped by: Spark "
        "compares the item here as if it were of that type",
        "write the expression itself, or give the item another name",
    )


def _no_key(parts: Parts) -> refusals.Words:
    return (
        f"'{'.'.join(parts)}' is neither grouped by nor inside an aggregate",
        "add it to the GROUP BY, or take one value with an aggregate, such as max(...); an "
        "expression of the GROUP BY must be written here as it is there",
    )


def _no_literal(sql: str) -> str:
    """SQL that is no literal number to Spark, as the name of an item is none.

    Beside decimals it takes a literal for one of as few digits as it has, by which the result has
    another scale, and compares it in other ways (DecimalPrecision).
    """
    return (
        f"coalesce({sql})"
        if re.fullmatch(r"[\s(-]*\.?\d([\w.]|(?<=[eE])[+-])*[\s)]*", sql)
        else sql
    )


def _in_brackets(sql: str) -> str:
    """SQL that can stand as a part of a larger expression."""
    # `not(flag)` is no call: Spark reads `not(flag) is null` as `not (flag is null)`
    is_one = re.fullmatch(r"(?i)\w+|`[^`]+`|(?!not\()\w+\([^()]*\)", sql)
    return sql if is_one else f"({sql})"
