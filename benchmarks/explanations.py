"""Explanations beside their positions, drawn at random to be read and marked: `python -m benchmarks.explanations`.

- `read [seed] [many]`: advice (hint, move, reason), reviews, problems (hints, replies, reason) and what the table says
of a trick, in turn through all presets, each with what the seat knows and the best moves' chances, in both languages
- `month [year] [month]`: the daily problems of a month, each as its page tells it
"""

from __future__ import annotations

import html
import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import date
from itertools import count
from random import Random

from benchmarks.arguments import read_arguments
from benchmarks.reviews import choices
from chouine.ai.levels import level
from chouine.arena.partie import play_partie
from chouine.cards import CardSet
from chouine.notation.tokens import read_act, read_action
from chouine.partie import Deal, View
from chouine.phrases import Language
from chouine.rules.options import PRESETS, Rules
from chouine.school.problems import judge_answer, of_the_day, shipped_problems
from chouine.school.problems.problem import Problem
from chouine.school.review import Decision, judge, reason_sentence
from chouine.server.advice import SEED, in_worlds
from chouine.server.pages.advising import advice_sentence, how, idea, why
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.server.routes.problems import advice_in_words, ends_in_words, hints_of
from chouine.table import Phase
from chouine.table import commands as ask
from chouine.table.entries import GivenAdvice, SeatHolder
from tests.server.matches import Table, opening, person

LANGUAGES: tuple[Language, ...] = ("fr", "en")
LEVELS = 2, 3, 4, 5
KINDS = "advice", "review", "problem", "advice", "review", "problem", "advice", "review", "problem", "table"
ME = 1


def visit_in(language: Language) -> Visit:
    return Visit(language, "", f"guest-{ME}")


def decisions_of(rng: Random, preset: str) -> Iterator[Decision]:
    """Decisions in random order, of parties of imperfect levels."""
    rules = Rules.of_preset(preset)
    for seed in count(rng.randrange(10**6)):
        players = [level(rng.choice(LEVELS), rules, seed) for _ in range(rules.seats)]
        state = play_partie(rules, Deal.random(rules, seed % rules.seats, rng), players).state
        found = choices(state)
        yield from rng.sample(found, len(found))[:3]


def position(view: View) -> str:
    """What a seat knows, and its declarations so far."""
    said = "; ".join(f"{each.seat} said {each.declaration}" for each in view.said)
    fallen = " ".join("".join(map(str, each.cards)) for each in view.tricks)
    return (
        f"seat {view.observer} of {view}\nsaid: {said or '-'}\nfallen: {fallen or '-'}\nunseen: {view.unseen}"
    )


def chances(advice: GivenAdvice) -> str:
    return "  ".join(f"{each.token} {each.win:.3f}" for each in advice.acts[:5])


def advice_text(rng: Random, preset: str) -> str:
    view = next(each.view for each in decisions_of(rng, preset))
    advice = in_worlds(view, SEED)
    best, lines = read_act(advice.best), [position(view), f"chances: {chances(advice)}"]
    for language in LANGUAGES:
        words = words_of(visit_in(language))
        said = words.gettext(idea(view, best)), advice_sentence(words, best), why(words, advice)
        lines.append(f"{language}: {' | '.join((*said, how(words, advice)))}")
    return "\n".join(lines)


def review_text(rng: Random, preset: str) -> str:
    judged = ((each, judge(each)) for each in decisions_of(rng, preset))
    each, found = next((each, found) for each, found in judged if found.label)
    options = "  ".join(f"{token} {win:.3f}" for token, win in found.options[:5])
    lines = [position(each.view), f"done {found.done} ({found.label}), best {found.best}; {options}"]
    return "\n".join([*lines, *(f"{language}: {reason_sentence(found, language)}" for language in LANGUAGES)])


def random_problem_text(rng: Random, preset: str) -> str:
    shown = rng.choice([each for each in shipped_problems() if each.rules.preset == preset])
    return problem_text(shown, rng)


