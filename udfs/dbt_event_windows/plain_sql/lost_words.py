"""Words that sqlglot has passed over: what it reads, it must be able to give back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from sqlglot import exp

from dbt_event_windows.plain_sql.dialect import write
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.text import Span, UserText

# Words that sqlglot leaves out because they say nothing, and types, which have several names.
_SAY_NOTHING = word_set(
    """
    as all asc inner outer nulls bigint binary boolean byte char character date dec decimal double
    float int integer long numeric real short smallint string timestamp timestamp_ltz timestamp_ntz
    tinyint varchar
    """
)
# `like some (...)` and `is unknown` have other words for sqlglot.
_SAME = {"regexp": "rlike", "some": "any", "unknown": "null"}


def lost_words(text: UserText, statement: exp.Expression) -> list[Span]:
    """The words and strings of a text that are not in what sqlglot has read of it."""
    lost = Counter(word for word, _ in _words(text))
    lost -= Counter(word for word, _ in _words(UserText(write(statement))))
    places = dict(reversed(list(_words(text))))
    return [(places[word], places[word]) for word in lost]


def _words(text: UserText) -> Iterator[tuple[str, int]]:
    """What must not be lost, each with its place: names, keywords and strings; no signs, numbers.

    `interval '30 minutes'` is for sqlglot `interval '30' minutes`.
    """
    for place, token in enumerate(text.tokens):
        kind = token.token_type.name
        if not kind.endswith("STRING"):
            words = [_word(text, place)]
        elif text.word(place - 1) == "interval":
            words = re.findall(r"[a-z]+", token.text.lower())
        else:
            words = ["'" + token.text]
        yield from ((word, place) for word in words if word)


def _word(text: UserText, place: int) -> str:
    token = text.tokens[place]
    word = token.text.lower() if token.token_type.name == "IDENTIFIER" else text.word(place)
    if text.word(place - 1) == "nulls" and word in ("first", "last"):
        return ""  # left out where this is what Spark does anyway
    word = _SAME.get(word, word)
    return word if re.match(r"[^\W\d]", word) and word not in _SAY_NOTHING else ""
