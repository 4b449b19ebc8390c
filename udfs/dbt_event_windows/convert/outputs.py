"""The columns and conditions of the model over its window."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from dbt_event_windows.convert.group_by import group_expressions
from dbt_event_windows.convert.groups import Grouped
from dbt_event_windows.convert.identity import around_ids
from dbt_event_windows.convert.lateral import spelled_in_having
from dbt_event_windows.convert.layers import Layer, inlined, name_of_item, star_of
from dbt_event_windows.convert.problems import READS_ON, not_understood
from dbt_event_windows.convert.same import (
    bare,
    identifier,
    is_aggregate,
    is_over,
    key_of,
    outer_windows,
    replaced,
    same,
    without_constant,
)
from dbt_event_windows.plain_sql.references import Canonical, parts_of

_ONE_VALUE = (exp.Min, exp.Max, exp.AnyValue, exp.First, exp.FirstValue)
NUMBERS = (
    "left out: {name}. Late rows would number later sessions anew. In a model that reads this one: "
    "row_number() over (partition by ... order by ...)"
)
IDS = (
    "session numbers in an id are now the microseconds of the session's start, which later "
    "sessions do not change: ids differ from the old ones"
)


_ONLY_AN_ID = (
    "a session number is used as a number, and late rows would number later sessions anew",
    f"{READS_ON}, with row_number() over (partition by ... order by the start)",
)
_NO_NAME = "this column has no name, and Spark would give it another one now"


class Outputs:
    """Writes what the SELECTs down to the one that groups say as one SELECT over the window."""

    def __init__(self, layers: list[Layer], grouped: Grouped) -> None:
        self.layers = layers
        self.grouped = grouped
        self.notes: list[str] = []

    def items(self) -> list[exp.Expression]:
        """The items of the SELECT, with their names."""
        return [item for item in self._items(0) if item is not None]

    def conditions(self) -> list[exp.Expression]:
        """What HAVING says, and WHERE in SELECTs above it."""
        at = self.grouped.at
        found = [(place, self.layers[place].where) for place in range(at)]
        having = self.layers[at].select.args.get("having")
        if having is not None:
            groups = group_expressions(self.layers, at)
            keys = {parts[-1].lower() for one in groups if (parts := parts_of(one))}
            found.append((at, spelled_in_having(having.this, self.layers[at], keys)))
        return [self._converted(one, place, "HAVING") for place, one in found if one is not None]

    def _items(self, place: int) -> Iterator[exp.Expression | None]:
        for item in self.layers[place].select.expressions:
            if (star := star_of(item)) is not None:
                if any(star.args.values()):
                    problem = "a star with exceptions is not understood here"
                    raise not_understood("SELECT", item, problem, "name the columns")
                if place == self.grouped.at:
                    raise not_understood(
                        "SELECT", item, "a star beside GROUP BY", "name the columns"
                    )
                yield from self._items(place + 1)
                continue
            name, node = name_of_item(item), item.unalias()
            if self._is_number(node, place):
                self.notes.append(NUMBERS.format(name=name or "the session number"))
                continue
            new = self._converted(node, place, "SELECT")
            if not name and not (self.layers[0].dialect.is_spark and key_of(new) == key_of(node)):
                raise not_understood("SELECT", item, _NO_NAME, "give it an alias")
            same = isinstance(new, exp.Column) and not new.table and new.name == name
            named = exp.Alias(this=new, alias=identifier(name)) if name else new
            yield new if same else named

    def _tells_number(self, call: exp.Expression) -> bool:
        """Whether this is the call that gives sessions a running number."""
        key = key_of(call)
        return key in self.grouped.ids and key not in self.grouped.carried

    def _is_number(self, node: exp.Expression, place: int) -> bool:
        """Whether a column is the running number of a session alone."""
        return self._is_of_number(self._typed(self._over_base(node, place)))

    def _is_of_number(self, typed: exp.Expression) -> bool:
        """Whether this is the running number, whatever whole number it is cast to or moved by."""
        if self._tells_number(typed):
            return True
        if isinstance(typed, _ONE_VALUE) or _is_whole(typed):
            return self._is_of_number(bare(typed.this))
        below = without_constant(typed)
        return below is not typed and self._is_of_number(below)

    def _converted(self, node: exp.Expression, place: int, clause: str) -> exp.Expression:
        below = self._over_base(node, place)
        self._refuse_numbers(below, clause, node)

        def new(one: exp.Expression) -> exp.Expression | None:
            if (number := self._cast_number(one)) is not None:
                return replaced(number, new)
            found = self._new(one, clause)
            if found is None and isinstance(one, exp.Window):
                problem = "a window function (OVER) looks at other rows or at other sessions"
                mend = (
                    f"{READS_ON}; the first value of a session is min_by(value, time), the last "
                    "max_by(value, time)"
                )
                raise not_understood(clause, one, problem, mend, node)
            return found

        return replaced(below, new)

    def _refuse_numbers(self, below: exp.Expression, clause: str, node: exp.Expression) -> None:
        """Refuse the number of a session where it is more than a part of an id."""
        typed = self._typed(below)
        if not any(map(self._tells_number, outer_windows(typed))):
            return
        around = [one for one in around_ids(typed) if not isinstance(one, _ONE_VALUE)]
        if clause == "HAVING" or around:
            problem, mend = _ONLY_AN_ID
            raise not_understood(clause, (around or [typed])[0], problem, mend, node)

    def _over_base(self, node: exp.Expression, place: int) -> exp.Expression:
        return bare(inlined(node, self.layers[place : self.grouped.last + 1]))

    def _new(self, node: exp.Expression, clause: str) -> exp.Expression | None:
        """What stands for a piece over the window; none if the piece stays."""
        if isinstance(node, exp.Column | exp.Literal | exp.Identifier | exp.DataType):
            return None
        grouped = self.grouped
        if grouped.time is not None and grouped.group is not None:
            if key_of(node) != key_of(grouped.group) or _is_of_a_row(node):
                return None
            return grouped.time.start
        session = grouped.session
        assert session is not None
        # `min(time) filter (...)` is not the start
        if isinstance(node.parent, exp.Filter) or not isinstance(node, exp.Window | exp.Func):
            return None
        known = self._typed(node)
        if isinstance(known, exp.Min) and key_of(known.this) == key_of(session.time):
            return self._start(clause)
        inner = bare(known.this) if isinstance(known, _ONE_VALUE) else known
        return self._id(clause, key_of(inner)) if key_of(inner) in grouped.ids else None

    def _cast_number(self, node: exp.Expression) -> exp.Expression | None:
        """The session number that is cast to a whole number; the start fits into BIGINT alone."""
        if not isinstance(node, exp.Func) or not is_over(node):
            return None
        typed = self._typed(node)
        if not _is_whole(typed) or not self._is_of_number(typed):
            return None
        number: exp.Expression = node.expressions[0] if node.expressions else node.this
        return number

    def _start(self, clause: str) -> exp.Expression:
        """What stands for the start of a session; HAVING takes the bounds of each row alone."""
        if clause == "HAVING":
            return self._call("min", self.grouped.written)
        return exp.column("start", table="session_window")

    def _id(self, clause: str, key: Canonical) -> exp.Expression:
        """What stands for an id of sessions."""
        carried, start = self.grouped.carried.get(key), self._start(clause)
        if carried is None:
            self.notes.append(IDS)
            return exp.Anonymous(this="unix_micros", expressions=[start])
        typed, session = self.grouped.ids[key].carried, self.grouped.session
        assert typed is not None
        assert session is not None
        if same(typed, session.time):
            return start  # of its type, too: without its cast it can be a text or a DATE
        return self._call("min_by", carried, self.grouped.written)

    def _call(self, name: str, *arguments: exp.Expression | None) -> exp.Expression:
        return exp.Anonymous(this=name, expressions=[one.copy() for one in arguments if one])

    def _typed(self, node: exp.Expression) -> exp.Expression:
        return bare(self.layers[0].dialect.typed(node))


def _is_whole(node: exp.Expression) -> bool:
    """Whether this is cast to a whole number."""
    return isinstance(node, exp.Cast) and node.to.is_type(*exp.DataType.INTEGER_TYPES)


def _is_of_a_row(node: exp.Expression) -> bool:
    """Whether this stands in an aggregate, where it is that of a row as it is written."""
    above = node.parent
    while isinstance(above, exp.Expression):
        if is_aggregate(above):
            return True
        above = above.parent
    return False
