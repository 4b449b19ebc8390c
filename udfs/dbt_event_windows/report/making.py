"""From questions to a page or to sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dbt_event_windows.report import markup, questions
from dbt_event_windows.report.asking import Asker
from dbt_event_windows.report.errors import AskError, ReportError
from dbt_event_windows.report.explain import explain, read_explained
from dbt_event_windows.report.followers import read_followers
from dbt_event_windows.report.health import Accounts, read_accounts, read_health
from dbt_event_windows.report.lateness import read_lateness
from dbt_event_windows.report.model_facts import ModelFacts, read_facts
from dbt_event_windows.report.page import page
from dbt_event_windows.report.refreshes import read_refreshes
from dbt_event_windows.report.test_results import TestResult, last_results
from dbt_event_windows.report.timeline import read_timeline
from dbt_event_windows.report.times import exact


@dataclass(frozen=True)
class Source:
    """A relation that no model reads yet, and its columns."""

    relation: str
    key: tuple[str, ...]
    event_time: str
    arrival_order: str
    partition: str | None = None


def report_on_model(
    asker: Asker,
    model: str,
    key: Mapping[str, str] | None = None,
    part: float = 1.0,
    tests: Sequence[TestResult] = (),
) -> str:
    """The page about a model.

    key: a value for each key column, of the one whose timeline is wanted; a model without a key
    has one in any case. part: of how many of the keys lateness is measured. tests: how tests of
    any models ended. A question without an answer leaves its part of the page out and says so.

    Raises:
        ReportError: the model cannot be asked at all, the key is not one of it, or matplotlib is
            not there.
    """
    # matplotlib is not needed for sentences
    from dbt_event_windows.report.sections.followers_section import followers_section
    from dbt_event_windows.report.sections.grace_section import grace_section
    from dbt_event_windows.report.sections.health_section import health_section
    from dbt_event_windows.report.sections.refresh_section import refresh_section
    from dbt_event_windows.report.sections.timeline_section import timeline_section

    facts = read_facts(asker.ask(questions.facts(model)))
    if key:
        _check_key(key, facts)

    def grace() -> str:
        # without a key all rows are of one, which is in a sample or not
        measured = part if facts.key else 1.0
        lateness = read_lateness(asker.ask(questions.lateness(model, measured)), facts.grace)
        return grace_section(lateness, measured, is_model=True)

    def refreshes() -> str:
        return refresh_section(read_refreshes(asker.ask(questions.refreshes(model))))

    def timeline() -> str:
        answer = asker.ask(questions.timeline(model, key or {}))
        return timeline_section(read_timeline(answer, key or {}, facts.through), facts)

    def health() -> str:
        accounts: Accounts | None = None
        answer = read_health(asker.ask(questions.health(model)))
        try:
            accounts = read_accounts(asker.ask(questions.accounts(model)))
        except AskError:
            # the source may be out of reach while the windows are not
            accounts = None
        return health_section(answer, accounts, facts, last_results(tests, model, facts.schema))

    def followers() -> str:
        return followers_section(read_followers(asker.ask(questions.followers(model))))

    wanted = [("grace", "Which grace?", grace), ("refreshes", "Refreshes", refreshes)]
    if key or not facts.key:
        wanted.append(("key", "One key", timeline))
    wanted.append(("health", "Health", health))
    wanted.append(("followers", "What follows it", followers))
    return page(
        f"Windows of {facts.name}",
        _about(facts),
        [(name, heading, _or_reason(name, heading, make)) for name, heading, make in wanted],
    )


def report_on_source(asker: Asker, source: Source, part: float = 1.0) -> str:
    """The page about a relation before there is a model: which grace it would need.

    Raises:
        ReportError: it cannot be asked, or matplotlib is not there.
    """
    from dbt_event_windows.report.sections.grace_section import grace_section

    question = questions.lateness_of_source(
        source.relation, source.key, source.event_time, source.arrival_order, source.partition, part
    )
    lateness = read_lateness(asker.ask(question), None)
    about = (
        f"{source.event_time} by {', '.join(source.key)}, in the order of {source.arrival_order}."
    )
    sections = [("grace", "Which grace?", grace_section(lateness, part, is_model=False))]
    return page(f"Lateness of {source.relation}", about, sections)


def explain_rows(asker: Asker, model: str, values: Mapping[str, str]) -> str:
    """Why rows with such values are, or are not, counted.

    Raises:
        ReportError: the model cannot be asked.
    """
    facts = read_facts(asker.ask(questions.facts(model)))
    answer = asker.ask(questions.explained(model, values))
    return explain(facts, read_explained(answer), values)


def _check_key(key: Mapping[str, str], facts: ModelFacts) -> None:
    if not facts.key:
        raise ReportError(f"--key has {', '.join(key)}, and {facts.name} has no key: leave it out")
    if set(key) != set(facts.key):
        raise ReportError(
            f"--key has {', '.join(key)}, the key of {facts.name} is {', '.join(facts.key)}: give "
            "a value for each of these columns, and for no other"
        )


def _about(facts: ModelFacts) -> str:
    grace = "unbounded" if facts.grace is None else exact(facts.grace)
    zone = "UTC" if facts.zone else "those of the wall clock"
    return (
        f"{facts.window} windows over {facts.event_time} by {', '.join(facts.key) or 'nothing'}, "
        f"grace {grace}, emit={facts.emit}. Event times are {zone}."
    )


def _or_reason(name: str, heading: str, make: Callable[[], str]) -> str:
    try:
        return make()
    except AskError as error:
        inside = markup.paragraph("This could not be asked.") + f"<pre>{_lines(str(error))}</pre>"
        return markup.section(name, heading, inside)


def _lines(said: str) -> str:
    lines: Sequence[str] = said.splitlines()
    return "\n".join(markup.text(line) for line in lines[:40])
