"""A server in a subprocess, and its database, in which tests set tables as another node would."""

from __future__ import annotations

import asyncio
import hashlib
import signal
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from chouine.ai.levels import level_of
from chouine.cli import main as chouine
from chouine.partie import Play
from chouine.phrases import Language
from chouine.phrases.personas import PERSONAS
from chouine.server.forms import told_apart
from chouine.server.pages.visit import Settings
from chouine.server.saved import SavedState
from chouine.server.store import Store
from chouine.server.tables import TEMPO, Tables, Tempo
from chouine.server.visitors import secrets_of
from chouine.table import Phase
from chouine.table import commands as ask
from chouine.table.entries import Acted, ClockTerms, LogEntry, Opened, SeatHolder
from chouine.table.state import TableState
from tests.browser.serving import main
from tests.forked import ForkedProcess
from tests.patience import PATIENCE
from tests.ports import free_port
from tests.server.stores import keep_session

ROOT = Path(__file__).parents[2]
T = TypeVar("T")
PATIENT = Tempo(rest=PATIENCE)
"""Of computers for which a test plays."""


@dataclass(frozen=True)
class Guest:
    """A guest known to the server, with the value of its cookie."""

    token: str
    guest: str
    name: str


@dataclass
class House:
    """A server that can be killed and restarted with the same port and database."""

    database: Path
    usual: bool = False
    """Whether to run `chouine serve` as it is, with computers at their usual speed."""
    port: int = field(default_factory=free_port)
    process: ForkedProcess | None = None
    threads: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        where = f"sqlite:///{self.database}", "--port", str(self.port), "--no-browser"
        if self.usual:
            self.process = ForkedProcess(chouine, ["serve", "--database", *where])
        else:
            self.process = ForkedProcess(main, [str(self.database), str(self.port)])
        line = self.process.stdout.readline()
        assert line.startswith("Chouine: "), f"the server said {line!r}"

    def kill(self) -> None:
        """Kill the process, as a power cut would."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Stop as systemd does, and start again."""
        self._end(signal.SIGTERM)
        self.start()

    def stop(self) -> None:
        self._end(signal.SIGTERM)
        self.threads.shutdown()

    def _end(self, how: signal.Signals) -> None:
        if self.process is None:
            return
        self.process.send_signal(how)
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process = None

    def guest(
        self, name: str = "", language: Language = "fr", hold: float = 0.5, settings: Settings | None = None
    ) -> Guest:
        """Create a guest with a stored session and settings."""
        saved = SavedState(name, language, settings or Settings(hold=hold))

        async def store(tables: Tables) -> Guest:
            held = await secrets_of(tables.store)
            known = Guest(token := held.token(), held.guest(token), name)
            digest = hashlib.sha256(known.token.encode()).hexdigest()
            await keep_session(tables.store, digest, known.guest, msgspec.json.encode(saved), 0.0)
            return known

        return self.do(store)

    def table(
        self,
        chairs: Sequence[Guest | str | None],
        rules: str = "classic",
        terms: str = "1x1",
        deal: str | None = None,
        played: str = "",
        window: float = PATIENCE,
        clock: ClockTerms | None = None,
    ) -> str:
        """Set a table and play `played` on it.

        A chair is a guest, a computer's level, or None for an empty chair. `window`: seconds in which "au sept" may
        be answered, so many that no slow page finds them over.
        """
        opened = Opened(rules, terms, told_apart(map(_chair, chairs)), clock, deal, window)

        async def set_out(tables: Tables) -> str:
            tables.tempo = PATIENT if played else TEMPO
            game = await tables.open(opened)
            await _play_all(tables, game, played)
            return game

        return self.do(set_out)

    def play(self, game: str, tokens: str) -> None:
        """Play tokens, each by the seat that may; "pass" lets "au sept" pass."""
        self.do(lambda tables: _play_all(tables, game, tokens))

    def play_on(self, game: str, acts: int) -> None:
        """Play so many acts: cards without declarations, and passes of "au sept"."""

        async def all_of(tables: Tables) -> None:
            for _ in range(acts):
                room = await tables.table(game)
                assert room is not None
                assert room.state is not None
                legal = [] if room.window else room.state.legal(min(room.awaited))
                plain = [str(act) for act in legal if isinstance(act, Play) and act.declaration is None]
                await tables.do(game, _command(room, (plain or ["pass"])[0]))

        self.do(all_of)

    def pick_cards(self, game: str) -> None:
        """Play the tirage to its end."""
        while (room := self.room(game)).phase is Phase.TIRAGE:
            pick = ask.Pick(min(room.awaited), min({*range(32)} - {*room.picks}))
            self.do(lambda tables, pick=pick: tables.do(game, pick))  # type: ignore[misc]

    def cut_pack(self, game: str) -> None:
        """Cut after the tirage: the cards are dealt."""
        cut = ask.CutAt(min(self.room(game).awaited), 16)
        self.do(lambda tables: tables.do(game, cut))

    def invitation(self, game: str, seat: int) -> str:
        """The link for an empty chair, as the first player would send it."""

        async def sign(tables: Tables) -> str:
            return (await secrets_of(tables.store)).empty_seat(game, seat)

        return f"/join/{game}/{seat}/{self.do(sign)}"

    def room(self, game: str) -> TableState:
        """The table's state in the database."""
        room = self.do(lambda tables: tables.table(game))
        assert room is not None
        return room

    def log(self, game: str) -> list[LogEntry]:
        return [entry for entry, _ in self.do(lambda tables: tables.store.log(game))]

    def cards(self, game: str, seat: int | None = None) -> list[str]:
        """The cards played, by one seat or by all, with their declarations and without exchanges."""
        acts = [entry for entry in self.log(game) if isinstance(entry, Acted) and entry.token != "7x"]
        return [act.token for act in acts if seat in (None, act.seat)]

    def do(self, work: Callable[[Tables], Coroutine[None, None, T]]) -> T:
        """Run a coroutine on the database, in a thread since Playwright occupies this one's event loop."""
        return self.threads.submit(asyncio.run, self._with_tables(work)).result()

    async def _with_tables(self, work: Callable[[Tables], Coroutine[None, None, T]]) -> T:
        store = Store.at(f"sqlite+aiosqlite:///{self.database}")
        try:
            return await work(Tables(store))
        finally:
            await store.close()


def ended_by_chouine(room: TableState) -> bool:
    """Whether a chouine ended a partie early (§10), as a random deal may allow."""
    results = [played.state.result for played in room.played]
    return any(result is not None and result.by == "chouine" for result in results)


def _chair(who: Guest | str | None) -> SeatHolder:
    match who:
        case Guest():
            return SeatHolder("person", who.name, who.guest)
        case None:
            return SeatHolder("person", "")
        case _:
            level = level_of(who)
            return SeatHolder(who, PERSONAS[level - 1][0] if level else "Lavardin")


async def _play_all(tables: Tables, game: str, tokens: str) -> None:
    """Play tokens. Until the last of them computers wait: else a slow process finds that they have played."""
    acts = tokens.split()
    for nth, token in enumerate(acts, 1):
        tables.tempo = PATIENT if nth < len(acts) else TEMPO
        room = await tables.table(game)
        assert room is not None
        await tables.do(game, _command(room, token))


def _command(room: TableState, token: str) -> ask.Command:
    if token == "pass":
        return ask.Pass(min(room.window))
    assert room.state is not None
    seat = next(seat for seat in room.seats if token in map(str, room.state.legal(seat)))
    return ask.Act(seat, token)
