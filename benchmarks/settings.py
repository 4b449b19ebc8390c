"""What a run of the benchmarks is told by environment variables, and what it tells Spark."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.harness import FILE_FORMAT, session_settings

HERE = Path(__file__).resolve().parent
HOME = HERE.parent / ".spark" / "bench"
FORMATS = ("iceberg", "delta")
LEAST_ROWS = 10_000
MASTER = "local[2]"
DRIVER_MEMORY = "4g"


class SettingsError(Exception):
    """A variable that the benchmarks cannot work with."""


@dataclass(frozen=True)
class Settings:
    """One run: how many rows, how often, which cases (none: all), where the figures go."""

    rows: int
    repeats: int
    cases: tuple[str, ...]
    memory_rows: int | None
    out: Path

    @classmethod
    def read(cls, given: Mapping[str, str], names: list[str]) -> Settings:
        """Settings from `given` variables; `names` are those of all cases.

        Raises:
            SettingsError: a value that is not allowed; one message for all of them.
        """
        problems: list[str] = []
        cases = tuple(given.get("CASES", "").replace(",", " ").split())
        unknown = [case for case in cases if case not in names]
        if unknown:
            problems.append(f"CASES has {', '.join(unknown)}: allowed are {', '.join(names)}")
        if FILE_FORMAT not in FORMATS:
            problems.append(f"FORMAT is '{FILE_FORMAT}': allowed are {', '.join(FORMATS)}")
        settings = cls(
            rows=_number(given, "ROWS", 2_000_000, LEAST_ROWS, problems),
            repeats=_number(given, "REPEATS", 3, 1, problems),
            cases=cases,
            memory_rows=_number(given, "MEMORY_ROWS", 0, LEAST_ROWS, problems) or None,
            out=Path(given.get("OUT") or HERE).expanduser().absolute(),
        )
        if problems:
            raise SettingsError("\n".join(problems))
        return settings


def _number(
    given: Mapping[str, str], name: str, default: int, least: int, problems: list[str]
) -> int:
    text = given.get(name, "").replace("_", "").replace(",", "")
    if not text:
        return default
    if text.isdecimal() and int(text) >= least:
        return int(text)
    problems.append(f"{name} is '{given[name]}': give a whole number, {least:,} or more")
    return default


def shuffle_partitions(rows: int) -> int:
    """One for a quarter of a million rows, at least one a core, at most Spark's own 200."""
    return min(200, max(2, rows // 250_000))


def spark_settings(folder: Path, rows: int) -> dict[str, str]:
    """The settings of profiles.example.yml, less those that only make small data start sooner."""
    settings = session_settings(folder)
    settings["spark.master"] = MASTER
    settings["spark.driver.memory"] = DRIVER_MEMORY
    settings["spark.sql.shuffle.partitions"] = str(shuffle_partitions(rows))
    # The JVM chooses compiler and collector, as in production.
    settings["spark.driver.extraJavaOptions"] = (
        f'-Duser.timezone=UTC "-Dderby.system.home={folder}"'
    )
    # dbt-spark turns ANSI off for each statement; the peers' statements must not differ.
    settings["spark.sql.ansi.enabled"] = "false"
    # Rows read are taken from the stages that the session remembers.
    settings["spark.ui.retainedStages"] = "10000"
    return settings


def machine(spark_version: str, java_version: str) -> str:
    """The machine in one line, for the figures."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    model = "unknown processor"
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return (
        f"{os.cpu_count()} cores ({model}), {memory:.0f} GB; Spark {spark_version} {MASTER} with "
        f"{DRIVER_MEMORY} of driver memory, Java {java_version}"
    )
