"""Generate training decisions: a Monte Carlo player plays against itself and stores its estimates of every act.

Kernel Python. A seat uses only what `partie.View` would show it. Whoever can exchanges the seven.

    python -m chouine.ai.training.selfplay classic FOLDER --parts 40
"""

from __future__ import annotations

import argparse
from array import array
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from chouine.ai.determinization import shuffle_in
from chouine.ai.features import (
    DECLARED_SLOTS,
    MARKS_KEPT,
    MAX_MARKS,
    VALUE_SLOT,
    canonical_card,
    layout,
    write_observation,
)
from chouine.ai.macro_actions import DECLARATION_SHIFT, list_acts
from chouine.ai.rollout import Policy, apply_act_publicly, heuristic_policy, rollout
from chouine.cards import ALL_CARDS
from chouine.fast.bits import (
    as_int64,
    high_half,
    low_half,
    lowest_bit,
    next_state,
    popcount,
    splitmix64,
)
from chouine.fast.compiler import compiled
from chouine.fast.double_dummy import between_last_tricks
from chouine.fast.driver import driver, exchange_first, play_card
from chouine.fast.kernels import AVAILABLE, kernel
from chouine.fast.playout import deal_position, shuffle
from chouine.fast.public_knowledge import PublicKnowledge, cards_played, nothing_known
from chouine.fast.soa_layout import per_seat
from chouine.files import writing
from chouine.jobs import Progress, clear, crew, processors, saying_that_it_goes_on
from chouine.rules.options import Rules
from chouine.rules.position import NONE, Position, put
from chouine.rules.rule_table import RuleTable, rule_table_of

if AVAILABLE:
    import chouine.fast.intrinsics  # noqa: F401  # registers compiled replacements

MAX_ACTS = 24
PART, NOISE = 8_000, 0.06
"""Decisions in a file, and the exploration noise in playing them."""
TWO_32 = float(1 << 32)


class Decisions(NamedTuple):
    """Decisions, one per row."""

    marks: Any
    """`int16[n, MARKS_KEPT]`: active inputs, padded with the number of inputs."""
    numbers: Any
    target: Any
    """`float32[n, 64]`: the estimated value of each act."""
    is_open: Any
    """`uint8[n, 64]`: legal acts."""


def empty_decisions(rules: Rules, count: int) -> Decisions:
    """Arrays for `count` decisions."""
    at = layout(rules.seats)
    return Decisions(
        np.zeros((count, MARKS_KEPT), np.int16),
        np.zeros((count, at.inputs - at.numbers), np.float32),
        np.zeros((count, VALUE_SLOT), np.float32),
        np.zeros((count, VALUE_SLOT), np.uint8),
    )


class SearchWorkspace(NamedTuple):
    """Scratch buffers, and the policy of rollouts."""

    talon: Any
    acts: Any
    sums: Any
    """Mean result of each act."""
    marks: Any
    policy: Policy
    nodes: Any


@kernel
def sample_world(
    rule_table: RuleTable, p: Position, public: PublicKnowledge, workspace: SearchWorkspace, stream: int
) -> tuple[Position, int]:
    """A uniform world for the seat on turn, ignoring what §8 would rule out."""
    seat, turned = p.turn, 1 << p.turnup if p.turnup >= 0 else 0
    held, hands = 0, p.hands
    for other in range(rule_table.seats):
        held |= p.hands[seat] if other == seat else public.known[other]
    unseen = ALL_CARDS & ~(held | cards_played(public) | turned)
    first = min(p.tricks, rule_table.drawing) * rule_table.seats
    place = first
    while unseen:
        stream = shuffle_in(workspace.talon, first, place, lowest_bit(unseen), stream)
        unseen &= unseen - 1
        place += 1
    for other in range(rule_table.seats):
        if other != seat:
            hand = public.known[other]
            for _ in range(popcount(p.hands[other]) - popcount(hand)):
                place -= 1
                hand |= 1 << workspace.talon[place]
            hands = per_seat(put(hands, other, hand))
    return Position(hands, *p[1:]), stream


@kernel
def evaluate_acts(
    rule_table: RuleTable,
    p: Position,
    public: PublicKnowledge,
    count: int,
    worlds: int,
    workspace: SearchWorkspace,
    stream: int,
) -> int:
    """Write each act's mean result over `worlds` worlds to `workspace.sums`; returns the stream's next state."""
    seat, seating = p.turn, ((workspace.policy,), (0, 0, 0, 0))
    for nth in range(count):
        workspace.sums[nth] = 0.0
    for _ in range(worlds):
        world, stream = sample_world(rule_table, p, public, workspace, stream)
        for nth in range(count):
            q, after = apply_act_publicly(
                rule_table, workspace.talon, world, public, seat, workspace.acts[nth]
            )
            won = rollout(rule_table, workspace.talon, q, (after, 0), seat, seating, workspace.nodes)
            workspace.sums[nth] += won / worlds
    return stream


