"""The registry of players: each name's player, requirements and errors."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from chouine import registry
from chouine.ai.racing import Limit
from chouine.ai.strongest import StrongestPlayer
from chouine.partie import Deal, Exchange, Play, State
from chouine.players import HeuristicPlayer, PipePlayer, RandomPlayer, UnknownPlayer, close
from chouine.players.process import EngineFault
from chouine.registry import PLAYERS, AnyRules, best, check_public, player_names, player_of
from chouine.rules import Rules
from tests.cli.bare import without_compiler

ARGUMENTS = {
    "level": "1",
    "mc": "20",
    "pimc": "5",
    "ismcts": "20",
    "weights": "src/chouine/ai/weights/classic.npz",
    "python": "chouine.players:HeuristicPlayer",
    "pipe": f"{sys.executable} -m chouine engine",
}


def spec_of(name: str) -> str:
    return f"{name}:{ARGUMENTS[name]}" if name in ARGUMENTS else name


@pytest.mark.parametrize("name", PLAYERS)
def test_every_name_makes_a_player_that_acts(name: str) -> None:
    state = State.new(Rules(), Deal.random(Rules(), 0, Random(1)))
    assert state.turn is not None
    view = state.view(state.turn)
    player = player_of(spec_of(name), Rules(), seed=1, seconds=1.0)
    try:
        assert player.act(view) in view.legal
    finally:
        close(player)


def test_players_by_name() -> None:
    assert isinstance(player_of("random"), RandomPlayer)
    assert isinstance(player_of("heuristic"), HeuristicPlayer)


@pytest.mark.parametrize(
    "spec", ["", "Random", "pipe", "pipe:", "random:3", "mc", "oracle of Delphi", "level", "level:9"]
)
def test_an_unknown_name_is_refused_with_all_names(spec: str) -> None:
    with pytest.raises(UnknownPlayer) as unknown:
        player_of(spec)
    assert unknown.value.code == "player/unknown"
    assert all(name in str(unknown.value) for name in player_names())


@pytest.mark.parametrize("name", ["mc", "pimc", "ismcts", "full"])
@pytest.mark.parametrize("number", ["0", "-1", "many", "1000001", str(10**12), "9" * 5000])
def test_a_number_out_of_bounds_is_refused(name: str, number: str) -> None:
    with pytest.raises(UnknownPlayer, match="a number from 1 to 1000000") as refused:
        player_of(f"{name}:{number}")
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("name", [name for name, entry in PLAYERS.items() if entry.seats == (2,)])
def test_seats(name: str) -> None:
    with pytest.raises(UnknownPlayer, match="two players only"):
        player_of(spec_of(name), Rules.parse("four"))


@pytest.mark.parametrize("name", [name for name, entry in PLAYERS.items() if entry.extra == "fast"])
def test_what_is_missing_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        registry, "find_spec", lambda package: None if package == "numba" else find_spec(package)
    )
    with pytest.raises(UnknownPlayer, match=r"needs numba.*chouine\[fast\]"):
        player_of(spec_of(name))


@pytest.mark.parametrize("spec", ["random", "eager", "greedy", "heuristic", "level:3"])
def test_a_server_seats_the_quick(spec: str) -> None:
    check_public(spec)


@pytest.mark.parametrize(
    "spec",
    ["pipe:ls", "python:os:getcwd", "weights:/etc/passwd", "mc:9", "full", "", "level", "level:0", "level:x"],
)
def test_a_server_seats_nobody_who_is_slow_or_runs_what_is_named(spec: str) -> None:
    with pytest.raises(UnknownPlayer):
        check_public(spec)


@pytest.mark.parametrize(
    ("argument", "why"),
    [
        ("nowhere:Class", "nowhere"),
        ("chouine.players", "attribute"),
        ("chouine.players:Nobody", "Nobody"),
        ("chouine.players:RandomPlayer", "rng"),
    ],
)
def test_a_missing_class_is_an_error(argument: str, why: str) -> None:
    with pytest.raises(UnknownPlayer, match=why):
        player_of(f"python:{argument}")


@pytest.mark.parametrize(
    ("text", "command", "options"),
    [
        ("engine", "engine", []),
        ("engine;level=3;style=a=b", "engine", [("level", "3"), ("style", "a=b")]),
        ("python3 -c 'import sys;x=1'", "python3 -c 'import sys;x=1'", []),
        ('sh -c "a;b=\\";c=1" x;level=', 'sh -c "a;b=\\";c=1" x', [("level", "")]),
        ("engine\\;a=1;b=2", "engine\\;a=1", [("b", "2")]),
    ],
)
def test_a_command_is_cut_where_no_quotation_mark_protects_it(
    text: str, command: str, options: list[tuple[str, str]]
) -> None:
    player = player_of(f"pipe:{text}")
    assert isinstance(player, PipePlayer)
    assert (player.command, [*player.options]) == (command, options)


@pytest.mark.parametrize("text", ["engine;", "engine;level", "engine;=3", "engine;;level=3"])
def test_what_follows_a_command_is_a_setting(text: str) -> None:
    with pytest.raises(UnknownPlayer) as unknown:
        player_of(f"pipe:{text}")
    assert unknown.value.code == "player/setting"


def test_what_cannot_act_is_no_player() -> None:
    with pytest.raises(UnknownPlayer, match="act"):
        player_of("python:collections:Counter")


def test_eager_exchanges_and_declares_whatever_it_can() -> None:
    """§9, §11: The eager player exchanges and declares whenever it can."""
    rng, player, declared, exchanged = Random(3), player_of("eager", seed=4), 0, 0
    for _ in range(60):
        state = State.new(Rules(), Deal.random(Rules(), 0, rng))
        while state.turn is not None:
            view = state.view(state.turn)
            act = player.act(view)
            assert act is not None
            if isinstance(act, Play):
                said = [
                    other.declaration
                    for other in view.legal
                    if isinstance(other, Play) and other.card == act.card
                ]
                assert Exchange() not in view.legal
                assert (act.declaration is None) == (said == [None])
                declared += act.declaration is not None
            exchanged += act == Exchange()
            state = state.play(act)
    assert declared
    assert exchanged


def test_a_player_for_any_rules_is_made_when_they_are_known() -> None:
    player = AnyRules("heuristic", 1)
    for text in ("classic", "four"):
        state = State.new(Rules.parse(text), Deal.random(Rules.parse(text), 0, Random(1)))
        assert state.turn is not None
        view = state.view(state.turn)
        assert player.act(view) in view.legal
        assert player.act_with_info(view, None, None) == (player.act(view), [])


def test_advice_says_what_it_needs(tmp_path: Path) -> None:
    line = "classic b ?5|.K.A97.7 Jd ?????????????????????????????????????????? : Qs"
    program = f"import chouine; chouine.advise({line!r})"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **without_compiler(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "pip install 'chouine[fast]'" in done.stderr


@pytest.mark.parametrize(("name", "worlds"), [("full", None), ("full:7", 7)])
def test_the_strongest_player_may_be_given_a_number_of_worlds(name: str, worlds: int | None) -> None:
    player = player_of(name)
    assert isinstance(player, StrongestPlayer)
    assert player.limit == Limit(None, worlds)


MINE = """
class Mine:
    def act(self, view):
        return self.answer(view)


class Raises(Mine):
    def answer(self, view):
        return int("seven")


class Says(Mine):
    def answer(self, view):
        return "7s"


class Illegal(Mine):
    def answer(self, view):
        return next(act for act in map(Play, PACK) if act not in view.legal)
"""


@pytest.mark.parametrize(
    ("name", "code"),
    [("Raises", "player/raised"), ("Says", "player/not-an-act"), ("Illegal", "player/illegal-act")],
)
def test_a_class_of_yours_is_at_fault_wherever_it_is_asked(
    name: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `best` and in an engine it has the same fault as in a duel."""
    text = f"from chouine import Play\nfrom chouine.cards import PACK\n{MINE}"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "mine", import_module("mine"))
    state = State.new(Rules(), Deal.random(Rules(), 0, Random(1)))
    view, spec = state.view(state.turn), f"python:mine:{name}"
    for ask in (
        lambda: best(view, spec),
        lambda: AnyRules(spec, 1).act_with_info(view, 1.0, None),
    ):
        with pytest.raises(EngineFault) as caught:
            ask()
        assert caught.value.code == code
