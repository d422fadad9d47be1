"""The strongest player: the network, with search in likely worlds late in a partie, and the last hidden tricks solved.

One player for the terminal, the server and the browser: its kernels (`ai.search`) run compiled or as WebAssembly, and
this module needs neither numba nor numpy. Only the equilibrium does, so that it is left out where these are missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import inf
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from chouine.ai.deduced import plain_public_knowledge, winning_declarations
from chouine.ai.macro_actions import action_of, legal_acts, own_seat
from chouine.ai.racing import Estimate, Limit, Race, batch_size, certain_first, exact_values
from chouine.ai.search import (
    BATCH,
    LIKENESS,
    NETWORK,
    PRIOR,
    PRIOR_LIMIT,
    SWINDLES,
    Search,
    compute,
    has_backend,
    has_network,
    words_of,
)
from chouine.fast.kernels import AVAILABLE
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.players.base import as_play
from chouine.players.endgame import known_position
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules.combinations import EXCHANGING
from chouine.rules.options import Rules
from chouine.rules.play import legal_for
from chouine.rules.position import NONE

if TYPE_CHECKING:
    from chouine.ai.beliefs import RangeTracker
    from chouine.ai.determinization import Worlds
    from chouine.ai.equilibrium.last_tricks import Strategy
    from chouine.ai.network import Network

LATE = 10
"""With more talon cards left, search gains nothing over the network's choice."""
ROLLOUTS = 60_000
"""Approximate number of cards laid in all rollouts of a decision, which bounds its time."""
CANDIDATES, REPORT_CANDIDATES = 256, 512
"""Deals that are weighed for each batch of worlds that compares acts; for one that gives a probability."""
MAX_WORLDS = 1_024
"""Worlds in which acts are compared, and as many for the best one's probability, without a limit."""
REPORT_SHARE, USED_SHARE = 0.25, 0.95
"""Share of the time for that probability; share of a time limit that is used: the last batch takes a little more."""
HASTE = 0.3
"""With fewer seconds than this the network's choice is played at once."""
REPORT_PRECISION = 0.01
"""Standard error to which a gap to the best act is reported where time and worlds allow: ± 2 % at 95 %."""
PRIOR_EARLY = 0.3
"""Weight of the network's prior scores while more than `LATE` cards are left."""
CERTAINTY = 1e-4
"""If all acts win with a probability this near 0 or 1, the choice does not matter."""


def network_act(view: View, network: Network | None = None) -> Action:
    """The act of the rules' network, or of another, for the seat on turn or asked at "au sept"."""
    if legal_for(view.rule_table, view.position, own_seat(view)) & EXCHANGING:  # always better (§11)
        return Exchange()
    words = words_of(view, view.position, ())
    if network is None:
        card, said = compute("choose", view.rules.preset, words)[:2]
    else:
        from chouine.ai.search_native import choose_by

        card, said = choose_by(network, words)
    return as_play(int(card), int(said))


def certain_act(view: View) -> Action | None:
    """The best act where it is certain: a chouine that decides, or all cards known; else None."""
    if winning := winning_declarations(view):
        return winning[0]
    exact = exact_values(view)
    return exact[0].action if exact else None


def uncompiled_act(view: View) -> Action | None:
    """What `NetworkPlayer` plays, by the interpreted network: while the kernels of levels 7 and 8 are being compiled.

    Rules without a network are played by the heuristic, and so are two seats' last tricks.
    """
    if not view.legal:
        return None
    if winning := winning_declarations(view):
        return winning[0]
    exchanging = legal_for(view.rule_table, view.position, own_seat(view)) & EXCHANGING
    if exchanging or known_position(view) or not has_network(view.rules):
        return HeuristicPlayer().act(view)
    from chouine.ai.network import load_shipped, network_card, private_copy

    network = private_copy(load_shipped(view.rules.preset))
    return as_play(*network_card(view.rule_table, network, view.position, plain_public_knowledge(view)))


class NetworkPlayer:
    """The best act of the rules' network, or of another; two seats' last tricks exactly."""

    def __init__(self, network: Network | None = None) -> None:
        self.network = network

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        return certain_act(view) or network_act(view, self.network)


