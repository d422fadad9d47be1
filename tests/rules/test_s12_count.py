"""§12 End and count; results of parties stopped under §15 and §16."""

from __future__ import annotations

from collections import Counter

import pytest

from chouine.cards import Card, CardSet
from chouine.errors import IllegalAction
from chouine.partie import Declared, Ended, Result, State, Taken
from chouine.rules.play import DIX_DE_DER, total
from tests.lines import action, play, read
from tests.rules.table import marking_time, partie

JEAN_AND_CHARLES = (
    "classic b .Q87.AT.|.TK.Q7.9 As Ah9dJcJsTcQcJd9sAc7sTsKc9hJhKs7cKd8d8c8sQs : "
    "Td 9c Ad Qd Qh Kh 7d 7h Th 8h 9d Ah Js Jc Tc Qc+20c Jd 9s 7s Ac Kc Ts "
    "9h Jh 7c Ks+20s 8d Kd 8c 8s Qs As"
)
"""A partie with the piles of Proust's example: Jean is seat a, Charles seat b, spades are trumps."""
NULLE = (
    "classic b J.9.QJ8.|K..A.TK7 Kd 8sTdAh8cAsJcTh7hTsQsJh7dQhKh8hAc7s9s9cQc9d : 8d Tc Jd Ad Td 8s As Qd "
    "Jc Ks Js Ah Ts 7c Qh 7h Jh Qs 9h 9s 8c Ac Qc 9c 9d Kd 7s 7d Kh 8h Kc Th"
)


def piles(state: State) -> list[Counter[str]]:
    """The cards each seat has taken, by rank."""
    taken: list[Counter[str]] = [Counter() for _ in range(state.rules.seats)]
    for event in state.events:
        if isinstance(event, Taken):
            taken[event.seat].update(card.rank.letter for card in event.cards)
    return taken


def test_proust_s_example() -> None:
    """§12: Jean 57 + 20 + 10 = 87, Charles 63 + 40 = 103, from the piles in the source."""
    state = read(JEAN_AND_CHARLES)
    jean, charles = piles(state)
    assert jean == Counter({"7": 1, "8": 1, "9": 3, "J": 2, "Q": 2, "K": 1, "T": 1, "A": 3})
    assert charles == Counter({"7": 3, "8": 3, "9": 1, "J": 2, "Q": 2, "K": 3, "T": 3, "A": 1})
    declared = [(event.seat, event.counts) for event in state.events if isinstance(event, Declared)]
    assert declared == [(0, 20), (1, 40)]
    last = [event for event in state.events if isinstance(event, Taken)][-1]
    assert last.seat == 0
    assert [
        sum(Card(f"{rank}s").points * many for rank, many in pile.items()) for pile in (jean, charles)
    ] == [57, 63]
    assert state.result == Result(1, (57 + 20 + DIX_DE_DER, 63 + 40), "points")
    assert state.result.points == (87, 103)
    assert state.result.text == "0-1"


def test_over_when_all_cards_are_played() -> None:
    """§12: The partie ends with the last card, and no action is legal after it."""
    line = JEAN_AND_CHARLES
    assert read(line.rpartition(" ")[0]).result is None
    over = read(line)
    assert over.result is not None
    assert over.turn is None
    for seat in (0, 1):
        assert over.legal(seat) == over.view(seat).legal == ()
    for token in ("As", "7x", "Kh+20h"):
        with pytest.raises(IllegalAction) as refused:
            over.play(action(token))
        assert refused.value.code == "illegal/over"


@pytest.mark.parametrize(("rules", "seats"), [("classic", 2), ("three", 3), ("four", 4), ("mondoubleau", 2)])
def test_dix_de_der_goes_to_the_last_taker(rules: str, seats: int) -> None:
    """§12: The last trick scores ten."""
    turnup = "-" if rules == "mondoubleau" else "9d"
    state = partie(rules, "|" * (seats - 1), turnup)
    state = marking_time(state, state.rule_table.tricks)
    *others, last = [event for event in state.events if isinstance(event, Taken)]
    assert last.points == CardSet(last.cards).points + 10
    assert all(event.points == CardSet(event.cards).points for event in others)
    assert total(state.position, last.seat) >= 10


def test_nulle() -> None:
    """§12: At equal highest points nobody wins."""
    state = read(NULLE)
    assert state.result == Result(None, (65, 65), "nulle")
    assert state.result.text == "0-0"
    assert state.events[-1] == Ended(state.result)


def test_with_three_seats_two_may_share_the_top() -> None:
    """§12: If two of three share the highest points nobody wins; equal points below do not matter."""
    state = marking_time(partie("three", "||", "9d"), 10)
    for points, winner in (((50, 50, 30), None), ((20, 60, 20), 1), ((0, 0, 120), 2)):
        p = state.position._replace(points=(*points, 0), declared=(0, 0, 0, 0))
        result = Result.of_position(state.rules, state.rule_table, p)
        assert (result.winner, result.by) == (winner, "nulle" if winner is None else "points")
        assert result.text == {None: "0-0-0", 1: "0-1-0", 2: "0-0-1"}[winner]


def test_a_partie_not_over_has_no_result() -> None:
    """§12: The result of a running partie has its current points and no winner."""
    state = partie("classic", ".KQ..|", "9d", actions="Kh+20h")
    result = Result.of_position(state.rules, state.rule_table, state.position)
    assert (result.winner, result.points, result.by, result.text) == (None, (20, 0), "unfinished", "*")


def test_conceding() -> None:
    """§16: Conceding loses the partie, whoever is on turn."""
    state = play(partie("classic", ".KQ..|", "9d"), "Kh+20h")
    for seat in (0, 1):
        conceded = state.concede(seat)
        assert conceded.result == Result(1 - seat, (20, 0), "concede")
        assert conceded.events[-1] == Ended(conceded.result)
        assert conceded.view(0).result == conceded.result
        assert conceded.view(0).legal == ()
        assert conceded.view(0).turn is None
        with pytest.raises(IllegalAction) as refused:
            conceded.play(action("Qh"))
        assert refused.value.code == "illegal/over"


def test_what_is_over_cannot_be_conceded() -> None:
    """§16, §12: A finished or conceded partie cannot be conceded."""
    for over in (read(JEAN_AND_CHARLES), read(JEAN_AND_CHARLES[:100].rpartition(" ")[0]).concede(0)):
        with pytest.raises(IllegalAction) as refused:
            over.concede(1)
        assert refused.value.code == "illegal/over"


def test_conceding_with_three_seats() -> None:
    """§16: The best of the others wins by current points; none if they tie."""
    state = partie("three", ".KQ..||", "9d", actions="Kh+20h")
    assert state.concede(1).result == Result(0, (20, 0, 0), "concede")
    assert state.concede(0).result == Result(None, (20, 0, 0), "concede")


def test_a_second_fault_gives_the_partie_away() -> None:
    """§15: A second fault loses the partie, whatever the points."""
    state = partie("classic", ".KQ..|", "9d", actions="Kh+20h")
    result = Result.of_stop(state.rule_table, state.position, "fault", 0)
    assert (result.winner, result.by, result.text) == (1, "fault", "0-1")
