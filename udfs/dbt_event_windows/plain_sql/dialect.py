"""Spark's SQL as sqlglot reads it, with every function left as it is written.

sqlglot turns functions that it knows into its own expressions, which are Spark's again only when
they are written out, and not always word by word. Here a function is a name and its arguments, so
that what a text calls can be looked up by the name that Spark will look up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any, ClassVar

from sqlglot import Parser, Token, TokenType, exp
from sqlglot.dialects.spark import Spark
from sqlglot.errors import ErrorLevel, ParseError

if "negate" not in exp.Like.arg_types:
    # It takes `a not like any (...)` for `not a like any (...)`, which is another condition.
    raise ImportError(
        f"sqlglot {version('sqlglot')} is installed where Spark runs Python: models in plain SQL "
        "need 30.15 or a later one. Mend it with: pip install 'sqlglot>=30.15'"
    )

# Calls with a grammar of their own: `cast(a as int)`, `extract(hour from t)`, `trim(both from a)`.
_WITH_GRAMMAR = ("CAST", "TRY_CAST", "EXTRACT", "TRIM", "OVERLAY")

# Words and signs that no clause ends with.
_BEFORE_A_VALUE = {
    *Spark.Parser.CONJUNCTION,
    *Spark.Parser.DISJUNCTION,
    *Spark.Parser.EQUALITY,
    *Spark.Parser.COMPARISON,
    *Spark.Parser.BITWISE,
    *Spark.Parser.TERM,
    *Spark.Parser.FACTOR,
    TokenType.DPIPE,
    TokenType.NOT,
    TokenType.BETWEEN,
    TokenType.LIKE,
    TokenType.CASE,
    TokenType.WHEN,
    TokenType.THEN,
    TokenType.ELSE,
    TokenType.COMMA,
    TokenType.DOT,
    TokenType.L_PAREN,
    TokenType.L_BRACKET,
    TokenType.FROM,
    TokenType.GROUP_BY,
    TokenType.HAVING,
}


class SubstringFrom(exp.Anonymous):  # type: ignore[misc, unused-ignore]
    """`substring(text from 1 for 3)`: a call with words between its arguments."""


class Positive(exp.Unary):  # type: ignore[misc, unused-ignore]
    """`+word`: a number to Spark, whatever the word is; sqlglot passes over the sign."""


class SeveralUnits(exp.Add):  # type: ignore[misc, unused-ignore]
    """`interval 5 hours 30 minutes`: one value to Spark, a sum without brackets to sqlglot."""


def _substring(parser: Any) -> exp.Expression:
    name = parser._tokens[parser._index - 2].text
    arguments = parser._parse_csv(parser._parse_lambda)
    if not parser._match(TokenType.FROM):
        return exp.Anonymous(this=name, expressions=arguments)
    arguments.append(parser._parse_bitwise())
    if parser._match(TokenType.FOR):
        arguments.append(parser._parse_bitwise())
    return SubstringFrom(this=name, expressions=arguments)


def _substring_sql(generator: Any, call: SubstringFrom) -> str:
    words = zip(("", " from ", " for "), map(generator.sql, call.expressions), strict=False)
    return f"{call.this}({''.join(word + sql for word, sql in words)})"


def _several_units_sql(generator: Any, interval: SeveralUnits) -> str:
    more = generator.sql(interval, "expression").removeprefix("INTERVAL ")
    return f"{generator.sql(interval, 'this')} {more}"


def _trim_sql(generator: Any, call: exp.Trim) -> str:
    """Not as LTRIM and its like, whose words are others."""
    if not call.args.get("position") and not call.expression:
        return str(generator.trim_sql(call))
    words = (call.text("position"), generator.sql(call, "expression"), generator.sql(call, "this"))
    return "trim({} {} from {})".format(*words)


class BitOperators:
    """What a parser reads `&`, `^` and `|` with: each binds at a level of its own, as in C.

    To sqlglot they are of one level, which is that of shifts, too.
    """

    BITWISE: ClassVar[dict[Any, Any]] = {}

    def _parse_bitwise(self) -> Any:
        # what sqlglot reads here without its BITWISE are shifts
        operand = super()._parse_bitwise  # type: ignore[misc]
        operand = partial(self._left_to_right, operand, {TokenType.AMP: exp.BitwiseAnd})
        operand = partial(self._left_to_right, operand, {TokenType.CARET: exp.BitwiseXor})
        return self._left_to_right(operand, {TokenType.PIPE: exp.BitwiseOr})

    def _left_to_right(self: Any, operand: Callable[[], Any], operators: dict[Any, Any]) -> Any:
        this = operand()
        while self._match_set(operators):
            made = operators[self._prev.token_type]
            this = self.expression(made(this=this, expression=operand()))
        return this


class SparksOperators(BitOperators):
    """What a parser reads operators with as Spark's grammar binds them, in levels of its own."""

    FACTOR: ClassVar[dict[Any, Any]] = {
        TokenType.STAR: exp.Mul,
        TokenType.SLASH: exp.Div,
        TokenType.MOD: exp.Mod,
        TokenType.DIV: exp.IntDiv,
    }
    TERM: ClassVar[dict[Any, Any]] = {
        TokenType.PLUS: exp.Add,
        TokenType.DASH: exp.Sub,
        TokenType.DPIPE: exp.DPipe,
    }

    def _parse_equality(self: Any, parse_is: bool = True) -> Any:
        compared = self._left_to_right(self._parse_bitwise, self.EQUALITY | self.COMPARISON)
        return self._parse_range(compared) if parse_is else compared

    def _is_predicate_ahead(self) -> bool:
        # IS binds as IN and LIKE do
        return False


