"""From the text of a model to the plan that the macros keep up to date."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlglot import exp
from sqlglot.errors import TokenError

from dbt_event_windows.plain_sql import refusals
from dbt_event_windows.plain_sql.aggregates import Aggregates
from dbt_event_windows.plain_sql.asked_scope import (
    scope_of,
    taken_by_aggregates,
    variables_over_columns,
)
from dbt_event_windows.plain_sql.below import Below
from dbt_event_windows.plain_sql.bounds import Bounds
from dbt_event_windows.plain_sql.columns import ALL_ROWS, Columns
from dbt_event_windows.plain_sql.double_quotes import (
    questions_about_quotes,
    refuse_names_in_quotes,
)
from dbt_event_windows.plain_sql.equivalent import (
    is_sparks,
    own_name,
    refuse_window_as_a_name,
    spark_text,
)
from dbt_event_windows.plain_sql.grouping import GroupingReader
from dbt_event_windows.plain_sql.key_columns import KeyColumns
from dbt_event_windows.plain_sql.naming import quoted
from dbt_event_windows.plain_sql.one_table import one_table
from dbt_event_windows.plain_sql.outputs import Outputs
from dbt_event_windows.plain_sql.problems import Problem, Problems
from dbt_event_windows.plain_sql.query_text import query_text, undecided
from dbt_event_windows.plain_sql.questions import Described, Questions, UnansweredError
from dbt_event_windows.plain_sql.reading import Reading, Settings
from dbt_event_windows.plain_sql.references import (
    Parts,
    is_captured,
    lowered,
    parts_in,
    parts_of,
    references,
)
from dbt_event_windows.plain_sql.relation import relation_sql
from dbt_event_windows.plain_sql.row_by_row import row_by_row
from dbt_event_windows.plain_sql.scope import Scope
from dbt_event_windows.plain_sql.statement import (
    NotReadError,
    Statement,
    not_read,
    read_select,
    refuse_lost_words,
    take_apart,
)
from dbt_event_windows.plain_sql.text import Span, UserText
from dbt_event_windows.plain_sql.time_windows import TimeWindow

Plan = dict[str, Any]


def plan(text: str, settings: Mapping[str, Any]) -> str:
    """The plan for a text, as JSON; or all its problems, each with clause, line and what to do.

    What only Spark can tell comes back as `questions`, queries whose columns must be known: plan
    again with `answers` in the settings, which has [[name, type], ...] for each.

    Args:
        text: one SELECT of Spark SQL with a time window in its GROUP BY, as dbt has compiled it.
            Lines are counted in it, so blank lines in front should be left there.
        settings: `arrival_order`, `arrived_at` and `partition`, columns as the user writes them, or
            none; `joins`, 'as_of_refresh' (default) or 'refuse'; and `answers`. Without answers
            nothing is asked, and the plan is good to see what is refused. With `query` the plan
            says too how the text is run over a part of its rows. Other names mean nothing. With
            `table_of`, a column of a query, no plan is asked for: the text is any query, and the
            answer is the one `table` below it with its `column`, or empty. `namespace` is where a
            name without one is looked up, and what comes before it a name with a schema alone.
            With `row_by_row`, a column, `types` and `more` it is that of the function of this name.
    """
    if settings.get("row_by_row") is not None:
        column, types = str(settings["row_by_row"]), settings.get("types")
        return json.dumps(row_by_row(text, column, types, settings.get("more") or ()))
    if settings.get("table_of") is not None:
        column, namespace = str(settings["table_of"]), str(settings.get("namespace") or "")
        found = one_table(text, column, namespace)
        return json.dumps(dict(zip(("table", "column"), found, strict=True)) if found else {})
    return json.dumps(_plan(text, settings), ensure_ascii=False)


def _plan(text: str, settings: Mapping[str, Any]) -> Plan:
    questions = Questions(settings.get("answers"))
    try:
        reading = Reading(UserText(text), Settings.of(settings), questions)
        planned = _Planner(reading).plan()
    except TokenError as error:
        return {"problems": Problems([not_read(error, text)]).as_json()}
    except UnansweredError as error:
        return {"questions": error.queries}
    except NotReadError:
        planned = {}
    except Exception as error:  # whatever it is: the person who runs dbt has written SQL, not this
        return {"problems": Problems([_not_read_by_us(error)]).as_json()}
    if reading.problems:
        return {"problems": reading.problems.as_json()}
    return planned


def _not_read_by_us(error: Exception) -> Problem:
    if isinstance(error, RecursionError):
        problem = "an expression is too long or too deep to be read here"
        mend = "write IN (...) for many ORs, or make a part of it a column in a CTE"
        return Problem("text", 1, "", problem, mend)
    problem = f"the text could not be read ({type(error).__name__}: {error})"
    return Problem("text", 1, "", problem, "write it in a simpler way, and please tell us of it")


class _Planner:
    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def plan(self) -> Plan:
        """The plan, or nothing where a problem says why there is none."""
        reading = self.reading
        select = read_select(reading)
        below = Below(reading)
        relations = below.relations(select)
        if reading.problems:
            return {}
        statement = take_apart(reading, select)
        beside = [*below.names.questions(select), *questions_about_quotes(reading)]
        scope = scope_of(reading, statement, relations, beside)
        below.from_clause.looked_up.refuse_arrival(select, scope)
        refuse_names_in_quotes(reading)
        below.names.refuse_unknown(select)
        below.where(select, "WHERE", scope)
        refuse_lost_words(reading, select)
        grouping = GroupingReader(reading, statement, scope).read()
        variables = variables_over_columns(statement)
        columns = Columns(scope, taken_by_aggregates(statement), variables)
        ordered = self._order_columns(columns)
        window = grouping.window
        if window is None:
            return {}
        event_time = self._event_time(window, columns)
        keys = KeyColumns(reading, scope, grouping, columns, event_time)
        aggregates = Aggregates(reading, columns, keys, window.struct)
        aggregates.name_items(statement.items)
        outputs = Outputs(reading, statement, keys, Bounds(reading, scope, window), aggregates)
        selected = [sql for sql in outputs.select() if sql is not None]
        self._refuse_nameless(statement, window, aggregates)
        refuse_window_as_a_name(reading, statement, scope, grouping)
        if reading.problems:
            return {}
        check = spark_text(reading, statement, grouping, aggregates.own)
        described = self._described(check, statement, window)
        names = self._names(statement, [one.name for one in described])
        types = [
            one.type if is_sparks(item, window, aggregates.own) else None
            for item, one in zip(statement.items, described, strict=True)
        ]
        having = outputs.having(names, selected, types)
        if reading.problems:
            return {}
        arguments, conditions = self._arguments(window, columns)
        planned: Plan = {
            "relation": relation_sql(
                reading, statement, columns.listed([*keys.names, event_time]), conditions
            ),
            "key": keys.names or [ALL_ROWS],
            "event_time": event_time,
            "arrival_order": next(iter(ordered["arrival_order"]), None),
            "arrived_at": next(iter(ordered["arrived_at"]), None),
            "partition": ordered["partition"],
            "window": {"type": window.type, **arguments},
            "aggregates": aggregates.all(),
            "columns": [
                {"name": name, "sql": sql, "type": type_}
                for name, sql, type_ in zip(names, selected, types, strict=True)
            ],
            "having": having,
            "sources": list(below.sources.values()),
            "joins": below.joins,
            "notes": reading.notes,
            "check": check,
        }
        if reading.settings.query:
            used = list(columns.columns.values())
            query = query_text(reading, statement, window, aggregates.own, used)
            shown = dict(zip(names, selected, strict=True))
            calls = aggregates.all()
            query["undecided"] = undecided(calls, window, shown)
            query["undecided_having"] = undecided(calls, window, {"having": having})
            planned["query"] = query
        return planned

    # names of the result

    def _described(self, check: str, statement: Statement, window: TimeWindow) -> list[Described]:
        """What Spark says of the text; without Spark the names that the text gives."""
        if self.reading.questions.answers is not None:
            (described,) = self.reading.questions.columns(check)
            return described
        return [
            Described(
                item.alias or own_name(item, window) or self.reading.text.slice(item.span), ""
            )
            for item in statement.items
        ]

    def _refuse_nameless(
        self, statement: Statement, window: TimeWindow, aggregates: Aggregates
    ) -> None:
        """Refuse items without an alias to which Spark gives no name, since it cannot read them."""
        for item in statement.items:
            if (
                item.alias is None
                and not is_sparks(item, window, aggregates.own)
                and own_name(item, window) is None
            ):
                words = (
                    "this column has no name, and which one Spark gives it is not sure",
                    "give it an alias: ... as name",
                )
                self.reading.refuse_span("SELECT", item.span, words)

    def _names(self, statement: Statement, names: list[str]) -> list[str]:
        """The names of the items as Spark gives them; names that are there twice are refused."""
        if len(names) != len(statement.items):
            self.reading.refuse_span("SELECT", None, refusals.NOT_UNDERSTOOD)
            raise NotReadError
        seen: set[str] = set()
        for item, name in zip(statement.items, names, strict=True):
            if name.lower() in seen:
                words = (
                    f"two columns have the name '{name}', and a table cannot have both",
                    "give one of them another alias",
                )
                self.reading.refuse_span("SELECT", item.span, words)
            seen.add(name.lower())
        return names

    # columns of the relation

    def _order_columns(self, columns: Columns) -> dict[str, list[str]]:
        """The columns that the config names, under their own names; by the setting."""
        names: dict[str, list[str]] = {"arrival_order": [], "arrived_at": [], "partition": []}
        settings = self.reading.settings
        given = [
            ("arrival_order", settings.arrival_order),
            ("arrived_at", settings.arrived_at),
            *(("partition", name) for name in settings.partition),
        ]
        for role, name in given:
            if name is None:
                continue
            parts = parts_in(name)
            if parts is None:
                words = (f"{role} must be the name of a column", "give the name of a column")
                self.reading.refuse_config(role, name, words)
                continue
            if role == "arrived_at" and len(parts) > 1:
                words = ("arrived_at is a column by its own name", f"write {parts[-1]} alone")
                self.reading.refuse_config(role, name, words)
                continue
            if columns.scope.resolve(parts) is None:
                self.reading.refuse_config(role, name, _no_column(parts, columns.scope))
                continue
            own_name = columns.own_name(".".join(quoted(part) for part in parts), parts)
            if own_name is not None:
                names[role].append(own_name)
                continue
            problem = f"'{parts[-1]}' is also the name of another column that is needed"
            if parts[-1].lower().startswith("_ew_"):
                problem = (
                    "names that begin with _ew_ are those of the package's own columns, which the "
                    "model's tables have beside it"
                )
            mend = "rename it where it is read, in a CTE or subquery"
            self.reading.refuse_config(role, name, (problem, mend))
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


def _no_column(parts: Parts, scope: Scope) -> refusals.Words:
    known = f"what it reads has {', '.join(sorted(scope.names))}"
    if [name.lower() for name in scope.names].count(parts[0].lower()) and len(parts) == 1:
        return (
            f"several tables that the last SELECT reads have a column '{parts[0]}'",
            f"write the table in front of it, as in {_example(scope)}.{parts[0]}",
        )
    front = parts[:-1]
    if front and not any(lowered(front) in one.qualifiers for one in scope.relations):
        # a table in a CTE or a subquery, say
        problem = f"the last SELECT reads nothing that is called '{'.'.join(front)}': {known}"
        if scope.resolve(parts[-1:]) is not None:
            return problem, f"write {parts[-1]} alone"
        return problem, "add the column to the CTEs and subqueries that it reads"
    return (
        f"the last SELECT reads no column '{parts[-1]}': {known}",
        "add the column to the CTEs and subqueries that it reads",
    )


def _example(scope: Scope) -> str:
    named = [one for one in scope.relations if one.qualifiers]
    return ".".join(sorted(named[0].qualifiers, key=len)[0]) if named else "t"
