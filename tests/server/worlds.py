"""The same table in another world: a log with another pack that an observer cannot distinguish (§14)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from chouine.cards import Card
from chouine.partie import Deal
from chouine.partie.deal import PACKETS
from chouine.rules import Rules, rule_table_of
from chouine.table.entries import Cut, LogEntry, Shuffled
from chouine.table.evolve import rebuild
from tests.laws.worlds import another_world
from tests.server.matches import Table


def another_log(table: Table, observer: int | None, rng: Random) -> Table | None:
    """The table with another pack for the current partie; None if no such world is found."""
    assert table.table.state is not None
    state = another_world(table.table.state.view(observer), rng)
    if state is None:
        return None
    log = with_pack(table.log, pack_of(state.rules, state.deal, table.table.cut))
    return Table(rebuild(log), log, Random(0), table.now)


def told_alike(
    table: Table,
    observers: Iterable[int | None],
    rng: Random,
    told: Callable[[Table, int | None, str], Sequence[object]],
) -> int:
    """Compare what each observer gets with another world, and return the number of worlds compared.

    `told` computes it for a table, an observer and a unique name.
    """
    worlds = 0
    for observer in observers:
        other = another_log(table, observer, rng)
        if other is None or other.table.state == table.table.state:
            continue
        worlds += 1
        here, there = (told(each, observer, f"{observer}-{nth}") for nth, each in enumerate((table, other)))
        for mine, theirs in zip(here, there, strict=True):
            assert mine == theirs, f"to {observer}, here: {mine!r}\n\nin another world: {theirs!r}"
    return worlds


def pack_of(rules: Rules, deal: Deal, at: int) -> str:
    """The pack, before its cut, that gives this deal (§2, §3)."""
    rule_table = rule_table_of(rules)
    hands = [list(hand) for hand in deal.hands]
    top: list[Card] = []
    for packet in PACKETS[rules.deal] if rule_table.seats == 2 else (1, 1, 1):
        for turn in range(1, rule_table.seats + 1):
            seat = (deal.dealer + turn) % rule_table.seats
            top += [hands[seat].pop() for _ in range(packet)]
    top += [deal.turnup] if deal.turnup is not None else []
    cards = [*top, *deal.talon]
    return "".join(map(str, cards[32 - at :] + cards[: 32 - at]))


def with_pack(log: list[tuple[LogEntry, float]], pack: str) -> list[tuple[LogEntry, float]]:
    """The log with the pack of its last cut replaced; the nonce is unchanged."""
    cut = max(nth for nth, (entry, _) in enumerate(log) if isinstance(entry, Cut))
    shuffled = max(nth for nth, (entry, _) in enumerate(log[:cut]) if isinstance(entry, Shuffled))
    entry, at = log[shuffled]
    assert isinstance(entry, Shuffled)
    return [*log[:shuffled], (Shuffled(pack, entry.nonce), at), *log[shuffled + 1 :]]
