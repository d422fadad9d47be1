"""Detect edit conflicts: acts of other desks since a form was shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from starlette.datastructures import FormData

from chouine.cards import Card
from chouine.contest import ActRefused, Contest, ContestAct, Present, RoundTable, Undone
from chouine.contest.plain import kind_of
from chouine.phrases import Language, card_name, say, translations
from chouine.server.contest.request import DeskRequest, line, number
from chouine.server.contest.spreadsheet import euros
from chouine.server.contest.standing import clock, round_name


def act_sentence(act: ContestAct, asked: DeskRequest) -> str:
    """An act in words: its kind, entry, table and details."""
    language, names = asked.visit.language, asked.names
    gettext = translations(language).gettext
    details: list[str] = []
    entry = getattr(act, "number", None)
    if isinstance(entry, int) and entry in names:
        details.append(f"{entry} {names[entry]}")
    details += [
        f"{one} {names.get(one, '')}" for field in ("one", "other") if (one := getattr(act, field, 0))
    ]
    if entries := getattr(act, "entries", ()):
        details.append(f"{entries[0].number}–{entries[-1].number}")
    if getattr(act, "stage", "main") == "consolante":
        details.append(gettext("Consolante"))
    if number := getattr(act, "round", 0):
        details.append(round_name(asked.contest, language, getattr(act, "stage", "main"), number))
    if table := getattr(act, "table", 0):
        details.append(gettext("Table %(table)s") % {"table": table})
    if cents := getattr(act, "cents", 0):
        details.append(f"{euros(cents)} €")
    if card := getattr(act, "card", ""):
        details.append(card_name(Card(card), language))
    details += [str(own) for field in ("score", "act", "reason") if (own := getattr(act, field, ""))]
    if confirmed := getattr(act, "confirmed", ()):
        details.append(confirmed_by(confirmed, names, language))
    away = isinstance(act, Present) and not act.here
    kind = say("desk/act/away" if away else f"desk/act/{kind_of(act)}", language)
    return gettext("%(what)s: %(of)s") % {"what": kind, "of": ", ".join(details)} if details else kind


def confirmed_by(players: Iterable[int], names: Mapping[int, str], language: Language) -> str:
    """Who confirmed a result on their phones."""
    listed = ", ".join(f"{player} {names.get(player, '')}".strip() for player in players)
    return translations(language).gettext("confirmed on phones by %(names)s") % {"names": listed}


def check_unchanged(
    asked: DeskRequest, contest: Contest, form: FormData, concerns: Callable[[ContestAct], bool]
) -> None:
    """Raise `ActRefused`, naming the act, if one that concerns the form was done or undone since it was shown.

    The form's field `seen` is the number of the last act when it was shown.
    """
    seen = number(form, "seen", 99_999)
    for one in contest.lines[seen:] if seen else ():
        act = contest.lines[one.act.act - 1].act if isinstance(one.act, Undone) else one.act
        if concerns(act):
            raise ActRefused(
                "contest/meanwhile", what=act_sentence(one.act, asked), by=one.by, at=clock(one.at)
            )


def table_snapshot(table: RoundTable) -> str:
    """A table's entries and result, as a form about it carries them to detect changes."""
    return " ".join(["-".join(map(str, table.players)), str(table.score or "")]).strip()


def check_still(asked: DeskRequest, form: FormData, table: RoundTable) -> None:
    """Raise `ActRefused` if the table's entries, or the result to correct, are not those that the form showed."""
    players, _, result = line(form, "shown").partition(" ")
    now, _, score = table_snapshot(table).partition(" ")
    if players and (players != now or (result and result != score)):
        seated = " – ".join(asked.names[player] for player in table.players)
        raise ActRefused("contest/other-now", table=table.number, now=f"{seated} {score}".strip())
