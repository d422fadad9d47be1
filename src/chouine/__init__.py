"""La Chouine, the card game of the Loir valley: its rules, its records and its players.

    from chouine import Deal, Rules, play_partie, player_of

    rules = Rules.parse("classic")                            # any preset, any options
    deal = Deal.random(rules, 0, Random(1))                   # who deals, and the chance
    done = play_partie(rules, deal, [player_of("random"), player_of("heuristic")])
    print(done.state.result, done.state.view(0).legal)

A `State` is the truth of a partie, a `View` what one seat knows; a `Player` acts on views alone. `player_of` makes one
of `player_names()`, `read_records` reads `.cgn`, `legal`, `best` and `advise` tell of a partie line, `duel` measures
players, `deals` are arrays for statistics (NumPy). Each name is imported when it is first used.
"""

from __future__ import annotations

TYPE_CHECKING = (
    False  # as type checkers read it: importing `typing` takes twenty times as long as all of this
)
if TYPE_CHECKING:
    from typing import Any

    from chouine.arena.duel import duel
    from chouine.arena.partie import play_partie
    from chouine.cards import Card, CardSet
    from chouine.fast.deals import deals
    from chouine.notation import Record, read_records
    from chouine.notation.lines import legal
    from chouine.partie import Deal, Declaration, Exchange, Play, State, View
    from chouine.players import Player
    from chouine.registry import advise, best, player_names, player_of
    from chouine.rules import Rules

__version__ = "0.1.0"
__all__ = [
    "Card",
    "CardSet",
    "Deal",
    "Declaration",
    "Exchange",
    "Play",
    "Player",
    "Record",
    "Rules",
    "State",
    "View",
    "advise",
    "best",
    "deals",
    "duel",
    "legal",
    "play_partie",
    "player_names",
    "player_of",
    "read_records",
]

_HOMES = {
    "chouine.arena.duel": ("duel",),
    "chouine.arena.partie": ("play_partie",),
    "chouine.cards": ("Card", "CardSet"),
    "chouine.fast.deals": ("deals",),
    "chouine.notation": ("Record", "read_records"),
    "chouine.notation.lines": ("legal",),
    "chouine.partie": ("Deal", "Declaration", "Exchange", "Play", "State", "View"),
    "chouine.players": ("Player",),
    "chouine.registry": ("advise", "best", "player_names", "player_of"),
    "chouine.rules": ("Rules",),
}


def _import_name(name: str) -> Any:
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            try:
                return getattr(import_module(home), name)
            except ModuleNotFoundError as missing:
                if str(missing.name).startswith("chouine"):
                    raise
                return _without(name, missing)
    raise AttributeError(f"module 'chouine' has no attribute {name!r}")


if not TYPE_CHECKING:  # a type checker would take it for every name, misspelt ones too
    __getattr__ = _import_name


def _without(name: str, missing: ModuleNotFoundError) -> Any:
    """What stands for a name whose package is not installed: it says so when it is called."""

    def call(*_: object, **__: object) -> None:
        raise ModuleNotFoundError(
            f"chouine.{name} needs {missing.name}: install chouine with its extra, chouine[fast]",
            name=missing.name,
        )

    call.__name__, call.__doc__ = name, f"Not available: {missing.name} is not installed (extra `fast`)."
    return call


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
