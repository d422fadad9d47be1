"""The public names refuse what they cannot take at the door, in one sentence that says what is wanted."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import chouine
from chouine import Card, CardSet, Deal, Play, Record, Rules, State, play_partie, player_of, read_records
from chouine.errors import InvalidDeal
from chouine.partie import Result, SeenDeal, SeenHand
from chouine.partie.view import View

RULES = Rules()
DEAL = Deal.random(RULES, 0, Random(1))
STATE = State.new(RULES, DEAL)
UNTYPED: Any = chouine
"""The package as whoever checks no types calls it."""


class Strange:
    def act(self, view: View) -> Any:
        return str(view.legal[0]) if view.legal else None


class Raising:
    def act(self, view: View) -> Any:
        raise ZeroDivisionError(str(view.hand))


REFUSALS: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: Deal.random(RULES, 2, Random(1)), ValueError, "no such seat"),
    (lambda: SeenHand("A", 4), TypeError, "known is a CardSet, not 'A'"),  # type: ignore[arg-type]
    (lambda: SeenHand(CardSet(), "5"), TypeError, "unknown is a number of cards, not '5'"),  # type: ignore[arg-type]
    (lambda: SeenDeal("a", (), None, ()), TypeError, "dealer is a seat, 0 to 3, not 'a'"),  # type: ignore[arg-type]
    (lambda: Result(0, (1, 0), "luck"), ValueError, "by is one of"),  # type: ignore[arg-type]
    (lambda: UNTYPED.Deal.random(RULES, 0, 1), TypeError, "rng is a random.Random"),
    (lambda: UNTYPED.Deal.random("classic", 0, Random(1)), TypeError, "rules is Rules"),
    (lambda: Deal.from_pack(RULES, 0, [Card(0)] * 32), ValueError, "the 32 cards, each once"),
    (lambda: play_partie(RULES, DEAL, [player_of("greedy")]), ValueError, "one a seat, not 1"),
    (lambda: play_partie(RULES, DEAL, [player_of("greedy")] * 3), ValueError, "one a seat, not 3"),
    (lambda: chouine.duel("greedy", "random", pairs=0), ValueError, "pairs is at least 1"),
    (lambda: UNTYPED.duel("greedy", "random", pairs="2"), TypeError, "a number of pairs"),
    (lambda: UNTYPED.duel(lambda view: view, "random"), TypeError, "called without arguments"),
    (lambda: UNTYPED.duel(lambda: 3, "random"), TypeError, r"objects act\(view\)"),
    (lambda: UNTYPED.duel(3, "random"), TypeError, "a player is a name of"),
    (lambda: UNTYPED.Play("As"), TypeError, "card is a Card"),
    (lambda: UNTYPED.Play(Card("Kd"), "20d"), TypeError, "declaration is a Declaration"),
    (lambda: UNTYPED.Rules("four"), ValueError, "seats is 2, 3 or 4"),
    (lambda: UNTYPED.Rules.parse(RULES), TypeError, "rules is a text"),
    (lambda: Card("10d"), ValueError, "such as 'Td'"),
    (lambda: UNTYPED.CardSet(["As"]), TypeError, "cards are Cards"),
    (lambda: CardSet("AA..."), ValueError, "twice"),
    (lambda: UNTYPED.State.new(RULES, STATE.deal.seen_by(0)), TypeError, "a complete Deal"),
    (lambda: STATE.view(7), ValueError, "observer is one of the seats"),
    (lambda: STATE.legal(2), ValueError, "seat is one of the seats"),
    (lambda: STATE.concede(-1), ValueError, "seat is one of the seats"),
    (lambda: STATE.play(STATE.legal()[0], 9), ValueError, "seat is one of the seats"),
    (lambda: UNTYPED.State.play(STATE, "As"), TypeError, "an act is a Play or an Exchange"),
    (lambda: UNTYPED.best(3), TypeError, "the view is a View"),
    (lambda: UNTYPED.advise(3), TypeError, "the view is a View"),
    (lambda: UNTYPED.player_of(3), TypeError, "the player is a text"),
    (lambda: UNTYPED.player_of("greedy", rules="three"), TypeError, "rules is Rules"),
    (lambda: read_records("partie.cgn"), ValueError, r"read_records\(open\('partie.cgn'"),
    (lambda: UNTYPED.read_records(Path("a b.cgn")), ValueError, "a file's name"),
]


@pytest.mark.parametrize("nth", range(len(REFUSALS)))
def test_what_is_impossible_is_refused_in_one_sentence(nth: int) -> None:
    call, kind, sentence = REFUSALS[nth]
    with pytest.raises(kind, match=sentence) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_many_deals_need_a_number_and_rules() -> None:
    pytest.importorskip("numpy")
    for arguments in (("x",), (10, "three")):
        with pytest.raises(TypeError):
            UNTYPED.deals(*arguments)
    with pytest.raises(ValueError, match="at least 0"):
        chouine.deals(-1)


@pytest.mark.parametrize(("player", "code"), [(Strange, "player/not-an-act"), (Raising, "player/raised")])
def test_a_class_at_fault_forfeits_wherever_it_plays(player: Any, code: str) -> None:
    """In `play_partie`, in `chouine.duel` and, as tests/arena shows, in the command."""
    played = play_partie(RULES, DEAL, [player(), player_of("greedy")])
    assert played.fault is not None
    assert (played.fault.seat, played.fault.error.code) == (0, code)
    assert played.state.result is not None
    assert (played.state.result.winner, played.state.result.by) == (1, "forfeit")
    assert chouine.duel(player, "greedy", pairs=2).faults == {"a": 4}


def test_a_duel_takes_rules_as_text_or_value() -> None:
    rules = Rules.parse("three;head=always")
    assert chouine.duel("greedy", "random", 1, rules) == chouine.duel("greedy", "random", 1, str(rules))


def test_a_record_gives_its_states() -> None:
    """From the deal to the result, which may lie outside the cards."""
    state = play_partie(RULES, DEAL, [player_of("greedy")] * 2).state
    states = list(Record.of(state).states())
    assert (states[0], states[-1]) == (State.new(RULES, state.deal), state)
    conceded = list(Record.of(STATE.concede(0)).states())
    assert [each.result and each.result.by for each in conceded] == [None, "concede"]
    unknown = next(
        iter(read_records("classic b Q7.97..8|?5 Jd ?????????????????????????????????????????? :"))
    )
    assert isinstance(unknown, Record)
    with pytest.raises(InvalidDeal, match="known"):
        list(unknown.states())


def test_a_printed_view_shows_its_seat_alone() -> None:
    """A state shows all hands, a view one's own, a spectator's none; each is a few lines."""
    own, others = (str(CardSet(hand.mask)) for hand in DEAL.hands)
    assert own in str(STATE)
    assert others in str(STATE)
    assert others not in str(STATE.view(0))
    assert own in str(STATE.view(0))
    assert own not in str(STATE.view(None))
    over = play_partie(RULES, DEAL, [player_of("greedy")] * 2).state
    for each in (STATE, STATE.view(1), over, over.view(None)):
        assert len(str(each).splitlines()) == 4
    first = STATE.legal()[0]
    assert isinstance(first, Play)
    assert f"trick: {first.card}" in str(STATE.play(first).view(0))


def test_what_is_not_installed_says_so_when_it_is_called() -> None:
    """Without NumPy the package can be listed, described and imported whole."""
    program = """
import sys
sys.path.insert(0, sys.argv[1])
sys.modules["numpy"] = None  # an installed package has it beside
import chouine, pydoc
from chouine import *
assert "deals" in pydoc.render_doc(chouine), "help"
assert hasattr(chouine, "deals")
try:
    deals(10)
except ModuleNotFoundError as error:
    print(error)
"""
    run = [sys.executable, "-S", "-I", "-c", program, str(Path(chouine.__file__).parents[1])]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert done.stdout == "chouine.deals needs numpy: install chouine with its extra, chouine[fast]\n"


def test_a_class_in_the_working_folder_is_found(tmp_path: Path) -> None:
    """By the installed command too, whose own folder is the first place where Python looks."""
    (tmp_path / "my_player.py").write_text(
        "class First:\n    def act(self, view):\n        return view.legal[0] if view.legal else None\n"
    )
    command = [str(Path(sys.executable).with_name("chouine")), "duel", "python:my_player:First", "random"]
    done = subprocess.run(
        [*command, "--pairs", "2", "--json"], check=False, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pairs"] == 2


def test_a_result_is_printed_as_it_is_said() -> None:
    assert str(Result(0, (89, 71), "points")) == "1-0 (points) · 89-71 points"
