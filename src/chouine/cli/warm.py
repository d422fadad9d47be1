"""Compile kernels in advance. They are stored on disk and compiled again only when their code changes."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from gettext import gettext as _
from multiprocessing import get_context
from pathlib import Path
from platform import machine
from random import Random
from shutil import copytree
from time import perf_counter

from chouine.cli.texts import CannotRun
from chouine.compilations import (
    BASELINE,
    CACHE,
    SHIPPED,
    advice_ready,
    cache_folder,
    folder,
    forget_others,
    strong_levels_ready,
    user_cache,
)
from chouine.folders import need_folder
from chouine.partie import Deal, State, View
from chouine.rules import PRESETS, Rules
from chouine.school.readiness import compile_advice, compile_levels

THINKING = ("classic", "three", "four", "mondoubleau")
"""The presets that have networks of their own."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Compile the fast code ahead of time. The result is kept on disk and compiled again only when "
        "the code changes."
    )
    parser.add_argument(
        "rules",
        metavar=_("RULES"),
        nargs="*",
        default=["classic"],
        help=_(
            "rules to compile for: %(known)s, or with options, such as 'classic;head=always' (default: classic)"
        )
        % {"known": ", ".join(PRESETS)},
    )
    parser.add_argument(
        "--ship",
        action="store_true",
        help=_(
            "instead compile what advice and levels 7 and 8 need for any x86-64 processor with AVX2, and keep it in "
            "the package itself: for images and packages that are made of it"
        ),
    )


def run(args: argparse.Namespace) -> int:
    """Compile missing kernels on all cores, with progress on a terminal; 2 if impossible or rules are unreadable."""
    from chouine.fast import AVAILABLE
    from chouine.fast.warm import parts_for

    rules = [Rules.parse(text) for text in args.rules]
    if not AVAILABLE:
        raise ModuleNotFoundError(name="numba")
    began = perf_counter()
    if args.ship:
        if machine() not in {"x86_64", "AMD64"}:
            raise CannotRun(_("--ship is for x86-64 processors"))
        ship()
        return report_ready(began, SHIPPED)
    need_folder(user_cache(), CACHE)
    parts = [compile_thinking, environments, *(part for each in rules for part in parts_for(each)), search]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        for done in [pool.submit(part) for part in parts]:
            done.result()
    for marker in (strong_levels_ready(), advice_ready()):
        marker.touch()
    forget_others()
    return report_ready(began, cache_folder())


def report_ready(began: float, kept: Path) -> int:
    done_in = f"{perf_counter() - began:.1f}"
    print(_("Ready in %(seconds)s s; kept in %(folder)s") % {"seconds": done_in, "folder": kept})
    return 0


def ship() -> None:
    """Compile afresh into the package, in a process set to `BASELINE` with an empty cache.

    What other versions of Python have put there stays: each finds its own files by their names.
    """
    for path in SHIPPED.glob(f"*.py{sys.version_info.major}{sys.version_info.minor}.*"):
        path.unlink()
    with tempfile.TemporaryDirectory() as made:
        os.environ |= {"NUMBA_CPU_NAME": BASELINE, "NUMBA_CPU_FEATURES": "", "CHOUINE_CACHE_DIR": made}
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            pool.submit(compile_thinking).result()
        copytree(folder(), SHIPPED, dirs_exist_ok=True)


def search() -> None:
    """Compile the tree search for each kind of `seat_values`: two seats, and more."""
    from chouine.ai.ismcts import run_search

    for preset in ("classic", "three"):
        run_search(first_decision(Rules.of_preset(preset)), simulations=1, seed=0)


def first_decision(rules: Rules) -> View:
    """The leader's view of a deal."""
    state = State.new(rules, Deal.random(rules, 0, Random(1)))
    return state.view(state.position.turn)


def compile_thinking() -> None:
    """Compile for levels 7 and 8, `full`, `advise` and `analyse`: in one process, since they share nearly all."""
    for preset in THINKING:
        compile_levels(Rules.parse(preset))
    compile_advice(Rules())


def environments() -> None:
    """Compile the research environments' kernels; nothing without Gymnasium."""
    from chouine.envs import MissingPackage

    with suppress(MissingPackage):
        from chouine.envs.vector import ChouineVectorEnv

        for opponent in ("random", "net"):
            one = ChouineVectorEnv(1, opponent=opponent)
            seen, _ = one.reset(seed=0)
            one.step(seen["action_mask"].argmax(axis=1))
