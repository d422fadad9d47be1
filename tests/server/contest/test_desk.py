"""A whole contest by the pages of its desk, as volunteers use them."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from chouine.contest import ranking
from chouine.contest.ranking import prizes
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore, resume
from tests.server.contest.volunteer import NAMES, SEED, Volunteer, four_drawn, open_fresh, plain


def test_a_rehearsal_from_the_door_to_the_palmares(store: ContestStore, tmp_path: Path) -> None:
    """84 players, three late and two absent, a wrong result found a round later, and a new laptop after round 2."""
    app = desk_application(store)
    door, results = Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("results")
    door.bring_in(csv="nom;commune\n" + "\n".join(f"{name};Lavardin" for name in NAMES[:60]), here="1")
    for nth, name in enumerate(NAMES[60:81]):
        door.enter(name, village="Montoire", paid="1", **({"lady": "1"} if nth % 3 == 0 else {}))
    assert len(door.contest.entrants) == 81
    for absent in (3, 4):
        door.post(f"/entries/{absent}", act="away")
    door.draw(card="Qh")
    assert door.contest.main[0].card == "Qh"
    for late in NAMES[81:]:
        door.post("/entries", name=late)
    assert len(door.contest.main[0].players) == 82, door.answer.text
    results.play("main")
    door.draw(card="7c")
    door.draw("consolante", "8c")
    # Correct a wrong result of round 1, after a page that shows the consequences.
    wrong = door.contest.main[0].played[0]
    address = f"/table/main/1/{wrong.number}"
    shown = door.post(address, score="1-2", reason="fiche mal lue")
    said = plain(shown)
    assert re.search(r"Tour 1 · table 1 : [^.]* gagne 2-1\.", said)  # the winner's score comes first
    assert re.search(r"Consolante · Tour 1 · table \d+ : [^.]* devient ", said)
    assert door.contest.main[0].played[0].score == wrong.score
    told = re.search(r'name="told" value="(\w+)"', shown)
    assert told
    door.post(address, score="1-2", reason="fiche mal lue", told=told[1])
    assert door.contest.main[0].played[0].winner != wrong.winner
    results.play("main", winner=1)
    results.play("consolante")
    before = door.contest
    # The laptop breaks, and another one resumes the contest from the USB stick.
    store.close()
    again = resume(tmp_path / "usb" / "contest.chouine", tmp_path / "other.chouine")
    door = results = Volunteer(desk_application(again)).open()
    assert door.contest == before
    while "/draw/" in (page := door.get("/").text):
        for stage in ("main", "consolante"):
            if f"/draw/{stage}" in page:
                door.draw(stage, "As")
                results.play(stage)
    page = door.get("/palmares").text
    champion = ranking(door.contest)[0].number
    assert again.people[champion].name in page
    assert len(ranking(door.contest)) == 82, "the two who never came have no rank"
    door.sure("/log", act="reveal")
    assert door.contest.seed == SEED
    again.close()


def test_nothing_is_offered_that_would_be_refused(store: ContestStore) -> None:
    """After the draw of round 1 nobody can be marked absent, and after its end nobody can enter."""
    app = desk_application(store)
    desk = Volunteer(app).open()
    for name in NAMES[:6]:
        desk.enter(name)
    assert 'value="away"' in desk.get("/entries/1").text
    desk.draw()
    assert 'value="away"' not in desk.get("/entries/1").text
    assert 'name="lady"' in desk.get("/entries").text
    assert 'href="/entries">Inscrire' in desk.get("/").text
    desk.play("main")
    page = desk.get("/entries").text
    assert 'name="lady"' not in page
    assert "plus d'inscription" in page.replace("’", "'").replace("&#39;", "'")
    assert 'href="/entries">Inscrire' not in desk.get("/").text


@pytest.mark.parametrize("act", ["end", "reveal"])
def test_nothing_goes_on_after_the_end(store: ContestStore, act: str) -> None:
    """After a storm money and names can still be put right; after the closing nothing can."""
    desk = four_drawn(store)[0]
    desk.post("/results", table="1", score="20")
    desk.sure("/log", act="end", reason="orage")
    if act == "reveal":
        desk.sure("/log", act="reveal")
    offers = ["withdraw", "here", "away", "result", "forfeit", "call", "swap", "pair", "draw"]
    for address in (
        "/",
        "/entries",
        "/entries/1",
        "/results",
        "/round/main/1",
        "/table/main/1/1",
        "/table/main/1/2",
    ):
        page = desk.get(address).text
        assert not [one for one in offers if f'name="act" value="{one}"' in page], address
        assert not re.search(
            r'name="score"|name="lady"' if address != "/entries/1" else 'name="score"', page
        ), address
        assert "Saisir les résultats" not in page
    page = desk.get("/entries/1").text
    assert ('value="amend"' in page) == ('value="paid"' in page) == (act == "end")
    assert 'value="erase"' in page


def test_the_log_tells_who_is_here_from_who_is_not(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    desk.enter("Zoé")
    desk.post("/entries/1", act="away")
    desk.post("/entries/1", act="here")
    assert "Présence notée : 1 Zoé" in (page := plain(desk.get("/log").text))
    assert "Absence notée : 1 Zoé" in page


@pytest.mark.parametrize(
    ("table", "score"), [("1", "22"), ("1", ""), ("9", "20"), ("Agnès", "x"), ("", "20"), ("ï", "20")]
)
def test_what_cannot_be_a_result_is_refused_with_a_sentence(
    store: ContestStore, table: str, score: str
) -> None:
    desk = Volunteer(desk_application(store)).open()
    for name in NAMES[:4]:
        desk.enter(name)
    desk.draw()
    page = desk.post("/results", table=table, score=score)
    assert desk.answer.status_code == 422
    assert 'role="alert"' in page
    assert len(store.contest.main[0].open) == 2


def test_a_name_finds_its_table(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    for name in NAMES[:2]:
        desk.enter(name)
    desk.draw()
    desk.post("/results", table="agnès", score="20")
    assert not store.contest.main[0].open


def test_every_page_of_a_contest_can_be_seen(store: ContestStore) -> None:
    desk = Volunteer(desk_application(store)).open()
    for name in NAMES[:9]:
        desk.enter(name, village="Troo", lady="1", junior="1", meals="1")
    desk.draw(card="Kd")
    desk.post("/round/main/1", act="call")
    beside = "/ /entries?q=agn /entries/1 /results /log /screen /public /palmares /import /desks"
    rounds = "/round/main/1 /round/main/1?by=name /table/main/1/1 /results.csv /ranking.csv"
    paper = "/print/slips/main/1 /print/calls/main/1 /print/ranking /print/diplomas"
    for address in f"{beside} {rounds} {paper}".split():
        assert desk.get(address).status_code == 200, address
    assert "<svg" in desk.get("/desks").text


def test_teams_of_two(tmp_path: Path) -> None:
    """Two boards in four keys; an equal sum needs a fifth key, or a tap, for the team that advances."""
    with closing(open_fresh(tmp_path, members=2)) as store:
        desk = Volunteer(desk_application(store)).open()
        for name in NAMES[:8]:
            desk.enter(name)
        desk.draw()
        tables = {table.number: table for table in store.contest.main[0].played}
        desk.post("/results", table="1", score="2120")
        assert "sont à égalité" in desk.post("/results", table="2", score="2002")
        desk.post("/results", table="2", score="20 02 2")
        assert "sont à égalité" in desk.post(
            "/table/main/1/3", **{"board-1": "2-1", "board-2": "1-2", "ahead": ""}
        )
        desk.post("/table/main/1/3", **{"board-1": "2-1", "board-2": "1-2", "ahead": "1"})
        desk.post("/table/main/1/4", **{"board-1": "0-2", "board-2": "2-1", "ahead": ""})
        ahead = [tables[n].players[place] for n, place in ((1, 0), (2, 1), (3, 0), (4, 1))]
        assert store.contest.main[0].ahead == tuple(ahead)
        desk.draw()
        for score in ("21", "2222", "210", "212012"):
            desk.post("/results", table="1", score=score)
            assert desk.answer.status_code == 422
        assert desk.get("/print/slips/main/1").text.count("<table>") == 8
        for address in ("/print/slips/main/1", "/round/main/1"):
            assert "Deux manches gagnantes de 3 parties" in plain(desk.get(address).text)


def test_the_club_settles_equals(tmp_path: Path) -> None:
    """The club orders three equal entries of a poule, and must give a reason for the log."""
    with closing(open_fresh(tmp_path, "poules", pool=3, qualify=1, matches=("3",))) as store:
        desk = Volunteer(desk_application(store)).open()
        for name in NAMES[:3]:
            desk.enter(name)
        for _ in range(3):
            desk.draw()
            for table in store.contest.main[-1].open:
                wins = {(1, 2): "1", (2, 3): "2", (1, 3): "3"}[min(table.players), max(table.players)]
                desk.post(
                    "/results", table=str(table.number), score="10" if str(table.players[0]) == wins else "01"
                )
        assert "1 égalité" in desk.get("/palmares").text
        desk.post("/palmares", order="3 1 2", reason="")
        assert desk.answer.status_code == 422
        desk.post("/palmares", order="3 1 2", reason="une partie jouée en plus")
        assert "1 égalité" not in desk.get("/palmares").text
        assert store.contest.settled == ((3, 1, 2),)


def test_prizes_are_told_at_the_end_and_ties_with_them(store: ContestStore) -> None:
    """No prize goes to whoever has the lower number; after a storm too the club settles what is tied."""
    desk = Volunteer(desk_application(store)).open()
    for name in NAMES[:8]:
        desk.enter(name, lady="1")
    desk.draw()
    desk.post("/results", table="1", score="21")
    assert "Prix des dames" not in (page := plain(desk.get("/palmares").text))
    assert "Imprimer les diplômes" not in page
    assert "classement provisoire" in plain(desk.get("/print/ranking").text)
    assert "Pas encore de diplôme" in plain(desk.get("/print/diplomas").text)
    desk.play("main")
    desk.sure("/log", act="end", reason="orage")
    assert "Clore le concours" in desk.get("/").text
    first = [one.number for one in ranking(store.contest) if one.rank == 1]
    assert len(first) == 4
    tied = "Prix des dames : " + ", ".join(store.people[n].name for n in first) + " · à égalité"
    for address in ("/palmares", "/print/ranking"):
        assert tied in plain(desk.get(address).text)
    assert desk.get("/print/diplomas").text.count("Première place") == 4
    order = " ".join(map(str, reversed(first)))
    desk.post("/palmares", order=order, reason="une partie")
    assert f"Prix des dames : {store.people[first[-1]].name} Imprimer" in plain(desk.get("/palmares").text)


def test_the_size_of_text_is_a_choice_on_every_page(store: ContestStore) -> None:
    """Each browser's own, also of one that only watches; not on the hall's screen, which nobody touches."""
    app = desk_application(store)
    desk, watcher = Volunteer(app).open(), Volunteer(app, "http://10.0.0.9")
    for name in NAMES[:4]:
        desk.enter(name)
    desk.draw()
    beside = "/ /entries /entries/1 /import /draw/main /results /log /palmares /desks /round/main/1 /table/main/1/1"
    paper = "/print/slips/main/1 /print/calls/main/1 /print/ranking /print/instructions"
    for browser, addresses in ((desk, f"{beside} {paper} /nowhere"), (watcher, "/public /join /nowhere")):
        browser.send("/larger", large="1", back="/public")
        for address in addresses.split():
            page = browser.get(address).text
            assert page.count('action="/larger"') == 1, address
            assert "deck-large large" in page, address
        assert 'action="/larger"' not in browser.get("/screen").text
    watcher.send("/larger", large="", back="//e.example")
    assert "deck-large large" not in watcher.get("/public").text
    assert "deck-large large" in desk.get("/public").text


def test_the_club_sets_its_prizes(store: ContestStore) -> None:
    """How many of each kind, in which order, one a person; the ranking, its paper and the diplomas follow."""
    desk = Volunteer(desk_application(store)).open()
    for nth, name in enumerate(NAMES[:8]):
        desk.enter(name, village="Troo" if nth % 2 else "Sougé", **({"lady": "1"} if nth < 4 else {}))
    for _ in range(3):
        desk.draw()
        desk.play("main")
    for _ in range(2):
        desk.draw("consolante")
        desk.play("consolante")
    counts = {"place": "2", "consolante": "0", "lady": "2", "junior": "0", "village": "1"}
    desk.post("/palmares", act="prizes", once="1", **counts, **{"order-lady": "1", "order-place": "2"})
    assert store.contest.prizes.once
    assert [kind for kind, many in store.contest.prizes.counts if many] == ["lady", "place", "village"]
    page = plain(desk.get("/print/diplomas").text)
    for words in ("Prix des dames", "Dames, 2e place", "Première place", "2e place", "Prix des communes"):
        assert words in page
    assert page.count("Photographie") == 1
    assert page.count("L’arbitre") == sum(len(one.winners) for one in prizes(store.contest)) >= 5
    ladies = [number for number, one in store.contest.entrants.items() if one.details.lady]
    order = [one.number for one in ranking(store.contest)]
    first = next(number for number in order if number in ladies)
    assert f"Prix des dames : {store.people[first].name}" in plain(desk.get("/print/ranking").text)
    desk.post("/palmares", act="prizes", **counts | {"place": "51"})
    assert desk.answer.status_code == 422
    assert "de 0 à 50" in plain(desk.answer.text)
    assert "Prix fixés" in plain(desk.get("/log").text)
