"""The strongest player that a browser runs by itself: the network, looking ahead in uniform worlds late in a partie.

Nothing here needs a compiler or arrays. What must be quick is a `Machine`: `ai.light_kernels` compiled, either for this
computer (`ai.light_native`) or to WebAssembly (`use`, `server/offline`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

from chouine.ai.deduced import hidden, plain_public_knowledge
from chouine.ai.forced_win import chouine_decides, winning_declarations
from chouine.ai.macro_actions import MAX_ACTS, action_of, legal_acts, own_seat
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.players.endgame import known
from chouine.players.heuristic import as_play
from chouine.rules.combinations import EXCHANGING
from chouine.rules.options import Rules
from chouine.rules.play import legal_for
from chouine.rules.position import Position

BOOK, POSITION, PUBLIC = 0, 33, 68
SEAT, WORLDS, SEED, DRAWN, UNSEEN = 80, 81, 82, 83, 84
VACANT, EXCLUDED, HELD = 85, 89, 93
COUNT, ACTS = 97, 98
WORDS = ACTS + MAX_ACTS
"""Where each number lies in what a machine is given: `int64[WORDS]`."""
SWINDLES = MAX_ACTS
"""Where the second number of each act lies in what it answers: `float64[2 * MAX_ACTS]`."""
LATE = 10
"""With more talon cards left the network's choice is as good as looking ahead."""
ROLLOUTS = 24_000
"""Cards laid in all rollouts of a decision, about: what bounds its time."""
FEWEST, MOST = 16, 256
"""Worlds for a decision."""
PRIOR, PRIOR_LIMIT = 0.05, 0.03
"""Weight of what the network thinks of each act, and its limit in win probability, as the strongest player's."""

WEIGHTS = Path(__file__).with_name("weights")
"""The networks, one for each preset that has one."""

Machine = Callable[[str, str, "array[int]"], Sequence[float]]
"""What computes: `choose`, `try` or `end`, a preset and the words; the values."""
_machines: list[Machine] = []


def use(machine: Machine) -> None:
    """Compute by this machine from now on."""
    _machines[:] = [machine]


def lent() -> bool:
    """Whether a machine was given to be used."""
    return bool(_machines)


@cache
def native() -> Machine:
    from chouine.ai.light_native import compute

    return compute


def has_network(rules: Rules) -> bool:
    """Whether a network is there for these rules' preset, so that the players here play them."""
    return (WEIGHTS / f"{rules.preset}.npz").exists()


def compute(task: str, preset: str, words: array[int]) -> Sequence[float]:
    return (_machines[0] if _machines else native())(task, preset, words)


def flat(p: Position) -> list[int]:
    """A position's numbers in order, as `fast.soa_layout` has them."""
    return [number for field in p for number in (field if isinstance(field, tuple) else (field,))]


def words_of(view: View, p: Position, acts: Sequence[int], worlds: int = 0, seed: int = 0) -> array[int]:
    """What a machine is given."""
    book = view.book
    words = array("q", bytes(8 * WORDS))

    def put(at: int, numbers: Sequence[int]) -> None:
        words[at : at + len(numbers)] = array("q", numbers)

    put(BOOK, [*book[:-1], *book.figure_cards])
    put(POSITION, flat(p))
    put(PUBLIC, [cards for four in plain_public_knowledge(view) for cards in four])
    put(SEAT, [own_seat(view), worlds, seed])
    if worlds:
        given = hidden(view)
        put(DRAWN, [given.drawn, given.cards])
        put(VACANT, given.vacancies)
        put(EXCLUDED, given.excluded)
        put(HELD, given.hands)
    put(COUNT, [len(acts), *acts])
    return words


def network_act(view: View) -> Action:
    """The network's act for the seat on turn or asked at "au sept"."""
    if legal_for(view.book, view.position, own_seat(view)) & EXCHANGING:  # always better (§11)
        return Exchange()
    card, said = compute("choose", view.rules.preset, words_of(view, view.position, ()))[:2]
    return as_play(int(card), int(said))


def certain_act(view: View) -> Action | None:
    """The best act where it is certain: a chouine that decides, or all cards known; else None."""
    winning = winning_declarations(view)
    if chouine_decides(view):
        return winning[0] if winning else view.legal[0]
    whole = known(view)
    if whole is None or view.observer != view.turn:
        return winning[0] if winning else None
    acts = legal_acts(view.book, whole, own_seat(view))
    values = compute("end", view.rules.preset, words_of(view, whole, acts))

    def worth(nth: int) -> tuple[bool, bool, float, float]:
        margin = values[nth]
        return margin > 0, margin >= 0, values[SWINDLES + nth], margin

    return action_of(acts[max(range(len(acts)), key=worth)])


class LightNetworkPlayer:
    """The network's best act; two seats' last tricks exactly."""

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        return certain_act(view) or network_act(view)


class LightPlayer:
    """The same, but late in a partie every act is tried in worlds that the view allows, all seats playing on so.

    The number of worlds follows from the position alone: the same acts on any machine, however busy.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        if certain := certain_act(view):
            return certain
        if view.talon > LATE:
            return network_act(view)
        acts = legal_acts(view.book, view.position, own_seat(view))
        if len(acts) == 1:
            return action_of(acts[0])
        cards = sum(hand.bit_count() for hand in view.position.hands) + view.talon + view.rules.seats
        worlds = max(FEWEST, min(MOST, ROLLOUTS // (len(acts) * cards)))
        seed = Random(f"{self.seed} {len(view.events)}").getrandbits(63)
        values = compute("try", view.rules.preset, words_of(view, view.position, acts, worlds, seed))
        best = max(values[SWINDLES : SWINDLES + len(acts)])

        def worth(nth: int) -> float:
            prior = PRIOR * (values[SWINDLES + nth] - best)
            return values[nth] / worlds + max(-PRIOR_LIMIT, prior)

        return action_of(acts[max(range(len(acts)), key=worth)])
