"""Catalogues of Iceberg's own with what serves each: settings of a session that has one."""

from __future__ import annotations

import os
import shutil
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tests.daemons import free_port, java, serving
from tests.harness import session_settings

SQLITE = "org.xerial:sqlite-jdbc:3.50.3.0"
AWS = "org.apache.iceberg:iceberg-aws-bundle:1.12.0"
SERVER = "org/apache/iceberg/iceberg-open-api/1.10.0/iceberg-open-api-1.10.0.jar"
# the newest of those in Maven Central that run on Java 17
NESSIE = "org/projectnessie/nessie/nessie-quarkus/0.60.1/nessie-quarkus-0.60.1-runner.jar"
# of Spark's Hadoop; the parts of Amazon's SDK that it uses instead of the bundle of 640 MB
S3A = ",".join(
    ["org.apache.hadoop:hadoop-aws:3.4.2"]
    + [
        f"software.amazon.awssdk:{part}:2.29.52"
        for part in ("s3-transfer-manager", "apache-client", "netty-nio-client", "sts")
    ]
)
NOT_S3A = (
    "software.amazon.awssdk:bundle,software.amazon.s3.analyticsaccelerator:analyticsaccelerator-s3"
)
MAVEN = "https://repo1.maven.org/maven2"
EXTENSIONS = "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
# moto takes any; Spark reads them from the environment
AWS_ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "any",
    "AWS_SECRET_ACCESS_KEY": "any",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",
}
BUCKET = "lake"


def settings(folder: Path, jars: str = "", views: bool = False, **options: str) -> dict[str, str]:
    """A session with the catalogue `lake`; with `views` also what makes Spark ask it for them.

    Beside it there is `other`, a catalogue of sources.
    """
    usual = session_settings(folder)
    lake = "spark.sql.catalog.lake"
    usual["spark.sql.defaultCatalog"] = "lake"
    usual[lake] = "org.apache.iceberg.spark.SparkCatalog"
    usual |= {f"{lake}.{name.replace('_', '-')}": value for name, value in options.items()}
    usual["spark.sql.catalog.other"] = usual[lake]
    usual["spark.sql.catalog.other.type"] = "hadoop"
    usual["spark.sql.catalog.other.warehouse"] = str(folder / "other")
    if jars:
        usual["spark.jars.packages"] += f",{jars}"
    if views:
        usual["spark.sql.extensions"] = EXTENSIONS
    return usual


@contextmanager
def hadoop(folder: Path) -> Iterator[dict[str, str]]:
    """Nothing but a folder, without views; and Iceberg's cache off."""
    options = {"type": "hadoop", "warehouse": str(folder / "lake"), "cache_enabled": "false"}
    yield settings(folder, **options)


@contextmanager
def jdbc(folder: Path) -> Iterator[dict[str, str]]:
    """A database in a file, with views that it does not list as tables; Iceberg's cache is on."""
    options = {
        "type": "jdbc",
        "uri": f"jdbc:sqlite:{folder}/lake.db?busy_timeout=30000",
        "jdbc.schema-version": "V1",
        "warehouse": str(folder / "lake"),
    }
    yield settings(folder, SQLITE, views=True, **options)


@contextmanager
def rest(folder: Path) -> Iterator[dict[str, str]]:
    """Iceberg's own server, over a database in a file."""
    port = free_port()
    given = os.environ | {
        "CATALOG_WAREHOUSE": str(folder / "lake"),
        "CATALOG_URI": f"jdbc:sqlite:{folder}/rest.db",
        "CATALOG_JDBC_SCHEMA__VERSION": "V1",
        "CATALOG_REST_PORT": str(port),
    }
    command = [java(), "-jar", str(fetched(SERVER))]
    with serving(folder / "rest.log", "Started ", command, given):
        yield settings(folder, views=True, type="rest", uri=f"http://127.0.0.1:{port}")


@contextmanager
def nessie(folder: Path) -> Iterator[dict[str, str]]:
    """Nessie's own server, which keeps everything in memory."""
    port = free_port()
    given = os.environ | {"QUARKUS_HTTP_HOST": "127.0.0.1", "QUARKUS_HTTP_PORT": str(port)}
    command = [java(), "-jar", str(fetched(NESSIE))]
    with serving(folder / "nessie.log", "Listening on", command, given):
        uri = f"http://127.0.0.1:{port}/api/v2"
        warehouse = str(folder / "lake")
        yield settings(folder, views=True, type="nessie", uri=uri, ref="main", warehouse=warehouse)


@contextmanager
def moto(folder: Path) -> Iterator[str]:
    """The address of Amazon's services by moto, with an empty bucket."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "moto.server", "-p", str(port)]
    with serving(folder / "moto.log", "Running on", command, os.environ | AWS_ENVIRONMENT):
        make = urllib.request.Request(f"{address}/{BUCKET}", method="PUT")
        make.add_header("Authorization", "AWS4-HMAC-SHA256 Credential=any/20240101/us-east-1/s3/")
        urllib.request.urlopen(make).close()
        yield address


@contextmanager
def glue(folder: Path) -> Iterator[dict[str, str]]:
    """Glue and S3, both by moto, which knows no versions of a table: one run at a time."""
    with moto(folder) as address:
        options = {
            "type": "glue",
            "warehouse": f"s3://{BUCKET}/wh",
            "io_impl": "org.apache.iceberg.aws.s3.S3FileIO",
            "glue.endpoint": address,
            "s3.endpoint": address,
            "s3.path-style-access": "true",
            "client.region": "us-east-1",
        }
        yield settings(folder, AWS, **options)


@contextmanager
def delta_on_s3(folder: Path) -> Iterator[dict[str, str]]:
    """The session's own catalogue with its tables in S3, by moto."""
    with moto(folder) as address:
        usual = session_settings(folder)
        usual["spark.jars.packages"] += f",{S3A}"
        usual["spark.jars.excludes"] = NOT_S3A
        usual["spark.sql.warehouse.dir"] = f"s3a://{BUCKET}/wh"
        options = {
            "endpoint": address,
            "endpoint.region": "us-east-1",
            "path.style.access": "true",
            "access.key": "any",
            "secret.key": "any",
        }
        yield usual | {f"spark.hadoop.fs.s3a.{name}": value for name, value in options.items()}


CATALOGUES: dict[str, Callable[[Path], AbstractContextManager[dict[str, str]]]] = {
    "hadoop": hadoop,
    "jdbc": jdbc,
    "rest": rest,
    "nessie": nessie,
    "glue": glue,
}


def fetched(path: str) -> Path:
    """A jar of Maven Central that Spark does not load itself, kept beside those that it fetches."""
    kept = Path.home() / ".ivy2.5.2" / "event_windows" / Path(path).name
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(f".{os.getpid()}")
        with urllib.request.urlopen(f"{MAVEN}/{path}") as found, part.open("wb") as written:
            shutil.copyfileobj(found, written)
        part.rename(kept)
    return kept
