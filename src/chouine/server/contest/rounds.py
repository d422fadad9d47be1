"""Draws and rounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from chouine.cards import Card, Rank, Suit
from chouine.contest import (
    ActRefused,
    Called,
    Contest,
    ContestAct,
    Paired,
    Round,
    RoundDrawn,
    Swapped,
    Withdrew,
    add,
    draw,
)
from chouine.contest.draw import attempt
from chouine.contest.field import drawable_round, follows, sizes_of
from chouine.contest.formula import Stage
from chouine.contest.people import regroup
from chouine.contest.views import absent_entries, absentees, next_draw, skipping_entries
from chouine.notation.display import face
from chouine.notation.spoken import said_card
from chouine.phrases import card_name, the_card, translations
from chouine.server.contest.contest_store import now
from chouine.server.contest.hall import go, line, number
from chouine.server.contest.request import DeskContext, check_unchanged, round_of, stage_of
from chouine.server.contest.solver import cheapest_matching
from chouine.server.contest.standing import round_name, round_view, standing


async def home(request: Request) -> Response:
    """The desk's home page: the state of the contest and the next step."""
    asked = DeskContext.of(request)
    return await asked.show("home.html", **standing(asked.contest, now(), asked.language))


async def draw_round(request: Request) -> Response:
    """The draw of the next round: its digest to read out, the card cut in public, what will be drawn, then the draw."""
    asked, stage = DeskContext.of(request, "draw"), stage_of(request)
    if request.method == "POST":
        form = await asked.form()
        with asked.refusals():
            page = await make_draw(asked, form, stage)
            return page or go(f"/round/{stage}/{len(asked.contest.rounds(stage))}")
    pack = [[Card(8 * suit + rank) for rank in reversed(Rank)] for suit in Suit]
    language = asked.language
    suits = [[(card, face(card, language), card_name(card, language)) for card in suit] for suit in pack]
    return await asked.show("draw.html", suits=suits, **draw_view(asked, stage))


async def make_draw(asked: DeskContext, form: FormData, stage: Stage) -> Response | None:
    """Draw a round as a form asks; returns the page that says first what will be drawn."""
    check_not_drawn(asked, asked.contest, form, stage)
    card, leaving = cut_card(asked, form, stage), who_leaves(asked.contest, form, stage)
    answers = {name: str(value) for name, value in form.items() if name.startswith("plays-")}
    cut = "" if card is None else str(card)
    fields = {"card": cut, "seen": line(form, "seen"), **answers}
    told = draw_sentences(asked, stage, card, leaving)
    act = "none" if form.get("act") == "none" else "draw"
    page = await asked.ask(form, told, None, likely=False, act=act, **fields)
    if page is None:
        grouped = regroup(asked.store.people, asked.contest) if not asked.contest.main else []
        before: list[ContestAct] = [*grouped, *map(Withdrew, leaving)]
        for one in before:
            await asked.do(one)
        await asked.do(lambda contest: new_draw(asked, contest, form, stage, cut))
    return page


def cut_card(asked: DeskContext, form: FormData, stage: Stage) -> Card | None:
    """The card that a form names; None where none is cut, if the form says so or the round follows without a draw.

    Raises `CardUnclear`, and `ActRefused` if nothing was chosen.
    """
    text = line(form, "card") or line(form, "said")
    if form.get("act") == "none" or not is_by_chance(asked.contest, stage):
        return None
    if not text:
        raise ActRefused("contest/no-card")
    return said_card(text)


def who_leaves(contest: Contest, form: FormData, stage: Stage) -> list[int]:
    """Those who forfeited and do not play the consolante. Raises `ActRefused` unless the form says it of each."""
    answers = {one: form.get(f"plays-{one}") for one in (absentees(contest) if stage == "consolante" else ())}
    if not set(answers.values()) <= {"yes", "no"}:
        raise ActRefused("contest/say-forfeits")
    return [one for one, answer in answers.items() if answer == "no"]


def is_by_chance(contest: Contest, stage: Stage) -> bool:
    """Whether chance decides the next round, which in a tree and in poules follows from the rounds before."""
    return isinstance(next_draw(contest, stage), ActRefused) or follows(contest, stage) is None


