"""Each feat of a partie: a line that earns it, and one that just misses it; and those of a match by its entries.

`lines.tsv` has a feat, `hit` or `miss`, the seat and the partie line. A miss is the nearest other case: a quarteron in
another suit, seven brisques, a win by three points, the same feat done by the other seat.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from chouine.cards import Card
from chouine.match import Match, Tirage
from chouine.match.score import Format
from chouine.notation.lines import read_state
from chouine.partie import Result
from chouine.rules.options import Rules
from chouine.server.standing.marks import OF_MATCH, OF_PARTIE, OwnPartie
from chouine.server.standing.tallies import FEATS, MatchTally, Tally, statistics_of

LINES = [line.split("\t") for line in (Path(__file__).parent / "lines.tsv").read_text().splitlines()]
TIRAGE = Tirage((Card("7s"), Card("As")))


@pytest.mark.parametrize(("name", "kind", "seat", "line"), LINES, ids=[f"{row[0]}-{row[1]}" for row in LINES])
def test_a_line_earns_a_feat_or_just_misses_it(name: str, kind: str, seat: str, line: str) -> None:
    assert OF_PARTIE[name](OwnPartie(read_state(line), int(seat))) is (kind == "hit")


def test_every_feat_of_a_partie_has_both_lines() -> None:
    assert {(row[0], row[1]) for row in LINES} == {
        (name, kind) for name in OF_PARTIE for kind in ("hit", "miss")
    }


def match_of(terms: str, *manches: str) -> Match:
    """A match in which these seats win the parties, a word a manche."""
    match = Match.new(Rules(), Format.parse(terms))
    for winners in manches:
        if match.needs_draw:
            match = match.draw_dealer(TIRAGE)
        for winner in map(int, winners):
            match = match.record(Result(winner, (70, 60) if winner == 0 else (60, 70), "points"))
    return match


@pytest.mark.parametrize(
    ("name", "earns", "misses"),
    [
        ("comeback", match_of("3x1", "11000"), match_of("3x1", "10100")),
        ("comeback", match_of("5x1", "111100000"), match_of("5x1", "111000100")),
        ("under", match_of("3x1", "000"), match_of("3x1", "1000")),
        ("under", match_of("3x2", "111", "000"), match_of("1x1", "0")),
        ("belle", match_of("3x2", "000", "111", "00110"), match_of("3x2", "000", "111", "11001")),
        ("belle", match_of("1x2", "0", "1", "0"), match_of("1x2", "0", "0")),
    ],
)
def test_feats_of_a_match(name: str, earns: Match, misses: Match) -> None:
    assert OF_MATCH[name](earns, 0)
    assert not OF_MATCH[name](misses, 0)


def counted_matches(*tallies: Tally) -> list[MatchTally]:
    return [MatchTally(f"t{nth}", float(nth), "", tally) for nth, tally in enumerate(tallies)]


def of_level(level: int, parties: str = "w", *, won: bool = True, helped: bool = False) -> Tally:
    return Tally(variant="classic", seat=0, level=level, parties=parties, won=won, helped=helped)


@pytest.mark.parametrize(
    ("name", "earns", "misses"),
    [
        ("strongest", [of_level(8)], [of_level(7)]),
        ("strongest", [of_level(8)], [of_level(8, helped=True)]),
        ("strongest", [of_level(8)], [of_level(8, "wl", won=False)]),
        ("valley", [of_level(n) for n in range(1, 9)], [of_level(n, helped=n == 3) for n in range(1, 9)]),
        ("streak", [of_level(1, "wwwww")] * 2, [of_level(1, "wwwww"), of_level(1, "wwwwlw")]),
        ("streak", [of_level(1, "w" * 10)], [of_level(1, "wwwwwnwwww")]),
        ("hundred", [of_level(1, "wlnlw")] * 20, [*[of_level(1, "wlnlw")] * 19, of_level(1, "wlnl")]),
    ],
)
def test_feats_of_several_matches(name: str, earns: list[Tally], misses: list[Tally]) -> None:
    assert name in statistics_of(counted_matches(*earns)).feats
    assert name not in statistics_of(counted_matches(*misses)).feats


def test_there_are_twenty_and_each_is_dated_by_its_first_time() -> None:
    assert len(FEATS) == len({*FEATS}) == 20
    first, again = (Tally(variant="classic", seat=0, feats={"der": number}) for number in (3, 1))
    earned = statistics_of(counted_matches(of_level(1), first, again)).feats["der"]
    assert (earned.table_id, earned.partie) == ("t1", 3)
