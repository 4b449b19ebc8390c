"""The package's macros as Python functions, rendered by Jinja alone: no dbt, no Spark.

`Macros()` has every macro of `macros/` as a method, private ones and hooks too. What dbt would
give a macro is a stand-in: config, vars and flags are what a test says, and `run_query` answers
from a script and remembers what it was asked.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import CodeType, SimpleNamespace
from typing import Any

import jinja2
import pytz

from tests.harness import REPOSITORY

FOLDER = REPOSITORY / "macros"
NOW = datetime.datetime(2024, 4, 17, tzinfo=datetime.UTC)
INVOCATION = "00000000-0000-4000-8000-000000000001"

_ENVIRONMENT = jinja2.Environment(extensions=["jinja2.ext.do"])
# dbt's own blocks, as the macros that dbt makes of them. Jinja exports no name that begins with
# an underscore; dbt gives macros a prefix, too.
_BLOCKS = [
    (r"\{%(-?)\s*materialization\s+(\w+)[^%]*%\}", r"{%\1 macro macro_materialization_\2() %}"),
    (r"\{%(-?)\s*endmaterialization\s*(-?)%\}", r"{%\1 endmacro \2%}"),
    (r"\{%(-?)\s*test\s+(\w+)", r"{%\1 macro macro_test_\2"),
    (r"\{%(-?)\s*endtest\s*(-?)%\}", r"{%\1 endmacro \2%}"),
    (r"(\{%-?\s*macro\s+)(?!macro_)", r"\1macro_"),
]


@cache
def _compiled() -> tuple[CodeType, ...]:
    """Each file of macros, compiled once, so that an error names the file."""
    codes = []
    for path in sorted(FOLDER.rglob("*.sql")):
        text = path.read_text()
        for pattern, replacement in _BLOCKS:
            text = re.sub(pattern, replacement, text)
        name = str(path.relative_to(REPOSITORY))
        codes.append(_ENVIRONMENT.compile(text, name, str(path)))
    return tuple(codes)


class CompilerError(Exception):
    """What a macro raises to stop dbt."""


class _ReturnedError(Exception):
    """Carries a value out of a macro, as dbt's own return() does."""


def _give_back(value: Any = None) -> None:
    raise _ReturnedError(value)


def _stop(message: str) -> None:
    raise CompilerError(message)


# --- what dbt has -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Relation:
    """A relation as macros use one."""

    identifier: str
    schema: str = "s"
    database: str | None = None
    type: str | None = None
    is_cte: bool = False
    limit: int | None = None
    event_time_filter: str | None = None
    information: str | None = None
    dbt_created: bool = field(default=False, compare=False)
    quote_policy: Mapping[str, bool] = field(default_factory=dict, hash=False)

    @classmethod
    def create(cls, **given: Any) -> Relation:
        return cls(**given)

    @property
    def is_view(self) -> bool:
        return self.type == "view"

    def incorporate(self, path: Mapping[str, str] | None = None, **given: Any) -> Relation:
        return replace(self, **(path or {}), **given)

    def render(self) -> str:
        parts = {"schema": self.schema, "identifier": self.identifier}
        return ".".join(
            f"`{name}`" if self.quote_policy.get(part) else name for part, name in parts.items()
        )

    def __str__(self) -> str:
        """The name or, where dbt shows only some of the rows, a SELECT of these."""
        limited = f" limit {self.limit}" if self.limit is not None else ""
        rows = (f" where {self.event_time_filter}" if self.event_time_filter else "") + limited
        return f"(select * from {self.render()}{rows})" if rows else self.render()


