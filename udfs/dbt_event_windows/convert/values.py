"""What a function of another warehouse has as its value, and Spark's for it has not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from dbt_event_windows.convert.dialects import Dialect
from dbt_event_windows.convert.differences import MICROS
from dbt_event_windows.convert.same import TIMES, bare, is_date, key_of, number_of
from dbt_event_windows.plain_sql.functions import OWN_WINDOWS, SPARK_WINDOWS
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.text import children, nodes

_UNITS_BEGUN = (
    "in {name} {sql} counts the units that begin between two times, in Spark those that have "
    "passed: 09:00:59 and 09:01:01 are a minute apart there, and none here"
)
_FIRST_DAY = "in {name} a Sunday is day 0 in {sql}, in Spark day 1"
_NULLS = "in {name} {sql} is null where one of its arguments is, Spark leaves these out"
_ROUNDED = "in {name} {sql} rounds, in Spark it cuts off"
_WRITTEN_AS = "in {name} a time or a number with places is another text in {sql} than in Spark"
_NO_TEXTS = (
    "in {name} {sql} of nulls alone is an empty text, in Spark null, and times and numbers with "
    "places are other texts"
)
_NO_MATCH = "in {name} {sql} is null where nothing matches, in Spark an empty text"
_WHOLE = "in {name} {sql} is true where the whole text matches, in Spark where a part of it does"
_SPACES = "in {name} {sql} takes off any white space, in Spark spaces alone"
_PLACES = (
    "in {name} {sql} of numbers that are no floats is a decimal of few places, in Spark one of "
    "more, or a double"
)
_KEPT_NULLS = "in {name} {sql} has the nulls too, in Spark they are left out"
_OF_A_DATE = "in {name} {sql} of a DATE is a DATE, in Spark a time"
_OF_A_TIME = "in {name} {sql} of a time is a time, here a DATE"
UTC = (
    "dates, hours and the like of a TIMESTAMP, days that are added to one, what is between two, "
    "and texts that are cast to one, are those of UTC in BigQuery: keep spark.sql.session.timeZone "
    "at UTC"
)
_DOUBLES = (
    "constants with places are doubles, as in BigQuery beside INT64 and FLOAT64; beside a NUMERIC "
    "they can be NUMERIC there: write them as decimals, without e0"
)
_NOT_KNOWN = (
    "whether {sql} of {name} has the same value in Spark is not known here: compare what it is "
    "written as"
)

# Functions that have one value in all of them, by sqlglot's names.
_SAME = word_set(
    """
    abs and anyvalue argmax argmin array arrayagg arraysize avg bitwiseandagg bitwiseoragg
    bitwisexoragg case cast ceil coalesce concat concatws contains converttimezone corr count
    countif covarpop covarsamp currenttimestamp date datediff datetimeadd datetimesub
    datetimetrunc datetrunc day dayofmonth dayofyear endswith exp explode extract floor
    greatest groupconcat hour if least left length ln log logicaland logicalor lower max md5 median
    min minute month nullif or posexplode pow quarter regexplike replace right round safedivide
    second sha sha2 sign splitpart sqrt startswith stddev stddevpop stddevsamp strposition struct
    substring sum timestampadd timestampdiff timestampsub timestamptrunc trim trycast tsordstodate
    tsordstodatetime tsordstotimestamp unixmicros unixmillis unixseconds unixtotime upper variance
    variancepop weekofyear xor year
    """
)
# Spark's own, which stand for what a model had.
_WRITTEN = (
    word_set("convert_timezone datediff get log10 log2 max_by min min_by percentile_cont")
    | word_set("percentile_disc timestamp_seconds try_to_date unix_micros weekday")
    | OWN_WINDOWS
    | SPARK_WINDOWS
)


def _says(words: str) -> Callable[[exp.Expression], str]:
    return lambda _: words


def _of_cast(cast: exp.Expression) -> str:
    type_ = cast.args["to"]
    if type_.is_type(*exp.DataType.INTEGER_TYPES):
        return "" if isinstance(cast.this, exp.Count | exp.CountIf) else _ROUNDED
    is_text = type_.is_type(*exp.DataType.TEXT_TYPES)
    return _WRITTEN_AS if is_text and not _is_written_alike(cast.this) else ""


def _of_text(text: exp.Expression) -> str:
    """Of what makes one text of values that need not be texts; a key hardly has places."""
    select = text.find_ancestor(exp.Select)
    group = select.args.get("group") if select is not None else None
    keys = {key_of(key) for key in (group.expressions if group is not None else ())}
    # of `a || b || c` the whole is noted
    is_part = isinstance(text, exp.DPipe) and isinstance(text.parent, exp.DPipe)
    is_alike = all(_is_written_alike(one) or key_of(one) in keys for one in _parts(text))
    return "" if is_alike or is_part else _WRITTEN_AS


def _parts(text: exp.Expression) -> Iterator[exp.Expression]:
    for child in children(text):
        if isinstance(text, exp.DPipe) and isinstance(child, exp.DPipe):
            yield from _parts(child)
        else:
            yield child


def _is_written_alike(value: exp.Expression) -> bool:
    """Whether this is for sure a text, a date or a whole number."""
    value = bare(value)
    if isinstance(value, exp.Cast):
        return bool(value.to.is_type("date", *_ALIKE))
    if isinstance(value, exp.Anonymous):
        return str(value.this).lower() == "unix_micros"
    if isinstance(value, exp.AnyValue | exp.Coalesce | exp.Max | exp.Min):
        return all(_is_written_alike(one) for one in children(value))
    return isinstance(value, _OF_ALIKE)


def _of_largest(call: exp.Expression) -> str:
    return "" if call.args.get("ignore_nulls") else _NULLS


def _of_difference(call: exp.Expression) -> str:
    unit = call.args.get("unit")
    is_day = unit is None or unit.name.upper() == "DAY"
    return "" if is_day and is_date(call.this) and is_date(call.expression) else _UNITS_BEGUN


def _of_quotient(quotient: exp.Expression) -> str:
    sides = [bare(one) for one in (quotient.this, quotient.expression)]
    is_float = any(isinstance(one, exp.Cast) and one.to.is_type("double") for one in sides)
    return "" if is_float else _PLACES


def _of_constant(constant: exp.Expression) -> str:
    is_double = not constant.is_string and str(constant.this).endswith("e0")
    return _DOUBLES if is_double else ""


def _of_array(call: exp.Expression) -> str:
    return "" if call.args.get("nulls_excluded") else _KEPT_NULLS


def _of_time(call: exp.Expression) -> str:
    is_known = isinstance(call.this, exp.Cast) and call.this.to.this in TIMES
    is_short = call.args["unit"].name.lower() in ("hour", "minute", "second")
    return "" if is_known or is_short else _OF_A_DATE


def _of_date(call: exp.Expression) -> str:
    return "" if is_date(call.this) else _OF_A_TIME


def _of_match(call: exp.Expression) -> str:
    return _WHOLE if call.args.get("full_match") else ""


_ALIKE = (*exp.DataType.TEXT_TYPES, *exp.DataType.INTEGER_TYPES)
_OF_ALIKE = (
    exp.Concat,
    exp.ConcatWs,
    exp.Count,
    exp.CountIf,
    exp.Date,
    exp.DPipe,
    exp.Left,
    exp.Literal,
    exp.Lower,
    exp.MD5,
    exp.Null,
    exp.Right,
    exp.SHA,
    exp.SHA2,
    exp.SplitPart,
    exp.Substring,
    exp.Trim,
    exp.TsOrDsToDate,
    exp.UnixMicros,
    exp.Upper,
)

# What Spark computes by the clock of the session's zone, in whatever unit.
_OF_A_ZONE = (
    exp.Date,
    exp.DatetimeDiff,
    exp.DatetimeTrunc,
    exp.Extract,
    exp.TimestampDiff,
    exp.TimestampTrunc,
)
_Words = dict[type, Callable[[exp.Expression], str]]
_BOTH: _Words = {
    exp.Cast: _of_cast,
    exp.DatetimeDiff: _says(_UNITS_BEGUN),
    exp.Greatest: _of_largest,
    exp.Least: _of_largest,
    exp.RegexpExtract: _says(_NO_MATCH),
    exp.TryCast: _of_cast,
}
# Of a warehouse what is said of functions; nothing where they have the same value.
_DIFFER: dict[str, _Words] = {
    "snowflake": {
        **_BOTH,
        exp.Avg: _says(_PLACES),
        exp.Concat: _of_text,
        exp.ConcatWs: _of_text,
        exp.DPipe: _of_text,
        exp.DateDiff: _says(_UNITS_BEGUN),
        exp.DateTrunc: _of_date,
        exp.Div: _of_quotient,
        exp.MD5: _of_text,
        exp.Median: _says(_PLACES),
        exp.TimestampTrunc: _of_time,
        exp.DayOfWeek: _says(_FIRST_DAY),
        exp.GroupConcat: _says(_NO_TEXTS),
        exp.RegexpLike: _of_match,
        exp.SHA: _of_text,
        exp.SHA2: _of_text,
        exp.TimestampDiff: _says(_UNITS_BEGUN),
    },
    "bigquery": {
        **_BOTH,
        exp.ArrayAgg: _of_array,
        exp.DateDiff: _of_difference,
        exp.DateTrunc: _of_date,
        exp.Literal: _of_constant,
        exp.Split: _says(""),
        exp.Trim: _says(_SPACES),
    },
}


def notes_of_values(select: exp.Select, dialect: Dialect) -> list[str]:
    """What a model written in another warehouse must know of its values, each once."""
    return list(dict.fromkeys(_notes(select, dialect)))


def _notes(select: exp.Select, dialect: Dialect) -> Iterator[str]:
    differ = _DIFFER.get(dialect.name)
    if differ is None:
        return
    for call in nodes(select):
        words = differ[type(call)](call) if type(call) in differ else _of_other(call)
        if dialect.name == "bigquery" and _is_of_a_zone(call):
            yield UTC
        if words:
            yield words.format(name=dialect.name, sql=call.sql(dialect=dialect.name))


def _is_of_a_zone(call: exp.Expression) -> bool:
    """Whether this goes by the clock of the session's zone in Spark, and by UTC in BigQuery."""
    if isinstance(call, exp.Cast):
        # `convert_timezone(zone, start)` is ours, and takes the session's zone into account
        is_free = isinstance(call.this, exp.Literal | exp.Anonymous)
        return call.to.this in TIMES or (bool(call.to.is_type("date")) and not is_free)
    if isinstance(call, exp.DateDiff):
        return not (is_date(call.this) and is_date(call.expression))
    if isinstance(call, exp.DatetimeAdd | exp.TimestampAdd):
        micros = _micros(call)
        return micros is None or micros >= MICROS["DAY"]
    if isinstance(call, exp.DatetimeSub | exp.TimestampSub):
        return not _is_within_a_day(call, call.expression)
    if isinstance(call, exp.Add | exp.Sub):
        sides = [bare(call.this), bare(call.expression)]
        moves = [one for one in sides if isinstance(one, exp.Interval)]
        is_short = all(_is_within_a_day(one, one.this) for one in moves)
        return not is_short and not any(is_date(one) for one in sides)
    return isinstance(call, _OF_A_ZONE)


def _is_within_a_day(call: exp.Expression, count: exp.Expression | None) -> bool:
    """Whether so many units are less than a day; of more Spark adds the days by the calendar."""
    number = None if count is None else number_of(count)
    micros = _micros(call)
    return number is not None and micros is not None and number * micros < MICROS["DAY"]


def _micros(call: exp.Expression) -> int | None:
    """The length of a unit; none if it is not known, or one of the calendar."""
    unit = call.args.get("unit")
    name = unit.name.upper().removesuffix("S") if isinstance(unit, exp.Expression) else ""
    return MICROS.get(name)


def _of_other(call: exp.Expression) -> str:
    if not isinstance(call, exp.Func):
        return ""
    is_anonymous = isinstance(call, exp.Anonymous)
    is_known = str(call.this).lower() in _WRITTEN if is_anonymous else call.key in _SAME
    return "" if is_known else _NOT_KNOWN
