#!/usr/bin/env python3
"""Loads pages of `chuhe annotate --html` in headless Chromium and uses them.

    python3 tests/annotate_page.py page.html ... [--browser chromium] [--shots FOLDER]

A copy of each page gets a script that presses keys and clicks, and writes what
it sees into the document, which the browser then prints; once in a window of a
desktop, once in one of a phone. Exit code 1 when something is wrong.
"""
import argparse
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

from chromium import run, seen_in, with_script

TIMEOUT = 240
DESKTOP = (1280, 900)
PHONE = (390, 844)

USE = """
<script>
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const click = (id) => byId(id).click();
  const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const men = () => all("#men g").map((g) => g.dataset.square + g.dataset.letter).sort();
  const uses = () => all("#men use").map((use) => use.getAttribute("href"));
  const place = (square) => all("#men g").find((g) => g.dataset.square === square)?.querySelector("circle").getAttribute("cy");
  const graded = all("#moves button.inaccuracy, #moves button.mistake, #moves button.blunder");
  const seen = { failures: window.failures, start: men(), buttons: all("#moves button").length, graded: graded.length,
    dots: all("#graph circle").length, heading: document.querySelector("h1").textContent };
  key("ArrowRight");
  seen.one = men();
  seen.now = byId("now").textContent;
  key("ArrowLeft");
  seen.back = men();
  key("End");
  seen.end = byId("forward").disabled && !byId("back").disabled;
  key("Home");
  click("last");
  click("first");
  seen.home = men();
  const box = byId("graph").getBoundingClientRect();
  byId("graph").dispatchEvent(new MouseEvent("click", { clientX: box.right - 1, clientY: box.top + 5, bubbles: true }));
  key("Escape");
  seen.graphEnd = byId("forward").disabled;
  click("first");
  seen.unresolved = all("use").map((use) => use.getAttribute("href")).filter((href) => !document.querySelector(href));
  const before = [uses(), byId("symbols").textContent, place("e0")];
  click("symbols"); click("symbols");
  const western = uses();
  seen.symbols = new Set([...before[0], ...western]).size === new Set(before[0]).size + new Set(western).size;
  key("s");
  seen.symbolsBack = JSON.stringify(uses()) === JSON.stringify(before[0]);
  key("f");
  seen.turned = place("e0") !== before[2];
  key("f");
  const notation = () => all("#moves button").map((button) => button.textContent.split(" ")[0]);
  const texts = [notation()];
  for (let i = 0; i < 3; i++) { click("notation"); texts.push(notation()); }
  seen.notations = new Set(texts.slice(0, 3).map((list) => list.join())).size;
  seen.notationBack = texts[0].join() === texts[3].join();
  const english = byId("summary").textContent;
  key("l");
  seen.language = english !== byId("summary").textContent;
  key("l");
  if (graded.length) {
    click("first");
    const button = all("#moves button.blunder, #moves button.mistake, #moves button.inaccuracy")[0];
    const ply = Number(button.dataset.ply);
    button.click();
    const moves = all("#line-moves button").length;
    seen.line = { shown: !byId("line").hidden, moves, arrows: all("#arrows path").map((path) => path.dataset.move), ply,
      played: all("#line-played .move").map((move) => move.textContent) };
    click("forward");
    seen.line.one = men();
    key("Escape");
    seen.line.closed = byId("line").hidden;
    const dot = document.querySelector("#graph circle");
    dot.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    seen.line.dot = !byId("line").hidden;
    click("better");
    click("first");
    const spot = dot.getBoundingClientRect();
    byId("graph").dispatchEvent(new MouseEvent("click", { clientX: spot.left, clientY: spot.top - 3, bubbles: true }));
    seen.line.near = !byId("line").hidden;
    key("Escape");
    click("first");
    key("ArrowDown");
    seen.line.key = !byId("line").hidden;
    click("better");
  }
  seen.wide = document.documentElement.scrollWidth > window.innerWidth;
  seen.width = window.innerWidth;
  const board = byId("board").getBoundingClientRect();
  seen.board = [board.width, board.height];
  seen.small = all("nav button").filter((button) => button.getBoundingClientRect().height < 40).length;
  seen.elsewhere = performance.getEntriesByType("resource").map((entry) => entry.name);
  seen.scripts = document.scripts.length;
  seen.html = all("body b, body img, body i").filter((node) => node.id === "smuggled").length;
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
})();
</script>
"""


