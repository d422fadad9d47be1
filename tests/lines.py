"""Partie lines for tests of the layers below notation, parsed and written without it."""

from __future__ import annotations

from chouine.cards import Card, CardSet
from chouine.partie import Action, Deal, Declaration, Declared, Exchange, Exchanged, Play, Played, State
from chouine.rules import Rules

SEATS = "abcd"


def action(token: str) -> Action:
    """Parse `Qd`, `Qd+20d` or `7x`."""
    if token == "7x":
        return Exchange()
    card, _, said = token.partition("+")
    return Play(Card(card), Declaration(said) if said else None)


def cards(text: str) -> tuple[Card, ...]:
    """Parse `Jc8d9c`, with or without spaces."""
    text = text.replace(" ", "")
    return tuple(Card(text[at : at + 2]) for at in range(0, len(text), 2))


def deal(text: str) -> Deal:
    """Parse `dealer hands turnup talon`."""
    dealer, hands, turnup, talon = text.split()
    return Deal(
        SEATS.index(dealer),
        tuple(map(CardSet, hands.split("|"))),
        None if turnup == "-" else Card(turnup),
        cards(talon),
    )


def play(state: State, actions: str) -> State:
    """The state after the actions, each by a seat that may take it."""
    for token in actions.split():
        state = state.play(action(token))
    return state


def read(line: str) -> State:
    """Parse `rules deal : actions` and play the actions."""
    head, _, actions = line.partition(" :")
    rules, dealt = head.split(maxsplit=1)
    return play(State.new(Rules.parse(rules), deal(dealt)), actions)


def write(state: State) -> str:
    """The partie line of a state, for the report of a failed test."""
    return f"{state.rules} {state.deal} : {' '.join(tokens(state))}"


def tokens(state: State) -> list[str]:
    """The tokens of the actions in a state's events."""
    done: list[str] = []
    said = ""
    for event in state.events:
        match event:
            case Exchanged():
                done.append("7x")
            case Declared(declaration=declaration):
                said = f"+{declaration}"
            case Played(card=card):
                done.append(f"{card}{said}")
                said = ""
            case _:
                pass
    return done
