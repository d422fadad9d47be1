"""A season as its log leaves it, and the fold that computes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property

from chouine.contest.acts import Erased, Undone
from chouine.contest.log import SealedLine, act_to_undo, fold_log, fold_without
from chouine.errors import ActRefused
from chouine.season import acts
from chouine.season.acts import EveningAdded, EveningRow, MemberSet, SeasonAct, SeasonRules


class SeasonLine(SealedLine[SeasonAct]):
    """A line of a season's log."""

    __slots__ = ()
    kinds = acts.KINDS


@dataclass(frozen=True, slots=True)
class SeasonPlayer:
    """Whoever played or is a member."""

    member: MemberSet
    paid: Mapping[int, int] = field(default_factory=dict)
    """Cents by year."""
    kept: int = 0
    """The number that this one was another spelling of; 0 if it stands for itself."""
    erased: bool = False


@dataclass(frozen=True, slots=True)
class NextEvening:
    announced: acts.Announced
    bookings: tuple[int, ...] = ()
    """Numbers in the order of registration."""

    @property
    def seated(self) -> tuple[int, ...]:
        """Those who have a place."""
        return self.bookings[: self.announced.seats or None]

    @property
    def waiting(self) -> tuple[int, ...]:
        """The waiting list: a cancellation lets its first one in."""
        return self.bookings[len(self.seated) :]


@dataclass(frozen=True)
class Season:
    """The state after a log; made by `season_of` and `add` alone."""

    opened: acts.SeasonOpened
    lines: tuple[SeasonLine, ...] = field(repr=False)
    rules: SeasonRules
    players: Mapping[int, SeasonPlayer] = field(default_factory=dict)
    by_source: Mapping[str, EveningAdded] = field(default_factory=dict)
    nexts: Mapping[int, NextEvening] = field(default_factory=dict)
    """The announced evenings by the number of their act."""

    @property
    def head(self) -> SeasonLine:
        return self.lines[-1]

    @property
    def next_number(self) -> int:
        return max(self.players, default=0) + 1

    @cached_property
    def evenings(self) -> tuple[EveningAdded, ...]:
        """The evenings in order of days, each person under one number."""
        found = sorted(self.by_source.values(), key=lambda one: one.day)
        return tuple(replace(one, rows=tuple(map(self.renumber, one.rows))) for one in found)

    def renumber(self, row: EveningRow) -> EveningRow:
        return replace(row, players=tuple(map(self.number_of, row.players)))

    def number_of(self, number: int) -> int:
        """The number under which a person counts, whatever the spelling. Raises `ActRefused`."""
        if number not in self.players:
            raise ActRefused("season/no-player", number=number)
        while kept := self.players[number].kept:
            number = kept
        return number

    def player(self, number: int) -> SeasonPlayer:
        return self.players[self.number_of(number)]

    def spellings(self, number: int) -> tuple[int, ...]:
        """All numbers of this person, the one that counts first."""
        number = self.number_of(number)
        return (number, *(n for n in self.players if n != number and self.number_of(n) == number))

    @property
    def people(self) -> tuple[int, ...]:
        """One number for each person."""
        return tuple(number for number, player in self.players.items() if not player.kept)

    @property
    def nameless(self) -> frozenset[int]:
        """The people whose names were erased."""
        return frozenset(number for number, player in self.players.items() if player.erased)

    def with_player(self, number: int, player: SeasonPlayer) -> Season:
        return replace(self, players={**self.players, number: player})

    def next_evening(self, evening: int) -> NextEvening:
        if evening not in self.nexts:
            raise ActRefused("season/no-evening", evening=evening)
        return self.nexts[evening]


def season_of(lines: Iterable[SeasonLine]) -> Season:
    """The season of a whole log. Raises `ActRefused` at the first invalid line."""
    return fold_log(lines, after)


def add(season: Season | None, act: SeasonAct, by: str, at: int) -> Season:
    """The season after an act by somebody at a time (milliseconds since 1970); the new line is `.head`."""
    return after(season, SeasonLine.after(season.head if season else None, act, by, at))


def after(season: Season | None, line: SeasonLine) -> Season:
    """The season after one more line. Raises `ActRefused` if its act cannot be done."""
    if season is None:
        if not isinstance(line.act, acts.SeasonOpened):
            raise ActRefused("season/not-opened")
        return open_season(line, line.act)
    if isinstance(line.act, Undone):
        return undo(season, line, line.act)
    return replace(follow(season, line), lines=(*season.lines, line))


def open_season(line: SeasonLine, act: acts.SeasonOpened) -> Season:
    check_rules(act.rules)
    return Season(act, (line,), act.rules)


def undo(season: Season, line: SeasonLine, act: Undone) -> Season:
    """The season as if an act had never been done. Raises `ActRefused` for what cannot be undone."""
    act_to_undo(season.lines, act.act)
    if act.commit:  # of a contest alone
        raise ActRefused("contest/renewal")
    now = fold_without(act.act, open_season(season.lines[0], season.opened), season.lines, follow)
    return replace(now, lines=(*season.lines, line))


