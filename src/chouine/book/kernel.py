"""Play parties of two seats for the book, and replay some of them with a single change. Kernel Python.

A trial continues a partie from one moment on with the same cards, once as it was played and once with the change.
The difference of the two outcomes is what the changed thing is worth between these players.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from chouine.ai.features import DECLARED_SLOTS, canonical_card
from chouine.ai.network import forward, network_card, network_card_among
from chouine.ai.rollout import outcome, settled_value
from chouine.cards import ALL_CARDS
from chouine.envs.compiled_players import (
    HANDICAPPED,
    NET,
    History,
    Rival,
    forgotten_cards,
    handicapped_choice,
    heuristic_choice,
    open_to_both,
    rival,
    sure_chouine,
)
from chouine.fast.bits import as_int64, highest_bit, low_half, next_state, scale_to, splitmix64
from chouine.fast.compiler import compiled
from chouine.fast.driver import apply_exchange, best_with, exchange_first, play_card
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.playout import deal_position, shuffle
from chouine.fast.public_knowledge import PublicKnowledge, nothing_known
from chouine.rules.combinations import (
    CHOUINE,
    CHOUINES,
    DECLARATIONS,
    MARIAGE,
    SUIT_FIGURES,
    figures_of_five,
)
from chouine.rules.options import Rules
from chouine.rules.play import exchanger, figure_suit, legal, winner
from chouine.rules.position import NONE, Position, put
from chouine.rules.rule_table import RuleTable, rule_table_of

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

BOOK = rule_table_of(Rules())
TRICKS, DRAWING = BOOK.tricks, BOOK.drawing
"""Tricks in a partie of two seats, and the number of them that are followed by a draw (§5)."""
UNSAID, HELD, UNSWAPPED, UNLED, UNTURNED, HASTENED = range(6)
"""Kinds of trials: a declaration is not made · it is kept for the last five tricks · the seven is not exchanged ·
the other seat leads · the talon's last hidden card and the turnup change hands · a declaration that was kept back
is made."""
MAX_TRIALS = 24
"""Upper bound on the trials of one partie."""


class PlayedParties(NamedTuple):
    """Parties, one per row. Tricks count from 0; index `[row, 16]` is the end. Entries beyond `tricks` are stale."""

    hands: Any
    """`uint32[n, 17, 2]`: hands before each trick."""
    cards: Any
    """`int8[n, 16, 2]`: the card led and the card answered."""
    leader: Any
    """`int8[n, 17]`"""
    turnup: Any
    """`int8[n, 17]`: -1 once it has been drawn."""
    points: Any
    """`int16[n, 17, 2]`: card points, dix de der included."""
    declared: Any
    """`int16[n, 17, 2]`: declaration points."""
    said: Any
    """`int64[n, 17, 2]`: declarations made, as action sets."""
    swapped: Any
    """`int8[n, 2]`: the trick of the exchange and its seat, or -1."""
    tricks: Any
    """`int8[n]`: tricks completed."""
    winner: Any
    """`int8[n]`: -1 for a nulle."""
    chouine: Any
    """`int8[n]`: the seat that won by a chouine, or -1."""


class Trials(NamedTuple):
    """Trials, one per row, all from seat a's point of view."""

    kind: Any
    """`int8[m]`: `UNSAID` … `HASTENED`."""
    trick: Any
    """`int8[m]`: the trick in which it begins, from 0."""
    what: Any
    """`int8[m]`: the declaration's number, or the rank of the turnup."""
    trump: Any
    """`int8[m]`: 1 if the suit is trump; for `UNLED` if seat a had the lead, for `UNTURNED` if the opponent had it."""
    as_played: Any
    """`float32[m]`: seat a's outcome, 1, 0, or ½ for a nulle."""
    changed: Any
    """`float32[m]`: its outcome with the change."""
    grew: Any
    """`int8[m]`: 1 if a declaration that was kept had grown by the last five tricks."""
    partie: Any
    """`int32[m]`: the partie's row."""


class Trial(NamedTuple):
    """What identifies a trial: its columns in `Trials` but the results."""

    kind: int
    trick: int
    what: int
    trump: int


class Change(NamedTuple):
    """What is changed until the end of a partie."""

    swap: int
    """0 if nobody exchanges the seven."""
    kept: int
    """Declaration or NONE: seat a neither makes it nor lays its cards while there is a talon and it has not grown."""


class BookContext(NamedTuple):
    """What stays the same during a partie."""

    rule_table: RuleTable
    player: Rival
    talon: Any


