"""SQL of four warehouses in, Spark SQL out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import sqlglot
from sqlglot import Dialect as SqlglotDialect
from sqlglot import ErrorLevel, TokenType, exp
from sqlglot.dialects.bigquery import BigQuery
from sqlglot.dialects.databricks import Databricks
from sqlglot.dialects.snowflake import Snowflake
from sqlglot.errors import ParseError, SqlglotError, TokenError, UnsupportedError

from dbt_event_windows.convert.brackets import as_it_binds, in_brackets, not_told, read
from dbt_event_windows.convert.problems import NotUnderstoodError, not_understood
from dbt_event_windows.convert.same import bare, key_of, outer_windows, replaced
from dbt_event_windows.plain_sql.comments import refused_comments
from dbt_event_windows.plain_sql.dialect import (
    BitOperators,
    PlainSpark,
    SparksOperators,
    parse,
    statements_of,
    tokenize,
)
from dbt_event_windows.plain_sql.lost_words import lost_words
from dbt_event_windows.plain_sql.problems import Problem
from dbt_event_windows.plain_sql.statement import not_read
from dbt_event_windows.plain_sql.text import UserText, children, nodes

DIALECTS = ("spark", "databricks", "bigquery", "snowflake")
_SIGNS = {
    "bigquery": r"\b(timestamp|datetime)_(diff|trunc|add|sub|bucket)\s*\(|\bsafe_cast\s*\(|"
    r"\bcountif\s*\(|\b(int64|float64)\b|\bunnest\s*\(|\bsafe_(offset|ordinal)\s*\(|"
    r"\bdate\s*\([^(),]+,\s*'([a-z]+/|utc|[-+]\d)|\bdate_trunc\s*\([^(),']+,\s*[a-z]+\b|"
    r"`[\w-]+\.[\w-]+\.[\w*-]+`",
    "snowflake": r"\bconditional_(true|change)_event\s*\(|\biff\s*\(|\btime_slice\s*\(|"
    r"\bdate(diff|add)\s*\(\s*'[a-z]|\bto_timestamp_tz\s*\(|\bcurrent_timestamp\s*\(\s*\)\s*::|"
    r"\bdate_part\s*\(\s*'?epoch|\btimestamp_ntz\b\s*\(",
}
_DISTANCES = ("datediff", "date_diff", "timestampdiff")
_ELSEWHERE = (
    "In Snowflake and Redshift datediff counts the units that begin between two times, in "
    "Spark those that have passed: another gap"
)
# What stands for a call with OVER within another.
_INNER = "_ew_over_{}"
_KEPT_CASE = (TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER)


class _Snowflake(Snowflake):
    """Snowflake's SQL with `+text`, a number there; sqlglot passes over the sign."""

    class Parser(Snowflake.Parser):  # type: ignore[misc, valid-type]
        UNARY_PARSERS: ClassVar[dict[Any, Any]] = {
            **Snowflake.Parser.UNARY_PARSERS,
            TokenType.PLUS: lambda self: _positive(self._parse_unary()),
        }


class _BigQuery(BigQuery):
    """BigQuery's SQL with the levels that `&`, `^` and `|` have there, as in Spark."""

    class Parser(BitOperators, BigQuery.Parser):  # type: ignore[misc, valid-type]
        pass


class _Databricks(Databricks):
    """Databricks' SQL as `PlainSpark` has it: operators, the length of CHAR and VARCHAR."""

    class Parser(SparksOperators, Databricks.Parser):  # type: ignore[misc, valid-type]
        _parse_types = PlainSpark.Parser._parse_types


def _positive(value: exp.Expression) -> exp.Expression:
    is_number = isinstance(value, exp.Literal) and not value.is_string
    return value if is_number else exp.Anonymous(this="positive", expressions=[value])


_READ: dict[str, type[SqlglotDialect]] = {"bigquery": _BigQuery, "snowflake": _Snowflake}


