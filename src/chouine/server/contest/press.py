"""What the club tells others: a text for the newspaper, and a poster."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import Contest, palmares
from chouine.contest.state import match_of
from chouine.contest.views import is_final
from chouine.phrases import translations
from chouine.server.contest.closing import prize_lines
from chouine.server.contest.ending import won_final
from chouine.server.contest.request import DeskRequest
from chouine.server.contest.standing import day
from chouine.server.pages.wording import FORMATS

LONGEST = 120
"""Longest text of a poster's line, in characters."""


async def press(request: Request) -> Response:
    """A text of about 150 words on the contest, for the newspaper, with a picture; nothing before the end."""
    asked = DeskRequest.for_paper(request)
    text = press_text(asked) if is_final(asked.contest) and asked.contest.main else []
    prizes = prize_lines(asked) if text else []
    return asked.page("press.html", text=text, prizes=prizes)


def press_text(asked: DeskRequest) -> list[str]:
    """The paragraphs before the list of prizes."""
    contest, words = asked.contest, translations(asked.visit.language)
    gettext, ngettext = words.gettext, words.ngettext
    rounds = tuple(contest.all_rounds())
    played = [player for round_ in contest.main for player in round_.players]
    villages = {contest.entrants[player].details.village for player in played} - {0}
    told = {
        "title": contest.opened.title or gettext("Contest"),
        "day": day(contest.head.at, asked.visit.language),
        "players": len(set(played)) * contest.formula.members,
        "villages": len(villages),
        "rounds": len(contest.main),
        "tables": sum(len(round_.played) for round_ in rounds),
        **winner_told(asked, contest),
    }
    came = (
        gettext("%(title)s, %(day)s: %(players)s players from %(villages)s villages sat down to play.")
        if len(villages) > 1
        else gettext("%(title)s, %(day)s: %(players)s players sat down to play.")
    )
    ended = (
        ngettext(
            "After a single round, %(winner)s won the final against %(opponent)s, %(score)s.",
            "After %(rounds)s rounds, and %(tables)s matches in all, %(winner)s won the final against %(opponent)s, "
            "%(score)s.",
            len(contest.main),
        )
        if told["opponent"]
        else ngettext(
            "After a single round the first place goes to %(winner)s.",
            "After %(rounds)s rounds, and %(tables)s matches in all, the first place goes to %(winner)s.",
            len(contest.main),
        )
    )
    game = gettext(
        "La Chouine is the card game of the Loir valley: thirty-two cards, five in the hand, free play while the talon "
        "lasts, then five tricks of strict obligations, and declarations that turn a partie round at the last moment."
    )
    drawn = gettext(
        "Opponents were drawn by lot before everybody, from a card that the public cut: anybody can check that draw."
    )
    return [came % told, game, ended % told, *([drawn] if all(round_.card for round_ in rounds) else [])]


def winner_told(asked: DeskRequest, contest: Contest) -> dict[str, object]:
    """The winner; of a final also the opponent and the score."""
    names, final = asked.names, won_final(contest)
    if final is None or final.score is None:
        return {"winner": names[palmares(contest).ranking[0].number], "opponent": "", "score": ""}
    return {
        "winner": names[final.players[final.score.winner]],
        "opponent": names[final.losers[0]],
        "score": final.score.of_winner(),
    }


async def poster(request: Request) -> Response:
    """A poster for the contest; what the contest does not know is typed into the page's form, or left to the pen."""
    asked = DeskRequest.for_paper(request)
    given = {
        name: " ".join(request.query_params.get(name, "").split())[:LONGEST]
        for name in ("when", "where", "more")
    }
    formula = asked.contest.formula
    match = match_of(formula.matches[0], formula)
    usual = FORMATS.get(str(match), "")
    return asked.page("poster.html", given=given, match=match, usual=usual)