def follow(season: Season, line: SeasonLine) -> Season:
    """The season after any act but the first, its lines left as they are; `undo` has folded what an undo takes back."""
    match line.act:
        case Undone():
            return season
        case acts.Ruled(rules=rules):
            check_rules(rules)
            return replace(season, rules=rules)
        case acts.EveningAdded():
            return add_evening(season, line.act)
        case acts.Merged(kept=kept, other=other):
            return merge_players(season, kept, other)
        case acts.MemberSet():
            return set_member(season, line.act)
        case acts.MembersListed(members=members, paid=paid):
            for one in members:
                season = set_member(season, one)
            for number, year, cents in paid:
                season = pay_fee(season, number, year, cents)
            return season
        case acts.FeePaid(number=number, year=year, cents=cents):
            return pay_fee(season, number, year, cents)
        case Erased(number=number):
            return erase_name(season, number)
        case acts.Announced():
            return announce(season, line.act, line.act.evening or line.n)
        case acts.Booked():
            return book(season, line.act)
        case acts.BookingCancelled(evening=evening, number=number):
            found = season.next_evening(evening)
            left = tuple(one for one in found.bookings if one != season.number_of(number))
            if left == found.bookings:
                raise ActRefused("season/not-booked", number=number)
            return replace(season, nexts={**season.nexts, evening: replace(found, bookings=left)})
        case _:
            raise ActRefused("season/opened-twice")


def check_rules(rules: SeasonRules) -> None:
    points = rules.points
    falling = all(near >= far for near, far in zip(points.places, points.places[1:], strict=False))
    worth = (*points.places, points.win, points.presence)
    if not falling or min(worth) < 0 or not any(worth) or rules.best < 0 or rules.squad < 1:
        raise ActRefused("season/rules")


def add_evening(season: Season, act: EveningAdded) -> Season:
    check_day(act.day)
    old = season.by_source.get(act.source)
    if old is not None and old.acts >= act.acts:
        raise ActRefused("season/had-already" if old.acts == act.acts else "season/older", title=act.title)
    now = season
    for new in act.newcomers:
        now = now.with_player(
            free_number(now, new.number), SeasonPlayer(MemberSet(new.number, new.lady, new.junior))
        )
    players = [now.number_of(number) for row in act.rows for number in row.players]
    if not players or len(set(players)) < len(players):
        raise ActRefused("season/twice")
    if any(not row.players or row.rank < 1 or row.wins < 0 for row in act.rows):
        raise ActRefused("contest/shape", piece="rows")
    return replace(now, by_source={**now.by_source, act.source: act})


def check_day(day: str) -> None:
    try:
        date.fromisoformat(day)
    except ValueError as fault:
        raise ActRefused("season/day", day=day) from fault


def announce(season: Season, act: acts.Announced, evening: int) -> Season:
    """The season with an evening announced, or announced otherwise."""
    try:
        local = datetime.fromisoformat(act.day).tzinfo is None
    except ValueError as fault:
        raise ActRefused("season/day", day=act.day) from fault
    if not local or not act.place or act.fee < 0 or act.seats < 0:
        raise ActRefused("season/announcement")
    before = season.next_evening(evening).bookings if act.evening else ()
    return replace(season, nexts={**season.nexts, evening: NextEvening(act, before)})


def free_number(season: Season, number: int) -> int:
    """The number of a new person. Raises `ActRefused` for one that is taken."""
    if number < 1 or number in season.players:
        raise ActRefused("contest/number-taken", number=number)
    return number


def merge_players(season: Season, kept: int, other: int) -> Season:
    """The season with two numbers as one person; who played the same evening cannot be."""
    kept, other = season.number_of(kept), season.number_of(other)
    both = [one for one in season.evenings if {kept, other} <= {n for row in one.rows for n in row.players}]
    if kept == other:
        raise ActRefused("season/merged-already", kept=kept)
    if both:
        raise ActRefused("season/both-played", kept=kept, other=other, day=both[0].day)
    one, two = season.players[kept], season.players[other]
    since = min(filter(None, (one.member.since, two.member.since)), default="")
    member = replace(one.member, since=since, consent=one.member.consent or two.member.consent)
    paid = {year: one.paid.get(year, 0) + two.paid.get(year, 0) for year in sorted({*one.paid, *two.paid})}
    now = season.with_player(kept, replace(one, member=member, paid=paid, erased=one.erased or two.erased))
    now = now.with_player(other, replace(two, kept=kept))
    nexts = {n: replace(own, bookings=rebook(own.bookings, kept, other)) for n, own in now.nexts.items()}
    return replace(now, nexts=nexts)


def rebook(bookings: tuple[int, ...], kept: int, other: int) -> tuple[int, ...]:
    """The bookings with one number for both, at the earlier place."""
    return tuple(dict.fromkeys(kept if one == other else one for one in bookings))


def set_member(season: Season, act: MemberSet) -> Season:
    if act.since:
        check_day(act.since)
    if act.number in season.players:
        number = season.number_of(act.number)
        known = season.players[number]
        return season.with_player(number, replace(known, member=replace(act, number=number), erased=False))
    return season.with_player(free_number(season, act.number), SeasonPlayer(act))


def pay_fee(season: Season, number: int, year: int, cents: int) -> Season:
    number = season.number_of(number)
    player = season.players[number]
    now = player.paid.get(year, 0) + cents
    if not cents or now < 0 or not 1900 <= year <= 2999:
        raise ActRefused("season/fee")
    return season.with_player(number, replace(player, paid={**player.paid, year: now}))


def erase_name(season: Season, number: int) -> Season:
    number = season.number_of(number)
    player = season.players[number]
    bare = MemberSet(number, player.member.lady, player.member.junior)
    return season.with_player(number, SeasonPlayer(bare, player.paid, erased=True))


def book(season: Season, act: acts.Booked) -> Season:
    found = season.next_evening(act.evening)
    if act.newcomer:
        season = season.with_player(free_number(season, act.number), SeasonPlayer(MemberSet(act.number)))
    number = season.number_of(act.number)
    if number in found.bookings:
        raise ActRefused("season/booked-already", number=number)
    bookings = (*found.bookings, number)
    return replace(season, nexts={**season.nexts, act.evening: replace(found, bookings=bookings)})
