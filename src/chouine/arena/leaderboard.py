"""A leaderboard that anybody can repeat: an entry has all that another machine needs to play the same parties.

An entry is one line of JSON: a player's pairs against `heuristic` from a seed whose SHA-256 was published before, the
outcome of every partie, and the SHA-256 of each file that the player is made of.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Self

import chouine
from chouine.arena.duel import DuelRun
from chouine.arena.pairs import Duel
from chouine.arena.player_files import digests_of
from chouine.contest.draw import commit
from chouine.errors import ChouineError
from chouine.jobs import Crew
from chouine.plaintext import parse_json
from chouine.registry import displayed_name
from chouine.rules import Rules

RIVAL = "heuristic"
"""Whom every entrant plays: quick, deterministic, and for every rules."""
LETTERS = {1: "w", 0: "n", -1: "l"}


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A player's result. `seconds`: time limit of a decision, None for none."""

    player: str
    name: str
    files: dict[str, str]
    """The SHA-256 of each file that the player is made of, by its path."""
    rules: str
    seconds: float | None
    version: str
    """The version of Chouine, whose players and draws are meant."""
    seed: str
    digest: str
    """The SHA-256 of the seed, published before the first pair."""
    outcomes: tuple[str, ...]
    """For each pair a letter for each of its parties: won, lost, nulle."""
    rate: float | None
    low: float
    high: float
    faults: int

    @classmethod
    def measure(
        cls,
        spec: str,
        rules: Rules,
        pairs: int,
        seed: str,
        seconds: float | None,
        crew: Crew,
        tell: Callable[[int], None],
    ) -> Self:
        """Play the pairs; `tell` is called with the number of pairs done.

        Raises `ChouineError` for a player that cannot play these rules.
        """
        name = displayed_name(spec, rules, seconds)
        run = DuelRun(Duel(spec, RIVAL, str(rules), seed, (seconds, None), (name, "")), pairs)
        outcomes = []
        for pair in run.play(crew):
            outcomes.append("".join(LETTERS[outcome] for outcome in pair.outcomes))
            tell(pair.number + 1)
        low, high = run.score.interval
        rate = run.score.rate
        return cls(
            spec,
            name,
            digests_of(spec),
            str(rules),
            seconds,
            chouine.__version__,
            seed,
            commit(seed),
            tuple(outcomes),
            None if rate is None else round(rate, 5),
            round(low, 5),
            round(high, 5),
            run.score.faults["a"],
        )

    @classmethod
    def read(cls, line: str) -> Self:
        """The entry in a line. Raises `ValueError`, `TypeError`, `KeyError` or `AttributeError` for anything else."""
        data = parse_json(line)
        entry = cls(**{**data, "outcomes": tuple(data["outcomes"])})
        entry.check()
        return entry

    def check(self) -> None:
        """Raise `TypeError` or `ValueError` for a field that is not what it should be, without playing a pair."""
        texts = (self.player, self.name, self.rules, self.version, self.seed, self.digest)
        if not all(isinstance(text, str) for text in (*texts, *self.files.keys(), *self.files.values())):
            raise TypeError("not a text")
        known = [number for number in (self.seconds, self.rate) if number is not None]
        if not all(type(number) in (int, float) for number in (*known, self.low, self.high, self.faults)):
            raise TypeError("not a number")
        if not self.outcomes or not all(set(pair) <= set(LETTERS.values()) for pair in self.outcomes):
            raise ValueError("no pairs")
        Rules.parse(self.rules)

    @property
    def runs_code(self) -> bool:
        """Whether to play it runs what its text names: a stranger's text may name anything."""
        return self.player.partition(":")[0] in ("pipe", "python")

    @property
    def figures(self) -> str:
        """The rate, its interval and the faults: `0.579 (0.552–0.606), 0`."""
        return f"{self.rate} ({self.low}–{self.high}), {self.faults}"

    def __str__(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    def differences(self, pairs: int, crew: Crew, tell: Callable[[int], None]) -> Iterator[ChouineError]:
        """What is not as the entry says, after its first pairs have been played again; its rate only with all pairs.

        If its files are not those here, nothing is played.
        """
        if commit(self.seed) != self.digest:
            yield ChouineError("leaderboard/digest")
        here = digests_of(self.player)
        if others := [path for path in self.files | here if here.get(path) != self.files.get(path)]:
            yield from (ChouineError("leaderboard/file", file=path) for path in others)
            return
        again = LeaderboardRow.measure(
            self.player,
            Rules.parse(self.rules),
            min(pairs, len(self.outcomes)),
            self.seed,
            self.seconds,
            crew,
            tell,
        )
        if again.name != self.name:
            yield ChouineError("leaderboard/name", said=self.name, found=again.name)
        for number, (said, found) in enumerate(zip(self.outcomes, again.outcomes, strict=False), 1):
            if said != found:
                yield ChouineError("leaderboard/pair", number=number, said=said, found=found)
                return
        if len(again.outcomes) == len(self.outcomes) and self.figures != again.figures:
            yield ChouineError("leaderboard/rate", said=self.figures, found=again.figures)
