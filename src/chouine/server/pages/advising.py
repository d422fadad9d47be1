"""Advice in words, revealed in three steps: an idea, the act, then the reason with each act's win probability.

It is made from the seat's view and its advice alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from chouine.ai.explanations import chance, outcome, reasons
from chouine.ai.review import LEAST
from chouine.cards import Card, CardSet, Rank
from chouine.notation.tokens import read_act
from chouine.partie import Action, Declaration, Exchange, Figure, Play, View
from chouine.phrases import N_, thousands_apart
from chouine.rules.combinations import figures_of_five
from chouine.rules.play import beats
from chouine.server.pages.render_context import RenderContext
from chouine.server.pages.words import Words
from chouine.table.entries import GivenAdvice, RatedAct

RARE = 0.1
"""Below this chance nothing that is played makes much of a difference."""
MOST = 5
"""How many of the best acts are listed with their chances."""
ASKS = (N_("Advice"), N_("Which move?"), N_("Why?"))
"""The button's text by the step of advice that comes next."""


class ActChance(NamedTuple):
    """An act and its win probability, as text."""

    act: str
    short: str
    """The act in short, as letters and suit signs; `act` is its full name for a screen reader."""
    chance: str
    bounds: str
    """Empty where the chance is exact."""


def advice_variables(context: RenderContext) -> dict[str, Any]:
    """Template variables: the advice revealed so far and what may be asked for next; empty where neither applies."""
    offered, _ = context.snapshot.help, context.words.gettext
    revealed = offered.advice if offered else None
    step = revealed.step if revealed else 0
    may_ask = context.your_turn and context.snapshot.board is not None and step < len(ASKS)
    shown: dict[str, Any] = {"ask": _(ASKS[step]) if may_ask else "", "advice": None}
    if revealed is None or context.snapshot.board is None:
        return shown
    advice, view = revealed.given, context.board.view
    best = read_act(advice.best)
    return shown | {
        "advice": {
            "idea": _(idea(view, best)),
            "act": advice_sentence(context.words, best) if step > 1 else "",
            "card": advised_card(context),
            "why": why(context.words, advice) if step > 2 else "",
            "how": how(context.words, advice) if step > 2 else "",
            "chances": [act_chance(context.words, each, advice) for each in advice.acts[:MOST]]
            if step > 2
            else (),
            "more": max(0, len(advice.acts) - MOST) if step > 2 else 0,
        }
    }


def advised_card(context: RenderContext) -> Card | None:
    """The advised card, once the act has been revealed."""
    revealed = context.snapshot.help and context.snapshot.help.advice
    best = read_act(revealed.given.best) if revealed and revealed.step > 1 else None
    return best.card if isinstance(best, Play) else None


def advice_sentences(context: RenderContext) -> tuple[str, ...]:
    """The latest step of the advice as sentences, for the live region."""
    shown = advice_variables(context)["advice"] or {}
    steps = (("why", "how"), ("act",), ("idea",))
    said = ([shown[part] for part in parts if shown.get(part)] for parts in steps)
    return tuple(next(filter(None, said), ()))


class Hint(NamedTuple):
    """A hint at what to consider, and whether all that it states or takes for granted is true of the advised act."""

    sentence: str
    holds: Callable[[View, Action | None], bool]


def idea(view: View, best: Action | None) -> str:
    """A hint at what to consider, without naming the act: the first that is true of it."""
    return next(hint.sentence for hint in HINTS if hint.holds(view, best))


def in_play(view: View, card: Card) -> list[Card]:
    """The cards of this card's suit that have not fallen, as far as the seat knows."""
    held = CardSet(reduce(or_, view.position.hands))
    turned = [] if view.turnup is None else [view.turnup]
    return [each for each in (*held, *view.unseen, *turned) if each.suit == card.suit]


def may_be_said(view: View, card: Card) -> bool:
    """Whether a king, queen or jack may still be part of a declaration: king and queen have not fallen (§9)."""
    return {Rank.KING, Rank.QUEEN} <= {each.rank for each in in_play(view, card)}


def of_card(holds: Callable[[View, Card], bool]) -> Callable[[View, Action | None], bool]:
    """What holds of an act that lays a card, as a condition on any act."""
    return lambda view, best: isinstance(best, Play) and holds(view, best.card)


def says(best: Action | None, *figures: Figure) -> bool:
    """Whether an act announces one of these figures."""
    return isinstance(best, Play) and best.declaration is not None and best.declaration.figure in figures


