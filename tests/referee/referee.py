"""One partie of Chouine, refereed as the rule book reads: §3, §5 to §12 and §17."""

from .book import (
    PACK,
    SEATS,
    SUITS,
    answers,
    best_card,
    card_points,
    combination,
    read_cards,
    read_hand,
    sayings,
)
from .options import SEATS_OF_PRESET, parse_rules

DIX_DE_DER = 10  # §12


class Refused(Exception):
    """The action cannot be done now; the message says which § forbids it."""


class Referee:
    """Watches one partie: says what may be done, does it, refuses the rest, counts."""

    def __init__(self, line_head: str) -> None:
        """Take the rules and the complete deal, "rules dealer hands turnup talon" (§3, §17)."""
        rules, dealer, hands, turnup, talon = line_head.split()
        self.options = parse_rules(rules)
        self.seats = SEATS_OF_PRESET[self.options["preset"]]
        self.mondoubleau = self.options["preset"].startswith("mondoubleau")
        self.hands = [read_hand(hand) for hand in hands.split("|")]
        self.talon = read_cards(talon)
        self.turnup: str | None = None
        self.trump: str | None = None
        if not self.mondoubleau:  # §3: the turnup fixes trumps and is the talon's last card
            self.turnup = turnup
            self.trump = turnup[-1]
            self.talon.append(turnup)
        self._check_deal(dealer, turnup)
        self.leader = (SEATS.index(dealer) + 1) % self.seats  # §5
        self.table: list[str] = []  # the cards of the trick, in order of play from the leader
        self.points = [0] * self.seats
        self.points_before_trick = list(self.points)
        self.said: list[list[str]] = [[] for _ in range(self.seats)]
        self.best_counted: list[dict[str, int]] = [{} for _ in range(self.seats)]  # by suit, §9.4
        self.chouines: list[tuple[int, str]] = []  # seat and suit, in the order said, §10
        self.by = "unfinished"
        self.result = "*"

    def _check_deal(self, dealer: str, turnup: str) -> None:
        """§3: five cards each with two seats, three with more, and the whole pack."""
        size = 5 if self.seats == 2 else 3
        sizes = [len(hand) for hand in self.hands]
        if dealer not in list(SEATS[: self.seats]) or sizes != [size] * self.seats:
            raise ValueError("§3: wrong dealer or hands")
        if sorted(sum(self.hands, self.talon)) != sorted(PACK) or self.mondoubleau != (turnup == "-"):
            raise ValueError("§3: not the whole pack, or a wrong turnup")

    # Who and when

    @property
    def over(self) -> bool:
        """§12, or §10."""
        return self.by != "unfinished"

    @property
    def to_act(self) -> str | None:
        """The seat whose turn it is to play a card; nobody's when the partie is over."""
        return None if self.over else SEATS[self._turn()]

    def _turn(self) -> int:
        return (self.leader + len(self.table)) % self.seats

    def _talon_serves(self) -> bool:
        """§5: one trick, one draw each, while the talon can serve every seat."""
        return len(self.talon) >= self.seats

    def _last_trick_with_a_draw(self) -> bool:
        """§11: the talon serves after this trick and not after the next."""
        return self._talon_serves() and len(self.talon) < 2 * self.seats

    # What may be done

    def legal(self) -> list[str]:
        """Every action that some seat may do now, sorted as text."""
        if self.over:
            return []
        tokens = ["7x"] if self._may_exchange() else []
        for card in self._playable():
            tokens.append(card)
            tokens.extend(f"{card}+{said}" for said in self._sayable(card))
        return sorted(tokens)

    def _playable(self) -> list[str]:
        """§5: any card may be led; §7: and answered while the talon serves; §8 afterwards."""
        hand = self.hands[self._turn()]
        if not self.table or self._talon_serves():
            return hand
        return answers(hand, self.table, self.trump, self.options)

    def _sayable(self, card: str) -> list[str]:
        """§9: what the seat to act may say with this card."""
        on_lead = not self.table
        if self.options["declare"] == "lead" and not on_lead:
            return []
        return [said for said in sayings(self.seats) if self._may_say(said, card)]

    def _may_say(self, said: str, card: str) -> bool:
        seat = self._turn()
        cards = combination(self.hands[seat], said, self.seats)
        if not cards:  # §9.2
            return False
        if self.options["figure"] == "played" and card not in cards:  # §9.3
            return False
        if said.startswith("ch"):  # §9.4: a chouine may always be declared
            return True
        if said in self.said[seat]:  # §9.4: not twice the same
            return False
        same_suit = [earlier for earlier in self.said[seat] if earlier[-1] == said[-1]]
        return not (same_suit and self.options["again"] == "never")

    def _seven_holder(self) -> int | None:
        for seat in range(self.seats):
            if f"7{self.trump}" in self.hands[seat]:
                return seat
        return None

    def _may_exchange(self) -> bool:
        """§11: whether somebody may exchange the seven now."""
        holder = self._seven_holder()
        if self.turnup is None or self.turnup[0] == "7" or holder is None or not self._talon_serves():
            return False
        on_lead = not self.table
        if self._last_trick_with_a_draw():
            if self.options["seven-last"] == "no":
                return False
            if self.options["au-sept"] == "yes":  # whoever holds it, before the lead, not afterwards
                return on_lead
        return holder == self._turn() and (on_lead or self.options["seven"] == "turn")

    # Doing it

    def play(self, token: str) -> None:
        """Do the action, or refuse it."""
        if self.over:
            raise Refused(f"{token}: §12 the partie is over")
        if token == "7x":
            if not self._may_exchange():
                raise Refused("7x: §11 nobody may exchange the seven now")
            self._exchange()
            return
        card, plus, said = token.partition("+")
        hand = self.hands[self._turn()]
        if card not in hand:
            raise Refused(f"{token}: §5 the card is not in the hand of seat {self.to_act}")
        if card not in self._playable():
            raise Refused(f"{token}: §8 another card must be played")
        if plus and said not in self._sayable(card):
            raise Refused(f"{token}: §9 that cannot be declared now")
        if plus:
            self._declare(said)
        self.hands[self._turn()] = [held for held in hand if held != card]
        self.table.append(card)
        if len(self.table) == self.seats:
            self._finish_trick()

    def _exchange(self) -> None:
        """§11: the seven for the turnup, which is still the talon's last card."""
        holder, seven = self._seven_holder(), f"7{self.trump}"
        if holder is None or self.turnup is None:
            raise Refused("7x: §11 no seven or no turnup")
        self.hands[holder] = [self.turnup if held == seven else held for held in self.hands[holder]]
        self.talon[-1] = self.turnup = seven

    def _declare(self, said: str) -> None:
        """§9 and §17: what is said counts at once."""
        seat, suit = self._turn(), said[-1]
        if said.startswith("ch"):
            self.chouines.append((seat, suit))
            return
        if self.chouines:  # §10: the partie is ending, nothing but a chouine matters
            return
        self.said[seat].append(said)
        if suit not in SUITS:  # quinte and trente: never doubled
            self.points[seat] += int(said)
            return
        fixes = self.mondoubleau and self.trump is None and not self.table  # §17: on lead
        if fixes:
            self.trump = suit
        doubled = suit == self.trump and not (fixes and self.options["fixing"] == "plain")
        value = int(said[:-1]) * (2 if doubled else 1)
        already = self.best_counted[seat].get(suit, 0)
        self.best_counted[seat][suit] = max(value, already)
        self.points[seat] += max(0, value - already) if self.options["again"] == "difference" else value

    def _finish_trick(self) -> None:
        """§5, §6, §12: the taker takes, draws first and leads next; the last trick is worth ten more."""
        if self.chouines:
            self._end_by_chouine()
            return
        taker = (self.leader + self.table.index(best_card(self.table, self.trump))) % self.seats
        self.points[taker] += card_points(self.table)
        self.leader = taker
        self.table = []
        if self._talon_serves():
            for place in range(self.seats):
                self.hands[(taker + place) % self.seats].append(self.talon.pop(0))
            if not self.talon:
                self.turnup = None
        elif not self.hands[taker]:
            self.points[taker] += DIX_DE_DER
            self._end_by_points()
        self.points_before_trick = list(self.points)

    def _end_by_chouine(self) -> None:
        """§10: a chouine in trumps beats any other, else the first said wins; the trick is not counted."""
        winner = self.chouines[0][0]
        for seat, suit in self.chouines:
            if suit == self.trump:
                winner = seat
        self.points = list(self.points_before_trick)
        self.by = "chouine"
        self.result = self._won_by(winner)

    def _end_by_points(self) -> None:
        """§12: more points wins; equal top is a nulle."""
        best = max(self.points)
        if self.points.count(best) > 1:
            self.by = "nulle"
            self.result = self._won_by(None)
        else:
            self.by = "points"
            self.result = self._won_by(self.points.index(best))

    def _won_by(self, winner: int | None) -> str:
        return "-".join("1" if seat == winner else "0" for seat in range(self.seats))


def replay(line: str) -> dict[str, object]:
    """Play a partie line "rules deal : actions" and say what `chouine replay --legal` must say."""
    head, _, actions = line.partition(" :")
    referee = Referee(head)
    legal = []
    for token in actions.split():
        legal.append(referee.legal())
        referee.play(token)
    return {
        "result": referee.result,
        "points": referee.points,
        "by": referee.by,
        "actions": len(legal),
        "legal": legal,
    }
