"""The rules that need no partie: cards, trick winners, legal answers, combinations (§1, §6, §8, §9)."""

RANKS = "ATKQJ987"  # §1: strongest first
SUITS = "shdc"
SEATS = "abcd"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}  # §1
BRISQUES = "AT"  # §1

# §9: the ranks of each combination of one suit, then the combinations of any brisques, by number
TWO_SEATS_COMBINATIONS = {"20": "KQ", "30": "KQJ", "40": "AKQJ", "ch": "ATKQJ"}
TWO_SEATS_BRISQUES = {"50": 5}
MORE_SEATS_COMBINATIONS = {"20": "KQ", "ch": "KQJ"}
MORE_SEATS_BRISQUES = {"30": 3}


def stronger(card: str, other: str) -> bool:
    """§1: Compare by the order A 10 K Q J 9 8 7, not by points."""
    return RANKS.index(card[0]) < RANKS.index(other[0])


def strongest(cards: list[str]) -> str:
    """§1: The strongest of cards of one suit."""
    best = cards[0]
    for card in cards:
        if stronger(card, best):
            best = card
    return best


def card_points(cards: list[str]) -> int:
    """§1: The points of cards."""
    return sum(CARD_POINTS[card[0]] for card in cards)


def best_card(trick: list[str], trump: str | None) -> str:
    """§6: The highest trump; without a trump the highest card of the suit led."""
    trumps = [card for card in trick if card[1] == trump]
    if trumps:
        return strongest(trumps)
    return strongest([card for card in trick if card[1] == trick[0][1]])


def answers(hand: list[str], trick: list[str], trump: str | None, options: dict[str, str]) -> list[str]:
    """§8: The legal answers once the talon is empty."""
    led = trick[0][1]
    best = best_card(trick, trump)
    of_suit_led = [card for card in hand if card[1] == led]
    trumps = [card for card in hand if card[1] == trump]
    # 1 follow the suit led; 2 head a trump (or every suit), unless the plain lead has been ruffed.
    if of_suit_led:
        heading = [card for card in of_suit_led if best[1] == led and stronger(card, best)]
        if heading and (led == trump or options["head"] == "always"):
            return heading
        return of_suit_led
    # 3 cannot follow: must ruff, and beat the best trump already there if it can.
    if trumps:
        overruffing = [card for card in trumps if best[1] == trump and stronger(card, best)]
        if overruffing and options["overruff"] == "yes":
            return overruffing
        return trumps
    # 4 cannot follow nor ruff: any card.
    return hand


def sayings(seats: int) -> list[str]:
    """§9: All declarations in notation: 20s ... chc, 50 or 30."""
    combinations = TWO_SEATS_COMBINATIONS if seats == 2 else MORE_SEATS_COMBINATIONS
    brisques = TWO_SEATS_BRISQUES if seats == 2 else MORE_SEATS_BRISQUES
    return [figure + suit for figure in combinations for suit in SUITS] + list(brisques)


def combination(hand: list[str], said: str, seats: int) -> list[str]:
    """§9: The cards in hand that form the combination; empty if it is incomplete (§9.2)."""
    if said[-1] in SUITS:
        ranks = (TWO_SEATS_COMBINATIONS if seats == 2 else MORE_SEATS_COMBINATIONS)[said[:-1]]
        needed = [rank + said[-1] for rank in ranks]
        return needed if all(card in hand for card in needed) else []
    number = (TWO_SEATS_BRISQUES if seats == 2 else MORE_SEATS_BRISQUES)[said]
    brisques = [card for card in hand if card[0] in BRISQUES]
    return brisques if len(brisques) >= number else []


def read_cards(text: str) -> list[str]:
    """Parse cards of two characters each."""
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def read_hand(text: str) -> list[str]:
    """Parse a hand `spades.hearts.diamonds.clubs`."""
    return [rank + suit for suit, ranks in zip(SUITS, text.split("."), strict=True) for rank in ranks]
