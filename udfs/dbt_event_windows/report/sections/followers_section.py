"""Rollups that follow the model."""

from __future__ import annotations

from collections.abc import Sequence

from dbt_event_windows.report import markup
from dbt_event_windows.report.followers import Follower
from dbt_event_windows.report.times import instant

TITLE = "What follows it"


def followers_section(followers: Sequence[Follower]) -> str:
    """HTML of it."""
    if not followers:
        return markup.section(
            "followers", TITLE, markup.paragraph("No rollup of this model was run.")
        )
    rows: list[markup.Row] = [
        [
            one.model,
            one.behind,
            instant(one.followed),
            f"its next run builds it anew: {one.why}" if one.why else None,
        ]
        for one in followers
    ]
    behind = [place for place, one in enumerate(followers) if one.behind != 0]
    words = (
        "Rollups over this model, and over these. Behind are rows above that have come or gone "
        "since the version that the rollup has followed."
    )
    head = ["rollup", "rows behind", "last run that changed it, UTC", "note"]
    inside = markup.paragraph(words) + markup.table(head, rows, behind)
    return markup.section("followers", TITLE, inside)
