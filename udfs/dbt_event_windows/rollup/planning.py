"""From the text of a rollup to what the macros need of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlglot import exp
from sqlglot.errors import TokenError

from dbt_event_windows.plain_sql.problems import Problem, Problems
from dbt_event_windows.plain_sql.reading import Reading, Settings
from dbt_event_windows.plain_sql.statement import (
    NotReadError,
    not_read,
    read_select,
    refuse_lost_words,
    take_apart,
)
from dbt_event_windows.plain_sql.text import UserText
from dbt_event_windows.rollup.groups import all_rows, groups_of, rows_of
from dbt_event_windows.rollup.layers import layers_of
from dbt_event_windows.rollup.names import tables_of
from dbt_event_windows.rollup.refused import WORDS, has_aggregate
from dbt_event_windows.rollup.relations import paths_below, refuse_place
from dbt_event_windows.rollup.writing import keys_over_another_relation, over_another_relation

Plan = dict[str, Any]


def plan(text: str, settings: Mapping[str, Any]) -> str:
    """What a text says, as JSON; or all its problems, each with clause, line and what to do.

    Args:
        text: one SELECT of Spark SQL, as dbt has compiled it.
        settings: in `rollup` a mapping. Empty at first: the answer has `tables`, the names in FROM
            in parts, and `inputs`, a query whose columns are those that the text can use. Then
            `followed`, which of the tables is the model, and `inputs`, the names of these columns.
            Also `columns`, pairs of the name of a table in parts and its columns, each with its
            type; and `identity`, which columns of the model tell its rows apart: pairs of a name
            and whether it must be compared as text. Then the answer has `text`, the same for texts
            that differ in blanks and comments; `groups`, the columns that tell its groups, or
            without GROUP BY the rows of the model: places in the result, from 0, or names;
            `hidden`, the SQL of those that the text does not show, which the result has at its end;
            `several`, whether it may have several rows of one of them; `times`, which of them say
            where in time a column of the model lies: [group, column, how many microseconds it may
            lie after the group]; `query` and `keys`, what stands before and after the model in the
            text, and in a query for these columns.
    """
    return json.dumps(_plan(text, settings["rollup"]), ensure_ascii=False)


def _plan(text: str, given: Mapping[str, Any]) -> Plan:
    try:
        reading = Reading(UserText(text), Settings(), words=WORDS)
        planned = _read(reading, given)
    except TokenError as error:
        return {"problems": Problems([not_read(error, text)]).as_json()}
    except NotReadError:
        planned = {}
    except Exception as error:  # whatever it is: the person who runs dbt has written SQL, not this
        problem = f"the text could not be read ({type(error).__name__}: {error})"
        return {
            "problems": Problems(
                [Problem("text", 1, "", problem, "write it in a simpler way")]
            ).as_json()
        }
    if reading.problems:
        return {"problems": reading.problems.as_json()}
    return planned


def _read(reading: Reading, given: Mapping[str, Any]) -> Plan:
    select = read_select(reading)
    layer = layers_of(reading, select, tables_of(given.get("columns", [])))
    if reading.problems:
        return {}
    statement = take_apart(reading, select, grouped=False)
    refuse_lost_words(reading, select)
    paths = list(paths_below(layer))
    if "followed" not in given:
        return {
            "tables": [path[-1].relation.parts for path in paths],
            "inputs": reading.query_of(statement.with_, "*", statement.from_),
        }
    path = paths[int(given["followed"])]
    refuse_place(reading, path)
    if isinstance(select.args.get("group"), exp.Group):
        groups = groups_of(reading, statement, path, given["inputs"], given["identity"])
    elif any(has_aggregate(item.node) for item in statement.items):
        groups = all_rows()
    else:
        groups = rows_of(reading, path, given["identity"])
    relation = path[-1].relation
    if reading.problems:
        return {}
    return {
        "text": " ".join(reading.text.text[one.start : one.end + 1] for one in reading.text.tokens),
        "groups": groups.shown,
        "hidden": groups.hidden,
        "several": groups.several,
        "times": groups.times,
        "query": over_another_relation(reading, statement, relation, groups.hidden, True),
        "keys": keys_over_another_relation(relation, groups.of_a_row)
        if groups.several
        else over_another_relation(reading, statement, relation, groups.hidden, False),
    }
