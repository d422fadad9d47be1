"""The table as one browser sees it: a page at first, then a frame for each change.

`docs/architecture.md` follows a card from one player's tap to the other's screen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from chouine.cards import Suit
from chouine.partie import Ended, Event, Taken
from chouine.server.pages.announcements import (
    SOUNDS_BESIDE,
    beside_play,
    decides,
    drawn_for_deal,
    feast_variables,
    sentences,
    sound,
    with_turn,
)
from chouine.server.pages.company import on_holiday
from chouine.server.pages.env import render, render_template, table_template
from chouine.server.pages.help import help_variables
from chouine.server.pages.opponents import away_sentence
from chouine.server.pages.outcome import outcome_variables
from chouine.server.pages.partie import (
    PHRASES,
    OwnSeat,
    SeatVariables,
    au_sept_variables,
    curtain_variables,
    exchange_text,
    hand,
    heading_variables,
    last_trick,
    pile_variables,
    prompt,
    status_facts,
    status_variables,
    stock_variables,
    trick,
)
from chouine.server.pages.render_context import RenderContext, Seating
from chouine.server.pages.visit import Visit
from chouine.table import LogEntry, Phase, Snapshot, TableState, Watcher
from chouine.table import entries as log


@dataclass(frozen=True, slots=True)
class Frame:
    """What one observer sees of the table at one moment."""

    html: str
    """The inside of `<main id="table">`."""
    hold: bool = False
    """Whether the frame stays long enough to be read: a complete trick, a tirage."""
    say: tuple[str, ...] = ()
    """Sentences for the live region."""
    sound: str = ""
    """Name of the sound to play; empty for none."""


class Viewer:
    """One browser that looks at one table from one seat.

    It keeps each fragment of the last frame with the variables it was made from, and renders it again only when they
    have changed. What it keeps was shown to this browser: the time a frame takes tells it nothing of another's hand.
    """

    def __init__(self, visit: Visit, table_id: str, observer: int | None) -> None:
        self.visit = visit
        self.table_id = table_id
        self.observer = observer
        self.watcher = Watcher(observer)
        self._seating: Seating | None = None
        self._fragments: dict[tuple[str, int], tuple[dict[str, Any], Markup]] = {}

    def page(self, table: TableState, notice: str = "", away: str = "", beside: str = "") -> str:
        """The whole page. `away`: who has left the table, in words; `beside`: what stands beside a slow one."""
        snapshot = self.watcher.snapshot(table)
        context = replace(self.context(snapshot), notice=notice, alone=True)
        own = context.observer if context.observer is not None else min(context.mine, default=None)
        return render(
            self.visit,
            "table/page.html",
            context.here,
            table_id=self.table_id,
            n=snapshot.n,
            observer=self.observer,
            form=context.form,
            own_seat=own,
            covered=context.covered,
            inside=Markup(self.board(context)),  # noqa: S704  # a template's own output
            waits=self.waits(context),
            phrases=PHRASES if heard(context) else {},
            tally=context.tally,
            recalls=context.recalls,
            people=context.with_others,
            away=away,
            beside=Markup(beside),  # noqa: S704  # a template's own output
            rated=table.rated,
            unaided=context.unaided,
        )

    def waits(self, context: RenderContext) -> bool:
        """Whether the page may change without its visitor: without a script it then reloads itself."""
        snapshot = context.snapshot
        asked = bool(snapshot.ready.intersection(context.mine)) and not snapshot.next_table
        return asked if snapshot.phase is Phase.OVER else context.acting is None

    def frame(self, table: TableState) -> Frame:
        """The frame of a state."""
        return Frame(self.board(self.context(self.watcher.snapshot(table))))

    def frames(self, before: TableState, entry: LogEntry, after: TableState) -> list[Frame]:
        """The frames of one log entry: one, or first one that is held for a while."""
        was = self.watcher.snapshot(before)
        now = self.watcher.snapshot(after)
        context = self.context(now)
        match entry:
            case log.Acted() | log.Conceded() | log.Forfeited() if was.board is not None and after.state:
                events = self.watcher.board(after.state).view.events
                return self.act(context, was, events[len(was.board.view.events) :])
            case log.Cut() | log.Ready() if now.board is not None:
                said = with_turn(context, sentences(context, context.board.view.events))
                return [Frame(self.board(context), say=said, sound="deal")]
            case log.Picked() if None not in after.picks:
                held = replace(context, snapshot=now._replace(held=True))
                return [Frame(self.board(held), hold=True, say=drawn_for_deal(context), sound="card")]
            case _:
                heard = SOUNDS_BESIDE.get(type(entry), "")
                return [Frame(self.board(context), say=beside_play(context, entry), sound=heard)]

    def act(self, context: RenderContext, was: Snapshot, events: tuple[Event, ...]) -> list[Frame]:
        """The frames of an act: a complete trick is held before it is taken, or before the count."""
        full = trick_full(events)
        if full is None or was.board is None:
            said = with_turn(context, sentences(context, events))
            return [Frame(self.board(context, events), say=said, sound=sound(context, events))]
        lying, rest = events[:full], events[full:]
        decided = (
            replace(was.help, advice=None) if was.help else None
        )  # it was on the act that completed the trick
        held = replace(
            self.context(was._replace(board=was.board.then(lying), help=decided, held=True)),
            taker=next((event.seat for event in rest if isinstance(event, Taken)), None),
        )
        said = with_turn(context, sentences(context, rest))
        return [
            Frame(self.board(held, lying), hold=True, say=sentences(held, lying), sound=sound(held, lying)),
            Frame(self.board(context, rest), say=said, sound=sound(context, rest)),
        ]

    def context(self, snapshot: Snapshot) -> RenderContext:
        """The context to render a snapshot."""
        if self._seating is None or self._seating.holders is not snapshot.holders:
            self._seating = Seating.of(self.visit, snapshot)
        return RenderContext(snapshot, self.visit, self.table_id, self._seating)

    def board(self, context: RenderContext, events: tuple[Event, ...] = ()) -> str:
        """The inside of `<main id="table">`; of these events it celebrates the most telling."""
        if context.snapshot.board is not None:
            template, variables = "partie", self.partie(context)
        else:
            template, variables_of = BETWEEN[context.snapshot.phase]
            variables = variables_of(context)
        surrounded = {
            "moment": Markup(render_part(context, template, variables)),  # noqa: S704  # a template's own output
            "across": context.across,
            "waits": bool(context.mine) and self.waits(context),
            "turn": context.acting is not None,
            "score": self.score(context),
            "status": self.fragment(context, "status", status_facts(context), worded=status_variables),
            "notice": context.notice,
            "banner": self.banner(context),
            "feast": self.feast(context, events),
            "breath": decides(context, events),
        }
        return render_part(context, "board", surrounded)

    def feast(self, context: RenderContext, events: tuple[Event, ...]) -> Markup | str:
        """The celebration of these events, if any."""
        feast = feast_variables(context, events)
        return self.fragment(context, "feast", {**feast, "suits": list(Suit)}) if feast else ""

    def score(self, context: RenderContext) -> Markup:
        """Parties and manches won."""
        match = context.snapshot.match
        return self.fragment(
            context, "score", {"labels": context.labels, "observer": context.observer, "match": match}
        )

    def banner(self, context: RenderContext) -> str:
        """A banner for what holds up play: a pause, a computer that does not answer."""
        snapshot = context.snapshot
        holidays = [
            on_holiday(context.words, context.names[seat], last, yours=seat == context.you)
            for seat, _, _, last in snapshot.holidays
        ]
        if not (snapshot.paused or snapshot.missing or snapshot.pausing or holidays):
            return ""
        absent = (
            away_sentence(context.words, snapshot.holders[min(snapshot.missing)]) if snapshot.missing else ""
        )
        variables = {
            "holidays": holidays,
            "paused": snapshot.paused,
            "form": context.form,
            "own_seat": min(context.mine, default=None),
            "away": absent,
            "by_all": len(snapshot.pausing) > 1,
            "asked": context.you in snapshot.pausing,
            "asks": context.names[min(snapshot.pausing)] if snapshot.pausing else "",
        }
        return self.fragment(context, "banner", variables)

    def partie(self, context: RenderContext) -> dict[str, Any]:
        """A partie in progress."""
        board, last, window = context.board, last_trick(context), au_sept_variables(context)
        helped = help_variables(context) if context.snapshot.help else None
        spectator = context.observer is None
        return {
            "others": [self.seat(context, place) for place in range(1, len(board.taken))],
            "nearest": self.seat(context, 0),
            "stock": self.fragment(context, "stock", stock_variables(context)),
            "trick": trick(context),
            "past": self.fragment(context, "past", last) if last else "",
            "exchanged": exchange_text(context),
            "au_sept": self.fragment(context, "au_sept", window) if window else "",
            "help": self.fragment(context, "help", helped) if helped else "",
            "told": self.fragment(context, "told", helped) if helped else "",
            "curtain": self.fragment(context, "curtain", curtain_variables(context))
            if context.curtain
            else "",
            "own": None if spectator or context.curtain else self.own(context),
        }

    def seat(self, context: RenderContext, place: int) -> SeatVariables:
        """The variables of the seat at this place, counted round the table from the bottom of the screen."""
        snapshot = context.snapshot
        seat = (context.bottom + place) % len(snapshot.holders)
        return SeatVariables(
            place=place,
            label=context.labels[seat],
            awaited=seat in snapshot.awaited and not snapshot.held,
            heading=self.fragment(context, "heading", heading_variables(context, seat), place),
            backs=context.pictures.backs[place][context.board.sizes[seat]],
            pile=self.fragment(context, "pile", pile_variables(context, seat), place),
        )

    def own(self, context: RenderContext) -> OwnSeat:
        """The observer's hand and what they may do with it."""
        snapshot = context.snapshot
        offered, form = context.offered, context.form
        to_play = context.your_turn and not snapshot.window
        return OwnSeat(
            to_play=to_play,
            prompt=prompt(context, to_play=to_play),
            action=f"{form.path}/act{form.query}",
            fields=self.fragment(context, "fields", {"form": form, "seat": context.bottom}),
            offers=self.fragment(context, "offers", offered) if offered else "",
            hand=hand(context),
            partie=len(snapshot.parties),
        )

    def fragment(
        self,
        context: RenderContext,
        template: str,
        variables: dict[str, Any],
        nth: int = 0,
        worded: Callable[[RenderContext, dict[str, Any]], dict[str, Any]] | None = None,
    ) -> Markup:
        """Render a template of `templates/table/`, or return the last result if its variables are equal.

        `worded` derives the template's variables from them where that is expensive.
        """
        known = self._fragments.get((template, nth))
        if known is not None and known[0] == variables:
            return known[1]
        values = worded(context, variables) if worded else variables
        html = Markup(render_part(context, template, values))  # noqa: S704  # a template's own output
        self._fragments[template, nth] = variables, html
        return html


