"""Expressions drawn as trees: as an analyst writes them, and with each bracket there can be.

What is written has random blanks, brackets that nothing needs, and none where operators bind by
themselves; a warehouse's own functions stand for operators that it does not have.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

# Operators with two sides, by how they bind; that of Spark is that of BigQuery, too.
_LEVELS = {
    "or": 1, "and": 2, "not": 3, "is null": 4, "in": 4, "between": 4, "=": 5, "<": 5, "<=": 5,
    "<>": 5, "|": 6, "^": 7, "&": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10, "div": 10,
    "neg": 11, "~": 11,
}  # fmt: skip
_WHOLE = 12
_PREDICATES = ("is null", "in", "between")
_NUMBERS = ("|", "^", "&", "+", "-", "*", "/", "%", "div", "neg", "~", "if", "case", "cast", "abs")
_CONDITIONS = ("or", "and", "not", "is null", "in", "between", "=", "<", "<=", "<>")
# Calls of a warehouse that are operators in Spark.
_CALLS: Mapping[str, Mapping[str, str]] = {
    "bigquery": {"div": "div", "%": "mod"},
    "snowflake": {"&": "bitand", "|": "bitor", "^": "bitxor", "~": "bitnot", "%": "mod"},
    "spark": {},
}
_NAMES = {"snowflake": {"if": "iff"}}
# Leaves of Spark's texts, and what they are in full.
_OF_SPARK = {
    "at - interval 1 day 2 hours > b": "((at - (interval '1' day '2' hours)) > b)",
    "b between at - interval 3 hours 5 days and b": "(b between "
    "(at - (interval '3' hours '5' days)) and b)",
    "-1::string = a::string": "((cast((-1) as string)) = (cast(a as string)))",
}


@dataclass(frozen=True)
class Tree:
    """`kind` is an operator or a call; of a leaf it is the text."""

    kind: str
    parts: tuple[Tree, ...] = ()


def draw_tree(
    draw: random.Random,
    dialect: str,
    numbers: tuple[str, ...],
    conditions: tuple[str, ...] = (),
    depth: int = 3,
    is_number: bool = True,
) -> Tree:
    """An expression over leaves of both types."""

    def drawn(is_number: bool) -> Tree:
        return draw_tree(draw, dialect, numbers, conditions, depth - 1, is_number)

    if depth == 0 and is_number:
        return Tree(draw.choice(numbers))
    if depth == 0 or (not is_number and draw.random() < 0.15):
        others = tuple(_OF_SPARK) if dialect == "spark" and not conditions else ()
        if others or conditions:
            return Tree(draw.choice(others or conditions))
        return Tree("<", (Tree(draw.choice(numbers)), Tree("3")))
    if is_number and draw.random() < 0.2:
        return Tree(draw.choice(numbers))
    kind = draw.choice((*_NUMBERS, *3 * list(_CALLS[dialect])) if is_number else _CONDITIONS)
    if kind == "div" and dialect == "snowflake":
        kind = "&"
    if kind in ("if", "case"):
        return Tree(kind, (drawn(False), drawn(True), drawn(True)))
    count = {"neg": 1, "~": 1, "not": 1, "is null": 1, "cast": 1, "abs": 1, "between": 3}
    takes_numbers = kind not in ("or", "and", "not")
    parts = tuple(drawn(takes_numbers) for _ in range(count.get(kind, 2)))
    return Tree(kind, (*parts, Tree("7")) if kind == "in" else parts)


def in_full(tree: Tree, names: Mapping[str, str] | None = None) -> str:
    """Spark's text with every operator in brackets; `names` stand for leaves."""
    names = names or {}
    parts = [in_full(part, names) for part in tree.parts]
    if not parts:
        return _OF_SPARK.get(tree.kind, names.get(tree.kind, tree.kind))
    if tree.kind in ("if", "abs"):
        return f"{tree.kind}({', '.join(parts)})"
    return f"({' '.join(_words(tree.kind, parts))})"


def as_written(draw: random.Random, tree: Tree, dialect: str) -> str:
    """A text of the same in a dialect."""
    text = ""
    for token in _tokens(draw, tree, dialect):
        touches = re.fullmatch(r"[\w`'\"]{2}|--|~~", text[-1:] + token[:1])
        text += " " * (draw.choice([0, 1, 1, 2]) or bool(touches)) + token
    return text.strip()


def _tokens(draw: random.Random, tree: Tree, dialect: str, least: int = 0) -> Iterator[str]:
    """The words and signs of an expression that stands where operators bind at least so much."""
    call = _CALLS[dialect].get(tree.kind)
    leaf = _OF_SPARK.get(tree.kind)
    level = _WHOLE if call or (not tree.parts and leaf is None) else _LEVELS.get(tree.kind, _WHOLE)
    if leaf is not None:
        level = 4
    if level < least or draw.random() < 0.15:
        yield from ("(", *_tokens(draw, tree, dialect), ")")
    elif not tree.parts:
        yield tree.kind
    elif call or tree.kind in ("if", "abs"):
        yield call or _NAMES.get(dialect, {}).get(tree.kind, tree.kind)
        yield "("
        for place, part in enumerate(tree.parts):
            yield from ([","] if place else [])
            yield from _tokens(draw, part, dialect)
        yield ")"
    else:
        needs = _needs(tree, level, dialect)
        marks = [f"\x00{place}" for place in range(len(tree.parts))]
        for word in _words(tree.kind, marks):
            for token in re.findall(r"\x00\d|\w+|[^\w\s(),]+|[(),]", word):
                if token.startswith("\x00"):
                    place = int(token[1:])
                    yield from _tokens(draw, tree.parts[place], dialect, needs[place])
                else:
                    yield _type(token, dialect)


def _needs(tree: Tree, level: int, dialect: str) -> list[int]:
    """How much each operand must bind to stand without brackets."""
    if tree.kind in ("case", "cast"):
        return [0] * len(tree.parts)
    if len(tree.parts) == 1 and tree.kind not in _PREDICATES:
        return [level]
    if tree.kind in _PREDICATES or level == _LEVELS["="]:
        # Spark reads `a = b < c` and `a = b is null` from the left
        first = _LEVELS["="] if dialect == "spark" else _LEVELS["|"]
        rest = 0 if tree.kind == "in" else _LEVELS["|"]
        return [first, *[rest] * (len(tree.parts) - 1)]
    return [level, level + 1]


def _words(kind: str, parts: list[str]) -> list[str]:
    if kind == "case":
        return ["case when", parts[0], "then", parts[1], "else", parts[2], "end"]
    if kind == "cast":
        return [f"cast({parts[0]} as bigint)"]
    if kind == "is null":
        return [parts[0], "is null"]
    if kind == "in":
        return [parts[0], "in", f"({', '.join(parts[1:])})"]
    if kind == "between":
        return [parts[0], "between", parts[1], "and", parts[2]]
    if len(parts) == 1:
        return ["-" if kind == "neg" else kind, parts[0]]
    return [parts[0], kind, parts[1]]


def _type(word: str, dialect: str) -> str:
    return "int64" if word == "bigint" and dialect == "bigquery" else word
