"""Let a program play on a server: wait for its tables, answer each turn in time, come back after interruptions."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import shlex
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from gettext import gettext as _
from typing import Any

from chouine.cli.api_client import ApiClient, ApiRefusal, Away
from chouine.cli.arguments import from_environment, positive_number, seconds
from chouine.cli.texts import CannotRun, open_text
from chouine.engine import Engine, EngineFault, Limit
from chouine.errors import ChouineError
from chouine.notation.lines import Disclosures, disclose, read_view
from chouine.notation.tokens import read_seat, read_suits, token
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.phrases import say
from chouine.players.base import Player, close
from chouine.registry import PLAYERS, displayed_name, player_of, program
from chouine.rules.options import Rules
from chouine.server.token_form import FORM

Table = Mapping[str, Any]
"""A table as the API tells it."""
SHARE = 0.8
"""The share of the time that is left which a player may use; the rest is for the way to the server."""


def command_of(words: list[str]) -> str:
    """The command line of a program that these words name; empty if they name a player of ours.

    A single word may have options, as after `pipe:`.
    """
    first = words[0]
    if len(words) == 1 and first.partition(":")[0] in PLAYERS:
        return first.removeprefix("pipe:") if first.startswith("pipe:") else ""
    return first if len(words) == 1 else shlex.join(words)


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


SERVER = "http://127.0.0.1:8000"
LONGEST_WAIT = 30.0
"""Most seconds until a server that is away is tried again."""
LATEST = 3
"""Matches that ended before the stream followed their tables, at which the bot looks for a revanche."""
FAULTS = 3
"""Faults in a row for which a program gives the match up."""


class Stopped(Exception):
    """The bot cannot go on, for this reason."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Let a program of the engine protocol, or one of our players, play on a server. It waits for its tables, plays"
        " each match to its end, and agrees to a revanche. Tokens are made on the server's page /mine/tokens."
    )
    parser.add_argument(
        "program",
        nargs="+",
        metavar=_("PROGRAM"),
        help=_("command line of the program, or one of our players, such as level:6"),
    )
    parser.add_argument(
        "--server",
        metavar="URL",
        default=from_environment("CHOUINE_SERVER", SERVER),
        help=_("address of the server (default: CHOUINE_SERVER, else port 8000 of this machine)"),
    )
    parser.add_argument(
        "--token",
        default="",
        metavar=_("TOKEN"),
        help=_(
            "the program's token; others see it in the list of processes: better in CHOUINE_TOKEN, or in a file"
        ),
    )
    parser.add_argument("--token-file", metavar=_("FILE"), help=_("file with the token"))
    parser.add_argument(
        "--open", metavar=_("RULES"), help=_("open a table with these rules, and print its links")
    )
    parser.add_argument(
        "--format", default="", metavar=_("FORMAT"), help=_("with --open: parties x manches, such as 3x1")
    )
    parser.add_argument("--join", metavar=_("LINK"), help=_("take the seat of a link"))
    parser.add_argument("--matches", metavar="N", type=positive_number, help=_("end after so many matches"))
    parser.add_argument(
        "--seconds",
        metavar="S",
        type=seconds,
        default=1.0,
        help=_("time for each act (default: %(default)s)"),
    )


def run(args: argparse.Namespace) -> int:
    """Play until interrupted, or until the matches asked for are over. 1: the server refuses; 2: invalid arguments."""
    token = token_of(args)
    if token and not FORM.fullmatch(token):
        raise CannotRun(
            _("this is no token: one begins with chouine_, and the page /mine/tokens shows it once")
        )
    client = ApiClient(args.server, token, args.language)
    command = command_of(args.program)
    named = "" if command else args.program[0]
    rules = Rules.parse(args.open or "classic")
    displayed_name(f"pipe:{command}" if command else named, rules)
    if not token:
        raise CannotRun(_("it needs a token: CHOUINE_TOKEN, --token-file or --token"))
    bot = Bot(client, lambda of: SeatPlayer(named, command, of, args.seconds), args)
    try:
        asyncio.run(bot.run())
    except Stopped as why:
        print(f"chouine bot: {why}", file=sys.stderr)
        return 1
    return 0


def token_of(args: argparse.Namespace) -> str:
    """The token, from wherever it is given."""
    given = args.token
    if args.token_file:
        with open_text(args.token_file) as file:
            given = file.read().strip()
        if not given:
            raise CannotRun(_("there is no token in %(file)s") % {"file": args.token_file})
    return str(given or os.environ.get("CHOUINE_TOKEN", "")).strip()


