"""The drill: a made-up day that volunteers get through, with its late, absent and quarrelling players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import cast

import pytest

from chouine.contest import (
    Corrected,
    Entered,
    Paid,
    Present,
    ResultEntered,
    Revealed,
    Score,
    Withdrew,
    draw,
)
from chouine.contest.formula import Stage
from chouine.contest.people import Names, Person
from chouine.contest.views import is_final
from chouine.server.contest import contest_store
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.drill import LISTED, MINUTE, Request, drill_panel, open_drill, requests
from chouine.server.contest.solver import cheapest_matching
from tests.server.contest.volunteer import Volunteer, plain_text


@pytest.fixture
def drill(tmp_path: Path) -> Iterator[ContestStore]:
    store = open_drill(tmp_path, "fr")
    yield store
    store.close()
    contest_store.hasten(1)


def open_requests(store: ContestStore, at: int) -> list[Request]:
    """What is asked and not yet done."""
    return [one for one in requests(store.contest, store.people, "fr") if one.since <= at and not one.done]


def meet(store: ContestStore, request: Request, at: int) -> None:
    """Do what somebody asks, as the desk's pages would."""
    contest, data = store.contest, request.data
    names = Names(store.people, contest.entrants)
    numbers = {name: number for number, name in names.items()}
    match request.code.partition("/")[2]:
        case "arrives":
            number = 1 + LISTED.index((str(data["name"]), str(data["village"])))
            store.do(Present(number, here=True), "entry 1", at=at)
            store.do(Paid(number, 1000), "entry 1", at=at)
        case "new" | "twin" | "late":
            person = Person(str(data["name"]), str(data["village"]))
            store.do(lambda contest: Entered(contest.next_number), "entry 1", person, at)
            store.do(Paid(store.contest.next_number - 1, 1000), "entry 1", at=at)
        case "absent" | "leaves":
            store.do(Withdrew(numbers[str(data["name"])]), "referee 1", at=at)
        case "draw" | "draw-consolante":
            stage: Stage = "main" if request.code == "drill/draw" else "consolante"
            store.do(draw(contest, stage, store.seed, "Qh", solver=cheapest_matching), "referee 1", at=at)
        case "slip" | "quarrel" | "protest":
            tables = [(round_, table) for round_ in contest.all_rounds() for table in round_.played
                      if table.number == data["table"] and str(data["winner"]) in
                      {names[player] for player in table.players}]  # fmt: skip
            for round_, table in tables:
                if table.decided == (request.code == "drill/slip"):
                    continue
                place = [names[player] for player in table.players].index(str(data["winner"]))
                manches = [int(won) for won in re.findall(r"\d", str(data["score"]))]
                score = Score.of(tuple(manches if place == 0 else manches[::-1]))
                where = round_.stage, round_.number, table.number
                act = Corrected(*where, score, "fiche") if table.decided else ResultEntered(*where, score)
                store.do(act, "results 1", at=at)
                return
        case "close":
            store.do(Revealed(store.seed), "desk", at=at)


def test_a_day_that_volunteers_get_through_in_fifteen_minutes(drill: ContestStore) -> None:
    """All that is asked can be done, each once; everything is over within 150 minutes of the drill's clock."""
    at, met = drill.contest.lines[0].at, Counter[str]()
    for _ in range(150):
        at += MINUTE
        for _ in range(2):
            for request in open_requests(drill, at)[:1]:
                meet(drill, request, at)
                met[request.code] += 1
    assert is_final(drill.contest)
    assert drill.contest.seed == drill.seed
    assert open_requests(drill, at) == []
    assert met["drill/arrives"] == len(LISTED) - 1
    assert {code for code in met if met[code] == 1} == {
        "drill/new", "drill/twin", "drill/absent", "drill/late", "drill/leaves", "drill/quarrel", "drill/close",
    }  # fmt: skip
    assert met["drill/draw"] == len(drill.contest.main)
    assert met["drill/draw-consolante"] == len(drill.contest.consolante) >= 2


def test_a_wrong_result_is_protested_until_it_is_corrected(drill: ContestStore) -> None:
    at = drill.contest.lines[0].at
    while not any(one.code == "drill/slip" for one in open_requests(drill, at)):
        at += MINUTE
        for request in open_requests(drill, at):
            if request.code != "drill/slip":
                meet(drill, request, at)
    tables = {
        one.data["table"]: one
        for one in requests(drill.contest, drill.people, "fr")
        if one.code == "drill/slip"
    }
    slip = tables[2]
    table = drill.contest.main[0].table(2)
    names = [Names(drill.people, drill.contest.entrants)[player] for player in table.players]
    wrong = Score.of((0, 2) if names.index(str(slip.data["winner"])) == 0 else (2, 0))
    drill.do(ResultEntered("main", 1, 2, wrong), "results 1", at=at)
    assert not any(one.code == "drill/protest" for one in open_requests(drill, at))
    protests = [one for one in open_requests(drill, at + MINUTE) if one.code == "drill/protest"]
    assert [one.data for one in protests] == [slip.data]
    meet(drill, protests[0], at + MINUTE)
    assert not any(one.code == "drill/protest" for one in open_requests(drill, at + 9 * MINUTE))


def test_the_desk_shows_who_waits_and_since_when(drill: ContestStore) -> None:
    """On every page of the desk, by the clock that runs ten times as fast; on none of a real contest."""
    app = desk_application(drill)
    assert "Exercice : rien ne compte" not in plain_text(Volunteer(app).open().get("/").text)
    app.state.desk.drill = True
    desk = Volunteer(app).open()
    assert "Personne ne demande rien" in plain_text(desk.get("/").text)
    opened = drill.contest.lines[0].at
    panel = drill_panel(drill.contest, drill.people, opened + 11 * MINUTE, "fr")
    first = "Aubin Rochereau (Troo), sur la liste, est là et paie 10,00 €."
    (sentence, minutes), *others = cast("list[tuple[str, int]]", panel["waiting"])
    assert (plain_text(sentence), minutes, len(others), panel["more"]) == (first, 10, 2, 2)
    contest_store._hastened = (time() - 100, 10)
    page = plain_text(desk.get("/entries").text)
    assert "1 minute sur quinze" in page
    assert first in page
    desk.post("/entries/1", act="here")
    desk.post("/entries/1", act="paid")
    assert first not in (page := plain_text(desk.get("/entries").text))
    assert "1 demande satisfaite" in page
