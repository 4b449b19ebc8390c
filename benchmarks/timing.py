"""Times of things that are done in turn, so that a busy moment of the machine meets them all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median

Action = Callable[[], object]


def say(text: str) -> None:
    """A line of progress."""
    print(text, flush=True)


def seconds(action: Action) -> float:
    """How long an action takes."""
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def interleaved(
    actions: Mapping[str, Action], repeats: int, before: Action = lambda: None, warm_ups: int = 1
) -> dict[str, float]:
    """The median seconds of each action over `repeats` rounds of all of them in their order.

    `before` goes ahead of each round, outside its times. Rounds that nobody times warm up:
    compiled code, caches of files.
    """
    times: dict[str, list[float]] = {name: [] for name in actions}
    for number in range(1 - warm_ups, repeats + 1):
        before()
        shown = []
        for name, action in actions.items():
            taken = seconds(action)
            shown.append(f"{name} {taken:.2f} s")
            if number > 0:
                times[name].append(taken)
        title = f"round {number} of {repeats}" if number > 0 else "warm-up"
        say(f"    {title}: {', '.join(shown)}")
    return {name: median(taken) for name, taken in times.items()}
