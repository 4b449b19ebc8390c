"""How a page looks in Chromium: wide and narrow, light and dark."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="pages need the extra [report]: matplotlib")

from dbt_event_windows.report.making import report_on_model
from tests.report.answers import FixedAsker

CHROMIUM = next(
    filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the PATH")

MEASURE = """<script>
const shown = [...document.querySelectorAll('svg')].filter(svg => svg.getClientRects().length);
const pictures = shown.map(svg => {
  const box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
  const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim()).map(t => {
    const b = t.getBoundingClientRect();
    return {text: t.textContent, size: parseFloat(getComputedStyle(t).fontSize) * scale,
      left: b.left - box.left, right: b.right - box.left, top: b.top, bottom: b.bottom};
  });
  return {kind: svg.getAttribute('class'), width: box.width, texts,
    ink: getComputedStyle(svg.querySelector('text')).fill,
    titles: svg.querySelectorAll('title').length};
});
const style = getComputedStyle(document.body);
document.body.innerHTML = '';
document.body.append(Object.assign(document.createElement('pre'), {id: 'measured',
  textContent: JSON.stringify({pictures, paper: style.backgroundColor, ink: style.color,
    width: innerWidth, wanted: document.documentElement.dataset.wide * 1})}));
</script>"""
BEFORE = "<script>document.documentElement.dataset.wide = document.body.scrollWidth</script>"


def measured(folder: Path, width: int, dark: bool = False) -> dict[str, Any]:
    page = report_on_model(FixedAsker(), "visits", {"user_id": "ann"})
    # the page lets no script run; this copy does
    page = re.sub(r"<meta http-equiv[^>]*>", "", page)
    file = folder / f"{width}.html"
    file.write_text(page.replace("</body>", BEFORE + MEASURE + "</body>"))
    scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
    ended = subprocess.run(
        [
            *(str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", *scheme),
            *(f"--user-data-dir={folder / 'profile'}", f"--window-size={width},1000"),
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


@pytest.mark.parametrize(("width", "kind"), [(1200, "wide"), (400, "narrow")])
def test_it_is_legible_and_nothing_overlaps(tmp_path: Path, width: int, kind: str) -> None:
    seen = measured(tmp_path, width)
    assert seen["width"] == width
    assert seen["wanted"] <= width
    assert [picture["kind"] for picture in seen["pictures"]] == [kind] * 3
    for picture in seen["pictures"]:
        assert picture["titles"] > 3
        for place, text in enumerate(picture["texts"]):
            assert text["size"] >= 11, text
            assert text["left"] >= -1, text
            assert text["right"] <= picture["width"] + 1, text
            for other in picture["texts"][place + 1 :]:
                apart = (
                    text["right"] <= other["left"]
                    or other["right"] <= text["left"]
                    or text["bottom"] - 3 <= other["top"]
                    or other["bottom"] - 3 <= text["top"]
                )
                assert apart, (text, other)


def test_colours_follow_the_reader(tmp_path: Path) -> None:
    light, dark = measured(tmp_path, 1200), measured(tmp_path, 1200, dark=True)
    assert light["paper"] == "rgb(255, 255, 255)"
    assert dark["paper"] == "rgb(20, 23, 28)"
    for before, after in zip(light["pictures"], dark["pictures"], strict=True):
        assert before["ink"] != after["ink"]
