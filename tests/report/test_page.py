"""The page: each part from fixed answers, hostile text, its size, and what it asks of others."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("matplotlib", reason="pages need the extra [report]: matplotlib")

from dbt_event_windows.report.asking import Answer
from dbt_event_windows.report.charts.lateness_chart import WIDE, lateness_chart
from dbt_event_windows.report.charts.standalone import timeline_file
from dbt_event_windows.report.errors import AskError, ReportError
from dbt_event_windows.report.health import read_health
from dbt_event_windows.report.lateness import read_lateness
from dbt_event_windows.report.making import Source, report_on_model, report_on_source
from dbt_event_windows.report.model_facts import read_facts
from dbt_event_windows.report.sections.health_section import warnings
from dbt_event_windows.report.timeline import read_timeline
from dbt_event_windows.report.times import DAY, HOUR, MINUTE, SECOND
from tests.report.answers import FACTS, HOSTILE, TIMELINE, FixedAsker, late, refresh, row, window

KEY = {"user_id": "ann"}
VOID = {"meta", "br", "hr", "img", "link", "input"}


class Reader(HTMLParser):
    """Collects tags, and fails where they do not close each other."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def made(key: dict[str, str] | None = None, **answers: Any) -> str:
    return report_on_model(FixedAsker(answers), "visits", key)


@pytest.fixture(scope="module")
def page() -> str:
    return made(KEY)


def test_all_parts_are_there(page: str) -> None:
    ids = [given["id"] for tag, given in Reader(page).tags if tag == "section"]
    assert ids == ["grace", "refreshes", "key", "health", "followers"]


def test_it_asks_nothing_of_anybody(page: str) -> None:
    tags = Reader(page).tags
    assert not {"script", "link", "img", "iframe", "image", "foreignobject"} & {t for t, _ in tags}
    links = [v for _, given in tags for name, v in given.items() if name.endswith(("href", "src"))]
    assert links
    assert all(link is not None and link.startswith("#") for link in links)
    assert "@import" not in page
    assert all(place.startswith("#") for place in re.findall(r"url\(([^)]*)\)", page))


def test_every_id_is_there_once_and_every_reference_has_one(page: str) -> None:
    tags = Reader(page).tags
    ids = [given["id"] for _, given in tags if "id" in given]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r"url\(#([^)]*)\)", page)) | set(re.findall(r'href="#([^"]*)"', page))
    assert used <= set(ids)


def test_every_picture_has_a_text_in_its_place(page: str) -> None:
    pictures = [given for tag, given in Reader(page).tags if tag == "svg"]
    assert [given["class"] for given in pictures] == ["wide", "narrow"] * 3
    assert all(given["role"] == "img" and given["aria-label"] for given in pictures)
    assert page.count("<figcaption>") == 3


def test_colours_are_those_of_the_page(page: str) -> None:
    drawn = "".join(re.findall(r"<svg.*?</svg>", page, re.DOTALL))
    assert "var(--main)" in drawn
    assert set(re.findall(r"(?:fill|stroke): (#\w+)", drawn)) <= {"#ffffff"}
    assert "prefers-color-scheme: dark" in page


def test_grace_table_marks_todays(page: str) -> None:
    [marked] = re.findall(r'<tr class="marked"><td class="short">1 day</td>.*?</tr>', page)
    assert "today&#x27;s grace" in marked
    assert '<td class="number">50</td>' in marked
    assert "1 day later" in page


def test_the_slowest_and_the_latest_refresh_are_named(page: str) -> None:
    assert "The latest ended at 2024-05-02 14:00:00 UTC (run run-29)" in page
    assert "The slowest ended at 2024-05-01 15:00:00 UTC (run run-6)" in page


