"""Paper in black and white: slips, call sheets, the ranking, diplomas, a poster, the newspaper's text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import Contest, Round, ranking
from chouine.contest.formula import read_match
from chouine.contest.views import is_final, room_of, to_come
from chouine.phrases import translations
from chouine.server.contest.marqueur import codes_of
from chouine.server.contest.palmares import prize_lines
from chouine.server.contest.request import DeskContext, round_of, stage_of
from chouine.server.contest.standing import (
    columns,
    day,
    has_bracket,
    printed_pieces,
    round_view,
    winners,
    won_final,
)
from chouine.server.pages.books import handbook_in
from chouine.server.pages.wording import FORMATS


async def slips(request: Request) -> Response:
    """A slip for each table: names, circles to cross for manches and parties, signatures, the code for phones.

    `table` in the address: the slip of that table alone.
    """
    asked = DeskContext.for_paper(request)
    round_, only = round_of(request, asked), request.query_params.get("table", "")
    return await asked.show(
        "slips.html",
        round=round_,
        tables=[table for table in round_.played if only in ("", str(table.number))],
        alone=asked.desk.alone,
        **slip_variables(asked, codes_of(asked.desk, round_) if asked.worker.may("results") else {}),
    )


def slip_variables(asked: DeskContext, codes: Mapping[int, tuple[str, str]]) -> dict[str, Any]:
    """What a slip's macro needs. `codes`: the phones' address and its picture, by table."""
    people = asked.store.people
    return {
        "codes": codes,
        "boards": range(1, asked.contest.formula.members + 1),
        "room_of": partial(room_of, asked.contest),
        "called": lambda number: people[number].name if number in people else asked.names[number],
        "villages": {number: person.village for number, person in people.items()},
    }


async def by_hand(request: Request) -> Response:
    """What to do if the computer dies, with who is still in, and blank forms to go on by hand."""
    asked = DeskContext.for_paper(request)
    contest = asked.contest
    return await asked.show(
        "by_hand.html",
        copy=asked.store.copy,
        marks=[
            (number, [mark(round_, number) for round_ in contest.main])
            for number, entrant in contest.entrants.items()
            if not entrant.withdrawn
        ],
        columns=range(1, max(len(contest.main) + len(to_come(contest, "main")), 1) + 1),
        match=read_match(contest.formula.match_of("main", len(contest.main) + 1), contest.formula.seats),
        blank=(0,) * contest.formula.seats,
        **slip_variables(asked, {}),
    )


def mark(round_: Round, number: int) -> str:
    """`+` for an entry that goes on from a round, `-` for one that does not, empty before it is decided."""
    table = round_.table_of(number)
    if table is None or not table.decided:
        return ""
    return "+" if table.winner == number else "−"  # a minus sign


async def calls(request: Request) -> Response:
    """The call sheet by name and by table."""
    asked = DeskContext.for_paper(request)
    return await asked.show("calls.html", **round_view(asked.contest, round_of(request, asked), asked.names))


async def tree(request: Request) -> Response:
    """A tree from its first round to its winner, with blanks for rounds to come; a large one over several sheets."""
    asked, stage = DeskContext.for_paper(request), stage_of(request)
    found = columns(asked.contest, stage)
    bracket = has_bracket(asked.contest, stage, found)
    pieces = printed_pieces(found) if bracket else (found,) if found else ()
    return await asked.show("tree.html", stage=stage, bracket=bracket, pieces=pieces)


async def ranking_print(request: Request) -> Response:
    """The ranking (palmarès)."""
    asked = DeskContext.for_paper(request)
    prizes = prize_lines(asked)
    return await asked.show(
        "ranking.html", ranking=ranking(asked.contest), prizes=prizes, over=is_final(asked.contest)
    )


async def instructions(request: Request) -> Response:
    """One page for volunteers."""
    asked = DeskContext.of(request)
    return await asked.show("handbook.html", handbook=handbook_in(asked.language))


async def diplomas(request: Request) -> Response:
    """Diplomas, one a page, for each prize. The winner's has a frame for a photograph.

    There are none before the end; those who tie, until the club settles it, have one each.
    """
    asked = DeskContext.for_paper(request)
    lines = prize_lines(asked) if is_final(asked.contest) else []
    diplomas = [(one, words, name) for one, words, names in lines for name in names]
    return await asked.show(
        "diplomas.html", diplomas=diplomas, day=day(asked.contest.head.at, asked.language)
    )


LONGEST = 120
"""Longest text of a poster's line, in characters."""
FEW = 4
"""Most who are named where they share the first place."""


async def press(request: Request) -> Response:
    """A text of about 150 words on the contest, for the newspaper, with a picture; nothing before the end."""
    asked = DeskContext.for_paper(request)
    text = press_text(asked) if is_final(asked.contest) and asked.contest.main else []
    prizes = prize_lines(asked) if text else []
    return await asked.show("press.html", text=text, prizes=prizes)


def press_text(asked: DeskContext) -> list[str]:
    """The paragraphs before the list of prizes."""
    contest, words = asked.contest, translations(asked.language)
    gettext, ngettext = words.gettext, words.ngettext
    rounds = tuple(contest.all_rounds())
    played = [player for round_ in contest.main for player in round_.players]
    villages = {contest.entrants[player].details.village for player in played} - {0}
    told = {
        "title": contest.opened.title or gettext("Contest"),
        "day": day(contest.head.at, asked.language),
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
            "After a single round the first place is shared by %(winner)s.",
            "After %(rounds)s rounds, and %(tables)s matches in all, the first place is shared by %(winner)s.",
            len(contest.main),
        )
        if told["shared"]
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


def winner_told(asked: DeskContext, contest: Contest) -> dict[str, object]:
    """The winner, or those who share the first place, many by their number; of a final the opponent and the score."""
    names, final = asked.names, won_final(contest)
    if final is not None and final.score is not None:
        winner, score = final.players[final.score.winner], final.score.of_winner()
        return {"winner": names[winner], "opponent": names[final.losers[0]], "score": score, "shared": False}
    firsts, words = winners(contest), translations(asked.language)
    many = words.ngettext("%(num)s player", "%(num)s players", len(firsts)) % {"num": len(firsts)}
    listed = ", ".join(names[one] for one in firsts) if len(firsts) <= FEW else many
    return {"winner": listed, "opponent": "", "score": "", "shared": len(firsts) > 1}


async def poster(request: Request) -> Response:
    """A poster for the contest; what the contest does not know is typed into the page's form, or left to the pen."""
    asked = DeskContext.for_paper(request)
    given = {
        name: " ".join(request.query_params.get(name, "").split())[:LONGEST]
        for name in ("when", "where", "more")
    }
    formula = asked.contest.formula
    match = read_match(formula.matches[0], formula.seats)
    usual = FORMATS.get(str(match), "")
    return await asked.show("poster.html", given=given, match=match, usual=usual)
