"""What names mean over a FROM: its relations, their columns as Spark knows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from sqlglot import exp

from dbt_event_windows.plain_sql.references import (
    Canonical,
    Parts,
    lowered,
    names_its_fields,
    parts_of,
    plain,
    references,
)
from dbt_event_windows.plain_sql.spark_types import step
from dbt_event_windows.plain_sql.text import children

# Columns by their names in lower case, each with its type.
Columns = Mapping[str, str]

# The place of a relation without a name, whose columns are those that no other relation owns.
_NAMELESS = -1


@dataclass(frozen=True)
class Relation:
    """One relation of a FROM: how columns can name it, and the tables below it.

    `using` are the columns that USING made one with those of the relations before. `columns` are
    known once Spark was asked, for relations that have a name.
    """

    qualifiers: frozenset[Parts]
    sources: frozenset[str] = frozenset()
    using: frozenset[str] = frozenset()
    columns: Columns = field(default_factory=dict)


@dataclass(frozen=True)
class Resolved:
    """A column, or a field of one: equal for all ways to write it.

    `written` are the column and its fields as the text has them.
    """

    relation: int
    column: str
    fields: Parts
    written: Parts = field(compare=False)
    type: str | None = field(compare=False)

    def within(self, whole: Resolved) -> bool:
        """Whether this is another column, or a field of it."""
        return (self.relation, self.column) == (whole.relation, whole.column) and (
            self.fields[: len(whole.fields)] == whole.fields
        )


@dataclass(frozen=True)
class Scope:
    """The relations of a FROM, and the columns of `select *` over them with their types."""

    # Whether there are no other columns than those that are known here.
    is_complete: ClassVar[bool] = True

    relations: tuple[Relation, ...] = ()
    visible: tuple[tuple[str, str], ...] = ()

    def has_relation(self, name: str) -> bool:
        return any((name.lower(),) in relation.qualifiers for relation in self.relations)

    @property
    def names(self) -> list[str]:
        """The columns that need no relation in front."""
        return list(dict.fromkeys(name for name, _ in self.visible))

    def resolve(self, parts: Parts) -> Resolved | None:
        """The column that a name is; none where it is no column, or could be several.

        As in Spark, a relation in front goes before a column with fields, a longer one first.
        """
        lower = lowered(parts)
        for length in range(len(parts) - 1, 0, -1):
            for place, relation in enumerate(self.relations):
                if lower[:length] in relation.qualifiers and lower[length] in relation.columns:
                    type_ = relation.columns[lower[length]]
                    return _resolved(place, type_, parts[length:])
        types = [type_ for name, type_ in self.visible if name.lower() == lower[0]]
        if len(types) != 1:
            return None
        owners = (
            place
            for place, relation in enumerate(self.relations)
            # where several have it USING has made them one, which is that of the first of them
            if lower[0] in relation.columns and lower[0] not in relation.using
        )
        return _resolved(next(owners, _NAMELESS), types[0], parts)

    def canonical_of(self, node: exp.Expression) -> Canonical:
        """The same value for expressions that Spark takes for one, never for others.

        Names are compared by what they mean, all else to the letter but for names of functions.
        """
        if isinstance(node, exp.Paren):
            inner = self.canonical_of(node.this)
            if isinstance(node.parent, exp.Neg) and next(references(node), None) is None:
                # -3 is one literal, -(3) is none, beside which decimals have other digits
                return ("brackets", inner)
            return inner
        parts = parts_of(node)
        if parts is not None:
            return ("column", self.resolve(parts) or lowered(parts))
        if isinstance(node, exp.Identifier):
            return ("name", node.name)
        if isinstance(node, exp.Literal):
            return ("literal", bool(node.is_string), str(node.this), _has_suffix(node))
        return (type(node).__name__, *self._canonical_arguments(node))

    def _canonical_arguments(self, node: exp.Expression) -> Iterator[object]:
        if names_its_fields(node):
            # Spark names the fields as the text writes the columns
            yield "fields", *((parts_of(plain(child)) or ("",))[-1] for child in children(node))
        in_any_case = isinstance(node, exp.Anonymous | exp.Var)

        def of(value: object) -> object:
            if isinstance(value, exp.Expression):
                return self.canonical_of(value)
            return str(value).lower() if in_any_case else str(value)

        for name, value in sorted(node.args.items()):
            if isinstance(value, list):
                yield name, *map(of, value)
            elif value:
                yield name, of(value)


def _has_suffix(number: exp.Literal) -> bool:
    """Whether this is a part of `3L`, one literal to Spark and cast(3 as bigint) to sqlglot."""
    start, end = (number.meta.get(name) for name in ("start", "end"))
    return not number.is_string and start is not None and end - start >= len(str(number.this))


def _resolved(place: int, type_: str | None, written: Parts) -> Resolved:
    fields = []
    for part in written[1:]:
        field_, type_ = step(type_, part)
        fields.append(field_)
    return Resolved(place, written[0].lower(), tuple(fields), written, type_)
