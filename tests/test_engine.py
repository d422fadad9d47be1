"""`chouine.engine`: programs asked without blocking. More of what they do wrong is in tests/players/test_pipe.py."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import aclosing
from pathlib import Path
from random import Random
from threading import current_thread, main_thread
from time import sleep
from typing import Any

import pytest

from chouine.engine import (
    Engine,
    EngineDied,
    EngineFault,
    EngineNonsense,
    EngineNotStarted,
    EngineOverlong,
    EngineSilent,
    Info,
    Limit,
    popen,
)
from chouine.errors import ChouineError
from chouine.notation.lines import read_view
from chouine.partie.actions import Exchange, Play
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.players import HeuristicPlayer
from chouine.rules.options import Rules
from tests.patience import PATIENCE
from tests.players.programs import CHOUINE, HANDSHAKE, LISTEN, OPENING, write_program


def run(asked: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(asked, PATIENCE))


def test_two_programs_play_a_partie_as_a_player_here_would() -> None:
    async def play() -> None:
        rules = Rules()
        state = State.new(rules, Deal.random(rules, 0, Random(3)))
        async with popen(CHOUINE) as first, popen(CHOUINE) as second:
            assert first.greeting.name.startswith("Chouine")
            while state.turn is not None:
                view = state.view(state.turn)
                answers = await asyncio.gather(first.play(view), second.play(view))
                action = HeuristicPlayer().act(view)
                assert action is not None
                assert [answer.action for answer in answers] == [action, action]
                state = state.play(action)
        assert state.result is not None

    run(play())


def test_thinking_is_a_stream_that_ends_with_the_decision(tmp_path: Path) -> None:
    said = "'info worlds 8 act Qs win 0.62 low 0.5 high 0.7', 'info line Qs 7x', 'info hm'"
    said += ", 'info win nan low -1 high inf', 'best Qs'"
    command = write_program(tmp_path, f"{HANDSHAKE}{LISTEN}[say(text) for text in ({said})]")

    async def stream() -> None:
        async with popen(command) as engine:
            infos = [info async for info in engine.analyse(OPENING, Limit(worlds=8))]
            queen, seven = infos[0].action, Exchange()
            assert isinstance(queen, Play)
            assert infos == [
                Info("worlds 8 act Qs win 0.62 low 0.5 high 0.7", queen, 0.62, 0.5, 0.7, 8),
                Info("line Qs 7x", line=(queen, seven)),
                Info("hm"),
                Info("win nan low -1 high inf"),
                Info("best Qs", queen),
            ]
            answer = await engine.play(OPENING)
            assert (answer.action, list(answer.infos)) == (queen, infos[:-1])

    run(stream())


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        (LISTEN + "raise SystemExit(3)", EngineDied, "engine/exited"),
        (LISTEN + "os.close(1); time.sleep(60)", EngineDied, "engine/ended"),
        (LISTEN + "time.sleep(60)", EngineSilent, "engine/silent"),
        (LISTEN + "say('garbage')", EngineNonsense, "engine/unreadable"),
        (LISTEN + "say('best Ah')", EngineNonsense, "engine/illegal"),
        (LISTEN + "sys.stdout.write('x' * 10**6); time.sleep(60)", EngineOverlong, "engine/long-line"),
    ],
)
def test_each_fault_has_its_class_and_the_next_question_starts_anew(
    tmp_path: Path, text: str, kind: type[EngineFault], code: str
) -> None:
    command = write_program(tmp_path, HANDSHAKE + text)
    patience = 0.5 if kind is EngineSilent else PATIENCE

    async def ask() -> None:
        async with Engine(command, patience=patience) as engine:
            for _ in range(2):
                with pytest.raises(kind) as raised:
                    await engine.play(OPENING)
                assert raised.value.code == code

    run(ask())


def test_a_second_answer_is_not_taken_for_the_next_question_s(tmp_path: Path) -> None:
    command = write_program(tmp_path, f"{HANDSHAKE}{LISTEN}say('best Qs\\nbest Qs')")

    async def ask() -> None:
        async with popen(command) as engine:
            for _ in range(2):
                assert str((await engine.play(OPENING)).action) == "Qs"
                with pytest.raises(EngineNonsense, match="answered without being asked: “best Qs”"):
                    await engine.play(OPENING)

    run(ask())


def test_a_program_that_does_not_start() -> None:
    async def start() -> None:
        with pytest.raises(EngineNotStarted):
            async with popen("/no/such/engine"):
                pass

    run(start())


def test_a_cancelled_question_ends_at_once_and_its_answer_is_never_the_next_ones(tmp_path: Path) -> None:
    """The first run of the program thinks for ever; the next one answers."""
    mark = tmp_path / "started"
    command = write_program(
        tmp_path,
        f"{HANDSHAKE}first = not os.path.exists({str(mark)!r}); open({str(mark)!r}, 'w')\n{LISTEN}\n"
        "        say('info worlds 1')\n        if first: time.sleep(600)\n        say('best Qs')",
    )

    async def cancel() -> None:
        async with Engine(command, patience=600) as engine:
            async with aclosing(engine.analyse(OPENING)) as thinking:
                async for _ in thinking:
                    break
            assert str((await engine.play(OPENING)).action) == "Qs"

    run(cancel())


def test_a_question_that_waits_for_another_may_be_cancelled(tmp_path: Path) -> None:
    command = write_program(tmp_path, f"{HANDSHAKE}{LISTEN}time.sleep(0.2); say('best Qs')")

    async def ask_twice() -> None:
        async with popen(command) as engine:
            first, second = (asyncio.create_task(engine.play(OPENING)) for _ in range(2))
            await asyncio.sleep(0.05)
            second.cancel()
            assert str((await first).action) == "Qs"

    run(ask_twice())


def test_a_limit_is_of_one_kind() -> None:
    async def ask() -> None:
        async with popen(CHOUINE) as engine:
            with pytest.raises(ValueError, match="not of both"):
                await engine.play(OPENING, Limit(1.0, 10))
            assert (await engine.play(OPENING, Limit(0.5))).action == HeuristicPlayer().act(OPENING)

    run(ask())


def test_a_program_is_closed_once_and_opened_again(tmp_path: Path) -> None:
    command = write_program(tmp_path, f"{HANDSHAKE}{LISTEN}say('best Qs')")

    async def ask() -> None:
        engine = popen(command)
        for _ in range(2):
            async with engine:
                assert str((await engine.play(OPENING)).action) == "Qs"
                await engine.close()
            await engine.close()
            with pytest.raises(RuntimeError, match="is closed"):
                await engine.play(OPENING)

    run(ask())


@pytest.mark.parametrize("first", ["cancelled", "late"])
def test_a_question_that_waited_is_not_answered_by_the_one_before(tmp_path: Path, first: str) -> None:
    """The program answers 7s to its first question and 8s to the second; a new program's first is answered 7s."""
    answer = "n = globals().get('n', 6) + 1; time.sleep(6 * (n == 7 and not again)); say(f'best {n}s')"
    mark = tmp_path / "started"
    again = f"again = os.path.exists({str(mark)!r}); open({str(mark)!r}, 'w')\n"
    command = write_program(tmp_path, f"{HANDSHAKE}import os\n{again}{LISTEN}{answer}")
    view = read_view("classic b 987..7.7|?5 Jd ?????????????????????????????????????????? :", 0)

    async def ask_twice() -> None:
        async with Engine(command, patience=3.0 if first == "late" else PATIENCE) as engine:
            one, other = (asyncio.create_task(engine.play(view)) for _ in range(2))
            await asyncio.sleep(0.1)
            if first == "cancelled":
                one.cancel()
            with pytest.raises((asyncio.CancelledError, EngineSilent)):
                await one
            assert str((await other).action) == "7s"

    run(ask_twice())


