"""Read a list of people: what each column means, who would be entered, and every row that is not somebody."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import zip_longest
from types import MappingProxyType
from typing import NamedTuple

from chouine.contest import ActRefused, Contest, Entered, ListEntered
from chouine.contest.acts import Merged
from chouine.contest.entering import all_entered, enter_player
from chouine.contest.people import Doubles, Person, details_of, is_particle, name_parts, person_named
from chouine.contest.views import price
from chouine.errors import ChouineError
from chouine.names import plain_name
from chouine.phrases import N_
from chouine.plaintext import unmark

MOST_ROWS = 2000
HEADERS = 20
"""The heading is looked for in this many rows."""
FIELDS = {
    "name": N_("Name"),
    "turned": N_("Surname and first name"),
    "first": N_("First name"),
    "second": N_("Team mate"),
    "village": N_("Village"),
    "family": N_("Family"),
    "lady": N_("Lady"),
    "junior": N_("Junior"),
    "meals": N_("Meals"),
    "here": N_("Here"),
    "paid": N_("Paid"),
}
"""What a column can hold; the words head the columns of an export too."""
SYNONYMS = {
    "name": "nom|noms|name|prenom nom|prenom et nom|nom de famille|nom usuel|surname|last name"
    "|full name|joueur|joueuse|joueurs|joueur 1|nom 1|participant|player|player 1|inscrit|equipe|team|concurrent",
    "turned": "nom et prenom|nom prenom|nom prenoms|noms et prenoms|noms prenoms|nom et prenoms|surname and first name",
    "first": "prenom|prenoms|first name|first names|firstname|given name|forename",
    "second": "coequipier|coequipiere|equipier|partenaire|joueur 2|nom 2|team mate|teammate|partner|player 2",
    "village": "commune|communes|village|ville|villes|localite|lieu|domicile|residence|town|city|commune de residence",
    "family": "famille|familles|family|club|clubs|association|societe",
    "lady": "dame|dames|lady|ladies|femme|sexe|sex|genre|gender|civilite|civ|titre|title|h f|f h|m f|f m",
    "junior": "jeune|jeunes|junior|juniors|youth|categorie|categories|category|cat|classe|class",
    "meals": "repas|meal|meals|nombre de repas|nb repas|dejeuner|diner|lunch|dinner",
    "here": "present|presents|presente|presence|here|la|est la|arrive",
    "paid": "paye|payee|paid|regle|reglement|paiement|payment|encaisse|verse",
}
KNOWN = {word: kind for kind, words in SYNONYMS.items() for word in words.split("|")}
ANSWERS = {
    "yes": "1|1 0|x|xx|oui|o|yes|y|true|vrai|ok|v",
    "money": "cheque|cheques|chq|espece|especes|esp|liquide|cb|carte|virement|cash|check|card|transfer",
    "no": "|0|0 0|non|n|no|false|faux",
    "female": "f|fem|femme|femmes|feminin|feminine|dame|dames|mme|madame|mlle|melle|mademoiselle|fille|w|woman|female"
    "|lady|mrs|ms|miss",
    "male": "h|m|homme|hommes|masculin|mr|monsieur|messieurs|garcon|male|man|sir",
    "young": "junior|juniors|jeune|jeunes|j|moins|u12|u15|u18|cadet|cadets|cadette|minime|minimes|benjamin|benjamine"
    "|poussin|enfant|youth|child",
    "grown": "senior|seniors|s|veteran|veterans|adulte|adultes|adult|vermeil|mixte|open",
}
MEANING = {word: meaning for meaning, words in ANSWERS.items() for word in words.split("|")}
SUMS = re.compile(r"(sous )?(total|totaux|somme|sum|grand total|nombre d(e|inscrits))\b")


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """One person of a list to be entered."""

    row: int
    """As the spreadsheet counts it, from 1."""
    person: Person
    lady: bool = False
    junior: bool = False
    meals: int = 0
    here: bool | None = None
    """None if the list does not tell."""
    paid: int | None = 0
    """In cents; None for whatever they owe."""


@dataclass(frozen=True, slots=True)
class Column:
    heading: str
    kind: str
    """A key of `FIELDS`; empty if it is left out."""
    sample: str
    """Its first cell with a text."""


class Doubt(NamedTuple):
    """Who a row looks like."""

    who: str
    """The label of an entry, or of a row above."""
    same: bool
    """Whether the names are the same."""
    number: int
    """The entry's number; 0 for a row above."""


@dataclass(slots=True)
class Listing:
    """A list as read: every row is a heading, a person, a fault, or set aside."""

    rows: Sequence[Sequence[str]]
    header: int
    """Rows down to the heading; 0 if there is none."""
    columns: list[Column]
    people: list[ListedPerson] = field(default_factory=list)
    faults: list[tuple[int, ChouineError]] = field(default_factory=list)
    aside: list[tuple[int, str]] = field(default_factory=list)
    """Rows that are nobody, such as a total or a title."""
    offered: list[ListedPerson] = field(default_factory=list)
    """The rows set aside that could be somebody all the same: Somme is a name too."""


