"""The last SELECT of a text, taken apart: its items, its groups, and where its clauses stand."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.clauses import ABOVE, clauses_of
from dbt_event_windows.plain_sql.comments import refused_comments
from dbt_event_windows.plain_sql.dialect import is_table_query, parse
from dbt_event_windows.plain_sql.lost_words import lost_words
from dbt_event_windows.plain_sql.places import clause_places
from dbt_event_windows.plain_sql.problems import Problem
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.text import Span

# Signs of templates, parameters and variables, and others that are not understood here.
_TEMPLATES = ("{", "}", "{{", "}}", "?", "$")
_STRANGE = ("@", "#", "\\")
# Spark puts in a setting or a variable of the environment for it before it reads the text, strings
# and quoted names too (ConfigReader, with what Java takes for a blank).
_PUT_IN = re.compile(r"\$\{\S+?\}", re.ASCII)
_VIEW = re.compile(r"(?i)lateral\s+view")
_PIPES: refusals.Words = (
    "the steps of a pipe are not read here",
    "write one SELECT ... FROM ... GROUP BY, with what comes before it in a CTE",
)
_TABLE: refusals.Words = (
    "a query of the word TABLE alone is not read here",
    "write the table's name without TABLE, or SELECT * FROM it; what is called table itself can "
    "stand in backticks",
)
_SHIFTED: refusals.Words = (
    "the operator >>> is not understood here",
    "write shiftrightunsigned(value, by)",
)
_KEPT = {"with", "expressions", "from", "joins", "laterals", "where", "group", "having", "hint"}
_PATH: refusals.Words = (
    "a path into a VARIANT is not read here",
    "write variant_get(value, '$.path', 'type')",
)


class NotReadError(Exception):
    """The text is so far from a windowed SELECT that nothing more can be said of it."""


@dataclass(frozen=True)
class Item:
    """One item of the SELECT list: its expression without the alias, and where that stands."""

    node: exp.Expression
    span: Span
    alias: str | None


@dataclass(frozen=True)
class Statement:
    """The last SELECT. Spans of clauses are without their first word, but for `from_`."""

    select: exp.Select
    items: list[Item]
    groups: list[tuple[exp.Expression, Span]]
    group_all: Span | None
    having: tuple[exp.Expression, Span] | None
    with_: Span | None
    hint: Span | None
    from_: Span
    where: Span | None


def not_read(error: TokenError | ParseError | ValueError, text: str) -> Problem:
    """What is said of a text that is no SQL: sqlglot says so in one of these ways."""
    mend = "run the compiled text to see where; what Spark takes must be written in other words"
    if _VIEW.search(text):
        mend += ", and columns of a LATERAL VIEW with AS: lateral view explode(items) t as item"
    if isinstance(error, ParseError):
        first = error.errors[0] if error.errors else {}
        line, piece = int(first.get("line") or 1), str(first.get("highlight") or "")
        return Problem("text", line, piece, "this cannot be read as SQL", mend)
    if not isinstance(error, TokenError):
        return Problem("text", 1, "", "this cannot be read as SQL", mend)
    problem = "a string, a quoted name or a comment is not closed"
    return Problem("text", text.rstrip().count("\n") + 1, "", problem, mend)


def read_select(reading: Reading) -> exp.Select:
    """The one SELECT of the text.

    Raises:
        NotReadError: there is none, or more than one; a problem says so.
    """
    text = reading.text
    _refuse_strange_signs(reading)
    try:
        statements = parse(text.tokens, text.text)
    except (ParseError, ValueError) as error:
        if not reading.problems:
            reading.problems.add(not_read(error, text.text))
        raise NotReadError from error
    if len(statements) != 1:
        number = len(statements)
        problem = f"there are {number} statements" if number else "there is no statement"
        span = text.near(statements[1]) if number else None
        reading.refuse_span("text", span, (problem, "a model is one SELECT"))
    elif not isinstance(statements[0], exp.Select):
        whole = (0, len(text.tokens) - 1)
        reading.refuse_span("text", whole, _not_a_select(statements[0]))
    elif not reading.problems:
        return statements[0]
    raise NotReadError


def _not_a_select(statement: exp.Expression) -> refusals.Words:
    name = type(statement).__name__.upper()
    if name in ("UNION", "INTERSECT", "EXCEPT"):
        return (
            f"{name} puts two results together, and only one GROUP BY can be kept up to date",
            f"write a model for each SELECT, and a model that reads both with {name}",
        )
    if name == "SUBQUERY":
        return ("the SELECT stands in brackets", "take the brackets away")
    return ("this is not a SELECT", "a model is one SELECT ... GROUP BY with a time window")


def _refuse_strange_signs(reading: Reading) -> None:
    text = reading.text
    for place, token in enumerate(text.tokens):
        if text.is_plain(place) and token.text in (*_TEMPLATES, *_STRANGE):
            words = refusals.PARAMETER if token.text in _TEMPLATES else refusals.NOT_UNDERSTOOD
            reading.refuse_span("text", (place, place), words)
        if text.word(place) == "|>":
            reading.refuse_span("text", (place, place), _PIPES)
            return
        if is_table_query(text.tokens, place):
            reading.refuse_span("text", (place, place + 1), _TABLE)
        if text.is_path(place):
            reading.refuse_span("text", (place - 1, place + 1), _PATH)
        if (
            text.is_plain(place)
            and [one.text for one in text.tokens[place : place + 3]] == [">"] * 3
            and place not in text.in_types
        ):
            reading.refuse_span("text", (place, place + 2), _SHIFTED)
    for found in _PUT_IN.finditer(text.text):
        at = next(place for place, one in enumerate(text.tokens) if one.end >= found.start())
        if not text.is_plain(at):
            reading.refuse_span("text", (at, at), refusals.PUT_IN)
    for place, words in refused_comments(text):
        reading.refuse_span("text", (place, place), words)


def take_apart(reading: Reading, select: exp.Select, *, grouped: bool = True) -> Statement:
    """The SELECT's clauses, each found in the text; what must not be there is refused.

    Without `grouped` there need be no GROUP BY.

    Raises:
        NotReadError: a clause is missing, or is not found in the text as sqlglot reads it.
    """
    text = reading.text
    reading.refuse_clauses(select, _KEPT, ABOVE)
    places = clause_places(text)
    _refuse_missing_clauses(reading, places, grouped)
    group_by = places.get("group by")
    return Statement(
        select=select,
        items=_items(reading, select, places["select"]),
        groups=_groups(reading, select, group_by) if group_by else [],
        group_all=group_by if _group(select).args.get("all") else None,
        having=_having(reading, select, places.get("having")),
        with_=places.get("with"),
        hint=places.get("hint"),
        from_=places["from"],
        where=places.get("where"),
    )


def refuse_lost_words(reading: Reading, select: exp.Select) -> None:
    """Refuse what sqlglot passes over; what is refused already may be what it cannot write."""
    for span in lost_words(reading.text, select) if not reading.problems else []:
        reading.refuse_span("text", span, refusals.NOT_UNDERSTOOD)


def _refuse_missing_clauses(reading: Reading, places: dict[str, Span], grouped: bool) -> None:
    if "select" not in places:
        words = ("there is no SELECT", "write SELECT ... FROM ...")
        reading.refuse_span("SELECT", places.get("from"), words)
        raise NotReadError
    if "from" not in places or places["from"][0] < places["select"][0]:
        words = ("there is no FROM, so that no row can be new", "read a table")
        if "from" in places:
            words = ("FROM stands before SELECT", "write SELECT ... FROM ...")
        reading.refuse_span("FROM", places.get("from", places["select"]), words)
        raise NotReadError
    if places.get("group by", (1, 1))[0] > places.get("group by", (1, 1))[1]:
        words = (
            "GROUP BY names nothing",
            "group by the key and by session_window(time, gap) or window(time, size)",
        )
        reading.refuse_span("GROUP BY", places["select"], words)
        raise NotReadError
    if grouped and "group by" not in places:
        words = (
            "there is no GROUP BY, and only windows that rows are grouped by are kept up to date",
            "group by the key and by session_window(time, gap) or window(time, size)",
        )
        reading.refuse_span("GROUP BY", places["select"], words)
        raise NotReadError


def _items(reading: Reading, select: exp.Select, span: Span) -> list[Item]:
    text = reading.text
    spans = text.parts(span)
    if len(spans) != len(select.expressions):
        _lost(reading, "SELECT", span)
    items = []
    for node, part in zip(select.expressions, spans, strict=True):
        alias = None
        if isinstance(node, exp.Aliases):
            words = ("one expression has several names", "give each column its own expression")
            reading.refuse_span("SELECT", part, words)
            continue
        if isinstance(node, exp.Alias):
            alias = node.alias
            node = node.this
            part = (part[0], part[1] - (2 if text.word(part[1] - 1) == "as" else 1))
        # `select 1 as, ...`: sqlglot passes over the word, Spark takes it for a name
        if not text.reads(part, node) or text.word(part[1]) == "as":
            _lost(reading, "SELECT", part)
        items.append(Item(node, part, alias))
    return items


def is_of_sets(group: exp.Group) -> bool:
    """Whether GROUP BY has ROLLUP, CUBE or GROUPING SETS, or what else there is beside groups."""
    sets = {"Rollup", "Cube", "GroupingSets"} & {type(node).__name__ for node in group.expressions}
    return bool(sets or clauses_of(group).keys() - {"expressions", "all"})


def _groups(reading: Reading, select: exp.Select, span: Span) -> list[tuple[exp.Expression, Span]]:
    group = _group(select)
    if is_of_sets(group):
        words = (
            "ROLLUP, CUBE and GROUPING SETS count a row in several groups; here it is in one",
            "write one model for each grouping",
        )
        reading.refuse_span("GROUP BY", span, words)
        return []
    if group.args.get("all"):
        if group.expressions or span[0] != span[1]:
            _lost(reading, "GROUP BY", span)
        return []
    parts = reading.text.parts(span)
    if len(parts) != len(group.expressions):
        _lost(reading, "GROUP BY", span)
    groups = list(zip(group.expressions, parts, strict=True))
    for node, part in groups:
        if not reading.text.reads(part, node):
            _lost(reading, "GROUP BY", part)
    return groups


def _group(select: exp.Select) -> exp.Group:
    group = select.args.get("group")
    return group if isinstance(group, exp.Group) else exp.Group()


def _having(
    reading: Reading, select: exp.Select, span: Span | None
) -> tuple[exp.Expression, Span] | None:
    having = select.args.get("having")
    if not isinstance(having, exp.Having):
        return None
    if span is None or not reading.text.reads(span, having.this):
        _lost(reading, "HAVING", span)
        return None
    return having.this, span


def _lost(reading: Reading, clause: str, span: Span | None) -> None:
    reading.refuse_span(clause, span, refusals.NOT_UNDERSTOOD)
    raise NotReadError