def may_wait(view: View, card: Card) -> bool:
    """Whether a figure that may be announced now is still in hand after this card, with tricks to come (§9)."""
    held = figures_of_five(view.hand.mask & ~(1 << card))  # two cards with more seats: mariages only
    acts = (act for act in view.legal if isinstance(act, Play) and act.declaration is not None)
    return len(view.hand) > 1 and any(held >> int(act.declaration or 0) & 1 for act in acts)


def takes(view: View, card: Card) -> bool:
    """Whether a card laid in answer takes the trick so far."""
    return bool(view.table) and beats(card, view.position.best, view.position.trump)


def ruffs(view: View, card: Card) -> bool:
    """Whether it does so as a trump on another suit, by choice."""
    laid = {act.card.suit for act in view.legal if isinstance(act, Play)}
    return takes(view, card) and card.suit == view.trump != view.position.best >> 3 and laid != {view.trump}


def trumps_out(view: View, card: Card) -> bool:
    """Whether a trump is led after the last draw, and others are in hands that are not seen."""
    return used_up(view) and card.suit == view.trump and any(each.suit == view.trump for each in view.unseen)


def used_up(view: View) -> bool:
    """Whether the last draw has been made (§5); with three seats two cards are left."""
    return view.position.tricks >= view.rule_table.drawing


HINTS = (
    Hint(N_("Nothing has to be done here."), lambda _, best: best is None),
    Hint(
        N_("Look at the turnup: what is it worth beside your seven?"),
        lambda _, best: isinstance(best, Exchange),
    ),
    Hint(N_("You have no choice: only one move is legal."), lambda view, _: len(view.legal) == 1),
    Hint(
        N_("Chouine! Finish the trick: does another chouine answer?"),
        lambda view, _: view.position.chouine >= 0,
    ),
    Hint(
        N_("Look at your hand, suit by suit: this partie can end here."),
        lambda _, best: says(best, Figure.CHOUINE),
    ),
    Hint(N_("You hold something to declare: is this the moment?"), lambda _, best: says(best, *Figure)),
    Hint(N_("What you could declare may wait: think of the trick first."), of_card(may_wait)),
    Hint(N_("Is this trick worth a trump?"), of_card(ruffs)),
    Hint(N_("This trick can be yours."), of_card(takes)),
    Hint(
        N_("Let this trick go, and give as little as you can."),
        of_card(lambda view, card: bool(view.table) and not card.points),
    ),
    Hint(
        N_("You cannot keep everything: which card can you spare?"), of_card(lambda view, _: bool(view.table))
    ),
    # On lead
    Hint(N_("The talon is used up: which trumps are still out?"), of_card(trumps_out)),
    Hint(
        N_("The talon is used up: which of your cards is the highest left of its suit?"),
        of_card(lambda view, card: used_up(view) and card == max(in_play(view, card))),
    ),
    Hint(N_("What would a trump do here?"), of_card(lambda view, card: card.suit == view.trump)),
    Hint(N_("Who can still take a brisque of yours?"), of_card(lambda _, card: card.brisque)),
    Hint(
        N_("You need not win this trick: which card can you lead and not miss?"),
        of_card(lambda _, card: not card.points),
    ),
    Hint(
        N_("Keep what may still make a combination: which card of yours can no longer?"),
        of_card(lambda view, card: not used_up(view) and not may_be_said(view, card)),
    ),
    Hint(N_("You cannot keep everything: which card can you spare?"), lambda *_: True),
)
"""In the order in which they are looked through."""


def advice_sentence(words: Words, best: Action | None) -> str:
    """The advised act as a sentence."""
    _ = words.gettext
    match best:
        case Play(card=card, declaration=None):
            return _("Play %(card)s.") % {"card": words.the(card)}
        case Play(card=card, declaration=Declaration() as declaration):
            said = {"card": words.the(card), "declaration": words.a(declaration)}
            return _("Declare %(declaration)s and play %(card)s.") % said
        case Exchange():
            return _("Exchange the seven.")
        case _:
            return _("Let it pass.")


def action_name(words: Words, action: Action | None, name: Callable[[Card], str]) -> str:
    """An act as a label, for lists and screen readers. `name`: of its card, in full or in short."""
    match action:
        case Play(card=card, declaration=None):
            return name(card)
        case Play(card=card, declaration=Declaration() as declaration):
            return f"{name(card)} + {words.declaration(declaration)}"
        case Exchange():
            return words.gettext("exchange the seven")
        case _:
            return words.gettext("let it pass")