class Table:
    """What run_query returns."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self.rows = list(rows)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self.rows)

    @property
    def columns(self) -> dict[str, Any]:
        names = self.rows[0].keys() if self.rows else ()
        return {
            name: SimpleNamespace(values=lambda name=name: [row[name] for row in self.rows])
            for name in names
        }


class _Config(dict[str, Any]):
    def get(self, name: str, default: Any = None) -> Any:
        return super().get(name, default)

    def persist_relation_docs(self) -> bool:
        return bool(self.get("persist_docs", {}).get("relation"))

    def persist_column_docs(self) -> bool:
        return bool(self.get("persist_docs", {}).get("columns"))


class _Adapter:
    """Finds the body of a public macro as dbt does, and keeps the relations that are there."""

    def __init__(self, macros: Macros) -> None:
        self._macros = macros
        self.relations: dict[str, Relation] = {}
        self.config = SimpleNamespace(vars=SimpleNamespace(vars={}))  # those of dbt_project.yml

    def dispatch(self, name: str, package: str) -> Callable[..., Any]:
        assert package == "event_windows"
        for prefix in dict.fromkeys([self._macros.target, "default"]):
            if f"{prefix}__{name}" in self._macros:
                return self._macros[f"{prefix}__{name}"]
        raise CompilerError(f"no body of {name} for {self._macros.target}")

    def get_relation(self, database: Any, schema: str, identifier: str) -> Relation | None:
        return self.relations.get(f"{schema}.{identifier}")

    def cache_added(self, relation: Relation) -> None:
        self.relations.setdefault(str(relation), relation)  # dbt keeps the one it knows

    def cache_dropped(self, relation: Relation) -> None:
        self.relations.pop(str(relation), None)

    drop_relation = cache_dropped


class _FixedTime(datetime.datetime):
    @classmethod
    def now(cls, tz: Any = None) -> datetime.datetime:
        return NOW


# --- macros -------------------------------------------------------------------------------------

Answer = Iterable[Mapping[str, Any]] | Table | None


@dataclass
class Model:
    """What a macro knows of the model that it is rendered for."""

    name: str = "m"
    unique_id: str = "model.p.m"
    resource_type: str = "model"
    description: str = ""
    raw_code: str = ""
    config: Mapping[str, Any] = field(default_factory=dict)
    extra_ctes: list[Any] = field(default_factory=list)
    depends_on: Mapping[str, list[str]] = field(default_factory=lambda: {"nodes": []})
    columns: Mapping[str, Any] = field(default_factory=dict)
    constraints: list[Any] = field(default_factory=list)


class Macros(Mapping[str, Callable[..., Any]]):
    """`macros.name(...)` calls a macro of the package, `macros[name]` is one.

    `answer` gets the text of each query, in order, and says what comes back; a query that it does
    not know has no rows. `asked` has them all. Names in `context` replace what dbt would give.
    """

    def __init__(
        self,
        config: Mapping[str, Any] | None = None,
        vars: Mapping[str, Any] | None = None,
        answer: Callable[[str], Answer] = lambda sql: None,
        execute: bool = False,
        which: str = "run",
        target: str = "spark",
        model: Model | None = None,
        relations: Iterable[Relation] = (),
        **context: Any,
    ) -> None:
        self.target = target
        self.asked: list[str] = []
        self.logged: list[str] = []
        self.written: list[str] = []
        self._answer = answer
        self._macros: dict[str, Callable[..., Any]] = {}
        self.adapter = _Adapter(self)
        for relation in relations:
            self.adapter.cache_added(relation)
        names = {
            "event_windows": self,
            "context": {"event_windows": self},
            "adapter": self.adapter,
            "api": SimpleNamespace(Relation=Relation),
            "config": _Config(config or {}),
            "execute": execute,
            "exceptions": SimpleNamespace(raise_compiler_error=_stop, warn=self.logged.append),
            "flags": SimpleNamespace(WHICH=which, FULL_REFRESH=False),
            "invocation_args_dict": {},
            "fromjson": json.loads,
            "graph": {"nodes": {}},
            "invocation_id": INVOCATION,
            "load_cached_relation": lambda relation: self.adapter.relations.get(str(relation)),
            "local_md5": lambda text: hashlib.md5(text.encode()).hexdigest(),
            "log": lambda text, info=False: self.logged.append(text) or "",
            "model": model or Model(config=config or {}),
            "modules": SimpleNamespace(
                re=re,
                pytz=pytz,
                datetime=SimpleNamespace(
                    datetime=_FixedTime, timedelta=datetime.timedelta, timezone=datetime.timezone
                ),
            ),
            "render": self.render,
            "return": _give_back,
            "run_query": self._run_query,
            "run_started_at": NOW,
            "should_full_refresh": lambda: False,
            "target": SimpleNamespace(type=target),
            "this": Relation("m"),
            "tojson": lambda value, sort_keys=False: json.dumps(value, sort_keys=sort_keys),
            "var": lambda name, default=None: (vars or {}).get(name, default),
            "write": lambda text: self.written.append(text) or "",
        } | context
        self._globals = _ENVIRONMENT.make_globals(names)
        for code in _compiled():
            template = jinja2.Template.from_code(_ENVIRONMENT, code, self._globals)
            for name, macro in vars_of(template).items():
                self._macros[name] = _called(macro)

    def render(self, text: str) -> str:
        """What a model's text becomes."""
        return _ENVIRONMENT.from_string(text, self._globals).render()

    def _run_query(self, sql: str) -> Table:
        self.asked.append(sql)
        answer = self._answer(sql)
        return answer if isinstance(answer, Table) else Table(answer or ())

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in self._macros:
            raise AttributeError(name)
        return self._macros[name]

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return self._macros[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._macros)

    def __len__(self) -> int:
        return len(self._macros)


def vars_of(template: jinja2.Template) -> dict[str, Any]:
    """The macros of one file, by the names that they have there."""
    module = template.make_module()
    return {
        name.removeprefix("macro_"): value
        for name, value in vars(module).items()
        if name.startswith("macro_")
    }


def _called(macro: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return str(macro(*arguments, **named))
        except _ReturnedError as returned:
            return returned.args[0]

    return call
