"""Lessons as pages: the list, one step at a time, the counting trainer, and what the school prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import quote

from markdown_it import MarkdownIt
from markupsafe import Markup

from chouine.ai.levels import looks_ahead
from chouine.cards import PACK, Card
from chouine.notation.display import Narrator, arrange
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.events import Declared, Drawn, Event, Exchanged, Taken, taken_by
from chouine.partie.view import View
from chouine.phrases import N_, Language, capitalize
from chouine.phrases.typography import in_print
from chouine.rules.play import DIX_DE_DER
from chouine.school.exercises import (
    ActExercise,
    AnswerVerdict,
    CountExercise,
    Legal,
    LessonStep,
    Takes,
    worth,
)
from chouine.school.guide import FRIEND, LEARNER, Moment
from chouine.school.lessons import Lesson, lessons
from chouine.school.trainer import Pile
from chouine.server.counting import MEDALS, SHOWN, CountRecord, Records, kind_of, medal_for, record_of
from chouine.server.pages.books import rules_address
from chouine.server.pages.cards import card_back, face, sign
from chouine.server.pages.env import render
from chouine.server.pages.help import reason
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of

STAGES = (
    (N_("Discover"), Card("7h")),
    (N_("Declare"), Card("Jh")),
    (N_("Play well"), Card("Th")),
    (N_("Around the game"), Card("Ah")),
)
"""The stages of the school, and the card that is the medal of each."""
STAGE = 4
"""Lessons in a stage."""
NAME = "Lucien"
"""The friendly player of the lessons."""


def lessons_page(visit: Visit, done: Collection[str], course: str) -> str:
    """The list of lessons; `done` names those that the visitor has finished, `course` is where the guided partie is."""
    following = next((lesson.name for lesson in lessons() if lesson.name not in done), None)
    return render(
        visit,
        "school/lessons.html",
        here="/learn",
        stages=[
            (title, medal, part, all(one.name in done for one in part))
            for (title, medal), part in zip(STAGES, parts(), strict=True)
        ],
        face=face,
        words=words_of(visit),
        done=done,
        following=following,
        course=course,
        reviewed=looks_ahead(),
        prints=PRINTS,
    )


def parts() -> list[tuple[Lesson, ...]]:
    """The lessons of each stage; the last stage has the rest."""
    starts = range(0, STAGE * len(STAGES), STAGE)
    return [lessons()[start : start + STAGE if start < starts[-1] else None] for start in starts]


def lesson_page(
    visit: Visit,
    lesson: Lesson,
    number: int,
    verdict: AnswerVerdict | None = None,
    answer: Sequence[str] = (),
) -> str:
    """One step of a lesson, from 1, with the verdict on the answer given, if any."""
    step = lesson.steps[number - 1]
    address = f"/learn/{lesson.name}"
    return render(
        visit,
        "school/lesson.html",
        here=f"{address}/{number}",
        address=address,
        lesson=lesson,
        number=number,
        step=step,
        kind=type(step).__name__.lower(),
        verdict=verdict,
        answer=answer,
        following=f"{address}/{number + 1}" if number < len(lesson.steps) else f"{address}/end",
        sections=[
            (name, rules_address(name.removeprefix("§"), f"{address}/{number}")) for name in step.practises
        ],
        acts=acts_of(visit, step),
        words=words_of(visit),
        face=face,
        sign=sign,
        arranged=arrange,
    )


class LessonOffer(NamedTuple):
    """An act offered besides laying a card."""

    token: str
    text: str
    card: Card | None = None
    """The card laid with a declaration."""


def acts_of(visit: Visit, step: LessonStep) -> list[LessonOffer]:
    """The acts that an exercise offers besides laying a card."""
    return offers_of(visit, step.board.acts) if isinstance(step, ActExercise) else []


def choice_of(visit: Visit, view: View) -> dict[str, Any]:
    """What a page needs to show a view in which one chooses an act."""
    return {
        "view": view,
        "offers": offers_of(visit, view.legal),
        "words": words_of(visit),
        "face": face,
        "back": card_back,
        "sign": sign,
        "arranged": arrange,
    }


def offers_of(visit: Visit, acts: Sequence[Action]) -> list[LessonOffer]:
    """The exchange and the declarations among these acts, most points first."""
    words, found = words_of(visit), list[LessonOffer]()
    if Exchange() in acts:
        exchange = words.gettext("Exchange the seven for the turnup")
        found.append(LessonOffer("7x", exchange))
    declared = [
        (act, act.declaration) for act in acts if isinstance(act, Play) and act.declaration is not None
    ]
    for act, declaration in sorted(declared, key=lambda one: -one[1].value):
        found.append(LessonOffer(str(act), capitalize(words.declaration(declaration)), act.card))
    return found


def end_page(visit: Visit, lesson: Lesson, done: Collection[str]) -> str:
    """The page at a lesson's end: what the learner can do now, the medal of a complete stage, the next lesson."""
    names = [one.name for one in lessons()]
    place = names.index(lesson.name) + 1
    following = lessons()[place] if place < len(names) else None
    (_, medal), part = next(one for one in zip(STAGES, parts(), strict=True) if lesson in one[1])
    return render(
        visit,
        "school/end.html",
        here=f"/learn/{lesson.name}/end",
        lesson=lesson,
        following=following,
        medal=medal if all(one.name in done for one in part) else None,
        face=face,
        words=words_of(visit),
    )


