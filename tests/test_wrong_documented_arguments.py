"""The calls of the API reference beyond `import chouine`, with each argument wrong in turn, as of the top names."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from types import FunctionType

import pytest

import chouine
from chouine import CardSet, fast, notation, plots
from chouine.ai.advice import ActEstimate, Advice
from chouine.ai.racing import Limit
from chouine.engine import Engine, EngineNotStarted, popen
from chouine.envs import chouine_v0, dataset, encode, opponents
from chouine.envs.numbered_partie import numbers_of
from chouine.envs.single import ChouineEnv
from chouine.envs.vector import ChouineVectorEnv
from chouine.errors import ChouineError
from chouine.partie import Result, SeenDeal, SeenHand, View, redact
from chouine.rules import Rules
from chouine.school.problems import choose_problems, shipped_problems
from tests.players.programs import CHOUINE
from tests.test_wrong_arguments import DEAL, LINE, RECORD, RULES, STATE, VIEW, WRONG, check_refusals

SETUP = notation.Setup.of(STATE)
TEXT = str(RECORD)
POINT, BAR = plots.Point(1, 0.5, 0.4, 0.6), plots.Bar(0.5, 0.4, 0.6)
VECTOR = ChouineVectorEnv(3)
VECTOR.reset(seed=1)
ACTION = int(VECTOR.sight()["action_mask"][0].argmax())


BATCH = fast.PartieBatch.random(RULES, 3, 1)
SEEN = DEAL.seen_by(0)
SCORE = chouine.duel("greedy", "random", pairs=1)
ADVICE = Advice([ActEstimate(None, 0.5, 0.4, 0.6, 0.0, 0.0, 9)], 9, (), [])


def raw() -> chouine_v0.raw_env:
    env = chouine_v0.raw_env()
    env.reset(seed=1)
    return env


def single() -> ChouineEnv:
    env = ChouineEnv()
    env.reset(seed=1)
    return env


def step_raw(action: int) -> None:
    env = raw()
    env.step(action)


def ask(view: View, limit: Limit) -> None:
    """Ask a program that does not exist: what is wrong is refused before it would be started."""
    with suppress(EngineNotStarted):
        asyncio.run(Engine("none such").play(view, limit))


GOOD: dict[str, tuple[Callable[..., object], dict[str, object]]] = {
    "read_record": (notation.read_record, {"text": TEXT}),
    "read_state": (notation.read_state, {"text": LINE}),
    "read_view": (notation.read_view, {"text": LINE, "observer": 1}),
    "read_position": (notation.read_position, {"text": str(SETUP)}),
    "read_deal": (notation.read_deal, {"text": str(DEAL), "rules": RULES}),
    "read_action": (notation.read_action, {"text": "As"}),
    "read_card": (notation.read_card, {"text": "As"}),
    "read_cards": (notation.read_cards, {"text": "As"}),
    "read_hand": (notation.read_hand, {"text": "A.A.A.AT"}),
    "read_declaration": (notation.read_declaration, {"text": "20s"}),
    "complete_deal": (notation.complete_deal, {"deal": DEAL.seen_by(0)}),
    "partie_line": (notation.partie_line, {"partie": VIEW}),
    "visit_records": (lambda stream: list(notation.visit_records(stream)), {"stream": StringIO(TEXT)}),
    "Visited.tag": (next(notation.visit_records(TEXT)).tag, {"name": "Result"}),
    "Comment": (notation.Comment, {"text": "well played"}),
    "Glyph": (notation.Glyph, {"text": "!?"}),
    "Setup.of": (notation.Setup.of, {"partie": VIEW}),
    "Setup.svg": (SETUP.svg, {"language": "en", "near": 1, "text": "a table"}),
    "bars": (plots.bars, {"title": "t", "named": {"a": BAR}, "label": plots.percent, "even": 0.5}),
    "curves": (
        plots.curves,
        {
            "title": "t",
            "across": "x",
            "series": {"a": [POINT]},
            "label": plots.percent,
            "at": [1.5],
            "base": 0.5,
        },
    ),
    "percent": (lambda language: plots.percent(0.5, language), {"language": "fr"}),
    "choose_problems": (
        lambda **chosen: choose_problems(shipped_problems(), **chosen),
        {"preset": "classic", "kind": "ending", "theme": "der", "easiest": 1, "hardest": 1500, "quick": None},
    ),
    "encode": (encode.encode, {"view": VIEW}),
    "highs": (encode.highs, {"seats": 3}),
    "size_of": (encode.size_of, {"seats": 3}),
    "numbers_of": (numbers_of, {"action": STATE.legal()[0]}),
    "OpponentPool.add": (
        lambda opponent, weight: opponents.OpponentPool("greedy").add(opponent, weight),
        {"opponent": "random", "weight": 2},
    ),
    "PolicyPlayer": (opponents.PolicyPlayer, {"policy": lambda _, masks: masks.argmax(axis=1)}),
    "env": (chouine_v0.env, {"rules": "three", "render_mode": "ansi"}),
    "raw_env.reset": (
        lambda seed, options: raw().reset(seed, options),
        {"seed": 1, "options": {"deal": None}},
    ),
    "raw_env.step": (step_raw, {"action": int(raw().last()[0]["action_mask"].argmax())}),
    "raw_env.view": (raw().view, {"agent": "seat_0"}),
    "raw_env.observe": (raw().observe, {"agent": "seat_0"}),
    "raw_env.action_space": (raw().action_space, {"agent": "seat_0"}),
    "raw_env.observation_space": (raw().observation_space, {"agent": "seat_0"}),
    "ChouineEnv": (ChouineEnv, {"rules": "three", "opponent": "eager", "render_mode": "ansi"}),
    "ChouineEnv.reset": (
        lambda seed, options: ChouineEnv().reset(seed=seed, options=options),
        {"seed": 1, "options": {}},
    ),
    "ChouineEnv.step": (lambda action: single().step(action), {"action": ACTION}),
    "ChouineVectorEnv": (
        ChouineVectorEnv,
        {"num_envs": 2, "rules": "classic", "opponent": "eager", "threads": 1},
    ),
    "ChouineVectorEnv.partie": (VECTOR.partie, {"row": 1}),
    "DatasetOptions": (
        lambda **options: dataset.check_options(dataset.DatasetOptions(**options), "npz"),
        {"players": ("random", "greedy"), "rules": "classic", "seed": "0", "parties": 2},
    ),
    "dataset.write": (
        dataset.check_options,
        {"making": dataset.DatasetOptions(("random",)), "kind": "npz"},
    ),
    "playouts": (fast.playouts, {"rules": RULES, "count": 3, "seed": 1, "policy": "eager"}),
    "perft": (
        fast.perft,
        {
            "rule_table": STATE.rule_table,
            "talon": DEAL.drawing_order,
            "p": STATE.position,
            "depth": 1,
        },
    ),
    "PartieBatch": (
        fast.PartieBatch,
        {"rules": RULES, "cells": BATCH.cells, "talons": BATCH.talons, "threads": 1},
    ),
    "PartieBatch.random": (fast.PartieBatch.random, {"rules": RULES, "count": 3, "seed": 1, "threads": 1}),
    "PartieBatch.of": (fast.PartieBatch.of, {"rules": RULES, "deals": [DEAL], "threads": 1}),
    "PartieBatch.sample": (BATCH.sample, {"seed": 1}),
    "PartieBatch.position": (BATCH.position, {"row": 1}),
    "PartieBatch.step": (
        lambda actions: fast.PartieBatch.random(RULES, 3, 1).step(actions),
        {"actions": BATCH.sample(1)},
    ),
    "PairScore.text": (SCORE.text, {"language": "fr", "a": "greedy", "b": "random"}),
    "PairScore.plot": (SCORE.plot, {"language": "fr"}),
    "Advice.text": (ADVICE.text, {"language": "fr"}),
    "Advice.html": (ADVICE.html, {"language": "fr"}),
    "redact": (redact, {"event": VIEW.events[0], "observer": 1}),
    "Result": (Result, {"winner": 1, "points": (23, 107), "by": "points", "manche": False}),
    "SeenHand": (SeenHand, {"known": CardSet(), "unknown": 5}),
    "SeenDeal": (
        SeenDeal,
        {"dealer": 0, "hands": SEEN.hands, "turnup": SEEN.turnup, "talon": SEEN.talon},
    ),
    "SeenDeal.faults": (SEEN.faults, {"rules": RULES}),
    "SeenDeal.check": (SEEN.check, {"rules": RULES}),
    "popen": (popen, {"command": CHOUINE, "options": {"level": "3"}}),
    "Engine": (Engine, {"command": CHOUINE, "options": {}, "grace": 1.5, "patience": 5.5}),
    "Engine.play": (ask, {"view": VIEW, "limit": Limit(1.5)}),
}
POLICY: object = next(each for each in WRONG if isinstance(each, FunctionType))
TAKEN: dict[str, list[object]] = {
    "read_view.observer": [None],
    "read_cards.text": [""],
    "partie_line.partie": [STATE],
    "Setup.of.partie": [STATE],
    "Visited.tag.name": ["", "nothing", "\0"],
    "Comment.text": ["", "nothing", "\0"],
    "Setup.svg.near": [None],
    "Setup.svg.text": ["", "nothing", "\0"],
    "visit_records.stream": [""],
    "bars.title": ["", "nothing", "\0"],
    "bars.label": [int],
    "bars.even": [True, -1, 0.5, 1.0],
    "curves.title": ["", "nothing", "\0"],
    "curves.across": ["", "nothing", "\0"],
    "curves.label": [int],
    "curves.at": [None, "", b"As", [], {}],
    "curves.base": [True, -1, 0.5, 1.0],
    "choose_problems.preset": [None],
    "choose_problems.kind": [None],
    "choose_problems.theme": [None],
    "choose_problems.easiest": [-1],
    "choose_problems.hardest": [-1],
    "choose_problems.quick": [None, True, 1.0],
    "numbers_of.action": [None],
    "OpponentPool.add.opponent": [POLICY],
    "OpponentPool.add.weight": [True, 0.5, 1.0],
    "PolicyPlayer.policy": [int],
    "env.rules": [RULES],
    "env.render_mode": [None],
    "raw_env.reset.seed": [None, -1],
    "raw_env.reset.options": [None, {}],
    "ChouineEnv.opponent": [POLICY],
    "ChouineEnv.rules": [RULES],
    "ChouineEnv.render_mode": [None],
    "ChouineEnv.reset.seed": [None, -1],
    "ChouineEnv.reset.options": [None, {}],
    "ChouineEnv.step.action": [-1],
    "ChouineVectorEnv.opponent": [POLICY],
    "ChouineVectorEnv.rules": [RULES],
    "DatasetOptions.rules": [RULES],
    "DatasetOptions.seed": ["", "nothing", "\0"],
    "playouts.seed": [-1],
    "perft.talon": [[]],
    "PartieBatch.random.seed": [-1],
    "PartieBatch.of.deals": [[]],
    "PartieBatch.sample.seed": [-1],
    "PairScore.text.a": ["", "nothing", "\0"],
    "PairScore.text.b": ["", "nothing", "\0"],
    "redact.observer": [None],
    "Result.winner": [None, -1],
    "Result.points": [[]],
    "Result.manche": [True],
    "SeenHand.unknown": [-1],  # of a view that cannot be
    "SeenDeal.dealer": [-1],
    "SeenDeal.hands": [[]],
    "SeenDeal.turnup": [None],
    "SeenDeal.talon": [[], [None]],
    "popen.options": [{}],
    "popen.command": ["", "nothing", "\0"],
    "Engine.options": [{}],
    "Engine.command": ["", "nothing", "\0"],
    "Engine.patience": [0.5, 1.0],
    "Engine.grace": [0.5, 1.0],
}
"""What of `WRONG` an argument may be."""


@pytest.mark.parametrize("name", GOOD)
def test_what_is_wrong_is_refused_in_one_sentence(name: str) -> None:
    check_refusals(name, *GOOD[name], TAKEN, (TypeError, ValueError, ChouineError))


def test_rules_are_a_text_or_rules_wherever_an_environment_takes_them() -> None:
    rules = Rules.parse("three;head=always")
    assert chouine_v0.raw_env(rules).rules == ChouineVectorEnv(2, rules).rules == rules
    assert ChouineEnv(rules).row.rules == rules
    making = dataset.DatasetOptions(("random",), rules, parties=1)
    assert dataset.play(making, 0)[0].rules == rules


def test_a_policy_s_action_is_an_int() -> None:
    """A share such as 0.97 was taken for action 0."""
    player = opponents.PolicyPlayer(lambda _, masks: masks.max(axis=1) * 0.97)
    with pytest.raises(TypeError, match="a policy's action is one of the numbers"):
        player.act(VIEW)


def test_more_threads_than_a_machine_can_start_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="threads is at most 1024"):
        fast.PartieBatch.random(RULES, 3, 1, threads=10**30)
    with pytest.raises(ValueError, match="threads is at most 1024"):
        fast.PartieBatch.of(RULES, [DEAL], threads=10**30)
