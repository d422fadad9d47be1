"""The ranking, the sums it is computed from, and the prizes by it, in the club's order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from chouine.contest.acts import Details, PrizesSet
from chouine.contest.duplicate import SeatResult, imps_of, numbers_of
from chouine.contest.formula import Tie
from chouine.contest.state import Contest, Round, RoundTable
from chouine.errors import ActRefused


@dataclass(slots=True)
class EntryTally:
    """An entry's wins and losses at its tables."""

    wins: int = 0
    manches: int = 0
    """Manches won minus lost."""
    parties: int = 0
    met: tuple[int, ...] = ()
    exempts: int = 0
    imps: int = 0
    """IMPs in duplicate rounds."""
    above: int = 0
    """Deals of duplicate rounds at which it gained IMPs."""

    def add(self, table: RoundTable, place: int, round_: Round) -> None:
        """Add a decided table. An exempt entry, and the winner of a forfeit, wins without losing a partie."""
        player, form = table.players[place], round_.match
        won = table.winner == player
        self.exempts += table.exempt
        self.met += tuple(other for other in table.players if other != player)
        if round_.deals:
            return
        self.wins += won
        if table.score is None:
            sign = 1 if won else -1
            self.manches += sign * form.manches
            self.parties += sign * form.manches * form.parties
            return
        self.manches += balance(table.score.manches, place)
        self.parties += balance(table.score.parties, place) if table.score.parties else 0


def balance(sums: Sequence[int], place: int) -> int:
    """A place's sum minus the best of the others'."""
    return sums[place] - max(own for other, own in enumerate(sums) if other != place)


def tallies(rounds: Iterable[Round]) -> dict[int, EntryTally]:
    """The tallies of all entries drawn in these rounds."""
    found: dict[int, EntryTally] = defaultdict(EntryTally)
    for round_ in rounds:
        for table in round_.tables:
            for place, player in enumerate(table.players):
                tally = found[player]
                if table.decided:
                    tally.add(table, place, round_)
        for (player, _), gained in imps_of(made_in(round_)).items():
            found[player].imps += gained
            found[player].above += gained > 0
    return found


def made_in(round_: Round) -> Iterator[SeatResult]:
    """What all entries of a duplicate round made of its deals, at the tables that are over."""
    numbers = numbers_of(round_.number, len(round_.deals))
    for table in round_.played:
        if table.decided:
            for place in range(len(table.players)):
                for nth, number in enumerate(numbers):
                    yield made_at(table, place, nth, number)


def made_at(table: RoundTable, place: int, nth: int, number: int) -> SeatResult:
    """What an entry made of the round's deal `nth`, from 0, which has this number in the contest."""
    made, entry = table.made, table.players[place]
    if made is None or nth >= len(made.differences):
        left = entry in table.forfeits or (made is not None and made.left == entry)
        return SeatResult(entry, number, place, 0, "gave-up" if left else "unplayed")
    difference = made.differences[nth] * (1 if place == 0 else -1)
    if nth + 1 not in made.given_up:
        return SeatResult(entry, number, place, difference)
    return SeatResult(entry, number, place, difference, "gave-up" if difference < 0 else "spared")


@dataclass(frozen=True, slots=True)
class RankedEntry:
    rank: int
    """The rank from 1; ties share it."""
    number: int
    tally: EntryTally


def ranking(contest: Contest) -> tuple[RankedEntry, ...]:
    """All entries that take part, best first.

    A duplicate contest is ordered by IMPs, then by the number of deals at which they were gained.

    In a knock-out ordered by the distance reached in the main draw, then in the consolante. Then in all formulas by
    wins, by the formula's tie-breaks, and by the club's decisions. Entries not drawn yet come last.
    """
    found, keys = tallies(contest.all_rounds()), keys_of(contest)
    settled = {number: nth for order in contest.settled for nth, number in enumerate(order)}
    order = sorted(keys, key=lambda number: (*(-own for own in keys[number]), settled.get(number, 0), number))
    ranked: list[RankedEntry] = []
    for nth, number in enumerate(order, 1):
        before = ranked[-1] if ranked else None
        same = before is not None and (keys[before.number], settled.get(before.number, 0)) == (
            keys[number],
            settled.get(number, 0),
        )
        ranked.append(
            RankedEntry(before.rank if before and same else nth, number, found.get(number, EntryTally()))
        )
    return tuple(ranked)


def ranking_of_drawn(contest: Contest) -> list[RankedEntry]:
    """The ranking without the entries never drawn."""
    return [one for one in ranking(contest) if distance(contest.main, one.number)]


def keys_of(contest: Contest) -> dict[int, tuple[int, ...]]:
    """The sort keys of all entries that take part: distances reached, wins, and the formula's tie-breaks."""
    found = tallies(contest.all_rounds() if contest.formula.knock_out else contest.main)
    return {number: key_of(contest, number, found) for number in contest.participants}


def key_of(contest: Contest, number: int, found: dict[int, EntryTally]) -> tuple[int, ...]:
    """The sort key, higher is better."""
    reached = tuple(distance(rounds, number) for rounds in (contest.main, contest.consolante))
    if contest.formula.deals:
        tally = found.get(number, EntryTally())
        return (int(reached[0] > 0), tally.imps, tally.above)
    if contest.formula.all_play:
        reached = (int(reached[0] > 0), 0)
    return (*reached, *merits(number, found, contest.formula.ties))