def draw_sentences(asked: DeskContext, stage: Stage, card: Card | None, leaving: Sequence[int]) -> list[str]:
    """What a draw will do, as sentences. Raises `ActRefused` if no round can be drawn now."""
    contest, language = asked.contest, asked.language
    words = translations(language)
    for one in leaving:
        contest = add(contest, Withdrew(one), asked.worker.name, now())
    number, field = drawable_round(contest, stage)
    if not is_by_chance(contest, stage):
        first = words.gettext("%(round)s: the tables follow from the rounds before, without chance.")
    elif card is None:
        first = words.gettext("%(round)s: a draw without a card. Whoever knew the seed could foresee it.")
    else:
        first = words.gettext("%(round)s: the card cut is %(card)s.")
    cut = "" if card is None else the_card(card, language)
    told = [first % {"round": round_name(contest, language, stage, number), "card": cut}]
    sizes = sizes_of(contest, stage, number, len(field))
    counts = {"num": len(field), "tables": sum(size > 1 for size in sizes), "alone": sizes.count(1)}
    sentence = words.ngettext(
        "%(num)s entry. Tables: %(tables)s.", "%(num)s entries. Tables: %(tables)s.", len(field)
    )
    if stage == "main" and number == 1 and contest.formula.kind == "poules":
        sentence = words.ngettext(
            "%(num)s entry. Poules: %(tables)s.", "%(num)s entries. Poules: %(tables)s.", len(field)
        )
    told.append(sentence % counts)
    if counts["alone"]:
        told.append(words.gettext("Exempt: %(alone)s.") % counts)
    if stage == "main" and number == 1 and (away := absent_entries(contest)):
        names = ", ".join(asked.names[one] for one in away)
        told.append(words.gettext("Not here, and not drawn: %(names)s.") % {"names": names})
    if resting := who_skips(asked):
        told.append(resting)
    if leaving:
        names = ", ".join(asked.names[one] for one in leaving)
        told.append(words.gettext("Gone home, and not drawn: %(names)s.") % {"names": names})
    return told


def who_skips(asked: DeskContext) -> str:
    """Who skips the next round, as a sentence; empty if nobody does."""
    skip = skipping_entries(asked.contest)
    sentence = translations(asked.language).ngettext(
        "Skips this round: %(names)s.", "Skip this round: %(names)s.", len(skip)
    )
    return sentence % {"names": ", ".join(asked.names[one] for one in skip)} if skip else ""


def check_not_drawn(asked: DeskContext, contest: Contest, form: FormData, stage: Stage) -> None:
    """Raise `ActRefused` if another desk has drawn or undone a round meanwhile."""
    check_unchanged(asked, contest, form, lambda act: isinstance(act, RoundDrawn) and act.stage == stage)


def new_draw(asked: DeskContext, contest: Contest, form: FormData, stage: Stage, card: str) -> RoundDrawn:
    """Draw the next round. Raises `ActRefused` if another desk has drawn or undone a round meanwhile."""
    check_not_drawn(asked, contest, form, stage)
    return draw(contest, stage, asked.store.seed, card, solver=cheapest_matching)


def draw_view(asked: DeskContext, stage: Stage) -> dict[str, Any]:
    """The variables of the next draw, or the reason why nothing can be drawn."""
    found = next_draw(asked.contest, stage)
    number, reason = (0, asked.sentence(found)) if isinstance(found, ActRefused) else (found, "")
    return {
        "stage": stage,
        "number": number,
        "reason": reason,
        "by_chance": is_by_chance(asked.contest, stage),
        "again": number and attempt(asked.contest, stage, number) - 1,
        "present": sum(entrant.here for entrant in asked.contest.entrants.values()),
        "absent": absent_entries(asked.contest),
        "resting": who_skips(asked),
        "asked_about": absentees(asked.contest) if stage == "consolante" else (),
    }


async def round_page(request: Request) -> Response:
    """A round's call sheet; the referee may publish it, swap two entries or set a pair."""
    asked = DeskContext.of(request, "draw")
    shown = round_of(request, asked)
    if request.method == "POST":
        form = await asked.form()
        with asked.refusals():
            await asked.do(lambda contest: round_act(asked, contest, form, shown))
        shown = round_of(request, asked)
    by_name = request.query_params.get("by") == "name"
    view = round_view(asked.contest, shown, asked.names)
    card = the_card(Card(shown.card), asked.language) if shown.card else ""
    return await asked.show("round.html", by_name=by_name, card=card, **view)


def round_act(asked: DeskContext, contest: Contest, form: FormData, round_: Round) -> ContestAct:
    """The act of a round's form. Raises `ActRefused` for a change without a reason, or after a conflicting one."""
    if form.get("act") not in ("call", "swap", "pair"):
        raise HTTPException(400)
    changes = Called if form.get("act") == "call" else (RoundDrawn, Swapped, Paired)
    check_unchanged(
        asked,
        contest,
        form,
        lambda act: isinstance(act, changes) and (act.stage, act.round) == (round_.stage, round_.number),
    )
    where, one, other = (round_.stage, round_.number), number(form, "one"), number(form, "other")
    if changes is Called:
        return Called(*where)
    if not line(form, "reason"):
        raise ActRefused("contest/no-reason")
    if not (one and other):
        raise ActRefused("contest/two-numbers")
    kind = Swapped if form.get("act") == "swap" else Paired
    return kind(*where, one, other, line(form, "reason"))
