"""The check of macro calls finds each that does not fit a signature, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_checks import load

macro_calls = load("check_macro_calls")

MACROS = {
    "windowed.sql": "{% macro windowed(key, grace=none) %}"
    "{{ adapter.dispatch('windowed', 'event_windows')(key, grace=grace, more=[varargs]) }}"
    "{% endmacro %}{% macro default__windowed(key, grace, more) %}{% endmacro %}",
    "run/_row.sql": "{# event_windows._row() lacks all #}"
    "{% macro _row(run, sql, full=false) %}{{ return(run_query(sql)) }}{% endmacro %}",
    "run/_all.sql": "{% macro _all(first) %}{{ varargs }}{{ kwargs }}{% endmacro %}",
    "run/_refresh.sql": "{% materialization windowed, adapter='spark' %}"
    "{{ event_windows._row(1, 'select', full=true) }}{{ event_windows._row(sql='', run=1) }}"
    "{{ event_windows._all(1, 2, last=3) }}{{ event_windows._row(*given) }}"
    "{{ event_windows._of_format('a', 'merge', 't', source='s') }}"
    "{{ event_windows._of_window('slice', 1) }}{% endmaterialization %}",
    "generic_tests/unique.sql": "{% test unique(model, key) %}"
    "{{ event_windows._row(1, key) }}{% endtest %}",
    "formats/_format.sql": "{% macro _of_format(format, hook) %}"
    "{{ varargs, kwargs }}{% endmacro %}",
    "formats/a/_a.sql": "{% macro _a_merge(relation, source) %}{% endmacro %}",
    "formats/b/_b.sql": "{% macro _b_merge(relation, source, way=none) %}{% endmacro %}",
    "windows/_type.sql": "{% macro _of_window(hook, spec) %}{{ varargs, kwargs }}{% endmacro %}",
    "windows/_session/_hooks.sql": "{% macro _session_slice(spec) %}{% endmacro %}",
}


def checked(folder: Path, call: str = "") -> list[str]:
    call_alone = f"{{% macro _calls(run, sql) %}}\n{{{{ {call or 1} }}}}{{% endmacro %}}"
    for name, text in (MACROS | {"run/_calls.sql": call_alone}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return list(macro_calls.check(folder))


def test_calls_that_fit_pass(tmp_path: Path) -> None:
    assert checked(tmp_path) == []


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("event_windows._row(run)", "_row lacks sql"),
        ("event_windows._row(full=true)", "_row lacks run, sql"),
        ("event_windows._row(run, sql, true, 4)", "_row takes 3 arguments and gets 4"),
        ("event_windows._row(run, sql, ful=true)", "_row takes no ful"),
        ("event_windows._row(run, sql, run=1)", "_row gets run twice"),
        ("_row(run)", "_row lacks sql"),
        ("[1] | map('abs') | list + [event_windows._row(run)]", "_row lacks sql"),
        ("event_windows._gone(run)", "there is no macro _gone"),
        ("event_windows.windowed()", "windowed lacks key"),
        (
            "adapter.dispatch('windowed', 'event_windows')(1, 2)",
            "default__windowed lacks more",
        ),
        (
            "adapter.dispatch('gone', 'event_windows')()",
            "there is no macro default__gone",
        ),
        ("event_windows._of_format('b', 'merge', 1, 2, way=3)", "_a_merge takes no way"),
        (
            "event_windows._of_format('b', 'gone', 1)",
            "there is no macro _<of formats>_gone",
        ),
        (
            "event_windows._of_window('slice', 1, 2)",
            "_session_slice takes 1 arguments and gets 2",
        ),
        ("event_windows._of_window('slice')", "_session_slice lacks spec"),
    ],
)
def test_a_call_that_does_not_fit_is_named(tmp_path: Path, call: str, problem: str) -> None:
    assert checked(tmp_path, call) == [f"run/_calls.sql:2: {problem}"]


def test_what_is_in_no_macro_is_named(tmp_path: Path) -> None:
    macro = "{% macro _a() %}\n{% endmacro %}"
    (tmp_path / "_a.sql").write_text(
        f"{{# of a #}}\n{macro}\n\n{{%- if true %}}{{% endif %}}\n{macro}\n\n  x {{{{ 1 }}}}\n"
    )
    assert macro_calls.check(tmp_path) == [
        f"_a.sql:{line}: in no macro, so that dbt leaves it out" for line in (5, 9, 9)
    ]
