"""The host's side of the engine protocol, with correct and faulty programs."""

from __future__ import annotations

import os
import shlex
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from chouine.notation.lines import partie_line, read_view
from chouine.partie.deal import SEATS, Deal
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.players import HeuristicPlayer, RandomPlayer, close
from chouine.players.engine import EngineSession
from chouine.players.pipe import ASKS, Fallback, PipePlayer, question
from chouine.players.process import EngineFault, Process
from chouine.registry import player_of
from chouine.rules.options import Rules
from tests.patience import PATIENCE, wait_until
from tests.players.programs import CHOUINE, HANDSHAKE, LISTEN, OPENING, Write, write_program
from tests.players.table import play_out

LATE = {"engine/silent": 0.3, "engine/unfinished": 3.0}
"""Faults that are found by waiting, and for how many seconds: the second needs a busy program's first letters."""


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """A function that writes a program and returns the command that runs it."""

    return partial(write_program, tmp_path)


def fault(command: str, view: View = OPENING, milliseconds: int = 200, grace: float = 10.0) -> EngineFault:
    """The fault of a program, which must be stopped soon and not be asked again."""
    with PipePlayer(command, milliseconds, grace) as player:
        with pytest.raises(EngineFault) as first:
            player.act(view)
        assert player.process is None
        with pytest.raises(EngineFault) as second:
            player.act(view)
        assert player.process is None
        assert second.value is first.value
    assert str(first.value)
    return first.value


@pytest.mark.parametrize("preset", ["classic", "three"])
def test_our_own_engine_plays_as_if_it_were_here(preset: str) -> None:
    """The engine plays like the local player, including exchanges (§11): repeated questions, and "au sept"."""
    rules = Rules.of_preset(preset)
    here = HeuristicPlayer()
    with PipePlayer(CHOUINE) as there:
        for seed in range(2):
            deal = Deal.random(rules, 0, Random(seed))
            players = [here] * (rules.seats - 1)
            assert play_out(rules, deal, [there, *players]) == play_out(rules, deal, [here, *players])


def test_player_of_a_command() -> None:
    player = player_of(f"pipe:{CHOUINE}")
    action = player.act(OPENING)
    assert action == HeuristicPlayer().act(OPENING)
    close(player)
    close(player)
    close(player_of("random"))


def test_it_receives_its_own_line_and_nothing_else(program: Write, tmp_path: Path) -> None:
    told = tmp_path / "told"
    log = f"open({str(told)!r}, 'a')"
    command = program(
        HANDSHAKE
        + f"for line in sys.stdin:\n    {log}.write(line)\n    if line.startswith('go'): say('best Qs')"
    )
    with PipePlayer(command, 200) as player:
        assert str(player.act(OPENING)) == "Qs"
    assert told.read_text() == f"view a {partie_line(OPENING)}\ngo time 200\nquit\n"


@pytest.mark.parametrize("preset", ["classic", "three", "mondoubleau"])
def test_a_program_that_asks_knows_what_a_player_here_knows(preset: str) -> None:
    """A program gets what a local player knows: shown cards, exchanges (§9.5, §11), the trick, legal acts."""
    seen: set[str] = set()
    for seed in range(4):
        state, rng = (
            State.new(rules := Rules.of_preset(preset), Deal.random(rules, 0, Random(seed))),
            Random(seed),
        )
        while state.turn is not None:
            view = state.view(state.turn)
            lines = list(question(view, ASKS))
            talk = EngineSession([RandomPlayer(rng)])
            assert [answer for line in lines for answer in talk.answer(line)] == []
            assert talk.view == view
            told = dict(line.partition(" ")[::2] for line in lines)
            assert told["legal"].split() == sorted(map(str, view.legal))
            assert told["trick"].split() == [f"{SEATS[laid.seat]}:{laid.card}" for laid in view.table]
            seen |= set(told)
            said = [act for act in state.legal() if "+" in str(act)]
            state = state.play(rng.choice(said or state.legal()))
    assert seen >= {"view", "shown", "trick", "legal"}


def test_what_it_says_of_itself_and_info_are_passed_over(program: Write) -> None:
    command = program(HANDSHAKE + LISTEN + "say('info worlds 400 win 0.62'); say('info'); say('best Qs')")
    with PipePlayer(command) as player:
        assert str(player.act(OPENING)) == "Qs"


