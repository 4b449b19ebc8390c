"""The command, and the guess at a dialect."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from dbt_event_windows.convert.__main__ import main
from dbt_event_windows.convert.dialects import guessed
from dbt_event_windows.convert.gaps import gap_in_words

MODEL = "select date_trunc('hour', at) as hour, count(*) as n\nfrom {{ ref('e') }} group by 1"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.sql"
    path.write_text(MODEL)
    return path


def test_writes_to_standard_output(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(model), "--grace", "1 day", "--arrival-order", "seq"]) == 0
    text = capsys.readouterr().out
    assert "grace='1 day'" in text
    assert "arrival_order='seq'" in text
    assert "FILL IN" not in text
    assert "from {{ ref('e') }}" in text


def test_reads_what_an_editor_wrote_with_a_mark(model: Path) -> None:
    model.write_text(MODEL, "utf-8-sig")
    assert main([str(model), "--out", str(model.with_name("out.sql")), "--grace", "it's"]) == 0
    assert 'grace="it\'s"' in model.with_name("out.sql").read_text()


def test_writes_to_a_file(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = model.with_name("out.sql")
    assert main([str(model), "--out", str(out), "--dialect", "databricks"]) == 0
    assert "materialized='windowed'" in out.read_text()
    assert capsys.readouterr().out == ""


def test_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(MODEL))
    assert main(["-"]) == 0
    assert "window.start as hour" in capsys.readouterr().out


def test_what_is_not_understood_is_said_and_nothing_is_written(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model.write_text("select a,\n b from c group by a,\n b")
    out = model.with_name("out.sql")
    assert main([str(model), "--out", str(out)]) == 1
    said = capsys.readouterr().err
    assert "model.sql is not converted" in said
    assert "line 2, GROUP BY: a, b" in said
    assert "What to do: " in said
    assert not out.exists()


def test_an_error_of_ours_is_a_sentence(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("a number is 0")

    monkeypatch.setattr("dbt_event_windows.convert.conversion.layers_of", fails)
    assert main([str(model)]) == 1
    said = capsys.readouterr().err
    assert "the model could not be read (ZeroDivisionError: a number is 0)" in said
    assert "What to do: " in said


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "no.sql")]) == 2
    assert "no.sql" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [
        ("select timestamp_diff(a, b, minute), countif(c)", "bigquery"),
        ("select iff(a, 1, 0), datediff('minute', a, b)", "snowflake"),
        ("select conditional_true_event(a) over (order by b)", "snowflake"),
        ("select date_trunc(a, month), count(*) from b group by 1", "bigquery"),
        ("select date(a), count(*) from `p-1.d.events_*` group by 1", "bigquery"),
        ("select date(a, 'Europe/Berlin') from b", "bigquery"),
        ("select date(a, 'YYYY-MM-DD'), `b.c` from d", "spark"),
        ("select to_timestamp_ntz(a), to_timestamp_ltz(b)", "spark"),
        ("select date_trunc('hour', a), timestampdiff(minute, a, b)", "spark"),
        ("select datediff('2024-01-01', a), date_add('2024-01-01', 1)", "spark"),
    ],
)
def test_guesses_by_words_of_its_own(sql: str, dialect: str) -> None:
    assert guessed(sql).name == dialect


@pytest.mark.parametrize(
    ("micros", "words"),
    [
        (1_800_000_000, "30 minutes"),
        (86_400_000_000, "24 hours"),
        (1_799_999_999, "29 minutes 59.999999 seconds"),
        (9_999_999, "9.999999 seconds"),
        (1_500, "1500 microseconds"),
    ],
)
def test_gaps_in_words(micros: int, words: str) -> None:
    assert gap_in_words(micros) == words
