"""SQL of other warehouses in Spark's words: what sqlglot would write otherwise, or leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from dbt_event_windows.convert.dialects import Dialect
from dbt_event_windows.convert.problems import BEFORE, not_understood
from dbt_event_windows.convert.same import is_date, key_of, number_of
from dbt_event_windows.convert.whole_numbers import LONG, compute_with_64_bits
from dbt_event_windows.plain_sql.dialect import parse, tokenize
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.references import references
from dbt_event_windows.plain_sql.text import nodes

_UNITS = word_set("year quarter month week day hour minute second millisecond microsecond")
# Seconds of Spark's EXTRACT have fractions, weeks and days of weeks begin elsewhere.
_EXTRACTED = word_set("year quarter month day dayofyear doy hour minute")
_OF_DAYS = word_set("year quarter month week")
# Arguments that sqlglot adds, or writes in other letters.
_OURS = ("default_year", "format", "group", "scale")
_VALUES = (
    "the first value of a window is min_by(value, time), the last max_by(value, time); or "
    f"{BEFORE}, in Spark's words"
)
_COLLECTED = (
    "leave it out, as what is collected is in the order of the time, or take one value: the first "
    "by a column is min_by(value, column), the last max_by(value, column)"
)


def in_sparks_words(select: exp.Select, time: exp.Expression, dialect: Dialect) -> exp.Select:
    """A SELECT in which functions have the names and forms that they have in Spark.

    Args:
        time: the time of a row, by which values are collected in any case.

    Raises:
        NotUnderstoodError: Spark has no such value.
    """

    def spelled(node: exp.Expression) -> exp.Expression:
        new = in_its_words(node)
        # transform passes over what is within a new node
        return node if new is node else new.transform(spelled)

    def in_its_words(node: exp.Expression) -> exp.Expression:
        _refuse(node, dialect)
        if isinstance(node, exp.IgnoreNulls) and isinstance(node.this, exp.ArrayAgg):
            array: exp.Expression = node.this
            array.set("nulls_excluded", True)
            return array  # Spark collects no nulls in any case
        if isinstance(node, exp.WithinGroup) and isinstance(node.this, exp.ArrayAgg):
            values = exp.Order(this=node.this.this, expressions=node.expression.expressions)
            return exp.ArrayAgg(**{**node.this.args, "this": values})
        if isinstance(node, exp.Bracket) and node.find(exp.ArrayAgg) is not None:
            return _first_of_all(node, time)
        if isinstance(node, exp.Bracket) and node.args.get("offset") is not None:
            return _element(node)
        if isinstance(node, exp.ArrayAgg) and isinstance(node.this, exp.Order):
            if _order_by(node.this, time) != "asc":
                problem = "an order by another column than the time, or from the last time on"
                raise not_understood("SELECT", node.this, problem, _COLLECTED)
            return exp.ArrayAgg(**{**node.args, "this": node.this.this})
        if isinstance(node, exp.GroupConcat) and isinstance(node.this, exp.Order):
            return _joined_text(node, time)
        mended = _MENDED[dialect.name].get(type(node))
        return mended(node) if mended is not None else node

    found = select.transform(spelled)
    assert isinstance(found, exp.Select)
    compute_with_64_bits(found)
    return found


def check_nothing_is_lost(select: exp.Select, text: str) -> None:
    """Compare a SELECT with the text that sqlglot has written for it.

    Raises:
        NotUnderstoodError: a name, a value or an order of the SELECT is not in the text.
    """
    try:
        statements = parse(tokenize(text), text)
    except (ParseError, TokenError):
        return  # the plan, which reads it too, says what is wrong
    lost = Counter(words for words, _ in _said(select))
    for statement in statements:
        lost -= Counter(words for words, _ in _said(statement))
    found = [(words, node) for words, node in _said(select) if words in lost]
    # an order says more of what is lost than the names in it
    for _, node in sorted(found, key=lambda one: one[0][0] in ("literal", "name"))[:1]:
        call = node.find_ancestor(exp.Func) if isinstance(node, exp.Literal) else None
        shown = call if isinstance(call, exp.Expression) else node
        problem = "this is left out by the translation to Spark's SQL"
        raise not_understood("SELECT", shown, problem, _VALUES, node)


def _said(node: exp.Expression) -> Iterator[tuple[tuple[str, str], exp.Expression]]:
    """What must be in a translation: names, constants, and what tells rows apart or sorts them.

    Formats have other letters.
    """
    for one in nodes(node):
        if isinstance(one, exp.Identifier):
            yield ("name", one.name.lower()), one
        elif isinstance(one, exp.Literal):
            if one.arg_key not in _OURS:
                yield ("literal", str(one.this).removesuffix(LONG)), one
        elif isinstance(one, exp.Ordered | exp.Limit | exp.Distinct | exp.IgnoreNulls):
            yield (one.key, ""), one


def _refuse(node: exp.Expression, dialect: Dialect) -> None:
    if node.args.get("zone") and not isinstance(node, exp.AtTimeZone):
        # `format_timestamp(format, time, zone)`: what sqlglot writes has no zone
        problem = "Spark's function takes the time zone of the session, and no other"
        mend = "give it convert_timezone('Europe/Berlin', time), or do it in the model read here"
        raise not_understood("SELECT", node, problem, mend)
    is_time = isinstance(node, exp.Cast) and node.to.is_type("time", "timetz")
    if is_time or isinstance(node, exp.TsOrDsToTime):
        mend = "write date_format(time, 'HH:mm:ss'), or do it in the model that is read here"
        raise not_understood("SELECT", node, "a time of day, which Spark has no type for", mend)
    if isinstance(node, exp.Cast) and node.to.is_type("bigdecimal"):
        mend = "cast it to numeric with its digits, such as numeric(38, 9)"
        raise not_understood("SELECT", node, "numbers of more digits than Spark's have", mend)
    type_ = node.to if isinstance(node, exp.Cast) else exp.DataType()
    if type_.is_type("char", "nchar") and not type_.expressions:
        # which it means, and without which it would be shown as a string
        type_.append("expressions", exp.DataTypeParam(this=exp.Literal.number(1)))
    if type_.expressions and type_.is_type(*exp.DataType.TEXT_TYPES):
        mend = "cast it to string, or write left(text, length)"
        raise not_understood("SELECT", node, "a text that is cut to a length", mend)
    if isinstance(node, exp.JSONExtract):
        mend = "write get_json_object(text, '$.a') or variant_get(value, '$.a', 'string') below"
        raise not_understood("SELECT", node, "a path into JSON, which Spark has no sign for", mend)
    if isinstance(node, exp.Cast) and node.args.get("format"):
        mend = "write date_format(time, format) or to_timestamp(text, format), in Spark's letters"
        raise not_understood("SELECT", node, "a cast by a format, which Spark has not", mend)
    is_relation = isinstance(node, exp.Lateral | exp.TableFromRows)
    if is_relation and isinstance(node.this, exp.Explode) and dialect.name == "snowflake":
        problem = "FLATTEN has other columns than what makes rows of an array in Spark"
        mend = f"{BEFORE}, with LATERAL VIEW explode(array) or posexplode(array)"
        raise not_understood("FROM", node, problem, mend)
    if isinstance(node, exp.Join) and node.method == "ASOF":
        raise not_understood("JOIN", node, "ASOF JOIN, which Spark has not", BEFORE)
    unit = node.this if isinstance(node, exp.Extract) else node.args.get("unit")
    known = _extracted(dialect) if isinstance(node, exp.Extract) else _UNITS
    if isinstance(unit, exp.Expression) and _unit(unit) not in known:
        problem = "a unit that Spark does not have here, or that it begins elsewhere"
        mend = "use weekofyear(time) for ISO weeks, second(time), dayofweek(time) or date(time)"
        raise not_understood("SELECT", node, problem, mend)


def _extracted(dialect: Dialect) -> frozenset[str]:
    """The units of EXTRACT that are the same in Spark."""
    return _EXTRACTED | {"dayofweek"} if dialect.name == "bigquery" else _EXTRACTED


def _unit(unit: exp.Expression) -> str:
    is_name = isinstance(unit, exp.Var | exp.Literal | exp.Column)
    name = unit.name.lower() if is_name else unit.key
    return name if name in _EXTRACTED else name.removesuffix("s")


def _order_by(order: object, time: exp.Expression) -> str:
    """How values are collected by the time of their rows: asc or desc; nothing for other orders."""
    if not isinstance(order, exp.Order) or len(order.expressions) != 1:
        return ""
    (one,) = order.expressions
    if key_of(one.this) != key_of(time):
        return ""
    return "desc" if one.args.get("desc") else "asc"


def _first_of_all(place: exp.Bracket, time: exp.Expression) -> exp.Expression:
    """The first or last value of a window, in `array_agg(value order by time)[offset(0)]`.

    No others: what collects values in Spark leaves nulls out.
    """
    array = place.this
    ignores_nulls = isinstance(array, exp.IgnoreNulls)
    array = array.this if isinstance(array, exp.IgnoreNulls | exp.RespectNulls) else array
    order = array.this if isinstance(array, exp.ArrayAgg) else None
    order = order.this if isinstance(order, exp.Limit) else order
    direction, first = _order_by(order, time), place.args.get("offset") or 0
    if not direction or [number_of(one) for one in place.expressions] != [first]:
        problem = "a place in an array of values, which in Spark is without those that are null"
        raise not_understood("SELECT", place, problem, _VALUES)
    assert isinstance(order, exp.Order)
    name = "max_by" if direction == "desc" else "min_by"
    call = exp.Anonymous(this=name, expressions=[order.this, time.copy()])
    return _where_known(call, order.this) if ignores_nulls else call


def _element(place: exp.Bracket) -> exp.Expression:
    """BigQuery's `array[offset(place)]` and its like, counted from 0 as in Spark.

    sqlglot writes what counts from 1, or from the end, without adding 1 to a place that it does not
    know to be a whole number.
    """
    first, (at,) = place.args["offset"], place.expressions
    if first and isinstance(at, exp.Literal):
        at = exp.Literal.number(int(at.name) - first)
    elif first:
        at = exp.paren(at) if isinstance(at, exp.Binary) else at
        at = exp.Sub(this=at, expression=exp.Literal.number(first))
    if place.args.get("safe"):
        return exp.Anonymous(this="get", expressions=[place.this, at])
    return exp.Bracket(this=place.this, expressions=[at])


def _where_known(call: exp.Expression, value: exp.Expression) -> exp.Expression:
    """An aggregate of the rows in which a value is not null."""
    known = exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null()))
    return exp.Filter(this=call, expression=exp.Where(this=known))


def _joined_text(call: exp.Expression, time: exp.Expression) -> exp.Expression:
    """`listagg` in an order that is null in no row it counts: where nulls are put says nothing."""
    order = call.this
    values = order.this
    first = values.expressions[0] if isinstance(values, exp.Distinct) else values
    known = {key_of(first), key_of(time)}
    for one in order.expressions:
        if key_of(one.this) in known:
            one.set("nulls_first", not one.args.get("desc"))
    return call


def _number_type(type_: exp.Expression) -> exp.Expression:
    """INT, which is longer in other warehouses than in Spark."""
    if not isinstance(type_, exp.DataType) or type_.expressions:
        return type_
    is_whole = type_.is_type("int", "smallint", "tinyint")
    return exp.DataType.build("bigint") if is_whole else type_


def _numeric_type(type_: exp.Expression) -> exp.Expression:
    """NUMERIC of BigQuery, where Spark's DECIMAL has ten digits and no places."""
    if isinstance(type_, exp.DataType) and type_.is_type("decimal") and not type_.expressions:
        return exp.DataType.build("decimal(38, 9)")
    return _number_type(type_)


