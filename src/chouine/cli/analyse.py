"""Look back at recorded parties: what each mistake cost, why, and how much of the result was luck.

What was done is judged by what the seat could know then. Needs the extra `fast`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from chouine.cli.language import configure_language
from chouine.cli.reasoning import act, difference, percent, reasons
from chouine.cli.texts import complain, opened, write_utf8
from chouine.errors import ChouineError, NotationError
from chouine.notation.deals import whole
from chouine.notation.reader import read_records
from chouine.notation.records import Record
from chouine.notation.tokens import token
from chouine.partie.actions import Action, Exchange
from chouine.partie.deal import SEATS
from chouine.partie.state import State
from chouine.phrases import Language, say
from chouine.rules.play import au_sept

if TYPE_CHECKING:
    from chouine.ai.review import Verdict


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="records (standard input)")
    parser.add_argument("--worlds", type=int, default=2_000, help="worlds thought of at each act (2000)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same answer")
    parser.add_argument("--json", action="store_true", help="one JSON object a partie")
    configure_language(parser)


def run(args: argparse.Namespace) -> int:
    """Analyse each; 0, 1 where something was at fault, 2 for a wrong call."""
    write_utf8()
    status = 0
    try:
        with opened(args.file, "surrogateescape") as lines:
            for number, entry in enumerate(read_records(lines), 1):
                if isinstance(entry, NotationError):
                    status = 1
                    complain("analyse", entry, args.language)
                    continue
                state = replayed(entry)
                if state is None:
                    status = 1
                    print(say("review/unknown", args.language, number=number))
                    continue
                verdicts = list(judged(state, entry.actions, args.worlds, args.seed))
                told = summary(entry, verdicts)
                if args.json:
                    print(json.dumps({"partie": number, **told}, ensure_ascii=False))
                else:
                    print("\n".join(in_words(number, entry, verdicts, told, args.language)))
    except ModuleNotFoundError:
        return complain("analyse", ChouineError("thinking/no-compiler"), args.language)
    except (ChouineError, OSError) as error:
        return complain("analyse", error, args.language, args.file)
    return status


def replayed(record: Record) -> State | None:
    """The partie's beginning; None if not all cards are known."""
    deal = whole(record.deal)
    return None if deal is None else State.new(record.rules, deal)


def judged(state: State, actions: tuple[Action, ...], many: int, seed: int) -> Iterator[tuple[int, Verdict]]:
    """Every act where there was a choice, with its number from 1."""
    from chouine.ai.review import Reviewer

    reviewer = Reviewer(state.rules, many, seed)
    for number, action in enumerate(actions, 1):
        seat = state.position.turn
        if isinstance(action, Exchange) and au_sept(state.book, state.position):
            seat = next(each for each in range(state.rules.seats) if action in state.view(each).legal)
        view = state.view(seat)
        if len(view.legal) > 1:
            yield number, reviewer.verdict(view, action)
        state = state.play(action, seat)


def summary(record: Record, verdicts: list[tuple[int, Verdict]]) -> dict[str, Any]:
    """What each mistake cost, and by seat the result as mistakes and luck, which add up to it."""
    from chouine.ai.review import luck

    seats = record.rules.seats
    costs = [sum(each.cost for _, each in verdicts if each.seat == seat) for seat in range(seats)]
    given = [costs[1 - seat] if seats == 2 else 0.0 for seat in range(seats)]
    winner = record.result.winner
    results = [1 / seats if winner is None else float(seat == winner) for seat in range(seats)]
    return {
        "acts": [
            {
                "number": number,
                "seat": SEATS[each.seat],
                "done": token(each.done.action),
                "best": token(each.best.action),
                "cost": round(each.cost, 4),
                "label": each.label,
                "reasons": {reason.trait: round(reason.difference, 2) for reason in each.reasons},
            }
            for number, each in verdicts
            if each.label
        ],
        "seats": [
            {
                "seat": SEATS[seat],
                "result": results[seat],
                "fair": round(1 / seats, 4),
                "mistakes": -round(costs[seat], 4),
                "others_mistakes": round(given[seat], 4),
                "luck": round(luck(results[seat], seats, costs[seat], given[seat]), 4),
            }
            for seat in range(seats)
        ],
    }


def in_words(
    number: int,
    record: Record,
    verdicts: list[tuple[int, Verdict]],
    told: dict[str, Any],
    language: Language,
) -> Iterator[str]:
    """The same for people."""
    yield say("review/partie", language, number=number, rules=str(record.rules))
    if not told["acts"]:
        yield "  " + say("review/none", language)
    for nth, each in verdicts:
        if each.label:
            yield "  " + mistake(nth, each, language)
    for seat in told["seats"]:
        yield "  " + say(
            "review/sum",
            language,
            seat=seat["seat"],
            result=percent(seat["result"], language),
            fair=percent(seat["fair"], language),
            errors=difference(seat["mistakes"], language),
            others=difference(seat["others_mistakes"], language),
            luck=difference(seat["luck"], language),
        )


def mistake(number: int, found: Verdict, language: Language) -> str:
    """One mistake, and why."""
    why = reasons(found.reasons, language)
    return say(
        "review/line",
        language,
        number=number,
        seat=SEATS[found.seat],
        done=act(found.done.action, language),
        cost=difference(-found.cost, language),
        label=say(f"review/{found.label}", language),
        best=act(found.best.action, language),
        why=f" ({why})" if why else "",
    )
