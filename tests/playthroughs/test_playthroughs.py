"""Golden playthroughs: one partie of each preset, with each action, its events, and each seat's knowledge.

Each text starts with its partie line. `pytest --update-playthroughs` rewrites the files; review the difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from chouine.partie import Event, State, View
from chouine.rules import PRESETS
from tests.lines import SEATS, action, read


@pytest.mark.parametrize("preset", PRESETS)
def test_playthrough(preset: str, request: pytest.FixtureRequest) -> None:
    """§3-§12, §14, §17: The playthrough equals the reviewed one."""
    path = Path(__file__).parent / f"{preset}.txt"
    golden = path.read_text(encoding="utf-8")
    line = golden.partition("\n")[0]
    told = "\n".join(playthrough(line)) + "\n"
    assert line.split()[0] == preset
    if request.config.getoption("--update-playthroughs"):
        path.write_text(told, encoding="utf-8")
    else:
        assert told == golden


def playthrough(line: str) -> Iterator[str]:
    """A partie as text."""
    head, _, actions = line.partition(" : ")
    state = read(f"{head} :")
    yield line
    yield from situation(state, 0)
    for token in actions.split():
        before, state = state, state.play(action(token))
        yield ""
        yield f"== {token}    of {' '.join(map(str, before.legal()))}"
        yield from situation(state, len(before.events))
    yield ""
    yield f"result {state.result.text if state.result else '*'}"


def situation(state: State, since: int) -> Iterator[str]:
    """The new events, then the knowledge of each seat and of a spectator."""
    for event in state.events[since:]:
        yield f"   {spell(event)}"
    for observer in (*range(state.rules.seats), None):
        yield f"{'-' if observer is None else SEATS[observer]}  {knowledge(state.view(observer))}"


def spell(event: Event) -> str:
    """An event in one line, cards and sets of cards as text."""
    told = ", ".join(f"{field.name}={text(getattr(event, field.name))}" for field in fields(event))
    return f"{type(event).__name__}({told})"


def text(value: object) -> str:
    """A readable form of a value: tuples of cards without quotes."""
    return f"[{' '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)


def knowledge(view: View) -> str:
    """A seat's knowledge: hands, turnup, talon, points, its own legal actions."""
    hands = "|".join(str(view.held(seat)) for seat in range(view.rules.seats))
    turnup = "-" if view.turnup is None else view.turnup
    trump = "-" if view.trump is None else view.trump.letter
    points = "-".join(map(str, view.points))
    legal = " ".join(map(str, view.legal))
    return (
        f"{hands} {turnup} {trump} talon {view.talon} points {points} unseen {view.unseen} : {legal}".rstrip()
    )
