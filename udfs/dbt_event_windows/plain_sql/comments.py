"""Comments that end elsewhere for Spark than for sqlglot."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dbt_event_windows.plain_sql.refusals import Words
from dbt_event_windows.plain_sql.text import UserText

_ELSEWHERE: tuple[tuple[re.Pattern[str], Words], ...] = (
    (
        # Spark reads on in the next line; sqlglot does not.
        re.compile(r"--[^\n]*\\\r?\n"),
        (
            "a comment before this ends with a backslash, which makes the next line a comment for "
            "Spark",
            "take the backslash away",
        ),
    ),
    (
        # Spark's comments hold others, but for hints; sqlglot's hold these, too.
        re.compile(r"/\*.*?/\*\+", re.DOTALL),
        (
            "a comment before this has /*+ in it, behind which it ends at the first */ for Spark",
            "take the + away, or close the comment before it",
        ),
    ),
)


def refused_comments(text: UserText) -> Iterator[tuple[int, Words]]:
    """The tokens behind such comments, each with why it is refused."""
    for start, end in text.gaps:
        for pattern, words in _ELSEWHERE:
            if pattern.search(text.original[start:end]):
                later = (place for place, one in enumerate(text.tokens) if one.start >= end)
                yield next(later, len(text.tokens) - 1), words
