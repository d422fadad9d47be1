"""The draw at the desk: the card cut, what will be drawn, and what the public verifies."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.wild import wild
from chouine.contest import (
    Amended,
    ContestOpened,
    Details,
    Ended,
    Entered,
    ListEntered,
    Revealed,
    RoundDrawn,
    Undone,
    add,
    commit,
    draw,
    formula_for,
)
from chouine.contest.acts import Merged
from chouine.contest.formula import Kind
from chouine.contest.simulate import simulate_contest
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.solver import cheapest_matching
from chouine.server.pages.env import STATIC
from tests.needs import need
from tests.server.contest.volunteer import NAMES, SEED, Volunteer, open_fresh, plain_text


@pytest.fixture
def desk(store: ContestStore) -> Volunteer:
    """Four present and one absent."""
    desk = Volunteer(desk_application(store)).open()
    desk.enter_some(5)
    desk.post("/entries/5", act="away")
    return desk


@pytest.mark.parametrize("said", ["dame de cœur", "DC", "Dh", "d♥", "Qh"])
def test_the_cut_card_is_touched_or_written_as_it_is_said(desk: Volunteer, said: str) -> None:
    """No keyboard has ♥. Nothing is drawn before the page has said what will be."""
    assert (
        '<button class="plain" name="card" value="Qh" aria-label="dame de cœur">D♥</button>'
        in desk.get("/draw/main").text
    )
    page = plain_text(desk.post("/draw/main", said=said))
    assert not desk.contest.main
    assert "Tour 1 : la carte coupée est la dame de cœur" in page
    assert "4 inscrits. Tables : 2" in page
    assert f"Absents, qui ne sont pas tirés : {NAMES[4]}" in page
    desk.post_twice("/draw/main", said=said, act="draw")
    assert desk.contest.main[0].card == "Qh"
    desk.play("main")
    page = plain_text(desk.post("/draw/main", said=said))
    assert "Finale : la carte coupée" in page
    assert "Absents" not in page


@pytest.mark.parametrize(
    ("typed", "why"), [("", "Touchez la carte"), ("D", "la dame et carreau"), ("deux de cœur", "trente-deux")]
)
def test_an_empty_field_or_half_a_card_draws_nothing(desk: Volunteer, typed: str, why: str) -> None:
    page = plain_text(desk.post("/draw/main", said=typed, act="draw"))
    assert desk.answer.status_code == 422
    assert why in page
    assert not desk.contest.main


@pytest.mark.parametrize("card", ["7s", "Ac"])
def test_every_card_draws_as_itself(desk: Volunteer, card: str) -> None:
    """The seven of spades too, whose number is 0."""
    desk.draw(card=card)
    assert desk.contest.main[0].card == card


def test_a_draw_without_a_card_is_asked_for_by_name(desk: Volunteer) -> None:
    assert "sans carte" in plain_text(desk.post("/draw/main", act="none"))
    desk.post_twice("/draw/main", act="none")
    assert desk.contest.main[0].card == ""


def test_what_changed_since_is_asked_again(desk: Volunteer) -> None:
    """Who arrives between the question and the answer is in the question asked anew."""
    told = re.search(r'name="told" value="(\w+)"', desk.post("/draw/main", card="Qh"))
    assert told
    desk.post("/entries/5", act="here")
    page = plain_text(desk.post("/draw/main", card="Qh", told=told[1]))
    assert "5 inscrits" in page
    assert not desk.contest.main


def test_a_tree_asks_for_no_second_card(tmp_path: Path) -> None:
    desk = Volunteer(desk_application(open_fresh(tmp_path, "tree"))).open()
    desk.enter_some(4).draw()
    desk.play("main")
    assert 'name="card"' not in desk.get("/draw/main").text
    assert "Finale : les tables découlent" in plain_text(desk.post("/draw/main"))
    desk.post_twice("/draw/main", act="draw")
    assert desk.contest.main[1].card == ""


def test_eight_signs_are_read_out(desk: Volunteer, store: ContestStore) -> None:
    """After a new seed those of the new one. Paper and the public page have all of the digest."""
    signs = f"{commit(SEED)[:4]} {commit(SEED)[4:8]}"
    public = Volunteer(desk.app, "http://10.0.0.9")
    for shown in (desk.get("/draw/main"), desk.get("/print/digest"), public.get("/check")):
        assert signs in shown.text
    assert commit(SEED) in desk.get("/print/digest").text
    app = desk_application(store, lambda: ("http://192.168.1.5:8010",))
    sheet = Volunteer(app).open().get("/print/digest").text
    assert "http://192.168.1.5:8010/check" in sheet
    assert "<svg" in sheet
    desk.post_twice("/log", act="end", reason="orage")
    desk.post_twice("/log", act="reveal")
    assert SEED in plain_text(public.get("/check").text)
    assert public.get("/log.jsonl").text.splitlines() == [str(line) for line in store.contest.lines]
    desk.post("/log", undo=str(store.contest.head.n), reason="trop tôt")
    desk.post("/log", undo=str(store.contest.head.n - 2), reason="beau temps")
    page = desk.get("/draw/main").text
    assert store.contest.commit[:4] in page
    assert signs not in page


def verdicts(log: str) -> list[list[object]]:
    """What the public page's script finds in a log."""
    script = f"import {{ verdicts }} from {json.dumps(str(STATIC / 'js/check-contest.js'))};"
    script += "let log = ''; for await (const part of process.stdin.setEncoding('utf8')) log += part;"
    script += "console.log(JSON.stringify(verdicts(log)));"
    call = ["node", "--input-type=module", "-e", script]
    found: list[list[object]] = json.loads(
        subprocess.run(call, input=log, capture_output=True, text=True, check=True).stdout
    )
    return found


