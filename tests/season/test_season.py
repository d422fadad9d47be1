"""A season: points, ties, spellings, corrections, undo."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

import pytest

from chouine.contest import ActRefused, Details
from chouine.contest.acts import Erased, Undone
from chouine.contest.log import first_broken_line
from chouine.contest.people import Person
from chouine.phrases import Language, say
from chouine.season import Season, SeasonLine, add, ranking, season_of
from chouine.season.acts import (
    Announced,
    Booked,
    BookingCancelled,
    FeePaid,
    MemberSet,
    Merged,
    Points,
    Ruled,
    SeasonAct,
    SeasonOpened,
    SeasonRules,
)
from chouine.season.ranking import standings
from chouine.season.results import add_results, code_of, look_alikes, read_results, results_of_season, text_of
from tests.season.evenings import evening, season_with, sheet_from

JEAN, MARIE, PAUL, ANNE = "Jean Bordier", "Marie Chéron", "Paul Épron", "Anne Dutertre"


def do(season: Season, *acts: SeasonAct) -> Season:
    for act in acts:
        season = add(season, act, "test", season.head.at)
    return season


def refusal_code(season: Season | None, act: SeasonAct) -> str:
    with pytest.raises(ActRefused) as fault:
        add(season, act, "test", 0)
    return fault.value.code


def totals(season: Season, people: dict[int, Person]) -> list[tuple[int, str, int, int]]:
    found = ranking(season)
    return [
        (one.rank, people[one.who].name, one.total, one.counted) for one in found if isinstance(one.who, int)
    ]


def test_the_best_evenings_count() -> None:
    rules = SeasonRules(Points((10, 5, 3), 0, 1), best=2)
    season, people = season_with(
        evening(1, JEAN, MARIE, PAUL), evening(2, MARIE, JEAN), evening(3, JEAN, PAUL, MARIE), rules=rules
    )
    assert totals(season, people) == [(1, JEAN, 22, 2), (2, MARIE, 17, 2), (3, PAUL, 10, 2)]


def test_points_by_win() -> None:
    season, people = season_with(evening(1, JEAN, MARIE, PAUL), rules=SeasonRules(Points((), 3, 2)))
    assert totals(season, people) == [(1, JEAN, 8, 1), (2, MARIE, 5, 1), (3, PAUL, 2, 1)]


@pytest.mark.parametrize(
    ("evenings", "best", "order"),
    [
        ([{"a": 5, "b": 9}, {"a": 5, "b": 1}], 0, [(1, "b"), (2, "a")]),  # the best evening decides
        ([{"a": 5, "b": 5}, {"a": 5, "b": 5}, {"b": 1}], 2, [(1, "b"), (2, "a")]),  # who came more often
        ([{"a": 5, "b": 5}, {"b": 0}], 1, [(1, "b"), (2, "a")]),  # even for nothing
        (
            [{"b": 5, "a": 5}, {"c": 5}, {"d": 1}],
            0,
            [(1, "b"), (1, "a"), (1, "c"), (4, "d")],
        ),  # equal: a shared place
    ],
)
def test_ties(evenings: list[dict[str, int]], best: int, order: list[tuple[int, str]]) -> None:
    assert [(one.rank, one.who) for one in standings(evenings, best)] == order


def test_the_same_person_by_name_and_village() -> None:
    """Order of words, accents and a missing village make nobody new; another village does, and a homonym present."""
    season, people = season_with(
        evening(1, "Jean Bordier, Troo", "Marie Chéron"),
        evening(2, "BORDIER Jean", "Marie Cheron, Lavardin"),
        evening(3, "Jean Bordier, Vendôme", "Jean Bordier, Troo", "Jean Bordier, Troo"),
    )
    rows = [[row.players for row in one.rows] for one in season.evenings]
    assert rows == [[(1,), (2,)], [(1,), (2,)], [(3,), (1,), (4,)]]
    assert people[3].village == "Vendôme"


def test_two_spellings_are_merged_and_the_log_says_so() -> None:
    season, people = season_with(
        evening(1, "Jean Bordier", MARIE), evening(2, "Jean Bordié", MARIE), evening(3, MARIE, "Jean Bordié")
    )
    assert look_alikes(season, people) == ((1, 3),)
    merged = do(season, Merged(1, 3, "même personne"))
    assert totals(merged, people) == [(1, JEAN, 73, 3), (2, MARIE, 68, 3)]
    assert merged.head.act == Merged(1, 3, "même personne")
    assert merged.spellings(3) == (1, 3)
    assert look_alikes(merged, people) == ()
    later, names = add_results(merged, people, evening(4, "Jean Bordié"))
    assert later.rows[0].players == (1,)
    assert not names
    assert refusal_code(merged, Merged(3, 1, "")) == "season/merged-already"
    assert refusal_code(merged, Merged(1, 2, "")) == "season/both-played"
    assert totals(do(merged, Undone(merged.head.n, "")), people) == totals(season, people)


def test_a_corrected_contest_replaces_its_evening() -> None:
    season, people = season_with(evening(1, JEAN, MARIE), evening(1, MARIE, JEAN, PAUL, acts=2))
    assert len(season.evenings) == 1
    assert totals(season, people)[0][1] == MARIE
    for acts, code in ((2, "season/had-already"), (1, "season/older")):
        act, _ = add_results(season, people, evening(1, JEAN, acts=acts))
        assert refusal_code(season, act) == code


def test_teams_villages_ladies_juniors() -> None:
    together = sheet_from({f"Jean {n} & Marie {n}": Details() for n in range(1, 4)}, "teams")
    assert all(len(row.names) == 1 for row in together.rows)  # single players may have any name
    pairs = replace(
        together, rows=tuple(replace(row, names=tuple(row.names[0].split(" & "))) for row in together.rows)
    )
    other = replace(pairs, source="0" * 64, rows=tuple(replace(r, names=r.names[::-1]) for r in pairs.rows))
    season, people = season_with(pairs, other)
    teams = ranking(season, "teams")
    assert sorted(one.counted for one in teams) == [2, 2, 2]
    assert len(ranking(season)) == 6
    assert not ranking(season, "ladies")
    names = ["Ève, Troo", "Marc, Troo", "Luc, Troo", "Noé, Troo", "Lise, Sougé", "Rose, SOUGE"]
    season, people = season_with(evening(1, *names, lady="Ève"))
    villages = ranking(season, "villages", people)
    assert [(one.who, one.total) for one in villages] == [("Troo", 26 + 21 + 17), ("Sougé", 12 + 11)]
    assert [one.who for one in ranking(season, "ladies")] == [1]
    season = do(season, MemberSet(3, junior=True))
    assert [one.who for one in ranking(season, "juniors")] == [3]


def test_a_contest_becomes_an_evening() -> None:
    everybody = {
        JEAN: Details(),
        MARIE: Details(lady=True),
        PAUL: Details(junior=True),
        ANNE: Details(lady=True),
    }
    sheet = sheet_from(everybody, "one", "Lavardin")
    assert [row.rank for row in sheet.rows] == [1, 2, 3, 4]
    assert {row.names[0] for row in sheet.rows if row.lady} == {MARIE, ANNE}
    for text in (text_of([sheet]), code_of([sheet])):
        assert read_results(text) == (sheet,)


@pytest.mark.parametrize(
    "text", ["", "{}", "[{}]", "[1]", "CHOUINE-1-", "CHOUINE-1-@@", "CHOUINE-1-AAAA", "[" * 9999]
)
def test_what_is_no_sheet(text: str) -> None:
    with pytest.raises(ActRefused) as fault:
        read_results(text)
    assert fault.value.code == "season/no-sheet"


def test_eight_evenings_of_two_clubs_with_two_spellings() -> None:
    """Two clubs, four evenings each; one season takes both, and one person whom they spell differently."""
    crowd = [f"Joueur {name}" for name in ["Alfa", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot"]]
    lavardin = [
        sheet_from(dict.fromkeys([*crowd, "Gaëlle Dupont"], Details()), f"L{n}", "Lavardin") for n in range(4)
    ]
    vendome = [
        sheet_from(dict.fromkeys([*crowd, "Gaelle Dupond"], Details()), f"V{n}", "Vendôme") for n in range(4)
    ]
    ours, people = season_with(*lavardin, rules=SeasonRules(best=6))
    theirs, names = season_with(*vendome)
    for sheet in read_results(text_of(results_of_season(theirs, names))):
        act, new = add_results(ours, people, sheet)
        ours, people = do(ours, act), {**people, **new}
    assert len(ours.evenings) == 8
    assert {one.club for one in ours.evenings} == {"Lavardin", "Vendôme"}
    (pair,) = look_alikes(ours, people)
    assert {people[n].name for n in pair} == {"Gaëlle Dupont", "Gaelle Dupond"}
    before = {one.who: one.total for one in ranking(ours)}
    merged = do(ours, Merged(*pair, "nom mal écrit à Vendôme"))
    found = ranking(merged)
    assert len(found) == 7
    assert all(len(one.evenings) == 8 and one.counted == 6 for one in found)
    one = next(one for one in found if one.who == pair[0])
    assert one.total == sum(one.evenings[:6]) <= before[pair[0]] + before[pair[1]]


def test_members_bookings_and_erasure() -> None:
    season, _ = season_with(evening(1, JEAN, MARIE, PAUL))
    season = do(season, MemberSet(2, since="2019-09-15", consent=True), FeePaid(2, 2026, 1500))
    season = do(season, Announced("2027-01-15T20:00", "Salle des fêtes", seats=2))
    night = season.head.n
    season = do(season, *(Booked(night, number) for number in (3, 1, 2)), Booked(night, 9, newcomer=True))
    assert season.next_evening(night).seated == (3, 1)
    assert season.next_evening(night).waiting == (2, 9)
    season = do(season, BookingCancelled(night, 3))
    assert season.next_evening(night).seated == (1, 2)
    assert refusal_code(season, BookingCancelled(night, 3)) == "season/not-booked"
    assert refusal_code(season, Booked(night, 1)) == "season/booked-already"
    season = do(season, Announced("2027-01-16T20:00", "Salle", seats=3, evening=night))
    assert season.next_evening(night).seated == (1, 2, 9)
    season = do(season, Erased(2))
    assert season.players[2].erased
    assert not season.players[2].member.since
    assert season.players[2].paid == {2026: 1500}
    assert refusal_code(season, Undone(season.head.n, "")) == "contest/undo-erased"


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (SeasonOpened(), "season/opened-twice"),
        (Ruled(SeasonRules(Points((1, 2))), ""), "season/rules"),
        (Ruled(SeasonRules(Points((), 0, 0)), ""), "season/rules"),
        (Ruled(SeasonRules(best=-1), ""), "season/rules"),
        (MemberSet(1, since="hier"), "season/day"),
        (MemberSet(0), "contest/number-taken"),
        (FeePaid(1, 2026, -1), "season/fee"),
        (FeePaid(99, 2026, 1), "season/no-player"),
        (Erased(99), "season/no-player"),
        (Merged(1, 99, ""), "season/no-player"),
        (Booked(2, 1), "season/no-evening"),
        (Announced("demain", "ici"), "season/day"),
        (Announced("2027-01-15T20:00", ""), "season/announcement"),
        (Undone(1, ""), "contest/no-act"),
        (Undone(99, ""), "contest/no-act"),
        (Undone(2, "", "0" * 64), "contest/renewal"),
    ],
)
def test_refusals(act: SeasonAct, code: str) -> None:
    season, _ = season_with(evening(1, JEAN, MARIE))
    assert refusal_code(season, act) == code
    assert refusal_code(None, Merged(1, 2, "")) == "season/not-opened"


@pytest.mark.parametrize("code", ["empty", "no-act", "number-taken", "stands-on", "undo-erased", "undo-undo"])
def test_what_a_season_refuses_as_a_contest_does_is_said_of_both(code: str) -> None:
    data = {"act": 1, "line": 2, "number": 3}
    for language in get_args(Language):
        assert not re.search("contest|concours|result|résultat", say(f"contest/{code}", language, **data))


def test_undo_needs_that_nothing_stands_on_it() -> None:
    season, _ = season_with(evening(1, JEAN, MARIE), evening(2, "Jean Bordié"))
    merged = do(season, Merged(1, 3, ""))
    assert refusal_code(merged, Undone(3, "")) == "contest/stands-on"
    undone = do(merged, Undone(merged.head.n, ""), Undone(3, ""))
    assert len(undone.evenings) == 1
    assert refusal_code(undone, Undone(3, "")) == "contest/no-act"


def test_a_log_is_read_again() -> None:
    season, _ = season_with(evening(1, JEAN, MARIE), evening(2, "Jean Bordié", PAUL))
    season = do(season, Merged(1, 3, "x"), Ruled(SeasonRules(best=1), "assemblée"), Undone(4, "y"))
    lines = [SeasonLine.parse(str(line)) for line in season.lines]
    assert first_broken_line(lines) is None
    assert season_of(lines) == season
    assert first_broken_line([*lines[:2], *lines[3:]]) == 3
