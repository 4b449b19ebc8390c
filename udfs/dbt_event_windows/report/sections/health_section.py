"""How windows, clocks and counts stand."""

from __future__ import annotations

from collections.abc import Sequence

from dbt_event_windows.report import markup
from dbt_event_windows.report.health import Accounts, Health, Key
from dbt_event_windows.report.model_facts import ModelFacts
from dbt_event_windows.report.rows import NOT_SHOWN
from dbt_event_windows.report.sections.tests_part import failures, tests_part
from dbt_event_windows.report.test_results import LastResults
from dbt_event_windows.report.times import DAY, HOUR, duration, instant
from dbt_event_windows.report.words import many

TITLE = "Health"
# A clock that is so far ahead of the median closes windows early, or others have stopped.
FAR = DAY
EASTMOST = 14 * HOUR


def health_section(
    health: Health,
    accounts: Accounts | None,
    facts: ModelFacts,
    tests: Sequence[LastResults] = (),
) -> str:
    """HTML of it; without accounts where the source could not be asked."""
    numbers: list[tuple[str, markup.Cell]] = [
        ("windows", health.windows),
        ("open", health.open),
        ("closed", health.closed),
        ("open only because their keys are idle", health.idle),
    ]
    filtered = facts.having and facts.emit != "final"
    if filtered:
        numbers.append((NOT_SHOWN, health.not_shown))
    if accounts:
        numbers.append(("rows read", accounts.read))
        numbers.append(("rows skipped", accounts.skipped))
        if accounts.unaccounted is not None:
            numbers.append(("rows unaccounted for", accounts.unaccounted))
    numbers += [(f"dropped: {reason}", count) for reason, count in sorted(health.dropped.items())]
    wrong = [*failures(tests), *warnings(health, accounts, facts)]
    parts = [markup.tiles(numbers), *map(_warning, wrong)]
    if facts.having:
        words = (
            "Windows that do not meet HAVING now are kept, and are among these: the model shows "
            "them once they meet it."
            if filtered
            else "Closed windows that do not meet HAVING were not published, and are not among "
            "these."
        )
        parts.append(markup.paragraph(words))
    parts.append(tests_part(tests))
    if health.largest:
        word = "most rows" if facts.counts_rows else "longest"
        parts.append(f"<h3>The largest windows ({word})</h3>")
        parts.append(
            markup.table(
                ["key", "from", "to", "length", "rows", "state"],
                [
                    [
                        key_text(key),
                        instant(window.start),
                        instant(window.end),
                        duration(window.end - window.start),
                        window.rows,
                        window.state,
                    ]
                    for key, window in health.largest
                ],
            )
        )
    parts += _clocks(health)
    if health.most_idle:
        parts.append("<h3>Idle keys</h3>")
        parts.append(
            markup.paragraph(
                f"{many(health.idle_keys, 'key')}: the latest clock would close windows that are "
                "open. Nothing closes them before a row of theirs comes, or a run with the var "
                "event_windows__advance_to."
            )
        )
        parts.append(
            markup.table(
                ["key", "open windows", "end of the last"],
                [[key_text(key), windows, instant(end)] for key, windows, end in health.most_idle],
            )
        )
    return markup.section("health", TITLE, "".join(parts))


def warnings(health: Health, accounts: Accounts | None, facts: ModelFacts) -> list[str]:
    """What is wrong, a sentence each."""
    found = []
    # a wall clock may be that of a zone east of all others
    slack = 0 if facts.zone else EASTMOST
    ahead = (health.latest or 0) - health.now - slack if health.now is not None else 0
    if ahead > 0:
        found.append(
            f"A clock is {duration(ahead)} in the future: rows of its key that come now may be "
            "late. max_ahead keeps such rows out."
        )
    if facts.hidden:
        found.append(
            f"Published windows are not among these, since the model does not show "
            f"{', '.join(facts.hidden)}: add it to the SELECT under a name of its own."
        )
    if accounts and accounts.skipped:
        came = "Came with a number below the last one read, and not read"
        skipped = many(accounts.skipped, "row")
        found.append(
            f"{came} then: {skipped}. Those whose keys were made anew since are counted; a full "
            "refresh counts the others."
            if accounts.rebuilt
            else f"{came}: {skipped}. A full refresh counts them."
        )
    unaccounted = (accounts.unaccounted if accounts else None) or 0
    if unaccounted > 0:
        found.append(f"In the source, and read by no refresh: {many(unaccounted, 'row')}.")
    if unaccounted < 0:
        found.append(f"Read, and not in the source any more: {many(-unaccounted, 'row')}.")
    return found


def key_text(key: Key) -> str:
    """Values of a key, or of the columns that a clock belongs to."""
    return ", ".join("null" if value is None else value for value in key) or "all rows"


def _clocks(health: Health) -> list[str]:
    if not health.fast or health.median is None:
        return []
    ahead = [clock - health.median for _, clock in health.fast]
    far = [place for place, micros in enumerate(ahead) if micros >= FAR]
    words = f"{health.clocks} clocks; the median shows {instant(health.median)}."
    if far:
        words += " Marked: more than a day ahead of it."
    lines: list[markup.Row] = [
        [key_text(key), instant(clock), duration(micros)]
        for (key, clock), micros in zip(health.fast, ahead, strict=True)
    ]
    return [
        "<h3>Clocks that are furthest</h3>",
        markup.paragraph(words),
        markup.table(["clock of", "stream time", "ahead of the median by"], lines, far),
    ]


def _warning(sentence: str) -> str:
    return f'<p class="warning">{markup.text(sentence)}</p>'
