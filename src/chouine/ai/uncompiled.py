"""The interpreted network, which plays for levels 7 and 8 while their kernels are being compiled."""

from __future__ import annotations

from chouine.ai.deduced import plain_public_knowledge
from chouine.ai.forced_win import winning_declarations
from chouine.ai.network import load_shipped, network_card, private_copy
from chouine.ai.search import has_network
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.players.endgame import known_position
from chouine.players.heuristic import HeuristicPlayer, as_play
from chouine.rules.combinations import EXCHANGING
from chouine.rules.play import legal_for


def uncompiled_act(view: View) -> Action | None:
    """The network's best act, equal to the compiled network's; two seats' last tricks exactly; None: nothing to do.

    Rules without a network are played by the heuristic.
    """
    if view.observer is None or not view.legal:
        return None
    if sure := winning_declarations(view):
        return sure[0]
    exchanging = legal_for(view.rule_table, view.position, view.observer) & EXCHANGING
    if exchanging or known_position(view) or not has_network(view.rules):
        return HeuristicPlayer().act(view)
    network = private_copy(load_shipped(view.rules.preset))
    return as_play(*network_card(view.rule_table, network, view.position, plain_public_knowledge(view)))