def act_chance(words: Words, each: RatedAct, advice: GivenAdvice) -> ActChance:
    """An act's win probability with its bounds if sampled, or its certain result."""
    language, act = words.language, read_act(each.token)
    names = action_name(words, act, words.card), action_name(words, act, words.short)
    sure = each.low == each.high
    if advice.solved or (sure and each.win in (0, 1)):
        return ActChance(*names, outcome(each.win, language), "")
    bounds = words.gettext("%(low)s to %(high)s") % {
        "low": round(100 * each.low),
        "high": round(100 * each.high),
    }
    return ActChance(*names, chance(each.win, language), "" if sure else f"({bounds})")


def why(words: Words, advice: GivenAdvice) -> str:
    """What holds whatever is played; else the act about as good, and why the best is better than the next."""
    same = foregone(words, advice)
    if same or not advice.acts:
        return same
    best, *others = advice.acts
    alike = [each for each in others if best.win - each.win < LEAST and each.token != advice.beside]
    if len(alike) > 1:
        return words.gettext("Several moves are about as good here.")
    told = [preference(words, advice)] if advice.beside in [each.token for each in others[:2]] else []
    if alike:
        act = the_act(words, read_act(alike[0].token))
        told.insert(0, words.gettext("About as good: %(act)s.") % {"act": act})
    return " ".join(filter(None, told))


def foregone(words: Words, advice: GivenAdvice) -> str:
    """What is certain, or as good as certain, whatever is played; empty if something hangs on it."""
    _, acts = words.gettext, advice.acts
    if len(acts) < 2:
        return ""
    if advice.solved and all(each.win == acts[0].win for each in acts):
        return {
            0.0: _("Every move loses if the other side plays as well as it can."),
            0.5: _("Every move makes a nulle if the other side plays as well as it can."),
            1.0: _("Every move wins."),
        }.get(acts[0].win, "")
    if max(each.high for each in acts) < RARE:
        return _("Whatever you play, fewer than one partie in ten is won from here.")
    if min(each.low for each in acts) > 1 - RARE:
        return _("Whatever you play, more than nine parties in ten are won from here.")
    return ""


def preference(words: Words, advice: GivenAdvice) -> str:
    """Why the best act is better than the next best that is not about as good; empty if no reason was found."""
    found = reasons(read_act(advice.best), advice.reasons, words.language)
    if not (found and advice.beside):
        return ""
    told = rather(words, read_act(advice.beside), found)
    return " ".join(filter(None, [told, gain(words, advice)]))


def gain(words: Words, advice: GivenAdvice) -> str:
    """How many more parties of ten the best act wins than the one beside it; empty if none."""
    tenths = {each.token: round(10 * each.win) for each in advice.acts}
    best, beside = (tenths.get(each, 0) for each in (advice.best, advice.beside))
    if best == beside:
        return ""
    return words.ngettext(
        "About %(num)s partie in 10 is won this way, against %(points)s.",
        "About %(num)s parties in 10 are won this way, against %(points)s.",
        best,
    ) % {"num": best, "points": beside}


def rather(words: Words, other: Action | None, found: str) -> str:
    """The sentence that prefers an act to this other one, with the reason."""
    _ = words.gettext
    match other:
        case Play(card=card, declaration=None):
            return _("Rather than %(card)s: %(why)s.") % {"card": words.the(card), "why": found}
        case Play(card=card, declaration=Declaration() as declaration):
            said = {"card": words.the(card), "declaration": words.a(declaration), "why": found}
            return _("Rather than %(card)s with %(declaration)s: %(why)s.") % said
        case Exchange():
            return _("Rather than exchanging the seven: %(why)s.") % {"why": found}
        case _:
            return _("Rather than keeping the seven: %(why)s.") % {"why": found}


def the_act(words: Words, action: Action | None) -> str:
    """An act in a sentence, with its article: "le roi de cœur avec un vingt de cœur"."""
    _ = words.gettext
    match action:
        case Play(card=card, declaration=None):
            return words.the(card)
        case Play(card=card, declaration=Declaration() as declaration):
            said = {"card": words.the(card), "declaration": words.a(declaration)}
            return _("%(card)s with %(declaration)s") % said
        case Exchange():
            return _("the exchange of the seven")
        case _:
            return _("the seven kept")


def how(words: Words, advice: GivenAdvice) -> str:
    """How the advice was computed."""
    _ = words.gettext
    if not advice.acts:
        return _("So say a good player’s rules of thumb: nothing here works out the chances just now.")
    if advice.solved:
        return _("All cards are known to a player who has counted: this is certain.")
    if not advice.worlds:
        return _("Worked out over every hand that the other side may hold.")
    return _(
        "Tried in likely layouts of the hidden cards (%(worlds)s), played on by the strongest level."
    ) % {"worlds": thousands_apart(advice.worlds, words.language)}
