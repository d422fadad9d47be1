"""Players that go by the network: alone, or looking ahead with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from chouine.ai.acts import acts_open, own_seat
from chouine.ai.arrays import Floats
from chouine.ai.beliefs import Ranges
from chouine.ai.certain import winning
from chouine.ai.equilibrium.last_tricks import LastTricks, solvable, solve_last
from chouine.ai.foresight import foreseen, leanings_of, seated_sight
from chouine.ai.judging import Judged, behind, certain_first, exactly, need_compiler, race, ranked
from chouine.ai.likelihood import TEMPER, Wavering
from chouine.ai.manner import by_network, by_thumb, greedily
from chouine.ai.network import Network, loaded, network_card, own
from chouine.ai.opponent import MannerModel, NetworkModel
from chouine.ai.others import Imagined, Others, Reading
from chouine.ai.worlds import Worlds
from chouine.fast.bits import mixed, signed
from chouine.fast.compiler import compiled
from chouine.fast.seats import seated
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.players.heuristic import spoken
from chouine.rules.combinations import EXCHANGING
from chouine.rules.options import Rules
from chouine.rules.play import legal_for

QUICK = 2
"""Cards left in the talon when the lead is solved as quickly as an answer."""
CERTAIN = 1e-4
"""How near to certain the end must be for nothing to hang on what is done."""
BATCH, MOST = 128, 8192
"""Worlds tried at a time, and altogether where no time is given."""
LONGEST = 0.8
"""Seconds after which no more worlds are tried where no time is given: at the table an answer takes one."""
QUICKLY, AT_LEISURE = 0.3, 2.0
"""Seconds for an equilibrium that is found quickly; and from which on the lead with four cards left, which takes about
one, is solved too."""
TELLING = 0.25
"""The part of the time in which it is found how often the best act wins."""
EARLY, UNHURRIED = 10, 0.5
"""While more cards than that are left, looking ahead in fewer seconds gains nothing beside the network's choice."""
ALIKE = 0.8
"""How likely each of the others is held to play as this player does before it has done anything."""
SLIPS = 0.05
"""How often one that is known to be the network is held to do anything else than the network would."""
ERRS = 0.2
"""How often a simpler player does anything else than its manner says."""
HEEDED, HEEDED_EARLY = 0.05, 0.3
"""How much of what the network thought of an act is added to what was found, late and early: it learned which acts are
better, hardly by how much…"""
AT_MOST = 0.03
"""… and never more of a partie than this, so that what it has hardly ever seen is found out."""

card_by_network = compiled(network_card)


class NetworkPlayer:
    """The act that its network, or else the one shipped, values most; two seats' last tricks exactly."""

    def __init__(self, rules: Rules, network: Network | None = None) -> None:
        need_compiler()
        self.network = own(network or loaded(rules.preset))

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        exact = exactly(view)
        if exact is not None:
            return exact[0].action
        if sure := winning(view):
            return sure[0]
        seat, p = own_seat(view), view.position
        if legal_for(view.book, p, seat) & EXCHANGING:  # the turnup is the better trump whatever it is (§11)
            return Exchange()
        card, said = card_by_network(view.book, self.network, seated(p), seated_sight(view))
        return spoken(card, said)


