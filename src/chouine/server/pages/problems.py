"""Problems as pages: today's, and practice by theme. A page knows the solver's view alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit
from zlib import crc32

from chouine.ai.explanations import outcome
from chouine.ai.levels import looks_ahead
from chouine.cards import CardSet
from chouine.notation.display import arrange
from chouine.notation.tokens import read_action, token
from chouine.partie.actions import Action
from chouine.partie.state import State
from chouine.partie.view import View
from chouine.phrases import N_, thousands_apart
from chouine.rules import PRESETS
from chouine.school.problems import Problem, choose_problems, shipped_problems
from chouine.school.problems.answer import at_step
from chouine.server.difficulty import Rated
from chouine.server.pages import wording
from chouine.server.pages.advising import idea, preference, the_act
from chouine.server.pages.cards import card_back, face, sign
from chouine.server.pages.env import render
from chouine.server.pages.school import offers_of
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import Words, words_of
from chouine.table.entries import GivenAdvice

THEMES = {
    "seven": N_("The seven: now or later"),
    "hold": N_("Hold a declaration"),
    "trumps": N_("Keep trumps"),
    "der": N_("Dix de der"),
    "ruff": N_("A forced ruff"),
    "chouine": N_("A chouine threatens"),
    "lead": N_("Who must lead"),
    "count": N_("The count"),
}
"""Labels of the themes of `school.problems.themes`."""
FEW = 3
"""With fewer acts, naming two of them says nothing."""
FEWEST = 10
"""Least number of problems for which a theme gets a button."""
NEARER_TO_A_TENTH = 0.075
"""From this loss on, a tenth is nearer to it than a twentieth; no problem loses less than a twentieth."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An answer and its result, in public cards alone."""

    accepted: bool
    act: str
    replies: tuple[str, ...]
    """The opponents' acts after it, in words."""
    following: str = ""
    """The position line to continue from; empty once solved."""
    why: str = ""
    """Why the act is right, shown once the problem is solved; of a wrong one in an ending, where it leads."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What was asked for beforehand: the first steps, or the solution."""

    step: int = 0
    """Hints given so far."""
    idea: str = ""
    pair: tuple[str, ...] = ()
    """Two acts of which one is right."""
    solution: tuple[str, ...] = ()
    """The right act and all that follows, in words, with their players where others answer in between."""
    why: str = ""
    last: bool = False
    """Whether only the solution is left to ask for."""


def hints_of(visit: Visit, view: View, best: Action, step: int) -> Hints:
    """The first hints for a position: an idea; then two acts of which one is right, unless there are only two."""
    few, words = len(view.legal) < FEW, words_of(visit)
    pair = list[str]()
    if step > 1 and not few:
        others = sorted(token(act) for act in view.legal if act != best)
        pair = sorted((token(best), others[crc32(str(view.hand).encode()) % len(others)]))
    return Hints(
        step=step,
        idea=words.gettext(idea(view, best)),
        pair=tuple(the_act(words, read_action(each)) for each in pair),
        last=few or step > 1,
    )


def problems_page(
    visit: Visit, today: str, solved: Collection[str], again: int, days: int, level: int | None
) -> str:
    """Today's problem and the ways to practise.

    `again`: number of problems due for repetition; `days`: daily problems solved in a row; `level`: the visitor's
    rating, None while it is unknown.
    """
    classic = choose_problems(shipped_problems(), preset="classic", quick=False)
    themes = Counter(theme for problem in classic for theme in problem.themes)
    return render(
        visit,
        "school/problems.html",
        here="/learn/problems",
        wording=wording,
        today=today,
        reviewed=looks_ahead(),
        done=today in solved,
        again=again,
        days=days,
        level=level,
        solved=len(solved),
        themes=[(theme, THEMES[theme], themes[theme]) for theme in THEMES if themes[theme] >= FEWEST],
        presets=[preset for preset in PRESETS if preset != "classic"],
        quick=len(choose_problems(shipped_problems(), preset="classic", quick=True)),
        every=thousands_apart(len(shipped_problems()), visit.language),
    )


