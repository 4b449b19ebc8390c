"""The parts of a page, each from what was read of one answer to HTML."""

from __future__ import annotations
