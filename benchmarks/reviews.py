"""Speed, reliability and side effects of reviews and advice: `python -m benchmarks.reviews`.

- `quick [parties] [preset]`: processor seconds to the first mistake and for a whole partie, for every preset or one
- `first [parties] [preset]`: to the first mistake alone
- `sure [mistakes] [file]`: how many mistakes are confirmed in 20 times the worlds, with another seed; with a file, an
interrupted run continues
- `sums [parties]`: fair share + own mistakes + the others' + luck = result, over parties of all presets
- `advice [parties]`: processor seconds of advice at every act, for every preset; and of the first in a process
- `beside [reviews]`: response times of moves at a server while it computes reviews
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import count, cycle, islice
from math import isclose
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep

import msgspec

from benchmarks.arguments import read_arguments
from benchmarks.server.tally import percentile
from chouine.ai.levels import level
from chouine.ai.review import judge_act
from chouine.arena.partie import play_partie
from chouine.notation.lines import actions_of
from chouine.notation.tokens import token
from chouine.partie import Deal, State
from chouine.rules.options import PRESETS, Rules
from chouine.school.review import (
    WORLDS,
    Decision,
    Judgement,
    accounts,
    decisions,
    first_looks,
    judge,
    state_before,
)
from chouine.server.advice import advice_on, asked_by, get_ready
from chouine.server.engines import engine_of
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table import commands as ask
from chouine.table.entries import Opened, SeatHolder
from tests.server.serving import RunningServer, serving

TIMES, OTHER_SEED = 20, 7
FEW, EVERY = 8, 6
"""Worlds where only sums matter; one decision in how many is judged."""
LEVELS = 3, 4, 5
FIRST = 1000
"""The first partie whose mistakes are verified."""
SEVERAL = 10
"""Number of different parties that the finished tables share."""
MOVES, PACE = 200, 0.11
"""Number of commands, and seconds between them: the limit is 100 in ten seconds."""


def parties(preset: str, first: int = 1) -> Iterator[State]:
    """Finished parties of imperfect levels, reproducible by number."""
    rules = Rules.of_preset(preset)
    for seed in count(first):
        rng = Random(f"{preset} {seed}")
        players = [level(rng.choice(LEVELS), rules, seed) for _ in range(rules.seats)]
        yield play_partie(rules, Deal.random(rules, seed % rules.seats, rng), players).state


def choices(state: State) -> list[Decision]:
    return decisions(State.new(state.rules, state.deal), actions_of(state.events))


def judge_in_server_order(state: State) -> Iterator[Judgement]:
    """Judge as the server does: a first look at all decisions, then the likeliest mistakes first."""
    found = choices(state)
    looked = first_looks(found)
    yield from (each for each in looked if isinstance(each, Judgement))
    left = [(each, nth) for nth, each in enumerate(looked) if not isinstance(each, Judgement)]
    for _, nth in sorted(left, reverse=True):
        yield judge(found[nth])


def quick(many: int, asked: str = "") -> Iterator[str]:
    """Processor seconds, without compilation."""
    for preset in [asked] if asked else PRESETS:
        wholes, firsts = [], []
        for nth, state in enumerate(islice(parties(preset), many + 1)):
            begun, first = process_time(), None
            for each in judge_in_server_order(state):
                if each.label and first is None:
                    first = process_time() - begun
            if nth:  # the first one includes compilation
                wholes.append(process_time() - begun)
                firsts += [] if first is None else [first]
        yield (
            f"{preset}: a partie {percentile(wholes, 0.5):.1f} s at the median, {max(wholes):.1f} s at most; "
            f"the first mistake {percentile(firsts, 0.5):.1f} s, {max(firsts):.1f} s at most "
            f"({len(firsts)} of {many} had one)"
        )


def first(many: int, preset: str = "classic") -> Iterator[str]:
    """Processor seconds to the first mistake, without compilation; parties without a mistake are ignored."""
    times = []
    for nth, state in enumerate(islice(parties(preset), many + 1)):
        begun = process_time()
        found = any(each.label for each in judge_in_server_order(state))
        if nth and found:  # the first one includes compilation
            times.append(process_time() - begun)
    yield (
        f"{preset}: the first mistake {percentile(times, 0.5):.1f} s at the median, {percentile(times, 0.9):.1f} s in "
        f"nine of ten, {max(times):.1f} s at most ({len(times)} of {many} parties had one)"
    )


class CheckedMistake(msgspec.Struct, frozen=True):
    """A verified mistake, with the numbers of its partie and decision."""

    partie: int
    nth: int
    label: str
    again: bool
    named: bool
    """Whether its verified cost is also large enough for a label."""


def confirm_mistakes(many: int, kept: str = "") -> Iterator[str]:
    """Mistakes, confirmed or not; results are appended to the file `kept`, from which the next run continues."""
    found = [msgspec.json.decode(line, type=CheckedMistake) for line in lines_of(kept)][:many]
    last = (found[-1].partie, found[-1].nth) if found else (FIRST, -1)
    for partie, state in enumerate(parties("classic", last[0]), last[0]):
        if len(found) >= many:
            break
        for nth, decision in enumerate(choices(state)):
            if (partie, nth) <= last or len(found) >= many:
                continue
            one = judge(decision)
            if one.label is None or one.exact:
                continue
            other = judge_act(decision.view, decision.action, TIMES * WORLDS, OTHER_SEED)
            found.append(CheckedMistake(partie, nth, one.label, other.cost > 0, other.label is not None))
            if kept:
                with Path(kept).open("ab") as file:
                    file.write(msgspec.json.encode(found[-1]) + b"\n")
            print(f"\r{len(found)}/{many}", end="", file=sys.stderr, flush=True)
    told, again = Counter(each.label for each in found), Counter(each.label for each in found if each.again)
    kinds = ", ".join(f"{label} {again[label]} of {told[label]}" for label in sorted(told))
    yield f"{again.total()} of {told.total()} mistakes are found again in {TIMES} times the worlds ({kinds})"
    yield f"{sum(each.named for each in found)} of them cost enough for a name there too"


def lines_of(path: str) -> list[bytes]:
    """The results of an earlier run."""
    return Path(path).read_bytes().splitlines() if path and Path(path).exists() else []


def sums(many: int) -> Iterator[str]:
    """The number of parties whose results are the sum of their parts."""
    good = 0
    makers = [parties(preset, 5000) for preset in PRESETS]
    for nth in range(many):
        state = next(makers[nth % len(makers)])
        found = [judge(each, FEW) for each in choices(state)[::EVERY]]
        if state.result is None:
            raise RuntimeError("a partie that is not over")
        told = accounts(state, state.result, found)
        whole = all(
            each.result is not None
            and each.luck is not None
            and isclose(each.result, each.fair + each.mistakes + each.others + each.luck, abs_tol=1e-9)
            for each in told
        )
        good += whole and abs(sum(each.luck or 0.0 for each in told)) < 1e-9
        print(f"\r{nth + 1}/{many}", end="", file=sys.stderr, flush=True)
    yield f"{good} of {many} parties: every result is the sum of its parts, and all luck together is none"


def time_moves(many: int) -> Iterator[str]:
    """Response times of moves at an idle server, and at one that computes reviews."""
    with TemporaryDirectory() as folder:
        database = Path(folder) / "chouine.db"
        with serving(f"sqlite:///{database}", Path(folder) / "errors") as served:
            games = asyncio.run(finished_tables(f"sqlite+aiosqlite:///{database}", many))
            alone = moves(served)
            browsers = [served.visit() for _ in range(max(1, many // 20))]
            for nth, table_id in enumerate(games):
                browsers[nth % len(browsers)].get(f"/match/{table_id}/1/review")
            busy = moves(served)
            done = asyncio.run(reviews_done(f"sqlite+aiosqlite:///{database}"))
    for name, times in (("alone", alone), (f"beside {many} reviews", busy)):
        p50, p99 = (1000 * percentile(times, share) for share in (0.5, 0.99))
        yield f"{name}: {len(times)} moves, {p50:.1f} ms at the median, {p99:.1f} ms at the 99th percentile"
    yield f"{done} of {many} reviews had begun by then"


def advice(many: int) -> Iterator[str]:
    """Processor seconds of advice, without compilation; for the first, elapsed seconds."""
    for preset in PRESETS:
        times, in_worlds = list[float](), list[float]()
        for state in islice(parties(preset), many):
            for each in choices(state):
                begun = process_time()
                worlds = advice_on(asked_by(each.view)).worlds
                times.append(process_time() - begun)
                in_worlds += times[-1:] if worlds else []
        yield (
            f"{preset}: {len(times)} acts, {percentile(times[1:], 0.5):.2f} s at the median, nine in ten within "
            f"{percentile(times[1:], 0.9):.2f} s; {percentile(in_worlds[1:], 0.5):.2f} s where acts are tried in worlds"
        )
    asked = asked_by(choices(next(parties("classic")))[0].view)
    for name, ahead in (("as it starts", False), ("read ahead", True)):
        with ProcessPoolExecutor(1, get_context("spawn")) as fresh:
            if ahead:
                fresh.submit(get_ready).result()
            begun = perf_counter()
            fresh.submit(advice_on, asked).result()
            yield f"the first advice of a process {name}: {perf_counter() - begun:.1f} s"


async def finished_tables(database: str, many: int) -> list[str]:
    """Create tables with one finished partie each."""
    store, games = Store.at(database), []
    tables = Tables(store)
    holders = SeatHolder("person", "Anne", "anne"), SeatHolder("person", "Basile", "basile")
    for state in islice(cycle(islice(parties("classic", 9000), SEVERAL)), many):
        actions = list(actions_of(state.events))
        _, done = state_before(State.new(state.rules, state.deal), actions, len(actions))
        opened = Opened(str(state.rules), "1x1", holders, deal=str(state.deal))
        table_id = await tables.open(opened, played=done)
        room = await tables.table(table_id)
        if room is None or room.state is None:
            raise RuntimeError("no partie to finish")
        await tables.do(table_id, ask.Act(room.state.position.turn, token(actions[-1])))
        games.append(table_id)
    await store.close()
    return games


async def reviews_done(database: str) -> int:
    """Number of reviews with results."""
    engine = engine_of(database)
    async with engine.connect() as connection:
        rows = (await connection.exec_driver_sql("select count(*) from review")).scalar()
    await engine.dispose()
    return int(rows or 0)


def moves(served: RunningServer) -> list[float]:
    """Seconds of each command: a spoken phrase, which is stored and sent like a card."""
    browser, times = served.visit(), list[float]()
    table_id = browser.open(**{"chair-1": "me"})
    for nth in range(MOVES):
        begun = perf_counter()
        answer = browser.tell(table_id, "speak", nth % 2, phrase="hello")
        times.append(perf_counter() - begun)
        if answer.status_code != 200:
            raise RuntimeError(answer.text)
        sleep(PACE)
    return times


WAYS: dict[str, tuple[Callable[..., Iterator[str]], int]] = {
    "quick": (quick, 20),
    "first": (first, 30),
    "sure": (confirm_mistakes, 100),
    "sums": (sums, 1000),
    "advice": (advice, 5),
    "beside": (time_moves, 200),
}


def main() -> None:
    name, asked, rest = read_arguments(__doc__, what=tuple(WAYS), many=None, more=[])
    way, usual = WAYS[name]
    for line in way(usual if asked is None else asked, *rest):
        print(line, flush=True)


if __name__ == "__main__":
    main()
