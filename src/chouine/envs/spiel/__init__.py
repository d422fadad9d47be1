"""Chouine for OpenSpiel: importing this registers the game `chouine`.

    game = pyspiel.load_game("chouine(preset=classic,head=always)")

Parameters: `preset`, and every option of the rules by its name (`au_sept`, `seven_last`, …). A smaller pack, for what
must see the whole game tree: `ranks` and `suits` say which cards are in it, `hand` how many a seat holds. The rules are
the same. `chouine_petite` has the pack `PETITE`: six cards, hands of two, in which all but the great figures occurs.
"""

from chouine.envs.spiel.game import PETITE, ChouineGame, ChouineState

__all__ = ["PETITE", "ChouineGame", "ChouineState"]
