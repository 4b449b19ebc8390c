#!/usr/bin/env bash
# Stop early, with one message, where Spark would end in a stack trace: it needs Java 17 or later.
set -euo pipefail

need=17

refuse() {
    {
        echo "event_windows needs Java $need or later, because Spark runs on it."
        echo "  found: $1"
        echo "  to mend it: install a JDK (Debian and Ubuntu: apt-get install openjdk-17-jre-headless;"
        echo "  macOS: brew install openjdk@17), and if there are several set JAVA_HOME to the folder of the right one."
    } >&2
    exit 1
}

# As Spark does it: JAVA_HOME first, then the PATH.
if [ -n "${JAVA_HOME:-}" ]; then
    java="$JAVA_HOME/bin/java"
    [ -x "$java" ] || refuse "JAVA_HOME is $JAVA_HOME, which has no bin/java"
else
    java=$(command -v java) || refuse "JAVA_HOME is not set, and there is no java on the PATH"
fi

# "17.0.15", "21" or, up to Java 8, "1.8.0_392"
said=$("$java" -version 2>&1) || refuse "$java, which does not start: ${said%%$'\n'*}"
version=$(sed -nE 's/.* version "([^"]+)".*/\1/p' <<<"$said" | head -n 1)
major=${version#1.}
major=${major%%[!0-9]*}

[ -n "$major" ] || refuse "$java, whose version cannot be read: ${said%%$'\n'*}"
[ "$major" -ge "$need" ] || refuse "Java $version ($java)"
