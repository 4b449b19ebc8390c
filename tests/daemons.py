"""Processes that serve tests until they are ended: servers, metastores, masters and workers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TIMEOUT = 600  # seconds after which a process is taken for stuck


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def java() -> str:
    """The Java that Spark starts."""
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home else "java"


@dataclass
class Daemon:
    """A process that leads a group of processes, and serves."""

    process: subprocess.Popen[bytes]
    log: Path
    ready: str  # what the log says when it is

    def wait(self) -> None:
        began = time.monotonic()
        while self.ready not in self.log.read_text():
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() - began < TIMEOUT, self.log.read_text()
            time.sleep(0.2)  # a log is a file, and nothing tells of a new line

    def end(self, received: signal.Signals) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, received)
        self.process.wait(TIMEOUT)


def start(log: Path, ready: str, command: Sequence[str], env: Mapping[str, str]) -> Daemon:
    """Start it in the folder of its log; `wait` for it before it is needed."""
    with log.open("wb") as written:
        process = subprocess.Popen(
            command,
            env=env,
            cwd=log.parent,
            stdout=written,
            stderr=written,
            start_new_session=True,
        )
    return Daemon(process, log, ready)


@contextmanager
def serving(
    log: Path, ready: str, command: Sequence[str], env: Mapping[str, str]
) -> Iterator[None]:
    """It serves inside this block."""
    daemon = start(log, ready, command, env)
    try:
        daemon.wait()
        yield
    finally:
        daemon.end(signal.SIGTERM)
