"""What a model's tables hold beside what the reference says, case by case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.generated.cases import Arrivals, Event
from tests.generated.keys import identity
from tests.generated.specs import Spec
from tests.harness import DbtProject
from tests.reference.records import Dropped, Window
from tests.reference.task import Task

Lines = Counter[tuple[Any, ...]]  # each begins with its case, or with none if it is of no one case
Tables = dict[str, Lines]


def expected(arrivals: Arrivals, task: Task) -> Tables:
    spec = arrivals.spec
    shown = [w for w in _kept(spec, task) if spec.shows(_values(arrivals, w))]
    return {
        "windows": Counter(_window(arrivals, window) for window in shown),
        "dropped": Counter(_dropped(arrivals, dropped) for dropped in task.dropped.dropped),
        "stream_time": Counter(_stream_time(spec, p, t) for p, t in task.stream_times().items()),
    }


def _kept(spec: Spec, task: Task) -> list[Window]:
    """The windows that a model's table has, also those that its HAVING does not show."""
    if spec.emit == "final":
        return task.closed()
    return task.in_state(spec.retention) if spec.expire == "delete" else task.store.windows()


def _values(arrivals: Arrivals, window: Window) -> list[int | None]:
    return [arrivals.rows[index][1].v for index in window.rows]


def _window(arrivals: Arrivals, window: Window) -> tuple[Any, ...]:
    spec = arrivals.spec
    events = [arrivals.rows[index][1] for index in window.rows]
    known = [event.v for event in events if event.v is not None]
    values: list[Any] = [len(events), len(known)]
    values += [sum(known), min(known), max(known)] if known else [None] * 3
    values.append(round(sum(known) / len(known), 9) if known else None)
    if spec.values:
        # one partition has numbers of its own; where two meet in a window the partition settles it
        rows = [arrivals.rows[index] for index in window.rows]
        order = sorted(
            range(len(rows)), key=lambda i: (rows[i][1].time, rows[i][2], rows[i][3] or "")
        )
        ids = [window.rows[i] for i in order]
        values.append(tuple(ids if spec.ordered else sorted(ids)))
        if spec.ordered:
            in_order = [events[i].v for i in order]
            values += [in_order[0], in_order[-1], ids[-1]]
    return (*window.key, window.start, _end(spec, window, events), *values)


def _end(spec: Spec, window: Window, events: list[Event]) -> int:
    """The end that a model shows: in plain SQL a session ends where no row joins it any more."""
    if spec.kind != "session" or not spec.plain:
        return window.end
    return max(e.time + (e.gap if spec.has_gaps_of_rows else spec.given["gap"]) for e in events)


def _dropped(arrivals: Arrivals, dropped: Dropped) -> tuple[Any, ...]:
    grp, event, arrival, part = arrivals.rows[dropped.index]
    spec = arrivals.spec
    line = [*arrivals.key_of(grp, event, part), event.time]
    if spec.ordered:
        line.append(arrival)
    if spec.partition == "outside":
        line.append(part)
    number = dropped.index if spec.keeps_ids else None
    return (*line, number, dropped.reason, dropped.stream_time)


def _stream_time(spec: Spec, place: Any, time: int) -> tuple[Any, ...]:
    if spec.clock == "global":
        return (None, time)
    if spec.clock == "partition":
        return (None if place is None else int(place.split(" ")[-1]), place, time)
    return (*place, time)


def found(project: DbtProject, name: str, spec: Spec) -> Tables:
    def micros(column: str) -> str:
        # of a wall clock, as if it were UTC, which the session's zone is
        return f"unix_micros(cast({column} as timestamp))"

    key = ", ".join(spec.key)
    values = [
        {"mean": "round(mean, 9)", "ids": "ids" if spec.ordered else "sort_array(ids)"}.get(n, n)
        for n in spec.aggregates
    ]
    beside = [micros(spec.time), *(["arrival"] if spec.ordered else [])]
    beside += ["part"] if spec.partition == "outside" else []
    number = "bigint(get_json_object(source_row, '$.id'))" if spec.keeps_ids else "null"
    scope = {
        "key": key,
        "partition": "int(element_at(split(part, ' '), -1)), part",
        "global": "null",
    }
    return {
        "windows": _lines(
            project,
            f"select {key}, {micros('window_start')}, {micros('window_end')}, {', '.join(values)} "
            f"from {name}",
        ),
        "dropped": _lines(
            project,
            f"select {key}, {', '.join(beside)}, {number}, reason, {micros('stream_time')} "
            f"from {name}__dropped",
        ),
        "stream_time": _lines(
            project,
            f"select {scope[spec.clock]}, {micros('stream_time')} from {name}__stream_time "
            "where stream_time is not null",
        ),
    }


def _lines(project: DbtProject, sql: str) -> Lines:
    return Counter(tuple(identity(value) for value in row) for row in project.rows(sql))


def differences(expected: Tables, found: Tables) -> dict[Any, list[str]]:
    """What should be there and is not, and the other way round, by case."""
    wrong: dict[Any, list[str]] = {}
    for table, lines in expected.items():
        for sign, more in (("missing", lines - found[table]), ("extra", found[table] - lines)):
            for line in more.elements():
                wrong.setdefault(line[0], []).append(f"{table}: {sign} {line}")
    return wrong


def undecided(task: Task) -> set[Any]:
    """The cases of which no rule says what is in their windows: see `SlidingAtOnce`."""
    return {key[0] for key in getattr(task.store, "undecided", ())}


def ledger(
    project: DbtProject, arrivals: dict[str, Arrivals], tasks: dict[str, Task]
) -> dict[str, list[str]]:
    """By model, the counts of its refreshes since the last build that do not add up."""
    names = ["rows_read", "rows_late", "rows_late_partial", "rows_null", "windows"]
    sums = {
        row.model: tuple(row)[1:]
        for row in project.rows(
            "select model, sum(rows_read), sum(rows_late), sum(rows_late_partial), sum(rows_null), "
            "sum(windows_inserted) - sum(windows_deleted) from event_windows_runs group by model"
        )
    }
    wrong = {}
    for name, of in arrivals.items():
        if undecided(tasks[name]):
            continue
        reasons = Counter(dropped.reason for dropped in tasks[name].dropped.dropped)
        late, partial = reasons.pop("late", 0), reasons.pop("late_partial", 0)
        read = sum(row.is_read for row in tasks[name].received)
        due: list[int | None] = [read, late, partial, sum(reasons.values())]
        if of.spec.expire == "keep":
            # final windows that HAVING does not let through are never published
            kept = _kept(of.spec, tasks[name])
            shown = [w for w in kept if of.spec.emit != "final" or of.spec.shows(_values(of, w))]
            due.append(len(shown))
        told = [
            f"ledger: {column} adds up to {is_}, should be {should}"
            for column, is_, should in zip(names, sums.get(name, [None] * 5), due, strict=False)
            if is_ != should
        ]
        if told:
            wrong[name] = told
    return wrong


def shown(batch: Sequence[tuple[Any, ...]]) -> str:
    """Rows of a source, one a line."""
    return "\n".join(f"    {row}" for row in batch) or "    nothing"
