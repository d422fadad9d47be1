"""Server killed or stopped during tricks: no acknowledged command is lost, and none is carried out twice."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread

import httpx
import pytest

from benchmarks.crashes import stop as stop_process
from chouine.server.codec import decode
from chouine.table.entries import LogEntry
from chouine.table.evolve import rebuild
from chouine.table.state import Phase, TableState
from tests.patience import PATIENCE, wait_until
from tests.server.serving import Browser, RunningServer, serving

Line = tuple[int, float, str | None, LogEntry]
"""Number, time, command identifier and entry."""
VERBS = ("pick", "cut", "act", "pass", "go-on")


@dataclass
class Player:
    """A random player at a table that records the commands the server acknowledged."""

    browser: Browser
    table_id: str
    seat: int
    acknowledged: list[tuple[str, int]] = field(default_factory=list)
    unanswered: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)

    def play(self, stop: Event) -> None:
        """Play until `stop` is set or the server does not answer."""
        rng, nth = Random(self.table_id + str(self.seat)), 0
        while not stop.is_set():
            try:
                offered = self.random_command(rng)
            except httpx.HTTPError:
                return
            if offered is None:
                time.sleep(0.02)
                continue
            verb, fields = offered
            number = f"c{nth}"
            nth += 1
            try:
                answer = self.browser.tell(self.table_id, verb, self.seat, id=number, **fields)
            except httpx.HTTPError:
                self.unanswered.append((number, verb, fields))
                return
            if answer.status_code == 200:
                self.acknowledged.append((f"{self.seat}-{number}", answer.json()["n"]))

    def random_command(self, rng: Random) -> tuple[str, dict[str, str]] | None:
        """A random command from the page's forms, with its fields; None if it has none."""
        self.browser.get(f"/table/{self.table_id}?as={self.seat}")
        choices: list[tuple[str, dict[str, str]]] = []
        for form in self.browser.forms():
            verb = form.action.partition("?")[0].rpartition("/")[2]
            if verb == "cut":
                return verb, {"at": "16"}
            if verb in VERBS:
                choices += [
                    (verb, {name: value} if name else {}) for name, value in form.buttons or [("", "")]
                ]
        return rng.choice(choices) if choices else None


def tables(server: RunningServer) -> list[Player]:
    """Set two tables between friends and one against the computer."""
    players = []
    for _ in range(2):
        host, friend = server.visit(), server.visit("en")
        table_id = host.open(format="5x2")
        friend.sit(host.links(table_id)[1])
        players += [Player(host, table_id, 0), Player(friend, table_id, 1)]
    host = server.visit()
    table_id = host.open(format="5x2", **{"chair-1": "heuristic"})
    return [*players, Player(host, table_id, 0)]


def log_of(database: Path, table_id: str) -> list[Line]:
    """Read a table's log directly from the database."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(
            "select n, at, command, body from entry where game = ? order by n", [table_id]
        )
        return [(n, at, command, decode(body)) for n, at, command, body in rows]


def room_of(database: Path, table_id: str) -> TableState:
    return rebuild((entry, at) for _, at, _, entry in log_of(database, table_id))


def waits_for_computer(database: Path, table_id: str) -> bool:
    table = room_of(database, table_id)
    return table.phase is Phase.PLAY and table.awaited == {1}


def test_a_server_killed_in_the_middle_of_tricks(tmp_path: Path) -> None:
    database, errors = tmp_path / "chouine.db", tmp_path / "errors"
    address = f"sqlite:///{database}"
    with serving(address, errors) as server:
        players = tables(server)
        table_ids, alone = sorted({player.table_id for player in players}), players[-1].table_id
        kill_while_playing(server, players, database)
        left = {table_id: log_of(database, table_id) for table_id in table_ids}
        everything_acknowledged_is_there(players, left)
        with serving(address, errors, int(server.url.rpartition(":")[2])) as again:
            wait_until("the computer's pending act", lambda: len(log_of(database, alone)) > len(left[alone]))
            for player in players:
                resent(player, database)
                check_that_it_resumes(player, left[player.table_id])
            assert again.stop() == 0
    for table_id in table_ids:
        log = log_of(database, table_id)
        assert [n for n, _, _, _ in log] == list(range(1, len(log) + 1))
        assert log[: len(left[table_id])] == left[table_id]
        commands = [command for _, _, command, _ in log if command]
        assert len(commands) == len(set(commands))
        assert rebuild((entry, at) for _, at, _, entry in log).n == len(log)
    assert "failure" not in errors.read_text()


def kill_while_playing(server: RunningServer, players: list[Player], database: Path) -> None:
    """All players post commands; the server is killed while a computer's act is pending."""
    stop = Event()
    threads = [Thread(target=player.play, args=(stop,)) for player in players]
    for thread in threads:
        thread.start()
    table_ids = {player.table_id for player in players}
    wait_until("parties in play", lambda: all(len(log_of(database, table_id)) > 8 for table_id in table_ids))
    wait_until("commands", lambda: sum(len(player.acknowledged) for player in players) > 20)
    wait_until("the computer's turn", lambda: stopped_at_its_turn(server, database, players[-1].table_id))
    server.stop(signal.SIGKILL)
    stop.set()
    for thread in threads:
        thread.join(PATIENCE)


