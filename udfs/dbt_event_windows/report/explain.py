"""Why a row is, or is not, counted: in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dbt_event_windows.report.asking import Answer
from dbt_event_windows.report.markup import printable
from dbt_event_windows.report.model_facts import ModelFacts
from dbt_event_windows.report.questions import EXAMPLES
from dbt_event_windows.report.rows import NOT_SHOWN, SourceRow, Window, read_row, read_window
from dbt_event_windows.report.times import duration, exact, instant
from dbt_event_windows.report.words import many

MOST = 10  # windows that are listed of one row


@dataclass(frozen=True)
class Explained:
    """A row with its windows.

    fixed: those that stand at its time whatever other rows there are; none of a type without such
    windows. held: windows of its key that hold its time now.
    """

    row: SourceRow
    fixed: tuple[Window, ...] | None
    held: tuple[Window, ...]


def read_explained(answer: Answer) -> list[Explained]:
    """From the answer to `explained`."""
    found = []
    for line in answer.all("row"):
        fixed = line.get("fixed")
        found.append(
            Explained(
                row=read_row(line),
                fixed=None if fixed is None else tuple(map(read_window, fixed)),
                held=tuple(map(read_window, line.get("held") or [])),
            )
        )
    return found


def explain(facts: ModelFacts, explained: Sequence[Explained], asked: Mapping[str, str]) -> str:
    """The sentences, a paragraph a row; times are event times."""
    wanted = printable(" and ".join(f"{name}={value}" for name, value in asked.items()))
    if not explained:
        missing = "it has not arrived" if facts.arrival_order else "no refresh has read it yet"
        return (
            f"The relation of {facts.name} has no row with {wanted}. A filter of the model may "
            f"leave it out, or {missing}."
        )
    told = [" ".join(_Sentences(facts, one).all()) for one in explained[:EXAMPLES]]
    if len(explained) > EXAMPLES:
        told.append(
            f"There are more rows with {wanted}: these are the first {EXAMPLES}. Give --explain "
            "once more, with another column, to see others."
        )
    return "\n\n".join(told)


def row_name(facts: ModelFacts, row: SourceRow) -> str:
    """What a row is called: `row 178 (user_id=ada)`."""
    values = ("null" if value is None else value for value in row.key)
    key = ", ".join(f"{name}={value}" for name, value in zip(facts.key, values, strict=False))
    number = "" if row.arrival is None else f" {row.arrival}"
    partition = f" of partition {row.partition}" if row.partition is not None else ""
    return printable(f"Row{number}{partition} ({key or 'all rows'})")


_UNCOUNTED = {
    "null_key": "has a null in its key, so that no window can count it",
    "null_event_time": "has no event time, so that no window can count it",
    "before_origin": "lies before the origin of the windows, or before the year 1",
    "ahead_of_time": "lies further ahead of its arrival than max_ahead, or after the year 9999",
    "off_resolution": "has a time that is no multiple of the resolution",
}


class _Sentences:
    def __init__(self, facts: ModelFacts, explained: Explained) -> None:
        self.facts, self.explained, self.row = facts, explained, explained.row

    def all(self) -> list[str]:
        name = row_name(self.facts, self.row)
        if self.row.reason in _UNCOUNTED:
            return [f"{name} is not counted ({self.row.reason}): it {_UNCOUNTED[self.row.reason]}."]
        if not self.row.is_read(self.facts.through):
            return [
                self._came(name),
                "No refresh has read it yet"
                + (f": the last number read is {self._read_to()}." if self._read_to() else "."),
            ]
        if self.row.reason == "late":
            return [self._came(name), "It is not counted (late).", *self._missed(), self._grace()]
        if self.row.reason == "late_partial":
            return [
                self._came(name),
                self._counts_in_part(self._still_open()),
                "It misses others (late_partial).",
                *self._missed(),
                self._grace(),
            ]
        return [self._came(name), self._counts_in(self.explained.held)]

    def _read_to(self) -> str:
        number = self.facts.through.get(self.row.partition)
        return "" if number is None else str(number)

    def _came(self, name: str) -> str:
        time, clock = self.row.time or 0, self.row.clock
        text = f"{name} has the event time {self._time(time)}"
        if clock is None:
            return text + "."
        late = f"{duration(clock - time)} behind" if clock > time else "not behind"
        return f"{text} and arrived at stream time {self._time(clock)}: {late}."

    def _counts_in(self, windows: Sequence[Window]) -> str:
        if not windows:
            if self.facts.hidden:
                return (
                    "No window that is kept holds it now, and published windows cannot be looked "
                    f"for, since the model does not show {', '.join(self.facts.hidden)}."
                )
            filtered = self.facts.having and self.facts.emit == "final"
            not_met = "was not published since it does not meet HAVING, " * filtered
            return (
                f"No window holds it now: its window {not_met}has left the table, or the row was "
                "read by no refresh of it."
            )
        return f"It counts in {many(len(windows), 'window')}: {self._listed(windows)}."

    def _counts_in_part(self, windows: Sequence[Window]) -> str:
        """Of sliding windows rows make some of their own, a late row not all (KIP-450)."""
        if self.facts.window != "sliding" or not windows:
            return self._counts_in(windows)
        if len(windows) == 1:
            return f"It counts in 1 window that holds its time: {self._listed(windows)}."
        return (
            f"It counts in at least one of {len(windows)} windows that hold its time and had not "
            f"closed when it came: {self._listed(windows)}. In which is not known: those that "
            "later rows made may be without it."
        )

    def _listed(self, windows: Sequence[Window]) -> str:
        listed = "; ".join(self._window(window) for window in windows[:MOST])
        return listed + (f"; and {len(windows) - MOST} more" if len(windows) > MOST else "")

    def _missed(self) -> list[str]:
        clock, grace = self.row.clock, self.facts.grace
        if clock is None or grace is None:
            return []
        closed = [w for w in self.explained.fixed or () if self._closes(w) <= clock]
        if closed:
            told = [
                f"The window {self._window(window)} had closed at stream time "
                f"{self._time(self._closes(window))} (its end + grace {exact(grace)}), "
                f"{duration(clock - self._closes(window))} before the row came."
                for window in closed[:MOST]
            ]
            more = len(closed) - MOST
            return told + ([f"So had {more} more."] if more > 0 else [])
        if self.row.needed is None:
            return []
        if self.facts.window == "session" and self.facts.gap is None:
            # each row has a gap of its own, which the dropped row does not tell
            return [
                "A session of this row alone had closed before the row came: at its end + the gap "
                f"of the row + grace {exact(grace)}."
            ]
        closed_at = clock - self.row.needed + grace
        gap = f" + gap {exact(self.facts.gap)}" if self.facts.gap else ""
        what = "A session of this row alone" if self.facts.window == "session" else "Its window"
        return [
            f"{what} had closed after stream time {self._time(closed_at)} "
            f"(its end{gap} + grace {exact(grace)}), {duration(clock - closed_at)} before the row "
            "came."
        ]

    def _closes(self, window: Window) -> int:
        return window.end + (self.facts.grace or 0)

    def _still_open(self) -> list[Window]:
        """Of windows that hold the row's time those that were open when it came."""
        clock, grace = self.row.clock, self.facts.grace
        if clock is None or grace is None:
            return list(self.explained.held)
        least = 1 if self.facts.exclusive_end else 0
        return [w for w in self.explained.held if w.end - least >= clock - grace]

    def _grace(self) -> str:
        if self.row.needed is None:
            return "Which grace would have taken it is not known."
        needed, fixed = self.row.needed, self.explained.fixed or ()
        if self.row.reason == "late" and len(fixed) > 1 and self.row.clock is not None:
            # the window that ends last is open one microsecond before it closes
            one = self.row.clock - max(window.end for window in fixed) + 1
            return (
                f"A grace of {exact(one)} would have taken it into one of its windows, "
                f"{exact(needed)} into all."
            )
        taken = "counted it in full" if self.row.reason == "late_partial" else "taken it"
        return f"A grace of {exact(needed)} would have {taken}."

    def _window(self, window: Window) -> str:
        about = [] if window.rows is None else [many(window.rows, "row")]
        about += [] if window.shown else [NOT_SHOWN]
        told = f" ({'; '.join(about)})" if about else ""
        return f"{self._time(window.start)} to {self._time(window.end)}{told}"

    def _time(self, micros: int) -> str:
        return f"{instant(micros)} {self.facts.zone}".rstrip()
