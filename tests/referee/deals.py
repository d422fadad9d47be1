"""Random rules, deals and parties, to compare an engine with the referee."""

from random import Random

from .book import PACK, RANKS, SEATS, SUITS
from .options import CHOICES, SEATS_OF_PRESET, default, parse_rules
from .referee import Referee

HONOURS = "ATKQJ"


def matters(preset: str, option: str) -> bool:
    """Whether the option can change a partie, its deal or its tie under the preset."""
    if option in ("seven", "au-sept", "seven-last"):
        return not preset.startswith("mondoubleau")  # §17: no turnup, no exchange
    if option == "fixing":
        return preset.startswith("mondoubleau")
    if option == "overruff":
        return SEATS_OF_PRESET[preset] > 2
    if option in ("deal", "again"):  # §9: with three and four seats a suit has only one figure
        return SEATS_OF_PRESET[preset] == 2
    return True


def random_rules(rng: Random) -> str:
    """A random preset with random options, in canonical order."""
    preset = rng.choice(list(SEATS_OF_PRESET))
    text = preset
    for option, values in CHOICES.items():
        others = [value for value in values if value != default(preset, option)]
        if matters(preset, option) and rng.random() < 0.4:
            text += f";{option}={rng.choice(others)}"
    return text


def write_hand(hand: list[str]) -> str:
    """A hand in notation: spades.hearts.diamonds.clubs, strongest first."""
    return ".".join("".join(rank for rank in RANKS if rank + suit in hand) for suit in SUITS)


def write_deal(rules: str, dealer: str, hands: list[list[str]], rest: list[str]) -> str:
    """A deal in notation; the first card of `rest` is the turnup, if the rules have one."""
    turnup, talon = ("-", rest) if rules.startswith("mondoubleau") else (rest[0], rest[1:])
    return f"{dealer} {'|'.join(write_hand(hand) for hand in hands)} {turnup} {''.join(talon)}"


def random_deal(rules: str, rng: Random) -> str:
    """§3: A uniformly random deal and dealer."""
    seats = SEATS_OF_PRESET[parse_rules(rules)["preset"]]
    size = 5 if seats == 2 else 3
    pack = list(PACK)
    rng.shuffle(pack)
    hands = [pack[size * seat : size * (seat + 1)] for seat in range(seats)]
    return write_deal(rules, rng.choice(SEATS[:seats]), hands, pack[size * seats :])


def wished_cards(wish: str, size: int, rng: Random) -> list[str]:
    """Cards from which to take a hand with the wished combination, most important first."""
    suit = rng.choice(SUITS)
    chouine = [rank + suit for rank in (HONOURS if size == 5 else "KQJ")]
    if wish == "chouine":
        return rng.sample(chouine, size)
    if wish == "brisques":
        return rng.sample([rank + any_suit for rank in "AT" for any_suit in SUITS], 8)
    if wish == "quarteron":
        return [rank + suit for rank in "KQJA"] + ["T" + any_suit for any_suit in SUITS]
    if wish == "mariages":
        return [rank + any_suit for any_suit in rng.sample(SUITS, 3) for rank in "KQ"]
    return ["7" + suit, *rng.sample(chouine, size - 1)]  # the seven, to be exchanged


def rich_deal(rules: str, rng: Random) -> str:
    """A deal with frequent combinations, several chouines, exchanges and quintes."""
    seats = SEATS_OF_PRESET[parse_rules(rules)["preset"]]
    size = 5 if seats == 2 else 3
    rest = list(PACK)
    rng.shuffle(rest)
    wishes = rng.choice([["chouine"], ["chouine", "brisques", "quarteron", "mariages", "seven"]])
    hands = []
    for _ in range(seats):
        kept = size - rng.choice([0, 0, 1])
        hand = [card for card in wished_cards(rng.choice(wishes), size, rng) if card in rest][:kept]
        hand += [card for card in rest if card not in hand][: size - len(hand)]
        rest = [card for card in rest if card not in hand]
        hands.append(hand)
    if rng.random() < 0.7:  # honours are drawn early
        rest.sort(key=lambda card: rng.random() + (0 if card[0] in HONOURS else 0.6))
    sevens = [card[1] for hand in hands for card in hand if card[0] == "7"]
    turnups = [card for card in rest if card[1] in sevens and card[0] in HONOURS]
    turnup = rng.choice(turnups or rest)
    rest.remove(turnup)
    return write_deal(rules, rng.choice(SEATS[:seats]), hands, [turnup, *rest])


def random_partie(rules: str, deal: str, rng: Random) -> str:
    """The line of a random partie, with a random frequency of exchanges and declarations."""
    referee = Referee(f"{rules} {deal}")
    eagerness = rng.choice([0.1, 0.5, 0.9])
    actions: list[str] = []
    while not referee.over:
        legal = referee.legal()
        cards = [token for token in legal if len(token) == 2 and token != "7x"]
        others = [token for token in legal if token not in cards]
        chouines = [token for token in others if "+ch" in token]
        eager = rng.random() < eagerness
        actions.append(rng.choice((eager and (chouines or others)) or cards))
        referee.play(actions[-1])
    return f"{rules} {deal} : {' '.join(actions)}"
