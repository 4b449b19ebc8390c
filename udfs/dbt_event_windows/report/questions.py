"""What is asked: calls of the dbt package's macros, as text for `dbt show --inline`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from dbt_event_windows.report.times import GRACES

REFRESHES = 120
ROWS = 400
EXAMPLES = 5


def facts(model: str) -> str:
    """What the model is."""
    return _of_model("facts", model)


def lateness(model: str, part: float) -> str:
    """How late its rows came, of such a part of its keys."""
    return _of_model("lateness", model, _jinja(GRACES), _jinja(part))


def lateness_of_source(
    relation: str,
    key: Sequence[str],
    event_time: str,
    arrival_order: str,
    partition: str | None,
    part: float,
) -> str:
    """The same of a relation that no model reads yet."""
    given = [relation, list(key), event_time, arrival_order, partition, GRACES, part]
    return _call("lateness_of_source", *map(_jinja, given))


def refreshes(model: str) -> str:
    """What the last refreshes did."""
    return _of_model("refreshes", model, str(REFRESHES))


def timeline(model: str, key: Mapping[str, str]) -> str:
    """Rows and windows of one key."""
    return _of_model("timeline", model, _jinja(dict(key)), str(ROWS))


def explained(model: str, values: Mapping[str, str]) -> str:
    """What became of rows with such values: of one more than are told, to tell of others."""
    return _of_model("explained", model, _jinja(dict(values)), str(EXAMPLES + 1))


def health(model: str) -> str:
    """How windows and clocks stand."""
    return _of_model("health", model, str(EXAMPLES))


def accounts(model: str) -> str:
    """Rows read beside rows that are there."""
    return _of_model("accounts", model)


def followers(model: str) -> str:
    """Which rollups read it, and how far they are behind."""
    return _of_model("followers", model)


def _of_model(question: str, model: str, *arguments: str) -> str:
    return _call(question, f"ref({_name(model)})", *arguments)


def _name(model: str) -> str:
    """What ref() takes: of `visits.v1` the model and its version, as dbt's own --select has it."""
    name, dot, version = model.rpartition(".v")
    return f"{_jinja(name)}, version={_jinja(version)}" if name and dot else _jinja(model)


def _call(question: str, *arguments: str) -> str:
    return f"{{{{ event_windows._report_{question}({', '.join(arguments)}) }}}}"


def _jinja(value: object) -> str:
    """A value as Jinja reads it; JSON is that, but for its name of nothing."""
    # of \u Jinja makes one character each, and of two surrogates not the one that they are
    return "none" if value is None else json.dumps(value, ensure_ascii=False)
