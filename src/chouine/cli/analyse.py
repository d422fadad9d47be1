"""Look back at recorded parties: what each mistake cost, why, and how much of the result was luck.

What was done is judged by what the seat could know then. Needs the extra `fast`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from chouine.cli.language import configure_language
from chouine.cli.measuring import positive
from chouine.cli.reasoning import WORTH, act, difference, outcome, percent, reasons
from chouine.cli.texts import complain, opened, write_utf8
from chouine.errors import ChouineError, NotationError
from chouine.notation.deals import whole
from chouine.notation.drawing import plain
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

TWO = 2
PLAYED_OUT = ("points", "chouine", "nulle")
UNDECIDED = ("misdeal", "unfinished")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="records (standard input)")
    parser.add_argument(
        "--worlds", metavar="N", type=positive, default=2_000, help="worlds tried at each act (2000)"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="other chances (1)")
    parser.add_argument("--json", action="store_true", help="one JSON object a partie")
    configure_language(parser)


def run(args: argparse.Namespace) -> int:
    """Analyse each; 0, 1 where something was at fault, 2 for a wrong call."""
    write_utf8()
    number, status = 0, 0
    try:
        with opened(args.file, "surrogateescape") as lines:
            for number, entry in enumerate(read_records(lines), 1):
                if isinstance(entry, NotationError):
                    complain("analyse", entry, args.language)
                    status = 1
                elif not analysed(number, entry, args):
                    status = 1
    except ModuleNotFoundError:
        return complain("analyse", ChouineError("thinking/no-compiler"), args.language)
    except (ChouineError, OSError) as error:
        return complain("analyse", error, args.language, args.file)
    return status if number else complain("analyse", ChouineError("review/empty"), args.language)


def analysed(number: int, record: Record, args: argparse.Namespace) -> bool:
    """Tell of one partie, if all its cards are known."""
    state = replayed(record)
    if state is None:
        complain("analyse", ChouineError("review/unknown", number=number), args.language)
        return False
    found = list(judged(state, record.actions, args.worlds, args.seed))
    told = summary(record, found)
    if args.json:
        print(json.dumps({"partie": number, **told}, ensure_ascii=False))
    else:
        print("\n".join(in_words(number, record, found, told, args.language)))
    return True


class Judgement(NamedTuple):
    """What was done, and when."""

    number: int
    """Of the act, from 1; letting "au sept" pass has that of the lead after it."""
    trick: int
    """From 1."""
    verdict: Verdict


def replayed(record: Record) -> State | None:
    """The partie's beginning; None if not all cards are known."""
    deal = whole(record.deal)
    return None if deal is None else State.new(record.rules, deal)


def judged(state: State, actions: tuple[Action, ...], many: int, seed: int) -> Iterator[Judgement]:
    """Every act where there was a choice."""
    from chouine.ai.review import Reviewer

    reviewer = Reviewer(state.rules, many, seed)
    for number, action in enumerate(actions, 1):
        turn, trick = state.position.turn, state.position.tricks + 1
        seat = asked = holder_asked(state)
        if asked is not None:
            passed = None if action != Exchange() else action
            yield Judgement(number, trick, reviewer.verdict(state.view(asked), passed))
        if action != Exchange() or asked is None:
            seat = turn
            view = state.view(seat)
            if len(view.legal) > 1:
                yield Judgement(number, trick, reviewer.verdict(view, action))
        state = state.play(action, seat)


def holder_asked(state: State) -> int | None:
    """Who is asked at "au sept" (§11) without being on lead and holds the seven."""
    if not au_sept(state.book, state.position):
        return None
    others = (seat for seat in range(state.rules.seats) if seat != state.position.turn)
    return next((seat for seat in others if state.view(seat).legal), None)


def summary(record: Record, found: list[Judgement]) -> dict[str, Any]:
    """What each mistake cost, and by seat the result as mistakes and luck, which add up to it."""
    return {
        "acts": [
            {
                "number": each.number,
                "trick": each.trick,
                "seat": SEATS[each.verdict.seat],
                "done": token(each.verdict.done.action),
                "best": token(each.verdict.best.action),
                "cost": round(each.verdict.cost, 4),
                "label": each.verdict.label,
                "reasons": {reason.trait: round(reason.difference, 2) for reason in each.verdict.reasons},
            }
            for each in found
            if each.verdict.label
        ],
        "seats": [account(record, found, seat) for seat in range(record.rules.seats)],
    }


