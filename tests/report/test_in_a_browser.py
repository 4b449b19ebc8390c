"""How a page looks in Chromium: wide and narrow, light and dark."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import escape, unescape
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="pages need the extra [report]: matplotlib")

from dbt_event_windows.report.making import report_on_model
from dbt_event_windows.report.times import DAY, HOUR, MINUTE
from tests.report.answers import START, FixedAsker, late, refresh, row, window

CHROMIUM = next(
    filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the PATH")

# Headless windows are no narrower than 500 pixels, frames are; and a page lets no script run, so
# that it is measured from outside.
OUTSIDE = """<!DOCTYPE html><meta name="color-scheme" content="light dark">
<body style="margin: 0"><iframe style="border: 0; color-scheme: light dark; height: 5000px;
width: WIDTHpx" srcdoc="PAGE"></iframe><script>
onload = () => {
  const frame = document.querySelector('iframe'), inner = frame.contentDocument;
  const look = frame.contentWindow, seen = element => element.getClientRects().length;
  const box = thing => { const b = thing.getBoundingClientRect();
    return [b.left, b.top, b.right, b.bottom].map(n => Math.round(10 * n) / 10); };
  const paper = element => { for (let at = element; at; at = at.parentElement) {
    const colour = look.getComputedStyle(at).backgroundColor;
    if (!/, 0\\)$/.test(colour)) return colour; } };
  inner.querySelectorAll('details').forEach(folded => folded.open = true);
  const words = [], walk = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, parent = text.parentElement;
    if (!text.data.trim() || !seen(parent) || parent.closest('title')) continue;
    const style = look.getComputedStyle(parent), svg = parent.closest('svg');
    const range = inner.createRange(); range.selectNodeContents(text);
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    words.push({text: text.data, size: parseFloat(style.fontSize) * scale, picture: !!svg,
      scrolls: !svg && !!parent.closest('.scroll'), ink: svg ? style.fill : style.color,
      paper: paper(svg ? svg.parentElement : parent),
      boxes: svg ? [box(parent)] : [...range.getClientRects()].map(b => [b.left, b.top, b.right,
        b.bottom])});
  }
  const pictures = [...inner.querySelectorAll('svg')].filter(seen).map(svg => ({
    kind: svg.getAttribute('class'), box: box(svg), label: svg.getAttribute('aria-label'),
    role: svg.getAttribute('role'), titles: svg.querySelectorAll('title').length,
    caption: svg.closest('figure').querySelector('figcaption').textContent,
    marks: [...svg.querySelectorAll('use')].filter(m => m.querySelector('title')).map(box)}));
  const found = {pictures, words, wanted: inner.documentElement.scrollWidth,
    loaded: look.performance.getEntriesByType('resource').length};
  document.body.replaceChildren(Object.assign(document.createElement('pre'),
    {id: 'measured', textContent: JSON.stringify(found)}));
};
</script>"""

# As much as there can be: windows that overlap, pauses, a row of each kind, all sizes of numbers.
FULL: dict[str, Any] = {
    "lateness": late("behind", *[(2**n * MINUTE // 60, 10 ** (7 - n // 4)) for n in range(28)])
    + late("needed", (0, 9 * 10**7), (5 * DAY, 10**4), (400 * DAY, 3)),
    "refreshes": [
        ("refresh", refresh(n, rows_read=10 ** (n % 8), rows_late=n, stream_time=START - n * HOUR))
        for n in range(120)
    ]
    + [("slowest", refresh(6)), ("all", {"n": 5000})],
    "timeline": [
        *[
            ("row", row(10**9 + n, 7 * n, 7 * n, "late_partial" if n % 9 == 5 else None))
            for n in range(60)
        ],
        ("row", row(10**9 + 60, -90_000, 7 * 59, "late")),
        *[("window", window(30 * n, 30 * n + 60, 12345, closed=n < 4)) for n in range(14)],
        ("all", {"n": 61}),
    ],
}
FEW: dict[str, Any] = {
    "lateness": late("behind", (0, 1)) + late("needed", (0, 1)),
    "refreshes": [("refresh", refresh(1)), ("slowest", refresh(1)), ("all", {"n": 1})],
    "timeline": [("row", row(1, 0, 0)), ("window", window(0, 0, 1)), ("all", {"n": 1})],
}


def measured(folder: Path, width: int, answers: dict[str, Any], dark: bool) -> dict[str, Any]:
    page = report_on_model(FixedAsker(answers), "visits", {"user_id": "ann"})
    file = folder / f"{width}.html"
    file.write_text(OUTSIDE.replace("WIDTH", str(width)).replace("PAGE", escape(page)))
    scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    ended = subprocess.run(
        [
            *(str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", *scheme),
            *(f"--user-data-dir={folder / 'profile'}", "--window-size=1300,1000"),
            *("--dump-dom", file.as_uri()),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    found = re.search(r'<pre id="measured">(.*?)</pre>', ended.stdout, re.DOTALL)
    assert found, ended.stderr
    return dict(json.loads(unescape(found[1])))


def overlap(one: list[float], other: list[float], by: float) -> bool:
    """Whether two boxes share more than `by` pixels in both directions."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide > by and high > by


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2 for two colours, `rgb(1, 2, 3)` each."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted([light(one), light(other)])
    return (bright + 0.05) / (dark + 0.05)


