"""The package's private macros as Python functions, rendered by Jinja alone: no dbt, no Spark."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jinja2

from tests.harness import REPOSITORY


class _ReturnedError(Exception):
    """Carries a value out of a macro, as dbt's own return() does."""


def _give_back(value: Any = None) -> None:
    raise _ReturnedError(value)


class Macros:
    """`macros._name(...)` calls a macro; `context` are the names that dbt would give it."""

    def __init__(self, *folders: str, **context: Any) -> None:
        files = [path for folder in folders for path in (REPOSITORY / folder).glob("*.sql")]
        text = "\n".join(path.read_text() for path in sorted(files))
        # Jinja exports no name that begins with an underscore; dbt gives macros a prefix, too.
        text = re.sub(r"(\{%-?\s*macro\s+)", r"\1macro_", text)
        environment = jinja2.Environment(extensions=["jinja2.ext.do"])
        names = {
            "event_windows": self,
            "return": _give_back,
            "modules": SimpleNamespace(re=re),
            "tojson": lambda value, **options: json.dumps(value, **options),
            "execute": False,
            "flags": SimpleNamespace(WHICH="parse"),
        }
        template = environment.from_string(text, globals=names | context)
        self._module = template.make_module()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        macro = getattr(self._module, f"macro_{name}")

        def call(*arguments: Any, **named: Any) -> Any:
            try:
                return str(macro(*arguments, **named))
            except _ReturnedError as returned:
                return returned.args[0]

        return call


def aggregate_macros(**context: Any) -> Macros:
    """The macros that plan aggregates, and those that these call."""
    return Macros("macros/aggregates", "macros/checks", "macros/sql", **context)
