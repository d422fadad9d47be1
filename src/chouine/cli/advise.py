"""Advise on a line from a seat's point of view: each act's win probability, a likely continuation, and reasons."""

from __future__ import annotations

import argparse
import json
import sys
from gettext import gettext as _
from typing import TYPE_CHECKING, Any

from chouine.ai.explanations import act
from chouine.cli.arguments import positive_number, seconds
from chouine.cli.texts import write_utf8
from chouine.errors import ChouineError, NotationError
from chouine.notation.lines import read_view
from chouine.notation.tokens import read_seat, token
from chouine.phrases import Language, say

if TYPE_CHECKING:
    from chouine.ai.advice import Advice
    from chouine.partie.view import View


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Say which action is best for a seat, how likely each wins, what is likely to follow, and "
        "why. Needs the extra `fast`."
    )
    parser.add_argument("seat", metavar=_("SEAT"), help=_("the seat to advise: a, b, c or d"))
    parser.add_argument(
        "line", metavar=_("LINE"), help=_("the partie line as that seat knows it, with ? for unknown cards")
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--seconds", metavar="S", type=seconds, default=1.0, help=_("time to think, in seconds (default: 1)")
    )
    limit.add_argument(
        "--worlds", metavar="N", type=positive_number, help=_("number of worlds to try instead")
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help=_("random seed (default: 1)"))
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


def run(args: argparse.Namespace) -> int:
    """Compute and print the advice. Exit code 2 for invalid arguments or an unreadable line."""
    write_utf8()
    advice = think(args, view_to_advise(args))
    if args.json:
        print(json.dumps(as_json(advice), ensure_ascii=False))
    else:
        print(advice.text(args.language))
    return 0


def view_to_advise(args: argparse.Namespace) -> View:
    """The view of a seat that may act now."""
    try:
        seat = read_seat(args.seat)
    except NotationError as fault:  # its place in the line would be another's
        raise ChouineError(fault.code, **fault.data) from None
    view = read_view(args.line, seat)
    if view.turn is None:
        raise ChouineError("illegal/over")
    if not view.legal:
        raise ChouineError("illegal/not-your-turn")
    return view


def think(args: argparse.Namespace, view: View) -> Advice:
    """The advice; while kernels are compiled, people are first shown the network's choice."""
    from chouine.ai.advice import advise
    from chouine.ai.levels import strongest
    from chouine.ai.racing import Limit
    from chouine.fast.compiler import telling_first

    def tell() -> None:
        if not args.json:
            print(first_word(view, args.language), file=sys.stderr, flush=True)

    player = strongest(view.rules, args.seed)
    with telling_first(tell):
        if args.worlds:
            return advise(player, view, Limit(worlds=args.worlds))
        advise(player, view, Limit(worlds=1))  # what has to be read or compiled first takes none of the time
        return advise(player, view, Limit(args.seconds))


def first_word(view: View, language: Language) -> str:
    """The uncompiled network's choice, or the heuristic's where there is no network."""
    from chouine.ai.strongest import uncompiled_act

    return say("advice/first", language, act=act(uncompiled_act(view), language))


def as_json(advice: Advice) -> dict[str, Any]:
    """The advice as JSON data, best act first."""
    return {
        "acts": [
            {
                "action": token(each.action),
                "win": round(each.win, 4),
                "low": round(each.low, 4),
                "high": round(each.high, 4),
                "behind": round(each.behind, 4),
                "behind_error": round(each.behind_error, 4),
                "worlds": each.worlds,
            }
            for each in advice.options
        ],
        "worlds": advice.worlds,
        "line": [token(each) for each in advice.line],
        "beside": token(advice.beside) if advice.reasons else None,
        "reasons": {reason.trait: round(reason.difference, 2) for reason in advice.reasons},
    }
