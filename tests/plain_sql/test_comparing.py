"""What the judge of generated texts takes for a difference."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.plain_sql.generated.outcomes import End, compared_again
from tests.plain_sql.results import Result, comparable

COMPARED: list[tuple[Any, Any, End]] = [
    (4003199668773781.5, 4003199668773783.0, End.UNDETERMINED),
    (4003199668773781.5, 4003199668773781.5, End.EQUAL),
    (1.0, 1.000000001, End.DIFFERENT),
    (0.0, -0.0, End.DIFFERENT),
    ("0.10000000000000001", "0.10000000000000002", End.DIFFERENT),
    (Decimal("40031996687737.815"), Decimal("40031996687737.816"), End.DIFFERENT),
    ([1.5, "a 0.10000000000000001"], [1.5, "a 0.10000000000000002"], End.DIFFERENT),
    (9007199254740993, 9007199254740992, End.DIFFERENT),
]


def _result(value: Any) -> Result:
    return Result((("x", "double"),), (repr(comparable([value, 1])),))


@pytest.mark.parametrize(("ours", "sparks", "end"), COMPARED)
def test_compared(ours: Any, sparks: Any, end: End) -> None:
    answers = [_result(sparks)] * 7
    assert compared_again(_result(ours), answers) == end