PAGES: dict[str, dict[str, Any]] = {"usual": {}, "full": FULL, "few": FEW}
LOOKS = [(name, width, dark) for name in PAGES for width in (1200, 400) for dark in (False, True)]
QUICK = [("full", 1200, False), ("full", 400, True)]


@pytest.mark.parametrize(
    ("name", "width", "dark"),
    [pytest.param(*look, marks=[] if look in QUICK else pytest.mark.slow) for look in LOOKS],
)
def test_it_is_legible_and_nothing_overlaps(
    tmp_path: Path, name: str, width: int, dark: bool
) -> None:
    answers = PAGES[name]
    seen = measured(tmp_path, width, answers, dark)
    assert seen["wanted"] <= width
    assert seen["loaded"] == 0
    kind = "wide" if width > 900 else "narrow"
    assert [picture["kind"] for picture in seen["pictures"]] == [kind] * 3
    for picture in seen["pictures"]:
        left, top, right, bottom = picture["box"]
        assert picture["role"] == "img"
        assert len(picture["label"]) > 20
        assert len(picture["caption"]) > 20
        assert picture["titles"] >= 2
        texts = [
            word
            for word in seen["words"]
            if word["picture"] and top <= word["boxes"][0][1] <= bottom
        ]
        assert texts
        for word in texts:
            [place] = word["boxes"]
            assert place[0] >= left - 1, word
            assert place[2] <= right + 1, word
            assert place[3] <= bottom + 1, word
            for mark in picture["marks"]:
                assert not overlap(place, mark, 2), (word, mark)
    for word in seen["words"]:
        assert word["size"] >= 12, word
        assert contrast(word["ink"], word["paper"]) >= 4.5, word
        assert word["scrolls"] or word["boxes"][0][2] <= width, word
    for one, other in combinations(seen["words"], 2):
        for box in one["boxes"]:
            for second in other["boxes"]:
                assert not overlap(box, second, 2.5), (one, other)


@pytest.mark.slow
def test_colours_follow_the_reader(tmp_path: Path) -> None:
    light, dark = (measured(tmp_path, 1200, {}, dark) for dark in (False, True))
    assert {word["paper"] for word in light["words"]} >= {"rgb(255, 255, 255)"}
    assert {word["paper"] for word in dark["words"]} >= {"rgb(20, 23, 28)"}
    for before, after in zip(light["words"], dark["words"], strict=True):
        assert before["ink"] != after["ink"]
