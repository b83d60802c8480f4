#!/usr/bin/env python3
"""Runs the Dask script of the guide with two workers and kills one of them.

    python3 tests/dask_recipe.py target/release/chuhe

Needs the packages dask and distributed. The script is taken from the guide as
it stands there. One worker is killed (SIGKILL) while it is at work and when
some pieces are done; the output must be the one that `chuhe analyze` writes
by itself. Exit code 1 when something is wrong, 2 when Dask is missing.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

GUIDE = Path(__file__).parent.parent / "book" / "src" / "analysing.md"
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
LONGEST_SCRIPT = 60
POSITIONS = 60
NODES = "40000"
PATIENCE = 180


def script():
    """The text of the recipe."""
    text = GUIDE.read_text(encoding="utf-8")
    return re.search(r"```python\n(# spread\.py.*?)```", text, re.S).group(1)


def positions():
    """Positions that differ: a pawn of a side is missing, Red or Black is to move."""
    rows = START.split("/")
    lines = []
    for number in range(POSITIONS):
        red, black = (without_pawn(row, file) for row, file in ((rows[6], number % 5), (rows[3], number // 5 % 5)))
        board = "/".join(rows[:3] + [black] + rows[4:6] + [red] + rows[7:])
        lines.append(f"{board} {'wb'[number % 2]} - - 0 {number + 1}")
    return "\n".join(lines) + "\n"


def without_pawn(row, number):
    """A row of five pawns without one of four; the one in the middle stays between the kings."""
    outer = (0, 2, 6, 8)
    squares = list(row.replace("1", " "))
    if number < len(outer):
        squares[outer[number]] = " "
    return re.sub(" +", lambda gap: str(len(gap.group())), "".join(squares))


def start(*arguments):
    command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for(what, condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"waited {PATIENCE} s for {what}")
        time.sleep(0.02)


def kill_one_at_work(client, workers, recipe):
    """Kills the worker that has done a piece and works on another."""
    def busy():
        if recipe.poll() is not None:
            sys.exit("the script ended before a worker was killed")
        done = client.has_what()
        at_work = client.processing()
        return [name for name in at_work if at_work[name] and done.get(name)]
    wait_for("a worker that has done a piece", busy)
    address = busy()[0]
    pid = client.run(os.getpid, workers=[address])[address]
    victim = next(worker for worker in workers if worker.pid == pid)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    return address


def main():
    try:
        from distributed import Client
    except ImportError:
        print("dask is missing: pip install dask distributed", file=sys.stderr)
        return 2
    chuhe = str(Path(sys.argv[1]).resolve())
    recipe_text = script()
    lines = recipe_text.count("\n")
    assert lines < LONGEST_SCRIPT, f"the script has {lines} lines"
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("spread.py").write_text(recipe_text, encoding="utf-8")
        Path("positions.epd").write_text(positions(), encoding="utf-8")
        options = ["--nodes", NODES, "--no-timing"]
        with open("positions.epd", "rb") as file:
            command = [chuhe, "analyze", "-", "--format", "jsonl", *options]
            alone = subprocess.run(command, stdin=file, capture_output=True, check=True).stdout
        processes = [start("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", "scheduler.json")]
        try:
            wait_for("the scheduler", Path("scheduler.json").exists)
            worker = ["dask_worker", "--scheduler-file", "scheduler.json", "--no-nanny", "--nthreads", "1", "--no-dashboard"]
            workers = [start(*worker), start(*worker)]
            processes += workers
            client = Client(scheduler_file="scheduler.json")
            client.wait_for_workers(2, timeout=PATIENCE)
            command = [sys.executable, "spread.py", "positions.epd", "spread.jsonl", "--chunk", "4", "--chuhe", chuhe,
                       "--scheduler", client.scheduler.address, *options]
            recipe = subprocess.Popen(command)
            processes.append(recipe)
            address = kill_one_at_work(client, workers, recipe)
            assert recipe.wait(PATIENCE) == 0, "the script failed"
            client.close()
        finally:
            for process in processes:
                if process.poll() is None:
                    process.kill()
                    process.wait()
        spread = Path("spread.jsonl").read_bytes()
        assert spread == alone, "the output differs from that of chuhe alone"
    print(f"{POSITIONS} positions, worker {address} killed: the output is the same ({lines} lines of script)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