def _double(number: exp.Expression) -> exp.Expression:
    """A constant with places, which is a FLOAT64 in BigQuery and a decimal in Spark."""
    text = str(number.this)
    is_double = not number.is_string and "." in text and "e" not in text.lower()
    in_place = isinstance(number.parent, exp.DataTypeParam | exp.Interval)
    return exp.Literal.number(f"{text}e0") if is_double and not in_place else number


def _not_null(call: exp.Expression) -> exp.Expression:
    """Of what BigQuery takes of one row: rows in which it is null are passed over there."""
    if isinstance(call.parent, exp.IgnoreNulls | exp.Filter):
        return call
    if isinstance(call, exp.AnyValue):
        return exp.IgnoreNulls(this=call)
    return _where_known(call, call.this)


def _days_between(difference: exp.Expression) -> exp.Expression:
    """`date - date`, which is a number of days in Snowflake and an interval in Spark."""
    sides = (difference.this, difference.expression)
    if not all(is_date(side) for side in sides):
        return difference
    return exp.Anonymous(this="datediff", expressions=[side.copy() for side in sides])


def _cut_date(call: exp.Expression) -> exp.Expression:
    """Truncated to days or to units of the clock, to which Spark's `trunc` makes null."""
    unit = _unit(call.args["unit"])
    if unit == "day":
        return exp.cast(call.this, "date")
    if unit in _OF_DAYS:
        return call
    return exp.TimestampTrunc(this=call.this, unit=exp.Var(this=unit.upper()))


