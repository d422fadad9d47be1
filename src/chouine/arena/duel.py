"""A duel: pairs played until their number or a test's verdict is reached; continues from its log."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from chouine import __version__, jobs
from chouine.arena.pairs import Blame, Duel, Pair, play_pair, seatings, tags_of
from chouine.arena.score import PairScore, Sprt, mean_of, parties_of
from chouine.errors import ChouineError, check_type, count_of
from chouine.files import append
from chouine.jobs import Crew, in_this_process
from chouine.jobs.progress import parse_line
from chouine.notation.records import escape
from chouine.phrases import Language, check_language, say
from chouine.plaintext import split_lines
from chouine.players import Player
from chouine.plots import Plot, Point, curves, percent
from chouine.registry import add_player
from chouine.rules import Rules


class DuelLog(jobs.Log):
    """A duel's log file."""

    kind = "duel"
    other = "arena/other-duel"

    def __init__(self, path: Path, duel: Duel, saved: int) -> None:
        super().__init__(path, key_of(duel), saved=saved)
        self.parties = len(seatings(Rules.parse(duel.rules).seats))
        """In a pair."""

    @property
    def saved(self) -> int:
        """The length of the records' file before the first pair was played."""
        if not (isinstance(self.head["saved"], int) and self.head["saved"] >= 0):
            raise ChouineError("arena/no-log", file=self.path)
        return self.head["saved"]

    def pairs(self) -> Iterator[tuple[Pair, int]]:
        """Yield the logged pairs in order, each with the length of the records' file after it."""
        return self.entries(self.pair_in)

    def pair_in(self, data: dict[str, Any], number: int) -> tuple[Pair, int]:
        """The pair in a line. Raises `ValueError` if it is not the next one of this duel."""
        pair, saved = pair_of(data, number)
        if len(pair.outcomes) != self.parties or saved < 0:
            raise ValueError("not a pair of this duel")
        return pair, saved

    @staticmethod
    def seed_in(path: Path) -> str | None:
        """The seed of a log's duel; None if there is no log."""
        lines = split_lines(path.read_text("utf-8", errors="replace")) if path.is_file() else []
        duel = (parse_line(lines[0]) or {}).get("duel") if lines else None
        return str(duel["seed"]) if isinstance(duel, dict) and "seed" in duel else None

    def add_pair(self, pair: Pair, saved: int) -> None:
        """Append a pair."""
        self.add(
            {
                "pair": pair.number,
                "outcomes": pair.outcomes,
                "micros": pair.micros,
                "faults": pair.faults,
                "luck": [round(luck, 6) for luck in pair.luck],
                "saved": saved,
            }
        )


def key_of(duel: Duel) -> dict[str, Any]:
    """The identity of a duel.

    A program counts by its name, so that its file may be moved; equal time limits are written once. The players of
    another version may play otherwise.
    """
    key = {"chouine": __version__, **asdict(duel)}
    del key["names"]
    key["a"], key["b"] = duel.called
    a, b = duel.seconds
    key["seconds"] = a if a == b else [a, b]
    return key


def pair_of(data: dict[str, Any], number: int) -> tuple[Pair, int]:
    """The pair in a line. Raises `ValueError` if it is not the next one."""
    if data["pair"] != number or not all(outcome in (-1, 0, 1) for outcome in data["outcomes"]):
        raise ValueError("not the next pair")
    micros = tuple(tuple(map(int, side)) for side in data["micros"])
    faults = tuple(Blame(*fault) for fault in data["faults"])
    luck = tuple(map(float, data["luck"]))
    return Pair(number, tuple(data["outcomes"]), (micros[0], micros[1]), faults, luck), int(data["saved"])


LARGEST_PAIR = 1_000_000
"""More bytes than the records of a pair have."""
PLOTTED = 100
"""Points of a duel's curve at most."""
Entrant = str | Callable[[], Player]
"""A name of the registry, or a player class without arguments."""


def duel(
    a: Entrant, b: Entrant, pairs: int = 100, rules: Rules | str = "classic", seed: str = "0"
) -> PairScore:
    """Play pairs in this process: A's score against B.

    >>> duel("heuristic", "random", pairs=2).pairs
    2
    """
    pairs = count_of("pairs", pairs, "a number of pairs", 1)
    check_type("rules", rules, (Rules, str), "Rules, or a text such as 'classic;head=always'")
    check_type("seed", seed, str, "a text")
    with ExitStack() as seated:
        one, other = (
            each if isinstance(each, str) else seated.enter_context(add_player(each)) for each in (a, b)
        )
        contest = DuelRun(Duel(one, other, str(Rules.parse(str(rules))), seed), pairs)
        for _ in contest.play(in_this_process):
            pass
    return contest.score


