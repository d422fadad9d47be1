"""Monte Carlo: every act tried in the same worlds, each played out by rules of thumb, the last tricks exactly.

judged = judge(view, 1_000, seed=1)     # the win probability of each act, best first, with its standard error
MonteCarloPlayer(1_000, seed=1).act(view)
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np

from chouine.ai.endgame import solve_view
from chouine.ai.hope import hoped
from chouine.ai.network import NOBODY, Network
from chouine.ai.playout import lay_by_thumb, play_out
from chouine.ai.worlds import Worlds, worlds
from chouine.cards import ALL_CARDS, PACK
from chouine.errors import ChouineError
from chouine.fast.bits import lowest, mixed, signed
from chouine.fast.compiler import AVAILABLE, compiled, kernel
from chouine.fast.seats import Seats, seated
from chouine.partie.actions import Action, Declaration, Exchange, Play
from chouine.partie.course import fallen
from chouine.partie.view import View
from chouine.players.endgame import known
from chouine.players.thumb import thumb_table
from chouine.rules.book import Book
from chouine.rules.combinations import ACTIONS, EXCHANGING, MARIAGE
from chouine.rules.play import companions, declare, exchange, lay, legal_for
from chouine.rules.position import Position

if AVAILABLE:
    import chouine.fast.machine  # noqa: F401  # how what is not rules is compiled

# An act as an int: a card or 63 for none, the declaration it is played with or 0, and whether the seven is exchanged.
NO_CARD, SAID, SWAP = 63, 6, 1 << 12


WORTH = {"win": 1.0, "tie": 0.5, "loss": 0.0}
BATCH = 100
"""Worlds between two looks at the clock."""
GIVEN_UP = 2.0
"""Standard errors behind the best act at which another is not tried any more."""
MOST = 100
"""More acts than a hand ever has."""


class Judged(NamedTuple):
    """What an act is worth, as far as the seat can know."""

    action: Action | None
    """None: let "au sept" pass (§11)."""
    win: float
    """How likely the seat wins the partie; a nulle, to be played again, counts as its fair share of one."""
    error: float = 0.0
    """Standard error of its difference to the best act's; 0 where the answer is exact."""
    unsure: float = 0.0
    """Standard error of `win` itself."""
    worlds: int = 0
    """In how many worlds it was tried; 0 where the answer is exact."""


@kernel
def done(book: Book, talon: Sequence[int], p: Position, seat: int, act: int) -> Position:
    """The position after an act by a seat."""
    card, declaration = act & 63, act >> SAID & 63
    if act & SWAP:
        p = exchange(p, seat)
    if declaration:
        p = declare(book, p, declaration)
    if card != NO_CARD:
        p = lay(book, talon, p, card)
    return p


@kernel
def begun(
    book: Book, talon: Sequence[int], p: Position, seat: int, act: int, gone: int, weights: Sequence[float]
) -> tuple[Position, int]:
    """The position after an act by a seat, from which both can be thought to play on; and the cards gone then."""
    after = done(book, talon, p, seat, act)
    if act & 63 != NO_CARD:
        return after, gone | 1 << (act & 63)
    if act & SWAP:
        return after, gone
    # "Au sept" was let pass: the lead comes before the seven can be asked for again.
    return lay_by_thumb(book, talon, after, gone, weights)


@compiled
def look_ahead(
    book: Book,
    p: Position,
    seat: int,
    gone: int,
    acts: Sequence[int],
    hands: Any,
    talons: Any,
    weights: Sequence[float],
    nodes: memoryview,
    values: Any,
) -> None:
    """What comes of each act (row) in each world (column), played on by rules of thumb."""
    for world in range(len(hands)):
        talon = talons[world]
        here = Position(Seats(hands[world, 0], hands[world, 1], hands[world, 2], hands[world, 3]), *p[1:])
        for nth in range(len(acts)):
            q, fell = begun(book, talon, here, seat, acts[nth], gone, weights)
            values[nth, world] = play_out(book, talon, q, fell, seat, weights, nodes)


@kernel
def list_acts(book: Book, p: Position, seat: int, acts: Any) -> int:
    """Write the acts of the seat on turn, as many as there is room for; how many.

    Cards, declarations with them, and both as they could be once it has exchanged, which tells it nothing.
    """
    many = 0
    actions = legal_for(book, p, seat)
    for swap in range(2):
        for declaration in range(MARIAGE - 1, ACTIONS):
            if declaration >= MARIAGE and not actions >> declaration & 1:
                continue
            cards = actions & ALL_CARDS
            if declaration >= MARIAGE:
                cards &= companions(book, declaration)
            said = declaration << SAID if declaration >= MARIAGE else 0
            while cards and many < len(acts):
                card = lowest(cards)
                cards &= cards - 1
                acts[many] = card | said | swap * SWAP
                many += 1
        if not actions & EXCHANGING:
            break
        actions = legal_for(book, exchange(p, seat), seat)
    return many


