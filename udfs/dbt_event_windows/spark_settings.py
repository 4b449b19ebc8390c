"""The settings that the package's own servers give Spark, as the profile example has them.

A profile is copied and changed by its owner, so these stand here a second time; a test compares.
"""

from __future__ import annotations

from pathlib import Path

FORMATS = ("iceberg", "delta")
ICEBERG = "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0"
DELTA = "io.delta:delta-spark_{spark}_2.13:4.4.0"
# What Delta asks for and Spark ships already; otherwise it is copied at each start.
DELTA_EXCLUDES = (
    "com.fasterxml.jackson.core:*,com.fasterxml.jackson.datatype:*,com.github.luben:*,"
    "com.google.code.findbugs:*,commons-logging:*,commons-pool:*,io.airlift:*,javax.annotation:*,"
    "org.apache.hadoop:*,org.apache.logging.log4j:*,org.apache.parquet:*,org.locationtech.jts:*,"
    "org.roaringbitmap:*,org.slf4j:*,org.xerial.snappy:*"
)


def local_address(master: str) -> dict[str, str]:
    """What a driver on this machine alone has in its environment, unless that says otherwise.

    None with executors elsewhere: they would call it back at the address of their own machine.
    """
    return {"SPARK_LOCAL_IP": "127.0.0.1"} if master.startswith("local") else {}


def settings(table_format: str, folder: Path, spark_version: str) -> dict[str, str]:
    """Settings of a session on one machine with its tables and catalogue below a folder.

    Args:
        table_format: `iceberg` or `delta`.
        folder: where the warehouse and the catalogue are kept.
        spark_version: major and minor number, such as `4.1`: Delta has a build for each.

    Raises:
        ValueError: another format.
    """
    if table_format not in FORMATS:
        raise ValueError(f"format is {table_format!r}: allowed are {', '.join(FORMATS)}")
    common = {
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.hadoop.javax.jdo.option.ConnectionURL": (
            f"jdbc:derby:;databaseName={folder}/metastore_db;create=true"
        ),
        "spark.hadoop.hive.metastore.disallow.incompatible.col.type.changes": "false",
        "spark.hadoop.datanucleus.schema.autoCreateTables": "true",
        # Iceberg's client of the catalogue asks for a version there, which Spark's does not write
        "spark.hadoop.hive.metastore.schema.verification": "false",
        "spark.driver.memory": "2g",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.codegen.cache.maxEntries": "1000",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.driver.extraJavaOptions": (
            "-XX:+UseSerialGC -XX:ReservedCodeCacheSize=512m -Duser.timezone=UTC "
            f'"-Dderby.system.home={folder}"'
        ),
    }
    catalog = "spark.sql.catalog.spark_catalog"
    if table_format == "delta":
        return common | {
            "spark.jars.packages": DELTA.format(spark=spark_version),
            "spark.jars.excludes": DELTA_EXCLUDES,
            "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
            catalog: "org.apache.spark.sql.delta.catalog.DeltaCatalog",
            "spark.databricks.delta.snapshotPartitions": "1",
        }
    return common | {
        "spark.jars.packages": ICEBERG,
        catalog: "org.apache.iceberg.spark.SparkSessionCatalog",
        f"{catalog}.type": "hive",
        f"{catalog}.cache-enabled": "false",
        "spark.hadoop.iceberg.engine.hive.lock-enabled": "false",
    }