def distance(rounds: Sequence[Round], number: int) -> int:
    """The distance an entry reached: two for each round it was drawn in, one more if it won the last of them."""
    for round_ in reversed(rounds):
        if (table := round_.table_of(number)) is not None:
            return 2 * round_.number + (table.ahead == number)
    return 0


def merits(number: int, found: dict[int, EntryTally], ties: Iterable[Tie]) -> tuple[int, ...]:
    """Wins, then the formula's tie-breaks."""
    tally = found.get(number, EntryTally())
    values = {
        "manches": tally.manches,
        "parties": tally.parties,
        "opponents": sum(found[other].wins for other in tally.met if other in found),
    }
    return (tally.wins, *(values[tie] for tie in ties))


def pool_orders(contest: Contest, rounds: int) -> tuple[tuple[int, ...], ...]:
    """Each poule's order after its rounds: by wins, tie-breaks, the club's decisions, then the lower number."""
    found = tallies(contest.main[:rounds])
    settled = {number: nth for order in contest.settled for nth, number in enumerate(order)}

    def key(number: int) -> tuple[int, ...]:
        won = merits(number, found, contest.formula.ties)
        return (*(-own for own in won), settled.get(number, 0), number)

    return tuple(tuple(sorted(pool, key=key)) for pool in contest.pools)


def pool_equals(contest: Contest) -> tuple[tuple[int, ...], ...]:
    """Ties within poules, for the club to settle before the tree is drawn."""
    found = tallies(contest.main)
    settled = {number: nth for order in contest.settled for nth, number in enumerate(order)}

    def key(number: int) -> tuple[tuple[int, ...], int]:
        return merits(number, found, contest.formula.ties), settled.get(number, 0)

    same = (groupby(order, key=key) for order in pool_orders(contest, len(contest.main)))
    groups = (tuple(group) for pool in same for _, group in pool)
    return tuple(group for group in groups if len(group) > 1)


def equals(contest: Contest) -> tuple[tuple[int, ...], ...]:
    """Entries that share a rank, for the club to settle, without those never drawn."""
    drawn = ranking_of_drawn(contest)
    groups = (tuple(one.number for one in same) for _, same in groupby(drawn, key=lambda one: one.rank))
    return tuple(group for group in groups if len(group) > 1)


PRIZES = ("place", "consolante", "lady", "junior", "village")
"""Kinds of prizes: for places, places of the consolante, ladies, juniors, villages."""
MOST_PRIZES = 50
"""Most prizes of a kind."""
BEST_OF_VILLAGE = 3
"""Entries of a village whose wins count for it: a large village does not win by its number."""


@dataclass(frozen=True, slots=True)
class Prize:
    kind: str
    rank: int
    """The place among those of this kind, from 1."""
    winners: tuple[int, ...]
    """Entry numbers, several if they tie until the club settles it; of villages their numbers in the log."""


def check_prizes(act: PrizesSet) -> None:
    """Raise `ActRefused` unless each kind is known and named once, with a number that can be."""
    kinds = [kind for kind, _ in act.counts]
    if len(set(kinds)) != len(kinds) or set(kinds) - set(PRIZES):
        raise ActRefused("contest/prizes")
    if not all(0 <= many <= MOST_PRIZES for _, many in act.counts):
        raise ActRefused("contest/prizes")


def prizes(contest: Contest) -> tuple[Prize, ...]:
    """The prizes by the present ranking, in the order in which they are given.

    Where the club gives one prize a person, whoever has one is passed over, and the next gets the later one.
    """
    found: list[Prize] = []
    drawn = ranking_of_drawn(contest)
    given: set[int] = set()
    for kind, many in contest.prizes.counts:
        rank = 1
        for group in prize_groups(contest, kind, drawn):
            left = tuple(
                one for one in group if kind == "village" or not (contest.prizes.once and one in given)
            )
            if rank > many:
                break
            if left:
                found.append(Prize(kind, rank, left))
                given |= set(left) if kind != "village" else set()
            rank += len(left)
    return tuple(found)


def prize_groups(contest: Contest, kind: str, drawn: Sequence[RankedEntry]) -> Iterator[tuple[int, ...]]:
    """Those who may have a prize of this kind, the best first, who ties together."""
    details = {one.number: contest.entrants[one.number].details for one in drawn}
    if kind == "village":
        yield from villages(drawn, {number: own.village for number, own in details.items()})
        return
    if kind == "consolante":
        reached = {one.number: distance(contest.consolante, one.number) for one in drawn}
        inside = sorted((one for one in drawn if reached[one.number]), key=lambda one: -reached[one.number])
        for _, group in groupby(inside, key=lambda one: reached[one.number]):
            yield tuple(one.number for one in group)
        return
    fit: dict[str, Callable[[Details], bool]] = {
        "place": lambda _: True,
        "lady": lambda own: own.lady,
        "junior": lambda own: own.junior,
    }
    for _, same in groupby(
        (one for one in drawn if fit[kind](details[one.number])), key=lambda one: one.rank
    ):
        yield tuple(one.number for one in same)


def villages(drawn: Sequence[RankedEntry], of: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """Villages by the wins of their best entries, then by manches; an entry without a village counts for none."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for one in drawn:
        if of[one.number]:
            rows.setdefault(of[one.number], []).append((one.tally.wins, one.tally.manches))
    sums = {
        village: tuple(map(sum, zip(*sorted(row, reverse=True)[:BEST_OF_VILLAGE], strict=True)))
        for village, row in rows.items()
    }
    order = sorted(sums, key=lambda village: sums[village], reverse=True)
    for _, same in groupby(order, key=lambda village: sums[village]):
        yield tuple(same)
