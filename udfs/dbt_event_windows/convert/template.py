"""A dbt model as SQL: what is Jinja becomes names, which are Jinja again in the result."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field

from sqlglot import exp

from dbt_event_windows.convert.jinja_calls import read_call, written_out
from dbt_event_windows.convert.problems import NotUnderstoodError
from dbt_event_windows.plain_sql.problems import Problem

# Jinja ends behind its texts, which may hold Jinja themselves, as hooks in a config do.
_INSIDE = r"""((?>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|.)*?)"""
_PIECE = re.compile(
    rf"\{{#.*?#\}}|\{{%[-+]?{_INSIDE}[-+]?%\}}|\{{\{{-?{_INSIDE}-?\}}\}}", re.DOTALL
)
_SET = re.compile(r"set\s+(\w+)\s*=\s*(.+)", re.DOTALL)
_TEXT = re.compile(r"'[^']*'|\"[^\"]*\"")
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_PLACEHOLDER = "jinja_placeholder_"
COMPILED = "convert the compiled SQL instead: target/compiled/.../model.sql after dbt compile"


@dataclass
class Template:
    """`sql` has the lines of the model; `config` is what the model configures, as it is written."""

    sql: str = ""
    config: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)

    def placeholder(self, piece: str) -> str:
        """The name that stands for a piece of Jinja."""
        known = {written: name for name, written in self._names.items()}
        return known.get(piece) or self._add(piece)

    def _add(self, piece: str) -> str:
        # no digit behind it is of its number
        name = f"{_PLACEHOLDER}{len(self._names) + 1}_"
        self._names[name] = piece
        return name

    def check_places(self, select: exp.Expression) -> None:
        """Jinja is taken for a value or a relation; behind one it would be read as a name for it.

        Raises:
            NotUnderstoodError: it stands where SQL has an alias.
        """
        for node in select.find_all(exp.Alias, exp.TableAlias):
            name = node.alias_or_name.lower()
            if name in self._names:
                line = self.sql.count("\n", 0, self.sql.index(name)) + 1
                problem = "it may be any SQL behind what it follows, or a name"
                raise NotUnderstoodError([Problem("Jinja", line, name, problem, COMPILED)])

    def restored(self, sql: str) -> str:
        """SQL with the Jinja that names stand for."""
        pattern = rf"{_PLACEHOLDER}\d+_"
        return re.sub(pattern, lambda found: self._names[found[0].lower()], sql, flags=re.I)


def is_placeholder(name: str) -> bool:
    """Whether a name is, or holds, what stands for a piece of Jinja."""
    return _PLACEHOLDER in name.lower()


def read_template(text: str, dialect: str = "spark") -> Template:
    """The SQL of a model as a full refresh runs it, in a warehouse.

    Raises:
        NotUnderstoodError: there is Jinja whose SQL the text does not say, such as a loop.
    """
    return _Reader(text, dialect).read()


class _Reader:
    def __init__(self, text: str, dialect: str) -> None:
        self.text = text
        self.dialect = dialect
        self.template = Template()
        self.values: dict[str, str] = {}
        # of each open `if is_incremental()`: whether what follows is kept
        self.kept: list[bool] = []
        # blocks that are open in what is left out
        self.inside = 0
        self.dropped = ""

    def read(self) -> Template:
        after, before = 0, ""
        for piece in _PIECE.finditer(self.text):
            self._write(_stripped(self.text[after : piece.start()], before, piece[0]))
            new = self._replacement(piece)
            self._write(new)
            # as many lines as before, so that lines are those of the model
            missing = piece[0].count("\n") - (new.count("\n") if all(self.kept) else 0)
            self.template.sql += "\n" * missing
            after, before = piece.end(), piece[0]
        self._write(_stripped(self.text[after:], before, ""))
        if self.kept:
            raise self._not_read("if", self.text.count("\n") + 1, "an {% if %} is not closed")
        return self.template

    def _write(self, text: str) -> None:
        if all(self.kept):
            self.template.sql += text
        else:
            self.template.sql += "\n" * text.count("\n")
            self.dropped += text

    def _replacement(self, piece: re.Match[str]) -> str:
        line = self.text.count("\n", 0, piece.start()) + 1
        if piece[1] is not None:
            self._statement(piece[1].strip(), line)
        elif piece[2] is not None:
            return self._output(piece[0], piece[2], line)
        return ""

    def _statement(self, words: str, line: int) -> None:
        plain = re.sub(r"\s+", " ", words)
        if not all(self.kept) and self._is_of_another_block(plain):
            return
        if plain in ("if is_incremental()", "if not is_incremental()"):
            self.kept.append("not" in plain)
        elif plain == "else" and self.kept:
            self._end_of_branch()
            self.kept[-1] = not self.kept[-1]
        elif plain == "endif" and self.kept:
            self._end_of_branch()
            self.kept.pop()
        elif not all(self.kept) and not plain.startswith("elif"):
            return
        elif (given := _SET.fullmatch(words)) and _literal(given[2]) is not None:
            self.values[given[1]] = str(_literal(given[2]))
        else:
            raise self._not_read(words, line, "what SQL this Jinja makes, the text does not say")

    def _is_of_another_block(self, words: str) -> bool:
        """Whether a statement in what is left out belongs to a block in there."""
        first = words.partition(" ")[0]
        if first in ("if", "for"):
            self.inside += 1
            return True
        is_of_it = self.inside > 0
        if first in ("endif", "endfor"):
            self.inside -= is_of_it
        return is_of_it

    def _end_of_branch(self) -> None:
        if dropped := " ".join(self.dropped.split()):
            self.template.notes.append(f"left out, as a refresh reads new rows alone: {dropped}")
        self.dropped = ""

    def _output(self, piece: str, inner: str, line: int) -> str:
        words = inner.strip()
        if not all(self.kept):
            return piece
        if words in self.values:
            return self.values[words]
        call = read_call(words, self.values)
        sql, note = written_out(call, self.dialect) if call is not None else ("", "")
        if sql:
            self.template.notes.extend([note] if note else [])
            return sql
        for name in _NAME.findall(_TEXT.sub("", words)):
            if name in self.values:
                # what stays Jinja is without what sets it
                problem = f"what is set as {name} is used here in a way that is not known"
                raise self._not_read(words, line, problem)
        if call is not None and call.name == "config":
            self.template.config.update(call.keywords)
            return ""
        if call is not None and call.name == "this":
            raise self._not_read(words, line, "the model reads its own table")
        return self.template.placeholder(f"{{{{{inner}}}}}")

    def _not_read(self, words: str, line: int, problem: str) -> NotUnderstoodError:
        piece = " ".join(words.split())[:100]
        return NotUnderstoodError([Problem("Jinja", line, piece, problem, COMPILED)])


def _stripped(text: str, before: str, behind: str) -> str:
    """A text between two pieces of Jinja without the spaces that `-}}` and `{{-` take off it.

    New lines stay: what is written stands in other lines, and without the signs.
    """
    text = text.lstrip(" \t") if before.endswith("-}}") else text
    return text.rstrip(" \t") if behind.startswith("{{-") else text


def _literal(words: str) -> str | int | float | None:
    """The number or text that Jinja sets."""
    try:
        value = ast.literal_eval(words.strip())
    except (ValueError, SyntaxError):
        return None
    return value if isinstance(value, str | int | float) else None