def test_pointing_at_a_row_a_window_or_a_refresh_tells_its_values(page: str) -> None:
    titles = set(re.findall(r"<title>(.*?)</title>", page))
    assert (
        "row 10, event time 2024-04-29 08:00:00, stream time 2024-05-01 11:10:00, 2 days 3 hours "
        "behind, not counted in full: late"
    ) in titles
    assert "2024-05-01 09:00:00 to 2024-05-01 10:30:00, 5 rows, open" in titles
    assert any(title.startswith("2024-05-01 15:00:00 UTC: 1,006 rows read") for title in titles)
    assert "today's grace: 1 day" in titles


def test_rows_that_no_refresh_has_read_are_told_from_those_that_count() -> None:
    facts = FACTS | {"through": [[None, 9]], "key": []}
    unread = [("row", row(9, 130, 130)), ("row", row(11, 140, 140))]
    page = made(facts=[("model", facts)], timeline=unread)
    titles = re.findall(r"<title>row (\d+), .*?, (counted|not read yet)</title>", page)
    assert dict(titles) == {"9": "counted", "11": "not read yet"}
    assert "row that no refresh has read yet" in page
    assert "All of these rows that were read count in full." in page
    unread = [("row", row(11, 140, 140))]
    assert "row that counts" not in made(facts=[("model", facts)], timeline=unread)


def test_health_says_what_is_wrong(page: str) -> None:
    for words in (
        "A clock is 2 days in the future",
        "below the last one read, and not read: 3 rows.",
        "In the source, and read by no refresh: 7 rows.",
        "1 key: the latest clock would close windows that are open",
        "dropped: late",
    ):
        assert words in page


def test_skipped_rows_may_have_been_counted_since_with_their_keys() -> None:
    ledger = {"read": 1000, "skipped": 3, "rebuilt": 2}
    page = made(accounts=[("ledger", ledger), ("source", {"n": 1000})])
    assert (
        "below the last one read, and not read then: 3 rows. Those whose keys were made anew since "
        "are counted; a full refresh counts the others."
    ) in page


def test_a_model_without_a_key_takes_none() -> None:
    with pytest.raises(
        ReportError, match=r"--key has user_id, and visits has no key: leave it out"
    ):
        made(KEY, facts=[("model", FACTS | {"key": []})])


def test_health_and_timeline_mark_windows_that_are_kept_and_not_shown(page: str) -> None:
    kept = window(0, 90, 1, shown=False)
    made_of = made(
        {"user_id": "ann"},
        facts=[("model", FACTS | {"having": True})],
        health=[("windows", {"all": 3, "open": 3, "not_shown": 1}), ("largest", kept)],
        timeline=[*TIMELINE, ("window", kept)],
    )
    assert "<dt>kept, not shown: HAVING</dt><dd>1</dd>" in made_of
    assert "Windows that do not meet HAVING now are kept, and are among these" in made_of
    assert made_of.count("open, kept, not shown: HAVING</td>") == 2
    assert "not shown" not in page


def test_health_says_that_windows_were_left_out_by_having(page: str) -> None:
    words = "Closed windows that do not meet HAVING were not published, and are not among these."
    assert words in made(facts=[("model", FACTS | {"having": True, "emit": "final"})])
    assert "HAVING" not in page


def test_of_refreshes_of_one_run_one_is_the_slowest() -> None:
    of_run = [("refresh", refresh(number, run_id="one")) for number in range(7)]
    page = made(refreshes=[*of_run, ("slowest", refresh(6, run_id="one")), ("all", {"n": 7})])
    assert page.count('<tr class="marked"><td class="short">2024-05-01 15:00:00') == 1
    refreshes = page.split('id="refreshes"')[1].split("</section>")[0]
    assert refreshes.count('<tr class="marked">') == 1


def test_rows_without_a_time_are_told_beside_the_picture() -> None:
    timeless = row(3, 0, 90, "null_event_time", time=None, needed=None)
    lines = [("row", row(2, 90, 90)), ("row", timeless), ("all", {"n": 2})]
    for shown in (lines, lines[1:]):
        page = made(KEY, timeline=shown)
        Reader(page)
        assert "Rows that do not count in full" in page
        assert page.count("null_event_time") == 2
        assert ("1 row without an event time" in page) == ("<figcaption>1 row of" in page)
    assert "All of these rows" not in page


