"""Review recorded parties: what each mistake cost, why, and how much of the result was luck."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from gettext import gettext as _
from itertools import chain, count, islice
from typing import Any, Literal, NamedTuple

from chouine.ai.explanations import act, difference
from chouine.ai.racing import need_compiler
from chouine.cli.arguments import positive_number
from chouine.cli.long_jobs import configure_log, configure_workers, log_of, workers
from chouine.cli.texts import complaint_of, open_text, some_of, write_utf8
from chouine.errors import ChouineError, NotationError
from chouine.jobs import Progress, clear, do_logged, processors, saying_that_it_goes_on
from chouine.notation.deals import complete_deal
from chouine.notation.drawing import strip_controls
from chouine.notation.reader import Entry, lines_of, read_records
from chouine.notation.records import Record
from chouine.notation.tokens import read_act
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
    reason_sentence,
)
from chouine.school.review.annotations import summary_line
from chouine.school.review.decisions import SEED


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Look back at recorded parties: what each mistake cost, why, and how much of the result was "
        "luck. An action is judged by what the seat could know then. Needs the extra `fast`."
    )
    parser.add_argument("file", nargs="?", metavar=_("FILE"), help=_("records (default: standard input)"))
    parser.add_argument(
        "--worlds",
        metavar="N",
        type=positive_number,
        default=WORLDS,
        help=_("worlds to try for each action, at most (default: 2000)"),
    )
    parser.add_argument("--seed", metavar="N", type=int, default=SEED, help=_("random seed (default: 1)"))
    configure_workers(parser)
    configure_log(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=_("print one JSON object for each partie"))
    form.add_argument(
        "--cgn", action="store_true", help=_("print the records with a comment at each mistake")
    )


class Analysing(NamedTuple):
    """What the analysis of a partie depends on, apart from its record."""

    worlds: int
    seed: int
    form: Literal["text", "json", "cgn"]
    language: Language


class NumberedEntry(NamedTuple):
    """A file's entry, with its number from 1."""

    number: int
    entry: Entry

    def __str__(self) -> str:
        return str(self.number)


def run(args: argparse.Namespace) -> int:
    """Analyse each partie. Exit code: 0 ok, 1 a partie had an error, 2 invalid arguments."""
    write_utf8()
    form: Literal["text", "json", "cgn"] = "json" if args.json else "cgn" if args.cgn else "text"
    analysing = Analysing(args.worlds, args.seed, form, args.language)
    need_compiler()
    with open_text(args.file, "surrogateescape") as stream:
        entries = some_of(read_records(lines_of(stream)), args.file, "file/no-partie")
        return analyse_all(map(NumberedEntry, count(1), entries), analysing, args)


def analyse_all(items: Iterator[NumberedEntry], analysing: Analysing, args: argparse.Namespace) -> int:
    """Print the analyses of a file's parties; returns the exit code."""
    first = list(islice(items, 2))
    status, log = 0, log_of(args, command="analyse", **analysing._asdict())
    progress = Progress(None, args.language)
    with saying_that_it_goes_on(args.language), workers(args, processors() if first[1:] else 1) as crew:
        told = do_logged(crew, partial(analyse_entry, analysing), chain(first, items), log, are_two_texts)
        for done, (text, complaint) in enumerate(told, 1):
            clear()
            if complaint:
                print(complaint, file=sys.stderr)
                status = 1
            else:
                print(text, flush=True)
            progress.tell(done)
        clear()
    return status


def are_two_texts(result: object) -> bool:
    """Whether a log has what `analyse_entry` gives."""
    return isinstance(result, list) and len(result) == 2 and all(isinstance(each, str) for each in result)


def analyse_entry(analysing: Analysing, item: NumberedEntry) -> tuple[str, str]:
    """One partie's analysis, or a complaint of an error in its text or of a card that is unknown."""
    number, entry = item
    if isinstance(entry, NotationError):
        return "", complaint_of("analyse", entry, analysing.language)
    state = replay_record(entry)
    if state is None:
        unknown = ChouineError("review/unknown", number=number)
        return "", complaint_of("analyse", unknown, analysing.language)
    found = [judge(each, analysing.worlds, analysing.seed) for each in decisions(state, entry.actions)]
    for action in entry.actions:
        state = state.play(action)
    totals = accounts(state, entry.result, found)
    if analysing.form == "json":
        return json.dumps({"partie": number, **summary(found, totals)}, ensure_ascii=False), ""
    if analysing.form == "cgn":
        return f"{annotate(entry, found, totals, analysing.language)}\n", ""
    return "\n".join(in_words(number, entry, found, totals, analysing.language)), ""


def replay_record(record: Record) -> State | None:
    """The partie's first state; None if not all cards are known."""
    deal = complete_deal(record.deal)
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
    names = [strip_controls(name.strip()) for name in (record.tag("Players") or "").split(";")]
    letters = list(SEATS[: record.rules.seats])
    if len(names) != len(letters) or not all(names):
        return letters
    return [f"{name} ({letter})" for name, letter in zip(names, letters, strict=True)]


def mistake(found: Judgement, names: Sequence[str], language: Language) -> str:
    """One mistake, and why."""
    reason = reason_sentence(found, language)
    return say(
        "review/line",
        language,
        trick=found.trick,
        seat=names[found.seat],
        done=act(read_act(found.done), language),
        cost=difference(-round(found.cost, 4), language),
        label=say(f"review/{found.label}", language),
        best=act(read_act(found.best), language),
        why=f" ({reason})" if reason else "",
    )
