"""A leaderboard that anybody can repeat: an entry has all that another machine needs to play the same parties.

An entry is one line of JSON: a player's pairs against `heuristic` from a seed whose SHA-256 was published before, the
outcome of every partie, and the SHA-256 of each file that the player is made of.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Self

import chouine
from chouine.arena.duel import DuelRun
from chouine.arena.pairs import Duel
from chouine.contest.draw import commit
from chouine.errors import ChouineError
from chouine.jobs import Crew
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
    """The SHA-256 of each file that the player's text names, by its path."""
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
            files_of(spec),
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
        """The entry in a line. Raises `ValueError`, `TypeError` or `KeyError` for anything else."""
        data = json.loads(line)
        Rules.parse(data["rules"])
        if not data["outcomes"] or not isinstance(data["seed"], str) or not isinstance(data["files"], dict):
            raise ValueError("no pairs")
        return cls(**{**data, "outcomes": tuple(data["outcomes"])})

    @property
    def runs_code(self) -> bool:
        """Whether to play it runs what its text names: a stranger's text may name anything."""
        return self.player.partition(":")[0] in ("pipe", "python")

    def __str__(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    def differences(self, pairs: int, crew: Crew, tell: Callable[[int], None]) -> Iterator[ChouineError]:
        """What is not as the entry says, after its first pairs have been played again; its rate only with all pairs.

        If its files are not those here, nothing is played.
        """
        if commit(self.seed) != self.digest:
            yield ChouineError("leaderboard/digest")
        here = files_of(self.player)
        if missing := [path for path, digest in self.files.items() if here.get(path) != digest]:
            yield from (ChouineError("leaderboard/file", file=path) for path in missing)
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
        for number, (said, found) in enumerate(zip(self.outcomes, again.outcomes, strict=False), 1):
            if said != found:
                yield ChouineError("leaderboard/pair", number=number, said=said, found=found)
                return
        told = self.rate, self.low, self.high, self.faults
        if len(again.outcomes) == len(self.outcomes) and told != (
            again.rate,
            again.low,
            again.high,
            again.faults,
        ):
            yield ChouineError("leaderboard/rate", said=self.rate, found=again.rate)


def files_of(spec: str) -> dict[str, str]:
    """The SHA-256 of each file that a player's text names: a program's, a network's."""
    _, _, argument = spec.partition(":")
    try:
        words = [argument, *shlex.split(argument.replace(";", " "))]
    except ValueError:
        words = [argument]
    paths = (path for path in dict.fromkeys(words) if path and Path(path).is_file())
    return {path: sha256(Path(path).read_bytes()).hexdigest() for path in paths}