CLOCKS = {"": N_("No clock"), "calm": N_("Calm"), "quick": N_("Quick")}
"""The clocks of the counting trainer, as they are offered."""


class CountLine(NamedTuple):
    """A line of a count, with the cards that it counts."""

    label: str
    cards: tuple[Card, ...]
    points: int


def count_address(brisques: bool, clock: str) -> str:  # noqa: FBT001
    """Where a new pile is shown, to be counted by this clock."""
    wishes = [*([] if brisques else ["full=1"]), *([f"clock={clock}"] if clock else [])]
    return "/learn/count" + ("?" + "&".join(wishes) if wishes else "")


def lines_of(visit: Visit, pile: Pile) -> list[CountLine]:
    """The count of a pile line by line, dix de der last (§12)."""
    words = words_of(visit)
    brisques = tuple(card for card in pile.cards if card.brisque)
    heads = tuple(card for card in pile.cards if card.points and not card.brisque)
    counted = [(words.ngettext("%(num)s brisque", "%(num)s brisques", len(brisques)), brisques)]
    if not pile.brisques:
        counted.append((words.ngettext("%(num)s court card", "%(num)s court cards", len(heads)), heads))
    lines = [
        CountLine(label % {"num": len(cards)}, cards, sum(card.points for card in cards))
        for label, cards in counted
    ]
    lines += [
        CountLine(capitalize(words.declaration(said)), (), worth(said, pile.trump)) for said in pile.said
    ]
    if pile.last:
        lines.append(CountLine(words.gettext("Dix de der"), (), DIX_DE_DER))
    return [*lines, CountLine(words.gettext("Total"), (), pile.exercise.right)]


def trainer_page(
    visit: Visit,
    pile: Pile,
    clock: str,
    records: Records,
    verdict: AnswerVerdict | None = None,
    before: CountRecord | None = None,
    refused: str = "",
) -> str:
    """The counting trainer: a pile of tricks, its declarations, and the question; then the count, line by line.

    `before` is the record before the answer; `refused`: why an answer was no number.
    """
    record = record_of(records, kind_of(pile.brisques, clock))
    won = before is not None and medal_for(record.best) != medal_for(before.best)
    shown = SHOWN[clock][0 if pile.brisques else 1] if clock else 0
    return render(
        visit,
        "school/trainer.html",
        here=f"/learn/count?{pile.query}",
        pile=pile,
        verdict=verdict,
        refused=refused,
        lines=lines_of(visit, pile) if verdict else [],
        clock=clock,
        shown=shown,
        clocks=[
            (name, text, SHOWN[name][0 if pile.brisques else 1] if name else 0)
            for name, text in CLOCKS.items()
        ],
        address=partial(count_address, pile.brisques),
        record=record,
        counts=verdict is not None and record != before,
        medal=medal_for(record.best) if won else None,
        medals=MEDALS,
        records=[
            (text, found, medal_for(found.best))
            for name, text in CLOCKS.items()
            if (found := record_of(records, kind_of(pile.brisques, name))).pile >= 0 or found.best
        ],
        words=words_of(visit),
        face=face,
        sign=sign,
    )


def memo_page(visit: Visit) -> str:
    """The rules, the values and the vocabulary on one A4."""
    return render(visit, "school/sheet.html", here="/learn/sheet", face=face, words=words_of(visit))


def guide_page(visit: Visit, now: Moment, warned: str = "", refused: str = "", act: str = "") -> str:
    """The guided partie. `warned`: a warning before `act` is played; `refused`: why an act is illegal."""
    view, narrator = now.view, narrator_of(visit)
    return render(
        visit,
        "school/guide.html",
        here=guide_address(now.acts),
        now=now,
        **choice_of(visit, view),
        zones={note.zone for note in now.notes},
        trick=last_trick(visit, now),
        counts=count_lines(visit, now),
        happened=[sentence for event in now.happened if (sentence := event_sentence(narrator, event))],
        allowed={action.card for action in view.legal if isinstance(action, Play)},
        passing=view.turn != LEARNER and not view.result,
        backs=len(view.held(FRIEND)),
        warned=warned,
        refused=refused,
        act=act,
    )


