"""Whether `"x"` is a text, as it is read here: a setting of the session can make it a name."""

from __future__ import annotations

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.text import Span

# Its column is the text 'one', or a number where double quotes hold names.
_QUESTION = 'select "one" from (select 1 as one)'
_NAMES: refusals.Words = (
    "with spark.sql.ansi.doubleQuotedIdentifiers Spark reads this as a name, and here it is a text",
    "write '...' for a text and `...` for a name, or leave the setting out",
)


def questions_about_quotes(reading: Reading) -> list[str]:
    """What Spark must be asked: nothing where the text has no double quotes."""
    return [_QUESTION] if _quoted(reading) else []


def refuse_names_in_quotes(reading: Reading) -> None:
    """Refuse what stands in double quotes where these hold names."""
    quoted = _quoted(reading)
    if not quoted or reading.questions.answers is None:
        return
    ((column,),) = reading.questions.columns(_QUESTION)
    if column.type != "string":
        for span in quoted:
            reading.refuse_span("text", span, _NAMES)


def _quoted(reading: Reading) -> list[Span]:
    text = reading.text
    return [
        (place, place)
        for place, token in enumerate(text.tokens)
        if text.text[token.start : token.start + 1] == '"'
    ]
