"""The text over something else in place of the model, with all columns that tell its groups."""

from __future__ import annotations

from collections.abc import Sequence

from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.places import clause_places
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.statement import Statement
from dbt_event_windows.rollup.groups import hidden_name
from dbt_event_windows.rollup.relations import Relation

_RELATION = "\x00"


def keys_over_another_relation(relation: Relation, columns: Sequence[tuple[str, str]]) -> list[str]:
    """The same of what tells the rows of the model apart, and nothing else: [SQL, name]."""
    shown = ", ".join(f"{sql} as {name}" for sql, name in columns)
    return [f"select {shown} from ", f" as {quoted(relation.name)}"]


def over_another_relation(
    reading: Reading, statement: Statement, relation: Relation, hidden: Sequence[str], having: bool
) -> list[str]:
    """What stands before and after the relation; `hidden` are group expressions to be shown too."""
    text = reading.text
    spans = [span for span in map(text.around, relation.names) if span is not None]
    name = (min(first for first, _ in spans), max(last for _, last in spans))
    alias = "" if relation.table.alias else f" as {quoted(relation.parts[-1])}"
    columns = [f", {sql} as {hidden_name(place)}" for place, sql in enumerate(hidden, 1)]
    from_ = statement.from_[0]
    replaced = [(name, _RELATION + alias), ((from_, from_), f"{''.join(columns)} from")]
    places = clause_places(text)
    if not having and "having" in places:
        first, last = places["having"]
        replaced.append(((first - 1, last), ""))
    last = max(last for _, last in places.values())
    return text.spliced((0, last), replaced).split(_RELATION)
