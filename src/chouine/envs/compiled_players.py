"""Compiled players, which choose the same acts as the registry's players of the same names. Kernel Python.

Tests compare each with its player of `chouine.registry`. Kernels read only what a seat knows: its hand, the table, the
cards seen, and another's hand where it is known (two seats, the talon empty).
"""

from __future__ import annotations

from array import array
from math import cos, log, pi, sqrt
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.deduced import unseen_by, wins_for_certain
from chouine.ai.levels import HANDICAPS, HANDICAPS_MULTIPLAYER, UNAIDED, Handicap, level_of
from chouine.ai.macro_actions import DECLARATION_SHIFT, MAX_ACTS, list_acts
from chouine.ai.network import NO_NETWORK, Network, load_shipped, network_card, private_copy
from chouine.ai.rollout import EPSILON, swindle_value
from chouine.cards import ALL_CARDS, BRISQUES, PACK, SUIT_CARDS
from chouine.envs.encode import choices
from chouine.fast.bits import (
    high_half,
    low_half,
    lowest_bit,
    next_state,
    nth_bit,
    popcount,
    scale_to,
    splitmix64,
)
from chouine.fast.double_dummy import INFINITY, open_margin
from chouine.fast.driver import eager_card, play_with
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.public_knowledge import PublicKnowledge, cards_played
from chouine.players.heuristic import evaluate_play, heuristic_card, weight_table
from chouine.players.simple import greedy_card
from chouine.rules.combinations import ACTIONS, CHOUINES, DECLARATIONS, EXCHANGE, EXCHANGING, MARIAGE
from chouine.rules.options import Rules
from chouine.rules.play import companions, legal, legal_for, step
from chouine.rules.position import NONE, Position
from chouine.rules.rule_table import RuleTable

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

ASKED, RANDOM, EAGER, GREEDY, HEURISTIC, HANDICAPPED, NET = range(7)
"""Kinds of opponents: `ASKED` is decided by the caller, the others by kernels."""
WAYS = {
    "random": RANDOM,
    "eager": EAGER,
    "greedy": GREEDY,
    "heuristic": HEURISTIC,
    f"level:{UNAIDED}": HEURISTIC,
    **{f"level:{number}": HANDICAPPED for number in HANDICAPS},
    "net": NET,
}
UNIT = 1 / (1 << 32)
SURE, LIKELY, NEVER = 2, 1, 0

ALPHABETIC = np.argsort(np.argsort([str(card) for card in PACK])).astype(np.int64)
"""Rank of each card when all are sorted by text, as `View.legal` is."""

Choice = tuple[int, int]
"""A card and the declaration made with it, or NONE."""


class Rival(NamedTuple):
    """A compiled opponent. `network` holds scratch buffers: one `Rival` per thread."""

    kind: int
    """Its number among those of a pool."""
    way: int
    network: Network
    weights: Any
    """Of the evaluation (`players.heuristic`)."""
    noise: float
    forgetting: float
    nodes: Any
    """`int64[1]`: scratch."""
    acts: Any
    """`int64[MAX_ACTS]`: scratch."""


class History(NamedTuple):
    """A partie's actions so far; from them follows what a handicapped player has forgotten."""

    acts: Any
    """Integers: the first `done` of them are the actions."""
    done: int
    salt: int
    """The partie's own random number."""


def rival(kind: int, spec: str | None, rules: Rules) -> Rival:
    """The compiled player for a registry name.

    For None, or a name that is not compiled, its kind is `ASKED`: the caller chooses its acts.
    """
    way = WAYS.get(spec or "", ASKED)
    handicaps = HANDICAPS if rules.seats == 2 else HANDICAPS_MULTIPLAYER
    handicap = handicaps[level_of(spec)] if spec and way == HANDICAPPED else Handicap(0.0, 0.0)
    network = private_copy(load_shipped(rules.preset) if way == NET else NO_NETWORK)
    needs_weights = way in (HEURISTIC, HANDICAPPED)
    weights = weight_table(rules) if needs_weights else memoryview(array("d", [0.0]))
    nodes, acts = memoryview(array("q", [0])), memoryview(array("q", bytes(8 * MAX_ACTS)))
    return Rival(kind, way, network, weights, *handicap, nodes, acts)


