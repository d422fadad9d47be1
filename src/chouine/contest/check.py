"""Verify a log: its seals, each act, and each draw, by its format's rules and by redrawing it from the seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from chouine.contest.acts import DealsPlayed, Revealed, RoundDrawn
from chouine.contest.chance import Chance
from chouine.contest.draw import commit, cost_in, draw, least_exempt
from chouine.contest.duplicate import RULES, difference_of, numbers_of, sealed_deal
from chouine.contest.field import drawable_round, follows
from chouine.contest.fold import after
from chouine.contest.log import START, LogLine
from chouine.contest.pairing import Places, Solver, cheapest_pairs, cost_of
from chouine.contest.state import Contest
from chouine.errors import ActRefused, ChouineError
from chouine.partie.result import Result
from chouine.plaintext import split_lines, unmark

Replay = Callable[[str], Result | None]
"""Plays a partie line and gives its result; None if it is not over. Raises `ChouineError` for what is no partie."""


@dataclass(frozen=True, slots=True)
class Breach:
    """An error in a log; `chouine.phrases` has the sentence for `code` and `data`."""

    line: int
    """The line in the log, from 1."""
    code: str
    data: dict[str, object]


@dataclass(frozen=True, slots=True)
class CheckReport:
    breaches: tuple[Breach, ...]
    contest: Contest | None = None
    """The contest as far as the log is valid."""
    draws: int = 0
    """Number of draws verified by redrawing."""
    unproven: int = 0
    """Number of draws that could not be redrawn, for lack of the seed or of a solver."""
    seed_known: bool = False


def read_log(text: str) -> tuple[list[LogLine], list[Breach]]:
    """The lines of an exported log, and the breaches of unreadable ones; blank lines are skipped."""
    lines: list[LogLine] = []
    breaches: list[Breach] = []
    for nth, line in enumerate(split_lines(text), 1):
        if not unmark(line).strip():
            continue
        try:
            lines.append(LogLine.parse(unmark(line)))
        except ActRefused as fault:
            breaches.append(Breach(nth, fault.code, fault.data))
    return lines, breaches


def check_log(
    lines: Sequence[LogLine],
    seed: str | None = None,
    solver: Solver | None = None,
    seal: str = "",
    replay: Replay | None = None,
) -> CheckReport:
    """All breaches of a log, up to the first act that cannot be done.

    `seed`: needed unless the log reveals it. `seal`: the first signs of one that somebody has noted. Without it a log
    that was changed within the rules and sealed again cannot be told from an honest one. `replay` plays the deals of a
    duplicate contest again.
    """
    known = [line.act.seed for line in lines if isinstance(line.act, Revealed)] + ([seed] if seed else [])
    seeds = {commit(one): one for one in known}
    breaches = list(find_breaches(lines))
    contest: Contest | None = None
    draws = unproven = 0
    for nth, line in enumerate(lines, 1):
        if isinstance(line.act, RoundDrawn) and contest is not None:
            proven, found = check_draw(contest, line.act, seeds.get(contest.commit), solver)
            breaches += [Breach(nth, fault.code, fault.data) for fault in found]
            draws, unproven = draws + bool(proven), unproven + (proven is None)
        if isinstance(line.act, DealsPlayed) and contest is not None:
            known_seed = seeds.get(contest.commit)
            if known_seed is not None and replay is not None:
                faults = replay_faults(line.act, contest.formula.deals, known_seed, replay)
                breaches += [Breach(nth, fault.code, fault.data) for fault in faults]
        try:
            contest = after(contest, line)
        except ActRefused as fault:
            breaches.append(Breach(nth, fault.code, fault.data))
            break
    if not any(line.seal.startswith(seal) for line in lines):
        breaches.append(Breach(max(len(lines), 1), "check/seal", {"seal": seal}))
    if contest is None and not breaches:
        breaches.append(Breach(1, "contest/empty", {}))
    if (
        contest is not None
        and seed is not None
        and commit(seed) not in (contest.opened.commit, contest.commit)
    ):
        breaches.append(Breach(1, "contest/other-seed", {}))
    return CheckReport(
        tuple(sorted(breaches, key=lambda breach: breach.line)),
        contest,
        draws,
        unproven,
        bool(seeds),
    )


def find_breaches(lines: Iterable[LogLine]) -> Iterator[Breach]:
    """Lines out of order, with decreasing times, or with a wrong seal."""
    seal, at = START, 0
    for nth, line in enumerate(lines, 1):
        if line.n != nth:
            yield Breach(nth, "check/order", {"line": nth, "found": line.n})
        elif line.seal != line.seal_after(seal):
            yield Breach(nth, "contest/broken", {"line": nth})
        elif line.at < at:
            yield Breach(nth, "check/time", {"line": nth})
        seal, at = line.seal, line.at


def check_draw(
    contest: Contest, act: RoundDrawn, seed: str | None, solver: Solver | None
) -> tuple[bool | None, list[ActRefused]]:
    """Whether redrawing gives the same draw (None: unknown), and the format's rules that it breaks."""
    try:
        faults = list(draw_faults(contest, act, solver))
        if follows(contest, act.stage) is not None:
            return False, faults
        if seed is None:
            return None, faults
        again = draw(contest, act.stage, seed, act.card, match=act.match, first=act.first, solver=solver)
    except ActRefused:  # no solver; or an impossible draw, which the fold reports
        return None, []
    if again.deals != act.deals:
        faults.append(ActRefused("check/deals", round=act.round))
    if again.places == act.places:
        return True, faults
    return False, [*faults, ActRefused("check/draw", round=act.round)]


