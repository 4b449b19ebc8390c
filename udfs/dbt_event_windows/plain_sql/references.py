"""Columns that an expression names, and the relations of a FROM that can have them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from dbt_event_windows.plain_sql.functions import TAKE_A_UNIT, UNITS
from dbt_event_windows.plain_sql.text import children

# What stands between the dots of a column, as written, without quotes.
Parts = tuple[str, ...]
Canonical = tuple[object, ...]


def lowered(parts: Parts) -> Parts:
    return tuple(part.lower() for part in parts)


def parts_of(node: exp.Expression) -> Parts | None:
    """The parts of a column, or of a field of one: `a.b.c`; none for any other expression."""
    if isinstance(node, exp.Column):
        names = [node.args.get(name) for name in ("catalog", "db", "table", "this")]
        if isinstance(names[-1], exp.Identifier):
            return tuple(name.name for name in names if isinstance(name, exp.Identifier))
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        base = parts_of(node.this)
        return (*base, node.expression.name) if base else None
    return None


def call_name(node: exp.Expression) -> str:
    """The name of a function call, in lower case; nothing for any other expression."""
    return str(node.this).lower() if isinstance(node, exp.Anonymous) else ""


def is_unit(node: exp.Expression, parent: exp.Expression | None) -> bool:
    """Whether this is the unit of `timestampadd(minute, 5, t)`, which looks like a column."""
    if parent is None or call_name(parent) not in TAKE_A_UNIT:
        return False
    parts = parts_of(node)
    arguments = parent.expressions
    return (
        len(arguments) == 3
        and arguments[0] is node
        and parts is not None
        and (len(parts) == 1 and parts[0].lower() in UNITS)
    )


def variables_of(node: exp.Lambda) -> frozenset[str]:
    return frozenset(variable.name.lower() for variable in node.expressions)


def is_captured(node: exp.Expression, sql: str) -> bool:
    """Whether SQL in the place of an expression would name a variable of a lambda around it.

    Inside a lambda its variables come before all columns.
    """
    around = node.find_ancestor(exp.Lambda)
    if around is None:
        return False
    words = [re.escape(variable.replace("`", "``")) for variable in variables_of(around)]
    named = any(re.search(rf"(?<!\w){word}(?!\w)", sql.lower()) for word in words)
    return named or is_captured(around, sql)


def below(
    node: exp.Expression, variables: frozenset[str] = frozenset()
) -> Iterator[tuple[exp.Expression, frozenset[str]]]:
    """The expressions right below one that can hold columns, with the lambda variables there."""
    if isinstance(node, exp.Lambda):
        yield node.this, variables | variables_of(node)
        return
    for child in children(node):
        if isinstance(child, exp.Identifier | exp.DataType | exp.Var) or is_unit(child, node):
            continue
        yield child, variables


def references(
    node: exp.Expression, variables: frozenset[str] = frozenset()
) -> Iterator[tuple[exp.Expression, Parts]]:
    """The columns that an expression names, each as a whole; variables of lambdas are none."""
    parts = parts_of(node)
    if parts is not None:
        if parts[0].lower() not in variables:
            yield node, parts
        return
    for child, inner in below(node, variables):
        yield from references(child, inner)


def names_its_fields(node: exp.Expression | None) -> bool:
    """Whether the columns in an expression give their names to fields of a struct."""
    if isinstance(node, exp.Tuple):
        return not isinstance(node.parent, exp.Any)
    return node is not None and call_name(node) in ("struct", "arrays_zip")


@dataclass
class Relation:
    """One relation of a FROM: how columns can name it, and its columns where the text says them."""

    qualifiers: frozenset[Parts]
    columns: frozenset[str] | None
    sources: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Its alias, or the last part of its own name."""
        return min(self.qualifiers, key=len)[-1] if self.qualifiers else ""


@dataclass
class Scope:
    """The relations that a SELECT reads."""

    relations: list[Relation] = field(default_factory=list)

    @property
    def columns(self) -> frozenset[str] | None:
        """All columns by name, or none where a relation is a table, whose columns no text says."""
        known = [relation.columns for relation in self.relations]
        if any(columns is None for columns in known):
            return None
        return frozenset().union(*(columns for columns in known if columns is not None))

    def has_relation(self, name: str) -> bool:
        return any((name.lower(),) in relation.qualifiers for relation in self.relations)

    def split(self, parts: Parts) -> tuple[Relation | None, Parts]:
        """The relation that a column names, if it does, and the rest: the column and its fields."""
        lower = lowered(parts)
        found = [
            (relation, len(qualifier))
            for relation in self.relations
            for qualifier in relation.qualifiers
            if len(lower) > len(qualifier) and lower[: len(qualifier)] == qualifier
        ]
        if not found:
            return None, parts
        relation, length = max(found, key=lambda one: one[1])
        return relation, parts[length:]

    def canonical(self, parts: Parts) -> Parts:
        """The same parts for the same column, as far as the text says that it is the same."""
        relation, rest = self.split(parts)
        if relation is None or len(self.relations) == 1:
            return lowered(rest)
        return (relation.name, *lowered(rest))

    def is_part_of(self, parts: Parts, whole: Parts, exactly: bool) -> bool:
        """Whether a column is another one, or a field of it.

        Unless `exactly`, `user_id` and `v.user_id` are the same: they are if both are valid.
        """
        relation, rest = self.split(parts)
        other, others = self.split(whole)
        if lowered(rest)[: len(others)] != lowered(others):
            return False
        if relation is other or len(self.relations) == 1:
            return True
        return not exactly and (relation is None or other is None)

    def canonical_of(
        self, node: exp.Expression, variables: frozenset[str] = frozenset()
    ) -> Canonical:
        """The same value for expressions that say the same in other letters or brackets."""
        if isinstance(node, exp.Paren):
            return self.canonical_of(node.this, variables)
        parts = parts_of(node)
        if parts is not None and parts[0].lower() not in variables:
            return ("column", self.canonical(parts))
        if isinstance(node, exp.Identifier):
            return ("name", node.name.lower())
        if isinstance(node, exp.Literal):
            return ("literal", bool(node.is_string), str(node.this))
        inner = variables | variables_of(node) if isinstance(node, exp.Lambda) else variables
        return (type(node).__name__, *self._canonical_arguments(node, inner))

    def _canonical_arguments(
        self, node: exp.Expression, variables: frozenset[str]
    ) -> Iterator[object]:
        if names_its_fields(node):
            # Spark names the fields as the text writes the columns
            yield "fields", *((parts_of(child) or ("",))[-1] for child in children(node))
        for name, value in sorted(node.args.items()):
            if isinstance(value, exp.Expression):
                yield name, self.canonical_of(value, variables)
            elif isinstance(value, list):
                yield (
                    name,
                    *(
                        self.canonical_of(item, variables)
                        if isinstance(item, exp.Expression)
                        else str(item).lower()
                        for item in value
                    ),
                )
            elif value:
                yield name, str(value).lower()
