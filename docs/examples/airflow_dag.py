"""Refreshes the windowed models every quarter of an hour. Airflow 2.9 or later, 3 too."""

from __future__ import annotations

from datetime import datetime, timedelta

from airflow import DAG
from airflow.providers.standard.operators.bash import BashOperator

DBT = "cd /srv/dbt/project && /srv/dbt/.venv/bin/dbt --no-use-colors"
WINDOWED = "--select config.materialized:windowed"

with DAG(
    dag_id="event_windows",
    schedule="*/15 * * * *",
    start_date=datetime(2024, 1, 1),
    # A run reads all that has arrived since the last one: there is nothing to run for a past date.
    catchup=False,
    # One at a time. Two would do no harm, and one of them would fail.
    max_active_runs=1,
    default_args={
        # What a failed run left undone is finished by the next one, so trying again is safe.
        "retries": 2,
        "retry_delay": timedelta(minutes=1),
        "execution_timeout": timedelta(hours=2),
    },
) as dag:
    refresh = BashOperator(task_id="refresh", bash_command=f"{DBT} run {WINDOWED}")
    # A test that fails says something about the data: trying again would not change it.
    check = BashOperator(task_id="check", bash_command=f"{DBT} test {WINDOWED}", retries=0)
    refresh >> check
