"""What the package's own statements need from a connection: a second try, a word, one sentence.

Each statement of a run begins with `/* event_windows <model> <step> */` and can be sent again: it
replaces, looks for its own number first, or once more makes no difference. So a statement that only
met another writer is sent again, but for the step `reshape`, which is told from the table as it
was; one that takes long says so; and where that does not help a sentence says so instead of a stack
trace.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

Result = TypeVar("Result")

TRIES = 8
SENT_ONCE = "reshape"  # the step that writes what it has seen of the table
LONGEST_WAIT = 10.0  # seconds between two tries
SLOW = 10.0  # seconds after which a step says that it is still running

_LABEL = re.compile(r"/\* event_windows (?P<model>.+?) (?P<step>[a-z_]+) \*/")
_AT_LAST = re.compile(r"/\* event_windows at last (?P<sql>.+) \*/\s*$", re.DOTALL)

# Delta's error conditions and exceptions of optimistic concurrency (delta-error-conditions.json;
# https://docs.delta.io/latest/concurrency-control.html), Iceberg's commits that another one came
# before (SnapshotProducer, MergingSnapshotProducer.validate*), and the races of "create table if
# not exists" in a Hive metastore. Iceberg repeats by itself what needs no new look at the data.
_MET_ANOTHER_WRITER = re.compile(
    r"DELTA_CONCURRENT_|DELTA_METADATA_CHANGED|DELTA_PROTOCOL_CHANGED"
    r"|Concurrent(Append|DeleteRead|DeleteDelete|Transaction|Write)Exception"
    r"|MetadataChangedException|ProtocolChangedException"
    r"|CommitFailedException|Found (new )?conflicting|Missing required files to delete"
    r"|Cannot commit, (found|missing)|base metadata location .* is not same"
)
# A view stays where a table is to be.
_CREATED_MEANWHILE = re.compile(
    r"(?<!COLUMN_)ALREADY_EXISTS|AlreadyExistsException(?!: View with same name)|FileAlreadyExists"
    r"|DELTA_CREATE_TABLE_WITH_NON_EMPTY"
)
# Columns that another run has added stay: there is nothing to wait for, as with a table half made.
_ADDED_MEANWHILE = re.compile(
    r"FIELD_ALREADY_EXISTS|DELTA_DUPLICATE_COLUMNS_FOUND.ADDING_COLUMNS"
    r"|Cannot add column, name already exists"
)
# What a statement itself found in the rows, which only Spark can see.
_RAISED = re.compile(r"USER_RAISED_EXCEPTION\] event_windows: ([^\n]+?)(?: SQLSTATE: \w+)?(?:\n|$)")

# Errors of Spark and the formats that the next run would meet again, and what to do about them.
# `\1` is what the pattern has found in its brackets.
_KNOWN = {
    # what a catalogue says that Spark asks for views and that holds none (Iceberg's SparkCatalog,
    # JdbcCatalog, RESTSessionCatalog), or that Spark does not ask
    r"Creating a view is not supported by catalog|does not support views"
    r"|without view support|does not support endpoint: \S+ \S*views": (
        "makes a view, and the catalogue holds none: give the var event_windows__views: false; the "
        "next run goes on from here"
    ),
    r"View with same name already exists": (
        "makes a table where the catalogue has a view, which this session does not reach: give it "
        "the spark.sql.extensions of the session that made the view, or drop the view there, and "
        "run again"
    ),
    # with Iceberg's extensions CREATE OR REPLACE VIEW finds the name, and no view of Iceberg's
    r"\[VIEW_NOT_FOUND\]": (
        "makes a view anew that a session without Iceberg's extensions has made, which this one "
        "does not reach: leave IcebergSparkSessionExtensions out of spark.sql.extensions (the "
        "package does not need them), or drop the view in a session without them; the next run "
        "goes on from here"
    ),
    # SparkCatalog, and Spark where no format of the name is installed
    r"Unsupported format in USING: (\w+)|DATA_SOURCE_NOT_FOUND\] [^:]*: (delta|iceberg)\b": (
        r"makes a table in \1\2, which this catalogue, or this session, does not have: give the "
        "config file_format to the model, or for all of them the var event_windows__file_format "
        "(delta or iceberg; without either it is delta)"
    ),
    # of a server of the catalogue that failed, or a lock that was lost
    r"CommitStateUnknownException": (
        "was not told by the catalogue whether it has committed: run again, which is safe, since "
        "it looks what was committed and goes on from there"
    ),
    r"FAILED_READ_FILE\.FILE_NOT_EXIST|DELTA_CHANGE_DATA_FILE_NOT_FOUND"
    r"|iceberg\.exceptions\.NotFoundException"
    r"|DELTA_UNSUPPORTED_TIME_TRAVEL_BEYOND_DELETED_FILE_RETENTION_DURATION"
    r"|DELTA_VERSION_NOT_FOUND|DELTA_NO_RECREATABLE_HISTORY_FOUND|DELTA_VERSIONS_NOT_CONTIGUOUS"
    r"|DELTA_LOG_FILE_NOT_FOUND\b": (
        "reads a file or a version that is not there any more: run again first, if the source was "
        "written meanwhile; where VACUUM, expire_snapshots or old logs that go took away what the "
        "log of its source needs, run with --full-refresh"
    ),
    r"Cannot find source column for (?:partition|sort) field": (
        "drops a column by which its table was partitioned or ordered by hand: alter table <table> "
        "(the model's, or its __state) drop partition field <field> or write unordered, and run "
        "again; or run with --full-refresh, which lays the table out anew"
    ),
    # not sent again: what the session has in its cache of the other tables is of the build before
    r"Cannot determine history between": (
        "met other writers of the same table, which have built it anew; the next run goes on from "
        "there"
    ),
    r"DELTA_CHANGE_DATA_FEED_INCOMPATIBLE|DELTA_MISSING_CHANGE_DATA": (
        "reads a change data feed that was off for a while (a RESTORE can do that, too), or over a "
        "change of columns (dropped, renamed, of another type), which Delta does not: run with "
        "--full-refresh"
    ),
    # of fields that have changed places Spark says it in another way (4.1)
    r"INCOMPATIBLE_COLUMN_TYPE\] UNION|Rule \S+\.PushProjectionThroughUnion": (
        "puts rows side by side of which a column is of another type: where a struct of the source "
        "has other fields than it had at the last refresh, run with --full-refresh"
    ),
    r"DELTA_CANNOT_MODIFY_APPEND_ONLY": (
        "changes rows of a table with delta.appendOnly true, of which Delta lets none be changed: "
        "alter table <table> set tblproperties ('delta.appendOnly' = 'false') for the model's "
        "table and those beside it (__state, __dropped, __ew_clocks); the next run goes on from "
        "here"
    ),
    # of a MERGE on Iceberg that reads late rows again, of a relation for which Spark says so
    r"INVALID_NON_DETERMINISTIC_EXPRESSIONS": (
        "reads rows again of which a column has another value each time (uuid(), rand(), "
        "input_file_name(), a function that is nondeterministic to Spark): leave it out of what "
        "the model reads, or store it there, and run with --full-refresh"
    ),
    r"DELTA_MERGE_RESOLVED_ATTRIBUTE_MISSING_FROM_INPUT": (
        "merges a CHAR column of a Delta table, which Delta does not: read it as k || '' "
        "in what the model reads"
    ),
    r"implicit cartesian product": (
        "joins without a condition (to the one row of a clock, or in its own SELECT), which "
        "spark.sql.crossJoin.enabled=false forbids: leave that true, which is the default; the "
        "next run goes on from here"
    ),
    r"COLUMN_ALREADY_EXISTS": (
        "writes two columns, or two fields of a struct, of one name, which no table holds: give "
        "them names of their own, as in named_struct('a', ...)"
    ),
    # which names there are is up to Java, and dbt knows some that it does not
    r"(?:\[INVALID_TIMEZONE\] The timezone|Unknown time-zone ID): (\S+)": (
        r"asks for the time zone '\1', which Spark's Java does not know: give the name of one that "
        "it knows, such as 'UTC' or 'Europe/Berlin'"
    ),
}
# Steps that name the columns of the model's table as they were when the run began.
_NAMES_COLUMNS = ("windows", SENT_ONCE)
_UNRESOLVED = re.compile(r"UNRESOLVED_COLUMN|DELTA_MERGE_UNRESOLVED_EXPRESSION")


@dataclass(frozen=True)
class Label:
    """Whose statement it is: the model's name and the step's."""

    model: str
    step: str

    def line(self, told: str) -> str:
        """What is told of the step."""
        return f"event_windows: model '{self.model}': step {self.step} {told}"


def label_of(sql: str) -> Label | None:
    """The label of a statement, which dbt's query comment may stand before; none if it has none."""
    found = _LABEL.search(sql[:2000])
    return Label(found["model"], found["step"]) if found else None


