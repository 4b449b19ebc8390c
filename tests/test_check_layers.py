"""The check of layers finds each fault in a small tree of macros or modules, and nothing else."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.test_checks import load

layers = load("check_layers")

# Files that call downwards, past every construct that the check reads.
SOUND = {
    "windowed.sql": "{% macro windowed() %}{{ adapter.dispatch('windowed', 'event_windows')() }}"
    "{% endmacro %}{% macro default__windowed() %}{{ event_windows._refresh() }}{% endmacro %}",
    "generic_tests/unique.sql": "{% test unique(model) %}{{ event_windows._literal(1) }}"
    "{% endtest %}",
    "run/_refresh.sql": "{# event_windows.windowed() calls this #}{% macro _refresh() %}"
    "{{ event_windows._of_window('slice') }} {{ _literal('event_windows.windowed()') }}"
    "{% set delta = 1 %}{% endmacro %}",
    "windows/_type.sql": "{% macro _of_window(hook) %}{{ context[hook]() }}{% endmacro %}",
    "windows/session.sql": "{% macro session() %}{{ event_windows._session_slice('session') }}"
    "{% endmacro %}",
    "windows/_session/_hooks.sql": "{% macro _session_slice() %}{{ _literal(1) }}{% endmacro %}",
    "formats/_format.sql": "{% macro _formats() %}{{ ['delta'] }}{% endmacro %}",
    "formats/delta/_tables.sql": "{% macro _delta_create() %}using delta{% endmacro %}",
    "sql/_literal.sql": "{% macro _literal(text) %}{{ text }}{% endmacro %}",
}


def test_the_documented_layers_are_those_that_are_checked() -> None:
    page = (layers.ROOT / "docs" / "architecture.md").read_text()
    drawn = page.partition("<!-- layers: begin -->")[2].partition("<!-- layers: end -->")[0]
    assert drawn.split("```")[1].splitlines()[1:] == [", ".join(layer) for layer in layers.LAYERS]


def test_each_file_of_macros_has_its_place_in_the_rooms() -> None:
    page = (layers.ROOT / "docs" / "architecture.md").read_text()
    rooms = page.partition("\n## Rooms\n")[2].partition("\n## Layers\n")[0]
    patterns = set(re.findall(r"[\w*]+", rooms))
    stems = {path.stem for path in (layers.ROOT / "macros").rglob("*.sql")}
    assert {s for s in stems if not any(fnmatch(s, p) for p in patterns)} == set()


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def macro(name: str, body: str) -> str:
    return f"{{% macro {name}() %}}{body}{{% endmacro %}}"


def test_calls_downwards_pass(tmp_path: Path) -> None:
    assert layers.check_macros(written(tmp_path, SOUND)) == []


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        (
            "sql/_up.sql",
            macro("_up", "{{ event_windows._refresh() }}"),
            "sql/_up.sql: calls _refresh in run/_refresh.sql, and run is not below sql",
        ),
        (
            "checks/_beside.sql",
            macro("_beside", "{{ event_windows._literal(1) }}"),
            "checks/_beside.sql: calls _literal in sql/_literal.sql, and sql is not below checks",
        ),
        (
            "run/_behind.sql",
            macro("_behind", "{{ event_windows._session_slice() }}"),
            "run/_behind.sql: calls _session_slice in windows/_session/_hooks.sql, "
            "behind the interface of windows",
        ),
        (
            "run/_constructs.sql",
            macro("_constructs", "{{ event_windows.session() }}"),
            "run/_constructs.sql: calls session in windows/session.sql, "
            "behind the interface of windows",
        ),
        (
            "attic/_old.sql",
            macro("_old", ""),
            "attic/: is in no layer, see LAYERS in check_layers.py",
        ),
        (
            "run/_asks.sql",
            macro("_asks", "\n{% if window.type == 'session' %}{% endif %}"),
            "run/_asks.sql:2: knows window type 'session' by name: ask a hook or a trait",
        ),
        (
            "run/_writes.sql",
            macro("_writes", "\nusing Delta"),
            "run/_writes.sql:1: knows format 'Delta' by name: ask a hook",
        ),
    ],
)
def test_faults_are_named(tmp_path: Path, file: str, text: str, complaint: str) -> None:
    assert layers.check_macros(written(tmp_path, SOUND | {file: text})) == [complaint]


def test_a_circle_within_a_folder_is_drawn(tmp_path: Path) -> None:
    files = {
        "sql/_a.sql": macro("_a", "{{ event_windows._b() }}"),
        "sql/_b.sql": macro("_b", "{{ event_windows._c() }}"),
        "sql/_c.sql": macro("_c", "{{ event_windows._a() }}"),
    }
    (circle,) = layers.check_macros(written(tmp_path, files))
    assert circle.startswith("circle: ")
    steps = ["sql/_b.sql (_b)", "sql/_c.sql (_c)", "sql/_a.sql (_a)"]
    assert all(step in circle for step in steps)


def test_a_macro_that_calls_its_own_file_is_no_circle(tmp_path: Path) -> None:
    text = macro("_a", "{{ event_windows._b() }}") + macro("_b", "{{ event_windows._a() }}")
    assert layers.check_macros(written(tmp_path, {"sql/_a.sql": text})) == []


def test_modules_are_drawn_above_what_they_import(tmp_path: Path) -> None:
    package = written(
        tmp_path / "p",
        {
            "__init__.py": "from p.top import Top",
            "top.py": "from p import low\nfrom p.inner.middle import thing",
            "inner/__init__.py": "",
            "inner/middle.py": "def f():\n    import p.low",
            "low.py": "import sys",
        },
    )
    assert layers.check_modules(package) == []
    assert layers.module_layers(layers.imports(package)) == [
        ["__init__"],
        ["top"],
        ["inner/middle"],
        ["inner", "low"],
    ]


def test_modules_in_a_circle_are_named(tmp_path: Path) -> None:
    files = {"__init__.py": "", "a.py": "from p.b import x", "b.py": "from p import a"}
    (circle,) = layers.check_modules(written(tmp_path / "p", files))
    assert "b (b)" in circle
    assert "a (a)" in circle