class FullPlayer:
    """The network's choice bettered: every act tried in likely worlds, played on as the network would.

    What it finds there and a little of what the network thought beforehand are added up, as both err. Where no time is
    given it does so only when few enough cards are left for that to be better than the network's choice.

    Which worlds are likely is told by what others have done, under models not quite believed (`others`), so that it
    chooses well against players unlike the model too. Each of the others is taken for its like, until what it does
    speaks for one that goes by rules of thumb or is greedy; then acts are tried against such a one. How likely the
    best wins is told against its likes, the model believed.

    `knowing`: it holds everybody for the network and nothing else.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int,
        seconds: float | None = None,
        many: int = MOST,
        early: int = EARLY,
        *,
        knowing: bool = False,
    ) -> None:
        need_compiler()
        self.early, self.alone = early, NetworkPlayer(rules)
        self.network = self.alone.network
        model, like = NetworkModel(own(self.network)), by_network(rules, own(self.network))
        self.like = Others([Reading(1.0, like, Ranges(model))])
        alike = Reading(ALIKE, like, Ranges(Wavering(model), TEMPER))
        itself = Reading(1.0, like, Ranges(Wavering(MannerModel(like), SLIPS)))
        simpler = [
            Reading((1 - ALIKE) / 2, manner, Ranges(Wavering(MannerModel(manner), ERRS), TEMPER))
            for manner in (by_thumb(rules), greedily(rules))
        ]
        self.alike = Others([alike])
        self.others = Others([itself] if knowing else [alike, *simpler])
        self.manners = tuple(each.manner for each in self.others.readings)
        self.seconds, self.many = seconds, many
        self.seed = self.stream = seed

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        if sure := winning(view):
            return sure[0]
        hurried = (self.seconds or 0) < UNHURRIED
        if view.talon > self.early and hurried and unsuspected(self.shares(view)):
            return self.alone.act(view)
        return self.weighed(view, self.seconds, None, telling=False)[0].action

    def judge(self, view: View, seconds: float | None = None, many: int | None = None) -> list[Judged]:
        """What each act is worth, best first."""
        limit = seconds or (None if many else self.seconds)
        return certain_first(view, self.weighed(view, limit, many, telling=True))

    def weighed(self, view: View, seconds: float | None, many: int | None, *, telling: bool) -> list[Judged]:
        """The same; unless it is for `telling`, chances to win may be too high or too low, all by as much."""
        exact = exactly(view)
        if exact is not None:
            return exact
        began = perf_counter()
        until = began + seconds if seconds else inf
        self.stream += 1
        shares, patience = self.shares(view), patience_of(view, seconds, telling=telling)
        solve = patience > 0 and unsuspected(shares)
        if solve and (solved := self.at_equilibrium(view, patience, until, telling=telling)):
            return solved
        if seconds:
            return self.raced(view, shares, until, inf, telling=telling)
        until = inf if many else perf_counter() + LONGEST
        return self.raced(view, shares, until, many or self.many, telling=telling)

    def surely(self, view: View) -> list[Judged]:
        """What each act is worth where the answer is exact or an equilibrium, the act drawn for first; else empty."""
        return exactly(view) or self.at_equilibrium(view, AT_LEISURE, inf, telling=False)

    def raced(self, view: View, shares: Any, until: float, most: float, *, telling: bool) -> list[Judged]:
        """Try acts in so many worlds at most, while there is time, giving up those surely behind on the way."""
        acts = acts_open(view.book, view.position, own_seat(view))
        seen = seated_sight(view)
        now = perf_counter()
        raced_until = now + (until - now) * (1 - TELLING if telling else 1)
        leanings = heeded(view, leanings_of(view, seen, acts, self.network))

        def attempt(alive: Any, done: int) -> Any:
            if done >= most or (done and perf_counter() >= raced_until):
                return None
            seed, still = signed(mixed(self.stream + (done << 20))), [acts[int(nth)] for nth in alive]
            imagined = self.others.imagined(view, shares, int(min(BATCH, most - done)), seed)
            return foreseen(view, seen, still, imagined, self.manners)

        values = race(leanings, attempt)
        best = behind(values, leanings)[0]
        if not telling:
            return ranked(acts, values, leanings, values[best])
        # in other worlds than those that spoke for the best, which flatter it
        likes, afresh, done = self.like.shares(view), list[Any](), 0
        while not done or (done < most and perf_counter() < until):
            seed = signed(mixed(~self.stream + (done << 20)))
            imagined = self.like.imagined(view, likes, int(min(BATCH, most - done)), seed)
            afresh.append(foreseen(view, seen, [acts[best]], imagined, self.manners)[0])
            done += len(afresh[-1])
        return ranked(acts, values, leanings, np.concatenate(afresh))

    def shares(self, view: View) -> Mapping[int, Floats]:
        """By other seat, how likely it plays as this player does, by rules of thumb, or greedily."""
        return self.others.shares(view)

    def likely(self, view: View, many: int) -> Worlds:
        """So many worlds, the likelier the more often, all being its like, which is half believed."""
        self.stream += 1
        return self.alike.imagined(view, self.alike.shares(view), many, signed(mixed(self.stream))).worlds

    def tried(self, view: View, acts: Sequence[int], among: Worlds) -> Any:
        """What comes of every act in each world: (acts, worlds)."""
        return foreseen(view, seated_sight(view), acts, Imagined.of(among), self.manners)

    def at_equilibrium(self, view: View, patience: float, until: float, *, telling: bool) -> list[Judged]:
        """So that nobody can do better, in the last hidden tricks; the act drawn for comes first."""
        told = self.last_tricks(view, self.others, patience, until)
        if told is None:
            return []
        acts = list(told.acts.items())
        chance = Random(f"{self.seed} {len(view.events)}")  # however often it is asked, and made anew too
        drawn = chance.choices(acts, [act.chance for _, act in acts])[0][0]
        wins = [act.win for _, act in acts]
        if Exchange() in told.acts and (min(wins) > 1 - CERTAIN or max(wins) < CERTAIN):
            drawn = Exchange()  # nothing hangs on it, and people would
        among_likes = self.last_tricks(view, self.like, patience, until) if telling else None
        best = max(act.win for act in (among_likes or told).acts.values())
        acts.sort(key=lambda act: (act[0] != drawn, -act[1].win))
        return [Judged(action, max(0.0, best - max(wins) + act.win)) for action, act in acts]

    def last_tricks(self, view: View, others: Others, patience: float, until: float) -> LastTricks | None:
        """The equilibrium between likes, if these are last hidden tricks and it is found in time."""
        if not solvable(view) or perf_counter() >= until:
            return None
        both = others.readings[0].ranges.in_public(view)
        left = min(patience, until - perf_counter())
        return solve_last(view, *both, left) if left > 0 else None


def unsuspected(shares: Mapping[int, Floats]) -> bool:
    """Whether each of the others is likelier to play as this player does than in any other manner."""
    return all(share[0] > 1 / 2 for share in shares.values())


def patience_of(view: View, seconds: float | None, *, telling: bool) -> float:
    """How long an equilibrium is looked for, in seconds, where so many are given; 0 if that is not enough.

    For `telling` it is found twice.
    """
    quick = view.position.table != 0 or view.talon <= QUICK
    if seconds is None:
        return QUICKLY if quick else 0.0 if telling else LONGEST
    allowed = seconds / 2 if telling else seconds
    return allowed if quick or allowed >= AT_LEISURE else 0.0


def heeded(view: View, leanings: Any) -> Any:
    """What of the network's leanings is added to what is found: by act, in shares of a partie, 0 or less."""
    return np.maximum(-AT_MOST, (HEEDED_EARLY if view.talon > EARLY else HEEDED) * leanings)