class BookBuffers(NamedTuple):
    """Buffers of `play_parties`."""

    pack: Any
    """`int64[32]`: the cards 0 to 31 in any order."""
    acts: Any
    """`int64[64]`"""


NO_CHANGE = Change(1, NONE)


@compiled
def decide(
    setup: BookContext, p: Position, seen: PublicKnowledge, history: History, stream: int
) -> tuple[int, int, int]:
    """The card and declaration (or NONE) of the seat on turn, and the stream's next state."""
    rule_table, player = setup.rule_table, setup.player
    if player.way == HANDICAPPED:
        forgotten = forgotten_cards(rule_table, p, history, player.forgetting)
        return handicapped_choice(rule_table, player, p, seen, forgotten, stream)
    if player.way != NET or open_to_both(rule_table, p):
        card, declaration = heuristic_choice(rule_table, player, p, seen)
        return card, declaration, stream
    card, declaration = sure_chouine(rule_table, p, seen)
    if card < 0:
        card, declaration = network_card(rule_table, player.network, p, seen)
    return card, declaration, stream


@kernel
def network_keeping(
    rule_table: RuleTable, player: Rival, p: Position, seen: PublicKnowledge, keep: int, silent: int
) -> tuple[int, int]:
    """The network's best act among those that keep some cards, if any does, and some declarations unsaid."""
    actions = legal(rule_table, p)
    cards, declarations = actions & ALL_CARDS & ~keep, actions & DECLARATIONS & ~silent
    if cards == 0:
        cards = actions & ALL_CARDS
    return network_card_among(rule_table, player.network, p, seen, cards, declarations)


@kernel
def network_declaring(
    rule_table: RuleTable, player: Rival, p: Position, seen: PublicKnowledge
) -> tuple[int, int]:
    """The network's best act among those that declare a mariage, tierce or quarteron; NONE, NONE without any."""
    actions = legal(rule_table, p)
    declarations = actions & SUIT_FIGURES
    chosen, said, best = NONE, NONE, -1e9
    if declarations == 0:
        return chosen, said
    order = forward(rule_table.seats, player.network, p, p.turn, seen.known, seen.played)
    cards = actions & ALL_CARDS
    while cards:
        card = highest_bit(cards)
        cards ^= 1 << card
        declaration = best_with(rule_table, declarations, card)
        value = player.network.outputs[DECLARED_SLOTS + canonical_card(card, order)]
        if declaration >= 0 and value > best:
            best, chosen, said = value, card, declaration
    return chosen, said


@kernel
def greater_declarations(declaration: int) -> int:
    """The declarations of the same suit that hold this mariage, tierce or quarteron, as an action set."""
    suit = figure_suit(declaration)
    same = 0x111 << MARIAGE + suit | 1 << CHOUINE + suit
    return same & ~((2 << declaration) - 1)


@compiled
def finish(
    setup: BookContext, p: Position, seen: PublicKnowledge, history: History, stream: int, change: Change
) -> tuple[float, int]:
    """Play on to the end: seat a's outcome, and whether the declaration it kept had grown by the last five tricks."""
    rule_table, player, talon = setup
    acts, done, salt = history
    grew, kept = 0, change.kept
    while p.turn >= 0 and (p.tricks < rule_table.drawing or player.way == HANDICAPPED):
        if change.swap:
            p, seen = exchange_first(rule_table, p, seen)
        if kept >= 0 and (figures_of_five(p.hands[0]) & greater_declarations(kept)) != 0:
            grew = 1
        if kept >= 0 and grew == 0 and p.turn == 0:
            card, declaration = network_keeping(
                rule_table, player, p, seen, rule_table.figure_cards[kept - MARIAGE], 1 << kept
            )
        else:
            card, declaration, stream = decide(setup, p, seen, History(acts, done, salt), stream)
        acts[done] = card
        done += 1
        p, seen = play_card(rule_table, talon, p, seen, card, declaration)
    if kept >= 0 and ((figures_of_five(p.hands[0]) | p.said[0]) & greater_declarations(kept)) != 0:
        grew = 1
    return settled_value(rule_table, player.nodes, p, 0, player.nodes), grew


@kernel
def write_trial(trials: Trials, nth: int, row: int, trial: Trial, result: tuple[float, int]) -> None:
    """Write one trial of the partie in a row, with what `finish` returned."""
    trials.kind[nth], trials.trick[nth], trials.what[nth], trials.trump[nth] = trial
    trials.changed[nth], trials.grew[nth] = result
    trials.partie[nth] = row


