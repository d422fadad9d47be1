"""Chouine for OpenSpiel: importing this registers the game `chouine`.

    game = pyspiel.load_game("chouine(preset=classic,head=always)")

Parameters: `preset`, and every option of the rules by its name (`au_sept`, `seven_last`, …). `ranks`, `suits` and
`hand` give a smaller pack under the same rules, for algorithms that walk the whole game tree. `chouine_petite` has the
pack `PETITE`: six cards, hands of two; of the figures only the mariage occurs.
"""

from chouine.envs.spiel.game import PETITE, ChouineGame, ChouineState

__all__ = ["PETITE", "ChouineGame", "ChouineState"]
