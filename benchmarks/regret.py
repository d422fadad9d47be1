"""Players' regret in the last hidden tricks: `python -m benchmarks.regret [positions] [player…]`.

Positions of network self-play, with ranges under the network's model. An act's value is its win rate if both sides
continue at an equilibrium. Regret is the loss of win rate against the best act: 0 for equilibrium play, and a lower
bound of what an opponent who knows the player could gain. An exchange is a separate act; the card after it is not
evaluated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from statistics import mean, stdev

from benchmarks.arguments import read_arguments
from benchmarks.equilibrium import KINDS, moments
from chouine.ai.beliefs import RangeTracker
from chouine.ai.equilibrium.last_tricks import ActStrategy, solve_last
from chouine.ai.likelihood import NetworkModel
from chouine.ai.network import load_shipped
from chouine.ai.racing import Z
from chouine.ai.strongest import NetworkPlayer
from chouine.partie.actions import Action, Play
from chouine.partie.view import View
from chouine.registry import player_of
from chouine.rules import Rules

RULES = Rules()
SECONDS = 1.0


def worth(view: View, ranges: RangeTracker) -> dict[Action | None, ActStrategy]:
    """The win rate of each act at equilibrium; empty if none is found."""
    told = solve_last(view, *ranges.public_ranges(view), SECONDS)
    return told.acts if told else {}


def won_by(act: Action | None, acts: Mapping[Action | None, ActStrategy]) -> float:
    """An act's win rate; in the last hidden answer a card without a declaration counts as with its best one."""
    if isinstance(act, Play) and act not in acts:
        act = next(each for each in acts if isinstance(each, Play) and each.card == act.card)
    return acts[act].win


def measure(kind: str, positions: int, names: Sequence[str]) -> str:
    """A row of the table."""
    lost: dict[str, list[float]] = {name: [] for name in names}
    ranges = RangeTracker(NetworkModel(load_shipped(RULES.preset)))
    told = ((view, worth(view, ranges)) for view in moments(kind, NetworkPlayer()))
    several = ((view, acts) for view, acts in told if len(acts) > 1)
    for nth, (view, acts) in enumerate(islice(several, positions)):
        best = max(act.win for act in acts.values())
        for name in names:
            lost[name].append(best - won_by(player_of(name, RULES, nth, None).act(view), acts))
    shares = (f"{mean(each):.2%} ± {Z * stdev(each) / len(each) ** 0.5:.2%}" for each in lost.values())
    return f"| {kind} | {positions} | " + " | ".join(shares) + " |"


def main() -> None:
    usual = ["random", "greedy", "heuristic", "mc:300", "net", "full"]
    positions, names = read_arguments(__doc__, positions=50, players=usual)
    print("| | positions | " + " | ".join(f"`{name}`" for name in names) + " |")
    print("|---|---|" + "---|" * len(names))
    for kind in KINDS:
        print(measure(kind, positions, names), flush=True)


if __name__ == "__main__":
    main()
