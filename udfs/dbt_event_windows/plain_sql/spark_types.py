"""Spark's types as DESCRIBE writes them, as far as dots in a column's name go into them."""

from __future__ import annotations

from collections.abc import Iterator


def step(type_: str | None, part: str) -> tuple[str, str | None]:
    """The field that a part of a name is, for all ways to write it, and its type.

    Spark finds fields of structs whatever their case, keys of maps as they are written. Of a type
    that is not known in full the part stays as it is.
    """
    base, inside = _split(type_ or "")
    if base == "array":
        field, found = step(inside, part)
        return field, None if found is None else f"array<{found}>"
    if base == "map":
        return part, ([*_parts(inside), ""][1]) or None
    if base == "struct":
        for name, found in fields_of(type_ or ""):
            if name.lower() == part.lower():
                return name.lower(), found
    return part, None


def fields_of(type_: str) -> Iterator[tuple[str, str]]:
    """The fields of a struct, each with its type; none of any other type."""
    base, inside = _split(type_)
    for one in _parts(inside) if base == "struct" else ():
        name, _, found = one.partition(":")
        yield name.strip("`"), found


def _split(type_: str) -> tuple[str, str]:
    """`map<string,int>` as its word and what stands between its brackets."""
    base, bracket, inside = type_.partition("<")
    return base, inside.removesuffix(">") if bracket else ""


def _parts(inside: str) -> Iterator[str]:
    """What the commas separate that stand in no brackets."""
    depth, start = 0, 0
    for place, sign in enumerate(inside):
        depth += (sign in "<(") - (sign in ">)")
        if sign == "," and not depth:
            yield inside[start:place]
            start = place + 1
    yield inside[start:]
