#!/usr/bin/env bash
# One run of the windowed models, for cron or a systemd timer; docs/schedules.md says what each part is for.
#   refresh.sh [arguments of dbt build]
# Exit codes: 0 done, 75 another run is at work, else dbt's own: 1 a model or a test failed, 2 dbt could not run.
set -uo pipefail

PROJECT=${EVENT_WINDOWS_PROJECT:-/srv/dbt/project}
LOCK=${EVENT_WINDOWS_LOCK:-/tmp/event_windows.lock}
LONGEST=${EVENT_WINDOWS_LONGEST:-2h}
PAUSE=${EVENT_WINDOWS_PAUSE:-60} # seconds before the second try
BUSY=75 # EX_TEMPFAIL of sysexits.h

cd "$PROJECT" || exit 2

# The lock goes with the process that holds it, so a killed run leaves none behind.
exec 9>"$LOCK"
if ! flock --nonblock 9; then
    echo "another run is at work; the next one reads what arrives meanwhile" >&2
    exit "$BUSY"
fi

run() {
    timeout --kill-after=60 "$LONGEST" \
        dbt --no-use-colors build --select "config.materialized:windowed" "$@" 9>&-
}

run "$@"
code=$?
if [ "$code" -ne 0 ]; then
    # What a run left undone is finished by the next one, so once more is always safe.
    sleep "$PAUSE"
    run "$@"
    code=$?
fi
exit "$code"
