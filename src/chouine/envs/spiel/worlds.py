"""Sample worlds that a seat cannot distinguish from the true one (§14), with their probability under the deal.

Only the seat's information is used: its own cards and public actions. Cards that another seat has shown must have
come to it before; the cards it keeps are uniform among those that its answers allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from chouine.cards import ALL_CARDS, BRISQUES
from chouine.envs.agent_selection import LET_PASS
from chouine.envs.spiel.partie import Partie, TimedAction, members
from chouine.rules.combinations import BRISQUE_FIGURES, EXCHANGE, MARIAGE

Chance = Callable[[], float]
"""A number from 0 to 1."""
AS_DEALT = -1


class World(NamedTuple):
    """The outcomes of chance."""

    hands: list[int]
    """Hands as dealt, by seat."""
    drawn: list[int]


class Sighting(NamedTuple):
    """A card, the seat known to hold it, and the number of talon cards drawn when that became known."""

    card: int
    seat: int
    drawn: int


def world_of(partie: Partie) -> World:
    """The true world, as far as chance has decided it."""
    hand, seats = partie.setting.rule_table.hand, partie.setting.rule_table.seats
    hands = [union(partie.dealt[seat * hand : (seat + 1) * hand]) for seat in range(seats)]
    return World(hands, list(partie.drawn))


def another_world(partie: Partie, seat: int, chance: Chance) -> World:
    """Sample a world with the same information for this seat."""
    world = world_of(partie)
    others = [other for other in range(partie.setting.rule_table.seats) if other != seat]
    seen = sightings(partie, seat)
    places = {other: places_of(partie, other) for other in others}
    hidden = partie.setting.pack & ~known_to(partie, seat) & ~union([sight.card for sight in seen])
    rooms = [len(places[other]) - sum(sight.seat == other for sight in seen) for other in others]
    rooms.append(hidden.bit_count() - sum(rooms))
    barred = [*(cannot_hold(partie, other) for other in others), 0]
    kept = shared_out(shuffle_numbers(members(hidden), chance), rooms, barred, chance)
    for other, cards in zip(others, kept, strict=False):
        own = [sight for sight in seen if sight.seat == other]
        came = origins(places[other], own, cards, chance)
        world.hands[other] = union([card for card, place in came.items() if place == AS_DEALT])
        for card, place in came.items():
            if place != AS_DEALT:
                world.drawn[place] = card
    return world


def union(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def known_to(partie: Partie, seat: int) -> int:
    """The cards whose origin the seat knows: its own, and the turnup."""
    hand, seats = partie.setting.rule_table.hand, partie.setting.rule_table.seats
    drawn = zip(partie.drawn, partie.drawers, strict=False)
    own = [card for card, drawer in drawn if drawer == seat]
    return union([*own, *partie.dealt[seat * hand : (seat + 1) * hand], *partie.dealt[seats * hand :]])


def places_of(partie: Partie, seat: int) -> list[int]:
    """Where a seat's cards came from: a place of the talon, or `AS_DEALT`."""
    hand = partie.setting.rule_table.hand
    dealt = len(partie.dealt[seat * hand : (seat + 1) * hand])
    return [AS_DEALT] * dealt + [place for place, drawer in enumerate(partie.drawers) if drawer == seat]


def sightings(partie: Partie, seat: int) -> list[Sighting]:
    """Cards that others have shown and whose origin the seat does not know, earliest first."""
    known, found = known_to(partie, seat), list[Sighting]()
    for act in partie.acts:
        if act.seat != seat:
            cards = let_see(partie, act) & ~known
            found += [Sighting(card, act.seat, act.drawn) for card in members(cards)]
            known |= cards
    return found


def let_see(partie: Partie, act: TimedAction) -> int:
    """The cards that an action shows to be in its seat's hand: the card laid, or those of a declaration (§9.5)."""
    if act.action < EXCHANGE:
        return 1 << act.action
    if act.action == EXCHANGE:
        return 1 << 8 * partie.p.trump
    if act.action == LET_PASS:
        return 0
    if 1 << act.action & BRISQUE_FIGURES:
        return partie.shown[act.seat]
    return partie.setting.rule_table.figure_cards[act.action - MARIAGE]


def cannot_hold(partie: Partie, seat: int) -> int:
    """Cards that a seat cannot hold: by its answers (§8), or because a quinte or trente shows all of its brisques."""
    said = any(act.seat == seat and 1 << act.action & BRISQUE_FIGURES for act in partie.acts)
    others = ALL_CARDS & ~BRISQUES if said and not partie.shown[seat] else 0
    return partie.barred[seat] | others


def origins(places: list[int], seen: list[Sighting], kept: list[int], chance: Chance) -> dict[int, int]:
    """Assign an origin to each sighted card, uniformly over all assignments."""
    free, came = list(places), dict[int, int]()
    for sight in seen:
        place = any_of([place for place in free if place < sight.drawn], chance)
        free.remove(place)
        came[sight.card] = place
    return came | dict(zip(kept, shuffle_numbers(free, chance), strict=True))


def shuffle_numbers(numbers: list[int], chance: Chance) -> list[int]:
    return [number for _, number in sorted((chance(), number) for number in numbers)]


def any_of(numbers: list[int], chance: Chance) -> int:
    return numbers[min(int(chance() * len(numbers)), len(numbers) - 1)]


def with_one_less(left: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return (*left[:seat], left[seat] - 1, *left[seat + 1 :])


def shared_out(cards: list[int], rooms: list[int], barred: list[int], chance: Chance) -> list[list[int]]:
    """Deal the cards to seats with room, uniformly over the assignments that no bar excludes."""

    @cache
    def ways(nth: int, left: tuple[int, ...]) -> int:
        if nth == len(cards):
            return 1
        return sum(ways(nth + 1, with_one_less(left, seat)) for seat in open_to(nth, left))

    def open_to(nth: int, left: tuple[int, ...]) -> list[int]:
        return [seat for seat, room in enumerate(left) if room and not barred[seat] >> cards[nth] & 1]

    left = tuple(rooms)
    shares: list[list[int]] = [[] for _ in rooms]
    if not any(barred):
        rest = iter(cards)
        return [[next(rest) for _ in range(room)] for room in rooms]
    for nth, card in enumerate(cards):
        turn = chance() * ways(nth, left)
        seats = open_to(nth, left)
        for seat in seats:
            turn -= ways(nth + 1, with_one_less(left, seat))
            if turn < 0:
                break
        shares[seat].append(card)
        left = with_one_less(left, seat)
    return shares
