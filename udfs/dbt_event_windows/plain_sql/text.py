"""The user's text, and where in it the pieces stand that sqlglot read.

What is made of a text is made of its own words: sqlglot says what a piece is, and the words are cut
out of the text. So nothing depends on how sqlglot would write a piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sqlglot import Token, exp
from sqlglot.errors import SqlglotError

from dbt_event_windows.plain_sql.dialect import parse, tokenize

# The first and last token of a piece, both inclusive.
Span = tuple[int, int]

_OPEN, _CLOSE = "([", ")]"
_LONGEST_PIECE = 100
# What words are made of, or held by: signs of no text stand where something is put in later.
_OF_WORDS = r"[\w\x00\x01]"


def children(node: exp.Expression) -> Iterator[exp.Expression]:
    """The expressions right below one, in the order in which they are kept."""
    for value in node.args.values():
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, exp.Expression):
                yield child


def nodes(node: exp.Expression) -> Iterator[exp.Expression]:
    """An expression and all below it, from the top."""
    yield node
    for child in children(node):
        yield from nodes(child)


class UserText:
    """A text with its tokens. Comments are blanks in `text`; line and place of all else remain.

    Raises:
        sqlglot.errors.TokenError: a string, a quoted name or a comment is not closed.
    """

    def __init__(self, text: str) -> None:
        self.tokens: list[Token] = tokenize(text)
        self.gaps = list(self._gaps(text))
        self.original = self.text = text
        for start, end in self.gaps:
            blank = re.sub(r"\S", " ", text[start:end])
            self.text = self.text[:start] + blank + self.text[end:]
        # `group /* all */ by` are two words to sqlglot, and one token without the comment
        if self.text != text:
            self.tokens = tokenize(self.text)
        # A number with a suffix, `1L`, is three tokens in one place.
        self._at = {token.start: place for place, token in reversed(list(enumerate(self.tokens)))}
        self._closes = dict(self._brackets())
        self._opens = {close: start for start, close in self._closes.items()}
        self.in_types = frozenset(self._within_types())

    def _gaps(self, text: str) -> Iterator[tuple[int, int]]:
        """What lies between tokens: blanks and comments, as (start, end)."""
        after = 0
        for token in self.tokens:
            if token.start > after:
                yield after, token.start
            after = max(after, token.end + 1)
        yield after, len(text)

    def _brackets(self) -> Iterator[Span]:
        stack: list[int] = []
        for place, token in enumerate(self.tokens):
            if self.is_plain(place) and token.text in tuple(_OPEN):
                stack.append(place)
            elif self.is_plain(place) and token.text in tuple(_CLOSE) and stack:
                yield stack.pop(), place

    def _within_types(self) -> Iterator[int]:
        """The places between the brackets of types, and these: `map<string, array<int>>`."""
        depth = 0
        for place in range(len(self.tokens)):
            is_open = self.word(place) == "<" and self.word(place - 1) in ("array", "map", "struct")
            depth += is_open
            if depth:
                yield place
            depth -= bool(depth) and self.word(place) == ">"

    # words

    def is_plain(self, place: int) -> bool:
        """Whether a token is as it stands in the text: no string, no quoted name."""
        token = self.tokens[place]
        written = self.text[token.start : token.end + 1]
        # sqlglot makes one token of `group by`
        return " ".join(written.split()).upper() == token.text.upper()

    def word(self, place: int) -> str:
        """A token in lower case, such as `group by`; nothing for strings and quoted names."""
        if not 0 <= place < len(self.tokens) or not self.is_plain(place):
            return ""
        return self.tokens[place].text.lower()

    def is_path(self, place: int) -> bool:
        """Whether this is the colon of `value:path`, and none of a type or before a parameter."""
        is_within = 0 < place < len(self.tokens) - 1
        if self.word(place) != ":" or place in self.in_types or not is_within:
            return False
        before, colon = self.tokens[place - 1], self.tokens[place]
        return before.end + 1 == colon.start and bool(re.match(r"[\w`)\]]", self.text[before.end]))

    def slice(self, span: Span) -> str:
        return self.text[self.tokens[span[0]].start : self.tokens[span[1]].end + 1]

    def line(self, place: int) -> int:
        """The line of a token, counted from 1."""
        return self.text.count("\n", 0, self.tokens[place].start) + 1

    def shown(self, span: Span) -> str:
        """A piece in one line, cut where it is long."""
        piece = " ".join(self.slice(span).split())
        return piece if len(piece) <= _LONGEST_PIECE else piece[: _LONGEST_PIECE - 3] + "..."

    def top(self, span: Span) -> Iterator[int]:
        """The places of a span that are in none of its brackets."""
        place = span[0]
        while place <= span[1]:
            yield place
            place = self._closes.get(place, place)
            if place > span[1]:
                return
            place += 1

    def parts(self, span: Span) -> list[Span]:
        """What the commas of a span separate."""
        commas = [
            place
            for place in self.top(span)
            if self.word(place) == "," and place not in self.in_types
        ]
        starts = [span[0], *(comma + 1 for comma in commas)]
        ends = [*(comma - 1 for comma in commas), span[1]]
        return list(zip(starts, ends, strict=True))

    def spliced(self, span: Span, replaced: Iterable[tuple[Span, str]]) -> str:
        """A piece with some pieces of it replaced; they must not overlap.

        No word grows together with another: `max(a)is null` has no blank.
        """
        cut = self.tokens[span[0]].start
        pieces = []
        for (first, last), new in sorted(replaced):
            pieces += [self.text[cut : self.tokens[first].start], new]
            cut = self.tokens[last].end + 1
        pieces.append(self.text[cut : self.tokens[span[1]].end + 1])
        text = ""
        for piece in pieces:
            touch = re.fullmatch(f"{_OF_WORDS}{{2}}", text[-1:] + piece[:1])
            text += f" {piece}" if touch else piece
        return text

    # pieces

    def span(self, node: exp.Expression) -> Span | None:
        """Where an expression stands: the tokens that, read alone, are this expression again."""
        argument = self._argument(node)
        if argument is not None and self.reads(argument, node):
            return argument
        around = self.around(node)
        candidates = self._candidates(around) if around is not None else self._conditions(node)
        return next((span for span in candidates if self.reads(span, node)), None)

    def _argument(self, node: exp.Expression) -> Span | None:
        """Where the argument of a call stands: between commas of its brackets."""
        call = node.parent
        if not isinstance(call, exp.Anonymous):
            return None
        opens = self._at.get(call.meta.get("start", -1), -2) + 1
        if opens not in self._closes or self._closes[opens] == opens + 1:
            return None
        parts = self.parts((opens + 1, self._closes[opens] - 1))
        place = next((i for i, one in enumerate(call.expressions) if one is node), len(parts))
        return parts[place] if place < len(parts) else None

    def _conditions(self, node: exp.Expression) -> Iterator[Span]:
        """Where the condition of a FILTER may stand: of `true` sqlglot does not say it."""
        filtered = node.parent.parent if isinstance(node.parent, exp.Where) else None
        around = self.around(filtered) if isinstance(filtered, exp.Filter) else None
        for place in range(around[1], len(self.tokens) - 1) if around is not None else ():
            if self.word(place) == "filter" and place + 1 in self._closes:
                yield place + 3, self._closes[place + 1] - 1

    def around(self, node: exp.Expression) -> Span | None:
        """The tokens from the first to the last that sqlglot says where they stand."""
        places = []
        for below in nodes(node):
            start = below.meta.get("start")
            if start in self._at:
                place = self._at[start]
                places += [place, self._same_place(place)]
        return (min(places), max(places)) if places else None

    def near(self, node: exp.Expression) -> Span | None:
        """Where an expression stands, or the smallest one around it of which that is known."""
        around = self.around(node)
        if around is not None:
            return self._closed(around)
        parent = node.parent
        return self.near(parent) if isinstance(parent, exp.Expression) else None

    def _same_place(self, place: int) -> int:
        """The last of the tokens that stand where this one stands."""
        start = self.tokens[place].start
        while place + 1 < len(self.tokens) and self.tokens[place + 1].start == start:
            place += 1
        return place

    def region(self, node: exp.Expression) -> Span:
        """The brackets around an expression, without them; the whole text where there are none."""
        around = self.around(node) or (0, 0)
        for place in range(around[0] - 1, -1, -1):
            if self._closes.get(place, -1) > around[1]:
                return place + 1, self._closes[place] - 1
        return 0, len(self.tokens) - 1

    def clause(self, query: exp.Expression, words: str, node: exp.Expression | None) -> Span | None:
        """A clause of a query, from its first words (`order by`) to the end of what it says."""
        top = self.top(self.region(query))
        place = next((one for one in top if self.word(one) == words.lower()), None)
        if place is None:
            return None
        around = self.around(node) if node is not None else None
        last = around[1] if around is not None and around[1] > place else place
        return self._closed((place, last))

    def reads(self, span: Span, node: exp.Expression) -> bool:
        """Whether a piece, read alone, is this expression."""
        # behind SELECT these words would say something of all items
        if span[0] > span[1] or self.word(span[0]) in ("all", "distinct"):
            return False
        piece = "select " + self.slice(span)
        try:
            (select,) = parse(tokenize(piece), piece)
        except (SqlglotError, ValueError):
            return False
        return isinstance(select, exp.Select) and select.expressions == [node]

    def _candidates(self, around: Span) -> Iterator[Span]:
        """Pieces that may be an expression, the nearest first."""
        closed = self._closed(around)
        yield closed
        # what follows the brackets of a call: filter (...), within group (...), ignore nulls
        for first in (closed[0], closed[0] - 1):
            last = closed[1]
            while last + 1 < len(self.tokens) and self.word(last + 1) in _TAILS:
                last = self._closed((first, last + _TAILS[self.word(last + 1)]))[1]
                yield first, last
        # what stands around it: brackets, a name before them, words such as `not` and `end`
        for before in range(5):
            if before > closed[0]:
                return
            first, last = self._closed((closed[0] - before, closed[1]))
            for after in range(min(6, len(self.tokens) - last)):
                yield self._closed((first, last + after))

    def _closed(self, span: Span) -> Span:
        """The span, up to the brackets that open or close in it."""
        first, last = span
        if not 0 <= first <= last < len(self.tokens):
            return span
        for place in range(first, last + 1):
            last = max(last, self._closes.get(place, 0))
            first = min(first, self._opens.get(place, first))
        return (first, last) if (first, last) == span else self._closed((first, last))


# How many tokens each of these words needs at least.
_TAILS = {"filter": 2, "within": 3, "ignore": 2, "respect": 2}
