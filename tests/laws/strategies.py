"""Hypothesis strategies for rules, deals and parties; rare actions occur more often than by uniform choice.

Rules and the length of a partie are drawn piece by piece, so that Hypothesis can shrink them; cards and choices come
from a seed. A failing test prints its partie line.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from chouine.cards import PACK, Card, CardSet
from chouine.partie import Action, Deal, Play, State
from chouine.rules import OPTIONS, PRESETS, VALUES, Rules, rule_table_of
from chouine.rules.combinations import CHOUINE, MARIAGE, QUARTERON, QUINTE, TIERCE, TRENTE
from tests.lines import write

SEEDS = st.integers(0, 2**32 - 1)
WISHES = (CHOUINE, QUARTERON, TIERCE, MARIAGE, QUINTE, TRENTE)


@st.composite
def rules(draw: st.DrawFn, presets: tuple[str, ...] = tuple(PRESETS)) -> Rules:
    """Rules of any preset with any options; packets with two seats only (§3)."""
    plain = Rules.of_preset(draw(st.sampled_from(presets)))
    chosen: dict[str, Any] = {"seats": plain.seats, "mondoubleau": plain.mondoubleau}
    for option in OPTIONS:
        default = getattr(plain, option)
        values = [default, *(value for value in VALUES[option] if value != default)]
        free = option != "deal" or plain.seats == 2
        chosen[option] = draw(st.sampled_from(values)) if free else default
    return Rules(**chosen)


def rich_deal(rules: Rules, rng: Random) -> Deal:
    """A deal with many combinations, honours drawn early, and often an exchangeable seven."""
    rule_table = rule_table_of(rules)
    pack = list(PACK)
    rng.shuffle(pack)
    hands = [
        take_wished_hand(rule_table.figure_cards, rule_table.hand, pack, rng) for _ in range(rules.seats)
    ]
    if rng.random() < 0.6:
        pack.sort(key=lambda card: rng.random() - 0.5 * (card.points > 0))
    sevens = {card.suit for hand in hands for card in hand if card.points == 0 and card & 7 == 0}
    turnup = None
    if rule_table.turned:
        turnup = next((card for card in pack if card.suit in sevens and rng.random() < 0.7), pack[-1])
        pack.remove(turnup)
    return Deal(rng.randrange(rules.seats), tuple(map(CardSet, hands)), turnup, tuple(pack))


def take_wished_hand(figure_cards: tuple[int, ...], size: int, pack: list[Card], rng: Random) -> list[Card]:
    """A hand removed from the pack: most of a random combination, if available, then the next cards."""
    first = rng.choice(WISHES)
    number = first if first in (QUINTE, TRENTE) else first + rng.randrange(4)
    cards = [card for card in pack if figure_cards[number - MARIAGE] >> card & 1]
    hand = cards[: size - rng.choice((0, 0, 1))]
    hand += [card for card in pack if card not in hand][: size - len(hand)]
    for card in hand:
        pack.remove(card)
    return hand


def any_deal(rules: Rules, rng: Random) -> Deal:
    """A rich deal, or a uniformly random one."""
    return (
        rich_deal(rules, rng) if rng.random() < 0.7 else Deal.random(rules, rng.randrange(rules.seats), rng)
    )


def choose(legal: tuple[Action, ...], rng: Random, eagerness: float) -> Action:
    """A random legal action: an exchange or declaration, if any, with probability `eagerness`."""
    plain = [action for action in legal if isinstance(action, Play) and action.declaration is None]
    others = [action for action in legal if action not in plain]
    return rng.choice(others if others and rng.random() < eagerness else plain)


class Partie(tuple[State, ...]):
    """A partie's states in order; its `repr` is the partie line."""

    __slots__ = ()

    def __repr__(self) -> str:
        return write(self[-1])


def random_partie(rules: Rules, seed: int, length: int = 99) -> Partie:
    """A random partie, to its end or for `length` actions."""
    rng = Random(seed)
    eagerness = rng.choice((0.05, 0.4, 0.9))
    states = [State.new(rules, any_deal(rules, rng))]
    while len(states) <= length and not states[-1].result:
        states.append(states[-1].play(choose(states[-1].legal(), rng, eagerness)))
    note(write(states[-1]))
    return Partie(states)


@st.composite
def parties(draw: st.DrawFn, presets: tuple[str, ...] = tuple(PRESETS)) -> Partie:
    """Complete parties."""
    return random_partie(draw(rules(presets)), draw(SEEDS))


@st.composite
def moments(draw: st.DrawFn, presets: tuple[str, ...] = tuple(PRESETS)) -> State:
    """States at any point of a partie."""
    chosen, seed = draw(rules(presets)), draw(SEEDS)
    return random_partie(chosen, seed, draw(st.integers(0, 40)))[-1]
