"""What can go wrong while a report is made."""

from __future__ import annotations

from dbt_event_windows.errors import EventWindowsError


class ReportError(EventWindowsError):
    """A report cannot be made as it was asked for."""


class AskError(ReportError):
    """dbt could not answer a question; the text is what dbt said."""
