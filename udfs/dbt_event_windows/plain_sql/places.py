"""Where the clauses of the last SELECT stand in the text."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import TokenType

from dbt_event_windows.plain_sql.text import Span, UserText

# The words that begin a clause, each with one that must have come before it.
_FOLLOW = {"where": "from", "group by": "from", "having": "group by"}
_LATER = ("order by", "sort by", "cluster by", "distribute by", "limit", "offset", "qualify")
# These words are no part of what the clause says; `from` is, with its joins and lateral views.
_LEFT_OUT = ("select", "where", "group by", "having")


def clause_places(text: UserText) -> dict[str, Span]:
    """The clauses by their first word, and what stands before: `with`, `hint`."""
    last = len(text.tokens) - 1
    while last > 0 and text.word(last) == ";":
        last -= 1
    starts = list(_starts(text, last))
    ends = [*(place - 1 for _, place in starts[1:]), last]
    places = {
        name: (place + (name in _LEFT_OUT), end)
        for (name, place), end in zip(starts, ends, strict=True)
    }
    if "select" in places:
        _take_off(text, places)
    return places


def _starts(text: UserText, last: int) -> Iterator[tuple[str, int]]:
    seen: set[str] = set()
    for place in text.top((0, last)):
        word = text.word(place)
        kind = text.tokens[place].token_type
        if kind == TokenType.VAR:
            continue  # a name, whatever the word
        if kind == TokenType.WINDOW:
            word = "window"
        elif word == "from":
            # `a is distinct from b`
            if text.word(place - 1) == "distinct":
                continue
        elif word in _FOLLOW:
            if _FOLLOW[word] not in seen:
                continue
        elif word in _LATER:
            if "group by" not in seen:
                continue
        elif word != "select":
            continue
        if word not in seen:
            seen.add(word)
            yield word, place


def _take_off(text: UserText, places: dict[str, Span]) -> None:
    """Part the items of SELECT from what stands before them."""
    first, last = places["select"]
    if first > 1:
        places["with"] = (0, first - 2)
    if first <= last and text.tokens[first].token_type == TokenType.HINT:
        places["hint"] = (first, first)
        first += 1
    if text.word(first) in ("distinct", "all"):
        first += 1
    places["select"] = (first, last)
