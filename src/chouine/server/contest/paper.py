"""Paper: score slips four to an A4, call sheets, the ranking, diplomas. Black and white, by the browser's print."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from starlette.requests import Request
from starlette.responses import Response

from chouine.contest import Round, palmares
from chouine.contest.state import match_of
from chouine.contest.timing import to_come
from chouine.contest.views import is_final, room_of
from chouine.server.contest.closing import prize_lines
from chouine.server.contest.marqueur import codes_of
from chouine.server.contest.request import DeskRequest, round_of, stage_of
from chouine.server.contest.standing import day, round_view
from chouine.server.contest.tree import columns, has_bracket, printed_pieces
from chouine.server.pages.books import handbook_in


async def slips(request: Request) -> Response:
    """A slip for each table: names, circles to cross for manches and parties, signatures, the code for phones.

    `table` in the address: the slip of that table alone.
    """
    asked = DeskRequest.for_paper(request)
    round_, only = round_of(request, asked), request.query_params.get("table", "")
    return asked.page(
        "slips.html",
        round=round_,
        tables=[table for table in round_.played if only in ("", str(table.number))],
        alone=asked.desk.alone,
        **slip_variables(asked, codes_of(asked.desk, round_) if asked.worker.may("results") else {}),
    )


def slip_variables(asked: DeskRequest, codes: Mapping[int, tuple[str, str]]) -> dict[str, object]:
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
    asked = DeskRequest.for_paper(request)
    contest = asked.contest
    return asked.page(
        "by_hand.html",
        copy=asked.store.copy,
        marks=[
            (number, [mark(round_, number) for round_ in contest.main])
            for number, entrant in contest.entrants.items()
            if not entrant.withdrawn
        ],
        columns=range(1, max(len(contest.main) + len(to_come(contest, "main")), 1) + 1),
        match=match_of(contest.formula.match_of("main", len(contest.main) + 1), contest.formula),
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
    asked = DeskRequest.for_paper(request)
    return asked.page("calls.html", **round_view(asked.contest, round_of(request, asked), asked.names))


async def tree(request: Request) -> Response:
    """A tree from its first round to its winner, with blanks for rounds to come; a large one over several sheets."""
    asked, stage = DeskRequest.for_paper(request), stage_of(request)
    found = columns(asked.contest, stage)
    bracket = has_bracket(asked.contest, stage, found)
    pieces = printed_pieces(found) if bracket else (found,) if found else ()
    return asked.page("tree.html", stage=stage, bracket=bracket, pieces=pieces)


async def ranking_print(request: Request) -> Response:
    """The ranking (palmarès)."""
    asked = DeskRequest.for_paper(request)
    prizes = prize_lines(asked)
    return asked.page(
        "ranking.html", palmares=palmares(asked.contest), prizes=prizes, over=is_final(asked.contest)
    )


async def instructions(request: Request) -> Response:
    """One page for volunteers."""
    asked = DeskRequest.of(request)
    return asked.page("handbook.html", handbook=handbook_in(asked.visit.language))


async def diplomas(request: Request) -> Response:
    """Diplomas, one a page, for each prize. The winner's has a frame for a photograph.

    There are none before the end; those who tie, until the club settles it, have one each.
    """
    asked = DeskRequest.for_paper(request)
    lines = prize_lines(asked) if is_final(asked.contest) else []
    diplomas = [(one, words, name) for one, words, names in lines for name in names]
    return asked.page(
        "diplomas.html", diplomas=diplomas, day=day(asked.contest.head.at, asked.visit.language)
    )