def heard(context: RenderContext) -> bool:
    """Whether a person at another browser receives this browser's phrases: computers do not answer."""
    return any(
        holder.player == "person" and holder.guest != context.visit.guest
        for holder in context.snapshot.holders
    )


def render_part(context: RenderContext, template: str, variables: dict[str, Any]) -> str:
    """Render a template of `templates/table/` with this browser's words and cards."""
    page = table_template(context.visit.language, template)
    return render_template(page, {**variables, "words": context.words, "pictures": context.pictures})


def trick_full(events: tuple[Event, ...]) -> int | None:
    """The number of an act's events up to a complete trick; None if there is none.

    A trick that a chouine ends is complete, though nobody takes it (§10).
    """
    for nth, event in enumerate(events):
        if isinstance(event, Taken) or (isinstance(event, Ended) and event.result.by == "chouine"):
            return nth
    return None


def seating(context: RenderContext) -> dict[str, Any]:
    """The seated players and the empty seats."""
    empty = (holder.player == "person" and holder.guest is None for holder in context.snapshot.holders)
    return {"seats": list(zip(context.names, empty, strict=True))}


def tirage(context: RenderContext) -> dict[str, Any]:
    """The spread pack, or the cards just drawn from it."""
    picks = context.snapshot.picks
    return {
        "here": context.here,
        "form": context.form,
        "labels": context.labels,
        "drawn": None if None in picks else context.snapshot.tirage,
        "digest": context.snapshot.digest,
        "takers": {place: context.labels[seat] for seat, place in enumerate(picks) if place is not None},
        **acting(context),
    }


def cutting(context: RenderContext) -> dict[str, Any]:
    """The pack to be cut, with the tirage that chose the dealer if it was just made."""
    snapshot = context.snapshot
    first = not snapshot.parties or snapshot.match.partie == 1
    dealer = snapshot.match.dealer
    return {
        "here": context.here,
        "form": context.form,
        "labels": context.labels,
        "drawn": snapshot.tirage if first else None,
        "you_deal": dealer == context.you,
        "dealer": context.names[dealer] if dealer is not None else "",
        "digest": snapshot.digest,
        **acting(context),
    }


def acting(context: RenderContext) -> dict[str, Any]:
    """The seats for which this browser may act now, and those the table waits for."""
    seat = context.acting
    return {
        "acting": seat,
        "own": seat is not None and seat == context.you,
        "name": "" if seat is None else context.names[seat],
        "waits_for": context.others_awaited,
    }


BETWEEN = {
    Phase.SEATING: ("seating", seating),
    Phase.TIRAGE: ("tirage", tirage),
    Phase.CUT: ("cut", cutting),
    Phase.COUNT: ("count", outcome_variables),
    Phase.OVER: ("count", outcome_variables),
}
