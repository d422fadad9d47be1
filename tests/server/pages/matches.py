"""Random matches for the tests of pages about them."""

from __future__ import annotations

from random import Random

from chouine.cards import PACK
from chouine.rules.options import Rules
from chouine.table import Opened, Phase, SeatHolder, TableState, commands, decide, evolve
from chouine.table import entries as log
from chouine.table.evolve import opening_state

NAMES = ("Jean", "Charles", "Marthe", "Lucien")
NOON = 1_780_000_000.0


class Table:
    """A table's state and the random generator that plays it."""

    def __init__(
        self, rules: str = "classic", form: str = "3x1", seed: int = 0, deal: str | None = None
    ) -> None:
        self.rng = Random(seed)
        seats = Rules.parse(rules).seats
        chairs = tuple(SeatHolder("person", NAMES[seat], f"guest-{seat}") for seat in range(seats))
        self.now = NOON
        self.table = opening_state(Opened(rules, form, chairs, deal=deal), self.now)
        if self.table.phase is Phase.TIRAGE:
            self.table = evolve(self.table, self.shuffle(), self.now)

    def shuffle(self) -> log.Shuffled:
        pack = list(PACK)
        self.rng.shuffle(pack)
        return log.Shuffled("".join(map(str, pack)), f"{self.rng.getrandbits(256):064x}")

    def do(self, command: commands.Command) -> None:
        self.now += 1
        for entry in decide(self.table, command, self.now, self.shuffle):
            self.table = evolve(self.table, entry, self.now)

    def step(self) -> None:
        """Carry out a random command of the first seat on turn, preferably a declaration or the exchange."""
        table, rng = self.table, self.rng
        seat = min(table.awaited)
        match table.phase:
            case Phase.TIRAGE:
                self.do(commands.Pick(seat, rng.choice([n for n in range(32) if n not in table.picks])))
            case Phase.CUT:
                self.do(commands.CutAt(seat, rng.randint(4, 28)))
            case Phase.COUNT:
                self.do(commands.GoOn(seat))
            case _:
                assert table.state is not None
                legal = table.state.legal(seat)
                declaring = [action for action in legal if "+" in str(action) or str(action) == "7x"]
                if table.window and not declaring:
                    self.do(commands.Pass(seat))
                else:
                    self.do(commands.Act(seat, str(rng.choice(declaring or legal))))

    def play_to(self, phase: Phase) -> TableState:
        """Play until the table reaches a phase."""
        while self.table.phase is not phase:
            self.step()
        return self.table


def play_match(rules: str = "classic", form: str = "3x1", seed: int = 0) -> TableState:
    """A match played to its end."""
    return Table(rules, form, seed).play_to(Phase.OVER)


def seating() -> TableState:
    """A table that waits for a friend."""
    chairs = (SeatHolder("person", "Jean", "guest-0"), SeatHolder("person", ""))
    return opening_state(Opened("classic;head=always", "5x1", chairs), NOON)
