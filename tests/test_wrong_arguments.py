"""Every public call with each argument wrong in turn: one sentence of our own, no fault from inside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import Parameter, isfunction, signature
from pathlib import Path
from random import Random
from traceback import extract_tb

import pytest

import chouine
from chouine import Card, CardSet, Deal, Declaration, Play, Record, Rules, State, View
from chouine.cards import PACK
from chouine.fast import AVAILABLE

RULES = Rules()
DEAL = Deal.random(RULES, 0, Random(1))
STATE = State.new(RULES, DEAL)
VIEW = STATE.view(1)
LINE = f"{RULES} {DEAL} :"
PLAYERS = [chouine.player_of(name) for name in ("greedy", "random")]
ENDED = chouine.play_partie(RULES, DEAL, PLAYERS).state
RECORD = Record.of(ENDED)
WRONG: tuple[object, ...] = (
    None, True, -1, 0.5, 1.0, float("nan"), float("inf"), "", "nothing", "\0", b"As", [], [None], {}, object(), Path(),
    lambda: None, int, RULES, DEAL, STATE,
)  # fmt: skip
GOOD: dict[str, tuple[Callable[..., object], dict[str, object]]] = {
    "Card": (Card, {"card": "As"}),
    "CardSet": (CardSet, {"cards": "A.AT.T.A"}),
    "Deal": (Deal, {"dealer": 0, "hands": DEAL.hands, "turnup": DEAL.turnup, "talon": DEAL.talon}),
    "Deal.check": (DEAL.check, {"rules": RULES}),
    "Deal.from_pack": (Deal.from_pack, {"rules": RULES, "dealer": 0, "pack": PACK}),
    "Deal.random": (Deal.random, {"rules": RULES, "dealer": 0, "rng": Random(1)}),
    "Deal.seen_by": (DEAL.seen_by, {"observer": 0}),
    "Declaration": (Declaration, {"declaration": "20d"}),
    "Declaration.cards": (Declaration("20d").cards, {"rule_table": STATE.rule_table}),
    "Play": (Play, {"card": Card("As"), "declaration": None}),
    "Record": (
        Record,
        {"rules": RULES, "deal": RECORD.deal, "items": RECORD.items, "result": RECORD.result, "tags": ()},
    ),
    "Record.html": (RECORD.html, {"language": "en"}),
    "Record.of": (Record.of, {"state": ENDED, "tags": None}),
    "Record.of_result": (
        Record.of_result,
        {"rules": RULES, "deal": DEAL, "actions": RECORD.actions, "result": RECORD.result, "tags": {}},
    ),
    "Record.svg": (RECORD.svg, {"language": "fr", "observer": None, "seconds": 1.5}),
    "Record.tag": (RECORD.tag, {"name": "Result"}),
    "Rules": (Rules, {name: getattr(RULES, name) for name in signature(Rules).parameters}),
    "Rules.of_preset": (Rules.of_preset, {"name": "three"}),
    "Rules.parse": (Rules.parse, {"text": "classic"}),
    "State.concede": (STATE.concede, {"seat": 0}),
    "State.end": (STATE.end, {"result": ENDED.result}),
    "State.legal": (STATE.legal, {"seat": 1}),
    "State.new": (State.new, {"rules": RULES, "deal": DEAL}),
    "State.next_act": (STATE.next_act, {"ask": lambda _: None}),
    "State.play": (STATE.play, {"action": STATE.legal()[0], "seat": 1}),
    "State.svg": (STATE.svg, {"language": "fr"}),
    "State.view": (STATE.view, {"observer": 1}),
    "View": (View, {"rules": RULES, "observer": 1, "events": VIEW.events}),
    "View.held": (VIEW.held, {"seat": 1}),
    "View.svg": (VIEW.svg, {"language": "fr", "text": "a table"}),
    "View.then": (VIEW.then, {"news": ()}),
    "advise": (chouine.advise, {"view": VIEW, "seconds": 0.1, "worlds": None, "seed": 1}),
    "best": (chouine.best, {"view": LINE, "player": "greedy"}),
    "deals": (chouine.deals, {"count": 3, "rules": None, "seed": 0}),
    "duel": (chouine.duel, {"a": "random", "b": "greedy", "pairs": 1, "rules": "classic", "seed": "0"}),
    "legal": (chouine.legal, {"line": LINE}),
    "play_partie": (chouine.play_partie, {"rules": RULES, "deal": DEAL, "players": PLAYERS, "seconds": None}),
    "player_of": (chouine.player_of, {"spec": "random", "rules": None, "seed": 0, "seconds": None}),
    "read_records": (lambda lines: list(chouine.read_records(lines)), {"lines": [LINE]}),
}
"""A right call of everything public that takes an argument."""
TAKEN: dict[str, list[object]] = {
    "CardSet.cards": [-1, [], {}],  # an int is a set of bits
    "Deal.dealer": [-1],  # `check` tells it, with all that is wrong
    "Deal.hands": [[]],
    "Deal.talon": [[]],
    "Deal.turnup": [None],
    "Deal.seen_by.observer": [None],
    "Play.declaration": [None],
    "Record.items": [[]],
    "Record.tags": [[]],
    "Record.of.tags": [None, {}],
    "Record.of_result.actions": ["", b"", [], {}],
    "Record.of_result.tags": [{}],
    "Record.svg.observer": [None],
    "Record.svg.seconds": [0.5, 1.0],
    "Record.tag.name": ["", "nothing", "\0"],
    "Rules.mondoubleau": [True],
    "State.legal.seat": [None],
    "State.play.seat": [None],
    "State.view.observer": [None],
    "View.observer": [None],
    "View.svg.text": ["", "nothing", "\0"],
    "View.then.news": [[]],
    "advise.seconds": [0.5, 1.0],
    "advise.worlds": [None],
    "advise.seed": [-1],
    "deals.rules": [None, RULES],
    "duel.rules": [RULES],
    "duel.seed": ["", "nothing", "\0"],
    "play_partie.seconds": [None],
    "player_of.rules": [None, RULES],
    "player_of.seconds": [None, 0.5, 1.0],
    "player_of.seed": [-1],
    "read_records.lines": ["", [], {}],
}
"""What of `WRONG` an argument may be."""
OURS = Path(chouine.__file__).parent


def public_calls() -> Iterator[str]:
    """The names of everything public that takes an argument."""
    for name in chouine.__all__:
        found = getattr(chouine, name)
        if not isinstance(found, type):
            if signature(found).parameters:
                yield name
            continue
        if found is chouine.Player:
            continue  # a protocol: the user's own
        if found is not State and signature(found).parameters:
            yield name  # a `State` is made by `State.new`
        for part, value in vars(found).items():
            method = getattr(value, "__func__", value)
            if (
                isfunction(method)
                and not part.startswith("_")
                and set(signature(method).parameters) - {"self", "cls"}
            ):
                yield f"{name}.{part}"


def test_every_public_call_is_tried_with_every_argument() -> None:
    """`_make` and its like are Python's own."""
    assert set(GOOD) == set(public_calls())
    for name, (call, given) in GOOD.items():
        variable = {Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL}
        named = {each.name for each in signature(call).parameters.values() if each.kind not in variable}
        assert named == set(given), name


@pytest.mark.parametrize("name", [name for name in GOOD if AVAILABLE or name != "advise"])
def test_what_is_wrong_is_refused_in_one_sentence(name: str) -> None:
    call, given = GOOD[name]
    call(**given)
    for argument in given:
        taken = TAKEN.get(f"{name}.{argument}", [])
        for wrong in WRONG:
            if any(type(wrong) is type(each) and wrong == each for each in taken) or is_right(
                given[argument], wrong
            ):
                continue
            with pytest.raises((TypeError, ValueError)) as caught:
                pytest.fail(f"{name}({argument}={wrong!r}) gave {call(**given | {argument: wrong})!r}")
            last = extract_tb(caught.value.__traceback__)[-1]
            assert Path(last.filename).is_relative_to(OURS), (name, argument, wrong, caught.value)
            assert str(last.line).startswith("raise "), (name, argument, wrong, last, caught.value)
            assert "\n" not in str(caught.value)


def is_right(given: object, other: object) -> bool:
    """Whether another value is of a kind that is right by chance."""
    if callable(given):
        return callable(other)
    return type(given) is type(other) and isinstance(other, (Rules, Deal, State))
