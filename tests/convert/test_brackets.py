"""Operators bind in what is written as they do in what was read, whatever brackets it had."""

from __future__ import annotations

import json
import os
import random

import pytest

from dbt_event_windows.convert import convert
from dbt_event_windows.plain_sql import plan
from dbt_event_windows.plain_sql.dialect import parse, tokenize
from dbt_event_windows.plain_sql.references import Canonical
from dbt_event_windows.plain_sql.scope import Scope
from tests.drawn_expressions import as_written, draw_tree, in_full

SEED = int(os.environ["EVENT_WINDOWS_SEED"])
COLUMNS = ("a", "b", "c", "d")
# Pieces of plain SQL, and the columns of the windows that stand for them.
NUMBERS = {"count(*)": "count_all", "sum(x)": "sum_x", "max(y + 1)": "m", "k": "k"}
CONDITIONS = {"flag": "flag", "bool_or(z)": "bool_or_z"}


def _item(sql: str, place: int = 0) -> Canonical:
    (select,) = parse(tokenize(sql), sql)
    return Scope().canonical_of(select.expressions[place].unalias())


@pytest.mark.parametrize("dialect", ["spark", "bigquery", "snowflake"])
def test_what_is_converted(dialect: str) -> None:
    draw = random.Random(f"{SEED} {dialect}")
    for _ in range(15):
        tree = draw_tree(draw, dialect, COLUMNS)
        value = as_written(draw, tree, dialect)
        sql = convert(f"select date(at) as d, max({value}) as v from e group by 1", dialect).sql
        meant = _item(f"select max({in_full(tree)})")
        assert _item(sql, 1) == meant, f"seed {SEED}\n{value}\n{sql}"


def test_what_is_put_into_plain_sql() -> None:
    draw = random.Random(SEED)
    for _ in range(15):
        tree = draw_tree(draw, "spark", tuple(NUMBERS), tuple(CONDITIONS))
        item = as_written(draw, tree, "spark")
        text = f"select max(y+1)m, abs({item}) as v from e group by k, flag, window(at, '1 hour')"
        planned = json.loads(plan(text, {}))
        sql = planned["columns"][1]["sql"]
        meant = _item(f"select abs({in_full(tree, NUMBERS | CONDITIONS)})")
        assert _item(f"select {sql}") == meant, f"seed {SEED}\n{item}\n{sql}"
