"""Level 8 with a fixed number of worlds and iterations instead of a clock: it answers the same on any machine."""

from __future__ import annotations

from math import inf

from chouine.ai.equilibrium.last_tricks import FIXED_ITERATIONS, solve_with_budget
from chouine.ai.forced_win import winning_declarations
from chouine.ai.levels import strongest
from chouine.ai.neural import FullPlayer
from chouine.ai.racing import exact_values
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.rules.options import Rules

WORLDS = 1024
"""The most worlds in which acts are tried."""


class FixedBudgetPlayer:
    """Plays as level 8 does. With no `iterations` it looks for no equilibrium."""

    def __init__(
        self, rules: Rules, seed: int, worlds: int = WORLDS, iterations: int = FIXED_ITERATIONS
    ) -> None:
        self.player, self.worlds, self.iterations = strongest(rules, seed), worlds, iterations

    def act(self, view: View) -> Action | None:
        player = self.player
        if not isinstance(player, FullPlayer):
            return player.act(view)
        if not view.legal or winning_declarations(view) or exact_values(view) or view.talon > player.early:
            return player.act(view)
        solution = solve_with_budget(
            view, player.opponent_model.types[0].ranges.public_ranges(view), self.iterations
        )
        if solution is not None:
            return max(solution.items(), key=lambda each: each[1].probability)[0]
        return player.race_acts(view, player.posterior(view), inf, self.worlds, reporting=False)[0].action