def test_what_a_program_cannot_be_asked() -> None:
    state = State.new(Rules(), Deal.random(Rules(), 0, Random(3)))
    turn = state.turn
    assert turn is not None
    wrong_worlds: tuple[Any, ...] = (0, -3, True, 2.5, "3")
    wrong: list[tuple[Any, Any]] = [
        *((OPENING, limit) for limit in (None, 1, Limit(0), Limit(-1.0), Limit(float("nan")), Limit(1e9))),
        *((OPENING, Limit(None, worlds)) for worlds in wrong_worlds),
        *((view, Limit(1.0)) for view in (None, "classic", state, state.view(None), state.view(1 - turn))),
    ]

    async def ask() -> None:
        async with popen(CHOUINE) as engine:
            for view, limit in wrong:
                with pytest.raises((TypeError, ValueError, ChouineError)) as raised:
                    pytest.fail(f"{view}, {limit}: {await engine.play(view, limit)}")
                assert str(traceback.extract_tb(raised.value.__traceback__)[-1].line).startswith("raise ")

    run(ask())
    for given in (None, b"cat", ["cat"], Path("cat")):
        with pytest.raises(TypeError, match="command is a command line"):
            popen(given)  # type: ignore[arg-type]
    for options in (
        [("level", "8")],
        None,
        {"level": None},
        {"level": True},
        {"level": "1\nquit"},
        {"a\nb": "1"},
    ):
        with pytest.raises((TypeError, ValueError), match="option"):
            popen("cat", options)  # type: ignore[arg-type]


def test_an_option_may_be_a_number() -> None:
    async def greet() -> None:
        async with popen(CHOUINE, {"level": 3}) as engine:
            assert engine.pipe.options == [("level", "3")]

    run(greet())


def test_closing_waits_for_no_answer(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    command = write_program(tmp_path, f"{HANDSHAKE}{LISTEN}open({str(asked)!r}, 'w'); time.sleep(600)")

    async def ask() -> None:
        async with Engine(command, patience=600) as engine:
            one, other = (asyncio.create_task(engine.play(OPENING)) for _ in range(2))
            async with aclosing(engine.analyse(OPENING)) as third:
                while not asked.exists():  # noqa: ASYNC110  # nobody tells
                    await asyncio.sleep(0.01)
                await engine.close()
                with pytest.raises(EngineDied):
                    await one
                with pytest.raises(RuntimeError, match="is closed"):
                    await other
                with pytest.raises(RuntimeError, match="is closed"):
                    await anext(third)

    run(ask())


def test_an_engine_that_is_closed_as_a_question_begins_is_ended_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread had found the engine open, and `close` that nothing was asked: it waited for the answer."""
    command = write_program(tmp_path, f"{HANDSHAKE}{LISTEN}time.sleep(600)")

    async def ask() -> None:
        loop, closing = asyncio.get_running_loop(), list[Future[None]]()
        async with Engine(command, patience=600) as engine:
            opened = engine._open_thread

            def open_late() -> ThreadPoolExecutor:
                found = opened()
                if current_thread() is not main_thread() and not closing:
                    closing.append(asyncio.run_coroutine_threadsafe(engine.close(), loop))
                    sleep(0.3)
                return found

            await engine._run(engine.pipe.start)
            monkeypatch.setattr(engine, "_open_thread", open_late)
            with pytest.raises((EngineDied, RuntimeError)):
                await engine._run(lambda: engine.pipe.ask(OPENING, "go", 600.0))
            await asyncio.wrap_future(closing[0])

    run(ask())
