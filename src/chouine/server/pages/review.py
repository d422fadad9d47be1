"""Pages of a partie's review: win probability along it, mistakes and better acts, luck and skill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chouine.ai.explanations import act, difference, localized_number, percent, sign
from chouine.ai.levels import looks_ahead, looks_back
from chouine.cards import Card
from chouine.notation.lines import actions_of
from chouine.notation.tokens import PASS, read_act
from chouine.partie.actions import Action, Exchange, Play
from chouine.partie.view import View
from chouine.phrases import Language, say
from chouine.school.review import (
    Account,
    Judgement,
    Review,
    accounts,
    accounts_of,
    mistakes_of,
    moments,
    reason_sentence,
)
from chouine.server.pages.cards import face
from chouine.server.pages.env import render
from chouine.server.pages.match import ShownNames, names_shown
from chouine.server.pages.school import choice_of
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.table import Phase, TableState

WIDTH, HEIGHT = 640, 300
"""Size of the graph in SVG units."""
LEFT, RIGHT, TOP, BOTTOM = 102, 16, 20, 42
"""Its margins, which hold the labels."""


@dataclass(frozen=True, slots=True)
class DescribedMistake:
    """A mistake in words, with the cards to draw; or what the review, thinking longer, prefers to an act advised."""

    nth: int
    """The decision's number, which addresses its exercise."""
    trick: int
    who: str
    own: bool
    done: str
    done_card: Card | None
    best: str
    best_card: Card | None
    cost: str
    label: str
    why: str


@dataclass(frozen=True, slots=True)
class GraphPoint:
    """A decision of the chosen seat, for the graph and the table."""

    x: float
    before: float
    after: float
    """`before`, `after`: heights on the graph with the best act and with the one chosen."""
    trick: int
    done: str
    chance: str
    """Win probability with the best act."""
    cost: str
    """Cost of the act; empty if it was no mistake."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph of a seat's win probability along a partie."""

    points: tuple[GraphPoint, ...]
    end: tuple[float, float] | None
    """The result, as a point of the graph."""
    ended: str
    tricks: tuple[tuple[int, float], ...]
    """Number and position of every third trick."""
    levels: tuple[tuple[str, float], ...]
    """Horizontal lines, each with its label."""
    fair: float


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A row of the table of results: one part, for every seat."""

    kind: str
    shares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SecondTry:
    """An answer to the exercise and its verdict; empty for an illegal act."""

    token: str = ""
    right: bool = False
    win: float = 0.0


def review_page(
    visit: Visit,
    table_id: str,
    table: TableState,
    number: int,
    found: Review,
    seat: int,
) -> str:
    """The review of partie `number` so far, from a seat's point of view."""
    words, state = words_of(visit), table.played[number - 1].state
    who, result = names_shown(table, visit, words), state.result
    totals = accounts(state, result, found.found) if result and found.complete else []
    own, others, second_thoughts = (
        list[DescribedMistake](),
        list[DescribedMistake](),
        list[DescribedMistake](),
    )
    for nth, each in sorted(found.judged.items()):
        if each.label:
            (own if each.seat == seat else others).append(mistake_in_words(visit.language, who, nth, each))
        elif each.second_thought and each.seat == seat:
            second_thoughts.append(mistake_in_words(visit.language, who, nth, each))
    worst = moments(found.found, seat)
    address = f"/match/{table_id}/{number}"
    return render(
        visit,
        "review.html",
        here=f"{address}/review?seat={seat}",
        address=address,
        table_id=table_id,
        number=number,
        result=result,
        **who._asdict(),
        seat=seat,
        possible=looks_back(state.rules),
        in_full=looks_ahead(),
        over=table.phase is Phase.OVER,
        found=found,
        graph=graph_of(visit, table, number, found, seat),
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        bottom=HEIGHT - BOTTOM,
        own=own,
        others=others,
        second_thoughts=second_thoughts,
        worst=[nth for nth, each in found.judged.items() if each in worst],
        rows=rows_of(totals, visit.language) if totals and totals[0].luck is not None else [],
        played_out=not totals or totals[0].luck is not None,
        words=words,
        face=face,
    )


def mistake_in_words(language: Language, who: ShownNames, nth: int, judged: Judgement) -> DescribedMistake:
    """A mistake found so far."""
    done, best = read_act(judged.done), read_act(judged.best)
    return DescribedMistake(
        nth,
        judged.trick,
        who.labels[judged.seat],
        judged.seat == who.you,
        act(done, language),
        card_of(done),
        act(best, language),
        card_of(best),
        difference(-judged.cost, language),
        say(f"review/{judged.label}", language) if judged.label else "",
        reason_sentence(judged, language),
    )


def card_of(action: Action | None) -> Card | None:
    """The card of an act; None for a pass or an exchange."""
    return action.card if isinstance(action, Play) else None


def graph_of(visit: Visit, table: TableState, number: int, found: Review, seat: int) -> Graph:
    """The graph of a seat: its win probability at each decision, as far as it could know, and the result."""
    state, seats = table.played[number - 1].state, len(table.holders)
    many, language = len(list(actions_of(state.events))) + 1, visit.language
    own = [each for each in found.found if each.seat == seat]
    result = state.result
    got = None
    if result is not None and result.by != "misdeal":
        got = 1 / seats if result.winner is None else float(result.winner == seat)
    return Graph(
        points=tuple(
            GraphPoint(
                x_on_graph(each.number, many),
                height(each.before if each.cost else each.after),
                height(each.after),
                each.trick,
                act(read_act(each.done), language),
                whole_percent(each.before if each.cost else each.after, language),
                difference(-each.cost, language) if each.label else "",
            )
            for each in own
        ),
        end=None if got is None else (x_on_graph(many, many), height(got)),
        ended="" if got is None else whole_percent(got, language),
        tricks=tuple((trick, x_on_graph(begun, many)) for trick, begun in tricks_of(state.events, seats)),
        levels=tuple((whole_percent(share, language), height(share)) for share in (1.0, 0.5, 0.0)),
        fair=height(1 / seats),
    )


