"""The command line: what it asks, what it writes, what it says of mistakes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Template

from dbt_event_windows.report import questions
from dbt_event_windows.report.__main__ import main
from tests.report.answers import HOSTILE, FixedAsker, row, window

needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="pages need the extra [report]"
)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "one of the arguments --select --relation is required"),
        ("--select m --relation t", "not allowed with argument"),
        ("--select m --key user_id", "argument --key: 'user_id' is no COLUMN=VALUE"),
        ("--select m --key =ada", "'=ada' is no COLUMN=VALUE"),
        ("--select m --explain 178", "argument --explain: '178' is no COLUMN=VALUE"),
        ("--select m --explain a=1 --explain A=2", "--explain names a several times"),
        ("--select m --key a=1 --key b=2 --key a=3", "--key names a several times"),
        ("--select m --event-time t --partition p", "--event-time, --partition: of a model"),
        ("--relation t", "--relation needs --event-time, --arrival-order, --key"),
        (
            "--relation t --event-time t --arrival-order s --key user_id=ada",
            "--key of a --relation is names of columns",
        ),
        (
            "--relation t --event-time t --arrival-order s --key k --explain s=1",
            "--explain needs --select",
        ),
        ("--select m --sample 0", "'0' is no percentage"),
        ("--select m --sample all", "'all' is no percentage"),
    ],
)
def test_a_wrong_command_line_says_what_to_write(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(line.split(), FixedAsker())
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_explain_prints_sentences_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "report.html"
    asker = FixedAsker({"explained": [("row", row(6, 45, 90, held=[window(0, 90, 5)]))]})
    given = ["--select", "visits", "--explain", "arrival_seq=6", "--out", str(out)]
    assert main(given, asker) == 0
    assert "It counts in 1 window" in capsys.readouterr().out
    assert not out.exists()
    assert '{"arrival_seq": "6"}' in asker.asked[-1]


def test_a_value_with_quotes_and_braces_stays_a_value() -> None:
    asker = FixedAsker()
    assert main(["--select", "visits", "--explain", "arrival_seq=\"'}}{{ x }}"], asker) == 0
    assert r'{"arrival_seq": "\"' + "'}}{{ x }}" + '"}' in asker.asked[-1]


@pytest.mark.parametrize(
    "text",
    ['O\'Neill "Zoë"', "back\\slash \\n \\u0041", "{{ x }} {% y %} {# z #}", "名前 😀", HOSTILE],
)
def test_jinja_reads_a_value_as_it_was_given(text: str) -> None:
    question = questions.explained("visits", {text: text})
    given: list[Any] = []

    def explained(model: str, values: Any, limit: int) -> str:
        given.append(values)
        return ""

    class EventWindows:
        _report_explained = staticmethod(explained)

    Template(question).render(event_windows=EventWindows, ref=str)
    assert given == [{text: text}]


def test_what_dbt_said_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--select", "visits", "--explain", "x=1"], FixedAsker({"facts": None})) == 1
    assert "dbt does not know" in capsys.readouterr().err


@needs_matplotlib
def test_a_page_of_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, asker = tmp_path / "report.html", FixedAsker()
    given = ["--select", "visits", "--key", "user_id=ann", "--sample", "25", "--out", str(out)]
    assert main(given, asker) == 0
    assert out.read_text().startswith("<!DOCTYPE html>")
    assert str(out) in capsys.readouterr().out
    assert any(question.endswith(", 0.25) }}") for question in asker.asked)


@needs_matplotlib
def test_a_page_of_a_relation(tmp_path: Path) -> None:
    out, asker = tmp_path / "report.html", FixedAsker()
    given = ["--relation", "db.t", "--event-time", "t", "--arrival-order", "s", "--out", str(out)]
    assert main([*given, "--key", "a,b", "--key", "c"], asker) == 0
    [question] = asker.asked
    assert '("db.t", ["a", "b", "c"], "t", "s", none, [0,' in question


@needs_matplotlib
def test_a_page_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "nowhere" / "report.html"
    assert main(["--select", "visits", "--out", str(out)], FixedAsker()) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_without_matplotlib_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    for name in list(sys.modules):
        if name.startswith(("dbt_event_windows.report.charts", "dbt_event_windows.report.section")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["--select", "visits"], FixedAsker()) == 1
    assert "pip install 'dbt-event-windows[report]'" in capsys.readouterr().err
