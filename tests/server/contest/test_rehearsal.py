"""A championship of 84 entries with many incidents; as strengths are known, so is the right palmarès."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from chouine.contest import (
    FORMULAS,
    ActRefused,
    ContestOpened,
    Corrected,
    Details,
    Entered,
    Present,
    ResultEntered,
    Revealed,
    Score,
    Stage,
    changes,
    commit,
    draw,
    ranking,
)
from chouine.contest.check import check_log
from chouine.contest.fold import add
from chouine.contest.formula import STAGES
from chouine.contest.people import Person
from chouine.contest.ranking import prizes
from chouine.contest.views import next_draw
from chouine.server.contest.contest_store import ContestStore, resume
from chouine.server.contest.solver import cheapest_matching

LATE, ABSENT = (82, 83, 84), (7, 50)


def play(store: ContestStore, stage: Stage, wrong: int | None = None) -> None:
    """Enter results for all open tables: the lower number wins, except that at the table of `wrong` it is reversed."""
    for round_ in store.contest.rounds(stage):
        for table in round_.open:
            better = table.players.index(min(table.players))
            winner = 1 - better if wrong in table.players else better
            manches = [0, 0]
            manches[winner] = round_.match.manches
            store.do(
                ResultEntered(stage, round_.number, table.number, Score.of((manches[0], manches[1]))),
                "results",
            )


def next_round(store: ContestStore, stage: Stage = "main") -> None:
    store.do(draw(store.contest, stage, store.seed, "7h", solver=cheapest_matching), "referee")


def test_the_rehearsal(tmp_path: Path) -> None:
    opened = ContestOpened(FORMULAS["lavardin"], commit("urn"), "Lavardin", fee=1200)
    stick = tmp_path / "stick.concours"
    with closing(ContestStore.create(tmp_path / "old.concours", opened, "urn", "desk", stick)) as store:
        for number in range(1, 82):
            lady = Details(lady=number % 3 == 2, junior=number == 20)
            store.do(Entered(number, lady), "entry", Person(f"Joueur {number}"))
        for number in ABSENT:
            store.do(Present(number, here=False), "entry")
        next_round(store)
        for number in LATE:
            store.do(Entered(number), "entry", Person(f"Retard {number}"))
        assert len(store.contest.main[0].players) == 82
        play(store, "main", wrong=1)
        assert 1 not in store.contest.main[0].ahead
        next_round(store)
        next_round(store, "consolante")
        play(store, "main")

    with closing(resume(stick, tmp_path / "new.concours")) as store:  # the old laptop has failed
        play(store, "consolante")
        table = store.contest.main[0].table_of(1)
        assert table is not None
        first = 2 if table.players[0] == 1 else 0
        act = Corrected("main", 1, table.number, Score.of((first, 2 - first)), "slip read upside down")
        told = list(changes(store.contest, add(store.contest, act, "referee", store.contest.head.at)))
        assert [change.void for change in told].count(True) == 2
        store.do(act, "referee")
        play(store, "main")
        play(store, "consolante")
        for stage in STAGES:
            while not isinstance(next_draw(store.contest, stage), ActRefused):
                next_round(store, stage)
                play(store, stage)
        store.do(Revealed(store.seed), "referee")
        found = ranking(store.contest)
        assert found[0].number == 1
        won = {(one.kind, one.rank): one.winners for one in prizes(store.contest)}
        assert won["junior", 1] == (20,)
        losers = {n for table in store.contest.main[0].played for n in table.losers}
        assert {n for round_ in store.contest.consolante for n in round_.players} == losers
        assert won["consolante", 1] == (min(losers),)
        assert store.copied
        assert not check_log(store.contest.lines, None, cheapest_matching).breaches
        assert len(store.people) == 84
