#!/usr/bin/env python3
"""Loads the page of `chuhe match --html` in headless Chromium and uses it.

    python3 tests/match_page.py page.html [--browser chromium]

A copy of the page gets a script that clicks through it and writes what it
sees into the document, which the browser then prints. Checks the cross table,
the chart, the list of games, the board at the start and after stepping, and
that nothing was loaded from elsewhere and no script failed. Exit code 1 when
something is missing.
"""
import argparse
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

from chromium import run, seen_in, with_script

USE = """
<script>
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const pieces = () => all("#viewer .pieces g").map((g) => g.dataset.square + g.textContent).sort();
  const click = (id) => document.getElementById(id).click();
  const list = document.getElementById("list");
  const seen = { failures: window.failures, rows: all("#cross tr").length,
    chart: all("#chart polyline").length, games: list.options.length,
    moves: all("#moves button").length, start: pieces() };
  click("forward");
  seen.one = pieces();
  seen.status = document.getElementById("status").textContent;
  click("back");
  seen.back = pieces();
  click("last");
  seen.end = document.getElementById("status").textContent;
  all("#moves button")[0].click();
  seen.clicked = pieces();
  list.selectedIndex = list.options.length - 1;
  list.dispatchEvent(new Event("change"));
  seen.other = pieces().length;
  seen.elsewhere = performance.getEntriesByType("resource").map((entry) => entry.name);
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
})();
</script>
"""


def browse(browser, page):
    """What the probe saw."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "page.html")
        copy.write_text(with_script(page, USE), encoding="utf-8")
        return seen_in(run(browser, ["--dump-dom"], copy), page)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--browser", default=shutil.which("chromium") or "chromium-browser")
    args = parser.parse_args()
    source = args.page.read_text(encoding="utf-8")
    data = json.loads(re.search(r'id="data">(.*?)</script>', source, re.S).group(1))
    seen = browse(args.browser, args.page)
    players = {name for game in data["games"] for name in (game["red"], game["black"])}
    first = data["games"][0]
    moves = first["moves"].split()
    checks = {
        "no script fails": seen["failures"] == [],
        "nothing comes from elsewhere": seen["elsewhere"] == []
            and not re.search(r'(src|href)="?https?:', source),
        "a row for every engine": seen["rows"] == len(players) + 1,
        "a chart, or why there is none": seen["chart"] == (0 if "<p>Too few games." in source else 1),
        "every game in the list": seen["games"] == len(data["games"]),
        "a button for every move": seen["moves"] == len(moves),
        "both kings on the board": sum(p[2:] in "帅将" for p in seen["start"]) == 2,
        "a step moves the piece": moves[0][2:] in [p[:2] for p in seen["one"]]
            and moves[0][:2] not in [p[:2] for p in seen["one"]],
        "the status names the move": moves[0] in seen["status"],
        "a step back undoes it": seen["back"] == seen["start"],
        "a click on the move shows it": seen["clicked"] == seen["one"],
        "the end says why": first["reason"] in seen["end"] and first["result"] in seen["end"],
        "another game can be opened": seen["other"] > 1,
    }
    for what, holds in checks.items():
        print("%-32s %s" % (what, "ok" if holds else "FAILED"))
    if not all(checks.values()):
        print(json.dumps(seen, ensure_ascii=False)[:3000])
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
