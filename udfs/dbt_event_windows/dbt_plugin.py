"""What a plain `dbt run` gets from the package, through dbt-core's plugin interface.

Connections of dbt-spark's session method register the functions; statements of the package are sent
again where they met another writer, over every method; and a connection to a server that cannot be
closed is none of a model's errors.

dbt-core calls that interface experimental, so all that depends on it is in this file;
`dbt_event_windows.register(spark)` is the way round. Connections to a server (thrift, http, odbc)
run no Python here: there the functions must be registered in the server's own session.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from dbt.plugins.manager import dbtPlugin

from dbt_event_windows import statements
from dbt_event_windows.registration import register_functions

Method = Callable[..., Any]


class EventWindowsPlugin(dbtPlugin):
    """Makes dbt-spark's connections do what the package needs of them."""

    def initialize(self) -> None:
        """Hook into dbt-spark, if that is the adapter of this run.

        dbt-core loads the profile, and with it the adapter, before its plugins: where dbt-spark
        is not loaded by now, this run is not on Spark.
        """
        if "dbt.adapters.spark" in sys.modules:
            _register_when_connecting()
            _watch_statements()
            _close_whatever_the_server_says()


def _watch_statements() -> None:
    """Send statements with the package's label by way of `statements.run`."""
    from dbt.adapters.events.logging import AdapterLogger
    from dbt.adapters.spark.connections import SparkConnectionManager
    from dbt_common.exceptions import DbtRuntimeError

    logger = AdapterLogger("Spark")

    def execute(
        plain: Method, self: SparkConnectionManager, sql: str, *options: Any, **named: Any
    ) -> Any:
        label = statements.label_of(sql)
        if label is None:
            return plain(self, sql, *options, **named)
        return statements.run(
            sql,
            label,
            send=lambda sql: plain(self, sql, *options, **named),
            tell=logger.info,
            fail=DbtRuntimeError,
        )

    # Every adapter call that runs SQL comes through here, with what it fetches.
    _wrap_once(SparkConnectionManager, "execute", execute)


def _close_whatever_the_server_says() -> None:
    """Let no model fail because its connection to a server cannot be closed.

    All statements have ended by then. Where the server is gone dbt would tell that of the model,
    and not what was under way; and a server that gives all clients one session may stumble over a
    view that another of them drops at the same time.
    """
    from dbt.adapters.events.logging import AdapterLogger
    from dbt.adapters.spark.connections import PyhiveConnectionWrapper

    logger = AdapterLogger("Spark")

    def close(plain: Method, self: PyhiveConnectionWrapper) -> None:
        try:
            plain(self)
        # whatever it is: nothing depends on it any more, and the log has it
        except Exception as error:
            logger.debug(f"the connection was not closed by the server: {error}")

    _wrap_once(PyhiveConnectionWrapper, "close", close)


def _wrap_once(owner: type, name: str, wrapper: Method) -> None:
    """Call `wrapper` in the place of a method, with that before its arguments.

    A process that runs dbt several times initializes its plugins each time.
    """
    plain = getattr(owner, name)
    if getattr(plain, "wrapped_by_event_windows", False):
        return

    @wraps(plain)
    def wrapped(self: object, *options: Any, **named: Any) -> Any:
        return wrapper(plain, self, *options, **named)

    vars(wrapped)["wrapped_by_event_windows"] = True
    setattr(owner, name, wrapped)


def _register_when_connecting() -> None:
    try:
        from dbt.adapters.spark import session
        from pyspark.sql import SparkSession
    except ImportError:  # dbt-spark without its session extra: thrift, http or odbc
        return
    if getattr(session.Connection, "registers_event_windows", False):
        return

    class Connection(session.Connection):
        """dbt-spark's connection to its shared session, with the functions registered."""

        registers_event_windows = True

        def __init__(self, *, server_side_parameters: dict[str, Any] | None = None) -> None:
            super().__init__(server_side_parameters=server_side_parameters)
            # The first session made in a process decides its static configuration, so it is
            # made here just as dbt-spark's Cursor.execute would make it a moment later.
            builder = SparkSession.builder.enableHiveSupport()
            for name, value in self.server_side_parameters.items():
                builder = builder.config(name, value)
            register_functions(builder.getOrCreate(), udfs=_project_udfs())

    # SparkConnectionManager.open looks the class up by name each time it connects.
    session.Connection = Connection  # type: ignore[misc]


def _project_udfs() -> Path | None:
    """The folder `udfs` of the project that dbt runs, if it has one."""
    from dbt.flags import get_flags

    # dbt has no type for get_flags
    project = getattr(get_flags(), "PROJECT_DIR", None)  # type: ignore[no-untyped-call]
    folder = Path(project) / "udfs" if project else None
    return folder if folder and folder.is_dir() else None