def test_without_a_key_there_is_no_timeline() -> None:
    asker = FixedAsker()
    assert 'id="key"' not in report_on_model(asker, "visits")
    assert not [question for question in asker.asked if "timeline" in question]


def test_hostile_text_is_text() -> None:
    facts = FACTS | {"name": HOSTILE, "key": [HOSTILE], "event_time": HOSTILE}
    lines = [
        ("row", row(1, 0, 0, HOSTILE, key=[HOSTILE], partition=HOSTILE)),
        ("window", window(0, 0, 1)),
        ("largest", {"key": [HOSTILE], **window(0, 0, 1)}),
        ("idle", {"key": [HOSTILE], "windows": 1, "end": 0}),
        ("clocks", {"n": 1, "latest": 0, "median": 0, "now": 0}),
        ("fast", {"key": [HOSTILE], "clock": 0}),
        ("dropped", {"reason": HOSTILE, "n": 1}),
        ("refresh", refresh(1, run_id=HOSTILE)),
        ("slowest", refresh(1, run_id=HOSTILE)),
    ]
    names = ("timeline", "health", "refreshes")
    answers: dict[str, Any] = dict.fromkeys(names, lines)
    page = made({HOSTILE: HOSTILE}, facts=[("model", facts)], accounts=None, **answers)
    reader = Reader(page)
    assert "script" not in {tag for tag, _ in reader.tags}
    assert "alert('x')" in "".join(reader.texts)
    assert "\x00" not in page
    assert "\x1b" not in page
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(svg)


def test_a_question_without_an_answer_leaves_the_rest() -> None:
    page = made(lateness=None, accounts=None)
    Reader(page)
    assert "This could not be asked." in page
    assert "&lt;script&gt;" in page
    assert "rows unaccounted for" not in page
    assert "The slowest ended" in page


def test_a_model_that_cannot_be_asked_is_an_error() -> None:
    with pytest.raises(AskError):
        made(facts=None)
    with pytest.raises(ReportError, match="run it first"):
        made(facts=[])


def test_a_key_that_is_none_of_the_model_is_an_error() -> None:
    with pytest.raises(ReportError, match="the key of visits is user_id"):
        made({"user": "ann"})


def test_a_model_without_anything() -> None:
    page = made(KEY, lateness=[], refreshes=[], timeline=[], health=[], accounts=[])
    Reader(page)
    for words in ("no rows to measure", "no refresh of this model", "no rows and no windows"):
        assert words in page


@pytest.mark.parametrize("clock", [-62_135_596_800_000_000, 253_402_300_799_999_999])
def test_times_at_the_ends_of_the_calendar(clock: int) -> None:
    line = {"key": ["ann"], "time": clock, "arrival": 1, "clock": clock, "needed": 0}
    Reader(made(KEY, timeline=[("row", line)]))


def test_a_million_late_rows_make_a_page_below_two_megabytes() -> None:
    steps = [(int(SECOND * 1.2**number), 5000) for number in range(100)]
    every = [(int(2 ** (number / 4)), 2500) for number in range(4, 200)]
    rows = [("row", row(n, n, n, "late" if n % 2 else None)) for n in range(400)]
    windows = [("window", window(n, n + 30, 7)) for n in range(400)]
    page = made(
        KEY,
        lateness=late("behind", *every) + late("needed", *steps, *every),
        timeline=rows + windows + [("all", {"n": 1_000_000})],
        refreshes=[("refresh", refresh(number)) for number in range(120)],
    )
    assert "Of 490,000 rows, the share" in page
    assert "the last of 1000000" in page
    assert len(page.encode()) < 2_000_000


def test_before_there_is_a_model() -> None:
    source = Source("db.clicks", ("user_id", "shop"), "at", "seq")
    page = report_on_source(FixedAsker(), source, 0.5)
    Reader(page)
    assert "windows close after their end" in page
    assert "Measured on about 50 % of the keys." in page
    assert "today" not in page


