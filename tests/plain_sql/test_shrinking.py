"""A failing text is made as small as it gets, and its rows as few."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tests.plain_sql.generated.grammar import draw_text
from tests.plain_sql.generated.outcomes import End, Verdict
from tests.plain_sql.generated.shrinking import Refreshes, smallest
from tests.plain_sql.generated.text import Group, Item, Text

LONG = Text(
    from_="{events} e left join {people} p using (user_id)",
    with_=("a as (select 1)",),
    items=(
        Item("count(*)", "n", 1),
        Item("lower(e.url)", "url", 2),
        Item("sum(amount) filter (where flag or is_bot)", "total", 3),
        Item("window.start", "", 4),
    ),
    groups=(Group("url"), Group("window(ts, '1 hour')"), Group(tag=4), Group("os")),
    where=("(flag)", "(amount > 1)"),
    having=("count(*) > 1",),
)


class OneFault:
    """Takes every text; wrong are those with a sum over an even row in the second refresh."""

    asked = 0

    def is_taken(self, text: Text) -> bool:
        return True

    def verdicts(self, texts: Sequence[Text], refreshes: Refreshes) -> list[Verdict]:
        self.asked += len(texts)
        is_there = len(refreshes) == 2 and any(row % 2 == 0 for row in refreshes[1])
        wrong = [is_there and "sum(" in text.sql and "flag or" in text.sql for text in texts]
        return [
            Verdict(text, End.DIFFERENT if one else End.EQUAL)
            for text, one in zip(texts, wrong, strict=True)
        ]


def test_parts_and_rows_that_do_not_matter_are_left_out() -> None:
    judge = OneFault()
    verdict, rows = smallest(judge, Verdict(LONG, End.DIFFERENT), [[1, 2, 3], list(range(9))])
    assert verdict.text.sql == (
        "select sum(amount) filter (where flag or is_bot)\nfrom {events} e\ngroup by os"
    )
    assert [len(part) for part in rows] == [0, 1]
    assert rows[-1][0] % 2 == 0
    assert judge.asked < 200


def test_positions_stay_those_of_their_items() -> None:
    assert "group by url, window(ts, '1 hour'), 4" in LONG.sql
    without_first = next(text for text in LONG.smaller() if len(text.items) == 3)
    assert "group by url, window(ts, '1 hour'), 3" in without_first.sql


def test_smaller_texts_end() -> None:
    """Whatever is drawn, there is a smallest text, which has no smaller one."""
    for seed in range(40):
        text = draw_text(random.Random(seed))
        while smaller := [one for one in text.smaller() if one.size < text.size]:
            text = smaller[-1]
        assert text.size < 120, text.sql


def test_a_seed_draws_the_same_texts() -> None:
    assert draw_text(random.Random(7)) == draw_text(random.Random(7))
