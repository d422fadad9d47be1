"""The kinds of exercises: which card takes, what is legal, what cards count, what to do, which answer is right.

The rules compute the right answers and the reasons; a teacher writes only what no rule can say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chouine.cards import Card, CardSet, Suit
from chouine.errors import ChouineError, IllegalAction
from chouine.notation.tokens import read_action, read_cards
from chouine.partie.actions import Action, Declaration, Play, check, spell_actions
from chouine.phrases import Language, capitalize, say
from chouine.rules import Rules, rule_table_of
from chouine.rules.play import DIX_DE_DER, beats, figure_value, lay, legal_for, start
from chouine.rules.position import NONE, Position, put


@dataclass(frozen=True, slots=True)
class LessonBoard:
    """What the learner sees; they play after the cards of `trick`."""

    rules: Rules
    hand: CardSet
    trick: tuple[Card, ...] = ()
    """In the order played, the lead first."""
    trump: Suit | None = None
    turnup: Card | None = None
    """Only while it still lies by the talon."""
    tricks: int = 0
    """Tricks completed: from `drawing` on, §8 binds."""
    other: CardSet | None = None
    """The opponent's hand, in exercises with all cards open."""
    points: tuple[int, int] = (0, 0)
    """Points so far of the learner and of the opponent."""

    @property
    def seat(self) -> int:
        """The learner's seat; seat 0 leads."""
        return len(self.trick)

    @property
    def position(self) -> Position:
        """The position for the rules, with the learner on turn."""
        rule_table = rule_table_of(self.rules)
        turnup = NONE if self.turnup is None else int(self.turnup)
        p = start(rule_table, (0, 0, 0, 0), turnup, rule_table.seats - 1)
        hands = p.hands
        for seat, card in enumerate(self.trick):
            hands = put(hands, seat, 1 << card)
        if self.other:
            rival = 1 - self.seat
            hands = put(hands, rival, hands[rival] | self.other.mask)
        mine, theirs = self.points
        points = (theirs, mine, 0, 0) if self.seat == 1 else (mine, theirs, 0, 0)
        p = p._replace(
            hands=put(hands, self.seat, self.hand.mask),
            trump=NONE if self.trump is None else int(self.trump),
            tricks=self.tricks,
            points=points,
        )
        for card in self.trick:
            p = lay(rule_table, (), p, card)
        return p

    @property
    def acts(self) -> tuple[Action, ...]:
        """The learner's legal acts, sorted by text (§7-§11)."""
        rule_table, p = rule_table_of(self.rules), self.position
        return spell_actions(rule_table, legal_for(rule_table, p, self.seat))

    def check(self, act: Action) -> None:
        """Raise `IllegalAction`, which carries the reason, if the learner may not do this."""
        check(rule_table_of(self.rules), self.position, self.seat, act)

    @property
    def talon(self) -> int:
        """Cards left in the talon, the turnup included (§3)."""
        rule_table = rule_table_of(self.rules)
        drawn = min(self.tricks, rule_table.drawing) * rule_table.seats
        return rule_table.hidden + rule_table.turned - drawn if self.tricks < rule_table.drawing else 0


def cards_of(text: str) -> tuple[Card, ...]:
    """The cards of a text such as `As Td 7c`. Raises `NotationError`."""
    read = read_cards("".join(text.split()))
    return tuple(card for card in read if card is not None)


def taker(trick: Sequence[Card], trump: Suit | None) -> int:
    """The place in the trick of the card that takes it (§6)."""
    best = 0
    for place, card in enumerate(trick):
        if place and beats(card, trick[best], NONE if trump is None else int(trump)):
            best = place
    return best


Text = Mapping[Language, str]
"""One sentence in each language."""


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """Whether an answer is right, and the sentences that say so."""

    right: bool
    text: str


