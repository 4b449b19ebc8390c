"""The Java check with stand-ins for java: one message, and what Spark would take is taken."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "check_java.sh"


def fake_java(home: Path, body: str) -> Path:
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{body}\n")
    java.chmod(0o755)
    return home


def says(version: str) -> str:
    return f"echo 'openjdk version \"{version}\" 2025-04-15' >&2"


def check(java_home: Path | None, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    environment = {"PATH": path} | ({"JAVA_HOME": str(java_home)} if java_home else {})
    return subprocess.run(
        ["/bin/bash", str(SCRIPT)], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("version", ["17.0.15", "17", "21.0.2", "25-ea"])
def test_new_enough_is_silent(tmp_path: Path, version: str) -> None:
    done = check(fake_java(tmp_path, says(version)))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_lines_before_the_version_are_passed_over(tmp_path: Path) -> None:
    body = "echo 'Picked up JAVA_TOOL_OPTIONS: -Xmx1g' >&2\n" + says("17.0.1")
    assert check(fake_java(tmp_path, body)).returncode == 0


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (says("11.0.21"), "found: Java 11.0.21"),
        (says("1.8.0_392"), "found: Java 1.8.0_392"),
        (says("16"), "found: Java 16"),
        ("echo 'No Java runtime present' >&2; exit 1", "does not start: No Java runtime present"),
        ("echo hello", "cannot be read: hello"),
    ],
)
def test_others_are_refused_once_with_a_remedy(tmp_path: Path, body: str, found: str) -> None:
    done = check(fake_java(tmp_path, body))
    assert done.returncode == 1
    assert found in done.stderr
    assert done.stderr.count("needs Java 17 or later") == 1
    assert "to mend it: install a JDK" in done.stderr


def test_java_home_without_java_is_refused_even_if_the_path_has_one(tmp_path: Path) -> None:
    on_path = fake_java(tmp_path / "good", says("17"))
    done = check(tmp_path / "empty", path=f"{on_path}/bin:/usr/bin:/bin")
    assert done.returncode == 1
    assert f"JAVA_HOME is {tmp_path / 'empty'}" in done.stderr


def test_the_path_is_searched_without_java_home(tmp_path: Path) -> None:
    on_path = fake_java(tmp_path / "good", says("17"))
    assert check(None, path=f"{on_path}/bin:/usr/bin:/bin").returncode == 0
    # builtins do until java is looked for, so the path may be empty
    done = check(None, path=str(tmp_path / "empty"))
    assert done.returncode == 1
    assert "no java on the PATH" in done.stderr
