"""What the documents list, for tests that compare it with what happens."""

from __future__ import annotations

import re
from functools import cache

from tests.harness import REPOSITORY


@cache
def statement_order() -> dict[str, list[str]]:
    """The steps of each kind of run, from the section "The order" of docs/refresh.md."""
    text = (REPOSITORY / "docs/refresh.md").read_text().partition("\n## The order\n")[2]
    rows = re.findall(r"\n\| (A .+?) \| (.+?) \|", text.partition("\n## ")[0])
    return {title: steps.split() for title, steps in rows}


@cache
def pipeline() -> list[str]:
    """The steps of a query, as docs/architecture.md draws them."""
    text = (REPOSITORY / "docs/architecture.md").read_text()
    drawn = re.search(r"\n(new_rows -> .*)\n", text)
    assert drawn
    return drawn.group(1).split(" -> ")
