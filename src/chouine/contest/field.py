"""The entries of the next round, and whether it can be drawn now."""

from __future__ import annotations

from chouine.contest.formula import Stage, table_sizes
from chouine.contest.ranking import pool_orders
from chouine.contest.state import Contest, Round, RoundTable
from chouine.errors import ActRefused


def drawable_round(contest: Contest, stage: Stage) -> tuple[int, tuple[int, ...]]:
    """The number and the entries of the round that can be drawn now. Raises `ActRefused` if none can."""
    rounds = contest.rounds(stage)
    number = len(rounds) + 1
    if contest.seed is not None:
        raise ActRefused("contest/closed")
    if contest.ended:
        raise ActRefused("contest/ended")
    if stage == "consolante":
        if contest.formula.consolante == "none":
            raise ActRefused("contest/no-consolante")
        if not contest.main or contest.main[0].open:
            raise ActRefused("contest/round-open", round=1)
    for before in rounds:
        if before.open:
            raise ActRefused("contest/round-open", round=before.number)
    if stage == "main" and number > last_round(contest):
        raise ActRefused("contest/all-rounds", rounds=last_round(contest))
    field = field_of(contest, stage)
    if len(field) < 2:
        raise ActRefused("contest/too-few" if number == 1 else "contest/decided-already")
    return number, field


def last_round(contest: Contest) -> int:
    """The number of the main draw's last round, if the formula fixes it."""
    return contest.formula.rounds if contest.formula.all_play else 10_000


def field_of(contest: Contest, stage: Stage) -> tuple[int, ...]:
    """The remaining entries, by number or in the tree's order, whether or not a round is open."""
    rounds = contest.rounds(stage)
    if stage == "consolante":
        inside = (*(rounds[-1].ahead if rounds else ()), *newcomers(contest))
    elif not rounds or contest.formula.all_play:
        inside = tuple(number for number, entrant in contest.entrants.items() if entrant.here)
    elif pools_to_come(contest):
        inside = tuple(number for pool in contest.pools for number in pool)
    elif len(rounds) == pool_rounds(contest):
        inside = tuple(qualified_places(contest))
    else:
        inside = rounds[-1].ahead
    left = (number for number in inside if not contest.entrants[number].withdrawn or pools_to_come(contest))
    return tuple(left) if is_ordered(contest, stage) else tuple(sorted(left))


def is_ordered(contest: Contest, stage: Stage) -> bool:
    """Whether the order of a field matters: in a tree from its second round on."""
    first = pool_rounds(contest)
    return stage == "main" and contest.formula.kind in {"tree", "poules"} and len(contest.main) > first


def newcomers(contest: Contest) -> tuple[int, ...]:
    """Entries that may play the consolante and have not been drawn in it."""
    seen = {player for round_ in contest.consolante for player in round_.players}
    return tuple(player for player in eligible_entries(contest) if player not in seen)


def eligible_entries(contest: Contest) -> tuple[int, ...]:
    """Entries that lost in the main draw in time for the consolante."""
    rounds = contest.main[:1] if contest.formula.consolante == "first" else contest.main
    return tuple(
        loser
        for round_ in rounds
        for table in round_.played
        if in_time(contest, round_, table)
        for loser in table.losers
    )


def in_time(contest: Contest, round_: Round, table: RoundTable) -> bool:
    """Whether a loss qualifies for the consolante: in round 1 always, later if it came before the hour."""
    return round_.number == 1 or (table.at is not None and table.at < contest.formula.hour)


def pool_size(contest: Contest) -> int:
    """Places of each poule, empty ones included: an even number."""
    most = max(map(len, contest.pools), default=0)
    return most + most % 2


def pool_rounds(contest: Contest) -> int:
    """Number of rounds of poules; 0 for other formulas."""
    return max(pool_size(contest) - 1, 0) if contest.formula.kind == "poules" else 0


def pools_to_come(contest: Contest) -> bool:
    """Whether the next round of the main draw is a round of poules."""
    return (
        contest.formula.kind == "poules" and bool(contest.main) and len(contest.main) < pool_rounds(contest)
    )


def pool_pairs(pools: tuple[tuple[int, ...], ...], places: int, number: int) -> tuple[tuple[int, ...], ...]:
    """The tables of a round of poules, by the circle method: everybody meets everybody once."""
    turn = [0, *(1 + (nth + number - 1) % (places - 1) for nth in range(places - 1))]
    tables: list[tuple[int, ...]] = []
    for pool in pools:
        for near, far in zip(turn[: places // 2], reversed(turn[places // 2 :]), strict=True):
            seated = tuple(pool[place] for place in (near, far) if place < len(pool))
            if seated:
                tables.append(seated)
    return tuple(tables)


def qualified_places(contest: Contest) -> dict[int, int]:
    """Entries that advance from poules to the tree, with their ranks in their poules from 0, winners first."""
    ranks: dict[int, int] = {}
    for order in pool_orders(contest, pool_rounds(contest)):
        left = [number for number in order if not contest.entrants[number].withdrawn]
        ranks |= {number: rank for rank, number in enumerate(left[: contest.formula.qualify])}
    return dict(sorted(ranks.items(), key=lambda item: item[1]))


def sizes_of(contest: Contest, stage: Stage, number: int, entries: int) -> tuple[int, ...]:
    """Sizes of a round's tables, or of the poules before their first round, in decreasing order."""
    formula = contest.formula
    if formula.kind == "poules" and number == 1 and stage == "main":
        pools = -(-entries // formula.pool)
        return tuple(entries // pools + (nth < entries % pools) for nth in range(pools))
    in_tree = formula.kind in {"tree", "poules"} and stage == "main"
    if in_tree and number == pool_rounds(contest) + 1 and formula.seats == 2:
        pairs = (
            entries - (1 << (entries.bit_length() - 1)) or entries // 2
        )  # a qualifying round (cadrage) down to a power of two
        return (2,) * pairs + (1,) * (entries - 2 * pairs)
    return tuple(table_sizes(entries, formula.seats))


def follows(contest: Contest, stage: Stage) -> tuple[tuple[int, ...], ...] | None:
    """The places of a round that follows without a draw: in poules and in a tree after the first round."""
    if stage == "main" and pools_to_come(contest):
        return contest.pools
    if not is_ordered(contest, stage):
        return None
    field = iter(field_of(contest, stage))
    entries = len(field_of(contest, stage))
    return tuple(
        tuple(next(field) for _ in range(size)) for size in table_sizes(entries, contest.formula.seats)
    )
