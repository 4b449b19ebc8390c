"""HAVING over the bounds of sessions, which Spark asks of each row.

Spark moves a condition without an aggregate below the GROUP BY, where each row has bounds of its
own: it then leaves out rows of a session, not sessions. It makes such conditions itself: of
`(n > 1 and c) = true` two, of `n = 3 and n > hour(start)` the condition `3 > hour(start)`, of
`n > item` also `item is not null`, and it looks into items that HAVING names. So a condition over
bounds is kept only where nothing can part it from an aggregate: where it compares one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.aliases import item_name
from dbt_event_windows.plain_sql.bounds import Bounds
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.key_columns import KeyColumns
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.reading import Reading
from dbt_event_windows.plain_sql.references import WRAPPERS, below, call_name, parts_of, plain
from dbt_event_windows.plain_sql.statement import Item, Statement

# They give one of their parts: of conditions, `if(n > 1, c, false)` is `n > 1 and c`.
_CHOICES = word_set("coalesce if ifnull nullif nvl nvl2")
# Whatever their arguments are they need the first one, or all of them.
_NEED_THE_FIRST = word_set("coalesce ifnull nvl")
_NEED_ALL = word_set(
    """
    abs array_size bigint cardinality ceil ceiling concat date date_add date_diff date_sub
    date_trunc datediff day dayofweek dayofyear decimal double exp float floor from_unixtime
    greatest hour int last_day least length log lower minute mod month months_between pmod pow power
    quarter round second sign size sqrt string substr substring timestamp timestampdiff to_date
    to_timestamp try_add try_divide unix_date unix_micros unix_millis unix_seconds unix_timestamp
    upper weekday year
    """
)
# They have a value where their arguments have one.
_ALWAYS_GIVE = word_set(
    """
    abs date date_diff datediff day dayofweek hour minute month second string timestampdiff
    unix_date unix_micros unix_millis unix_seconds year
    """
)
_LOGIC = (exp.And, exp.Not, exp.Or, exp.Paren)
_ARITHMETIC = (exp.Add, exp.Cast, exp.Div, exp.IntDiv, exp.Mod, exp.Mul, exp.Neg, exp.Sub)
_EQUALITIES = (exp.EQ, exp.In, exp.NEQ, exp.NullSafeEQ)
_COMPARISONS = (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NEQ)

_BOUNDS_OF_ROWS: refusals.Words = (
    "Spark can ask this of the bounds that each row alone has, before rows are joined to sessions",
    f"leave it out here and {refusals.READS_ON}",
)


def refuse_bounds_of_rows(
    reading: Reading, statement: Statement, bounds: Bounds, keys: KeyColumns
) -> None:
    """Refuse the conditions of HAVING on the bounds of sessions that Spark may ask of rows."""
    if statement.having is None or bounds.window.type != "session":
        return
    having = _Having(bounds, keys)
    whole = _Piece(statement.having[0], tuple(statement.items), "HAVING")
    conditions = list(having.conditions(whole, None))
    # what an aggregate equals Spark writes in its place, in other conditions too
    replaces = len(conditions) > 1 and any(map(having.equates, having.pieces(whole)))
    refused: list[exp.Expression] = []
    for shown, condition in conditions:
        is_over_bounds = any(map(having.is_bound, having.pieces(condition)))
        is_kept = having.asks_whether_null(condition) or (
            not replaces
            and having.compares_an_aggregate(condition)
            and all(map(having.says_nothing_if_null, having.named(condition)))
        )
        if is_over_bounds and not is_kept and all(shown is not one for one in refused):
            reading.refuse("HAVING", shown, _BOUNDS_OF_ROWS)
            refused.append(shown)


@dataclass(frozen=True)
class _Piece:
    """A piece of HAVING or of an item, and the items that it can name."""

    node: exp.Expression
    items: tuple[Item, ...]
    clause: str

    def of(self, node: exp.Expression) -> _Piece:
        return replace(self, node=node)

    def below(self) -> Iterator[_Piece]:
        return map(self.of, below(self.node))


class _Having:
    """Says what conditions are, with items in the place of their names."""

    def __init__(self, bounds: Bounds, keys: KeyColumns) -> None:
        self._bounds = bounds
        self._keys = keys

    def is_bound(self, piece: _Piece) -> bool:
        # in an item the name of the window can be that of an item before it
        is_item = piece.clause == "SELECT" and self._named(piece) is not None
        return not is_item and self._bounds.of(piece.node, "SELECT") is not None

    def meant(self, piece: _Piece) -> _Piece:
        """What stands here without brackets; for the name of an item what that is."""
        node = plain(piece.node)
        parts = parts_of(node)
        if parts is None or self.is_bound(piece.of(node)) or self._keys.column(parts) is not None:
            return piece.of(node)
        place = self._named(piece.of(node))
        if place is None:
            return piece.of(node)
        return self.meant(_Piece(piece.items[place].node, piece.items[:place], "SELECT"))

    def _named(self, piece: _Piece) -> int | None:
        """Where the item stands that a name can be; none for what is no name of one."""
        name = (parts_of(piece.node) or ("",))[0].lower()
        named = (
            place
            for place, item in enumerate(piece.items)
            if name and (item_name(item) or "").lower() == name
        )
        return next(named, None)

    def pieces(self, piece: _Piece) -> Iterator[_Piece]:
        """It and all below it."""
        meant = self.meant(piece)
        yield meant
        if not self.is_bound(meant):
            for child in meant.below():
                yield from self.pieces(child)

    def named(self, piece: _Piece) -> Iterator[_Piece]:
        """What is named in it, as it is meant."""
        meant = self.meant(piece)
        if meant.node is not plain(piece.node):
            yield meant
        if not self.is_bound(meant):
            for child in meant.below():
                yield from self.named(child)

    def conditions(
        self, piece: _Piece, shown: exp.Expression | None
    ) -> Iterator[tuple[exp.Expression, _Piece]]:
        """The conditions that are put together here, each as HAVING has it and as it is meant."""
        meant = self.meant(piece)
        if shown is None and parts_of(plain(piece.node)) is not None:
            shown = plain(piece.node)
        if isinstance(meant.node, _LOGIC) or _is_choice(meant.node) or _is_truth_asked(meant.node):
            for child in meant.below():
                yield from self.conditions(child, shown)
        else:
            yield shown or meant.node, meant

    def asks_whether_null(self, condition: _Piece) -> bool:
        """Whether it asks so of a bound, which each row has as its session has."""
        node = condition.node
        if not (isinstance(node, exp.Is) and isinstance(node.expression, exp.Null)):
            return False
        return self.is_bound(self.meant(condition.of(node.this)))

    def compares_an_aggregate(self, condition: _Piece) -> bool:
        node = condition.node
        if isinstance(node, exp.Between):  # a >= low and a <= high
            ends = (condition.of(node.args[end]) for end in ("low", "high"))
            return self.needs_an_aggregate(condition.of(node.this)) or all(
                map(self.needs_an_aggregate, ends)
            )
        return isinstance(node, _COMPARISONS) and self._of_an_aggregate(condition)

    def says_nothing_if_null(self, item: _Piece) -> bool:
        """Whether `item is not null` holds of each row, or is asked where aggregates are."""
        is_over_bounds = any(map(self.is_bound, self.pieces(item)))
        return not is_over_bounds or self.needs_an_aggregate(item) or self._always_has_value(item)

    def _always_has_value(self, piece: _Piece) -> bool:
        meant = self.meant(piece)
        if self.is_bound(meant) or isinstance(meant.node, exp.Interval | exp.Literal):
            return True
        gives = isinstance(meant.node, exp.Add | exp.Mul | exp.Neg | exp.Sub)
        return (gives or call_name(meant.node) in _ALWAYS_GIVE) and all(
            map(self._always_has_value, meant.below())
        )

    def equates(self, piece: _Piece) -> bool:
        return isinstance(piece.node, _EQUALITIES) and self._of_an_aggregate(piece)

    def _of_an_aggregate(self, comparison: _Piece) -> bool:
        return any(map(self.needs_an_aggregate, comparison.below()))

    def needs_an_aggregate(self, piece: _Piece) -> bool:
        """Whether there is no value without an aggregate's, however Spark simplifies it."""
        meant = self.meant(piece)
        node, name = meant.node, call_name(meant.node)
        if name and kind_of(name) in (Kind.AGGREGATE, Kind.UNKNOWN):
            return True
        needed: Sequence[_Piece] = ()
        if isinstance(node, _ARITHMETIC) or name in _NEED_ALL:
            needed = list(meant.below())
        elif isinstance(node, WRAPPERS) or name in _NEED_THE_FIRST:
            needed = list(meant.below())[:1]
        return any(map(self.needs_an_aggregate, needed))


def _is_choice(node: exp.Expression) -> bool:
    return isinstance(node, exp.Case | exp.If) or call_name(node) in _CHOICES


def _is_truth_asked(node: exp.Expression) -> bool:
    return isinstance(node, exp.EQ | exp.Is | exp.NEQ | exp.NullSafeEQ) and any(
        isinstance(plain(one), exp.Boolean) for one in below(node)
    )
