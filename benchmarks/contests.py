"""Property tests of contests: every rule of each format, checked on thousands of random contests.

`python -m benchmarks.contests 10000` plays the contests of `benchmarks/wild.py`, of 2 to 200 entries in every format,
and names each that breaks a rule.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain, combinations

import networkx as nx

from benchmarks.wild import wild
from chouine.contest import (
    Changed,
    Contest,
    ContestAct,
    Corrected,
    Entered,
    Formula,
    ListEntered,
    LogLine,
    Paired,
    Present,
    RoundDrawn,
    Swapped,
    Undone,
    Withdrew,
    contest_of,
    ranking,
)
from chouine.contest.check import check_log
from chouine.contest.fold import follow, open_contest
from chouine.contest.log import act_data, kind_of
from chouine.contest.views import payments, totals
from chouine.server.contest.solver import cheapest_matching

# The rules, each a property of a finished contest


def nobody_sits_twice(contest: Contest) -> bool:
    """In a round each entry is at one table."""
    return all(len(set(round_.players)) == len(round_.players) for round_ in contest.all_rounds())


def at_most_one_exempt(contest: Contest) -> bool:
    """At most one exempt entry in a round, except in a tree's cadrage and in poules."""
    free = contest.formula.kind in {"tree", "poules"}
    return all(len(r.exempt) <= 1 or (free and r.stage == "main") for r in contest.all_rounds())


def all_who_are_here_are_drawn(contest: Contest) -> bool:
    """Round 1 has everybody who is here, and where all play every round, each round."""
    here: set[int] = set()
    gone: set[int] = set()
    for act in acts_not_undone(contest):
        if isinstance(act, Entered | ListEntered):
            entries = act.entries if isinstance(act, ListEntered) else (act,)
            merged = act.merged if isinstance(act, ListEntered) else ()
            here |= {one.number for one in entries if one.here} | {one.number for one in merged if one.here}
        elif isinstance(act, Present):
            here = here | {act.number} if act.here else here - {act.number}
        elif isinstance(act, Withdrew):
            gone.add(act.number)
        elif isinstance(act, RoundDrawn) and act.stage == "main" and set(chain(*act.places)) != here - gone:
            all_play = act.round == 1 or contest.formula.all_play
            if all_play:
                return False
    still = {n for n, entrant in contest.entrants.items() if entrant.here and not entrant.withdrawn}
    return not contest.main or contest.formula.all_play or still <= set(contest.main[0].players)


def winners_go_on(contest: Contest) -> bool:
    """In a knock-out each round has the entries that advanced, except withdrawn ones."""
    if not contest.formula.knock_out:
        return True
    return all(
        set(after.players) <= set(before.ahead)
        and all(contest.entrants[n].withdrawn for n in set(before.ahead) - set(after.players))
        for before, after in zip(contest.main, contest.main[1:], strict=False)
    )


def losers_play_the_consolante(contest: Contest) -> bool:
    """The consolante has losers of round 1 and, with an hour, of later rounds before it; no others."""
    late = contest.formula.hour if contest.formula.consolante == "hour" else 0
    may = {
        player
        for round_ in contest.main
        for table in round_.played
        for player in table.players
        if player != table.winner and (round_.number == 1 or (table.at or 0) < late)
    }
    return {player for round_ in contest.consolante for player in round_.players} <= may


def all_first_losers_may_go_on(contest: Contest) -> bool:
    """The consolante begins with all losers of round 1 that have not withdrawn.

    An entry that lost by a correction and found no place joins a later round.
    """
    if not contest.consolante:
        return True
    corrected = any(isinstance(line.act, Corrected) for line in contest.lines)
    rounds = contest.consolante if corrected else contest.consolante[:1]
    losers = {n for table in contest.main[0].played for n in table.players if n != table.winner}
    left = losers - {player for round_ in rounds for player in round_.players}
    return all(contest.entrants[n].withdrawn for n in left)


def acts_not_undone(contest: Contest) -> Iterator[ContestAct]:
    """The acts that were not undone."""
    undone = {line.act.act for line in contest.lines if isinstance(line.act, Undone)}
    return (line.act for line in contest.lines if line.n not in undone)