@kernel
def write_targets(decisions: Decisions, row: int, order: int, workspace: SearchWorkspace, count: int) -> None:
    """Write act values as targets; a card's best declaration represents all that it could declare."""
    target, is_open = decisions.target[row], decisions.is_open[row]
    for nth in range(count):
        slot = canonical_card(workspace.acts[nth] & 63, order) + (
            DECLARED_SLOTS if workspace.acts[nth] >> DECLARATION_SHIFT & 63 else 0
        )
        if not is_open[slot] or workspace.sums[nth] > target[slot]:
            target[slot] = workspace.sums[nth]
        is_open[slot] = 1


@kernel
def noisy_best(values: Any, count: int, noise: float, stream: int) -> tuple[int, int]:
    """The best act after adding noise; and the stream's next state."""
    best, top = 0, -1e9
    for nth in range(count):
        stream = next_state(stream)
        bits = splitmix64(stream)
        value = values[nth] + ((high_half(bits) + low_half(bits)) / TWO_32 - 1.0) * noise
        if value > top:
            top, best = value, nth
    return best, stream


class SelfplayContext(NamedTuple):
    """What stays the same while parties are played."""

    workspace: SearchWorkspace
    worlds: int
    noise: float
    decisions: Decisions


Searching = tuple[PublicKnowledge, int, int]
"""What turns carry on: what is public, the row to write next, a random stream."""


@kernel
def searching_turn(
    rule_table: RuleTable, talon: Any, p: Position, carried: Searching, search: SelfplayContext
) -> tuple[Position, Searching]:
    """A turn by search in sampled worlds; a choice among several acts is recorded."""
    public, row, stream = carried
    workspace, worlds, noise, decisions = search
    p, public = exchange_first(rule_table, p, public)
    best, count = 0, list_acts(rule_table, p, p.turn, workspace.acts)
    if count > 1:
        order = write_observation(
            rule_table.seats, p, public, decisions.marks[row], decisions.numbers[row], workspace.marks
        )
        stream = evaluate_acts(rule_table, p, public, count, worlds, workspace, stream)
        write_targets(decisions, row, order, workspace, count)
        best, stream = noisy_best(workspace.sums, count, noise, stream)
        row += 1
    card, declaration = workspace.acts[best] & 63, workspace.acts[best] >> DECLARATION_SHIFT & 63
    p, public = play_card(rule_table, talon, p, public, card, declaration or NONE)
    return p, (public, row, stream)


play_searching = driver(searching_turn, between_last_tricks)


@compiled
def play_parties(rule_table: RuleTable, search: SelfplayContext, pack: Any, stream: int) -> int:
    """Play until the buffer has no room for another partie; returns the number of decisions."""
    row, dealer = 0, 0
    talon = pack[rule_table.seats * rule_table.hand :]
    while row + rule_table.seats * rule_table.tricks <= len(search.decisions.marks):
        stream = shuffle(pack, stream)
        p = deal_position(rule_table, pack, dealer)
        dealer = (dealer + 1) % rule_table.seats
        _, (_, row, stream) = play_searching(rule_table, talon, p, (nothing_known(), row, stream), search)
    return row


def workspace_for(rules: Rules) -> SearchWorkspace:
    """Scratch buffers for parties by these rules."""
    return SearchWorkspace(
        np.zeros(32, np.int64),
        np.zeros(MAX_ACTS, np.int64),
        np.zeros(MAX_ACTS),
        np.zeros(MAX_MARKS, np.int64),
        heuristic_policy(rules),
        memoryview(array("q", [0])),
    )


def generate(rules: Rules, count: int, worlds: int, noise: float, seed: int) -> Decisions:
    """About `count` decisions; near-best acts are played now and then (exploration noise)."""
    decisions, pack = empty_decisions(rules, count), np.arange(32, dtype=np.int64)
    search = SelfplayContext(workspace_for(rules), worlds, noise, decisions)
    written = play_parties(rule_table_of(rules), search, pack, as_int64(splitmix64(seed)))
    return Decisions(*(part[:written] for part in decisions))


class SelfPlay(NamedTuple):
    """A file of decisions to make: a task's item."""

    rules: Rules
    worlds: int
    seed: int
    path: Path

    def __str__(self) -> str:
        return self.path.name


def write_part(part: SelfPlay) -> None:
    """Play and write a file, complete or not at all."""
    decisions = generate(part.rules, PART, part.worlds, NOISE, part.seed)
    with writing(part.path) as file:
        np.savez_compressed(file, **decisions._asdict())


def main() -> None:
    """Generate the files that the folder lacks; called again, an interrupted run goes on."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", type=Rules.parse)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parts", type=int, default=40, help=f"files of {PART} decisions (default: 40)")
    parser.add_argument("--worlds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=processors())
    parser.add_argument("--ray")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    parts = [
        SelfPlay(args.rules, args.worlds, args.seed * 100_000 + nth, args.folder / f"{args.seed}-{nth}.npz")
        for nth in range(args.parts)
    ]
    left = [part for part in parts if not part.path.exists()]
    progress = Progress(len(left), "en")
    with saying_that_it_goes_on("en"), crew(args.workers, args.ray) as playing:
        for done, _ in enumerate(playing(write_part, left), 1):
            progress.tell(done)
    clear()


if __name__ == "__main__":
    main()
