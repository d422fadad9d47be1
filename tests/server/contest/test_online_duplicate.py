"""Duplicate contests online: the same sealed deals at all tables of a round, results together, a log to play again."""

from __future__ import annotations

from random import Random

import pytest

from chouine.ai.levels import level
from chouine.contest import Contest, DealsPlayed, contest_of, formula_for, ranking
from chouine.contest.check import check_log
from chouine.contest.duplicate import RULES, imps_of, sealed_deal
from chouine.contest.people import Names
from chouine.contest.ranking import made_in
from chouine.notation.lines import result_of_duplicate
from chouine.phrases import signed_number
from chouine.players.base import Player
from chouine.server.contest.online import Online, is_sealed, table_id_of
from chouine.server.contest.screen import screen_page, screen_pages
from chouine.server.contest.solver import cheapest_matching
from chouine.server.contest.standing import ending_told
from chouine.server.erasure import erase
from chouine.server.pages.visit import Visit
from chouine.server.standing.tallies import tally_of
from chouine.server.store import Store
from chouine.server.tables import Tables
from chouine.table import commands as ask
from chouine.table.brief import Brief
from chouine.table.state import Phase, TableState
from tests.server.contest.test_steward import Hall
from tests.server.matches import is_over
from tests.server.stores import play_on, present, with_store

FORMULA = formula_for("rounds", rounds=2, deals=3, matches=("3x1",))


async def begin(store: Store, players: int) -> Hall:
    """A duplicate contest whose first round is drawn and whose tables are open."""
    hall = Hall(store)
    await hall.open(players, FORMULA)
    await hall.contests.turn(hall.which, "live")
    await hall.steward.look()
    return hall


def check(contest: Contest) -> None:
    """The log gives the same contest, and each deal that can be played again its difference."""
    report = check_log(list(contest.lines), None, cheapest_matching, replay=result_of_duplicate)
    assert report.breaches == ()
    assert ranking(contest_of(contest.lines)) == ranking(contest)


def command_of(table: TableState, players: tuple[Player, ...]) -> ask.Command:
    """What the players of a table do next."""
    seat = min(table.awaited)
    if table.phase is Phase.COUNT:
        return ask.GoOn(seat)
    assert table.state is not None
    action = players[seat].act(table.state.view(seat))
    return ask.Pass(seat) if action is None else ask.Act(seat, str(action))


async def play_out(tables: Tables, table_id: str, levels: tuple[int, int]) -> None:
    """Let two levels play a table to its end."""
    players = tuple(level(number, RULES, seat) for seat, number in enumerate(levels))
    while not is_over(table := await present(tables, table_id)):
        await tables.do(table_id, command_of(table, players))


def test_eight_computers_players_play_a_contest_to_its_end(sqlite: str) -> None:
    """All tables of a round play the same cards, and the log alone gives the IMPs of all."""

    async def test(store: Store) -> None:
        hall = await begin(store, 8)
        for number in (1, 2):
            online = await hall.online()
            round_ = online.contest.main[-1]
            assert (round_.number, len(round_.played), len(round_.deals)) == (number, 4, 3)
            opened = {(await present(hall.tables, table_id)).opened.deals for table_id in await hall.games()}
            assert opened == {
                tuple(
                    str(sealed_deal(RULES, online.seed, nth)) for nth in range(3 * number - 2, 3 * number + 1)
                )
            }
            for table in round_.played:
                strong = (6 if player <= 4 else 2 for player in table.players)
                first, second = strong
                await play_out(hall.tables, table_id_of(online, round_, table), (first, second))
            await hall.steward.look()
        online = await hall.online()
        contest = online.contest
        assert online.state == "over"
        check(contest)
        lines = ranking(contest)
        assert [one.tally.imps for one in lines] == sorted((one.tally.imps for one in lines), reverse=True)
        assert not any(one.tally.wins for one in lines)
        ending, most = ending_told(contest, online.names, "en"), signed_number(lines[0].tally.imps, "en")
        ahead = lines[0].tally.imps > lines[1].tally.imps
        assert (f"IMPs: {most}, more than anybody else." in ending) == ahead
        names, last = Names.as_given(online.names), len(screen_pages(contest)) - 1
        screen = screen_page(Visit("en", "csrf", ""), contest, names, last, "/screen")
        assert all(f"IMPs: {signed_number(one.tally.imps, 'en')}<" in screen for one in lines)
        courses = [
            course
            for line in contest.lines
            if isinstance(line.act, DealsPlayed)
            for course in line.act.courses
        ]
        assert len(courses) == 24
        assert max(map(len, courses)) < 300

    with_store(sqlite, test)


def test_whoever_holds_the_same_seat_draws_the_same_cards(sqlite: str) -> None:
    """Whoever takes the tricks: but for the last draw, which ends with the turnup."""

    async def test(store: Store) -> None:
        hall = await begin(store, 4)
        drawn = []
        for nth, table_id in enumerate(await hall.games()):
            await play_on(hall.tables, table_id, is_over, Random(nth))
            table = await present(hall.tables, table_id)
            assert len(table.played) == 3
            deal = table.played[0].state.deal
            drawn.append([(hand, set(deal.talon)) for hand in deal.hands])
        assert drawn[0] == drawn[1]

    with_store(sqlite, test)


