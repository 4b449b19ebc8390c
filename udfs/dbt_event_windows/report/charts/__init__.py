"""Pictures as SVG text, drawn with matplotlib and coloured by CSS variables."""

from __future__ import annotations
