"""The computers' seats at the terminal. Players get their seat's view and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.ai.levels import check, level_of
from chouine.cards import PACK
from chouine.cli.terminal.session import Asks, Session
from chouine.errors import ChouineError
from chouine.match.draw import PACKET
from chouine.players import HeuristicPlayer, PipePlayer, Player, UnknownPlayer, close
from chouine.players.pipe import Fallback
from chouine.players.process import EngineFault
from chouine.registry import entry_of, player_of, program
from chouine.table import Command, SeatHolder
from chouine.table import commands as ask


def check_kind(kind: str) -> None:
    """Raise a `ChouineError` that lists the known players if a text names none of them."""
    try:
        entry_of(kind)
    except UnknownPlayer as fault:
        raise UnknownPlayer(fault.code, token=kind, known=f"person, {fault.data['known']}") from None
    if level := level_of(kind):
        check(level)


class SeatPlayers:
    """Players of the seats that no person holds. All but external programs are made anew for each act."""

    def __init__(self, holders: Sequence[SeatHolder]) -> None:
        self._programs = dict[int, PipePlayer]()
        self._faults = list[tuple[int, EngineFault]]()
        try:
            for seat, holder in enumerate(holders):
                if holder.player != "person":
                    check_kind(holder.player)
                if holder.player.startswith("pipe:"):
                    self._start(seat, program(holder.player.removeprefix("pipe:")))
        except ChouineError:
            self.close()
            raise

    def _start(self, seat: int, started: PipePlayer) -> None:
        """Start a program now; a fallback player replaces it if it fails later."""
        self._programs[seat] = started
        started.greet()
        started.fallback = Fallback(HeuristicPlayer(), lambda fault: self._faults.append((seat, fault)))

    def faults(self) -> list[tuple[int, EngineFault]]:
        """Faults of programs since the last call, with their seats."""
        faults, self._faults = self._faults, []
        return faults

    def command(self, session: Session) -> Command:
        """The command of the seat that is asked."""
        what, seat = session.asked
        chance = session.random(seat, len(session.log))
        if what is Asks.PICK:
            return ask.Pick(
                seat, chance.choice([n for n in range(len(PACK)) if n not in session.table.picks])
            )
        if what is Asks.CUT:
            return ask.CutAt(seat, chance.randint(PACKET, len(PACK) - PACKET))
        action = self._player(session, seat).act(session.partie.view(seat))
        if action is not None:
            return ask.Act(seat, str(action))
        if what is Asks.PLAY:
            raise ChouineError("terminal/no-answer", name=session.holders[seat].name)
        return ask.Pass(seat)

    def _player(self, session: Session, seat: int) -> Player:
        """The seat's player; a level is seeded by the partie, so that forgotten cards stay forgotten."""
        if seat in self._programs:
            return self._programs[seat]
        kind = session.holders[seat].player
        chance = session.random(seat, "level" if level_of(kind) else len(session.log))
        return player_of(kind, session.table.match.rules, chance.getrandbits(32))

    def close(self) -> None:
        """End all programs."""
        for started in self._programs.values():
            close(started)
