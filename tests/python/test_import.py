"""dbt-core finds the module, and finding it costs nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = "('pyspark', 'pyarrow', 'numpy', 'pandas', 'dbt', 'sqlglot')"


def run(code: str) -> str:
    """Standard output of `code` in a fresh interpreter, away from the repository."""
    return subprocess.run(
        [sys.executable, "-c", code], cwd="/", check=True, capture_output=True, text=True
    ).stdout.strip()


def test_dbt_core_finds_the_module() -> None:
    found = run("import pkgutil; print([m.name for m in pkgutil.iter_modules()])")
    assert "'dbt_event_windows'" in found


def test_importing_loads_nothing_heavy() -> None:
    assert run(
        f"import dbt_event_windows, sys; print([m for m in {HEAVY} if m in sys.modules])"
    ) == ("[]")


def test_the_plugin_of_a_run_on_another_adapter_leaves_spark_alone() -> None:
    loaded = run(
        "import dbt_event_windows, sys\n"
        "dbt_event_windows.plugins[0]('a_project')\n"
        "print([m for m in ('pyspark', 'pyarrow', 'dbt.adapters.spark') if m in sys.modules])"
    )
    assert loaded == "[]"


def test_dbt_core_loads_the_plugin() -> None:
    names = run(
        "from dbt.plugins.manager import PluginManager\n"
        "manager = PluginManager.from_modules('a_project')\n"
        "print([plugin.name for plugin in manager._plugins])"
    )
    assert "EventWindowsPlugin" in names


def test_a_connection_that_cannot_be_closed_is_no_error() -> None:
    said = run(
        "import dbt.adapters.spark\n"
        "from dbt.adapters.spark.connections import PyhiveConnectionWrapper\n"
        "import dbt_event_windows\n"
        "class Lost:\n"
        "    def close(self):\n"
        "        print('asked')\n"
        "        raise RuntimeError('TCloseSessionResp')\n"
        "dbt_event_windows.plugins[0]('a_project').initialize()\n"
        "PyhiveConnectionWrapper(Lost()).close()\n"
    )
    assert said == "asked"


def test_the_version_is_that_of_the_distribution() -> None:
    assert run("import dbt_event_windows; print(dbt_event_windows.__version__)").count(".") == 2


def test_an_unknown_attribute_is_an_attribute_error() -> None:
    import dbt_event_windows

    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = dbt_event_windows.nothing