def acts_open(book: Book, p: Position, seat: int) -> list[int]:
    """Every act open to a seat, on turn or asked at "au sept"."""
    if seat != p.turn:
        return [NO_CARD | SWAP, NO_CARD] if legal_for(book, p, seat) & EXCHANGING else []
    acts = [0] * MOST
    return acts[: list_acts(book, p, seat, acts)]


def action_of(act: int) -> Action | None:
    """The first thing that an act does, as players are asked for it; None for letting "au sept" pass."""
    if act & SWAP:
        return Exchange()
    if act == NO_CARD:
        return None
    declaration = act >> SAID & 63
    return Play(PACK[act & 63], Declaration(declaration) if declaration else None)


def act_of(action: Action | None) -> int:
    """The act that does this and no more."""
    match action:
        case Play(card=card, declaration=declaration):
            return int(card) | (declaration or 0) << SAID
        case Exchange():
            return NO_CARD | SWAP
        case _:
            return NO_CARD


def own_seat(view: View) -> int:
    """The seat whose view it is."""
    if view.observer is None:
        raise ValueError("a spectator has no hand to play from")
    return view.observer


def played_out(view: View, acts: Sequence[int], among: Worlds, look: Callable[..., None] = look_ahead) -> Any:
    """What comes of each act in each world: (acts, worlds), 1 for a partie won; `look` plays them on."""
    seat, nodes = own_seat(view), memoryview(array("q", [0]))
    values = np.zeros((len(acts), len(among.hands)), np.float32)
    look(
        view.book,
        seated(view.position),
        seat,
        fallen(view.events),
        memoryview(array("q", acts)),
        among.hands,
        among.talons,
        thumb_table(view.rules),
        nodes,
        values,
    )
    return values


def judged(acts: Sequence[int], values: Any) -> list[Judged]:
    """Acts by what they are worth, best first; of those that begin alike only the best."""
    means = values.mean(axis=1, dtype=np.float64)
    beside = values - values[int(means.argmax())]
    many = np.full(len(acts), values.shape[1])
    spread = beside.std(axis=1, dtype=np.float64) / np.sqrt(many)
    return in_order(acts, means, means, spread, unsure_of(means, many), many)


def ranked(acts: Sequence[int], values: Any, leanings: Any, afresh: Any) -> list[Judged]:
    """The same by worlds all as likely, of which acts given up (NaN) were tried in the first ones only.

    How often the best wins is told by worlds of its own, `afresh`; the others by how they did beside it where both were
    tried. Those given up come last.
    """
    best, gaps, errors = behind(values, leanings)
    tried = (~np.isnan(values)).sum(axis=1)
    wins = float(afresh.mean())
    means = np.clip(wins - gaps + leanings[best] - leanings, 0.0, wins)
    unsure = np.hypot(unsure_of(wins, len(afresh)), errors)
    return in_order(acts, means, -gaps - 2.0 * np.isnan(values[:, -1]), errors, unsure, tried)


def unsure_of(wins: Any, many: Any) -> Any:
    """The standard error of how often an act wins, found in so many worlds; never 0, though all were won or lost."""
    return np.sqrt(np.maximum(wins * (1 - wins), 1 / many) / many)


def behind(values: Any, leanings: Any) -> tuple[int, Any, Any]:
    """The best act not given up, how far each is behind it in the worlds where it was tried, and standard errors."""
    marks = np.where(np.isnan(values[:, -1]), -np.inf, np.nanmean(values, axis=1) + leanings)
    best = int(marks.argmax())
    beside = values[best] + leanings[best] - values - leanings[:, None]
    tried = (~np.isnan(beside)).sum(axis=1)
    return best, np.nanmean(beside, axis=1), np.nanstd(beside, axis=1) / np.sqrt(tried)


def race(leanings: Any, attempt: Callable[[Any, int], Any]) -> Any:
    """Acts tried in more and more worlds, those surely behind given up on the way: (acts, worlds), NaN where not tried.

    `attempt(acts, so many worlds done)` tries acts in some more, or tells by None that it is enough.
    """
    alive, values = np.arange(len(leanings)), np.empty((len(leanings), 0))
    while not values.size or len(alive) > 1:
        found = attempt(alive, values.shape[1])
        if found is None:
            break
        part = np.full((len(leanings), found.shape[1]), np.nan)
        part[alive] = found
        values = np.concatenate((values, part), axis=1)
        alive = within_reach(values, leanings)
    return values


