"""`python -m tests.catalogues`: parts of a life in a catalogue, in a session of their own.

Session settings are read from the standard input, as JSON; the arguments are a folder, the models
with commas between them, and the parts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from dbt_common.tests import enable_test_caching

from tests.catalogues.life import Life
from tests.catalogues.parts import OTHERS, PARTS
from tests.catalogues.sources import SOURCES


def main() -> None:
    enable_test_caching()
    life = Life(Path(sys.argv[1]), json.load(sys.stdin), sys.argv[2].split(","))
    for part in sys.argv[3:]:
        (PARTS | OTHERS | SOURCES)[part](life)
        print(f"{part} was as it must be", flush=True)


if __name__ == "__main__":
    main()