@kernel
def random_move(rule_table: RuleTable, p: Position, seat: int, half: int) -> tuple[int, int]:
    """A uniformly random legal act of a seat; each card with each declaration it can make counts as one act."""
    actions = choices(rule_table, p, seat)
    if seat != p.turn:
        return EXCHANGE, NONE
    plain = actions & (ALL_CARDS | EXCHANGING)
    many, declarations = popcount(plain), actions & DECLARATIONS
    while declarations:
        number = lowest_bit(declarations)
        declarations &= declarations - 1
        many += popcount(companions(rule_table, number) & actions & ALL_CARDS)
    place = scale_to(half, many)
    if place < popcount(plain):
        return nth_bit(plain, place), NONE
    place -= popcount(plain)
    declarations = actions & DECLARATIONS
    while True:
        number = lowest_bit(declarations)
        declarations &= declarations - 1
        cards = companions(rule_table, number) & actions & ALL_CARDS
        if place < popcount(cards):
            return number, nth_bit(cards, place)
        place -= popcount(cards)


@kernel
def eager_move(rule_table: RuleTable, p: Position, seat: int, half: int) -> tuple[int, int]:
    """The exchange, or any legal card with the best declaration it allows."""
    if choices(rule_table, p, seat) & EXCHANGING:
        return EXCHANGE, NONE
    card, declaration = eager_card(rule_table, p, half)
    return (card, NONE) if declaration < 0 else (declaration, card)


@kernel
def simple_move(
    rule_table: RuleTable,
    rival: Rival,
    p: Position,
    _seen: PublicKnowledge,
    seat: int,
    _history: History,
    stream: int,
) -> tuple[int, int, int]:
    """The next action of the `random` or the `eager` player.

    Returns the action, the card owed after a declaration (or NONE), and the random stream's new state.
    """
    stream = next_state(stream)
    half = high_half(splitmix64(stream))
    if rival.way == RANDOM:
        action, owed = random_move(rule_table, p, seat, half)
    else:
        action, owed = eager_move(rule_table, p, seat, half)
    return action, owed, stream


@kernel
def any_move(
    rule_table: RuleTable,
    rival: Rival,
    p: Position,
    seen: PublicKnowledge,
    seat: int,
    history: History,
    stream: int,
) -> tuple[int, int, int]:
    """The next action of any compiled player, as `simple_move` returns it."""
    if rival.way in (RANDOM, EAGER):
        return simple_move(rule_table, rival, p, seen, seat, history, stream)
    if rival.way != NET and choices(rule_table, p, seat) & EXCHANGING:
        return EXCHANGE, NONE, stream
    card, said = NONE, NONE
    if rival.way == GREEDY:
        card, said = greedy_card(rule_table, p)
    elif rival.way == HEURISTIC:
        card, said = heuristic_choice(rule_table, rival, p, seen)
    elif rival.way == HANDICAPPED:
        forgotten = forgotten_cards(rule_table, p, history, rival.forgetting)
        card, said, stream = handicapped_choice(rule_table, rival, p, seen, forgotten, stream)
    elif p.turn == seat:
        card, said = network_choice(rule_table, rival, p, seen)
    if card < 0:
        return EXCHANGE, NONE, stream
    return (card, NONE, stream) if said < 0 else (said, card, stream)


@kernel
def open_to_both(rule_table: RuleTable, p: Position) -> bool:
    """Whether each of two seats knows the other's hand (§8)."""
    return rule_table.seats == 2 and p.tricks >= rule_table.drawing


@kernel
def heuristic_choice(rule_table: RuleTable, rival: Rival, p: Position, seen: PublicKnowledge) -> Choice:
    """The heuristic player's act: open cards are solved for the best margin, other positions evaluated."""
    if not open_to_both(rule_table, p):
        return heuristic_card(rule_table, rival.weights, p, cards_played(seen))
    action = best_by_margin(rule_table, p, rival.nodes)
    if action < EXCHANGE:
        return action, NONE
    return best_by_margin(rule_table, step(rule_table, rival.nodes, p, action), rival.nodes), action


@kernel
def best_by_margin(rule_table: RuleTable, p: Position, nodes: Any) -> int:
    """The action with the best final margin; ties go to the lowest action number."""
    actions, best, chosen_action = legal(rule_table, p), -2 * INFINITY, NONE
    while actions:
        action = lowest_bit(actions)
        actions &= actions - 1
        value = margin_after(rule_table, step(rule_table, nodes, p, action), p.turn, nodes)
        if value > best:
            best, chosen_action = value, action
    return chosen_action


@kernel
def margin_after(rule_table: RuleTable, p: Position, seat: int, nodes: Any) -> int:
    """A seat's exact final margin in points, with all cards open and best play."""
    nodes[0] = 1 << 40
    return open_margin(rule_table, nodes, p, seat, -INFINITY, INFINITY, nodes)