def _kept_date(call: exp.Expression) -> exp.Expression:
    """Of a DATE it is a DATE in Snowflake."""
    if not is_date(call.this):
        return call
    return exp.DateTrunc(**call.args)  # type: ignore[no-untyped-call, unused-ignore]


def _rows_of_arrays(select: exp.Expression) -> exp.Expression:
    """UNNEST as LATERAL VIEW, in the order in which they are written.

    LEFT JOIN keeps a row whose array is empty, as LATERAL VIEW OUTER does.
    """
    names: set[str] = set()
    for join in list(select.args.get("joins") or []):
        unnest, on, alias = join.this, join.args.get("on"), join.this.args.get("alias")
        if not isinstance(unnest, exp.Unnest) or alias is None:
            if on is not None and any(parts[0].lower() in names for _, parts in references(on)):
                problem = "a table is joined by what UNNEST makes, and LATERAL VIEW comes later"
                raise not_understood("JOIN", join, problem, BEFORE)
            continue
        is_for_each = on is None or (isinstance(on, exp.Boolean) and on.this)
        if join.side not in ("", "LEFT") or not is_for_each or len(unnest.expressions) != 1:
            problem = "UNNEST is joined by a condition, and Spark's LATERAL VIEW has none"
            raise not_understood("JOIN", join, problem, BEFORE)
        offset = unnest.args.get("offset")
        columns = [*([offset] if isinstance(offset, exp.Identifier) else []), *alias.columns]
        names |= {one.name.lower() for one in columns}
        kind = exp.Posexplode if offset else exp.Explode
        alias = exp.TableAlias(this=exp.to_identifier(f"_{columns[-1].name}"), columns=columns)
        rows = kind(this=unnest.expressions[0])
        outer = join.side == "LEFT"
        join.pop()
        select.append("laterals", exp.Lateral(this=rows, view=True, outer=outer, alias=alias))
    return select