def met_another_writer(error: str) -> bool:
    """Whether sending the statement again may do: another writer came between."""
    return bool(_CREATED_MEANWHILE.search(error) or _MET_ANOTHER_WRITER.search(error))


def sentence_about(label: Label, error: str) -> str | None:
    """What to tell the user about an error that the package knows; none for any other."""
    if raised := _RAISED.search(error):
        return f"event_windows: model '{label.model}': {raised[1]}"
    if met_another_writer(error) and label.step == SENT_ONCE:
        return label.line(
            "met another writer of the same table, which has changed or refreshed it meanwhile: "
            "run again"
        )
    if met_another_writer(error):
        return label.line(
            f"met other writers of the same table {TRIES} times (a refresh, OPTIMIZE or a "
            "compaction beside this one); the next run goes on from here"
        )
    if label.step in _NAMES_COLUMNS and _UNRESOLVED.search(error):
        return label.line(
            "names columns of the model's table that were changed by another run meanwhile, or "
            "renamed or dropped by hand: run again, and with --full-refresh if that says the same"
        )
    for pattern, told in _KNOWN.items():
        if found := re.search(pattern, error):
            return label.line(found.expand(told))
    return None


def at_last(sql: str) -> str | None:
    """What to send where a statement has found the place of its table, or of columns, taken.

    Of a table after all tries: then nobody is about to make it, a run that was has been killed. A
    statement that has another form for this case carries it in a comment at its end; none if it has
    no such form.
    """
    found, label = _AT_LAST.search(sql), _LABEL.search(sql)
    return f"{sql[: label.end()]}\n{found['sql']}" if found and label else None


