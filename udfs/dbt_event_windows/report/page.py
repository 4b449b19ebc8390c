"""A whole page, in one file that asks nothing of anybody."""

from __future__ import annotations

from collections.abc import Sequence

from dbt_event_windows.report import markup
from dbt_event_windows.report.style import STYLE

# Whatever got past the escapes would still not run and not fetch.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def page(title: str, about: str, sections: Sequence[tuple[str, str, str]]) -> str:
    """HTML of it; sections: (id, name in the contents, HTML)."""
    links = "".join(
        f'<a href="#{name}">{markup.text(heading)}</a>' for name, heading, _ in sections
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{markup.text(title)}</title><style>{STYLE}</style></head><body>"
        f'<header><h1>{markup.text(title)}</h1><p class="about">{markup.text(about)}</p>'
        f"<nav>{links}</nav></header><main>"
        + "".join(inside for _, _, inside in sections)
        + "</main></body></html>\n"
    )
