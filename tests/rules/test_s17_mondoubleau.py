"""§17 Mondoubleau with two, three and four seats."""

from __future__ import annotations

import pytest

from chouine.cards import Suit
from chouine.errors import IllegalAction
from chouine.partie import Declared, State, Taken, TrumpFixed
from chouine.rules import PRESETS, Rules
from tests.lines import action
from tests.rules.table import marking_time, partie

THREE_PRESETS = [preset for preset in PRESETS if preset.startswith("mondoubleau")]


def seats(preset: str) -> int:
    return Rules.of_preset(preset).seats


def why(state: State, token: str) -> str:
    with pytest.raises(IllegalAction) as refused:
        state.play(action(token))
    return refused.value.code


def counts(state: State) -> list[int]:
    return [event.counts for event in state.events if isinstance(event, Declared)]


@pytest.mark.parametrize("preset", THREE_PRESETS)
def test_no_turnup_no_trump_no_exchange(preset: str) -> None:
    """§17: Without a turnup the first talon card is simply the first drawn."""
    state = partie(preset, "|" * (seats(preset) - 1), drawn="Qd")
    view = state.view(0)
    assert (view.turnup, view.trump) == (None, None)
    assert state.deal.turnup is None
    assert str(state.deal.talon[0]) == "Qd"
    assert why(state, "7x") == "illegal/no-turnup"
    assert str(state.deal).split()[2] == "-"


@pytest.mark.parametrize(
    ("hands", "token"),
    [(".KQ..|", "Kh+20h"), (".KQJ..|", "Jh+30h"), (".AKQJ..|", "Qh+40h")],
)
def test_a_leader_s_mariage_tierce_or_quarteron_fixes_trump(hands: str, token: str) -> None:
    """§17: Trump is fixed at once, for the card then led too."""
    state = partie("mondoubleau", hands, actions=token)
    assert state.view(1).trump is Suit.HEARTS
    assert TrumpFixed(Suit.HEARTS) in state.events
    state = marking_time(state, 1)
    taken = next(event for event in state.events if isinstance(event, Taken))
    assert taken.seat == 0


def test_the_card_then_led_is_a_trump() -> None:
    """§17: The led card of the mariage is a trump: an ace of another suit does not beat it, a higher trump does."""
    state = partie("mondoubleau", ".KQ..|A.A..", actions="Qh+20h As")
    assert [event.seat for event in state.events if isinstance(event, Taken)] == [0]
    state = partie("mondoubleau", ".KQ..|A.A..", actions="Qh+20h Ah")
    assert [event.seat for event in state.events if isinstance(event, Taken)] == [1]


@pytest.mark.parametrize("preset", THREE_PRESETS[1:])
def test_with_three_and_four_seats_a_mariage_fixes_trump(preset: str) -> None:
    """§17."""
    state = partie(preset, ".KQ.." + "|" * (seats(preset) - 1), actions="Kh+20h")
    assert state.view(None).trump is Suit.HEARTS


def test_only_the_first_fixes_trump() -> None:
    """§17: A later mariage of another suit counts plain, one of the trump suit double."""
    state = partie("mondoubleau;figure=held", ".KQ.KQ.A|...98", actions="Ac+20h 9c Kd+20d")
    assert state.view(None).trump is Suit.HEARTS
    assert counts(state) == [40, 20]


@pytest.mark.parametrize(
    ("preset", "hands", "token"),
    [
        ("mondoubleau", "A.AT.T.A|", "Ah+50"),
        ("mondoubleau-three", "A.AT..||", "Ah+30"),
        ("mondoubleau", ".ATKQJ..|", "Ah+chh"),
        ("mondoubleau-four", ".KQJ..|||", "Kh+chh"),
    ],
)
def test_quinte_trente_and_chouine_do_not_fix_trump(preset: str, hands: str, token: str) -> None:
    """§17."""
    assert partie(preset, hands, actions=token).view(None).trump is None


def test_declarations_only_when_on_lead() -> None:
    """§17: `declare=lead` is Mondoubleau's default."""
    assert str(Rules.of_preset("mondoubleau")) == "mondoubleau"
    assert Rules.of_preset("mondoubleau").declare == "lead"
    assert why(partie("mondoubleau", "|.KQ..", actions="8s"), "Kh+20h") == "illegal/declare-on-lead"


def test_option_declare_any() -> None:
    """§17: A declaration in answer never fixes trump, and counts plain unless its suit is trump."""
    state = partie("mondoubleau;declare=any", "8...|.KQ..", actions="8s Kh+20h")
    assert state.view(None).trump is None
    assert counts(state) == [20]
    fixed = partie("mondoubleau;declare=any", ".KQ..|...KQ", actions="Kh+20h Kc+20c")
    assert fixed.view(None).trump is Suit.HEARTS
    assert counts(fixed) == [40, 20]


@pytest.mark.parametrize(("option", "first"), [("", 40), (";fixing=plain", 20)])
def test_option_fixing(option: str, first: int) -> None:
    """§17: The fixing figure counts double (`double`) or not (`plain`); later trump figures count double."""
    state = partie(
        f"mondoubleau;figure=held;again=full{option}", ".KQJ..AT|...98", actions="Ac+20h 9c Tc+30h"
    )
    assert counts(state) == [first, 60]


def test_fixing_plain_and_difference() -> None:
    """§17, §9.4: The next figure's excess is over the points that the fixing figure counted."""
    state = partie(
        "mondoubleau;figure=held;again=difference;fixing=plain", ".KQJ..AT|...98", actions="Ac+20h 9c Tc+30h"
    )
    assert counts(state) == [20, 40]


def test_what_was_counted_before_there_was_a_trump() -> None:
    """§17, §9.4: A figure of the new trump suit counts its excess over that suit's best so far."""
    rules = "mondoubleau;declare=any;figure=held;again=difference"
    played = "Ac 8d+20h Tc 9d+40h 9s As Kh+30h"
    state = partie(rules, "98...AT|.AKQJ.8.", drawn="7s 9d Jc As", actions=played)
    assert state.view(None).trump is Suit.HEARTS
    assert counts(state) == [20, 20, 20]


@pytest.mark.parametrize("preset", THREE_PRESETS)
def test_nobody_need_ever_declare(preset: str) -> None:
    """§17: Without a declaration the partie has no trump to the end."""
    state = partie(preset, "|" * (seats(preset) - 1))
    state = marking_time(state, state.rule_table.tricks)
    assert state.view(None).trump is None
    assert state.result is not None
    for event in state.events:
        if isinstance(event, Taken):
            led = event.cards[0].suit
            best = max(card for card in event.cards if card.suit is led)
            assert event.seat == (event.leader + event.cards.index(best)) % state.rules.seats


def test_with_three_seats_two_cards_are_not_drawn() -> None:
    """§17: The two cards not drawn stay face down and score for nobody."""
    state = marking_time(partie("mondoubleau-three", "||"), 10)
    assert state.view(None).talon == 2
    left = sum(card.points for card in state.deal.talon[-2:])
    assert state.result is not None
    assert sum(state.result.points) == 130 - left
    assert len(state.view(0).unseen) == 2