class StrongestPlayer:
    """The network's choice; late in a partie a search in worlds weighted by what the opponents did.

    Each opponent is taken for the type of player that it resembles: the network, the heuristic or the greedy player.
    Two seats' last hidden tricks are played at equilibrium against an opponent like itself. Without a time limit the
    amount of search depends on the position, so that any machine chooses the same acts.

    `late`: with more talon cards left it plays the network's choice. `only`: the type as which all opponents play.
    """

    def __init__(
        self, rules: Rules, seed: int, limit: Limit | None = None, *, late: int = LATE, only: int = NONE
    ) -> None:
        self.rules, self.seed, self.limit = rules, seed, limit or Limit()
        self.late, self.only = late, only

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        if certain := certain_act(view):
            return certain
        if view.talon > self.late or self.in_haste(self.limit.seconds):
            return network_act(view)
        acts = legal_acts(view.rule_table, view.position, own_seat(view))
        if len(acts) == 1:
            return action_of(acts[0])
        cards = sum(hand.bit_count() for hand in view.position.hands) + view.talon + view.rules.seats
        tries = self.limit.worlds * len(acts) if self.limit.worlds else ROLLOUTS // cards
        search = Search(Random(self.chance_of(view)).getrandbits(63), max(tries, 1), only=self.only)
        values = compute("try", view.rules.preset, words_of(view, view.position, acts, search))
        if values[LIKENESS] > 1 / 2 and (solved := self.at_equilibrium(view)):
            return solved[0].action
        return action_of(acts[max(range(len(acts)), key=values.__getitem__)])

    def in_haste(self, seconds: float | None) -> bool:
        """Whether this time is too short to search."""
        return seconds is not None and seconds < HASTE

    def act_at_once(self, view: View) -> Action | None:
        """The network's choice, in milliseconds."""
        return NetworkPlayer().act(view)

    def evaluate(self, view: View, limit: Limit | None = None) -> list[Estimate]:
        """Win probability of each act, best first: the best one's against players like itself, in fresh worlds."""
        began, (seconds, worlds) = perf_counter(), limit or self.limit
        if exact := exact_values(view):
            return exact
        until = began + USED_SHARE * seconds if seconds else inf
        at_once = batch_size(worlds or BATCH)
        most = worlds // at_once if worlds else inf if seconds else MAX_WORLDS / at_once
        acts = legal_acts(view.rule_table, view.position, own_seat(view))
        values = self.search_batch(view, acts, Search(0, at_once=at_once))
        if values[LIKENESS] > 1 / 2 and (solved := self.at_equilibrium(view, reporting=not seconds)):
            return certain_first(view, solved)
        weight = PRIOR_EARLY if view.talon > LATE else PRIOR
        bonus = {act: max(-PRIOR_LIMIT, weight * values[SWINDLES + nth]) for nth, act in enumerate(acts)}
        race = Race(acts, bonus, at_once)
        race.add(values)
        now = perf_counter()
        raced_until = now + (until - now) * (1 - REPORT_SHARE)
        while len(race.alive) > 1 and race.done < most and perf_counter() < raced_until:
            race.add(self.search_batch(view, race.alive, Search(race.done, 0, CANDIDATES, NONE, at_once)))
            race.drop(REPORT_PRECISION)
        best, fresh = [race.best_of(race.alive)], list[float]()
        while not fresh or (len(fresh) < most and perf_counter() < until):
            search = Search(~len(fresh), 0, REPORT_CANDIDATES, NETWORK, at_once)
            fresh += self.search_batch(view, best, search)[:1]
        return certain_first(view, race.estimates(fresh))

    def exact_estimates(self, view: View) -> list[Estimate]:
        """Exact or equilibrium estimates, best first, without a clock; else empty."""
        exact = exact_values(view)
        if exact is not None:
            return exact
        acts = self.strategy(view) or {}
        return sorted((Estimate(action, act.win) for action, act in acts.items()), key=lambda each: -each.win)

    def try_batch(self, view: View, acts: Sequence[int], nth: int) -> Sequence[float]:
        """See `racing.Evaluator.try_batch`."""
        return self.search_batch(view, acts, Search(nth, candidates=CANDIDATES))

    def search_batch(self, view: View, acts: Sequence[int], search: Search) -> Sequence[float]:
        """The kernels' values of these acts; the search's seed is the number of the batch."""
        seed = Random(f"{self.chance_of(view)} {own_seat(view)} {search.seed}").getrandbits(63)
        return compute(
            "try", view.rules.preset, words_of(view, view.position, acts, search._replace(seed=seed))
        )

    def chance_of(self, view: View) -> str:
        """A seed that depends on the partie and not on earlier calls: a table makes a player for each decision."""
        return f"{self.seed} {len(view.events)}"

    def at_equilibrium(self, view: View, *, reporting: bool = False) -> list[Estimate]:
        """The last hidden tricks' equilibrium strategy, the sampled act first, then best first; empty if there is none.

        With `reporting` a second equilibrium, against players exactly like itself, gives the best win probability.
        """
        acts = self.strategy(view)
        if acts is None:
            return []
        chosen = Random(self.chance_of(view)).choices([*acts], [act.probability for act in acts.values()])[0]
        wins = [act.win for act in acts.values()]
        if Exchange() in acts and (min(wins) > 1 - CERTAINTY or max(wins) < CERTAINTY):
            chosen = Exchange()  # the choice does not matter, and people would exchange
        reported = (self.strategy(view, tempered=False) if reporting else None) or acts
        raised = max(act.win for act in reported.values()) - max(wins)
        ordered = sorted(acts.items(), key=lambda act: (act[0] != chosen, -act[1].win))
        return [Estimate(action, min(1.0, max(0.0, raised + act.win))) for action, act in ordered]

    def strategy(self, view: View, *, tempered: bool = True) -> Strategy | None:
        """The equilibrium of the last hidden tricks, which needs numba; None if there is none."""
        if not AVAILABLE or has_backend():
            return None
        from chouine.ai.equilibrium.last_tricks import solvable, solve_with_budget

        if not solvable(view):
            return None
        return solve_with_budget(view, self.trackers[not tempered].public_ranges(view))

    @cached_property
    def trackers(self) -> tuple[RangeTracker, RangeTracker]:
        """The hands that players like itself may hold: with tempered likelihoods, and with exact ones."""
        from chouine.ai.beliefs import tracker_of

        return tracker_of(self.rules), tracker_of(self.rules, tempered=False)

    @cached_property
    def network(self) -> Network:
        """See `racing.Evaluator.network`."""
        from chouine.ai.network import load_shipped, private_copy

        return private_copy(load_shipped(self.rules.preset))

    def sample_worlds(self, view: View, count: int) -> Worlds:
        """See `racing.Evaluator.sample_worlds`."""
        from chouine.ai.search_native import draw_worlds

        return draw_worlds(view, count, Random(f"{self.chance_of(view)} worlds").getrandbits(63))
