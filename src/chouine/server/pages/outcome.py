"""The end of a partie, of a manche and of the match, as the players read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chouine.ai.levels import looks_back
from chouine.partie import Figure, Result, Shown, State
from chouine.phrases import score_of
from chouine.server.circle.known import others_to_challenge
from chouine.server.pages.opponents import easier
from chouine.server.pages.portraits import mood_after, portrait
from chouine.server.pages.render_context import RenderContext
from chouine.server.table_ids import contest_in
from chouine.table import Phase
from chouine.table.count import counts_of
from chouine.table.entries import DAILY, NOBODY


def outcome_variables(context: RenderContext) -> dict[str, Any]:
    """The last partie's count, the score it leads to, and what comes next."""
    snapshot = context.snapshot
    finished = snapshot.parties[-1] if snapshot.parties else None
    result = finished.result if finished else None
    over = snapshot.phase is Phase.OVER
    all_here = all(holder.guest != NOBODY for holder in snapshot.holders)
    may_ask = [
        seat
        for seat in context.mine
        if over and all_here and not snapshot.next_table and seat not in snapshot.ready
    ]
    return {
        "form": context.form,
        "labels": context.labels,
        "portraits": [
            portrait(holder, mood_after(result, seat)) for seat, holder in enumerate(snapshot.holders)
        ],
        "names": context.names,
        "you": context.you,
        "headline": headline(context, result) if result else "",
        "news": manche_news(context),
        "explained": snapshot.help is not None and snapshot.help.explained,
        "chouines": chouines_of(finished.state) if finished and result and result.by == "chouine" else (),
        "counts": counts_of(finished.state)
        if finished and result and result.by in ("points", "nulle")
        else (),
        "winner": result.winner if result else None,
        "over": over,
        "acting": context.acting,
        "alone": len(context.mine) == 1,
        "waits_for": context.others_awaited,
        "asked": sorted(snapshot.ready) if over else [],
        "may_ask": may_ask[0] if may_ask else None,
        "next_table": snapshot.next_table,
        "contest": contest_in(context.table_id),
        "daily": any(holder.player == DAILY for holder in snapshot.holders),
        "again": f"/match/{context.table_id}/challenge" if over and may_offer(context) else "",
        "easier": easier(context.visit, snapshot.holders, snapshot.match.winner) if over else None,
        "rules": str(snapshot.match.rules),
        "terms": str(snapshot.match.format),
        "luck": f"/match/{context.table_id}/review?seat={context.you}",
        "own_name": context.visit.name,
        "onward": over and not snapshot.ready.isdisjoint(context.mine),
        "reviewed": finished is not None and looks_back(finished.rules),
        "partie": f"/match/{context.table_id}/{len(snapshot.parties)}" if result else "",
    }


def may_offer(context: RenderContext) -> bool:
    """Whether this browser may offer the same people another match, to be played when they accept it."""
    others = others_to_challenge(context.snapshot.holders, context.visit.guest)
    return bool(others) and not context.snapshot.next_table and not context.visit.offline


def chouines_of(state: State) -> tuple[Shown, ...]:
    """The chouines laid open in the trick that ended the partie (§10)."""
    shown = (event for event in state.events if isinstance(event, Shown))
    return tuple(event for event in shown if event.declaration.figure is Figure.CHOUINE)


def headline(context: RenderContext, result: Result) -> str:
    """Who won the partie, and how."""
    _ = context.words.gettext
    if result.winner is None:
        return _("Nulle: nobody scores.") if result.by == "nulle" else _("Nobody wins this partie.")
    if result.by == "chouine" and result.manche:
        ways = _("Chouine! You win the whole manche."), _("Chouine! %(name)s wins the whole manche.")
    elif result.by == "chouine":
        ways = _("Chouine! You win the partie."), _("Chouine! %(name)s wins the partie.")
    elif result.by in ("concede", "forfeit"):
        ways = _("Given up: the partie is yours."), _("Given up: the partie goes to %(name)s.")
    else:
        ways = _("You win the partie, %(points)s."), _("%(name)s wins the partie, %(points)s.")
    return context.about(result.winner, *ways, points=highest_first(result.points))


def highest_first(figures: Iterable[int]) -> str:
    """Everyone's, the winner's first."""
    return score_of(sorted(figures, reverse=True))


def manche_news(context: RenderContext) -> tuple[str, ...]:
    """What the partie decided beyond itself (§13): nothing, where one partie is all that was agreed."""
    match, _ = context.snapshot.match, context.words.gettext
    if context.snapshot.deals:
        return deals_done(context)
    if match.format.parties == match.format.manches == 1 and match.winner is not None:
        return ()
    played_out = match.winner is not None and match.manches[match.winner] == match.format.manches
    fresh_manche = bool(match.history) and match.partie == 1 and not any(match.score)
    news = manche_won(context) if played_out or fresh_manche else []
    if match.over:
        news.append(match_won(context))
    elif fresh_manche and match.belle:
        news.append(_("One manche each: the belle decides. All draw again for the deal."))
    return tuple(news)


def deals_done(context: RenderContext) -> tuple[str, ...]:
    """At a table of a duplicate round: how many of its deals are still to come, or where they are compared."""
    played, words = len(context.snapshot.parties), context.words
    if context.snapshot.phase is Phase.OVER:
        return (
            words.gettext("The page of the contest compares the parties once all tables have played them."),
        )
    return (
        words.gettext("Partie %(nth)s of %(deals)s is played.")
        % {"nth": played, "deals": context.snapshot.deals},
    )


def manche_won(context: RenderContext) -> list[str]:
    """One sentence: the winner of the manche, and all who pass under the table."""
    match, words, _ = context.snapshot.match, context.words, context.words.gettext
    score = match.history[-1]
    won = _("You win the manche, %(score)s."), _("%(name)s wins the manche, %(score)s.")
    news = [context.about(score.index(max(score)), *won, score=highest_first(score))]
    under = () if match.format.parties == 1 else match.sous_la_table
    if context.you in under:
        news.append(_("You won no partie: you pass under the table!"))
    if others := [context.names[seat] for seat in under if seat != context.you]:
        ways = words.ngettext(
            "%(names)s won no partie: under the table!",
            "%(names)s won no partie: all pass under the table!",
            len(others),
        )
        news.append(ways % {"names": ", ".join(others)})
    return news


def match_won(context: RenderContext) -> str:
    """Who won the match."""
    match, _ = context.snapshot.match, context.words.gettext
    if match.winner is None:
        return _("The match is over, and nobody wins it.")
    return context.about(match.winner, _("You win the match!"), _("%(name)s wins the match!"))
