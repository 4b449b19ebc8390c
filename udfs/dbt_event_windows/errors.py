"""What can go wrong, by name."""

from __future__ import annotations


class EventWindowsError(Exception):
    """Base of every error that this package raises."""


class FunctionInputError(EventWindowsError, ValueError):
    """The rows given to one of the functions break its contract."""


class UnsupportedPySparkError(EventWindowsError, RuntimeError):
    """The installed pyspark is too old for Arrow aggregate functions."""
