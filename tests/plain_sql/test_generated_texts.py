"""Generated texts give what Spark gives for them over all rows, however these come in.

EVENT_WINDOWS_TEXTS: how many texts the long sweep runs; EVENT_WINDOWS_TEXTS_SEED: where it begins,
EVENT_WINDOWS_SEED if nothing is said.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from tests.harness import DbtProject
from tests.plain_sql.generated.grammar import draw_text
from tests.plain_sql.generated.outcomes import End, Judge
from tests.plain_sql.generated.rows import event_rows
from tests.plain_sql.generated.shrinking import described, smallest
from tests.plain_sql.generated.text import Group, Item, Text

SWEEP = int(os.environ.get("EVENT_WINDOWS_TEXTS", "3000"))
SEED = int(os.environ.get("EVENT_WINDOWS_TEXTS_SEED", os.environ["EVENT_WINDOWS_SEED"]))
# of the texts that Spark takes: a reader that refuses everything would be right about all
KEPT_AT_LEAST = 0.6
BATCH = 40
ZONE = "spark.sql.session.timeZone"
# rows come up to ten hours late; half of the batches of the long sweep count all of them
GRACES = ["unbounded", "unbounded", "0 minutes", "40 minutes"]
# drops rows whatever is drawn: one clock for all of them, and one in six comes ten hours late
DROPS_ROWS = Text(
    from_="{events} e",
    items=(Item("count(*)", "n", 1), Item("max(seq)", "last", 2)),
    groups=(Group("window(ts, '1 minute')"),),
)


@pytest.fixture(scope="module")
def judge(make_project: Callable[[str], DbtProject]) -> Judge:
    return Judge(make_project("generated_texts"))


def test_generated_texts_give_what_spark_gives(judge: Judge) -> None:
    _sweep(judge, seed=SEED, batches=[6], cuts=(50,), shrunk=1)
    assert not judge.late


def test_generated_texts_give_what_spark_gives_without_late_rows(judge: Judge) -> None:
    graces = ["40 minutes"]
    _sweep(judge, SEED + 1, batches=[4], cuts=(50,), shrunk=1, graces=graces, beside=DROPS_ROWS)
    assert judge.late


@pytest.mark.slow
def test_many_generated_texts_give_what_spark_gives(judge: Judge) -> None:
    batches = [min(BATCH, SWEEP - begun) for begun in range(0, SWEEP, BATCH)]
    _sweep(judge, SEED + 2, batches, cuts=None, shrunk=5, graces=GRACES)


def _sweep(
    judge: Judge,
    seed: int,
    batches: list[int],
    cuts: tuple[int, ...] | None,
    shrunk: int,
    graces: Sequence[str] = ("unbounded",),
    beside: Text | None = None,
) -> None:
    """Batches of texts, each with rows, a time zone and a seed of its own; a few faults in full.

    Where no cuts are given, they are drawn: two refreshes, or three.
    """
    ends: Counter[End] = Counter()
    faults: list[str] = []
    for one, size in enumerate(batches, start=seed):
        draw = random.Random(one)
        texts = [*_texts(judge, draw, size), *filter(None, [beside])]
        rows = event_rows(one)
        ends_at = cuts or sorted(draw.sample(range(1, len(rows)), draw.choice([1, 1, 2])))
        refreshes = [
            rows[start:end] for start, end in zip([0, *ends_at], [*ends_at, len(rows)], strict=True)
        ]
        judge.project.spark.conf.set(ZONE, draw.choice(["UTC", "America/New_York"]))
        judge.grace = draw.choice(graces)
        try:
            verdicts = judge.verdicts(texts, refreshes)
            ends.update(verdict.end for verdict in verdicts)
            for verdict in verdicts:
                if verdict.end.is_fault and len(faults) < shrunk:
                    # before the minutes that it takes to make it smaller
                    print(f"{verdict.text.over({})}\n{verdict.end.value} {verdict.why}", flush=True)
                    shown = described(*smallest(judge, verdict, refreshes))
                    faults.append(f"seed {one}: {shown}\nfound as\n{verdict.text.over({})}")
                    print(faults[-1], flush=True)
        finally:
            judge.project.spark.conf.unset(ZONE)
        print(f"seed {one}: {', '.join(f'{end.value} {ends[end]}' for end in End)}", flush=True)
    assert not sum(ends[end] for end in End if end.is_fault), "\n\n".join(faults)
    print(f"{judge.late} late rows were left out")
    assert ends[End.UNDETERMINED] <= 0.02 * ends.total() + 1
    assert ends[End.SPARK_FAILS] <= 0.05 * ends.total() + 1
    taken = ends.total() - ends[End.SPARK_REFUSES] - ends[End.PARTLY_LATE]
    # of a handful chance may have it that most are refused
    assert ends[End.EQUAL] >= KEPT_AT_LEAST * taken or taken < BATCH, ends


def _texts(judge: Judge, draw: random.Random, count: int) -> list[Text]:
    """So many texts that Spark takes."""
    texts: list[Text] = []
    while len(texts) < count:
        text = draw_text(draw)
        if judge.is_taken(text):
            texts.append(text)
        else:
            assert not judge.is_planned(text), f"Spark refuses it:\n{text.over({})}"
    return texts
