#!/usr/bin/env python3
"""Replays the PGN and the log of a match with pyffish (PyPI), independently.

    pip install pyffish
    python3 tests/replay_pgn.py games.pgn [--nocapture 120] [--length 400]

Checks that every move is legal, that mate and stalemate stand on the board
exactly when the PGN says so, that draws by length, by plies without a capture
and for want of material are what they claim to be, and that repetitions end as
the other program's Asian rules (third occurrence) say, at the same move. It
shares no code with the program. Moves in ICCS (as the program writes them by
default) are read. Exit code 1 when something does not agree.
--rules none leaves repetitions alone, for matches under other rules.
"""
import argparse
import re
import sys
from collections import Counter

import pyffish

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
MOVE = re.compile(r"\b([A-I])(\d)-([A-I])(\d)\b")


def games(path):
    """Tags and moves of each game."""
    text = open(path, encoding="utf-8").read()
    for part in re.split(r"\n(?=\[Game )", "\n" + text):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', part, re.M))
        if not tags:
            continue
        body = re.sub(r"\{[^}]*\}", "", re.sub(r"^\[.*\]$", "", part, flags=re.M))
        moves = ["%s%d%s%d" % (a.lower(), int(b) + 1, c.lower(), int(d) + 1)
                 for a, b, c, d in MOVE.findall(body)]
        yield tags, moves


def squares(fen):
    """The pieces by square, ranks counted from 1."""
    board = {}
    for i, row in enumerate(fen.split()[0].split("/")):
        file = 0
        for c in row:
            if c.isdigit():
                file += int(c)
            else:
                board["abcdefghi"[file] + str(10 - i)] = c
                file += 1
    return board


def replayed(fen, moves):
    """After each move the plies since the last capture, the counter of the FEN
    included, and which occurrence of the position it is."""
    board, quiet, side = squares(fen), int(fen.split()[4]), fen.split()[1]
    seen = Counter({(side, frozenset(board.items())): 1})
    for move in moves:
        origin, target = re.findall(r"[a-i]\d+", move)
        quiet = 0 if target in board else quiet + 1
        board[target] = board.pop(origin)
        side = "b" if side == "w" else "w"
        position = (side, frozenset(board.items()))
        seen[position] += 1
        yield quiet, seen[position]


def repetition(fen, moves):
    """The first repetition that ends the game in the other program's opinion:
    how many plies, and the result; None for none."""
    for plies, (_, occurrence) in enumerate(replayed(fen, moves), 1):
        if occurrence < 3:
            continue
        # The counter of plies without a capture must not end it instead.
        cut = max(0, plies - 90)
        start = fresh(pyffish.get_fen("xiangqi", fresh(fen), moves[:cut]))
        over, value = pyffish.is_optional_game_end("xiangqi", start, moves[cut:plies])
        if over:
            side = "w" if (len(moves[:plies]) % 2 == 0) == (fen.split()[1] == "w") else "b"
            loser = "0-1" if side == "w" else "1-0"
            winner = "1-0" if side == "w" else "0-1"
            return plies, "1/2-1/2" if value == 0 else winner if value > 0 else loser
    return None


def fresh(fen):
    """The FEN with its counter at 0: the other program's own draw rules must
    not hide moves."""
    fields = fen.split()
    fields[4] = "0"
    return " ".join(fields)


def check(tags, moves, args):
    """Replays one game; yields what is wrong."""
    fen = tags.get("FEN", START)
    if int(tags.get("PlyCount", len(moves))) != len(moves):
        yield "PlyCount is %s, found %d moves" % (tags["PlyCount"], len(moves))
    try:
        board = pyffish.get_fen("xiangqi", fresh(fen), moves)
    except (ValueError, SystemError) as error:
        yield "illegal move: %s" % (error.__cause__ or error)
        return
    quiet = ([int(fen.split()[4])] + [quiet for quiet, _ in replayed(fen, moves)])[-1]
    board = fresh(board)
    side = board.split()[1]
    stuck = not pyffish.legal_moves("xiangqi", board, [])
    checked = pyffish.gives_check("xiangqi", board, [])
    reason, result = tags["Termination"], tags["Result"]
    lost = "0-1" if side == "w" else "1-0"
    want = ("mate" if checked else "stalemate") if stuck else None
    if want and (reason, result) != (want, lost):
        yield "the board says %s %s, the PGN %s %s" % (want, lost, reason, result)
    if reason in ("mate", "stalemate") and not stuck:
        yield "%s, but there are moves in %s" % (reason, board)
    if reason == "length" and (len(moves) < args.length or result != "1/2-1/2"):
        yield "length: %d plies, %s" % (len(moves), result)
    if reason != "length" and len(moves) >= args.length and not stuck:
        yield "%d plies, but the game ended by %s" % (len(moves), reason)
    if reason == "no-capture" and (quiet < args.nocapture or result != "1/2-1/2"):
        yield "no-capture: %d plies, %s" % (quiet, result)
    if args.rules == "asian":
        yield from check_repetition(tags, moves, fen)
    fighters = [c for c in board.split()[0] if c in "RNCPrncp"]
    if reason == "insufficient-material" and (fighters or result != "1/2-1/2"):
        yield "insufficient-material, but there are %s" % fighters


def check_repetition(tags, moves, fen):
    ours = None
    if tags["Termination"] in ("perpetual", "repetition"):
        ours = len(moves), tags["Result"]
    theirs = repetition(fen, moves)
    if theirs and theirs[0] == len(moves) and tags["Termination"] in ("mate", "stalemate"):
        return
    if ours != theirs:
        words = tags.get("TerminationDetail", tags["Termination"])
        yield "repetition: (plies, result) %s, the other program says %s; %s" % (ours, theirs, words)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pgn")
    parser.add_argument("--nocapture", type=int, default=120)
    parser.add_argument("--length", type=int, default=400)
    parser.add_argument("--rules", choices=("asian", "none"), default="asian")
    args = parser.parse_args()
    total, wrong, reasons = 0, 0, Counter()
    for tags, moves in games(args.pgn):
        total += 1
        reasons[tags["Termination"]] += 1
        for words in check(tags, moves, args):
            wrong += 1
            print("game %d (%s - %s, round %s): %s" % (
                total, tags["Red"], tags["Black"], tags["Round"], words))
    print("%d games, %d disagreements; %s" % (
        total, wrong, ", ".join("%s %d" % pair for pair in sorted(reasons.items()))))
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main())
