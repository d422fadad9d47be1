"""Parties brought as a file: shown, shared by link, erased; refused with the place of each fault."""

from __future__ import annotations

import re
from io import BytesIO
from random import Random
from zipfile import ZipFile

import pytest

from chouine.notation.reader import read_records
from chouine.notation.records import Record
from chouine.partie.deal import Deal
from chouine.partie.state import State
from chouine.phrases import score_of
from chouine.rules.options import Rules
from chouine.server.imports import MOST, FileFaults, imported_table, read_file, row_of
from chouine.server.records import film_of
from tests.server.serving import Browser, RunningServer

RNG = Random(61)
NAMES = "Odette; Basile"


def played_at_random(preset: str = "classic", players: str = NAMES, **tags: str) -> Record:
    """A partie to its end."""
    rules = Rules.parse(preset)
    state = State.new(rules, Deal.random(rules, 0, RNG))
    while state.turn is not None:
        state = state.play(RNG.choice(state.view(state.turn).legal))
    return Record.of(state, {"Players": players, **tags})


def bring(browser: Browser, file: bytes = b"", text: str = "", csrf: str | None = None) -> str:
    """Post the form, by a file or a text; the address to which it leads, or the page of the refusal."""
    answer = browser.http.post(
        "/import",
        data={"csrf": browser.csrf if csrf is None else csrf, "text": text},
        files={"file": ("parties.cgn", file)},
        follow_redirects=False,
    )
    if answer.status_code == 303:
        return str(answer.headers["location"])
    assert answer.status_code in (403, 422), answer.text
    return answer.text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ")


def file_of(*records: Record) -> str:
    return "\n\n".join(map(str, records)) + "\n"


def test_a_match_is_shown_to_whoever_has_the_link(served: RunningServer) -> None:
    owner, friend = served.visit(), served.visit("en")
    records = [played_at_random(Date="1998.02.01", Event="Foire") for _ in range(3)]
    address = bring(owner, file_of(*records).encode())
    assert re.fullmatch("/match/i-[0-9a-f]{30}", address)
    page = friend.get(address).text
    assert "Odette" in page
    assert "Imported from a file" in page
    assert "/import" not in page.partition("<main")[2]
    assert "/report/" not in page
    for number, record in enumerate(records, 1):
        shown = friend.get(f"{address}/{number}?trick=1")
        assert shown.status_code == 200
        assert score_of(record.result.points) in shown.text
        assert friend.get(f"{address}/{number}.json").json()["deal"] == str(record.deal)
    assert friend.get(f"{address}/4").status_code == 404
    again = [*read_records(friend.get(f"{address}.cgn").text.splitlines())]
    assert [str(one) for one in again] == [str(one) for one in records]


def test_what_is_brought_is_marked_and_is_nobodys_match(served: RunningServer) -> None:
    browser = served.visit()
    address = bring(browser, file_of(played_at_random()).encode())
    page = browser.get(address).text
    assert "Importé d’un fichier" in page
    assert address not in browser.get("/").text
    assert browser.get(address.replace("/match/", "/table/")).status_code == 404
    assert "cette partie vient d’un fichier" in browser.get(f"{address}/1").text.lower()


def test_the_same_file_twice_is_one(served: RunningServer) -> None:
    browser, other = served.visit(), served.visit()
    text = file_of(played_at_random())
    first = bring(browser, text.encode())
    assert bring(browser, text=text) == first
    assert bring(other, text.encode()) != first
    assert browser.get("/import").text.count(first) == 1


def test_a_file_of_two_matches_makes_two(served: RunningServer) -> None:
    browser = served.visit()
    text = file_of(played_at_random(), played_at_random("three", "Anne; Luc; Zoé"))
    assert bring(browser, text.encode()) == "/import#brought"
    found = set(re.findall("/match/i-[0-9a-f]{30}", browser.get("/import").text))
    assert len(found) == 2
    assert all(browser.get(f"{each}/1").status_code == 200 for each in found)


def test_only_the_owner_erases_and_then_nothing_is_left(served: RunningServer) -> None:
    owner, other = served.visit(), served.visit()
    address = bring(owner, file_of(played_at_random()).encode())
    table_id = address.rpartition("/")[2]
    other.post(f"/import/{table_id}/erase")
    assert other.get(address).status_code == 200
    assert owner.http.post(f"/import/{table_id}/erase", data={"csrf": "no"}).status_code == 403
    owner.post(f"/import/{table_id}/erase")
    assert other.get(address).status_code == 404
    assert other.get(f"{address}/1/review").status_code == 404