def account(record: Record, found: list[Judgement], seat: int) -> dict[str, Any]:
    """A seat's result as mistakes and luck. Luck is told of a partie played out only: no card made anybody concede."""
    from chouine.ai.review import luck

    seats = record.rules.seats
    own = [each.verdict for each in found if each.verdict.seat == seat]
    cost = sum(each.cost for each in own)
    small = sum(each.cost for each in own if not each.label)
    given = sum(each.verdict.cost for each in found if each.verdict.seat != seat) if seats == TWO else 0.0
    result = share(record, seat)
    fortune = None
    if result is not None and record.result.by in PLAYED_OUT:
        fortune = round(luck(result, seats, cost, given), 4) + 0.0
    return {
        "seat": SEATS[seat],
        "result": result,
        "fair": round(1 / seats, 4),
        "mistakes": 0.0 - round(cost, 4),
        "small": 0.0 - round(small, 4),
        "others_mistakes": round(given, 4),
        "luck": fortune,
    }


def share(record: Record, seat: int) -> float | None:
    """What a seat got of a partie; None where nothing was decided."""
    if record.result.by in UNDECIDED:
        return None
    winner = record.result.winner
    return round(1 / record.rules.seats, 4) if winner is None else float(seat == winner)


def in_words(
    number: int,
    record: Record,
    found: list[Judgement],
    told: dict[str, Any],
    language: Language,
) -> Iterator[str]:
    """The same for people."""
    names = named(record)
    yield say("review/partie", language, number=number, rules=str(record.rules))
    if not told["acts"]:
        yield "  " + say("review/none", language)
    for each in found:
        if each.verdict.label:
            yield "  " + mistake(each, names, language)
    for seat, name in zip(told["seats"], names, strict=True):
        yield "  " + total(seat, name, language, several=record.rules.seats > TWO)


def named(record: Record) -> list[str]:
    """Who sat where, by name if the record tells all names."""
    names = [plain(name.strip()) for name in (record.tag("Players") or "").split(";")]
    letters = list(SEATS[: record.rules.seats])
    if len(names) != len(letters) or not all(names):
        return letters
    return [f"{name} ({letter})" for name, letter in zip(names, letters, strict=True)]


def mistake(found: Judgement, names: Sequence[str], language: Language) -> str:
    """One mistake, and why."""
    done, best = found.verdict.done, found.verdict.best
    cost = round(round(found.verdict.cost, 4), 3)  # as in the sum below
    why = reasons(best.action, found.verdict.reasons, language)
    if not why and {done.win, best.win} <= set(WORTH) and not best.worlds:
        why = say(
            "review/from-to", language, before=outcome(best.win, language), after=outcome(done.win, language)
        )
    return say(
        "review/line",
        language,
        trick=found.trick,
        seat=names[found.verdict.seat],
        done=act(done.action, language),
        cost=difference(-cost, language),
        label=say(f"review/{found.verdict.label}", language),
        best=act(best.action, language),
        why=f" ({why})" if why else "",
    )


def total(told: dict[str, Any], name: str, language: Language, *, several: bool) -> str:
    """A seat's result as the sum of its parts; or what its mistakes cost, where luck is not told."""
    mistakes, small = round(told["mistakes"], 3), round(told["small"], 3)
    listed = say("review/small", language, cost=difference(small, language)) if small else ""
    if told["luck"] is None:
        return say("review/costs", language, seat=name, errors=difference(mistakes, language), small=listed)
    result, fair, others = (round(told[part], 3) for part in ("result", "fair", "others_mistakes"))
    return say(
        "review/sum-of-several" if several else "review/sum",
        language,
        seat=name,
        result=percent(result, language),
        fair=percent(fair, language),
        errors=difference(mistakes, language),
        small=listed,
        others=difference(others, language),
        luck=difference(result - fair - mistakes - others, language),  # so that what is shown adds up
    )
