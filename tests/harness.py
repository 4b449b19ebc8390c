"""Throw-away dbt projects on one Spark session, with recorded statements and kill points.

Times are UTC throughout: importing this module sets the time zone of the process, because
PySpark reads a datetime without zone in local time.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field
from inspect import signature
from io import StringIO
from pathlib import Path
from typing import Any

import jinja2
import pyarrow as pa
import pyspark
import pytest
import yaml
from dbt.adapters.spark.session import Cursor
from dbt.cli.main import dbtRunner
from pyspark.errors import PySparkException, PySparkRuntimeError
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

REPOSITORY = Path(__file__).resolve().parents[1]
SPARK_VERSION = ".".join(pyspark.__version__.split(".")[:2])
FILE_FORMAT = os.environ.get("EVENT_WINDOWS_TEST_FORMAT", "iceberg")

os.environ["TZ"] = "UTC"
time.tzset()


def shared_data(name: str) -> Path:
    """The path of a real data set, or a skipped test where it is not laid out."""
    path = REPOSITORY.parent / "shared" / "data" / name
    if not path.exists():
        pytest.skip(f"real data is not here: {path}")
    return path


def session_settings(folder: Path) -> dict[str, str]:
    """What profiles.example.yml gives Spark, with its tables below `folder`."""
    values = {"EVENT_WINDOWS_SPARK_DIR": str(folder), "EVENT_WINDOWS_SPARK": SPARK_VERSION}
    text = (REPOSITORY / "profiles.example.yml").read_text()
    rendered = jinja2.Template(text).render(
        env_var=lambda name, default: values.get(name, os.environ.get(name, default))
    )
    output = yaml.safe_load(rendered)["event_windows"]["outputs"][FILE_FORMAT]
    return dict(output["server_side_parameters"])


# For a few rows in statements that are each sent a few times: half the time goes into compiling
# plans and code. `make test` does without, but for a sample; `make test-all` has what users have.
JVM = "spark.driver.extraJavaOptions"
IS_SMALL = os.environ.get("EVENT_WINDOWS_TEST_SETTINGS") == "small"
SMALL = {
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.adaptive.enabled": "false",
    JVM: "-XX:TieredStopAtLevel=1 -Xverify:none",
}


def with_small(settings: dict[str, str]) -> dict[str, str]:
    """The settings, with those for a few rows if EVENT_WINDOWS_TEST_SETTINGS asks for them."""
    if not IS_SMALL:
        return settings
    return settings | SMALL | {JVM: f"{settings[JVM]} {SMALL[JVM]}"}


def start_session(folder: Path) -> SparkSession:
    """The session that dbt-spark's getOrCreate will find, so that tests and dbt share it."""
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("SPARK_LAUNCHER_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    builder = SparkSession.builder.enableHiveSupport()
    settings = session_settings(folder)
    # dbt-spark turns ANSI off for each statement; a session made here must not differ.
    settings["spark.sql.ansi.enabled"] = "false"
    # A few hundred tables in one session: Delta keeps a snapshot of each, with its plans.
    settings["spark.driver.memory"] = "3g"
    # the metastore need not wait for the disk: nobody kills this process
    settings[JVM] += " -Dderby.system.durability=test"
    for name, value in with_small(settings).items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except PySparkRuntimeError:
        # A jar that was cut off on its way ends spark-submit; what has come by then is kept.
        return builder.getOrCreate()


# Spark 4.2 wants to be told the zone, 4.1 takes none.
ARROW_ZONE = {"timezone": "UTC"} if "timezone" in signature(to_arrow_schema).parameters else {}


def local_frame(spark: SparkSession, rows: Sequence[Any], columns: str | StructType) -> DataFrame:
    """Rows as a relation that Spark has at hand, in half the time of those of an RDD."""
    schema = StructType.fromDDL(columns) if isinstance(columns, str) else columns
    fields = to_arrow_schema(schema, **ARROW_ZONE)
    arrays = [
        pa.array([row[place] for row in rows], field.type) for place, field in enumerate(fields)
    ]
    return spark.createDataFrame(pa.Table.from_arrays(arrays, schema=fields), schema)


# --- statements ---------------------------------------------------------------------------------

_COMMENT = re.compile(r"\s*(/\*.*?\*/|--[^\n]*\n)", re.DOTALL)
_WRITE = re.compile(
    r"(create\s+(or\s+replace\s+)?(table|view)|replace|insert|merge|update|delete|alter|drop"
    r"|truncate)\b",
    re.IGNORECASE,
)


def without_comments(sql: str) -> str:
    """The statement without the comments in front of it, such as dbt's query comment."""
    while match := _COMMENT.match(sql):
        sql = sql[match.end() :]
    return sql.strip()


def is_write(sql: str) -> bool:
    """Whether a statement changes what is stored; temporary views and schemas do not count."""
    return _WRITE.match(without_comments(sql)) is not None


_LABEL = re.compile(r"/\* event_windows (.+?) ([a-z_]+) \*/")


class Statement(str):
    """A statement without the comments before it, and what its label says: model and step."""

    model: str | None
    step: str | None

    def __new__(cls, sql: str) -> Statement:
        statement = super().__new__(cls, without_comments(sql))
        comments = sql[: len(sql) - len(statement)] if statement else sql
        label = _LABEL.search(comments)
        statement.model, statement.step = label.groups() if label else (None, None)
        return statement


class Statements(list[Statement]):
    """The statements that dbt sent, in order, without leading comments."""

    @property
    def writes(self) -> list[Statement]:
        return [sql for sql in self if is_write(sql)]

    def steps_of(self, model: str) -> list[str]:
        """The steps of a model in order, each run of equal ones once."""
        steps = [sql.step for sql in self if sql.model == model and sql.step]
        return [step for step, before in zip(steps, [None, *steps], strict=False) if step != before]


@contextmanager
def watched(
    before: Callable[[Statement], None] = lambda sql: None,
    after: Callable[[Statement], None] = lambda sql: None,
) -> Iterator[None]:
    """Call `before` and `after` around each statement that dbt sends, inside this block."""
    execute = Cursor.execute

    def watching(self: Cursor, sql: str, *parameters: Any) -> None:
        statement = Statement(sql)
        before(statement)
        execute(self, sql, *parameters)
        after(statement)

    Cursor.execute = watching
    try:
        yield
    finally:
        Cursor.execute = execute


@contextmanager
def recorded() -> Iterator[Statements]:
    """The statements that dbt sends inside this block."""
    statements = Statements()
    with watched(before=statements.append):
        yield statements


class Killed(BaseException):
    """Ends a dbt run as a kill would: no `except Exception` of dbt or of a macro sees it."""


@dataclass
class Kill:
    """Where a run was killed: `statement` is none if it got to its end."""

    statement: Statement | None = None

    @property
    def happened(self) -> bool:
        return self.statement is not None


@contextmanager
def killed_after(point: int | Callable[[Statement], bool], may_end: bool = False) -> Iterator[Kill]:
    """Kill the run in this block after its `point`-th write (0: before the first).

    A predicate in place of the number kills after the first statement for which it holds. A run
    without such a statement is an error, or with `may_end` ends by itself: `kill.happened` tells,
    so that a test can try each point.
    """
    kill = Kill()
    writes = 0

    def die(sql: Statement) -> None:
        kill.statement = sql
        raise Killed(sql)

    def before(sql: Statement) -> None:
        if point == 0 and is_write(sql):
            die(sql)

    def after(sql: Statement) -> None:
        nonlocal writes
        writes += is_write(sql)
        if point(sql) if callable(point) else is_write(sql) and writes == point:
            die(sql)

    with watched(before, after), suppress(Killed):
        yield kill
    assert kill.happened or may_end, "the run came to its end, and nothing was killed"


# --- projects -----------------------------------------------------------------------------------


def selected(request: pytest.FixtureRequest, parameter: str) -> set[Any]:
    """The values of a parameter in those tests of a module that will run.

    Models of tests that are left out (slow ones, by their mark) need not be built.
    """
    return {
        item.callspec.params[parameter]
        for item in request.session.items
        if isinstance(item, pytest.Function)
        and item.module is request.module
        and hasattr(item, "callspec")
        and parameter in item.callspec.params
    }


def sampled(values: Iterable[Any], sample: Container[Any]) -> list[Any]:
    """All values as parameters of a test; those outside the sample are for `make test-all`."""
    return [
        value if value in sample else pytest.param(value, marks=pytest.mark.slow)
        for value in values
    ]


class DbtError(AssertionError):
    """dbt ended otherwise than the test expected."""


@dataclass
class Outcome:
    """What a dbt command left: one result a node (list: names), and all errors as one text."""

    success: bool
    results: list[Any]
    error: str


@dataclass
class DbtProject:
    """A dbt project that installs this repository as a package, in a schema of its own."""

    root: Path
    spark: SparkSession
    schema: str
    sources: set[str] = field(default_factory=set)
    artifacts: bool = False  # whether dbt writes them; it takes a third of a run with nothing new

    def __post_init__(self) -> None:
        self.write_yaml(
            "dbt_project.yml",
            {
                "name": "scratch",
                "version": "1.0.0",
                "config-version": 2,
                "profile": "scratch",
                "models": {"+file_format": FILE_FORMAT},
                "seeds": {"+file_format": FILE_FORMAT},
                "vars": {"event_windows__file_format": FILE_FORMAT},
            },
        )
        target = {"type": "spark", "method": "session", "host": "localhost", "threads": 1}
        self.write_yaml(
            "profiles.yml",
            {"scratch": {"target": "t", "outputs": {"t": target | {"schema": self.schema}}}},
        )
        self.write_yaml("packages.yml", {"packages": [{"local": str(REPOSITORY)}]})
        self.spark.sql(f"create schema if not exists {self.schema}")
        self.dbt("deps")

    # files

    def write(self, path: str, text: str) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        return target

    def write_yaml(self, path: str, content: Any) -> Path:
        return self.write(path, yaml.safe_dump(content, sort_keys=False))

    def model(self, name: str, sql: str) -> None:
        """Write or replace a model."""
        self.write(f"models/{name}.sql", sql)

    # data

    @property
    def folder(self) -> Path:
        """Where the schema's tables have their files."""
        warehouse = self.spark.conf.get("spark.sql.warehouse.dir")
        assert warehouse is not None
        folder = Path(warehouse.removeprefix("file:")) / f"{self.schema}.db"
        assert folder.exists()
        return folder

    def real_data(self, name: str) -> DataFrame:
        """The rows of a real data set, or a skipped test where it is not laid out."""
        return self.spark.read.parquet(str(shared_data(f"{name}.parquet")))

    def create_source(
        self, name: str, rows: DataFrame | Sequence[Any], columns: str | None = None
    ) -> None:
        """Make (or replace) the table behind `source('raw', name)`; `columns` is a DDL text."""
        self._frame(rows, columns).write.format(FILE_FORMAT).mode("overwrite").option(
            "overwriteSchema", "true"
        ).saveAsTable(f"{self.schema}.{name}")
        self.sources.add(name)
        tables = [{"name": source} for source in sorted(self.sources)]
        raw = {"name": "raw", "schema": self.schema, "tables": tables}
        self.write_yaml("models/sources.yml", {"sources": [raw]})

    def append(self, name: str, rows: DataFrame | Sequence[Any]) -> None:
        """Let rows arrive in the table behind `source('raw', name)`."""
        columns = self.spark.table(f"{self.schema}.{name}").schema
        self._frame(rows, columns).write.format(FILE_FORMAT).mode("append").saveAsTable(
            f"{self.schema}.{name}"
        )

    def _frame(self, rows: DataFrame | Sequence[Any], columns: Any) -> DataFrame:
        if isinstance(rows, DataFrame):
            return rows
        # one file: many tiny ones make every later read slow
        return local_frame(self.spark, rows, columns).coalesce(1)

    def rows(self, sql: str) -> list[Row]:
        """Collect a query in which the project's tables need no schema in front."""
        self.spark.catalog.setCurrentDatabase(self.schema)
        return self.spark.sql(sql).collect()

    def drop(self, name: str) -> None:
        """Let a view or a table go: Spark's list of tables does not tell all views from tables."""
        try:
            self.rows(f"drop view if exists {name}")
        except PySparkException:
            self.rows(f"drop table if exists {name}")

    # commands

    def run(self, *select: str, **options: Any) -> Outcome:
        return self.dbt("run", *select, **options)

    def build(self, *select: str, **options: Any) -> Outcome:
        return self.dbt("build", *select, **options)

    def test(self, *select: str, **options: Any) -> Outcome:
        return self.dbt("test", *select, **options)

    def compile(self, select: str | None = None, **options: Any) -> str:
        """The compiled SQL of one model, or of `inline='...'`."""
        outcome = self.dbt("compile", *([select] if select else []), **options)
        return str(outcome.results[0].node.compiled_code)

    def asked(self, macro: str, name: str) -> list[Row]:
        """What a query of the package says of a model."""
        call = f"{{{{ event_windows.{macro}(ref('{name}')) }}}}"
        return self.rows(self.compile(inline=call))

    def show(self, inline: str, limit: int = 1000, **options: Any) -> list[dict[str, Any]]:
        """The rows of an ad hoc query with Jinja in it."""
        outcome = self.dbt("show", inline=inline, limit=limit, **options)
        table = outcome.results[0].agate_table
        return [dict(row) for row in table.rows]

    def operation(self, macro: str, expect_error: bool = False, **arguments: Any) -> str:
        """What `dbt run-operation` prints."""
        given = arguments.pop("vars", None)
        with redirect_stdout(StringIO()) as printed:
            self.dbt(
                f"run-operation {macro}",
                args=json.dumps(arguments),
                vars=given,
                expect_error=expect_error,
            )
        return printed.getvalue()

    def dbt(
        self,
        command: str,
        *select: str,
        vars: dict[str, Any] | None = None,
        full_refresh: bool = False,
        expect_error: bool | None = False,
        threads: int = 1,
        may_be_empty: bool = False,
        **options: Any,
    ) -> Outcome:
        """Run a dbt command in this process; other options become `--name value`, or `--name`.

        With `expect_error` of none either end will do. To run nothing is no error to dbt, as where
        a selector is misspelt: here it is one, but for `may_be_empty`.
        """
        arguments = [
            *command.split(),
            "--project-dir",
            str(self.root),
            "--profiles-dir",
            str(self.root),
        ]
        arguments += ["--log-path", str(self.root / "logs"), "--log-level-file", "none"]
        arguments += ["--quiet", "--no-version-check", "--no-send-anonymous-usage-stats"]
        if not self.artifacts:
            arguments += ["--no-write-json"]
        # In a pool's thread a kill would be swallowed, and dbt would wait for ever.
        arguments += ["--single-threaded"] if threads == 1 else ["--threads", str(threads)]
        if select:
            arguments += ["--select", *select]
        if vars:
            arguments += ["--vars", json.dumps(vars)]
        if full_refresh:
            arguments += ["--full-refresh"]
        for name, value in options.items():
            arguments += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
        outcome = dbtRunner().invoke(arguments)
        if isinstance(outcome.exception, Killed | KeyboardInterrupt):
            raise outcome.exception
        nodes = list(getattr(outcome.result, "results", []))
        failed = [r for r in nodes if r.status in ("error", "fail")]
        wrong = [f"{r.node.name if hasattr(r, 'node') else command}: {r.message}" for r in failed]
        if outcome.exception:
            wrong.append(str(outcome.exception))
        error = "\n".join(wrong)
        if outcome.success is expect_error:
            raise DbtError(error or f"dbt {command} did not fail")
        if outcome.success and not (nodes or may_be_empty) and command in ("run", "test", "build"):
            raise DbtError(f"dbt {command} ran nothing: {' '.join(select)}")
        listed = outcome.result if isinstance(outcome.result, list) else nodes
        return Outcome(outcome.success, listed, error)
