"""From a model that makes sessions by hand to one that names its window."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from dbt_event_windows.convert.dialects import Dialect, guessed, note_of_guess
from dbt_event_windows.convert.differences import BY_CALENDAR, BY_CLOCK, DAYS
from dbt_event_windows.convert.gaps import gap_in_words
from dbt_event_windows.convert.group_by import reads
from dbt_event_windows.convert.groups import Grouped, find_groups
from dbt_event_windows.convert.lateral import spell_out
from dbt_event_windows.convert.layers import Layer, inlined, layers_of
from dbt_event_windows.convert.outputs import Outputs
from dbt_event_windows.convert.problems import NotUnderstoodError, not_read_by_us, not_understood
from dbt_event_windows.convert.same import is_date
from dbt_event_windows.convert.sessions import Session
from dbt_event_windows.convert.starts import CLAUSE
from dbt_event_windows.convert.template import Template, read_template
from dbt_event_windows.convert.time_groups import UTC_DAYS
from dbt_event_windows.convert.translation import check_nothing_is_lost, in_sparks_words
from dbt_event_windows.convert.values import UTC, notes_of_values
from dbt_event_windows.convert.writing import (
    FILL_IN,
    kept_settings,
    model_text,
    windowed_select,
)
from dbt_event_windows.plain_sql import plan
from dbt_event_windows.plain_sql.dialect import parse, tokenize
from dbt_event_windows.plain_sql.functions import OWN_WINDOWS, SPARK_WINDOWS
from dbt_event_windows.plain_sql.problems import Problem

_NULL_TIME = "rows without a time are in no window: m__dropped has them, and no count does"
_ABOVE = {"with", "expressions", "from", "where", "order"}
_GROUPED = _ABOVE | {"joins", "laterals", "hint", "group", "having"}


@dataclass(frozen=True)
class Converted:
    """A converted model: its text, the SELECT in it, and what to know of it."""

    text: str
    sql: str
    notes: list[str] = field(default_factory=list)


def convert(
    text: str,
    dialect: str | None = None,
    grace: str | None = None,
    arrival_order: str | None = None,
) -> Converted:
    """A model with sessions or windows by hand, as a `windowed` model in plain SQL.

    Args:
        text: the model, with its Jinja.
        dialect: spark, databricks, bigquery or snowflake; none: guessed by its words.
        grace, arrival_order: for the config; none: left to be filled in.

    Raises:
        NotUnderstoodError: a part of the model is not understood; it says which.
    """
    try:
        return _convert(text, dialect, grace, arrival_order)
    except NotUnderstoodError:
        raise
    except Exception as error:  # whatever it is: who runs this has written SQL, not this
        raise NotUnderstoodError([not_read_by_us(error)]) from error


def _convert(
    text: str, dialect: str | None, grace: str | None, arrival_order: str | None
) -> Converted:
    # what a call of dbt stands for is known when the dialect is
    template = read_template(text, dialect or guessed(read_template(text).sql).name)
    try:
        return _of_template(template, dialect, grace, arrival_order)
    except NotUnderstoodError as error:
        raise NotUnderstoodError(_restored(one, template) for one in error.problems) from error


def _of_template(
    template: Template, dialect: str | None, grace: str | None, arrival_order: str | None
) -> Converted:
    read_as = Dialect(dialect) if dialect else guessed(template.sql)
    select = read_as.read(template.sql)
    template.check_places(select)
    guess = [note_of_guess(read_as, select)] if not dialect else []
    if read_as.is_spark and _is_windowed(select):
        sql, made, guess = template.sql, list[str](), []
    else:
        select, made = _converted(select, read_as)
        sql = read_as.written(select)
    renamed = _with_columns_apart(select)
    planned = json.loads(plan(sql if renamed is None else read_as.written(renamed), {}))
    if "problems" in planned:
        raise NotUnderstoodError(_named(Problem(**one)) for one in planned["problems"])
    kept, lost = kept_settings(template.config)
    notes = [*guess, *template.notes, *made, *planned["notes"]]
    if lost:
        notes.append(f"left out of the config: {', '.join(lost)}")
    settings = {
        "materialized": "'windowed'",
        "grace": repr(grace or FILL_IN),
        "arrival_order": repr(arrival_order or FILL_IN),
        **kept,
    }
    notes = [template.restored(note) for note in notes]
    sql = template.restored(sql).strip()
    return Converted(model_text(sql, settings, notes), sql, notes)


def _restored(problem: Problem, template: Template) -> Problem:
    texts = (template.restored(text) for text in (problem.text, problem.problem, problem.mend))
    return Problem(problem.clause, problem.line, *texts)


def _is_windowed(select: exp.Select) -> bool:
    """Whether the text groups by a time window already."""
    calls = (str(call.this).lower() for call in select.find_all(exp.Anonymous))
    return bool(SPARK_WINDOWS | OWN_WINDOWS) and any(
        call in SPARK_WINDOWS | OWN_WINDOWS for call in calls
    )


def _with_columns_apart(select: exp.Select) -> exp.Select | None:
    """A SELECT with other names for items that read a column of their own name, as GROUP BY does.

    The plan knows no columns here, and would take the column for the item. None without such items.
    """
    group = select.args.get("group") or exp.Group()
    found = [
        place
        for place, item in enumerate(select.expressions)
        if isinstance(item, exp.Alias)
        and reads(item.this, item.alias)
        and any(reads(one, item.alias) for one in group.expressions)
    ]
    if not found:
        return None
    renamed = select.copy()
    for place in found:
        item = renamed.expressions[place]
        item.set("alias", exp.to_identifier(f"{item.alias}_{place}", quoted=True))
    return renamed


def _converted(select: exp.Select, dialect: Dialect) -> tuple[exp.Select, list[str]]:
    layers = layers_of(select, dialect)
    named = list(spell_out(layers))
    grouped = find_groups(layers)
    notes = [*named, *_check_above(layers, grouped)]
    outputs = Outputs(layers, grouped)
    items, conditions = outputs.items(), outputs.conditions()
    window, more = _window(layers, grouped, dialect)
    converted = windowed_select(layers, grouped, items, conditions, window)
    if not dialect.is_spark:
        assert grouped.written is not None
        converted = in_sparks_words(converted, grouped.written, dialect)
        check_nothing_is_lost(converted, dialect.written(converted))
    values = [
        one for one in notes_of_values(converted, dialect) if one != UTC or UTC_DAYS not in more
    ]
    notes += [*outputs.notes, *grouped.notes, *more, *values]
    return converted, [*notes, _NULL_TIME]


def _check_above(layers: list[Layer], grouped: Grouped) -> list[str]:
    notes = []
    for place in range(grouped.at + 1):
        layer = layers[place]
        is_base = place == grouped.last
        known = (
            (_GROUPED if is_base else _GROUPED - {"joins", "laterals", "hint"})
            if (place == grouped.at)
            else _ABOVE
        )
        layer.refuse_clauses(known)
        if layer.select.args.get("order"):
            notes.append("left out: ORDER BY. A table that is kept up to date has no order")
    return notes


def _window(
    layers: list[Layer], grouped: Grouped, dialect: Dialect
) -> tuple[exp.Expression, list[str]]:
    """The call to group by, and what to know of it."""
    written = grouped.written
    assert written is not None
    if grouped.time is not None:
        piece = f"select {grouped.time.call}"
        (select,) = parse(tokenize(piece), piece)
        (call,) = select.expressions
        call.set("expressions", [written.copy(), *call.expressions])
        return call, list(grouped.time.notes)
    session = grouped.session
    assert session is not None
    _check_time(session, layers[grouped.last :], dialect)
    micros = session.gap.micros
    if micros <= 0:
        problem = "the limit is not above zero"
        raise not_understood(CLAUSE, session.time, problem, "give one above zero")
    gap = exp.Literal.string(gap_in_words(micros))
    call = exp.Anonymous(this="session_window", expressions=[written.copy(), gap])
    known: set[str] = set() if dialect.is_spark else {BY_CALENDAR}
    if dialect.name == "bigquery":  # which measures time, in no session's zone, but for dates
        known |= {BY_CLOCK} if session.gap.adds in (exp.Add, exp.Sub) else {BY_CLOCK, DAYS}
    notes = [note for one in grouped.ids.values() for note in one.notes]
    return call, [*(note for note in session.gap.notes if note not in known), *notes]


def _check_time(session: Session, layers: list[Layer], dialect: Dialect) -> None:
    """Check that a session is one of times.

    Args:
        layers: the SELECT over whose columns the session is, and those below it.

    Raises:
        NotUnderstoodError: it is one of dates, whose midnights need not be 24 hours apart.
    """
    takes_dates = dialect.name == "bigquery" and session.gap.adds in (exp.DateAdd, exp.DateSub)
    if takes_dates or any(is_date(dialect.typed(one)) for one in _below(session.time, layers)):
        problem = "rows are compared by a DATE, and sessions are made of times"
        mend = (
            "compare it as a time without a zone, cast(... as timestamp_ntz), in BigQuery cast(... "
            "as datetime) with datetime_add, in lag() and beside it"
        )
        raise not_understood(CLAUSE, session.time, problem, mend)


def _below(node: exp.Expression, layers: list[Layer]) -> Iterator[exp.Expression]:
    """An expression of the first layer, and what it is over what each layer below reads."""
    yield node
    try:
        for place in range(1, len(layers)):
            yield inlined(node, layers[: place + 1])
    except NotUnderstoodError:
        return  # what cannot be followed stays as it is written


def _named(problem: Problem) -> Problem:
    """A problem of the converted text, whose lines are not those of the model."""
    clause = f"{problem.clause} of the converted text"
    return Problem(clause, problem.line, problem.text, problem.problem, problem.mend)