def who_withdrew_is_not_drawn(contest: Contest) -> bool:
    """Withdrawn entries are not drawn again, except in the fixed rounds of poules."""
    gone: set[int] = set()
    for act in acts_not_undone(contest):
        if isinstance(act, Withdrew):
            gone.add(act.number)
        elif (
            isinstance(act, RoundDrawn)
            and contest.formula.kind != "poules"
            and gone & set(chain(*act.places))
        ):
            return False
    return True


def drawn_in_turn(contest: Contest) -> Iterator[tuple[RoundDrawn, Counter[int], Counter[frozenset[int]]]]:
    """Each random draw, with earlier exemptions by entry and earlier meetings by pair.

    Ends at the first act that changes places, after which the acts alone do not determine them.
    """
    exempts, met = Counter[int](), Counter[frozenset[int]]()
    for act in acts_not_undone(contest):
        if isinstance(act, Swapped | Paired | Corrected) or (
            exempts | met and isinstance(act, Entered | ListEntered | Present)
        ):
            return
        if isinstance(act, RoundDrawn):
            if contest.formula.kind in {"lavardin", "rounds", "swiss"} or act.stage == "consolante":
                yield act, exempts, met
            exempts.update(place[0] for place in act.places if len(place) == 1)
            met.update(frozenset(pair) for place in act.places for pair in combinations(place, 2))


def nobody_is_exempt_twice_while_others_were_not(contest: Contest) -> bool:
    return all(
        exempts[place[0]] == min(exempts[n] for n in chain(*act.places))
        for act, exempts, _ in drawn_in_turn(contest)
        for place in act.places
        if len(place) == 1
    )


def nobody_meets_again_where_it_can_be_avoided(contest: Contest) -> bool:
    """With tables of two, a draw repeats no more pairs than a maximum matching of new pairs would need."""
    for act, _, met in drawn_in_turn(contest):
        pairs = [place for place in act.places if len(place) == 2]
        again = sum(met[frozenset(pair)] > 0 for pair in pairs)
        if again and contest.formula.seats == 2:
            new = nx.Graph(pair for pair in combinations(chain(*pairs), 2) if not met[frozenset(pair)])
            if again > len(pairs) - len(nx.max_weight_matching(new, maxcardinality=True)):
                return False
    return True


def one_goes_through(contest: Contest) -> bool:
    """A finished knock-out has one winner, or none if the last entries withdrew."""
    unfinished = contest.ended or any(round_.open for round_ in contest.all_rounds())
    if not contest.formula.knock_out or not contest.main or unfinished:
        return True
    ahead = [n for n in contest.main[-1].ahead if not contest.entrants[n].withdrawn]
    return len(ahead) <= 1


def everyone_is_ranked_once(contest: Contest) -> bool:
    return sorted(one.number for one in ranking(contest)) == sorted(contest.participants)


def the_winner_is_first(contest: Contest) -> bool:
    """In a knock-out the winner of the last round ranks first."""
    if not contest.formula.knock_out or not contest.main or len(contest.main[-1].ahead) != 1:
        return True
    return ranking(contest)[0].number == contest.main[-1].ahead[0]


def money_adds_up(contest: Contest) -> bool:
    """The total is the sum of all money in acts that were not undone, and of the payments listed."""
    paid = sum(cents_in(act_data(act)) for act in acts_not_undone(contest))
    return paid == totals(contest).paid == sum(one.cents for one in payments(contest))


def cents_in(data: object) -> int:
    """All cents in an act's data, wherever they stand."""
    if isinstance(data, list):
        return sum(map(cents_in, data))
    if not isinstance(data, dict):
        return 0
    return int(data.get("cents", 0)) + sum(data.get("paid", ())) + sum(map(cents_in, data.values()))


def what_a_draw_has_used_stays(contest: Contest) -> bool:
    """The settings that made a draw are those of the contest, whatever was changed or undone since."""
    undone_at = {line.act.act: line.n for line in contest.lines if isinstance(line.act, Undone)}
    settings: dict[int, Formula] = {1: contest.first.formula}
    for line in contest.lines:
        if isinstance(line.act, Changed):
            settings[line.n] = line.act.formula
        elif isinstance(line.act, RoundDrawn) and line.n not in undone_at:
            then = max(n for n in settings if undone_at.get(n, line.n) >= line.n)
            if draw_settings(settings[then]) != draw_settings(contest.formula):
                return False
    return True


