"""What a SELECT reads, relation by relation, and the names that it gives to columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp

from dbt_event_windows.plain_sql.clauses import clauses_of
from dbt_event_windows.plain_sql.references import Parts, lowered, parts_of


@dataclass(frozen=True, eq=False)
class Read:
    """One relation of a FROM, and the right side of a LEFT JOIN that it belongs to.

    `using` are the columns that USING makes one of with those of relations before it.
    """

    node: exp.Expression
    right: exp.Expression | None
    using: frozenset[str] = frozenset()


def reads_of(select: exp.Expression) -> Iterator[Read]:
    """The relations of a SELECT, in the order of the text."""
    from_ = clauses_of(select).get("from")
    if isinstance(from_, exp.From):
        yield from _with_joins(from_.this, None, select.args.get("joins") or [])
    for lateral in select.args.get("laterals") or []:
        yield Read(lateral, None)


def _with_joins(
    node: exp.Expression,
    right: exp.Expression | None,
    joins: Sequence[exp.Expression],
    using: frozenset[str] = frozenset(),
) -> Iterator[Read]:
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Table):
        yield from _with_joins(node.this, right, [], using)
    else:
        yield Read(node, right, using)
    for join in [*(node.args.get("joins") or []), *joins]:
        # of the right side of these nothing is left to be read
        if join.text("kind").upper() not in ("SEMI", "ANTI"):
            is_left = join.text("side").upper() == "LEFT" and not isinstance(join.this, exp.Lateral)
            of_both = using | {column.name.lower() for column in join.args.get("using") or []}
            right_side = right or (join.this if is_left else None)
            yield from _with_joins(join.this, right_side, [], of_both)


def renamed(relation: exp.Expression) -> list[str]:
    """The names that an alias gives the columns of a relation."""
    alias = relation.args.get("alias")
    columns = alias.args.get("columns") or [] if isinstance(alias, exp.TableAlias) else []
    return [one.name.lower() for one in columns]


def names_of_item(item: exp.Expression) -> list[str]:
    """The names of a column of a SELECT, in lower case, as far as the text gives them."""
    if isinstance(item, exp.Aliases):
        return [str(alias).lower() for alias in item.aliases]
    if isinstance(item, exp.Alias):
        return [item.alias.lower()]
    return [part.lower() for part in (parts_of(item) or ())[-1:]]


def star_of(item: exp.Expression) -> exp.Star | None:
    """The star of `*` or `t.*`; none of any other item."""
    star = item.this if isinstance(item, exp.Column) else item
    return star if isinstance(star, exp.Star) else None


def left_out(item: exp.Expression) -> list[Parts]:
    """The names after EXCEPT of `*` or `t.*`, in lower case: of columns or of fields in them."""
    star = star_of(item)
    excepts = clauses_of(star).get("except") or [] if star is not None else []
    assert isinstance(excepts, list)
    return [lowered(parts_of(one) or (one.name,)) for one in excepts]
