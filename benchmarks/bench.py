"""`make bench`: ours and the alternatives side by side, on the same generated rows.

Variables: ROWS, REPEATS, CASES, MEMORY_ROWS, OUT (see benchmarks/README.md). Ends with an error if
a case failed; an aim that was missed is a figure, not an error.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.case import Case, NotRunError
from benchmarks.cases import CASES
from benchmarks.equality import AnswersDifferError
from benchmarks.report import Report, Result, terminal_table
from benchmarks.settings import HOME, Settings, SettingsError, machine, shuffle_partitions
from benchmarks.timing import say
from benchmarks.workbench import Workbench
from tests.harness import FILE_FORMAT

LOG = HOME / "spark.log"


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder for this run alone, gone afterwards; what Spark says goes to LOG."""
    HOME.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="run_", dir=HOME))
    # The JVM inherits the file behind standard error; Python keeps the terminal.
    sys.stderr = os.fdopen(os.dup(2), "w")
    with LOG.open("w") as log:
        os.dup2(log.fileno(), 2)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_case(bench: Workbench, case: Case, facts: dict[str, Any]) -> Result:
    """The result of a case; whatever goes wrong in it is its result, not the end of the run."""
    result = Result.of(case, "ok", taken=datetime.now(UTC).isoformat(timespec="seconds"), **facts)
    try:
        result.measured(case, case.measure(bench))
    except NotRunError as reason:
        result.status, result.message = "not run", str(reason)
    except Exception as error:
        result.status, result.message = "failed", f"{type(error).__name__}: {error}"[:2000]
        result.equal = False if isinstance(error, AnswersDifferError) else None
        with LOG.open("a") as log:
            traceback.print_exc(file=log)
    return result


def measure(settings: Settings, folder: Path, results: list[Result]) -> None:
    """Run the chosen cases, one after the other, and write down each result at once."""
    chosen = [case for case in CASES if not settings.cases or case.name in settings.cases]
    report = Report(settings.out, CASES)
    say(f"Starting Spark; {len(chosen)} cases with {settings.rows:,} rows on {FILE_FORMAT}")
    bench = Workbench(settings, folder)
    jvm: Any = bench.spark.sparkContext._jvm
    described = machine(bench.spark.version, jvm.System.getProperty("java.version"))
    described += f", {shuffle_partitions(settings.rows)} shuffle partitions"
    facts = {"machine": described, "repeats": settings.repeats}
    try:
        for number, case in enumerate(chosen, 1):
            say(f"[{number}/{len(chosen)}] {case.name}: {case.what}, against {case.peer or 'none'}")
            result = run_case(bench, case, facts)
            results.append(result)
            report.add(result)
            if result.status != "ok":
                say(f"    {result.status}: {result.message}")
    finally:
        # a session that a case has killed must not hide what the others measured
        with suppress(Exception):
            bench.spark.stop()


def ending(results: Sequence[Result], settings: Settings, started: float) -> int:
    """Print the table; the exit status."""
    say("")
    say(terminal_table(results))
    failed = [result.name for result in results if result.status == "failed"]
    missed = [result.name for result in results if result.met is False]
    say("")
    say(f"Done in {time.monotonic() - started:.0f} s; figures are in {settings.out}")
    if missed:
        say(f"Aims not reached: {', '.join(missed)}")
    if failed:
        say(f"FAILED: {', '.join(failed)}; what Spark said is in {LOG}")
    return 1 if failed else 0


def main() -> int:
    try:
        settings = Settings.read(os.environ, [case.name for case in CASES])
    except SettingsError as error:
        say(f"The benchmarks stopped: {error}")
        return 2
    started = time.monotonic()
    results: list[Result] = []
    try:
        with scratch() as folder:
            measure(settings, folder, results)
    except KeyboardInterrupt:
        ending(results, settings, started)
        say("Stopped before the end.")
        return 130
    return ending(results, settings, started)


if __name__ == "__main__":
    sys.exit(main())