class PlainSpark(Spark):
    """The dialect. What it writes is only compared: what is made of a text are its own words."""

    class Parser(SparksOperators, Spark.Parser):  # type: ignore[misc, valid-type]
        FUNCTIONS: ClassVar[dict[str, Any]] = {}
        NO_PAREN_FUNCTIONS: ClassVar[dict[Any, Any]] = {}
        # `array(a, b)[0]` is an element, as that of any call
        ARRAY_CONSTRUCTORS: ClassVar[dict[str, Any]] = {}
        NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
            "CASE": Spark.Parser.NO_PAREN_FUNCTION_PARSERS["CASE"]
        }
        FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
            name: parser
            for name, parser in Spark.Parser.FUNCTION_PARSERS.items()
            if name in _WITH_GRAMMAR
        } | {"SUBSTR": _substring, "SUBSTRING": _substring}

        UNARY_PARSERS: ClassVar[dict[Any, Any]] = {
            **Spark.Parser.UNARY_PARSERS,
            TokenType.PLUS: lambda self: self.expression(Positive(this=self._parse_unary())),
        }

        def _parse_unary(self) -> Any:
            this = self._parse_number_with_sign() or super()._parse_unary()
            # before all operators between two values
            while self._match(TokenType.COLLATE):
                name = [self._parse_id_var()]
                while self._match(TokenType.DOT):
                    name.append(self._parse_id_var())
                collation = exp.Dot.build(name) if len(name) > 1 else name[0]
                collated = self.expression(exp.Collate(this=this, expression=collation))
                this = self._parse_column_ops(collated)
            return this

        def _parse_number_with_sign(self) -> Any:
            # `-1` is one constant, which `::` casts with its sign
            if not self._match_pair(TokenType.DASH, TokenType.NUMBER, advance=False):
                return None
            self._advance()
            number = self.expression(exp.Neg(this=self._parse_primary()))
            return self._parse_column_ops(number)

        def _parse_types(self, *args: Any, **kwargs: Any) -> Any:
            # with the length of CHAR and VARCHAR, which Spark minds where it is set to
            # (spark.sql.preserveCharVarcharTypeInfo); sqlglot's Hive makes STRING of them
            return Parser._parse_types(self, *args, **kwargs)

        def _parse_interval(self, *args: Any, **kwargs: Any) -> Any:
            interval = super()._parse_interval(*args, **kwargs)
            if type(interval) is not exp.Add:
                return interval
            return self.expression(SeveralUnits(**interval.args))

        def _parse_interval_span(self, this: Any, *args: Any, **kwargs: Any) -> Any:
            interval = super()._parse_interval_span(this, *args, **kwargs)
            # sqlglot takes one number and its unit out of a text, whatever else stands there: '.5
            # seconds', '- 1 day'
            if (
                isinstance(this, exp.Literal)
                and this.is_string
                and interval.this is not this
                and not exp.INTERVAL_STRING_RE.fullmatch(this.name)
            ):
                interval = self.expression(exp.Interval(this=this))
            return interval

    class Generator(Spark.Generator):  # type: ignore[misc, valid-type]
        TRANSFORMS: ClassVar[dict[Any, Any]] = {
            **Spark.Generator.TRANSFORMS,
            SubstringFrom: _substring_sql,
            exp.Trim: _trim_sql,
            SeveralUnits: _several_units_sql,
            Positive: lambda generator, node: f"+{generator.sql(node, 'this')}",
        }
        # a CTE within a CTE stays where it is
        EXPRESSIONS_WITHOUT_NESTED_CTES: ClassVar[set[Any]] = set()