@kernel
def with_hands(p: Position, a: int, b: int) -> Position:
    """A copy of the position with other hands."""
    hands = put(put(p.hands, 0, a), 1, b)
    return Position(hands, *p[1:])


@kernel
def led_by(p: Position, seat: int) -> Position:
    """A copy of a position between two tricks, with this seat on lead."""
    return Position(
        p.hands, p.turnup, p.trump, seat, seat, p.table, p.best, p.taker, p.pot, p.tricks,
        p.points, p.declared, p.before, p.said, p.counted, p.pending, p.chouine,
    )  # fmt: skip


@kernel
def having_said(p: Position, seat: int, declaration: int) -> Position:
    """A copy of the position in which the seat has used up this declaration without counting it."""
    said = put(p.said, seat, p.said[seat] | 1 << declaration)
    return Position(
        p.hands, p.turnup, p.trump, p.leader, p.turn, p.table, p.best, p.taker, p.pot, p.tricks,
        p.points, p.declared, p.before, said, p.counted, p.pending, p.chouine,
    )  # fmt: skip


@kernel
def write_position(played: PlayedParties, row: int, at: int, p: Position) -> None:
    played.leader[row, at] = p.leader
    played.turnup[row, at] = p.turnup
    for seat in range(2):
        played.hands[row, at, seat] = p.hands[seat]
        played.points[row, at, seat] = p.points[seat]
        played.declared[row, at, seat] = p.declared[seat]
        played.said[row, at, seat] = p.said[seat]


Attempt = tuple[Trial, Position, PublicKnowledge, int, Change]
"""A trial, whose kind is NONE where there is nothing to try; the position and public knowledge it begins with; the
card laid just before, or NONE; and its change."""
NO_TRIAL = Trial(NONE, 0, 0, 0)


@kernel
def attempt_before_card(
    kind: int,
    setup: BookContext,
    p: Position,
    seen: PublicKnowledge,
    trick: int,
    played: PlayedParties,
    row: int,
) -> Attempt:
    """What to try before anyone exchanges or lays a card."""
    if kind == UNLED and p.table == 0 and p.tricks == trick:
        return Trial(kind, p.tricks, 0, int(p.turn == 0)), led_by(p, 1 - p.turn), seen, NONE, NO_CHANGE
    if kind == UNTURNED and p.table == 0 and p.tricks == DRAWING:
        hidden, turnup = setup.talon[20], int(played.turnup[row, DRAWING - 1])
        if played.swapped[row, 0] == DRAWING - 1:
            turnup = p.trump * 8
        both = 1 << hidden | 1 << turnup
        swapped = with_hands(p, p.hands[0] ^ both, p.hands[1] ^ both)
        return Trial(kind, p.tricks, turnup & 7, int(p.turn == 1)), swapped, seen, NONE, NO_CHANGE
    if kind == UNSWAPPED and exchanger(setup.rule_table, p) == 0:
        return Trial(kind, p.tricks, p.turnup & 7, 1), p, seen, NONE, Change(0, NONE)
    return NO_TRIAL, p, seen, NONE, NO_CHANGE


@kernel
def attempt_instead(
    kind: int, setup: BookContext, p: Position, seen: PublicKnowledge, trick: int, card: int, declaration: int
) -> Attempt:
    """What to try instead of a card and declaration (or NONE) of seat a."""
    rule_table, player, talon = setup
    trump = int(figure_suit(declaration) == p.trump) if declaration >= 0 else 0
    open_to_all = declaration >= 0 and 1 << declaration & CHOUINES == 0
    if kind == UNSAID and open_to_all:
        q, known = play_card(rule_table, talon, having_said(p, 0, declaration), seen, card, NONE)
        return Trial(kind, p.tricks, declaration, trump), q, known, card, NO_CHANGE
    may_be_kept = open_to_all and p.tricks < DRAWING and 1 << declaration & SUIT_FIGURES != 0
    if kind == HELD and may_be_kept and player.way == NET:
        return Trial(kind, p.tricks, declaration, trump), p, seen, NONE, Change(1, declaration)
    if kind == HASTENED and declaration < 0 and p.tricks == trick and player.way == NET:
        haste, early = network_declaring(rule_table, player, p, seen)
        if early >= 0:
            trump = int(figure_suit(early) == p.trump)
            q, known = play_card(rule_table, talon, p, seen, haste, early)
            return Trial(kind, p.tricks, early, trump), q, known, haste, NO_CHANGE
    return NO_TRIAL, p, seen, NONE, NO_CHANGE


