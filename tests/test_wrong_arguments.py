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
LONG: tuple[object, ...] = ("x" * 10_000, [None] * 10_000, -(10**5_000))
LONGEST_REFUSAL = 600
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
    check_refusals(name, *GOOD[name], TAKEN)


def check_refusals(
    name: str,
    call: Callable[..., object],
    given: dict[str, object],
    accepted: dict[str, list[object]],
    refusals: tuple[type[Exception], ...] = (TypeError, ValueError),
) -> None:
    """Make a right call, then the same with each argument wrong in turn; `accepted` of `WRONG` are right too."""
    call(**given)
    for argument, right in given.items():
        taken = accepted.get(f"{name}.{argument}", [])
        for wrong in WRONG:
            if any(type(wrong) is type(each) and wrong == each for each in taken) or is_right(right, wrong):
                continue
            with pytest.raises(refusals) as caught:
                pytest.fail(f"{name}({argument}={wrong!r}) gave {call(**given | {argument: wrong})!r}")
            last = extract_tb(caught.value.__traceback__)[-1]
            assert Path(last.filename).is_relative_to(OURS), (name, argument, wrong, caught.value)
            assert str(last.line).startswith("raise "), (name, argument, wrong, last, caught.value)
            assert "\n" not in str(caught.value)
        for long in LONG:  # which may be right
            try:
                call(**given | {argument: long})
            except refusals as refused:
                if len(str(refused)) >= LONGEST_REFUSAL:
                    pytest.fail(f"{name}({argument}): {str(refused)[:LONGEST_REFUSAL]}")


@pytest.mark.parametrize("wrong", ["random", chouine.duel, type(PLAYERS[0]), None])
def test_what_is_no_player_is_refused_before_it_is_asked(wrong: object) -> None:
    """A name is made a player by `player_of`, a class by calling it."""
    with pytest.raises(TypeError, match="players is a player a seat"):
        chouine.play_partie(RULES, DEAL, [PLAYERS[0], wrong])  # type: ignore[list-item]


def test_numpy_s_integers_are_taken_for_ints() -> None:
    """As `deals` gives them: its cards and hands are numbers of NumPy's."""
    np = pytest.importorskip("numpy")
    for name, (call, given) in GOOD.items():
        for argument, value in given.items():
            if type(value) is int and (AVAILABLE or name != "advise"):
                call(**given | {argument: np.int64(value)})
    assert Card(np.uint8(22)) == Card("Td")
    assert CardSet(np.int64(Card("Td") == 22)) == CardSet([Card(0)])
    assert CardSet(np.array([9, 31], np.uint8)) == CardSet([Card(9), Card(31)])
    assert Declaration(np.int32(35)) == Declaration(35)
    assert type(Deal.random(RULES, np.int64(1), Random(1)).dealer) is int
    for wrong in (np.bool_(True), np.float64(1), np.array([1])):  # noqa: FBT003
        with pytest.raises(TypeError):
            chouine.deals(wrong)
        with pytest.raises(ValueError, match="not a card"):
            Card(wrong)


def is_right(given: object, other: object) -> bool:
    """Whether another value is of a kind that is right by chance."""
    if callable(given):
        return callable(other)
    return type(given) is type(other) and isinstance(other, (Rules, Deal, State))
