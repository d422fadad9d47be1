"""Players that go by the network: alone, or looking ahead with it."""

from __future__ import annotations

from random import Random

from chouine.ai.beliefs import Ranges, onlooker, sampled
from chouine.ai.equilibrium import solve_last
from chouine.ai.foresight import foreseen
from chouine.ai.likelihood import Tempered
from chouine.ai.montecarlo import Judged, action_of, acts_open, exactly, judged, need_compiler, own_seat
from chouine.ai.network import loaded, network_card, own
from chouine.ai.opponent import NetworkModel
from chouine.fast.compiler import compiled
from chouine.fast.seats import seated
from chouine.partie.actions import Action, Exchange
from chouine.partie.course import fallen
from chouine.partie.view import View
from chouine.players.heuristic import spoken
from chouine.rules.combinations import EXCHANGING
from chouine.rules.options import Rules
from chouine.rules.play import legal_for

SOLVED = 2
"""Cards left in the talon when an equilibrium is found quickly enough."""
PATIENCE = 0.25
"""Seconds for it."""

card_by_network = compiled(network_card)


class NetworkPlayer:
    """The act that the network values most; two seats' last tricks exactly."""

    def __init__(self, rules: Rules) -> None:
        need_compiler()
        self.network = own(loaded(rules.preset))

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        exact = exactly(view)
        if exact is not None:
            return exact[0].action
        seat, p = own_seat(view), view.position
        if legal_for(view.book, p, seat) & EXCHANGING:  # the turnup is the better trump whatever it is (§11)
            return Exchange()
        card, said = card_by_network(
            view.book, self.network, seated(p), fallen(view.events), p.hands[1 - seat]
        )
        return spoken(card, said)


class FullPlayer:
    """The network's choice bettered: every act tried in likely worlds, played on as the network would.

    Which worlds are likely is told by what the other has done, under a model not quite believed (`beliefs`).
    """

    def __init__(self, rules: Rules, seed: int, seconds: float | None = None, many: int = 256) -> None:
        need_compiler()
        self.network = own(loaded(rules.preset))
        self.ranges = Ranges(Tempered(NetworkModel(own(self.network))))
        self.seed, self.seconds, self.many = seed, seconds, many

    def act(self, view: View) -> Action | None:
        return self.judge(view)[0].action if view.legal else None

    def judge(self, view: View) -> list[Judged]:
        """What each act is worth, best first."""
        exact = exactly(view)
        if exact is not None:
            return exact
        self.seed += 1
        seat = own_seat(view)
        acts = acts_open(view.book, view.position, seat)
        if len(acts) == 1:
            return [Judged(action_of(acts[0]), 0.5, 0.0)]
        if view.talon <= SOLVED and (solved := self.at_equilibrium(view)):
            return solved
        told = self.ranges.of(view, 1 - seat)
        among = sampled(view, 1 - seat, told, self.many, self.seed)
        values = foreseen(view, acts, among, self.network)
        return judged(acts, values, among.weights)

    def at_equilibrium(self, view: View) -> list[Judged]:
        """The last trick with hidden cards, so that nobody can do better; the act drawn for comes first."""
        known = onlooker(view)
        seat = own_seat(view)
        mine, other = self.ranges.of(known, seat), self.ranges.of(known, 1 - seat)
        told = solve_last(view, mine, other, PATIENCE)
        if told is None:
            return []
        acts = list(told.acts.items())
        drawn = Random(self.seed).choices(acts, [act.chance for _, act in acts])[0][0]
        acts.sort(key=lambda act: (act[0] != drawn, -act[1].win))
        return [Judged(action, act.win, 0.0) for action, act in acts]
