"""dbt runs by several threads in this process; those of the tests' harness have one."""

from __future__ import annotations

from dbt.cli.main import dbtRunner

from tests.harness import DbtProject


class ModelsFailedError(Exception):
    """A run by threads failed; what its models said."""


def run_by_threads(project: DbtProject, threads: int, *models: str) -> None:
    """`dbt run --threads <threads> --select <models>`.

    Raises:
        ModelsFailedError: a model failed.
    """
    root = str(project.root)
    arguments = ["run", "--threads", str(threads), "--select", *models]
    arguments += ["--project-dir", root, "--profiles-dir", root, "--log-path", f"{root}/logs"]
    arguments += ["--log-level-file", "none", "--quiet", "--no-version-check"]
    outcome = dbtRunner().invoke([*arguments, "--no-send-anonymous-usage-stats"])
    if not outcome.success:
        results = getattr(outcome.result, "results", [])
        texts = [f"{r.node.name}: {r.message}" for r in results if r.status == "error"]
        raise ModelsFailedError("; ".join(texts) or str(outcome.exception))
