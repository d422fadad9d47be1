"""What was advised at the table is held against nobody in the review, the record or the practice of mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest

from chouine.notation.records import Record
from chouine.notation.tokens import token
from chouine.partie import View
from chouine.rules import PRESETS
from chouine.school.review import (
    Judgement,
    Review,
    accounts,
    after_advice,
    all_decisions,
    annotate,
    judge,
    mistakes_of,
)
from chouine.server.advice import advice_on, asked_by
from chouine.server.fair_queue import NOBODY
from chouine.server.pages.review import review_page
from chouine.server.pages.visit import Visit
from chouine.server.records import record_of
from chouine.server.reviews import Reviews
from chouine.server.routes.reviews import judge_try, view_of_mistake
from chouine.server.store import Append, Store
from chouine.table import commands as ask
from chouine.table.entries import GivenAdvice, SeatHolder
from chouine.table.evolve import rebuild
from chouine.table.state import FinishedPartie, TableState
from tests.server.matches import Table, any_answer, opening, person, playing
from tests.server.stores import with_store

ME = 1
Adviser = Callable[[View], GivenAdvice]


def any_advice(rng: Random) -> Adviser:
    """An adviser that knows nothing: what it says is a mistake as often as not."""
    return lambda view: GivenAdvice(token(rng.choice(view.legal)))


def advised_table(preset: str, seed: int, adviser: Adviser, obeys: float = 1.0) -> Table:
    """A partie played out in which a person asks before each act and mostly does what is advised."""
    rng, seats = Random(seed), len(opening(preset).chairs)
    chairs = [person(seat) if seat == ME else SeatHolder("heuristic", f"L{seat}") for seat in range(seats)]
    table = Table.set(opening(preset, "1x1", chairs), seed).until(playing)
    while not table.table.played:
        state = table.table.state
        assert state is not None
        if not playing(table.table) or ME not in table.table.awaited or not state.legal(ME):
            table.step()
            continue
        advice = adviser(state.view(ME))
        table.do(ask.Advise(ME, advice))
        command = any_answer(table.table, rng)
        if rng.random() < obeys:
            table.do(ask.Act(ME, advice.best) if advice.best != "-" else ask.Pass(ME))
        elif isinstance(command, ask.Act | ask.Pass):
            table.do(command)
    return table


def all_blunders(played: FinishedPartie) -> Review:
    """A review that calls every act a blunder."""
    found = {
        nth: Judgement(
            each.number, each.trick, each.seat, token(each.action), token(each.view.legal[0]), 0.2, "blunder",
            0.5, 0.3, exact=False, options=tuple((token(act), 0.3) for act in each.view.legal),
        )
        for nth, each in enumerate(all_decisions(played.state))
    }  # fmt: skip
    return Review(len(found), found)


def parties(many: int) -> Iterator[FinishedPartie]:
    for nth in range(many):
        preset = sorted(PRESETS)[nth % len(PRESETS)]
        yield advised_table(preset, nth, any_advice(Random(nth))).table.played[0]


def test_no_advised_act_is_a_mistake_by_whatever_judge() -> None:
    """Over all presets: with every act called a blunder, none of the person who followed the advice is left."""
    advised = 0
    for played in parties(3 * len(PRESETS)):
        blunders = all_blunders(played)
        review = after_advice(blunders, played.followed)
        mine = [each for each in review.found if each.seat == ME]
        advised += len(mine)
        assert not mistakes_of(review.found, ME)
        assert all(each.second_thought and not each.cost for each in mine)
        others = [each for each in blunders.found if each.seat != ME]
        assert [each for each in review.found if each.seat != ME] == others
        assert played.state.result is not None
        assert accounts(played.state, played.state.result, review.found)[ME].mistakes == 0
    assert advised >= 150


def test_what_was_not_followed_or_was_taken_back_still_counts() -> None:
    table = advised_table("classic", 3, any_advice(Random(3)), obeys=0.5)
    mine = [each for each in all_blunders(table.table.played[0]).found if each.seat == ME]
    left = mistakes_of(after_advice(all_blunders(table.table.played[0]), table.table.followed).found, ME)
    assert 0 < len(left) < len(mine)
    assert table.table == rebuild(table.log)
    assert table.table.played[0].followed
    other = Table.set(opening("classic", "1x1", [SeatHolder("heuristic", "L"), person(ME)])).until(playing)
    other.until(lambda state: playing(state) and ME in state.awaited and not state.window)
    assert other.table.state is not None
    best = str(other.table.state.legal(ME)[0])
    other.do(ask.Advise(ME, GivenAdvice(best)))
    other.do(ask.Act(ME, best))
    assert {text for _, text in other.table.followed} == {best}
    other.do(ask.TakeBack(ME))
    assert other.table.followed == set()


def test_the_store_keeps_no_mistake_that_was_advised(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews are stored so, and with them the page of one's own play and the queue of mistakes to go over."""
    table = advised_table("classic", 1, any_advice(Random(1)))
    played = table.table.played[0]

    async def test(store: Store) -> None:
        await store.open(Append("one", 0, 1.0, None, (opening(),), None, over=True))
        reviews = Reviews(store, 0)

        async def find_blunders(*_: object) -> list[Judgement]:
            return all_blunders(played).found

        monkeypatch.setattr(reviews.lane, "run", find_blunders)
        reviews.begin("one", 1, played.state, Review(), NOBODY, played.followed)
        async for review in reviews.progress("one", 1):
            assert not mistakes_of(review.found, ME)
        kept = await reviews.of("one", 1)
        assert kept.complete
        assert not mistakes_of(kept.found, ME)
        assert mistakes_of(kept.found, 1 - ME)
        await reviews.close()

    with_store(sqlite, test)


def second_thoughts() -> tuple[TableState, FinishedPartie, Review]:
    table = advised_table("classic", 1, any_advice(Random(1))).table
    played = table.played[0]
    return table, played, after_advice(all_blunders(played), played.followed)


def test_a_second_thought_is_told_as_such() -> None:
    """The page and the record say what was advised and what is now preferred: no label, no percentage."""
    table, played, review = second_thoughts()
    mine = [each for each in review.found if each.seat == ME]
    only = replace(review, judged={nth: each for nth, each in review.judged.items() if each.seat == ME})
    page = review_page(Visit("en", "", ""), "one", table, 1, only, ME)
    assert page.count("Advised at the table: ") == len(mine)
    assert 'class="drop"' not in page
    assert "blunder" not in page
    record = annotate(record_of(table, played, None), only.found, [], "en")
    assert isinstance(record, Record)
    assert str(record).count("advised at the table; thinking longer") == len(mine)
    assert "??" not in str(record)


def test_the_advised_act_is_not_wrong_in_the_exercise() -> None:
    _, played, review = second_thoughts()
    for judged in review.found:
        if judged.seat == ME and judged.best != judged.done:
            assert judge_try(judged, view_of_mistake(played.state, judged), judged.done).right


@pytest.mark.nightly
def test_five_hundred_advised_acts_are_no_mistakes() -> None:
    """The adviser of the table and the judge of the review, as they run, over all presets."""
    advised, nth = 0, 0
    while advised < 500:
        preset = sorted(PRESETS)[nth % len(PRESETS)]
        played = advised_table(preset, nth, lambda view: advice_on(asked_by(view))).table.played[0]
        choices = [each for each in all_decisions(played.state) if each.seat == ME]
        review = Review(len(choices), {place: judge(each) for place, each in enumerate(choices)})
        assert not mistakes_of(after_advice(review, played.followed).found, ME)
        advised, nth = advised + len(choices), nth + 1
