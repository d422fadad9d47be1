"""The player that follows a network, the shipped one or another."""

from __future__ import annotations

from chouine.ai.forced_win import winning_declarations
from chouine.ai.macro_actions import own_seat
from chouine.ai.network import Network, load_shipped, network_card, private_copy
from chouine.ai.racing import exact_values, need_compiler
from chouine.ai.rollout import public_knowledge
from chouine.fast.compiler import compiled
from chouine.fast.soa_layout import compiled_position
from chouine.partie.actions import Action, Exchange
from chouine.partie.view import View
from chouine.players.heuristic import as_play
from chouine.rules.combinations import EXCHANGING
from chouine.rules.options import Rules
from chouine.rules.play import legal_for

compiled_network_card = compiled(network_card)


class NetworkPlayer:
    """The act with the highest network value; two seats' last tricks exactly. Raises `NoCompiler` without numba."""

    def __init__(self, rules: Rules, network: Network | None = None) -> None:
        need_compiler()
        self.network = private_copy(network or load_shipped(rules.preset))

    def act(self, view: View) -> Action | None:
        if not view.legal:
            return None
        if exact := exact_values(view):
            return exact[0].action
        if winning := winning_declarations(view):
            return winning[0]
        seat, p = own_seat(view), view.position
        if (
            legal_for(view.rule_table, p, seat) & EXCHANGING
        ):  # always better: the turnup beats the seven (§11)
            return Exchange()
        card, said = compiled_network_card(
            view.rule_table, self.network, compiled_position(p), public_knowledge(view)
        )
        return as_play(card, said)
