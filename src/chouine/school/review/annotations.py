"""Judgements in words: why an act was better, and a record with a comment at each mistake."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chouine.ai.explanations import WORTH, act, difference, outcome, percent, reasons
from chouine.notation.records import Comment, Glyph, Item, Record, Variation
from chouine.notation.tokens import read_act
from chouine.partie.actions import Exchange
from chouine.partie.deal import SEATS
from chouine.phrases import Language, say
from chouine.phrases.catalogue import translations
from chouine.school.review.accounts import Account
from chouine.school.review.decisions import Judgement, mistakes_of, second_thoughts_of

GLYPHS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}


def reason_sentence(found: Judgement, language: Language) -> str:
    """Why the best act is better, as far as reasons were found; first how the partie turns, where that is certain."""
    text = reasons(read_act(found.best), found.reasons, language)
    if found.exact and {found.before, found.after} <= set(WORTH):
        before, after = (outcome(win, language) for win in (found.before, found.after))
        turn = say("review/from-to", language, before=before, after=after)
        return translations(language).gettext("; ").join(filter(None, (turn, text)))
    return text


def annotate(
    record: Record, found: Iterable[Judgement], accounts: Sequence[Account], language: Language
) -> Record:
    """The record with a comment at each mistake, the better act, and the totals at the end."""
    found = list(found)
    at = {(each.number, each.done): each for each in (*mistakes_of(found), *second_thoughts_of(found))}
    items: list[Item] = []
    for number, action in enumerate(record.actions, 1):
        if passed := at.get((number, "-")):
            items.append(comment(passed, language))
        items.append(action)
        if mistake := at.get((number, str(action))):
            items += [Glyph(GLYPHS[mistake.label])] if mistake.label else []
            items.append(comment(mistake, language))
            better = read_act(mistake.best)
            items += [] if better is None or Exchange() in (better, action) else [Variation((better,))]
    items += [
        Comment(line)
        for each in accounts
        if (line := summary_line(each, SEATS[each.seat], len(accounts), language))
    ]
    return replace(record, items=tuple(items))


def comment(found: Judgement, language: Language) -> Comment:
    """What a mistake cost, what was better and why; of an act advised at the table, what is now preferred."""
    reason = reason_sentence(found, language)
    if found.label is None:
        text = say(
            "review/second-thought",
            language,
            seat=SEATS[found.seat],
            done=act(read_act(found.done), language),
            best=act(read_act(found.best), language),
            why=f" ({reason})" if reason else "",
        )
        return Comment(text)
    text = say(
        "review/comment",
        language,
        seat=SEATS[found.seat],
        done=act(read_act(found.done), language),
        cost=difference(-found.cost, language),
        label=say(f"review/{found.label}", language),
        best=act(read_act(found.best), language),
        why=f" ({reason})" if reason else "",
    )
    return Comment(text)


def summary_line(account: Account, name: str, seats: int, language: Language) -> str:
    """A seat's result as a sum in words; or only the cost of its mistakes where luck is unknown."""
    mistakes, small, others = (round(part, 3) for part in (account.mistakes, account.small, account.others))
    listed = say("review/small", language, cost=difference(small, language)) if small else ""
    if account.luck is None or account.result is None:
        return say("review/costs", language, seat=name, errors=difference(mistakes, language), small=listed)
    result, fair = round(account.result, 3), round(account.fair, 3)
    return say(
        "review/sum" if seats == 2 else "review/sum-of-several",
        language,
        seat=name,
        result=percent(result, language),
        fair=percent(fair, language),
        errors=difference(mistakes, language),
        small=listed,
        others=difference(others, language),
        luck=difference(result - fair - mistakes - others, language),  # so that what is shown adds up
    )
