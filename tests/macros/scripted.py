"""Whole runs of a model without Spark: the macros of a run, with answers from a script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.harness import Statement
from tests.macros.rendering import INVOCATION, Macros, Relation

HOME = {
    "catalogue": "spark_catalog",
    "views": True,
    "caches": False,
    "settings": {},
    "session_settings": {},
    "view_keeps": {"zone": "UTC", "settings": {"null in JSON": "{}"}},
    "extensions": "",
}
SOURCE = Relation("views", type="table", information="Provider: iceberg\n")
COLUMNS = {
    "user_id": "string",
    "viewed_at": "timestamp",
    "arrival_seq": "bigint",
    "shard": "int",
    "page": "string",
    "amount": "decimal(10,2)",
    "idle_minutes": "int",
}
CALL: dict[str, Any] = {
    "relation": SOURCE,
    "key": "user_id",
    "event_time": "viewed_at",
    "aggregates": {
        "views": "count(*)",
        "revenue": "sum(amount)",
        "landing": "min_by(page, viewed_at)",
    },
    "arrival_order": "arrival_seq",
}
# What Spark says of the type of an expression over these columns.
TYPES = {
    "count(*)": "bigint",
    "sum(amount)": "decimal(20,2)",
    "named_struct(": "struct<ordered_by:timestamp,arrival:bigint>",
    "min_by(page, ": "string",
    "any_value(": "interval day to second",
    "viewed_at": "timestamp",
}
WINDOWS: dict[str, tuple[str, dict[str, Any]]] = {
    "tumbling": ("tumbling", {"size": "10 minutes", "grace": "1 hour"}),
    "hopping": ("hopping", {"size": "1 hour", "advance_by": "20 minutes", "grace": "1 hour"}),
    "cumulating": ("cumulating", {"size": "1 day", "step": "1 hour", "grace": "2 hours"}),
    "calendar": (
        "calendar",
        {"unit": "month", "grace": "1 day", "time_zone": "Europe/Berlin"},
    ),
    "session": ("session", {"gap": "30 minutes", "grace": "1 day"}),
    "session_gap_by": (
        "session",
        {"gap_by": "make_dt_interval(0, 0, idle_minutes)", "grace": "1 day"},
    ),
    "sliding": ("sliding", {"difference": "10 minutes", "grace": "1 hour"}),
}
FUNCTIONS = [
    "event_windows_plan",
    "event_windows_replay_sessions",
    "event_windows_replay_sliding",
    "event_windows_sliding_values",
    "event_windows_sliding_windows",
]
BUILT = 1_713_312_000_000_000  # the number of a build: microseconds
HOUR = 3_600_000_000
RECORDED_BUILD = re.compile(r"'event_windows.build' = '((?:[^'\\]|\\.)+)'")
# of the session, as they are
SETTINGS = {
    "_ew_letters": 1,
    "_ew_time": "timestamp",
    "_ew_names": 1,
    "_ew_inner": 2,
    "_ew_quoted": 1,
    "_ew_alone": 1,
    "_ew_disc": 2,
}


@dataclass
class Script:
    """What the tables of model `m` would answer. Rows that are late are in few classes of keys."""

    new: int = 100
    late: bool = False
    late_keys: str = "classes 17, 4711"  # where they are asked for
    functions: Sequence[str] = tuple(FUNCTIONS)
    lines: str = '[{"_ew_key":"9c56","_ew_item":1}]'  # of late rows, where they are few
    moved_windows: int = 0  # that late rows make of stored ones
    keyless: bool = False
    unnumbered: int = 0
    spec: Mapping[str, Any] | None = None
    told: int | None = None  # the last number in the ledger, if it is not the last refresh's
    clocked: int = BUILT  # the last number in the log of clocks
    uncounted: int = 0  # dropped rows that no commit has counted
    rival: bool = False  # another run commits the number first
    bare: bool = False  # no window is stored, so that none bears a number
    ended: bool = False  # and has ended before this one asks what stands beside the windows
    columns: Mapping[str, str] = field(default_factory=lambda: COLUMNS)
    properties: dict[str, Any] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)  # the steps
    sent: list[str] = field(default_factory=list)  # all statements, those without a step too

    def __call__(self, sql: str) -> Iterable[Mapping[str, Any]] | None:
        statement = Statement(sql)
        self.sent.append(sql)
        if sql.startswith("select max(_ew_refresh) as number from s.event_windows_runs"):
            return [{"number": self.told or BUILT}]
        if sql.startswith("select max(_ew_refresh) as number from"):
            number = None if self.bare else BUILT + self.ended * ("last" in self.asked)
            return [{"number": number}]
        if "as progress from" in sql:
            run_id = "another" if self.rival else INVOCATION
            number = int(re.findall(r"_ew_refresh >= (\d+)", sql)[0])
            committed = json.dumps({"number": number, "runs": [[number, run_id]]})
            if "spark.merge-into" in sql:
                return [{"inserted": 3, "updated": 2, "deleted": 1, "also": committed}]
            return [{"progress": committed}]
        if statement.step:
            return self._step(statement.step, statement)
        if sql.startswith("describe query select * from"):
            ours = re.search(r" s\.(m(__state)?|event_windows_runs)$", sql) is not None
            columns = {**self.columns, "_ew_refresh": "bigint"} if ours else self.columns
            return [{"col_name": name, "data_type": type} for name, type in columns.items()]
        if sql.startswith("describe query select "):
            return [{"data_type": type} for type in types_of(sql)]
        if sql.startswith("show user functions"):
            return [{"function": name} for name in self.functions]
        if sql.startswith("show tblproperties"):
            return [
                {"key": name, "value": value if isinstance(value, str) else json.dumps(value)}
                for name, value in self.properties.items()
            ]
        if "spark.merge-into" in sql:
            return [{"inserted": 3, "updated": 2, "deleted": 1}]
        if "latest_sequence_number" in sql:
            return [{"n": 5}]
        if sql.startswith("select event_windows_plan("):
            return [{"plan": "{}"} | SETTINGS]
        if sql.startswith(("select length(", "select current_catalog() as name, ")):
            return [SETTINGS]
        if ".snapshots" in sql:
            appended = {"operation": "append", "committed_at": "2024-04-17", "is_empty": False}
            return [
                {"snapshot": "78", "parent": "77"} | appended,
                {"snapshot": "77", "parent": None} | appended,
            ]
        return None

    def _step(self, step: str, sql: str) -> Iterable[Mapping[str, Any]] | None:
        self.asked.add(step)
        if step == "last" and "as told" in sql:
            dropped = {"dropped": BUILT + self.keyless, "uncounted": self.uncounted}
            told = {"told": self.told or BUILT + self.ended, "set_back": ""}
            told |= {"due": None, "published": None}
            return [told | {"clocked": self.clocked} | dropped]
        if step == "last":
            return [{"n": 0}]
        if step == "rebuilt" and "as classes" in sql:
            return [{"n": 2, "classes": "classes 17, 4711"}]
        if step == "rebuilt":
            return [{"segment": 7, "scopes": 2, "clock": BUILT}]
        if step == "bounds" and "as there" in sql:
            return [{"new": self.new, "there": 100 + self.new}]
        if step == "bounds" and "select count(*) as n" in sql:
            return [{"n": self.unnumbered}]
        if step == "bounds":
            return [
                {
                    "arrival_partition": None,
                    "arrival_from": 100,
                    "unreadable": 0,
                    "arrival_to": 100 + self.new,
                    "new_rows": self.new,
                    "again": 100,
                    "unordered": self.unnumbered,
                    "total": 100 + self.new,
                }
            ]
        if step == "clocks" and "as read_rows" in sql:
            return [self._summary()]
        if step == "late_keys":
            return [{"classes": self.late_keys}]
        if step == "late_rows" and "as lines" in sql:
            counted = {"lines": 5 * self.late, "late": 2 * self.late, "late_partial": 0}
            return [counted | {"kept": self.lines, "moved_windows": self.moved_windows}]
        if step == "dropped_rows" and "as moved_windows" in sql:
            return [{"moved_windows": self.moved_windows}]
        if step == "dropped_rows" and "count_if" in sql:
            return [{"late": 2, "late_partial": 0}]
        if step == "progress" and "as clock" in sql:
            return [{"clock": BUILT, "published": BUILT}]
        if step == "windows" and (built := RECORDED_BUILD.search(sql)):
            build = json.loads(re.sub(r"\\(.)", r"\1", built.group(1)))
            self.properties["event_windows.build"] = build
        if step == "windows" and "as made" in sql:
            return [{"later": None, "made": 40}]
        return None

    def _summary(self) -> dict[str, Any]:
        return {
            "read_rows": self.new,
            "read_uncountable": int(self.keyless),
            "read_without_key": int(self.keyless),
            "read_unordered": 0,
            "read_first": BUILT,
            "read_latest": BUILT + HOUR,
            "read_arrival_from": 101,
            "read_arrival_to": 100 + self.new,
            "read_digest": -(2**63),
            "read_moved": 7,
            "new_scopes": 3,
            "clock": BUILT + HOUR,
            "late_scopes": 2 * self.late,
            "classes": "classes 17, 4711" if self.late else None,
        }


def types_of(sql: str) -> list[str]:
    """The types that Spark gives to the columns of `describe query select ...`."""
    found = []
    for expression in re.findall(
        r"(?:select|,) ((?:(?! as value_).)+) as value_\d+", sql, re.DOTALL
    ):
        inner = expression.removeprefix("min(")
        found.append(next(type for start, type in TYPES.items() if inner.startswith(start)))
    return found


def rendered(
    script: Script | None = None, config: dict[str, Any] | None = None, **given: Any
) -> Macros:
    """The macros of a windowed model in Iceberg."""
    settings = {"materialized": "windowed", "file_format": "iceberg"} | (config or {})
    options = {"execute": True, "relations": [SOURCE], "answer": script or Script()} | given
    return Macros(config=settings, **options)


def spec_of(macros: Macros, kind: str = "session", **call: Any) -> dict[str, Any]:
    """The spec of a model with windows of one of the kinds above."""
    constructor, options = WINDOWS[kind]
    arguments = CALL | {"window": macros[constructor](**options), "partition": None} | call
    spec = dict(macros._spec_of_call(**{"stream_time": "key"} | arguments, unknown=[{}, []]))
    return spec | {"home": HOME}


def run(
    script: Script, kind: str = "session", build: bool = False, **options: Any
) -> list[Statement]:
    """The statements of one run: a build, or a refresh of the tables that the build has made."""
    macros, spec, tables = prepared(script, kind, **options)
    advance_to = macros._advance_to()
    done = {"progress": None, "runs": [], "statements": [], "more": True}
    if build:
        macros._build(spec, tables, macros._record_there(spec, tables), advance_to, done)
    else:
        record = macros._record_of(spec, tables)
        done["progress"] = record["progress"]
        macros._follow_up(spec, tables, record, done)
        macros._refresh(spec, tables, advance_to, done)
    return [Statement(sql) for sql in done["statements"]]


def prepared(
    script: Script,
    kind: str = "session",
    call: Mapping[str, Any] | None = None,
    **options: Any,
) -> tuple[Macros, dict[str, Any], dict[str, Relation]]:
    """Macros, spec and tables of a model that was built; what the tables record is scripted."""
    macros = rendered(script, **options)
    spec = spec_of(macros, kind, **(call or {})) | {"asks": macros._asks_is_windowed_run()}
    tables = macros._tables(Relation("m"), spec["emit"])
    for name in ["model", "windows", "clocks", "dropped", "runs"]:
        there = tables[name].incorporate(type="table", information="Provider: iceberg\n")
        macros.adapter.cache_added(there)
    built = progress([[None, 100 if spec["arrival"] else "77/4"]])
    script.properties.setdefault("current-snapshot-id", "78")
    script.properties.setdefault("format-version", "3")
    script.properties.setdefault("event_windows.spec", macros._fingerprint(spec))
    # with emit='final' they are those of m too, which says who has published it
    built["publisher"] = built["run_id"]
    script.properties.setdefault("event_windows.build", built)
    script.properties.setdefault("event_windows.expired", str(BUILT))
    return macros, spec, tables


def progress(through: list[Any]) -> dict[str, Any]:
    return {
        "number": BUILT,
        "generation": BUILT,
        "full": True,
        "run_id": "earlier",
        "started_at": "2024-04-16 00:00:00",
        "runs": [[BUILT, "earlier"]],
        "from": [],
        "through": through,
        "source": None,
        "advance_to": None,
        "logged": None,
        "logs": True,
        "scopes": 4,
        "clock": BUILT - HOUR,
        "replayed_until": None,
        "rows": 100,
        "last": 100,
        "unseen": 0,
    }
