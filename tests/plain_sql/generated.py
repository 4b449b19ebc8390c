"""Texts drawn from a grammar: what analysts write, with names that clash and forms that are odd."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

DrawFn = st.DrawFn

ALIASES = [
    "n", "total", "x", "page", "user_id", "url", "amount", "city", "day", "`my name`", "Start",
    "window_start", "`count`", "device", "w", "viewed_at",
]  # fmt: skip


@dataclass(frozen=True)
class Source:
    """A FROM and what stands before it, with the columns that it offers, by kind."""

    with_: str
    from_: str
    words: tuple[str, ...]
    numbers: tuple[str, ...]
    times: tuple[str, ...]
    arrival: str = "seq"


SOURCES = [
    Source("", "views", ("user_id", "url", "device", "`user id`", "place.city", "views.url"),
           ("amount", "price", "score", "place.zip"), ("viewed_at", "seen_at")),
    Source("", "views v", ("user_id", "v.url", "v.device", "v.place.city", "USER_ID"),
           ("amount", "v.price", "v.score"), ("viewed_at", "v.seen_at")),
    Source("", "(select * from views where not is_bot) q", ("q.user_id", "url", "device"),
           ("amount", "q.price"), ("q.viewed_at", "seen_at")),
    Source("with a as (select *, upper(url) as page from views), "
           "b as (select user_id, page, amount, price as x, viewed_at as t, seen_at, seq from a "
           "where page is not null) ", "b", ("user_id", "page", "b.page"), ("amount", "x"),
           ("t", "seen_at", "b.t")),
    Source("", "views v join people p on v.user_id = p.user_id",
           ("v.user_id", "name", "url", "p.name"), ("amount", "level", "v.price"),
           ("viewed_at", "seen_at")),
    Source("", "views left join people using (user_id)", ("user_id", "name", "views.url"),
           ("amount", "level"), ("viewed_at", "seen_at")),
    Source("", "views lateral view explode(items) e as item", ("user_id", "item", "e.item", "url"),
           ("amount", "price"), ("viewed_at", "seen_at")),
    Source("", "(select user_id, explode(items) as item, amount, seq, seen_at from views) as z",
           ("user_id", "item"), ("amount",), ("seen_at",)),
    Source("", "(select * from views where device = 'web' union all select * from views where "
           "device = 'app') as u", ("user_id", "device"), ("amount",), ("viewed_at",)),
]  # fmt: skip

GAPS = ["'30 minutes'", "'interval 1 hour'", "'1 day'", "'24 hours'", "'90 minutes 30 seconds'"]
ROW_GAPS = [
    "concat(minutes, ' minutes')",
    "case when device = 'web' then '10 minutes' else '1 day' end",
    "make_interval(0, 0, 0, 0, 0, minutes)",
]
SIZES = [
    "'1 hour'", "'1 day'", "'2 hours', '30 minutes'", "'1 hour', '1 hour', '15 minutes'",
    "'3 hours', '2 hours', '-30 minutes'", "'1 week'", "'90 minutes', '40 minutes'",
]  # fmt: skip


@st.composite
def row_expressions(draw: DrawFn, source: Source) -> str:
    """A key: a column or an expression over columns."""
    word, number = draw(st.sampled_from(source.words)), draw(st.sampled_from(source.numbers))
    time = draw(st.sampled_from(source.times))
    return draw(
        st.sampled_from(
            [
                word, word, word, f"lower({word})", f"upper(coalesce({word}, 'none'))",
                f"{number} + 1", f"({number} > 2)", f"date({time})", f"length({word}) % 2",
                f"case when {number} > 2 then {word} else 'few' end", f"{word} is null", number,
                f"{word} || '-' || {word}", f"cast({number} as string)", "'const'",
            ]
        )
    )  # fmt: skip


@st.composite
def aggregates(draw: DrawFn, source: Source) -> str:
    word, number = draw(st.sampled_from(source.words)), draw(st.sampled_from(source.numbers))
    time = draw(st.sampled_from(source.times))
    call = draw(
        st.sampled_from(
            [
                "count(*)", "count(*)", f"count({word})", f"sum({number})", f"avg({number})",
                f"min({time})", f"max({number})", f"count(distinct {word})", "COUNT(1)",
                f"max(length({word}))", f"sum({number} * 2 + 1)", f"count_if({number} > 2)",
                f"sum(case when {word} is null then 0 else 1 end)", f"bool_or({number} > 40)",
                f"min_by({word}, struct({time}, seq))", f"sort_array(collect_set({word}))",
                f"max(struct({time}, {word}))", f"sum(distinct {number})", f"max(lower({word}))",
                f"percentile_cont(0.5) within group (order by {number})", "bit_xor(seq)",
            ]
        )
    )  # fmt: skip
    filtered = draw(st.booleans()) and call.startswith(("count", "sum(", "max(len"))
    return call + (f" filter (where {number} > 1)" if filtered else "")


@st.composite
def items(draw: DrawFn, source: Source, keys: list[str], window: str, names: list[str]) -> str:
    """An expression of the SELECT list or of HAVING."""
    struct = window.partition("(")[0]
    key = draw(st.sampled_from(keys)) if keys else "1"
    one, other = draw(aggregates(source)), draw(aggregates(source))
    name = draw(st.sampled_from(names)) if names else "count(*)"
    return draw(
        st.sampled_from(
            [
                key, key, f"{struct}.start", f"{struct}.END", struct, f"{window}.end", window,
                one, one, one, f"{one} + count(*)", f"count(*) / {name}", name, "'a'",
                f"coalesce({one}, {other})", f"upper({key})", f"({key})", "1 + 1", "null",
                f"case when count(*) > 1 then {key} end", f"{struct}.end - {struct}.start",
                f"cast({one} as string) || 'x'", f"concat({key}, {one})", f"-count(*) * {name}",
                f"date({struct}.start)", f"named_struct('k', {key}, 'w', {struct})",
                f"round(sum({source.numbers[0]}) / count(*), 1)", f"sum({key})",
                f"{source.words[0]}", "transform(array(1, 2), n -> n + count(*))",
            ]
        )
    )  # fmt: skip


@st.composite
def texts(draw: DrawFn) -> str:
    """A windowed SELECT: mostly valid for Spark, now and then not."""
    source = draw(st.sampled_from(SOURCES))
    keys = draw(st.lists(row_expressions(source), max_size=3, unique=True))
    time = draw(st.sampled_from(source.times))
    if draw(st.booleans()):
        may_vary = "views" in source.from_ and "select" not in source.from_
        gap = draw(st.sampled_from(GAPS + (ROW_GAPS if may_vary else [])))
        window = f"session_window({time}, {gap})"
    else:
        window = f"window({time}, {draw(st.sampled_from(SIZES))})"
    selected: list[str] = []
    names: list[str] = []
    by_position: dict[str, str] = {}
    wanted = [(key, True) for key in keys if draw(st.booleans())]
    by_all = draw(st.integers(0, 7)) == 0
    wanted += [(window, True)] if by_all or draw(st.booleans()) else []
    for _ in range(draw(st.integers(1, 4))):
        wanted.append((draw(items(source, keys, window, names)), False))
    order = draw(st.permutations(wanted))
    for expression, is_grouped in order:
        free = [name for name in ALIASES if name not in names]
        alias = draw(st.sampled_from(free)) if draw(st.integers(0, 15)) else ""
        selected.append(
            expression + (draw(st.sampled_from([" as ", " "])) + alias if alias else "")
        )
        if alias:
            names.append(alias)
        if is_grouped and expression not in by_position:
            others = [str(len(selected))] + ([alias] if alias else [])
            by_position[expression] = draw(st.sampled_from(others))
    groups = [
        by_position[key] if key in by_position and draw(st.booleans()) else key
        for key in [*keys, window]
    ]
    group = "all" if by_all else ", ".join(draw(st.permutations(groups)))
    where = draw(st.sampled_from(["", "", f" where {source.numbers[0]} > 1 or {time} is null"]))
    having = ""
    if draw(st.integers(0, 2)) == 0:
        left = draw(items(source, keys, window, names))
        having = " having " + draw(
            st.sampled_from(
                [f"{left} is not null", f"{left} > 1", f"count(*) > 1 and {left} = 'a'"]
            )
        )
    return (
        f"{source.with_}select {', '.join(selected)} from {source.from_}{where} "
        f"group by {group}{having}"
    )
