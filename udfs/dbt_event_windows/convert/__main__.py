"""The command: a model in, a windowed model out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from dbt_event_windows.convert.conversion import convert
from dbt_event_windows.convert.dialects import DIALECTS
from dbt_event_windows.convert.problems import NotUnderstoodError


def main(arguments: Sequence[str] | None = None) -> int:
    """Convert a model; 0: done, 1: a part is not understood, 2: it cannot be read or written."""
    given = _parser().parse_args(arguments)
    try:
        text = sys.stdin.read() if given.model == "-" else Path(given.model).read_text("utf-8-sig")
        converted = convert(text, given.dialect, given.grace, given.arrival_order)
        if given.out:
            Path(given.out).write_text(converted.text, "utf-8")
        else:
            sys.stdout.write(converted.text)
    except NotUnderstoodError as error:
        print(f"{given.model} is not converted.\n{error}", file=sys.stderr)
        return 1
    except (OSError, UnicodeError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dbt_event_windows.convert",
        description="Convert a dbt model that makes sessions by hand into a windowed model.",
    )
    parser.add_argument("model", help="the model's .sql file, or - for standard input")
    parser.add_argument("--dialect", choices=DIALECTS, help="its SQL (default: guessed)")
    parser.add_argument("--out", help="the file to write (default: standard output)")
    parser.add_argument("--grace", help="how late a row may come, such as '1 day'")
    parser.add_argument("--arrival-order", help="the column with the order in which rows came in")
    return parser


if __name__ == "__main__":
    sys.exit(main())
