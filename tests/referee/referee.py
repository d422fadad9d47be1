"""The referee of one partie, in the order of the rule book: §3, §5 to §12 and §17."""

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
    """The action is illegal; the message cites its §."""


class Referee:
    """Follows one partie: lists legal actions, plays them, refuses others, counts points."""

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
        self.table: list[str] = []  # the cards of the trick, in order from the leader
        self.points = [0] * self.seats
        self.points_before_trick = list(self.points)
        self.said: list[list[str]] = [[] for _ in range(self.seats)]
        self.best_counted: list[dict[str, int]] = [{} for _ in range(self.seats)]  # by suit, §9.4
        self.chouines: list[tuple[int, str]] = []  # seat and suit, in order of declaration, §10
        self.by = "unfinished"
        self.result = "*"

    def _check_deal(self, dealer: str, turnup: str) -> None:
        """§3: Hands of five cards with two seats, of three with more, and the whole pack."""
        size = 5 if self.seats == 2 else 3
        sizes = [len(hand) for hand in self.hands]
        if dealer not in list(SEATS[: self.seats]) or sizes != [size] * self.seats:
            raise ValueError("§3: wrong dealer or hands")
        if sorted(sum(self.hands, self.talon)) != sorted(PACK) or self.mondoubleau != (turnup == "-"):
            raise ValueError("§3: not the whole pack, or a wrong turnup")

    # Who and when

    @property
    def over(self) -> bool:
        """§12 or §10: Whether the partie is over."""
        return self.by != "unfinished"

    @property
    def to_act(self) -> str | None:
        """The seat on turn; None when the partie is over."""
        return None if self.over else SEATS[self._turn()]

    def _turn(self) -> int:
        return (self.leader + len(self.table)) % self.seats

    def _talon_serves(self) -> bool:
        """§5: Whether every seat can draw after this trick."""
        return len(self.talon) >= self.seats

    def _last_trick_with_a_draw(self) -> bool:
        """§11: Whether this trick is followed by a draw and the next is not."""
        return self._talon_serves() and len(self.talon) < 2 * self.seats

    # What may be done

    def legal(self) -> list[str]:
        """All legal actions of all seats, sorted as text."""
        if self.over:
            return []
        tokens = ["7x"] if self._may_exchange() else []
        for card in self._playable():
            tokens.append(card)
            tokens.extend(f"{card}+{said}" for said in self._sayable(card))
        return sorted(tokens)

    def _playable(self) -> list[str]:
        """§5: A leader may play any card; §7: so may the others while cards are drawn; §8 afterwards."""
        hand = self.hands[self._turn()]
        if not self.table or self._talon_serves():
            return hand
        return answers(hand, self.table, self.trump, self.options)

    def _sayable(self, card: str) -> list[str]:
        """§9: The declarations open to the seat on turn with this card."""
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
        if said.startswith("ch"):  # §9.4: a chouine is always allowed
            return True
        if said in self.said[seat]:  # §9.4: not the same figure twice
            return False
        same_suit = [earlier for earlier in self.said[seat] if earlier[-1] == said[-1]]
        return not (same_suit and self.options["again"] == "never")

    def _seven_holder(self) -> int | None:
        for seat in range(self.seats):
            if f"7{self.trump}" in self.hands[seat]:
                return seat
        return None

    def _may_exchange(self) -> bool:
        """§11: Whether a seat may exchange the seven now."""
        holder = self._seven_holder()
        if self.turnup is None or self.turnup[0] == "7" or holder is None or not self._talon_serves():
            return False
        on_lead = not self.table
        if self._last_trick_with_a_draw():
            if self.options["seven-last"] == "no":
                return False
            if self.options["au-sept"] == "yes":  # any holder, before the lead only
                return on_lead
        return holder == self._turn() and (on_lead or self.options["seven"] == "turn")

    # Doing it

    def play(self, token: str) -> None:
        """Play an action, or raise `Refused`."""
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
        """§11: Exchange the seven for the turnup, which remains the talon's last card."""
        holder, seven = self._seven_holder(), f"7{self.trump}"
        if holder is None or self.turnup is None:
            raise Refused("7x: §11 no seven or no turnup")
        self.hands[holder] = [self.turnup if held == seven else held for held in self.hands[holder]]
        self.talon[-1] = self.turnup = seven

    def _declare(self, said: str) -> None:
        """§9, §17: Count a declaration at once."""
        seat, suit = self._turn(), said[-1]
        if said.startswith("ch"):
            self.chouines.append((seat, suit))
            return
        if self.chouines:  # §10: the partie is ending; only chouines matter
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
        """§5, §6, §12: The taker draws first and leads next; the last trick scores ten more."""
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
        """§10: A trump chouine beats any other, else the first declared wins; the trick is not counted."""
        winner = self.chouines[0][0]
        for seat, suit in self.chouines:
            if suit == self.trump:
                winner = seat
        self.points = list(self.points_before_trick)
        self.by = "chouine"
        self.result = self._won_by(winner)

    def _end_by_points(self) -> None:
        """§12: Most points win; equal highest points are a nulle."""
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
    """The expected output of `chouine replay --legal` for the line "rules deal : actions"."""
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