def within_reach(values: Any, leanings: Any) -> Any:
    """Acts still tried that may be the best."""
    _, gaps, errors = behind(values, leanings)
    return np.flatnonzero((gaps <= GIVEN_UP * errors) & ~np.isnan(values[:, -1]))


def in_order(
    acts: Sequence[int], means: Any, marks: Any, errors: Any, unsure: Any, tried: Any
) -> list[Judged]:
    """Acts by their marks, best first; of those that begin alike only the best."""
    told: dict[Action | None, Judged] = {}
    for nth in np.argsort(-marks, kind="stable"):
        action = action_of(acts[nth])
        found = float(means[nth]), float(errors[nth]), float(unsure[nth]), int(tried[nth])
        told.setdefault(action, Judged(action, *found))
    return list(told.values())


def exactly(view: View) -> list[Judged] | None:
    """The acts of a seat that knows every card, two seats' last tricks; None for any other.

    Of acts that come to the same if the other makes no mistake, first the one after which mistakes would help most.
    """
    solved, p = solve_view(view), known(view)
    if solved is None or p is None:
        return None
    acts: dict[Action | None, tuple[float, float]] = {}
    for value in solved.values:  # of equal ones that comes first which ends furthest ahead
        if isinstance(value.action, Play):  # there is no turnup left to exchange
            acts[value.action] = WORTH[value.outcome], hoped(view.book, p, value.action)
    return [Judged(act, acts[act][0]) for act in sorted(acts, key=acts.__getitem__, reverse=True)]


def judge(view: View, many: int, seed: int, seconds: float | None = None) -> list[Judged]:
    """What each act of a seat is worth, best first, by so many worlds, or as many as there is time for."""
    exact = exactly(view)
    if exact is not None:
        return exact
    acts = acts_open(view.book, view.position, own_seat(view))
    if seconds is None:
        among = worlds(view, many, seed)
        return judged(acts, played_out(view, acts, among))
    until = perf_counter() + seconds
    parts: list[Any] = []
    while not parts or perf_counter() < until:
        among = worlds(view, BATCH, signed(mixed(seed + len(parts))))
        parts.append(played_out(view, acts, among))
    return judged(acts, np.concatenate(parts, axis=1))


class NoCompiler(ChouineError):
    """Thinking ahead in many worlds needs compiled code."""


def need_compiler() -> None:
    """Raise `NoCompiler` where numba is missing."""
    if not AVAILABLE:
        raise NoCompiler("thinking/no-compiler")


class Judge(Protocol):
    """A player that can tell what each act is worth."""

    network: Network
    """Which it plays on by."""

    def act(self, view: View) -> Action | None:
        """The best."""

    def judge(self, view: View, seconds: float | None = None, many: int | None = None) -> list[Judged]:
        """What each act is worth, best first; found in so much time or so many worlds, or as it always does."""

    def surely(self, view: View) -> list[Judged]:
        """The same where the answer is exact; else empty."""

    def likely(self, view: View, many: int) -> Worlds:
        """So many worlds, as likely as they are held to be."""

    def tried(self, view: View, acts: Sequence[int], among: Worlds) -> Any:
        """What comes of every act in each world: (acts, worlds)."""


class MonteCarloPlayer:
    """Does what wins most often in `many` worlds, or in as many as there is time for."""

    network = NOBODY

    def __init__(self, many: int, seed: int, seconds: float | None = None) -> None:
        need_compiler()
        self.many, self.seed, self.seconds = many, seed, seconds

    def act(self, view: View) -> Action | None:
        return self.judge(view)[0].action if view.legal else None

    def judge(self, view: View, seconds: float | None = None, many: int | None = None) -> list[Judged]:
        """What each act is worth, best first."""
        self.seed += 1
        return judge(view, many or self.many, self.seed, seconds or (None if many else self.seconds))

    def surely(self, view: View) -> list[Judged]:
        """The same where the answer is exact; else empty."""
        return exactly(view) or []

    def likely(self, view: View, many: int) -> Worlds:
        """So many worlds, all as likely."""
        self.seed += 1
        return worlds(view, many, self.seed)

    def tried(self, view: View, acts: Sequence[int], among: Worlds) -> Any:
        """What comes of every act in each world: (acts, worlds)."""
        return played_out(view, acts, among)
