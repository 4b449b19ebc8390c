"""What becomes of texts: each a model of one dbt project, over refreshes, beside Spark's answer."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tests.harness import DbtProject, local_frame
from tests.plain_sql.answering import planned
from tests.plain_sql.generated.rows import CODES, CODES_ROWS, COLUMNS, PEOPLE, PEOPLE_ROWS
from tests.plain_sql.generated.text import TABLES, Text
from tests.plain_sql.results import Result, run, without_last_digits, without_signs

CONFIG = "{{ config(materialized='windowed', grace='{grace}', arrival_order='seq') }}\n"
IN_MODELS = {table: f"{{{{ source('raw', '{table}') }}}}" for table in TABLES}
# in how many other orders of the rows Spark is asked again
ORDERS = 6


class End(Enum):
    EQUAL = "equal"
    REFUSED = "refused in a sentence"
    SPARK_REFUSES = "Spark refuses it too"
    SPARK_FAILS = "Spark fails by a fault of its own"
    UNDETERMINED = "Spark's own answer depends on the order of rows"
    PARTLY_LATE = "a late row counts in a part, which no text says"
    DIFFERENT = "DIFFERENT"
    RAW_ERROR = "RAW ERROR"

    @property
    def is_fault(self) -> bool:
        return self in (End.DIFFERENT, End.RAW_ERROR)


@dataclass(frozen=True)
class Verdict:
    """What became of a text, and why: the message of a refusal, or both results."""

    text: Text
    end: End
    why: str = ""


@dataclass
class Judge:
    """Runs texts as models over the same rows, cut into refreshes.

    With a grace Spark is asked the text over the rows that the model has not dropped.
    """

    project: DbtProject
    grace: str = "unbounded"
    batches: int = 0
    late: int = 0

    def __post_init__(self) -> None:
        self.project.create_source("people", PEOPLE_ROWS, PEOPLE)
        self.project.create_source("codes", CODES_ROWS, CODES)
        self.project.create_source("events", [], COLUMNS)

    @property
    def tables(self) -> dict[str, str]:
        """Tables as Spark is asked for them: other tests' views may have their names alone."""
        return {table: f"{self.project.schema}.{table}" for table in TABLES}

    def is_taken(self, text: Text) -> bool:
        """Whether Spark takes a text, as far as it tells without running it."""
        self.project.spark.catalog.setCurrentDatabase(self.project.schema)
        try:
            return bool(self.project.spark.sql(text.over(self.tables)).schema.names)
        except PySparkException:
            return False

    def is_planned(self, text: Text) -> bool:
        """Whether a text that Spark refuses would be built: the plan's own text is asked first."""
        try:
            plan = planned(text.over(self.tables), arrival_order="seq")
            return "problems" not in plan and bool(self.project.spark.sql(plan["check"]).schema)
        except PySparkException:
            return False

    def verdicts(self, texts: Sequence[Text], refreshes: Sequence[Sequence[Any]]) -> list[Verdict]:
        """Models of all texts in one dbt run for each refresh, then the tables beside Spark."""
        self.batches += 1
        models = {f"text_{self.batches}_{place}": text for place, text in enumerate(texts)}
        for name, text in models.items():
            config = CONFIG.replace("{grace}", self.grace)
            self.project.model(name, config + text.over(IN_MODELS))
        errors: dict[str, str] = {}
        try:
            for place, rows in enumerate(refreshes):
                self._arrive(rows, place)
                self._refresh([name for name in models if name not in errors], place, errors)
            rows = [row for part in refreshes for row in part]
            return [self._verdict(name, models[name], errors.get(name), rows) for name in models]
        finally:
            self._clear(models)

    def _arrive(self, rows: Sequence[Any], refresh: int) -> None:
        if refresh:
            self.project.append("events", rows)
        else:
            self.project.create_source("events", rows, COLUMNS)

    def _refresh(self, names: list[str], refresh: int, errors: dict[str, str]) -> None:
        if not names:
            return
        outcome = self.project.run(*names, threads=4, expect_error=None)
        assert len(outcome.results) == len(names), outcome.error
        for result in outcome.results:
            if result.status != "success":
                # what was built is not refused later
                later = f"at refresh {refresh + 1}: " if refresh else ""
                errors[result.node.name] = later + str(result.message)

    def _clear(self, models: dict[str, Text]) -> None:
        for name in models:
            (self.project.root / f"models/{name}.sql").unlink()
        for table in self.project.rows("show tables"):
            if table.tableName.startswith("text_"):
                self.project.drop(table.tableName)

    def _verdict(self, name: str, text: Text, error: str | None, rows: list[Any]) -> Verdict:
        spark = self.project.spark
        spark.catalog.setCurrentDatabase(self.project.schema)
        late = set() if error else self._late(name)
        if late is None or (late and "explode" in text.from_):
            return Verdict(text, End.PARTLY_LATE)
        self.late += len(late)
        counted = [row for row in rows if row[0] not in late]
        tables = self.tables
        if late:
            view = (
                f"select * from {tables['events']} where seq not in ({', '.join(map(str, late))})"
            )
            spark.sql(view).createOrReplaceTempView("events")
            tables["events"] = "events"
        try:
            return self._beside_spark(name, text, error, counted, tables)
        finally:
            spark.catalog.dropTempView("events")

    def _late(self, name: str) -> set[int] | None:
        """Numbers of the rows that a model dropped as late; none if it counts a part of one."""
        if self.grace == "unbounded":
            return set()
        dropped = self.project.spark.table(f"{name}__dropped")
        (number,) = (column for column in dropped.columns if column.startswith("seq"))
        reasons = {(row[number], row.reason) for row in dropped.collect()}
        if any(reason == "late_partial" for _, reason in reasons):
            return None
        return {number for number, reason in reasons if reason == "late"}

    def _beside_spark(
        self, name: str, text: Text, error: str | None, rows: list[Any], tables: dict[str, str]
    ) -> Verdict:
        spark = self.project.spark
        try:
            expected = run(spark, text.over(tables))
        except (PySparkException, Py4JJavaError) as refusal:
            # sessions of a text with DISTINCT where a key is 0.0 and -0.0, for one
            if is_of_spark(str(refusal)):
                return Verdict(text, End.SPARK_FAILS, str(refusal))
            if error is None:
                return Verdict(text, End.DIFFERENT, f"runs, but Spark refuses it: {refusal}")
            return Verdict(text, End.SPARK_REFUSES, str(refusal))
        if error is not None:
            return Verdict(text, End.REFUSED if _is_sentence(error) else End.RAW_ERROR, error)
        try:
            actual = run(spark, f"select * from {name}")
        except (PySparkException, Py4JJavaError) as failure:
            return Verdict(text, End.RAW_ERROR, f"reading the table: {failure}")
        if actual == expected:
            return Verdict(text, End.EQUAL)
        why = f"Spark {expected.without(actual)}\nours  {actual.without(expected)}"
        if counts_twice(text) and self._is_right_beside_distinct(
            name, text, actual, expected, rows, tables
        ):
            return Verdict(text, End.SPARK_FAILS, why)
        return Verdict(text, self._compared(text, actual, expected, rows), why)

    def _compared(self, text: Text, actual: Result, expected: Result, rows: list[Any]) -> End:
        names = {**self.tables, "events": "events"}
        others = in_other_orders(self.project.spark, text, rows, names)
        return compared_again(actual, [expected, *others])

    def _is_right_beside_distinct(
        self,
        name: str,
        text: Text,
        actual: Result,
        expected: Result,
        rows: list[Any],
        tables: dict[str, str],
    ) -> bool:
        """Whether all but the DISTINCT is what Spark gives for the text without them.

        Where that cannot be asked: the columns, and without HAVING how many windows there are.
        """
        places = [n for n, item in enumerate(text.items) if "distinct" not in item.sql.lower()]
        in_having = any("distinct" in condition.lower() for condition in text.having)
        part = replace(text, items=tuple(text.items[place] for place in places))
        is_one_each = len(text.items) == len(expected.columns)
        if in_having or not is_one_each or not places or not self.is_taken(part):
            are_as_many = bool(text.having) or len(actual.rows) == len(expected.rows)
            return actual.columns == expected.columns and are_as_many
        names = ", ".join(f"`{expected.columns[place][0]}`" for place in places)
        spark = self.project.spark
        ours = run(spark, f"select {names} from {name}")
        return self._compared(part, ours, run(spark, part.over(tables)), rows) is not End.DIFFERENT