@dataclass(frozen=True)
class Dialect:
    """The SQL of one warehouse: how it is read, and what of it is Spark's."""

    name: str

    @property
    def is_spark(self) -> bool:
        return self.name in ("spark", "databricks")

    @property
    def first_day(self) -> str:
        """The day on which weeks begin where none is named."""
        return "sunday" if self.name == "bigquery" else "monday"

    def read(self, sql: str) -> exp.Select:
        """The one SELECT of a text.

        Raises:
            NotUnderstoodError: there is none, or it cannot be read in this dialect.
        """
        try:
            if self.is_spark:
                statements = parse(tokenize(sql), sql)
            else:
                statements = statements_of(_parsed(sql, _READ.get(self.name, self.name)))
        except (ParseError, TokenError, ValueError) as error:
            problem = not_read(error, sql)
            mend = (
                f"it was read as {self.name}; name another dialect with --dialect, or mend the text"
            )
            raise NotUnderstoodError(
                [Problem("text", problem.line, problem.text, problem.problem, mend)]
            ) from error
        if len(statements) == 1 and isinstance(statements[0], exp.Select):
            if self.is_spark:
                _refuse_what_spark_reads_elsewhere(sql, statements[0])
            else:
                _refuse_what_is_not_told(statements[0])
            return statements[0]
        words = ("this is not one SELECT", "give a model whose last statement is one SELECT")
        raise NotUnderstoodError([Problem("text", 1, "", *words)])

    def typed(self, node: exp.Expression) -> exp.Expression:
        """An expression with the functions that sqlglot knows as what they are.

        Spark's own texts are read with every function as it is written (see `PlainSpark`).
        """
        if not self.is_spark:
            return node
        windows = [one for child in children(node) for one in outer_windows(child)]
        inner = [self.typed(one) for one in windows]
        if any(one is window for one, window in zip(inner, windows, strict=True)):
            return node
        again = _again(node, windows)
        if again is None:
            return node
        known = {_INNER.format(at): one for at, one in enumerate(inner)}
        for name in list(again.find_all(exp.Column)):
            if name.name in known:
                name.replace(known[name.name])
        return again

    def written_in(self, pieces: Iterable[exp.Expression], node: exp.Expression) -> exp.Expression:
        """A typed expression as the model writes it, if it does in one of some pieces."""
        for piece in pieces:
            for one in nodes(piece):
                if isinstance(one, exp.Identifier | exp.DataType | exp.Var):
                    continue
                if key_of(self.typed(one)) == key_of(node):
                    return bare(one).copy()
        return node

    def written(self, node: exp.Expression) -> str:
        """A SELECT as Spark SQL, in lines, with keywords in small letters.

        Raises:
            NotUnderstoodError: sqlglot knows that Spark's SQL has no words for a part of it, or
                what it writes binds operators in another way.
        """
        sql = self._text(in_brackets(node, self._text))
        if read(sql) != as_it_binds(node, self._text):
            words = (
                "the translation to Spark's SQL binds operators in another way",
                "put brackets around each part of what is computed, or compute it below",
            )
            raise NotUnderstoodError([Problem("text", 1, "", *words)])
        return sql

    def _text(self, node: exp.Expression) -> str:
        try:
            sql = node.sql(
                dialect=PlainSpark if self.is_spark else "databricks",
                pretty=True,
                indent=4,
                pad=4,
                max_text_width=100,
                normalize_functions="lower",
                unsupported_level=ErrorLevel.IGNORE if self.is_spark else ErrorLevel.RAISE,
            )
        except UnsupportedError as error:
            problem = f"Spark's SQL has no words for this: {error}"
            mend = "do it in the model that is read here, in Spark's words"
            raise NotUnderstoodError([Problem("text", 1, "", problem, mend)]) from error
        return _small(sql)


def _again(node: exp.Expression, windows: Sequence[exp.Expression]) -> exp.Expression | None:
    """An expression as sqlglot reads it; none if it leaves a part out.

    Names stand for some calls with OVER in it: sqlglot takes IGNORE NULLS out of them, for that of
    the aggregate around them.
    """
    places = {id(one): at for at, one in enumerate(windows)}
    written = replaced(
        node, lambda one: exp.column(_INNER.format(places[id(one)])) if id(one) in places else None
    )
    # databricks: of Spark's `datediff(minute, a, b)` sqlglot would make one of dates
    try:
        whole = in_brackets(written, lambda one: str(one.sql(dialect=PlainSpark)))
        again = sqlglot.parse_one(whole.sql(dialect=PlainSpark), read=_Databricks)
    except (ParseError, ValueError):
        return None
    if not isinstance(again, exp.Expression) or _has_less(again, written):
        return None
    _number_lines(again, written)
    return again


