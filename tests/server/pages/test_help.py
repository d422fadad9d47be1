"""Help on the table's page: correct explanations that depend only on the seat's view (§14)."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from random import Random

import pytest

from chouine.rules import PRESETS
from chouine.server.advice import advice_on, asked_by
from chouine.server.pages.advising import act_chance
from chouine.server.pages.frames import Viewer
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.table import commands as ask
from chouine.table.entries import Acted, GivenAdvice, RatedAct, SeatHolder
from chouine.table.state import Phase
from tests.needs import at_length
from tests.server.matches import Table, opening, person
from tests.server.worlds import told_alike

ME = 1
VISITS = Visit("fr", "s3cret", f"guest-{ME}"), Visit("en", "s3cret", f"guest-{ME}")
LAVARDIN = "b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc"
OPENING = "Qs 7x 7c 8c 8d 9d 9s Kh 7h Ad 9h Ts"
LONG = f"{OPENING} Qd+20d 7s 8s Jd Jc 9c Js Qh 8h Qc+20c Kd"


def table_with_help(preset: str, seed: int, step: int) -> Table:
    """A person at seat 1 among computers, with explanations on, so many acts after the deal."""
    seats = len(opening(preset).chairs)
    chairs = [person(seat) if seat == ME else SeatHolder("heuristic", f"L{seat}") for seat in range(seats)]
    table = Table.set(opening(preset, "2x1" if seats == 2 else "2", chairs), seed)
    table.until(lambda table: table.phase is Phase.PLAY)
    table.do(ask.Explain(ME, on=True))
    for _ in range(step):
        table.step()
    return table.until(lambda table: table.phase is Phase.PLAY)


def explanations(language: int, played: str) -> list[str]:
    """The explanations on the person's page after these acts of the example's deal."""
    chairs = [SeatHolder("heuristic", "Lavardin"), person(ME)]
    table = Table.set(opening("classic", "1x1", chairs, deal=LAVARDIN))
    table.do(ask.Explain(ME, on=True))
    for token in played.split():
        assert table.table.state is not None
        seat = next(seat for seat in (0, 1) if token in map(str, table.table.state.legal(seat)))
        table.do(ask.Act(seat, token))
    page = Viewer(VISITS[language], "t", ME).frame(table.table).html
    told = re.search(r'<ul class="explained">(.*?)</ul>', page, re.DOTALL)
    assert told is not None
    sentences = re.findall(r"<li>(.*?)</li>", told[1], re.DOTALL)
    return [
        html.unescape(re.sub("<[^>]*>", "", each)).replace("\u202f", " ").replace("\xa0", " ")
        for each in sentences
    ]


@pytest.mark.parametrize(
    ("played", "sentences"),
    [
        (
            "Qs 7x",
            (
                "You exchanged the seven of trumps for the turnup, the jack of diamonds.",
                "There is still a talon: any card may answer.",
            ),
        ),
        (
            f"{OPENING} Qd+20d",
            (
                "Mariage of trumps: 20 × 2 = 40 points.",
                "Lavardin takes the trick: the queen of diamonds ruffs. 10 + 3 = 13 points.",
            ),
        ),
        (
            f"{LONG} Td+50",
            ("Quinte: 50 points.", "The talon is used up: follow suit."),
        ),
        (
            f"{LONG} Td+50 7d Th Jh As",
            ("The talon is used up: follow suit.",),
        ),
    ],
)
def test_what_happened_is_explained(played: str, sentences: tuple[str, ...]) -> None:
    """§1, §6, §8, §9, §11: explanations with their figures."""
    told = explanations(1, played)
    for sentence in sentences:
        assert sentence in told, told


def test_the_count_tells_the_values_beside() -> None:
    """§9, §12: with explanations on, the count lists the values of cards and declarations."""
    chairs = [SeatHolder("heuristic", "Lavardin"), person(ME)]
    counts = []
    for explains in (False, True):
        played = Table.set(opening("classic", "1x1", chairs, deal=LAVARDIN))
        played.do(ask.Explain(ME, on=explains))
        for token in f"{LONG} Td+50 7d Th Jh As Ks Ah Kc Ac Tc".split():
            assert played.table.state is not None
            seat = next(seat for seat in (0, 1) if token in map(str, played.table.state.legal(seat)))
            played.do(ask.Act(seat, token))
        counts.append(played)
    plain, told = (Viewer(VISITS[1], "t", ME).frame(each.table).html for each in counts)
    assert "20 × 2" in told
    assert "11 + 11 + 11 + 10 + 10" in told
    assert 'class="values"' not in plain


def test_words_of_the_game_lead_to_the_rules() -> None:
    table = table_with_help("classic", 1, 1)
    for visit in VISITS:
        page = Viewer(visit, "t", ME).frame(table.table).html
        assert '<a href="/rules?section=1&amp;back=%2Ftable%2Ft%3Fas%3D1">brisques</a>' in page


def test_a_match_with_help_is_marked_for_all() -> None:
    table = table_with_help("classic", 1, 0)
    own = Viewer(VISITS[0], "t", ME).frame(table.table).html
    others = Viewer(Visit("fr", "s3cret", "stranger"), "t", None).frame(table.table).html
    assert "avec aide" in own
    assert "avec aide" in others
    assert 'id="help"' in own
    assert 'id="help"' not in others


@pytest.mark.parametrize("preset", at_length(PRESETS))
@pytest.mark.parametrize("step", [0, 9, 20])
def test_no_byte_of_help_depends_on_a_hidden_card(preset: str, step: int) -> None:
    """§14: with hidden cards exchanged, the page and the advice are the same."""
    table = table_with_help(preset, step % 3, step)

    def frames_and_advice(there: Table, observer: int | None, _: str) -> list[object]:
        found: list[object] = [Viewer(visit, "t", observer).frame(there.table) for visit in VISITS]
        if ME not in there.table.awaited or there.table.state is None:
            return found
        asked = asked_by(there.table.state.view(ME))
        there.do(ask.Advise(ME, advice_on(asked)))
        for nth in range(3):
            found += [asked, *(Viewer(visit, "t", observer).frame(there.table) for visit in VISITS)]
            if nth < 2:
                there.do(ask.Advise(ME))
        return found

    table.until(lambda table: ME in table.awaited and table.phase is Phase.PLAY)
    assert told_alike(table, [ME], Random(step), frames_and_advice)


ADVICE = GivenAdvice(
    "Kd+20d",
    (RatedAct("Kd+20d", 0.53, 0.47, 0.6), RatedAct("7s", 0.5, 0.44, 0.56), RatedAct("Jc", 0.2, 0.15, 0.25)),
    (("declared", 39.9),),
    "7s",
    256,
)


def advising(advice: GivenAdvice, step: int) -> str:
    """The table's page at a step of the advice; the seat may answer with a mariage of trumps."""
    chairs = [person(0), SeatHolder("heuristic", "Lavardin")]
    table = Table.set(opening("classic", "1x1", chairs, deal=LAVARDIN))
    for token in OPENING.split():
        assert table.table.state is not None
        seat = next(seat for seat in (0, 1) if token in map(str, table.table.state.legal(seat)))
        table.do(ask.Act(seat, token))
    for nth in range(step):
        table.do(ask.Advise(0, None if nth else advice))
    return Viewer(Visit("en", "s3cret", "guest-0"), "t", 0).frame(table.table).html