def tricks_of(events: Sequence[object], seats: int) -> list[tuple[int, int]]:
    """Every third trick with the number of its first act."""
    laid, begun = 0, []
    for nth, action in enumerate(actions_of(events), 1):  # type: ignore[arg-type]
        if not isinstance(action, Exchange):
            if laid % seats == 0 and (laid // seats) % 3 == 0:
                begun.append((laid // seats + 1, nth))
            laid += 1
    return begun


def x_on_graph(number: int, many: int) -> float:
    """An act's horizontal position on the graph."""
    return round(LEFT + (WIDTH - LEFT - RIGHT) * number / many, 1)


def height(share: float) -> float:
    """A probability's height on the graph."""
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - share), 1)


def whole_percent(share: float, language: Language) -> str:
    """`62 %`."""
    return f"{100 * share:.0f}{sign(language)}"


def rows_of(totals: Sequence[Account], language: Language) -> list[ShareRow]:
    """The rows of the result as a sum, rounded so that they add up."""
    parts = [account_figures(each) for each in totals]
    plain = ("fair", "result")
    return [
        ShareRow(
            kind,
            tuple((percent if kind in plain else difference)(part[kind], language) for part in parts),
        )
        for kind in parts[0]
    ]


def account_figures(account: Account) -> dict[str, float]:
    """The parts of a result in thousandths of a partie."""
    parts = {
        kind: round(getattr(account, kind) or 0.0, 3)
        for kind in ("fair", "mistakes", "others", "dealt", "drawn", "result")
    }
    luck = parts["result"] - parts["fair"] - parts["mistakes"] - parts["others"]
    rest = luck - parts["dealt"] - parts["drawn"]
    order = ("fair", "mistakes", "others", "luck", "dealt", "drawn", "rest", "result")
    parts |= {"luck": luck, "rest": rest}
    return {kind: parts[kind] for kind in order}


def exercise_page(
    visit: Visit,
    table_id: str,
    table: TableState,
    number: int,
    nth: int,
    judged: Judgement,
    view: View,
    answered: SecondTry | None,
    more: int,
) -> str:
    """The exercise page of a decision, as its seat saw it; `more` other exercises are due."""
    words, language = words_of(visit), visit.language
    who = names_shown(table, visit, words)
    seats = range(view.rules.seats)
    return render(
        visit,
        "review_exercise.html",
        here=f"/match/{table_id}/{number}/review/{nth}",
        address=f"/match/{table_id}/{number}",
        number=number,
        nth=nth,
        judged=judged,
        **who._asdict(),
        **choice_of(visit, view),
        me=judged.seat,
        others=[(who.names[seat], view.points[seat]) for seat in seats if seat != judged.seat],
        asked=judged.seat != view.turn,
        passing=PASS,
        mistake=mistake_in_words(language, who, nth, judged),
        answered=answered,
        more=more,
        act=act(read_act(answered.token), language) if answered and answered.token else "",
        win=whole_percent(answered.win, language) if answered else "",
        worth=whole_percent(judged.before, language),
    )


def match_review_page(visit: Visit, table_id: str, table: TableState, found: Sequence[Review]) -> str:
    """Every partie of a match, and what it adds up to."""
    words, language = words_of(visit), visit.language
    who = names_shown(table, visit, words)
    seat = (*table.held_by(visit.guest), 0)[0]
    parties = []
    for played, review in zip(table.played, found, strict=True):
        if review.complete:
            parties.append(accounts(played.state, played.result, review.found))
    lines = [
        (
            number,
            table.played[number - 1],
            review,
            len(mistakes_of(review.found, seat)),
            difference(-sum(each.cost for each in review.found if each.seat == seat), language),
        )
        for number, review in enumerate(found, 1)
    ]
    summed = accounts_of(parties)
    return render(
        visit,
        "review_match.html",
        here=f"/match/{table_id}/review",
        table_id=table_id,
        **who._asdict(),
        seat=seat,
        possible=looks_back(table.match.rules),
        lines=lines,
        done=sum(review.complete for review in found),
        counted=sum(all(each.luck is not None for each in partie) for partie in parties),
        rows=parties_of(summed, language),
        words=words,
    )


def parties_of(totals: Sequence[Account], language: Language) -> list[ShareRow]:
    """The sum over several parties, in parties."""
    parts = [in_hundredths(each) for each in totals]
    plain = ("fair", "result")

    def figure(kind: str, value: float) -> str:
        text = f"{value:.2f}" if kind in plain else f"{value + 0.0:+.2f}"
        return localized_number(text, language)

    return [
        ShareRow(kind, tuple(figure(kind, part[kind]) for part in parts))
        for kind in (parts[0] if parts else ())
    ]


def in_hundredths(account: Account) -> dict[str, float]:
    """The parts of a sum in hundredths of a partie, adding up as shown."""
    part = {kind: round(value, 2) for kind, value in account_figures(account).items()}
    part["luck"] = round(part["result"] - part["fair"] - part["mistakes"] - part["others"], 2)
    part["rest"] = round(part["luck"] - part["dealt"] - part["drawn"], 2)
    return part