@dataclass(slots=True)
class DuelRun:
    """A duel's settings and its results so far."""

    duel: Duel
    pairs: int
    sprt: Sprt | None = None
    log: Path | None = None
    save: Path | None = None
    score: PairScore = field(default_factory=PairScore)
    results: list[tuple[int, int]] = field(default_factory=list)
    """Parties won and lost by A in each pair."""
    adjusted: list[float] = field(default_factory=list)
    """A's share minus its luck in each pair, if luck is measured."""
    micros: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    first_faults: dict[str, Blame] = field(default_factory=dict)
    """The first fault of A, and of B."""
    verdict: str | None = None

    def play(self, crew: Crew) -> Iterator[Pair]:
        """Yield the pairs of the log, then each as it is played. A pair's records are saved before it is logged."""
        if self.log is None:
            yield from self.play_on(crew, None)
            return
        with closing(DuelLog(self.log, self.duel, self.saved)) as log:
            self.take_up(log)
            yield from self.play_on(crew, log)

    def play_on(self, crew: Crew, log: DuelLog | None) -> Iterator[Pair]:
        """Yield the pairs that are not in the log, each as it is played."""
        if self.over:
            return
        for pair in crew(partial(play_pair, self.duel), range(self.score.pairs, self.pairs)):
            length = self.keep(pair)
            if log is not None:
                log.add_pair(pair, length)
            self.count(pair)
            yield pair
            if self.over:
                return

    def take_up(self, log: DuelLog) -> None:
        """Read a log, and remove records of a pair that was not logged: records of others stay where they are."""
        length = None
        for pair, saved in log.pairs():
            if self.over:
                return
            self.count(pair)
            length = saved
        length = log.saved if length is None else length
        if self.save is not None and self.saved < length:
            raise ChouineError("arena/lost-records", file=self.save)
        if self.save is not None and self.saved > length and self.is_of_next_pair(self.save, length):
            os.truncate(self.save, length)

    def is_of_next_pair(self, save: Path, start: int) -> bool:
        """Whether all that a file of records has from here on is of the next pair, as an interruption leaves it."""
        if self.over or self.saved - start > LARGEST_PAIR:
            return False
        with save.open("rb") as file:
            file.seek(start)
            text = file.read().decode(errors="replace")
        own = tags_of(self.duel) | {"Pair": str(self.score.pairs)}
        return text.removeprefix("\n")[:1] in ("", "[") and all(
            {*re.findall(rf'^\[{tag} "(.*)"\]$', text, re.MULTILINE)} <= {escape(value)}
            for tag, value in own.items()
        )

    def count(self, pair: Pair) -> None:
        self.score.add(pair)
        self.results.append((pair.won, pair.lost))
        if pair.luck:
            self.adjusted.append(pair.share - sum(pair.luck) / len(pair.luck))
        for fault in pair.faults:
            self.first_faults.setdefault(fault.side, fault)
        for side, spent in zip(self.micros, pair.micros, strict=True):
            side.extend(spent)
        if self.sprt is not None:
            self.verdict = self.sprt.verdict(self.score.tally)

    @property
    def over(self) -> bool:
        return self.verdict is not None or self.score.pairs >= self.pairs

    def keep(self, pair: Pair) -> int:
        """Append a pair's records to their file; returns its new length."""
        if self.save is None:
            return 0
        append(self.save, "".join(f"{record}\n\n" for record in pair.records).encode())
        return self.saved

    @property
    def saved(self) -> int:
        """The length of the records' file."""
        return self.save.stat().st_size if self.save is not None and self.save.exists() else 0

    @property
    def seconds(self) -> tuple[float, float]:
        """Mean seconds per decision of A and of B."""
        a, b = (sum(side) / len(side) / 1e6 if side else 0.0 for side in self.micros)
        return a, b

    def plot(self, language: Language = "en") -> Plot:
        """A's rate with its interval as the pairs were played. Raises `ValueError` before the first."""
        check_language(language)
        many, parties = len(self.results), parties_of(self.score.tally)
        shown = sorted({-(-many * nth // PLOTTED) for nth in range(1, PLOTTED + 1)})
        score, line = PairScore(), list[Point]()
        for number, (won, lost) in enumerate(self.results, 1):
            score.tally[won, lost, parties - won - lost] += 1
            if number in shown and score.rate is not None:
                line.append(Point(number, score.rate, *score.interval))
        a, b = self.duel.called
        title, across = say("plot/duel", language, a=a, b=b), say("plot/pairs", language)
        return curves(title, across, {a: line} if line else {}, partial(percent, language=language), base=0.5)

    def figures(self) -> dict[str, object]:
        """The result as JSON data."""
        score = self.score
        low, high = score.interval
        a, b = self.seconds
        names = dict(zip("ab", self.duel.called, strict=True))
        report: dict[str, object] = {
            **names,
            "pairs": score.pairs,
            "wins": score.wins,
            "losses": score.losses,
            "nulles": score.nulles,
            "rate": None if score.rate is None else round(score.rate, 5),
            "low": round(low, 5),
            "high": round(high, 5),
            "seconds_a": round(a, 7),
            "seconds_b": round(b, 7),
            "faults_a": score.faults["a"],
            "faults_b": score.faults["b"],
        }
        for side, fault in self.first_faults.items():
            report[f"first_fault_{side}"] = {
                **fault._asdict(),
                "message": say(fault.code, "en", **fault.data),
            }
        if self.duel.luck:
            adjusted, low, high = mean_of(self.adjusted)
            report |= {"adjusted": round(adjusted, 5)}
            report |= {"adjusted_low": round(low, 5), "adjusted_high": round(high, 5)}
        if self.sprt is not None:
            report |= {"ratio": round(self.sprt.ratio(score.tally), 3), "verdict": self.verdict}
        return report
