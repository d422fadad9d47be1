"""Review recorded parties: what each mistake cost, why, and how much of the result was luck.

Acts are judged by what the seat could know then. Needs the extra `fast`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from gettext import gettext as _
from typing import Any

from chouine.ai.explanations import act, difference
from chouine.cli.language import configure_language
from chouine.cli.measuring import positive
from chouine.cli.texts import complain, open_text, write_utf8
from chouine.errors import ChouineError, NotationError
from chouine.notation.deals import whole
from chouine.notation.drawing import plain
from chouine.notation.reader import lines_of, read_records
from chouine.notation.records import Record
from chouine.partie.deal import SEATS
from chouine.partie.state import State
from chouine.phrases import Language, say
from chouine.school.review import (
    WORLDS,
    Account,
    Judgement,
    accounts,
    annotate,
    decisions,
    judge,
    mistakes_of,
    why,
)
from chouine.school.review.annotations import summary_line
from chouine.school.review.decisions import SEED, act_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.description = _(
        "Look back at recorded parties: what each mistake cost, why, and how much of the result was "
        "luck. An action is judged by what the seat could know then. Needs the extra `fast`."
    )
    parser.add_argument("file", nargs="?", metavar=_("FILE"), help=_("records (default: standard input)"))
    parser.add_argument(
        "--worlds",
        metavar="N",
        type=positive,
        default=WORLDS,
        help=_("worlds to try for each action, at most (default: 2000)"),
    )
    parser.add_argument("--seed", metavar="N", type=int, default=SEED, help=_("random seed (default: 1)"))
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=_("print one JSON object for each partie"))
    form.add_argument(
        "--cgn", action="store_true", help=_("print the records with a comment at each mistake")
    )
    configure_language(parser)


def run(args: argparse.Namespace) -> int:
    """Analyse each partie. Exit code: 0 ok, 1 a partie had an error, 2 invalid arguments."""
    write_utf8()
    number, status = 0, 0
    try:
        with open_text(args.file, "surrogateescape") as stream:
            for number, entry in enumerate(read_records(lines_of(stream)), 1):
                if isinstance(entry, NotationError):
                    complain("analyse", entry, args.language)
                    status = 1
                elif not analyse_record(number, entry, args):
                    status = 1
    except ModuleNotFoundError:
        return complain("analyse", ChouineError("thinking/no-compiler"), args.language)
    except (ChouineError, OSError) as error:
        return complain("analyse", error, args.language, args.file)
    return status if number else complain("analyse", ChouineError("review/empty"), args.language)


def analyse_record(number: int, record: Record, args: argparse.Namespace) -> bool:
    """Print one partie's analysis. Returns False if a card is unknown."""
    state = replay_record(record)
    if state is None:
        complain("analyse", ChouineError("review/unknown", number=number), args.language)
        return False
    found = [judge(each, args.worlds, args.seed) for each in decisions(state, record.actions)]
    for action in record.actions:
        state = state.play(action)
    totals = accounts(state, record.result, found)
    if args.json:
        print(json.dumps({"partie": number, **summary(found, totals)}, ensure_ascii=False))
    elif args.cgn:
        print(f"{annotate(record, found, totals, args.language)}\n")
    else:
        print("\n".join(in_words(number, record, found, totals, args.language)))
    return True


def replay_record(record: Record) -> State | None:
    """The partie's first state; None if not all cards are known."""
    deal = whole(record.deal)
    return None if deal is None else State.new(record.rules, deal)


def summary(found: Sequence[Judgement], totals: Sequence[Account]) -> dict[str, Any]:
    """The analysis as JSON data: each mistake, and each seat's result as a sum of mistakes and luck."""
    return {
        "acts": [
            {
                "number": each.number,
                "trick": each.trick,
                "seat": SEATS[each.seat],
                "done": each.done,
                "best": each.best,
                "cost": round(each.cost, 4),
                "label": each.label,
                "reasons": {trait: round(more, 2) for trait, more in each.reasons},
            }
            for each in mistakes_of(found)
        ],
        "seats": [account(each) for each in totals],
    }


def account(totals: Account) -> dict[str, Any]:
    """A seat's result as mistakes and luck."""

    def round_probability(value: float | None) -> float | None:
        return None if value is None else round(value, 4) + 0.0

    played_out = totals.luck is not None
    return {
        "seat": SEATS[totals.seat],
        "result": round_probability(totals.result),
        "fair": round_probability(totals.fair),
        "mistakes": round_probability(totals.mistakes),
        "small": round_probability(totals.small),
        "others_mistakes": round_probability(totals.others),
        "luck": round_probability(totals.luck),
        "luck_dealt": round_probability(totals.dealt) if played_out else None,
        "luck_drawn": round_probability(totals.drawn) if played_out else None,
    }


def in_words(
    number: int,
    record: Record,
    found: Sequence[Judgement],
    totals: Sequence[Account],
    language: Language,
) -> Iterator[str]:
    """The analysis of a partie as lines of text for readers."""
    names, mistakes = player_names_of(record), mistakes_of(found)
    yield say("review/partie", language, number=number, rules=str(record.rules))
    if not mistakes:
        yield "  " + say("review/none", language)
    for each in mistakes:
        yield "  " + mistake(each, names, language)
    for one, name in zip(totals, names, strict=True):
        yield "  " + summary_line(one, name, len(names), language)


def player_names_of(record: Record) -> list[str]:
    """The seats' names if the record has all of them, else their letters."""
    names = [plain(name.strip()) for name in (record.tag("Players") or "").split(";")]
    letters = list(SEATS[: record.rules.seats])
    if len(names) != len(letters) or not all(names):
        return letters
    return [f"{name} ({letter})" for name, letter in zip(names, letters, strict=True)]


def mistake(found: Judgement, names: Sequence[str], language: Language) -> str:
    """One mistake, and why."""
    reason = why(found, language)
    return say(
        "review/line",
        language,
        trick=found.trick,
        seat=names[found.seat],
        done=act(act_of(found.done), language),
        cost=difference(-round(found.cost, 4), language),
        label=say(f"review/{found.label}", language),
        best=act(act_of(found.best), language),
        why=f" ({reason})" if reason else "",
    )
