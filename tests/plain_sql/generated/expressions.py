"""Expressions over rows, and aggregates over them, as analysts write them."""

from __future__ import annotations

import random

from tests.plain_sql.generated.sources import Source


class Expressions:
    """Draws expressions over the columns of a source."""

    def __init__(self, draw: random.Random, source: Source) -> None:
        self.draw = draw
        self.source = source

    def column(self, kind: str) -> str:
        """A column of a kind: as it is, in other letters, or with a name before the dot."""
        names = getattr(self.source, kind)
        if not names:
            return {"days": "date(ts)", "structs": "struct(seq as zip)"}[kind]
        name: str = self.draw.choice(names)
        if "." not in name and name not in ("name", "label", "page", "tag", "size", "level"):
            must = name in self.source.qualified
            is_used = name == "user_id" and "using" in self.source.from_
            is_free = self.source.q and not is_used
            if is_free and (must or self.draw.random() < 0.3) and self._is_of_first(name):
                name = f"{self.source.q}.{name}"
        return self.draw.choice([name, name, name, name, name.upper(), f"({name})"])

    def _is_of_first(self, name: str) -> bool:
        return name not in ("is_new", "max_level") and not (name == "os" and "using" in
                                                            self.source.from_)  # fmt: skip

    def word(self) -> str:
        return self.column("words")

    def number(self) -> str:
        return self.column("numbers")

    def time(self) -> str:
        # without brackets, which Spark does not take in a time window
        return self.column("times").strip("()")

    def key(self) -> str:
        """An expression over a row, to group by."""
        word, number, time = self.word(), self.number(), self.time()
        double, flag, day = self.column("doubles"), self.column("flags"), self.column("days")
        mapped = self.column("maps")
        return self.draw.choice(
            [
                word, word, word, word, number, flag, double, self.column("decimals"),
                f"lower({word})", f"upper({word})", f"coalesce({word}, 'none')",
                f"nullif(trim({word}), '')", f"{word} <=> 'a'", f"{word} is null",
                f"concat({word}, '-', {number})", f"{word} || '/' || {self.word()}",
                f"{number} + 1", f"{number} * ({number} + 1)", f"({number} + 1) * 2",
                f"{number} > 2", f"{number} between 1 and 10", f"not {flag}",
                f"{flag} and {number} > 1 or {word} = 'a'", f"{flag} and ({number} > 1 or {flag})",
                f"case when {number} > 2 then {word} else 'few' end",
                f"case {word} when 'a' then 1 when 'A' then 2 end", f"if({flag}, 'y', 'n')",
                f"date({time})", f"cast({time} as date)", f"date_trunc('hour', {time})",
                f"hour({time})", day, f"date_format({time}, 'yyyy-MM')",
                f"{mapped}['source']", f"{mapped}['Source']", f"{mapped}.source",
                f"{mapped}.Source", f"element_at({mapped}, 'now')", f"{self.column('arrays')}[0]",
                f"size({self.column('arrays')})", f"cast({number} as string)",
                f"cast({double} as int)", f"{double} + 0", f"-{double}",
                f"regexp_replace({word}, r'\\w', 'w')", f"{word} rlike r'^\\D$'",
                f"{word} rlike r'^\\d$'", f"{word} like 'A%'", f"{word} in ('a', 'A')",
                f"coalesce({self.column('structs')}, null)", *self._fields(),
                f"named_struct('a', {word}, 'b', {flag})", f"try_cast({word} as int)", "'const'",
                f"substring({word}, 1, 1)", f"length({word}) % 2",
                *self._in_other_words(word, number, flag, time, day),
            ]
        )  # fmt: skip

    def _in_other_words(self, word: str, number: str, flag: str, time: str, day: str) -> list[str]:
        """What Spark's grammar has besides calls: casts, operators, literals, words in brackets."""
        return [
            f"{word}::string", f"{time}::date", f"({number} + 1)::string", f"{number} div 2",
            f"{number} % 3", f"!{flag}", f"{number} == 2", f"{word} <> 'a'", f"{number} & 1",
            f"{number} | 1", f"{number} ^ 1 = 3", f"~{number}", f"- {number} - -1",
            f"extract(hour from {time})", f"date_part('day', {time})",
            f"trim(both 'a' from {word})", f"trim(leading from {word})", f"trim('a' from {word})",
            f"position('a' in {word})",
            f"substring({word} from 1 for 2)", f"overlay({word} placing 'x' from 1)",
            f"{word} ilike 'A%'", f"{word} like any ('a%', 'b%')", f"{word} not in ('a')",
            f"{word} not like all ('a%', '%b')", f"{word} not like any ('a%', '%b')",
            f"{word} like 'a|%' escape '|'", f"{number} is distinct from 2", f"{flag} is true",
            f"{flag} is not false", f"decode({word}, 'a', 1, 2)", f"nvl2({word}, 1, 0)",
            f"date({time} - interval '1' hour)", f"date({time} + interval '1 02' day to hour)",
            f"timestampadd(hour, 1, {time})", f"{day} + 1", f"{day} - date '2024-01-01'",
            f"timestamp'2024-04-17' <= {time}", f"{time} < date '2024-04-17'", "x'1F'",
            f"{number} * 1e0 > 1.5bd", f"{number} + 2L", f"(({word}, {number})).col2",
            f"struct({word}).col1", f"array({number}, 1)[0]", f"array({word}, 'b')[{number} & 1]",
            f"aggregate(array(1, 2), 0, (a, x) -> a + x) + {number}", f"split({word}, '')[0]",
            f"filter(array({number}, 2), x -> x > {number})", f"if({flag}, 1, 2) = 1 or {flag}",
            f"format_string('%s!', {word})", f"to_json(struct({word} as w, {number}))",
            "get_json_object('{\"a\": 1}', '$.a')", f"case when {flag} then 1 end is null",
            f"case when {flag} then {word} end || '?'", f"not {word} = 'a'",
            f"{number} between 1 and 2 and {flag}", f"not {number} in (1, 2)",
            f"hour({time}) between 6 and 18 and {flag}", f"'it''s' || {word}",
            f'"quoted" || {word}', f"concat({word}, '\\'')", f"{word} /* as x */",
            f"{word} -- , count(*)\n", f"({word})", f"(({number}))", *self._of_several_operators(),
        ]  # fmt: skip

    def _of_several_operators(self) -> list[str]:
        """Operators that Spark binds in an order of its own, and the same with brackets."""
        number, other, flag = self.number(), self.number(), self.column("flags")
        return [
            f"{number} & 1 << 2", f"({number} & 1) << 2", f"{number} | {other} & 1",
            f"({number} | {other}) & 1", f"{number} ^ 1 & {other}", f"{number} | 2 ^ {other}",
            f"{number} & 1 << 2 | {other}", f"{number} || {other} + 1", f"~{number} & 6 ^ 1",
            f"{flag} = {number} < {other}", f"{flag} = ({number} < {other})",
            f"{flag} > {flag} in (false)", f"{flag} > ({flag} in (false))",
            f"{number} > 1 between {flag} and true", f"{number} = {other} is null",
        ]  # fmt: skip

    def _fields(self) -> list[str]:
        if "device" not in self.source.structs:
            return []
        is_named = self.source.q and self.draw.random() < 0.4
        device = f"{self.source.q}.device" if is_named else "device"
        fields = [f"{device}.os", f"{device}.Version", f"{device}.VERSION", f"{device}.app.name"]
        if "place" in self.source.structs:
            fields += ["place.city", "place.zip", "place"]
        return fields + fields

    def condition(self) -> str:
        """A condition over a row, with brackets where they matter, and where they do not."""
        word, number, flag = self.word(), self.number(), self.column("flags")
        other = self.column("flags")
        return self.draw.choice(
            [
                flag, f"not {flag}", f"{flag} or {number} > 1", f"{flag} and {number} > 1",
                f"{flag} or {other} and {number} > 1", f"({flag} or {other}) and {number} > 0",
                f"not ({flag} or {number} > 2)", f"not {flag} or {word} is not null",
                f"{word} <=> null", f"{word} is not distinct from 'a'", f"{number} in (1, 2, 3)",
                f"{self.column('doubles')} > 0", f"{word} = 'a' or {word} = 'A'",
                f"{word} not like '%x'", f"{number} between 0 and 3 or {flag} is null",
                f"{self.column('maps')}['source'] = 'x'", f"{self.time()} is not null",
                f"case when {flag} then {number} > 1 else {other} end",
                f"exists({self.column('arrays')}, x -> x = 'x')",
            ]
        )  # fmt: skip

    def aggregate(self) -> str:
        """An aggregate whose value does not depend on the order in which Spark reads rows."""
        call = self.draw.choice([*self._over_numbers(), *self._over_others()])
        if self.draw.random() < 0.35 and _is_one_call(call):
            call += f" filter (where {self.condition()})"
        return call

    def _over_numbers(self) -> list[str]:
        number, double, flag = self.number(), self.column("doubles"), self.column("flags")
        decimal, other = self.column("decimals"), self.number()
        # of all numbers: doubles whose sums are exact
        return [
            "count(*)", "count(*)", "COUNT(1)", f"count({number})", f"sum({number})",
            f"SUM( {number} )", f"avg({number})", f"min({number})", f"max({number})",
            f"sum({decimal})", f"avg({decimal})", f"max({decimal})", f"sum({double})",
            f"avg({double})", f"max({double})", f"min({double})", f"sum({number} * 2 + 1)",
            f"sum({number} - {other})", f"avg({number} - {other})", f"sum(-{number})",
            f"count_if({flag} or {number} > 2)", f"count_if(not {flag})",
            f"bool_or({flag} and {number} > 1)", f"every({flag})", f"bit_xor({number})",
            f"bit_or({number} & 3)", f"sum(case when {flag} then {number} else 0 end)",
            f"sum(cast({flag} as int))", f"sum(distinct {number})", f"sum(distinct ({number}))",
            f"count(distinct {double})", f"max(distinct {number})",
            # of doubles, into which Spark makes a bigint, it depends on their order
            f"avg(distinct cast({number} as decimal(20)))",
            f"try_sum({number})", f"median({number})", f"mode({number}, true)",
            f"percentile({number}, 0.25)", f"percentile_disc(0.5) within group (order by {number})",
            f"percentile_cont(0.5) within group (order by {number} desc)",
            f"sum(if({flag}, {decimal}, null))", f"sum({number}) / nullif(count(*), 0)",
            f"max({number}) - min({number})", f"regr_count({number}, {double})",
            f"sum({decimal} * {number})", f"sum(coalesce({number}, 0))",
            f"sum({number})::string", f"bit_and({number} | 8)", f"-sum({number}) % 7",
            f"percentile_approx({number}, array(0.2, 0.8), 100)", f"try_avg({number})",
            f"approx_percentile(distinct {number}, 0.5)", f"max({number} div 2) & 3",
            f"mode() within group (order by {number} desc)", f"count(distinct {number}, {flag})",
            f"any_value({number}) is null or true", f"sum(distinct {number}) + sum({number})",
            f"count(*) filter (where {flag}) * 100 / count(*)", f"sum({number})\n-- x\n+ 1",
            f"bit_or({number} & 1 << 2) + bit_or(({number} & 1) << 2)",
            f"bit_xor({number} | {other} & 1) || bit_xor(({number} | {other}) & 1) + 1",
        ]  # fmt: skip

    def _over_others(self) -> list[str]:
        word, other, time, flag = self.word(), self.word(), self.time(), self.column("flags")
        mapped, number = self.column("maps"), self.number()
        return [
            f"count({word})", f"count(distinct {word})", f"count(distinct({word}))",
            f"count(DISTINCT {word}, {other})", f"count(distinct ({word}, {flag}))",
            f"count(distinct lower({word}))", f"count({word}, {number})", f"min({word})",
            f"max(lower({word}))", f"min({time})", f"max({time})", f"max(date({time}))",
            f"min_by({word}, seq)", f"max_by({self.column('doubles')}, seq)",
            f"max_by({word}, struct({number}, seq))", f"max(struct({number}, {word}))",
            f"max(struct({number}, seq, {flag})).seq", f"sort_array(collect_set({word}))",
            f"array_sort(collect_list({word}))", f"array_sort(array_agg({number}))",
            f"size(collect_list({word}))", f"max(length({word}))", f"any({word} = 'a')",
            f"some({flag} or {word} is null)", f"approx_count_distinct({word}, 0.01)",
            f"approx_count_distinct({flag} or {number} > 1)", f"max({mapped}['source'])",
            f"min({mapped}.Source)", f"count(distinct {mapped}['a'])",
            f"array_sort(array_distinct(collect_list({word})))", f"count_if({word} <=> null)",
            f"array_sort(transform(collect_list({number}), x -> x * 2))", f"count_if({flag})",
            f"max(coalesce({word}, {other}, ''))", f"bool_and({word} rlike r'\\d')",
            f"max(case when {word} = 'a' then {time} end)",
            f"listagg({word}, ',') within group (order by {word})", f"count(all {word})",
            f"string_agg(distinct {word}, '; ') within group (order by {word})",
            f"sort_array(collect_list(distinct {word}), false)", f"max({word}) ilike 'a%'",
            f"size(collect_set({word}) filter (where {flag}))", f"max({time})::date",
            f"max({time}) - min({time})", f"extract(hour from max({time}))",
            f"count(*) == count({word})", f"count_if({word} = 'a') / count(*)::double",
            f"max_by(struct({word}, {number}), seq).col1", f"!bool_or({flag})",
            f"array_sort(collect_list(struct({number}, {word})), (a, b) -> "
            "case when a.seq is null then 0 else 0 end) is null",
            f"(max({number}), max({word})) = (1, 'a')", f"max({word}) || min({word})",
        ]  # fmt: skip


def _is_one_call(sql: str) -> bool:
    """Whether this is an aggregate alone, which may have a FILTER."""
    name, _, rest = sql.partition("(")
    depth = [rest[:place].count("(") - rest[:place].count(")") for place in range(len(rest))]
    return name not in ("size", "sort_array", "array_sort") and min(depth) == 0