def replay_faults(act: DealsPlayed, deals: int, seed: str, replay: Replay) -> Iterator[ActRefused]:
    """The deals of a table that end otherwise when they are played again."""
    numbers = numbers_of(act.round, deals)
    for nth, (number, course, told) in enumerate(zip(numbers, act.courses, act.differences, strict=False), 1):
        deal = sealed_deal(RULES, seed, number)
        try:
            result = replay(f"{RULES} {deal} : {course}")
        except ChouineError:
            yield ActRefused("check/course", table=act.table, deal=nth)
            continue
        found = difference_of(result, 0) if result else None
        if found != (None if nth in act.given_up else told):
            yield ActRefused("check/difference", table=act.table, deal=nth)


def draw_faults(contest: Contest, act: RoundDrawn, solver: Solver | None) -> Iterator[ActRefused]:
    """The rules a draw breaks: repeated exemptions, repeated pairs, entries that should be kept apart."""
    _, field = drawable_round(contest, act.stage)
    in_tree = act.stage == "main" and contest.formula.kind in {"tree", "poules"}
    if in_tree or sorted(player for place in act.places for player in place) != sorted(field):
        return
    spared = least_exempt(contest, field)
    for place in act.places:
        if len(place) == 1 and place[0] not in spared:
            yield ActRefused("check/exempt", number=place[0], round=act.round)
    if all(len(place) <= 2 for place in act.places):
        yield from avoidable_pairs(contest, act, spared, solver)


def avoidable_pairs(
    contest: Contest, act: RoundDrawn, spared: Sequence[int], solver: Solver | None
) -> Iterator[ActRefused]:
    """Pairs that met before or are to be kept apart, if another draw could have avoided them."""
    cost = cost_in(contest, act.stage, act.round)
    total = cost_of(act.places, cost)
    if not total:
        return
    row = [player for place in act.places for player in place]
    best: Places = cheapest_pairs(row, cost, Chance("check"), spared, solver)
    if cost_of(best, cost) < total:
        for one, other in (pair for place in act.places for pair in combinations(place, 2)):
            if cost(one, other):
                yield ActRefused("check/avoidable", one=one, other=other, round=act.round)
