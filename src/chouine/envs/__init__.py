"""Chouine for research: observations and actions as numbers, and the interfaces that learning programs use.

`encode` observations and actions · `chouine_v0` PettingZoo · `single` and `vector` Gymnasium, one partie or many at
once · `spiel` OpenSpiel · `opponents` the other seats, policies as players · `dataset` data sets.

Importing this registers `chouine/Chouine-v0` where Gymnasium is installed; so does its name with the module's:
`gymnasium.make("chouine.envs:chouine/Chouine-v0")`. (Gymnasium 1.0 and later read no entry points.)
"""

from contextlib import suppress

from chouine.errors import ChouineError


class MissingPackage(ChouineError, ImportError):
    """A package that is not installed with Chouine itself."""

    def __init__(self, error: ImportError, extra: str = "research") -> None:
        super().__init__("research/missing", package=error.name, extra=extra)


with suppress(ModuleNotFoundError):
    from gymnasium.envs.registration import register

    register(
        "chouine/Chouine-v0",
        entry_point="chouine.envs.single:ChouineEnv",
        vector_entry_point="chouine.envs.vector:ChouineVectorEnv",
    )
