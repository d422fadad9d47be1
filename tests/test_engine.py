"""`chouine.engine`: programs asked without blocking. More of what they do wrong is in tests/players/test_pipe.py."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import aclosing
from pathlib import Path
from random import Random
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
    said = "'info worlds 8 act Qs win 0.62 low 0.5 high 0.7', 'info line Qs 7x', 'info hm', 'best Qs'"
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
