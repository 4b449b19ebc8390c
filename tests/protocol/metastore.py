"""A metastore that several processes have at once: Derby's network server, in a JVM of its own."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

from tests.protocol.processes import TIMEOUT, environment, free_port

# Of the release that Spark has the rest of; Spark fetches them, for it knows from where.
JARS = "org.apache.derby:derbynet:10.16.1.1,org.apache.derby:derbyclient:10.16.1.1"
IN_SPARK = "org.apache.derby:derby,org.apache.derby:derbyshared,org.apache.derby:derbytools"
FETCH = """
import sys
from pyspark.sql import SparkSession
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
builder = builder.config("spark.jars.packages", sys.argv[1])
spark = builder.config("spark.jars.excludes", sys.argv[2]).getOrCreate()
print(spark.conf.get("spark.submit.pyFiles"))
"""


def _fetched(folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", FETCH, JARS, IN_SPARK],
        env=environment(),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    return done.stdout.split()[-1].split(",")


@contextmanager
def metastore(folder: Path) -> Iterator[dict[str, str]]:
    """Serve a metastore below a folder; gives the settings of a session that is to use it."""
    port = free_port()
    log = folder / "metastore.log"
    jars = _fetched(folder)
    path = [*jars, *map(str, (Path(pyspark.__file__).parent / "jars").glob("derby*.jar"))]
    command = ["java", "-cp", ":".join(path), "org.apache.derby.drda.NetworkServerControl"]
    with log.open("w") as written:
        process = subprocess.Popen(
            [*command, "start", "-h", "127.0.0.1", "-p", str(port)],
            cwd=folder,
            stdout=written,
            stderr=written,
        )
    try:
        started = time.monotonic()
        while "ready to accept connections" not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() - started < TIMEOUT, log.read_text()
            time.sleep(0.2)
        database = f"jdbc:derby://127.0.0.1:{port}/{folder}/metastore_db;create=true"
        option = "spark.hadoop.javax.jdo.option"
        yield {
            f"{option}.ConnectionURL": database,
            f"{option}.ConnectionDriverName": "org.apache.derby.client.ClientAutoloadedDriver",
            "spark.driver.extraClassPath": ":".join(jars),
        }
    finally:
        process.terminate()
        process.wait(TIMEOUT)
