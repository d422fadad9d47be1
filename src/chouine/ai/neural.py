"""Players based on the network: its best act alone, or a search guided by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from chouine.ai.action_model import NetworkModel, PolicyModel
from chouine.ai.arrays import Floats
from chouine.ai.beliefs import RangeTracker
from chouine.ai.determinization import Worlds
from chouine.ai.equilibrium.last_tricks import (
    LastTricks,
    Strategy,
    solvable,
    solve_last,
    solve_with_budget,
)
from chouine.ai.forced_win import winning_declarations
from chouine.ai.likelihood import TEMPERING, NoisyModel
from chouine.ai.macro_actions import legal_acts, own_seat
from chouine.ai.network import Network, load_shipped, network_card, private_copy
from chouine.ai.opponent_model import OpponentModel, OpponentType, TypedWorlds
from chouine.ai.policy import greedy_policy, heuristic_policy, network_policy
from chouine.ai.racing import (
    Estimate,
    certain_first,
    exact_values,
    gaps_to_best,
    need_compiler,
    race,
    rank_race,
)
from chouine.ai.rollout import prior_scores, public_knowledge, rollout_values
from chouine.fast.bits import as_int64, splitmix64
from chouine.fast.compiler import compiled
from chouine.fast.soa_layout import compiled_position
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.players.heuristic import as_play
from chouine.rules.combinations import EXCHANGING
from chouine.rules.options import Rules
from chouine.rules.play import legal_for

QUICK_TALON = 2
"""With at most this many talon cards left, a lead is solved as quickly as an answer."""
CERTAINTY = 1e-4
"""If all acts win with a probability this near 0 or 1, the choice does not matter."""
BATCH, MAX_WORLDS = 128, 8192
"""Worlds per round, and the maximum when no time limit is given."""
DEFAULT_SECONDS = 0.8
"""Search time when no limit is given: the table expects an answer within one second."""
QUICK_SECONDS, LEAD_SECONDS = 0.3, 2.0
"""Time for an equilibrium that is found quickly; the limit from which the slower lead with four cards left is solved
too."""
REPORT_SHARE = 0.25
"""Share of the time spent estimating the best act's win probability."""
HASTE = 0.3
"""With less time than this the network's choice is played at once: updating the beliefs may take as long."""
USED_SHARE = 0.95
"""Share of a time limit that is used: the last worlds take a few milliseconds more."""
EARLY, EARLY_SECONDS = 10, 0.5
"""With more talon cards left and less time than this, search gains nothing over the network's choice."""
REPORT_PRECISION = 0.01
"""Standard error to which a gap to the best act is reported where time and worlds allow: ± 2 % at 95 %."""
SELF_PRIOR = 0.8
"""Prior probability that an opponent plays like this player."""
NETWORK_EPSILON = 0.05
"""Noise of the opponent type that follows the network exactly."""
SIMPLE_EPSILON = 0.2
"""Noise of the heuristic and greedy opponent types."""
BONUS, BONUS_EARLY = 0.05, 0.3
"""Weight of the network's prior scores, late and early: it ranks acts well but estimates differences poorly …"""
BONUS_LIMIT = 0.03
"""… so the bonus is capped, in win probability; search can then correct what the network has rarely seen."""

compiled_network_card = compiled(network_card)


class NetworkPlayer:
    """The act with the highest network value; two seats' last tricks exactly. Raises `NoCompiler` without numba."""

    def __init__(self, rules: Rules, network: Network | None = None) -> None:
        need_compiler()
        self.network = private_copy(network or load_shipped(rules.preset))

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        exact = exact_values(view)
        if exact is not None:
            return exact[0].action
        if sure := winning_declarations(view):
            return sure[0]
        seat, p = own_seat(view), view.position
        if legal_for(view.book, p, seat) & EXCHANGING:  # always better: the turnup beats the seven (§11)
            return Exchange()
        card, said = compiled_network_card(
            view.book, self.network, compiled_position(p), public_knowledge(view)
        )
        return as_play(card, said)


