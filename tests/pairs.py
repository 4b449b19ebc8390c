"""Files that hold a text and what is made of it, written anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as they are."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    style = "|" if "\n" in value else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def write_pair(path: Path, pair: dict[str, Any]) -> None:
    path.write_text(yaml.dump(pair, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110))
