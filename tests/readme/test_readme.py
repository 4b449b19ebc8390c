"""The README's examples: its models over its rows give the tables that it shows.

Fenced blocks say what they are: ```csv rows=<name>, ```sql model=<name>, ```csv result=<name>.
"""

from __future__ import annotations

import csv
import re
from typing import Any

import pytest

from tests.harness import REPOSITORY, DbtProject

README = (REPOSITORY / "README.md").read_text()
Table = tuple[list[str], list[tuple[str, ...]]]


def blocks(kind: str) -> dict[str, str]:
    """Texts of the blocks of a kind, by name."""
    found = re.findall(rf"^```(?:csv|sql) {kind}=(\w+)\n(.*?)^```$", README, re.DOTALL | re.M)
    assert len(dict(found)) == len(found), f"two blocks with {kind} have one name"
    return dict(found)


ROWS, MODELS, RESULTS = blocks("rows"), blocks("model"), blocks("result")


def table(text: str) -> Table:
    """Header and rows of a block, sorted."""
    header, *rows = csv.reader(text.splitlines())
    return header, sorted(tuple(row) for row in rows)


def held(project: DbtProject, sql: str) -> Table:
    """Columns and rows of a query, as the README writes them."""
    frame = project.spark.sql(sql)
    texts = frame.selectExpr(
        *[f"cast(`{column}` as string) as `{column}`" for column in frame.columns]
    )
    return frame.columns, sorted(tuple(row) for row in texts.collect())


@pytest.fixture(scope="module")
def built(project: DbtProject, tmp_path_factory: pytest.TempPathFactory) -> DbtProject:
    """A project with the README's models, after one run over all of its rows."""
    folder = tmp_path_factory.mktemp("rows")
    for name, text in ROWS.items():
        path = folder / f"{name}.csv"
        path.write_text(text)
        rows = project.spark.read.csv(str(path), header=True, inferSchema=True)
        project.create_source(f"{name}_rows", rows)
        select = f"select * from {{{{ source('raw', '{name}_rows') }}}}"
        project.model(name, "{{ config(materialized='view') }}\n" + select)
    for name, text in MODELS.items():
        project.model(name, text)
    project.run()
    project.spark.catalog.setCurrentDatabase(project.schema)
    return project


def test_the_readme_has_examples() -> None:
    assert ROWS
    assert MODELS
    assert {name.removesuffix("__dropped") for name in RESULTS} == set(MODELS)


@pytest.mark.parametrize("name", [name for name in RESULTS if not name.endswith("__dropped")])
def test_a_model_gives_its_result(built: DbtProject, name: str) -> None:
    columns = [c for c in built.spark.table(name).columns if not c.startswith("_ew_")]
    listed = ", ".join(columns)
    assert held(built, f"select {listed} from {name}") == table(RESULTS[name])


@pytest.mark.parametrize("name", [name for name in RESULTS if name.endswith("__dropped")])
def test_a_dropped_row_is_shown_as_it_is(built: DbtProject, name: str) -> None:
    expected = table(RESULTS[name])
    assert held(built, f"select {', '.join(expected[0])} from {name}") == expected


def is_plain(text: str) -> bool:
    return "event_windows." not in text


@pytest.mark.parametrize("name", [name for name, text in MODELS.items() if is_plain(text)])
def test_spark_gives_the_same_for_plain_sql(built: DbtProject, name: str) -> None:
    """Over the rows that are not late: those of the dropped table of the same model."""
    text = re.sub(r"\{\{ config\(.*?\) \}\}", "", MODELS[name])
    late = f"select arrival_seq from {name}__dropped"

    def in_time(reference: Any) -> str:
        return f"(select * from {reference.group(1)} where arrival_seq not in ({late}))"

    own = re.sub(r"\{\{ ref\('(\w+)'\) \}\}", in_time, text)
    assert held(built, own) == table(RESULTS[name])
