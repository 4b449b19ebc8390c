"""Which column of what a SELECT reads a column of the SELECT is, as far as the text says so."""

from __future__ import annotations

from collections.abc import Collection

from sqlglot import exp

from dbt_event_windows.plain_sql.clauses import clauses_of
from dbt_event_windows.plain_sql.reads import star_of
from dbt_event_windows.plain_sql.references import parts_of


def column_below(
    select: exp.Select, column: str, relation: str, alone: bool, shared: Collection[str] = ()
) -> str | None:
    """The column of `relation` that a column of the SELECT is; none if there is no one.

    Where it is not `alone`, a name without it in front may be that of another relation, but for
    those, in lower case, that are its own in any case. So may one that an item before has given to
    something else.
    """
    found: list[str | None] = []
    given: set[str] = set()
    for item in select.expressions:
        if star_of(item) is not None:
            star = item if isinstance(item, exp.Star) else item.this
            others = clauses_of(star) or select.args.get("laterals")
            qualified = item.text("table").lower()
            its_own = alone or column.lower() in shared
            surely = qualified == relation.lower() or (not qualified and its_own)
            found.append(column if surely and not others else None)
            continue
        parts = parts_of(item.this if isinstance(item, exp.Alias) else item)
        name = item.alias if isinstance(item, exp.Alias) else (parts or ("",))[-1]
        names = (
            [alias.name for alias in item.expressions] if isinstance(item, exp.Aliases) else [name]
        )
        lower = [one.lower() for one in names]
        origin = [part.lower() for part in parts or ()]
        if column.lower() in lower:
            known = origin[:-1] == [relation.lower()] or (
                len(origin) == 1 and origin[0] not in given and (alone or origin[0] in shared)
            )
            found.append(parts[-1] if parts and known else None)
        given.update(one for one in lower if [one] != origin[-1:])
    return found[0] if len(found) == 1 else None