def test_one_that_does_not_start() -> None:
    assert fault("/no/such/engine").code == "engine/none"
    assert fault("").code == "engine/command-line"
    assert fault("'unclosed").code == "engine/command-line"
    assert fault(shlex.quote(str(Path(__file__).parent))).code == "engine/forbidden"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "engine/exited"),
        ("raise SystemExit(3)", "engine/exited"),
        ("print('Hello, I am an engine', flush=True); input(); input()", "engine/unreadable"),
        (HANDSHAKE, "engine/exited"),
        (HANDSHAKE + LISTEN + "os.kill(os.getpid(), 9)", "engine/killed"),
        (HANDSHAKE + LISTEN + "1 / 0", "engine/exited"),
        (HANDSHAKE + LISTEN + "os.close(1); time.sleep(60)", "engine/ended"),
        (HANDSHAKE + LISTEN + "time.sleep(60)", "engine/silent"),
        (HANDSHAKE + LISTEN + "say('info thinking'); time.sleep(60)", "engine/silent"),
        (HANDSHAKE + LISTEN + "\n        while True: say('info')", "engine/silent"),
        (
            HANDSHAKE + LISTEN + "sys.stdout.write('best Q'); sys.stdout.flush(); time.sleep(60)",
            "engine/unfinished",
        ),
        (HANDSHAKE + LISTEN + "sys.stdout.write('x' * 10**7); time.sleep(60)", "engine/long-line"),
        (HANDSHAKE + LISTEN + "say('best ' + 'x' * 70000)", "engine/long-line"),
        (HANDSHAKE + LISTEN + "say('garbage')", "engine/unreadable"),
        (
            HANDSHAKE + LISTEN + "sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()",
            "engine/unreadable",
        ),
        (HANDSHAKE + LISTEN + "say('')", "engine/unreadable"),
        (HANDSHAKE + LISTEN + "say('best')", "engine/unreadable"),
        (HANDSHAKE + LISTEN + "say('best Qs Qs')", "engine/unreadable"),
        (HANDSHAKE + LISTEN + "say('error engine/no-view I saw none')", "engine/refused"),
        (HANDSHAKE + LISTEN + "say('best Ah')", "engine/illegal"),
        (HANDSHAKE + LISTEN + "say('best Qs+20s')", "engine/illegal"),
        (HANDSHAKE + LISTEN + "say('best 7x')", "engine/illegal"),
        (HANDSHAKE + LISTEN + "say('best -')", "engine/illegal"),
    ],
)
def test_one_that_does_wrong(program: Write, text: str, code: str) -> None:
    began = monotonic()
    assert fault(program(text), grace=LATE.get(code, 10.0)).code == code
    assert monotonic() - began < 50, "nobody waits until it ends by itself"


def test_a_fault_gives_the_exit_code(program: Write) -> None:
    assert fault(program("raise SystemExit(3)")).data["status"] == 3


def test_a_fault_gives_the_signal(program: Write) -> None:
    assert fault(program(HANDSHAKE + LISTEN + "os.kill(os.getpid(), 9)")).data["signal"] == 9


@pytest.mark.parametrize("answer", ["best", "", "best Qs Qs", "garbage"])
def test_an_unreadable_answer_is_followed_by_what_was_expected(program: Write, answer: str) -> None:
    found = fault(program(HANDSHAKE + LISTEN + f"say({answer!r})"))
    assert str(found).endswith(f"“{answer}”. Expected: best ACT.")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("option level 8..1", "LOW <= HIGH"),
        ("option foo", "option NAME VALUES"),
        ("option", "option NAME VALUES"),
        ("rules", "rules PRESET"),
        ("id asks wine", "id asks open|trick|legal"),
        ("Hello", "ready"),
    ],
)
def test_a_malformed_line_of_the_greeting(program: Write, line: str, expected: str) -> None:
    found = fault(program(f"print({line!r}, flush=True); input(); print('ready', flush=True); input()"))
    assert found.code == "engine/unreadable"
    assert found.data["token"] == line
    assert expected in str(found.data["expected"])


