"""The checks of `make lint` that are this repository's own find what they are there to find."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


versions = load("check_versions")
macro_docs = load("check_macro_docs")
columns = load("check_columns")

MACRO = "{# Hops. #}\n{% macro hop(size, by=('a', 1), origin='x, (y') -%} {% endmacro %}"
DOCUMENTED = """
macros:
  - name: hop
    description: Hops.
    arguments:
      - {name: size, type: string, description: How long.}
      - {name: by, type: string, description: How far.}
      - {name: origin, type: string, description: From where.}
"""


def repository(folder: Path, dbt: str, readme: str) -> Path:
    (folder / "pyproject.toml").write_text('[project]\nname = "x"\nversion = "1.2.0"\n')
    (folder / "dbt_project.yml").write_text(f"name: x\nversion: {dbt}\nconfig-version: 2\n")
    (folder / "README.md").write_text(readme)
    return folder


def test_equal_versions_pass(tmp_path: Path) -> None:
    readme = 'pip install "dbt-event-windows==1.2.0"\nrevision: 1.2.0\npyspark==4.1.4\n'
    assert versions.check(repository(tmp_path, "1.2.0", readme)) == []


def test_unequal_versions_are_named_and_mended(tmp_path: Path) -> None:
    root = repository(tmp_path, '"1.1.0"', "    revision: v1.0.0\n")
    assert versions.check(root, write=True) == [
        "dbt_project.yml: 1.1.0, pyproject.toml has 1.2.0",
        "README.md: 1.0.0, pyproject.toml has 1.2.0",
    ]
    assert versions.check(root) == []
    assert (root / "README.md").read_text() == "    revision: v1.2.0\n"


def described(folder: Path, macro: str, yml: str) -> list[str]:
    (folder / "m.sql").write_text(macro)
    (folder / "m.yml").write_text(yml)
    return [line.rpartition("m.yml: ")[2] for line in macro_docs.check(folder)]


def test_a_described_macro_passes(tmp_path: Path) -> None:
    assert described(tmp_path, MACRO, DOCUMENTED) == []


def test_private_macros_bodies_and_comments_need_no_entry(tmp_path: Path) -> None:
    macro = "{% macro _a(x) %}{% macro spark__hop(x) %}{# {% macro old(x) %} #}"
    assert described(tmp_path, macro, "macros: []") == []


@pytest.mark.parametrize(
    ("macro", "yml", "complaint"),
    [
        (MACRO, "version: 2", "hop has no entry"),
        ("{# Alone. #}\n{% test lonely(model) %}", "version: 2", "test_lonely has no entry"),
        (MACRO.replace("size, ", ""), DOCUMENTED, "hop takes ['by', 'origin'], the yml says"),
        (MACRO, DOCUMENTED.replace("description: Hops.", "docs: {}"), "hop has no description"),
        (MACRO, DOCUMENTED.replace("How far.", "''"), "hop.by has no description"),
        ("", DOCUMENTED, "hop is described, but there is no such"),
        (MACRO.partition("\n")[2], DOCUMENTED, "hop has no comment above it"),
        (MACRO.replace("\n", "\n\n"), DOCUMENTED, "hop has no comment above it"),
    ],
)
def test_gaps_are_named(tmp_path: Path, macro: str, yml: str, complaint: str) -> None:
    (line,) = described(tmp_path, macro, yml)
    assert complaint in line


def test_long_lines_are_named_but_for_rows_of_tables(tmp_path: Path) -> None:
    (tmp_path / "macros" / "sql").mkdir(parents=True)
    (tmp_path / "macros" / "sql" / "_a.sql").write_text("x" * 120 + "\n" + "y" * 121 + "\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "b.md").write_text("| " + "z" * 200 + " |\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "c.sql").write_text("x" * 200)
    assert columns.check(tmp_path) == ["macros/sql/_a.sql:2: 121 columns, 120 are allowed"]