_DIALECT = PlainSpark()


def tokenize(text: str) -> list[Token]:
    """The tokens of a text; `start` and `end` count characters, both inclusive.

    Raises:
        sqlglot.errors.TokenError: a string, a quoted name or a comment is not closed.
    """
    tokens = _one_text_of_quotes(list(_DIALECT.tokenize(text)), text)
    for place, token in enumerate(tokens):
        if _is_a_name(token, tokens[:place], tokens[place + 1 : place + 4]):
            tokens[place] = Token(
                TokenType.VAR, token.text, token.line, token.col, token.start, token.end
            )
    return tokens


def _one_text_of_quotes(tokens: list[Token], text: str) -> list[Token]:
    """Strings that touch are one with a quote in it: 'O''Brien'. To sqlglot they are apart."""
    joined: list[Token] = []
    for token in tokens:
        before = joined[-1] if joined else token
        quote = text[token.start : token.start + 1]
        if (
            token.token_type == before.token_type == TokenType.STRING
            and before.end + 1 == token.start
            and text[before.start] == quote
        ):
            whole = before.text + quote + token.text
            token = Token(TokenType.STRING, whole, before.line, before.col, before.start, token.end)
            joined.pop()
        joined.append(token)
    return joined


def _is_a_name(token: Token, before: list[Token], after: list[Token]) -> bool:
    """Whether a word that can begin a clause is a name; sqlglot takes GROUP BY to end before it.

    No clause begins where a value must follow.
    """
    if token.token_type == TokenType.WINDOW:
        # the clause is WINDOW name AS (...)
        return [one.token_type for one in after[1:]] != [TokenType.ALIAS, TokenType.L_PAREN]
    if token.token_type in (TokenType.OFFSET, TokenType.LIMIT):
        return bool(before) and before[-1].token_type in _BEFORE_A_VALUE
    return False


def is_table_query(tokens: list[Token], place: int) -> bool:
    """Whether `(table name)` begins here: all rows of a table, or of a CTE.

    sqlglot takes it for a table or column that is called `table`, with an alias.
    """
    kinds = [token.token_type for token in tokens[max(place - 1, 0) : place + 2]]
    if len(kinds) != 3 or kinds[:2] != [TokenType.L_PAREN, TokenType.TABLE]:
        return False
    # of a column called `table` an operator comes next: `(table is null)`
    is_name = kinds[2] == TokenType.IDENTIFIER or kinds[2] in Spark.Parser.ID_VAR_TOKENS
    return is_name and kinds[2] not in (TokenType.IS, TokenType.IN, TokenType.DIV)


def parse(tokens: list[Token], text: str) -> list[exp.Expression]:
    """The statements of a text; nothing for an empty one.

    Raises:
        sqlglot.errors.ParseError: this is no SQL that sqlglot reads, or has the steps of a pipe or
            a query of the word TABLE alone, which it reads as other queries.
    """
    for place, token in enumerate(tokens):
        if token.token_type == TokenType.PIPE_GT or is_table_query(tokens, place):
            raise ParseError.new("no SELECT", line=token.line, highlight=token.text)
    parsed = statements_of(_DIALECT.parser().parse(tokens, text))
    for statement in parsed:
        _bind_variables(statement)
    return parsed


def statements_of(parsed: Sequence[object]) -> list[exp.Expression]:
    """What sqlglot has read, without what is no statement: a comment behind the last semicolon."""
    found = [one for one in parsed if isinstance(one, exp.Expression)]
    return [one for one in found if not isinstance(one, exp.Semicolon)]


def _bind_variables(statement: exp.Expression) -> None:
    """Let no variable of a lambda be a column, in whatever letters; sqlglot tells letters apart."""
    for function in list(statement.find_all(exp.Lambda)):
        names = {variable.name.lower() for variable in function.expressions}
        for column in list(function.this.find_all(exp.Column)):
            parts = [part.copy() for part in column.parts]
            if parts[0].name.lower() in names:
                column.replace(exp.Dot.build(parts) if len(parts) > 1 else parts[0])


def write(statement: exp.Expression) -> str:
    """A statement as sqlglot has read it."""
    return _DIALECT.generate(statement, unsupported_level=ErrorLevel.IGNORE)
