"""A metastore that several processes have at once: Derby's network server, in a JVM of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

from tests.daemons import free_port, java, serving
from tests.protocol.processes import environment, python

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


@contextmanager
def metastore(folder: Path) -> Iterator[dict[str, str]]:
    """Serve a metastore below a folder; gives the settings of a session that is to use it."""
    port = free_port()
    jars = python(folder, FETCH, JARS, IN_SPARK).split()[-1].split(",")
    path = [*jars, *map(str, (Path(pyspark.__file__).parent / "jars").glob("derby*.jar"))]
    command = [java(), "-cp", ":".join(path), "org.apache.derby.drda.NetworkServerControl"]
    command += ["start", "-h", "127.0.0.1", "-p", str(port)]
    log = folder / "metastore.log"
    with serving(log, "ready to accept connections", command, environment()):
        database = f"jdbc:derby://127.0.0.1:{port}/{folder}/metastore_db;create=true"
        option = "spark.hadoop.javax.jdo.option"
        yield {
            f"{option}.ConnectionURL": database,
            f"{option}.ConnectionDriverName": "org.apache.derby.client.ClientAutoloadedDriver",
            "spark.driver.extraClassPath": ":".join(jars),
        }