def advice_text(advice: GivenAdvice, step: int) -> str:
    """The advice as text, with its buttons."""
    page = advising(advice, step)
    inside = re.search(r'<div class="advice">(.*?)</div>', page, re.DOTALL)
    read = re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", inside[1] if inside else ""))
    return f"{read} [{'|'.join(re.findall(r'<button>([^<]*)</button>', page))}]"


def test_advice_comes_in_three_steps() -> None:
    """An idea that names no card, the act, then the reason with each act's chances."""
    nothing, idea, act, reason = (advice_text(ADVICE, step) for step in range(4))
    assert "Advice" in nothing
    assert "is this the moment?" in idea
    assert "diamonds" not in idea
    assert "Which move?" in idea
    assert "Declare a twenty of diamonds and play the king of diamonds." in act
    assert "%" not in act
    assert "Why?" in act
    assert "Rather than the seven of spades: on average more points are declared." in reason
    assert "K♦ + twenty of diamonds" in reason
    assert "53.0% (47 to 60)" in reason
    assert "Tried in likely layouts of the hidden cards (256)" in reason
    assert "Why?" not in reason


def test_a_gain_is_told_in_parties_of_ten_and_only_where_there_is_one() -> None:
    best, *others = ADVICE.acts
    gained = replace(ADVICE, acts=(replace(best, win=0.61), *others))
    assert "About 6 parties in 10 are won this way, against 5." in advice_text(gained, 3)
    assert "in 10" not in advice_text(ADVICE, 3)