def test_it_is_taken_along_and_erased_with_all_that_is_ones_own(served: RunningServer) -> None:
    browser = served.visit()
    address = bring(browser, file_of(played_at_random()).encode())
    with ZipFile(BytesIO(browser.get("/mine/chouine.zip").content)) as archive:
        assert NAMES in archive.read("chouine.json").decode()
    browser.post("/settings/forget", all="1")
    assert served.visit().get(address).status_code == 404


def test_faults_are_told_with_their_places_and_nothing_is_brought(served: RunningServer) -> None:
    browser = served.visit()
    good, bad = str(played_at_random()), str(played_at_random()).replace("\n 1. ", "\n 1. Zz ")
    told = bring(browser, f"{good}\n\n{bad}\n".encode())
    line = f"{good}\n\n{bad}\n".splitlines().index(next(x for x in bad.splitlines() if "Zz" in x)) + 1
    assert f"Ligne {line}, colonne 5 : " in told
    assert "Zz" in told
    assert "Rien n’a été importé" in told
    assert "/match/i-" not in browser.get("/import").text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Il n’y a là aucune partie"),
        ("classic b ?5|.K.A97.7 Jd : ", "certaines cartes ne sont pas connues"),
        ("bonjour", "Ligne 1, colonne 1"),
        ("<script>alert(1)</script>", "Ligne 1, colonne 1"),
        ("\N{NULL}\ud800".encode(errors="replace").decode(), "Ligne 1"),
    ],
)
def test_what_is_no_file_of_parties_is_refused(served: RunningServer, text: str, reason: str) -> None:
    told = bring(served.visit(), text=text)
    assert reason in told
    assert "<script>alert" not in told


def test_a_file_is_bounded(served: RunningServer) -> None:
    browser = served.visit()
    record = str(played_at_random()).replace("\n\n", "\n", 1)
    many = "\n\n".join(f"{record}" for _ in range(MOST + 1))
    told = bring(browser, many.encode())
    assert f"{MOST} à la fois" in told or "trop long" in told
    assert "trop long" in bring(browser, b"x" * 51_000)
    assert browser.http.post("/import", content=b"x" * 70_000).status_code == 413


def test_an_unfinished_partie_and_a_wrong_token_are_refused(served: RunningServer) -> None:
    browser = served.visit()
    record = played_at_random()
    begun = Record(
        record.rules,
        record.deal,
        record.items[:2],
        record.result.__class__.of_position(
            record.rules, next(record.states()).rule_table, next(record.states()).position
        ),
        (),
    )
    assert "n’est pas finie" in bring(browser, str(begun).encode())
    assert bring(browser, str(record).encode(), csrf="no")
    assert "/match/i-" not in browser.get("/import").text


def test_a_review_of_what_was_brought_is_nobodys_average(served: RunningServer) -> None:
    browser = served.visit()
    address = bring(browser, file_of(played_at_random()).encode())
    page = browser.get(f"{address}/1/review")
    assert page.status_code == 200
    assert browser.get(f"{address}/review").status_code == 200
    assert browser.get(f"{address}/1/review.cgn").status_code == 200
    assert address not in browser.get("/learn/own").text


def test_the_deal_is_played_again(served: RunningServer) -> None:
    browser = served.visit()
    address = bring(browser, file_of(played_at_random()).encode())
    answer = browser.post(f"{address}/1/again")
    assert answer.headers["location"].startswith("/table/")


def test_the_film_of_a_finished_partie(served: RunningServer) -> None:
    browser = served.visit()
    address = bring(browser, file_of(played_at_random()).encode())
    film = browser.get(f"{address}/1.svg")
    assert film.headers["content-type"] == "image/svg+xml"
    assert film.text.startswith("<svg")
    assert "Odette" in film.text
    assert browser.get(f"{address}/2.svg").status_code == 404


def test_names_that_cannot_be_shown_are_left_out() -> None:
    row = row_of([played_at_random(players="Hitler; \N{RIGHT-TO-LEFT OVERRIDE}")], "g", 0.0)
    table = imported_table("g", 0.0, str(row["body"]))
    assert "Hitler" not in "".join(holder.name for holder in table.holders)
    assert "Hitler" not in str(row["title"])
    assert "Hitler" not in film_of(table, table.played[0], "fr")


def test_a_long_text_without_parties_is_not_read_to_its_end() -> None:
    with pytest.raises(FileFaults) as told:
        read_file("x\n" * 20_000)
    assert len(told.value.faults) == MOST + 1