def test_whoever_wins_all_deals_has_won_no_manche(sqlite: str) -> None:
    """§13 is of manches: nobody passes under the table of a duplicate round."""

    async def test(store: Store) -> None:
        hall = await begin(store, 4)
        table_id = (await hall.games())[0]
        while (table := await present(hall.tables, table_id)).phase is not Phase.OVER:
            seat = min(table.awaited)
            answer = ask.Concede(1) if table.phase is Phase.PLAY else ask.GoOn(seat)
            await hall.tables.do(table_id, answer)
        assert Brief.of(table).winner is None
        winner, loser = (tally_of(table, seat) for seat in range(2))
        assert (winner.parties, loser.parties) == ("www", "lll")
        for found in (winner, loser):
            assert (found.won, found.manches_won, found.manches_lost) == (None, 0, 0)
            assert (found.under_given, found.under_taken) == (0, 0)
            assert "under" not in found.feats

    with_store(sqlite, test)


def test_no_result_is_told_before_all_tables_are_over(database: str) -> None:
    async def test(store: Store) -> None:
        hall = await begin(store, 5)
        games = await hall.games()
        await play_on(hall.tables, games[0], is_over, Random(1))
        await hall.steward.look()
        online = await hall.online()
        assert not any(isinstance(line.act, DealsPlayed) for line in online.contest.lines)
        assert is_sealed(online, games[0])
        await play_on(hall.tables, games[1], is_over, Random(2))
        await hall.steward.look()
        online = await hall.online()
        assert sum(isinstance(line.act, DealsPlayed) for line in online.contest.lines) == 2
        assert not is_sealed(online, games[0])
        assert len(online.contest.main) == 2
        assert {is_sealed(online, table_id) for table_id in await hall.games()} == {True}

    with_store(database, test)


async def imps_after(hall: Hall) -> dict[tuple[int, int], int]:
    """Let the round end, and give the IMPs of each (entry, deal)."""
    await hall.steward.look()
    online = await hall.online()
    check(online.contest)
    return imps_of(made_in(online.contest.main[0]))


@pytest.mark.parametrize("begins", [False, True])
def test_who_leaves_loses_all_that_is_left_and_the_other_is_spared(sqlite: str, *, begins: bool) -> None:
    """Ten IMPs lost for each deal, three won; a deal that was begun is compared as if won by a chouine."""

    async def test(store: Store) -> None:
        hall = await begin(store, 4)
        online = await hall.online()
        round_ = online.contest.main[0]
        first, other = (table_id_of(online, round_, table) for table in round_.played)

        def has_come_so_far(table: TableState) -> bool:
            cards = table.state.events if table.state and table.phase is Phase.PLAY else ()
            return len(table.played) == 1 and (len(cards) > 4 if begins else table.phase is Phase.COUNT)

        await play_on(hall.tables, first, has_come_so_far, Random(3))
        await hall.tables.do(first, ask.ForfeitMatch(0))
        await play_on(hall.tables, other, is_over, Random(4))
        gained = await imps_after(hall)
        left, stayed = round_.played[0].players
        act = next(
            line.act for line in (await hall.online()).contest.lines if isinstance(line.act, DealsPlayed)
        )
        assert isinstance(act, DealsPlayed)
        assert (act.left, act.given_up) == (left, (2,) if begins else ())
        assert [gained[left, deal] for deal in (2, 3)] == [-10, -10]
        assert gained[stayed, 3] == 3
        assert gained[stayed, 2] >= 3
        for player in round_.played[1].players:  # nobody else held their cards to the end
            assert [gained[player, deal] for deal in (2, 3)] == [0, 0]

    with_store(sqlite, test)


def test_conceding_a_deal_loses_as_much_and_the_match_goes_on(sqlite: str) -> None:
    async def test(store: Store) -> None:
        hall = await begin(store, 4)
        online = await hall.online()
        round_ = online.contest.main[0]
        first, other = (table_id_of(online, round_, table) for table in round_.played)
        await play_on(hall.tables, first, lambda table: len(table.state.events) > 3 if table.state else False)
        await hall.tables.do(first, ask.Concede(1))
        for table_id in (first, other):
            await play_on(hall.tables, table_id, is_over, Random(5))
        gained = await imps_after(hall)
        winner, loser = round_.played[0].players
        assert gained[loser, 1] == -10
        assert gained[winner, 1] >= 3
        table = await present(hall.tables, first)
        assert len(table.played) == 3

    with_store(sqlite, test)


def test_an_absent_player_has_not_played_and_costs_the_other_nothing(sqlite: str) -> None:
    """The clock ends the table before a card of theirs was laid: the other gains three IMPs a deal."""

    async def test(store: Store) -> None:
        hall = await begin(store, 4)
        online = await hall.online()
        round_ = online.contest.main[0]
        first, other = (table_id_of(online, round_, table) for table in round_.played)
        hall.clock.now += 10_000
        await hall.tables.do(first, ask.Tick())
        await play_on(hall.tables, other, is_over, Random(6))
        gained = await imps_after(hall)
        late = next(seat for seat in (0, 1) if gained[round_.played[0].players[seat], 1] == -10)
        assert [gained[round_.played[0].players[late], deal] for deal in (1, 2, 3)] == [-10] * 3
        assert [gained[round_.played[0].players[1 - late], deal] for deal in (1, 2, 3)] == [3] * 3

    with_store(sqlite, test)


def test_an_entrant_who_erases_themselves_leaves_a_contest_that_goes_on(sqlite: str) -> None:
    async def test(store: Store) -> None:
        hall = await begin(store, 5)
        await erase(hall.tables, hall.contests, "guest-1")
        online: Online = await hall.play_all(Random(7))
        check(online.contest)
        assert online.state == "over"
        assert len(ranking(online.contest)) == 5

    with_store(sqlite, test)