def test_an_act_that_is_about_as_good_is_named_first() -> None:
    """Not a comparison with the third best, as if the second were no better."""
    best, second, third = ADVICE.acts
    close = replace(ADVICE, acts=(best, replace(second, win=0.52), third), beside="Jc")
    assert "About as good: the seven of spades. Rather than the jack of clubs:" in advice_text(close, 3)
    assert "About as good" not in advice_text(ADVICE, 3)


def test_the_card_of_an_advised_act_is_pointed_at_in_the_hand() -> None:
    pointed = [re.findall(r'advised" id="card-(\w+)"', advising(ADVICE, step)) for step in range(4)]
    assert pointed == [[], [], ["kd"], ["kd"]]


@pytest.mark.parametrize(
    ("best", "says"),
    [
        ("7s", "What you could declare may wait"),
        ("Qd+20d", "You hold something to declare"),
    ],
)
def test_an_idea_fits_the_act(best: str, says: str) -> None:
    assert says in advice_text(GivenAdvice(best), 1)


def test_rules_of_thumb_say_that_they_are() -> None:
    assert "rules of thumb" in advice_text(GivenAdvice("7s"), 3)


@pytest.mark.parametrize(
    ("best", "acts", "says"),
    [
        ("7s", (RatedAct("7s", 1.0, 1.0, 1.0), RatedAct("Js", 0.0, 0.0, 0.0)), "this is certain"),
        (
            "7s",
            (RatedAct("7s", 0.6, 0.6, 0.6), RatedAct("Js", 0.4, 0.4, 0.4)),
            "every hand that the other side",
        ),
    ],
)
def test_how_it_was_found_is_told(best: str, acts: tuple[RatedAct, ...], says: str) -> None:
    assert says in advice_text(GivenAdvice(best, acts, solved=says == "this is certain"), 3)


@pytest.mark.parametrize("win", [1.0, 0.0])
def test_what_is_certain_is_told_as_an_outcome(win: float) -> None:
    """Certain outcomes have the same words whether sampled or solved, and no bounds."""
    words = words_of(Visit("en", "csrf", "a"))
    act = RatedAct("As", win, win, win)
    tried, solved = (
        act_chance(words, act, GivenAdvice("As", (act,), solved=solved)) for solved in (False, True)
    )
    assert tried == solved
    assert not tried.bounds


def test_advice_is_over_once_its_act_completes_the_trick() -> None:
    """The held trick has no advice: read on the complete trick, its idea would be false of the act."""
    chairs = [SeatHolder("heuristic", "Lavardin"), person(ME)]
    table = Table.set(opening("classic", "1x1", chairs, deal=LAVARDIN))
    table.do(ask.Act(0, "Qs"))
    table.do(ask.Advise(ME, GivenAdvice("7c")))
    before = table.table
    assert 'class="advice"' in Viewer(VISITS[1], "t", ME).frame(before).html
    table.do(ask.Act(ME, "7c"))
    held, taken = Viewer(VISITS[1], "t", ME).frames(before, Acted(ME, "7c"), table.table)
    assert held.hold
    assert 'class="advice"' not in held.html + taken.html
