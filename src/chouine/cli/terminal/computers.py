"""The seats that programs play. They are given their seat's view and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from chouine.ai.levels import check, highest, level, level_of
from chouine.cards import PACK
from chouine.cli.terminal.table import Act, Asks, Chair, Cut, Move, Pass, Pick, Table
from chouine.errors import ChouineError
from chouine.match.draw import PACKET
from chouine.players import HeuristicPlayer, PipePlayer, Player, UnknownPlayer, close, player_of
from chouine.players.pipe import Fallback
from chouine.players.process import EngineFault


def seated(kind: str, chance: Random) -> Player:
    """The player of a kind; at a table persons and levels are known too."""
    try:
        return player_of(kind, chance)
    except UnknownPlayer as fault:
        known = f"person, level:1 – level:{highest()}, {fault.data['known']}"
        raise UnknownPlayer(fault.code, token=kind, known=known) from None


class Computers:
    """The players of a table's chairs that no person sits on. Those of a level are made for each act."""

    def __init__(self, chairs: Sequence[Chair]) -> None:
        self._levels = {seat: number for seat, chair in enumerate(chairs) if (number := level_of(chair.kind))}
        for number in self._levels.values():
            check(number)
        self._chances = [Random() for _ in chairs]
        self._players = dict[int, Player]()
        self._faults = list[tuple[int, EngineFault]]()
        try:
            for seat, chair in enumerate(chairs):
                if not chair.person and seat not in self._levels:
                    self._seat(seat, chair.kind)
        except ChouineError:
            self.close()
            raise

    def _seat(self, seat: int, kind: str) -> None:
        """A program is started at once; for one that is at fault later somebody stands in."""
        self._players[seat] = player = seated(kind, self._chances[seat])
        if isinstance(player, PipePlayer):
            player.greeted()
            player.fallback = Fallback(HeuristicPlayer(), lambda fault: self._faults.append((seat, fault)))

    def faults(self) -> list[tuple[int, EngineFault]]:
        """Programs found at fault since this was last asked, by seat."""
        faults, self._faults = self._faults, []
        return faults

    def move(self, table: Table) -> Move:
        """What the asked seat does."""
        what, seat = table.asked
        chance = table.random(seat, len(table.moves))
        if what is Asks.PICK:
            return Pick(
                chance.choice([place for place in range(1, len(PACK) + 1) if place not in table.picks])
            )
        if what is Asks.CUT:
            return Cut(chance.randint(PACKET, len(PACK) - PACKET))
        self._chances[seat].setstate(chance.getstate())
        action = self._player(table, seat).act(table.partie.view(seat))
        if action is not None:
            return Act(action)
        if what is Asks.PLAY:
            raise ChouineError("terminal/no-answer", name=table.chairs[seat].name)
        return Pass()

    def _player(self, table: Table, seat: int) -> Player:
        """Who acts there: of a level the same person throughout a partie, forgetting what it has forgotten."""
        if seat not in self._levels:
            return self._players[seat]
        return level(self._levels[seat], table.match.rules, table.random(seat, "level").getrandbits(32))

    def close(self) -> None:
        """Let them all go."""
        for player in self._players.values():
            close(player)
