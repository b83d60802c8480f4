#!/usr/bin/env python3
"""Has Python's cchess (PyPI) read XQF and PGN files that we wrote.

    python3 tests/cchess_reads.py target/release/chuhe FILE ...

Each file of games is converted to XQF, with its variations, and to PGN, main
line only; cchess must find the start position and the moves that
`chuhe convert --to json` tells. Exit code 1 when something differs.
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from cchess import Game

PGN = ["--to", "pgn", "--notation", "iccs-long", "--main-line-only", "--no-comments"]
XQF = ["--to", "xqf"]
FIRST_TAG = '[Game "Chinese Chess"]'


def chuhe(program, *args):
    return subprocess.run([program, "convert", *args], capture_output=True, text=True, check=False).stdout


def lines_of(record):
    """All lines of a record from the start, the main line first."""
    lines = [record["moves"]]
    for variation in record["variations"]:
        lines.append(lines[variation["parent"]][: variation["ply"] - 1] + variation["moves"])
    return lines


def compare(name, game, fen, lines):
    """What differs between the game that cchess read and ours."""
    if game is None:
        return f"{name}: not read"
    board = " ".join(fen.split()[:2])
    found = " ".join(game.init_board.to_fen().split()[:2])
    if found != board:
        return f"{name}: starts from {found}, expected {board}"
    read = game.dump_iccs_moves()
    if read[:1] != lines[:1] or sorted(read) != sorted(lines):
        return f"{name}: {read}, expected {lines}"
    return None


def check(program, path, folder):
    """The number of games and lines compared, and the faults."""
    records = [json.loads(line) for line in chuhe(program, str(path), "--to", "json").splitlines()]
    whole = chuhe(program, str(path), "--to", "pgn").split(FIRST_TAG)[1:]
    assert len(whole) == len(records), path
    faults, counted = [], 0
    for number, (record, text) in enumerate(zip(records, whole), 1):
        lines, fen = lines_of(record), record["start_fen"]
        if not record["moves"]:
            continue
        single = folder / "single.pgn"
        single.write_text(FIRST_TAG + text)
        counted += len(lines)
        for options, name, expected in [(XQF, "game.xqf", lines), (PGN, "game.pgn", lines[:1])]:
            target = folder / name
            chuhe(program, str(single), *options, "-o", str(target))
            what = f"{path.name}, game {number}, as {name}"
            try:
                faults.append(compare(what, Game.read_from(str(target)), fen, expected))
            except Exception as error:  # whatever the reader trips over
                faults.append(f"{what}: {error!r}")
    return len(records), counted, [fault for fault in faults if fault]


def main():
    program, paths = sys.argv[1], [Path(name) for name in sys.argv[2:]]
    games, lines, faults = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            found = check(program, path, Path(folder))
            games, lines, faults = games + found[0], lines + found[1], faults + found[2]
    print("\n".join(faults) or f"{games} games, {lines} lines: cchess reads the same")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