def run(
    sql: str,
    label: Label,
    send: Callable[[str], Result],
    tell: Callable[[str], None],
    fail: Callable[[str], Exception],
    wait: Callable[[float], None] = time.sleep,
) -> Result:
    """Send a labelled statement, again where it met another writer, at most `TRIES` times.

    After that comes its form `at_last`, once, if it has one and the place of its table was taken;
    at once where columns are there that it was to add.

    `tell` is called with a line about a step that takes longer than `SLOW` seconds, or that is
    tried again. `fail` makes the exception of a sentence.

    Raises:
        Exception: what `fail` makes of a sentence; any other error is raised as it came.
    """
    tries = 1 if label.step == SENT_ONCE else TRIES
    for tried in range(1, tries + 1):
        try:
            with _telling_if_slow(label, tell):
                return send(sql)
        except Exception as error:
            text = str(error)
            added = _ADDED_MEANWHILE.search(text) and at_last(sql)
            if tried < tries and met_another_writer(text) and not added:
                tell(label.line(f"met another writer, trying again ({tried} of {tries - 1})"))
                # randomly within a window that doubles, so that two runs do not meet for ever
                wait(random.uniform(0.1, min(LONGEST_WAIT, 0.25 * 2**tried)))
                continue
            other = added or (at_last(sql) if _CREATED_MEANWHILE.search(text) else None)
            if other is not None:
                # at once: the longer it waits, the likelier somebody has made and filled the table
                return send(other)
            sentence = sentence_about(label, text)
            if sentence is None:
                raise
            raise fail(sentence) from error
    raise AssertionError("the last try returns or raises")


@contextmanager
def _telling_if_slow(label: Label, tell: Callable[[str], None]) -> Iterator[None]:
    started = time.monotonic()
    ended = threading.Event()

    def watch() -> None:
        pause = SLOW
        while not ended.wait(pause):
            tell(label.line(f"has been running for {round(time.monotonic() - started)} s"))
            pause *= 2

    watcher = threading.Thread(target=watch, name="event_windows: slow steps", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
