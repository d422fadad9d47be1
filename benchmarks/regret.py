"""What players lose by their acts in the last hidden tricks: `python -m benchmarks.regret [positions] [player…]`.

Positions of parties of the network against itself; each act is worth what it wins if both play on at an equilibrium,
the ranges being what the network's play so far tells. What a player loses by an act is how much less likely it wins
then than by the best: 0 for whoever plays the equilibrium, and a lower bound of what one who knew the player could
take. An exchange is an act by itself; the card after it is not looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import islice
from statistics import mean, stdev

from benchmarks.equilibrium import KINDS, moments
from chouine.ai.action_model import NetworkModel
from chouine.ai.beliefs import RangeTracker
from chouine.ai.confidence import Z
from chouine.ai.equilibrium.last_tricks import ActStrategy, solve_last
from chouine.ai.network import load_shipped
from chouine.ai.neural import NetworkPlayer
from chouine.partie.actions import Action, Play
from chouine.partie.view import View
from chouine.registry import player_of
from chouine.rules import Rules

RULES = Rules()
SECONDS = 1.0


def worth(view: View, ranges: RangeTracker) -> dict[Action | None, ActStrategy]:
    """What each act wins at equilibrium; empty where that is not found."""
    told = solve_last(view, *ranges.public_ranges(view), SECONDS)
    return told.acts if told else {}


def won_by(act: Action | None, acts: Mapping[Action | None, ActStrategy]) -> float:
    """What an act wins; in the last hidden answer one that declares less counts as if it declared what it may."""
    if isinstance(act, Play) and act not in acts:
        act = next(each for each in acts if isinstance(each, Play) and each.card == act.card)
    return acts[act].win


def measure(kind: str, positions: int, names: Sequence[str]) -> str:
    """A line of the table."""
    lost: dict[str, list[float]] = {name: [] for name in names}
    ranges = RangeTracker(NetworkModel(load_shipped(RULES.preset)))
    told = ((view, worth(view, ranges)) for view in moments(kind, NetworkPlayer(RULES)))
    several = ((view, acts) for view, acts in told if len(acts) > 1)
    for nth, (view, acts) in enumerate(islice(several, positions)):
        best = max(act.win for act in acts.values())
        for name in names:
            lost[name].append(best - won_by(player_of(name, RULES, nth, None).act(view), acts))
    shares = (f"{mean(each):.2%} ± {Z * stdev(each) / len(each) ** 0.5:.2%}" for each in lost.values())
    return f"| {kind} | {positions} | " + " | ".join(shares) + " |"


def main() -> None:
    positions = int(sys.argv[1]) if sys.argv[1:] else 50
    names = sys.argv[2:] or ["random", "greedy", "heuristic", "mc:300", "net", "full"]
    print("| | positions | " + " | ".join(f"`{name}`" for name in names) + " |")
    print("|---|---|" + "---|" * len(names))
    for kind in KINDS:
        print(measure(kind, positions, names), flush=True)


if __name__ == "__main__":
    main()
