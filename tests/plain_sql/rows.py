"""Rows that the texts of these tests read: nulls, ties, changes of clocks, exact halves."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from pathlib import Path

from pyspark.sql import SparkSession

# Both changes of clocks of New York in 2024, and two days before 1970.
_STARTS = [
    datetime(2024, 3, 9, 22),
    datetime(2024, 11, 2, 23),
    datetime(2024, 7, 1, 10),
    datetime(1969, 12, 30, 5),
]
_COLUMNS = (
    "`user id` string, user_id string, device string, seq bigint, at string, amount int, "
    "price int, score double, url string, is_bot boolean, minutes int, "
    "items array<string>, place struct<city: string, zip: int>"
)


def make_views(spark: SparkSession, folder: Path) -> None:
    """The views `views`, `people` and `orders`; times are the same in every session time zone.

    `viewed_at` is a TIMESTAMP, `seen_at` the same as a TIMESTAMP_NTZ. `threshold` and `factor` are
    variables of the session.
    """
    draw = random.Random(7)
    made = []
    for seq in range(160):
        minutes = draw.choice([0, 5, 10, 29, 30, 31, 60, 90, 240, 1410, 1440, 1470])
        at = draw.choice(_STARTS) + timedelta(minutes=minutes + draw.randrange(0, 3000, 5))
        user = draw.choice(["a", "b", "c", "D", None])
        made.append(
            (
                user and user.upper(),
                user,
                draw.choice(["web", "app", None]),
                seq,
                None if draw.random() < 0.05 else at.isoformat(sep=" "),
                draw.choice([None, 1, 2, 3, 50]),
                None if draw.random() < 0.1 else draw.randrange(0, 1000),
                draw.choice([0.5, 0.25, 2.0, None]),
                draw.choice(["/Home", "/home", "/Buy", None]),
                draw.choice([True, False, False, None]),
                draw.choice([None, -5, 0, 10, 30, 120]),
                draw.choice([[], ["x"], ["x", "y"], None]),
                (draw.choice(["Rom", "Bonn"]), draw.choice([1, 2, None])),
            )
        )
    frame = spark.createDataFrame(made, _COLUMNS).selectExpr(
        "* except (price, at)",
        "cast(price / 4 as decimal(10, 2)) as price",
        "timestamp_micros(unix_micros(cast(concat(at, 'Z') as timestamp))) as viewed_at",
        "cast(at as timestamp_ntz) as seen_at",
    )
    path = str(folder / "views")
    frame.coalesce(1).write.mode("overwrite").parquet(path)
    spark.read.parquet(path).createOrReplaceTempView("views")
    people = [("a", "Ada", 1), ("b", "Bob", 2), ("D", None, 3)]
    spark.createDataFrame(people, "user_id string, name string, level int").createOrReplaceTempView(
        "people"
    )
    orders = [(900, "a", 7), (901, "b", None)]
    spark.createDataFrame(orders, "seq bigint, user_id string, total int").createOrReplaceTempView(
        "orders"
    )
    for variable in ("threshold", "factor"):
        spark.sql(f"declare or replace variable {variable} int default 2")
