"""Fold a log into its contest: each act is applied in turn, or refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from chouine.cards import Card
from chouine.contest import acts
from chouine.contest.draw import commit
from chouine.contest.entering import amend_player, enter_player, mark_present
from chouine.contest.field import drawable_round, follows, pool_pairs, pool_rounds, sizes_of
from chouine.contest.formula import read_match
from chouine.contest.log import LogLine, act_to_undo, fold_log, fold_without
from chouine.contest.ranking import check_prizes
from chouine.contest.results import (
    correct_result,
    enter_deals,
    enter_result,
    forfeit_table,
    give_up,
    pair_players,
    swap_players,
    withdrew,
)
from chouine.contest.state import Contest, Round, RoundTable
from chouine.contest.views import is_final
from chouine.errors import ActRefused
from chouine.phrases.catalogue import LANGUAGES

WHEN_CLOSED = (acts.Undone, acts.Erased)
"""Acts possible after the seed is revealed."""
WHEN_ENDED = (*WHEN_CLOSED, acts.Revealed, acts.Amended, acts.Paid, acts.Settled, acts.PrizesSet)
"""Acts possible after the contest was ended early."""


def contest_of(lines: Iterable[LogLine]) -> Contest:
    """The contest of a whole log. Raises `ActRefused` at the first invalid line."""
    return fold_log(lines, after)


def after(contest: Contest | None, line: LogLine) -> Contest:
    """The contest after one more line. Raises `ActRefused` if its act cannot be done. An undo folds the log anew."""
    if contest is None:
        if not isinstance(line.act, acts.ContestOpened):
            raise ActRefused("contest/not-opened")
        return open_contest(line, line.act)
    if contest.seed is not None and not isinstance(line.act, WHEN_CLOSED):
        raise ActRefused("contest/closed")
    if contest.ended and not isinstance(line.act, WHEN_ENDED):
        raise ActRefused("contest/ended")
    if isinstance(line.act, acts.Undone):
        return undo_act(contest, line, line.act)
    return replace(follow(contest, line), lines=(*contest.lines, line))


def add(contest: Contest | None, act: acts.ContestAct, by: str, at: int) -> Contest:
    """The contest after an act by a desk at a time (milliseconds since 1970); the new line is `.head`.

    Unlike `after`, it refuses to reveal the seed while there is more to play: logs of earlier versions may hold that.
    """
    if isinstance(act, acts.Revealed) and contest and not is_final(contest):
        raise ActRefused("contest/not-over")
    return after(contest, LogLine.after(contest.head if contest else None, act, by, at))


def open_contest(line: LogLine, act: acts.ContestOpened) -> Contest:
    """The contest after its first act."""
    if not is_digest(act.commit) or act.language not in LANGUAGES | {"": ""}:
        raise ActRefused("contest/opening")
    check_settings(act)
    return Contest(act, (line,))


def check_settings(act: acts.ContestOpened | acts.Changed) -> None:
    if min(act.fee, act.meal) < 0 or any(not name or tables < 1 for name, tables in act.rooms):
        raise ActRefused("contest/opening")


def change_settings(contest: Contest, act: acts.Changed) -> Contest:
    """Other settings from here on. Raises `ActRefused` for one that a drawn round has used."""
    check_settings(act)
    old, new, drawn = contest.formula, act.formula, len(contest.main)
    in_draw = [
        (one.kind, one.seats, one.members, one.apart, one.pool, one.ties, one.deals) for one in (old, new)
    ]
    qualified = drawn > pool_rounds(contest) > 0 and old.qualify != new.qualify
    if drawn and (in_draw[0] != in_draw[1] or qualified):
        raise ActRefused("contest/fixed-draw")
    if new.all_play and new.rounds < drawn:
        raise ActRefused("contest/fixed-rounds", rounds=drawn)
    in_consolante = [(one.consolante, one.hour) for one in (old, new)]
    if contest.consolante and in_consolante[0] != in_consolante[1]:
        raise ActRefused("contest/fixed-consolante")
    for round_ in contest.all_rounds():
        where = round_.stage, round_.number
        if old.match_of(*where) != new.match_of(*where):
            raise ActRefused("contest/fixed-match", round=round_.number, format=str(round_.match))
    if act.rooms != contest.opened.rooms and any(round_.open for round_ in contest.all_rounds()):
        raise ActRefused("contest/fixed-rooms")
    opened = replace(
        contest.opened, formula=new, title=act.title, fee=act.fee, meal=act.meal, rooms=act.rooms
    )
    return replace(contest, opened=opened)


def is_digest(text: str) -> bool:
    """Whether a text is a SHA-256 in hexadecimal."""
    return len(text) == 64 and not set(text) - set("0123456789abcdef")


def undo_act(contest: Contest, line: LogLine, act: acts.Undone) -> Contest:
    """The contest as if an act had never been done. Raises `ActRefused` for what cannot be undone.

    Of a closed contest only the closing can be undone, and with a new commitment: everybody knows the seed now. Changed
    settings go back only where they could be changed to what they were.
    """
    target = act_to_undo(contest.lines, act.act)
    closing = isinstance(target, acts.Revealed)
    if contest.seed is not None and not closing:
        raise ActRefused("contest/closed")
    before = (own.act for own in contest.lines if isinstance(own.act, acts.Undone))
    known = (contest.opened.commit, *(undo.commit for undo in before))
    if closing != bool(act.commit) or (closing and (not is_digest(act.commit) or act.commit in known)):
        raise ActRefused("contest/renewal")
    lines = (*contest.lines, line)
    now = fold_without(act.act, open_contest(lines[0], contest.first), lines, follow)
    if isinstance(target, acts.Changed):
        was = now.opened
        change_settings(contest, acts.Changed(was.formula, was.title, was.fee, was.meal, was.rooms))
    return replace(now, lines=lines)


def follow(contest: Contest, line: LogLine) -> Contest:  # noqa: C901  # one table of cases
    """Apply any act but the first, and of an undo the new commitment alone; the caller extends the log."""
    match line.act:
        case acts.Changed():
            return change_settings(contest, line.act)
        case acts.Entered() | acts.ListEntered():
            return enter_player(contest, line.act)
        case acts.Amended() | acts.Erased():
            return amend_player(contest, line.act)
        case acts.Present():
            return mark_present(contest, line.act)
        case acts.Paid(number=number, cents=cents):
            entrant = contest.entrant(number)
            return contest.with_entrant(replace(entrant, paid=entrant.paid + cents))
        case acts.RoundDrawn():
            return draw_round(contest, line, line.act)
        case acts.Called(stage=stage, round=number):
            return call_round(contest, contest.round(stage, number), line.at)
        case acts.ResultEntered():
            return enter_result(contest, line, line.act)
        case acts.DealsPlayed():
            return enter_deals(contest, line, line.act)
        case acts.Corrected():
            return correct_result(contest, line, line.act)
        case acts.TableForfeited():
            return forfeit_table(contest, line, line.act)
        case acts.Withdrew(number=number):
            return withdrew(contest, line, number)
        case acts.Swapped(stage=stage, round=number, one=one, other=other):
            return swap_players(contest, stage, number, one, other)
        case acts.Paired(stage=stage, round=number, one=one, other=other):
            return pair_players(contest, stage, number, one, other)
        case acts.Settled(order=order):
            return settle_order(contest, order)
        case acts.PrizesSet():
            check_prizes(line.act)
            return replace(contest, prizes=line.act)
        case acts.Undone(commit=renewed):
            return replace(contest, renewed=renewed or contest.renewed)
        case acts.Ended():
            return replace(contest, ended=True)
        case acts.Revealed(seed=seed):
            return reveal_seed(contest, seed)
        case _:
            raise ActRefused("contest/opened-twice")


def draw_round(contest: Contest, line: LogLine, act: acts.RoundDrawn) -> Contest:
    """Add a round if it can be drawn now and has the right entries; `check` verifies that it was drawn by chance."""
    number, field = drawable_round(contest, act.stage)
    if act.round != number:
        raise ActRefused("contest/other-round", round=number)
    if act.card and not is_card(act.card):
        raise ActRefused("contest/card", card=act.card)
    if act.first < 1:
        raise ActRefused("contest/first-table")
    if len(act.deals) != contest.formula.deals or not all(map(is_digest, act.deals)):
        raise ActRefused("contest/deals", deals=contest.formula.deals, round=number)
    form = read_match(act.match, contest.formula.seats)
    players = [player for place in act.places for player in place]
    sizes = tuple(sorted(map(len, act.places), reverse=True))
    order = follows(contest, act.stage)
    if order is None:
        fits = sorted(players) == sorted(field) and sizes == sizes_of(contest, act.stage, number, len(field))
    else:
        fits = order == act.places
    if not fits:
        raise ActRefused("contest/wrong-field", round=number)
    now, places = contest, act.places
    if act.stage == "main" and contest.formula.kind == "poules" and number <= max(pool_rounds(contest), 1):
        now = replace(contest, pools=act.places)
        most = max(map(len, act.places))
        places = pool_pairs(act.places, most + most % 2, number)
    round_ = Round(
        act.stage, number, form, act.card, number_tables(places, act.first), line.at, None, act.deals
    )
    now = now.with_rounds(act.stage, (*now.rounds(act.stage), round_))
    for player in players:
        if now.entrants[player].withdrawn:
            now = give_up(now, round_, player, line)
    return now


def call_round(contest: Contest, round_: Round, at: int) -> Contest:
    """Record the call of a round; it may be repeated until the first result."""
    if any(table.at is not None for table in round_.played):
        raise ActRefused("contest/play-begun", round=round_.number)
    return contest.with_round(replace(round_, called=at))


def is_card(text: str) -> bool:
    try:
        Card(text)
    except ValueError:
        return False
    return True


def number_tables(places: Iterable[tuple[int, ...]], first: int) -> tuple[RoundTable, ...]:
    """The tables of a round, numbered from `first`; an exempt entry's has no number."""
    tables: list[RoundTable] = []
    for place in places:
        seated = len(place) > 1
        tables.append(RoundTable(first if seated else 0, place))
        first += seated
    return tuple(tables)


def settle_order(contest: Contest, order: tuple[int, ...]) -> Contest:
    """Record the club's decision on a tie, which replaces earlier decisions on any of these entries."""
    for number in order:
        contest.entrant(number)
    if len(set(order)) != len(order) or len(order) < 2:
        raise ActRefused("contest/settled")
    kept = tuple(old for old in contest.settled if not set(old) & set(order))
    return replace(contest, settled=(*kept, order))


def reveal_seed(contest: Contest, seed: str) -> Contest:
    if commit(seed) != contest.commit:
        raise ActRefused("contest/other-seed")
    return replace(contest, seed=seed)
