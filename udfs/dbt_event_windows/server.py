"""`python -m dbt_event_windows.server`: a warm Spark for scheduled runs, on this machine alone.

Starts Spark's own Connect server, and with `--thrift` its Thrift server too, in one driver with the
settings of the profile example. A `dbt run` that finds it pays for dbt's start and for the refresh,
not for a JVM. Functions: Connect clients bring theirs along (the plugin of dbt-event-windows does
so); the Thrift server has them registered, since its clients run no Python.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from dbt_event_windows.spark_settings import FORMATS, local_address, settings

CONNECT_PORT = 15002
THRIFT_PORT = 10000


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, checked."""
    parser = argparse.ArgumentParser(prog="python -m dbt_event_windows.server", description=__doc__)
    parser.add_argument("--format", choices=FORMATS, default="iceberg", help="table format")
    parser.add_argument(
        "--dir",
        type=Path,
        default=Path(os.environ.get("EVENT_WINDOWS_SPARK_DIR", ".spark")),
        help="where tables and catalogue are kept (.spark, or EVENT_WINDOWS_SPARK_DIR)",
    )
    parser.add_argument("--master", default="local[*]", help="where the work is done")
    parser.add_argument("--port", type=int, default=CONNECT_PORT, help="of the Connect server")
    parser.add_argument("--thrift", action="store_true", help="start the Thrift server as well")
    parser.add_argument("--thrift-port", type=int, default=THRIFT_PORT)
    parser.add_argument(
        "--conf", action="append", default=[], metavar="NAME=VALUE", help="more settings of Spark"
    )
    parser.add_argument("--udfs", type=Path, help="a folder with aggregates of one's own")
    found = parser.parse_args(given)
    for setting in found.conf:
        if "=" not in setting:
            parser.error(f"--conf is {setting!r}: give NAME=VALUE")
    return found


def all_settings(options: argparse.Namespace, spark_version: str) -> dict[str, str]:
    """What the driver is started with: both servers listen on localhost only."""
    ours = settings(options.format, options.dir.resolve(), spark_version) | {
        "spark.master": options.master,
        "spark.app.name": "event_windows server",
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(options.port),
    }
    if options.thrift:
        ours |= {
            "spark.hadoop.hive.server2.thrift.bind.host": "127.0.0.1",
            "spark.hadoop.hive.server2.thrift.port": str(options.thrift_port),
            # Spark takes what all clients have cached from a session that they share, with each
            # client that goes away
            "spark.sql.hive.thriftServer.singleSession": "false",
            # dbt-spark's session method turns ANSI off for each statement; a Thrift client cannot
            "spark.sql.ansi.enabled": "false",
        }
    return ours | dict(setting.split("=", 1) for setting in options.conf)


def start(options: argparse.Namespace) -> Any:
    """The session of the running driver; both servers take connections when it is there."""
    import pyspark
    from pyspark.sql import SparkSession

    from dbt_event_windows.registration import register_functions

    version = ".".join(pyspark.__version__.split(".")[:2])
    given = all_settings(options, version)
    for variable, value in local_address(given["spark.master"]).items():
        os.environ.setdefault(variable, value)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # a client's variable would make this process a client
    os.environ.pop("SPARK_REMOTE", None)
    builder = SparkSession.builder.enableHiveSupport()
    for name, value in given.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    if options.thrift:
        spark = _with_jars_on_the_class_path(spark, builder)
    register_functions(spark, options.udfs)
    if options.thrift:
        _give_functions_to_sessions_to_come(spark)
        jvm: Any = spark._jvm
        jvm.org.apache.spark.sql.hive.thriftserver.HiveThriftServer2.startWithContext(
            spark._jsparkSession.sqlContext()
        )
    return spark


def _give_functions_to_sessions_to_come(spark: Any) -> None:
    """Give what is registered in a session to each one that the driver opens from now on.

    Each client of Thrift gets a session of its own, which begins with Spark's built-in functions
    and those of extensions: so ours become such. Unlike built-in ones they can be dropped and
    replaced, and no view can keep them. A client of Connect registers its own over them.
    """
    registered = spark._jsparkSession.sessionState().functionRegistry()
    jvm: Any = spark._jvm
    built_in = jvm.org.apache.spark.sql.catalyst.analysis.FunctionRegistry.builtin()
    names = registered.listFunction().iterator()
    while names.hasNext():
        name = names.next()
        if not built_in.functionExists(name):
            about = registered.lookupFunction(name).get()
            builder = registered.lookupFunctionBuilder(name).get()
            spark._jsparkSession.extensions().injectFunction(jvm.scala.Tuple3(name, about, builder))


def _with_jars_on_the_class_path(spark: Any, builder: Any) -> Any:
    """The session of a new driver, with the jars that this one has fetched on its class path.

    When a client of Thrift goes away, Hive closes class loaders, that of `spark.jars.packages`
    among them. Then no class of the table format that was not used yet can be loaded. The loader
    of the class path is never closed, and its classes go first.
    """
    from pyspark import SparkContext

    jars = [urlparse(jar).path for jar in spark.conf.get("spark.jars", "").split(",") if jar]
    if not jars:
        return spark
    given = spark.conf.get("spark.driver.extraClassPath", "")
    spark.stop()
    gateway: Any = SparkContext._gateway
    driver = gateway.proc
    gateway.shutdown()
    SparkContext._gateway = SparkContext._jvm = None
    driver.stdin.close()
    driver.wait()  # it may hold the lock of the catalogue
    paths = os.pathsep.join(filter(None, [given, *jars]))
    return builder.config("spark.driver.extraClassPath", paths).getOrCreate()


def greeting(options: argparse.Namespace) -> str:
    """What to do with it, and how to stop it."""
    lines = [
        f"Spark Connect on sc://localhost:{options.port}, tables ({options.format}) in "
        f"{options.dir.resolve()}",
        f"  dbt: target `connect` of profiles.example.yml, or spark.remote: "
        f"sc://localhost:{options.port} in server_side_parameters",
    ]
    if options.thrift:
        lines += [
            f"Spark Thrift server on localhost:{options.thrift_port}",
            f"  beeline -u jdbc:hive2://localhost:{options.thrift_port}; dbt: method thrift",
        ]
    lines.append(f"Stop it with Ctrl+C, or: kill {os.getpid()}")
    return "\n".join(lines)


def main() -> None:
    options = arguments()
    stop = threading.Event()
    for received in (signal.SIGINT, signal.SIGTERM):
        signal.signal(received, lambda *_: stop.set())
    spark = start(options)
    print(greeting(options), flush=True)
    stop.wait()
    spark.stop()


if __name__ == "__main__":
    main()
