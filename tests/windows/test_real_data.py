"""Real data in two arrivals: shared/data/EXPECTED.md's figures of windows that are no sessions."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.harness import DbtProject
from tests.session_models import session_model


@dataclass(frozen=True)
class Data:
    """A file, a grace at which none of its rows is late, lengths in seconds, and the figures."""

    name: str
    grace: str
    size: int
    advance_by: int
    difference: int
    hopping: tuple[int, int, int]  # windows, sum of their counts, the largest count
    tumbling: tuple[int, int, int]
    trailing: tuple[int, int, int]  # rows, sum of the counts up to each, the largest


OF_AN_HOUR = (3600, 900, 1800)
ALL = [
    Data(
        *("sensors_ooo", "5 seconds", 60, 15, 30),
        hopping=(1_715, 187_200, 121),
        tumbling=(429, 46_800, 120),
        trailing=(46_800, 2_766_417, 61),
    ),
    Data(
        *("web_log", "1 minute", *OF_AN_HOUR),
        hopping=(94_017, 254_096, 231),
        tumbling=(23_544, 63_524, 222),
        trailing=(63_524, 480_317, 209),
    ),
    Data(
        *("web_downloads", "1 hour", *OF_AN_HOUR),
        hopping=(22_325, 321_724, 4_186),
        tumbling=(5_589, 80_431, 4_186),
        trailing=(80_431, 37_270_249, 4_186),
    ),
    Data(
        *("web_shop", "0 seconds", *OF_AN_HOUR),
        hopping=(80_378, 1_627_316, 543),
        tumbling=(20_091, 406_829, 543),
        trailing=(406_829, 20_623_147, 543),
    ),
    Data(
        *("sensors", "1 day", *OF_AN_HOUR),
        hopping=(127_309, 2_399_272, 209),
        tumbling=(31_434, 599_818, 202),
        trailing=(599_818, 9_963_898, 120),
    ),
]
IN_PLAIN_SQL = """
{{{{ config(materialized='windowed', grace='{0.grace}', arrival_order='arrival_seq') }}}}
select key, window.start as window_start, count(*) as n
from {{{{ source('raw', '{0.name}_halves') }}}}
group by key, window(event_time, '{0.size} seconds', '{0.advance_by} seconds')
"""


@pytest.mark.slow
@pytest.mark.parametrize("data", ALL, ids=lambda data: data.name)
def test_figures_of_the_whole_file(project: DbtProject, data: Data) -> None:
    rows = f"{data.name}_halves"
    grace, size = f"grace='{data.grace}'", f"size='{data.size} seconds'"
    windows = {
        "hopping": f"hopping({size}, advance_by='{data.advance_by} seconds', {grace})",
        "tumbling": f"tumbling({size}, {grace})",
        # a row is last in the window that ends with it
        "trailing": f"sliding(difference='{data.difference} seconds', {grace})",
    }
    for name, window in windows.items():
        project.model(f"{data.name}_{name}", session_model(rows, f"event_windows.{window}"))
    project.model(f"{data.name}_plain", IN_PLAIN_SQL.format(data))
    frame = project.real_data(data.name)
    half = frame.count() // 2
    project.create_source(rows, frame.where(f"arrival_seq < {half}"))
    models = [f"{data.name}_{name}" for name in [*windows, "plain"]]
    project.run(*models)
    project.append(rows, frame.where(f"arrival_seq >= {half}"))
    project.run(*models)

    for name, figures in {
        "hopping": data.hopping,
        "tumbling": data.tumbling,
        "plain": data.hopping,
    }.items():
        of_windows = (
            f"select count(*), sum(n), max(n) from {data.name}_{name} where key is not null"
        )
        assert tuple(project.rows(of_windows)[0]) == figures, name
    up_to_rows = (
        f"select count(*), sum(n), max(n) from {rows} as read "
        f"inner join {data.name}_trailing as last "
        "on read.key = last.key and read.event_time = last.window_end"
    )
    assert tuple(project.rows(up_to_rows)[0]) == data.trailing
    for name in models:
        why = project.rows(f"select distinct reason from {name}__dropped")
        assert {row.reason for row in why} <= {"null_key"}, name
