"""A season's file, and how it meets contests: what a desk gives, who is suggested at the door."""

from __future__ import annotations

import re
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from chouine.contest import ActRefused
from chouine.contest.acts import Erased, Undone
from chouine.contest.people import Person
from chouine.phrases import say
from chouine.season.acts import MemberSet, SeasonOpened
from chouine.season.results import read_results
from chouine.server.contest.app import desk_application
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.folders import former_people
from chouine.server.contest.season_store import SeasonStore, results_in, results_of_bytes
from tests.cli.test_saison import NAMES, contest_file
from tests.season.evenings import evening
from tests.server.contest.volunteer import Volunteer


def new_season_store(path: Path) -> SeasonStore:
    return SeasonStore.create(path, SeasonOpened("Challenge"), "test")


WRITER = """
import sys
from pathlib import Path
from chouine.server.contest.season_store import SeasonStore
from tests.season.evenings import evening
store = SeasonStore(Path(sys.argv[1]))
for nth in range(len(store.season.lines), 10_000):
    store.take([evening(nth, f"Personne {nth}", "Jean Bordier")], "test")
    print(store.season.head.n, flush=True)
"""


def test_killed_at_any_moment_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "a.saison"
    new_season_store(path).close()
    for patience in (3, 8, 20):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
        )
        assert writer.stdout
        acknowledged = [int(writer.stdout.readline()) for _ in range(patience)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in writer.stdout.read().splitlines() if line]
        writer.wait()
        writer.stdout.close()
        with closing(SeasonStore(path)) as store:
            assert store.season.head.n >= acknowledged[-1]
            assert set(store.season.players) == set(
                store.people
            )  # a name is written with its act, or neither is


def test_two_programs_write_one_file(tmp_path: Path) -> None:
    with (
        closing(new_season_store(tmp_path / "a.saison")) as one,
        closing(SeasonStore(tmp_path / "a.saison")) as other,
    ):
        one.take([evening(1, *NAMES)], "one")
        other.take([evening(2, "Jean Bordier", "Zoé")], "other")
        assert [line.by for line in other.season.lines] == ["test", "one", "other"]
        assert len(one.season.evenings) == 1
        one.refresh()
        assert len(one.season.evenings) == 2
        assert one.people == other.people
        assert one.season.evenings[1].rows[0].players == (1,)


def test_names_go_with_their_acts(tmp_path: Path) -> None:
    with closing(new_season_store(tmp_path / "a.saison")) as store:
        store.take([evening(1, *NAMES)], "test")
        with pytest.raises(ActRefused):
            store.do(lambda _season, _people: (Erased(99), {99: Person("Nobody")}), "test")
        assert 99 not in store.people
        store.do(Undone(2, ""), "test")
        assert not store.people
        store.take([evening(2, "Zoé")], "test")
        assert store.people == {1: Person("Zoé")}
    with closing(SeasonStore(tmp_path / "a.saison")) as again:
        assert again.people == {1: Person("Zoé")}


def test_a_season_taken_again_adds_the_evenings_it_has_since(tmp_path: Path) -> None:
    """Two clubs exchange their files all year: evenings known already are listed, and the others are added."""
    with (
        closing(new_season_store(tmp_path / "ours.saison")) as ours,
        closing(new_season_store(tmp_path / "theirs.saison")) as theirs,
    ):
        for nth in (1, 2, 3):
            theirs.take([evening(nth, *NAMES)], "test")
            known = ours.take(results_in(theirs.path), "test")
            assert [fault.code for fault in known] == ["season/had-already"] * (nth - 1)
            assert len(ours.season.evenings) == nth
        with pytest.raises(ActRefused, match="in the season already"):
            ours.take(results_in(theirs.path), "test")


