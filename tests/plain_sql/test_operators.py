"""Operators are read in the order in which Spark's grammar binds them."""

from __future__ import annotations

import pytest

from dbt_event_windows.plain_sql.dialect import parse, tokenize
from dbt_event_windows.plain_sql.references import Canonical
from dbt_event_windows.plain_sql.scope import Scope


@pytest.mark.parametrize(
    ("text", "bracketed"),
    [
        ("a | b & c", "a | (b & c)"),
        ("a ^ b & c", "a ^ (b & c)"),
        ("a | b ^ c", "a | (b ^ c)"),
        ("a & b | c ^ d & e", "(a & b) | (c ^ (d & e))"),
        ("a & 1 << 2", "a & (1 << 2)"),
        ("a << b + c << d", "(a << (b + c)) << d"),
        ("a || b - c * d + e", "((a || b) - (c * d)) + e"),
        ("a || b collate utf8_lcase", "a || (b collate utf8_lcase)"),
        ("a collate utf8_lcase::string || b", "((a collate utf8_lcase)::string) || b"),
        ("a || b collate system.builtin.utf8_lcase", "a || (b collate system.builtin.utf8_lcase)"),
        ("a + b % c", "a + (b % c)"),
        ("-a || ~b & c", "((-a) || (~b)) & c"),
        ("+a * b + +c", "((+a) * b) + (+c)"),
        ("-1::string || a -1::int", "((-1)::string) || a - (1::int)"),
        ("-a::int * - 2.5::string", "(-(a::int)) * ((-2.5)::string)"),
        ("a - interval 1 day 2 hours + b", "(a - (interval 1 day 2 hours)) + b"),
        ("interval '1' day '2' hours * a", "(interval '1' day '2' hours) * a"),
        ("a = b < c", "(a = b) < c"),
        ("a < b = c <=> d", "((a < b) = c) <=> d"),
        ("a = b & c", "a = (b & c)"),
        ("a = b in (c)", "(a = b) in (c)"),
        ("a = b like 'x' escape '|'", "(a = b) like 'x' escape '|'"),
        ("a > b between c and d", "(a > b) between c and d"),
        ("a > b not between c | d and e", "(a > b) not between (c | d) and e"),
        ("a > b is null", "(a > b) is null"),
        ("a = b is not distinct from c + d", "(a = b) is not distinct from (c + d)"),
        ("not a = b in (c) and d", "(not ((a = b) in (c))) and d"),
        ("a or b and not c is true", "a or (b and (not (c is true)))"),
    ],
)
def test_order_of_operators(text: str, bracketed: str) -> None:
    assert _read(text) == _read(bracketed)


def test_a_plus_makes_a_number_of_a_text() -> None:
    assert _read("+word") != _read("word")


def _read(text: str) -> Canonical:
    (select,) = parse(tokenize(f"select {text}"), f"select {text}")
    return Scope().canonical_of(select)
