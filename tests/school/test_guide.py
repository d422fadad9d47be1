"""The guided first partie: each note appears once, all legal play is possible, and errors get warnings."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.notation.tokens import PASS, read_action
from chouine.partie.actions import Play
from chouine.school.guide import LEARNER, MOMENTS, Moment, UnreadableActs, guide, moment, warning_about

PLAYED = ("7x", "8c", "Ks", "Jc", "9d", "Ts", "Qc+20c")


def played_out(rng: Random) -> list[Moment]:
    """The moments of a partie with random legal acts."""
    seen = [moment(())]
    while not seen[-1].view.result:
        now = seen[-1]
        choices = [str(act) for act in now.view.legal] + [PASS] * (now.view.turn != LEARNER)
        seen.append(moment((*now.acts, rng.choice(choices))))
    return seen


@pytest.mark.long
@given(st.integers(0, 10_000))
def test_any_line_comes_to_an_end_and_no_note_comes_twice(seed: int) -> None:
    seen = played_out(Random(seed))
    names = [note.name for now in seen for note in now.notes]
    assert len(names) == len(set(names))
    assert {"aim", "values", "drawing", "empty"} <= set(names)
    assert seen[-1].notes[-1].name in ("count", "chouine")


def test_every_note_has_its_moment() -> None:
    assert {note.name for note in guide().notes} == set(MOMENTS)
    assert all({"fr", "en"} <= set(note.text) for note in guide().notes)


def test_a_partie_is_taken_up_where_it_was_left() -> None:
    now = moment(PLAYED)
    assert now.acts[: len(PLAYED)] == PLAYED
    assert moment(now.acts) == now


@pytest.mark.parametrize("acts", [("xx",), ("As",), ("7x", "7x"), ("8c", "8c"), ("7x",) * 60])
def test_acts_that_cannot_have_been_are_refused(acts: tuple[str, ...]) -> None:
    with pytest.raises(UnreadableActs):
        moment(acts)


@pytest.mark.parametrize(
    ("acts", "act", "code"),
    [
        ((), "7d", "guide/seven-away"),
        (PLAYED[:6], "Qc", "guide/silent"),
        (PLAYED[:6], "Tc", "guide/brisque-away"),
        (PLAYED[:6], "Qh", None),
        (PLAYED[:6], "Qc+20c", None),
        (PLAYED[:6], "Qd", None),
        ((), "7x", None),
    ],
)
def test_a_slip_is_warned_of(acts: tuple[str, ...], act: str, code: str | None) -> None:
    assert warning_about(moment(acts).view, read_action(act)) == code


def test_a_warning_may_be_passed_over() -> None:
    """Acts with a warning are still legal."""
    rng = Random(5)
    for now in played_out(rng):
        for act in now.view.legal:
            if warning_about(now.view, act):
                assert isinstance(act, Play)
                assert moment((*now.acts, str(act))).acts[len(now.acts)] == str(act)


def test_what_takes_the_trick_is_told_of_a_plain_lead() -> None:
    """“Or a trump” would be false where trumps are led: the note waits for another suit."""
    led = moment((*PLAYED[:6], "Kc+20c", "Th", "8h", "Ad", "Qh"))
    assert led.view.table[0].card.suit == led.view.trump
    assert "taking" not in [note.name for note in led.notes]
