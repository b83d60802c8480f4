#!/usr/bin/env python3
"""Plays `chuhe play` in a pseudo terminal with scripted keys, as a newcomer
would who has read nothing but `chuhe play --help`.

    python3 tests/play_terminal.py target/release/chuhe [--screens FOLDER]

Ten moves of xiangqi, a round of seven kingdoms, a game killed in the middle
and resumed; that colours appear in a terminal and not with NO_COLOR, and that
nothing but ASCII appears where the locale is not UTF-8. Exit code 1 when
something is missing. --screens keeps what was shown, as text with colours.
"""
import argparse
import os
import pty
import re
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 60.0
# The engine may have given check.
TO_MOVE = r"Red, move %d( \(check!\))?> "
ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])")


class Terminal:
    """A program on a pseudo terminal of 100 columns."""

    def __init__(self, words, **environment):
        self.shown = ""
        self.read = 0
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.environ.update({"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "60"})
            for name in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "XDG_STATE_HOME"):
                os.environ.pop(name, None)
            os.environ.update(environment)
            os.execv(words[0], words)

    def wait_for(self, pattern):
        """Reads until the pattern has come after what was waited for last."""
        end = time.time() + PATIENCE
        while True:
            plain = ESCAPES.sub("", self.shown)
            found = re.search(pattern, plain[self.read:], re.M)
            if found:
                self.read += found.end()
                return found
            if time.time() > end or not self.more(end - time.time()):
                raise AssertionError(f"no {pattern!r} in:\n{plain[self.read:]}")

    def more(self, patience):
        if not select.select([self.master], [], [], max(patience, 0))[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.shown += data.decode("utf-8", "replace")
        return bool(data)

    def type(self, line):
        os.write(self.master, (line + "\r").encode())

    def end(self, how=None):
        if how:
            os.kill(self.pid, how)
        while self.more(5):
            pass
        os.waitpid(self.pid, 0)
        os.close(self.master)


def play_xiangqi(program, home, screens):
    # Nodes and not time, so that it is the same game each time.
    terminal = Terminal([program, "play", "--nodes", "20000"], LANG="C.UTF-8", HOME=home)
    terminal.wait_for("Red, move 1> ")
    # A slip and its cure.
    terminal.type("h2h9x")
    terminal.wait_for("is no move")
    for number, move in enumerate(["h2e2", "moves h0", "h0g2"], 1):
        terminal.type(move)
        if move.startswith("moves"):
            terminal.wait_for("h0g2")
        else:
            terminal.wait_for(rf"Red plays {move}")
            terminal.wait_for(r"Red, move \d+.*> ")
    for number in range(3, 11):
        # Moves of one's own lose too soon.
        terminal.type("hint")
        terminal.type(terminal.wait_for(r"I would play (\S+)").group(1))
        terminal.wait_for("Black plays")
        terminal.wait_for(TO_MOVE % (number + 1))
    terminal.type("hint")
    terminal.wait_for("I would play")
    terminal.type("eval on")
    terminal.wait_for("Evaluation")
    terminal.end(signal.SIGKILL)
    assert "\x1b[1m\x1b[38;5;231m\x1b[48;5;160m" in terminal.shown, "no red pieces"
    again = Terminal([program, "play", "--resume"], LANG="C.UTF-8", HOME=home)
    again.wait_for(TO_MOVE % 11)
    again.type("quit")
    again.wait_for("--resume goes on")
    again.end()
    keep(screens, "xiangqi", terminal.shown)


def play_kingdoms(program, home, screens):
    words = [program, "play", "--variant", "sevenkingdoms", "--side", "Chu", "--movetime", "0.05"]
    terminal = Terminal(words, LANG="C.UTF-8", HOME=home)
    terminal.wait_for("Chu> ")
    terminal.type("f1f9")
    terminal.wait_for("no legal move: the general cannot go there")
    terminal.type("moves f3")
    terminal.wait_for("f3f2|f3g4|f3b7")
    terminal.type("c1b3")
    for kingdom in ["Han", "Qi", "Wei", "Zhao", "Yan", "Qin"]:
        terminal.wait_for(f"{kingdom} plays")
    terminal.wait_for("Last round: Chu c1b3")
    terminal.wait_for("Chu> ")
    terminal.end(signal.SIGKILL)
    for shade in [255, 160, 214, 27, 28, 91, 236, 226]:
        assert f"\x1b[48;5;{shade}m" in terminal.shown, f"no ground {shade}"
    again = Terminal([program, "play", "--variant", "sevenkingdoms", "--resume"],
                     LANG="C.UTF-8", HOME=home)
    again.wait_for("Last round: Chu c1b3")
    again.wait_for("Chu> ")
    again.type("quit")
    again.end()
    keep(screens, "kingdoms", terminal.shown)


def two_tables(program, home, screens):
    """Two games at the same time are kept in two files, both are resumed."""
    words = [program, "play", "--side", "both"]
    tables = []
    for move in ["h2e2", "b2e2"]:
        tables.append(Terminal(words, LANG="C.UTF-8", HOME=home))
        tables[-1].wait_for("Red, move 1> ")
        tables[-1].type(move)
        tables[-1].wait_for("Black, move 1> ")
    folder = Path(home, ".local", "state", "chuhe")
    assert {"xiangqi.pgn", "xiangqi-2.pgn"} <= {path.name for path in folder.iterdir()}
    taken = Terminal(words + ["--resume", "--keep", str(folder / "xiangqi.pgn")], HOME=home)
    taken.wait_for("another `chuhe play` has this game")
    taken.end()
    for terminal in tables:
        terminal.end(signal.SIGKILL)
    for name, square in [("xiangqi.pgn", "h2e2"), ("xiangqi-2.pgn", "b2e2")]:
        assert square in (folder / name).read_text().lower().replace("-", ""), name
        again = Terminal(words + ["--resume", "--keep", str(folder / name)], HOME=home)
        again.wait_for("Black, move 1> ")
        again.type("quit")
        again.end()


def plain_terminals(program, home, screens):
    for name, environment in [
        ("ascii", {"LANG": "C"}),
        ("no-color", {"LANG": "C.UTF-8", "NO_COLOR": "1"}),
    ]:
        terminal = Terminal([program, "play", "--movetime", "0.05"], HOME=home, **environment)
        terminal.wait_for("Red, move 1> ")
        terminal.type("h2e2")
        terminal.wait_for(TO_MOVE % 2)
        terminal.type("quit")
        terminal.end()
        board = terminal.shown
        if name == "no-color":
            assert "\x1b[48;5;" not in board, "colours in spite of NO_COLOR"
        if name == "ascii":
            assert ESCAPES.sub("", board).isascii(), "more than ASCII"
        keep(screens, name, board)


def keep(screens, name, text):
    if screens:
        Path(screens, f"{name}.ansi").write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--screens")
    args = parser.parse_args()
    if args.screens:
        Path(args.screens).mkdir(parents=True, exist_ok=True)
    for play in [play_xiangqi, play_kingdoms, two_tables, plain_terminals]:
        with tempfile.TemporaryDirectory() as home:
            play(os.path.abspath(args.program), home, args.screens)
        print(f"{play.__name__}: ok", flush=True)


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