def rows_in(text: str) -> list[list[str]]:
    """The cells of a text, divided by the separator that finds most columns. Raises `ActRefused`."""
    try:
        tries = [
            [[*map(clean, row)] for row in csv.reader(StringIO(unmark(text), newline=""), delimiter=sign)]
            for sign in ";\t,"
        ]
    except csv.Error as fault:  # binary data, for instance, with a cell that never ends
        raise ActRefused("contest/no-list") from fault
    return max(tries, key=lambda rows: (*most_known(rows)[:1], max(map(len, rows[:HEADERS]), default=0)))


def clean(cell: str) -> str:
    """A cell on one line, without the apostrophe that keeps an export's text from being a formula."""
    text = " ".join(cell.split())
    return text[1:] if re.match(r"'[=+\-@]", text) else text


def most_known(rows: Sequence[Sequence[str]]) -> tuple[int, int]:
    """How many columns the heading names, and its number of rows down from the top; (0, 0) without a heading."""
    found = [(sum(map(bool, kinds_of(row))), -nth) for nth, row in enumerate(rows[:HEADERS], 1)]
    known, nth = max((one for one in found if one[0]), default=(0, 0))
    return known, -nth


def kinds_of(headings: Sequence[str]) -> list[str]:
    """What headings name, "" for those unknown; of two for one field the first counts, but any may tell a lady."""
    kinds: list[str] = []
    for heading in headings:
        kind = KNOWN.get(plain_name(re.sub(r"\(.*?\)|\*", "", heading)), "")
        kinds.append("" if kind in kinds and kind not in ("lady", "junior") else kind)
    return kinds


def read_rows(cells: Sequence[Sequence[str]], kinds: Sequence[str] | None = None) -> Listing:
    """The list in these cells; `kinds`: what each column is said to hold. Raises `ActRefused`."""
    rows = without_empty_columns([[*map(clean, row)] for row in cells])
    if not any(map(any, rows)):
        raise ActRefused("contest/empty-list")
    _, header = most_known(rows)
    if len(rows) > MOST_ROWS + header:
        raise ActRefused("contest/long-list", most=MOST_ROWS)
    headings = rows[header - 1] if header else [""] * len(rows[0])
    alone = ["name"] if len(headings) == 1 and not header else kinds_of(headings)
    kinds = kinds if kinds is not None and len(kinds) == len(headings) else alone
    below = rows[header:]
    samples = [next((row[at] for row in below if row[at]), "") for at in range(len(headings))]
    columns = [Column(*column) for column in zip(headings, kinds, samples, strict=True)]
    listing = Listing(rows, header, columns)
    for number, row in enumerate(below, header + 1):
        read_row(listing, number, row, kinds)
    return listing


