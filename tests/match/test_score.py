"""A match as its entries (§13), and the text form of its format."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import Card
from chouine.errors import NotationError
from chouine.match import Format, InvalidEntry, Match, Tirage
from chouine.match.score import Entry, check, entry_of
from chouine.partie.result import By, Result
from chouine.rules import Rules


@given(st.integers(1, 999), st.sampled_from([1, 2]))
def test_a_format_reads_what_it_writes(parties: int, manches: int) -> None:
    """§13"""
    form = Format(parties, manches)
    assert Format.parse(str(form)) == form


def test_one_manche_may_go_unsaid() -> None:
    """§13"""
    assert Format.parse("5") == Format(5, 1)
    assert str(Format(5, 1)) == "5x1"


@pytest.mark.parametrize(
    "text", ["", "0", "5x3", "5x0", "05x2", "5 x 2", "x2", "-1", "5x2x1", "٥", "1000", "5X2"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Format.parse(text)
    assert (caught.value.code, caught.value.line, caught.value.column) == ("syntax/format", 1, 1)
    assert "5x2" in str(caught.value)


@pytest.mark.parametrize(("parties", "manches"), [(0, 1), (-1, 2), (5, 0), (5, 3)])
def test_a_match_is_to_one_manche_or_two(parties: int, manches: int) -> None:
    """§13"""
    with pytest.raises(ValueError, match="§13"):
        Format(parties, manches)


CLASSIC = Rules.of_preset("classic")
THREE = Rules.of_preset("three")
FOUR = Rules.of_preset("four")
MISDEAL = Result(None, (0, 0), "misdeal")
NULLE = Result(None, (70, 70), "nulle")


def tirage(*cards: str) -> Tirage:
    return Tirage(tuple(map(Card, cards)))


def result_for(seat: int, seats: int = 2, by: By = "points", *, manche: bool = False) -> Result:
    return Result(seat, tuple(90 if seat == winner else 40 for winner in range(seats)), by, manche)


def match_after(match: Match, winners: str) -> Match:
    """The match after parties won by the named seats; `=` is a nulle."""
    seats = match.rules.seats
    for letter in winners:
        nulle = Result(None, (50,) * seats, "nulle")
        match = match.record(nulle if letter == "=" else result_for("abcd".index(letter), seats))
    return match


def new_match(text: str = "5x2", rules: Rules = CLASSIC) -> Match:
    """A match in which seat a drew the lowest card and the last seat the highest."""
    cards = ("7s", "Qs", "Ks", "As")
    return Match.new(rules, Format.parse(text)).draw_dealer(tirage(*cards[: rules.seats]))


def test_the_deal_is_drawn_for() -> None:
    """§13, §2"""
    match = Match.new(CLASSIC, Format(3, 2))
    assert match.needs_draw
    assert match.dealer is None
    tied = match.draw_dealer(tirage("7s", "7h"))
    assert tied.needs_draw
    assert tied.draw_dealer(tirage("9c", "Ks")).dealer == 0


def test_the_deal_alternates() -> None:
    """§13: The deal alternates, whoever wins."""
    match = new_match()
    dealers = [match.dealer]
    for winner in "abba":
        match = match_after(match, winner)
        dealers.append(match.dealer)
    assert dealers == [0, 1, 0, 1, 0]
    assert (match.manche, match.partie, match.score) == (1, 5, (2, 2))


def test_a_nulle_is_dealt_again_by_the_same_dealer() -> None:
    """§13, §12: A nulle scores for nobody, and the same seat deals another partie."""
    match = match_after(new_match(), "a=")
    assert (match.dealer, match.score, match.partie) == (1, (1, 0), 3)


def test_after_a_nulle_the_deal_may_move_on() -> None:
    """§12: With `tie=nobody` the deal moves on after a nulle."""
    match = new_match(rules=Rules.parse("classic;tie=nobody")).record(NULLE)
    assert (match.dealer, match.score) == (1, (0, 0))


def test_a_misdeal_changes_nothing() -> None:
    """§4: A misdeal changes nothing: the same dealer deals again."""
    match = match_after(new_match(), "a")
    after = match.record(MISDEAL)
    assert after.standing == match.standing
    assert after.entries != match.entries


@pytest.mark.parametrize("by", ["chouine", "concede", "forfeit", "fault"])
def test_a_partie_counts_one_however_won(by: By) -> None:
    """§10, §15, §16: A partie counts one, however it was won."""
    assert new_match().record(result_for(1, by=by)).score == (0, 1)


def test_a_manche_goes_to_the_first_with_its_parties() -> None:
    """§13: The example of the rule book: 3 to 0, then 2 to 3, then the belle."""
    match = match_after(new_match("3x2"), "aaa")
    assert (match.manches, match.score, match.manche, match.partie) == ((1, 0), (0, 0), 2, 1)
    assert match.sous_la_table == (1,)
    assert match.dealer == 1, "who drew the highest card"
    match = match_after(match, "babab")
    assert match.history == ((3, 0), (2, 3))
    assert match.manches == (1, 1)
    assert match.sous_la_table == ()
    assert match.belle
    assert match.needs_draw
    match = match.draw_dealer(tirage("Ad", "Ac")).draw_dealer(tirage("Ad", "7c"))
    assert match.dealer == 1
    match = match_after(match, "bbb")
    assert match.over
    assert match.winner == 1
    assert match.manches == (1, 2)
    assert match.sous_la_table == (0,)


@pytest.mark.parametrize("winners", ["a", "ba", "bba", "abba"])
def test_manche_2_is_dealt_by_who_drew_the_highest_however_long_manche_1_was(winners: str) -> None:
    """§13: Manche 2 is dealt by the seat that did not deal first, however long manche 1 was."""
    parties = winners.count("a")
    match = match_after(new_match(f"{max(parties, winners.count('b') + 1)}x2"), winners)
    match = match_after(match, "a" * (match.format.parties - parties) if match.manche == 1 else "")
    assert match.manche == 2
    assert match.dealer == 1


def test_two_manches_to_none_need_no_belle() -> None:
    """§13"""
    match = match_after(new_match("1x2"), "bb")
    assert (match.over, match.winner, match.belle) == (True, 1, False)


def test_score_text_is_manches_then_parties() -> None:
    """§13: The score text is that of the tag [Score]: manches, then parties."""
    assert match_after(new_match("3x2"), "bbbaa").score_text == "0-1 2-0"


def test_a_match_that_is_over_stays_at_its_last_partie() -> None:
    """§13"""
    match = match_after(new_match("2"), "aba")
    assert (match.manche, match.partie, match.score, match.history) == (1, 3, (2, 1), ((2, 1),))
    assert match.score_text == "1-0 2-1"
    assert match.dealer is None
    assert not match.needs_draw


def test_a_trump_chouine_may_take_the_manche() -> None:
    """§10: With `trump-chouine=manche`, a trump chouine fills the winner's score of the manche; the other's stays."""
    rules = Rules.parse("classic;trump-chouine=manche")
    match = match_after(new_match("5x2", rules), "abb").record(result_for(0, by="chouine", manche=True))
    assert match.history == ((5, 2),)
    assert (match.manches, match.score) == ((1, 0), (0, 0))


@pytest.mark.parametrize("rules", [THREE, FOUR, Rules.of_preset("mondoubleau-three")], ids=str)
def test_three_and_four_play_one_manche_and_the_deal_passes_round(rules: Rules) -> None:
    """§13"""
    match = new_match("2", rules)
    dealers = []
    while not match.over:
        dealers.append(match.dealer)
        match = match.record(result_for(len(dealers) % rules.seats, rules.seats))
    assert dealers == [*range(rules.seats), 0][: len(dealers)]
    assert match.winner == len(dealers) % rules.seats
    assert not match.belle
    with pytest.raises(InvalidEntry, match="§13"):
        Match.new(rules, Format(5, 2))


def test_with_three_seats_more_than_one_may_go_sous_la_table() -> None:
    """§13"""
    assert match_after(new_match("2", THREE), "cc").sous_la_table == (0, 1)


def test_a_tie_among_three_draws_again() -> None:
    """§2: After a tie all three draw again."""
    match = Match.new(THREE, Format(2, 1)).draw_dealer(tirage("7s", "7h", "Ad"))
    assert match.needs_draw


def test_a_forfeited_match_is_the_opponent_s() -> None:
    """§16"""
    match = match_after(new_match("3x2"), "aaab").forfeit(0)
    assert (match.over, match.winner, match.score, match.dealer) == (True, 1, (0, 1), None)
    assert (match.manche, match.partie) == (2, 2)


def test_among_three_a_forfeited_match_is_the_best_of_the_others_s() -> None:
    """§16: The best of the others wins; nobody if they are equal."""
    assert match_after(new_match("3", THREE), "abb").forfeit(0).winner == 1
    shared = match_after(new_match("3", THREE), "abc").forfeit(0)
    assert shared.over
    assert shared.winner is None


def test_a_match_may_be_forfeited_before_it_starts() -> None:
    """§16"""
    assert Match.new(CLASSIC, Format(5, 2)).forfeit(1).winner == 0


def test_the_revanche_is_a_new_match() -> None:
    """§13: The revanche has the same format and a new tirage."""
    match = match_after(new_match("1"), "a")
    assert match.revanche() == Match.new(CLASSIC, Format(1, 1))
    with pytest.raises(InvalidEntry) as caught:
        new_match().revanche()
    assert caught.value.code == "match/not-over"


def test_nothing_is_entered_out_of_its_time() -> None:
    """§13"""
    fresh, over = Match.new(CLASSIC, Format(1, 1)), match_after(new_match("1"), "a")
    attempts: list[tuple[Callable[[], Match], str]] = [
        (lambda: fresh.record(result_for(0)), "match/draw-first"),
        (lambda: new_match().draw_dealer(tirage("7s", "8s")), "match/no-draw"),
        (lambda: over.record(result_for(0)), "match/over"),
        (lambda: over.draw_dealer(tirage("7s", "8s")), "match/over"),
        (lambda: over.forfeit(0), "match/over"),
    ]
    for attempt, code in attempts:
        with pytest.raises(InvalidEntry) as caught:
            attempt()
        assert caught.value.code == code


@pytest.mark.parametrize(
    "result",
    [
        Result(0, (90, 40, 0), "points"),
        Result(2, (90, 40), "points"),
        Result(-1, (90, 40), "points"),
        Result(None, (90, 40), "points"),
        Result(None, (90, 40), "concede"),
        Result(0, (70, 70), "nulle"),
        Result(0, (0, 0), "misdeal"),
        Result(None, (0, 0), "unfinished"),
        Result(0, (90, 40), "points", manche=True),
        Result(0, (90, 40), "chouine", manche=True),
    ],
    ids=repr,
)
def test_a_result_must_be_one_of_this_table(result: Result) -> None:
    """§12, §10"""
    with pytest.raises(InvalidEntry) as caught:
        new_match().record(result)
    assert caught.value.code == "match/entry"


def test_among_three_an_unfinished_partie_is_no_result() -> None:
    """§12"""
    with pytest.raises(InvalidEntry):
        new_match("2", THREE).record(Result(None, (0, 0, 0), "unfinished"))


@pytest.mark.parametrize("cards", [("7s",), ("7s", "7s"), ("7s", "8s", "9s")])
def test_each_seat_draws_a_card_of_its_own(cards: tuple[str, ...]) -> None:
    """§2"""
    with pytest.raises(InvalidEntry):
        Match.new(CLASSIC, Format(5, 2)).draw_dealer(tirage(*cards))


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_forfeit_is_by_a_seat_of_the_table(seat: int) -> None:
    """§16"""
    with pytest.raises(InvalidEntry):
        new_match().forfeit(seat)


@pytest.mark.parametrize(
    "data",
    [
        {"by": "points", "winner": "a", "points": [90, 40], "manche": False},
        {"by": "points", "winner": "a", "points": [90, 40], "why": "so"},
        {"by": "points", "winner": "a", "points": [90, 4.5]},
        {"by": "points", "winner": "e", "points": [90, 40]},
        {"by": "luck", "winner": "a", "points": [90, 40]},
        {"forfeit": "a", "why": "so"},
        {"tirage": [7]},
        [],
    ],
    ids=repr,
)
def test_what_is_no_entry_is_not_read_as_one(data: object) -> None:
    with pytest.raises(InvalidEntry) as caught:
        entry_of(data)
    assert caught.value.code == "match/data"


def test_an_entry_costs_the_same_however_long_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each entry is checked once: recording does not fold earlier entries again."""
    looked: list[Entry] = []

    def record_and_check(rules: Rules, entry: Entry) -> None:
        looked.append(entry)
        check(rules, entry)

    monkeypatch.setattr("chouine.match.score.check", record_and_check)
    match = match_after(new_match("400x1"), "ab=" * 399 + "a")
    assert match.over
    assert len(looked) == len(match.entries) == 1199
    assert match == Match.from_data(match.to_data())
    assert match.standing == Match.from_data(match.to_data()).standing