def _parsed(sql: str, dialect: str | type[SqlglotDialect]) -> Sequence[object]:
    """The statements of a text as sqlglot reads them, which fails by a fault of its own, too."""
    try:
        return sqlglot.parse(sql, read=dialect)
    except AttributeError as error:  # at a call of which a part is missing
        raise ValueError(sql) from error


def guessed(sql: str) -> Dialect:
    """The dialect whose own words a text has; spark where there are none."""
    found = {name: len(re.findall(signs, sql, re.I)) for name, signs in _SIGNS.items()}
    best = max(found, key=lambda name: found[name])
    return Dialect(best if found[best] else "spark")


def note_of_guess(dialect: Dialect, select: exp.Select) -> str:
    """What to know of a model that was read in a dialect that nobody has named."""
    if not dialect.is_spark:
        return f"read as the SQL of {dialect.name}, by words in it: --dialect names another"
    note = "read as Spark's SQL, as no word in it is another's alone: --dialect names another"
    counts = [one for one in select.find_all(exp.Anonymous) if str(one.this).lower() in _DISTANCES]
    return f"{note}. {_ELSEWHERE}" if counts else note


def _refuse_what_spark_reads_elsewhere(sql: str, select: exp.Select) -> None:
    """Refuse words that sqlglot has passed over, or taken for those of a comment."""
    text = UserText(sql)
    words = ("this is not understood here", "write it in another way, or leave it out")
    lost = [((place, place), why) for place, why in refused_comments(text)]
    lost += [(at, words) for at in lost_words(text, select)]
    if lost:
        raise NotUnderstoodError(
            Problem("text", text.line(at[0]), text.shown(at), *why) for at, why in lost
        )


def _refuse_what_is_not_told(select: exp.Select) -> None:
    part = not_told(select)
    if part is not None:
        problem = "without brackets this may be computed in one order or another"
        raise not_understood("SELECT", part, problem, "put what is computed first into brackets")


def _has_less(again: exp.Expression, node: exp.Expression) -> bool:
    """Whether sqlglot has left an argument out, such as the zone in `date(time, zone)`."""
    lost = Counter(_leaves(node))
    lost -= Counter(_leaves(again))
    # a format of times has other letters there
    return lost.total() > sum(one.arg_key == "format" for one in nodes(again))


def _leaves(node: exp.Expression) -> Iterator[str]:
    """Names, constants and units, of which sqlglot makes one of another kind."""
    for one in nodes(node):
        if isinstance(one, exp.Identifier | exp.Literal | exp.Var):
            yield str(one.this).lower()


def _number_lines(again: exp.Expression, node: exp.Expression) -> None:
    """Give names the lines that they had; both have the same names in the same order."""
    lines: dict[str, list[int | None]] = {}
    for name in node.find_all(exp.Identifier, bfs=False):
        parent = name.parent
        line = name.meta.get("line") or (parent.meta.get("line") if parent is not None else None)
        lines.setdefault(name.name.lower(), []).append(line)
    names = list(again.find_all(exp.Identifier))
    names.sort(key=lambda name: name.meta.get("start", 0))
    for one in again.walk():
        one.meta.pop("line", None)
    for name in names:
        line = next(iter(lines.get(name.name.lower(), [])), None)
        if line is not None:
            name.meta["line"] = line
            lines[name.name.lower()].pop(0)


def _small(sql: str) -> str:
    """SQL with keywords and names of functions in small letters; its first word is one."""
    try:
        tokens = sqlglot.tokenize(sql, read="databricks")
    except SqlglotError:
        return sql
    for before, token in pairwise([*tokens[:1], *tokens]):
        piece = sql[token.start : token.end + 1]
        if before.token_type == TokenType.DOT:
            continue  # the key of a map, whatever word it is
        if piece[:1].isdigit():
            continue  # 3600L, a number and its type
        is_call = token.token_type == TokenType.VAR and sql[token.end + 1 : token.end + 2] == "("
        if (is_call or token.token_type not in _KEPT_CASE) and piece.upper() == piece:
            sql = sql[: token.start] + piece.lower() + sql[token.end + 1 :]
    return sql