class UnreadableAnswer(ChouineError, ValueError):
    """The answer is not one of those offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonStep:
    """A page of a lesson. `practises`: the § that it exercises; `exam`: whether it is one of the last three."""

    text: Text
    practises: tuple[str, ...] = ()
    exam: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation(LessonStep):
    """A page to read, with cards to look at."""

    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Takes(LessonStep):
    """Which card takes this trick (§6)? The answer is its place, from 0."""

    trick: tuple[Card, ...]
    trump: Suit | None

    @property
    def right(self) -> int:
        return taker(self.trick, self.trump)

    def check(self, answer: Sequence[str], language: Language) -> AnswerVerdict:
        """The verdict and the reason: a trump, a higher card, or a card of another suit."""
        place = one_of([str(number) for number in range(len(self.trick))], answer)
        best, card = self.trick[self.right], self.trick[place]
        values = {
            "best": best,
            "card": card,
            "suit": self.trick[0].suit,
        }
        if place == self.right:
            return AnswerVerdict(right=True, text=capitalize(say(self.reason(), language, **values)))
        if card.suit == best.suit:
            code = "lesson/lower"
        elif best.suit == self.trump:
            code = "lesson/trump-takes"
        else:
            code = "lesson/other-suit"
        return AnswerVerdict(right=False, text=capitalize(say(code, language, **values)))

    def reason(self) -> str:
        """Why the best card takes."""
        return "lesson/takes-trump" if self.trick[self.right].suit == self.trump else "lesson/takes-suit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Legal(LessonStep):
    """Which cards may be played (§7, §8)? The answer must name all of them."""

    board: LessonBoard

    @property
    def right(self) -> frozenset[Card]:
        return frozenset(act.card for act in self.board.acts if isinstance(act, Play))

    def check(self, answer: Sequence[str], language: Language) -> AnswerVerdict:
        """The verdict: a wrong card is explained by the rule that forbids it, all missing cards are named."""
        chosen = {self.board_card(token) for token in answer}
        for card in sorted(chosen - self.right, reverse=True):
            try:
                self.board.check(Play(card))
            except IllegalAction as error:
                why = say(error.code, language, **error.data)
                return AnswerVerdict(
                    right=False,
                    text=capitalize(say("lesson/not-allowed", language, card=card, why=why)),
                )
        missing = sorted(self.right - chosen, reverse=True)
        if missing and self.right == set(self.board.hand):
            return AnswerVerdict(right=False, text=say("lesson/any-allowed", language))
        if missing:
            return AnswerVerdict(right=False, text=say("lesson/also-allowed", language, cards=tuple(missing)))
        return AnswerVerdict(right=True, text=say("lesson/all-allowed", language))

    def board_card(self, token: str) -> Card:
        """The card of the hand that a token names."""
        hand = {str(card): card for card in self.board.hand}
        if token not in hand:
            raise UnreadableAnswer("lesson/unreadable")
        return hand[token]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountExercise(LessonStep):
    """What do these cards count (§1), with declarations (§9) and dix de der (§12)? The answer is a number.

    With `brisques` it is the short count: aces and tens alone.
    """

    cards: tuple[Card, ...]
    said: tuple[Declaration, ...] = ()
    trump: Suit | None = None
    last: bool = False
    """Whether the last trick is among them, which adds dix de der."""
    brisques: bool = False

    @property
    def terms(self) -> tuple[int, ...]:
        """The terms of the sum, in order: scoring cards, declarations, dix de der."""
        counting = [card for card in self.cards if card.points and (card.brisque or not self.brisques)]
        counted = sorted((card.points for card in counting), reverse=True)
        said = [worth(declaration, self.trump) for declaration in self.said]
        return (*counted, *said, *[DIX_DE_DER] * self.last)

    @property
    def right(self) -> int:
        return sum(self.terms)

    def check(self, answer: Sequence[str], language: Language) -> AnswerVerdict:
        """The verdict, with the whole sum."""
        text = answer[0].strip() if answer else ""
        if not (text.isascii() and text.isdigit() and len(text) < 5):
            code = "lesson/no-number" if text else "lesson/number-expected"
            raise UnreadableAnswer(code, text=text[:40])
        right = int(text) == self.right
        total = (
            " + ".join(map(str, self.terms)) + f" = {self.right}" if len(self.terms) > 1 else str(self.right)
        )
        return AnswerVerdict(
            right, say("lesson/sum-right" if right else "lesson/sum-wrong", language, total=total)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ActExercise(LessonStep):
    """What do you do? The answer is an action token; `best` are the acts that are right."""

    board: LessonBoard
    best: tuple[Action, ...]
    praise: Text
    wrong: Mapping[str, Text]
    """What is wrong with an act, by token; `*` stands for any other."""

    def check(self, answer: Sequence[str], language: Language) -> AnswerVerdict:
        """The verdict, with the rule's reason for an illegal act and the teacher's for a poor one."""
        act = read_act(answer)
        try:
            self.board.check(act)
        except IllegalAction as error:
            return AnswerVerdict(right=False, text=say(error.code, language, **error.data))
        if act in self.best:
            return AnswerVerdict(right=True, text=self.praise[language])
        return AnswerVerdict(right=False, text=self.wrong.get(str(act), self.wrong["*"])[language])


@dataclass(frozen=True, slots=True)
class Option:
    """An answer offered, and the response to it."""

    text: Text
    reply: Text
    right: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice(LessonStep):
    """Which answer is right? The answer is its place, from 0."""

    options: tuple[Option, ...]
    cards: tuple[Card, ...] = ()

    def check(self, answer: Sequence[str], language: Language) -> AnswerVerdict:
        """The verdict, in the teacher's words."""
        chosen = self.options[one_of([str(number) for number in range(len(self.options))], answer)]
        return AnswerVerdict(chosen.right, chosen.reply[language])


Exercise = Takes | Legal | CountExercise | ActExercise | Choice


def worth(declaration: Declaration, trump: Suit | None) -> int:
    """What a declaration counts with this trump (§9)."""
    return figure_value(rule_table_of(Rules()), declaration, NONE if trump is None else trump, fixing=False)


def one_of(offered: Sequence[str], answer: Sequence[str]) -> int:
    """The index of the single answer among those offered."""
    if len(answer) != 1 or answer[0] not in offered:
        raise UnreadableAnswer("lesson/choose-one")
    return offered.index(answer[0])


def read_act(answer: Sequence[str]) -> Action:
    """The single action of an answer."""
    if len(answer) != 1:
        raise UnreadableAnswer("lesson/choose-one")
    try:
        return read_action(answer[0])
    except ChouineError as error:
        raise UnreadableAnswer("lesson/unreadable") from error