class Bot:
    """A program's tables on a server."""

    def __init__(
        self, client: ApiClient, player: Callable[[str], SeatPlayer], args: argparse.Namespace
    ) -> None:
        """`player` makes that of a seat, for the rules of its table."""
        self.client, self.player, self.args = client, player, args
        self.tables: dict[str, Table] = {}
        """The newest state of each table."""
        self.players: dict[str, SeatPlayer] = {}
        self.work: dict[str, asyncio.Task[None]] = {}
        self.over: set[str] = set()
        self.left = False
        self.said: asyncio.Queue[dict[str, Any] | Exception | None] = asyncio.Queue()
        """Events, and how the stream ended: with an error, or None."""

    async def run(self) -> None:
        """Play until enough matches are over. Raises `Stopped`."""
        try:
            await self.begin()
            await self.listen()
        finally:
            self.left = True
            self.client.close()
            for task in self.work.values():
                task.cancel()
            await asyncio.gather(*self.work.values(), return_exceptions=True)
            for player in self.players.values():
                await player.close()

    async def begin(self) -> None:
        """Say who plays where; open and join what was asked for."""
        account = await self.ask("GET", "account")
        if not account["bot"]:
            raise Stopped(
                _(
                    "this token is a person's. A program that chooses its cards needs a name that says so: see the page"
                    " /mine/tokens, in a private window"
                )
            )
        tell(
            _("%(name)s plays on %(server)s. Ctrl+C ends it.")
            % {"name": account["name"], "server": self.args.server}
        )
        if self.args.join:
            self.hear(await self.ask("POST", "join", {"link": self.args.join}))
        if self.args.open:
            body = {"rules": self.args.open, "format": self.args.format, "id": secrets.token_hex(8)}
            table = await self.ask("POST", "tables", body)
            self.hear(table)
            for seat in table["seats"]:
                if seat["link"]:
                    tell(_("Seat %(seat)s is for whoever has this link: %(link)s") % seat)

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """The server's answer, however long it is away. Raises `Stopped` if it refuses."""
        try:
            return await self.ask_until_answered(method, path, body)
        except ApiRefusal as refused:
            raise Stopped(reason(refused)) from refused

    async def ask_until_answered(self, method: str, path: str, body: object = None) -> Any:
        """The server's answer; asked again while it is away. Raises `ApiRefusal`."""
        wait = 1.0
        while True:
            try:
                return await asyncio.to_thread(self.client.ask, method, path, body)
            except Away as away:
                await self.rest(away, wait)
                wait = min(2 * wait, LONGEST_WAIT)

    async def rest(self, away: Away, wait: float) -> None:
        """Wait for a server that is away."""
        seconds = max(away.wait, wait)
        what = {"why": away, "seconds": f"{seconds:g}"}
        tell(_("The server is away (%(why)s). Trying again in %(seconds)s s.") % what)
        await asyncio.sleep(seconds)

    async def listen(self) -> None:
        """Follow the stream, and open it again whenever it ends."""
        wait = 1.0
        while not self.done:
            loop = asyncio.get_running_loop()
            threading.Thread(target=self.read_stream, args=(loop,), daemon=True).start()
            followed: set[str] = set()
            while isinstance(event := await self.said.get(), dict):
                wait = 1.0
                if event.get("type") == "end":
                    raise Stopped(_("the token was revoked"))
                if not event or not followed:
                    for name in self.tables_to_look_at(followed):
                        await self.look_again(name)
                if event:
                    followed.add(str(event["table"]["id"]))
                    self.hear(event["table"])
                if self.done:
                    return
            if isinstance(event, ApiRefusal):
                raise Stopped(reason(event))
            if isinstance(event, Away):
                await self.rest(event, wait)
                wait = min(2 * wait, LONGEST_WAIT)
            elif event is not None:
                raise event
            else:
                await asyncio.sleep(1.0)

    def tables_to_look_at(self, followed: set[str]) -> list[str]:
        """The tables that a stream may not follow, as their match had ended; somebody may ask for a revanche there."""
        names = [name for name in self.tables if name not in followed and not self.tables[name]["next"]]
        ended = [name for name in names if name in self.over]
        return [name for name in names if name not in self.over] + ended[-LATEST:]

    async def look_again(self, name: str) -> None:
        """Look at a table whose match may have ended, or that may be gone, before the stream followed it."""
        try:
            self.hear(await self.ask_until_answered("GET", f"tables/{name}?seat={self.tables[name]['seat']}"))
        except ApiRefusal as gone:
            tell(reason(gone))
            self.tables.pop(name, None)
            if name not in self.work:
                await self.end_player(name)

    def read_stream(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand on a stream's events, and how it ended: with an error, or None. Runs in a thread."""
        end: Exception | None = None
        with suppress(RuntimeError):  # the loop is closed: nobody listens
            try:
                for event in self.client.lines():
                    loop.call_soon_threadsafe(self.said.put_nowait, event)
            except Exception as error:  # noqa: BLE001  # whatever it is, who listens must not wait for ever
                end = error
            loop.call_soon_threadsafe(self.said.put_nowait, end)

    @property
    def done(self) -> bool:
        """Whether enough matches are over."""
        return bool(self.args.matches) and len(self.over) >= self.args.matches

    def hear(self, table: Table) -> None:
        """Take note of a table's state, and begin to do what it waits for."""
        name = str(table["id"])
        if name in self.tables and self.tables[name]["n"] > table["n"]:
            return
        self.tables[name] = table
        if table["phase"] == "over" and name not in self.over:
            self.over.add(name)
            score = {"table": name, "score": table["score"], "winner": winner_of(table)}
            tell(_("Match %(table)s is over, %(score)s. Winner: %(winner)s") % score)
        self.begin_to_attend(name)

    def begin_to_attend(self, name: str) -> None:
        """Begin to do what a table waits for, unless that is under way."""
        table = self.tables.get(name)
        if table is None or name in self.work or self.left:
            return
        ended = table["phase"] == "over" and name in self.players
        if ended or table["todo"] != "nothing" or self.wants_revanche(table):
            self.work[name] = asyncio.create_task(self.attend(name))
            self.work[name].add_done_callback(partial(self.settle, name))

    def settle(self, name: str, task: asyncio.Task[None]) -> None:
        """What a table waited for is done; a fault of ours ends the bot."""
        self.work.pop(name, None)
        if task.cancelled():
            return
        if isinstance(error := task.exception(), Exception):
            self.said.put_nowait(error)
        else:
            self.begin_to_attend(name)  # an event that came since the task ended found it still under way

    def wants_revanche(self, table: Table) -> bool:
        """Whether another asks for a revanche, to which the bot has not agreed yet."""
        return (
            table["phase"] == "over"
            and not self.done
            and not table["next"]
            and bool(table["ready"])
            and table["seat"] not in table["ready"]
        )

    async def attend(self, name: str) -> None:
        """Do what a table waits for, until it waits for nothing."""
        faults = 0
        while not self.left and (table := self.tables.get(name)) is not None:
            if self.wants_revanche(table):
                verb, body = "revanche", {}
            elif table["todo"] == "nothing":
                break
            else:
                verb = str(table["todo"])
                try:
                    body = await answer_of(table, self.player_at(table))
                    faults = 0
                except (EngineFault, ChouineError) as fault:
                    faults += 1
                    tell(say(fault.code, self.args.language, **fault.data))
                    if faults < FAULTS:
                        continue
                    verb, body = "forfeit", {}
            address = f"tables/{name}/{verb}?seat={table['seat']}"
            try:
                sent = {**body, "id": f"{table['n']}"}
                after: Table | None = await self.ask_until_answered("POST", address, sent)
            except ApiRefusal as refused:
                after = await self.after_refusal(table, refused)
            if after is None:
                self.tables.pop(name, None)
            elif name in self.tables and after["n"] >= self.tables[name]["n"]:
                self.tables[name] = after
        if name not in self.tables or self.tables[name]["phase"] == "over":
            await self.end_player(name)

    async def end_player(self, name: str) -> None:
        """End the player of a table where it does not play any more."""
        if (player := self.players.pop(name, None)) is not None:
            await player.close()

    async def after_refusal(self, table: Table, refused: ApiRefusal) -> Table | None:
        """The table's state after a refusal; None if the table is gone.

        If the state has not changed, the command was not late: the reason is printed, and the caller tries again.
        """
        try:
            after: Table = await self.ask_until_answered("GET", f"tables/{table['id']}?seat={table['seat']}")
        except ApiRefusal as gone:
            tell(reason(gone))
            return None
        if after["n"] == table["n"]:
            tell(reason(refused))
            await asyncio.sleep(1.0)
        return after

    def player_at(self, table: Table) -> SeatPlayer:
        """The player of a table's seat. Raises a `ChouineError` if it cannot play there."""
        name = str(table["id"])
        if name not in self.players:
            self.players[name] = self.player(str(table["rules"]))
        return self.players[name]


def winner_of(table: Table) -> str:
    """The winner's name; a dash if there is none."""
    return next((seat["name"] for seat in table["seats"] if seat["seat"] == table["winner"]), "-")


def reason(refused: ApiRefusal) -> str:
    """Why the server refuses, in a sentence."""
    if refused.code == "no-api":
        return _("at this address no server of Chouine answers (status %(status)s)") % {
            "status": refused.status
        }
    return str(refused) or refused.code


def tell(sentence: str) -> None:
    """Print a line at once."""
    print(sentence, flush=True)