class FullPlayer:
    """Search guided by the network: each act is tried in sampled worlds, with the network as rollout policy.

    Scores add a small bonus from the network's prior scores, since both estimates are noisy. Without a time limit it
    searches only when few enough cards are left for search to beat the network's choice.

    Worlds are sampled from `opponent_model`, whose likelihoods are tempered so that play stays good against opponents
    unlike the model. Each opponent is assumed to play like this player until its acts favour the heuristic or the
    greedy type; rollouts then use that type's policy. Reported win probabilities use the untempered model of players
    like itself.

    `assume_network`: model every opponent as the network alone. `fixed_worlds`: sample this many worlds and do a fixed
    number of iterations for each decision, without a clock, so that any machine chooses the same acts.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int,
        seconds: float | None = None,
        max_worlds: int = MAX_WORLDS,
        early: int = EARLY,
        *,
        assume_network: bool = False,
        fixed_worlds: int | None = None,
    ) -> None:
        need_compiler()
        self.fixed_worlds = fixed_worlds
        self.early, self.network_player = early, NetworkPlayer(rules)
        self.network = self.network_player.network
        model, own_policy = (
            NetworkModel(private_copy(self.network)),
            network_policy(rules, private_copy(self.network)),
        )
        self.untempered_self = OpponentModel([OpponentType(1.0, own_policy, RangeTracker(model))])
        self_type = OpponentType(SELF_PRIOR, own_policy, RangeTracker(NoisyModel(model), TEMPERING))
        network_type = OpponentType(
            1.0, own_policy, RangeTracker(NoisyModel(PolicyModel(own_policy), NETWORK_EPSILON))
        )
        simple_types = [
            OpponentType(
                (1 - SELF_PRIOR) / 2,
                policy,
                RangeTracker(NoisyModel(PolicyModel(policy), SIMPLE_EPSILON), TEMPERING),
            )
            for policy in (heuristic_policy(rules), greedy_policy(rules))
        ]
        self.self_model = OpponentModel([self_type])
        self.opponent_model = OpponentModel([network_type] if assume_network else [self_type, *simple_types])
        types = [each.policy for each in self.opponent_model.types]
        self.policies = (*types, *types[:1] * (3 - len(types)))  # always three: compiled once for all
        self.seconds, self.max_worlds = seconds, max_worlds
        self.seed = self.stream = seed

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        if sure := winning_declarations(view):
            return sure[0]
        if self.in_haste(self.seconds):
            return self.act_at_once(view)
        short_of_time = (self.seconds or 0) < EARLY_SECONDS
        if view.talon > self.early and short_of_time and looks_like_self(self.posterior(view)):
            return self.act_at_once(view)
        return self.estimate(view, self.seconds, None, reporting=False)[0].action

    def in_haste(self, seconds: float | None) -> bool:
        """Whether this time is too short to search."""
        return seconds is not None and seconds < HASTE

    def act_at_once(self, view: View) -> Action | None:
        """The network's choice, in milliseconds."""
        return self.network_player.act(view)

    def evaluate(self, view: View, seconds: float | None = None, worlds: int | None = None) -> list[Estimate]:
        """Win probability of each act, best first."""
        limit = seconds or (None if worlds else self.seconds)
        return certain_first(view, self.estimate(view, limit, worlds, reporting=True))

    def estimate(
        self, view: View, seconds: float | None, worlds: int | None, *, reporting: bool
    ) -> list[Estimate]:
        """Estimates of each legal act, best first.

        With `reporting=False` all may share an unknown offset: enough to choose an act, not to quote a probability.
        """
        exact = exact_values(view)
        if exact is not None:
            return exact
        if self.fixed_worlds is not None:
            return self.fixed_budget_estimate(view, self.fixed_worlds)
        began = perf_counter()
        until = began + USED_SHARE * seconds if seconds else inf
        self.stream += 1
        posterior, seconds_to_solve = self.posterior(view), solver_seconds(view, seconds, reporting=reporting)
        solve = seconds_to_solve > 0 and looks_like_self(posterior)
        if solve and (solved := self.at_equilibrium(view, seconds_to_solve, until, reporting=reporting)):
            return solved
        if seconds:
            return self.race_acts(view, posterior, until, inf, reporting=reporting)
        until = inf if worlds else perf_counter() + DEFAULT_SECONDS
        return self.race_acts(view, posterior, until, worlds or self.max_worlds, reporting=reporting)

    def fixed_budget_estimate(self, view: View, worlds: int) -> list[Estimate]:
        """`estimate` without a clock: `worlds` worlds, from a seed that does not depend on earlier calls."""
        posterior = self.posterior(view)
        self.stream = self.seed + len(view.events)
        if looks_like_self(posterior) and (acts := self.fixed_budget_strategy(view)):
            return self.sampled_first(view, acts)
        return self.race_acts(view, posterior, inf, worlds, reporting=False)

    def fixed_budget_strategy(self, view: View) -> Strategy | None:
        """The last hidden tricks' equilibrium against an opponent of the same type, without a clock; else None."""
        if not solvable(view):
            return None
        return solve_with_budget(view, self.self_model.types[0].ranges.public_ranges(view))

    def exact_estimates(self, view: View) -> list[Estimate]:
        """Exact or equilibrium estimates, best first, the same on any machine; else empty."""
        exact = exact_values(view)
        if exact is not None:
            return exact
        acts = self.fixed_budget_strategy(view) or {}
        return sorted((Estimate(action, act.win) for action, act in acts.items()), key=lambda each: -each.win)

    def race_acts(
        self, view: View, posterior: Any, until: float, most: float, *, reporting: bool
    ) -> list[Estimate]:
        """Try acts in at most `most` worlds while time lasts, eliminating those significantly worse."""
        acts = legal_acts(view.book, view.position, own_seat(view))
        public = public_knowledge(view)
        now = perf_counter()
        raced_until = now + (until - now) * (1 - REPORT_SHARE if reporting else 1)
        bonus = prior_bonus(view, prior_scores(view, public, acts, self.network))

        def attempt(alive: Any, done: int) -> Any:
            if done >= most or (done and perf_counter() >= raced_until):
                return None
            seed, candidates = (
                as_int64(splitmix64(self.stream + (done << 20))),
                [acts[int(nth)] for nth in alive],
            )
            worlds = self.opponent_model.sample_worlds(view, posterior, int(min(BATCH, most - done)), seed)
            return rollout_values(view, public, candidates, worlds, self.policies)

        values = race(bonus, attempt, REPORT_PRECISION if reporting else inf)
        best = gaps_to_best(values, bonus)[0]
        if not reporting:
            return rank_race(acts, values, bonus, values[best])
        # fresh worlds: those that selected the best act are biased in its favour
        self_posterior, fresh_values, done = self.untempered_self.posterior(view), list[Any](), 0
        while not done or (done < most and perf_counter() < until):
            seed = as_int64(splitmix64(~self.stream + (done << 20)))
            worlds = self.untempered_self.sample_worlds(
                view, self_posterior, int(min(BATCH, most - done)), seed
            )
            fresh_values.append(rollout_values(view, public, [acts[best]], worlds, self.policies)[0])
            done += len(fresh_values[-1])
        return rank_race(acts, values, bonus, np.concatenate(fresh_values))

    def posterior(self, view: View) -> Mapping[int, Floats]:
        """By opponent seat, the probability of each type: like this player, heuristic, greedy."""
        return self.opponent_model.posterior(view)

    def sample_worlds(self, view: View, count: int) -> Worlds:
        """`count` worlds from the tempered model of players like itself."""
        self.stream += 1
        return self.self_model.sample_worlds(
            view, self.self_model.posterior(view), count, as_int64(splitmix64(self.stream))
        ).worlds

    def rollout_values(self, view: View, acts: Sequence[int], among: Worlds) -> Any:
        """Each act's result in each world: `float32[acts, worlds]`."""
        return rollout_values(view, public_knowledge(view), acts, TypedWorlds.of(among), self.policies)

    def at_equilibrium(
        self, view: View, seconds_to_solve: float, until: float, *, reporting: bool
    ) -> list[Estimate]:
        """The equilibrium strategy of the last hidden tricks, the sampled act first; empty if there is none in time."""
        solution = self.solve_last_tricks(view, self.opponent_model, seconds_to_solve, until)
        if solution is None:
            return []
        against_self = (
            self.solve_last_tricks(view, self.untempered_self, seconds_to_solve, until) if reporting else None
        )
        return self.sampled_first(view, solution.acts, (against_self or solution).acts)

    def sampled_first(self, view: View, acts: Strategy, reported: Strategy | None = None) -> list[Estimate]:
        """An act sampled from a strategy, then the others, best first; `reported`: whose best win it is raised to."""
        chance = Random(f"{self.seed} {len(view.events)}")  # the same act however often it is asked
        sampled_action = chance.choices([*acts], [act.probability for act in acts.values()])[0]
        wins = [act.win for act in acts.values()]
        if Exchange() in acts and (min(wins) > 1 - CERTAINTY or max(wins) < CERTAINTY):
            sampled_action = Exchange()  # the choice does not matter, and people would exchange
        best = max(act.win for act in (reported or acts).values())
        ordered = sorted(acts.items(), key=lambda act: (act[0] != sampled_action, -act[1].win))
        return [Estimate(action, max(0.0, best - max(wins) + act.win)) for action, act in ordered]

    def solve_last_tricks(
        self, view: View, others: OpponentModel, seconds_to_solve: float, until: float
    ) -> LastTricks | None:
        """The equilibrium of the last hidden tricks, if these are such and it is found in time; else None."""
        if not solvable(view) or perf_counter() >= until:
            return None
        both = others.types[0].ranges.public_ranges(view)
        left = min(seconds_to_solve, until - perf_counter())
        return solve_last(view, *both, left) if left > 0 else None


def looks_like_self(posterior: Mapping[int, Floats]) -> bool:
    """Whether each opponent plays like this player with probability above one half."""
    return all(share[0] > 1 / 2 for share in posterior.values())


def solver_seconds(view: View, seconds: float | None, *, reporting: bool) -> float:
    """Seconds to spend on an equilibrium; 0 if the limit is too short. `reporting` solves twice."""
    quick = view.position.table != 0 or view.talon <= QUICK_TALON
    if seconds is None:
        return QUICK_SECONDS if quick else 0.0 if reporting else DEFAULT_SECONDS
    allowed = seconds / 2 if reporting else seconds
    return allowed if quick or allowed >= LEAD_SECONDS else 0.0


def prior_bonus(view: View, bonus: Any) -> Any:
    """By act, the network's bonus in win probability, 0 or less."""
    return np.maximum(-BONUS_LIMIT, (BONUS_EARLY if view.talon > EARLY else BONUS) * bonus)
