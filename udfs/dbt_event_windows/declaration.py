"""A user's own aggregate: Kafka's initializer, aggregator and session merger (KIP-94) in one class.

Nothing is imported here but the standard library: Spark's Python workers import this module for
each function.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from dbt_event_windows.errors import AggregatorError

METHODS = ("zero", "reduce", "merge", "finish")
_DECLARATION = "__event_windows_declaration__"


class Aggregator:
    """What an aggregate does. The state may be a dict, a tuple, a dataclass or a plain value.

    A window's rows are reduced in pieces, and pieces are merged as they meet: a late row is
    reduced by itself and merged into what is there. So the result must be the same however rows
    are divided and in whatever order they come; `dbt_event_windows.testing.check_merge_law`
    tells.
    """

    @abstractmethod
    def zero(self) -> Any:
        """The state before the first row."""

    @abstractmethod
    def reduce(self, state: Any, *values: Any) -> Any:
        """The state with one row more: `values` are the arguments in SQL."""

    @abstractmethod
    def merge(self, left: Any, right: Any) -> Any:
        """The state of the rows of both; the first row of `left` is the earlier one."""

    @abstractmethod
    def finish(self, state: Any) -> Any:
        """The value. Where no row counts, it is made of `zero()`."""


@dataclass(frozen=True)
class Declaration:
    """What `@aggregator` says of a class. `state` and `returns` are types as in SQL."""

    cls: type[Aggregator]
    name: str
    state: str
    returns: str
    nulls: bool
    examples: tuple[Any, ...]


AnyAggregator = TypeVar("AnyAggregator", bound=type[Aggregator])


def aggregator(
    name: str, *, state: str, returns: str, nulls: bool = False, examples: Any = ()
) -> Callable[[AnyAggregator], AnyAggregator]:
    """Declare a class to be the aggregate `name` in SQL.

    Args:
        name: lower case letters, digits and underscores; no name of a function of Spark.
        state: the type of the state in SQL, such as `struct<n: bigint, log_sum: double>`; it is
            stored in the table.
        returns: the type of the value in SQL.
        nulls: whether rows count in which an argument is null. As in SQL they do not.
        examples: values, or tuples of them, with which the merge law is checked each time that
            the aggregate is registered.

    Raises:
        AggregatorError: the name is none, or the class lacks one of the four methods.
    """

    def declare(cls: AnyAggregator) -> AnyAggregator:
        problems = list(_problems(cls, name, state, returns))
        if problems:
            raise AggregatorError(
                f"@aggregator({name!r}) of {getattr(cls, '__name__', cls)!r} cannot be used:\n  - "
                + "\n  - ".join(problems)
            )
        declaration = Declaration(cls, name, state, returns, nulls, tuple(examples))
        setattr(cls, _DECLARATION, declaration)
        return cls

    return declare


def _problems(cls: Any, name: Any, state: Any, returns: Any) -> list[str]:
    problems = []
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        problems.append(
            f"name is {name!r}: give lower case letters, digits and underscores, a letter first"
        )
    elif name.startswith("event_windows"):
        problems.append(f"name is {name!r}: names in event_windows are kept for the package")
    for option, text in {"state": state, "returns": returns}.items():
        if not isinstance(text, str) or not text.strip():
            problems.append(f"{option} is {text!r}: give a type as in SQL, such as 'double'")
    if not (isinstance(cls, type) and issubclass(cls, Aggregator)):
        problems.append("it is no subclass of dbt_event_windows.Aggregator: derive it from that")
    else:
        missing = [name for name in METHODS if getattr(cls, name) is getattr(Aggregator, name)]
        if missing:
            problems.append(
                f"methods are missing: {', '.join(missing)}; write all of {', '.join(METHODS)}"
            )
    return problems


def declaration_of(cls: Any) -> Declaration | None:
    """What `@aggregator` said of this very class, not of one that it derives from."""
    declaration: Declaration | None = getattr(cls, "__dict__", {}).get(_DECLARATION)
    return declaration
