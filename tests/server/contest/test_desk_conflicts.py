"""Two volunteers who change the same thing."""

from __future__ import annotations

import asyncio
import re

from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from tests.server.contest.volunteer import NAMES, Volunteer, four_drawn, hidden_fields, plain_text
from tests.server.serving import cookie_in


def test_a_result_entered_twice_is_refused_with_who_entered_it(store: ContestStore) -> None:
    app = desk_application(store)
    desk, other = Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("results")
    desk.enter_some(4).draw()
    other.post("/table/main/1/1", score="2-0")
    page = desk.post("/table/main/1/1", score="0-2")
    assert desk.answer.status_code == 422
    assert str(store.contest.main[0].table(1).score) in page
    assert str(store.contest.main[0].table(1).score) == "2-0"
    assert store.contest.main[0].table(1).by == "results 1"


def test_an_entry_changed_meanwhile_is_not_changed_again(store: ContestStore) -> None:
    """Of two payments recorded from the same page the second is refused, and shows the first."""
    app = desk_application(store)
    desk, other = Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("entry")
    desk.enter("Agnès")
    seen = str(store.contest.head.n)
    other.post("/entries/1", act="paid", seen=seen)
    page = desk.post("/entries/1", act="paid", seen=seen)
    assert desk.answer.status_code == 422
    assert "inscriptions à l’entrée 1" in page
    assert store.contest.entrants[1].paid == 1000


def test_two_referees_who_make_the_same_change_make_it_once(store: ContestStore) -> None:
    """The same swap sent twice is done once; a second one would undo the first."""
    desk, referee = four_drawn(store)
    (one, _), (other, _) = (table.players for table in store.contest.main[0].played[:2])
    seen = hidden_fields(desk.get("/round/main/1").text)
    change = {"act": "swap", "one": str(one), "other": str(other), "reason": "même famille"}
    referee.post("/round/main/1", **seen, **change)
    after = store.contest
    page = desk.post("/round/main/1", **seen, **change)
    assert desk.answer.status_code == 422
    assert "arbitre" in page
    assert "même famille" in page
    assert store.contest == after
    referee.post("/log", undo=str(after.head.n), reason="erreur")
    assert "Opération annulée" in desk.post("/round/main/1", **{**seen, "seen": str(after.head.n)}, **change)


def test_an_undo_that_is_refused_keeps_what_was_typed(store: ContestStore) -> None:
    _, referee = four_drawn(store)
    page = referee.post("/log", undo="9999", reason="erreur")
    assert referee.answer.status_code == 422
    assert re.search(r'name="undo"[^>]* value="9999"', page)
    assert re.search(r'name="reason"[^>]* value="erreur"', page)


def test_two_referees_who_correct_one_result(store: ContestStore) -> None:
    """The second correction is refused and shows the first, before or after its consequences page."""
    desk, referee = four_drawn(store)
    desk.post("/results", table="1", score="20")
    address = "/table/main/1/1"
    shown = hidden_fields(desk.get(address).text)["shown"]
    told = hidden_fields(desk.post(address, shown=shown, score="1-2", reason="fiche"))
    first = hidden_fields(referee.post(address, shown=shown, score="0-2", reason="vue"))
    referee.post(address, **{**first, "score": "0-2", "reason": "vue"})
    assert str(store.contest.main[0].table(1).score) == "0-2"
    for fields in (told, {"shown": shown}):
        page = desk.post(address, **{**fields, "score": "1-2", "reason": "fiche"})
        assert desk.answer.status_code == 422
        assert "0–2" in plain_text(page)
    assert str(store.contest.main[0].table(1).score) == "0-2"


def test_a_result_tapped_for_others_is_refused(store: ContestStore) -> None:
    """A result from an outdated page is refused if the table's players have changed."""
    desk, referee = four_drawn(store)
    shown = re.findall(r'name="shown" value="([^"]*)"', desk.get("/results").text)[0]
    address = "/table/main/1/1"
    before = hidden_fields(desk.get(address).text)
    (one, _), (other, _) = (table.players for table in store.contest.main[0].played[:2])
    referee.post("/round/main/1", act="swap", one=str(one), other=str(other), reason="même famille")
    for to, fields in (("/results", {"table": "1", "shown": shown}), (address, before)):
        page = desk.post(to, score="2-0", **fields)
        assert desk.answer.status_code == 422
        assert NAMES[other - 1] in page
    desk.play("main")
    desk.draw()
    desk.post("/results", table="1", shown=shown, score="2-0")
    assert desk.answer.status_code == 422
    assert len(store.contest.main[1].open) == 1
    assert not store.contest.main[0].open


def test_a_result_that_came_meanwhile_is_told_with_its_desk(store: ContestStore) -> None:
    desk, referee = four_drawn(store)
    before = hidden_fields(desk.get("/table/main/1/1").text)
    referee.post("/results", table="1", score="21")
    page = desk.post("/table/main/1/1", **{**before, "act": "result"}, score="0-2")
    assert desk.answer.status_code == 422
    assert "2–1" in plain_text(page)
    assert "arbitre" in page
    page = desk.post("/table/main/1/1", **{**before, "act": "forfeit"}, number="1")
    assert desk.answer.status_code == 422


def test_two_who_draw_the_same_round_draw_it_once(store: ContestStore) -> None:
    desk, referee = four_drawn(store)
    desk.play("main")
    page = desk.get("/draw/main").text
    token = re.search(r'name="csrf" value="(\w+)"', page)
    assert token
    referee.draw()
    answer = desk.send("/draw/main", csrf=token[1], **hidden_fields(page), card="7s")
    assert answer.status_code == 422
    assert "dame de cœur" in answer.text
    assert (len(store.contest.main), store.contest.main[1].card) == (2, "Qh")


def test_two_doors_at_the_same_moment_give_two_numbers(store: ContestStore) -> None:
    app = desk_application(store)
    doors = [Volunteer(app, f"http://10.0.0.{nth}").join("entry") for nth in (7, 8)]
    tokens = [app.state.desk.worker(cookie_in(door.http.cookies, "desk")).csrf for door in doors]

    async def at_once() -> None:
        await asyncio.gather(
            *(
                door.http.post("/entries", data={"csrf": token, "name": f"{name} {nth}"})
                for nth in range(10)
                for door, token, name in zip(doors, tokens, ("Anne", "Basile"), strict=True)
            )
        )

    asyncio.run(at_once())
    assert list(store.contest.entrants) == list(range(1, 21))
    assert len({person.name for person in store.people.values()}) == 20
