"""A contest's file, and its copy, after `kill -9` and power cuts at random moments.

`python -m benchmarks.crashes 1000`: a process enters people and their money as fast as it can and tells of each act
that was acknowledged; it is killed at a random moment, or stopped and its files copied as they are at that moment, as a
disk would be found after a power cut. (What the system had promised to write and had not is beyond such a copy; there
SQLite's `synchronous=EXTRA` is relied on.) The contest is then opened again, from the file and from the copy.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import time
from contextlib import closing
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from chouine.desk.people import Person
from chouine.desk.store import Store
from chouine.tournament import FORMULAS, Entered, Opened, Paid, commit

ENTRIES = 200
"""After which a new contest begins."""


def write(folder: Path, acknowledged: int) -> None:
    """Acts without end, each told of once it is acknowledged."""
    with closing(Store(folder / "a.concours", folder / "stick.concours")) as store:
        while True:
            number = store.contest.next_number
            store.do(Entered(number), "entry", Person(f"P{number}"))
            os.write(acknowledged, b"%d\n" % store.contest.head.n)
            store.do(Paid(number, 1000), "entry")
            os.write(acknowledged, b"%d\n" % store.contest.head.n)


def interrupted(folder: Path, rng: Random, *, power: bool) -> tuple[Path, int]:
    """A writer ended at a random moment: where its files are to be found, and the last act acknowledged."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        try:
            write(folder, writing)
        finally:
            os._exit(1)
    os.close(writing)
    said = os.read(reading, 100)  # it is at work
    time.sleep(rng.uniform(0, 0.1))
    found = folder
    if power:
        stop(child)
        found = folder.with_name("after")
        shutil.copytree(folder, found, dirs_exist_ok=True)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(reading, 65536):
        said += more
    os.close(reading)
    return found, int(said.split()[-1])


def stop(pid: int) -> None:
    """Stop a process, and return once it is stopped: a sandbox may lose the signal, so it is sent until it is seen."""
    while Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "T":
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.001)


def main() -> int:
    """Interrupt so often; 1 where an acknowledged act was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("times", type=int, nargs="?", default=1000)
    args = parser.parse_args()
    rng, lost, longest, entries = Random(1), 0, 0.0, 0
    with TemporaryDirectory() as temporary:
        for nth in range(args.times):
            folder = Path(temporary) / "disk"
            if not folder.exists():
                folder.mkdir()
                act = Opened(FORMULAS["lavardin"], commit("seed"))
                Store.create(folder / "a.concours", act, "seed", "desk").close()
            found, told = interrupted(folder, rng, power=nth % 2 == 1)
            for name in ("a.concours", "stick.concours"):
                began = time.monotonic()
                with closing(Store(found / name)) as store:
                    longest = max(longest, time.monotonic() - began)
                    whole = len(store.people) == len(store.contest.entrants)
                    if store.contest.head.n < told or not whole:
                        lost += 1
                        print(
                            f"{nth}: {name} holds {store.contest.head.n} acts of {told}, or names are missing"
                        )
                    entries = len(store.contest.entrants)
            if entries > ENTRIES:
                shutil.rmtree(folder)
            shutil.rmtree(folder.with_name("after"), ignore_errors=True)
    print(f"{args.times} interruptions, {lost} losses, opened again in {longest:.2f} s at most")
    return int(bool(lost))


if __name__ == "__main__":
    raise SystemExit(main())
