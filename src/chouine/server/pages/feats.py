"""The page of one's matches in figures: statistics, and the twenty feats with a drawing and a sentence each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chouine.phrases import N_
from chouine.phrases.personas import PERSONAS
from chouine.server.feats.statistics import FEATS, PartieCounts, Statistics
from chouine.server.pages.env import render
from chouine.server.pages.visit import Visit
from chouine.server.pages.wording import PRESETS
from chouine.server.pages.words import Words, words_of

SENTENCES = {
    "chouine": (N_("A chouine"), N_("One word, and nothing left to count.")),
    "trump-chouine": (
        N_("A chouine in trumps"),
        N_("There is no better hand: the Loir stopped to look."),
    ),
    "quinte": (N_("A quinte"), N_("Five brisques at once: one needs a large hand.")),
    "late-quinte": (
        N_("A quinte with the last five cards"),
        N_("The talon was empty, the hand was not."),
    ),
    "trump-quarteron": (N_("A quarteron in trumps"), N_("Eighty points in one breath.")),
    "mariages": (
        N_("Three mariages in one partie"),
        N_("Three weddings on one day, and the priest still at table."),
    ),
    "close": (N_("A partie won by two points at most"), N_("61 to 59, say: count again, it is so.")),
    "der": (
        N_("A partie won by the dix de der"),
        N_("It is the last trick that is talked about on the way home."),
    ),
    "au-sept": (N_("The seven exchanged at “au sept”"), N_("It was said once, and once was enough.")),
    "seven-for-ace": (N_("The seven for the ace"), N_("The smallest went out, the greatest came in.")),
    "last-five": (
        N_("The last five tricks, all of them"),
        N_("Once the talon was gone, it rained on one side only."),
    ),
    "all-brisques": (N_("All eight brisques"), N_("The aces and the tens all went home together.")),
    "silent": (
        N_("A partie won without a declaration, though another declared"),
        N_("Still water, and deep."),
    ),
    "comeback": (
        N_("A manche won from one partie before losing it, and two behind"),
        N_("Floods go down too."),
    ),
    "under": (N_("The other under the table"), N_("Not one partie: mind your head when you get up.")),
    "belle": (N_("The belle won"), N_("A manche each, and the last one for you.")),
    "strongest": (
        N_("A match won against level 8, without help"),
        N_("In Lavardin they get up from their chairs for less."),
    ),
    "valley": (
        N_("A partie won against each of the eight levels, without help"),
        N_("From Trôo to Lavardin, the whole valley."),
    ),
    "streak": (N_("Ten parties won in a row"), N_("The cards do not do that by themselves.")),
    "hundred": (N_("A hundred parties"), N_("By now the cards know you.")),
}
"""Each feat's name, which is its condition, and its sentence."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table of records."""

    name: str
    record: PartieCounts


@dataclass(frozen=True, slots=True)
class Feat:
    """A feat on the page; without an address it has not been done yet."""

    name: str
    title: str
    sentence: str
    address: str


def feats_page(visit: Visit, found: Statistics, names: Mapping[str, str], left: int) -> str:
    """The page. `names`: those of the people met, by guest; `left`: matches that are still to be counted."""
    words = words_of(visit)
    return render(
        visit,
        "feats.html",
        here="/mine/feats",
        found=found,
        left=left,
        groups=[
            (N_("Opponents"), opponents_of(found, names, words)),
            (
                N_("Rules"),
                [Row(words.gettext(PRESETS[name][0]), one) for name, one in found.variants.items()],
            ),
            (
                N_("Seats"),
                [
                    Row(words.gettext("Player %(n)s") % {"n": seat + 1}, one)
                    for seat, one in sorted(found.seats.items())
                ],
            ),
        ],
        feats=[feat_of(name, found) for name in FEATS],
    )


def opponents_of(found: Statistics, names: Mapping[str, str], words: Words) -> list[Row]:
    """The records against each level, the weakest first, then against people, the most frequent first."""
    _ = words.gettext
    levels = [
        Row(_("%(name)s, level %(level)s") % {"name": PERSONAS[level - 1][0], "level": level}, record)
        for level, record in sorted(found.levels.items())
    ]
    people = sorted(found.people.items(), key=lambda one: -one[1].parties)
    return levels + [Row(names.get(guest) or _("players who left"), record) for guest, record in people]


def feat_of(name: str, found: Statistics) -> Feat:
    """A feat, with the address of the partie or match in which it was done first."""
    earned = found.feats.get(name)
    address = "" if earned is None else f"/match/{earned.table_id}"
    return Feat(name, *SENTENCES[name], f"{address}/{earned.partie}" if earned and earned.partie else address)