def test_of_a_list_all_evenings_are_added_or_none(tmp_path: Path) -> None:
    """A refusal in the middle names the evening that is to blame, in either language, and its reason."""
    first, none, last = evening(1, *NAMES), evening(2), evening(3, "Zoé")
    with closing(new_season_store(tmp_path / "a.saison")) as store:
        with pytest.raises(ActRefused) as refused:
            store.take([first, none, last], "test")
        assert (len(store.season.lines), store.people) == (1, {})
        told = say(refused.value.code, "fr", **refused.value.data)
        for part in (none.title, none.day, say("season/twice", "fr")):
            assert part in told
        assert not store.take([first, last], "test")
        assert [one.title for one in store.season.evenings] == [first.title, last.title]
        assert "Zoé" in [one.name for one in store.people.values()]
    with closing(SeasonStore(tmp_path / "a.saison")) as again:
        assert len(again.season.evenings) == 2
        assert len(again.people) == len(NAMES) + 1


def test_a_file_that_is_no_evening_is_called_by_its_own_name() -> None:
    with pytest.raises(ActRefused) as fault:
        results_of_bytes(b"SQLite format 3\0" + b"x" * 2000, "Soirée de mars.chouine")
    assert fault.value.data["file"] == "Soirée de mars.chouine"


def test_a_changed_line_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.saison"
    with closing(new_season_store(path)) as store:
        store.take([evening(1, *NAMES)], "test")
        store.take([evening(2, *NAMES)], "test")
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE line SET text = replace(text, '\"rank\":1,', '\"rank\":2,') WHERE n = 2")
    with pytest.raises(ActRefused) as fault:
        SeasonStore(path)
    assert (fault.value.code, fault.value.data["line"]) == ("contest/broken", 2)


def test_a_contest_is_no_season_nor_a_season_a_contest(store: ContestStore, tmp_path: Path) -> None:
    new_season_store(tmp_path / "a.saison").close()
    for kind, path in ((SeasonStore, store.path), (ContestStore, tmp_path / "a.saison")):
        with pytest.raises(ActRefused) as fault:
            kind(path)
        assert fault.value.code in ("season/no-season", "contest/no-contest")


def test_the_members_are_suggested_at_the_door(store: ContestStore) -> None:
    with closing(new_season_store(store.path.with_name("club.saison"))) as season:
        season.take([evening(1, *NAMES)], "test")
        season.do(
            lambda _season, _people: (MemberSet(2, lady=True), {2: Person("Marie Chéron", "Troo")}), "test"
        )
        season.do(Erased(3), "test")
    found = {one.person.name: one for one in former_people(store.path.parent, store.path)}
    assert set(found) == {"Jean Bordier", "Marie Chéron", "Anne Dutertre"}
    assert found["Marie Chéron"].lady
    assert found["Marie Chéron"].person.village == "Troo"


def test_a_desk_gives_its_evening_to_who_has_the_address(tmp_path: Path) -> None:
    path = contest_file(tmp_path / "c.chouine", NAMES, "c")
    with closing(ContestStore(path)) as contest:
        app = desk_application(contest)
        desk = Volunteer(app).open()
        page = desk.get("/evening").text
        address = unescape(re.findall(r'value="http://[^/]+([^"]+evening[^"]*|/evening[^"]*)"', page)[0])
        text = unescape(re.findall(r"readonly>([^<]+)</textarea>", page)[0])
        stranger = Volunteer(app, "http://10.0.0.9")
        expected = results_in(path)
        assert read_results(stranger.get(address).text) == read_results(text) == expected
        assert stranger.get("/evening.json").status_code == 404
        assert stranger.get("/evening.json?key=x").status_code == 404
        assert "Bordier" not in stranger.get("/evening").text
        assert Volunteer(app, "http://10.0.0.7").join("results").get("/evening").status_code == 403


def test_a_desk_gives_nothing_before_the_end(desk: Volunteer) -> None:
    answer = desk.get("/evening")
    assert "pas terminé" in answer.text
    assert "evening.json" not in answer.text
