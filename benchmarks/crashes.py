"""Durability of a contest's file and copy under `kill -9` and power cuts at random moments.

`python -m benchmarks.crashes 1000`: a process runs contests at full speed (entries, payments, draws, results,
corrections, erased names) and reports each acknowledged act. At a random moment it is killed, or stopped and its files
copied, as after a power cut. Such a copy does not lose the system's unwritten buffers; against that SQLite's
`synchronous=EXTRA` is relied on. Then the contest is opened from the file and from the copy. With `--desk 20` the
desk's server, with 84 entries after two rounds, is killed and restarted instead; measured are the seconds until its
page is served.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import httpx

from chouine.contest import (
    FORMULAS,
    ActRefused,
    Contest,
    ContestAct,
    ContestOpened,
    Corrected,
    Entered,
    Erased,
    Paid,
    ResultEntered,
    Score,
    commit,
    draw,
)
from chouine.contest.formula import STAGES
from chouine.contest.log import kind_of
from chouine.contest.people import Person
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.solver import cheapest_matching
from tests.browser.hall import Hall

ENTRIES = 84
"""Entries of a contest; after its end a new one begins."""
ERASED = 20
"""The first entries, whose names are erased when round 1 is drawn."""


def next_act(contest: Contest, rng: Random) -> ContestAct | None:
    """The next act; None at the end of the contest."""
    if not contest.main and contest.next_number <= ENTRIES:
        number = contest.next_number
        owed = number > 1 and not contest.entrants[number - 1].paid
        return Paid(number - 1, 1000) if owed else Entered(number)
    for round_ in contest.all_rounds():
        for table in round_.open:
            return ResultEntered(
                round_.stage, round_.number, table.number, Score.of(rng.choice(SCORES[round_.match.manches]))
            )
    if len(contest.main) == 1 and not isinstance(contest.head.act, Corrected):
        table = contest.main[0].played[0]
        return Corrected("main", 1, table.number, Score.of(rng.choice(SCORES[2])), "slip")
    for stage in STAGES:
        with suppress(ActRefused):
            return draw(contest, stage, "seed", "Qh", solver=cheapest_matching)
    return None


SCORES = {1: ((1, 0), (0, 1)), 2: ((2, 0), (2, 1), (1, 2), (0, 2))}
"""Possible scores, by manches needed to win."""


def write(folder: Path, acknowledged: int) -> None:
    """Do all acts of a contest and erase names; report each after its acknowledgement."""
    rng = Random(os.getpid())
    with closing(ContestStore(folder / "a.concours", folder / "stick.concours")) as store:
        while (act := next_act(store.contest, rng)) is not None:
            person = Person(f"P{act.number}") if isinstance(act, Entered) else None
            store.do(act, "desk", person)
            os.write(acknowledged, b"%d %d\n" % acts_and_erasures(store))
            if store.contest.main and acts_and_erasures(store)[1] < ERASED:
                store.do(Erased(acts_and_erasures(store)[1] + 1), "desk")
                os.write(acknowledged, b"%d %d\n" % acts_and_erasures(store))
        signal.pause()


def acts_and_erasures(store: ContestStore) -> tuple[int, int]:
    """The numbers of acts and of erased names."""
    return store.contest.head.n, len(store.contest.entrants) - len(store.people)


def interrupt(folder: Path, rng: Random, *, power: bool) -> tuple[Path, tuple[int, int]]:
    """Interrupt a writer at a random moment; return the folder of its files and its last acknowledged numbers."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        try:
            write(folder, writing)
        finally:
            os._exit(1)
    os.close(writing)
    said = os.read(reading, 100)  # waits for the first act
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
    acts, erased = map(int, said.splitlines()[-1].split())
    return found, (acts, erased)


def stop(pid: int) -> None:
    """Stop a process and wait until it is stopped; a sandbox may lose the signal, so it is repeated."""
    while Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "T":
        os.kill(pid, signal.SIGSTOP)
        time.sleep(0.001)


def desk_again(times: int) -> list[float]:
    """Seconds from the restart of a killed desk to its page."""
    found = []
    with TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        hall.fill(84, 2, open_tables=3)
        hall.start()
        for _ in range(times):
            hall.kill()
            began = time.monotonic()
            hall.start()
            httpx.get(f"{hall.url}/public").raise_for_status()
            found.append(time.monotonic() - began)
        hall.end()
    return sorted(found)


def main() -> int:
    """Interrupt repeatedly; return 1 if an acknowledged act was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("times", type=int, nargs="?", default=1000)
    parser.add_argument("--desk", type=int, metavar="TIMES")
    args = parser.parse_args()
    if args.desk:
        back = desk_again(args.desk)
        print(
            f"a desk killed {args.desk} times: back in {back[len(back) // 2]:.1f} s, {back[-1]:.1f} s at most"
        )
        return int(back[-1] > 5)
    rng, lost, longest, kinds = Random(1), 0, 0.0, Counter[str]()
    with TemporaryDirectory() as temporary:
        for nth in range(args.times):
            folder = Path(temporary) / "disk"
            if not folder.exists():
                folder.mkdir()
                act = ContestOpened(FORMULAS["lavardin"], commit("seed"))
                ContestStore.create(folder / "a.concours", act, "seed", "desk").close()
            found, told = interrupt(folder, rng, power=nth % 2 == 1)
            over = False
            for name in ("a.concours", "stick.concours"):
                began = time.monotonic()
                with closing(ContestStore(found / name)) as store:
                    longest = max(longest, time.monotonic() - began)
                    acts, erased = acts_and_erasures(store)
                    if acts < told[0] or not told[1] <= erased <= told[1] + 1:
                        lost += 1
                        print(f"{nth}: {name} holds {acts} acts and {erased} erased names of {told}")
                    kinds[kind_of(store.contest.head.act)] += 1
                    over = over or next_act(store.contest, rng) is None
            if over:
                shutil.rmtree(folder)
            shutil.rmtree(folder.with_name("after"), ignore_errors=True)
    print(f"{args.times} interruptions, {lost} losses, opened again in {longest:.2f} s at most")
    print("the last act in the file, and in its copy:", dict(kinds.most_common()))
    return int(bool(lost))


if __name__ == "__main__":
    raise SystemExit(main())
