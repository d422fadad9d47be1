"""What a bot does at its tables: it draws, cuts and goes on by itself, and asks a player for its acts."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from typing import Any

from chouine.engine import Engine, Limit
from chouine.notation.disclosures import Disclosures, disclose
from chouine.notation.lines import read_view
from chouine.notation.tokens import read_seat, read_suits, token
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.players.base import Player, close
from chouine.registry import PLAYERS, player_of, program
from chouine.rules.options import Rules

Table = Mapping[str, Any]
"""A table as the API tells it."""
SHARE = 0.8
"""The share of the time that is left which a player may use; the rest is for the way to the server."""


def command_of(words: list[str], join: Any) -> str:
    """The command line of a program that these words name; empty if they name a player of ours.

    `join` quotes several words. A single word may have options, as after `pipe:`.
    """
    first = words[0]
    if len(words) == 1 and first.partition(":")[0] in PLAYERS:
        return first.removeprefix("pipe:") if first.startswith("pipe:") else ""
    return first if len(words) == 1 else str(join(words))


def view_of(table: Table) -> View:
    """What the seat knows of the partie."""
    shown = tuple(None if cards == "?" else read_suits(cards) for cards in table["shown"])
    exchanged = tuple(None if seat == "?" else read_seat(seat) for seat in table["exchanged"])
    view = read_view(str(table["view"]), read_seat(str(table["seat"])))
    return disclose(view, Disclosures(shown, exchanged))


class SeatPlayer:
    """The player of one seat: a program that is awaited, or one of ours in a thread.

    Each table has its own, so that none sees two hands of one partie.
    """

    def __init__(self, named: str, command: str, rules: str, seconds: float) -> None:
        """`named`: a name of `registry`; `command`: that of a program instead. Raises a `ChouineError`."""
        self.seconds = seconds
        self.player: Engine | Player
        if command:
            asked = program(command)
            self.player = Engine(asked.command, dict(asked.options))
        else:
            self.player = player_of(named, Rules.parse(rules), secrets.randbits(32), seconds)

    async def act(self, view: View, left: float | None) -> Action | None:
        """Its act; None lets "au sept" pass. `left`: seconds until it is late. Raises `EngineFault`."""
        seconds = self.seconds if left is None else max(0.05, min(self.seconds, SHARE * left))
        if isinstance(self.player, Engine):
            return (await self.player.play(view, Limit(seconds))).action
        return await asyncio.to_thread(self.player.act, view)

    async def close(self) -> None:
        """End it."""
        if isinstance(self.player, Engine):
            await self.player.close()
        else:
            close(self.player)


async def answer_of(table: Table, player: SeatPlayer) -> dict[str, object]:
    """The body of the command that a table waits for. Raises `EngineFault`."""
    match table["todo"]:
        case "pick":
            free = [place for place in range(32) if place not in table["picked"]]
            return {"place": secrets.choice(free)}
        case "cut":
            return {"at": 4 + secrets.randbelow(25)}
        case "act":
            return {"act": token(await player.act(view_of(table), table["seconds"]))}
        case _:
            return {}