def browse(browser, page, size):
    """What the probe saw. A window is never narrower than 500 pixels, so a phone is a frame in it."""
    text = with_script(page, USE)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "page.html")
        copy.write_text(text, encoding="utf-8")
        if size == PHONE:
            frame = Path(folder, "phone.html")
            frame.write_text(f"""<iframe id="f" src="page.html" width="{size[0]}" height="{size[1]}"></iframe>
<script>addEventListener("load", () => {{
  const pre = document.createElement("pre"); pre.id = "seen";
  pre.textContent = document.getElementById("f").contentDocument.getElementById("seen").textContent;
  document.body.append(pre);
}});</script>""", encoding="utf-8")
            dom = run(browser, ["--hide-scrollbars", "--allow-file-access-from-files", "--dump-dom"], frame, TIMEOUT)
        else:
            dom = run(browser, ["--hide-scrollbars", f"--window-size={size[0]},{size[1]}", "--dump-dom"], copy, TIMEOUT)
    return seen_in(dom, page)


def after(men, move):
    """The list of men after a move."""
    board = {man[:2]: man[2] for man in men}
    board[move[2:]] = board.pop(move[:2])
    return sorted(square + letter for square, letter in board.items())


def checks(page, seen, game):
    moves = game["moves"]
    graded = [move for move in moves if move["grade"]]
    tags = game["tags"]
    result = {
        "no script fails": seen["failures"] == [],
        "nothing comes from elsewhere": seen["elsewhere"] == [] or all("page.html" in name for name in seen["elsewhere"]),
        "texts of the file stay texts": seen["html"] == 0 and seen["scripts"] == 4,
        "the players are named": all(tags.get(side, "") in seen["heading"] for side in ("Red", "Black")),
        "every character has its outline": seen["unresolved"] == [],
        "a button for every move": seen["buttons"] == len(moves),
        "every grade is marked": seen["graded"] == seen["dots"] == len(graded),
        "keys step forward and back": seen["one"] == after(seen["start"], moves[0]["move"]) and seen["back"] == seen["start"],
        "the move is named": any(text in seen["now"] for text in moves[0]["texts"].values()),
        "home and end": seen["end"] and seen["home"] == seen["start"],
        "the graph can be clicked": seen["graphEnd"],
        "both symbol styles": seen["symbols"] and seen["symbolsBack"],
        "the board turns": seen["turned"],
        "three notations": seen["notations"] == 3 and seen["notationBack"],
        "two languages": seen["language"],
        "no scrolling sideways": not seen["wide"],
        "the board fits its window": seen["board"][0] <= seen["width"] and seen["board"][0] > 250,
        "buttons for thumbs": seen["small"] == 0,
    }
    if graded:
        line = seen["line"]
        ply = line["ply"]
        best = game["positions"][ply - 1]["pv"]["iccs"]
        men = seen["start"]
        for move in moves[:ply - 1]:
            men = after(men, move["move"])
        result["a click on a mistake shows the better line"] = (
            line["shown"] and line["moves"] == len(best) and line["arrows"] == [best[0], moves[ply - 1]["move"]])
        answer = game["positions"][ply]["pv"]
        result["and the answer to the move played"] = any(
            seen["line"]["played"] == [moves[ply - 1]["texts"][notation], *answer[notation][:7]] for notation in answer)
        result["the line can be played"] = line["one"] == after(men, best[0]) and line["closed"]
        result["so does a click on its dot, and a key"] = line["dot"] and line["near"] and line["key"]
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("pages", type=Path, nargs="+")
    parser.add_argument("--browser", default=shutil.which("chromium") or "chromium-browser")
    parser.add_argument("--shots", type=Path, help="a folder for pictures of the pages")
    args = parser.parse_args()
    failed = 0
    for page in args.pages:
        page = page.resolve()
        source = page.read_text(encoding="utf-8")
        data = json.loads(re.search(r'id="data">(.*?)</script>', source, re.S).group(1))
        for name, size in (("desktop", DESKTOP), ("phone", PHONE)):
            seen = browse(args.browser, page, size)
            for what, holds in checks(page, seen, data["games"][0]).items():
                if not holds:
                    failed += 1
                    print(f"{page.name}, {name}: FAILED: {what}")
                    print(json.dumps(seen, ensure_ascii=False)[:2000])
            if args.shots:
                shot = args.shots / f"{page.stem}-{name}.png"
                run(args.browser, ["--hide-scrollbars", f"--window-size={size[0]},{size[1]}",
                                   f"--screenshot={shot.resolve()}"], page, TIMEOUT)
        print(f"{page.name}: {'FAILED' if failed else 'ok'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
