"""Every case, in the order of the table; a module for each concept."""

from benchmarks.case import Case
from benchmarks.cases import (
    duckdb_sessions,
    hopping,
    lateness,
    memory,
    refreshes,
    retractions,
    rollups,
    sessions,
    sliding,
    small_refreshes,
    ways,
)

CASES: tuple[Case, ...] = (
    *sessions.CASES,
    *hopping.CASES,
    *sliding.CASES,
    *refreshes.CASES,
    *small_refreshes.CASES,
    *retractions.CASES,
    *rollups.CASES,
    *ways.CASES,
    *lateness.CASES,
    *memory.CASES,
    *duckdb_sessions.CASES,
)