def without_empty_columns(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows, equally long, without columns that hold nothing at all."""
    columns = [column for column in zip_longest(*rows, fillvalue="") if any(column)]
    return [[*row] for row in zip(*columns, strict=True)]


def read_row(listing: Listing, number: int, row: Sequence[str], kinds: Sequence[str]) -> None:
    """Put a row where it belongs."""
    first = next(filter(None, row), "")
    if not first:
        return
    aside = SUMS.match(plain_name(first)) is not None or is_title(listing, row)
    if aside or (listing.header and row == listing.rows[listing.header - 1]):
        listing.aside.append((number, "\N{NO-BREAK SPACE}· ".join(filter(None, row))))
        if not aside:
            return
    try:
        (listing.offered if aside else listing.people).append(person_of(number, row, kinds))
    except ChouineError as fault:
        if not aside:
            listing.faults.append((number, fault))


def is_title(listing: Listing, row: Sequence[str]) -> bool:
    """Whether a row stands alone in its first column above all others of a list without a heading."""
    above = not (listing.people or listing.faults or listing.header)
    return above and len(row) > 1 and bool(row[0]) and not any(row[1:])


def person_of(number: int, row: Sequence[str], kinds: Sequence[str]) -> ListedPerson:
    """The person in a row. Raises `ActRefused` or `NameRefused` for a cell that cannot be read."""
    cells: dict[str, list[str]] = {kind: [] for kind in FIELDS}
    for kind, text in zip(kinds, row, strict=False):
        if kind and text:
            cells[kind].append(text)
    first, name, village, family = (" ".join(cells[kind]) for kind in ("first", "name", "village", "family"))
    if cells["turned"]:
        name, first = surname_then_first(" ".join(cells["turned"]))
    if cells["second"] or not name:
        name, first = " & ".join([f"{first} {name}".strip(), *cells["second"]]), ""
    person = person_named(name, village, family, first)
    meals = (cells["meals"] or ["0"])[0].removesuffix(".0")
    if not (meals.isascii() and meals.isdigit() and len(meals) < 3):
        raise ActRefused("contest/cell-meals", text=meals[:20])
    return ListedPerson(
        number,
        person,
        any(read_yes_no(text, "yes female", "no male") for text in cells["lady"])
        or any("female" in meanings(text) for text in cells["junior"]),
        any(meanings(text) & {"yes", "young"} for text in cells["junior"]),
        int(meals),
        any(read_yes_no(text, "yes", "no") for text in cells["here"]) if "here" in kinds else None,
        cents_of((cells["paid"] or ["0"])[0]),
    )


def surname_then_first(text: str) -> tuple[str, str]:
    """Surname and first name of a text that begins with the surname and its particles."""
    words = text.split()
    if any(word.isupper() for word in words) and not text.isupper():
        return name_parts(text)
    end = next((at for at, word in enumerate(words, 1) if not is_particle(word)), len(words))
    return " ".join(words[:end]), " ".join(words[end:])


def meanings(text: str) -> set[str]:
    """What a cell's words mean: keys of `ANSWERS`."""
    plain = plain_name(text)
    return {MEANING[word] for word in (plain, *plain.split()) if word in MEANING}


def read_yes_no(text: str, yes: str, no: str) -> bool:
    """Whether a cell means one of `yes`. Raises `ActRefused` for one that means nothing of both."""
    found = meanings(text)
    if not found & {*yes.split(), *no.split()}:
        raise ActRefused("contest/cell-unclear", text=text[:20])
    return bool(found & {*yes.split()})


def cents_of(text: str) -> int | None:
    """The cents in a cell, None for `x`, `1`, `oui` or `chèque`. Raises `ActRefused`."""
    cents = cents_in(text)
    if cents is not None:
        return None if text == "1" else cents
    return None if read_yes_no(text, "yes money", "no") else 0


def cents_in(text: str) -> int | None:
    """The cents of `12`, `12,50`, `12.5 €` or `12 euros`; None for anything else."""
    found = re.fullmatch(r"(\d{1,4})(?:[.,](\d{1,2}))?\s*(?:€|eur|euros?)?", text, re.ASCII | re.IGNORECASE)
    return 100 * int(found[1]) + int((found[2] or "0").ljust(2, "0")) if found else None


def enter_all(
    people: Sequence[ListedPerson],
    register: Mapping[int, Person],
    contest: Contest,
    *,
    here: bool,
    merging: Mapping[int, ListedPerson] = MappingProxyType({}),
) -> tuple[ListEntered, dict[int, Person]]:
    """The one act that enters these people, and their names by number.

    `here`: where the list is silent. `merging`: rows that complete an entry, by its number.
    """
    names: dict[int, Person] = {}
    acts: list[Entered] = []
    paid: list[int] = []
    merged: list[Merged] = []
    for number, row in merging.items():
        merged.append(merge(number, row, {**register, **names}, contest, names))
        contest = all_entered(contest, ListEntered((), merged=(merged[-1],)))
    for one in people:
        details = details_of(
            one.person, {**register, **names}, contest, lady=one.lady, junior=one.junior, meals=one.meals
        )
        acts.append(Entered(contest.next_number, details, here=here if one.here is None else one.here))
        contest = enter_player(contest, acts[-1])
        names[acts[-1].number] = one.person
        paid.append(price(contest, contest.entrant(acts[-1].number)) if one.paid is None else one.paid)
    return ListEntered(tuple(acts), tuple(paid) if any(paid) else (), tuple(merged)), names


def merge(
    number: int, one: ListedPerson, register: Mapping[int, Person], contest: Contest, names: dict[int, Person]
) -> Merged:
    """What a row adds to an entry: never less than it had, and nothing the second time."""
    entrant, old = contest.entrant(number), register.get(number, one.person)
    person = replace(old, village=old.village or one.person.village, family=old.family or one.person.family)
    if person != old:
        names[number] = person
    lady, junior = entrant.details.lady or one.lady, entrant.details.junior or one.junior
    meals = max(entrant.details.meals, one.meals)
    details = details_of(person, register, contest, lady=lady, junior=junior, meals=meals)
    total = contest.opened.fee + contest.opened.meal * details.meals if one.paid is None else one.paid
    comes = bool(one.here) and not (entrant.here or entrant.withdrawn)
    return Merged(number, details, comes, max(0, total - entrant.paid))


def doubtful_people(people: Sequence[ListedPerson], register: Mapping[int, Person]) -> dict[int, Doubt]:
    """By row who looks like somebody entered, or like a row above; of two rows only the first completes an entry."""
    labels = {f"{number} {person.name}": number for number, person in register.items()}
    doubles, found = Doubles(zip(labels, register.values(), strict=True)), {}
    taken: dict[str, str] = {}
    for one in people:
        row = f"{one.person.name} ({one.row})"
        if double := doubles.find(one.person):
            who, same = taken.get(double[0], double[0]), double[1]
            found[one.row] = Doubt(who, same, labels.get(who, 0))
            if same:
                taken.setdefault(double[0], row)
        doubles.add(row, one.person)
    return found