def stopped_at_its_turn(server: RunningServer, database: Path, table_id: str) -> bool:
    """Whether a computer's act is pending: if so, the server is stopped, so that it stays pending."""
    if waits_for_computer(database, table_id):
        stop_process(server.process.pid)
        if waits_for_computer(database, table_id):
            return True
        server.process.send_signal(signal.SIGCONT)
    return False


def everything_acknowledged_is_there(players: list[Player], left: dict[str, list[Line]]) -> None:
    """Check that every acknowledged command is in its table's log exactly once."""
    for player in players:
        written = [line[2] for line in left[player.table_id]]
        for command, n in player.acknowledged:
            assert written.count(command) == 1
            assert n <= len(written)
    assert sum(len(player.acknowledged) for player in players) > 20


def resent(player: Player, database: Path) -> None:
    """Resend each unanswered command with its identifier: it is then in the log once, or refused."""
    for number, verb, fields in player.unanswered:
        before = [command for _, _, command, _ in log_of(database, player.table_id)]
        answer = player.browser.tell(player.table_id, verb, player.seat, id=number, **fields)
        after = [command for _, _, command, _ in log_of(database, player.table_id)]
        name = f"{player.seat}-{number}"
        assert after.count(name) == (1 if answer.status_code == 200 else 0)
        assert before.count(name) <= after.count(name)


def check_that_it_resumes(player: Player, left: list[Line]) -> None:
    """Check that the new process resumes a stream after the last event that a browser received."""
    last = len(left) - 3
    headers = {"Last-Event-ID": str(last)}
    with player.browser.http.stream(
        "GET", f"/table/{player.table_id}/stream?as={player.seat}", headers=headers
    ) as answer:
        told = (line for line in answer.iter_lines() if line.startswith("id: "))
        numbers = [int(next(told)[4:]) for _ in range(3)]
    assert numbers == [last + 1, last + 2, last + 3]


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_server_asked_to_stop_does_so_with_streams_open(sign: signal.Signals, tmp_path: Path) -> None:
    """A stopping server ends its open streams and its thinking process, without a traceback."""
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", whole=True) as server:
        host = server.visit()
        table_id = host.open(**{"chair-1": "heuristic"})
        with httpx.Client(base_url=server.url, timeout=PATIENCE) as crowd:
            request = crowd.build_request("GET", f"/table/{table_id}/stream")
            watching = [crowd.send(request, stream=True) for _ in range(10)]
            thinking = children(server.process.pid)
            assert thinking
            server.stop(sign)
            for answer in watching:
                for _ in answer.iter_lines():
                    pass
        wait_until("the thinking process gone", lambda: not any(map(alive, thinking)))
    assert server.process.returncode == {signal.SIGTERM: 0, signal.SIGINT: 130}[sign]
    assert (tmp_path / "errors").read_text() == ""


def test_the_thinking_process_goes_with_a_server_that_was_killed(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'chouine.db'}", tmp_path / "errors", whole=True) as server:
        thinking = children(server.process.pid)
        assert thinking
        server.stop(signal.SIGKILL)
        wait_until("the thinking process gone", lambda: not any(map(alive, thinking)))


def children(parent: int) -> list[int]:
    """Identifiers of a process's children."""
    listed = Path(f"/proc/{parent}/task/{parent}/children")
    return [int(child) for child in listed.read_text().split()]


def alive(process: int) -> bool:
    """Whether a process is running; a zombie is not."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