def test_a_sample_without_a_row_may_be_of_a_source_without_rows() -> None:
    larger = "No row to measure is in the sample: there is none, or it takes a larger one."
    sampled = report_on_model(FixedAsker({"lateness": []}), "visits", part=0.1)
    assert larger in sampled
    assert "no rows to measure" not in sampled
    assert larger not in made(lateness=[])
    # without an arrival order all dropped rows are measured, whatever the sample is
    of_all = FixedAsker({"lateness": [("read", {"n": 0})]})
    assert larger not in report_on_model(of_all, "visits", part=0.1)


def test_of_a_model_without_a_key_all_rows_are_measured() -> None:
    asker = FixedAsker({"facts": [("model", FACTS | {"key": []})]})
    page = report_on_model(asker, "visits", part=0.1)
    [question] = [question for question in asker.asked if "_report_lateness(" in question]
    assert question.endswith(", 1.0) }}")
    assert "% of the keys." not in page


def test_a_picture_of_its_own() -> None:
    svg = timeline_file(read_timeline(Answer(TIMELINE), KEY), 700)
    ElementTree.fromstring(svg)
    assert "prefers-color-scheme: dark" in svg
    assert "--main:" in svg


def test_a_model_without_a_key_has_its_timeline() -> None:
    page = made(facts=[("model", FACTS | {"key": []})])
    assert "7 rows of all keys by event time" in page


def test_a_clock_of_a_wall_may_be_that_of_an_eastern_zone() -> None:
    def said(hours: int, time_type: str) -> list[str]:
        facts = read_facts(Answer([("model", FACTS | {"time_type": time_type})]))
        clocks = {"n": 1, "latest": hours * HOUR, "median": 0, "now": 0}
        return warnings(read_health(Answer([("clocks", clocks)])), None, facts)

    assert said(13, "timestamp")[0].startswith("A clock is 13 hours in the future")
    assert said(13, "timestamp_ntz") == []
    assert said(15, "timestamp_ntz")[0].startswith("A clock is 1 hour in the future")


def test_the_tail_of_lateness_is_seen_where_shares_differ_by_much() -> None:
    counts = [(0, 10**6), (HOUR, 1000), (3 * DAY, 1)]
    lines = late("behind", *counts) + late("needed", *counts)
    picture = lateness_chart(read_lateness(Answer(lines), DAY), WIDE, "tail")
    assert "0.0000999 % of rows would not count in full with a grace of 1 hour" in picture
    assert ">0.0001<" in picture


def test_a_grace_and_a_gap_are_told_to_the_microsecond() -> None:
    odd, gap = DAY + 2 * HOUR + 40 * MINUTE, DAY + HOUR + MINUTE
    counts = [(0, 9), (odd, 1)]
    page = made(
        KEY,
        facts=[("model", FACTS | {"grace": odd, "gap": gap})],
        lateness=late("behind", *counts) + late("needed", *counts),
    )
    assert "2 days 2 hours 40 minutes would do" in page
    told = "1 day 2 hours 40 minutes"
    assert f"by the grace of {told} and the gap of 1 day 1 hour 1 minute." in page
    assert f"today's grace: {told}<" in page
    assert f">today: {told}<" in page
    assert f"% of rows would not count in full with a grace of {told}<" in page


def test_without_a_bounded_grace_when_windows_would_close_is_told_exactly() -> None:
    most = 400 * DAY + 2 * HOUR + 40 * MINUTE
    lines = late("behind", (most, 1)) + late("needed", (most, 1))
    page = made(facts=[("model", FACTS | {"grace": None})], lateness=lines)
    assert "400 days 2 hours 40 minutes</td>" in page
    assert "400 days 2 hours<" not in page


def test_rollups_and_how_far_they_are_behind() -> None:
    read = Reader(made())
    cells = read.texts[read.texts.index("What follows it") :]
    assert cells[cells.index("days") + 1] == "12"
    assert "its next run builds it anew" in "".join(cells)
    assert "No rollup of this model was run." in made(followers=[])
