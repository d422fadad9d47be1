"""The end of a partie, of a manche and of the match, as the players read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chouine.partie import Figure, Shown, State
from chouine.server.pages.counting import counts_of
from chouine.server.pages.look import Look
from chouine.server.room import Phase
from chouine.server.room.state import Played


def outcome(look: Look) -> dict[str, Any]:
    """The last partie's count, the score it leads to, and what comes next."""
    room = look.room
    finished = room.played[-1] if room.played else None
    over = room.phase is Phase.OVER
    counted = finished is not None and finished.state.result is not None
    by = finished.state.result.by if finished and finished.state.result else ""
    return {
        "finished": finished if counted else None,
        "counts": counts_of(finished.state) if finished and by in ("points", "nulle") else (),
        "chouines": chouines_of(finished.state) if finished and by == "chouine" else (),
        "headline": headline(look, finished) if finished else "",
        "manche": manche_news(look),
        "over": over,
        "asked": sorted(room.ready) if over else [],
        "may_ask": [seat for seat in look.mine if over and not room.next_game and seat not in room.ready],
    }


def chouines_of(state: State) -> tuple[Shown, ...]:
    """The chouines laid open in the trick that ended the partie (§10)."""
    shown = (event for event in state.events if isinstance(event, Shown))
    return tuple(event for event in shown if event.declaration.figure is Figure.CHOUINE)


def headline(look: Look, finished: Played) -> str:
    """Who won the partie, and how."""
    _, result = look.words.gettext, finished.state.result
    if result is None:
        return ""
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
    return look.about(result.winner, *ways, points=highest_first(result.points))


def highest_first(figures: Iterable[int]) -> str:
    """Everyone's, the winner's first."""
    return " – ".join(map(str, sorted(figures, reverse=True)))


def manche_news(look: Look) -> tuple[str, ...]:
    """What the partie decided beyond itself (§13)."""
    match, _ = look.room.match, look.words.gettext
    played_out = match.winner is not None and match.manches[match.winner] == match.format.manches
    fresh_manche = bool(match.history) and match.partie == 1 and not any(match.score)
    news = manche_won(look) if played_out or fresh_manche else []
    if match.over:
        news.append(match_won(look))
    elif fresh_manche and match.belle:
        news.append(_("One manche each: the belle decides. All draw again for the deal."))
    return tuple(news)


def manche_won(look: Look) -> list[str]:
    """Who won the manche, and who passes under the table."""
    match, _ = look.room.match, look.words.gettext
    score = match.history[-1]
    won = _("You win the manche, %(score)s."), _("%(name)s wins the manche, %(score)s.")
    under = _("You pass under the table!"), _("%(name)s passes under the table!")
    return [
        look.about(score.index(max(score)), *won, score=highest_first(score)),
        *(look.about(seat, *under) for seat in match.sous_la_table),
    ]


def match_won(look: Look) -> str:
    """Who won the match."""
    match, _ = look.room.match, look.words.gettext
    if match.winner is None:
        return _("The match is over, and nobody wins it.")
    return look.about(match.winner, _("You win the match!"), _("%(name)s wins the match!"))
