"""What a text reads: the FROM, the CTEs before it, and the columns that it offers, by kind."""

from __future__ import annotations

from dataclasses import dataclass, field

WORDS = ("user_id", "url", "os", "city", "raw")
NUMBERS = ("amount", "big", "minutes")
DOUBLES = ("score", "rate")
FLAGS = ("flag", "is_bot")
TIMES = ("ts", "seen")


@dataclass(frozen=True)
class Source:
    """Ways to name columns, by the kind of their values; `q`: the name before the dot, if any."""

    from_: str
    with_: tuple[str, ...] = ()
    q: str = ""
    words: tuple[str, ...] = WORDS
    numbers: tuple[str, ...] = NUMBERS
    doubles: tuple[str, ...] = DOUBLES
    flags: tuple[str, ...] = FLAGS
    times: tuple[str, ...] = TIMES
    decimals: tuple[str, ...] = ("price",)
    days: tuple[str, ...] = ("day",)
    structs: tuple[str, ...] = ("device", "place")
    maps: tuple[str, ...] = ("attrs",)
    arrays: tuple[str, ...] = ("tags",)
    arrival: str = "seq"
    # columns that stand in two relations, and must be written with a name before the dot
    qualified: frozenset[str] = field(default_factory=frozenset)


def _below(from_: str, *with_: str, q: str = "", words: tuple[str, ...]) -> Source:
    """A source that hands up few columns under names of its own."""
    return Source(
        from_, with_, q, words, ("amount", "n"), ("score",), ("flag",), ("ts", "seen"),
        ("price",), (), ("device",), ("attrs",), ("tags",),
    )  # fmt: skip


_SOME = "amount, minutes as n, score, flag, ts, seen, price, device, attrs, tags, seq"

SOURCES = (
    Source("{events}", q="events"),
    Source("{events} e", q="e"),
    Source("{events} as E", q="e"),
    Source("(select * from {events} where is_bot is not true) q", q="q"),
    Source("(select * from {events}) as q", q="q"),
    # a CTE with the name of a table
    Source("people", ("people as (select * from {events} where seq >= 0)",), q="people"),
    Source("p", ("p as (select *, upper(url) as page from {events})",), q="p",
           words=(*WORDS, "page")),
    _below("b", "a as (select *, lower(url) as page from {events})",
           f"b as (select user_id as u, page, os, {_SOME} from a where page is not null)", q="b",
           words=("u", "page", "os")),
    _below(f"(select lower(url) as url, city as os, user_id, {_SOME} from {{events}} x) y", q="y",
           words=("url", "os", "user_id")),
    _below("events2 z", f"events2 as (select attrs['source'] as source, url, {_SOME} "
           "from {events})", q="z", words=("source", "url")),
    Source("{events} e join {people} p on e.user_id = p.user_id", q="e",
           words=("e.user_id", "p.name", "name", "e.url", "p.url", "os"),
           numbers=("amount", "level", "p.level"), doubles=("score", "p.weight"),
           qualified=frozenset(("user_id", "url"))),
    Source("{events} e left join {people} p on e.user_id <=> p.user_id and p.level > 1", q="e",
           words=("p.user_id", "p.name", "e.url", "city"), numbers=("e.amount", "level"),
           qualified=frozenset(("user_id", "url"))),
    Source("{events} e left join {people} p using (user_id)", q="e",
           words=("user_id", "name", "e.url", "p.url", "e.os"), numbers=("amount", "p.level"),
           qualified=frozenset(("url",))),
    # of the two columns the left one has no relation to be named by
    Source("(select * from {events}) left join {people} p using (user_id)",
           words=("user_id", "p.user_id", "name", "p.url", "os"), numbers=("amount", "p.level")),
    Source("{events} join {codes} using (os)", q="events",
           words=("os", "label", "events.url", "codes.label"), flags=("flag", "is_new")),
    Source("{events} e left join {codes} c on c.os = e.device.os", q="e",
           words=("c.os", "e.os", "label", "e.device.os"), flags=("is_new", "e.flag"),
           qualified=frozenset(("os",))),
    Source("{events} e left semi join {people} p on p.user_id = e.user_id", q="e"),
    Source("{events} e left join (select user_id as id, max_level from (select user_id, level as "
           "max_level from {people}) i) p on p.id = e.user_id", q="e",
           numbers=("max_level", "amount")),
    # what is joined is read whole
    Source("{events} e left join (select user_id, max(level) as top, count(*) as times from "
           "{people} group by user_id having count(*) > 0) g on g.user_id = e.user_id", q="e",
           words=("e.user_id", "g.user_id", "url"), numbers=("top", "times", "g.top"),
           qualified=frozenset(("user_id",))),
    Source("{events} e left join newest on newest.user_id = e.user_id and latest = 1",
           ("newest as (select user_id, name, level, row_number() over (partition by "
            "upper(user_id) order by level desc, user_id) as latest from {people})",), q="e",
           words=("newest.name", "e.user_id", "name"), numbers=("level", "newest.level"),
           qualified=frozenset(("user_id",))),
    _below("enriched", "labels as (select distinct os, label from {codes} union select 'web', "
           "min(name) from {people})", f"enriched as (select e.os, label, url, {_SOME} from "
           "{events} e left join labels on labels.os = e.os)", q="enriched",
           words=("label", "os", "url")),
    Source("{events} lateral view explode(tags) t as tag", q="events",
           words=("user_id", "tag", "t.tag", "url")),
    Source("{events} e lateral view outer explode(sizes) t as size", q="e",
           words=("user_id", "url"), numbers=("size", "amount")),
)  # fmt: skip
