#!/usr/bin/env python3
"""Compares the games of two match logs, game by game and move by move.

    python3 tests/match_compare.py games.jsonl OTHER/games.jsonl

The first is the log of `chuhe match`, the second that of an independent
referee in Python whose lines have `index`, `fen`, `moves` and `result`. Exit
code 1 when a game differs or is missing.
"""
import json
import sys


def load(path, key):
    games = {}
    for line in open(path, encoding="utf-8"):
        entry = json.loads(line)
        if entry.get("type") == "game":
            games[entry[key]] = entry
    return games


def main():
    ours, theirs = load(sys.argv[1], "number"), load(sys.argv[2], "index")
    wrong = [] if ours.keys() == theirs.keys() else ["other games: %s" % sorted(ours.keys() ^ theirs.keys())]
    for number in sorted(ours.keys() & theirs.keys()):
        a, b = ours[number], theirs[number]
        for key in ("fen", "moves", "result"):
            if a[key] != b[key]:
                wrong.append("game %d: %s: %s (%s) / %s (%s)" % (
                    number + 1, key, a[key], a["reason"], b[key], b["reason"]))
                break
    plies = sum(len(game["moves"].split()) for game in ours.values())
    print("\n".join(wrong + ["%d games, %d plies, %d differ" % (len(ours), plies, len(wrong))]))
    return 1 if wrong or not ours else 0


if __name__ == "__main__":
    sys.exit(main())