def _percentile(call: exp.Expression) -> exp.Expression:
    """A percentile within a group; nulls are not counted, wherever they are put."""
    if isinstance(call.this, exp.PercentileCont | exp.PercentileDisc):
        for one in call.expression.expressions:
            one.set("nulls_first", not one.args.get("desc"))
        name = "percentile_cont" if isinstance(call.this, exp.PercentileCont) else "percentile_disc"
        call.this.replace(exp.Anonymous(this=name, expressions=[call.this.this]))
    return call


def _day_of_week(call: exp.Expression) -> exp.Expression:
    weekday = exp.Anonymous(this="weekday", expressions=[call.this])
    return exp.paren(exp.Add(this=weekday, expression=exp.Literal.number(1)), copy=False)


def _part(call: exp.Expression) -> exp.Expression:
    """`date_part('hour', time)` and days of years, in the words of EXTRACT."""
    unit = _unit(call.this)
    if unit == "dayofyear" or isinstance(call.this, exp.Literal):
        call.set("this", exp.Var(this="doy" if unit == "dayofyear" else unit))
    return call


def _seconds(call: exp.Expression) -> exp.Expression:
    """Seconds as a time, not by way of a text in the zone of the session."""
    if call.args.get("scale"):
        return call
    return exp.Anonymous(this="timestamp_seconds", expressions=[call.this])


