"""Whether what is grouped by tells sessions apart: each is one group, and no two are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from sqlglot import exp

from dbt_event_windows.convert.jinja_calls import NULL_KEY
from dbt_event_windows.convert.problems import not_understood, shown
from dbt_event_windows.convert.same import bare, is_over, key_of, without_constant
from dbt_event_windows.convert.sessions import Session
from dbt_event_windows.plain_sql.naming import word_set
from dbt_event_windows.plain_sql.references import Canonical
from dbt_event_windows.plain_sql.text import children, nodes

# What can stand around a session number in an id, and other values still give other ids.
_TELL_APART = (
    exp.Cast,
    exp.Coalesce,
    exp.Concat,
    exp.ConcatWs,
    exp.DPipe,
    exp.Hex,
    exp.LowerHex,
    exp.MD5,
    exp.MD5Digest,
    exp.Paren,
    exp.SHA,
    exp.SHA2,
    exp.Struct,
)
_HASHES = word_set("farm_fingerprint hash md5_hex sha1 sha2_hex struct to_hex xxhash64")
_WIDE = (*exp.DataType.TEXT_TYPES, exp.DataType.Type.INT, exp.DataType.Type.BIGINT)
_SEVERAL = (
    "this is grouped by, but sessions are not counted for each of its values, so that one session "
    "can be several rows"
)
_ONE_KEY = (
    "a key that is null and one that is the value in {sql} were one row where their sessions had "
    "one number, and are two now"
)
_NO_SIGN = (
    "in {sql} no sign stands between two values, so that sessions of two keys could be one row, "
    "as '1' and '11' beside '11' and '1'; now they are two"
)
_LEFT_OUT = (
    "in {sql} keys that are null are left out, so that sessions of two keys could be one row; now "
    "they are two"
)
_ONE = "take one value of a session, with min, max or min_by, or partition by it too"


def check_identity(
    sessions: Sequence[Session], groups: Sequence[tuple[exp.Expression, exp.Expression]]
) -> None:
    """Check a GROUP BY: each expression over what is read, and as it is written.

    Args:
        sessions: the same ones, as each id tells them apart.

    Raises:
        NotUnderstoodError: groups are not sessions.
    """
    keys = {key_of(key) for key in sessions[0].keys}
    known: set[Canonical] = set()
    for group, written in groups:
        node = bare(group)
        for column in _columns(node, keys):
            raise not_understood("GROUP BY", column, _SEVERAL, _ONE, written)
        known |= _keys_in(node, keys)
        problem = "an expression of the session id that is not known to tell sessions apart"
        for around in around_ids(node):
            raise not_understood("GROUP BY", around, problem, "group by the id itself", written)
    by_number = all(one.carried is None or one.is_start for one in sessions)
    if by_number and keys - known:
        group, written = next(one for one in groups if is_over(one[0]))
        problem = "session numbers repeat for each key, and the key is not in the GROUP BY"
        mend = "group by the key and the session number"
        raise not_understood("GROUP BY", group, problem, mend, written)


def _columns(node: exp.Expression, keys: set[Canonical]) -> Iterator[exp.Expression]:
    """Columns that are not of the key; session ids are passed over."""
    if key_of(node) in keys or isinstance(node, exp.Window):
        return
    if isinstance(node, exp.Column):
        yield node
    for child in children(node):
        yield from _columns(child, keys)


def _keys_in(node: exp.Expression, keys: set[Canonical]) -> set[Canonical]:
    """The keys that an expression tells apart, beside session ids."""
    if key_of(node) in keys:
        return {key_of(node)}
    found: set[Canonical] = set()
    if not isinstance(node, exp.Window) and _tells_apart(node) and not _makes_a_number(node):
        # what stands in for a null can be another's value
        for child in [node.this] if isinstance(node, exp.Coalesce) else children(node):
            found |= _keys_in(child, keys)
    return found


def around_ids(node: exp.Expression) -> Iterator[exp.Expression]:
    """What stands around session ids and may make one of two."""
    if isinstance(node, exp.Window) or not is_over(node):
        return
    if not _tells_apart(node) and without_constant(node) is node:
        yield node
    for child in children(node):
        yield from around_ids(child)


def _tells_apart(node: exp.Expression) -> bool:
    """Whether an expression has another value where what it is made of has."""
    if isinstance(node, exp.Cast):
        return bool(node.to.is_type(*_WIDE))
    is_hash = isinstance(node, exp.Anonymous) and str(node.this).lower() in _HASHES
    return is_hash or isinstance(node, _TELL_APART)


def _makes_a_number(node: exp.Expression) -> bool:
    """Whether texts that differ may be one, as '1' and '01'."""
    return isinstance(node, exp.Cast) and not node.to.is_type(*exp.DataType.TEXT_TYPES)


def notes_of_keys(
    groups: Sequence[exp.Expression], keys: Sequence[exp.Expression]
) -> Iterator[str]:
    """What was one row where two keys were one in what was grouped by, and is two now."""
    known = {key_of(key) for key in keys}
    for node in (one for group in groups for one in nodes(group)):
        words = {"sql": shown(node)}
        if isinstance(node, exp.Coalesce) and _keys_in(bare(node.this), known):
            value = node.expressions[0] if node.expressions else None
            if value is not None and value.name != NULL_KEY:
                yield _ONE_KEY.format(**words)
        if isinstance(node, exp.ConcatWs) and len(_keys_in(node, known)) > 1:
            yield _LEFT_OUT.format(**words)
        if isinstance(node, exp.Concat | exp.DPipe) and is_over(node) and _has_no_sign(node):
            yield _NO_SIGN.format(**words)


def _has_no_sign(node: exp.Expression) -> bool:
    """Whether two values are put together with no constant between them."""
    if isinstance(node, exp.ConcatWs):
        return not node.expressions[0].name
    parts = _parts(node)
    return any(
        not isinstance(one, exp.Literal) and not isinstance(other, exp.Literal)
        for one, other in pairwise(parts)
    )


def _parts(node: exp.Expression) -> list[exp.Expression]:
    node = bare(node)
    if isinstance(node, exp.DPipe):
        return [*_parts(node.this), *_parts(node.expression)]
    return list(node.expressions) if isinstance(node, exp.Concat) else [node]


def may_be_null(groups: Sequence[exp.Expression], keys: Sequence[exp.Expression]) -> bool:
    """Whether a session id is put together with a key, and is null where that is."""
    known = {key_of(key) for key in keys}
    return any(is_over(group) and _holds(bare(group), known) for group in groups)


def _holds(node: exp.Expression, keys: set[Canonical]) -> bool:
    """Whether an expression is null where a key is, as far as one can see."""
    if isinstance(node, exp.Window | exp.Coalesce | exp.ConcatWs):
        return False
    return key_of(node) in keys or any(_holds(one, keys) for one in children(node))
