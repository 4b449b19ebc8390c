"""How a page looks: light and dark, from 320 pixels on."""

from __future__ import annotations

COLOURS = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1c1f24; --quiet: #5b6470;
  --grid: #e1e5ea; --line: #98a2ae; --main: #1d63c4; --soft: #d5e4f9; --bad: #c62828;
  --mark: #fff3cd; --font: system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171c; --ink: #e8eaed; --quiet: #a5adb8;
  --grid: #2b313a; --line: #6b7684; --main: #74aaf5; --soft: #1f3a60; --bad: #ff7b72;
  --mark: #453a12; } }
"""

STYLE = (
    COLOURS
    + """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 16px; max-width: 1080px; background: var(--paper);
  color: var(--ink); font: 16px/1.5 var(--font); overflow-wrap: anywhere; }
h1 { font-size: 26px; line-height: 1.25; margin: 8px 0; }
h2 { font-size: 20px; line-height: 1.3; margin: 40px 0 8px; padding-top: 8px;
  border-top: 1px solid var(--grid); }
h3 { font-size: 16px; margin: 24px 0 4px; }
p { margin: 8px 0; max-width: 75ch; }
nav a { margin-right: 16px; display: inline-block; }
a { color: var(--main); }
figure { margin: 16px 0; }
figcaption, .about { color: var(--quiet); font-size: 14px; max-width: 75ch; }
.scroll { overflow-x: auto; max-width: 100%; }
svg { display: block; width: 100%; height: auto; }
svg *{ stroke-linejoin: round; stroke-linecap: butt; }
svg.wide { display: none; }
svg.narrow { min-width: 340px; max-width: 520px; }
@media (min-width: 900px) { svg.wide { display: block; min-width: 860px; }
  svg.narrow { display: none; } }
table { border-collapse: collapse; font-size: 14px; margin: 8px 0; overflow-wrap: normal; }
th, td { padding: 5px 7px; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--grid); }
th { color: var(--quiet); font-weight: 600; vertical-align: bottom; }
.short { white-space: nowrap; } .long { min-width: 15ch; overflow-wrap: anywhere; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
th.number { white-space: normal; }
tr.marked td { background: var(--mark); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 0;
  margin: 8px 0; font-size: 14px; }
.legend li { display: flex; gap: 8px; align-items: baseline; }
.swatch { flex: none; width: 14px; height: 14px; border-radius: 3px; align-self: flex-start;
  margin-top: 4px; background: var(--main); }
.swatch.bad { background: var(--bad); } .swatch.ink { background: var(--ink); }
.swatch.dot { border-radius: 50%; width: 11px; height: 11px; margin: 5px 1px 0 2px; }
.swatch.ring { background: none; border: 2px solid var(--quiet); border-radius: 50%;
  width: 11px; height: 11px; margin: 5px 1px 0 2px; }
.swatch.line, .swatch.dash, .swatch.mark { background: none; border-top: 3px solid var(--ink);
  height: 0; border-radius: 0; margin-top: 10px; }
.swatch.dash { border-top: 3px dashed var(--quiet); } .swatch.mark { border-color: var(--bad); }
.swatch.cross { background: linear-gradient(45deg, transparent 38%, var(--bad) 38% 62%,
  transparent 62%), linear-gradient(-45deg, transparent 38%, var(--bad) 38% 62%,
  transparent 62%); border-radius: 0; }
.swatch.soft { background: var(--soft); border: 2px solid var(--main); }
.swatch.closed { background: var(--grid); border: 2px solid var(--quiet); }
.swatch.pause { background: var(--grid); border-radius: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 8px;
  margin: 16px 0; }
.tiles div { border: 1px solid var(--grid); border-radius: 6px; padding: 8px 12px; }
.tiles dt { color: var(--quiet); font-size: 14px; }
.tiles dd { margin: 0; font-size: 22px; font-variant-numeric: tabular-nums; }
.warning { border-left: 4px solid var(--bad); padding: 4px 12px; }
summary { cursor: pointer; font-size: 14px; color: var(--main); }
pre { white-space: pre-wrap; font-size: 13px; }
"""
)
