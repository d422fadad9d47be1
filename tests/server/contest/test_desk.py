"""A whole contest by the pages of its desk, as volunteers use them."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from chouine.contest import FORMULAS, ranking
from chouine.contest.check import check_log
from chouine.contest.formula import Kind
from chouine.contest.ranking import prizes
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore, resume
from chouine.server.contest.solver import cheapest_matching
from tests.server.contest.volunteer import NAMES, SEED, Volunteer, four_drawn, open_fresh, plain_text


def test_a_rehearsal_from_the_door_to_the_palmares(store: ContestStore, tmp_path: Path) -> None:
    """84 players, three late and two absent, a wrong result found a round later, and a new laptop after round 2.

    The lower number is the stronger, so that the right palmarès is known.
    """
    app = desk_application(store)
    door, results = Volunteer(app).open(), Volunteer(app, "http://10.0.0.7").join("results")
    rows = (f"{name};Lavardin;{'x' if number == 20 else ''}" for number, name in enumerate(NAMES[:60], 1))
    door.bring_in(csv="nom;commune;jeune\n" + "\n".join(rows), here="1")
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
    wrong = door.contest.main[0].table_of(1)
    assert wrong is not None
    right, other = ("2-1", "12") if wrong.players[0] == 1 else ("1-2", "21")
    results.post("/results", table=str(wrong.number), score=other)
    results.play("main", None)
    door.draw(card="7c")
    door.draw("consolante", "8c")
    # Correct the wrong result of round 1, after a page that shows the consequences.
    address = f"/table/main/1/{wrong.number}"
    said = plain_text(door.post(address, score=right, reason="fiche mal lue"))
    assert re.search(
        rf"Tour 1 · table {wrong.number} : [^.]* gagne 2–1\.", said
    )  # the winner's score comes first
    assert re.search(r"Consolante · Tour 1 · table \d+ : [^.]* devient ", said)
    assert 1 not in door.contest.main[0].ahead
    door.post_twice(address, score=right, reason="fiche mal lue")
    assert 1 in door.contest.main[0].ahead
    results.play("main", None)
    results.play("consolante", None)
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
                results.play(stage, None)
    assert again.people[1].name in door.get("/palmares").text
    ranked, won = ranking(door.contest), {(one.kind, one.rank): one.winners for one in prizes(door.contest)}
    assert (ranked[0].number, won["junior", 1]) == (1, (20,))
    assert len(ranked) == 82, "the two who never came have no rank"
    losers = {n for table in door.contest.main[0].played for n in table.losers}
    assert {n for round_ in door.contest.consolante for n in round_.players} == losers
    assert won["consolante", 1] == (min(losers),)
    door.post_twice("/log", act="reveal")
    assert door.contest.seed == SEED
    assert not check_log(door.contest.lines, None, cheapest_matching).breaches
    assert again.copied
    assert len(again.people) == 84
    again.close()


def test_nothing_is_offered_that_would_be_refused(store: ContestStore) -> None:
    """After the draw of round 1 nobody can be marked absent, and after its end nobody can enter."""
    app = desk_application(store)
    desk = Volunteer(app).open()
    desk.enter_some(6)
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
    desk.post_twice("/log", act="end", reason="orage")
    if act == "reveal":
        desk.post_twice("/log", act="reveal")
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


def test_the_log_tells_who_is_here_from_who_is_not(desk: Volunteer) -> None:
    desk.enter("Zoé")
    desk.post("/entries/1", act="away")
    desk.post("/entries/1", act="here")
    assert "Présence notée : 1 Zoé" in (page := plain_text(desk.get("/log").text))
    assert "Absence notée : 1 Zoé" in page


@pytest.mark.parametrize(
    ("table", "score"), [("1", "22"), ("1", ""), ("9", "20"), ("Agnès", "x"), ("", "20"), ("ï", "20")]
)
def test_what_cannot_be_a_result_is_refused_with_a_sentence(
    desk: Volunteer, store: ContestStore, table: str, score: str
) -> None:
    desk.enter_some(4).draw()
    page = desk.post("/results", table=table, score=score)
    assert desk.answer.status_code == 422
    assert 'role="alert"' in page
    assert len(store.contest.main[0].open) == 2


def test_a_name_finds_its_table(desk: Volunteer, store: ContestStore) -> None:
    desk.enter_some(2).draw()
    desk.post("/results", table="agnès", score="20")
    assert not store.contest.main[0].open


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("kind", FORMULAS)
def test_every_page_of_a_contest_can_be_seen(tmp_path: Path, kind: Kind, *, drawn: bool) -> None:
    with closing(open_fresh(tmp_path, kind)) as store:
        desk = Volunteer(desk_application(store)).open()
        desk.enter_some(9, village="Troo", lady="1", junior="1", meals="1")
        pages = "/ /entries?q=agn /entries/1 /door /results /log /screen /public /palmares /import /desks /settings"
        pages += " /check /draw/main /draw/consolante /results.csv /ranking.csv /evening /print/tree/main"
        pages += " /print/ranking /print/diplomas /print/press /print/accounts /print/by-hand /print/digest"
        if drawn:
            desk.draw(card="Kd")
            desk.post("/round/main/1", act="call")
            pages += (
                " /round/main/1 /round/main/1?by=name /table/main/1/1 /print/slips/main/1 /print/calls/main/1"
            )
        for ended in (False, True):
            for address in pages.split():
                assert desk.get(address).status_code == 200, (address, ended)
            if not ended:
                assert "<svg" in desk.get("/desks").text
                desk.post_twice("/log", act="end", reason="orage")


def test_teams_of_two(tmp_path: Path) -> None:
    """Two boards in four keys; an equal sum needs a fifth key, or a tap, for the team that advances."""
    with closing(open_fresh(tmp_path, members=2)) as store:
        desk = Volunteer(desk_application(store)).open()
        desk.enter_some(8).draw()
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
            assert "Deux manches gagnantes de 3 parties" in plain_text(desk.get(address).text)


def test_the_club_settles_equals(tmp_path: Path) -> None:
    """The club orders three equal entries of a poule, and must give a reason for the log."""
    with closing(open_fresh(tmp_path, "poules", pool=3, qualify=1, matches=("3",))) as store:
        desk = Volunteer(desk_application(store)).open()
        desk.enter_some(3)
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


def test_prizes_are_told_at_the_end_and_ties_with_them(desk: Volunteer, store: ContestStore) -> None:
    """No prize goes to whoever has the lower number; after a storm too the club settles what is tied."""
    desk.enter_some(8, lady="1").draw()
    desk.post("/results", table="1", score="21")
    assert "Prix des dames" not in (page := plain_text(desk.get("/palmares").text))
    assert "Imprimer les diplômes" not in page
    assert "classement provisoire" in plain_text(desk.get("/print/ranking").text)
    assert "Pas encore de diplôme" in plain_text(desk.get("/print/diplomas").text)
    desk.play("main")
    desk.post_twice("/log", act="end", reason="orage")
    assert "Clore le concours" in desk.get("/").text
    first = [one.number for one in ranking(store.contest) if one.rank == 1]
    assert len(first) == 4
    tied = "Prix des dames : " + ", ".join(store.people[n].name for n in first) + " · à égalité"
    for address in ("/palmares", "/print/ranking"):
        assert tied in plain_text(desk.get(address).text)
    assert desk.get("/print/diplomas").text.count("Première place") == 4
    order = " ".join(map(str, reversed(first)))
    desk.post("/palmares", order=order, reason="une partie")
    assert f"Prix des dames : {store.people[first[-1]].name} Imprimer" in plain_text(
        desk.get("/palmares").text
    )


def test_the_size_of_text_is_a_choice_on_every_page(store: ContestStore) -> None:
    """Each browser's own, also of one that only watches; not on the hall's screen, which nobody touches."""
    app = desk_application(store)
    desk, watcher = Volunteer(app).open(), Volunteer(app, "http://10.0.0.9")
    desk.enter_some(4).draw()
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


def test_the_club_sets_its_prizes(desk: Volunteer, store: ContestStore) -> None:
    """How many of each kind, in which order, one a person; the ranking, its paper and the diplomas follow."""
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
    page = plain_text(desk.get("/print/diplomas").text)
    for words in ("Prix des dames", "Dames, 2e place", "Première place", "2e place", "Prix des communes"):
        assert words in page
    assert page.count("Photographie") == 1
    assert page.count("L’arbitre") == sum(len(one.winners) for one in prizes(store.contest)) >= 5
    ladies = [number for number, one in store.contest.entrants.items() if one.details.lady]
    order = [one.number for one in ranking(store.contest)]
    first = next(number for number in order if number in ladies)
    assert f"Prix des dames : {store.people[first].name}" in plain_text(desk.get("/print/ranking").text)
    desk.post("/palmares", act="prizes", **counts | {"place": "51"})
    assert desk.answer.status_code == 422
    assert "de 0 à 50" in plain_text(desk.answer.text)
    assert "Prix fixés" in plain_text(desk.get("/log").text)