def draw_settings(formula: Formula) -> tuple[object, ...]:
    """What every draw uses."""
    return formula.kind, formula.seats, formula.members, formula.apart


def the_log_is_all(contest: Contest) -> bool:
    """The log, written and read, folds to the same contest."""
    return contest_of(LogLine.parse(str(line)) for line in contest.lines) == contest


def what_is_undone_is_gone(contest: Contest) -> bool:
    """Folding the log without the undone acts gives the same contest."""
    undone = {line.act.act for line in contest.lines if isinstance(line.act, Undone)}
    now = open_contest(contest.lines[0], contest.opened)
    for line in contest.lines[1:]:
        if isinstance(line.act, Undone):
            now = replace(now, renewed=line.act.commit or now.renewed)
        elif line.n not in undone:
            now = follow(now, line)
    return replace(now, lines=contest.lines) == contest


def the_check_finds_nothing(contest: Contest) -> bool:
    """The log passes `check_log`, which redraws each round and checks exempt entries and repeated pairs."""
    report = check_log(contest.lines, None, cheapest_matching)
    return not report.breaches and (contest.seed is None or not report.unproven)


RULES: tuple[Callable[[Contest], bool], ...] = (
    nobody_sits_twice,
    at_most_one_exempt,
    all_who_are_here_are_drawn,
    winners_go_on,
    losers_play_the_consolante,
    all_first_losers_may_go_on,
    who_withdrew_is_not_drawn,
    nobody_is_exempt_twice_while_others_were_not,
    nobody_meets_again_where_it_can_be_avoided,
    one_goes_through,
    everyone_is_ranked_once,
    the_winner_is_first,
    money_adds_up,
    what_a_draw_has_used_stays,
    the_log_is_all,
    what_is_undone_is_gone,
    the_check_finds_nothing,
)


def broken_rules(nth: int, most: int = 200) -> tuple[list[str], Counter[str]]:
    """The rules that contest number `nth` breaks, and counts of its events."""
    contest, refused = wild(nth, most)
    happened = Counter(events(contest))
    happened["contests"] = 1
    happened["refused"] = refused.total()
    return [rule.__name__ for rule in RULES if not rule(contest)], happened


def events(contest: Contest) -> Iterator[str]:
    """What happened: each act's kind, what was undone, and what one kind can mean at different times."""
    rounds = 0
    for line in contest.lines:
        act = line.act
        yield kind_of(act)
        rounds += isinstance(act, RoundDrawn) and act.stage == "main"
        if isinstance(act, Undone):
            yield f"undone {kind_of(contest.lines[act.act - 1].act)}"
        elif isinstance(act, ListEntered) and act.merged:
            yield "merged"
        elif isinstance(act, Present) and not act.here:
            yield "skipped" if rounds else "absent before the draw"
        elif isinstance(act, Entered | Changed) and rounds:
            yield f"{kind_of(act)} after a draw" if rounds == 1 else f"{kind_of(act)} after several draws"
        elif isinstance(act, Swapped) and act.reason == "late":
            yield "latecomer given a table"


def main() -> int:
    """Run the contests; return 1 if a rule was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("contests", type=int, nargs="?", default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=200, help="entries")
    parser.add_argument("--processes", type=int, default=1)
    args = parser.parse_args()
    began, happened, faults = time.monotonic(), Counter[str](), 0
    numbers = range(args.first, args.first + args.contests)
    with ProcessPoolExecutor(args.processes) as pool:
        found = pool.map(partial(broken_rules, most=args.most), numbers, chunksize=5)
        for nth, (broken, seen) in zip(numbers, found, strict=True):
            happened += seen
            if broken:
                faults += 1
                print(f"contest {nth} breaks {', '.join(broken)}", flush=True)
            if (nth + 1) % 500 == 0:
                print(f"{nth + 1} contests, {time.monotonic() - began:.0f} s, {faults} faults", flush=True)
    print(dict(happened.most_common()))
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main())