@pytest.mark.parametrize(
    ("then", "code"), [("say('best Qs')", "engine/option-refused"), ("say('error x y')", "engine/refused")]
)
def test_an_error_to_an_option_is_not_the_answer_to_the_question(
    program: Write, then: str, code: str
) -> None:
    command = program(
        HANDSHAKE
        + "for line in sys.stdin:\n    if line.startswith('option'): say('error engine/option no such level')\n"
        + f"    if line.startswith('go'): {then}"
    )
    with PipePlayer(command, 200, options=[("level", "3")]) as player, pytest.raises(EngineFault) as raised:
        player.act(OPENING)
    assert raised.value.code == code
    assert raised.value.data["token"] == "engine/option no such level"


def test_an_answer_cannot_act_on_the_terminal(program: Write) -> None:
    found = fault(program(HANDSHAKE + LISTEN + "say('\\x1b[31mred\\x07')"))
    assert found.data["token"] == r"\x1b[31mred\x07"


def test_one_that_never_greets(program: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chouine.players.pipe.HANDSHAKE", 0.3)
    assert fault(program("import time; time.sleep(60)")).code == "engine/silent"


def test_one_that_does_not_know_the_rules(program: Write) -> None:
    view = read_view("three c Q7.9..|?3|?3 Jd " + "??" * 22 + " :", 0)
    assert fault(program(HANDSHAKE + LISTEN + "say('best Qs')"), view).code == "engine/rules"


def test_one_that_answers_without_ever_reading(program: Write) -> None:
    command = program(HANDSHAKE + "while True: say('best Qs')")
    told: list[EngineFault] = []
    with PipePlayer(command, fallback=Fallback(HeuristicPlayer(), told.append)) as player:
        for _ in range(9):  # its first answers may come after the first questions
            player.act(OPENING)
    assert [error.code for error in told] == ["engine/unasked"]


def test_one_that_no_longer_reads(program: Write) -> None:
    process = Process(program("import time; time.sleep(60)"))

    def send_much() -> None:
        for _ in range(3000):  # more than a pipe's buffer
            process.send("x" * 300)

    with pytest.raises(EngineFault) as raised:
        send_much()
    process.end()
    assert raised.value.code == "engine/deaf"


def test_a_fallback_plays_on_and_the_fault_is_reported_once(program: Write) -> None:
    """With a fallback the partie continues, and the fault is reported once."""
    told: list[EngineFault] = []
    command = program(HANDSHAKE + LISTEN + "say('best Ah')")
    with PipePlayer(command, fallback=Fallback(HeuristicPlayer(), told.append)) as player:
        state = play_out(Rules(), Deal.random(Rules(), 0, Random(2)), [player, RandomPlayer(Random(1))])
    assert state.result is not None
    assert [error.code for error in told] == ["engine/illegal"]


def test_what_it_started_is_ended_with_it(program: Write, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    command = program(
        HANDSHAKE
        + "import subprocess\n"
        + "child = subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(60)'])\n"
        + f"open({str(pid)!r}, 'w').write(str(child.pid))\n"
        + LISTEN
        + "say('best Qs')"
    )
    with PipePlayer(command) as player:
        player.act(OPENING)
    assert ends_in_time(int(pid.read_text()))


def ends_in_time(pid: int) -> bool:
    """Whether a process ends within the timeout; an unreaped zombie counts as ended."""
    until = monotonic() + PATIENCE
    while monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        os.sched_yield()
    return False


def test_a_spectator_is_not_asked() -> None:
    with PipePlayer("/no/such/engine") as player:
        state = State.new(Rules(), Deal.random(Rules(), 0, Random(1)))
        assert player.act(state.view(None)) is None
        assert player.act(state.view(0)) is None


def test_one_that_stops_reading(program: Write) -> None:
    """A program that closes its input gets a fault at the next question."""
    command = program(HANDSHAKE + "os.close(0); time.sleep(60)")
    with PipePlayer(command, 200, 0.3) as player:
        player.greet()
        assert player.process is not None
        its_input = Path(f"/proc/{player.process.child.pid}/fd/0")
        wait_until("its input to be closed", lambda: not os.path.lexists(its_input))
        with pytest.raises(EngineFault) as raised:
            player.act(OPENING)
    assert raised.value.code == "engine/ended"
