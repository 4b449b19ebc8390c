# Everything runs in .venv, which `setup` makes once and again when pyproject.toml changes. Spark 4.1 is
# the newest that both Delta and Iceberg have releases for; PYSPARK='pyspark~=4.2.0' for another.
PYTHON ?= python3.11
PYSPARK ?= pyspark~=4.1.0
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Spark's Python workers and its local address; both flags make a JVM on small data start sooner.
export PYSPARK_PYTHON := $(CURDIR)/$(BIN)/python
export SPARK_LOCAL_IP ?= 127.0.0.1
export SPARK_LAUNCHER_OPTS ?= -XX:TieredStopAtLevel=1 -XX:+UseSerialGC

DBT := $(BIN)/dbt --quiet --no-version-check --no-send-anonymous-usage-stats

.PHONY: help setup java demo test bench lint lint-sql clean

help:
	@echo "make demo    run the demo; EVENTS=file.parquet for your own rows (key, event_time, arrival_seq)"
	@echo "make test    run the tests; PYTEST_ARGS is handed on"
	@echo "make bench   measure ours and the alternatives; ROWS=, REPEATS=, CASES= (benchmarks/README.md)"
	@echo "make lint    check style, types, SQL, versions, macro docs and layers"
	@echo "make setup   make $(VENV), which the others do by themselves"
	@echo "make clean   remove what these commands made, but for $(VENV)"

setup: java $(READY)

java:
	@scripts/check_java.sh

$(READY): pyproject.toml | java
	@command -v $(PYTHON) >/dev/null || { \
	    echo "$(PYTHON) is needed and not on the PATH: install Python 3.11, or name yours: make PYTHON=python3.12"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]' '$(PYSPARK)'
	@touch $@

demo: setup
	@$(BIN)/python scripts/demo.py

test: setup
	$(BIN)/pytest -m "not slow" --numprocesses 2 --dist loadfile $(PYTEST_ARGS)

bench: setup
	@$(BIN)/python -m benchmarks.bench

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy udfs scripts benchmarks
	$(BIN)/python scripts/check_versions.py
	$(BIN)/python scripts/check_macro_docs.py
	$(BIN)/python scripts/check_layers.py
	$(BIN)/python scripts/check_columns.py
	@$(MAKE) --no-print-directory lint-sql

# sqlfluff reads what dbt compiled: the macros themselves are Jinja that makes SQL. Tables of a demo
# that ran here are out of sight, so that what is compiled does not depend on them.
lint-sql: setup
	@rm -rf target/compiled target/lint && mkdir -p target/lint && cp profiles.example.yml target/lint/profiles.yml
	EVENT_WINDOWS_SPARK_DIR=target/lint $(DBT) compile --profiles-dir target/lint --no-populate-cache \
	    --select resource_type:model --indirect-selection empty \
	    --vars '{event_windows__demo: true, event_windows__demo_batch: 2, event_windows__demo_table: demo_events}'
	$(BIN)/sqlfluff lint target/compiled

clean:
	rm -rf .spark target logs dbt_packages build spark-warehouse metastore_db derby.log .pytest_cache .mypy_cache .ruff_cache .hypothesis
