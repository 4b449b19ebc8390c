"""The key's columns in the relation, and what of an expression they are."""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql.columns import Columns
from dbt_event_windows.plain_sql.grouping import Grouping
from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import Canonical, Parts
from dbt_event_windows.plain_sql.scope import Resolved, Scope


class KeyColumns:
    """Gives each key a column of the relation: plain columns their own names, if they can."""

    def __init__(
        self, reading: Reading, scope: Scope, grouping: Grouping, columns: Columns, event_time: str
    ) -> None:
        self.scope = scope
        self.grouping = grouping
        self._names: dict[Canonical, str] = {}
        for key in sorted(grouping.keys, key=lambda one: one.parts is None):
            canonical = scope.canonical_of(key.node)
            sql = reading.text.slice(key.span)
            if key.parts is None:
                name = columns.expression(canonical, sql, key.alias, recorded=True)
            else:
                name = columns.column(sql, key.parts, recorded=True)
                if name == event_time:
                    # one column cannot be both the key and the time
                    again = ("key", canonical)
                    name = columns.expression(again, sql, f"{name}_key", recorded=True)
            self._names[canonical] = name

    @property
    def names(self) -> list[str]:
        """The columns, in the order of GROUP BY."""
        canonicals = (self.scope.canonical_of(key.node) for key in self.grouping.keys)
        return list(dict.fromkeys(self._names[canonical] for canonical in canonicals))

    def expression(self, node: exp.Expression) -> str | None:
        """The column that an expression is."""
        name = self._names.get(self.scope.canonical_of(node))
        return None if name is None else quoted(name)

    def column(self, parts: Parts) -> str | None:
        """The column that a column of the text is, with the fields after it."""
        column = self.scope.resolve(parts)
        if column is None:
            return None
        found = [one for one in self._resolved() if column.within(one[0])]
        if not found:
            return None
        key, name = max(found, key=lambda one: len(one[0].fields))
        fields = len(column.fields) - len(key.fields)
        if fields:
            return ".".join([quoted(name), *map(quoted, parts[-fields:])])
        # Spark names columns, and fields of structs, in the letters of the text
        return quoted(parts[-1] if name.lower() == parts[-1].lower() else name)

    def _resolved(self) -> list[tuple[Resolved, str]]:
        """The keys that are columns, as what they are, each with its name."""
        keys = [
            (self.scope.resolve(key.parts), self._names[self.scope.canonical_of(key.node)])
            for key in self.grouping.keys
            if key.parts is not None
        ]
        return [(column, name) for column, name in keys if column is not None]