class LastTrick(NamedTuple):
    """The trick taken since the learner last acted, with its cards by place and the reason why it was taken."""

    cards: tuple[tuple[str, Card], ...]
    why: str


def last_trick(visit: Visit, now: Moment) -> LastTrick | None:
    """The last trick with the cards in the order laid; None if it is incomplete."""
    taken = next((event for event in reversed(now.happened) if isinstance(event, Taken)), None)
    if taken is None or now.view.trump is None:
        return None
    words, narrator = words_of(visit), narrator_of(visit)
    seats = [taken.leader, 1 - taken.leader]
    card = taken.cards[seats.index(taken.seat)]
    why = words.gettext(reason(taken.cards, card, now.view.trump)) % {"card": words.the(card)}
    return LastTrick(
        tuple((narrator.names[seat], laid) for seat, laid in zip(seats, taken.cards, strict=True)),
        f"{narrator.tell_count(taken)} {capitalize(why)}.",
    )


def count_lines(visit: Visit, now: Moment) -> list[str]:
    """Both counts, once all cards are played (§12); nothing before that, or after a chouine."""
    result, gettext = now.view.result, words_of(visit).gettext
    if result is None or result.by not in ("points", "nulle"):
        return []
    last = [event for event in now.view.events if isinstance(event, Taken)][-1]
    taken, lines = taken_by(now.view.events, 2), []
    for seat, who in ((LEARNER, gettext("You")), (FRIEND, NAME)):
        worth = Counter(card.points for card in taken[seat] if card.points)
        said = sum(
            event.counts for event in now.view.events if isinstance(event, Declared) and event.seat == seat
        )
        der = DIX_DE_DER if last.seat == seat else 0
        lines.append(
            gettext(
                "%(who)s: %(cards)s for cards (%(values)s) + %(said)s declared + %(der)s for the last trick = %(sum)s"
            )
            % {
                "who": who,
                "cards": result.points[seat] - said - der,
                "values": " + ".join(
                    f"{worth[each]}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{each}"
                    for each in sorted(worth, reverse=True)
                )
                or "0",
                "said": said,
                "der": der,
                "sum": result.points[seat],
            }
        )
    return lines


def guide_address(acts: Sequence[str]) -> str:
    """The address at which the guided partie continues after these acts."""
    return "/learn/partie" + (f"?acts={quote(','.join(acts), safe=',')}" if acts else "")


def narrator_of(visit: Visit) -> Narrator:
    """The narrator of the guided partie, for the learner at seat a."""
    return Narrator((words_of(visit).gettext("You"), NAME), LEARNER, visit.edition)


def event_sentence(narrator: Narrator, event: Event) -> str:
    """The sentence for a declaration, an exchange or the learner's draw; None for events that the page shows."""
    match event:
        case Declared():
            return narrator.tell_count(event)
        case Exchanged():
            return narrator.sentence(event)
        case Drawn(seat=seat) if seat == LEARNER:
            return narrator.sentence(event)
        case _:
            return ""


PRINTS = {
    "page": (N_("The rules in large letters"), N_("One A4 in 14 point")),
    "booklet": (
        N_("The booklet in large letters"),
        N_("Four pages in 14 point, with an example of the count"),
    ),
    "exercises": (
        N_("Exercises on paper"),
        N_("Who takes, what may be played, how many points; the answers at the end"),
    ),
    "cards": (N_("Cards to cut out"), N_("The whole pack, on four pages of thick paper")),
    "score": (N_("A blank score sheet"), N_("For a match of three manches")),
    "diploma": (N_("The diploma of the school"), N_("For whoever has finished the lessons")),
}
"""What can be printed, by its name in addresses: its title, and what it is."""
DRILLED = 8
"""The first lessons, whose exercises are printed: later ones are about matches and other numbers of players."""


def print_page(visit: Visit, name: str) -> str:
    """A page to print, one of `PRINTS`."""
    drilled = [step for lesson in lessons()[:DRILLED] for step in lesson.steps]
    return render(
        visit,
        "school/print.html",
        here=f"/learn/print/{name}",
        name=name,
        title=PRINTS[name][0],
        text=large_text(name, visit.language) if name in ("page", "booklet") else "",
        exercises=[step for step in drilled if isinstance(step, Takes | Legal | CountExercise)],
        pack=PACK[::-1],
        words=words_of(visit),
        face=face,
        sign=sign,
    )


@cache
def large_text(name: str, language: Language) -> Markup:
    """A text for large letters, from its Markdown; each heading of level 1 begins a page."""
    file = files("chouine.school") / "content" / "prints" / f"{name}-{language}.md"
    text = file.read_text(encoding="utf-8")
    reader = MarkdownIt("commonmark").enable("table")
    return Markup(reader.render(in_print(text, language)))  # noqa: S704  # our own text
