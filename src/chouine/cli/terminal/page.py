"""A seat's page before it plays: no more than §14 allows."""

from __future__ import annotations

from collections.abc import Sequence

from chouine.ai.levels import level_of
from chouine.cards import Card, CardSet
from chouine.cli.terminal.wording import Teller
from chouine.match import Match
from chouine.notation.french import arrange, declaration_name, face, faces
from chouine.partie import Action, AllowedView, Declaration, Exchange, Play, Taken, View
from chouine.phrases import Language, in_words, say
from chouine.rules.play import declare
from chouine.table import SeatHolder

RULE = "-" * 40


def heading(match: Match, names: Sequence[str], language: Language) -> list[str]:
    """Rules, manche, partie and score."""
    teller = Teller(names, None, language)
    place = teller.phrase("belle" if match.belle else "manche", manche=match.manche, partie=match.partie)
    return [f"La Chouine · {match.rules} · {match.format}", f"{place} · {score(match, names)}"]


def opponents(holders: Sequence[SeatHolder], language: Language) -> list[str]:
    """Level and character of the computers at the table."""
    named = dict[int, list[str]]()
    for holder in holders:
        if number := level_of(holder.player):
            named.setdefault(number, []).append(holder.name)
    return [
        f"{say('persona/named', language, name=', '.join(names), number=number)}. "
        + say(f"persona/{number}", language)
        for number, names in named.items()
    ]


def score(match: Match, names: Sequence[str]) -> str:
    """Parties in this manche, and manches where there are more than one."""
    parties = " – ".join(f"{name} {won}" for name, won in zip(names, match.score, strict=True))
    if match.format.manches == 1:
        return parties
    return f"{parties} · manches {'–'.join(map(str, match.manches))}"


def seat_lines(view: View, names: Sequence[str], language: Language) -> list[str]:
    """The table and the hand."""
    teller = Teller(names, view.observer, language)
    lines = table_lines(AllowedView.of(view), names, teller, language)
    if view.tricks and not view.table:
        lines.append(teller.phrase("last-trick") + "".join(trick_lines(view.tricks[-1:], names, language)))
    if view.hand:
        lines += ["", *hand_lines(view, teller, language)]
    return lines


def table_lines(allowed: AllowedView, names: Sequence[str], teller: Teller, language: Language) -> list[str]:
    """Trump, talon, declarations, one's own tricks and the cards on the table."""
    lines = [f"{trump_line(allowed, teller, language)} · {teller.phrase('talon', cards=allowed.talon)}"]
    if any(allowed.declared):
        declared = ", ".join(f"{name} {points}" for name, points in zip(names, allowed.declared, strict=True))
        lines.append(teller.phrase("declared", told=declared))
    if allowed.own_tricks:
        lines.append(teller.phrase("own", tricks=len(allowed.own_tricks), num=allowed.own_points))
    if allowed.table:
        laid = "   ".join(f"{names[play.seat]} {face(play.card, language)}" for play in allowed.table)
        lines.append(teller.phrase("table", cards=laid))
    return lines


def trump_line(allowed: AllowedView, teller: Teller, language: Language) -> str:
    """The trump suit and the card that lies by the talon."""
    if allowed.trump is None:
        return teller.phrase("no-trump")
    trump = teller.phrase("trump", suit=in_words(allowed.trump, language), symbol=allowed.trump.symbol)
    if allowed.turnup is None:
        return trump
    return f"{trump} · {teller.phrase('turnup', card=face(allowed.turnup, language))}"


def hand_lines(view: View, teller: Teller, language: Language) -> list[str]:
    """The hand, numbered as it is answered."""
    cards = arrange(view.hand)
    numbered = "   ".join(f"{number} {face(card, language)}" for number, card in enumerate(cards, 1))
    return [teller.phrase("hand"), f"  {numbered}"]


def offers(view: View, names: Sequence[str], language: Language) -> list[str]:
    """Declarations that may be made, with what they count, and the exchange."""
    teller = Teller(names, view.observer, language)
    with_it: dict[Declaration, list[Card]] = {}
    for action in view.legal:
        if isinstance(action, Play) and action.declaration is not None:
            with_it.setdefault(action.declaration, []).append(action.card)
    hand = arrange(view.hand)
    lines = []
    for said, cards in with_it.items():
        numbers = " ".join(f"{number}+" for number, card in enumerate(hand, 1) if card in cards)
        counts = teller.phrase("worth", points=worth(view, said)) if said.value else teller.phrase("wins")
        what = declaration_name(said, language)
        lines.append(teller.phrase("may-declare", token=said, figure=what, worth=counts, numbers=numbers))
    if Exchange() in view.legal and view.turnup is not None:
        lines.append(teller.phrase("may-exchange", card=face(view.turnup, language)))
    return lines


def worth(view: View, declaration: Declaration) -> int:
    """Points that a declaration would count now (§9)."""
    p = view.position
    return declare(view.rule_table, p, declaration).declared[p.turn] - p.declared[p.turn]


def legal_line(actions: Sequence[Action], teller: Teller, language: Language) -> str:
    """The cards that may be played."""
    cards = {action.card: None for action in actions if isinstance(action, Play)}
    return teller.phrase("legal", cards=faces(arrange(CardSet(cards)), language))


def own_tricks(view: View) -> Sequence[Taken]:
    """One's own tricks (§14)."""
    return AllowedView.of(view).own_tricks


def others_last_tricks(view: View) -> Sequence[Taken]:
    """The last trick of each other seat (§14)."""
    last = AllowedView.of(view).last_tricks
    return [trick for seat, trick in enumerate(last) if trick is not None and seat != view.observer]


def trick_lines(tricks: Sequence[Taken], names: Sequence[str], language: Language) -> list[str]:
    """Tricks, one per line: leader, cards in order, taker."""
    return [
        f"{names[trick.leader]} : {faces(trick.cards, language)} → {names[trick.seat]}, {trick.points}"
        for trick in tricks
    ]
