"""The plain merge model in a warm process of its own, on Delta, beside a session on Iceberg.

One session has one default catalogue, so it cannot have tables of both formats under plain names.
The process takes a word a line: `arrive`, then `run`; it answers `done` on a line of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.case import NotRunError
from benchmarks.settings import HOME, Settings
from benchmarks.workbench import Workbench

DONE = "done"
FORMAT = "delta"


class Elsewhere:
    """The other process, seen from here."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def arrive(self) -> None:
        self._ask("arrive")

    def run(self) -> None:
        self._ask("run")

    def _ask(self, word: str) -> None:
        assert self._process.stdin
        print(word, file=self._process.stdin, flush=True)
        self.wait()

    def wait(self) -> None:
        """Until it says that it is done; what else it says is of no interest."""
        assert self._process.stdout
        for line in self._process.stdout:
            if line.strip() == DONE:
                return
        raise RuntimeError("the process with the other format has ended")


@contextmanager
def elsewhere(rows: int) -> Iterator[Elsewhere]:
    """The other process, with the history that ours has and a first build of its model."""
    command = [sys.executable, "-m", "benchmarks.elsewhere", str(rows)]
    environment = os.environ | {"EVENT_WINDOWS_TEST_FORMAT": FORMAT}
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        other = Elsewhere(process)
        other.wait()
        yield other
    finally:
        assert process.stdin
        process.stdin.close()
        process.wait()


def main(rows: int) -> None:
    from benchmarks.cases.small_refreshes import SOURCE, plain, small

    with tempfile.TemporaryDirectory(dir=HOME) as folder:
        settings = Settings(rows, 1, (), None, Path(folder))
        bench = Workbench(settings, Path(folder))
        with bench.project("elsewhere") as project:
            arrivals = small(bench, project)
            project.model("plain", plain(f"{{{{ {SOURCE} }}}}"))
            project.run("plain")
            print(DONE, flush=True)
            for line in sys.stdin:
                if line.strip() == "arrive":
                    arrivals.arrive()
                else:
                    project.run("plain")
                print(DONE, flush=True)
        bench.spark.stop()


def needs_the_other_format(own: str) -> None:
    """
    Raises:
        NotRunError: there is nothing to compare with.
    """
    if own == FORMAT:
        raise NotRunError("it compares Iceberg with Delta: FORMAT=iceberg")


if __name__ == "__main__":
    main(int(sys.argv[1]))
