"""How columns can name the relations of a FROM."""

from __future__ import annotations

from sqlglot import exp

from dbt_event_windows.plain_sql.references import Parts


def names_of(relation: exp.Expression) -> frozenset[Parts]:
    """How columns can name a table, or a query with an alias."""
    if relation.alias or not isinstance(relation, exp.Table):
        return frozenset([(relation.alias.lower(),)]) if relation.alias else frozenset()
    parts = tuple(name.name.lower() for name in identifiers_of(relation))
    if "/" in "".join(parts[-1:]):
        return frozenset()  # files by their path, parquet.`/data`: Spark takes it for no name
    return frozenset(parts[start:] for start in range(len(parts)))


def identifiers_of(table: exp.Expression) -> list[exp.Identifier]:
    """The parts of a table's name, as far as the text has them; of anything else none."""
    names = [table.args.get(part) for part in ("catalog", "db", "this")]
    return [name for name in names if isinstance(name, exp.Identifier)]