@compiled
def play_parties(
    rule_table: RuleTable,
    player: Rival,
    scratch: BookBuffers,
    stream: int,
    every: int,
    played: PlayedParties,
    trials: Trials,
) -> int:
    """Play parties into `played` with alternating dealers; returns the number of trials.

    Every `every`-th pair of parties is replayed with changes into `trials`.
    """
    pack, acts = scratch
    setup, count = BookContext(rule_table, player, pack[10:]), 0
    for row in range(len(played.tricks)):
        stream = shuffle(pack, stream)
        p, seen = deal_position(rule_table, pack, row & 1), nothing_known()
        stream = next_state(stream)
        salt = splitmix64(stream)
        stream = next_state(stream)
        trying = (row >> 1) % every == 0
        trick = scale_to(low_half(splitmix64(stream)), DRAWING)
        first, done = count, 0
        played.swapped[row, 0] = NONE
        played.swapped[row, 1] = NONE
        while p.turn >= 0:
            if p.table == 0:
                write_position(played, row, p.tricks, p)
            for kind in (UNLED, UNTURNED, UNSWAPPED):
                trial, q, known, _, change = attempt_before_card(kind, setup, p, seen, trick, played, row)
                if trying and trial.kind >= 0:
                    result = finish(setup, q, known, History(acts, done, salt), stream, change)
                    write_trial(trials, count, row, trial, result)
                    count += 1
            holder = exchanger(rule_table, p)
            if holder >= 0:
                played.swapped[row, 0] = p.tricks
                played.swapped[row, 1] = holder
                p, seen = apply_exchange(rule_table, p, seen, holder)
            card, declaration, stream = decide(setup, p, seen, History(acts, done, salt), stream)
            for kind in (UNSAID, HELD, HASTENED):
                if trying and p.turn == 0:
                    trial, q, known, laid, change = attempt_instead(
                        kind, setup, p, seen, trick, card, declaration
                    )
                    if trial.kind >= 0:
                        acts[done] = laid
                        history = History(acts, done + int(laid >= 0), salt)
                        result = finish(setup, q, known, history, stream, change)
                        write_trial(trials, count, row, trial, result)
                        count += 1
            played.cards[row, p.tricks, 0 if p.table == 0 else 1] = card
            acts[done] = card
            done += 1
            p, seen = play_card(rule_table, setup.talon, p, seen, card, declaration)
        write_position(played, row, TRICKS, p)
        played.tricks[row] = p.tricks
        played.winner[row] = winner(rule_table, p)
        played.chouine[row] = p.chouine
        for nth in range(first, count):
            trials.as_played[nth] = outcome(rule_table, p, 0)
    return count


def empty_played(count: int) -> PlayedParties:
    """Uninitialised arrays for `count` parties."""
    return PlayedParties(
        np.zeros((count, TRICKS + 1, 2), np.uint32),
        np.zeros((count, TRICKS, 2), np.int8),
        np.zeros((count, TRICKS + 1), np.int8),
        np.zeros((count, TRICKS + 1), np.int8),
        np.zeros((count, TRICKS + 1, 2), np.int16),
        np.zeros((count, TRICKS + 1, 2), np.int16),
        np.zeros((count, TRICKS + 1, 2), np.int64),
        np.zeros((count, 2), np.int8),
        np.zeros(count, np.int8),
        np.zeros(count, np.int8),
        np.zeros(count, np.int8),
    )


def empty_trials(count: int) -> Trials:
    """Uninitialised arrays for `count` trials."""
    small = [np.zeros(count, np.int8) for _ in range(4)]
    outcome_a, changed = np.zeros(count, np.float32), np.zeros(count, np.float32)
    kind, trick, what, trump = small
    rest = np.zeros(count, np.int8), np.zeros(count, np.int32)
    return Trials(kind, trick, what, trump, outcome_a, changed, *rest)


def play(spec: str, count: int, seed: int, every: int) -> tuple[PlayedParties, Trials]:
    """Parties of a player (`net`, `level:1` … `level:6`) against itself, with trials in one of `every` pairs.

    Equal arguments give equal parties.
    """
    trying = 2 * (count // (2 * every) + 1)
    played, trials = empty_played(count), empty_trials(MAX_TRIALS * trying)
    scratch = BookBuffers(np.arange(32, dtype=np.int64), np.zeros(64, np.int64))
    player, stream = rival(0, spec, Rules()), as_int64(splitmix64(seed))
    done = play_parties(BOOK, player, scratch, stream, every, played, trials)
    return played, Trials(*(part[:done] for part in trials))