@kernel
def forgotten_cards(rule_table: RuleTable, p: Position, history: History, rate: float) -> int:
    """The set of cards played before the last complete trick that a handicapped seat has forgotten.

    `rate` is the probability for a plain card, half of it for trumps and brisques. Whether a seat forgets a card
    follows from the salt alone, so it stays forgotten for the whole partie.
    """
    trumps = SUIT_CARDS[p.trump] if p.trump >= 0 else 0
    recent = rule_table.seats + (p.turn - p.leader) % rule_table.seats
    forgotten = 0
    for back in range(history.done):
        card = history.acts[history.done - 1 - back]
        if card >= EXCHANGE:
            continue
        recent -= 1
        if recent >= 0:
            continue
        own_rate = 0.5 * rate if (BRISQUES | trumps) >> card & 1 else rate
        if high_half(splitmix64(history.salt + 64 * p.turn + card)) * UNIT < own_rate:
            forgotten |= 1 << card
    return forgotten


@kernel
def handicapped_choice(
    rule_table: RuleTable, rival: Rival, p: Position, seen: PublicKnowledge, forgotten: int, stream: int
) -> tuple[int, int, int]:
    """A weakened level's act: evaluation plus normal noise for each card; forgotten cards count as unseen."""
    unseen = unseen_by(rule_table, p, seen, p.turn) | forgotten
    actions, best, card_chosen, said = legal(rule_table, p), -1e9, NONE, NONE
    cards = actions & ALL_CARDS
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        stream = next_state(stream)
        bits = splitmix64(stream)
        radius = sqrt(-2.0 * log((high_half(bits) + 0.5) * UNIT))
        noise = rival.noise * radius * cos(2.0 * pi * low_half(bits) * UNIT)
        for declaration in range(MARIAGE - 1, ACTIONS):
            if declaration >= MARIAGE and not (
                actions >> declaration & 1 and companions(rule_table, declaration) >> card & 1
            ):
                continue
            own = declaration if declaration >= MARIAGE else NONE
            value = evaluate_play(rule_table, rival.weights, p, unseen, card, own) + noise
            if value > best:
                best, card_chosen, said = value, card, own
    return card_chosen, said, stream


@kernel
def network_choice(rule_table: RuleTable, rival: Rival, p: Position, seen: PublicKnowledge) -> Choice:
    """The act that the network thinks best; `NONE` as the card means the exchange."""
    actions = legal_for(rule_table, p, p.turn)
    sure = sure_chouine(rule_table, p, seen)
    if p.chouine >= 0 and not actions & EXCHANGING:
        return sure if sure[0] >= 0 else (first_by_text(actions & ALL_CARDS), NONE)
    if open_to_both(rule_table, p):
        return best_ending(rule_table, p, rival)
    if sure[0] >= 0:
        return sure
    if actions & EXCHANGING:
        return NONE, NONE
    return network_card(rule_table, rival.network, p, seen)


@kernel
def sure_chouine(rule_table: RuleTable, p: Position, seen: PublicKnowledge) -> Choice:
    """The first card by text with a chouine that no seat can beat (§10), or NONE, NONE. A hand has room for one."""
    actions = legal(rule_table, p)
    if not actions & CHOUINES:
        return NONE, NONE
    declaration = lowest_bit(actions & CHOUINES)
    if not wins_for_certain(rule_table, p, seen, declaration):
        return NONE, NONE
    return first_by_text(actions & ALL_CARDS & companions(rule_table, declaration)), declaration


@kernel
def first_by_text(cards: int) -> int:
    """The card of a set whose text sorts first."""
    best = lowest_bit(cards)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        if ALPHABETIC[card] < ALPHABETIC[best]:
            best = card
    return best


@kernel
def best_ending(rule_table: RuleTable, p: Position, rival: Rival) -> Choice:
    """Among the acts with the best outcome the one with the best swindle value, then margin, then first by text."""
    best, outcome, best_swindle, margin, rank, nodes = (NONE, NONE), -2, -1.0, 0, 0, rival.nodes
    for nth in range(list_acts(rule_table, p, p.turn, rival.acts)):
        act = rival.acts[nth]
        card, said = act & 63, act >> DECLARATION_SHIFT or NONE
        after = play_with(rule_table, nodes, p, card, said)
        value = margin_after(rule_table, after, p.turn, nodes)
        came = 1 if value > 0 else -1 if value < 0 else 0
        if came >= outcome:
            swindle = swindle_value(rule_table, after, p.turn, EPSILON, nodes)
            place = -(ALPHABETIC[card] << DECLARATION_SHIFT | act >> DECLARATION_SHIFT)
            if (came, swindle, value, place) > (outcome, best_swindle, margin, rank):
                best, outcome, best_swindle, margin, rank = (card, said), came, swindle, value, place
    return best
