"""UNION ALL is read where no row of one side can have the partition of one of the other."""

from __future__ import annotations

import pytest

from tests.plain_sql.answering import planned_alone

OF_TWO = "select *, 'v' as p from v union all select *, 'w' from w"
TOLD_APART = [
    OF_TWO,
    "select seq, 'v' as p, x from v union all (select seq, 'w', y from w)",
    "select 'v' as p, * from v union all select 'w', * from w",
    "select *, 1 as p from v union all select *, 2 from w",
    "select *, 1L as p from v union all select *, -2S from w union all select *, -1 from x",
    "select *, string('v') as p from v union all select *, string(('w')) from w",
    "select *, cast('v' as string) as p from v union all select *, cast(('w') as string) from w",
    "select *, concat_ws('-', 'v', part) as p from v union all select *, concat_ws('-', 'w', x) "
    "from w",
    "select *, 'v' as p from v union all select *, concat_ws('-', 'w', part) from w",
    "select *, 'v' as p from v union all select *, 'vw' from w union all select *, 'w' from x",
    "select *, 'v' as p from v union all (select *, 'w' as q from w union all "
    "select *, 'x' from x)",
    f"select seq, concat_ws('-', q, part) as p from ({OF_TWO.replace('as p', 'as q')}) t",
    f"select seq, concat_ws('-', concat_ws('', (t.p)), part) as p from ({OF_TWO}) t union all "
    "select *, 'x' from x",
    f"select *, p from (select * except (p), p from ({OF_TWO}) t) t",
    f"select seq, q as p from ({OF_TWO.replace('as p', 'as q')}) t",
    "with b as (select seq, 'v' as p from v), c as (select seq, 'w' as q from w) "
    "select * from b union all select * from c",
    "select * from (select seq, 'v' from v union all select seq, 'w' from w) as t(seq, p)",
    f"select t.*, name from ({OF_TWO}) t left join people using (user_id)",
    f"select t.*, name from ({OF_TWO}) t join people using (p)",
    f"select t.p, seq from people join ({OF_TWO}) as t on t.x = people.x",
    f"select p, item from ({OF_TWO}) t lateral view explode(items) e as item",
    # what is only joined has no order of arrival
    f"select s.*, s.x as p from s left join ({OF_TWO.replace(' as p', '')}) t using (id)",
]
MAY_BE_ONE = {
    "a column of each": "select *, part as p from v union all select *, part from w",
    "a star of each": "select * from v union all select * from w",
    "one value": "select *, 'v' as p from v union all select *, 'v' from w",
    "a value and a column": "select *, 'v' as p from v union all select *, part from w",
    "a text and a number": "select *, '1' as p from v union all select *, 1 from w",
    "one number": "select *, 1 as p from v union all select *, 01 from w",
    "one number of two types": "select *, 1L as p from v union all select *, 1 from w",
    "a number beyond its type": "select *, cast(257 as tinyint) as p from v union all "
    "select *, 1Y from w",
    "one negative number": "select *, -128Y as p from v union all "
    "select *, -cast(-128 as tinyint) from w",
    "a number of another type": "select *, cast(1 as boolean) as p from v union all "
    "select *, cast(2 as boolean) from w",
    "one text of two": "select *, string('v') as p from v union all select *, 'v' from w",
    "a null": "select *, 'v' as p from v union all select *, null from w",
    "nulls": "select *, 'v' || x as p from v union all select *, 'w' || x from w",
    "cut off": "select *, cast('v1' as char(1)) as p from v union all select *, 'v' from w",
    "one start": "select *, concat_ws('', 'v', x) as p from v union all "
    "select *, concat_ws('', 'vv', x) from w",
    "another place": "select seq, 'v' as p, x from v union all select seq, part, 'w' as p from w",
    "behind a star": "select *, 'v' as p from v union all select 'w', * from w",
    "between stars": "select t.*, 'v' as p, t.* from v t union all select t.*, 'w', t.* from w t",
    "behind what makes columns": "select posexplode(x), 'v' as p from v union all "
    "select posexplode(x), 'w', 1 from w",
    "one of two": "select *, 'v' as p from v union all (select *, 'w' as p from w union all "
    "select *, 'w' from x)",
    "another two": "select *, 'v' as p from v union all select *, 'w' from w union all "
    "select *, 'v' from x",
    "above it": "select *, 'v' as p from (select * from v union all select * from w) t",
    "hidden": f"select seq, at, 'x' as p from ({OF_TWO}) t",
    "hidden on one way of two": f"with b as ({OF_TWO}) select seq, p from b union all "
    "select seq, 'x' from b",
    "hidden on the first way": f"with b as ({OF_TWO}) select seq, 'x' as p from b union all "
    "select seq, p from b",
    "read twice as it is": f"with b as ({OF_TWO}) select * from b union all select * from b",
    "put together above it": f"select seq, p || 'x' as p from ({OF_TWO}) t",
    "put together with one start": "select seq, concat_ws('', p, part) as p from "
    "(select *, 'v' as p from v union all select *, 'vw' from w) t",
    "put together behind another": f"select seq, concat_ws('-', part, p) as p from ({OF_TWO}) t",
    "put together with nothing": f"select seq, concat_ws(null, p, part) as p from ({OF_TWO}) t",
    "put together of numbers": "select seq, concat_ws('', p, part) as p from "
    "(select *, 1 as p from v union all select *, 2 from w) t",
    "put together of no text": "select seq, concat_ws('', p, part) as p from "
    "(select *, '' as p from v union all select *, 'w' from w) t",
    "of another table": "select t.*, s.p from (select seq from x union all select seq from y) t "
    f"join ({OF_TWO}) s using (id)",
    "null where no row is found": "select v.seq, p from v left join (select id, 'v' as p from x) a "
    "using (id) union all select w.seq, p from w left join (select id, 'w' as p from y) b "
    "using (id)",
    "of both by USING": "select v.seq, p from v join (select '1' as p from x) a using (p) "
    "union all select w.seq, p from w join (select '01' as p from y) b using (p)",
    "of both by USING, in brackets": "select seq, p from v join (x join (select '1' as p from y) a)"
    " using (p) union all select seq, '01' as p from w",
    "of a field": f"select seq, t.s.p from ({OF_TWO}) t",
}


def _problems(query: str, partition: str | list[str] = "p") -> list[str]:
    text = f"with a as ({query}) select k, count(*) as n from a group by k, window(at, '1 hour')"
    plan = planned_alone(text, arrival_order="seq", partition=partition)
    return [problem["problem"] for problem in plan.get("problems", ())]


@pytest.mark.parametrize("query", TOLD_APART)
def test_told_apart(query: str) -> None:
    assert _problems(query) == []


def test_one_that_is_read_twice() -> None:
    twice = "select *, 'once' as q from b union all select *, 'again' from b"
    assert _problems(f"with b as ({OF_TWO}) {twice}", ["p", "q"]) == []


@pytest.mark.parametrize("name", MAY_BE_ONE)
def test_may_be_one(name: str) -> None:
    (problem,) = _problems(MAY_BE_ONE[name])
    assert problem.startswith("UNION ALL reads two sources")


def test_one_that_is_only_looked_up() -> None:
    two, new = "(select id from v union all select id from w) d", "s"
    text = "select k, count(*) as n from {} join {} using (id) group by k, window(at, '1 hour')"
    (problem,) = planned_alone(text.format(two, new), arrival_order="s.seq")["problems"]
    assert "join them, behind the table that gets new rows" in problem["mend"]
    assert "problems" not in planned_alone(text.format(new, two), arrival_order="s.seq")