@pytest.mark.parametrize("kind", ["lavardin", "tree", "poules", "rounds", "swiss"])
def test_the_public_page_draws_round_1_again(kind: Kind) -> None:
    need("node")
    contest = simulate_contest(formula_for(kind), 41, "été", cheapest_matching)
    log = "".join(f"{line}\n" for line in contest.lines)
    found = verdicts(log)
    assert [what for what, _ in found] == ["seals", "seed", "round", "rest"]
    assert found[0][1] == len(contest.lines)
    changed = log.replace('"here":false', "").replace(str(contest.lines[20].at), "1", 1)
    assert changed == log or verdicts(changed)[0][0] == "broken"


def test_the_public_page_knows_what_stood_at_the_draw() -> None:
    """A list that gives two entries a family, and details undone since, make no draw look forged."""
    need("node")
    opening = ContestOpened(formula_for("lavardin", apart=("family",), consolante="none"), commit("s"))
    contest = add(None, opening, "desk", 0)
    for number in range(1, 9):
        contest = add(contest, Entered(number), "desk", 0)
    families = tuple(Merged(number, Details(family=3)) for number in (2, 4))
    contest = add(contest, ListEntered((), merged=families), "desk", 0)
    contest = add(contest, Amended(6, Details(family=3)), "desk", 0)
    stood = contest.head.n
    for _ in range(20):
        contest = add(contest, draw(contest, "main", "s", "Qh"), "desk", 0)
        contest = add(contest, Undone(contest.head.n, "again"), "desk", 0)
    contest = add(contest, Undone(stood, "another family"), "desk", 0)
    for act in (Ended("storm"), Revealed("s")):
        contest = add(contest, act, "desk", 0)
    found = verdicts("".join(f"{line}\n" for line in contest.lines))
    assert {what for what, _ in found} == {"seals", "seed", "round"}


@pytest.mark.nightly
@pytest.mark.parametrize("nth", range(60))
def test_the_public_page_finds_nothing_wrong_where_all_happens(nth: int) -> None:
    need("node")
    contest, _ = wild(nth, most=16)
    found = verdicts("".join(f"{line}\n" for line in contest.lines))
    assert [what for what, _ in found][:2] == ["seals", "seed"]
    assert not {what for what, _ in found} & {"broken", "other", "differs"}


def test_the_public_page_sees_what_was_forged() -> None:
    """A changed line; and a draw that is not the seed's, sealed again from there on."""
    need("node")
    contest = simulate_contest(formula_for("lavardin"), 6, "s", cheapest_matching)
    lines = [str(line) for line in contest.lines]
    other = [line.replace('"number":3', '"number":33') for line in lines]
    assert verdicts("\n".join(other)) == [["broken", 4]]
    forged = None
    for line in contest.lines[:8]:
        act = line.act
        if isinstance(act, RoundDrawn):
            act = replace(act, places=tuple(reversed(act.places)))
        forged = add(forged, act, line.by, line.at)
    assert forged
    by = forged.head
    sealed = [*map(str, forged.lines), str(type(by).after(by, Revealed("s"), "desk", by.at))]
    assert [what for what, _ in verdicts("\n".join(sealed))] == ["seals", "seed", "differs"]