def counts_twice(text: Text) -> bool:
    """Whether Spark may count a value twice: sessions of several DISTINCT, or with a FILTER."""
    sql = text.over({}).lower()
    return "session_window" in sql and (
        len(re.findall(r"\bdistinct\b", sql)) > 1 or ("distinct" in sql and " filter (" in sql)
    )


def is_of_spark(failure: str) -> bool:
    """Whether Spark says itself that the fault is one of its own, or breaks within its planner.

    The latter: listagg with its order in DISTINCT, beside another DISTINCT, casts a class wrongly.
    """
    breaks = "ClassCastException: class org.apache.spark.sql.catalyst.expressions" in failure
    return breaks or "[INTERNAL_ERROR" in failure


def _is_sentence(error: str) -> bool:
    """Whether a message is one of the package's, before anything was built."""
    # what the reader of texts says of an exception of its own
    is_own_fault = "please tell us" in error
    return "event_windows:" in error and not error.startswith("at refresh") and not is_own_fault


def in_other_orders(
    spark: SparkSession, text: Text, rows: list[Any], names: Mapping[str, str]
) -> list[Result]:
    """Spark's answers where it reads the rows in other orders, and in other numbers of tasks.

    First backwards, so that of two rows each comes first once. The rows are a view of the name that
    `names` has for events; they are put in order here, as Spark takes an ORDER BY below an
    aggregate away where that is to give the same in any order, which of -0.0 and 0.0 is not so.
    """
    found = []
    for place in range(ORDERS):
        ordered = random.Random(place).sample(rows, len(rows)) if place else rows[::-1]
        frame = local_frame(spark, ordered, COLUMNS).coalesce(1 + place % 2)
        frame.createOrReplaceTempView(names["events"])
        try:
            found.append(run(spark, text.over(names)))
        finally:
            spark.catalog.dropTempView(names["events"])
    return found


def compared_again(actual: Result, answers: list[Result]) -> End:
    """Whether a result is one that Spark gives, too, as far as that is the same each time."""
    if actual in answers:
        return End.EQUAL
    if without_last_digits(actual) in map(without_last_digits, answers):
        return End.UNDETERMINED
    if len(set(answers)) == 1:
        return End.DIFFERENT
    if {without_signs(one) for one in answers} == {without_signs(actual)}:
        return End.EQUAL
    return End.DIFFERENT if len({without_signs(one) for one in answers}) == 1 else End.UNDETERMINED
