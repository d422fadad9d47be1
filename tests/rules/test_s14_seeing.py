"""§14 Visibility of cards."""

from __future__ import annotations

from chouine.cards import Card, CardSet, Suit
from chouine.partie import AllowedView, Played, SeenHand
from chouine.rules.position import UNKNOWN
from tests.lines import play
from tests.rules.table import marking_time, partie


def test_own_hand_turnup_and_the_number_of_cards_left() -> None:
    """§14: A view hides the opponent's hand and the talon."""
    view = partie("classic", "Q7.97..8|.K.A97.7", "Jd").view(0)
    assert view.hand == CardSet("Q7.97..8")
    assert view.held(1) == SeenHand(CardSet(), 5)
    assert (view.turnup, view.trump, view.talon) == (Card("Jd"), Suit.DIAMONDS, 22)
    assert set(view.deal.talon) == {None}
    assert view.points == (0, 0)
    assert len(view.unseen) == 32 - 5 - 1


def test_a_spectator_sees_what_lies_open() -> None:
    """§14: A spectator's view has public cards and declarations only."""
    view = partie("classic", ".KQ..|", "9d", actions="Kh+20h").view(None)
    assert view.hand == CardSet()
    assert view.legal == ()
    assert view.table == (Played(0, Card("Kh")),)
    assert [said.declaration for said in view.said] == [34]
    assert AllowedView.of(view).own_points is None
    assert AllowedView.of(view).own_tricks == ()


def test_own_draws_are_seen_others_are_not() -> None:
    """§14: Other seats' draws are hidden, except the turnup."""
    state = partie("classic", "A8...|9...", "Kd", drawn="Ts Td", actions="As 9s")
    assert Card("Ts") in state.view(0).hand
    assert state.view(0).deal.talon[:2] == (Card("Ts"), None)
    assert state.view(1).deal.talon[:2] == (None, Card("Td"))
    assert state.view(None).deal.talon[:2] == (None, None)
    end = marking_time(state, 11)
    loser = 1 - (end.turn or 0)
    assert Card("Kd") in CardSet(end.view(1 - loser).position.hands[loser])


def test_with_the_talon_empty_a_player_who_remembers_knows_the_other_hand() -> None:
    """§14: The unseen cards of a view with an empty talon are the opponent's hand."""
    state = marking_time(partie("classic", "|", "9d"), 11)
    assert state.view(0).unseen | CardSet(state.view(0).position.hands[1]) == state.view(1).hand


def test_an_opponent_s_tricks_but_the_last_are_hidden_on_a_screen() -> None:
    """§14 (P): A screen shows one's own tricks at any time, of an opponent's only the last."""
    state = partie("classic", "ATK..A.|98...", "Kd", drawn="7s 7c 7h 8c", actions="As 9s Ts 8s Ks 7c Ad 8c")
    mine, theirs = AllowedView.of(state.view(0)), AllowedView.of(state.view(1))
    assert len(mine.own_tricks) == 4
    assert mine.last_tricks[1] is None
    assert theirs.own_tricks == ()
    assert theirs.last_tricks[0] is not None
    assert theirs.last_tricks[0].cards == (Card("Ad"), Card("8c"))
    assert not hasattr(theirs, "tricks")


def test_a_screen_shows_declared_points_and_one_s_own() -> None:
    """§14: A screen shows declared points and one's own card points; the opponent's have to be remembered."""
    state = partie("classic", ".KQ..A|...98", "Kd", actions="Kh+20h 8c Ac 9c")
    seen = AllowedView.of(state.view(1))
    assert seen.declared == (20, 0)
    assert seen.own_points == 0
    assert AllowedView.of(state.view(0)).own_points == 20 + 4 + 11
    assert state.view(1).points == (35, 0)
    assert (seen.turn, seen.turnup, seen.talon, seen.trump) == (0, Card("Kd"), 18, Suit.DIAMONDS)
    assert (seen.hand, seen.legal, seen.table, len(seen.said)) == (state.view(1).hand, (), (), 1)


def test_hands_are_sorted_by_suit() -> None:
    """§14 (P's advice): Cards of a set are in suit order, strongest first; alternating colours is left to screens."""
    assert [str(card) for card in CardSet("7A.T.K.Q")] == ["As", "7s", "Th", "Kd", "Qc"]


def test_what_is_unknown_adds_nothing() -> None:
    """§14: A view's position contains known cards only."""
    state = play(partie("classic", "A8...|9...", "Kd"), "As 9s")
    hands = state.view(None).position.hands
    assert hands == (0, 0, 0, 0)
    assert UNKNOWN == 32
