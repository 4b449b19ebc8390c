"""Words that sqlglot has passed over: what it reads, it must be able to give back."""

from __future__ import annotations

import re
from collections import Counter

from sqlglot import exp

from dbt_event_windows.plain_sql.dialect import write
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.text import Span, UserText

# Words that sqlglot leaves out because they say nothing, and types, which have several names.
_SAY_NOTHING = word_set(
    """
    as all asc inner outer nulls bigint binary boolean byte char date dec decimal double float int
    integer long numeric real short smallint string timestamp timestamp_ltz timestamp_ntz tinyint
    varchar
    """
)
_SAME = {"regexp": "rlike"}


def lost_words(text: UserText, statement: exp.Expression) -> list[Span]:
    """The words and strings of a text that are not in what sqlglot has read of it."""
    lost = _count(text) - _count(UserText(write(statement)))
    places = {_word(text, place): place for place in reversed(range(len(text.tokens)))}
    return [(places[word], places[word]) for word in lost]


def _count(text: UserText) -> Counter[str]:
    words = (_word(text, place) for place in range(len(text.tokens)))
    return Counter(word for word in words if word)


def _word(text: UserText, place: int) -> str:
    """What must not be lost: names, keywords and strings; nothing for signs and numbers."""
    kind = text.tokens[place].token_type.name
    if kind.endswith("STRING"):
        return "'" + text.tokens[place].text
    word = text.tokens[place].text.lower() if kind == "IDENTIFIER" else text.word(place)
    if text.word(place - 1) == "nulls" and word in ("first", "last"):
        return ""  # left out where this is what Spark does anyway
    word = _SAME.get(word, word)
    return word if re.match(r"[^\W\d]", word) and word not in _SAY_NOTHING else ""