def _whole_match(call: exp.Expression) -> exp.Expression:
    """A pattern of Snowflake's, which the whole text must match; Spark looks for a part."""
    pattern = call.expression
    if call.args.get("full_match") and isinstance(pattern, exp.Literal):
        call.set("expression", exp.Literal.string(rf"\A(?:{pattern.this})\z"))
        call.set("full_match", False)
    return call


def _first_match(call: exp.Expression) -> exp.Expression:
    """What a pattern without a group matches; Spark looks for a group where none is named."""
    if call.args.get("group") is None and isinstance(call.expression, exp.Literal):
        call.set("group", exp.Literal.number(0))
    return call


def _sha256(call: exp.Expression) -> exp.Expression:
    if call.args.get("length") is None:
        call.set("length", exp.Literal.number(256))
    return call


def _try_date(call: exp.Expression) -> exp.Expression:
    """`try_to_date` of Snowflake, which is null where `to_date` of Spark is an error."""
    if not call.args.get("safe") or call.args.get("format"):
        return call
    return exp.Anonymous(this="try_to_date", expressions=[call.this])


def _logarithm(call: exp.Expression) -> exp.Expression:
    """To the base of 10 or 2, which by way of `log(10, x)` is 2.9999999999999996 for 1000."""
    base = number_of(call.this) if call.expression is not None else None
    if base not in (2, 10):
        return call
    return exp.Anonymous(this=f"log{base}", expressions=[call.expression])


def _array_size(call: exp.Expression) -> exp.Expression:
    """Null of no array; `size`, which sqlglot writes, is -1 of it where ANSI mode is off."""
    return exp.Anonymous(this="array_size", expressions=[call.this])


_Mended = dict[type, Callable[[exp.Expression], exp.Expression]]
_BOTH: _Mended = {
    exp.ArraySize: _array_size,
    exp.DataType: _number_type,
    exp.DateTrunc: _cut_date,
    exp.DayOfWeekIso: _day_of_week,
    exp.Extract: _part,
    exp.Log: _logarithm,
    exp.RegexpExtract: _first_match,
    exp.UnixToTime: _seconds,
    exp.WithinGroup: _percentile,
}
_MENDED: dict[str, _Mended] = {
    "bigquery": {
        **_BOTH,
        exp.AnyValue: _not_null,
        exp.DataType: _numeric_type,
        exp.ArgMax: _not_null,
        exp.ArgMin: _not_null,
        exp.Literal: _double,
        exp.Select: _rows_of_arrays,
    },
    "snowflake": {
        **_BOTH,
        exp.RegexpLike: _whole_match,
        exp.SHA2: _sha256,
        exp.Sub: _days_between,
        exp.TimestampTrunc: _kept_date,
        exp.TsOrDsToDate: _try_date,
    },
}
