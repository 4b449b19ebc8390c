"""From the text of a model to the plan that the macros keep up to date."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError, TokenError

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.aggregates import Aggregates
from dbt_event_windows.plain_sql.below import Below
from dbt_event_windows.plain_sql.bounds import Bounds
from dbt_event_windows.plain_sql.columns import ALL_ROWS, Columns
from dbt_event_windows.plain_sql.dialect import parse, tokenize
from dbt_event_windows.plain_sql.equivalent import spark_text
from dbt_event_windows.plain_sql.functions import Kind, kind_of
from dbt_event_windows.plain_sql.grouping import GroupingReader
from dbt_event_windows.plain_sql.key_columns import KeyColumns
from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.one_table import one_table
from dbt_event_windows.plain_sql.outputs import Outputs
from dbt_event_windows.plain_sql.problems import Problems
from dbt_event_windows.plain_sql.query_text import query_text, undecided
from dbt_event_windows.plain_sql.reading import Reading, Settings
from dbt_event_windows.plain_sql.references import (
    Parts,
    call_name,
    is_captured,
    parts_of,
    references,
)
from dbt_event_windows.plain_sql.relation import relation_sql
from dbt_event_windows.plain_sql.statement import (
    NotReadError,
    Statement,
    not_read,
    read_select,
    take_apart,
)
from dbt_event_windows.plain_sql.text import Span, UserText, nodes
from dbt_event_windows.plain_sql.time_windows import TimeWindow

Plan = dict[str, Any]


def plan(text: str, settings: Mapping[str, Any]) -> str:
    """The plan for a text, as JSON; or all its problems, each with clause, line and what to do.

    Args:
        text: one SELECT of Spark SQL with a time window in its GROUP BY, as dbt has compiled it.
            Lines are counted in it, so blank lines in front should be left there.
        settings: `arrival_order` and `partition`, columns as the user writes them, or none; and
            `joins`, 'as_of_refresh' (default) or 'refuse'. With `query` the plan says too how the
            text is run over a part of its rows. Other names mean nothing. With `table_of`, a column
            of a query, no plan is asked for: the text is any query, and the answer is the one
            `table` below it with its `column`, or empty. `namespace` is where a name without one is
            looked up, and what comes before it a name with a schema alone.
    """
    if settings.get("table_of") is not None:
        column, namespace = str(settings["table_of"]), str(settings.get("namespace") or "")
        found = one_table(text, column, namespace)
        return json.dumps(dict(zip(("table", "column"), found, strict=True)) if found else {})
    return json.dumps(_plan(text, Settings.of(settings)), ensure_ascii=False)


def _plan(text: str, settings: Settings) -> Plan:
    try:
        reading = Reading(UserText(text), settings)
    except TokenError as error:
        problems = Problems([not_read(error, text)])
        return {"problems": problems.as_json()}
    try:
        planned = _Planner(reading).plan()
    except NotReadError:
        planned = {}
    if reading.problems:
        return {"problems": reading.problems.as_json()}
    return planned


class _Planner:
    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def plan(self) -> Plan:
        """The plan, or nothing where a problem says why there is none."""
        reading = self.reading
        select = read_select(reading)
        below = Below(reading)
        scope = below.last_select(select)
        statement = take_apart(reading, select)
        grouping = GroupingReader(reading, statement, scope).read()
        columns = Columns(scope, _taken_by_aggregates(statement))
        ordered = self._order_columns(columns)
        window = grouping.window
        if window is None:
            return {}
        event_time = self._event_time(window, columns)
        keys = KeyColumns(reading, scope, grouping, columns, event_time)
        aggregates = Aggregates(reading, columns, keys, window.struct)
        aggregates.name_items(statement.items)
        outputs = Outputs(reading, statement, keys, Bounds(reading, scope, window), aggregates)
        selected = outputs.select()
        having = outputs.having(selected)
        if reading.problems:
            return {}
        arguments, conditions = self._arguments(window, columns)
        names = [one.name for one in selected]
        planned: Plan = {
            "relation": relation_sql(
                reading, statement, columns.listed([*keys.names, event_time]), conditions
            ),
            "key": keys.names or [ALL_ROWS],
            "event_time": event_time,
            "arrival_order": next(iter(ordered["arrival_order"]), None),
            "partition": ordered["partition"],
            "window": {"type": window.type, **arguments},
            "aggregates": aggregates.all(),
            "columns": [{"name": one.name, "sql": one.sql} for one in selected],
            "having": having,
            "sources": list(below.sources.values()),
            "joins": below.joins,
            "notes": reading.notes,
            "check": spark_text(reading, statement, window, aggregates.own, names),
        }
        if reading.settings.query:
            used = list(columns.columns.values())
            query = query_text(reading, statement, window, aggregates.own, used)
            shown = {one.name: one.sql for one in selected}
            query["undecided"] = undecided(aggregates.all(), shown)
            query["undecided_having"] = undecided(aggregates.all(), {"having": having})
            planned["query"] = query
        return planned

    # columns of the relation

    def _order_columns(self, columns: Columns) -> dict[str, list[str]]:
        """The columns that the config names, under their own names; by the setting."""
        names: dict[str, list[str]] = {"arrival_order": [], "partition": []}
        settings = self.reading.settings
        given = [("partition", name) for name in settings.partition]
        if settings.arrival_order is not None:
            given.insert(0, ("arrival_order", settings.arrival_order))
        for role, name in given:
            parts = _parts_in(name)
            if parts is None:
                words = (f"{role} must be the name of a column", "give the name of a column")
                self.reading.refuse_config(role, name, words)
                continue
            relation, rest = columns.scope.split(parts)
            known = relation.columns if relation is not None else columns.scope.columns
            if known is not None and rest[0].lower() not in known:
                words = (
                    f"the last SELECT reads no column '{rest[0]}': what it reads has "
                    f"{', '.join(sorted(known))}",
                    "add the column to the CTEs and subqueries that it reads",
                )
                self.reading.refuse_config(role, name, words)
                continue
            own_name = columns.own_name(".".join(quoted(part) for part in parts), parts)
            if own_name is not None:
                names[role].append(own_name)
                continue
            words = (
                f"'{rest[-1]}' is also the name of another column that is needed",
                "rename it where it is read, in a CTE or subquery",
            )
            self.reading.refuse_config(role, name, words)
        return names

    def _event_time(self, window: TimeWindow, columns: Columns) -> str:
        sql = self._sql(window.time)
        parts = parts_of(window.time)
        if parts is not None:
            return columns.column(sql, parts, recorded=True)
        canonical = columns.scope.canonical_of(window.time)
        return columns.expression(canonical, sql, "event_time", recorded=True)

    def _arguments(self, window: TimeWindow, columns: Columns) -> tuple[dict[str, str], list[str]]:
        """The window's arguments over the relation, and what the relation must leave out for it."""
        if window.gap is None:
            return dict(window.arguments), []
        text = self.reading.text
        span = self._span(window.gap)
        replaced = []
        for reference, parts in references(window.gap):
            at = self._span(reference)
            name = quoted(columns.column(text.slice(at), parts))
            if is_captured(reference, name):
                self.reading.refuse("GROUP BY", reference, refusals.CAPTURED)
            replaced.append((at, name))
        time, gap = self._sql(window.time), text.slice(span)
        time = time if parts_of(window.time) else f"({time})"
        # Spark takes a text as a gap too, and leaves out rows whose gap is not above zero.
        condition = f"{time} is null or {time} + cast({gap} as interval) > {time}"
        return {"gap_by": f"cast({text.spliced(span, replaced)} as interval)"}, [condition]

    def _sql(self, node: exp.Expression) -> str:
        return self.reading.text.slice(self._span(node))

    def _span(self, node: exp.Expression) -> Span:
        span = self.reading.text.span(node)
        if span is None:
            self.reading.refuse("GROUP BY", node, refusals.NOT_UNDERSTOOD)
            raise NotReadError
        return span


def _parts_in(name: str) -> Parts | None:
    """The parts of a column that a setting names."""
    try:
        (select,) = parse(tokenize(f"select {name}"), f"select {name}")
        (column,) = select.expressions
    except (SqlglotError, ValueError):
        return None
    return parts_of(column)


def _taken_by_aggregates(statement: Statement) -> frozenset[str]:
    """The names of columns that aggregates take."""
    expressions = [item.node for item in statement.items]
    expressions += [statement.having[0]] if statement.having is not None else []
    return frozenset(
        parts[-1].lower()
        for expression in expressions
        for call in nodes(expression)
        if call_name(call) and kind_of(call_name(call)) in (Kind.AGGREGATE, Kind.UNKNOWN)
        for _, parts in references(call)
    )
