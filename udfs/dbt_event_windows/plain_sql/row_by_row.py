"""The one table whose rows a SELECT gives row by row, and the text around its name.

With other rows in the table's place, the SELECT says what becomes of them: each by itself. So the
keys of changed rows are told. Other tables that are joined are read as they stand: new rows must be
those of the first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from dbt_event_windows.plain_sql.clauses import clauses_of, renames_columns
from dbt_event_windows.plain_sql.column_below import column_below
from dbt_event_windows.plain_sql.day_words import may_be_the_day
from dbt_event_windows.plain_sql.dialect import parse, write
from dbt_event_windows.plain_sql.functions import HARDLY_COLUMNS, RUN_JAVA, Kind, kind_of
from dbt_event_windows.plain_sql.given_names import may_give, relation_names
from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.references import parts_of
from dbt_event_windows.plain_sql.relation_names import identifiers_of
from dbt_event_windows.plain_sql.scope import Relation, Scope
from dbt_event_windows.plain_sql.text import UserText, nodes

_OF_A_SELECT = {"with", "expressions", "from", "joins", "laterals", "where", "hint"}
_OF_A_TABLE = {"this", "db", "catalog", "alias"}
_OTHER_ROWS = (Kind.AGGREGATE, Kind.OVER)
_OTHER_EACH_TIME = (Kind.RANDOM, Kind.CLOCK, Kind.SESSION)
# Columns that formats give tables beside their own: where a row lies, which no log says of it.
_BESIDE = {
    *("_metadata", "_file", "_pos", "_spec_id", "_partition", "_deleted"),
    *("_row_id", "_last_updated_sequence_number"),
}

Ctes = Mapping[str, exp.Expression]
# A table, and the column of it that is followed; none where the text does not say which it is.
_Found = tuple[exp.Table, str | None]


class _RefusedError(Exception):
    """Why the rows of no single table are given row by row."""


def row_by_row(
    text: str,
    column: str,
    types: Sequence[Sequence[str]] | None = None,
    more: Sequence[str] = (),
) -> dict[str, Any]:
    """`table`, `before` and `after` of a query; or the `problem`, a clause of a sentence.

    `after` names the table where the query does not, so that anything in brackets may stand there.
    `column` is the table's column that one of the query's columns is. Where the text does not say
    so, `others` are the tables beside it, which may have it too, and `column` is its name if that
    is the same all the way, else empty. `more` has the same of more columns of the query, none
    where a function beside may have it; and `joined` says whether another table is read at all.
    `beside` are names in it that may be columns which formats give tables beside their own, and
    `least` is how many parts the shortest name of a table has. Where the types of the table's
    columns matter, the answer `asks` for them with its name: `types` are [name, type] of each.
    """
    try:
        written = UserText(text)
        statements = parse(written.tokens, written.text)
    except (SqlglotError, ValueError):
        return {"problem": "its text could not be read"}
    try:
        if len(statements) != 1:
            raise _RefusedError("it is not one SELECT")
        table, _ = _below(statements[0], {}, column)
        _check_functions(written)
        _check_sampled(statements[0])
        days = _days(statements[0], table, types)
        if days and types is None:
            return {"asks": _name(table)}
        if days:
            raise _RefusedError(f"a row's value is another one each time ({days[0]})")
        beside = _columns_beside(statements[0])
        around = _around(written, statements[0], table)
        traced, *others = [_traced(statements[0], table, one) for one in (column, *more)]
        if traced is None:
            raise _RefusedError("it is not sure whose columns it reads, beside those of a function")
        read = {
            "joined": bool(_beside(statements[0], table)),
            "beside": beside,
            "least": min(
                map(len, filter(None, [identifiers_of(table), *_others(statements[0], table)]))
            ),
        }
        return {**around, **traced, "more": others, **read}
    except _RefusedError as refused:
        return {"problem": str(refused)}


def _below(query: exp.Expression, outer: Ctes, column: str | None) -> _Found:
    clauses = clauses_of(query)
    ctes = dict(outer)
    with_ = clauses.get("with")
    if isinstance(with_, exp.With):
        if with_.args.get("recursive"):
            raise _RefusedError("it is recursive")
        ctes.update({cte.alias.lower(): cte for cte in with_.expressions})
    if isinstance(query, exp.Subquery | exp.Paren):
        return _of_relation(query, ctes, column)
    from_ = clauses.get("from")
    if not isinstance(query, exp.Select) or not isinstance(from_, exp.From):
        raise _RefusedError("it puts the rows of several SELECTs together")
    more = clauses.keys() - _OF_A_SELECT
    if more:
        words = ", ".join(sorted(one.upper() for one in more))
        raise _RefusedError(f"rows are put together or left out by others ({words})")
    joins = clauses.get("joins") or []
    assert isinstance(joins, list)
    for join in joins:
        if (join.side or join.kind or "inner").lower() not in (
            "inner", "left", "cross", "semi", "anti",
        ):  # fmt: skip
            raise _RefusedError("a join gives rows that no row of its first table stands behind")
    others = [join for join in joins if join.kind not in ("SEMI", "ANTI")]
    alone = not others and not clauses.get("laterals")
    first = str(from_.this.alias_or_name)
    # what the first join has in USING is the column of what stands before it
    shared = [one.name.lower() for one in others[0].args.get("using") or []] if others else []
    below = column and column_below(query, column, first, alone, shared)
    return _of_relation(from_.this, ctes, below)


def _of_relation(relation: exp.Expression, ctes: Ctes, column: str | None) -> _Found:
    clauses = clauses_of(relation)
    column = _below_alias(relation, column)
    if isinstance(relation, exp.Subquery | exp.Paren):
        if clauses.keys() - {"this", "alias", "with"}:
            raise _RefusedError("a part of it is sampled or turned")
        return _below(relation.this, ctes, column)
    if not isinstance(relation, exp.Table) or not isinstance(relation.this, exp.Identifier):
        raise _RefusedError("it reads no table")
    if clauses.keys() - _OF_A_TABLE:
        raise _RefusedError("it reads a part of a table, or a version of it")
    name = relation.name.lower()
    if name in ctes and not relation.args.get("db"):
        others = {other: cte for other, cte in ctes.items() if other != name}
        return _below(ctes[name].this, others, _below_alias(ctes[name], column))
    return relation, column


def _below_alias(relation: exp.Expression, column: str | None) -> str | None:
    """What the items below call a column that an alias may name anew: `x(a, b)`."""
    alias = relation.args.get("alias")
    if not column or alias is None or not renames_columns(alias):
        return column
    query = relation.this
    items = query.expressions if isinstance(query, exp.Select) else []
    below = [item.alias or (parts_of(item) or ("",))[-1] for item in items]
    names = [name.name.lower() for name in alias.args["columns"]]
    # a star, or a function without a name, may be several columns
    if len(names) != len(below) or "" in below or names.count(column.lower()) != 1:
        return None
    return below[names.index(column.lower())]


def _traced(query: exp.Expression, table: exp.Table, column: str) -> dict[str, Any] | None:
    _, below = _below(query, {}, column)
    if below:
        return {"column": below, "others": []}
    others = _beside(query, table)
    if "" in others:
        return None
    names_another = may_give(query, column.lower(), relation_names(query))
    return {"column": "" if names_another else column, "others": others}


def _beside(query: exp.Expression, followed: exp.Table) -> list[str]:
    """The other tables that are read, of a function an empty name."""
    return [".".join(quoted(part.name) for part in parts) for parts in _others(query, followed)]


def _others(query: exp.Expression, followed: exp.Table) -> list[list[exp.Identifier]]:
    ctes = {cte.alias.lower() for cte in query.find_all(exp.CTE)}
    found = [identifiers_of(one) for one in query.find_all(exp.Table) if one is not followed]
    return [one for one in found if len(one) != 1 or one[0].name.lower() not in ctes]


def _name(table: exp.Table) -> str:
    return ".".join(quoted(part.name) for part in identifiers_of(table))


def _columns_beside(query: exp.Expression) -> list[str]:
    parts = [part.name.lower() for column in query.find_all(exp.Column) for part in column.parts]
    return sorted(_BESIDE & set(parts))


def _around(text: UserText, query: exp.Expression, table: exp.Table) -> dict[str, str]:
    """A table, or a CTE above it, that is read twice may meet its own rows."""
    ctes = {cte.alias.lower() for cte in query.find_all(exp.CTE)}
    names = [
        [part.name.lower() for part in identifiers_of(one)] for one in query.find_all(exp.Table)
    ]
    for place, name in enumerate(names):
        is_cte = len(name) == 1 and name[0] in ctes
        # a table can be named with its schema, and without
        others = names[:place] + names[place + 1 :]
        if any(other == name if is_cte else other[-len(name) :] == name for other in others):
            raise _RefusedError("it reads a table twice")
    parts = identifiers_of(table)
    if len(parts) > 1 and any(
        column.text("table").lower() == parts[-1].name.lower()
        and column.text("db").lower() == parts[-2].name.lower()
        for column in query.find_all(exp.Column)
    ):
        raise _RefusedError(f"it names columns by the schema of {parts[-1].name}: give it an alias")
    spans = [span for span in map(text.around, parts) if span is not None]
    if len(spans) != len(parts):
        raise _RefusedError("the table's name could not be found in its text")
    first = text.tokens[min(first for first, _ in spans)].start
    last = text.tokens[max(last for _, last in spans)].end + 1
    alias = "" if table.alias else f" as {quoted(parts[-1].name)}"
    return {
        "table": _name(table),
        "before": text.text[:first],
        "after": alias + text.text[last:],
    }


def _check_functions(text: UserText) -> None:
    for place in range(len(text.tokens)):
        word = text.word(place)
        if word in HARDLY_COLUMNS and text.word(place - 1) not in (".", "as"):
            raise _RefusedError(f"a row's value is another one each time ({word})")
        if word == "over" and text.word(place + 1) in ("(", ""):
            raise _RefusedError("a row's value depends on other rows (OVER)")
        if text.word(place + 1) != "(" or not word.isidentifier():
            continue
        kind = kind_of(word)
        if word == "unix_timestamp" and text.word(place + 2) == ")":
            kind = Kind.CLOCK
        if word in RUN_JAVA:
            raise _RefusedError(
                f"nobody can tell that a row's value is the same each time ({word})"
            )
        if kind in _OTHER_ROWS and word not in ("any", "some", "every"):
            raise _RefusedError(f"a row's value depends on other rows ({word})")
        if kind in _OTHER_EACH_TIME:
            raise _RefusedError(f"a row's value is another one each time ({word})")


def _check_sampled(query: exp.Expression) -> None:
    if query.find(exp.TableSample) is not None:
        raise _RefusedError("a part of it is sampled")


def _days(
    query: exp.Expression, table: exp.Table, types: Sequence[Sequence[str]] | None
) -> list[str]:
    """The constants that may be the day of the run: beside a column that is a text none is."""
    scope = _scope(query, types) if types and not _beside(query, table) else None
    return [write(node) for node in nodes(query) if may_be_the_day(node, scope)]


def _scope(query: exp.Expression, types: Sequence[Sequence[str]]) -> Scope:
    """The table's columns, without those whose names are given to something else, too."""
    names = relation_names(query)
    columns = {
        name.lower(): type_ for name, type_ in types if not may_give(query, name.lower(), names)
    }
    relation = Relation(frozenset((name,) for name in names), columns=columns)
    return Scope((relation,), tuple(columns.items()))
