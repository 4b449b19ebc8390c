"""From the text of a rollup to what the macros need of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

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
from dbt_event_windows.rollup.groups import groups_of
from dbt_event_windows.rollup.refused import refuse_clauses, refuse_expressions
from dbt_event_windows.rollup.relations import refuse_place, relations_of
from dbt_event_windows.rollup.writing import over_another_relation

Plan = dict[str, Any]


def plan(text: str, settings: Mapping[str, Any]) -> str:
    """What a text says, as JSON; or all its problems, each with clause, line and what to do.

    Args:
        text: one SELECT of Spark SQL with GROUP BY, as dbt has compiled it.
        settings: in `rollup` a mapping. Empty at first: the answer has `tables`, the names in FROM
            in parts, and `inputs`, a query whose columns are those that the text can use. Then
            `followed`, which of the tables is the model, and `inputs`, the names of these columns.
            Then the answer has `text`, the same for texts that differ in blanks and comments;
            `groups`, places in the result, from 0, of the columns that tell its groups; `hidden`,
            how many columns the result has at its end that the text does not show; `query` and
            `keys`, what stands before and after the model in the text and in the text without
            HAVING.
    """
    return json.dumps(_plan(text, settings["rollup"]), ensure_ascii=False)


def _plan(text: str, given: Mapping[str, Any]) -> Plan:
    try:
        reading = Reading(UserText(text), Settings())
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
    refuse_clauses(reading, select)
    relations = relations_of(reading, select)
    if reading.problems:
        return {}
    statement = take_apart(reading, select)
    refuse_expressions(reading, statement, relations)
    refuse_lost_words(reading, select)
    if "followed" not in given:
        return {
            "tables": [relation.parts for relation in relations],
            "inputs": f"select * {reading.text.slice(statement.from_)}",
        }
    followed = int(given["followed"])
    refuse_place(reading, relations, followed)
    groups = groups_of(reading, statement, given["inputs"])
    if reading.problems:
        return {}
    hidden = [group.hidden for group in groups if group.hidden is not None]
    first = len(statement.items)
    places = [group.place if group.hidden is None else None for group in groups]
    for place, group in enumerate(groups):
        if group.hidden is not None:
            places[place] = first + hidden.index(group.hidden)
    return {
        "text": " ".join(reading.text.text[one.start : one.end + 1] for one in reading.text.tokens),
        "groups": places,
        "hidden": len(hidden),
        "query": over_another_relation(reading, statement, relations[followed], hidden, True),
        "keys": over_another_relation(reading, statement, relations[followed], hidden, False),
    }
