"""What a rollup can be over: final windows, windows that leave, an analyst's own SELECT."""

from __future__ import annotations

import pytest

from tests.harness import DbtProject
from tests.rollups.chain import CLICKS, clicks, from_scratch, stored
from tests.session_models import at, session_model

SESSION = "event_windows.session(gap='30 minutes', grace='1 hour')"
MODELS = {
    "closed": session_model("clicks", SESSION, config={"emit": "final"}),
    "recent": session_model(
        "clicks", SESSION, config={"expire": "delete", "retention": "3 hours"}, stream_time="global"
    ),
    "plain": """
        {{ config(materialized='windowed', arrival_order='arrival_seq', grace='1 hour') }}
        select key as who, cast(count(*) as smallint) as clicks, session_window.start as began
        from {{ source('raw', 'clicks') }}
        group by key, session_window(event_time, '30 minutes')
        having count(*) > 1
    """,
    "due": """
        {{ config(materialized='windowed', arrival_order='arrival_seq', grace='unbounded') }}
        select key as who, window.start as began, window.end + cast('5' as interval day) as due,
            count(*) as clicks
        from {{ source('raw', 'clicks') }}
        group by key, window(event_time, '1 hour')
    """,
    "due_sessions": """
        {{ config(materialized='windowed', arrival_order='arrival_seq', grace='unbounded') }}
        select key as who, session_window.end as ended,
            session_window.end + cast('5 days' as interval) as due, count(*) as clicks
        from {{ source('raw', 'clicks') }}
        group by key, session_window(event_time, '30 minutes')
    """,
}
TEXTS = {
    "closed": "select key, count(*) as visits, sum(n) as clicks "
    "from {{ ref('closed') }} group by all",
    "recent": "select date_trunc('hour', window_start) as hour, sum(n) as clicks "
    "from {{ ref('recent') }} group by 1",
    "plain": "select who, date_trunc('hour', began) as hour, max(clicks) as most, count(*) as n "
    "from {{ ref('plain') }} as p group by p.who, hour",
    # no bound of the window, though it is written like one
    "due": "select date(due) as day, sum(clicks) as n from {{ ref('due') }} group by date(due)",
    "due_sessions": "select due, ended, clicks from {{ ref('due_sessions') }}",
}


@pytest.mark.slow
def test_each_kind_of_model(project: DbtProject) -> None:
    rows = [*clicks(5, 60), ("z", at(3000), 60, None), ("z", at(3000), 61, None)]
    project.create_source("clicks", rows[:25], CLICKS)
    for name, text in MODELS.items():
        project.model(name, text)
        project.model(f"of_{name}", "{{ config(materialized='rollup') }}" + TEXTS[name])
    for first, last in [(0, 25), (25, 60), (60, 62)]:
        if first:
            project.append("clicks", rows[first:last])
        project.run()
        for name, text in TEXTS.items():
            assert stored(project, f"of_{name}") == from_scratch(project, text), (name, last)
    assert len(stored(project, "of_closed")) > 3
    # all windows but the last have left, and their groups with them
    assert len(stored(project, "of_recent")) == 1
    assert len(stored(project, "of_plain")) > 3
