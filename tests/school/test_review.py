"""Reviews of parties: independent verdicts, accounts that add up, and comments in records."""

from __future__ import annotations

from random import Random

import pytest

from chouine.arena.partie import play_partie
from chouine.notation.lines import actions_of, read_state
from chouine.partie import Deal, State
from chouine.players import HeuristicPlayer, Player, RandomPlayer
from chouine.rules import Rules
from chouine.rules.options import PRESETS
from chouine.school.review import Account, Judgement, accounts, accounts_of, decisions, judge, moments

THROWN = (
    "classic b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc : "
    "Qs 7x 7c 8c 8d 9d 9s Kh 7h Ad 9h Ts Qd+20d 7s 8s Jd Jc 9c Js Qh 8h Qc+20c Kd Td+50 7d Th Jh As Ks Ah Kc Ac Tc"
)


def play_partie_of(preset: str, seed: int) -> State:
    """A partie between heuristic and random players."""
    rules, rng = Rules.of_preset(preset), Random(seed)
    kinds: list[Player] = [HeuristicPlayer(), RandomPlayer(rng)]
    deal = Deal.random(rules, seed % rules.seats, rng)
    return play_partie(rules, deal, rng.choices(kinds, k=rules.seats)).state


def some(state: State, rng: Random) -> list[Judgement]:
    """Arbitrary judgements: accounts must add up for any."""
    return [
        Judgement(
            number, 1, rng.randrange(state.rules.seats), "As", "Ks", cost, label, cost, 0.0, exact=False
        )
        for number, (cost, label) in enumerate([(0.3, "blunder"), (0.06, "mistake"), (0.01, None)] * 3, 1)
    ]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_result_is_the_sum_of_its_parts(preset: str) -> None:
    """Result = fair share + own mistakes + others' mistakes + luck; luck sums to 0 over the seats."""
    for seed in range(15):
        state, rng = play_partie_of(preset, seed), Random(seed)
        assert state.result is not None
        told = accounts(state, state.result, some(state, rng))
        for each in told:
            assert each.result is not None
            assert each.luck is not None
            assert each.result == pytest.approx(each.fair + each.mistakes + each.others + each.luck)
            assert each.luck == pytest.approx(each.dealt + each.drawn + each.rest)
        for part in ("luck", "dealt", "drawn", "rest"):
            assert sum(getattr(each, part) for each in told) == pytest.approx(0, abs=1e-9)
        assert sum(each.mistakes + each.others for each in told) == pytest.approx(0, abs=1e-9)


def test_only_parties_with_luck_are_added_up() -> None:
    state = play_partie_of("classic", 1)
    assert state.result is not None
    one = accounts(state, state.result, [])
    conceded = State.new(state.rules, state.deal).concede(0)
    assert conceded.result is not None
    other = accounts(conceded, conceded.result, [])
    assert [each.luck for each in other] == [None, None]
    assert accounts_of([other]) == []
    both = accounts_of([one, other, one])
    assert [each.fair for each in both] == [1.0, 1.0]
    assert [each.result for each in both] == [2 * (each.result or 0.0) for each in one]


@pytest.mark.long
def test_a_verdict_depends_on_no_other() -> None:
    """Verdicts are identical in any order of judging."""
    state = read_state(THROWN)
    found = decisions(State.new(state.rules, state.deal), actions_of(state.events))
    late = found[12:]
    forth, back = [judge(each, 40) for each in late], [judge(each, 40) for each in reversed(late)]
    assert forth == back[::-1]


def test_the_moments_worth_most_are_a_seats_own() -> None:
    state = play_partie_of("classic", 3)
    found = some(state, Random(4))
    for seat in range(2):
        worst = moments(found, seat)
        assert {each.seat for each in worst} <= {seat}
        assert [each.cost for each in worst] == sorted((each.cost for each in worst), reverse=True)
        assert len(worst) <= 3


def test_an_account_says_what_luck_came_with_no_card() -> None:
    assert Account(0, 1.0, 0.5, -0.1, 0.0, 0.2, 0.4, 0.1, 0.05).rest == pytest.approx(0.25)