def problem_page(
    visit: Visit,
    problem: Problem,
    view: View,
    address: str,
    tried: Tried | None = None,
    refused: str = "",
    people: Rated | None = None,
    hints: Hints = Hints(),
) -> str:
    """A problem's page, with the result of the last answer; `people` is its rating, if enough people tried it."""
    words = words_of(visit)
    hidden = len(view.unseen) if problem.kind != "ending" else 0
    return render(
        visit,
        "school/problem.html",
        here=address,
        wording=wording,
        another=with_query("/learn/problems/one", practice_query(dict(parse_qsl(urlsplit(address).query)))),
        problem=problem,
        view=view,
        me=problem.seat,
        tried=tried,
        hints=hints,
        refused=refused,
        others=[
            (other_player(words, problem, seat), view.points[seat])
            for seat in range(view.rules.seats)
            if seat != problem.seat
        ],
        open_hand=arrange(other_hand(view)) if problem.kind == "ending" else [],
        hidden=hidden,
        themes=[THEMES[theme] for theme in problem.themes if theme in THEMES],
        gap=gap_sentence(words, problem.gap) if problem.kind != "ending" else "",
        difficulty=round(people.mean if people else problem.difficulty),
        people=people,
        offers=offers_of(visit, view.legal),
        words=words,
        face=face,
        back=card_back,
        sign=sign,
        arranged=arrange,
    )


def gap_sentence(words: Words, gap: float) -> str:
    """How many parties the next best move loses, in tenths; of three problems in ten a twentieth is nearer."""
    if gap < NEARER_TO_A_TENTH:
        return words.gettext("The next best move wins about one partie in twenty less.")
    tenths = round(10 * gap)
    return words.ngettext(
        "The next best move wins about %(num)s partie in ten less.",
        "The next best move wins about %(num)s parties in ten less.",
        tenths,
    ) % {"num": tenths}


def other_player(words: Words, problem: Problem, seat: int) -> str:
    """What another player of a problem is called."""
    return words.gettext("The other") if problem.rules.seats == 2 else words.player("", seat)


def solution_in_words(visit: Visit, problem: Problem, step: int) -> tuple[str, ...]:
    """The solution's acts from a step on; each with its player where others answer in between."""
    words, acts = words_of(visit), problem.solution[step:]
    said = [act_in_words(visit, read_action(act)) for act in acts]
    turns = [at_step(problem, step + nth).position.turn for nth in range(len(acts))]
    if set(turns) == {problem.seat}:
        return tuple(said)
    names = [
        words.gettext("You") if seat == problem.seat else other_player(words, problem, seat) for seat in turns
    ]
    return tuple(
        words.gettext("%(name)s: %(card)s") % {"name": name, "card": act}
        for name, act in zip(names, said, strict=True)
    )


def address_of(problem: Problem, query: Mapping[str, str], step: int = 0) -> str:
    """The address of a problem at a step; it keeps what practice was asked for, so that the next is alike."""
    query = practice_query(query) | ({"step": str(step)} if step else {})
    return with_query(f"/learn/problem/{problem.id}", query)


def with_query(path: str, query: Mapping[str, str]) -> str:
    """An address with a query, if there is one."""
    return f"{path}?{urlencode(query)}" if query else path


def practice_query(query: Mapping[str, str]) -> dict[str, str]:
    """What of an address says which problems are wanted."""
    return {name: query[name][:20] for name in ("preset", "theme", "difficulty", "quick") if name in query}


def other_hand(view: View) -> CardSet:
    """The opponent's hand after the last draw, with two seats: cards that it has shown, and all that are unseen."""
    return CardSet(view.unseen.mask | sum(view.position.hands) & ~view.hand.mask)


def act_in_words(visit: Visit, act: Action) -> str:
    """An act in words, with its article."""
    return the_act(words_of(visit), act)


def ends_in_words(visit: Visit, seat: int, ends: Sequence[tuple[Action, State]]) -> str:
    """Why an act is right in an ending: the results of best play after it and after the second best."""
    gettext = words_of(visit).gettext
    said = [
        gettext("%(act)s, %(end)s")
        % {"act": act_in_words(visit, act), "end": end_in_words(visit, seat, state)}
        for act, state in ends
    ]
    return gettext("If both play on as well as they can: %(ends)s.") % {"ends": gettext("; ").join(said)}


def end_in_words(visit: Visit, seat: int, state: State) -> str:
    """A seat's result, with both counts if the partie is counted."""
    result = state.result
    if result is None:
        raise ValueError("a partie that is not over")
    got = outcome(0.5 if result.winner is None else float(result.winner == seat), visit.language)
    counts = f" ({result.points[seat]}–{result.points[1 - seat]})"
    return got + (counts if result.by in ("points", "nulle") else "")


def counsel_in_words(visit: Visit, act: Action, counsel: GivenAdvice) -> str:
    """Why an act is right with hidden cards; empty if the adviser prefers another."""
    return preference(words_of(visit), counsel) if counsel.best == token(act) else ""
