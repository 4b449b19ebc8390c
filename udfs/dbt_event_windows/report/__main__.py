"""The command: a page about a model or a relation, or sentences about a row."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from dbt_event_windows.report.asking import Asker, DbtAsker
from dbt_event_windows.report.errors import ReportError
from dbt_event_windows.report.making import Source, explain_rows, report_on_model, report_on_source
from dbt_event_windows.report.test_results import MANIFEST, RESULTS, read_test_results

_DBT_OPTIONS = ("project-dir", "profiles-dir", "profile", "target", "vars")


def main(arguments: Sequence[str] | None = None, asker: Asker | None = None) -> int:
    """Write a page; 0: done, 1: it cannot be made, 2: the command line is wrong.

    asker: who is asked in place of dbt.
    """
    parser = _parser()
    given = parser.parse_args(arguments)
    _check(parser, given)
    asker = asker or DbtAsker(_handed_on(given))
    part = given.sample / 100
    try:
        if given.explain:
            print(explain_rows(asker, given.select, dict(given.explain)))
            return 0
        if given.select:
            key = dict(_pairs(parser, given.key))
            tests = read_test_results(_test_results(given))
            made = report_on_model(asker, given.select, key, part, tests)
        else:
            made = report_on_source(asker, _source(given), part)
        Path(given.out).write_text(made, "utf-8")
    except ReportError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"the page cannot be written: {error}", file=sys.stderr)
        return 1
    print(f"{given.out}: {len(made.encode()) // 1024} KB")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dbt_event_windows.report",
        description="A page about a windowed model, or about a relation before there is one.",
    )
    about = parser.add_mutually_exclusive_group(required=True)
    about.add_argument("--select", metavar="MODEL", help="name of a windowed model that was run")
    about.add_argument("--relation", metavar="DB.TABLE", help="rows that no model reads yet")
    parser.add_argument("--out", default="report.html", help="the file to write (%(default)s)")
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="COLUMN=VALUE",
        help="the key whose rows are shown, once for each column; with --relation: COLUMN[,COLUMN]",
    )
    parser.add_argument(
        "--explain",
        action="append",
        type=_pair,
        default=[],
        metavar="COLUMN=VALUE",
        help="say why rows with this value are, or are not, counted; no page is written",
    )
    parser.add_argument("--event-time", metavar="COLUMN", help="with --relation")
    parser.add_argument("--arrival-order", metavar="COLUMN", help="with --relation")
    parser.add_argument("--partition", metavar="COLUMN", help="with --relation")
    parser.add_argument(
        "--sample",
        type=_percent,
        default=100.0,
        metavar="PERCENT",
        help="measure lateness on such a part of the keys",
    )
    parser.add_argument(
        "--test-results",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help=f"a {RESULTS} that dbt wrote of tests, with the {MANIFEST} beside it; may be given "
        "several times; without it that in the target of the project",
    )
    for option in _DBT_OPTIONS:
        parser.add_argument(f"--{option}", metavar="DBT", help="handed on to dbt")
    return parser


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"'{text}' is no COLUMN=VALUE, such as user_id=ada")
    return name, value


def _percent(text: str) -> float:
    try:
        percent = float(text)
    except ValueError:
        percent = 0.0
    if not 0 < percent <= 100:
        raise argparse.ArgumentTypeError(f"'{text}' is no percentage above 0 and up to 100")
    return percent


def _pairs(parser: argparse.ArgumentParser, texts: Sequence[str]) -> list[tuple[str, str]]:
    try:
        return [_pair(text) for text in texts]
    except argparse.ArgumentTypeError as error:
        parser.error(f"argument --key: {error}")


def _given_again(option: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """What is wrong where a column, to Spark whatever its letters' case, has two values."""
    names = [name.lower() for name, _ in pairs]
    again = dict.fromkeys(name for name in names if names.count(name) > 1)
    return [f"--{option} names {name} several times: give a column one value" for name in again]


def _check(parser: argparse.ArgumentParser, given: argparse.Namespace) -> None:
    """End with what is wrong, all at once."""
    of_relation = ("event_time", "arrival_order", "partition")
    problems = []
    if given.select:
        problems += _given_again("key", _pairs(parser, given.key))
        problems += _given_again("explain", given.explain)
        named = [f"--{name.replace('_', '-')}" for name in of_relation if getattr(given, name)]
        if named:
            problems.append(f"{', '.join(named)}: of a model they are known; leave them out")
    else:
        needed = [
            name for name in ("event_time", "arrival_order", "key") if not getattr(given, name)
        ]
        if needed:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in needed)
            problems.append(f"--relation needs {names}")
        if any("=" in key for key in given.key):
            problems.append("--key of a --relation is names of columns: user_id or user_id,shop")
        if given.test_results:
            problems.append("--test-results needs --select: they are of a model")
        if given.explain:
            problems.append("--explain needs --select: without windows no row is late")
    if problems:
        parser.error("; ".join(problems))


def _source(given: argparse.Namespace) -> Source:
    key = [name.strip() for text in given.key for name in text.split(",") if name.strip()]
    return Source(
        given.relation, tuple(key), given.event_time, given.arrival_order, given.partition
    )


def _test_results(given: argparse.Namespace) -> list[Path]:
    """The files that are named; else that of dbt's last command, if it left one."""
    if given.test_results:
        return list(given.test_results)
    target = os.environ.get("DBT_TARGET_PATH", "target")
    file = Path(given.project_dir or ".") / target / RESULTS
    return [file] if file.exists() and (file.parent / MANIFEST).exists() else []


def _handed_on(given: argparse.Namespace) -> tuple[str, ...]:
    options: list[str] = []
    for option in _DBT_OPTIONS:
        value = getattr(given, option.replace("-", "_"))
        if value is not None:
            options += [f"--{option}", value]
    return tuple(options)


if __name__ == "__main__":
    sys.exit(main())