def problem_text(shown: Problem, rng: Random) -> str:
    """A problem's hints, the reply to a wrong answer, and the reason once it is solved."""
    state, view = shown.state, shown.view
    wrong = rng.choice([act for act in view.legal if act != shown.best])
    reply = judge_answer(shown, wrong).reply
    step = len(shown.solution) - 1
    before = state
    for token in shown.solution[:step]:
        before = before.play(read_action(token))
    last = read_action(shown.solution[step])
    found, advice = judge_answer(shown, last, step), in_worlds(before.view(shown.seat), SEED)
    lines = [
        f"{shown.id} {shown.kind} {shown.themes} {shown.difficulty} gap {shown.gap:.2f}",
        position(view),
        f"solution {' '.join(shown.solution)}; wrong {wrong}: {' '.join(map(str, reply))}; {chances(advice)}",
        f"other hands: {' / '.join(str(CardSet(hand)) for hand in state.position.hands[: view.rules.seats])}",
    ]
    for language in LANGUAGES:
        visit = visit_in(language)
        hints = hints_of(visit, view, shown.best, 2)
        end = (
            ends_in_words(visit, shown.seat, found.ends)
            if found.ends
            else advice_in_words(visit, last, advice)
        )
        lines.append(f"{language}: {hints.idea} | {'; '.join(hints.pair)} | {end}")
    return "\n".join(lines)


def told_at_the_table(rng: Random, preset: str) -> str:
    """The explanations of a random moment of a match against computers."""
    seats = Rules.of_preset(preset).seats
    chairs = [person(seat) if seat == ME else SeatHolder("heuristic", f"L{seat}") for seat in range(seats)]
    table = Table.set(opening(preset, "2x1" if seats == 2 else "2", chairs), rng.randrange(10**6))
    table.until(lambda table: table.phase is Phase.PLAY)
    table.do(ask.Explain(ME, on=True))
    for _ in range(rng.randrange(2, 30)):
        table.step()
    table.until(lambda table: table.phase is Phase.PLAY)
    state = table.table.state
    if state is None:
        raise RuntimeError("no partie to explain")
    lines = [position(state.view(ME))]
    for language in LANGUAGES:
        page = Viewer(visit_in(language), "t", ME).frame(table.table).html
        told = re.search(r'<ul class="explained">(.*?)</ul>', page, re.DOTALL)
        sentences = re.findall(r"<li>(.*?)</li>", told[1], re.DOTALL) if told else []
        lines.append(
            f"{language}: "
            + " | ".join(html.unescape(re.sub("<[^>]*>", "", each)).strip() for each in sentences)
        )
    return "\n".join(lines)


MAKERS: dict[str, Callable[[Random, str], str]] = {
    "advice": advice_text,
    "review": review_text,
    "problem": random_problem_text,
    "table": told_at_the_table,
}


def read(seed: int, many: int) -> Iterator[str]:
    presets = list(PRESETS)
    for nth in range(many):
        kind, preset = KINDS[nth % len(KINDS)], presets[(nth + nth // len(KINDS)) % len(presets)]
        yield f"--- {nth + 1} {kind} {preset}\n{MAKERS[kind](Random(f'{seed} {nth}'), preset)}"


def month(year: int, number: int) -> Iterator[str]:
    for day in range(1, monthrange(year, number)[1] + 1):
        on = date(year, number, day)
        shown = of_the_day(shipped_problems(), on)
        yield f"--- {on:%a %d} {problem_text(shown, Random(str(on)))}"


WAYS: dict[str, tuple[Callable[[int, int], Iterator[str]], tuple[int, int]]] = {
    "read": (read, (1, 50)),
    "month": (month, (2026, 12)),
}


def main() -> None:
    name, *given = read_arguments(__doc__, what=tuple(WAYS), first=None, second=None)
    way, usual = WAYS[name]
    for text in way(*(other if one is None else one for one, other in zip(given, usual, strict=True))):
        print(text, flush=True)


if __name__ == "__main__":
    main()
